"""Orders as text in the exact notation of programs, and in two notations for people.

`A LON - BEL VIA`, `A MUN S A BER - SIL`, `F NTH C A LON - BEL`, `A VIE R BOH`, `A VIE D`,
`F STP/NC B`, `WAIVE`: the notation of the `diplomacy` package, extended by routes such as
`A LON - NTH - BEL`. Places and legality are not checked here. The notation with owners adds the
powers of units and may leave out kinds: `A MUN S FRANCE A BUR`, `VIE H`.

`read_strictly` reads all notations back in a phase of the right kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from sys import intern
from typing import assert_never

from judge.rules import types
from judge.rules.board import Map

PROVINCE = r"[A-Z][A-Z0-9]{1,5}"
LOCATION = rf"{PROVINCE}(?:/[A-Z]{{1,6}})?"
POWER = r"[A-Z][A-Z0-9-]{1,31}"
UNIT = rf"(?P<kind>[AF]) (?P<place>{LOCATION})"
COAST_NAMES = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
OWNED_UNIT = rf"(?:(?P<power>{POWER}) )?(?:(?P<kind>[AF]) )?(?P<place>{LOCATION})"


def _form(unit: str) -> re.Pattern[str]:
    """Return the pattern of orders whose units match *unit*."""
    return re.compile(
        rf"{unit} (?:"
        rf"(?P<alone>[HDB])"
        rf"|(?P<goes>[-R]) (?P<stops>(?:{PROVINCE} - )*)(?P<target>{LOCATION})(?P<via> VIA)?"
        rf"|(?P<helps>[SC]) {unit.replace('(?P<', '(?P<other_')}(?: - (?P<helped_to>{LOCATION}))?"
        rf")"
    )


TEXTS_KEPT_MAX = 4_096  # as the same orders are read several times when a phase closes
ORDER, OWNED_ORDER = _form(UNIT), _form(OWNED_UNIT)
LONE_ORDERS: Mapping[str, Callable[[types.UnitName], types.Order]] = {
    "H": types.Hold,
    "D": types.Disband,
    "B": types.Build,
}


class UnreadableOrderError(ValueError):
    """The text is not an order in this form."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is not an order such as 'A BUD - SER'")


def read_order(text: str) -> types.Order:
    """Read one order, ignoring case and extra spaces. Raises `UnreadableOrderError`."""
    return _read_form(text, ORDER)


@lru_cache(maxsize=TEXTS_KEPT_MAX)
def read_owned_order(text: str) -> types.Order:
    """Read what `write_owned_order` writes. Raises `UnreadableOrderError`."""
    return _read_form(text, OWNED_ORDER)


def _read_form(text: str, form: re.Pattern[str]) -> types.Order:
    plain = " ".join(text.upper().split())
    if plain == "WAIVE":
        return types.Waive()
    found = form.fullmatch(plain)
    if not found:
        raise UnreadableOrderError(text)
    unit = _unit(found)
    if found["alone"]:
        return LONE_ORDERS[found["alone"]](unit)
    if found["goes"]:
        return _move_or_retreat(unit, found)
    return _support_or_convoy(unit, found)


def _unit(found: re.Match[str], which: str = "") -> types.UnitName:
    kind = found[f"{which}kind"]
    power = found[f"{which}power"] if found.re is OWNED_ORDER else None
    return types.UnitName(
        types.UnitKind(kind) if kind else None, intern(found[f"{which}place"]), power
    )


def _move_or_retreat(unit: types.UnitName, found: re.Match[str]) -> types.Order:
    if found["goes"] == "-":
        route = tuple(found["stops"].split(" - ")[:-1])
        return types.Move(
            unit, intern(found["target"]), via_convoy=bool(route or found["via"]), route=route
        )
    if found["via"] or found["stops"]:
        raise UnreadableOrderError(found.string)
    return types.Retreat(unit, intern(found["target"]))


def _support_or_convoy(unit: types.UnitName, found: re.Match[str]) -> types.Order:
    other, target = _unit(found, "other_"), intern(found["helped_to"] or "")
    if found["helps"] == "S":
        return types.SupportMove(unit, other, target) if target else types.SupportHold(unit, other)
    if not target:
        raise UnreadableOrderError(found.string)
    return types.Convoy(unit, other, target)


KIND_NAMES = {types.UnitKind.ARMY: "Army", types.UnitKind.FLEET: "Fleet"}


