"""The parts of an email that the judge does not read: quotes, signature, attachments, other forms.

Orders in them are offered if the email has no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.app.commands.context import MailContext, Session
from judge.app.commands.order_lines import read_for_any_phase, read_on_board
from judge.app.commands.orders import situation_of
from judge.app.commands.situation import Situation
from judge.app.commands.stored_offers import has_offered_lines, offer_lines
from judge.game.game_state import Game
from judge.game.visibility import provinces_held, visible_fault
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrdersOfPhase, OrderText, ParsedLine
from judge.mail.language.command_table import CommandTable
from judge.mail.language.previews import Preview
from judge.mail.quotes import without_quote_marks
from judge.mail.reader.email_text import FailingLine, read_all_others, read_lines
from judge.mail.reader.press_blocks import Press, UnopenedPress
from judge.notation.order_text import write_order, write_short
from judge.notation.readings import Reading, Understood
from judge.notation.terms import names_of
from judge.reading.world import world_of
from judge.reports.emails import receipts
from judge.reports.emails.order_status import OrderTaken
from judge.rules.board import Map
from judge.rules.phase_sequence import orders_due
from judge.rules.types import PhaseKind, Position, Power

OFFERED_MAX = 34  # orders; a longer list cannot be the sender's own


def report_unread_parts(
    context: MailContext, session: Session, items: Sequence[receipts.Item]
) -> Iterator[receipts.Item]:
    """Report unread parts of the email; offer the orders there if it has no others.

    *items* says what was done. If that is an order for each unit, the quoted lines do not matter.
    """
    text = context.opened.text
    game = context.game(session.game)
    if game is None:
        return
    ordered = bool(game.phase and session.power and game.phase.standing.get(session.power))
    taken = sum(isinstance(each, OrderTaken) for each in items)
    all_given = (
        game.position
        and session.power
        and gives_every_order(context.board(game), game.position, session.power, taken)
    )
    unread = () if all_given else text.quoted
    quoted = _not_in_force(session, game, _possible_orders(context, session, game, unread))
    orders = _texts(_possible_orders(context, session, game, text.signature))
    if not (ordered or has_offered_lines(context, session)):
        texts = enumerate((*_texts(quoted), *orders), start=1)
        offer_lines(context, session, [Line(number, each) for number, each in texts])
    if quoted:
        dropped = len(text.quoted) + len(text.returned)
        yield receipts.QuotedTextIgnored(dropped, () if ordered else _texts(quoted))
    if orders:
        yield receipts.SignatureIgnored(orders, offered=not ordered)
    if text.struck:
        yield receipts.StruckTextIgnored(context.shown(Line(0, each) for each in text.struck))
    # With all orders given, a picture is more likely a part of a signature.
    pictures = () if all_given else tuple(name for name, _ in text.pictures)
    if text.attachments or pictures:
        yield receipts.AttachmentsIgnored((*text.attachments, *pictures))
    if text.unread or text.says_more:
        yield from _other_part(context, session, game)


def _other_part(
    context: MailContext, session: Session, game: Game
) -> Iterator[receipts.PartsDiffer]:
    text = context.opened.text
    read, unread = context.read(
        compare_parts,
        context.board(game),
        context.judge.commands,
        text,
        context.opened.subject,
        session.power,
    )
    only_read = context.shown(Line(0, read[key]) for key in read if key not in unread)
    only_unread = context.shown(Line(0, unread[key]) for key in unread if key not in read)
    if only_read or only_unread or text.says_more:
        yield receipts.PartsDiffer(text.html, only_read[:OFFERED_MAX], only_unread[:OFFERED_MAX])


def compare_parts(
    board: Map, commands: CommandTable, text: Text, subject: str, power: Power | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the requests in the part of an email that is read, and in the one that is not.

    The keys are what they mean, the values their texts.
    """
    other = tuple(Line(number, each) for number, each in enumerate(text.unread, 1))
    read, unread = (
        _requests_and_failures(board, commands, text, subject, power, lines)
        for lines in (text.fresh, other)
    )
    return read, unread


def _requests_and_failures(
    board: Map,
    commands: CommandTable,
    whole: Text,
    subject: str,
    power: Power | None,
    lines: Sequence[Line],
) -> dict[str, str]:
    def meant_by(some: Sequence[Line]) -> dict[str, str]:
        text = replace(whole, fresh=tuple(some))
        return _requests_in(board, read_lines(text, board, commands, subject, power))

    meant, failing = read_all_others(meant_by, lines)
    return meant | {each.line.text: each.line.text for each in failing}


def _requests_in(board: Map, parsed: Sequence[ParsedLine]) -> dict[str, str]:
    meant: dict[str, str] = {}
    for each in parsed:
        if isinstance(each, OrderText | OrdersOfPhase):
            for reading in read_for_any_phase("\n".join(line.text for line in each.lines), board):
                text = reading.text
                if isinstance(reading, Understood):
                    text = write_short(reading.order, board)
                meant[text] = text
            continue
        lines = each.lines if isinstance(each, Press | UnopenedPress | Preview) else ()
        words = " ".join([each.text, *(line.text for line in lines)]).casefold().split()
        meant["".join(words)] = each.text
    return meant


def _possible_orders(
    context: MailContext, session: Session, game: Game, lines: Sequence[str]
) -> tuple[Understood, ...]:
    """Return the orders in unread *lines* that the sender's power could give now."""
    if not (lines and game.position and game.phase and session.power):
        return ()
    situation = situation_of(context.board(game), game, session.power)
    found, failing = context.read(possible_orders, without_standing(situation), tuple(lines))
    for each in failing:
        context.note_failing_line(each.line.number, each.defect)
    return found


def without_standing(situation: Situation) -> Situation:
    """Return *situation* without the current orders, on which unread text does not depend."""
    return replace(situation, standing=())


def possible_orders(
    situation: Situation, lines: tuple[str, ...]
) -> tuple[tuple[Understood, ...], tuple[FailingLine, ...]]:
    """Return the orders in unread *lines* that the power could give, and the failing lines."""
    board, position, power = situation.board, situation.position, situation.power
    unread = [Line(number, without_quote_marks(line)) for number, line in enumerate(lines, 1)]
    kind, own = position.phase.kind, provinces_held(position, power)
    about = None if kind is PhaseKind.ADJUSTMENTS else own  # to waive a build names no province
    names, world = names_of(board), world_of(board, situation.seen, power)

    def read(some: Sequence[Line]) -> tuple[Reading, ...]:
        near = [x for x in some if about is None or not about.isdisjoint(names.all_in(x.text))]
        return read_on_board(world, near).readings

    readings, failing = read_all_others(read, unread)
    rulebook, visible = situation.rulebook, situation.visible
    possible = (
        each
        for each in readings
        if isinstance(each, Understood)
        and visible_fault(board, position, power, each.order, rulebook, visible) is None
    )
    return tuple(possible)[:OFFERED_MAX], failing


def gives_every_order(board: Map, position: Position, power: Power, taken: int) -> bool:
    """Return whether *taken* orders are as many as *power* has to give."""
    return taken >= orders_due(board, position, power)


def _texts(readings: Sequence[Understood]) -> tuple[str, ...]:
    return tuple(each.text for each in readings)


def _not_in_force(
    session: Session, game: Game, readings: Sequence[Understood]
) -> tuple[Understood, ...]:
    """Return those of *readings* that are not in force already, as in a quoted receipt."""
    stands = game.phase.standing.get(session.power, ()) if game.phase and session.power else ()
    return tuple(each for each in readings if write_order(each.order) not in stands)
