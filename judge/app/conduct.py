"""One command to one game: decided, recorded and told to all, in the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.app.announce import announce
from judge.app.judge import Judge
from judge.app.ports import Transaction
from judge.app.remind import next_instant
from judge.app.soundness import require_sound
from judge.app.standby import leaves_room, recruits
from judge.game.clock import Resume
from judge.game.commands import Command, decide
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.players.creation import CreateGame
from judge.game.players.seats import PowerTakenOver
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Conducted:
    """What a game answered, and the game after it."""

    decision: Accepted | Refused
    game: Game | None


def conduct(
    judge: Judge, transaction: Transaction, name: str, command: Command, now: datetime
) -> Conducted:
    """Put *command* to the game *name*; whatever follows is appended and announced.

    Time that was missed is given back first. Raises `DamagedLogError` when a phase would be closed
    on a log that is not what was written.
    """
    make_up(judge, transaction, name, now)
    before = judge.histories.load(transaction, judge.boards, name)
    if before is None and not isinstance(command, CreateGame):
        return Conducted(Refused(Why.NO_SUCH_GAME), None)
    board = board_of(judge, before, command)
    decision = decide(board, before, command, now)
    if isinstance(decision, Refused) or not decision.events:
        return Conducted(decision, before)
    require_sound(transaction, name, decision.events)
    version = before.version if before else 0
    recorded = transaction.events.append(name, version, decision.events, now)
    after = judge.histories.load(transaction, judge.boards, name)
    assert after is not None, "its events were just appended"
    for each in recorded:
        if isinstance(each.event, PowerTakenOver) and before:
            _revoke(transaction, before, each.event.power)
    announce(judge, transaction, board, before, recorded, now)
    if not transaction.agenda.is_due(name, now):  # Else it is looked at, and nobody is forgotten.
        transaction.agenda.set(name, next_instant(board, after, now))
    if any(leaves_room(each.event) for each in recorded):
        for standby in recruits(transaction.people, after):
            conduct(judge, transaction, name, standby, now)
    return Conducted(decision, after)


def make_up(judge: Judge, transaction: Transaction, name: str, now: datetime) -> None:
    """Give the game *name* the time of an outage back, if that is still to be done."""
    since = transaction.agenda.missed_since(name)
    if since:
        transaction.agenda.made_up(name)
        conduct(judge, transaction, name, Resume(since), now)


def _revoke(transaction: Transaction, game: Game, power: Power) -> None:
    """Let nobody speak for *power* any more by the mails that its last player got."""
    last = game.seats[power].person
    if last:
        transaction.people.revoke(last, game.name)


def board_of(judge: Judge, game: Game | None, command: Command) -> Map:
    """Return the board on which *game* is played, or is to be."""
    if game:
        return judge.boards(game.variant)
    assert isinstance(command, CreateGame)
    return judge.boards(command.variant)
