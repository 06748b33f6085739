"""JOIN, STANDBY, RESIGN and wishes to join in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from judge.app.commands.context import (
    COMMAND_BOARD,
    MailContext,
    Session,
    discard_held,
    put_command,
)
from judge.app.commands.queries import listed_games
from judge.app.game.apply import standbys_to_ask
from judge.app.identity.authenticate import register_person
from judge.app.ports.inbox import InboxState
from judge.app.ports.people import Person, Purpose, Token
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game, Stage
from judge.game.house_rules import Entry
from judge.game.players.joining import Resign
from judge.game.players.standbys import Decline, JoinGame, PlaceAsked, StandBy, StandbyCame
from judge.mail.body import Line
from judge.mail.envelope import Letter
from judge.mail.language.command_reader import Parsed
from judge.mail.language.command_syntax import OrderText, UnknownCommand
from judge.mail.language.confirmations import Confirm
from judge.mail.language.join_commands import Join, Observe, SetPreference
from judge.mail.language.join_commands import Resign as ResignLine
from judge.mail.language.join_commands import StandBy as StandByLine
from judge.mail.language.profile_commands import SetPassword
from judge.mail.mail_addresses import same_mailbox
from judge.mail.reader.phase_headings import holds_order
from judge.mail.reader.prose import game_to_join, wants_to_join
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item

PASSWORD_KEY = "{game} (door)"  # noqa: S105 - a key under which passwords are kept; no game is called so
GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, and then


def join(desk: MailContext, person: Person, said: Join, following: Sequence[Parsed]) -> Item:
    """Put *person* into the game, or into a vacant power of it.

    Preferences and the password that will sign him on may also stand in lines that follow: they
    count before the powers are given out. A single word behind a game that has a password is that.
    """
    said = _completed(said, following)
    admitted = _is_password_right(desk, person, said.game, said.key or said.password)
    command = JoinGame(
        person=person.id,
        preferences=said.preferences,
        seed=desk.judge.random.nonce(),
        power=said.power,
        admitted=admitted,
    )
    item = _put(desk, person, said.game, "join", command)
    own = said.password if said.key or not admitted else None
    if own and isinstance(item, CommandDone):
        hashed = desk.judge.passwords.hash(own)
        desk.transaction.people.set_password(said.game, person.id, hashed)
    return item


def join_standbys(desk: MailContext, person: Person, said: StandByLine) -> Item:
    """Let *person* wait for a place in the game, or in any; or no longer."""
    if said.game is None:
        return _stand_by_anywhere(desk, person, on=said.on)
    command = StandBy(
        person.id, on=said.on, admitted=_is_password_right(desk, person, said.game, said.key)
    )
    return _put(desk, person, said.game, "standby" if said.on else "nostandby", command)


def answer_offered_seat(desk: MailContext, session: Session, said: Confirm) -> Item | None:
    """Take the power that is kept for who answers, or not; None if he is not asked anything."""
    game, person = desk.game(session.game), session.person
    if game is None or game.power_of(person.id) or person.id == game.moderator:
        return None
    kept = [power for power, offer in game.offers.items() if offer.person == person.id]
    if not said.yes:
        return _put(desk, person, session.game, "declined", Decline(person.id)) if kept else None
    if not kept:
        return CommandRefused("yes", Why.NO_OFFER)
    command = JoinGame(person.id, (), desk.judge.random.nonce(), kept[0])
    return _put(desk, person, session.game, "join", command)


def _stand_by_anywhere(desk: MailContext, person: Person, *, on: bool) -> Item:
    """Let *person* be asked by the first game that needs somebody; or by none any longer."""
    people, events = desk.transaction.people, desk.transaction.events
    people.stand_by(person.id, desk.now if on else None)
    for name in events.games() if on else events.games_of(person.id):
        game = desk.game(name)
        if game and on:
            for command in standbys_to_ask(people, game):
                desk.conduct(name, command)
        elif game and person.id in game.standbys:
            desk.conduct(name, StandBy(person.id, on=False))
    return CommandDone("standby_any" if on else "nostandby_any")


def _put(
    desk: MailContext, person: Person, name: str, word: str, command: JoinGame | StandBy | Decline
) -> Item:
    conducted = desk.conduct(name, command)
    match conducted.decision:
        case Refused(why=Why.NOTHING_CHANGED):
            return CommandDone("join_asked" if word == "join" else word, name)
        case Refused(why=why):
            hidden = desk.game_open_to(person, name) is None
            return CommandRefused(word, Why.NO_SUCH_GAME if hidden else why)
        case Accepted(events=(PlaceAsked(), *_)):
            return CommandDone("join_asked", name)
        case Accepted(events=(StandbyCame(), *_)):
            assert conducted.game is not None, "it has a waiting list"
            return CommandDone("standby", _place_in_line(conducted.game, person))
        case Accepted():
            return CommandDone(word, name)
        case other:
            assert_never(other)


def _place_in_line(game: Game, person: Person) -> str:
    """Say how many wait up to *person*, he among them."""
    return f"{game.name}, {list(game.standbys).index(person.id) + 1}"


def _is_password_right(desk: MailContext, person: Person, name: str, word: str | None) -> bool:
    """Say whether *word* is the password of the game; wrong ones come to an end."""
    game = desk.game(name)
    if word is None or game is None or game.house_rules.entry is not Entry.PASSWORD:
        return False
    budgets, tries = desk.transaction.budgets, f"guesses at the door of {name} by {person.id}"
    if not budgets.has_left(tries, GUESSES_MAX, GUESS_PAUSE, desk.now):
        return False
    hashes = desk.transaction.people.passwords(PASSWORD_KEY.format(game=name))
    if any(desk.judge.passwords.matches(word, hashed) for _, hashed in hashes):
        return True
    budgets.spend(tries, GUESSES_MAX, GUESS_PAUSE, desk.now)
    return False


def _completed(said: Join, following: Sequence[Parsed]) -> Join:
    for each in following:
        match each:
            case SetPreference(preferences=preferences):
                said = replace(said, preferences=preferences)
            case SetPassword(word=word):
                said = replace(said, password=word)
            case _:
                pass
    return said


EntryCommand = Join | StandByLine | Observe


def with_wish_as_join(
    desk: MailContext, said: Sequence[Parsed], *, sure: bool
) -> Sequence[Parsed]:
    """Return *said* with the first sentence that wishes to join a listed game read as JOIN.

    Unless its writer is *sure* to be asked, or was, it is only shown back, with the command.
    """
    texts = [each for each in said if isinstance(each, OrderText)]
    wishing = any(wants_to_join(line.text) for each in texts for line in each.lines)
    if not wishing or any(isinstance(each, EntryCommand) for each in said):
        return said
    games = [game.name for game in listed_games(desk) if game.stage is not Stage.ENDED]
    for number, each in enumerate(said):
        wish = _wish_in(desk, each, games, sure=sure) if isinstance(each, OrderText) else ()
        if wish:
            return (*said[:number], *wish, *said[number + 1 :])
    return said


def joined_by_other_join(desk: MailContext, said: Sequence[Parsed], token: Token) -> Person | None:
    """Return the newcomer who answers the question about a JOIN by another JOIN, from there.

    That answer proves the address as a YES would, and the first JOIN is dropped.
    """
    comes = any(isinstance(each, Join) for each in said)
    if token.purpose is not Purpose.JOIN or not comes:
        return None
    held = desk.transaction.inbox.get(int(token.subject or 0))
    if held is None:
        return None
    opened = desk.judge.opener.open(held.raw, held.sender)
    asked = opened.sender if isinstance(opened, Letter) else None
    sender = desk.letter.sender
    if held.state is not InboxState.HELD or not (asked and sender and same_mailbox(asked, sender)):
        return None
    discard_held(desk.judge, desk.transaction, held.id, "its writer joined otherwise")
    return register_person(desk.judge, desk.transaction, asked, desk.now, token.person)


def _wish_in(
    desk: MailContext, said: OrderText, games: Sequence[str], *, sure: bool
) -> tuple[Parsed, ...]:
    """Split *said* around the line that wishes to join one of *games*; nothing if none does."""
    board = desk.judge.boards(COMMAND_BOARD)
    for at, line in enumerate(said.lines):
        game = game_to_join(line.text, games)
        if game is None or holds_order(line.text, board):
            continue
        made: Parsed = UnknownCommand("JOIN", f"JOIN {game}", line=line.number, text=line.text)
        if sure:
            made = Join(game, line=line.number, text=line.text)
        above, below = said.lines[:at], said.lines[at + 1 :]
        return (*_text(above), made, *_text(below))
    return ()


def _text(lines: tuple[Line, ...]) -> tuple[Parsed, ...]:
    if not lines:
        return ()
    return (OrderText(lines, line=lines[0].number, text=lines[0].text),)


def resign(desk: MailContext, session: Session, said: ResignLine) -> Item:
    """Leave the game, once confirmed: a mail asks back first (decisions.md, Identity)."""
    if desk.game_open_to(session.person, session.game) is None:
        return CommandRefused("resign", Why.NO_SUCH_GAME)
    if desk.mail.confirmed_person != session.person.id:
        return CommandDone("resign_asked")
    return put_command(desk, session, said, "resign", Resign(session.person.id))
