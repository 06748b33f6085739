"""Read and check the board of a variant: provinces, borders and home centers.

`variant.toml` names the powers, their units and centers; `provinces.csv` the provinces with their
other names; `locations.csv` which units can be where; `borders.csv` the neighbors of each
location, in both directions, so mistakes contradict themselves. There may be a file of names for
each other language, such as `names.de.toml`.
"""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from sys import intern
from types import MappingProxyType

from judge.rules import types


class Terrain(Enum):
    """Which units can be in a province: armies inland, fleets at sea, both on a coast."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class Nation:
    """A power of the variant: `AUSTRIA`, Austria, Austrian, and the letter it goes by (A)."""

    power: types.Power
    name: str
    adjective: str
    letter: str


@dataclass(frozen=True, slots=True)
class BoardProvince:
    """A province; *aliases* are what else people call it, *coasts* (`nc`, `sc`) if it has two.

    *country* is the power whose land it is on the board, *home_of* that which can build there.
    """

    code: types.Province
    name: str
    aliases: tuple[str, ...]
    terrain: Terrain
    center: bool
    home_of: types.Power | None
    country: types.Power | None = None
    coasts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TranslatedNames:
    """What people of another language call powers and provinces: the `name`, and other forms.

    A power has an `adjective` and, where sentences take other forms than the name, `the` and `of`
    (`die Türkei`, `der Türkei`); a province has `in` (`in der Nordsee`). *aliases* are what else
    people write.
    """

    powers: Mapping[types.Power, Mapping[str, str]]
    places: Mapping[types.Province, Mapping[str, str]]
    aliases: Mapping[types.Power | types.Province, tuple[str, ...]]


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
    nations: Mapping[types.Power, Nation]
    places: Mapping[types.Province, BoardProvince]
    locations: frozenset[types.Location]
    army: Mapping[types.Location, frozenset[types.Location]]
    fleet: Mapping[types.Location, frozenset[types.Location]]
    start: types.Position
    default_coasts: Mapping[types.Province, types.Location] = field(default_factory=dict)
    record_codes: Mapping[types.Province, str] = field(default_factory=dict)
    victory_centers: int = 18
    tongues: Mapping[str, TranslatedNames] = field(default_factory=dict)

    powers: tuple[types.Power, ...] = field(init=False)
    centers: tuple[types.Province, ...] = field(init=False)
    _homes: Mapping[types.Power, tuple[types.Province, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute what every phase needs."""
        places = sorted(self.places.items())
        homes = {
            power: tuple(code for code, place in places if place.home_of == power)
            for power in self.nations
        }
        object.__setattr__(self, "powers", tuple(self.nations))
        object.__setattr__(self, "centers", tuple(code for code, at in places if at.center))
        object.__setattr__(self, "_homes", homes)

    def homes_of(self, power: types.Power) -> tuple[types.Province, ...]:
        """Return the home centers of *power*, in alphabetical order."""
        return self._homes.get(power, ())

    def country_of(self, power: types.Power) -> tuple[types.Province, ...]:
        """Return the provinces of the country of *power*, centers or not."""
        return tuple(code for code, place in self.places.items() if place.country == power)

    def coasts_of(self, province: types.Province) -> tuple[types.Location, ...]:
        """Return the coasts of *province* (`STP/NC`, `STP/SC`), none if it has only one."""
        return tuple(f"{province}/{coast.upper()}" for coast in self.places[province].coasts)


UNITS_ON = {Terrain.INLAND: "A", Terrain.COAST: "AF", Terrain.SEA: "F"}

Borders = Mapping[types.Location, frozenset[types.Location]]
NO_TRANSLATIONS: Mapping[str, str] = {}


def read_map(
    variant: str,
    provinces: str,
    locations: str,
    borders: str,
    *,
    tongues: Mapping[str, str] = NO_TRANSLATIONS,
) -> Map:
    """Read the four texts and check them; raise `ValueError` if they contradict each other.

    *tongues* are what other languages call it all, by their codes.
    """
    try:
        described = tomllib.loads(variant)
        stands = {row["location"]: row["units"] for row in _rows(locations)}
        places = _places(provinces, locations)
        board = Map(
            name=described["name"],
            nations=_nations(described["powers"]),
            places=MappingProxyType(places),
            locations=frozenset(map(intern, stands)),
            army=_borders(borders, types.UnitKind.ARMY),
            fleet=_borders(borders, types.UnitKind.FLEET),
            start=_starting_position(described["start"], described["powers"]),
            default_coasts=MappingProxyType(described.get("default_coasts", {})),
            record_codes=MappingProxyType(described.get("record_codes", {})),
            victory_centers=described["victory_centers"],
            tongues=MappingProxyType(
                {code: _translated_names(text) for code, text in tongues.items()}
            ),
        )
    except KeyError as missing:
        raise ValueError(f"the variant does not say {missing}") from missing
    for complaint in _contradictions(board, stands):
        raise ValueError(f"{board.name}: {complaint}")
    return board


