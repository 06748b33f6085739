"""Orders to text, in three hands: that of programs, that of judges' reports, and the rulebook's.

`parse` reads all three back, in a phase of the kind that the order is for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from judge.notation.words import COAST_NAMES
from judge.rules.geography import Map
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.vocabulary import Location, UnitKind

KIND_NAMES = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}


def write(order: Order) -> str:
    """Write *order* as programs exchange it: `A LON - BEL VIA`, `F STP/NC B`.

    That form has no owners; seas named by the writer stay: `A LON - NTH - BEL`.
    """
    return written(order, PROGRAM)


def write_owned(order: Order) -> str:
    """Write *order* as `write` does, and before a unit the power that its name has.

    `A MUN S FRANCE A BUR` is what it then may say.
    """
    return written(order, PROGRAM_OWNED)


def write_long(order: Order, board: Map) -> str:
    """Write *order* as judges report it: `Army Serbia SUPPORT Fleet Greece.`.

    The nationality stands before a unit whose name has a power.
    """
    hand = Hand(
        unit=partial(_full_unit, board),
        place=partial(_full_place, board),
        to=" -> ",
        via=" via convoy",
        hold=" HOLD",
        support=" SUPPORT ",
        convoy=" CONVOY ",
        retreat=" -> ",
        disband="{} DISBAND",
        build=partial(_full_build, board),
        waive="Build waived",
    )
    return f"{written(order, hand)}."


def write_short(order: Order, board: Map) -> str:
    """Write *order* as the rulebook does: `A Sil S RUSSIAN A War-Pru`, `F Stp(nc)-Bar`."""
    unit = partial(_brief_unit, board)
    hand = Hand(
        unit=unit,
        place=_brief_place,
        to="-",
        via=" via convoy",
        hold=" H",
        support=" S ",
        convoy=" C ",
        retreat="-",
        disband="Disband {}",
        build=lambda name: f"Build {unit(name)}",
        waive="Waive",
    )
    return written(order, hand)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The words between the words: how units and places are named, and what stands between."""

    unit: Callable[[UnitName], str]
    place: Callable[[Location], str]
    to: str
    via: str
    hold: str
    support: str
    convoy: str
    retreat: str
    disband: str
    build: Callable[[UnitName], str]
    waive: str


def written(order: Order, hand: Hand) -> str:  # noqa: PLR0911 - one return a kind of order
    """Write *order* in *hand*."""
    unit, place = hand.unit, hand.place
    match order:
        case Hold():
            return f"{unit(order.unit)}{hand.hold}"
        case Move():
            stops = (unit(order.unit), *map(place, order.route), place(order.target))
            via = hand.via if order.via_convoy and not order.route else ""
            return f"{hand.to.join(stops)}{via}"
        case SupportHold():
            return f"{unit(order.unit)}{hand.support}{unit(order.supported)}"
        case SupportMove():
            move = f"{unit(order.supported)}{hand.to}{place(order.target)}"
            return f"{unit(order.unit)}{hand.support}{move}"
        case Convoy():
            move = f"{unit(order.army)}{hand.to}{place(order.target)}"
            return f"{unit(order.unit)}{hand.convoy}{move}"
        case Retreat():
            return f"{unit(order.unit)}{hand.retreat}{place(order.target)}"
        case Disband():
            return hand.disband.format(unit(order.unit))
        case Build():
            return hand.build(order.unit)
        case Waive():
            return hand.waive
        case _:
            assert_never(order)


def _coded_unit(name: UnitName) -> str:
    return f"{name.kind.value} {name.location}" if name.kind else name.location


def _owned_unit(name: UnitName) -> str:
    return f"{name.power} {_coded_unit(name)}" if name.power else _coded_unit(name)


PROGRAM = Hand(
    unit=_coded_unit,
    place=str,
    to=" - ",
    via=" VIA",
    hold=" H",
    support=" S ",
    convoy=" C ",
    retreat=" R ",
    disband="{} D",
    build=lambda name: f"{_coded_unit(name)} B",
    waive="WAIVE",
)
PROGRAM_OWNED = replace(PROGRAM, unit=_owned_unit)


def _full_unit(board: Map, name: UnitName) -> str:
    nation = f"{board.nations[name.power].adjective} " if name.power else ""
    kind = f"{KIND_NAMES[name.kind]} " if name.kind else ""
    return f"{nation}{kind}{_full_place(board, name.location)}"


def _full_place(board: Map, location: Location) -> str:
    province, _, coast = location.partition("/")
    name = board.places[province].name
    return f"{name} ({COAST_NAMES.get(coast, coast.lower())})" if coast else name


def _full_build(board: Map, name: UnitName) -> str:
    kind = KIND_NAMES[name.kind].lower() if name.kind else "unit"
    article = "an" if kind == "army" else "a"
    return f"Builds {article} {kind} in {_full_place(board, name.location)}"


def _brief_unit(board: Map, name: UnitName) -> str:
    nation = f"{board.nations[name.power].adjective.upper()} " if name.power else ""
    kind = f"{name.kind.value} " if name.kind else ""
    return f"{nation}{kind}{_brief_place(name.location)}"


def _brief_place(location: Location) -> str:
    province, _, coast = location.partition("/")
    return f"{province.capitalize()}({coast.lower()})" if coast else province.capitalize()
