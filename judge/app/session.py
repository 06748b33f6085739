"""What one person says to one game in one mail.

Each command is put to the game, and has its line in the receipt.
"""

from __future__ import annotations

from dataclasses import replace

from judge.app.desk import Desk, Session
from judge.app.ordering import is_for_another_phase, order, why_no_power
from judge.app.pressing import send_press
from judge.game.commands import (
    ClearOrders,
    Command,
    Resign,
    SetPreferences,
    SetReady,
    SetWait,
    VoteConcession,
    VoteDraw,
)
from judge.game.decision import Accepted, Refused, Why
from judge.mail import said as words
from judge.mail.said import Said
from judge.notation.names import names_of
from judge.reports.items import (
    CommandDone,
    CommandRefused,
    Item,
    LineNotUnderstood,
    NotReadOn,
)
from judge.rules.vocabulary import Power, Province


def hear(desk: Desk, session: Session, said: Said) -> tuple[Item, ...]:
    """Do what *said* asks of the session's game, and account for it."""
    items: tuple[Item, ...] = ()
    match said:
        case words.OrderText(lines=lines):
            items = order(desk, session, lines)
        case words.Press():
            items = (send_press(desk, session, said),)
        case words.SetPassword(word=word):
            items = (_set_password(desk, session, word),)
        case words.Resign(game=game):
            items = (_resign(desk, replace(session, game=game or session.game)),)
        case words.SetPreference(preferences=preferences):
            command = SetPreferences(session.person.id, preferences)
            items = (_put(desk, session, "preference", command),)
        case words.UnknownCommand(line=line, text=text, nearest=nearest):
            items = (LineNotUnderstood(line, text, nearest),)
        case words.TooMuch(line=line, limit=limit):
            items = (NotReadOn(line, limit),)
        case words.Clear() if session.power:
            items = (_clear(desk, session, session.power, said),)
        case _ if session.power:
            items = _hear_power(desk, session, session.power, said)
        case words.Clear() | words.SetWait() | words.SetReady() | words.SetDraw() | words.Concede():
            items = (CommandRefused(said.text.strip(), why_no_power(desk, session)),)
        case _:
            pass
    return items


def _hear_power(desk: Desk, session: Session, power: Power, said: Said) -> tuple[Item, ...]:
    """Do what only somebody who plays a power may ask."""
    person, received = session.person.id, desk.mail.received_utc
    nonce = desk.judge.chance.nonce()
    name, argument = "", ""
    match said:
        case words.SetWait(wait=wait):
            name = "wait" if wait else "nowait"
            command: Command = SetWait(power, person, wait, received, nonce)
        case words.SetReady(ready=ready):
            name = "ready" if ready else "notready"
            command = SetReady(power, person, ready, received, nonce)
        case words.SetDraw(draw=draw):
            name = "draw" if draw else "nodraw"
            command = VoteDraw(power, person, draw, nonce)
        case words.Concede(to=to):
            name, argument = "concede" if to else "noconcede", to or ""
            command = VoteConcession(power, person, to, nonce)
        case _:
            return ()
    return (_put(desk, session, name, command, argument),)


def _clear(desk: Desk, session: Session, power: Power, said: words.Clear) -> Item:
    """Take back all orders, or that of the one unit that is named; only those of the open phase."""
    if is_for_another_phase(desk, session):
        return CommandRefused("clear", Why.OTHER_PHASE)
    named = _provinces(desk, session, said.words)
    if said.words and len(named) != 1:
        return LineNotUnderstood(said.line, said.text)
    command = ClearOrders(
        power,
        session.person.id,
        named,
        desk.mail.received_utc,
        desk.mail.sha256,
        desk.judge.chance.nonce(),
    )
    return _put(desk, session, "clear", command, " ".join(said.words))


def _provinces(desk: Desk, session: Session, named: tuple[str, ...]) -> tuple[Province, ...]:
    """Return the provinces that *named* may be, with or without the kind of unit before."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    names = names_of(desk.board(game))
    return names.find(" ".join(named)) or names.find(" ".join(named[1:]))


def _resign(desk: Desk, session: Session) -> Item:
    """Leave the game, if this is the second time: a mail asks back first (DECISIONS, Who speaks)."""
    if desk.game_open_to(session.person, session.game) is None:
        return CommandRefused("resign", Why.NO_SUCH_GAME)
    if desk.mail.confirmed_person != session.person.id:
        return CommandDone("resign_asked")
    return _put(desk, session, "resign", Resign(session.person.id))


def _set_password(desk: Desk, session: Session, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(session.game, session.person.id, hashed)
    return CommandDone("password")


def _put(desk: Desk, session: Session, name: str, command: Command, argument: str = "") -> Item:
    match desk.conduct(session.game, command).decision:
        case Accepted() | Refused(why=Why.NOTHING_CHANGED):
            return CommandDone(name, argument)
        case Refused(why=why):
            return CommandRefused(name, why)
