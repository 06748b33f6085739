"""Open and close phases, and find the orders that an open phase still waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import reduce
from typing import TypeAlias, assert_never

from judge.event_log import Event, Value
from judge.game import calendar, future_orders, payloads, submission, voting
from judge.game.absences import deadline_after_absences, excused_powers
from judge.game.game_state import Ending, Game, OpenPhase, SeatState, Stage
from judge.game.house_rules import Deadlines, DrawEffect
from judge.game.visibility import visible_fault, visible_provinces
from judge.game.voting import GameEnded, agreed_ending, expire_proposals
from judge.rules import types
from judge.rules.adjudication import RESOLVER_VERSION, adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Adjudication, Impossible
from judge.rules.phase_sequence import duties, has_choice, leaders, units_to_order, winner
from judge.rules.rulebook import rulebook_name


@dataclass(frozen=True, slots=True)
class PhaseRecorded(Event):
    """A phase was played elsewhere, and not adjudicated in this game.

    *position* is the board before it. *orders* have for each order its power, its text (None if it
    was not understood) and its results (None if they are not recorded); *results_told* says that
    any are. *removed* are units recorded as gone without an order. *by_law* says that the position
    is not recorded, but follows from the phase before by the rules.
    """

    phase: str
    position: Mapping[str, Value]
    orders: tuple[Mapping[str, Value], ...]
    results_told: bool
    removed: tuple[str, ...]
    by_law: bool


@dataclass(frozen=True, slots=True)
class PhaseOpened(Event):
    """Orders can be given. *number* counts the phases played, from 1; *position* is the board.

    *opened*, *deadline* and *grace_end* are instants.
    """

    phase: str
    number: int
    position: Mapping[str, Value]
    opened: str
    deadline: str
    grace_end: str


@dataclass(frozen=True, slots=True)
class PhaseClosed(Event):
    """The phase was adjudicated.

    *orders* are those adjudicated, by power; *verdicts* their results (as `judge.game.payloads`
    writes them); *paradoxes* the convoys whose success depended on themselves (None: not recorded
    then); *nmr* the powers without orders; *after* the position of the next phase that needs
    orders; *commitments* by power the digest and nonce of its set; *resolver* the version that
    adjudicated.
    """

    phase: str
    number: int
    orders: Mapping[str, tuple[str, ...]]
    verdicts: tuple[Mapping[str, Value], ...]
    paradoxes: tuple[Mapping[str, Value], ...] | None
    removed: tuple[str, ...]
    nmr: tuple[str, ...]
    after: Mapping[str, Value]
    commitments: Mapping[str, Value]
    rulebook: str
    resolver: str


PhaseEvent: TypeAlias = PhaseRecorded | PhaseOpened | PhaseClosed | GameEnded


OrderTexts: TypeAlias = Mapping[types.Power, tuple[str, ...]]


def open_phase(
    board: Map, game: Game, position: types.Position, number: int, now: datetime
) -> PhaseOpened:
    """Open the phase of *position*, the game's phase *number*."""
    rules = game.house_rules
    length = calendar.phase_length(position.phase.kind, number, rules)
    acting = (power for power in game.seats if has_choice(board, position, power))
    deadline = deadline_after_absences(game, calendar.deadline(now, length, rules), acting)
    return PhaseOpened(
        phase=position.phase.code,
        number=number,
        position=payloads.position_to_payload(position),
        opened=payloads.format_instant(now),
        deadline=payloads.format_instant(deadline),
        grace_end=payloads.format_instant(calendar.grace_end(deadline, rules)),
    )


def close_and_open_next(board: Map, game: Game, now: datetime) -> tuple[Event, ...]:
    """Adjudicate the open phase and open the next, unless the game is over.

    Phases without any choice are closed as well.
    """
    assert game.phase is not None, "a phase is closed once"
    assert game.position is not None
    closed = close_phase(board, game, game.position, game.phase)
    after = apply_phase_event(game, closed)
    ended = _ending_after(board, after, game.position.phase, now)
    if ended:
        return closed, ended
    lapsed = expire_proposals(after, closed.phase)
    if any(isinstance(each, GameEnded) for each in lapsed):
        return closed, *lapsed
    assert after.position is not None
    opened = open_phase(board, game, after.position, game.phase.number + 1, now)
    open_now = apply_phase_event(after, opened)
    given = tuple(
        future_orders.submit_planned_orders(
            board, replace(open_now, plans=game.plans), opened.phase, opened=opened.opened
        )
    )
    begun = reduce(submission.apply_submission, given, open_now)
    needs = missing_orders(board, begun)
    assert needs is not None
    if needs.owed and not _is_judged_at_once(game, after.position):
        return closed, opened, *given, *lapsed
    return closed, opened, *given, *close_and_open_next(board, begun, now)


def _is_judged_at_once(game: Game, position: types.Position) -> bool:
    """Return whether the phase has no deadline of its own, so orders in advance count."""
    movement = position.phase.kind is types.PhaseKind.MOVEMENT
    return game.house_rules.deadlines is Deadlines.MOVEMENT and not movement


