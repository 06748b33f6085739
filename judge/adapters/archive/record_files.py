"""Find, unpack and decode files of recorded games, one at a time.

A path is a file, a folder with all visible files below it, an archive (zip, tar), a compressed
file (gzip, bzip2, xz), a Maildir, which is read as one mailbox, or `-`, standard input. Members of
archives may be compressed themselves. Nothing is unpacked into a folder, so member names cannot
escape. Texts are UTF-8, or UTF-16 with a byte order mark; a lenient reading decodes other lines as
Windows-1252.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import sys
import tarfile
import zipfile
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder, iterdecode
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import file_digest
from io import BufferedReader
from pathlib import Path, PurePath, PurePosixPath
from stat import S_ISDIR, S_ISREG
from tempfile import SpooledTemporaryFile
from typing import IO, Literal, TypeAlias, cast

from judge.adapters.variant_files import UnknownVariantError, load_map
from judge.archive import reading
from judge.archive.records import Record
from judge.rules.board import DEFAULT_VARIANT, Map

IN_MEMORY_BYTES_MAX = 16_000_000  # of one file; larger ones go to disk
UNPACKED_BYTES_MAX = 16_000_000_000  # of everything in one path
NESTED_MAX = 3  # archives in archives
LINE_BYTES_MAX = 64_000_000  # a saved game on one line has about 200,000
END_OF_FILE = "\x1a"  # of DOS
PIECE_BYTES = 1_000_000
SEPARATOR = b"\nFrom judge@localhost Thu Jan  1 00:00:00 1970\n"  # between the emails of a mailbox
NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError)
LOCKED = (RuntimeError, NotImplementedError)  # zipfile's errors if it cannot unpack
UTF_16 = (BOM_UTF16_LE, BOM_UTF16_BE)  # what Windows calls Unicode
UNDECODED = "\ufffd"
ODD_BYTES = (b"\0", b"\r", END_OF_FILE.encode(), BOM_UTF8, UNDECODED.encode())
MAGIC_BYTES_MAX = 6
ZIP_START = b"PK\x03\x04"  # of one that is cut off, too
OPENERS: Mapping[bytes, Callable[[IO[bytes]], IO[bytes]]] = {  # by their first bytes
    b"\x1f\x8b": lambda stream: cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb")),
    b"BZh": lambda stream: cast("IO[bytes]", bz2.BZ2File(stream)),
    b"\xfd7zXZ\0": lambda stream: cast("IO[bytes]", lzma.LZMAFile(stream)),  # noqa: SIM115 - the caller closes it
}

STANDARD_INPUT = Path("-")

Member: TypeAlias = tuple[str, Callable[[], IO[bytes]]]  # its name, and how to open it


class _TooLargeError(ValueError):
    """The compressed files are nested too deep, or too large."""


class UnknownFormatError(reading.UnreadableError):
    """A text is in no known format, so it may not be a game at all."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options for reading files: the format *form*, or the one detected; *strict*, or with doubts.

    Games that do not name their board are on that of *variant*.
    """

    form: str | None = None
    strict: bool = True
    keep_addresses: bool = False
    variant: str = DEFAULT_VARIANT


@dataclass(frozen=True, slots=True)
class DecodedText:
    """A file or member of an archive, open at its beginning, or where *first_line* begins.

    The *stream* is in UTF-8; *recoded* is set if the original was in UTF-16.
    """

    name: str
    sha256: str
    stream: IO[bytes]
    first_line: int = 1
    recoded: bool = False


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield each file and Maildir of *paths*, those of a folder sorted.

    Folders are searched without links to folders, which may form loops, and without special files.
    """
    for path in paths:
        entries = _entries(path)
        if entries is None:
            yield path
        else:
            yield from find_files(entries)


def _entries(path: Path) -> list[Path] | None:
    """Return what is in a folder; None for anything else, and if only its reader can say why."""
    try:
        if S_ISDIR(_mode(path)) and not S_ISDIR(_mode(path / "cur")):
            return sorted(filter(_is_readable, path.iterdir()))
    except OSError:
        pass
    return None


