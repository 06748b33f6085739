"""Records as four tables for analysis: games, phases, orders and centers.

Defines the type, meaning and source of each column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar, assert_never

from judge.archive.records import Record, RecordedPhase, Seat, WrittenOrder
from judge.notation.order_text import write_order
from judge.rules import types
from judge.rules.board import DEFAULT_VARIANT

Row = TypeVar("Row")
Value: TypeAlias = str | int | bool | datetime | Sequence[str] | None


class Kind(Enum):
    """The type of a column's values."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "true or false"
    TIME = "time"
    TEXTS = "list of texts"


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column; *of* gets its value from a row."""

    name: str
    kind: Kind
    meaning: str
    of: Callable[[Row], Value]


@dataclass(frozen=True, slots=True)
class Table(Generic[Row]):
    """A table; *row* describes its rows, and *of* gets them from a record.

    The first column is always the number of the game.
    """

    name: str
    row: str
    of: Callable[[Record], Iterable[Row]]
    columns: Sequence[Column[Row]]

    def rows(self, number: int, record: Record) -> Iterator[Sequence[Value]]:
        """Yield the rows of *record*, which is game *number*."""
        for row in self.of(record):
            yield number, *(column.of(row) for column in self.columns)

    def heads(self) -> Sequence[tuple[str, Kind, str]]:
        """Return the name, kind and meaning of each column."""
        return (GAME, *((each.name, each.kind, each.meaning) for each in self.columns))


GAME = ("game", Kind.NUMBER, "the game: the same number in all four tables")


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """A phase and its number in its game."""

    number: int
    recorded: RecordedPhase


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, its number in its phase, and its parts."""

    phase: RecordedPhase
    number: int
    recorded: WrittenOrder
    parts: Parts


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of an order: its type, unit, other unit, and target."""

    type: str | None = None
    unit: types.UnitName | None = None
    other: types.UnitName | None = None
    target: types.Location | None = None


@dataclass(frozen=True, slots=True)
class CenterRow:
    """The owner of a center at the end of a year."""

    year: int
    center: types.Province
    owner: types.Power


GAMES: Table[Record] = Table(
    "games",
    "a game",
    lambda record: (record,),
    (
        Column("name", Kind.TEXT, "its name", lambda game: game.name),
        Column("file", Kind.TEXT, "the file it was read from", lambda game: game.source.name),
        Column("line", Kind.NUMBER, "its first line there", lambda game: game.source.first_line),
        Column("sha256", Kind.TEXT, "the digest of that file", lambda game: game.source.sha256),
        Column("format", Kind.TEXT, "the format of that file", lambda game: game.source.format),
        Column("variant", Kind.TEXT, "the board", lambda game: game.variant),
        Column("rulebook", Kind.TEXT, "the rulebook it followed", lambda game: game.rulebook),
        Column("boardman", Kind.TEXT, "its number", lambda game: game.numbers.get("boardman")),
        Column("miller", Kind.TEXT, "its number", lambda game: game.numbers.get("miller")),
        Column("ep", Kind.TEXT, "its number", lambda game: game.numbers.get("ep")),
        Column("judge", Kind.TEXT, "its number", lambda game: game.numbers.get("judge")),
        Column("gamemaster", Kind.TEXT, "who ran it", lambda game: game.gamemaster),
        Column("zine", Kind.TEXT, "where it was printed", lambda game: game.zine),
        Column("issue", Kind.TEXT, "in which issue", lambda game: game.issue),
        Column(
            "players",
            Kind.TEXTS,
            "who held each power: `FRANCE: Anna`",
            lambda game: [_player(seat) for seat in game.seats if seat.player],
        ),
        Column("started", Kind.NUMBER, "its first year", lambda game: _year(game, 0)),
        Column("ended", Kind.NUMBER, "its last year", lambda game: _year(game, -1)),
        Column("phases", Kind.NUMBER, "how many are recorded", lambda game: len(game.phases)),
        Column(
            "end",
            Kind.TEXT,
            "`solo`, `draw`, `concession` or `abandoned`",
            lambda game: game.ending.kind.value if game.ending else None,
        ),
        Column(
            "winners",
            Kind.TEXTS,
            "the powers that won or shared it",
            lambda game: game.ending.powers if game.ending else (),
        ),
        Column(
            "end_phase",
            Kind.TEXT,
            "in which phase it ended",
            lambda game: _code(game.ending.phase) if game.ending else None,
        ),
        Column(
            "end_reason",
            Kind.TEXT,
            "what the source says of it",
            lambda game: game.ending.reason if game.ending else None,
        ),
        Column("doubts", Kind.NUMBER, "how many there are", lambda game: len(game.doubts)),
    ),
)
PHASES: Table[PhaseRow] = Table(
    "phases",
    "a phase, or a corrected edition of one",
    lambda record: (PhaseRow(*each) for each in enumerate(record.phases)),
    (
        Column("number", Kind.NUMBER, "its place in the game, from 0", lambda row: row.number),
        Column("phase", Kind.TEXT, "its code: `S1901M`", lambda row: row.recorded.phase.code),
        Column("year", Kind.NUMBER, "its year", lambda row: row.recorded.phase.year),
        Column(
            "season",
            Kind.TEXT,
            "`spring`, ...",
            lambda row: _lower_name(row.recorded.phase.season),
        ),
        Column(
            "kind", Kind.TEXT, "`movement`, ...", lambda row: _lower_name(row.recorded.phase.kind)
        ),
        Column("edition", Kind.NUMBER, "which report, from 1", lambda row: row.recorded.edition),
        Column(
            "known",
            Kind.TRUTH,
            "whether the position is",
            lambda row: row.recorded.position is not None,
        ),
        Column(
            "units",
            Kind.NUMBER,
            "how many stand on the board",
            lambda row: len(row.recorded.position.units) if row.recorded.position else None,
        ),
        Column(
            "dislodged",
            Kind.NUMBER,
            "how many have to retreat",
            lambda row: len(row.recorded.position.dislodged) if row.recorded.position else None,
        ),
        Column("orders", Kind.NUMBER, "how many were given", lambda row: len(row.recorded.orders)),
        Column("deadline", Kind.TIME, "when orders were due", lambda row: row.recorded.deadline),
        Column("reported", Kind.TIME, "when it was reported", lambda row: row.recorded.reported),
        Column("line", Kind.NUMBER, "the first in the file", lambda row: row.recorded.first_line),
    ),
)
ORDERS: Table[OrderRow] = Table(
    "orders",
    "an order",
    lambda record: (row for phase in record.phases for row in _orders(phase)),
    (
        Column("phase", Kind.TEXT, "the code of its phase", lambda row: row.phase.phase.code),
        Column("edition", Kind.NUMBER, "that of the phase", lambda row: row.phase.edition),
        Column("number", Kind.NUMBER, "its place there, from 0", lambda row: row.number),
        Column("power", Kind.TEXT, "who gave it", lambda row: row.recorded.power),
        Column("text", Kind.TEXT, "as it was written", lambda row: row.recorded.text),
        Column(
            "order",
            Kind.TEXT,
            "as it was understood: `A BUD - SER`",
            lambda row: write_order(row.recorded.order) if row.recorded.order else None,
        ),
        Column(
            "type",
            Kind.TEXT,
            "`hold`, `move`, `support`, `convoy`, `retreat`, `disband`, `build`, `waive`",
            lambda row: row.parts.type,
        ),
        Column("unit", Kind.TEXT, "`A` or `F`", lambda row: _kind(row.parts.unit)),
        Column("location", Kind.TEXT, "where that is", lambda row: _location(row.parts.unit)),
        Column(
            "other",
            Kind.TEXT,
            "where the unit is that it supports or convoys",
            lambda row: _location(row.parts.other),
        ),
        Column(
            "target",
            Kind.TEXT,
            "where it goes, or the unit that it supports or convoys",
            lambda row: row.parts.target,
        ),
        Column(
            "results",
            Kind.TEXTS,
            "what the source says of it; null: nothing",
            lambda row: row.recorded.results,
        ),
        Column("line", Kind.NUMBER, "its line in the file", lambda row: row.recorded.line),
    ),
)
CENTERS: Table[CenterRow] = Table(
    "centers",
    "who had a center when a year ended; 1900 is the start",
    lambda record: sorted(_centers(record), key=lambda row: (row.year, row.center)),
    (
        Column("year", Kind.NUMBER, "the year", lambda row: row.year),
        Column("center", Kind.TEXT, "the center", lambda row: row.center),
        Column("owner", Kind.TEXT, "the power", lambda row: row.owner),
    ),
)
TABLES: tuple[Table[Record] | Table[PhaseRow] | Table[OrderRow] | Table[CenterRow], ...] = (
    GAMES,
    PHASES,
    ORDERS,
    CENTERS,
)


def _player(seat: Seat) -> str:
    address = f" <{seat.address}>" if seat.address else ""
    return f"{seat.power}: {seat.player}{address}"


def _year(game: Record, index: int) -> int | None:
    return game.phases[index].phase.year if game.phases else None


def _code(phase: object) -> str | None:
    return str(phase) if phase else None


def _lower_name(word: types.Season | types.PhaseKind) -> str:
    return word.name.lower()


def _kind(unit: types.UnitName | None) -> str | None:
    return unit.kind.value if unit and unit.kind else None


def _location(unit: types.UnitName | None) -> types.Location | None:
    return unit.location if unit else None


def _orders(phase: RecordedPhase) -> Iterator[OrderRow]:
    for number, order in enumerate(phase.orders):
        yield OrderRow(phase, number, order, _parts(order.order) if order.order else Parts())


def _parts(order: types.Order) -> Parts:  # noqa: PLR0911 - one return a kind of order
    match order:
        case types.Hold(unit=unit):
            return Parts("hold", unit)
        case types.Move(unit=unit, target=target):
            return Parts("move", unit, target=target)
        case types.SupportHold(unit=unit, supported=other):
            return Parts("support", unit, other)
        case types.SupportMove(unit=unit, supported=other, target=target):
            return Parts("support", unit, other, target)
        case types.Convoy(unit=unit, army=other, target=target):
            return Parts("convoy", unit, other, target)
        case types.Retreat(unit=unit, target=target):
            return Parts("retreat", unit, target=target)
        case types.Disband(unit=unit):
            return Parts("disband", unit)
        case types.Build(unit=unit):
            return Parts("build", unit)
        case types.Waive():
            return Parts("waive")
        case _:
            assert_never(order)


def _centers(record: Record) -> Iterator[CenterRow]:
    """Yield the owners at the end of each year, from its winter or the following spring.

    On some boards the years are five apart.
    """
    step = 1
    if record.variant != DEFAULT_VARIANT:
        years = sorted({recorded.phase.year for recorded in record.phases})
        step = min((after - before for before, after in pairwise(years)), default=1)
    ends = {chart.year: chart.owners for chart in record.charts if chart.owners}
    for recorded in record.phases:
        phase, position = recorded.phase, recorded.position
        owners = position.owners if position else {}
        if phase.kind is types.PhaseKind.ADJUSTMENTS and owners:
            ends[phase.year] = owners
        elif (
            phase.season is types.Season.SPRING
            and phase.kind is types.PhaseKind.MOVEMENT
            and owners
        ):
            ends.setdefault(phase.year - step, owners)
    for year, owners in ends.items():
        for center, owner in owners.items():
            yield CenterRow(year, center, owner)
