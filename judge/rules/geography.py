"""The board: places, who may go where, whose homes are whose. Made once and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from judge.rules.position import Position
from judge.rules.vocabulary import Location, Power, Province


class Terrain(Enum):
    """What can stand in a province: armies inland, fleets at sea, both on a coast."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class Nation:
    """A power of the variant: `AUSTRIA`, Austria, Austrian, and the letter it goes by (A)."""

    power: Power
    name: str
    adjective: str
    letter: str


@dataclass(frozen=True, slots=True)
class Place:
    """A province; *aliases* are what else people call it, *coasts* (`nc`, `sc`) if it has two.

    *country* is the power whose land it is on the board, *home_of* that which can build there.
    """

    code: Province
    name: str
    aliases: tuple[str, ...]
    terrain: Terrain
    center: bool
    home_of: Power | None
    country: Power | None = None
    coasts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tongue:
    """What people of another language call powers and provinces: the `name`, and other forms.

    A power has an `adjective` and, where sentences take other forms than the name, `the` and `of`
    (`die Türkei`, `der Türkei`); a province has `in` (`in der Nordsee`). *aliases* are what else
    people write.
    """

    powers: Mapping[Power, Mapping[str, str]]
    places: Mapping[Province, Mapping[str, str]]
    aliases: Mapping[Power | Province, tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A checked board. It equals only itself, so that it can key a cache.

    *locations* are all of them, coasts counted (81 on the standard board); *army* and *fleet* give
    for a location those it touches for that kind of unit: armies by province, fleets by coast.
    *default_coasts* are for provinces of two coasts, *record_codes* what records of other judges
    call some of the provinces. *tongues* are by the codes of languages. *powers* are in the order
    reports print them, *centers* in alphabetical order.
    """

    name: str
    nations: Mapping[Power, Nation]
    places: Mapping[Province, Place]
    locations: frozenset[Location]
    army: Mapping[Location, frozenset[Location]]
    fleet: Mapping[Location, frozenset[Location]]
    start: Position
    default_coasts: Mapping[Province, Location] = field(default_factory=dict)
    record_codes: Mapping[Province, str] = field(default_factory=dict)
    victory_centers: int = 18
    tongues: Mapping[str, Tongue] = field(default_factory=dict)

    powers: tuple[Power, ...] = field(init=False)
    centers: tuple[Province, ...] = field(init=False)
    _homes: Mapping[Power, tuple[Province, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Look up once what is asked for in every phase."""
        places = sorted(self.places.items())
        homes = {
            power: tuple(code for code, place in places if place.home_of == power)
            for power in self.nations
        }
        object.__setattr__(self, "powers", tuple(self.nations))
        object.__setattr__(self, "centers", tuple(code for code, at in places if at.center))
        object.__setattr__(self, "_homes", homes)

    def homes_of(self, power: Power) -> tuple[Province, ...]:
        """Return the home centers of *power*, in alphabetical order."""
        return self._homes.get(power, ())

    def country_of(self, power: Power) -> tuple[Province, ...]:
        """Return the provinces of the country of *power*, centers or not."""
        return tuple(code for code, place in self.places.items() if place.country == power)

    def coasts_of(self, province: Province) -> tuple[Location, ...]:
        """Return the coasts of *province* (`STP/NC`, `STP/SC`), none if it has only one."""
        return tuple(f"{province}/{coast.upper()}" for coast in self.places[province].coasts)