def close_phase(board: Map, game: Game, position: types.Position, phase: OpenPhase) -> PhaseClosed:
    """Adjudicate the orders given, and return the event with their outcomes."""
    needs = missing_orders(board, game)
    assert needs is not None
    orders = {power: phase.standing[power] for power in board.powers if power in phase.ordered}
    judged = adjudicate_orders(board, game, position, orders)
    return PhaseClosed(
        phase=position.phase.code,
        number=phase.number,
        orders=orders,
        verdicts=tuple(map(payloads.outcome_to_payload, (*judged.outcomes, *judged.unordered))),
        paradoxes=tuple(map(payloads.paradox_to_payload, judged.paradoxes)),
        removed=tuple(f"{unit.power} {unit}" for unit in judged.removed),
        nmr=() if _is_judged_at_once(game, position) else needs.missing,
        after=payloads.position_to_payload(judged.after),
        commitments={
            power: {
                "digest": submission.commit_orders(phase.nonces[power], texts),
                "nonce": phase.nonces[power],
            }
            for power, texts in orders.items()
        },
        rulebook=rulebook_name(game.rulebook),
        resolver=RESOLVER_VERSION,
    )


def adjudicate_orders(
    board: Map, game: Game, position: types.Position, orders: OrderTexts
) -> Adjudication:
    """Adjudicate *orders*, as the log holds them, by the rulebook of *game*."""
    read = {power: payloads.orders_from_texts(texts) for power, texts in orders.items()}
    return adjudicate(board, position, read, game.rulebook)


def _ending_after(board: Map, game: Game, phase: types.Phase, now: datetime) -> GameEnded | None:
    """Return the end of *game* after *phase*: on the board, in time, or by votes that waited."""
    assert game.position is not None
    solo = winner(board, game.position, game.house_rules.victory_centers)
    if solo:
        return GameEnded(phase.code, "solo", (solo,))
    last_year, end = game.house_rules.last_year, calendar.clock_end(game.house_rules, game.started)
    by_clock = end is not None and now >= end and _is_over(phase.year, game.position.phase)
    if by_clock or (last_year > 0 and _is_over(last_year, game.position.phase)):
        best = leaders(game.position)
        result = "solo" if len(best) == 1 else "draw"
        return GameEnded(phase.code, result, best, voting.BY_CLOCK if by_clock else None)
    waited = game.house_rules.draw_effect is DrawEffect.AT_CLOSE
    return agreed_ending(game, phase.code) if waited else None


def _is_over(year: int, next_phase: types.Phase) -> bool:
    """Return whether the turns of *year* are over when *next_phase* comes."""
    return next_phase >= types.Phase(types.WINTER, year, types.ADJUSTMENTS)


def apply_phase_event(game: Game, event: PhaseEvent) -> Game:
    """Return *game* after a phase opened, closed or was recorded, or after its end."""
    match event:
        case PhaseRecorded():
            return replace(game, position=payloads.position_from_payload(event.position))
        case PhaseOpened():
            position = payloads.position_from_payload(event.position)
            new_turn = position.phase.kind is types.PhaseKind.MOVEMENT  # which clears the votes
            return replace(
                game,
                position=position,
                started=game.started or payloads.parse_instant(event.opened),
                phase=OpenPhase(
                    number=event.number,
                    opened=payloads.parse_instant(event.opened),
                    deadline=payloads.parse_instant(event.deadline),
                    grace_end=payloads.parse_instant(event.grace_end),
                    waiting=game.waits.get(event.phase, frozenset()),
                    planned=future_orders.plans_for_phase(game, event.phase),
                ),
                plans=future_orders.plans_after(game, position.phase),
                waits={
                    c: who
                    for c, who in game.waits.items()
                    if types.Phase.parse(c) > position.phase
                },
                draw_votes=frozenset() if new_turn else game.draw_votes,
                draw_lists={} if new_turn else game.draw_lists,
                concessions={} if new_turn else game.concessions,
            )
        case PhaseClosed():
            moved = game.position and game.position.phase.kind is types.PhaseKind.MOVEMENT
            game = voting.count_down_proposals(game) if moved else game
            return replace(
                game, position=payloads.position_from_payload(event.after), phase=None, unread=()
            )
        case GameEnded():
            ending = Ending(event.result, event.winners, event.reason)
            return replace(game, stage=Stage.ENDED, phase=None, ending=ending, unread=())
        case _:
            assert_never(event)


def suppose_orders(board: Map, game: Game, orders: OrderTexts) -> tuple[PhaseClosed, Game]:
    """Adjudicate *orders* in the open phase of *game*, instead of its own; return the game after.

    No power is late in it, and nothing is promised.
    """
    assert game.phase is not None, "orders are for an open phase"
    assert game.position is not None
    nonces = dict.fromkeys(orders, "")
    phase = replace(game.phase, standing=orders, nonces=nonces, viewed=())
    supposed = replace(game, phase=phase)
    closed = close_phase(board, supposed, game.position, phase)
    closed = replace(closed, commitments={}, nmr=())
    return closed, apply_phase_event(supposed, closed)


