"""Findings in verified files as JSON, and the file that lets an interrupted run resume."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, cast

from judge.adapters.archive.shards import Shard, continues_text, place_of
from judge.archive.reading import UnreadableError
from judge.archive.records import Doubt
from judge.archive.verification import Difference, VerifiedGame
from judge.cli.archive.shard_results import ShardBegins
from judge.rules.types import PhaseKind

KINDS = {each: each.name.lower() for each in PhaseKind}


class FoundDifference(TypedDict):
    """What record and law have different, and in which game."""

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
    """What was not read for certain."""

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
    """A file that could not be read, or not beyond a line."""

    file: str
    line: int | None
    why: str


class Found(TypedDict, total=False):
    """What was found; *passed_over* are texts in no format that is known."""

    games: list[FoundGame]
    unread: list[Unread]
    passed_over: list[str]


@dataclass(slots=True)
class Totals:
    """What was found in all paths."""

    games: int = 0
    phases: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(KINDS.values(), 0)))
    orders: int = 0
    compared: int = 0
    differing: int = 0
    differences: list[FoundDifference] = field(default_factory=list)
    doubts: list[FoundDoubt] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    @property
    def agreeing(self) -> int:
        """Return in how many phases record and law are one."""
        return self.compared - self.differing

    def add(self, found: Found) -> None:
        """Add what else was *found*."""
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

    def as_json(self) -> dict[str, object]:
        """Return it all as the object that `--json` prints."""
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
    """Return *verified* as it is kept and told."""
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
    """Return *error* as it is kept and told."""
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
    """A file is not that of a run with the same options."""


class KnownShard(TypedDict):
    """What was found in a *shard*, and whether that was read as a *whole*."""

    shard: str
    found: list[Found]
    whole: bool


class FinishedShards:
    """What *file* keeps, a line a shard, if it is of a run with the same *options*.

    A shard is not known any more if the size or time of its path is not what it was. Raises
    `NotResumableError`.
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
        if lines and not lines[-1].endswith(LINE_ENDS):  # being written when the run was ended
            self._file.truncate(self._file.tell() - len(lines.pop()))
        for line in lines:
            known = cast("KnownShard", json.loads(line))
            self._known[known["shard"]] = known

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def without_known(
        self, tasks: Iterable[Shard], tell: Callable[[Found], None]
    ) -> Iterator[Shard]:
        """Yield those of *tasks* that were not looked at; *tell* what was found in the others."""
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
                    tell(found)

    def add(self, begun: ShardBegins, found: Sequence[Found], *, whole: bool) -> None:
        """Keep what was *found* in a shard, and whether it was read as a *whole*."""
        known = KnownShard(shard=_identity(begun.path, begun.place), found=[*found], whole=whole)
        self._file.write(json.dumps(known).encode() + LINE_ENDS)
        self._file.flush()


def _identity(path: Path, place: tuple[str, int]) -> str:
    """Return what tells a shard as it is from others, and from itself if its *path* is changed."""
    parts = [each.stat() for each in (path, path / "cur", path / "new") if each.exists()]
    return " ".join([*map(str, place), *(f"{part.st_size}:{part.st_mtime_ns}" for part in parts)])
