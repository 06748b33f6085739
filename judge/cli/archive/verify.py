"""`judge archive verify`: adjudicate recorded games again, and compare with the record."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypedDict, assert_never, cast

import click

from judge.adapters.archive.record_files import (
    ReadOptions,
    UnknownFormatError,
    find_files,
    text_name,
)
from judge.adapters.archive.shards import Game, Shard, continues_text, place_of, shards
from judge.archive.json_adjudication import ReasonText
from judge.archive.reading import UnreadableError, format_named
from judge.archive.records import Doubt, Record
from judge.archive.verification import Difference, VerifiedGame
from judge.archive.verification import verify as verify_game
from judge.cli.archive import game_files
from judge.cli.options import complete_rulebook
from judge.cli.terminal import (
    BAD_INPUT,
    FOUND_WRONG,
    STANDARD_STREAM,
    UNAVAILABLE,
    USAGE,
    FilePath,
    counted,
    fail,
)
from judge.cli.workers import Engine, engine_option, progress
from judge.errors import printable
from judge.rules.adjudication import RESOLVER_VERSION
from judge.rules.board import Map
from judge.rules.rulebook import UnknownRulebookError, rulebook_named
from judge.rules.types import PhaseKind

KINDS = {each: each.name.lower() for each in PhaseKind}


class FoundDifference(TypedDict):
    """A difference between record and adjudication, and its game."""

    file: str
    line: int | None
    game: str
    rulebook: str
    phase: str
    power: str
    order: str
    recorded: list[str]
    adjudicated: list[str]
    reason: str
    explained_by: list[str]


class FoundDoubt(TypedDict):
    """A part that was not read with certainty."""

    file: str
    line: int | None
    game: str
    text: str
    why: str


class FoundGame(TypedDict):
    """A game that was verified."""

    file: str
    game: str
    rulebook: str
    phases: dict[str, int]
    orders: int
    compared: int
    differing: int
    differences: list[FoundDifference]
    doubts: list[FoundDoubt]


class Unread(TypedDict):
    """A file that could not be read, or only up to a line."""

    file: str
    line: int | None
    why: str


class Found(TypedDict, total=False):
    """The findings; *passed_over* are texts in no known format.

    *skippable* means that `--lenient` reads on behind what is unread.
    """

    games: list[FoundGame]
    unread: list[Unread]
    skippable: bool
    passed_over: list[str]


@dataclass(slots=True)
class Totals:
    """The findings in all paths."""

    games: int = 0
    phases: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(KINDS.values(), 0)))
    orders: int = 0
    compared: int = 0
    differing: int = 0
    differences: list[FoundDifference] = field(default_factory=list)
    doubts: list[FoundDoubt] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    skippable: bool = False

    @property
    def agreeing(self) -> int:
        """Return the number of phases in which record and adjudication agree."""
        return self.compared - self.differing

    def add(self, found: Found) -> None:
        """Add the findings *found*."""
        for game in found.get("games", ()):
            self.games += 1
            self.phases.update(game["phases"])
            self.orders += game["orders"]
            self.compared += game["compared"]
            self.differing += game["differing"]
            self.differences += game["differences"]
            self.doubts += game["doubts"]
        self.unread += found.get("unread", ())
        self.passed_over += found.get("passed_over", ())
        self.skippable = self.skippable or found.get("skippable", False)

    def as_json(self) -> dict[str, object]:
        """Return the object that `--json` prints."""
        return {
            "games": self.games,
            "phases": self.phases,
            "orders": self.orders,
            "compared": self.compared,
            "agreeing": self.agreeing,
            "differing": self.differing,
            "differences": self.differences,
            "doubts": self.doubts,
            "unread": self.unread,
            "passed_over": self.passed_over,
        }


def found_game(verified: VerifiedGame) -> FoundGame:
    """Return *verified* in the form that is stored and printed."""
    return FoundGame(
        file=verified.source.name,
        game=verified.game,
        rulebook=verified.rulebook,
        phases={name: verified.phases.get(kind, 0) for kind, name in KINDS.items()},
        orders=verified.orders,
        compared=verified.compared,
        differing=verified.differing,
        differences=[_difference(verified, each) for each in verified.differences],
        doubts=[_doubt(verified, each) for each in verified.doubts],
    )


def unread(error: UnreadableError) -> Unread:
    """Return *error* in the form that is stored and printed."""
    return Unread(file=error.name, line=error.line, why=error.why)


def _difference(verified: VerifiedGame, difference: Difference) -> FoundDifference:
    return FoundDifference(
        file=verified.source.name,
        line=difference.line,
        game=verified.game,
        rulebook=verified.rulebook,
        phase=difference.phase.code,
        power=difference.power,
        order=difference.order,
        recorded=list(difference.recorded),
        adjudicated=list(difference.adjudicated),
        reason=difference.reason,
        explained_by=list(difference.explained_by),
    )


def _doubt(verified: VerifiedGame, doubt: Doubt) -> FoundDoubt:
    return FoundDoubt(
        file=verified.source.name,
        line=doubt.line,
        game=verified.game,
        text=doubt.text,
        why=doubt.why,
    )


LINE_ENDS = b"\n"


class NotResumableError(ValueError):
    """A file is not from a run with the same options."""


class KnownShard(TypedDict):
    """The findings in a *shard*, and whether it was read as a *whole*."""

    shard: str
    found: list[Found]
    whole: bool


class FinishedShards:
    """The findings stored in *file*, one shard per line, by a run with the same *options*.

    A shard is read again if the size or time of its file has changed. Raises `NotResumableError`.
    """

    def __init__(self, file: Path, options: str) -> None:
        header = json.dumps({"finished": "judge archive verify", "options": options}).encode()
        self._known: dict[str, KnownShard] = {}
        self._file = file.open("a+b")
        self._file.seek(0)
        first, *lines = self._file.readlines() or [b""]
        if not first:
            self._file.write(header + LINE_ENDS)
        elif first.rstrip(LINE_ENDS) != header:
            self._file.close()
            raise NotResumableError(file)
        if lines and not lines[-1].endswith(LINE_ENDS):  # incomplete when the run was interrupted
            self._file.truncate(self._file.tell() - len(lines.pop()))
        for line in lines:
            known = cast("KnownShard", json.loads(line))
            self._known[known["shard"]] = known

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def without_known(
        self, tasks: Iterable[Shard], report: Callable[[Found], None]
    ) -> Iterator[Shard]:
        """Yield the unfinished shards of *tasks*; *report* the findings of the others."""
        stopped = False
        for shard in tasks:
            if continues_text(shard) and stopped:
                continue
            known = self._known.get(_identity(shard.path, place_of(shard)))
            stopped = known is not None and not known["whole"]
            if known is None:
                yield shard
            else:
                for found in known["found"]:
                    report(found)

    def add(self, begun: game_files.ShardBegins, found: Sequence[Found], *, whole: bool) -> None:
        """Store the findings of a shard, and whether it was read as a *whole*."""
        known = KnownShard(shard=_identity(begun.path, begun.place), found=[*found], whole=whole)
        self._file.write(json.dumps(known).encode() + LINE_ENDS)
        self._file.flush()


def _identity(path: Path, place: tuple[str, int]) -> str:
    parts = [each.stat() for each in (path, path / "cur", path / "new") if each.exists()]
    return " ".join([*map(str, place), *(f"{part.st_size}:{part.st_mtime_ns}" for part in parts)])


Report: TypeAlias = Callable[[Found], None]
ShardResults: TypeAlias = Iterator[
    game_files.ShardBegins | game_files.ShardResult[Found] | game_files.ShardEnds
]


@click.command()
@game_files.PATHS
@engine_option
@game_files.reading_options
@click.option(
    "--rulebook",
    shell_complete=complete_rulebook,
    help="The rulebook for all games.  [default: that of their source]",
)
@click.option(
    "--resume",
    type=FilePath(dir_okay=False),
    help="Save progress in this file, and resume from it.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def verify(
    how: ReadOptions,
    work: Engine,
    paths: Sequence[Path],
    rulebook: str | None,
    resume: Path | None,
    *,
    as_json: bool,
) -> None:
    """Adjudicate the games in each PATH again and compare with the record.

    A PATH is a file, a folder, a zip or tar archive, a Maildir, or - for standard input. Each
    phase is adjudicated from its recorded position and orders, and compared with the next recorded
    position and the recorded results. The exit code is 1 if anything differs, else 65 if a file
    could not be read.
    """
    if rulebook:
        _check(rulebook)
    if resume and STANDARD_STREAM in paths:
        fail("--resume needs files: standard input cannot be recognized again", USAGE)
    names = frozenset(text_name(each) for each in paths)
    verify_games, total = partial(_verified, rulebook, names), Totals()

    def report(found: Found) -> None:
        total.add(found)
        if not as_json:
            _print_findings(found)

    with ExitStack() as stack:
        finished = _finished(stack, resume, f"{how} {rulebook} {RESOLVER_VERSION}")
        counted = stack.enter_context(progress(sum(1 for _ in find_files(paths))))
        results = partial(game_files.results_by_shard, verify_games, how, engine=work)
        _verify_shards(counted(shards(paths, how)), results, report, finished)
    click.echo(json.dumps(total.as_json()) if as_json else sum_line(total))
    if total.skippable and not as_json:
        click.echo(game_files.LENIENT_HELPS, err=True)
    if not total.games and not total.unread:
        game_files.fail_without_games(paths)
    if total.differing:
        raise SystemExit(FOUND_WRONG)
    if total.unread:
        raise SystemExit(BAD_INPUT)


def _check(rulebook: str) -> None:
    try:
        rulebook_named(rulebook)
    except UnknownRulebookError as error:
        fail(str(error), USAGE)


def _finished(stack: ExitStack, file: Path | None, options: str) -> FinishedShards | None:
    if file is None:
        return None
    try:
        return stack.enter_context(closing(FinishedShards(file, options)))
    except NotResumableError:
        fail(f"{file} is from another version or other options", UNAVAILABLE)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", UNAVAILABLE)


def _verify_shards(
    tasks: Iterable[Shard],
    results: Callable[[Iterable[Shard]], ShardResults],
    report: Report,
    finished: FinishedShards | None,
) -> None:
    kept: list[Found] = []
    shard = None
    for each in results(finished.without_known(tasks, report) if finished else tasks):
        match each:
            case game_files.ShardBegins():
                shard = each
                kept = []
            case game_files.ShardResult(seen=found):
                report(found)
                if finished:
                    kept.append(found)
            case game_files.ShardEnds(whole=whole):
                assert shard, "a shard begins before it ends"
                if finished:
                    finished.add(shard, kept, whole=whole)
            case _:
                assert_never(each)


def _verified(
    rulebook: str | None, asked_for: Collection[str], several: Iterable[Game]
) -> Iterator[Found]:
    """Verify *several* games; files not *asked_for* by name are not expected to be games."""
    for game in several:
        match game:
            case Record():
                yield _found_in(game_files.board_of(game), game, rulebook)
            case UnknownFormatError() if game.name not in asked_for:
                yield Found(passed_over=[game.name])
            case UnreadableError():
                yield Found(unread=[unread(game)], skippable=game.skippable)
            case _:
                assert_never(game)


def _found_in(board: Map, record: Record, rulebook: str | None) -> Found:
    source = record.source
    name = rulebook or record.rulebook or format_named(source.format).rulebook
    try:
        return Found(games=[found_game(verify_game(board, record, name, _reason_texts(board)))])
    except UnknownRulebookError as error:
        where = Unread(file=source.name, line=source.first_line, why=str(error))
        return Found(unread=[where])


def _reason_texts(board: Map) -> ReasonText:
    from judge.reports.render import explain_reason

    return partial(explain_reason, board)


def _print_findings(found: Found) -> None:
    for game in found.get("games", ()):
        for line in game_lines(game):
            click.echo(line)
    for each in found.get("unread", ()):
        click.echo(f"judge: {unread_line(each)}", err=True)


def game_lines(game: FoundGame) -> Iterator[str]:
    """Yield the line of *game*, then the lines of its differences and doubts."""
    phases, agreeing = sum(game["phases"].values()), game["compared"] - game["differing"]
    counts = f"{counted(phases, 'phase')}, {counted(game['orders'], 'order')}"
    compared = f"{game['compared']} compared, {agreeing} agree, {game['differing']} differ"
    yield f"{printable(_title(game))}: {counts}; {compared} ({game['rulebook']})"
    for difference in game["differences"]:
        yield from _difference_lines(difference)
    for doubt in game["doubts"]:
        line = f"line {doubt['line']}: " if doubt["line"] else ""
        said = game_files.doubt_text(Doubt(doubt["line"], doubt["text"], doubt["why"]))
        yield printable(f"  doubt: {line}{said}")


def unread_line(unread: Unread) -> str:
    """Return which file could not be read, from which line, and why."""
    line = f":{unread['line']}" if unread["line"] else ""
    return f"{unread['file']}{line}: {unread['why']}"


def sum_line(total: Totals) -> str:
    """Return the summary line."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in total.phases.items())
    compared = f"{total.compared} compared, {total.agreeing} agree, {total.differing} differ"
    held = f"{counted(total.games, 'game')}, {counted(total.orders, 'order')}"
    summary = f"{held}, phases: {kinds}; {compared}"
    others = {
        f"{len(total.unread)} unread": total.unread,
        f"{len(total.passed_over)} skipped": total.passed_over,
        counted(len(total.doubts), "doubt"): total.doubts,
    }
    return "; ".join([summary, *(text for text, several in others.items() if several)])


def _title(game: FoundGame) -> str:
    file, name = game["file"], game["game"]
    title = file.rpartition("/")[2]  # for a game without a name
    own, number = name.removeprefix(title), f"{title}, game "
    return file + own if name == title or name.startswith(number) else f"{file}: {name}"


def _difference_lines(difference: FoundDifference) -> Iterator[str]:
    line = f"line {difference['line']}, " if difference["line"] else ""
    order = f"{difference['power']} {difference['order']}".strip() or "no order"
    yield f"  {difference['phase']}, {line}{order}"
    yield f"    recorded: {_listed(difference['recorded'])}"
    yield f"    adjudicated: {_listed(difference['adjudicated'])}. {difference['reason']}".rstrip()
    if difference["explained_by"]:
        yield f"    as recorded under {_listed(difference['explained_by'])}"


def _listed(several: Sequence[str]) -> str:
    return ", ".join(several) or "nothing"
