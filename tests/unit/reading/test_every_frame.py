"""On every board, each kind of order in plain words is understood in three languages, or asked.

The position is made for the order: a fleet stands between two coasts, a unit is dislodged, a home
center is empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pytest

from judge.adapters.variant_files import load_map, variants
from judge.notation.order_text import write_order
from judge.reading.policy import Status
from judge.reading.reader import read_text
from judge.reading.world import world_of
from judge.rules.board import Map, Terrain
from judge.rules.types import (
    DislodgedUnit,
    Location,
    PhaseKind,
    Position,
    Power,
    Province,
    Season,
    Unit,
    UnitKind,
    province_of,
)

POWERS_EACH = 2
UNDERSTOOD_MIN = 0.9  # with offers, over all boards, of each kind of order
SENTENCES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "hold": {
        "en": ("The {kind} in {start} stays where it is.", "{start} holds."),
        "de": ("Die {kind} in {start} bleibt stehen.", "{start} hält."),
        "fr": ("La {kind} de {start} ne bouge pas.", "{start} tient."),
    },
    "move": {
        "en": ("The {kind} in {start} goes to {end}.", "I move {start} to {end}."),
        "de": ("Die {kind} aus {start} zieht nach {end}.", "Ich schicke {start} nach {end}."),
        "fr": ("La {kind} de {start} va en {end}.", "J'envoie {start} en {end}."),
    },
    "support": {
        "en": (
            "{helper} supports the attack of {start} on {end}.",
            "{helper} helps {start} to {end}.",
        ),
        "de": ("{helper} unterstützt {start} nach {end}.",),
        "fr": ("{helper} soutient {start} vers {end}.",),
    },
    "convoy": {
        "en": ("The fleet in {sea} convoys the army in {start} to {end}.",),
        "de": ("Die Flotte {sea} transportiert die Armee aus {start} nach {end}.",),
        "fr": ("La flotte de {sea} convoie l'armée de {start} vers {end}.",),
    },
    "retreat": {
        "en": ("The {kind} in {start} retreats to {end}.", "{start} falls back to {end}."),
        "de": ("{start} zieht sich nach {end} zurück.", "{start} weicht nach {end} aus."),
        "fr": ("La {kind} de {start} se retire en {end}.", "{start} recule en {end}."),
    },
    "disband": {
        "en": ("I disband the {kind} in {start}.", "{start} is disbanded."),
        "de": ("Ich löse die {kind} in {start} auf.", "{start} wird aufgelöst."),
        "fr": ("Je dissous la {kind} de {start}.", "{start} est dissoute."),
    },
    "build": {
        "en": ("I build an army in {start}.", "Please build me an army in {start}."),
        "de": ("Ich baue eine Armee in {start}.", "Bitte eine neue Armee in {start} bauen."),
        "fr": (
            "Je construis une armée à {start}.",
            "Une nouvelle armée à {start}, s'il vous plaît.",
        ),
    },
    "waive": {
        "en": ("I waive my build.", "No build for me."),
        "de": ("Ich verzichte auf meinen Aufbau.",),
        "fr": ("Je renonce à ma construction.",),
    },
}
KINDS = {
    "en": {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"},
    "de": {UnitKind.ARMY: "Armee", UnitKind.FLEET: "Flotte"},
    "fr": {UnitKind.ARMY: "armée", UnitKind.FLEET: "flotte"},
}


@dataclass(frozen=True)
class Ordered:
    """An order, its *frame*, the *position* in which it can be given, and names for its places."""

    frame: str
    position: Position
    meant: str
    implied: str = ""
    kind: UnitKind = UnitKind.ARMY
    start: Province = ""
    end: Province = ""
    helper: Province = ""
    sea: Province = ""


@pytest.mark.parametrize("frame", SENTENCES)
@pytest.mark.parametrize(
    "boards",
    [
        pytest.param(variants()[::6], marks=pytest.mark.sample),
        pytest.param(variants(), marks=pytest.mark.gate),
    ],
    ids=len,
)
def test_each_kind_of_order_is_understood_on_every_board(
    frame: str, boards: Sequence[str]
) -> None:
    seen: Counter[bool] = Counter()
    lost = []
    for name in boards:
        board = load_map(name)
        for power in board.players[:POWERS_EACH]:
            for ordered in (each for each in orders_of(board, power) if each.frame == frame):
                here = world_of(board, ordered.position, power)
                for text in sentences(board, ordered):
                    found = read_text(text, here).orders
                    plain = {write_order(o.order) for o in found if o.status is Status.PLAIN}
                    shown = {write_order(order) for o in found for order in o.orders}
                    assert plain <= {ordered.meant, ordered.implied}, (name, text)
                    seen[ordered.meant in shown] += 1
                    lost += [] if ordered.meant in shown else [(name, text, shown)]

    assert seen[True] >= UNDERSTOOD_MIN * seen.total(), lost


def sentences(board: Map, ordered: Ordered) -> Iterator[str]:
    for language, forms in SENTENCES[ordered.frame].items():
        places = ("start", "end", "helper", "sea")
        names = {
            place: name_of(board, language, province_of(getattr(ordered, place)))
            for place in places
        }
        for form in forms:
            yield form.format(kind=KINDS[language][ordered.kind], **names)


def orders_of(board: Map, power: Power) -> Iterator[Ordered]:
    """Yield an order of each kind for *power*, if the board has a place for it."""
    position = in_spring(board)
    own = position.units_of(power)
    unit = next((each for each in own if targets(board, each)), None)
    if unit is None:
        return
    ends = targets(board, unit)
    named = f"{unit}"
    of_unit = partial(Ordered, kind=unit.kind, start=unit.province)
    yield of_unit("hold", position, f"{named} H")
    for end in ends[:2]:
        yield of_unit("move", position, f"{named} - {end}", end=end)
        helper = next((u for u in own if u is not unit and end in targets(board, u)), None)
        if helper:
            meant = f"{helper} S {named} - {end}"
            yield of_unit("support", position, meant, end=end, helper=helper.province)
    yield from convoys(board, power, position)
    others = tuple(each for each in position.units if each is not unit)
    driven = DislodgedUnit(unit, ends[-1], attacker_convoyed=False, retreats=tuple(ends[:2]))
    in_retreats = replace(
        position,
        phase=replace(position.phase, kind=PhaseKind.RETREATS),
        units=others,
        dislodged=(driven,),
    )
    yield of_unit("retreat", in_retreats, f"{named} R {ends[0]}", end=ends[0])
    yield of_unit("disband", in_retreats, f"{named} D")
    winter = replace(position.phase, season=Season.WINTER, kind=PhaseKind.ADJUSTMENTS)
    removing = replace(position, phase=winter, builds={power: -1})
    yield of_unit("disband", removing, f"{named} D")
    building = replace(position, phase=winter, builds={power: 1}, units=others)
    yield Ordered("waive", building, "WAIVE")
    sites = world_of(board, building, power).sites
    for site in sorted(each for each in sites if board.places[each].terrain is not Terrain.SEA)[
        :1
    ]:
        yield Ordered("build", building, f"A {site} B", start=site)


def convoys(board: Map, power: Power, position: Position) -> Iterator[Ordered]:
    taken = {each.province for each in position.units}
    for army in (each for each in position.units_of(power) if each.kind is UnitKind.ARMY):
        for sea in sorted(board.fleet.get(army.location, ())):
            at_sea = board.places[province_of(sea)].terrain is Terrain.SEA
            if not at_sea or province_of(sea) in taken:
                continue
            coasts = sorted(
                coast
                for coast in board.fleet.get(sea, ())
                if board.places[province_of(coast)].terrain is Terrain.COAST
                and coast not in (army.location, *board.army.get(army.location, ()))
                and not board.coasts_of(province_of(coast))
            )
            if coasts:
                fleet = Unit(power, UnitKind.FLEET, sea)
                at = replace(position, units=tuple(sorted((*position.units, fleet), key=str)))
                meant = f"{fleet} C {army} - {coasts[0]}"
                sail = partial(Ordered, start=army.province, end=coasts[0], sea=sea)
                yield sail("convoy", at, meant, f"{army} - {coasts[0]}")
                return


def in_spring(board: Map) -> Position:
    """Return the start; on boards that start with builds, with an army in each home center."""
    if board.start.phase.kind is PhaseKind.MOVEMENT:
        return board.start
    phase = replace(board.start.phase, season=Season.SPRING, kind=PhaseKind.MOVEMENT)
    units = [
        Unit(power, UnitKind.ARMY, home)
        for power in board.players
        for home in board.homes_of(power)
    ]
    return replace(board.start, phase=phase, units=tuple(units), builds={})


def targets(board: Map, unit: Unit) -> list[Location]:
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    near = {province_of(each) for each in borders.get(unit.location, ())}
    return sorted(each for each in near if not board.coasts_of(each))


def name_of(board: Map, language: str, place: Province) -> str:
    if not place:
        return ""
    tongue = board.tongues.get(language)
    if tongue and place in tongue.places:
        return tongue.places[place]["name"]
    return board.places[place].name
