"""Read and check the files of a variant.

`variant.toml` names the powers, their units and centers, and the rules of the board;
`provinces.csv` the provinces with their other names; `locations.csv` which units can be where;
`borders.csv` the neighbors of each location, in both directions, so mistakes contradict
themselves; `>` before a neighbor says that there is no way back. There may be a file of names for
each other language, such as `names.de.toml`. A variant that extends another has only what differs.
"""

from __future__ import annotations

import csv
import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from sys import intern
from types import MappingProxyType
from typing import Any, TypeVar, cast

from judge.boards.contradictions import find_contradictions
from judge.rules import board as boards
from judge.rules import calendar, types
from judge.rules.phase_sequence import sort_units

VARIANT, PROVINCES = "variant.toml", "provinces.csv"
LOCATIONS, BORDERS = "locations.csv", "borders.csv"
FILES = (VARIANT, PROVINCES, LOCATIONS, BORDERS)
COLUMNS = {
    PROVINCES: ("code", "name", "terrain", "center", "home", "country", "aliases"),
    LOCATIONS: ("location", "units"),
    BORDERS: ("location", "units", "touches"),
}
NAMES_START, NAMES_END = "names.", ".toml"  # with the code of a language between them
NO_NAMES: Mapping[str, Mapping[str, str]] = {"powers": {}, "places": {}}
NATIONS = ("de", "fr")  # languages that have names for the nations of most boards

ONE_WAY = ">"
ARCHIPELAGO = "archipelago"  # in place of the terrain: a coast where fleets convoy
YEAR_MAX = 9999
DIGEST_LETTERS = 32
NOWHERE: frozenset[types.Location] = frozenset()

T = TypeVar("T")
Texts = Mapping[str, str]


class VariantError(ValueError):
    """The files of a variant cannot be read, or contradict each other.

    *complaints* are all that is wrong, one line each.
    """

    def __init__(self, name: str, complaints: Sequence[str]) -> None:
        self.name, self.complaints = name, tuple(complaints)
        super().__init__(f"{name}: {complaints[0]}")


def read_map(texts: Texts, base: Texts | None = None) -> boards.Map:
    """Read the files of a variant, by name; *base* has those of the variant that it extends.

    Raises `VariantError` if they cannot be read or contradict each other.
    """
    board, complaints = check_variant(texts, base)
    if complaints:
        raise VariantError(board.name, complaints)
    return board


def check_variant(texts: Texts, base: Texts | None = None) -> tuple[boards.Map, list[str]]:
    """Read the files of a variant and return its board, and what is wrong with it.

    Raises `VariantError` if they cannot be read.
    """
    name = "the variant"
    try:
        description = _Description(_load(texts, VARIANT), VARIANT)
        name = description.text("name")
        if base is not None:
            description = description.extending(_load(base, VARIANT))
        whole = {**(base or {}), **texts}
        board, stands = _board(
            description, whole, digest_of(texts, base), extends=base is not None
        )
        return board, list(find_contradictions(board, stands, _one_way_borders(whole)))
    except ValueError as wrong:
        raise VariantError(name, [str(wrong)]) from wrong


def variant_named(text: str, names: Iterable[str]) -> str | None:
    """Return which of *names* the *text* means, also shortened or spelled without hyphens."""
    spelled = {_letters_of(name): name for name in names}
    wanted = _letters_of(text)
    if wanted in spelled:
        return spelled[wanted]
    similar = [
        name
        for letters, name in spelled.items()
        if wanted and (letters.startswith(wanted) or wanted.startswith(letters))
    ]
    return similar[0] if len(similar) == 1 else None


def _letters_of(name: str) -> str:
    return "".join(each for each in name.casefold() if each.isalnum())


def rules_of(texts: Texts) -> Texts:
    """Return the *texts* that make the board, without pictures and names of openings."""
    return {file: text for file, text in texts.items() if file in FILES or _is_of_names(file)}


def _is_of_names(file: str) -> bool:
    return file.startswith(NAMES_START) and file.endswith(NAMES_END)


def digest_of(texts: Texts, base: Texts | None = None) -> str:
    """Return what identifies the board that these texts make."""
    hashed = hashlib.sha256()
    for part in (texts, base or {}):
        for name, text in sorted(rules_of(part).items()):
            hashed.update(f"{name}\0{text}\0".encode())
    return hashed.hexdigest()[:DIGEST_LETTERS]


def extended_variant(texts: Texts) -> str | None:
    """Return the name of the variant that this one extends, None if it stands alone."""
    try:
        extends = _load(texts, VARIANT).get("extends")
    except ValueError as wrong:
        raise VariantError("the variant", [str(wrong)]) from wrong
    return extends if isinstance(extends, str) else None


