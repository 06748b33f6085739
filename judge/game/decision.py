"""Decisions on commands: accepted or refused, and the reasons that several topics share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from judge.event_log import Event
from judge.game.game_state import Game, SeatState, Stage, survivors
from judge.game.house_rules import Dummies
from judge.rules.outcomes import Impossible
from judge.rules.types import Order, Power


class Why(Enum):
    """A reason to refuse a command; `templates/mail/words/refusals.txt.j2` words each."""

    NO_SUCH_GAME = "no_such_game"
    GAME_EXISTS = "game_exists"
    BAD_NAME = "bad_name"
    BAD_HOUSE_RULES = "bad_house_rules"  # no such zone, no day on which a deadline could fall
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    GAME_OVER = "game_over"
    TOO_FEW = "too_few"  # have joined to begin
    NO_VACANCY = "no_vacancy"
    ALREADY_IN = "already_in"
    ALREADY_WAITING = "already_waiting"  # for a place
    NOT_A_PLAYER = "not_a_player"
    NOT_YOUR_POWER = "not_your_power"
    REMOVED = "removed"  # the seat was taken from who writes
    UNKNOWN_POWER = "unknown_power"
    NOTHING_TO_ORDER = "nothing_to_order"
    NO_EARLIER_ORDERS = "no_earlier_orders"  # that are possible again
    TOO_LATE = "too_late"  # after the deadline, for a power that was in
    OTHER_PHASE = "other_phase"
    TOO_FAR_AHEAD = "too_far_ahead"  # to plan
    OVERTAKEN = "overtaken"  # by orders that arrived later and were answered before
    NO_RECIPIENTS = "no_recipients"
    EMPTY_PRESS = "empty_press"
    NO_MODERATOR = "no_moderator"
    NOBODY_TO_ASK = "nobody_to_ask"  # for more time
    PRESS_NOT_ALLOWED = "press_not_allowed"
    OBSERVER_PRESS = "observer_press"  # against the rule for observers
    PRESS_KIND = "press_kind"  # unsigned, forged or postal, or none of it, against the rules
    OUT_OF_TOUCH = "out_of_touch"  # with one of those that are written to
    PRESS_FROM_LATE = "press_from_late"
    PRESS_IN_GRACE = "press_in_grace"
    ORDERS_FIRST = "orders_first"  # before press
    PRESS_CLOSED = "press_closed"  # what is left of the phase is for writing orders
    NO_DRAWS = "no_draws"
    BLIND = "blind"  # the answer would reveal hidden units
    OTHER_DECISIONS = "other_decisions"  # wait now than those that were answered
    NAMED_DRAW = "named_draw"  # a vote has to name who shares it
    NO_SUCH_NOTE = "no_such_note"
    NOT_CLOSED = "not_closed"  # what has a beginning and no end
    NOT_OVER = "not_over"
    NO_PROPOSAL = "no_proposal"  # is open, or none of that number
    NO_NAMED_DRAW = "no_named_draw"
    NO_CONCESSIONS = "no_concessions"
    ELIMINATED = "eliminated"
    DEADLINE_IN_PAST = "deadline_in_past"
    DEADLINE_TOO_FAR = "deadline_too_far"
    GRACE_TOO_SOON = "grace_too_soon"  # before the deadline, or over
    MAIL_WAITING = "mail_waiting"  # it came before, and has to be answered before
    NO_SUCH_PHASE = "no_such_phase"  # none that was played here, and counts
    NO_ABSENCES = "no_absences"  # but those that the moderator knows of
    ABSENT_TOO_LONG = "absent_too_long"
    NOTHING_OFFERED = "nothing_offered"  # that USE THESE could mean
    SEVERAL_HELD = "several_held"  # messages that PRESS could send
    NO_OBSERVERS = "no_observers"
    TOO_OFTEN = "too_often"  # for one day
    ANONYMOUS = "anonymous"  # or blind, so no player may moderate it
    NO_OFFER = "no_offer"  # no power is offered to the person who answers
    WRONG_PASSWORD = "wrong_password"  # noqa: S105 - of the game; or none was given
    BAD_HANDLE = "bad_handle"  # no word, or one that a power or an office might have
    HANDLE_TAKEN = "handle_taken"  # or one that looks like it
    DENIED = "denied"  # by the moderator, to come in
    NOBODY_ASKS = "nobody_asks"  # to be let in, or waits, under that name
    MODERATOR_ONLY = "moderator_only"
    NOTHING_JUDGED = "nothing_judged"  # yet
    NOT_PAUSED = "not_paused"
    NO_REQUEST = "no_request"  # for more time, from that power
    NOTHING_PLAYED = "nothing_played"  # since that phase was opened
    NOTHING_UNDONE = "nothing_undone"  # just before, that could be done again
    PLAYED_ON = "played_on"  # beyond the first phase
    NOT_ALLOWED = "not_allowed"
    NOTHING_CHANGED = "nothing_changed"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark of the receipt on one *order* of an email.

    *conflicts_with* is an earlier order for the same unit in the same email. *refused* orders
    changed nothing: the writer has no such unit to order in this phase, or the house rule
    `impossible_orders` is `refuse`.
    """

    order: Order
    impossible: Impossible | None = None
    conflicts_with: Order | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """The events of an accepted command, and remarks on its orders."""

    events: tuple[Event, ...]
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused command; *remarks* are on the orders that were the reason."""

    why: Why
    remarks: tuple[Remark, ...] = ()


def why_no_open_phase(game: Game) -> Why | None:
    """Return why no phase of *game* is open, if none is."""
    return {
        Stage.FORMING: Why.NOT_STARTED,
        Stage.PLAYING: None,
        Stage.ENDED: Why.GAME_OVER,
    }[game.stage]


def orders_for_dummy(game: Game, power: Power, person: str) -> bool:
    """Return whether *person* moderates the game, and orders for *power*, a dummy."""
    seat = game.seats.get(power)
    return (
        game.house_rules.dummies is Dummies.MODERATOR
        and seat is not None
        and seat.state is SeatState.CIVIL_DISORDER
        and person == game.moderator
        and game.power_of(person) is None
    )


def why_not_order(game: Game, power: Power, person: str) -> Why | None:
    """Return why *person* may not order for *power* in the open phase, if they may not."""
    if why_no_open_phase(game) is None and orders_for_dummy(game, power, person):
        return None if power in survivors(game) else Why.ELIMINATED
    return why_not_speak(game, power, person)


def why_not_speak(game: Game, power: Power, person: str) -> Why | None:
    """Return why *person* may not speak for *power* in the open phase, if they may not."""
    seat = game.seats.get(power)
    if why := why_no_open_phase(game):
        return why
    if seat is None:
        return Why.UNKNOWN_POWER
    if seat.person != person or seat.state is not SeatState.PLAYED:
        return Why.NOT_A_PLAYER
    return None if power in survivors(game) else Why.ELIMINATED
