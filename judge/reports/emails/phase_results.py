"""The results email of a phase, as each reader may see it, and the centers at the year end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar, assert_never

from judge.checkpoints import ClosingEvent
from judge.game import payloads
from judge.game.game_state import Ending, Game
from judge.game.phases import PhaseClosed
from judge.game.submission import ordered_province
from judge.game.visibility import Observer, Player, Reader, is_board_hidden, position_seen
from judge.reports.board_names import with_owners_named
from judge.reports.emails import contexts, order_status
from judge.reports.emails.order_status import OrderRejected, OrdersDue, OrderStatus, OrderTaken
from judge.rules import outcomes, types
from judge.rules.board import Map
from judge.rules.reasons import Reason, Reasons, Removal, explain_removals


@dataclass(frozen=True, slots=True)
class Dislodgement:
    """A dislodged unit and where it can go; with no such place it was destroyed."""

    unit: types.Unit
    retreats: tuple[types.Location, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedResults:
    """The results of the phase *closed*, for all readers who see the same units.

    Templates render them once for all these readers, in the *heading* of the game. *orders* are
    the outcomes by power, *units* by province, *failures* the reasons to show, *paradoxes* those
    of convoys. *unused* counts builds that were due and not made, *removed* explains automatic
    removals. *stood* is the position before the phase, *stand* after it. At a year's end,
    *centers* are those of each power by year. *was_due* is the old deadline. *head* is the hash of
    the log. *again* says that earlier results of the phase no longer count.
    """

    heading: contexts.Heading
    closed: types.Phase
    orders: Mapping[types.Power, tuple[outcomes.Outcome, ...]]
    units: Mapping[types.Province, outcomes.Outcome]
    failures: tuple[Reason, ...]
    paradoxes: tuple[outcomes.Paradox, ...]
    unused: Mapping[types.Power, int]
    removed: tuple[Removal, ...]
    nmr: tuple[types.Power, ...]
    driven_out: tuple[Dislodgement, ...]
    stood: types.Position
    stand: types.Position
    was_due: datetime | None
    year_end: YearEnd | None
    centers: Mapping[int, Mapping[types.Power, int]]
    ending: Ending | None
    viewed: tuple[str, ...]
    again: bool
    commitments: Mapping[types.Power, order_status.Commitment]
    closing: ClosingEvent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseResults(contexts.Context):
    """The results of a phase, and the orders for the next, unless the game is over.

    *reader* is the power of the reader, if they play. *duty* is what they have to order next,
    *given* their orders for it sent in advance, *unfit* those that no longer fit.
    """

    shared: SharedResults
    reader: types.Power | None = None
    duty: OrdersDue | None = None
    given: tuple[OrderTaken, ...] = ()
    unfit: tuple[OrderRejected, ...] = ()

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return order_status.order_form(self.heading, self.duty)

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        closed, was_due = self.shared.closed.code, self.shared.was_due
        return contexts.open_deadline(self.heading) or contexts.cancelled_deadline(
            closed, was_due, now
        )


NO_CENTER_COUNTS: Mapping[int, Mapping[types.Power, int]] = {}


def phase_results(  # noqa: PLR0913 - it joins two phases, and each reader has their own duty
    board: Map,
    before: Game,
    closed: PhaseClosed,
    after: Game,
    reader: types.Power | None,
    *,
    judge_code: str,
    closing: ClosingEvent | None = None,
    centers: Mapping[int, Mapping[types.Power, int]] = NO_CENTER_COUNTS,
    eyes: Reader | None = None,
) -> PhaseResults:
    """Report the phase *closed*, and the orders due from *reader* in the next.

    All of it is public from now on, except the orders due. *centers* are those of each power by
    year. In a blind game it has what *eyes* see: by default, a player or an observer.
    """
    shared = shared_results(
        board, before, closed, after, judge_code=judge_code, closing=closing, centers=centers
    )
    return results_for_reader(board, after, shared, reader, eyes)


def results_for_reader(
    board: Map,
    after: Game,
    shared: SharedResults,
    reader: types.Power | None,
    eyes: Reader | None = None,
) -> PhaseResults:
    """Add to *shared* results the orders due from *reader*, and hide what *eyes* do not see."""
    assert after.position is not None, "a game that has begun has a position"
    seen = visible_results(
        board, after, shared, eyes or (Player(reader) if reader else Observer())
    )
    if reader is None:
        return PhaseResults(heading=seen.heading, shared=seen)
    state = order_status.order_status_of(board, after, reader)
    return PhaseResults(
        heading=seen.heading,
        shared=seen,
        reader=reader,
        duty=order_status.orders_due_of(board, after.position, reader) if after.phase else None,
        given=_ordered_in_advance(state) if state else (),
        unfit=state.unfit if state else (),
    )


def shared_results(  # noqa: PLR0913 - it joins two phases
    board: Map,
    before: Game,
    closed: PhaseClosed,
    after: Game,
    *,
    judge_code: str,
    closing: ClosingEvent | None = None,
    centers: Mapping[int, Mapping[types.Power, int]] = NO_CENTER_COUNTS,
) -> SharedResults:
    """Report the phase without hiding anything."""
    assert before.position is not None, "a phase that was closed had been opened"
    assert before.phase is not None, "a phase that was closed had been opened"
    assert after.position is not None, "a game that has begun has a position"
    position = payloads.position_from_payload(closed.after)
    all_outcomes = _outcomes(before.position, closed)
    paradoxes = tuple(map(payloads.paradox_from_payload, closed.paradoxes or ()))
    disbanded = units_disbanded(before.position, all_outcomes)
    reasons = Reasons(all_outcomes, paradoxes, disbanded, before.rulebook)
    moved = before.position.phase.kind is types.PhaseKind.MOVEMENT
    ends = is_year_end(board, before.position, position)
    return SharedResults(
        heading=contexts.heading_of(board, after, judge_code),
        closed=before.position.phase,
        orders=_by_power(board, all_outcomes),
        units=reasons.units,
        failures=tuple(reasons.of(each) for each in all_outcomes if needs_reason(each)),
        paradoxes=paradoxes,
        unused=_unused_builds(board, before.position, all_outcomes),
        removed=explain_removals(
            board,
            before.position,
            _units_removed(before.position, closed),
            position,
            before.rulebook,
        ),
        nmr=tuple(power for power in board.powers if power in closed.nmr),
        driven_out=_dislodgements(before.position, all_outcomes) if moved else (),
        stood=before.position,
        stand=position,
        was_due=before.phase.deadline,
        year_end=year_end(board, position, before.position) if ends else None,
        centers=centers if ends else {},
        ending=after.ending,
        viewed=before.phase.viewed,
        again=closed.phase in before.replayed,
        commitments=_commitments(board, closed),
        closing=closing,
    )


def _ordered_in_advance(state: OrderStatus) -> tuple[OrderTaken, ...]:
    """Return the orders given in advance that still fit."""
    unfit = {ordered_province(each.order) for each in state.unfit}
    return tuple(each for each in state.standing if ordered_province(each.order) not in unfit)


def needs_reason(outcome: outcomes.Outcome) -> bool:
    """Return whether the order failed or its unit was dislodged."""
    match outcome.verdict:
        case (
            outcomes.Illegal()
            | outcomes.Invalid()
            | outcomes.Fails()
            | outcomes.Cut()
            | outcomes.Disrupted()
        ):
            return True
        case outcomes.Stands() | outcomes.Succeeds() | outcomes.Given() | outcomes.Available():
            return outcome.fate is not None
        case _:
            assert_never(outcome.verdict)


def _outcomes(position: types.Position, closed: PhaseClosed) -> tuple[outcomes.Outcome, ...]:
    """Return the outcome of each order, with foreign units named by owner."""
    read = payloads.outcomes_from_payloads(closed.verdicts)
    named = ((each, _order_as_carried_out(each, position)) for each in read)
    return tuple(
        each if order is each.order else replace(each, order=order) for each, order in named
    )


def _order_as_carried_out(outcome: outcomes.Outcome, position: types.Position) -> types.Order:
    """Name the units of the order, and the seas over which its army was carried."""
    fault = outcome.verdict.why if isinstance(outcome.verdict, outcomes.Illegal) else None
    order = with_owners_named(outcome.order, position, outcome.power, fault)
    match order, outcome.verdict:
        case types.Move(), outcomes.Succeeds(route=route) if route:
            return replace(order, route=route)
        case _:
            return order


def _by_power(
    board: Map, all_outcomes: Iterable[outcomes.Outcome]
) -> Mapping[types.Power, tuple[outcomes.Outcome, ...]]:
    given = {
        power: tuple(each for each in all_outcomes if each.power == power)
        for power in board.powers
    }
    return {power: orders for power, orders in given.items() if orders}


def _dislodgements(
    position: types.Position, all_outcomes: Iterable[outcomes.Outcome]
) -> tuple[Dislodgement, ...]:
    units = {unit.province: unit for unit in position.units}
    return tuple(
        Dislodgement(
            units[each.order.unit.province],
            each.fate.retreats if isinstance(each.fate, outcomes.Dislodged) else (),
        )
        for each in all_outcomes
        if each.fate and not isinstance(each.order, types.Waive)
    )


def _unused_builds(
    board: Map, position: types.Position, all_outcomes: Iterable[outcomes.Outcome]
) -> Mapping[types.Power, int]:
    """Count the builds due that a power neither made nor waived."""
    if position.phase.kind is not types.PhaseKind.ADJUSTMENTS:
        return {}
    owed = {power: position.due(power) for power in board.powers}
    for each in all_outcomes:
        if isinstance(each.order, types.Build | types.Waive) and isinstance(
            each.verdict, outcomes.Succeeds
        ):
            owed[each.power] -= 1
    return {power: number for power, number in owed.items() if number > 0}


def units_disbanded(
    position: types.Position, all_outcomes: Iterable[outcomes.Outcome]
) -> tuple[types.Unit, ...]:
    """Return the dislodged units that did not retreat."""
    fled = {
        each.order.unit.province
        for each in all_outcomes
        if isinstance(each.order, types.Retreat) and isinstance(each.verdict, outcomes.Succeeds)
    }
    units = (each.unit for each in position.dislodged)
    return tuple(unit for unit in units if unit.province not in fled)


def _units_removed(position: types.Position, closed: PhaseClosed) -> tuple[types.Unit, ...]:
    """Return the units that civil disorder removed, written `TURKEY A CON`."""
    return tuple(unit for unit in position.units if f"{unit.power} {unit}" in closed.removed)


def is_year_end(board: Map, before: types.Position, after: types.Position) -> bool:
    """Return whether the centers were counted between the two."""
    return board.calendar.counts_between(before.phase, after.phase)


def _commitments(board: Map, closed: PhaseClosed) -> Mapping[types.Power, order_status.Commitment]:
    made = {
        power: payloads.get_payload(closed.commitments, power)
        for power in board.powers
        if power in closed.commitments
    }
    return {
        power: order_status.Commitment(
            payloads.get_text(each, "digest"),
            payloads.get_text(each, "nonce"),
            closed.orders.get(power, ()),
        )
        for power, each in made.items()
    }


Held = TypeVar("Held")


def power_of_reader(reader: Reader) -> types.Power | None:
    """Return the power that *reader* plays."""
    return reader.power if isinstance(reader, Player) else None


def visible_results(
    board: Map, game: Game, results: SharedResults, reader: Reader
) -> SharedResults:
    """Return *results* of *game* as *reader* may see them."""
    if not is_board_hidden(game, reader):
        return results
    own = power_of_reader(reader)
    return replace(
        results,
        orders=_only_own(results.orders, own),
        units={place: each for place, each in results.units.items() if each.power == own},
        failures=(),
        paradoxes=(),
        unused=_only_own(results.unused, own),
        removed=tuple(each for each in results.removed if each.unit.power == own),
        driven_out=tuple(each for each in results.driven_out if each.unit.power == own),
        stood=position_seen(board, game, results.stood, reader),
        stand=position_seen(board, game, results.stand, reader),
        year_end=results.year_end and visible_year_end(results.year_end, own),
        centers={},
        commitments=_only_own(results.commitments, own),
    )


def visible_year_end(year_end: YearEnd, own: types.Power | None) -> YearEnd:
    """Return the part of *year_end* that the power *own* knows about itself."""
    return replace(
        year_end,
        owned=_only_own(year_end.owned, own),
        unowned=(),
        counts=tuple(each for each in year_end.counts if each.power == own),
        won=_only_own(year_end.won, own),
        lost=_only_own(year_end.lost, own),
    )


def _only_own(
    held: Mapping[types.Power, Held], own: types.Power | None
) -> dict[types.Power, Held]:
    return {power: each for power, each in held.items() if power == own}


@dataclass(frozen=True, slots=True)
class CenterCount:
    """The centers and units of a power after Fall; *due* are builds (+) or removals (-)."""

    power: types.Power
    centers: int
    units: int
    due: int


@dataclass(frozen=True, slots=True)
class YearEnd:
    """The owners of centers after Fall, and the builds and removals that follow.

    *won* and *lost* are the centers that changed hands in the year, by the powers concerned.
    """

    owned: Mapping[types.Power, tuple[types.Province, ...]]
    unowned: tuple[types.Province, ...]
    counts: tuple[CenterCount, ...]
    won: Mapping[types.Power, tuple[types.Province, ...]]
    lost: Mapping[types.Power, tuple[types.Province, ...]]


def year_end(
    board: Map, position: types.Position, before: types.Position | None = None
) -> YearEnd:
    """Count the centers and units of *position* by power; powers without either are left out.

    With the position *before*, it has the centers that changed hands.
    """
    alive = [
        power for power in board.powers if position.centers_of(power) or position.units_of(power)
    ]
    return YearEnd(
        owned={power: position.centers_of(power) for power in alive},
        unowned=tuple(center for center in board.centers if center not in position.owners),
        counts=tuple(
            CenterCount(
                power,
                centers=len(position.centers_of(power)),
                units=len(position.units_of(power)),
                due=position.due(power),
            )
            for power in alive
        ),
        won=_centers_gained(board, before, position) if before else {},
        lost=_centers_gained(board, position, before) if before else {},
    )


def _centers_gained(
    board: Map, before: types.Position, after: types.Position
) -> Mapping[types.Power, tuple[types.Province, ...]]:
    """Return the centers that powers own *after* and did not own *before*."""
    gained = {
        power: tuple(
            center for center in after.centers_of(power) if before.owners.get(center) != power
        )
        for power in board.powers
    }
    return {power: centers for power, centers in gained.items() if centers}


def centers_by_year(
    board: Map, positions: Iterable[types.Position]
) -> Mapping[int, Mapping[types.Power, int]]:
    """Count the centers at the end of each year, and of an unfinished last one.

    *positions* are those of each phase, in order.
    """
    year_of = board.calendar.year_counted
    held = {year_of(board.start.phase): Counter(board.start.owners.values())}
    for position in positions:
        if not position.owners:
            continue  # Some records do not tell who owned what.
        held[year_of(position.phase)] = Counter(position.owners.values())
    return held
