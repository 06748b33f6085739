"""What a source tells of one phase, before it is known what that means on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from judge.archive.record import WrittenOrder
from judge.rules.types import Location, Order, Phase, Power, Province, UnitName, Waive


@dataclass(frozen=True, slots=True)
class Driven:
    """A unit that a report lists as dislodged: where it may go, nowhere if it was destroyed.

    *retreats* is None where the source lists none; they are then computed.
    """

    power: Power
    province: Province
    retreats: tuple[Location, ...] | None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a source tells of one *phase*.

    Each unit has its line in *orders* if the report is *complete*. The results of an order are
    empty if it went as written, and None where the source tells none. *defaulted* are removals
    that the judge chose, since nobody ordered them. *owners* and *counts*
    (centers, units) are those of the chart at the year's end, None and empty without one;
    *following* is the phase that the source announces.
    """

    phase: Phase
    orders: tuple[WrittenOrder, ...] = ()
    driven: tuple[Driven, ...] = ()
    defaulted: tuple[WrittenOrder, ...] = ()
    owners: Mapping[Province, Power] | None = None
    counts: Mapping[Power, tuple[int, int]] = field(default_factory=dict)
    following: Phase | None = None
    complete: bool = True
    deadline: datetime | None = None
    reported: datetime | None = None
    first_line: int | None = None
    last_line: int | None = None
    chart_line: int | None = None
    notes: tuple[str, ...] = ()


def unit_of(order: Order | None) -> UnitName | None:
    """Return the unit that *order* is for; a waived build, or what is not understood, has none."""
    return None if order is None or isinstance(order, Waive) else order.unit