UNCHECKED_FIELDS = frozenset(
    {
        "resolver",  # a later one must come to the same
        "rulebook",  # its name only, which may be another now; the choices are in `game_created`
    }
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of a recorded closing that comes out otherwise now."""

    field: str
    recorded: object
    computed: object


def verify_phase(board: Map, before: Game, closed: PhaseClosed) -> tuple[Difference, ...]:
    """Close the open phase of *before* again, and return the differences from *closed*."""
    if before.phase is None or before.position is None:
        return (Difference("phase", closed.phase, None),)
    again = close_phase(board, before, before.position, before.phase)
    compared = (each.name for each in fields(PhaseClosed) if each.name not in UNCHECKED_FIELDS)
    found = (Difference(name, getattr(closed, name), getattr(again, name)) for name in compared)
    recorded = (each for each in found if each.recorded is not None)  # an older log tells less
    return tuple(each for each in recorded if each.recorded != each.computed)


@dataclass(frozen=True, slots=True)
class MissingOrders:
    """The orders that an open phase of *game* waits for.

    A power in `owed` must act; in `missing` it gave no orders; in `late` it also has a player; in
    `unexcused` that player is not away with leave. Those `unexcused` at the end of grace are NMR.
    """

    board: Map
    game: Game
    position: types.Position
    phase: OpenPhase
    owed: dict[types.Power, int]  # how many orders each power must give that the phase needs

    @property
    def missing(self) -> tuple[types.Power, ...]:
        """Return the powers that have given no orders."""
        return tuple(power for power in self.owed if power not in self.phase.ordered)

    @property
    def late(self) -> tuple[types.Power, ...]:
        """Return the powers with a player but no orders."""
        seats = self.game.seats
        return tuple(p for p in self.missing if seats[p].state is SeatState.PLAYED)

    @property
    def unexcused(self) -> tuple[types.Power, ...]:
        """Return the late powers whose players have not announced an absence."""
        away = excused_powers(self.game, self.late, self.phase.deadline)
        return tuple(power for power in self.late if power not in away)

    @property
    def all_in(self) -> bool:
        """Return whether there is nothing more to wait for."""
        return all(self.is_in(power) for power in self.owed)

    def is_in(self, power: types.Power) -> bool:
        """Return whether *power* has given all its orders, all possible, and is ready if asked."""
        orders = payloads.orders_from_texts(self.phase.standing.get(power, ()))
        ready = not self.game.house_rules.need_ready or power in self.phase.ready
        enough = ready and self._enough(power, orders) and self._possible(power, orders)
        return enough and not unfit_planned_orders(self.board, self.game, power)

    def _enough(self, power: types.Power, orders: tuple[types.Order, ...]) -> bool:
        """Return whether there is an order for each unit, or as many as are due that count."""
        rulebook, given = self.game.rulebook, tuple(enumerate(orders))
        counting = len(orders) - len(
            submission.excess_adjustments(self.board, self.position, rulebook, power, given)
        )
        ordered = {submission.ordered_province(order) for order in orders}
        asked_for = {unit.province for unit in units_to_order(self.position, power)}
        return counting >= self.owed[power] and asked_for <= ordered

    def _possible(self, power: types.Power, orders: tuple[types.Order, ...]) -> bool:
        visible = visible_provinces(self.board, self.game, self.position, power)
        rulebook = self.game.rulebook
        return not any(
            visible_fault(self.board, self.position, power, order, rulebook, visible)
            for order in orders
        )


def unfit_planned_orders(
    board: Map, game: Game, power: types.Power
) -> tuple[tuple[types.Order, Impossible], ...]:
    """Return the orders that *power* gave in advance of the open phase and that no longer fit.

    There are none once the power has sent others.
    """
    plan = game.phase.planned.get(power) if game.phase else None
    if plan is None or game.position is None:
        return ()
    rules, visible = game.house_rules, visible_provinces(board, game, game.position, power)
    policy = rules.impossible_orders
    update = submission.OrderSetUpdate(board, game.position, game.rulebook, policy, power, visible)
    return future_orders.unfit_wishes(update, plan)


def missing_orders(
    board: Map, game: Game, powers: Iterable[types.Power] | None = None
) -> MissingOrders | None:
    """Return the orders that the open phase waits for, None if none is open.

    They are those of *powers*, or of all.
    """
    if game.phase is None or game.position is None:
        return None
    owed = {
        power: count
        for power, count in duties(board, game.position, powers).items()
        if game.seats[power].state is not SeatState.CIVIL_DISORDER
        and has_choice(board, game.position, power)
    }
    return MissingOrders(board, game, game.position, game.phase, owed)


def has_ordered_all(board: Map, game: Game, power: types.Power) -> bool:
    """Return whether the open phase needs nothing more from *power*."""
    needs = missing_orders(board, game, (power,))
    return needs is None or power not in needs.owed or needs.is_in(power)
