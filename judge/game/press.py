"""Press between players, observers and the moderator; its text is encrypted before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from judge.event_log import Event
from judge.game import house_rules
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase, why_not_speak
from judge.game.game_state import Game, survivors
from judge.game.phases import missing_orders
from judge.game.visibility import are_in_touch
from judge.rules.board import Map
from judge.rules.types import PhaseKind


@dataclass(frozen=True, slots=True)
class PressSent(Event):
    """A power, the moderator or an observer wrote to *recipients*.

    These see the signature *signed* (None: unsigned) and the *named* readers, whether true or not.
    *postal* press comes with the next results. *thread* is the *message* that began the exchange.
    The text is encrypted under the writer's own key, which can be destroyed.
    """

    message: str
    sender: str
    person: str
    recipients: tuple[str, ...]
    signed: str | None
    named: tuple[str, ...]
    postal: bool
    thread: str
    phase: str
    sealed_text: str
    mail: str


# Who writes and gets press without playing a power.
MODERATOR, OBSERVER, OBSERVERS = "MODERATOR", "OBSERVER", "OBSERVERS"


@dataclass(frozen=True, slots=True)
class SendPress:
    """Write to *recipients*: powers, `MODERATOR`, `OBSERVERS`, or one observer by person.

    *sender* is the power that writes, `MODERATOR` or `OBSERVER`. Readers see the signature
    *signed* (None: unsigned) and the recipients *named*. The text is already sealed.
    """

    message: str
    sender: str
    person: str
    recipients: tuple[str, ...]
    signed: str | None
    named: tuple[str, ...]
    postal: bool
    thread: str
    sealed_text: str
    mail: str
    received: datetime


def decide_press(board: Map, game: Game, command: SendPress) -> Accepted | Refused:
    """Decide on press; press to and from the moderator is always allowed."""
    press = _normalize(game, command)
    why = _why_not_sender(game, press) or _why_not_recipients(game, press.recipients)
    if why is None and not is_moderator_press(press):
        why = (
            _why_not_to_recipients(game, press)
            or _why_not_now(board, game, press)
            or _why_not_disguised(game, press)
        )
    if why:
        return Refused(why)
    assert game.position is not None
    sent = PressSent(
        message=press.message,
        sender=press.sender,
        person=press.person,
        recipients=press.recipients,
        signed=press.signed,
        named=press.named,
        postal=press.postal,
        thread=press.thread,
        phase=game.position.phase.code,
        sealed_text=press.sealed_text,
        mail=press.mail,
    )
    return Accepted((sent,))


def usual_signature(game: Game, sender: str) -> str | None:
    """Return the signature of press by *sender*, unless they ask for another."""
    grey = game.house_rules.signing in {house_rules.Signing.GREY, house_rules.Signing.GREY_WHITE}
    return None if grey and sender not in {MODERATOR, OBSERVER} else sender


def is_moderator_press(press: SendPress | PressSent) -> bool:
    """Return whether *press* is from the moderator, or to the moderator alone."""
    return press.sender == MODERATOR or press.recipients == (MODERATOR,)


def _normalize(game: Game, command: SendPress) -> SendPress:
    """Return *command* to each recipient once, and without disguise to or from the moderator."""
    sender = command.sender
    recipients = tuple(each for each in dict.fromkeys(command.recipients) if each != sender)
    named = tuple(each for each in dict.fromkeys(command.named) if each != command.signed)
    press = replace(command, recipients=recipients, named=named)
    if is_moderator_press(press):
        return replace(press, signed=sender, named=recipients, postal=False)
    return replace(
        press, postal=press.postal or game.house_rules.postal is house_rules.Postal.ONLY
    )


def _why_not_sender(game: Game, press: SendPress) -> Why | None:
    """Return why the sender may not write, None if they may."""
    if press.sender == MODERATOR:
        return why_no_open_phase(game)
    if press.sender == OBSERVER:
        observes = press.person in game.observers
        return why_no_open_phase(game) or (None if observes else Why.NOT_A_PLAYER)
    return why_not_speak(game, press.sender, press.person)


def _why_not_recipients(game: Game, recipients: tuple[str, ...]) -> Why | None:
    if not recipients:
        return Why.NO_RECIPIENTS
    if MODERATOR in recipients and game.moderator is None:
        return Why.NO_MODERATOR
    others = (MODERATOR, OBSERVERS, *game.observers)
    known = all(each in others or each in game.seats for each in recipients)
    return None if known else Why.UNKNOWN_POWER


def _why_not_to_recipients(game: Game, press: SendPress) -> Why | None:
    """Return why the rule for observers, or this phase, does not allow the recipients."""
    assert game.position is not None
    everybody = goes_to_all(game, press)
    in_phase = {
        house_rules.PressThen.ALL: True,
        house_rules.PressThen.BROADCAST: everybody,
        house_rules.PressThen.NONE: False,
    }[_press_in(game, game.position.phase.kind)]
    by_observer = {
        house_rules.ObserverPress.ALL: True,
        house_rules.ObserverPress.BROADCAST: everybody,
        house_rules.ObserverPress.NONE: False,
    }[game.house_rules.observer_press]
    if press.sender == OBSERVER and not by_observer:
        return Why.OBSERVER_PRESS
    return None if in_phase else Why.PRESS_NOT_ALLOWED


def _why_not_now(board: Map, game: Game, press: SendPress) -> Why | None:
    """Return why the sender has to wait, or to order first."""
    assert game.phase is not None
    rules = game.house_rules
    if press.sender in game.phase.late - game.phase.ordered and not rules.late_press:
        return Why.PRESS_FROM_LATE
    if game.phase.passed and not rules.grace_press:
        return Why.PRESS_IN_GRACE
    if rules.touch_press and not goes_to_all(game, press) and not _is_in_touch(board, game, press):
        return Why.OUT_OF_TOUCH
    needs = missing_orders(board, game) if rules.must_order else None
    if needs and press.sender in needs.missing:
        return Why.ORDERS_FIRST
    closed = rules.press_closes_before_deadline
    if closed and press.received >= game.phase.deadline - closed:
        return Why.PRESS_CLOSED
    return None


def _is_in_touch(board: Map, game: Game, press: SendPress) -> bool:
    """Return whether the sender has a border with each power among the recipients."""
    assert game.position is not None
    powers = [each for each in press.recipients if each in game.seats]
    by_player = press.sender in game.seats
    return not by_player or all(
        are_in_touch(board, game.position, press.sender, to) for to in powers
    )


def _press_in(game: Game, kind: PhaseKind) -> house_rules.PressThen:
    """Return the press allowed in phases of this *kind*: never `SAME`."""
    rules = game.house_rules
    usual = {
        house_rules.Press.ALL: house_rules.PressThen.ALL,
        house_rules.Press.RULEBOOK: house_rules.PressThen.ALL
        if kind is PhaseKind.MOVEMENT
        else house_rules.PressThen.NONE,
        house_rules.Press.BROADCAST: house_rules.PressThen.BROADCAST,
        house_rules.Press.NONE: house_rules.PressThen.NONE,
    }[rules.press]
    then = {
        PhaseKind.MOVEMENT: house_rules.PressThen.SAME,
        PhaseKind.RETREATS: rules.retreat_press,
        PhaseKind.ADJUSTMENTS: rules.adjustment_press,
    }[kind]
    return usual if then is house_rules.PressThen.SAME else then


def _why_not_disguised(game: Game, press: SendPress) -> Why | None:
    """Return why the signature, the named readers or postal delivery are not allowed."""
    rules = game.house_rules
    by_observer = press.sender == OBSERVER
    writers = {press.sender, press.signed}
    forged = press.signed not in {None, press.sender}
    readers = {OBSERVER if each in game.observers else each for each in press.recipients}
    misled = {*press.named} - writers != readers - writers
    powers = writers - {None, press.sender} | ({*press.named} if misled else set())
    allowed = (
        rules.signing is not house_rules.Signing.WHITE or press.signed is not None,
        rules.signing is not house_rules.Signing.GREY
        or press.signed != press.sender
        or by_observer,
        rules.fakes in {house_rules.Fakes.SENDER, house_rules.Fakes.BOTH} or not forged,
        rules.fakes in {house_rules.Fakes.READERS, house_rules.Fakes.BOTH} or not misled,
        rules.postal is not house_rules.Postal.NO or not press.postal,
        press.signed == OBSERVER or not by_observer,
        # A player cannot pose as the moderator.
        powers <= {*game.seats, OBSERVERS},
    )
    return None if all(allowed) else Why.PRESS_KIND


def goes_to_all(game: Game, press: SendPress | PressSent) -> bool:
    """Return whether *press* is a broadcast: to all survivors, and shown as such."""
    left = {*survivors(game)}
    return left - {press.sender} <= {*press.recipients} and left - {press.signed} <= {*press.named}


def is_between_players(game: Game, press: PressSent) -> bool:
    """Return whether *press* is from a power to powers only."""
    return {press.sender, *press.recipients} <= {*game.seats}


def apply_press(game: Game, event: PressSent) -> Game:
    """Return *game* after *event*: postal press is due, and writers of private press are known."""
    unread = (*game.unread, event) if event.postal else game.unread
    private = is_between_players(game, event) and not goes_to_all(game, event)
    writers = game.writers | {event.person} if private else game.writers
    return replace(game, unread=unread, writers=writers)
