"""What one person says to one game in one mail.

Each command is put to the game, and has its line in the receipt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from judge.app.addresses import change_address
from judge.app.desk import Desk, Session
from judge.app.doorkeeping import keep_door
from judge.app.handles import set_handle
from judge.app.joining import answer_offer
from judge.app.memoirs import remember
from judge.app.order_reading import read
from judge.app.ordering import is_for_another_phase, order, why_no_power
from judge.app.pacing import change_mails
from judge.app.planning import forget, plan
from judge.app.pressing import send_press
from judge.app.repairs import accept, undo
from judge.app.speaking import set_language
from judge.app.stewarding import attend
from judge.app.zones import set_zone
from judge.game.commands import (
    ClearOrders,
    Command,
    PlanWait,
    Resign,
    SetPreferences,
    SetReady,
    SetWait,
    VoteConcession,
    VoteDraw,
)
from judge.game.decision import Accepted, Refused, Why
from judge.game.intake import place_of
from judge.mail.body import Line
from judge.mail.language import said as words
from judge.mail.language.memoir_said import OfMemoir
from judge.mail.language.place_said import OfDoor
from judge.mail.language.said import Said
from judge.mail.language.table_said import OfModerator, OfTable
from judge.notation.reading import Understood
from judge.reports.items import (
    CommandDone,
    CommandElsewhere,
    CommandRefused,
    Item,
    LineNotUnderstood,
    NotReadOn,
    PressUnopened,
)
from judge.rules.phase import Phase, PhaseKind
from judge.rules.vocabulary import Power, Province

OfPower: TypeAlias = words.Clear | words.SetWait | words.SetReady | words.SetDraw | words.Concede

OfHabit: TypeAlias = words.SetMails | words.SetZone | words.SetHandle | words.SetLanguage
OfPerson: TypeAlias = words.SetPassword | words.ChangeAddress | words.NewTokens | OfHabit
NotHeard: TypeAlias = words.UnknownCommand | words.LineFailed | words.TooMuch | words.SignOff


def hear(desk: Desk, session: Session, said: Said) -> tuple[Item, ...]:
    """Do what *said* asks of the session's game, and account for it."""
    if isinstance(said, OfModerator | OfTable):
        return (attend(desk, session, said),)
    if isinstance(said, OfDoor):
        return (keep_door(desk, session, said),)
    if isinstance(said, OfMemoir):
        return remember(desk, session, said)
    return _hear(desk, session, said)


def _hear(desk: Desk, session: Session, said: Said) -> tuple[Item, ...]:
    items: tuple[Item, ...] = ()
    match said:
        case words.OrderText(lines=lines):
            items = (plan if session.later else order)(desk, session, lines)
        case words.Confirm():
            items = _confirm(desk, session, said)
        case words.Press():
            items = (send_press(desk, session, said),)
        case words.UnopenedPress():
            items = (_unopened(desk, said),)
        case (
            words.SetPassword()
            | words.ChangeAddress()
            | words.NewTokens()
            | words.SetMails()
            | words.SetZone()
            | words.SetHandle()
            | words.SetLanguage()
        ):
            items = (_of_person(desk, session, said),)
        case words.Resign(game=game):
            items = (_resign(desk, replace(session, game=game or session.game), said),)
        case words.SetPreference(preferences=preferences):
            command = SetPreferences(session.person.id, preferences)
            items = (_put(desk, session, said, "preference", command),)
        case words.UnknownCommand() | words.LineFailed() | words.TooMuch() | words.SignOff():
            items = _not_heard(desk, said)
        case (
            words.Clear() | words.SetWait() | words.SetReady() | words.SetDraw() | words.Concede()
        ):
            items = (_for_power(desk, session, said),)
        case _:
            pass
    return items


def _unopened(desk: Desk, said: words.UnopenedPress) -> Item:
    """Show back what is meant for somebody, or was above an end of press."""
    if said.opening:
        opener = Line(said.line, said.text)
        return PressUnopened(desk.shown((opener, *said.lines)), said.opening)
    if said.lines:
        return PressUnopened(desk.shown(said.lines))
    return LineNotUnderstood(said.line, said.text)


def _confirm(desk: Desk, session: Session, said: words.Confirm) -> tuple[Item, ...]:
    """Take YES or NO as the answer to an offer of a place, else to a receipt's orders."""
    answered = answer_offer(desk, session, said)
    if answered:
        return (answered,)
    return accept(desk, session) if said.yes else undo(desk, session)


def _not_heard(desk: Desk, said: NotHeard) -> tuple[Item, ...]:
    """Account for what is done nothing with."""
    match said:
        case words.UnknownCommand(line=line, text=text, advice=str(advice)):
            return (CommandElsewhere(line, text, advice),)
        case words.UnknownCommand(line=line, text=text, nearest=nearest):
            return (LineNotUnderstood(line, text, nearest),)
        case words.LineFailed(line=line, text=text, defect=defect):
            desk.note_failing_line(line, defect)
            return (LineNotUnderstood(line, text),)
        case words.TooMuch(line=line, limit=limit):
            return (NotReadOn(line, limit),)
        case words.SignOff(ignored=ignored):
            return (CommandDone("signoff"),) if ignored else ()
        case _:
            assert_never(said)


