"""Press between players, and between players and the moderator; the text is sealed before."""

from __future__ import annotations

from datetime import timedelta

from judge.events.types import PressSent
from judge.game.admission import barred, unopened
from judge.game.commands import MODERATOR, SendPress
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game
from judge.game.house_rules import Press
from judge.game.visibility import is_public
from judge.rules.phase import PhaseKind


def decide(game: Game, command: SendPress) -> Accepted | Refused:
    """Let press go to its recipients, each once; to and from the moderator it always may."""
    recipients = tuple(
        each for each in dict.fromkeys(command.recipients) if each != command.sender
    )
    why = _barred(game, command) or _unaddressed(game, recipients)
    if why is None and command.sender != MODERATOR and recipients != (MODERATOR,):
        why = _not_now(game, command, frozenset(recipients))
    if why:
        return Refused(why)
    assert game.position is not None
    sent = PressSent(
        message=command.message,
        sender=command.sender,
        person=command.person,
        recipients=recipients,
        phase=game.position.phase.code,
        sealed_text=command.sealed_text,
        mail=command.mail,
    )
    return Accepted((sent,))


def _barred(game: Game, command: SendPress) -> Why | None:
    """Say why the sender may not write; whoever is the moderator has been established before."""
    if command.sender == MODERATOR:
        return unopened(game)
    return barred(game, command.sender, command.person)


def _unaddressed(game: Game, recipients: tuple[str, ...]) -> Why | None:
    if not recipients:
        return Why.NO_RECIPIENTS
    if MODERATOR in recipients and game.moderator is None:
        return Why.NO_MODERATOR
    known = all(each == MODERATOR or each in game.seats for each in recipients)
    return None if known else Why.UNKNOWN_POWER


def _not_now(game: Game, command: SendPress, recipients: frozenset[str]) -> Why | None:
    """Say why the sender may not write to other players as things are."""
    assert game.position is not None
    assert game.phase is not None
    everybody = is_public(game, command.sender, recipients)
    allowed = {
        Press.ALL: True,
        Press.RULEBOOK: game.position.phase.kind is PhaseKind.MOVEMENT,
        Press.BROADCAST: everybody,
        Press.NONE: False,
    }[game.house_rules.press]
    if not allowed:
        return Why.PRESS_NOT_ALLOWED
    is_late = command.sender in game.phase.late - game.phase.ordered
    if is_late and not game.house_rules.late_press:
        return Why.PRESS_FROM_LATE
    closed = timedelta(minutes=game.house_rules.press_closes_before_deadline)
    if closed and command.received >= game.phase.deadline - closed:
        return Why.PRESS_CLOSED
    return None
