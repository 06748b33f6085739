"""All events of a game: their names in the log, upcasters, and their effect on its state.

Payloads are primitives. Powers are upper-case names, phases codes (`S1901M`), orders their
canonical text (`A PAR - BUR`), people random ids, mails the SHA-256 of their raw bytes, instants
ISO 8601 in UTC (`2026-11-27T20:00:00Z`). No event holds an address, a name, a password, a header
or a raw mail. An event that must stay secret until the phase closes carries a *nonce*, so that the
head of the log, which is printed, gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias, assert_never

from judge.events.codec import Codec, CodecError, Json, Upcasters
from judge.events.store import Event, Recorded, Row
from judge.game import (
    absences,
    deadlines,
    diaries,
    game_state,
    house_rules,
    moderator_actions,
    phases,
    press,
    rollback,
    voting,
)
from judge.game.absences import AbsenceCleared, AbsenceSet
from judge.game.deadlines import (
    DeadlineMoved,
    DeadlinePassed,
    ExtensionAsked,
    ExtensionRefused,
    GamePaused,
    GameResumed,
    PauseVoted,
    PowerProtected,
    apply_extension,
    apply_pause,
)
from judge.game.diaries import DiaryEvent
from judge.game.game_state import Game, GameBranched, GameImported, PressSent
from judge.game.moderator_actions import (
    HouseRulesChanged,
    ModeratorChanged,
    ObserverCame,
    ObserverWent,
    OrdersViewed,
    apply_presence,
)
from judge.game.orders import future_orders, submission
from judge.game.orders.future_orders import OrdersPlanned, apply_plan
from judge.game.orders.submission import (
    OrdersCleared,
    OrdersSubmitted,
    ReadySet,
    WaitSet,
    apply_submission,
)
from judge.game.payloads import get_texts, position_from_payload, read_orders
from judge.game.phases import PhaseClosed, PhaseOpened, PhaseRecorded, apply_phase_event
from judge.game.players import creation, joining, seats, standbys
from judge.game.players.creation import GameCreated, apply_created, apply_origin
from judge.game.players.joining import (
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    PreferencesSet,
    apply_entry,
)
from judge.game.players.seats import (
    CivilDisorderDeclared,
    PowerTakenOver,
    PowerVacated,
    apply_seat_event,
)
from judge.game.players.standbys import StandbyEvent
from judge.game.rollback import (
    GameRolledBack,
    GameRolledForward,
    GameUnstarted,
    PositionCorrected,
    apply_rollback,
)
from judge.game.voting import ConcessionVoted, DrawVoted, GameEnded, ProposalEvent, apply_vote
from judge.notation.order_text import UnreadableOrderError
from judge.rules.board import Map

ChangeEvent: TypeAlias = (
    GameRolledBack
    | GameRolledForward
    | GameUnstarted
    | PositionCorrected
    | HouseRulesChanged
    | GamePaused
    | GameResumed
    | PauseVoted
    | ObserverCame
    | ObserverWent
    | AbsenceSet
    | AbsenceCleared
    | ExtensionAsked
    | ExtensionRefused
    | ModeratorChanged
)


GameEvent: TypeAlias = (
    GameCreated
    | GameImported
    | GameBranched
    | PhaseRecorded
    | PlayerJoined
    | PreferencesSet
    | PlayerLeft
    | GameStarted
    | PhaseOpened
    | OrdersSubmitted
    | OrdersCleared
    | OrdersPlanned
    | WaitSet
    | ReadySet
    | DrawVoted
    | ConcessionVoted
    | PressSent
    | DeadlineMoved
    | DeadlinePassed
    | PowerVacated
    | PowerTakenOver
    | CivilDisorderDeclared
    | PowerProtected
    | OrdersViewed
    | PhaseClosed
    | GameEnded
    | ChangeEvent
    | StandbyEvent
    | ProposalEvent
    | DiaryEvent
)


# Never change a name: it stands in the log of every game.
EVENT_TYPES: Mapping[str, type[Event]] = MappingProxyType(
    {
        "game_created": creation.GameCreated,
        "game_imported": game_state.GameImported,
        "game_branched": game_state.GameBranched,
        "phase_recorded": phases.PhaseRecorded,
        "player_joined": joining.PlayerJoined,
        "preferences_set": joining.PreferencesSet,
        "player_left": joining.PlayerLeft,
        "game_started": joining.GameStarted,
        "phase_opened": phases.PhaseOpened,
        "orders_submitted": submission.OrdersSubmitted,
        "orders_cleared": submission.OrdersCleared,
        "orders_planned": future_orders.OrdersPlanned,
        "wait_set": submission.WaitSet,
        "ready_set": submission.ReadySet,
        "draw_voted": voting.DrawVoted,
        "concession_voted": voting.ConcessionVoted,
        "press_sent": game_state.PressSent,
        "deadline_moved": deadlines.DeadlineMoved,
        "deadline_passed": deadlines.DeadlinePassed,
        "power_vacated": seats.PowerVacated,
        "power_taken_over": seats.PowerTakenOver,
        "civil_disorder_declared": seats.CivilDisorderDeclared,
        "power_protected": deadlines.PowerProtected,
        "orders_viewed": moderator_actions.OrdersViewed,
        "phase_closed": phases.PhaseClosed,
        "game_ended": voting.GameEnded,
        "game_rolled_back": rollback.GameRolledBack,
        "game_rolled_forward": rollback.GameRolledForward,
        "game_unstarted": rollback.GameUnstarted,
        "position_corrected": rollback.PositionCorrected,
        "house_rules_changed": moderator_actions.HouseRulesChanged,
        "game_paused": deadlines.GamePaused,
        "game_resumed": deadlines.GameResumed,
        "pause_voted": deadlines.PauseVoted,
        "observer_came": moderator_actions.ObserverCame,
        "observer_went": moderator_actions.ObserverWent,
        "absence_set": absences.AbsenceSet,
        "absence_cleared": absences.AbsenceCleared,
        "extension_asked": deadlines.ExtensionAsked,
        "extension_refused": deadlines.ExtensionRefused,
        "moderator_changed": moderator_actions.ModeratorChanged,
        "place_asked": standbys.PlaceAsked,
        "place_denied": standbys.PlaceDenied,
        "standby_came": standbys.StandbyCame,
        "standby_went": standbys.StandbyWent,
        "place_offered": standbys.PlaceOffered,
        "offer_ended": standbys.OfferEnded,
        "entry_ruled": standbys.EntryRuled,
        "draw_proposed": voting.DrawProposed,
        "proposal_voted": voting.ProposalVoted,
        "proposal_ended": voting.ProposalEnded,
        "note_written": diaries.NoteWritten,
        "note_dropped": diaries.NoteDropped,
        "diary_opened": diaries.DiaryOpened,
        "statement_made": diaries.StatementMade,
        "press_opened": diaries.PressOpened,
    }
)


def _add_paradoxes(closed: Json) -> Json:
    return {**closed, "paradoxes": None}


def _add_among(voted: Json) -> Json:
    return {**voted, "among": None}


def _add_signature(sent: Json) -> Json:
    as_told = {"signed": sent["sender"], "named": sent["recipients"]}
    return {**sent, **as_told, "postal": False, "thread": sent["message"]}


UPCASTERS: Upcasters = MappingProxyType(
    {
        "phase_closed": (_add_paradoxes,),
        "draw_voted": (_add_among,),
        "press_sent": (_add_signature,),
    }
)


CODEC = Codec(EVENT_TYPES, UPCASTERS)


def unreadable_event(rows: Iterable[Row]) -> int | None:
    """Return the version of the first event whose payload or orders cannot be read."""
    for row in rows:
        try:
            read_orders(_order_texts(CODEC.decode(row.type, row.schema, row.payload)))
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


def replay(board: Map, recorded: Iterable[Recorded]) -> Game | None:
    """Return the game that a log tells of, None if it tells nothing."""
    start: Game | None = None
    return reduce(lambda game, each: evolve(board, game, each.event), recorded, start)


def evolve(board: Map, game: Game | None, event: Event) -> Game:  # noqa: C901, PLR0912 - one flat match over all events
    """Return *game*, which is None before its first event, as *event* leaves it."""
    if isinstance(event, GameCreated):
        return apply_created(event)
    assert game is not None, "a log begins with the creation of its game"
    match event:
        case GameImported() | GameBranched():
            after = apply_origin(board, game, event)
        case PlayerJoined() | PreferencesSet() | PlayerLeft() | GameStarted():
            after = apply_entry(board, game, event)
        case PowerVacated() | PowerTakenOver() | CivilDisorderDeclared():
            after = apply_seat_event(game, event)
        case DrawVoted() | ConcessionVoted():
            after = apply_vote(game, event)
        case PhaseRecorded() | PhaseOpened() | PhaseClosed() | PowerProtected() | GameEnded():
            after = apply_phase_event(game, event)
        case PressSent():
            after = press.apply_press(game, event)
        case event if isinstance(event, ChangeEvent | StandbyEvent | ProposalEvent | DiaryEvent):
            after = _apply_topic_event(game, event)
        case OrdersPlanned():
            after = apply_plan(game, event)
        case (
            OrdersSubmitted()
            | OrdersCleared()
            | WaitSet()
            | ReadySet()
            | DeadlineMoved()
            | DeadlinePassed()
            | OrdersViewed()
        ):
            after = apply_submission(game, event)
        case _:
            raise TypeError(f"no event of a game: {event!r}")
    return replace(after, version=game.version + 1)


def _apply_topic_event(
    game: Game, event: ChangeEvent | StandbyEvent | ProposalEvent | DiaryEvent
) -> Game:
    if isinstance(event, DiaryEvent):
        return diaries.apply_diary_event(game, event)
    if isinstance(event, ChangeEvent):
        return _apply_change(game, event)
    if isinstance(event, ProposalEvent):
        return voting.apply_proposal_event(game, event)
    return standbys.apply_standby_event(game, event)


def _apply_change(game: Game, event: ChangeEvent) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case GameRolledBack() | GameRolledForward() | GameUnstarted():
            return apply_rollback(game, event)
        case PositionCorrected(position=board):
            assert game.phase is not None, "the board of an open phase is put right"
            phase = replace(game.phase, standing={}, nonces={}, ready=frozenset())
            return replace(game, position=position_from_payload(board), phase=phase)
        case HouseRulesChanged(rules):
            return replace(game, house_rules=house_rules.from_payload(rules))
        case GamePaused() | GameResumed() | PauseVoted():
            return apply_pause(game, event)
        case (
            ObserverCame() | ObserverWent() | AbsenceSet() | AbsenceCleared() | ModeratorChanged()
        ):
            return apply_presence(game, event)
        case ExtensionAsked() | ExtensionRefused():
            return apply_extension(game, event)
        case _:
            assert_never(event)
