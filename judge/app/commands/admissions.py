"""Admitting, replacing and promoting players, and handing a game to another moderator."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import assert_never

from judge.app.commands.command import CommandRow, Scope, moderator_row
from judge.app.commands.context import MailContext, Session, apply_moderator_command
from judge.app.commands.join import PASSWORD_KEY
from judge.app.commands.rules import GAMES_MAX, GAMES_PAUSE
from judge.app.outbound.queue import (
    EmailDraft,
    ReplyMeaning,
    question_code,
    queue_email,
    token_for,
)
from judge.app.ports.inbox import PROCESSED, InboxState, MailOutcome
from judge.app.ports.people import Person, Purpose, Token
from judge.game.commands import decide
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, SeatState
from judge.game.moderator_actions import HandOver
from judge.game.players import seats, standbys
from judge.game.players.creation import CreateGame, board_in
from judge.game.players.joining import AdmitPlayer
from judge.game.players.standbys import ALLOWED, DENIED, LIFTED, JoinGame
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.phase_names import phase_named
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Heading
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item
from judge.rules.board import Map
from judge.rules.types import Phase, Power


@dataclass(frozen=True, slots=True)
class Admit(command_syntax.ParsedLine):
    """`ADMIT handle` or `REFUSE handle`, about a request to join."""

    handle: str
    granted: bool


@dataclass(frozen=True, slots=True)
class RuleEntry(command_syntax.ParsedLine):
    """`ALLOW PLAYER handle`, `DENY PLAYER handle`; with `-handle`, not *on*."""

    handle: str
    allowed: bool
    on: bool = True


@dataclass(frozen=True, slots=True)
class GiveSeat(command_syntax.ParsedLine):
    """`SEAT F handle`; without a *handle*, `REVIVE F`, which reinstates the last player."""

    power: Power
    handle: str | None


@dataclass(frozen=True, slots=True)
class MakeDummy(command_syntax.ParsedLine):
    """`DUMMY F`: the power has no player, and the game does not wait for it."""

    power: Power


@dataclass(frozen=True, slots=True)
class Promote(command_syntax.ParsedLine):
    """`PROMOTE handle`: make another person the moderator."""

    handle: str


@dataclass(frozen=True, slots=True)
class Branch(command_syntax.ParsedLine):
    """`BRANCH F1901M AS name`: a new game that continues from that phase."""

    phase: str
    game: str


@dataclass(frozen=True, slots=True)
class SetGamePassword(command_syntax.ParsedLine):
    """`SET GAME PASSWORD word`: the password that players need to join."""

    word: str = field(repr=False)

    def without_secret(self) -> str:
        return command_syntax.starred(self.text, (self.word,))


HANDLE_FORM = r"\S{2,40}"
HANDLE = re.compile(HANDLE_FORM)


def _entry_rule_reader(*, allowed: bool) -> command_syntax.CommandReader:
    """Return the reader of ALLOW PLAYER or DENY PLAYER; `-` before the handle undoes them."""

    def read(arguments: list[str], _: Map) -> command_syntax.LineMaker | None:
        if len(arguments) != 1 or not HANDLE.fullmatch(arguments[0]):
            return None
        handle = arguments[0].removeprefix("-")
        return partial(RuleEntry, handle=handle, allowed=allowed, on=handle == arguments[0])

    return read


def _read_seat(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    match arguments:
        case [name, handle] if HANDLE.fullmatch(handle):
            power = command_syntax.power_named(name, board)
            return partial(GiveSeat, power=power, handle=handle) if power else None
        case _:
            return None


def _read_revival(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    """Read a power, and DPjudge's new password for it, which nothing here needs."""
    read = command_syntax.about_power(partial(GiveSeat, handle=None))
    return read(arguments[:1], board) if len(arguments) in (1, 2) else None


