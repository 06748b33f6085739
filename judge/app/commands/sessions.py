"""Sessions of an email: the person, game and power that each part of it is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import takewhile
from math import inf
from typing import assert_never

from judge.app import identity
from judge.app.commands.command import CommandRow, Scope
from judge.app.commands.context import MailContext, Session
from judge.app.commands.join import Join, Observe, StandBy
from judge.app.commands.moderator import Become, act_for
from judge.app.commands.rules import Create
from judge.app.commands.table import COMMAND_OF
from judge.app.ports.people import Person
from judge.game.game_state import Game
from judge.mail.body import Line, Text
from judge.mail.headers import folded
from judge.mail.language import command_syntax
from judge.mail.language.command_table import CommandTable
from judge.mail.reader.courtesies import is_courtesy, is_introduction
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.game_headings import (
    game_in_subject,
    game_mentioned,
    games_named_in,
    names_behind_game,
    split_by_game,
    unknown_game_names,
)
from judge.mail.reader.odd_words import name_odd_words
from judge.mail.reader.phase_hints import holds_order
from judge.reports.emails.receipts import SignOnFailed, UnprovenGame
from judge.rules.board import Map
from judge.rules.types import Power

NO_GAME = ""


def command_of(parsed: command_syntax.ParsedLine) -> CommandRow:
    """Return the entry of *parsed* in the command table."""
    return COMMAND_OF[type(parsed)]


def changes_person(parsed: Iterable[command_syntax.ParsedLine]) -> bool:
    """Return whether a line may change what the judge knows of its sender."""
    return any(command_of(each).scope in (Scope.SETTINGS, Scope.ENTRY) for each in parsed)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an email for one session; without a session it is for no game.

    It begins with a SIGNON by a *doubtful* sender if that waits for their confirmation.
    """

    person: Person | None
    session: Session | None
    parsed: tuple[command_syntax.ParsedLine, ...] = ()
    doubtful: identity.Doubtful | None = None

    def is_of_other_game(self, game: str) -> bool:
        """Return whether its person begins another part with the name of *game*."""
        return self.person is not None and (self.session is None or self.session.game != game)

    def is_of(self, game: str) -> bool:
        """Return whether it is for *game*."""
        return self.session is not None and self.session.game == game

    @property
    def joins(self) -> bool:
        """Return whether it begins with a JOIN."""
        return bool(self.parsed) and isinstance(self.parsed[0], Join)

    @property
    def enters_game(self) -> bool:
        """Return whether it begins with the name of a game to enter."""
        return bool(self.parsed) and command_of(self.parsed[0]).scope is Scope.ENTRY

    @property
    def failed(self) -> SignOnFailed | UnprovenGame | None:
        """Return the error if it begins with a SIGNON that failed, or with an unknown game."""
        match self.parsed[:1] if self.session is None else ():
            case (command_syntax.SignOn(line=line, text=text),):
                return SignOnFailed(line, text)
            case (command_syntax.NamedGame(line=line, text=text, game=game),):
                return UnprovenGame(line, text, game)
            case _:
                return None


def with_game_headings(
    context: MailContext,
    parsed: Sequence[command_syntax.ParsedLine],
    author: identity.Author | None,
) -> Sequence[command_syntax.ParsedLine]:
    """Return *parsed* with headings for the lines that name games of *author*.

    An email that is for no game otherwise is for the only one that it mentions. What stands below
    `GAME amber` is not for another game because its author does not play in that one.
    """
    own = frozenset(context.transaction.summaries.names_of(author.person.id)) if author else None
    if author and own:
        words = "\n".join(line.text for line in context.opened.text.fresh).casefold()
        others = context.transaction.summaries.listed_among(names_behind_game(words))
        own |= {each.name for each in others}
        parsed = context.read(
            read_game_headings,
            tuple(parsed),
            context.opened.subject,
            context.opened.text,
            own,
            context.reading_board,
            context.judge.commands,
        )
        names_none = parsed and not any(isinstance(each, NAMES_GAME) for each in parsed)
        if names_none and _game_of(context, author) is None:
            text = (context.opened.subject, *(line.text for line in context.opened.text.fresh))
            game = context.read(game_mentioned, text, own, context.reading_board)
            title = command_syntax.NamedGame(game, line=0, text=text[0]) if game else None
            parsed = (*((title,) if title else ()), *parsed)
    return tuple(_by_own_boards(context, parsed, author.person if author else None))


