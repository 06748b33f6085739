"""A year with two deadlines gives the same result as one with five, for the same choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeVar

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.game.future_orders import PlanOrders
from judge.game.game_state import Game
from judge.game.house_rules import Deadlines, HouseRules
from judge.game.phases import close_and_open_next
from judge.game.submission import SubmitOrders
from judge.notation.conditional_orders import ConditionalOrder
from judge.rules.board import Terrain
from judge.rules.calendar import STANDARD_CALENDAR
from judge.rules.phase_sequence import duties
from judge.rules.types import (
    Build,
    Disband,
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
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    province_of,
)
from tests.unit.game.table import BOARD, MONDAY, after, happened, opened

YEARS = 2
Item = TypeVar("Item")


@dataclass(frozen=True)
class Choices:
    """The preferences of a power in one season, for any result."""

    moves: tuple[Order, ...]
    retreats: Mapping[Province, tuple[Location, ...]]
    builds: tuple[UnitName, ...]
    removals: tuple[Province, ...]


@dataclass
class Chance:
    """Draws that follow from a *seed*."""

    seed: int
    drawn: int = 0

    def choice(self, items: Sequence[Item]) -> Item:
        self.drawn += 1
        digest = sha256(f"{self.seed} {self.drawn}".encode()).digest()
        return items[int.from_bytes(digest[:8]) % len(items)]

    def shuffled(self, items: Sequence[Item]) -> tuple[Item, ...]:
        left = list(range(len(items)))
        order = []
        while left:
            order.append(self.choice(left))
            left.remove(order[-1])
        return tuple(items[at] for at in order)


@settings(max_examples=10)
@example(seed=1)
@given(seed=st.integers(0, 2**32))
def test_two_deadlines_a_year_give_what_five_give(seed: int) -> None:
    compare(Chance(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_two_deadlines_a_year_give_what_five_give_in_the_same_games_each_time(seed: int) -> None:
    compare(Chance(seed))


@pytest.mark.slow
@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
def test_two_deadlines_a_year_give_what_five_give_in_many_games(seed: int) -> None:
    compare(Chance(seed))


def compare(chance: Chance) -> None:
    crowd = crowded(chance)
    five, two = opened(crowd), opened(crowd, HouseRules(deadlines=Deadlines.MOVEMENT))
    for _ in range(2 * YEARS):
        position = position_of(five)
        chosen = {power: choose(position, power, chance) for power in duties(BOARD, position)}
        five = played_in_turn(five, chosen)
        two = played_at_once(two, chosen)
        assert position_of(two) == position_of(five)


def crowded(chance: Chance) -> Position:
    """Set every other land under a unit and every center under an owner, of whatever power."""
    lands = [code for code, place in BOARD.places.items() if place.terrain is not Terrain.SEA]
    units = (
        Unit(chance.choice(BOARD.powers), UnitKind.ARMY, land) for land in chance.shuffled(lands)
    )
    owners = {center: chance.choice(BOARD.powers) for center in BOARD.start.owners}
    return replace(BOARD.start, units=tuple(units)[::2], owners=owners)


def choose(position: Position, power: Power, chance: Chance) -> Choices:
    units = position.units_of(power)
    moves = tuple(some_orders(position, units, chance))
    retreats = {unit.province: chance.shuffled(near(unit)) for unit in units}
    provinces = chance.shuffled(sorted(BOARD.places))
    return Choices(moves, retreats, chance.shuffled(list(buildable(power))), provinces)


def played_in_turn(game: Game, chosen: Mapping[Power, Choices]) -> Game:
    """Close a movement phase, then each later phase after all powers have ordered for it."""
    game = closed(ordered(game, {power: each.moves for power, each in chosen.items()}))
    while (position := position_of(game)).phase.kind is not PhaseKind.MOVEMENT:
        asked = [power for power in duties(BOARD, position) if power in chosen]
        game = closed(
            ordered(game, {power: picked(position, power, chosen[power]) for power in asked})
        )
    return game


def played_at_once(game: Game, chosen: Mapping[Power, Choices]) -> Game:
    """Close a movement phase with the later ones, for which all powers have sent lists."""
    phase = position_of(game).phase
    for power, each in chosen.items():
        lists = [
            tuple(Retreat(UnitName(None, origin), place) for place in places)
            for origin, places in each.retreats.items()
        ]
        wishes = tuple(ConditionalOrder(None, orders) for orders in lists if orders)
        game = planned(game, power, STANDARD_CALENDAR.following(phase), wishes)
        if phase.season is Season.FALL:
            removals = (Disband(UnitName(None, place)) for place in each.removals)
            adjustments: tuple[Order, ...] = (*map(Build, each.builds), *removals)
            winter = Phase(Season.WINTER, phase.year, PhaseKind.ADJUSTMENTS)
            game = planned(
                game, power, winter, tuple(ConditionalOrder(None, (a,)) for a in adjustments)
            )
    return closed(ordered(game, {power: each.moves for power, each in chosen.items()}))


def picked(position: Position, power: Power, choices: Choices) -> tuple[Order, ...]:
    """Return the preferred choices of a power that are allowed, as its player would choose."""
    if position.phase.kind is PhaseKind.RETREATS:
        return tuple(
            Retreat(name(each.unit), next(place for place in liked if place in each.retreats))
            for each in position.dislodged_of(power)
            if set(liked := choices.retreats[each.unit.province]) & set(each.retreats)
        )
    due = position.due(power)
    if due < 0:
        own = {unit.province for unit in position.units_of(power)}
        gone = [place for place in choices.removals if place in own][:-due]
        return tuple(Disband(UnitName(None, place)) for place in gone)
    free: dict[Province, UnitName] = {}
    for unit in choices.builds:
        taken = any(each.province == unit.province for each in position.units)
        if position.owners.get(unit.province) == power and not taken:
            free.setdefault(unit.province, unit)
    return tuple(Build(unit) for unit in [*free.values()][:due])


def some_orders(position: Position, units: Sequence[Unit], chance: Chance) -> Iterator[Order]:
    """Attack nearby units with all that can, or move or hold at random."""
    busy: set[Province] = set()
    for unit in units:
        helpers = [other for other in units if other.province not in busy and other != unit]
        targets = [place for place in near(unit) if occupied(position, place, unit.power)]
        if unit.province in busy:
            continue
        busy.add(unit.province)
        if not targets:
            yield Move(name(unit), chance.choice(near(unit)))
            continue
        target = chance.choice(targets)
        yield Move(name(unit), target)
        for other in helpers:
            if reaches(other, province_of(target)):
                busy.add(other.province)
                yield SupportMove(name(other), name(unit), target)


def occupied(position: Position, place: Location, power: Power) -> bool:
    """Return whether a unit of another power is in *place*."""
    return any(
        unit.province == province_of(place) and unit.power != power for unit in position.units
    )


def buildable(power: Power) -> Iterator[UnitName]:
    for home in BOARD.homes_of(power):
        yield UnitName(UnitKind.ARMY, home)
        if BOARD.places[home].terrain is Terrain.COAST:
            for coast in BOARD.coasts_of(home) or (home,):
                yield UnitName(UnitKind.FLEET, coast)


def near(unit: Unit) -> Sequence[Location]:
    borders = BOARD.army if unit.kind is UnitKind.ARMY else BOARD.fleet
    return sorted(borders[unit.location])


def reaches(unit: Unit, province: Province) -> bool:
    return any(province_of(place) == province for place in near(unit))


def ordered(game: Game, orders: Mapping[Power, tuple[Order, ...]]) -> Game:
    for power, given_orders in orders.items():
        if given_orders:
            submit = SubmitOrders(power, power.lower(), given_orders, MONDAY, "mail", "nonce")
            game = after(game, *happened(game, submit))
    return game


def planned(game: Game, power: Power, later: Phase, wishes: tuple[ConditionalOrder, ...]) -> Game:
    plan = PlanOrders(power, power.lower(), later, wishes, MONDAY, "mail", "nonce")
    return after(game, *happened(game, plan)) if wishes else game


def closed(game: Game) -> Game:
    return after(game, *close_and_open_next(BOARD, game, MONDAY))


def position_of(game: Game) -> Position:
    assert game.position is not None
    return game.position


def name(unit: Unit) -> UnitName:
    return UnitName(unit.kind, unit.location)
