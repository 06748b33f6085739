"""JSON Lines as commands take them: one object a line, each answered as soon as it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from typing import TypeAlias

from judge.archive.json_input import MalformedError, parse_json, require_object

LINE = "the line"  # in complaints
LINE_BYTES_MAX = 1_000_000  # a full board with all its orders is about 5,000
READ_BYTES = 65_536  # at once: what a pipe holds

Lines: TypeAlias = Sequence[tuple[int, bytes]]  # with their numbers


def read_object(line: bytes) -> Mapping[str, object]:
    """Return the object that *line* holds. Raises `MalformedError`."""
    if len(line) > LINE_BYTES_MAX:
        raise MalformedError(LINE, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        source = parse_json(line.decode()).value
    except json.JSONDecodeError as error:
        raise MalformedError(LINE, f"no JSON, {error.msg} at letter {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise MalformedError(LINE, f"no JSON, {error}") from error
    if source is None:
        raise MalformedError(LINE, "must be an object")
    return require_object(source, LINE)


def lines_of(file: BufferedReader) -> Iterator[Lines]:
    """Yield the lines that are there, at each reading; of one that is too long its beginning."""
    number, begun = 1, b""
    while read := file.read1(READ_BYTES):
        *whole, rest = read.split(b"\n")
        if whole:
            whole[0] = begun + whole[0]
            begun = b""
        begun = (begun + rest)[: LINE_BYTES_MAX + 1]
        yield list(enumerate(whole, number))
        number += len(whole)
    if begun:
        yield [(number, begun)]