NAMES_GAME = command_syntax.NamedGame | command_syntax.SignOn | Join | StandBy | Observe


def _by_own_boards(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine], person: Person | None
) -> Iterator[command_syntax.ParsedLine]:
    """Yield *parsed*, where lines below the name of a game are read by the names on its board."""
    starts = [
        at for at, each in enumerate(parsed) if isinstance(each, NAMES_GAME) and each.line > 0
    ]
    yield from parsed[: starts[0] if starts else len(parsed)]
    for start, end in zip(starts, [*starts[1:], len(parsed)], strict=False):
        section = tuple(parsed[start:end])
        beyond = parsed[end].line if end < len(parsed) else None
        yield from _by_own_board(context, section, beyond, person)


def _by_own_board(
    context: MailContext,
    section: tuple[command_syntax.ParsedLine, ...],
    beyond: int | None,
    person: Person | None,
) -> tuple[command_syntax.ParsedLine, ...]:
    """Return *section*, which ends above the line *beyond*, read by the board of its game."""
    head, *below = section
    name = getattr(head, "game", None)
    game = context.game_open_to(person, name) if name else None
    is_heading = isinstance(head, command_syntax.NamedGame)
    inline = is_heading and any(each.line == head.line for each in below)
    if game is None or inline or context.board(game) is context.reading_board:
        return section
    lines = tuple(
        line
        for line in context.opened.text.fresh
        if head.line + is_heading <= line.number and (beyond is None or line.number < beyond)
    )
    power = game.power_of(person.id) if person else None
    found = context.read(read_section, lines, context.board(game), context.judge.commands, power)
    return (head, *found) if is_heading else found


def read_section(
    lines: tuple[Line, ...], board: Map, commands: CommandTable, own: Power | None
) -> tuple[command_syntax.ParsedLine, ...]:
    """Read *lines*, which are for a game on *board*."""
    return name_odd_words(read_lines(Text(lines), board, commands, own=own), board)


def read_game_headings(
    parsed: tuple[command_syntax.ParsedLine, ...],
    subject: str,
    text: Text,
    names: frozenset[str],
    board: Map,
    commands: CommandTable,
) -> tuple[command_syntax.ParsedLine, ...]:
    """Return *parsed* with headings for the lines that name one of the games *names*, or none."""
    end = next((each.line for each in parsed if isinstance(each, command_syntax.TooMuch)), inf)
    lines = tuple(takewhile(lambda line: line.number < end, text.fresh))
    words = "\n".join((subject, *(line.text for line in lines))).casefold()
    others = command_syntax.OrderText | command_syntax.UnknownCommand
    commanded = {each.line for each in parsed if not isinstance(each, others)}
    games = games_named_in(words, names) | unknown_game_names(lines, commanded, names, board)
    if not games:
        return parsed
    titled_with = game_in_subject(subject, games, board)
    title = command_syntax.NamedGame(titled_with, line=0, text=subject) if titled_with else None
    return (
        *((title,) if title and parsed else ()),
        *split_by_game(parsed, games, board, commands),
    )


def _is_greeting(context: MailContext, part: Part) -> bool:
    return not part.parsed or context.read(
        holds_no_request, part.parsed, context.reading_board, courteous=part.session is not None
    )


def _has_only_settings(context: MailContext, part: Part) -> bool:
    """Return whether *part* is for no game, and says nothing but how its person wants emails."""
    return part.session is None and all(
        command_of(each).scope is Scope.SETTINGS
        or _is_greeting(context, replace(part, parsed=(each,)))
        for each in part.parsed
    )