def write_order(order: types.Order) -> str:
    """Write *order* as programs exchange it: `A LON - BEL VIA`, `F STP/NC B`.

    Owners are left out; a named route stays: `A LON - NTH - BEL`.
    """
    return write_in_style(order, PROGRAM_STYLE)


def write_owned_order(order: types.Order) -> str:
    """Write *order* like `write_order`, with the powers of units that have one.

    For example `A MUN S FRANCE A BUR`.
    """
    return write_in_style(order, PROGRAM_OWNED_STYLE)


def write_long(order: types.Order, board: Map) -> str:
    """Write *order* as judges report it: `Army Serbia SUPPORT Fleet Greece.`.

    A unit with a power is preceded by its nationality.
    """
    style = OrderStyle(
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
    return f"{write_in_style(order, style)}."


def write_short(order: types.Order, board: Map) -> str:
    """Write *order* as the rulebook does: `A Sil S RUSSIAN A War-Pru`, `F Stp(nc)-Bar`."""
    unit = partial(_brief_unit, board)
    style = OrderStyle(
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
    return write_in_style(order, style)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderStyle:
    """A style of writing orders: units, places and words."""

    unit: Callable[[types.UnitName], str]
    place: Callable[[types.Location], str]
    to: str
    via: str
    hold: str
    support: str
    convoy: str
    retreat: str
    disband: str
    build: Callable[[types.UnitName], str]
    waive: str


def write_in_style(order: types.Order, style: OrderStyle) -> str:  # noqa: PLR0911 - one return a kind of order
    """Write *order* in *style*."""
    unit, place = style.unit, style.place
    match order:
        case types.Hold():
            return f"{unit(order.unit)}{style.hold}"
        case types.Move():
            stops = (unit(order.unit), *map(place, order.route), place(order.target))
            via = style.via if order.via_convoy and not order.route else ""
            return f"{style.to.join(stops)}{via}"
        case types.SupportHold():
            return f"{unit(order.unit)}{style.support}{unit(order.supported)}"
        case types.SupportMove():
            move = f"{unit(order.supported)}{style.to}{place(order.target)}"
            return f"{unit(order.unit)}{style.support}{move}"
        case types.Convoy():
            move = f"{unit(order.army)}{style.to}{place(order.target)}"
            return f"{unit(order.unit)}{style.convoy}{move}"
        case types.Retreat():
            return f"{unit(order.unit)}{style.retreat}{place(order.target)}"
        case types.Disband():
            return style.disband.format(unit(order.unit))
        case types.Build():
            return style.build(order.unit)
        case types.Waive():
            return style.waive
        case _:
            assert_never(order)


def _coded_unit(name: types.UnitName) -> str:
    return f"{name.kind.value} {name.location}" if name.kind else name.location


def _owned_unit(name: types.UnitName) -> str:
    return f"{name.power} {_coded_unit(name)}" if name.power else _coded_unit(name)


PROGRAM_STYLE = OrderStyle(
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
PROGRAM_OWNED_STYLE = replace(PROGRAM_STYLE, unit=_owned_unit)


def _full_unit(board: Map, name: types.UnitName) -> str:
    nation = f"{board.nations[name.power].adjective} " if name.power else ""
    kind = f"{KIND_NAMES[name.kind]} " if name.kind else ""
    return f"{nation}{kind}{_full_place(board, name.location)}"


def _full_place(board: Map, location: types.Location) -> str:
    province, _, coast = location.partition("/")
    name = board.places[province].name
    return f"{name} ({COAST_NAMES.get(coast, coast.lower())})" if coast else name


def _full_build(board: Map, name: types.UnitName) -> str:
    kind = KIND_NAMES[name.kind].lower() if name.kind else "unit"
    article = "an" if kind == "army" else "a"
    return f"Builds {article} {kind} in {_full_place(board, name.location)}"


def _brief_unit(board: Map, name: types.UnitName) -> str:
    nation = f"{board.nations[name.power].adjective.upper()} " if name.power else ""
    kind = f"{name.kind.value} " if name.kind else ""
    return f"{nation}{kind}{_brief_place(name.location)}"


def _brief_place(location: types.Location) -> str:
    province, _, coast = location.partition("/")
    return f"{province.capitalize()}({coast.lower()})" if coast else province.capitalize()
