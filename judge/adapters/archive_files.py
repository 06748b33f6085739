"""Files of recorded games: found, opened and decoded, wherever they lie, one at a time.

A path is a file, a folder with all below it but what is hidden, a zip or tar archive, or a
Maildir, which is read as one mailbox. Texts are in UTF-8.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

from judge.archive.formats import reader, recognized
from judge.archive.reading import HEAD_CHARACTERS, Doubts, Format, Reading, UnreadableError
from judge.archive.record import Record
from judge.rules.geography import Map

IN_MEMORY_BYTES_MAX = 16_000_000  # of one file; what is larger waits on the disk
UNPACKED_BYTES_MAX = 4_000_000_000  # of one member of an archive, or one Maildir
LINE_BYTES_MAX = 64_000_000  # a saved game on one line has about 200,000
PIECE_BYTES = 1_000_000
SEPARATOR = b"\nFrom judge@localhost Thu Jan  1 00:00:00 1970\n"  # of the mails in a mailbox
BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError)
LOCKED = (RuntimeError, NotImplementedError)  # how zipfile says that it cannot unpack


class UnknownFormatError(UnreadableError):
    """A text is in none of the formats, so it may well be no game at all."""


@dataclass(frozen=True, slots=True)
class How:
    """How files are read: as the format *form*, or as what they are; *strict*, or with doubts."""

    form: str | None = None
    strict: bool = True
    keep_addresses: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A file, or a member of an archive, open at its beginning, or where *first_line* begins."""

    name: str
    sha256: str
    stream: IO[bytes]
    first_line: int = 1


def find(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield each file and Maildir of *paths*, those of a folder in alphabetical order.

    In a folder, what is neither a file nor a folder is passed over, and so are links to folders,
    which may lead round in a circle.
    """
    for path in paths:
        if path.is_dir() and not (path / "cur").is_dir():
            yield from find(sorted(filter(_looked_at, path.iterdir())))
        else:
            yield path


def _looked_at(path: Path) -> bool:
    linked_folder = path.is_symlink() and path.is_dir()
    return path.name[0] != "." and (path.is_file() or path.is_dir()) and not linked_folder


def games(board: Map, path: Path, how: How) -> Iterator[Record | UnreadableError]:
    """Yield each game in *path*, and in place of what cannot be read, why; the rest goes on."""
    try:
        for text in texts(path):
            yield from read(board, text, how)
    except UnreadableError as error:
        yield error


def is_packed(path: Path) -> bool:
    """Tell whether *path* holds several texts. Raises `OSError`."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def texts(path: Path) -> Iterator[Text]:
    """Yield the text that *path* is, or those it holds, each open until the next is asked for.

    Raises `UnreadableError`.
    """
    try:
        if path.is_dir():
            yield from _spooled(str(path), _mailbox(path))
        elif zipfile.is_zipfile(path):
            yield from _zipped(path)
        elif tarfile.is_tarfile(path):
            yield from _tarred(path)
        else:
            with path.open("rb") as stream:
                digest = file_digest(stream, "sha256").hexdigest()
                stream.seek(0)
                yield Text(str(path), digest, stream)
    except BROKEN as error:
        raise UnreadableError(str(path), None, str(error)) from error


def read(board: Map, text: Text, how: How) -> Generator[Record | UnreadableError, None, bool]:
    """Yield the games in *text*, and what was left out; return whether all of it was read."""
    doubts = Doubts(text.name, strict=how.strict)
    try:
        reading = Reading(
            board,
            text.name,
            text.sha256,
            doubts,
            keep_addresses=how.keep_addresses,
            first_line=text.first_line,
        )
        yield from form_of(text, how).read(reading, _lines(text, doubts))
    except UnreadableError as error:
        yield error
        return False
    for doubt in doubts.taken():  # of a game that was left out, with none after it
        yield UnreadableError(text.name, doubt.line, f"{doubt.why}: {doubt.text}".rstrip(": "))
    return True


def form_of(text: Text, how: How) -> Format:
    """Return the format that *text* is read in. Raises `UnreadableError`."""
    if how.form:
        return reader(how.form)
    head = text.stream.read(HEAD_CHARACTERS)
    text.stream.seek(0)
    begins = head.decode(errors="replace").removeprefix("\ufeff").replace("\r\n", "\n")
    match recognized(begins):
        case [only]:
            return only
        case []:
            _check_is_text(text.name, head)
            raise UnknownFormatError(text.name, None, "in no format that is known")
        case several:
            names = " or ".join(each.name for each in several)
            raise UnreadableError(text.name, None, f"its format may be {names}: say which")


def _check_is_text(name: str, head: bytes) -> None:
    try:
        whole = len(head) < HEAD_CHARACTERS  # else the last letter may be cut
        if "\0" not in getincrementaldecoder("utf-8")().decode(head, final=whole):
            return
        start, why = head.index(b"\0"), "binary, no text"
    except UnicodeDecodeError as error:
        start, why = error.start, _not_utf_8(error)
    raise UnreadableError(name, head.count(b"\n", 0, start) + 1, why)


def _lines(text: Text, doubts: Doubts) -> Iterator[str]:
    read_line = partial(text.stream.readline, LINE_BYTES_MAX + 1)
    for number, line in enumerate(iter(read_line, b""), text.first_line):
        if len(line) > LINE_BYTES_MAX:
            raise UnreadableError(text.name, number, f"longer than {LINE_BYTES_MAX} bytes")
        if b"\0" in line:
            raise UnreadableError(text.name, number, "binary, no text")
        try:
            decoded = line.decode()
        except UnicodeDecodeError as error:
            doubts.note(number, "", _not_utf_8(error))
            decoded = line.decode(errors="replace")
        yield decoded.rstrip("\r\n").removeprefix("\ufeff")


def _not_utf_8(error: UnicodeDecodeError) -> str:
    return f"not UTF-8, byte {error.object[error.start]:#x}"


def _mailbox(maildir: Path) -> Iterator[bytes]:
    """Yield the mails of *maildir* as a mailbox has them, in the order of their names."""
    mails = [mail for folder in ("cur", "new") for mail in (maildir / folder).glob("[!.]*")]
    for mail in sorted(mails, key=lambda each: each.name):
        yield SEPARATOR
        yield mail.read_bytes()


def _zipped(path: Path) -> Iterator[Text]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.is_dir():
                continue
            name = f"{path}/{member.filename}"
            try:
                with archive.open(member) as stream:
                    yield from _spooled(name, _pieces(stream))
            except LOCKED as error:
                raise UnreadableError(name, None, str(error)) from error


def _tarred(path: Path) -> Iterator[Text]:
    with tarfile.open(path) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.isfile() else None
            if stream:
                yield from _spooled(f"{path}/{member.name}", _pieces(stream))


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(stream.read, PIECE_BYTES), b"")


def _spooled(name: str, pieces: Iterable[bytes]) -> Iterator[Text]:
    """Put *pieces* together, because their digest is wanted before the first line."""
    digest, size = sha256(), 0
    with SpooledTemporaryFile(IN_MEMORY_BYTES_MAX) as spool:
        for piece in pieces:
            size += len(piece)
            if size > UNPACKED_BYTES_MAX:
                raise UnreadableError(name, None, f"larger than {UNPACKED_BYTES_MAX} bytes")
            digest.update(piece)
            spool.write(piece)
        spool.seek(0)
        yield Text(name, digest.hexdigest(), spool)
