"""What a moderator says of who plays: whom he lets in, who gets a power, what opens the game."""

from __future__ import annotations

from typing import assert_never

from judge.app.conduct import Conducted, conduct
from judge.app.desk import Desk, Session
from judge.app.handing_over import ask_to_moderate
from judge.app.joining import DOOR
from judge.app.judge import Judge
from judge.app.operate import OPERATOR
from judge.app.people import register
from judge.app.stewarding import GAMES_MAX, GAMES_PAUSE
from judge.archive.log_conversion import UnimportableRecordError, past_for_branch
from judge.game import moderator_actions
from judge.game.commands import Command
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, SeatState
from judge.game.players import seats, standbys
from judge.game.players.creation import CreateGame
from judge.game.players.joining import LetIn
from judge.game.players.standbys import ALLOWED, DENIED, LIFTED, JoinGame
from judge.mail.language.admission_commands import (
    AdmissionCommand,
    Admit,
    Branch,
    GiveSeat,
    MakeDummy,
    Promote,
    RuleEntry,
    SetGamePassword,
)
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.reports.render import kind_name
from judge.rules.types import Phase, Power


def keep_door(desk: Desk, session: Session, said: AdmissionCommand) -> Item:
    """Do what the moderator of the session's game asks; nobody else may."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    if session.person.id != game.moderator:
        return CommandRefused(said.text.strip(), Why.MODERATOR_ONLY)
    match said:
        case SetGamePassword(word=word):
            return _set_password(desk, game, session.person.id, word)
        case Branch():
            return _branch(desk, game, said)
        case Promote():
            return _promote(desk, game, session.person.id, said)
        case _:
            return _put(desk, game, session.person.id, said)


def _put(desk: Desk, game: Game, by: str, said: Admit | RuleEntry | GiveSeat | MakeDummy) -> Item:
    command = _command(desk, game, by, said)
    if command is None:
        played = isinstance(said, GiveSeat) and _is_played(game, said.power)
        return CommandRefused(said.text.strip(), Why.NO_VACANCY if played else Why.NOBODY_ASKS)
    match desk.conduct(game.name, command).decision:
        case Accepted():
            return CommandDone(_name(said))
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)


def _set_password(desk: Desk, game: Game, by: str, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(DOOR.format(game=game.name), by, hashed)
    return CommandDone("set_game_password")


def _promote(desk: Desk, game: Game, by: str, said: Promote) -> Item:
    """Ask whoever is named whether he moderates the game from now on."""
    named = _named(desk, _willing(game), said.handle)
    person = desk.transaction.people.get(named) if named else None
    if person is None:
        return CommandRefused(said.text.strip(), Why.NOBODY_ASKS)
    command = moderator_actions.HandOver(person.id, by)
    return ask_to_moderate(desk, game, person, command, said)


def _name(said: Admit | RuleEntry | GiveSeat | MakeDummy) -> str:
    match said:
        case Admit(granted=False):
            return "refuse"
        case RuleEntry():
            return ruling_of(said)
        case _:
            return kind_name(said)


def ruling_of(said: RuleEntry) -> str:
    """Return the word that the log has for what *said* rules."""
    ruled = ALLOWED if said.allowed else DENIED
    return ruled if said.on else LIFTED


def let_in(judge: Judge, name: str, address: str, *, granted: bool) -> Conducted:
    """Let whoever has *address* into a game that he asked for, or not, as its moderator might."""
    with judge.database.write() as transaction:
        person = transaction.people.by_address(address)
        if person is None:
            return Conducted(Refused(Why.NOBODY_ASKS), None)
        command = LetIn(person.id, granted, OPERATOR, judge.chance.nonce())
        return conduct(judge, transaction, name, command, judge.clock.now())


def let_person_in(judge: Judge, name: str, person: str, *, granted: bool) -> Conducted:
    """Do the same for whoever is called *person* in the log."""
    with judge.database.write() as transaction:
        command = LetIn(person, granted, OPERATOR, judge.chance.nonce())
        return conduct(judge, transaction, name, command, judge.clock.now())


def hand_over(judge: Judge, name: str, address: str) -> Conducted:
    """Let whoever has *address* moderate the game."""
    with judge.database.write() as transaction:
        now = judge.clock.now()
        person = register(judge, transaction, address, now)
        return conduct(
            judge, transaction, name, moderator_actions.HandOver(person.id, OPERATOR), now
        )


def set_password(judge: Judge, game: Game, word: str) -> None:
    """Set the password of *game*, in place of its moderator's."""
    with judge.database.write() as transaction:
        operator = register(judge, transaction, judge.address, judge.clock.now(), OPERATOR)
        door, hashed = DOOR.format(game=game.name), judge.passwords.hash(word)
        transaction.people.set_password(door, game.moderator or operator.id, hashed)


