"""What one person says to one game in one mail: each command put to the game, each with its line in the receipt."""

from __future__ import annotations

from judge.app.desk import Desk, Session
from judge.app.ordering import order
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
from judge.reports.items import CommandDone, CommandRefused, Item, LineNotUnderstood
from judge.rules.vocabulary import Power


def hear(desk: Desk, session: Session, said: Said) -> tuple[Item, ...]:
    """Do what *said* asks of the session's game, and account for it."""
    match said:
        case words.OrderText(lines=lines):
            return order(desk, session, lines)
        case words.Press():
            return (send_press(desk, session, said),)
        case words.SetPassword(word=word):
            return (_set_password(desk, session, word),)
        case words.SetPreference(preferences=preferences):
            command = SetPreferences(session.person.id, preferences)
            return (_put(desk, session, "preference", command),)
        case words.Resign() if desk.mail.confirmed_person is None:
            return (CommandDone("resign_asked"),)
        case words.Resign(game=game) if game in (None, session.game):
            return (_put(desk, session, "resign", Resign(session.person.id)),)
        case words.UnknownCommand(line=line, text=text, nearest=nearest):
            return (LineNotUnderstood(line, text, nearest),)
        case _ if session.power:
            return _hear_power(desk, session, session.power, said)
        case _:
            return ()


def _hear_power(desk: Desk, session: Session, power: Power, said: Said) -> tuple[Item, ...]:
    """Do what only somebody who plays a power may ask."""
    person, received = session.person.id, desk.mail.received_utc
    nonce = desk.judge.chance.nonce()
    match said:
        case words.SetWait(wait=wait):
            command: Command = SetWait(power, person, wait, received, nonce)
            return (_put(desk, session, "wait" if wait else "nowait", command),)
        case words.SetReady(ready=ready):
            command = SetReady(power, person, ready, received, nonce)
            return (_put(desk, session, "ready" if ready else "notready", command),)
        case words.SetDraw(draw=draw):
            command = VoteDraw(power, person, draw, nonce)
            return (_put(desk, session, "draw" if draw else "nodraw", command),)
        case words.Concede(to=to):
            command = VoteConcession(power, person, to, nonce)
            return (_put(desk, session, "concede" if to else "noconcede", command, to or ""),)
        case words.Clear(words=names):
            return (_clear(desk, session, power, names),)
        case _:
            return ()


def _clear(desk: Desk, session: Session, power: Power, words: tuple[str, ...]) -> Item:
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    provinces = names_of(desk.board(game)).find(" ".join(words)) if words else ()
    if len(provinces) > 1 or (words and not provinces):
        return LineNotUnderstood(0, f"CLEAR {' '.join(words)}")
    command = ClearOrders(
        power,
        session.person.id,
        provinces,
        desk.mail.received_utc,
        desk.mail.sha256,
        desk.judge.chance.nonce(),
    )
    return _put(desk, session, "clear", command, " ".join(words))


def _set_password(desk: Desk, session: Session, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(session.game, session.person.id, hashed)
    return CommandDone("password")


def _put(
    desk: Desk, session: Session, name: str, command: Command, argument: str = ""
) -> Item:
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(name, argument)
        case Refused(why=Why.NOTHING_CHANGED):
            return CommandDone(name, argument)
        case Refused(why=why):
            return CommandRefused(name, why)
