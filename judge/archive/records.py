"""Recorded games: the values every format is read into, and the redaction of addresses in them.

A record holds only what its source has: missing values are None or empty, and uncertain ones are
a `Doubt`. Email addresses are removed unless they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import TypeVar

from judge.rules import types


@dataclass(frozen=True, slots=True)
class Doubt:
    """A part that was not read for certain: its *line* (from 1), its text, and the reason."""

    line: int | None
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record was read: the *format* by name, the file, its digest, and the lines."""

    format: str
    name: str
    sha256: str
    first_line: int = 1
    last_line: int | None = None


class SeatKind(Enum):
    """The way in which a power is held."""

    PLAYER = "player"
    STANDBY = "standby"
    TAKEOVER = "takeover"
    CIVIL_DISORDER = "civil_disorder"


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of *power*, from the phase *since* to the phase *until*, inclusive if known."""

    power: types.Power
    player: str | None
    hold: SeatKind = SeatKind.PLAYER
    since: types.Phase | None = None
    until: types.Phase | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order: *text* as written, *order* as understood, None if it was not.

    *results* are those of the source in our terms (see `RESULTS`), None if it has none.
    """

    power: types.Power
    text: str
    order: types.Order | None
    results: tuple[str, ...] | None = None
    line: int | None = None


# What sources say of an order: those of judges by e-mail, by whatever name they go elsewhere.
# "disrupted" is a convoy's, "no convoy" an army's; an order with none of these went as written.
RESULTS = (
    "bounce",
    "cut",
    "void",
    "no convoy",
    "disrupted",
    "dislodged",
    "destroyed",
)


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """One phase: the position before, the orders, and their results by the source.

    *position* is None in a gap, where only *centers* may be known (a chart of the year's end).
    *removed* are units that left the board without an order, *results_told* means that the source
    has results of orders, *edition* counts corrected reports of the same phase from 1.
    """

    phase: types.Phase
    position: types.Position | None
    orders: tuple[WrittenOrder, ...] = ()
    removed: tuple[tuple[types.Power, types.Unit], ...] = ()
    results_told: bool = False
    deadline: datetime | None = None
    reported: datetime | None = None
    edition: int = 1
    first_line: int | None = None
    last_line: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_understood(self) -> bool:
        """Return whether every order was understood."""
        return all(each.order for each in self.orders)

    @property
    def understood(self) -> Sequence[WrittenOrder]:
        """Return the orders that were understood, power by power, as adjudication takes them."""
        powers = dict.fromkeys(each.power for each in self.orders if each.order)
        return [
            each for power in powers for each in self.orders if each.order and each.power == power
        ]

    def orders_by_power(self) -> Mapping[types.Power, Sequence[types.Order]]:
        """Return the orders that were understood."""
        orders: dict[types.Power, list[types.Order]] = {}
        for each in self.orders:
            if each.order:
                orders.setdefault(each.power, []).append(each.order)
        return orders


@dataclass(frozen=True, slots=True)
class RecordedPress:
    """A message: its signature (None: anonymous), its readers (empty: all), and its text."""

    phase: types.Phase | None
    sender: str | None
    readers: tuple[str, ...]
    text: str
    sent: datetime | None = None
    line: int | None = None


class EndKind(Enum):
    """How a game ended."""

    SOLO = "solo"
    DRAW = "draw"
    CONCESSION = "concession"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the game: its winners, its phase, and the words of the source."""

    kind: EndKind
    powers: tuple[types.Power, ...]
    phase: types.Phase | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class YearChart:
    """The number of centers of each power at the end of a *year*, and their owners if known."""

    year: int
    counts: Mapping[types.Power, int]
    owners: Mapping[types.Province, types.Power] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A recorded game.

    *numbers* are its known identifiers: `boardman`, `miller`, `ep`, `judge`. *rulebook* is the
    text of the rules that its source followed (`judge.rules.rulebook.rulebook_named`), *settings*
    are its parameters in the source. Phases are in the order of play, corrected editions after the
    first.
    """

    name: str
    source: Source
    variant: str = "standard"
    rulebook: str | None = None
    numbers: Mapping[str, str] = field(default_factory=dict)
    gamemaster: str | None = None
    zine: str | None = None
    issue: str | None = None
    seats: tuple[Seat, ...] = ()
    phases: tuple[RecordedPhase, ...] = ()
    press: tuple[RecordedPress, ...] = ()
    charts: tuple[YearChart, ...] = ()
    ending: Ending | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()

    @property
    def played(self) -> Sequence[RecordedPhase]:
        """Return each phase once, in its last edition, in the order of play."""
        editions = {each.phase: each for each in self.phases}
        return sorted(editions.values(), key=lambda each: each.phase)


def ordered_unit(order: types.Order | None) -> types.UnitName | None:
    """Return the unit that *order* is for; waives, and orders not understood, have none."""
    return None if order is None or isinstance(order, types.Waive) else order.unit


def is_followed_by(phase: types.Phase, other: types.Phase) -> bool:
    """Return whether *other* follows *phase*, apart from phases in which no orders are due."""
    following = phase.following()
    while following < other and following.kind is not types.PhaseKind.MOVEMENT:
        following = following.following()
    return following == other


RECORD_FORMAT, RECORD_VERSION = "judge-record", 1


Part = TypeVar("Part", Record, Source, Seat, WrittenOrder, RecordedPress, Ending, Doubt)

# Nothing before it that could be part of it, so that a long word is looked through only once.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
REDACTED = "[address]"


def redact_addresses(text: str) -> str:
    """Return *text* with each email address left out."""
    return ADDRESS.sub(REDACTED, text) if "@" in text else text


def redact_record(record: Record) -> Record:
    """Return *record* with no address in any of its texts but the name of its file.

    By that it is found again; `addressless_source` is for records that go elsewhere.
    """
    return replace(
        _redact_fields(record),
        numbers=_redact_values(record.numbers),
        seats=tuple(_redact_fields(replace(each, address=None)) for each in record.seats),
        phases=tuple(map(_redact_phase, record.phases)),
        press=tuple(
            replace(_redact_fields(each), readers=tuple(map(redact_addresses, each.readers)))
            for each in record.press
        ),
        ending=record.ending and _redact_fields(record.ending),
        settings=_redact_values(record.settings),
        doubts=tuple(map(redact_doubt, record.doubts)),
    )


def redact_source(record: Record) -> Record:
    """Return *record* without the addresses in the name of its file."""
    return replace(record, source=_redact_fields(record.source))


def redact_doubt(doubt: Doubt) -> Doubt:
    """Return *doubt* with the addresses in its text left out."""
    return _redact_fields(doubt)


def _redact_phase(phase: RecordedPhase) -> RecordedPhase:
    orders, notes = (
        tuple(map(_redact_fields, phase.orders)),
        tuple(map(redact_addresses, phase.notes)),
    )
    return replace(phase, orders=orders, notes=notes)


def _redact_fields(part: Part) -> Part:
    """Return *part* with the addresses in each field that is a text left out."""
    values = {name: getattr(part, name) for name in part.__slots__}
    texts = {name: text for name, text in values.items() if isinstance(text, str) and "@" in text}
    values |= {name: redact_addresses(text) for name, text in texts.items()}
    return replace(part, **values) if texts else part


def _redact_values(values: Mapping[str, str]) -> Mapping[str, str]:
    return {redact_addresses(key): redact_addresses(value) for key, value in values.items()}
