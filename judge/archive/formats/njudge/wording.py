"""The words of nJudge for games, dates, phases, places, units and orders."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from judge.archive import records
from judge.notation.order_text import KIND_NAMES, write_long
from judge.rules import types
from judge.rules.board import Map, Terrain

LINE_CHARACTERS = 79
SEASONS = {types.Season.SPRING: "Spring", types.Season.FALL: "Fall", types.Season.WINTER: "Winter"}
TITLES = {
    types.PhaseKind.MOVEMENT: "Movement",
    types.PhaseKind.RETREATS: "Retreat",
    types.PhaseKind.ADJUSTMENTS: "Adjustment",
}
NEXT_TITLES = {kind: f"{title}s" for kind, title in TITLES.items()} | {
    types.PhaseKind.MOVEMENT: "Movement"
}


def season_text(phase: types.Phase) -> str:
    """Write the season of *phase*: `Fall of 1901`."""
    return f"{SEASONS[phase.season]} of {phase.year}"


def several(word: str, count: int) -> str:
    """Return *word* in the plural unless *count* is one."""
    return word if count == 1 else f"{word}s"


def padded(text: str) -> str:
    """Pad the kind of unit at the start of *text*."""
    kind, _, rest = text.partition(" ")
    return f"{kind:<5} {rest}"


def unit_in(board: Map, unit: types.Unit) -> str:
    """Write *unit* as in adjustments: `fleet in the Black Sea`."""
    return f"{KIND_NAMES[unit.kind].lower()} in {place_after_in(board, unit.location)}"


def wrapped(text: str, indent: str) -> list[str]:
    """Break *text* into lines, the later ones behind *indent*."""
    return textwrap.wrap(
        text,
        LINE_CHARACTERS,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def game_name(record: records.Record) -> str:
    """Return the name of the game in characters that nJudge allows.

    A game named after its file loses the suffix of that file.
    """
    file = record.source.name.rpartition("/")[2]
    stem = file.partition(".")[0] or file
    name = stem + record.name.removeprefix(file) if record.name.startswith(file) else record.name
    return re.sub(r"[^A-Za-z0-9_-]+", "", name) or "unnamed"


def judge_code(record: records.Record) -> str:
    """Return the code of the judge, empty if unknown."""
    return record.numbers.get("judge", "").partition(":")[0]


def date_text(date: datetime) -> str:
    """Write *date* as in deadlines."""
    return date.astimezone(UTC).strftime("%a %b %d %Y %H:%M:%S +0000")


def phase_code(phase: types.Phase) -> str:
    """Write *phase* as in subjects, with adjustments under fall: `F1901B`."""
    return f"F{phase.year}B" if phase.kind is types.PhaseKind.ADJUSTMENTS else phase.code


def place_text(board: Map, location: types.Location) -> str:
    """Write *location* as nJudge does: `St Petersburg`, without a full stop."""
    return njudge_spelling(
        write_long(types.Hold(types.UnitName(None, location)), board)
    ).removesuffix(" HOLD.")


def njudge_spelling(text: str) -> str:
    """Spell `St. Petersburg` as `St Petersburg`."""
    return text.replace("St. ", "St ")


def place_after_in(board: Map, location: types.Location) -> str:
    """Write *location* as it follows `in`; seas get an article."""
    sea = board.places[types.province_of(location)].terrain is Terrain.SEA
    return f"{'the ' if sea else ''}{place_text(board, location)}"


def unit_text(board: Map, unit: types.Unit) -> str:
    """Write *unit* as in order lines."""
    return f"{KIND_NAMES[unit.kind]} {place_text(board, unit.location)}"


def order_text(
    board: Map, position: types.Position, power: types.Power, order: types.Order
) -> str:
    """Write *order* of *power*, with all kinds of units and the nations of other powers' units."""
    at = {unit.province: unit for unit in (*position.units, *_dislodged_units(position))}

    def named(name: types.UnitName, owner: types.Power | None) -> types.UnitName:
        unit = at.get(name.province)
        kind = name.kind or (unit.kind if unit else None)
        foreign = unit.power if unit and owner and unit.power != owner else None
        location = unit.location if unit and unit.kind is kind and not owner else name.location
        return types.UnitName(kind, location, foreign)

    match order:
        case types.SupportHold() | types.SupportMove():
            unit = named(order.unit, None)
            order = replace(order, unit=unit, supported=named(order.supported, power))
        case types.Convoy():
            order = replace(order, unit=named(order.unit, None), army=named(order.army, power))
        case types.Hold() | types.Move() | types.Retreat():
            order = replace(order, unit=named(order.unit, None))
        case types.Build() | types.Disband() | types.Waive():
            pass
    return njudge_spelling(write_long(order, board))


def _dislodged_units(position: types.Position) -> Iterable[types.Unit]:
    return (each.unit for each in position.dislodged)