def _of_person(desk: Desk, session: Session, said: OfPerson) -> Item:
    """Do what concerns no power, but how he who plays is known and written to."""
    match said:
        case words.SetPassword(word=word):
            return _set_password(desk, session, word)
        case words.ChangeAddress():
            return change_address(desk, session.person, said)
        case words.NewTokens():
            desk.transaction.people.raise_key_version(session.person.id)
            return CommandDone("tokens")
        case habit:
            return _of_habit(desk, session, habit)


def _of_habit(desk: Desk, session: Session, said: OfHabit) -> Item:
    """Note how somebody wants to be called, and to be told things."""
    match said:
        case words.SetHandle():
            return set_handle(desk, session, said)
        case words.SetZone():
            return set_zone(desk, session, said)
        case words.SetLanguage():
            return set_language(desk, session, said)
        case words.SetMails(wish=wish):
            change_mails(desk.transaction, session.person, wish, desk.now)
            return CommandDone(f"mails_{wish.value}")
        case _:
            assert_never(said)


def _for_power(desk: Desk, session: Session, said: OfPower) -> Item:
    """Do what only somebody who plays a power may ask."""
    if session.power is None:
        return CommandRefused(said.text.strip(), why_no_power(desk, session))
    if _is_of_another_phase(desk, session, said):
        return CommandRefused(said.text.strip(), Why.OTHER_PHASE)
    power, person, received = session.power, session.person.id, desk.mail.received_utc
    nonce = desk.judge.chance.nonce()
    argument = ""
    match said:
        case words.Clear():
            return _clear(desk, session, power, said)
        case words.SetWait(wait=wait) if session.later:
            name, argument = "wait_kept" if wait else "nowait_kept", session.later.code
            command: Command = PlanWait(power, person, session.later, wait, nonce)
        case words.SetWait(wait=wait):
            name = "wait" if wait else "nowait"
            command = SetWait(power, person, wait, received, nonce)
        case words.SetReady(ready=ready):
            name = "ready" if ready else "notready"
            command = SetReady(power, person, ready, received, nonce)
        case words.SetDraw(draw=draw):
            name = ("draw_among" if said.among else "draw") if draw else "nodraw"
            argument = ", ".join(said.among or ())
            command = VoteDraw(power, person, draw, nonce, said.among)
        case words.Concede(to=to):
            name, argument = "concede" if to else "noconcede", to or ""
            command = VoteConcession(power, person, to, nonce)
        case _:
            assert_never(said)
    return _put(desk, session, said, name, command, argument)


def _is_of_another_phase(desk: Desk, session: Session, said: OfPower) -> bool:
    """Say whether *said* stands below the name of a phase for which it cannot be kept."""
    kept = isinstance(said, words.Clear) or (session.later and isinstance(said, words.SetWait))
    return session.named and not kept and is_for_another_phase(desk, session)


def _clear(desk: Desk, session: Session, power: Power, said: words.Clear) -> Item:
    """Take back all orders, or those of the units that are named, or what is kept for later.

    CLEAR alone takes back what is kept for later phases too, as it does in nJudge.
    """
    places = _places(desk, session, said.words)
    if len(places) != len(said.words):
        return LineNotUnderstood(said.line, said.text)
    if session.later:
        return forget(desk, session, session.later, places)
    if is_for_another_phase(desk, session):
        return CommandRefused("clear", Why.OTHER_PHASE)
    game = desk.game(session.game)
    kept = game.plans.get(power, {}) if game and not places else {}
    for code in kept:
        forget(desk, session, Phase.parse(code), ())
    command = ClearOrders(
        power,
        session.person.id,
        places,
        desk.mail.received_utc,
        desk.mail.sha256,
        desk.judge.chance.nonce(),
    )
    return _put(desk, session, said, "clear", command, ", ".join(said.words))


def _places(desk: Desk, session: Session, units: tuple[str, ...]) -> tuple[Province, ...]:
    """Return where *units* stand; one that is none, or may be several, stands nowhere."""
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    assert game.position is not None, "nobody has a power before the start"
    holds = tuple(Line(0, f"{unit} H") for unit in units)
    readings = read(desk.board(game), game.position, session.power, holds, PhaseKind.MOVEMENT)
    places = (place_of(each.order) for each in readings if isinstance(each, Understood))
    return tuple(place for place in places if place)


def _resign(desk: Desk, session: Session, said: words.Resign) -> Item:
    """Leave the game, once confirmed: a mail asks back first (decisions.md, Identity)."""
    if desk.game_open_to(session.person, session.game) is None:
        return CommandRefused("resign", Why.NO_SUCH_GAME)
    if desk.mail.confirmed_person != session.person.id:
        return CommandDone("resign_asked")
    return _put(desk, session, said, "resign", Resign(session.person.id))


def _set_password(desk: Desk, session: Session, word: str) -> Item:
    hashed = desk.judge.passwords.hash(word)
    desk.transaction.people.set_password(session.game, session.person.id, hashed)
    return CommandDone("password")


def _put(
    desk: Desk, session: Session, said: Said, name: str, command: Command, argument: str = ""
) -> Item:
    """Put *command* to the game; what was done has a *name*, what was not is as it was *said*."""
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(name, argument)
        case Refused(why=Why.NOTHING_CHANGED):
            # Of what is kept for later phases CLEAR may have taken some back.
            return CommandDone(name, argument, already=not isinstance(said, words.Clear))
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