def _command(
    desk: Desk, game: Game, by: str, said: Admit | RuleEntry | GiveSeat | MakeDummy
) -> Command | None:
    """Return what is meant, None if it names nobody who may be meant, or who has a player."""
    seed = desk.judge.chance.nonce()
    match said:
        case Admit(handle=handle, granted=granted):
            person = _named(desk, tuple(game.applicants), handle)
            return LetIn(person, granted, by, seed) if person else None
        case RuleEntry(handle=handle):
            people = (*_willing(game), *game.joined, *game.allowed, *game.denied)
            person = _named(desk, people, handle)
            return standbys.RuleEntry(person, ruling_of(said), by) if person else None
        case GiveSeat(power=power) if _is_played(game, power):
            return None
        case GiveSeat(power=power, handle=handle):
            person = _named(desk, _willing(game), handle) if handle else _last(game, power)
            return JoinGame(person, (), seed, power, by=by) if person else None
        case MakeDummy(power=power):
            return seats.MakeDummy(power, by)
        case _:
            assert_never(said)


def _branch(desk: Desk, game: Game, said: Branch) -> Item:
    """Open a game that was as this one up to a phase, with its rules and its moderator."""
    log = tuple(desk.transaction.events.read(game.name))
    try:
        past = past_for_branch(desk.board(game), log, game.rulebook, Phase.parse(said.phase))
    except UnimportableRecordError:
        return CommandRefused("branch", Why.NO_SUCH_PHASE)
    budgets, owner = desk.transaction.budgets, f"games of {game.moderator}"
    if not budgets.spend(owner, GAMES_MAX, GAMES_PAUSE, desk.now):
        return CommandRefused("branch", Why.NOT_ALLOWED)
    name = said.game.lower()
    command = CreateGame(name, game.variant, game.rulebook, game.house_rules, game.moderator, past)
    match desk.conduct(name, command).decision:
        case Accepted():
            return CommandDone("branch", name)
        case Refused(why=why):
            return CommandRefused("branch", why)


def _willing(game: Game) -> tuple[str, ...]:
    """Return who has said something to the game of his own, and may be given a power."""
    last = tuple(seat.person for seat in game.seats.values() if seat.person)
    return (*game.standbys, *game.applicants, *game.observers, *last)


def _is_played(game: Game, power: Power) -> bool:
    seat = game.seats.get(power)
    return seat is not None and seat.person is not None and seat.state is SeatState.PLAYED


def _last(game: Game, power: Power) -> str | None:
    seat = game.seats.get(power)
    return seat.person if seat else None


def _named(desk: Desk, people: tuple[str, ...], handle: str) -> str | None:
    """Return the one of *people* who is called *handle*."""
    owner = desk.transaction.people.by_address(handle) if "@" in handle else None
    for each in people:
        person = desk.transaction.people.get(each)
        if owner and owner.id == each:
            return each
        if person and person.handle.casefold() == handle.casefold():
            return each
    return None
