"""Recorded games, the values that every format is read into, and the redaction of email addresses.

A record holds only what its source has: missing values are None or empty, uncertain ones become a
`Doubt`. Email addresses are removed unless requested.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from typing import TypeVar

from judge.rules import types
from judge.rules.board import DEFAULT_VARIANT
from judge.rules.calendar import Calendar
from judge.rules.outcomes import RESULT_MARKS


@dataclass(frozen=True, slots=True)
class Doubt:
    """A part that could not be read with certainty: its *line* (from 1), text, and the reason."""

    line: int | None
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a record: its *format*, file, hash and lines."""

    format: str
    name: str
    sha256: str
    first_line: int = 1
    last_line: int | None = None


class SeatKind(Enum):
    """The kinds of players that a power can have."""

    PLAYER = "player"
    STANDBY = "standby"
    TAKEOVER = "takeover"
    CIVIL_DISORDER = "civil_disorder"


@dataclass(frozen=True, slots=True)
class Seat:
    """The player of *power* from phase *since* to phase *until* inclusive, where known."""

    power: types.Power
    player: str | None
    hold: SeatKind = SeatKind.PLAYER
    since: types.Phase | None = None
    until: types.Phase | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order: *text* as written, *order* as understood, None if it was not.

    *results* are the source's, in our words (see `RESULTS`), None if it has none.
    """

    power: types.Power
    text: str
    order: types.Order | None
    results: tuple[str, ...] | None = None
    line: int | None = None


# Result words of email judges, to which other sources' words are mapped. "disrupted" is for the
# convoying fleet, "no convoy" for the army; an order without a word succeeded.
RESULTS = RESULT_MARKS


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """One phase: its starting position, orders and results according to the source.

    *position* is None in a gap, where only *centers* may be known from a chart at the end of the
    year. *removed* are units that left the board without an order, *results_told* means that the
    source has results, *edition* counts the reports on the same phase from 1.
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
        """Return the understood orders grouped by power, in the order of adjudication."""
        powers = dict.fromkeys(each.power for each in self.orders if each.order)
        return [
            each for power in powers for each in self.orders if each.order and each.power == power
        ]

    def orders_by_power(self) -> Mapping[types.Power, Sequence[types.Order]]:
        """Return the understood orders by power."""
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
    """The ways in which a game can end."""

    SOLO = "solo"
    DRAW = "draw"
    CONCESSION = "concession"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of the game: its winners, its phase, and the source's words."""

    kind: EndKind
    powers: tuple[types.Power, ...]
    phase: types.Phase | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class YearChart:
    """The center counts at the end of a *year*, and the owners if known."""

    year: int
    counts: Mapping[types.Power, int]
    owners: Mapping[types.Province, types.Power] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A recorded game.

    *numbers* are its known identifiers: `boardman`, `miller`, `ep`, `judge`. *rulebook* names the
    source's rules for `rulebook_named`, *settings* are the game's parameters in the source. Phases
    are in the order of play, each followed by its corrected editions.
    """

    name: str
    source: Source
    variant: str = DEFAULT_VARIANT
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
        """Return the last edition of each phase, in the order of play."""
        editions = {each.phase: each for each in self.phases}
        return sorted(editions.values(), key=lambda each: each.phase)


def ordered_unit(order: types.Order | None) -> types.UnitName | None:
    """Return the ordered unit, None for a waive or an order that was not understood."""
    return None if order is None or isinstance(order, types.Waive) else order.unit


def moves_to(order: types.Order | None, target: types.Location) -> bool:
    """Return whether *order* is a move to the province of *target*."""
    return isinstance(order, types.Move) and types.province_of(order.target) == types.province_of(
        target
    )


def is_followed_by(calendar: Calendar, phase: types.Phase, other: types.Phase) -> bool:
    """Return whether only retreats and adjustments may lie between *phase* and *other*."""
    following = calendar.following(phase)
    while following != other and following.kind is not types.PhaseKind.MOVEMENT:
        following = calendar.following(following)
    return following == other


RECORD_FORMAT, RECORD_VERSION = "judge-record", 1


Part = TypeVar("Part", Record, Source, Seat, WrittenOrder, RecordedPress, Ending, Doubt)

# The lookbehind avoids quadratic time on long words.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
REDACTED = "[address]"


def redact_addresses(text: str) -> str:
    """Replace each email address in *text*."""
    return ADDRESS.sub(REDACTED, text) if "@" in text else text


def redact_record(record: Record) -> Record:
    """Remove email addresses from *record* except in the name of its file.

    The file name identifies the record; use `redact_source` too before passing the record on.
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
    """Remove email addresses from the name of the record's file."""
    return replace(record, source=_redact_fields(record.source))


def redact_doubt(doubt: Doubt) -> Doubt:
    """Remove email addresses from *doubt*."""
    return _redact_fields(doubt)


def _redact_phase(phase: RecordedPhase) -> RecordedPhase:
    if not any("@" in text for text in (*(each.text for each in phase.orders), *phase.notes)):
        return phase
    orders = tuple(
        replace(each, text=redact_addresses(each.text)) if "@" in each.text else each
        for each in phase.orders
    )
    return replace(phase, orders=orders, notes=tuple(map(redact_addresses, phase.notes)))


def _redact_fields(part: Part) -> Part:
    values = {name: getattr(part, name) for name in part.__slots__}
    texts = {name: text for name, text in values.items() if isinstance(text, str) and "@" in text}
    values |= {name: redact_addresses(text) for name, text in texts.items()}
    return replace(part, **values) if texts else part


def _redact_values(values: Mapping[str, str]) -> Mapping[str, str]:
    return {redact_addresses(key): redact_addresses(value) for key, value in values.items()}
