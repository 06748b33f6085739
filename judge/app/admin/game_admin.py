"""Game administration: create, seat, extend, roll back, import and branch games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.app.commands.join import PASSWORD_KEY
from judge.app.game.apply import OPERATOR, CommandResult, apply_command, closed_phase
from judge.app.identity import register_person
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.archive import log_conversion
from judge.archive.records import Record, RecordedPress, Seat
from judge.event_log import Recorded
from judge.game import moderator_actions
from judge.game.clock import ProcessNow
from judge.game.commands import GameCommand
from judge.game.deadlines import MoveDeadline
from judge.game.decision import Refused, Why
from judge.game.events import evolve
from judge.game.game_state import Game, Stage
from judge.game.game_summary import GameSummary
from judge.game.house_rules import HouseRules
from judge.game.moderator_tasks import roll_forward_target
from judge.game.players.creation import BoardRecorded, CreateGame, PastGame, board_in
from judge.game.players.diaries import is_press_shown
from judge.game.players.joining import AdmitPlayer, Begin
from judge.game.players.standbys import JoinGame
from judge.game.press import MODERATOR, PressSent, SendPress, goes_to_all, is_between_players
from judge.game.rollback import RollBack, RollForward
from judge.game.visibility import Observer, view
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Phase, Power


@dataclass(frozen=True, slots=True)
class NewGame:
    """An operator's settings for a new game; *moderator* is an address.

    A game with a *past* continues a game that was played elsewhere; *board* is that of a parent.
    """

    name: str
    house_rules: HouseRules
    rulebook: Rulebook
    variant: str = DEFAULT_VARIANT
    moderator: str | None = None
    past: PastGame | None = None
    board: BoardRecorded | None = None


def create_game(judge: Judge, new: NewGame) -> CommandResult:
    """Open a game for players to join or take over."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        moderator = (
            register_person(judge, transaction, new.moderator, now) if new.moderator else None
        )
        command = CreateGame(
            new.name,
            new.variant,
            new.rulebook,
            new.house_rules,
            moderator.id if moderator else None,
            new.past,
            new.board or judge.recorded_board(new.variant),
        )
        return apply_command(judge, transaction, new.name, command, now)


def seat_player(judge: Judge, name: str, power: Power, address: str) -> CommandResult:
    """Seat the person with *address* on the vacant *power*, as if they had asked by mail."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        game = judge.game_cache.load(transaction, judge.boards, name)
        if game and game.stage is Stage.FORMING:
            return CommandResult(Refused(Why.NOT_STARTED), game)
        person = register_person(judge, transaction, address, now)
        command = JoinGame(person.id, (), judge.random.nonce(), power, by=OPERATOR)
        return apply_command(judge, transaction, name, command, now)


def begin_game(judge: Judge, name: str) -> CommandResult:
    """Start a game with the players who have joined."""
    with judge.database.write() as transaction:
        command = Begin(OPERATOR, judge.random.nonce())
        return apply_command(judge, transaction, name, command, judge.clock.now())


def move_deadline(
    judge: Judge, name: str, deadline: datetime, reason: str, only_in: str | None = None
) -> CommandResult:
    """Move the deadline of the open phase and notify all players.

    If *only_in* is given, do so only in that phase.
    """
    with judge.database.write() as transaction:
        if not _is_open_phase(judge, transaction, name, only_in):
            return CommandResult(Refused(Why.OTHER_PHASE), None)
        command = MoveDeadline(deadline, reason, OPERATOR)
        return apply_command(judge, transaction, name, command, judge.clock.now())


def close_phase_now(judge: Judge, name: str, phase: str | None) -> CommandResult:
    """Close the open phase with the orders received, after processing all earlier mail."""
    with judge.database.write() as transaction:
        if transaction.inbox.waiting(limit=1):
            return CommandResult(Refused(Why.MAIL_WAITING), None)
        return apply_command(
            judge, transaction, name, ProcessNow(OPERATOR, phase), judge.clock.now()
        )


def roll_back(
    judge: Judge,
    name: str,
    phase: str | None,
    reason: str,
    *,
    restore: bool = False,
    only_in: str | None = None,
) -> CommandResult:
    """Roll back to *phase* (the previous one if None), and *restore* its orders if asked.

    With *only_in*, do so only if that phase is open: the same request may have been carried out
    before.
    """
    with judge.database.write() as transaction:
        if not _is_open_phase(judge, transaction, name, only_in):
            return CommandResult(Refused(Why.OTHER_PHASE), None)
        to = closed_phase(judge, transaction, name, phase)
        if isinstance(to, Why):
            return CommandResult(Refused(to), None)
        command = RollBack(to, reason, OPERATOR, restore)
        return apply_command(judge, transaction, name, command, judge.clock.now())


def roll_forward(judge: Judge, name: str, reason: str) -> CommandResult:
    """Undo the last rollback."""
    with judge.database.write() as transaction:
        game = judge.game_cache.load(transaction, judge.boards, name)
        if game is None:
            return CommandResult(Refused(Why.NO_SUCH_GAME), None)
        to = roll_forward_target(judge.board_of(game), transaction.events.read(name))
        if to is None:
            return CommandResult(Refused(Why.NOTHING_UNDONE), game)
        command = RollForward(to, reason, OPERATOR)
        return apply_command(judge, transaction, name, command, judge.clock.now())


def apply_operator_command(judge: Judge, name: str, command: GameCommand) -> CommandResult:
    """Apply a moderator's command: change rules, eject a player, end the game."""
    with judge.database.write() as transaction:
        return apply_command(judge, transaction, name, command, judge.clock.now())


