"""JOIN, by somebody we know; a stranger confirms first that it is he (see `strangers`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.app.desk import Desk
from judge.app.ports import Person
from judge.game.commands import JoinGame
from judge.game.decision import Accepted, Refused, Why
from judge.mail.said import Join, Said, SetPassword, SetPreference
from judge.reports.items import CommandDone, CommandRefused, Item


def join(desk: Desk, person: Person, said: Join, following: Sequence[Said]) -> Item:
    """Put *person* into the game, or into a vacant power of it.

    Preferences and the password that will sign him on may also stand in lines that follow: they
    count before the powers are given out.
    """
    said = _completed(said, following)
    command = JoinGame(
        person=person.id,
        preferences=said.preferences,
        seed=desk.judge.chance.nonce(),
        power=said.power,
    )
    match desk.conduct(said.game, command).decision:
        case Refused(why=why):
            hidden = desk.game_open_to(person, said.game) is None
            return CommandRefused("join", Why.NO_SUCH_GAME if hidden else why)
        case Accepted():
            pass
    if said.password:
        hashed = desk.judge.passwords.hash(said.password)
        desk.transaction.people.set_password(said.game, person.id, hashed)
    return CommandDone("join", said.game)


def _completed(said: Join, following: Sequence[Said]) -> Join:
    for each in following:
        match each:
            case SetPreference(preferences=preferences):
                said = replace(said, preferences=preferences)
            case SetPassword(word=word):
                said = replace(said, password=word)
            case _:
                pass
    return said