def _rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def _places(provinces: str, locations: str) -> dict[types.Province, BoardProvince]:
    coasts: dict[types.Province, tuple[str, ...]] = {}
    for row in _rows(locations):
        province, _, coast = row["location"].partition("/")
        if coast:
            coasts[province] = (*coasts.get(province, ()), coast.lower())
    rows = _rows(provinces)
    for code, times in Counter(row["code"] for row in rows).items():
        if times > 1:
            raise ValueError(f"provinces.csv has {code} {times} times")
    return {
        intern(row["code"]): BoardProvince(
            code=intern(row["code"]),
            name=row["name"],
            aliases=tuple(alias for alias in row["aliases"].split(";") if alias),
            terrain=Terrain(row["terrain"]),
            center=row["center"] == "yes",
            home_of=row["home"] or None,
            country=row["country"] or None,
            coasts=coasts.get(row["code"], ()),
        )
        for row in rows
    }


def _nations(powers: list[dict[str, str]]) -> Mapping[types.Power, Nation]:
    return MappingProxyType(
        {
            power: Nation(power, each["name"], each["adjective"], each["letter"])
            for each in powers
            for power in [intern(each["code"])]
        }
    )


def _translated_names(text: str) -> TranslatedNames:
    """Read what one language calls powers and provinces."""
    translations = tomllib.loads(text)
    also = {
        code: tuple(forms.pop("also", ()))
        for named in (translations["powers"], translations["places"])
        for code, forms in named.items()
    }
    return TranslatedNames(translations["powers"], translations["places"], also)


def _borders(text: str, kind: types.UnitKind) -> Borders:
    return MappingProxyType(
        {
            intern(row["location"]): frozenset(map(intern, row["touches"].split()))
            for row in _rows(text)
            if row["units"] == kind.value
        }
    )


def _starting_position(phase: str, powers: list[dict[str, list[str] | str]]) -> types.Position:
    units = [
        types.Unit(intern(str(power["code"])), types.UnitKind(unit[0]), intern(unit[2:]))
        for power in powers
        for unit in power["units"]
    ]
    owners = {
        intern(center): intern(str(power["code"]))
        for power in powers
        for center in power["centers"]
    }
    return types.Position(types.Phase.parse(phase), tuple(units), MappingProxyType(owners))


def _contradictions(board: Map, stands: Mapping[types.Location, str]) -> Iterator[str]:
    yield from _wrong_locations(board, stands)
    yield from _wrong_provinces(board, stands)
    for kind, borders in (("A", board.army), ("F", board.fleet)):
        yield from _wrong_borders(kind, borders, stands)
    yield from _wrong_start(board, stands)
    for language, tongue in board.tongues.items():
        yield from _wrong_names(board, language, tongue)


def _wrong_locations(board: Map, stands: Mapping[types.Location, str]) -> Iterator[str]:
    for location, units in stands.items():
        place = board.places.get(types.province_of(location))
        if place is None:
            yield f"{location} is in no province"
        elif "/" not in location and units != ("A" if place.coasts else UNITS_ON[place.terrain]):
            yield f"{units} stand in {location}, which is {place.terrain.value}"
        elif "/" in location and (units != "F" or place.terrain is not Terrain.COAST):
            yield f"{location} is no coast where only fleets stand"


def _wrong_provinces(board: Map, stands: Mapping[types.Location, str]) -> Iterator[str]:
    for code, place in board.places.items():
        if code not in stands:
            yield f"{code} has no location"
        if place.home_of and (place.home_of != place.country or not place.center):
            yield f"{code} is no home center of {place.home_of}"
        if place.country and place.country not in board.nations:
            yield f"{code} is in {place.country}, which is no power"
        if place.coasts and board.default_coasts.get(code) not in board.coasts_of(code):
            yield f"{code} has no default coast"
    for code in sorted({*board.default_coasts, *board.record_codes} - {*board.places}):
        yield f"{code} is no province"


def _wrong_borders(
    kind: str, borders: Borders, stands: Mapping[types.Location, str]
) -> Iterator[str]:
    for location, touched in borders.items():
        for other in sorted(touched):
            if location == other:
                yield f"{location} touches itself"
            if kind not in stands.get(location, "") or kind not in stands.get(other, ""):
                yield f"no {kind} can go from {location} to {other}"
            if location not in borders.get(other, ()):
                yield f"{location} touches {other} for {kind}, but not the other way round"
    for location, units in stands.items():
        if kind in units and location not in borders:
            yield f"{kind} {location} touches nothing"


def _wrong_start(board: Map, stands: Mapping[types.Location, str]) -> Iterator[str]:
    for unit in board.start.units:
        if unit.kind.value not in stands.get(unit.location, ""):
            yield f"{unit} cannot stand there"
    for center in board.start.owners:
        if center not in board.places or not board.places[center].center:
            yield f"{center} is no center"


def _wrong_names(board: Map, language: str, tongue: TranslatedNames) -> Iterator[str]:
    """Yield what has no name or form in *language*, and what has one and is not on the board."""
    for known, translated, forms in (
        (board.nations.keys(), tongue.powers, {"name", "adjective"}),
        (board.places.keys(), tongue.places, {"name", "in"}),
    ):
        for code in sorted(known ^ translated.keys()):
            yield f"{language}: {code} stands on the board or among its names, not in both"
        for code, has in translated.items():
            for form in sorted(forms - has.keys()):
                yield f"{language}: {code} has no {form}"