def _is_readable(path: Path) -> bool:
    mode = _mode(path)
    linked_folder = path.is_symlink() and S_ISDIR(mode)
    return path.name[0] != "." and (S_ISREG(mode) or S_ISDIR(mode)) and not linked_folder


def _mode(path: Path) -> int:
    """Return the mode of what *path* leads to, 0 for nothing. Raises `OSError` if that is secret.

    `Path.is_dir` and its like do not raise it since Python 3.14.
    """
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in NOTHING_THERE:
            return 0
        raise


def games_in(
    board: Map, path: Path, how: ReadOptions
) -> Iterator[Record | reading.UnreadableError]:
    """Yield each game in *path*, and an error for each that cannot be read."""
    for text in texts_in(path):
        if isinstance(text, DecodedText):
            yield from read_games(board, text, how)
        else:
            yield text


def is_stream(path: Path) -> bool:
    """Return whether *path* can be read only once."""
    return path == STANDARD_INPUT or path.is_fifo()


def text_name(path: PurePath | str) -> str:
    """Return the name of a file as text; one that is not UTF-8 is read as Windows-1252."""
    name = path if isinstance(path, str) else path.as_posix()
    raw = name.encode(errors="surrogateescape")
    return name if raw == name.encode(errors="replace") else raw.decode("cp1252", errors="replace")


def is_packed(path: Path) -> bool:
    """Return whether *path* is an archive or compressed. Raises `OSError`."""
    with path.open("rb") as stream:
        return _members(str(path), stream) is not None


def texts_in(path: Path) -> Iterator[DecodedText | reading.UnreadableError]:
    """Yield the text in *path*, or those packed in it, each open until the next one.

    An error is yielded for each that cannot be unpacked.
    """
    room, name = _Room(UNPACKED_BYTES_MAX), text_name(path)
    try:
        if path.is_dir():
            with room.spooled(_mailbox(path)) as spool:
                yield DecodedText(name, _digest(spool), spool)
        elif path == STANDARD_INPUT:
            with room.spooled(_pieces(sys.stdin.buffer)) as spool:
                yield from _unpacked(name, spool, room, NESTED_MAX)
        elif path.is_fifo():
            with path.open("rb") as pipe, room.spooled(_pieces(pipe)) as spool:
                yield from _unpacked(name, spool, room, NESTED_MAX)
        else:
            with path.open("rb") as stream:
                yield from _unpacked(name, stream, room, NESTED_MAX)
    except (*BROKEN, _TooLargeError) as error:
        yield reading.UnreadableError(name, None, _why_broken(error))


def read_games(
    board: Map, text: DecodedText, how: ReadOptions
) -> Generator[Record | reading.UnreadableError, None, bool]:
    """Yield the games in *text*, and errors; return whether all of it was read."""
    doubts = reading.Doubts(text.name, strict=how.strict)
    try:
        source = reading.Reading(
            board,
            text.name,
            text.sha256,
            doubts,
            keep_addresses=how.keep_addresses,
            first_line=text.first_line,
            boards=_board_named,
        )
        yield from format_of(text, how).read(source, _lines(text, doubts))
    except UnknownFormatError:
        yield UnknownFormatError(text.name, None, reading.explain_unknown(board, _head(text)))
        return False
    except reading.UnreadableError as error:
        yield _with_other_format(text, how, error)
        return False
    for doubt in doubts.taken():  # of a game that was left out at the end
        yield reading.UnreadableError(
            text.name, doubt.line, f"{doubt.why}: {doubt.text}".rstrip(": ")
        )
    return True


def _board_named(variant: str) -> Map | None:
    try:
        return load_map(variant)
    except UnknownVariantError:
        return None


def _with_other_format(
    text: DecodedText, how: ReadOptions, error: reading.UnreadableError
) -> reading.UnreadableError:
    """Return *error*, with the format that *text* seems to have if another was asked for."""
    found = [each.name for each in reading.recognized_formats(_head(text))] if how.form else []
    if not found or how.form in found:
        return error
    why = f"{error.why}; the file looks like {' or '.join(found)}"
    return reading.UnreadableError(error.name, error.line, why)


