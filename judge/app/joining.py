"""JOIN and STANDBY, by somebody we know; a stranger confirms first that it is he."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from judge.app.desk import Desk, Session
from judge.app.ports import Person
from judge.app.standby import recruits
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.house_rules import Entry
from judge.game.players.standbys import Decline, JoinGame, PlaceAsked, StandBy, StandbyCame
from judge.mail.language.command_reader import Parsed
from judge.mail.language.confirmations import Confirm
from judge.mail.language.join_commands import Join, SetPreference
from judge.mail.language.join_commands import StandBy as StandByLine
from judge.mail.language.profile_commands import SetPassword
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item

DOOR = "{game} (door)"  # Under which the password of a game is kept; no game is called so.
GUESSES_MAX, GUESS_PAUSE = 10, timedelta(hours=1)  # wrong passwords at once, and then


def join(desk: Desk, person: Person, said: Join, following: Sequence[Parsed]) -> Item:
    """Put *person* into the game, or into a vacant power of it.

    Preferences and the password that will sign him on may also stand in lines that follow: they
    count before the powers are given out. A single word behind a game that has a password is that.
    """
    said = _completed(said, following)
    admitted = _opens(desk, person, said.game, said.key or said.password)
    command = JoinGame(
        person=person.id,
        preferences=said.preferences,
        seed=desk.judge.chance.nonce(),
        power=said.power,
        admitted=admitted,
    )
    item = _put(desk, person, said.game, "join", command)
    own = said.password if said.key or not admitted else None
    if own and isinstance(item, CommandDone):
        hashed = desk.judge.passwords.hash(own)
        desk.transaction.people.set_password(said.game, person.id, hashed)
    return item


def stand_by(desk: Desk, person: Person, said: StandByLine) -> Item:
    """Let *person* wait for a place in the game, or in any; or no longer."""
    if said.game is None:
        return _stand_by_anywhere(desk, person, on=said.on)
    command = StandBy(person.id, on=said.on, admitted=_opens(desk, person, said.game, said.key))
    return _put(desk, person, said.game, "standby" if said.on else "nostandby", command)


def answer_offer(desk: Desk, session: Session, said: Confirm) -> Item | None:
    """Take the power that is kept for who answers, or not; None if he is not asked anything."""
    game, person = desk.game(session.game), session.person
    if game is None or game.power_of(person.id) or person.id == game.moderator:
        return None
    kept = [power for power, offer in game.offers.items() if offer.person == person.id]
    if not said.yes:
        return _put(desk, person, session.game, "declined", Decline(person.id)) if kept else None
    if not kept:
        return CommandRefused("yes", Why.NO_OFFER)
    command = JoinGame(person.id, (), desk.judge.chance.nonce(), kept[0])
    return _put(desk, person, session.game, "join", command)


def _stand_by_anywhere(desk: Desk, person: Person, *, on: bool) -> Item:
    """Let *person* be asked by the first game that needs somebody; or by none any longer."""
    people, events = desk.transaction.people, desk.transaction.events
    people.stand_by(person.id, desk.now if on else None)
    for name in events.games() if on else events.games_of(person.id):
        game = desk.game(name)
        if game and on:
            for command in recruits(people, game):
                desk.conduct(name, command)
        elif game and person.id in game.standbys:
            desk.conduct(name, StandBy(person.id, on=False))
    return CommandDone("standby_any" if on else "nostandby_any")


def _put(
    desk: Desk, person: Person, name: str, word: str, command: JoinGame | StandBy | Decline
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
            return CommandDone("standby", _number(conducted.game, person))
        case Accepted():
            return CommandDone(word, name)


def _number(game: Game, person: Person) -> str:
    """Say how many wait up to *person*, he among them."""
    return f"{game.name}, {list(game.standbys).index(person.id) + 1}"


def _opens(desk: Desk, person: Person, name: str, word: str | None) -> bool:
    """Say whether *word* is the password of the game; wrong ones come to an end."""
    game = desk.game(name)
    if word is None or game is None or game.house_rules.entry is not Entry.PASSWORD:
        return False
    budgets, tries = desk.transaction.budgets, f"guesses at the door of {name} by {person.id}"
    if not budgets.has_left(tries, GUESSES_MAX, GUESS_PAUSE, desk.now):
        return False
    hashes = desk.transaction.people.passwords(DOOR.format(game=name))
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