def broadcast(judge: Judge, name: str, text: str) -> CommandResult:
    """Send a broadcast from the moderator, who gets the replies if the game has one."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        game = judge.game_cache.load(transaction, judge.boards, name)
        if game is None:
            return CommandResult(Refused(Why.NO_SUCH_GAME), None)
        writer = (
            game.moderator or register_person(judge, transaction, judge.address, now, OPERATOR).id
        )
        key = transaction.people.key(writer)
        assert key, "an active person has a key"
        message = judge.random.nonce()
        command = SendPress(
            message=message,
            sender=MODERATOR,
            person=writer,
            recipients=tuple(game.seats),
            signed=MODERATOR,
            named=tuple(game.seats),
            postal=False,
            thread=message,
            sealed_text=judge.encryption.seal(text.strip(), key),
            mail="",
            received=now,
        )
        return apply_command(judge, transaction, name, command, now)


def list_games(judge: Judge) -> Sequence[GameSummary]:
    """Return what lists say of all games, oldest first."""
    with judge.database.read() as transaction:
        return transaction.summaries.all()


def load_game(judge: Judge, name: str) -> Game | None:
    """Return the game *name*, None if there is none."""
    with judge.database.read() as transaction:
        return judge.game_cache.load(transaction, judge.boards, name)


def read_log(judge: Judge, name: str) -> tuple[Recorded, ...]:
    """Return all events of the game *name*."""
    with judge.database.read() as transaction:
        return tuple(transaction.events.read(name))


def _is_open_phase(judge: Judge, transaction: Transaction, name: str, phase: str | None) -> bool:
    game = judge.game_cache.load(transaction, judge.boards, name)
    reached = game.position.phase.code if game and game.position else None
    return phase in (None, reached)


def import_game(judge: Judge, new: NewGame, record: Record, at: Phase | None) -> CommandResult:
    """Open *new* with the phases of *record*, continuing at *at* or at its end.

    Raises `NoPastError`.
    """
    board = judge.boards(new.variant)
    past = log_conversion.past_from_record(
        board, record, new.rulebook, log_conversion.import_event(record), at
    )
    return create_game(judge, replace(new, past=past))


def branch_game(judge: Judge, new: NewGame, parent: str, at: Phase) -> CommandResult:
    """Open *new* with the phases of the game *parent* before *at*.

    Raises `NoPastError`.
    """
    log, game = read_log(judge, parent), load_game(judge, parent)
    assert game, "there are events of it"
    past = log_conversion.past_for_branch(judge.board_of(game), log, new.rulebook, at)
    return create_game(judge, replace(new, past=past, board=board_in(log)))


def record_of_game(judge: Judge, name: str) -> Record:
    """Return the public record of the existing game *name*."""
    game = load_game(judge, name)
    assert game, "there are events of it"
    return log_conversion.record_from_log(judge.board_of(game), read_log(judge, name))


def public_record_of_game(judge: Judge, name: str) -> Record:
    """Return the record of the game *name* with its players and public press.

    Public press means broadcasts. Once the game is over it includes private press, if the rules
    have said so from the start or every writer agrees. The text is the one that its readers got.
    Press of erased writers can no longer be decrypted and is left out.
    """
    game = load_game(judge, name)
    assert game, "there are events of it"
    open_phase = game.position.phase.code if game.phase and game.position else None
    readable = _readable(judge.board_of(game), game, read_log(judge, name))
    press = []
    with judge.database.read() as transaction:
        for sent, readers in readable:
            key = transaction.people.key(sent.person)
            if key and sent.phase != open_phase and sent not in game.unread:
                text = judge.encryption.open(sent.sealed_text, key)
                press.append(RecordedPress(Phase.parse(sent.phase), sent.signed, readers, text))
        seats = _seats(transaction, game)
    record = record_of_game(judge, name)
    phases = record.phases
    if game.phase and phases:
        phases = (*phases[:-1], replace(phases[-1], deadline=game.phase.deadline))
    return replace(record, press=tuple(press), seats=seats, phases=phases)


def _seats(transaction: Transaction, game: Game) -> tuple[Seat, ...]:
    """Return the players by their public handles; none in gunboat."""
    people = view(game, Observer()).people
    known = {power: transaction.people.get(person) for power, person in people.items()}
    return tuple(Seat(power, person.handle) for power, person in known.items() if person)


def _readable(
    board: Map, now: Game, log: Iterable[Recorded]
) -> Iterator[tuple[PressSent, tuple[str, ...]]]:
    opened = is_press_shown(now)
    game: Game | None = None
    for each in log:
        sent = each.event
        if isinstance(sent, PressSent) and game:
            if goes_to_all(game, sent):
                yield sent, ()
            elif opened and is_between_players(game, sent):
                yield sent, sent.named
        game = evolve(board, game, each.event)


def admit_by_address(judge: Judge, name: str, address: str, *, granted: bool) -> CommandResult:
    """Admit or refuse the person with *address*, as the moderator might."""
    with judge.database.write() as transaction:
        person = transaction.people.by_address(address)
        if person is None:
            return CommandResult(Refused(Why.NOBODY_ASKS), None)
        command = AdmitPlayer(person.id, granted, OPERATOR, judge.random.nonce())
        return apply_command(judge, transaction, name, command, judge.clock.now())


def admit_person(judge: Judge, name: str, person: str, *, granted: bool) -> CommandResult:
    """Admit or refuse *person* (an id in the log)."""
    with judge.database.write() as transaction:
        command = AdmitPlayer(person, granted, OPERATOR, judge.random.nonce())
        return apply_command(judge, transaction, name, command, judge.clock.now())


def appoint_moderator(judge: Judge, name: str, address: str) -> CommandResult:
    """Make the person with *address* the moderator."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        person = register_person(judge, transaction, address, now)
        return apply_command(
            judge, transaction, name, moderator_actions.HandOver(person.id, OPERATOR), now
        )


def set_game_password(judge: Judge, game: Game, word: str) -> None:
    """Set the password for joining *game*, in place of its moderator's."""
    with judge.database.write() as transaction:
        operator = register_person(judge, transaction, judge.address, judge.clock.now(), OPERATOR)
        door, hashed = PASSWORD_KEY.format(game=game.name), judge.passwords.hash(word)
        transaction.people.set_password(door, game.moderator or operator.id, hashed)
