"""Pass each command of an email to its handler.

Each command is put to the game, and has its line in the receipt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias, assert_never

from judge.app.commands.admissions import handle_admission_command
from judge.app.commands.context import COMMAND_BOARD, MailContext, Session, put_command
from judge.app.commands.diary import write_diary
from judge.app.commands.join import answer_offered_seat, join, join_standbys, resign
from judge.app.commands.later_phases import (
    for_phase_in_subject,
    for_phase_named,
    keep_orders,
    unknown_phase_items,
)
from judge.app.commands.moderator import (
    OnlyInPerson,
    create_by_mail,
    handle_table_command,
    observe_game,
    report_acting,
)
from judge.app.commands.offers import accept_offered_orders
from judge.app.commands.orders import accept_suggestions, submit_orders, undo_corrections
from judge.app.commands.press import send_press
from judge.app.commands.profile import SetsPreference, handle_offered, handle_profile_command
from judge.app.commands.sessions import NO_GAME, EntersGame, Part
from judge.app.commands.votes import handle_power_command
from judge.app.identity.authenticate import note_name
from judge.app.ports.people import Person
from judge.game.decision import Why
from judge.game.players.joining import SetPreferences
from judge.mail.body import Line
from judge.mail.language.admission_commands import AdmissionCommand
from judge.mail.language.command_reader import Parsed
from judge.mail.language.command_syntax import (
    LineFailed,
    NamedPhase,
    OrdersOfPhase,
    OrderText,
    TooMuch,
    UnknownCommand,
)
from judge.mail.language.confirmations import Confirm
from judge.mail.language.diary_commands import DiaryCommand
from judge.mail.language.join_commands import (
    Join,
    Observe,
    SetPreference,
    SignOff,
    SignOn,
    StandBy,
)
from judge.mail.language.join_commands import Resign as ResignLine
from judge.mail.language.moderator_commands import Become, ModeratorCommand
from judge.mail.language.order_commands import Clear, UseThese
from judge.mail.language.order_commands import SetReady as SetReadyLine
from judge.mail.language.order_commands import SetWait as SetWaitLine
from judge.mail.language.press_commands import Press, UnopenedPress
from judge.mail.language.profile_commands import (
    ChangeAddress,
    NewTokens,
    SetHandle,
    SetLanguage,
    SetMails,
    SetPassword,
    SetZone,
)
from judge.mail.language.rule_commands import Create
from judge.mail.language.vote_commands import Concede, SetDraw, TableRequest
from judge.reports.emails.press import PressBack, PressUnopened
from judge.reports.emails.receipts import (
    CommandDone,
    CommandElsewhere,
    CommandRefused,
    HandleOffered,
    Item,
    LineNotUnderstood,
    NotReadOn,
)

NotACommand: TypeAlias = UnknownCommand | LineFailed | TooMuch | SignOff


def handle(desk: MailContext, session: Session, said: Parsed) -> tuple[Item, ...]:
    """Do what *said* asks of the session's game, and account for it."""
    if isinstance(said, ModeratorCommand | TableRequest):
        return (handle_table_command(desk, session, said),)
    if isinstance(said, AdmissionCommand):
        return (handle_admission_command(desk, session, said),)
    if isinstance(said, DiaryCommand):
        return write_diary(desk, session, said)
    return _handle_other(desk, session, said)


def _handle_other(desk: MailContext, session: Session, said: Parsed) -> tuple[Item, ...]:
    items: tuple[Item, ...] = ()
    match said:
        case OrderText(lines=lines):
            items = (keep_orders if session.later else submit_orders)(desk, session, lines)
        case Confirm():
            items = _handle_confirmation(desk, session, said)
        case Press():
            items = (send_press(desk, session, said),)
        case UnopenedPress():
            items = (_unopened_press(desk, said),)
        case (
            SetPassword()
            | ChangeAddress()
            | NewTokens()
            | SetMails()
            | SetZone()
            | SetHandle()
            | SetLanguage()
        ):
            items = (handle_profile_command(desk, session, said),)
        case ResignLine(game=game):
            items = (resign(desk, replace(session, game=game or session.game), said),)
        case SetPreference(preferences=preferences):
            command = SetPreferences(session.person.id, preferences)
            items = (put_command(desk, session, said, "preference", command),)
        case UnknownCommand() | LineFailed() | TooMuch() | SignOff():
            items = _report_unread(desk, said)
        case Clear() | SetWaitLine() | SetReadyLine() | SetDraw() | Concede():
            items = (handle_power_command(desk, session, said),)
        case _:
            pass
    return items


def _unopened_press(desk: MailContext, said: UnopenedPress) -> Item:
    """Show back what is meant for somebody, or was above an end of press."""
    if said.opening:
        opener = Line(said.line, said.text)
        return PressUnopened(desk.shown((opener, *said.lines)), said.opening)
    if said.lines:
        return PressUnopened(desk.shown(said.lines))
    return LineNotUnderstood(said.line, said.text)


