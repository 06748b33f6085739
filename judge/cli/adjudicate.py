"""`judge adjudicate`: positions in, verdicts out, one a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

import click

from judge.adapters.variant_files import load_map
from judge.archive.answers import answer, read_question
from judge.archive.values import MalformedError, an_object
from judge.cli.exits import BAD_INPUT
from judge.rules.geography import Map

LINE = "the line"  # in complaints
LINE_BYTES_MAX = 1_000_000  # a full board with all its orders is about 5,000


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
def adjudicate(file: BinaryIO) -> None:
    """Adjudicate the positions in FILE, or on standard input, one a line of JSON.

    The answer to each is one line on standard output, written as soon as it is known. A line that
    cannot be read is answered {"error": ..., "line": N}, and the exit code is then 65.
    """
    board = load_map()
    all_read = True
    for number, line in enumerate(_lines(file), 1):
        try:
            answered = _answer(board, line)
        except MalformedError as error:
            answered, all_read = {"error": str(error), "line": number}, False
        click.echo(json.dumps(answered))
    if not all_read:
        raise SystemExit(BAD_INPUT)


def _answer(board: Map, line: bytes) -> dict[str, object]:
    if len(line) > LINE_BYTES_MAX:
        raise MalformedError(LINE, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        source = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MalformedError(LINE, f"no JSON, {error}") from error
    return answer(board, read_question(board, an_object(source, LINE)))


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; of one that is too long its beginning, once."""
    while line := file.readline(LINE_BYTES_MAX + 1):
        yield line
        while len(line) > LINE_BYTES_MAX and not line.endswith(b"\n"):
            line = file.readline(LINE_BYTES_MAX + 1)