def _is_for_later(context: MailContext, part: Part, named: AbstractSet[str]) -> bool:
    """Return whether *part* has sentences only, of a game that is *named* below."""
    return (
        part.session is not None
        and part.session.game in named
        and context.read(holds_no_request, part.parsed, context.reading_board, courteous=False)
    )


def holds_no_request(
    parsed: Sequence[command_syntax.ParsedLine], board: Map, *, courteous: bool
) -> bool:
    """Return whether *parsed* has no commands and no orders, or only *courteous* words."""
    return all(
        isinstance(each, command_syntax.OrderText)
        and not any(holds_order(line.text, board, holds=True) for line in each.lines)
        and (not courteous or all(_is_polite(line.text, board) for line in each.lines))
        for each in parsed
    )


def _is_polite(text: str, board: Map) -> bool:
    return is_courtesy(text) or is_introduction(text, board)


def split_into_parts(
    context: MailContext,
    parsed: Sequence[command_syntax.ParsedLine],
    author: identity.Author | None,
) -> Iterator[Part]:
    """Split the email where SIGNON, JOIN or a game's name begins a part for another game."""
    person = author.person if author else None
    first = _first_session(context, parsed, author) if author else None
    part, master = Part(person, first), first
    headings = (each for each in parsed if isinstance(each, command_syntax.NamedGame))
    preface = _Preface({each.game for each in headings if each.line > 0})  # not by the subject
    for each in parsed:
        match each:
            case command_syntax.SignOff():
                yield from _nonempty(replace(part, parsed=(*part.parsed, each)))
                part = Part(None, None)
            case command_syntax.SignOn():
                yield from _nonempty(part)
                part = _part_of_sign_on(context, each, author)
            case command_syntax.NamedGame() if part.is_of_other_game(each.game):
                yield from preface.above(context, part)
                part = _part_of_heading(context, each, part, first, author, preface)
            case command_syntax.NamedGame():
                preface.ends = preface.ends or each.line > 0
            case command_syntax.UnknownCommand(word=word) if part.is_of(word):
                pass  # its own name below what is for it
            case Become(power=command_syntax.MASTER) if master and _is_for_other(part.session):
                yield part
                part = Part(master.person, master, (each,))
            case Become(power=power) if part.session and power != command_syntax.MASTER:
                master, above = _before_becoming(part.session, part, master, each)
                yield from above
                session = act_for(context, master, each)
                part = Part(session.person, session, (each,)) if session else Part(None, None)
            case Join() | StandBy() | Observe() | Create() if part.person:
                greets = _is_greeting(context, part) or _has_only_settings(context, part)
                yield from () if greets else _nonempty(part)
                name = each.game or ""
                evidence = (
                    context.evidence_also_for(name, part.session.evidence)
                    if part.session
                    else context.evidence("confirmed", name)
                )
                session = Session(part.person, evidence, name)
                part = Part(part.person, session, (each, *(part.parsed if greets else ())))
            case _:
                part = replace(part, parsed=(*part.parsed, each))
    yield part


@dataclass(slots=True)
class _Preface:
    """The text above the first game of an email that names several.

    A greeting goes with the first of the games *named*, and sentences with the game that the email
    answers. *kept* waits for *game*; the preface *ends* with the first heading in the text.
    """

    named: AbstractSet[str]
    kept: tuple[command_syntax.ParsedLine, ...] = ()
    game: str | None = None
    ends: bool = False

    def above(self, context: MailContext, part: Part) -> Iterator[Part]:
        """Yield *part*, which a heading ends, unless it is kept for another part."""
        greets = not self.ends and _is_greeting(context, part)
        if greets or (not self.ends and _is_for_later(context, part, self.named)):
            self.kept = part.parsed
            self.game = part.session.game if part.session and not greets else None
        else:
            yield from _nonempty(part)

    def take(self, game: str) -> tuple[command_syntax.ParsedLine, ...]:
        """Return what is kept for the part of *game*."""
        if self.game not in (None, game):
            return ()
        kept, self.kept = self.kept, ()
        return kept