def format_of(text: DecodedText, how: ReadOptions) -> reading.Format:
    """Return the format of *text*. Raises `UnreadableError`."""
    head = _head(text)
    if how.form and head.strip():
        return reading.format_named(how.form)
    match reading.recognized_formats(head):
        case [only]:
            return only
        case []:
            _check_is_text(text)
            raise UnknownFormatError(text.name, None, "unknown format")
        case several:
            names = " or ".join(each.name for each in several)
            why = f"its format may be {names}: choose one with --from"
            raise reading.UnreadableError(text.name, None, why)


def _head(text: DecodedText) -> str:
    text.stream.seek(0)
    head = (
        text.stream.read(reading.HEAD_CHARACTERS).decode(errors="replace").removeprefix("\ufeff")
    )
    text.stream.seek(0)
    return head.replace("\r\n", "\n").replace("\r", "\n")


def _check_is_text(text: DecodedText) -> None:
    head = text.stream.read(reading.HEAD_CHARACTERS)
    text.stream.seek(0)
    try:
        whole = len(head) < reading.HEAD_CHARACTERS  # the last character may be cut
        if "\0" not in getincrementaldecoder("utf-8")().decode(head, final=whole):
            return
        start, why = head.index(b"\0"), "binary data, not text"
    except UnicodeDecodeError as error:
        start, why = error.start, _not_utf_8(error)
    raise reading.UnreadableError(text.name, head.count(b"\n", 0, start) + 1, why)


def _lines(text: DecodedText, doubts: reading.Doubts) -> Iterator[str]:
    number = text.first_line
    while block := text.stream.read(PIECE_BYTES) + text.stream.readline(LINE_BYTES_MAX + 1):
        lines = _plain_lines(block)
        if lines is None:
            yield from _odd_lines(text, doubts, block, number)
        else:
            yield from lines
        number += block.count(b"\n")


def _plain_lines(block: bytes) -> Sequence[str] | None:
    """Return the lines of *block*, None if one of them needs more than decoding."""
    plain = block.removesuffix(b"\n").replace(b"\r\n", b"\n").removesuffix(b"\r")
    if len(block) > LINE_BYTES_MAX or any(each in plain for each in ODD_BYTES):
        return None
    try:
        return plain.decode().split("\n")
    except UnicodeDecodeError:
        return None


def _odd_lines(
    text: DecodedText, doubts: reading.Doubts, block: bytes, first_line: int
) -> Iterator[str]:
    for number, line in enumerate(block.removesuffix(b"\n").split(b"\n"), first_line):
        if len(line) > LINE_BYTES_MAX:
            raise reading.UnreadableError(text.name, number, f"longer than {LINE_BYTES_MAX} bytes")
        if b"\0" in line:
            doubts.leave_out(number, "this line", "binary data, not text")
            yield ""
            continue
        try:
            decoded = line.decode()
        except UnicodeDecodeError as error:
            doubts.note(number, "", f"{_not_utf_8(error)}; leniently read as Windows-1252")
            decoded = line.decode("cp1252", errors="replace")
        if text.recoded and UNDECODED in decoded:
            doubts.note(number, "", "not UTF-16, though the file begins as such")
        ended = decoded.rstrip("\r\n" + END_OF_FILE).removeprefix("\ufeff")
        yield from ended.split("\r")  # the line end of old Macs


def _not_utf_8(error: UnicodeDecodeError) -> str:
    return f"not UTF-8: byte {error.object[error.start]:#x}"


def _mailbox(maildir: Path) -> Iterator[bytes]:
    """Yield the emails of *maildir* in mbox format, in the order of their names."""
    mails = [*_emails(maildir / "cur"), *_emails(maildir / "new")]
    if not mails:
        next(maildir.iterdir(), None)  # raises the error of a folder that cannot be read
    for mail in sorted(mails, key=lambda each: each.name):
        yield SEPARATOR
        yield mail.read_bytes()