def _handle_confirmation(desk: MailContext, session: Session, said: Confirm) -> tuple[Item, ...]:
    """Take YES or NO as the answer to an offer of a place, else to a receipt's orders."""
    answered = answer_offered_seat(desk, session, said)
    if answered:
        return (answered,)
    return accept_suggestions(desk, session) if said.yes else undo_corrections(desk, session)


def _report_unread(desk: MailContext, said: NotACommand) -> tuple[Item, ...]:
    """Account for what is done nothing with."""
    match said:
        case UnknownCommand(line=line, text=text, advice=str(advice)):
            return (CommandElsewhere(line, text, advice),)
        case UnknownCommand(line=line, text=text, nearest=nearest):
            return (LineNotUnderstood(line, text, nearest),)
        case LineFailed(line=line, text=text, defect=defect):
            desk.note_failing_line(line, defect)
            return (LineNotUnderstood(line, text),)
        case TooMuch(line=line, limit=limit):
            return (NotReadOn(line, limit),)
        case SignOff(ignored=ignored):
            return (CommandDone("signoff"),) if ignored else ()
        case _:
            assert_never(said)


def handle_part(desk: MailContext, part: Part) -> Iterator[Item]:
    """Do each thing that the part says to its game, and account for it."""
    if part.session is None or part.person is None:
        return
    session = for_phase_in_subject(desk, part.session)
    for each in part.said:
        if isinstance(each, Become) or (session.acting and isinstance(each, OnlyInPerson)):
            yield report_acting(desk, session, each)
            continue
        match each:
            case SignOn():
                yield CommandDone("signon")
            case Join() | StandBy() | Observe() | Create():
                note_name(desk.transaction, part.person, desk.letter.name)
                yield _handle_entry(desk, part, part.person, each)
                yield from _offer_handle(desk, part.person, each)
            case SetPreference() | SetPassword() if part.joins:
                pass  # the JOIN above took them
            case _ if _is_of_unknown_game(desk, session, each):
                yield from _refuse_unknown_game(desk, part, each)
            case NamedPhase() | OrdersOfPhase():
                session, told = _handle_phase(desk, session, each)
                yield from told
            case UseThese():
                yield from accept_offered_orders(desk, with_current_power(desk, session), each)
            case _:
                yield from handle(desk, with_current_power(desk, session), each)


def _offer_handle(desk: MailContext, person: Person, said: EntersGame) -> Iterator[Item]:
    """Offer somebody who joins the name in their email as the handle by which others know them."""
    known = desk.transaction.people.get(person.id)
    if known and isinstance(said, Join) and desk.game_open_to(person, said.game):
        offered = handle_offered(desk.transaction, known, desk.judge.boards(COMMAND_BOARD))
        if offered:
            yield HandleOffered(known.handle, offered)


def _handle_phase(
    desk: MailContext, session: Session, said: NamedPhase | OrdersOfPhase
) -> tuple[Session, Iterable[Item]]:
    """Let what follows be for a phase, or only what stands beside its name."""
    if isinstance(said, NamedPhase):
        session = for_phase_named(desk, session, said.said, in_passing=said.in_passing)
        return session, unknown_phase_items(session, said)
    orders = OrderText(said.lines, line=said.line, text=said.text)
    return session, handle(
        desk, with_current_power(desk, for_phase_named(desk, session, said.said)), orders
    )


def _is_of_unknown_game(desk: MailContext, session: Session, said: Parsed) -> bool:
    """Say whether *said* is for a game, and there is none."""
    of_none = session.game == NO_GAME and isinstance(said, SetsPreference)
    return not of_none and desk.game_open_to(session.person, session.game) is None


def _refuse_unknown_game(desk: MailContext, part: Part, said: Parsed) -> Iterator[Item]:
    """Account for what is for a game that there is not, for him: once, if he came for it."""
    if isinstance(said, Press):
        yield PressBack(desk.shown(said.lines), Why.NO_SUCH_GAME)
    elif not part.comes:
        yield CommandRefused(said.text.strip(), Why.NO_SUCH_GAME)


def _handle_entry(desk: MailContext, part: Part, person: Person, said: EntersGame) -> Item:
    if isinstance(said, Create):
        return create_by_mail(desk, person, said)
    if isinstance(said, Observe):
        return observe_game(desk, person, said)
    if isinstance(said, StandBy):
        return join_standbys(desk, person, said)
    return join(desk, person, said, part.said)


def with_current_power(desk: MailContext, session: Session) -> Session:
    """Return *session* with the power played by now: a JOIN above may have started the game."""
    game = desk.game(session.game)
    power = session.dummy or (game.power_of(session.person.id) if game else None)
    return replace(session, power=power)
