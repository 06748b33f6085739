"""Properties of adjudication for every position and every set of orders."""

from __future__ import annotations

from random import Random  # noqa: TID251 hypothesis draws the seeds

from hypothesis import example, given

from judge.rules.adjudication import adjudicate
from judge.rules.legality import completed_order, impossibility
from judge.rules.outcomes import (
    Adjudication,
    Destroyed,
    Fails,
    HeadOn,
    HeldOff,
    Illegal,
    Outcome,
    Stands,
    StoodOff,
    Succeeds,
)
from judge.rules.phase_sequence import duties
from judge.rules.reasons import Reasons
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Order,
    PhaseKind,
    Position,
    Power,
    Retreat,
    SupportMove,
    UnitKind,
    UnitName,
)
from tests.properties.conflicts import (
    BOARD,
    NONSENSE,
    Fight,
    any_sets,
    fights,
    rulebooks,
    seeds,
    with_hard_cases,
)
from tests.properties.random_positions import Orders, crowd, name, tangle

PHASES_A_GAME = 20


@with_hard_cases()
@given(fights, rulebooks)
def test_every_unit_stands_alone_waits_to_retreat_or_is_destroyed(
    built: Fight, rulebook: Rulebook
) -> None:
    result = adjudicate(BOARD, *built, rulebook)

    standing = result.after.units
    destroyed = [each for each in told(result) if isinstance(each.fate, Destroyed)]
    assert len({unit.province for unit in standing}) == len(standing)
    assert len(standing) + len(result.after.dislodged) + len(destroyed) == len(built[0].units)
    assert not result.contested & {unit.province for unit in standing}


@with_hard_cases()
@given(fights, rulebooks)
def test_no_power_dislodges_its_own_unit(built: Fight, rulebook: Rulebook) -> None:
    powers = {unit.province: unit.power for unit in built[0].units}

    for outcome in told(adjudicate(BOARD, *built, rulebook)):
        assert outcome.fate is None or powers[outcome.fate.by] != outcome.power


@with_hard_cases()
@given(fights, rulebooks)
def test_the_greater_of_the_strengths_that_are_told_wins_or_it_is_said_why_not(
    built: Fight, rulebook: Rulebook
) -> None:
    result = adjudicate(BOARD, *built, rulebook)
    reasons = Reasons(told(result), result.paradoxes, result.disbanded, rulebook)

    for outcome in told(result):
        reason = reasons.of(outcome)
        if conflict := reason.conflict:
            defense = (conflict.defense,) if conflict.defense else ()
            against = max((each.total for each in (*conflict.attacks, *defense)), default=0)
            own = conflict.strength.total
            match outcome.verdict:
                case Stands() if outcome.fate:
                    assert against > own
                case Stands():
                    assert (against > own) == bool(reason.protections)
                case Fails(StoodOff() | HeldOff() | HeadOn()):
                    assert (own > against) == bool(reason.barred)
                case Succeeds():
                    assert own > against
                case _:
                    pass


@with_hard_cases()
@given(fights, rulebooks)
def test_a_move_and_the_supports_that_do_not_count_for_it_cite_the_same_case(
    built: Fight, rulebook: Rulebook
) -> None:
    result = adjudicate(BOARD, *built, rulebook)
    reasons = Reasons(told(result), result.paradoxes, result.disbanded, rulebook)

    for support in told(result):
        reason = reasons.of(support)
        if isinstance(support.order, SupportMove) and reason.barred and not reason.spared:
            move = reasons.of(reasons.units[support.order.supported.province])
            assert reason.rule.section == "IX.3"
            assert reason.rule == move.rule or move.rule.section != "IX.3"


@with_hard_cases()
@given(fights, rulebooks)
def test_an_order_that_is_completed_means_the_same(built: Fight, rulebook: Rulebook) -> None:
    position, orders = built
    read = {
        power: [completed_order(BOARD, position, order, rulebook) for order in several]
        for power, several in orders.items()
    }

    as_written = adjudicate(BOARD, position, orders, rulebook)
    as_understood = adjudicate(BOARD, position, read, rulebook)

    assert as_written.after == as_understood.after


@example(NONSENSE, Random(1))  # noqa: S311 no secret
@given(any_sets, seeds)
def test_a_whole_game_goes_on_with_any_orders(
    nonsense: dict[Power, list[Order]], chance: Random
) -> None:
    position = BOARD.start
    for _ in range(PHASES_A_GAME):
        result = adjudicate(BOARD, position, nonsense | sensible(chance, position))

        check_the_next(position, result)
        position = result.after


@example(NONSENSE, Random(1))  # noqa: S311 no secret
@given(any_sets, seeds)
def test_illegal_alone_is_illegal_among_others(
    orders: dict[Power, list[Order]], chance: Random
) -> None:
    position = crowd(BOARD, chance, 20)

    for outcome in adjudicate(BOARD, position, orders).outcomes:
        if why := impossibility(BOARD, position, outcome.power, outcome.order):
            assert outcome.verdict == Illegal(why)
        completed_order(BOARD, position, outcome.order)


def told(result: Adjudication) -> list[Outcome]:
    return [*result.outcomes, *result.unordered]


def sensible(chance: Random, position: Position) -> dict[Power, list[Order]]:
    """Return orders for what the phase requires; now and then a power gives none."""
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