def _emails(folder: Path) -> list[Path]:
    try:
        return [each for each in folder.iterdir() if each.name[0] != "."]
    except FileNotFoundError:
        return []


def _unpacked(
    name: str, stream: IO[bytes], room: _Room, nested_max: int
) -> Iterator[DecodedText | reading.UnreadableError]:
    members = _members(name, stream)
    if members is None:
        yield from _decoded(name, stream, room)
        return
    if nested_max == 0:
        yield reading.UnreadableError(name, None, f"packed more than {NESTED_MAX} times")
        return
    for member, opened in members:
        try:
            with opened() as packed, room.spooled(_pieces(packed)) as spool:
                yield from _unpacked(member, spool, room, nested_max - 1)
        except (*BROKEN, *LOCKED) as error:
            yield reading.UnreadableError(member, None, _why_broken(error))


def _why_broken(error: Exception) -> str:
    match error:
        case OSError(strerror=str(why)):
            return why
        case _TooLargeError() | RuntimeError():  # locked members are whole
            return str(error)
        case _:
            return f"damaged or cut off ({error})"


def _members(name: str, stream: IO[bytes]) -> Iterator[Member] | None:
    stream.seek(0)
    head = stream.read(MAGIC_BYTES_MAX)
    found: Iterator[Member] | None = None
    if zipfile.is_zipfile(stream) or head.startswith(ZIP_START):
        found = _zipped(name, stream)
    elif _is_tar(stream, compressed=head.startswith(tuple(OPENERS))):
        found = _tarred(name, stream)
    else:
        for magic, opener in OPENERS.items():
            if head.startswith(magic):
                inner = f"{name}/{PurePosixPath(name).stem}"
                found = iter([(inner, partial(opener, stream))])
    stream.seek(0)
    return found


def _is_tar(stream: IO[bytes], *, compressed: bool) -> bool:
    stream.seek(0)
    mode: Literal["r", "r:"] = "r" if compressed else "r:"
    try:
        with tarfile.open(fileobj=stream, mode=mode) as archive:
            return archive.next() is not None
    except tarfile.TarError:
        return False


def _zipped(name: str, stream: IO[bytes]) -> Iterator[Member]:
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            if not member.is_dir() and not _is_hidden(member.filename):
                yield f"{name}/{member.filename}", partial(archive.open, member)


def _tarred(name: str, stream: IO[bytes]) -> Iterator[Member]:
    with tarfile.open(fileobj=stream) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content and not _is_hidden(member.name):
                yield f"{name}/{text_name(member.name)}", partial(cast, "IO[bytes]", content)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part == "__MACOSX" or (part[0] == "." and part.strip(".")) for part in parts)


def _pieces(stream: IO[bytes]) -> Iterator[bytes]:
    return iter(partial(stream.read, PIECE_BYTES), b"")


def _decoded(name: str, stream: IO[bytes], room: _Room) -> Iterator[DecodedText]:
    digest = _digest(stream)  # needed before the first line
    in_utf_16 = stream.read(len(UTF_16[0])) in UTF_16
    stream.seek(0)
    if not in_utf_16:
        yield DecodedText(name, digest, stream)
        return
    letters = iterdecode(_pieces(stream), "utf-16", errors="replace")
    with room.spooled(each.encode() for each in letters) as spool:
        yield DecodedText(name, digest, spool, recoded=True)


def _digest(stream: IO[bytes]) -> str:
    stream.seek(0)
    digest = file_digest(cast("BufferedReader", stream), "sha256").hexdigest()
    stream.seek(0)
    return digest


@dataclass(slots=True)
class _Room:
    """The room left for unpacking one path."""

    left: int

    @contextmanager
    def spooled(self, pieces: Iterable[bytes]) -> Iterator[IO[bytes]]:
        with SpooledTemporaryFile(IN_MEMORY_BYTES_MAX) as spool:
            for piece in pieces:
                self.left -= len(piece)
                if self.left < 0:
                    raise _TooLargeError(f"more than {UNPACKED_BYTES_MAX} bytes are packed in it")
                spool.write(piece)
            spool.seek(0)
            yield cast("IO[bytes]", spool)
