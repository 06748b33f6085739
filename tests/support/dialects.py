"""Write orders in the styles of forty years of hobby players: one writer for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from judge.notation.order_text import COAST_NAMES, write_short
from judge.rules.board import Map, Terrain
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

KINDS = {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"}
NJUDGE_NAMES = {"NWG": "nrg", "NTH": "nts", "NAO": "nat", "MAO": "mid", "TYR": "trl", "LVN": "lvo"}
ZINE_NAMES = {"NTH": "Nts", "EAS": "Eme", "TYR": "Trl", "TYS": "Tyn", "LVP": "Lpl"}

Writer = Callable[[Iterable[Order], Map], str]


@dataclass(frozen=True)
class Phrases:
    """The words between the *unit*s and the *place*s of an order."""

    unit: Callable[[UnitName], str]
    place: Callable[[Location], str]
    hold: str
    move: str
    by_sea: Callable[[str, tuple[str, ...], str], str]  # the unit, the seas named, the goal
    support: str
    supported_hold: str
    supported_move: str
    convoy: str
    carried_to: str
    retreat: str
    disband: str
    build: str
    remove: str
    waive: str

    def say(  # noqa: C901, PLR0911, PLR0912 - one return a kind of order
        self, order: Order, *, adjusting: bool
    ) -> str:
        unit, place = self.unit, self.place
        match order:
            case Hold(who):
                return f"{unit(who)}{self.hold}"
            case Move(who, goal, route=seas) if order.via_convoy:
                return self.by_sea(unit(who), tuple(map(place, seas)), place(goal))
            case Move(who, goal):
                return f"{unit(who)}{self.move}{place(goal)}"
            case SupportHold(who, other):
                return f"{unit(who)}{self.support}{unit(other)}{self.supported_hold}"
            case SupportMove(who, other, goal):
                helped = f"{unit(other)}{self.supported_move}{place(goal)}"
                return f"{unit(who)}{self.support}{helped}"
            case Convoy(who, army, goal):
                return f"{unit(who)}{self.convoy}{unit(army)}{self.carried_to}{place(goal)}"
            case Retreat(who, goal):
                return f"{unit(who)}{self.retreat}{place(goal)}"
            case Disband(who):
                return (self.remove if adjusting else self.disband).format(unit(who))
            case Build(who):
                return self.build.format(unit(who))
            case Waive():
                return self.waive
            case _:
                assert_never(order)


def in_short(orders: Iterable[Order], board: Map) -> str:
    """Write as the rulebook does: `A Par-Bur`."""
    return "\n".join(write_short(each, board) for each in orders)


def for_njudge(orders: Iterable[Order], _: Map) -> str:
    """Write in lower case, several orders on a line, with the abbreviations of nJudge."""

    def place(location: Location) -> str:
        province, _, coast = location.partition("/")
        code = NJUDGE_NAMES.get(province, province.lower())
        return f"{code}/{coast.lower()}" if coast else code

    phrases = Phrases(
        unit=lambda name: f"{_letter(name).lower()} {place(name.location)}",
        place=place,
        hold=" hold",
        move=" -> ",
        by_sea=lambda who, seas, goal: " - ".join((who, *seas, goal)) + _via(seas),
        support=" s ",
        supported_hold="",
        supported_move=" - ",
        convoy=" c ",
        carried_to=" - ",
        retreat=" -> ",
        disband="{} disband",
        build="build {}",
        remove="remove {}",
        waive="waive",
    )
    return "; ".join(_all(phrases, orders))


def for_dpjudge(orders: Iterable[Order], _: Map) -> str:
    """Write in capitals with spaces: `A PAR - BUR`."""

    def place(location: Location) -> str:
        return location

    phrases = Phrases(
        unit=lambda name: f"{_letter(name)} {name.location}",
        place=place,
        hold=" H",
        move=" - ",
        by_sea=lambda who, seas, goal: " - ".join((who, *seas, goal)) + _via(seas),
        support=" S ",
        supported_hold="",
        supported_move=" - ",
        convoy=" C ",
        carried_to=" - ",
        retreat=" - ",
        disband="{} DISBAND",
        build="BUILD {}",
        remove="REMOVE {}",
        waive="WAIVE",
    )
    return "\n".join(_all(phrases, orders))


def in_sentences(orders: Iterable[Order], board: Map) -> str:
    """Write whole sentences, each space by its name."""

    def place(location: Location) -> str:
        province, _, coast = location.partition("/")
        found = board.places[province]
        name = f"the {found.name}" if found.terrain is Terrain.SEA else found.name
        return f"{name} ({COAST_NAMES[coast]})" if coast else name

    def by_sea(who: str, seas: tuple[str, ...], goal: str) -> str:
        way = f"via {' and '.join(seas)}" if seas else "by convoy"
        return f"{who} moves to {goal} {way}"

    phrases = Phrases(
        unit=lambda name: f"the {KINDS[_kind(name)]} in {place(name.location)}",
        place=place,
        hold=" holds",
        move=" moves to ",
        by_sea=by_sea,
        support=" supports ",
        supported_hold=" in holding",
        supported_move=" moving to ",
        convoy=" convoys ",
        carried_to=" to ",
        retreat=" retreats to ",
        disband="{} disbands",
        build="Build {}",
        remove="Remove {}",
        waive="Waive a build",
    )
    said = _all(phrases, orders)
    return "\n".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in said)


def for_a_zine(orders: Iterable[Order], _: Map) -> str:
    """Write as to a postal gamemaster: `A(Par)-Bur`, `F(Spa)nc stands`, `OTB`, in one line."""

    def place(location: Location) -> str:
        province, _, coast = location.partition("/")
        name = ZINE_NAMES.get(province, province.capitalize())
        return f"{name}({coast.lower()})" if coast else name

    def unit(name: UnitName) -> str:
        _, _, coast = name.location.partition("/")
        return f"{_letter(name)}({place(province_of(name.location))}){coast.lower()}"

    phrases = Phrases(
        unit=unit,
        place=place,
        hold=" stands",
        move="-",
        by_sea=lambda who, seas, goal: "-".join((who, *seas, goal)) + _via(seas),
        support=" S ",
        supported_hold="",
        supported_move="-",
        convoy=" C ",
        carried_to="-",
        retreat=" retreats to ",
        disband="{} OTB",
        build="builds {}",
        remove="removes {}",
        waive="no build",
    )
    return ", ".join(_all(phrases, orders))


DIALECTS: Mapping[str, Writer] = {
    "rulebook": in_short,
    "njudge": for_njudge,
    "dpjudge": for_dpjudge,
    "sentences": in_sentences,
    "zine": for_a_zine,
}


def _all(phrases: Phrases, orders: Iterable[Order]) -> list[str]:
    given = list(orders)
    adjusting = not any(isinstance(each, Retreat) for each in given)
    return list(map(partial(phrases.say, adjusting=adjusting), given))


def _via(seas: tuple[str, ...]) -> str:
    return "" if seas else " via convoy"


def _kind(name: UnitName) -> UnitKind:
    assert name.kind, "programs write what a unit is"
    return name.kind


def _letter(name: UnitName) -> str:
    return _kind(name).value
