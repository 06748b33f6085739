"""What the operator does with games at the machine: opens, looks, notifies, moves deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.app.conduct import Conducted, conduct
from judge.app.judge import Judge
from judge.app.people import register
from judge.app.ports import Transaction
from judge.events.store import Recorded
from judge.game.clock import ProcessNow
from judge.game.commands import ModeratorCommand
from judge.game.deadlines import AnswerExtension, GoOn, MoveDeadline, Pause
from judge.game.decision import Refused, Why
from judge.game.game_state import Game, Stage
from judge.game.house_rules import HouseRules
from judge.game.moderator_actions import ViewOrders
from judge.game.moderator_tasks import roll_forward_target
from judge.game.players.creation import CreateGame, PastGame
from judge.game.players.joining import Begin
from judge.game.players.standbys import JoinGame
from judge.game.press import MODERATOR, SendPress
from judge.game.rollback import CorrectPosition, EarlierPhase, RollBack, RollForward, played_phases
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position, Power

OPERATOR = "operator"  # who acts when it is nobody's person


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the operator says of a new game; *moderator* is an address.

    One with a *past* goes on with what was played elsewhere.
    """

    name: str
    house_rules: HouseRules
    rulebook: Rulebook
    variant: str = "standard"
    moderator: str | None = None
    past: PastGame | None = None


def create(judge: Judge, new: NewGame) -> Conducted:
    """Open a game that players can join, or take over."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        moderator = register(judge, transaction, new.moderator, now) if new.moderator else None
        command = CreateGame(
            new.name,
            new.variant,
            new.rulebook,
            new.house_rules,
            moderator.id if moderator else None,
            new.past,
        )
        return conduct(judge, transaction, new.name, command, now)


def seat(judge: Judge, name: str, power: Power, address: str) -> Conducted:
    """Give the vacant *power* to whoever has *address*, as if he had asked for it by mail."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        game = judge.histories.load(transaction, judge.boards, name)
        if game and game.stage is Stage.FORMING:
            return Conducted(Refused(Why.NOT_STARTED), game)
        person = register(judge, transaction, address, now)
        command = JoinGame(person.id, (), judge.chance.nonce(), power, by=OPERATOR)
        return conduct(judge, transaction, name, command, now)


def begin(judge: Judge, name: str) -> Conducted:
    """Let a game start with those who have joined."""
    with judge.database.write() as transaction:
        command = Begin(OPERATOR, judge.chance.nonce())
        return conduct(judge, transaction, name, command, judge.clock.now())


def extend(
    judge: Judge, name: str, deadline: datetime, reason: str, only_in: str | None = None
) -> Conducted:
    """Move the deadline of the open phase, which is *only_in* if that is given; all are told."""
    with judge.database.write() as transaction:
        if not _is_in(judge, transaction, name, only_in):
            return Conducted(Refused(Why.OTHER_PHASE), None)
        command = MoveDeadline(deadline, reason, OPERATOR)
        return conduct(judge, transaction, name, command, judge.clock.now())


def process(judge: Judge, name: str, phase: str | None) -> Conducted:
    """Close the open phase with whatever is there, once every mail that has come is answered."""
    with judge.database.write() as transaction:
        if transaction.inbox.waiting(limit=1):
            return Conducted(Refused(Why.MAIL_WAITING), None)
        return conduct(judge, transaction, name, ProcessNow(OPERATOR, phase), judge.clock.now())


def roll_back(
    judge: Judge,
    name: str,
    phase: str | None,
    reason: str,
    *,
    restore: bool = False,
    only_in: str | None = None,
) -> Conducted:
    """Go back to *phase*, or to the one before the open one; *restore* the orders of then.

    If *only_in* is given, only from that phase: it may have been done already.
    """
    with judge.database.write() as transaction:
        if not _is_in(judge, transaction, name, only_in):
            return Conducted(Refused(Why.OTHER_PHASE), None)
        to = earlier(judge, transaction, name, phase)
        if isinstance(to, Why):
            return Conducted(Refused(to), None)
        command = RollBack(to, reason, OPERATOR, restore)
        return conduct(judge, transaction, name, command, judge.clock.now())


