"""`judge adjudicate`: read positions and print results, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TypeAlias

import click

from judge.adapters.variant_files import UnknownVariantError, load_map
from judge.archive.json_adjudication import MAP, ReasonTexts, adjudicate_question, read_question
from judge.archive.json_input import MalformedError, parse_json, require_object, require_text
from judge.boards.variant_text import VariantError
from judge.cli.terminal import BAD_INPUT, SOFTWARE, FilePath, OpenFile, fail
from judge.cli.workers import PROCESSES, WAITS_FOR_FILES, cores
from judge.rules.board import Map

EXPLAIN = (
    "Explain the result of each order. The rules cited are those of the Avalon Hill "
    "rulebook of 1976 and 1982, and of the DATC."
)
ALONE_LINES = 100  # adjudicated before worker processes start, which takes longer


Lines: TypeAlias = Sequence[tuple[int, bytes]]  # line numbers and text


Work: TypeAlias = Callable[[Lines], tuple[str, bool]]


@click.command()
@click.argument("file", type=OpenFile("rb"), default="-")
@click.option(
    "--jobs",
    type=PROCESSES,
    help="Maximum number of processes.  [default: one per core]",
)
@click.option("--explain", is_flag=True, help=EXPLAIN)
@click.option(
    "--config",
    type=FilePath(),
    envvar="JUDGE_CONFIG",
    help="A TOML file of settings, which names your own variants.",
)
def adjudicate(
    file: BufferedReader, jobs: int | None, config: Path | None, *, explain: bool
) -> None:
    """Adjudicate the positions in FILE or on standard input, one JSON object per line.

    Each position gets one line of output, in the same order, as soon as it is known. A line that
    cannot be read gets {"error": ..., "line": N}, and the exit code is then 65.
    """
    if config:
        from judge.cli.options import use_variants_in

        use_variants_in(config)
    all_read = True
    load_map()  # before processes are forked
    work = partial(_answer_all, explain=explain)
    with closing(_answers(file, work, jobs or cores())) as answers:
        for text, readable in answers:
            click.echo(text, nl=False)
            all_read = all_read and readable
    if not all_read:
        raise SystemExit(BAD_INPUT)


def board_of(source: Mapping[str, object]) -> Map:
    """Return the board that *source* names, by default the standard one.

    Raises `MalformedError`.
    """
    if source.get(MAP) is None:
        return load_map()
    try:
        return load_map(require_text(source[MAP], MAP))
    except (UnknownVariantError, VariantError) as error:
        raise MalformedError(MAP, str(error)) from None


def _reason_texts(board: Map) -> ReasonTexts:
    from judge.reports.render import explain_reason, explain_removal

    return ReasonTexts(partial(explain_reason, board), partial(explain_removal, board))


def _answers(file: BufferedReader, work: Work, jobs: int) -> Generator[tuple[str, bool]]:
    """Yield results in batches, each with whether all its lines could be read."""
    several = lines_of(file)
    for lines in several:
        yield work(lines)
        if jobs > 1 and WAITS_FOR_FILES and lines and lines[-1][0] >= ALONE_LINES:
            break
    else:
        return
    from judge.cli.workers import WorkerDiedError, spread_over_processes

    try:
        yield from spread_over_processes(partial(_only, work), several, jobs, file.fileno())
    except WorkerDiedError:
        fail("a worker process died; the results printed so far are valid", SOFTWARE)


def _only(work: Work, lines: Lines) -> tuple[tuple[str, bool]]:
    return (work(lines),)


def _answer_all(lines: Lines, *, explain: bool) -> tuple[str, bool]:
    answers: list[dict[str, object]] = []
    all_read = True
    for number, line in lines:
        try:
            answers.append(_answer(read_object(line), explain=explain))
        except MalformedError as error:
            answers.append({"error": str(error), "line": number})
            all_read = False
    return "".join(f"{json.dumps(each)}\n" for each in answers), all_read


def _answer(source: Mapping[str, object], *, explain: bool) -> dict[str, object]:
    board = board_of(source)
    texts = _reason_texts(board) if explain else None
    answer = adjudicate_question(board, read_question(board, source), texts)
    return {MAP: board.name, **answer} if source.get(MAP) else answer


LINE = "the line"  # in error messages
LINE_BYTES_MAX = 1_000_000  # a full board with all its orders is about 5,000
READ_BYTES = 65_536  # the capacity of a pipe


def read_object(line: bytes) -> Mapping[str, object]:
    """Return the JSON object in *line*. Raises `MalformedError`."""
    if len(line) > LINE_BYTES_MAX:
        raise MalformedError(LINE, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        source = parse_json(line.decode()).value
    except json.JSONDecodeError as error:
        raise MalformedError(
            LINE, f"invalid JSON: {error.msg} at character {error.colno}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise MalformedError(LINE, f"invalid JSON: {error}") from error
    if source is None:
        raise MalformedError(LINE, "must be an object")
    return require_object(source, LINE)


def lines_of(file: BufferedReader) -> Iterator[Lines]:
    """Yield the lines available at each read; of a line that is too long only its beginning."""
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