def _read_branch(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    match arguments:
        case [*phase, word, game] if word.upper() == "AS":
            code, valid = (
                phase_named(phase, board),
                command_syntax.GAME_NAME.fullmatch(game),
            )
            return partial(Branch, phase=code, game=game) if code and valid else None
        case _:
            return None


def _admit(context: MailContext, session: Session, parsed: Admit) -> Item:
    game = context.game_of(session)
    person = _named(context, tuple(game.applicants), parsed.handle)
    if person is None:
        return CommandRefused(parsed.text.strip(), Why.NOBODY_ASKS)
    seed = context.judge.random.nonce()
    command = AdmitPlayer(person, parsed.granted, session.person.id, seed)
    name = "admit" if parsed.granted else "refuse"
    return apply_moderator_command(context, session, parsed, name, command)


def _rule_entry(context: MailContext, session: Session, parsed: RuleEntry) -> Item:
    game = context.game_of(session)
    people = (*_candidates(game), *game.joined, *game.allowed, *game.denied)
    person = _named(context, people, parsed.handle)
    if person is None:
        return CommandRefused(parsed.text.strip(), Why.NOBODY_ASKS)
    ruled = ALLOWED if parsed.allowed else DENIED
    ruling = ruled if parsed.on else LIFTED
    command = standbys.RuleEntry(person, ruling, session.person.id)
    return apply_moderator_command(context, session, parsed, ruling, command)


def _give_seat(context: MailContext, session: Session, parsed: GiveSeat) -> Item:
    game = context.game_of(session)
    seat = game.seats.get(parsed.power)
    if seat is not None and seat.person is not None and seat.state is SeatState.PLAYED:
        return CommandRefused(parsed.text.strip(), Why.NO_VACANCY)
    last = _last(game, parsed.power)
    person = _named(context, _candidates(game), parsed.handle) if parsed.handle else last
    if person is None:
        return CommandRefused(parsed.text.strip(), Why.NOBODY_ASKS)
    seed = context.judge.random.nonce()
    command = JoinGame(person, (), seed, parsed.power, by=session.person.id)
    return apply_moderator_command(context, session, parsed, "give_seat", command)


def _make_dummy(context: MailContext, session: Session, parsed: MakeDummy) -> Item:
    command = seats.MakeDummy(parsed.power, session.person.id)
    return apply_moderator_command(context, session, parsed, "make_dummy", command)


def _set_password(context: MailContext, session: Session, parsed: SetGamePassword) -> Item:
    hashed = context.judge.passwords.hash(parsed.word)
    key = PASSWORD_KEY.format(game=session.game)
    context.transaction.people.set_password(key, session.person.id, hashed)
    return CommandDone("set_game_password")


def _promote(context: MailContext, session: Session, parsed: Promote) -> Item:
    game = context.game_of(session)
    named = _named(context, _candidates(game), parsed.handle)
    person = context.transaction.people.get(named) if named else None
    if person is None:
        return CommandRefused(parsed.text.strip(), Why.NOBODY_ASKS)
    command = HandOver(person.id, session.person.id)
    refused = isinstance(decide(context.board(game), game, command, context.now), Refused)
    if not refused and not context.is_confirmed_by_code(session.person):
        return CommandDone("promote_asked", parsed.handle)
    return ask_to_moderate(context, game, person, command, parsed)


def _branch(context: MailContext, session: Session, parsed: Branch) -> Item:
    from judge.archive import log_conversion  # noqa: PLC0415 - few games are branched

    game = context.game_of(session)
    log = tuple(context.transaction.events.read(game.name))
    try:
        past = log_conversion.past_for_branch(
            context.board(game), log, game.rulebook, Phase.parse(parsed.phase)
        )
    except log_conversion.UnimportableRecordError:
        return CommandRefused("branch", Why.NO_SUCH_PHASE)
    budgets, owner = context.transaction.budgets, f"games of {game.moderator}"
    if not budgets.spend(owner, GAMES_MAX, GAMES_PAUSE, context.now):
        return CommandRefused("branch", Why.TOO_OFTEN)
    name = parsed.game.lower()
    command = CreateGame(
        name, game.variant, game.rulebook, game.house_rules, game.moderator, past, board_in(log)
    )
    match context.apply_command(name, command).decision:
        case Accepted():
            return CommandDone("branch", name)
        case Refused(why=why):
            return CommandRefused("branch", why)
        case other:
            assert_never(other)


def _candidates(game: Game) -> tuple[str, ...]:
    last = tuple(seat.person for seat in game.seats.values() if seat.person)
    return (*game.standbys, *game.applicants, *game.observers, *last)


def _last(game: Game, power: Power) -> str | None:
    seat = game.seats.get(power)
    return seat.person if seat else None


def _named(context: MailContext, people: tuple[str, ...], handle: str) -> str | None:
    owner = context.transaction.people.by_address(handle) if "@" in handle else None
    for each in people:
        person = context.transaction.people.get(each)
        if owner and owner.id == each:
            return each
        if person and person.handle.casefold() == handle.casefold():
            return each
    return None


VALID = timedelta(days=14)  # of the question to a new moderator


def ask_to_moderate(
    context: MailContext, game: Game, person: Person, command: HandOver, parsed: Promote
) -> Item:
    """Ask *person* by email, at most once a day, to take over as moderator."""
    match decide(context.board(game), game, command, context.now):
        case Refused(why=why):
            return CommandRefused(parsed.text.strip(), why)
        case Accepted():
            pass
        case other:
            assert_never(other)
    if context.transaction.people.first_today(
        person.address, f"moderate {game.name}", context.now
    ):
        about = ReplyMeaning(game=game.name, subject=f"{context.mail.id} {command.by}")
        token = token_for(context.transaction, Purpose.MODERATE, person, about)
        draft = EmailDraft(
            contexts=(
                confirmation_emails.ConfirmModerator(
                    heading=Heading(context.judge.code),
                    game=game.name,
                    code=question_code(context.transaction, token),
                ),
            ),
            cause=f"{context.cause}:moderate:{person.id}",
            address=person.address,
            zone=person.zone,
            token=token,
        )
        queue_email(context.judge, context.transaction, draft, context.now)
    return CommandDone("promote", parsed.handle)


def answer_moderation(context: MailContext, token: Token, *, yes: bool) -> MailOutcome:
    """Make the person the moderator on YES, unless the moderator has changed since."""
    mail, by = (token.subject or "").split(" ", 1)
    asked = context.transaction.inbox.get(int(mail))
    person = context.transaction.people.get(token.person)
    fresh = asked is not None and context.mail.received_utc - asked.received_utc <= VALID
    if person is None or person.key_version != token.key_version or not (fresh and yes):
        return MailOutcome(InboxState.IGNORED, "no game is handed over by this")
    game = context.game(token.game or "")
    if game is None or game.moderator != by:
        return MailOutcome(InboxState.IGNORED, "who asked moderates the game no longer")
    context.apply_command(game.name, HandOver(person.id, by))
    return PROCESSED


COMMANDS = (
    moderator_row(
        Admit,
        readers={
            "ADMIT": command_syntax.with_word(partial(Admit, granted=True), "handle", HANDLE_FORM),
            "REFUSE": command_syntax.with_word(
                partial(Admit, granted=False), "handle", HANDLE_FORM
            ),
        },
        handle=_admit,
        forms=(
            Form(
                "ADMIT handle | REFUSE handle", "admits or refuses a player who asks for a place"
            ),
        ),
    ),
    moderator_row(
        RuleEntry,
        readers={
            "ALLOWPLAYER": _entry_rule_reader(allowed=True),
            "DENYPLAYER": _entry_rule_reader(allowed=False),
        },
        joined={"ALLOW PLAYER": "ALLOWPLAYER", "DENY PLAYER": "DENYPLAYER"},
        handle=_rule_entry,
        aliases="allow",
        forms=(
            Form(
                "ALLOW PLAYER handle | DENY PLAYER handle | DENY PLAYER -handle",
                "always admits or bans a person known to the game; `-handle` undoes that. For "
                "strangers use `SET RULE entry=approval`",
                also="ALLOW PLAYER me@example.org | DENY PLAYER me@example.org",
            ),
        ),
    ),
    moderator_row(
        GiveSeat,
        readers={
            "SEAT": _read_seat,
            "REVIVE": _read_revival,
        },
        handle=_give_seat,
        forms=(
            Form(
                "SEAT F handle | REVIVE F",
                "gives a vacant power to a standby, applicant, observer or former player; "
                "`REVIVE` to its last player",
            ),
        ),
    ),
    moderator_row(
        MakeDummy,
        readers={"DUMMY": command_syntax.about_power(MakeDummy)},
        handle=_make_dummy,
        forms=(
            Form(
                "DUMMY F",
                "marks a power as unplayed: the game does not wait for it, and a player may still "
                "take it over",
            ),
        ),
    ),
    CommandRow(
        Promote,
        readers={"PROMOTE": command_syntax.with_word(Promote, "handle", HANDLE_FORM)},
        scope=Scope.MODERATOR,
        confirmed=True,
        handle=_promote,
        topic="promote",
        forms=(
            Form(
                "PROMOTE handle",
                "asks a player, standby or observer to moderate in your place, once you confirm; "
                "they have two weeks to agree, and everybody gets an email",
                also="PROMOTE me@example.org",
            ),
        ),
    ),
    moderator_row(
        Branch,
        readers={"BRANCH": _read_branch},
        handle=_branch,
        forms=(
            Form(
                "BRANCH F1901M AS other",
                "opens a new game from a position of this one, with its rules and you as "
                "moderator; powers are vacant, no orders come along",
            ),
        ),
    ),
    moderator_row(
        SetGamePassword,
        readers={"SET GAMEPASSWORD": command_syntax.with_word(SetGamePassword, "word")},
        joined={"GAME PASSWORD": "GAMEPASSWORD"},
        never_in_prose=("GAMEPASSWORD",),
        handle=_set_password,
        aliases="set game password",
        forms=(
            Form(
                "SET GAME PASSWORD word",
                "sets the game's password (for `entry=password`); the receipt does not repeat it",
            ),
        ),
    ),
)