def _part_of_heading(
    context: MailContext,
    heading: command_syntax.NamedGame,
    above: Part,
    first: Session | None,
    author: identity.Author | None,
    preface: _Preface,
) -> Part:
    """Return the part below *heading*, which follows the part *above*."""
    assert above.person, "a stranger's email has no headings"
    preface.ends = preface.ends or heading.line > 0  # not by the subject
    game, person = heading.game, above.person
    back = first and (first.game, first.person) == (game, person)
    exists = context.game_open_to(person, game) is not None
    found = session_of_game(context, game, person, author) if exists else None
    session = first if back else found
    kept = preface.take(game)
    return Part(person, session, kept if session else (heading, *kept))


def _is_for_other(session: Session | None) -> bool:
    """Return whether a moderator writes for a player or a dummy."""
    return session is not None and (session.acting or session.dummy is not None)


def _part_of_sign_on(
    context: MailContext, parsed: command_syntax.SignOn, author: identity.Author | None
) -> Part:
    match sign_on(context, parsed, author):
        case Session() as session:
            return Part(session.person, replace(session, signed_on=True), (parsed,))
        case identity.Doubtful() as who:
            return Part(None, None, (parsed,), who)
        case None:
            return Part(None, None, (parsed,))
        case other:
            assert_never(other)


def _before_becoming(
    session: Session, part: Part, master: Session | None, parsed: Become
) -> tuple[Session, Iterable[Part]]:
    """Return the moderator's own session before BECOME, and the part above it."""
    if session.acting and master:
        return master, (part, Part(master.person, master, (parsed,)))
    return session, (replace(part, parsed=(*part.parsed, parsed)),)


def _first_session(
    context: MailContext, parsed: Sequence[command_syntax.ParsedLine], author: identity.Author
) -> Session | None:
    """Open the session that an email begins with: of no game, if no line needs one."""
    session = session_of(context, author)
    if (
        session is None
        and parsed
        and all(command_of(each).scope is Scope.SETTINGS for each in parsed)
    ):
        return Session(author.person, context.evidence(author.how.value, NO_GAME), NO_GAME)
    return session


def _nonempty(part: Part) -> Iterator[Part]:
    if part.parsed:
        yield part


GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, then one per pause


def session_of(context: MailContext, author: identity.Author) -> Session | None:
    """Open the session of the game whose email *author* answers, or of their only game."""
    game = _game_of(context, author)
    if game is None:
        return None
    power = game.power_of(author.person.id)
    evidence = context.evidence(author.how.value, game.name)
    return Session(author.person, evidence, game.name, power, author.phase, author.answered)


def power_of_author(context: MailContext, author: identity.Author) -> Power | None:
    """Return the power of *author* in the game that `session_of` would open."""
    game = _game_of(context, author)
    return game.power_of(author.person.id) if game else None


def _game_of(context: MailContext, author: identity.Author) -> Game | None:
    name = author.game or identity.only_game(context.transaction, author.person.id)
    return context.game(name) if name else None


def sign_on(
    context: MailContext, parsed: command_syntax.SignOn, author: identity.Author | None = None
) -> Session | identity.Doubtful | None:
    """Open the session that *parsed* asks for; None if the game or the password is wrong.

    The sender never learns which. From an unregistered address the session is doubtful even with
    the right password. A recognized *author* needs no password.
    """
    game = context.game(parsed.game)
    if game is None:
        return None
    candidates = _candidates(game, parsed.power)
    confirmed = context.mail.confirmed_person is not None
    known = confirmed or (author and not parsed.password and _proves(game, author))
    if author and known and author.person.id in candidates:
        return _session(context, game, author.person.id, author.how)
    guesser = _person_with_password(context, game, candidates, parsed.password)
    return _signed_on(context, game, guesser) if guesser else None