def _load(texts: Texts, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(texts[file])
    except KeyError:
        raise ValueError(f"there is no {file}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise ValueError(f"{file} is not TOML: {wrong}") from wrong


REQUIRED: Any = object()
TYPE_NAMES: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a share such as 0.5",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
VARIANT_KEYS = frozenset(
    {"name", "title", "source", "doubts", "extends", "start", "powers", "played", "others"}
    | {"victory_centers", "victory_share", "victory_held", "centers_added", "centers_removed"}
    | {"build_sites", "first_armies", "neutral", "calendar", "closed", "house_rules"}
    | {"default_coasts", "record_codes"}
)
POWER_KEYS = frozenset(
    {"code", "name", "adjective", "letter", "centers", "units", "homes", "extra_sites"}
)
NEUTRAL_KEYS = frozenset({"name", "adjective", "letter", "units", "rebuilt"})
CALENDAR_KEYS = frozenset({"turns", "years", "first_year", "names"})
TURN_KEYS = frozenset({"season", "year", "adjusts"})
CLOSED_KEYS = frozenset({"between", "units", "seasons", "years"})
ABSENT, CIVIL_DISORDER, NEUTRAL_OTHERS = OTHERS = ("absent", "civil disorder", "neutral")
KIND_LETTERS = "AF"


@dataclass(frozen=True, slots=True)
class _Description:
    """A table of a TOML file, read key by key; *where* says which, for complaints."""

    values: Mapping[str, Any]
    where: str

    def get(self, key: str, kind: type[T], default: T = REQUIRED) -> T:
        """Return the value of *key*; raises `ValueError` if it is missing or not of *kind*."""
        found = self.values.get(key, default)
        if found is REQUIRED:
            raise ValueError(f"{self.where} lacks {key!r}")
        if found is not default and (not isinstance(found, kind) or type(found) is not kind):
            raise ValueError(f"{key!r} in {self.where} is not {TYPE_NAMES[kind]}")
        return found

    def text(self, key: str, default: str = REQUIRED) -> str:
        """Return a text."""
        return self.get(key, str, default)

    def texts(self, key: str, default: Sequence[str] = REQUIRED) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.get(key, list, cast("list[str]", default))
        if not all(isinstance(each, str) for each in found):
            raise ValueError(f"{key!r} in {self.where} is not a list of texts")
        return tuple(map(intern, found))

    def tables(self, key: str) -> list[_Description]:
        """Return a list of tables."""
        found = self.get(key, list, [])
        if not all(isinstance(each, dict) for each in found):
            raise ValueError(f"{key!r} in {self.where} is not a list of tables")
        return [_Description(each, f"{key!r} {number}") for number, each in enumerate(found, 1)]

    def table(self, key: str) -> _Description:
        """Return a table, an empty one if there is none."""
        return _Description(self.get(key, dict, {}), key)

    def words(self) -> Mapping[str, str]:
        """Return the whole table; raises `ValueError` if its values are not texts."""
        return {key: self.text(key) for key in self.values}

    def allow(self, keys: frozenset[str]) -> _Description:
        """Return the table; raises `ValueError` if it has other *keys*."""
        for key in self.values:
            if key not in keys:
                raise ValueError(f"{self.where} has an unknown key {key!r}")
        return self

    def extending(self, base: Mapping[str, Any]) -> _Description:
        """Return the table with what *base* says besides; a list of powers replaces its powers."""
        if "extends" in base:
            raise ValueError(f"the variant {base.get('name')!r} extends another itself")
        return _Description({**base, "house_rules": {}, **self.values}, self.where)


def _board(
    description: _Description, texts: Texts, digest: str, *, extends: bool
) -> tuple[boards.Map, Mapping[types.Location, str]]:
    description.allow(VARIANT_KEYS)
    listed = [each.allow(POWER_KEYS) for each in description.tables("powers")]
    stands = {row["location"]: row["units"] for row in _rows(texts, LOCATIONS)}
    start, without_players, powers = _start(description, listed)
    nations = _nations(description, powers, start)
    places = _places(description, texts, powers)
    centers = sum(place.center for place in places.values())
    board = boards.Map(
        name=description.text("name"),
        title=description.text("title", description.text("name")),
        nations=nations,
        places=MappingProxyType(places),
        locations=frozenset(map(intern, stands)),
        army=_borders(texts, types.UnitKind.ARMY, stands),
        fleet=_borders(texts, types.UnitKind.FLEET, stands),
        start=start,
        default_coasts=MappingProxyType(_default_coasts(description, places)),
        record_codes=MappingProxyType(description.table("record_codes").words()),
        victory_centers=_victory_centers(description, centers),
        victory_held=frozenset(description.texts("victory_held", ())),
        tongues=MappingProxyType(_tongues(texts, nations, extends=extends)),
        calendar=_calendar(description.table("calendar").allow(CALENDAR_KEYS), start.phase),
        build_sites=_build_sites(description),
        extra_sites=MappingProxyType(
            {each.text("code"): each.texts("extra_sites", ()) for each in powers}
        ),
        closures=tuple(map(_closure, description.tables("closed"))),
        without_players=without_players,
        rebuilt=description.table("neutral").get("rebuilt", bool, default=False),
        first_armies=description.get("first_armies", bool, default=False),
        house_rules=MappingProxyType(description.table("house_rules").words()),
        source=description.text("source", ""),
        doubts=description.texts("doubts", ()),
        digest=digest,
    )
    return board, stands


def _rows(texts: Texts, file: str) -> list[dict[str, str]]:
    """Return the rows of a table; raises `ValueError` if it lacks a column."""
    if file not in texts:
        raise ValueError(f"there is no {file}")
    rows = csv.DictReader(texts[file].splitlines())
    for column in COLUMNS[file]:
        if column not in (rows.fieldnames or ()):
            raise ValueError(f"{file} has no column {column!r}")
    found = list(rows)
    for number, row in enumerate(found, 2):
        if None in row or None in row.values():
            raise ValueError(f"line {number} of {file} has not as many columns as its first line")
    return found


def _build_sites(description: _Description) -> boards.BuildSites:
    value = description.text("build_sites", boards.BuildSites.HOME.value)
    try:
        return boards.BuildSites(value)
    except ValueError:
        known = ", ".join(each.value for each in boards.BuildSites)
        raise ValueError(f"'build_sites' is {value!r}, not one of {known}") from None


def _victory_centers(description: _Description, centers: int) -> int:
    """Return how many centers win: a number, or the whole number above a share of all."""
    if "victory_share" in description.values and "victory_centers" not in description.values:
        share = description.get("victory_share", float)
        return int(share * centers) + 1
    return description.get("victory_centers", int)


def _start(
    description: _Description, powers: Sequence[_Description]
) -> tuple[types.Position, frozenset[types.Power], Sequence[_Description]]:
    """Return the starting position, powers without players, and all powers that take part."""
    codes = [power.text("code") for power in powers]
    for code, times in Counter(codes).items():
        if times > 1:
            raise ValueError(f"there are {times} powers with the code {code}")
    played = description.texts("played", codes)
    for code in played:
        if code not in codes:
            raise ValueError(f"'played' has {code}, which is not a power")
    others = description.text("others", ABSENT)
    if others not in OTHERS:
        raise ValueError(f"'others' is {others!r}, not one of {', '.join(OTHERS)}")
    neutral = description.table("neutral").allow(NEUTRAL_KEYS)
    units: list[types.Unit] = []
    units += [_unit(types.NEUTRAL, each) for each in neutral.texts("units", ())]
    taking_part = powers
    if others != CIVIL_DISORDER:
        taking_part = [each for each in powers if each.text("code") in played]
    for power in powers:
        if power in taking_part or others == NEUTRAL_OTHERS:
            code = intern(power.text("code")) if power in taking_part else types.NEUTRAL
            units += [_unit(code, each) for each in power.texts("units", ())]
    phase = _phase(description.text("start"))
    owners = MappingProxyType(_owners(taking_part))
    position = types.Position(phase, sort_units(units), owners)
    return position, frozenset(each.text("code") for each in taking_part) - {*played}, taking_part


def _owners(powers: Iterable[_Description]) -> dict[types.Province, types.Power]:
    """Return the owners of centers at the start; raises `ValueError` if one has two."""
    owners: dict[types.Province, types.Power] = {}
    for power in powers:
        code = intern(power.text("code"))
        for center in power.texts("centers"):
            if owners.setdefault(center, code) != code:
                raise ValueError(f"{center} belongs to both {owners[center]} and {code}")
    return owners


def _phase(code: str) -> types.Phase:
    try:
        return types.Phase.parse(code)
    except ValueError:
        raise ValueError(f"'start' is {code!r}, no phase such as S1901M") from None


def _unit(power: types.Power, text: str) -> types.Unit:
    kind, _, location = text.partition(" ")
    if kind not in KIND_LETTERS or not location:
        raise ValueError(f"{text!r} is not a unit such as A BUD or F STP/SC")
    return types.Unit(power, types.UnitKind(kind), intern(location))


def _nations(
    description: _Description, powers: Iterable[_Description], start: types.Position
) -> Mapping[types.Power, boards.Nation]:
    nations = {
        power: boards.Nation(power, each.text("name"), each.text("adjective"), each.text("letter"))
        for each in powers
        for power in [intern(each.text("code"))]
    }
    if start.units_of(types.NEUTRAL):
        neutral = description.table("neutral")
        nations[types.NEUTRAL] = boards.Nation(
            types.NEUTRAL,
            neutral.text("name", "Neutral"),
            neutral.text("adjective", "neutral"),
            neutral.text("letter", "-"),
        )
    return MappingProxyType(nations)


def _places(
    description: _Description, texts: Texts, powers: Sequence[_Description]
) -> dict[types.Province, boards.BoardProvince]:
    coasts: dict[types.Province, tuple[str, ...]] = {}
    for row in _rows(texts, LOCATIONS):
        province, _, coast = row["location"].partition("/")
        if coast:
            coasts[province] = (*coasts.get(province, ()), coast.lower())
    rows = _rows(texts, PROVINCES)
    for code, times in Counter(row["code"] for row in rows).items():
        if times > 1:
            raise ValueError(f"provinces.csv has {code} {times} times")
    added, removed = (description.texts(key, ()) for key in ("centers_added", "centers_removed"))
    codes = {row["code"] for row in rows}
    for code in (*added, *removed):
        if code not in codes:
            raise ValueError(f"{code}, among the centers added or removed, is not a province")
    homes = _homes(powers)
    taking_part = {power.text("code") for power in powers}
    return {
        intern(row["code"]): boards.BoardProvince(
            code=intern(row["code"]),
            name=row["name"],
            aliases=tuple(alias for alias in row["aliases"].split(";") if alias),
            terrain=_terrain(row),
            center=(row["center"] == "yes" or row["code"] in added) and row["code"] not in removed,
            home_of=homes.get(row["code"], ())
            if homes is not None
            else tuple(intern(each) for each in row["home"].split() if each in taking_part),
            country=row["country"] if row["country"] in taking_part else None,
            coasts=coasts.get(row["code"], ()),
            convoys=row["terrain"] == ARCHIPELAGO,
        )
        for row in rows
    }


def _terrain(row: Mapping[str, str]) -> boards.Terrain:
    terrain = row["terrain"]
    try:
        return boards.Terrain.COAST if terrain == ARCHIPELAGO else boards.Terrain(terrain)
    except ValueError:
        known = ", ".join((*(each.value for each in boards.Terrain), ARCHIPELAGO))
        raise ValueError(f"{row['code']} is {terrain!r}, not one of {known}") from None


def _homes(
    powers: Sequence[_Description],
) -> Mapping[types.Province, tuple[types.Power, ...]] | None:
    """Return the powers at home in each province, None if only the table of provinces says."""
    if not any("homes" in power.values for power in powers):
        return None
    homes: dict[types.Province, tuple[types.Power, ...]] = {}
    for power in powers:
        for home in power.texts("homes", power.texts("centers")):
            homes[home] = (*homes.get(home, ()), intern(power.text("code")))
    return homes


def _default_coasts(
    description: _Description, places: Mapping[types.Province, boards.BoardProvince]
) -> dict[types.Province, types.Location]:
    """Return the default coast of each province of several: as the variant says, or the first."""
    first = {
        code: f"{code}/{place.coasts[0].upper()}" for code, place in places.items() if place.coasts
    }
    return {**first, **description.table("default_coasts").words()}


def _borders(
    texts: Texts, kind: types.UnitKind, stands: Mapping[types.Location, str]
) -> boards.Borders:
    islands = [intern(location) for location, units in stands.items() if kind.value in units]
    return MappingProxyType(
        dict.fromkeys(islands, NOWHERE)
        | {
            intern(row["location"]): frozenset(
                intern(other.removeprefix(ONE_WAY)) for other in row["touches"].split()
            )
            for row in _rows(texts, BORDERS)
            if row["units"] == kind.value
        }
    )


def _one_way_borders(texts: Texts) -> frozenset[tuple[str, types.Location, types.Location]]:
    """Return the borders that lead one way only, as the unit's letter, from where and to where."""
    return frozenset(
        (row["units"], row["location"], other.removeprefix(ONE_WAY))
        for row in _rows(texts, BORDERS)
        for other in row["touches"].split()
        if other.startswith(ONE_WAY)
    )


def _calendar(described: _Description, start: types.Phase) -> calendar.Calendar:
    if not described.values:
        return calendar.STANDARD_CALENDAR
    turns = tuple(
        calendar.Turn(
            _season(each.text("season")),
            each.get("year", int, 0),
            each.get("adjusts", bool, default=False),
        )
        for each in (turn.allow(TURN_KEYS) for turn in described.tables("turns"))
    )
    names = {_season(letter): name for letter, name in described.table("names").words().items()}
    return calendar.Calendar(
        turns or tuple(calendar.STANDARD_TURNS),
        described.get("years", int, 1),
        described.get("first_year", int, start.year),
        MappingProxyType(names),
    )


def _season(letter: str) -> types.Season:
    try:
        return types.Season(letter)
    except ValueError:
        raise ValueError(f"{letter!r} is not a season: they are S, F and W") from None


def _closure(described: _Description) -> boards.Closure:
    described.allow(CLOSED_KEYS)
    between = described.texts("between")
    if len(between) != 2:  # noqa: PLR2004 - a border has two ends
        raise ValueError(f"'between' in {described.where} does not name two locations")
    first, _, last = described.text("years", f"0-{YEAR_MAX}").partition("-")
    if not (first.isdecimal() and (last or first).isdecimal()):
        raise ValueError(
            f"'years' in {described.where} is neither a year nor years such as 1901-1905"
        )
    units = described.text("units", KIND_LETTERS)
    if not units or not set(units) <= set(KIND_LETTERS):
        raise ValueError(f"'units' in {described.where} is not A, F or AF")
    return boards.Closure(
        *between,
        frozenset(map(types.UnitKind, units)),
        frozenset(map(_season, described.text("seasons", types.SEASON_LETTERS))),
        int(first),
        int(last or first),
    )


def _tongues(
    texts: Texts, nations: Mapping[types.Power, boards.Nation], *, extends: bool
) -> Mapping[str, boards.TranslatedNames]:
    files = {
        file.removeprefix(NAMES_START).removesuffix(NAMES_END): file
        for file in sorted(texts)
        if _is_of_names(file)
    }
    found: dict[str, boards.TranslatedNames] = {}
    for language in dict.fromkeys((*NATIONS, *files)):
        file = files.get(language, "")
        names = _Description(_load(texts, file) if file else NO_NAMES, file)
        kept = _nations_in(language, nations) if extends or not file else {}
        found[language] = _translated_names(names, kept)
    return found


def _nations_in(
    language: str, nations: Mapping[types.Power, boards.Nation]
) -> Mapping[types.Power, _Description]:
    """Return what *language* calls *nations*; those that few boards have keep their names."""
    known = _known_nations(language) if language in NATIONS else {}
    return {
        power: known.get(nation.name)
        or _Description({"name": nation.name, "adjective": nation.adjective}, power)
        for power, nation in nations.items()
    }


@cache
def _known_nations(language: str) -> Mapping[str, _Description]:
    from importlib import resources  # noqa: PLC0415 - loads slowly

    file = resources.files("judge.boards") / "nations" / f"{language}.toml"
    found = _Description(tomllib.loads(file.read_text(encoding="utf-8")), file.name)
    return {name: found.table(name) for name in found.values}


def _translated_names(
    names: _Description, nations: Mapping[types.Power, _Description]
) -> boards.TranslatedNames:
    """Read what one language calls powers and provinces; *nations* are those without a name."""
    powers, places = _by_code(names, "powers"), _by_code(names, "places")
    kept = {**nations, **{each: powers[each] for each in powers.keys() & nations}} or powers
    aliases = {
        code: forms.texts("also", ()) for named in (kept, places) for code, forms in named.items()
    }
    return boards.TranslatedNames(
        {code: _forms(forms) for code, forms in kept.items()},
        {code: _forms(forms) for code, forms in places.items()},
        aliases,
        {_season(key): value for key, value in names.table("seasons").words().items()},
    )


def _by_code(names: _Description, key: str) -> Mapping[str, _Description]:
    """Return a table of tables; raises `ValueError` if it has anything else."""
    found = names.get(key, dict)
    if not all(isinstance(each, dict) for each in found.values()):
        raise ValueError(f"{key!r} in {names.where} has something that is not a table")
    return {code: _Description(forms, f"{key}.{code}") for code, forms in found.items()}


def _forms(forms: _Description) -> Mapping[str, str]:
    return {key: forms.text(key) for key in forms.values if key != "also"}
