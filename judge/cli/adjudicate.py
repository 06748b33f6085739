"""`judge adjudicate`: positions in, verdicts out, one a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import closing
from functools import partial
from io import BufferedReader
from typing import TypeAlias

import click

from judge.adapters.variant_files import load_map
from judge.archive.json_adjudication import (
    Explainer,
    adjudicate_question,
    read_question,
    unexplained,
)
from judge.archive.json_input import MalformedError
from judge.cli.cores import PROCESSES, cores
from judge.cli.exits import BAD_INPUT, SOFTWARE, fail
from judge.cli.json_lines import Lines, lines_of, read_object
from judge.rules.board import Map

EXPLAIN = (
    "Tell of each order why it came out as it did. The rules cited are those of the Avalon Hill "
    "rulebook of 1976 and 1982, and of the DATC."
)
ALONE_LINES = 100  # are answered before others are asked to help, which takes longer

Work: TypeAlias = Callable[[Lines], tuple[str, bool]]


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--jobs",
    type=PROCESSES,
    help="Answer with so many processes at most.  [default: one a core]",
)
@click.option("--explain", is_flag=True, help=EXPLAIN)
def adjudicate(file: BufferedReader, jobs: int | None, *, explain: bool) -> None:
    """Adjudicate the positions in FILE, or on standard input, one a line of JSON.

    The answer to each is one line on standard output, written as soon as it is known, in the
    order of the positions. A line that cannot be read is answered {"error": ..., "line": N}, and
    the exit code is then 65.
    """
    all_read = True
    board = load_map()
    work = partial(_answer_all, board, _explainer(board) if explain else unexplained)
    with closing(_answers(file, work, jobs or cores())) as answers:
        for text, readable in answers:
            click.echo(text, nl=False)
            all_read = all_read and readable
    if not all_read:
        raise SystemExit(BAD_INPUT)


def _explainer(board: Map) -> Explainer:
    from judge.archive.json_adjudication import reasons_explainer
    from judge.reports.render import explain_reason, explain_removal

    return partial(
        reasons_explainer, board, partial(explain_reason, board), partial(explain_removal, board)
    )


def _answers(file: BufferedReader, work: Work, jobs: int) -> Generator[tuple[str, bool]]:
    """Yield the answers to some lines at a time, and whether all of them could be read."""
    several = lines_of(file)
    for lines in several:
        yield work(lines)
        if jobs > 1 and lines and lines[-1][0] >= ALONE_LINES:
            break
    else:
        return
    from judge.cli.spreading import WorkerDiedError, spread

    try:
        yield from spread(lambda lines: (work(lines),), several, jobs, file.fileno())
    except WorkerDiedError:
        fail("a process that adjudicates died; all that is answered holds", SOFTWARE)


def _answer_all(board: Map, explainer: Explainer, lines: Lines) -> tuple[str, bool]:
    answers: list[dict[str, object]] = []
    all_read = True
    for number, line in lines:
        try:
            answers.append(_answer(board, explainer, line))
        except MalformedError as error:
            answers.append({"error": str(error), "line": number})
            all_read = False
    return "".join(f"{json.dumps(each)}\n" for each in answers), all_read


def _answer(board: Map, explainer: Explainer, line: bytes) -> dict[str, object]:
    return adjudicate_question(board, read_question(board, read_object(line)), explainer)