def _signed_on(context: MailContext, game: Game, person_id: str) -> Session | identity.Doubtful:
    """Open the session of the person with that password, if the email proves to be theirs."""
    people, sender = context.transaction.people, context.opened.sender
    owner = people.by_address(sender) if sender else None
    signs = identity.AuthorshipSigns(
        registered=owner is not None and owner.id == person_id,
        vouched=context.proof.verified,
        forged=context.proof.forged,
        boundary=bool(context.judge.authserv_id),
        password=True,
        confirmed=context.mail.confirmed_person == person_id,
    )
    match identity.authorship(signs, game.house_rules.proof):
        case identity.Proven():
            return _session(context, game, person_id, identity.AuthorshipBy.PASSWORD)
        case identity.Unproven(why):
            person = people.get(person_id)
            assert person is not None, "players are registered"
            return identity.Doubtful(person, identity.Author(person, signs, game=game.name), why)
        case outcome:
            assert_never(outcome)


def is_sign_on_refused(
    context: MailContext, parsed: command_syntax.SignOn, who: identity.Doubtful
) -> bool:
    """Return whether *parsed* takes effect only after the person confirms it."""
    game = (
        context.game(parsed.game) if parsed.password and not who.claimed.signs.password else None
    )
    if game is None:
        return False
    with_password = replace(who.claimed.signs, registered=True, password=True)
    enough = isinstance(
        identity.authorship(with_password, game.house_rules.proof), identity.Proven
    )
    return enough and who.person.id in _candidates(game, parsed.power)


def session_of_game(
    context: MailContext, name: str, person: Person, author: identity.Author | None
) -> Session | None:
    """Open a session of the game *name*, if the evidence for *person* is enough.

    Evidence for one of their games counts for the others, too, as with SIGNON.
    """
    game = context.game(name)
    own = author is not None and author.person.id == person.id
    if game is None or author is None or not own or not _proves(game, author):
        return None
    return _session(context, game, person.id, author.how)


def _proves(game: Game, author: identity.Author) -> bool:
    return isinstance(identity.authorship(author.signs, game.house_rules.proof), identity.Proven)


def _session(
    context: MailContext, game: Game, person_id: str, how: identity.AuthorshipBy
) -> Session:
    person = context.transaction.people.get(person_id)
    assert person is not None, "players are registered"
    evidence = context.evidence(how.value, game.name)
    return Session(person, evidence, game.name, game.power_of(person_id))


def _person_with_password(
    context: MailContext, game: Game, candidates: tuple[str, ...], password: str
) -> str | None:
    """Return the person with that password; None after too many wrong guesses.

    Only from their own address does it let anybody in, so only guesses from there count against a
    person. Those of others count against their sender, and together.
    """
    budgets, people = context.transaction.budgets, context.transaction.people
    sender = context.opened.sender or context.mail.sender
    owner = None if context.proof.forged else people.by_address(sender)
    hashes = dict(people.passwords(game.name))
    wrong: list[str] = []
    for person in candidates:
        tries = [f"guesses at {game.name} {person}"]
        if owner is None or owner.id != person:
            tries = [
                f"guesses from {folded(sender)}",
                f"guesses of others at {game.name} {person}",
            ]
        wrong += tries
        left = all(budgets.has_left(each, GUESSES_MAX, GUESS_PAUSE, context.now) for each in tries)
        if left and person in hashes and context.judge.passwords.matches(password, hashes[person]):
            return person
    for name in dict.fromkeys(wrong):
        budgets.spend(name, GUESSES_MAX, GUESS_PAUSE, context.now)
    return None


def _candidates(game: Game, power: str | None) -> tuple[str, ...]:
    """Return who may sign on: the player, the moderator, or, before the start, all who joined."""
    if power == command_syntax.MASTER:
        return (game.moderator,) if game.moderator else ()
    if power and power in game.seats:
        person = game.seats[power].person
        return (person,) if person else ()
    return () if game.seats else tuple(game.joined)
