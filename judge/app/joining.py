"""JOIN, by somebody we know; a stranger confirms first that it is he (see `strangers`)."""

from __future__ import annotations

from judge.app.desk import Desk
from judge.app.ports import Person
from judge.game.commands import JoinGame
from judge.game.decision import Accepted, Refused
from judge.mail.grammar import Join
from judge.reports.items import CommandDone, CommandRefused, Item


def join(desk: Desk, person: Person, said: Join) -> Item:
    """Put *person* into the game, or into a vacant power of it; a password he names will sign him on."""
    command = JoinGame(
        person=person.id,
        preferences=said.preferences,
        seed=desk.judge.chance.nonce(),
        power=said.power,
    )
    match desk.conduct(said.game, command).decision:
        case Refused(why=why):
            return CommandRefused("join", why)
        case Accepted():
            pass
    if said.password:
        hashed = desk.judge.passwords.hash(said.password)
        desk.transaction.people.set_password(said.game, person.id, hashed)
    return CommandDone("join", said.game)
