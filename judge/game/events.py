"""All events of a game: their names in the log, upcasters, and their effect on its state.

Payloads are primitives. Powers are upper-case names, phases codes (`S1901M`), orders their
canonical text (`A PAR - BUR`), people random ids, emails the SHA-256 of their raw bytes, instants
ISO 8601 in UTC (`2026-11-27T20:00:00Z`). No event holds an address, a name, a password, a header
or a raw email. An event that must stay secret until the phase closes carries a *nonce*, so the
printed head of the log reveals nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias, TypeVar, cast, get_args

from judge.event_log import Codec, CodecError, Event, Json, Recorded, Row, Upcasters, unseal
from judge.game import (
    absences,
    deadlines,
    future_orders,
    moderator_actions,
    phases,
    press,
    rollback,
    submission,
    voting,
)
from judge.game.future_orders import OrdersPlanned
from judge.game.game_state import Game
from judge.game.payloads import get_texts, orders_from_texts
from judge.game.phases import PhaseClosed
from judge.game.players import creation, diaries, joining, seats, standbys
from judge.game.players.creation import GameCreated
from judge.game.rollback import GameRolledBack, GameRolledForward
from judge.game.submission import OrdersCleared, OrdersSubmitted
from judge.notation.order_text import UnreadableOrderError
from judge.rules.board import Map
from judge.rules.outcomes import word_of


def _add_paradoxes(closed: Json) -> Json:
    return {**closed, "paradoxes": None}


def _add_among(voted: Json) -> Json:
    return {**voted, "among": None}


def _add_signature(sent: Json) -> Json:
    as_told = {"signed": sent["sender"], "named": sent["recipients"]}
    return {**sent, **as_told, "postal": False, "thread": sent["message"]}


def _add_reason(ended: Json) -> Json:
    return {**ended, "reason": None}


def _add_minutes(asked: Json) -> Json:
    return {**asked, "minutes": 0}


UPCASTERS: Upcasters = MappingProxyType(
    {
        "phase_closed": (_add_paradoxes,),
        "draw_voted": (_add_among,),
        "game_ended": (_add_reason,),
        "extension_asked": (_add_minutes,),
        "press_sent": (_add_signature,),
    }
)


def replay(board: Map, recorded: Iterable[Recorded]) -> Game | None:
    """Return the game that a log describes, None if the log is empty."""
    start: Game | None = None
    return reduce(lambda game, each: evolve(board, game, each.event), recorded, start)


def evolve(board: Map, game: Game | None, event: Event) -> Game:
    """Return *game*, which is None before its first event, as *event* leaves it."""
    if isinstance(event, GameCreated):
        return creation.apply_created(event)
    assert game is not None, "a log begins with the creation of its game"
    after = APPLY[type(event)](board, game, event)
    return replace(after, version=game.version + 1)


Apply: TypeAlias = Callable[[Map, Game, Event], Game]
Applied = TypeVar("Applied", bound=Event)


def _with_board(
    union: object, apply: Callable[[Map, Game, Applied], Game]
) -> dict[type[Event], Apply]:
    """Return *apply* for each event of *union*, a class or several."""
    events = get_args(union) or (cast("type[Event]", union),)
    return dict.fromkeys(events, cast("Apply", apply))


def _each(union: object, apply: Callable[[Game, Applied], Game]) -> dict[type[Event], Apply]:
    def on_board(_: Map, game: Game, event: Applied) -> Game:
        return apply(game, event)

    return _with_board(union, on_board)


# What applies each event but the first; a test finds those that are missing.
APPLY: Mapping[type[Event], Apply] = MappingProxyType(
    {
        **_each(creation.BoardRecorded, creation.apply_board),
        **_with_board(creation.Origin, creation.apply_origin),
        **_with_board(joining.EntryEvent, joining.apply_entry),
        **_each(seats.SeatEvent, seats.apply_seat_event),
        **_each(standbys.StandbyEvent, standbys.apply_standby_event),
        **_each(phases.PhaseEvent, phases.apply_phase_event),
        **_each(submission.SubmissionEvent, submission.apply_submission),
        **_each(future_orders.OrdersPlanned, future_orders.apply_plan),
        **_each(deadlines.DeadlineEvent, deadlines.apply_deadline),
        **_each(deadlines.PauseEvent, deadlines.apply_pause),
        **_each(deadlines.ExtensionEvent, deadlines.apply_extension),
        **_each(absences.AbsenceEvent, absences.apply_absence),
        **_each(voting.VoteEvent, voting.apply_vote),
        **_each(voting.ProposalEvent, voting.apply_proposal_event),
        **_each(moderator_actions.ModeratorEvent, moderator_actions.apply_moderator_event),
        **_each(rollback.RollbackEvent, rollback.apply_rollback),
        **_each(press.PressSent, press.apply_press),
        **_each(diaries.DiaryEvent, diaries.apply_diary_event),
    }
)

EVENTS: tuple[type[Event], ...] = (GameCreated, *APPLY)
# Never rename an event: its name stands in the log of every game.
EVENT_TYPES = MappingProxyType({word_of(each): each for each in EVENTS})
CODEC = Codec(EVENT_TYPES, UPCASTERS)


def unreadable_event(rows: Iterable[Row]) -> int | None:
    """Return the version of the first event whose payload or orders cannot be read."""
    for row in rows:
        try:
            orders_from_texts(_order_texts(unseal(CODEC, row).event))
        except (CodecError, UnreadableOrderError):
            return row.version
    return None


def _order_texts(event: Event) -> Iterable[str]:
    match event:
        case OrdersSubmitted():
            return (*event.orders, *event.standing)
        case OrdersCleared():
            return event.standing
        case OrdersPlanned():
            return chain.from_iterable(get_texts(each, "orders") for each in event.wishes)
        case (
            PhaseClosed(orders=orders)
            | GameRolledBack(standing=orders)
            | GameRolledForward(standing=orders)
        ):
            return chain.from_iterable(orders.values())
        case _:
            return ()
