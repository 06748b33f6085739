"""Pass each line of an email to its handler in the command table, and gather the receipt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.app.commands.answers import answer_questions
from judge.app.commands.command import Scope
from judge.app.commands.context import MailContext, Session
from judge.app.commands.join import Join, with_join_completed
from judge.app.commands.later_phases import for_phase_in_subject, for_phase_named
from judge.app.commands.orders import Clear, reason_without_power
from judge.app.commands.sessions import NO_GAME, Part
from judge.app.commands.table import COMMAND_OF
from judge.app.identity import note_name
from judge.game.decision import Why
from judge.game.submission import ordered_province
from judge.mail.language.command_syntax import NamedPhase, OrderText, ParsedLine
from judge.mail.reader.press_blocks import Press
from judge.reports.emails.contexts import Context
from judge.reports.emails.order_status import OrderTaken
from judge.reports.emails.press import PressReturned
from judge.reports.emails.receipts import CommandRefused, Item, WishChoice, WishOffered
from judge.rules.types import Order


def handle_part(context: MailContext, part: Part) -> Iterator[Item | Context]:
    """Carry out each line of *part*; yield its items for the receipt, and the pages it asks for.

    A question is answered as things are at its place in the email, but with the orders below it.
    """
    if part.session is None or part.person is None:
        yield from answer_questions(context, part.person, part.session, part.parsed)
        return
    session = for_phase_in_subject(context, part.session)
    lines = part.parsed
    if lines and isinstance(lines[0], Join):
        join, others = with_join_completed(lines[0], lines[1:])
        lines = (join, *others)
    taken: dict[str, Order] = {}
    asked: list[ParsedLine] = []
    for parsed in lines:
        is_question = COMMAND_OF[type(parsed)].is_question
        if asked and not (is_question or isinstance(parsed, OrderText)):
            seated = with_current_power(context, part.session)
            yield from answer_questions(context, part.person, seated, asked)
            asked.clear()
        if isinstance(parsed, NamedPhase) and not _is_of_unknown_game(context, session, parsed):
            session = for_phase_named(context, session, parsed.code, in_passing=parsed.in_passing)
        if isinstance(parsed, Clear):
            taken.clear()
        for item in _handle(context, part, session, parsed):
            yield _with_conflict(item, taken) if isinstance(item, OrderTaken) else item
        asked += [parsed] if is_question else []
    seated = with_current_power(context, part.session)
    yield from answer_questions(context, part.person, seated, asked)


def _with_conflict(item: OrderTaken, taken: dict[str, Order]) -> OrderTaken:
    """Return *item* with the other order that the email gave the same unit above, if any."""
    place = ordered_province(item.order)
    if place is None:
        return item
    before, taken[place] = taken.get(place, item.order), item.order
    if item.instead_of or before == item.order:
        return item
    return replace(item, instead_of=before)


def _handle(
    context: MailContext, part: Part, session: Session, parsed: ParsedLine
) -> Iterator[Item]:
    command = COMMAND_OF[type(parsed)]
    if session.acting and command.in_person:
        yield CommandRefused(parsed.text.strip(), Why.NOT_ALLOWED)
        return
    if command.scope is Scope.ENTRY:
        note_name(context.transaction, session.person, context.opened.name)
    elif command.scope is not Scope.EMAIL:
        if _is_of_unknown_game(context, session, parsed):
            yield from _refuse_unknown_game(context, part, parsed)
            return
        session = with_current_power(context, session)
    if why := _why_not(context, session, command.scope):
        written = parsed.text.strip()
        moderates = context.game_of(session).moderator == session.person.id
        if moderates and why is Why.NOT_A_PLAYER and parsed.of_moderator:
            yield WishOffered(written, (WishChoice(*parsed.of_moderator),))
        else:
            yield CommandRefused(written, why)
        return
    outcome = command.handle(context, session, parsed)
    yield from outcome if isinstance(outcome, tuple) else (outcome,)


def _why_not(context: MailContext, session: Session, scope: Scope) -> Why | None:
    """Return why the sender may not give a command of *scope*, None if they may."""
    if scope is Scope.POWER and session.power is None:
        return reason_without_power(context, session)
    if scope is Scope.MODERATOR and context.game_of(session).moderator != session.person.id:
        return Why.MODERATOR_ONLY
    return None


def _is_of_unknown_game(context: MailContext, session: Session, parsed: ParsedLine) -> bool:
    needs_none = session.game == NO_GAME and COMMAND_OF[type(parsed)].scope is Scope.SETTINGS
    return not needs_none and context.game_open_to(session.person, session.game) is None


def _refuse_unknown_game(context: MailContext, part: Part, parsed: ParsedLine) -> Iterator[Item]:
    if isinstance(parsed, Press):
        yield PressReturned(context.shown(parsed.lines), Why.NO_SUCH_GAME)
    elif not part.enters_game:
        yield CommandRefused(parsed.text.strip(), Why.NO_SUCH_GAME)


def with_current_power(context: MailContext, session: Session) -> Session:
    """Return *session* with the current power: a JOIN above may have started the game."""
    game = context.game(session.game)
    power = session.dummy or (game.power_of(session.person.id) if game else None)
    return replace(session, power=power)
