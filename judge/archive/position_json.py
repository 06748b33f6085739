"""Positions and orders as JSON in the format of the `diplomacy` package."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from sys import intern
from typing import assert_never

from judge.archive import json_input
from judge.notation.order_text import LOCATION, UnreadableOrderError, read_owned_order
from judge.rules import types
from judge.rules.adjustments import listed_units
from judge.rules.board import Map
from judge.rules.phase_sequence import sort_units
from judge.rules.retreats import open_retreats
from judge.rules.rule_options import AutomaticRemoval
from judge.rules.rulebook import Rulebook

UNIT = re.compile(rf"(?P<dislodged>\*?)(?P<kind>[AF]) (?P<place>{LOCATION})")
CACHED_MAX = 16_384  # A few thousand orders and units are common.
OF_UNITS = ("units", "dislodged", "retreats")
POSITION_KEYS = ("phase", "units", "centers", "dislodged", "retreats", "contested", "builds")
UNKNOWN_PROVINCE: types.Province = ""  # the attacker's origin, where a record has only retreats


@dataclass(frozen=True, slots=True)
class Attack:
    """The province that an attacker came from, and whether by convoy."""

    origin: types.Province
    convoyed: bool


def read_position(board: Map, source: Mapping[str, object], rulebook: Rulebook) -> types.Position:
    """Read a position; other keys of *source* are ignored.

    The retreats of a dislodged unit are in `retreats`, or follow from `dislodged` and `contested`.
    If *rulebook* removes the oldest units (DATC 4.D.8), units are listed in the order written.
    Raises `MalformedError`.
    """
    units = tuple(_units(board, source))
    by_list = rulebook.automatic_removal is AutomaticRemoval.OLDEST
    driven_out = _sorted_units((unit for unit, dislodged in units if dislodged))
    position = types.Position(
        phase=_phase(board, source),
        units=_sorted_units((unit for unit, dislodged in units if not dislodged)),
        owners=_owners(board, source),
        contested=frozenset(
            _province(board, each)
            for each in json_input.require_texts(source.get("contested"), "contested")
        ),
        builds={p: _due(board, due) for p, due in read_by_power(board, source, "builds")},
        listed=tuple(unit for unit, _ in units) if by_list else (),
    )
    if position.phase.kind is types.PhaseKind.RETREATS:
        listed = dict(_dislodged(board, source, position, rulebook))
        if listed.keys() != set(driven_out):
            odd = min(listed.keys() ^ set(driven_out), key=str)
            raise json_input.MalformedError(
                odd, "must be marked as dislodged, and its retreats listed"
            )
        return replace(position, dislodged=tuple(listed[unit] for unit in driven_out))
    if driven_out:
        raise json_input.MalformedError(driven_out[0], f"cannot be dislodged in {position.phase}")
    return position


def read_written_orders(
    board: Map, texts: Iterable[str], *, any_target: bool = False
) -> tuple[types.Order, ...]:
    """Read orders, in which units may have no kind, or an owner.

    With *any_target* a unit may be ordered to a place that is not on the board. Raises
    `MalformedError`.
    """
    return tuple(_order(board, text, any_target) for text in texts)


def read_unit(board: Map, power: types.Power, text: str) -> types.Unit:
    """Read a unit of *power*, such as `A BUD`. Raises `MalformedError`."""
    unit, dislodged = _unit(board, power, text)
    if dislodged:
        raise json_input.MalformedError(
            text, "cannot be read as a unit, which is written like A BUD"
        )
    return unit


def read_by_power(
    board: Map, source: Mapping[str, object], key: str
) -> Iterator[tuple[types.Power, object]]:
    """Yield the values by power under *key*. Raises `MalformedError`.

    Only units can be neutral.
    """
    known = board.nations if key in OF_UNITS else board.powers
    for power, value in json_input.require_object(source.get(key), key).items():
        if power not in known:
            raise json_input.MalformedError(power, f"not a power of the {board.name} map")
        yield intern(power), value


def write_position(position: types.Position) -> dict[str, object]:
    """Return *position* as JSON that `read_position` reads."""
    units: dict[types.Power, list[str]] = {}
    attacks: dict[types.Power, dict[str, object]] = {}
    retreats: dict[types.Power, dict[str, list[types.Location]]] = {}
    centers: dict[types.Power, list[types.Province]] = {}
    dislodged = {each.unit for each in position.dislodged}
    for unit in listed_units(position):
        units.setdefault(unit.power, []).append(f"*{unit}" if unit in dislodged else str(unit))
    for each in position.dislodged:
        power, name = each.unit.power, str(each.unit)
        retreats.setdefault(power, {})[name] = list(each.retreats)
        if each.attacked_from != UNKNOWN_PROVINCE:
            attack = {"from": each.attacked_from, "convoyed": each.attacker_convoyed}
            attacks.setdefault(power, {})[name] = attack
    for center, owner in sorted(position.owners.items()):
        centers.setdefault(owner, []).append(center)
    return {
        "phase": position.phase.code,
        "units": units,
        "dislodged": attacks,
        "retreats": retreats,
        "centers": centers,
    }


def _phase(board: Map, source: Mapping[str, object]) -> types.Phase:
    code = json_input.require_text(source.get("phase"), "phase")
    try:
        phase = types.Phase.parse(code)
    except ValueError:
        raise json_input.MalformedError(
            code, "cannot be read as a phase, which is written like S1901M"
        ) from None
    if phase not in board.calendar:
        raise json_input.MalformedError(code, f"not a phase of the {board.name} board")
    return phase


def _units(board: Map, source: Mapping[str, object]) -> Iterator[tuple[types.Unit, bool]]:
    """Yield each unit and whether it is dislodged."""
    for power, several in read_by_power(board, source, "units"):
        for text in json_input.require_texts(several, f"units of {power}"):
            yield _unit(board, power, text)


@lru_cache(CACHED_MAX)
def _unit(board: Map, power: types.Power, text: str) -> tuple[types.Unit, bool]:
    found = UNIT.fullmatch(" ".join(text.upper().split()))
    if not found:
        raise json_input.MalformedError(
            text, "cannot be read as a unit, which is written like A BUD"
        )
    kind, place = types.UnitKind(found["kind"]), found["place"]
    if place not in (board.army if kind is types.UnitKind.ARMY else board.fleet):
        raise json_input.MalformedError(text, "cannot be there")
    return types.Unit(intern(power), kind, intern(place)), bool(found["dislodged"])


def _owners(board: Map, source: Mapping[str, object]) -> Mapping[types.Province, types.Power]:
    owners: dict[types.Province, types.Power] = {}
    for power, several in read_by_power(board, source, "centers"):
        for center in json_input.require_texts(several, f"centers of {power}"):
            if not board.places[_province(board, center)].center:
                raise json_input.MalformedError(center, "not a supply center")
            if owners.setdefault(intern(center), power) != power:
                raise json_input.MalformedError(center, "owned by two powers")
    return owners


def _due(board: Map, value: object) -> int:
    due = json_input.require_whole_number(value, "builds")
    if abs(due) > len(board.places):
        raise json_input.MalformedError(f"builds of {due}", "more than the board has places")
    return due


def _province(board: Map, name: str) -> types.Province:
    if name not in board.places:
        raise json_input.MalformedError(name, f"not a province of the {board.name} map")
    return intern(name)


def _dislodged(
    board: Map, source: Mapping[str, object], position: types.Position, rulebook: Rulebook
) -> Iterator[tuple[types.Unit, types.DislodgedUnit]]:
    """Yield each unit in `retreats` or `dislodged` with its possible retreats."""
    if "retreats" not in source and "dislodged" not in source:
        raise json_input.MalformedError(position.phase, "needs retreats or dislodged")
    closed = {unit.province for unit in position.units} | position.contested
    attacks = dict(_attacks(board, source))
    for unit, attack in attacks.items():
        places = open_retreats(
            board.open_in(position.phase),
            unit,
            attacked_from=attack.origin,
            attacker_convoyed=attack.convoyed,
            closed=closed,
            rulebook=rulebook,
        )
        yield unit, types.DislodgedUnit(unit, attack.origin, attack.convoyed, places)
    for unit, places in _retreats(board, source):
        attack = attacks.get(unit, Attack(UNKNOWN_PROVINCE, convoyed=False))
        yield unit, types.DislodgedUnit(unit, attack.origin, attack.convoyed, places)


def _attacks(board: Map, source: Mapping[str, object]) -> Iterator[tuple[types.Unit, Attack]]:
    for power, several in read_by_power(board, source, "dislodged"):
        for text, listed in json_input.require_object(several, f"dislodged of {power}").items():
            attack = json_input.require_object(listed, text)
            origin = types.province_of(
                json_input.require_text(attack.get("from"), f"from of {text}")
            )
            unit, _ = _unit(board, power, text)
            convoyed = json_input.require_bool(
                attack.get("convoyed", False), f"convoyed of {text}"
            )
            yield unit, Attack(_province(board, origin), convoyed)


def _retreats(
    board: Map, source: Mapping[str, object]
) -> Iterator[tuple[types.Unit, tuple[types.Location, ...]]]:
    for power, several in read_by_power(board, source, "retreats"):
        for text, listed in json_input.require_object(several, f"retreats of {power}").items():
            places = json_input.require_texts(listed, f"retreats of {text}")
            for place in places:
                if place not in board.locations:
                    raise json_input.MalformedError(
                        place, f"not a location of the {board.name} map"
                    )
            unit, _ = _unit(board, power, text)
            yield unit, tuple(places)


@lru_cache(CACHED_MAX)
def _order(board: Map, text: str, any_target: bool) -> types.Order:  # noqa: FBT001 - cached
    try:
        order = read_owned_order(text)
    except UnreadableOrderError as unreadable:
        raise json_input.MalformedError(
            text, "cannot be read as an order, which is written like A BUD - SER"
        ) from unreadable
    for unit in _units_named(order):
        _province(board, unit.province)
        if unit.power and unit.power not in board.nations:
            raise json_input.MalformedError(unit.power, f"not a power of the {board.name} map")
    for place in _places_named(order, any_target=any_target):
        _province(board, types.province_of(place))
    return order


def _places_named(order: types.Order, *, any_target: bool) -> Iterator[types.Location]:
    """Yield where *order* goes, not the target of a move without a route if it can be any."""
    match order:
        case types.Move():
            yield from order.route
            if order.route or not any_target:
                yield order.target
        case types.SupportMove() | types.Convoy() | types.Retreat():
            yield order.target
        case types.Hold() | types.SupportHold() | types.Build() | types.Disband() | types.Waive():
            pass
        case _:
            assert_never(order)


def _units_named(order: types.Order) -> Iterator[types.UnitName]:
    match order:
        case types.Waive():
            pass
        case types.SupportHold() | types.SupportMove():
            yield from (order.unit, order.supported)
        case types.Convoy():
            yield from (order.unit, order.army)
        case types.Hold() | types.Move() | types.Retreat() | types.Build() | types.Disband():
            yield order.unit
        case _:
            assert_never(order)


def _sorted_units(units: Iterable[types.Unit]) -> tuple[types.Unit, ...]:
    found = sort_units(units)
    for province, times in Counter(unit.province for unit in found).items():
        if times > 1:
            raise json_input.MalformedError(province, "holds two units")
    return found
