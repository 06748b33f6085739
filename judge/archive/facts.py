"""What a position says, fact by fact, so that two can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judge.rules.types import Position, Power, Province, province_of


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about *province*: in words, and of which power, which stands there or owns it."""

    province: Province
    power: Power
    text: str


def facts_of(position: Position, *, owners: bool) -> Iterator[Fact]:
    """Yield the facts of *position*, those of *owners* if asked for."""
    for unit in position.units:
        yield Fact(unit.province, unit.power, f"{unit.power} {unit}")
    for each in position.dislodged:
        unit, places = each.unit, sorted({province_of(place) for place in each.retreats})
        yield Fact(unit.province, unit.power, f"{unit.power} *{unit}")
        yield Fact(unit.province, unit.power, f"{unit.power} *{unit} R {' '.join(places)}")
    if owners:
        for center, power in position.owners.items():
            yield Fact(center, power, f"{power} owns {center}")
