"""Votes and requests of players: draws, concessions, WAIT, pauses, extensions, absences."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from judge.app.commands.context import MailContext, Session, put_command
from judge.app.commands.orders import clear_orders, is_for_another_phase, reason_without_power
from judge.game import absences, deadlines
from judge.game.commands import Command
from judge.game.date_parsing import parse_absence
from judge.game.decision import Accepted, Refused, Why
from judge.game.game_state import Game
from judge.game.orders.future_orders import PlanWait
from judge.game.orders.submission import SetReady, SetWait
from judge.game.voting import ProposeDraw, VoteConcession, VoteDraw, VoteOnProposal
from judge.mail.language.order_commands import Clear
from judge.mail.language.order_commands import SetReady as SetReadyLine
from judge.mail.language.order_commands import SetWait as SetWaitLine
from judge.mail.language.vote_commands import (
    Absent,
    AskTime,
    Concede,
    Propose,
    SetDraw,
    TableRequest,
    VotePause,
    VoteProposal,
)
from judge.reports.emails.receipts import CommandDone, CommandRefused, Item, LineNotUnderstood
from judge.reports.render import kind_name
from judge.rules.types import Power

PowerCommand: TypeAlias = Clear | SetWaitLine | SetReadyLine | SetDraw | Concede


def handle_power_command(desk: MailContext, session: Session, said: PowerCommand) -> Item:
    """Do what only somebody who plays a power may ask."""
    if session.power is None:
        return CommandRefused(said.text.strip(), reason_without_power(desk, session))
    if _is_of_other_phase(desk, session, said):
        return CommandRefused(said.text.strip(), Why.OTHER_PHASE)
    power, person, received = session.power, session.person.id, desk.mail.received_utc
    nonce = desk.judge.random.nonce()
    argument = ""
    match said:
        case Clear():
            return clear_orders(desk, session, power, said)
        case SetWaitLine(wait=wait) if session.later:
            name, argument = "wait_kept" if wait else "nowait_kept", session.later.code
            command: Command = PlanWait(power, person, session.later, wait, nonce)
        case SetWaitLine(wait=wait):
            name = "wait" if wait else "nowait"
            command = SetWait(power, person, wait, received, nonce)
        case SetReadyLine(ready=ready):
            name = "ready" if ready else "notready"
            command = SetReady(power, person, ready, received, nonce)
        case SetDraw(draw=draw):
            name = ("draw_among" if said.among else "draw") if draw else "nodraw"
            argument = ", ".join(said.among or ())
            command = VoteDraw(power, person, draw, nonce, said.among)
        case Concede(to=to):
            name, argument = "concede" if to else "noconcede", to or ""
            command = VoteConcession(power, person, to, nonce)
        case _:
            assert_never(said)
    return put_command(desk, session, said, name, command, argument)


def _is_of_other_phase(desk: MailContext, session: Session, said: PowerCommand) -> bool:
    """Say whether *said* stands below the name of a phase for which it cannot be kept."""
    kept = isinstance(said, Clear) or (session.later and isinstance(said, SetWaitLine))
    return session.named and not kept and is_for_another_phase(desk, session)


def handle_player_request(desk: MailContext, session: Session, said: TableRequest) -> Item:
    """Do what only somebody who plays a power may ask for the table."""
    if session.power is None:
        return CommandRefused(said.text.strip(), reason_without_power(desk, session))
    game = desk.game(session.game)
    assert game is not None, "a session is of a game"
    command = _request_of(desk, game, session, session.power, said)
    if command is None:
        return LineNotUnderstood(said.line, said.text)
    name = kind_name(said)
    match said:
        case VotePause(pause=False):
            name = "vote_resume"
        case VoteProposal(yes=False):
            name = "vote_against"
        case Absent(when=None):
            name = "not_absent"
        case _:
            pass
    match desk.conduct(session.game, command).decision:
        case Accepted():
            return CommandDone(name)
        case Refused(why=Why.NOTHING_CHANGED):  # What he wishes is so.
            return CommandDone(name, already=True)
        case Refused(why=why):
            return CommandRefused(said.text.strip(), why)
        case other:
            assert_never(other)


def _request_of(
    desk: MailContext, game: Game, session: Session, power: Power, said: TableRequest
) -> Command | None:
    person = session.person.id
    match said:
        case VotePause(pause=pause):
            return deadlines.VotePause(power, person, pause, desk.judge.random.nonce())
        case Propose(among=among):
            return ProposeDraw(power, person, desk.judge.random.nonce(), among)
        case VoteProposal(number=number, yes=yes):
            return VoteOnProposal(power, person, yes, desk.judge.random.nonce(), number)
        case AskTime(hours=hours, reason=reason):
            return deadlines.AskExtension(power, person, hours, reason)
        case Absent(when=when):
            if when is None:
                return absences.ClearAbsence(power, person)
            span = parse_absence(when, game.house_rules, desk.now)
            return absences.SetAbsence(power, person, *span) if span else None
        case _:
            assert_never(said)
