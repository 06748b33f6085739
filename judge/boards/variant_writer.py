"""Write the files of a variant from facts gathered elsewhere."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judge.boards.variant_text import (
    ABSENT,
    ARCHIPELAGO,
    BORDERS,
    COLUMNS,
    LOCATIONS,
    ONE_WAY,
    PROVINCES,
    VARIANT,
)
from judge.rules import types
from judge.rules.board import BuildSites, Terrain
from judge.rules.calendar import STANDARD_TURNS, Calendar

Border = tuple[types.Location, types.Location]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerFacts:
    """A power at the start; *units* are as in `F STP/SC`."""

    code: types.Power
    name: str
    adjective: str
    letter: str
    homes: tuple[types.Province, ...]
    centers: tuple[types.Province, ...]
    units: tuple[str, ...]
    extra_sites: tuple[types.Province, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvinceFacts:
    """A province; *coasts* are those of its fleets, none if it has only one."""

    code: types.Province
    name: str
    aliases: tuple[str, ...]
    terrain: Terrain
    center: bool
    coasts: tuple[str, ...] = ()
    convoys: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """The facts that a folder states; *borders* are by unit, each pair once, both ways.

    A variant that *extends* another has no provinces or borders of its own. If it has no
    *powers*, it has those of that one. Only *played* powers take part, if there are any; *others*
    says what becomes of the rest.
    """

    name: str
    title: str
    source: str
    start: str
    powers: tuple[PowerFacts, ...]
    victory_centers: int
    doubts: tuple[str, ...] = ()
    extends: str | None = None
    played: tuple[types.Power, ...] = ()
    others: str = ABSENT
    provinces: tuple[ProvinceFacts, ...] = ()
    borders: Mapping[str, Sequence[Border]] = field(default_factory=dict)
    one_way: Mapping[str, Sequence[Border]] = field(default_factory=dict)
    centers_added: tuple[types.Province, ...] = ()
    centers_removed: tuple[types.Province, ...] = ()
    build_sites: BuildSites = BuildSites.HOME
    neutral_units: tuple[str, ...] = ()
    rebuilt: bool = False
    first_armies: bool = False
    calendar: Calendar | None = None


def write_variant(facts: BoardFacts) -> Mapping[str, str]:
    """Return the files of the variant, by name."""
    texts = {VARIANT: _variant(facts)}
    if facts.extends is None:
        tables = {PROVINCES: _provinces, LOCATIONS: _locations, BORDERS: _borders}
        texts |= {file: _table(COLUMNS[file], rows(facts)) for file, rows in tables.items()}
    return texts


def _variant(facts: BoardFacts) -> str:
    values: dict[str, object] = {
        "name": facts.name,
        "title": facts.title,
        "source": facts.source,
        "doubts": list(facts.doubts),
        "extends": facts.extends,
        "played": list(facts.played),
        "others": facts.others if facts.others != ABSENT else None,
        "start": facts.start,
        "victory_centers": facts.victory_centers,
        "centers_added": list(facts.centers_added),
        "centers_removed": list(facts.centers_removed),
        "first_armies": facts.first_armies,
        "build_sites": None if facts.build_sites is BuildSites.HOME else facts.build_sites.value,
    }
    lines = [f"{key} = {_value(value)}" for key, value in values.items() if value]
    if facts.calendar:
        lines += _calendar(facts.calendar)
    if facts.neutral_units:
        lines += ["", "[neutral]", f"units = {_value(list(facts.neutral_units))}"]
        lines += ["rebuilt = true"] if facts.rebuilt else []
    for power in facts.powers:
        lines += ["", "[[powers]]", *_power(power, extends=facts.extends is not None)]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """Write a value as TOML; texts, numbers and their lists are written as in JSON."""
    whole = json.dumps(value, ensure_ascii=False)
    if isinstance(value, list) and len(whole) > 90:  # noqa: PLR2004 - a long line
        return "[\n" + "".join(f"  {_value(each)},\n" for each in value) + "]"
    return whole


def _power(power: PowerFacts, *, extends: bool) -> list[str]:
    values: dict[str, object] = {
        "code": power.code,
        "name": power.name,
        "adjective": power.adjective,
        "letter": power.letter,
        "centers": list(power.centers),
        "units": list(power.units),
    }
    if extends or power.homes != power.centers:
        values["homes"] = list(power.homes)
    if power.extra_sites:
        values["extra_sites"] = list(power.extra_sites)
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]


def _calendar(calendar: Calendar) -> list[str]:
    lines = ["", "[calendar]"]
    if calendar.years != 1:
        lines += [f"years = {calendar.years}", f"first_year = {calendar.first_year}"]
    if calendar.names:
        names = (f"{season.value} = {_value(name)}" for season, name in calendar.names.items())
        lines.append(f"names = {{ {', '.join(names)} }}")
    if calendar.turns != tuple(STANDARD_TURNS):
        turns = (
            f'  {{ season = "{turn.season.value}", year = {turn.year}'
            f"{', adjusts = true' if turn.adjusts else ''} }},"
            for turn in calendar.turns
        )
        lines += ["turns = [", *turns, "]"]
    return lines


class _Text:
    """A file in memory for `csv`."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> None:
        self.parts.append(text)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    written = _Text()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return "".join(written.parts)


def _provinces(facts: BoardFacts) -> Iterable[Sequence[str]]:
    homes: dict[types.Province, list[types.Power]] = defaultdict(list)
    for power in facts.powers:
        for home in power.homes:
            homes[home].append(power.code)
    for each in facts.provinces:
        at_home = homes[each.code]
        yield (
            each.code,
            each.name,
            ARCHIPELAGO if each.convoys else each.terrain.value,
            "yes" if each.center else "no",
            " ".join(at_home),
            at_home[0] if len(at_home) == 1 else "",
            ";".join(each.aliases),
        )


def _locations(facts: BoardFacts) -> Iterable[Sequence[str]]:
    units = {Terrain.INLAND: "A", Terrain.COAST: "AF", Terrain.SEA: "F"}
    for each in facts.provinces:
        if each.terrain is not Terrain.IMPASSABLE:
            yield each.code, "A" if each.coasts else units[each.terrain]
        for coast in each.coasts:
            yield f"{each.code}/{coast}", "F"


def _borders(facts: BoardFacts) -> Iterable[Sequence[str]]:
    for kind in types.UnitKind:
        touched: dict[types.Location, list[str]] = defaultdict(list)
        for start, end in facts.borders.get(kind.value, ()):
            touched[start].append(end)
            touched[end].append(start)
        for start, end in facts.one_way.get(kind.value, ()):
            touched[start].append(ONE_WAY + end)
        for location, others in sorted(touched.items()):
            yield location, kind.value, " ".join(sorted(others))
