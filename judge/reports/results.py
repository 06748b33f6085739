"""The mail that closes a phase and opens the next."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from judge.game.orders.order_set_update import ordered_province
from judge.game.payloads import (
    get_payload,
    get_text,
    outcomes_from_payloads,
    paradox_from_payload,
    position_from_payload,
)
from judge.game.visibility import Observer, Player, Reader
from judge.reports.contexts import Commitment, DrivenOut, PhaseResults
from judge.reports.dark import in_sight
from judge.reports.duties import duty_of
from judge.reports.headings import heading_of
from judge.reports.names import as_seen
from judge.reports.states import state_of
from judge.reports.year_ends import year_end
from judge.rules.explanation.reasons import Reasons, explain_removals
from judge.rules.outcome import (
    Available,
    Cut,
    Dislodged,
    Disrupted,
    Fails,
    Given,
    Illegal,
    Invalid,
    Outcome,
    Stands,
    Succeeds,
)
from judge.rules.types import Build, Move, PhaseKind, Retreat, Season, Waive

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judge.game.game_state import Game
    from judge.game.phases import PhaseClosed
    from judge.reports.greetings import Heading
    from judge.reports.items import OrderTaken
    from judge.reports.standing import State
    from judge.rules.board import Map
    from judge.rules.types import Order, Position, Power, Unit

NOTHING_COUNTED: Mapping[int, Mapping[Power, int]] = {}


def results(  # noqa: PLR0913 - it joins two phases, and each reader has a duty of his own
    board: Map,
    before: Game,
    closed: PhaseClosed,
    after: Game,
    reader: Power | None,
    *,
    judge_code: str,
    head: str,
    centers: Mapping[int, Mapping[Power, int]] = NOTHING_COUNTED,
    eyes: Reader | None = None,
) -> PhaseResults:
    """Say what became of the phase *closed*, and what *reader* has to order in the next.

    All of it was secret until now and is public from now on, but for what the reader has to do.
    *centers* are those of each power by year. Of a blind game is told what *eyes* see, which are
    those of a player or an observer if nothing is said.
    """
    heading = heading_of(board, after, judge_code)
    told = _told(board, before, closed, after, reader, heading)
    told = replace(told, centers=centers if told.year_end else {}, head=head)
    return in_sight(board, after, told, eyes or (Player(reader) if reader else Observer()))


def _told(
    board: Map,
    before: Game,
    closed: PhaseClosed,
    after: Game,
    reader: Power | None,
    heading: Heading,
) -> PhaseResults:
    """Say everything that became of the phase."""
    assert before.position is not None, "a phase that was closed had been opened"
    assert before.phase is not None, "a phase that was closed had been opened"
    assert after.position is not None, "a game that has begun has a position"
    position = position_from_payload(closed.after)
    outcomes = _outcomes(board, before.position, closed)
    paradoxes = tuple(map(paradox_from_payload, closed.paradoxes or ()))
    disbanded = units_disbanded(before.position, outcomes)
    reasons = Reasons(outcomes, paradoxes, disbanded, before.rulebook)
    moved = before.position.phase.kind is PhaseKind.MOVEMENT
    ends = ends_year(before.position, position)
    state = state_of(board, after, reader) if reader else None
    return PhaseResults(
        heading=heading,
        closed=before.position.phase,
        orders=_by_power(board, outcomes),
        units=reasons.units,
        failures=tuple(reasons.of(each) for each in outcomes if wants_reason(each)),
        paradoxes=paradoxes,
        unused=_unused(board, before.position, outcomes),
        removed=explain_removals(
            board, before.position, _removed(before.position, closed), position, before.rulebook
        ),
        nmr=tuple(power for power in board.powers if power in closed.nmr),
        driven_out=_driven_out(before.position, outcomes) if moved else (),
        stood=before.position,
        stand=position,
        was_due=before.phase.deadline,
        year_end=year_end(board, position, before.position) if ends else None,
        centers={},
        duty=duty_of(board, after.position, reader) if reader and after.phase else None,
        given=_in_advance(state) if state else (),
        unfit=state.unfit if state else (),
        ending=after.ending,
        viewed=before.phase.viewed,
        again=closed.phase in before.replayed,
        commitments=_commitments(board, closed),
        head="",
    )


def _in_advance(state: State) -> tuple[OrderTaken, ...]:
    """Return what stands already, but for what no longer fits."""
    unfit = {ordered_province(each.order) for each in state.unfit}
    return tuple(each for each in state.standing if ordered_province(each.order) not in unfit)


def wants_reason(outcome: Outcome) -> bool:
    """Say whether the order did less than was meant, or its unit was driven out."""
    match outcome.verdict:
        case Illegal() | Invalid() | Fails() | Cut() | Disrupted():
            return True
        case Stands() | Succeeds() | Given() | Available():
            return outcome.fate is not None
        case _:
            assert_never(outcome.verdict)


def _outcomes(board: Map, position: Position, closed: PhaseClosed) -> tuple[Outcome, ...]:
    """Return what became of each order, foreign units named by owner."""
    read = outcomes_from_payloads(board, position.phase.kind, closed.verdicts)
    return tuple(replace(each, order=_as_done(each, position)) for each in read)


def _as_done(outcome: Outcome, position: Position) -> Order:
    """Name the units of the order, and the seas over which its army was carried."""
    fault = outcome.verdict.why if isinstance(outcome.verdict, Illegal) else None
    order = as_seen(outcome.order, position, outcome.power, fault)
    match order, outcome.verdict:
        case Move(), Succeeds(route=route) if route:
            return replace(order, route=route)
        case _:
            return order


def _by_power(board: Map, outcomes: Iterable[Outcome]) -> Mapping[Power, tuple[Outcome, ...]]:
    given = {
        power: tuple(each for each in outcomes if each.power == power) for power in board.powers
    }
    return {power: orders for power, orders in given.items() if orders}


def _driven_out(position: Position, outcomes: Iterable[Outcome]) -> tuple[DrivenOut, ...]:
    units = {unit.province: unit for unit in position.units}
    return tuple(
        DrivenOut(
            units[each.order.unit.province],
            each.fate.retreats if isinstance(each.fate, Dislodged) else (),
        )
        for each in outcomes
        if each.fate and not isinstance(each.order, Waive)
    )


def _unused(board: Map, position: Position, outcomes: Iterable[Outcome]) -> Mapping[Power, int]:
    """Count the builds due that a power neither made nor waived."""
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    owed = {power: position.due(power) for power in board.powers}
    for each in outcomes:
        if isinstance(each.order, Build | Waive) and isinstance(each.verdict, Succeeds):
            owed[each.power] -= 1
    return {power: number for power, number in owed.items() if number > 0}


def units_disbanded(position: Position, outcomes: Iterable[Outcome]) -> tuple[Unit, ...]:
    """Return the dislodged units that did not get away."""
    fled = {
        each.order.unit.province
        for each in outcomes
        if isinstance(each.order, Retreat) and isinstance(each.verdict, Succeeds)
    }
    units = (each.unit for each in position.dislodged)
    return tuple(unit for unit in units if unit.province not in fled)


def _removed(position: Position, closed: PhaseClosed) -> tuple[Unit, ...]:
    """Return the units that civil disorder took off the board; it is written `TURKEY A CON`."""
    return tuple(unit for unit in position.units if f"{unit.power} {unit}" in closed.removed)


def ends_year(before: Position, after: Position) -> bool:
    """Say whether the centers were counted between the two: after Fall and its retreats."""
    fall = before.phase.season is Season.FALL
    return fall and after.phase.kind is not PhaseKind.RETREATS


def _commitments(board: Map, closed: PhaseClosed) -> Mapping[Power, Commitment]:
    made = {
        power: get_payload(closed.commitments, power)
        for power in board.powers
        if power in closed.commitments
    }
    return {
        power: Commitment(
            get_text(each, "digest"), get_text(each, "nonce"), closed.orders.get(power, ())
        )
        for power, each in made.items()
    }
