"""Orders, units and dates in the words of nJudge, as its reports have them (version 1.7)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import assert_never

from judge.archive.record import Record, RecordedPhase
from judge.notation.order_text import KIND_NAMES, write_long
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map, Terrain
from judge.rules.convoys import must_go_by_sea, shortest_route
from judge.rules.outcome import (
    Available,
    Cut,
    Destroyed,
    Disrupted,
    Fails,
    Given,
    Illegal,
    Invalid,
    Outcome,
    Stands,
    Succeeds,
    Verdict,
)
from judge.rules.phase_context import map_index_of
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Waive,
    province_of,
)

SEASONS = {Season.SPRING: "Spring", Season.FALL: "Fall", Season.WINTER: "Winter"}
TITLES = {
    PhaseKind.MOVEMENT: "Movement",
    PhaseKind.RETREATS: "Retreat",
    PhaseKind.ADJUSTMENTS: "Adjustment",
}
AHEAD = {kind: f"{title}s" for kind, title in TITLES.items()} | {PhaseKind.MOVEMENT: "Movement"}
Words = dict[tuple[Power, Province], tuple[str, ...]]  # of the order that a power gave to a unit


def game_of(record: Record) -> str:
    """Return the name of the game without what a name of nJudge cannot have."""
    return re.sub(r"[^A-Za-z0-9_-]+", "", record.name) or "unnamed"


def judge_of(record: Record) -> str:
    """Return the code of the judge, empty if it is not known."""
    return record.numbers.get("judge", "").partition(":")[0]


def date_text(date: datetime) -> str:
    """Write *date* as on deadlines."""
    return date.astimezone(UTC).strftime("%a %b %d %Y %H:%M:%S +0000")


def code_of(phase: Phase) -> str:
    """Write *phase* as in subjects: adjustments are those of the Fall, `F1901B`."""
    return f"F{phase.year}B" if phase.kind is PhaseKind.ADJUSTMENTS else phase.code


def place_text(board: Map, location: Location) -> str:
    """Write *location*; the saint has no full stop."""
    return plain(write_long(Hold(UnitName(None, location)), board)).removesuffix(" HOLD.")


def plain(text: str) -> str:
    """Write *text* as nJudge does, where it differs from a map with full stops in names."""
    return text.replace("St. ", "St ")


def in_place(board: Map, location: Location) -> str:
    """Write *location* behind `in`, where seas have an article."""
    sea = board.places[province_of(location)].terrain is Terrain.SEA
    return f"{'the ' if sea else ''}{place_text(board, location)}"


def unit_text(board: Map, unit: Unit) -> str:
    """Write *unit* as in a line of orders."""
    return f"{KIND_NAMES[unit.kind]} {place_text(board, unit.location)}"


def order_text(board: Map, position: Position, power: Power, order: Order) -> str:
    """Write *order* of *power*: with the kind of each unit, and the nation of those of others."""
    at = {unit.province: unit for unit in (*position.units, *_waiting(position))}

    def named(name: UnitName, owner: Power | None) -> UnitName:
        unit = at.get(name.province)
        kind = name.kind or (unit.kind if unit else None)
        foreign = unit.power if unit and owner and unit.power != owner else None
        location = unit.location if unit and unit.kind is kind and not owner else name.location
        return UnitName(kind, location, foreign)

    match order:
        case SupportHold() | SupportMove():
            unit = named(order.unit, None)
            order = replace(order, unit=unit, supported=named(order.supported, power))
        case Convoy():
            order = replace(order, unit=named(order.unit, None), army=named(order.army, power))
        case Hold() | Move() | Retreat():
            order = replace(order, unit=named(order.unit, None))
        case Build() | Disband() | Waive():
            pass
    return plain(write_long(order, board))


def with_route(board: Map, orders: Iterable[Order], move: Move, law: Rulebook) -> Move:
    """Return *move* with the seas on which fleets are ordered to carry it, if it has none.

    If there are none of these either, but *law* lets the army go by land, it says only that.
    """
    start, end = move.unit.province, province_of(move.target)
    if move.route or (end in board.army.get(start, ()) and not move.via_convoy):
        return move
    reach, fleets = map_index_of(board), 0
    for order in orders:
        if isinstance(order, Convoy) and (order.army.province, order.target) == (start, end):
            fleets |= reach.sea.get(order.unit.province, 0)
    route = shortest_route(reach, start, end, fleets)
    if route:
        return replace(move, route=route, via_convoy=True)
    by_land = end in board.army.get(start, ()) and not must_go_by_sea(law)
    return replace(move, via_convoy=move.via_convoy and not by_land)


def _waiting(position: Position) -> Iterable[Unit]:
    return (each.unit for each in position.dislodged)


def results_of(board: Map, recorded: RecordedPhase, position: Position, law: Rulebook) -> Words:
    """Return the results of the orders of *recorded*: as told, or else as *law* has them."""
    told: Words = {}
    orders: dict[Power, list[Order]] = {}
    for written in recorded.orders:
        if written.order is None or isinstance(written.order, Waive):
            continue
        orders.setdefault(written.power, []).append(written.order)
        if written.results is not None:
            told[written.power, written.order.unit.province] = written.results
    if len(told) == sum(map(len, orders.values())):
        return told
    outcomes = adjudicate(board, position, orders, law)
    return {
        (each.power, each.order.unit.province): words_of(each, position.phase.kind)
        for each in (*outcomes.outcomes, *outcomes.unordered)
        if not isinstance(each.order, Waive)
    } | told


def marks_of(outcome: Outcome, kind: PhaseKind) -> tuple[str, ...]:
    """Return what is said of *outcome*, and of a unit that had nowhere to go that it is lost."""
    words = words_of(outcome, kind)
    if isinstance(outcome.fate, Destroyed):
        return tuple("destroyed" if word == "dislodged" else word for word in words)
    return words


def words_of(outcome: Outcome, kind: PhaseKind) -> tuple[str, ...]:
    """Return what is said of *outcome*: the word for its verdict, and the unit's fate."""
    failed = isinstance(outcome.verdict, Fails)
    if kind is PhaseKind.RETREATS:
        return ("bounce", "destroyed") if failed else ()
    return (*_word(outcome.verdict), *(("dislodged",) if outcome.fate else ()))


def _word(verdict: Verdict) -> tuple[str, ...]:
    match verdict:
        case Fails():
            return ("bounce",)
        case Cut():
            return ("cut",)
        case Disrupted():
            return ("disrupted",)
        case Illegal() | Invalid():
            return ("void",)
        case Stands() | Succeeds() | Given() | Available():
            return ()
        case _:
            assert_never(verdict)
