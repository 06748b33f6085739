"""Read a board from JSON: names, borders, powers and units as facts of other programs.

    {"name": "Pure", "source": "...", "first_phase": "Spring 1901 Movement", "build_rule": "home",
     "powers": [{"name": "Austria", "letter": "A", "homes": ["VIE"], "units": ["A VIE"]}, ...],
     "provinces": [{"id": "VIE", "name": "Vienna", "abbreviations": [], "type": "land",
     "center": true, "coasts": []}, ...], "army_borders": [["VIE", "BER"], ...],
     "fleet_borders": [], "victory_centers": 4, "neutral_units": [], "special": [], "doubts": []}

A start on another board names it in `board`; `special` says what the standard rules do not cover.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from judge.boards.variant_writer import BoardFacts, Border, PowerFacts, ProvinceFacts
from judge.rules import types
from judge.rules.board import BuildSites, Map, Terrain
from judge.rules.calendar import STANDARD_CALENDAR, Calendar, Turn

BUILD_RULES = {
    "home": BuildSites.HOME,
    "any_home": BuildSites.ANY_HOME,
    "any_owned": BuildSites.ANY,
    "any_owned_if_home": BuildSites.ANY_WITH_A_HOME,
}
TERRAINS = {
    "land": Terrain.INLAND,
    "coast": Terrain.COAST,
    "sea": Terrain.SEA,
    "impassable": Terrain.IMPASSABLE,
}
PHASE = re.compile(r"(?:(Spring|Fall) )?(\d{1,4})(?: (Movement|Adjustment))?")
ARCHIPELAGO = re.compile(r"a fleet in (\w+) may convoy \(archipelago\)")
REBUILT = re.compile(r"built again")
FIRST_ARMIES = re.compile(r"no order gets an army")
COVERED = re.compile(  # by what else the file says
    r"archipelago|neutral arm|homes? .*(neutral|centers)|years? counts? from|first_phase|called"
    r"|fleets at sea|no sea touches|touch for (armies|fleets)|has one coast|armies only|one_way"
    r"|build rule any_home|one turn every|starts with|owns? .* at the start|may stand in|rivers:"
    r"|listed like all others|does not touch other seas|RUH is a center|no units at the start"
    r"|coast with another name|tied at|level|lead with the same number"
)


class FactsError(ValueError):
    """The JSON is no board; the message says what is wrong."""


def read_facts(text: str, name: str, base: Map | None = None) -> tuple[BoardFacts, list[str]]:
    """Read the board in *text* as the variant *name*, and what does not carry over.

    *base* is the board that the facts start from, if they name one: see `base_of`. Raises
    `FactsError` if the text is no board.
    """
    facts = _load(text)
    try:
        return _facts(facts, name, base), _left_out(facts)
    except KeyError as missing:
        raise FactsError(f"it lacks {missing}") from missing
    except (TypeError, AttributeError, ValueError) as wrong:
        raise FactsError(str(wrong)) from wrong


def base_of(text: str) -> str | None:
    """Return the name of the variant that the facts in *text* start from, None if from none."""
    board = _load(text).get("board")
    return board.removesuffix(".json") if isinstance(board, str) else None


def _load(text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise FactsError(f"it is not JSON: {wrong}") from wrong
    if not isinstance(facts, dict):
        raise FactsError("it is not a JSON object")
    return facts


def _left_out(facts: Mapping[str, Any]) -> list[str]:
    return [text for text in facts.get("special", ()) if not COVERED.search(text)]


def _facts(facts: Mapping[str, Any], name: str, base: Map | None) -> BoardFacts:
    special = " ".join(facts.get("special", ()))
    powers = tuple(_power(each, base) for each in facts["powers"])
    played = base is not None and all(starts_as_on(base, power) for power in powers)
    archipelagos = {*ARCHIPELAGO.findall(special)}
    return BoardFacts(
        name=name,
        title=facts["name"],
        source=facts["source"],
        doubts=tuple(facts.get("doubts", ())),
        start=_start(facts["first_phase"]),
        extends=base.name if base else None,
        powers=() if played else powers,
        played=tuple(power.code for power in powers) if played else (),
        victory_centers=facts["victory_centers"],
        provinces=tuple(
            _province(each, archipelagos) for each in (() if base else facts["provinces"])
        ),
        borders={
            kind: _pairs(facts.get(f"{word}_borders", ()))
            for kind, word in (("A", "army"), ("F", "fleet"))
        },
        one_way={
            kind: _pairs(facts.get("one_way", {}).get(word, ()))
            for kind, word in (("A", "army"), ("F", "fleet"))
        },
        centers_added=tuple(facts.get("extra_centers", ())),
        build_sites=BUILD_RULES[facts["build_rule"]],
        neutral_units=tuple(facts.get("neutral_units", ())),
        rebuilt=bool(REBUILT.search(special)),
        first_armies=bool(FIRST_ARMIES.search(special)),
        calendar=_calendar(facts),
    )


def _power(power: Mapping[str, Any], base: Map | None) -> PowerFacts:
    name, homes = power["name"], tuple(power["homes"])
    code = re.sub(r"[^A-Z0-9]+", "-", _plain(name).upper()).strip("-")
    known = base.nations.get(code) if base else None
    return PowerFacts(
        code=code,
        name=name,
        adjective=power.get("adjective", known.adjective if known else name),
        letter=power["letter"],
        homes=homes,
        centers=tuple(power.get("owns", homes)),
        units=tuple(power["units"]),
        extra_sites=tuple(power.get("extra_build_sites", ())),
    )


def _plain(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFKD", text) if each.isascii())


def starts_as_on(base: Map, power: PowerFacts) -> bool:
    """Return whether *power* starts as the power of that name on *base*."""
    units = {unit.name for unit in base.start.units_of(power.code)}
    return (
        {*power.homes} == {*power.centers} == {*base.homes_of(power.code)}
        and {*power.units} == units
        and base.nations[power.code].letter == power.letter
    )


def _province(province: Mapping[str, Any], archipelagos: Iterable[str]) -> ProvinceFacts:
    code, name = province["id"], province["name"]
    known = {code.casefold(), name.casefold()}
    aliases = dict.fromkeys(each.casefold() for each in province["abbreviations"])
    return ProvinceFacts(
        code=code,
        name=name,
        aliases=tuple(each for each in aliases if each not in known),
        terrain=TERRAINS[province["type"]],
        center=province["center"],
        coasts=tuple(province["coasts"]),
        convoys=code in archipelagos,
    )


def _pairs(pairs: Iterable[Sequence[str]]) -> tuple[Border, ...]:
    return tuple((start, end) for start, end in pairs)


def _start(phase: str) -> str:
    found = PHASE.fullmatch(phase)
    if found is None:
        raise FactsError(f"first_phase is {phase!r}, not such as Spring 1901 Movement")
    season, year, kind = found[1] or "Spring", int(found[2]), found[3]
    return f"W{year:04}A" if kind == "Adjustment" else f"{season[0]}{year:04}M"


def _calendar(facts: Mapping[str, Any]) -> Calendar | None:
    seasons = facts.get("seasons")
    if seasons is None:
        return None
    if "step_years" in seasons:  # one turn every so many years, adjustments every second turn
        step, first = seasons["step_years"], int(_start(facts["first_phase"])[1:5])
        turns = Turn(types.SPRING), Turn(types.SPRING, step, adjusts=True)
        return Calendar(turns, 2 * step, first, MappingProxyType({types.SPRING: ""}))
    spring, fall = seasons["names"]
    known = {types.SPRING: spring, types.FALL: fall}
    usual = {types.SPRING: "Spring", types.FALL: "Fall"}
    names = {season: name for season, name in known.items() if name != usual[season]}
    return Calendar(STANDARD_CALENDAR.turns, names=MappingProxyType(names))
