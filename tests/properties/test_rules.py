"""What holds for every position and every set of orders."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random  # noqa: TID251 hypothesis draws the seeds

from hypothesis import given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.battle import Battle
from judge.rules.duties import duties
from judge.rules.legality import impossible, understood
from judge.rules.movement import Movement
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
from judge.rules.outcome import Destroyed, Illegal, Outcome
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.rulebook import DATC
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power, UnitKind
from tests.properties.boards import Orders, crowd, name, tangle

BOARD = load_map()
CROWDS = st.integers(min_value=2, max_value=34)
FEW = st.integers(min_value=2, max_value=9)  # 2 to the power of 9 is what we can try out
PHASES_A_GAME = 20

locations = st.sampled_from([*sorted(BOARD.locations), "XXX", "BRE/NC", ""])
names = st.builds(UnitName, st.sampled_from([*UnitKind, None]), locations)
any_orders = st.one_of(
    st.builds(Hold, names),
    st.builds(Move, names, locations, st.booleans()),
    st.builds(SupportHold, names, names),
    st.builds(SupportMove, names, names, locations),
    st.builds(Convoy, names, names, locations),
    st.builds(Retreat, names, locations),
    st.builds(Disband, names),
    st.builds(Build, names),
    st.just(Waive()),
)
any_sets = st.dictionaries(st.sampled_from(BOARD.powers), st.lists(any_orders, max_size=12))
seeds = st.integers(min_value=0, max_value=2**32).map(Random)


@given(seeds, CROWDS)
def test_every_unit_stands_alone_waits_to_retreat_or_is_destroyed(
    chance: Random, count: int
) -> None:
    position = crowd(BOARD, chance, count)
    result = adjudicate(BOARD, position, tangle(BOARD, chance, position))

    standing = result.after.units
    destroyed = [each for each in told(result) if isinstance(each.fate, Destroyed)]
    assert len({unit.province for unit in standing}) == len(standing)
    assert len(standing) + len(result.after.dislodged) + len(destroyed) == count
    assert not result.contested & {unit.province for unit in standing}


@given(seeds, CROWDS)
def test_nobody_dislodges_his_own(chance: Random, count: int) -> None:
    position = crowd(BOARD, chance, count)
    powers = {unit.province: unit.power for unit in position.units}

    for outcome in told(adjudicate(BOARD, position, tangle(BOARD, chance, position))):
        assert outcome.fate is None or powers[outcome.fate.by] != outcome.power


@given(seeds, CROWDS)
def test_neither_the_order_of_orders_nor_that_of_units_matters(chance: Random, count: int) -> None:
    position = crowd(BOARD, chance, count)
    orders = tangle(BOARD, chance, position)
    units = tuple(chance.sample(position.units, count))
    shuffled = {
        power: chance.sample(orders[power], len(orders[power]))
        for power in chance.sample(list(orders), len(orders))
    }

    one = adjudicate(BOARD, position, orders)
    other = adjudicate(BOARD, replace(position, units=units), shuffled)

    assert one.after == other.after
    assert set(one.outcomes) == set(other.outcomes)


@given(seeds, CROWDS)
def test_what_is_understood_means_the_same(chance: Random, count: int) -> None:
    position = crowd(BOARD, chance, count)
    orders = tangle(BOARD, chance, position)
    read = {
        power: [understood(BOARD, position, order) for order in several]
        for power, several in orders.items()
    }

    assert adjudicate(BOARD, position, orders).after == adjudicate(BOARD, position, read).after


@given(seeds, FEW)
def test_where_the_rules_have_one_answer_it_is_found(chance: Random, count: int) -> None:
    position = crowd(BOARD, chance, count)
    movement = Movement(matched(position, tangle(BOARD, chance, position)))
    battle = movement.battle
    carrying = {fleet for fleets in battle.fleets.values() for fleet in fleets}
    undecided = [
        unit
        for unit in range(count)
        if (battle.target[unit] and unit not in battle.void)
        or battle.aim[unit]
        or unit in carrying
    ]
    found = {unit: movement.decide(unit) for unit in undecided}

    consistent = []
    for answers in product((False, True), repeat=len(undecided)):
        supposed = dict(zip(undecided, answers, strict=True)) | dict.fromkeys(battle.void, False)
        setattr(movement, "decide", supposed.__getitem__)  # noqa: B010 it is a method
        if all(movement.judge(unit) == supposed[unit] for unit in undecided):
            consistent.append(supposed)

    assert len(consistent) != 1 or consistent == [found]


@given(any_sets, seeds)
def test_whatever_is_ordered_a_whole_game_goes_on(
    nonsense: dict[Power, list[Order]], chance: Random
) -> None:
    position = BOARD.start
    for _ in range(PHASES_A_GAME):
        result = adjudicate(BOARD, position, nonsense | sensible(chance, position))

        check_the_next(position, result)
        position = result.after


@given(any_sets, seeds)
def test_illegal_alone_is_illegal_among_others(
    orders: dict[Power, list[Order]], chance: Random
) -> None:
    position = crowd(BOARD, chance, 20)

    for outcome in adjudicate(BOARD, position, orders).outcomes:
        if why := impossible(BOARD, position, outcome.power, outcome.order):
            assert outcome.verdict == Illegal(why)
        understood(BOARD, position, outcome.order)


def told(result: Adjudication) -> list[Outcome]:
    return [*result.outcomes, *result.unordered]


def matched(position: Position, orders: Orders) -> Battle:
    scene = Scene(BOARD, position, DATC)
    return Battle(scene, orders)


def sensible(chance: Random, position: Position) -> dict[Power, list[Order]]:
    """Order what the phase asks for; now and then a power forgets."""
    orders = {power: list(each) for power, each in asked_for(chance, position).items()}
    return {power: each for power, each in orders.items() if chance.random() < 0.9}


def asked_for(chance: Random, position: Position) -> Orders:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return tangle(BOARD, chance, position)
        case PhaseKind.RETREATS:
            return {
                each.unit.power: [Retreat(name(each.unit), chance.choice(each.retreats))]
                for each in position.dislodged
            }
        case PhaseKind.ADJUSTMENTS:
            return {
                power: [Build(UnitName(UnitKind.ARMY, home)) for home in BOARD.homes_of(power)]
                for power in BOARD.powers
            }


def check_the_next(before: Position, result: Adjudication) -> None:
    after = result.after
    assert after.phase > before.phase
    assert duties(BOARD, after) or after.phase.kind is PhaseKind.MOVEMENT
    assert len(after.units) <= len(BOARD.centers)
    assert all(each.retreats for each in after.dislodged)
    if before.phase.kind is PhaseKind.ADJUSTMENTS:
        for power in BOARD.powers:
            assert len(after.units_of(power)) <= len(after.centers_of(power))
