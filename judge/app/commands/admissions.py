"""Admitting, replacing and promoting players, and handing a game to another moderator."""

from __future__ import annotations

from datetime import timedelta
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.commands.join import PASSWORD_KEY
from judge.app.commands.moderator import GAMES_MAX, GAMES_PAUSE
from judge.app.outbound.queue import EmailDraft, ReplyMeaning, queue_email, token_for
from judge.app.ports.inbox import PROCESSED, InboxState, MailOutcome
from judge.app.ports.people import Person, Purpose, Token
from judge.archive.log_conversion import UnimportableRecordError, past_for_branch
from judge.game import moderator_actions
from judge.game.commands import Command, decide
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, SeatState
from judge.game.moderator_actions import HandOver
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
from judge.mail.mail_addresses import same_mailbox
from judge.reports.emails import confirmation_emails
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.reports.render import kind_name
from judge.rules.types import Phase, Power


def handle_admission_command(desk: MailContext, session: Session, said: AdmissionCommand) -> Item:
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


def _put(
    desk: MailContext, game: Game, by: str, said: Admit | RuleEntry | GiveSeat | MakeDummy
) -> Item:
    command = _command(desk, game, by, said)
    if command is None:
        played = isinstance(said, GiveSeat) and _is_played(game, said.power)
        return CommandRefused(said.text.strip(), Why.NO_VACANCY if played else Why.NOBODY_ASKS)
    match desk.conduct(game.name, command).decision:
        case Accepted():
            return CommandDone(_name(said))
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
        case other:
            assert_never(other)


def _set_password(desk: MailContext, game: Game, by: str, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(PASSWORD_KEY.format(game=game.name), by, hashed)
    return CommandDone("set_game_password")


def _promote(desk: MailContext, game: Game, by: str, said: Promote) -> Item:
    """Ask whoever is named whether he moderates the game from now on."""
    named = _named(desk, _candidates(game), said.handle)
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


def _command(
    desk: MailContext, game: Game, by: str, said: Admit | RuleEntry | GiveSeat | MakeDummy
) -> Command | None:
    """Return what is meant, None if it names nobody who may be meant, or who has a player."""
    seed = desk.judge.random.nonce()
    match said:
        case Admit(handle=handle, granted=granted):
            person = _named(desk, tuple(game.applicants), handle)
            return LetIn(person, granted, by, seed) if person else None
        case RuleEntry(handle=handle):
            people = (*_candidates(game), *game.joined, *game.allowed, *game.denied)
            person = _named(desk, people, handle)
            return standbys.RuleEntry(person, ruling_of(said), by) if person else None
        case GiveSeat(power=power) if _is_played(game, power):
            return None
        case GiveSeat(power=power, handle=handle):
            person = _named(desk, _candidates(game), handle) if handle else _last(game, power)
            return JoinGame(person, (), seed, power, by=by) if person else None
        case MakeDummy(power=power):
            return seats.MakeDummy(power, by)
        case _:
            assert_never(said)


def _branch(desk: MailContext, game: Game, said: Branch) -> Item:
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
        case other:
            assert_never(other)


def _candidates(game: Game) -> tuple[str, ...]:
    """Return who has said something to the game of his own, and may be given a power."""
    last = tuple(seat.person for seat in game.seats.values() if seat.person)
    return (*game.standbys, *game.applicants, *game.observers, *last)


def _is_played(game: Game, power: Power) -> bool:
    seat = game.seats.get(power)
    return seat is not None and seat.person is not None and seat.state is SeatState.PLAYED


def _last(game: Game, power: Power) -> str | None:
    seat = game.seats.get(power)
    return seat.person if seat else None


def _named(desk: MailContext, people: tuple[str, ...], handle: str) -> str | None:
    """Return the one of *people* who is called *handle*."""
    owner = desk.transaction.people.by_address(handle) if "@" in handle else None
    for each in people:
        person = desk.transaction.people.get(each)
        if owner and owner.id == each:
            return each
        if person and person.handle.casefold() == handle.casefold():
            return each
    return None


VALID = timedelta(days=14)  # a question whether somebody will moderate


def ask_to_moderate(
    desk: MailContext, game: Game, person: Person, command: HandOver, said: Promote
) -> Item:
    """Ask *person* whether he moderates *game* from now on, once a day, if he may at all."""
    match decide(desk.board(game), game, command, desk.now):
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
        case Accepted():
            pass
        case other:
            assert_never(other)
    if desk.transaction.people.first_today(person.address, f"moderate {game.name}", desk.now):
        about = ReplyMeaning(game=game.name, subject=f"{desk.mail.id} {command.by}")
        token = token_for(desk.transaction, Purpose.MODERATE, person, about)
        letter = EmailDraft(
            contexts=(
                confirmation_emails.confirm_moderator(game.name, judge_code=desk.judge.code),
            ),
            cause=f"{desk.cause}:moderate:{person.id}",
            address=person.address,
            zone=person.zone,
            token=token,
        )
        queue_email(desk.judge, desk.transaction, letter, desk.now)
    return CommandDone("promote", said.handle)


def answer_moderation(desk: MailContext, token: Token, *, yes: bool) -> MailOutcome:
    """Hand the game over if who was asked agrees, and who asked him still moderates it."""
    mail, by = (token.subject or "").split(" ", 1)
    asked = desk.transaction.inbox.get(int(mail))
    person = desk.transaction.people.get(token.person)
    fresh = asked is not None and desk.mail.received_utc - asked.received_utc <= VALID
    if person is None or person.key_version != token.key_version or not (fresh and yes):
        return MailOutcome(InboxState.IGNORED, "no game is handed over by this")
    his = desk.transaction.people.addresses(person.id)
    if not any(desk.letter.sender and same_mailbox(desk.letter.sender, each) for each in his):
        return MailOutcome(InboxState.IGNORED, "the question has come into other hands")
    game = desk.game(token.game or "")
    if game is None or game.moderator != by:
        return MailOutcome(InboxState.IGNORED, "who asked moderates the game no longer")
    desk.conduct(game.name, HandOver(person.id, by))
    return PROCESSED
