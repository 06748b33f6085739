"""Divide recorded games into shards that one process reads on its own, here or on a cluster.

A file is one shard; a large file with one game a line is several. The members of an archive are
unpacked once, and their content travels with the shard.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TypeAlias, assert_never

from judge.adapters.archive import record_files
from judge.archive.reading import Format, UnreadableError
from judge.archive.records import Record
from judge.rules.board import Map

SHARD_BYTES = 8_000_000  # about a hundred games, which take seconds
BATCH_BYTES = 2 * SHARD_BYTES

Game: TypeAlias = Record | UnreadableError  # or the reason why it cannot be read


@dataclass(frozen=True, slots=True)
class WholeFile:
    """All of *path*, or only its *member* of that name."""

    path: Path
    member: str | None = None


@dataclass(frozen=True, slots=True)
class FilePart:
    """Lines of the text *name*, from *first_line* on, with their *content*.

    If *content* is None, they are *size* bytes of the file *path* from *start* on. *form* is their
    format, if known.
    """

    path: Path
    name: str
    sha256: str
    form: str | None = None
    first_line: int = 1
    start: int = 0
    size: int = 0
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file that cannot even be unpacked, and why."""

    path: Path
    error: UnreadableError


Shard: TypeAlias = WholeFile | FilePart | UnreadableFile


def shards(paths: Iterable[Path], how: record_files.ReadOptions) -> Iterator[Shard]:
    """Yield the shards of *paths*, in order; the division is always the same."""
    for path in record_files.find_files(paths):
        try:
            if path.is_dir() or not _is_taken_apart(path):
                yield WholeFile(path)
            else:
                for text in record_files.texts_in(path):
                    if isinstance(text, record_files.DecodedText):
                        yield from _shards_of(path, text, how)
                    else:
                        yield UnreadableFile(path, text)
        except OSError as error:
            name = record_files.text_name(path)
            yield UnreadableFile(path, UnreadableError(name, None, str(error)))


def _is_taken_apart(path: Path) -> bool:
    return (
        record_files.is_stream(path)
        or record_files.is_packed(path)
        or path.stat().st_size > SHARD_BYTES
    )


def batches(several: Iterable[Shard]) -> Iterator[Sequence[Shard]]:
    """Group shards up to the size of a large task; a text in parts gets its own group."""
    batch: list[Shard] = []
    size = 0
    for shard in several:
        large = size + _size(shard) > BATCH_BYTES
        if batch and (large or _text_in_parts(shard) != _text_in_parts(batch[-1])):
            yield batch
            batch, size = [], 0
        batch.append(shard)
        size += _size(shard)
    if batch:
        yield batch


def continues_text(shard: Shard) -> bool:
    """Return whether *shard* continues the text of the one before it."""
    return isinstance(shard, FilePart) and shard.first_line > 1


def place_of(shard: Shard) -> tuple[str, int]:
    """Return the name of the text of *shard*, and its first line."""
    match shard:
        case FilePart():
            return shard.name, shard.first_line
        case WholeFile():
            return shard.member or str(shard.path), 1
        case UnreadableFile():
            return shard.error.name, 1
        case _:
            assert_never(shard)


def games_of(
    board: Map, shard: Shard, how: record_files.ReadOptions
) -> Generator[Game, None, bool]:
    """Yield the games of *shard*; return whether to read its continuation too."""
    match shard:
        case WholeFile(path=path, member=None):
            yield from record_files.games_in(board, path, how)
        case WholeFile(path=path, member=member):
            for text in record_files.texts_in(path):
                if isinstance(text, record_files.DecodedText) and text.name == member:
                    yield from record_files.read_games(board, text, how)
        case FilePart():
            try:
                stream = BytesIO(_content(shard))
            except OSError as error:
                yield UnreadableError(shard.name, None, str(error))
                return False
            text = record_files.DecodedText(shard.name, shard.sha256, stream, shard.first_line)
            return (
                yield from record_files.read_games(
                    board, text, replace(how, form=shard.form or how.form)
                )
            )
        case UnreadableFile(error=error):
            yield error
        case _:
            assert_never(shard)
    return True


def _text_in_parts(shard: Shard) -> str | None:
    return shard.name if isinstance(shard, FilePart) and shard.form else None


def _size(shard: Shard) -> int:
    match shard:
        case FilePart(size=size):
            return size
        case WholeFile(path=path):
            return path.stat().st_size if path.exists() else 0  # too little for a Maildir
        case UnreadableFile():
            return 0
        case _:
            assert_never(shard)


def _content(stretch: FilePart) -> bytes:
    if stretch.content is not None:
        return stretch.content
    with stretch.path.open("rb") as stream:
        stream.seek(stretch.start)
        return stream.read(stretch.size)


def _shards_of(
    path: Path, text: record_files.DecodedText, how: record_files.ReadOptions
) -> Iterator[Shard]:
    once = record_files.is_stream(path)
    member = once or text.name != record_files.text_name(path)
    content = text.stream.read(SHARD_BYTES + 1)
    text.stream.seek(0)
    if len(content) <= SHARD_BYTES:
        yield FilePart(path, text.name, text.sha256, size=len(content), content=content)
        return
    form = _form(text, how)
    if once and (form is None or form.begins_with is None or text.recoded):
        content = text.stream.read()
        yield FilePart(path, text.name, text.sha256, size=len(content), content=content)
        return
    if form is None or form.begins_with is None or text.recoded:
        yield WholeFile(path, text.name if member else None)
        return
    begins_with = form.begins_with.encode()
    for first_line, start, size in [*_stretches(text, begins_with)]:
        stretch = FilePart(path, text.name, text.sha256, form.name, first_line, start, size)
        if member:
            text.stream.seek(start)
            yield replace(stretch, content=text.stream.read(size))
        else:
            yield stretch


def _form(text: record_files.DecodedText, how: record_files.ReadOptions) -> Format | None:
    try:
        return record_files.format_of(text, how)
    except UnreadableError:
        return None  # the reader reports it


def _stretches(
    text: record_files.DecodedText, begins_with: bytes
) -> Iterator[tuple[int, int, int]]:
    """Yield stretches of *text*, each with enough games: first line, first byte, size in bytes."""
    first_line, start, size = 1, 0, 0
    read_line = partial(text.stream.readline, record_files.LINE_BYTES_MAX + 1)
    for number, line in enumerate(iter(read_line, b""), 1):
        if size >= SHARD_BYTES and line.startswith(begins_with):
            yield first_line, start, size
            first_line, start, size = number, start + size, 0
        size += len(line)
    yield first_line, start, size