def roll_forward(judge: Judge, name: str, reason: str) -> Conducted:
    """Go on from where the game was before it was rolled back."""
    with judge.database.write() as transaction:
        game = judge.histories.load(transaction, judge.boards, name)
        if game is None:
            return Conducted(Refused(Why.NO_SUCH_GAME), None)
        to = roll_forward_target(judge.boards(game.variant), transaction.events.read(name))
        if to is None:
            return Conducted(Refused(Why.NOTHING_UNDONE), game)
        command = RollForward(to, reason, OPERATOR)
        return conduct(judge, transaction, name, command, judge.clock.now())


def earlier(
    judge: Judge, transaction: Transaction, name: str, phase: str | None
) -> EarlierPhase | Why:
    """Return the phase of the code or the number *phase*; None is the last that was closed."""
    if judge.histories.load(transaction, judge.boards, name) is None:
        return Why.NO_SUCH_GAME
    found = played_phases(transaction.events.read(name))
    if phase is None:
        return next((each for each in reversed(found) if each.undone), Why.NO_SUCH_PHASE)
    named = (each for each in found if phase in (each.position.phase.code, f"{each.number:03}"))
    return next(named, Why.NO_SUCH_PHASE)


def correct(judge: Judge, name: str, position: Position, reason: str) -> Conducted:
    """Put the board of the open phase right by hand."""
    with judge.database.write() as transaction:
        command = CorrectPosition(position, reason, OPERATOR)
        return conduct(judge, transaction, name, command, judge.clock.now())


def pause(judge: Judge, name: str, reason: str) -> Conducted:
    """Let nothing close in a game until it is told to go on; everybody is told, and why."""
    with judge.database.write() as transaction:
        return conduct(judge, transaction, name, Pause(reason, OPERATOR), judge.clock.now())


def go_on(judge: Judge, name: str) -> Conducted:
    """Let a paused game go on, with the time that was left."""
    with judge.database.write() as transaction:
        return conduct(judge, transaction, name, GoOn(OPERATOR), judge.clock.now())


def answer_extension(judge: Judge, name: str, power: Power, *, granted: bool) -> Conducted:
    """Give *power* the time that it asked for, or not."""
    with judge.database.write() as transaction:
        command = AnswerExtension(power, granted, OPERATOR)
        return conduct(judge, transaction, name, command, judge.clock.now())


def step(judge: Judge, name: str, command: ModeratorCommand) -> Conducted:
    """Change the rules of a game, take a player off a power, end it."""
    with judge.database.write() as transaction:
        return conduct(judge, transaction, name, command, judge.clock.now())


def view_orders(judge: Judge, name: str, reason: str, by: str = OPERATOR) -> Conducted:
    """Look at the orders held: it is recorded, and the next results say so."""
    with judge.database.write() as transaction:
        return conduct(judge, transaction, name, ViewOrders(by, reason), judge.clock.now())


def broadcast(judge: Judge, name: str, text: str) -> Conducted:
    """Write to every player as the moderator, who gets their answers if there is one."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        game = judge.histories.load(transaction, judge.boards, name)
        if game is None:
            return Conducted(Refused(Why.NO_SUCH_GAME), None)
        writer = game.moderator or register(judge, transaction, judge.address, now, OPERATOR).id
        key = transaction.people.key(writer)
        assert key, "who writes has not been forgotten"
        message = judge.chance.nonce()
        command = SendPress(
            message=message,
            sender=MODERATOR,
            person=writer,
            recipients=tuple(game.seats),
            signed=MODERATOR,
            named=tuple(game.seats),
            postal=False,
            thread=message,
            sealed_text=judge.sealer.seal(text.strip(), key),
            mail="",
            received=now,
        )
        return conduct(judge, transaction, name, command, now)


def games(judge: Judge) -> tuple[Game, ...]:
    """Return every game, in the order in which they were created."""
    with judge.database.read() as transaction:
        names = transaction.events.games()
        found = (judge.histories.load(transaction, judge.boards, name) for name in names)
        return tuple(game for game in found if game)


def game(judge: Judge, name: str) -> Game | None:
    """Return one game."""
    with judge.database.read() as transaction:
        return judge.histories.load(transaction, judge.boards, name)


def log(judge: Judge, name: str) -> tuple[Recorded, ...]:
    """Return the events of a game."""
    with judge.database.read() as transaction:
        return tuple(transaction.events.read(name))


def _is_in(judge: Judge, transaction: Transaction, name: str, phase: str | None) -> bool:
    """Tell whether the game has come to *phase*, if that is given, and not further."""
    game = judge.histories.load(transaction, judge.boards, name)
    reached = game.position.phase.code if game and game.position else None
    return phase in (None, reached)
