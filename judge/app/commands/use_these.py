"""USE THESE: submit the orders that a receipt offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.app.commands.command import CommandRow
from judge.app.commands.context import MailContext, Session
from judge.app.commands.later_phases import for_phase_named, keep_orders
from judge.app.commands.order_lines import read_for_any_phase
from judge.app.commands.order_offers import accept_suggestions, offers_orders, orders_before
from judge.app.commands.orders import submit_orders
from judge.app.commands.prose import is_acted_on
from judge.app.commands.stored_offers import lines_offered_by
from judge.app.ports.inbox import IncomingMail
from judge.game.decision import Why
from judge.game.game_state import Game
from judge.mail.body import Line
from judge.mail.language import command_syntax
from judge.mail.language.command_table import Form
from judge.mail.language.phase_names import phase_named
from judge.notation.order_text import write_order, write_short
from judge.notation.readings import Understood
from judge.reports.emails import receipts
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class UseThese(command_syntax.ParsedLine):
    """`USE THESE FOR F1902M`: use orders given for another phase in the open one.

    `USE THESE 2` means the offer of that number, where a receipt lists several.
    """

    code: str | None

    @property
    def number(self) -> int | None:
        """Return the number of the offer, from 1, if it is meant by that."""
        return int(self.code) if self.code and self.code.isdecimal() else None


def _read_use_these(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    match [word.upper() for word in arguments]:
        case ["THESE"]:
            return partial(UseThese, code=None)
        case ["THESE", number] if command_syntax.SHORT_NUMBER.fullmatch(number):
            return partial(UseThese, code=number)
        case ["THESE", "FOR", *phase]:
            code = phase_named(phase, board)
            return partial(UseThese, code=code) if code else None
        case _:
            return None


NOTHING_OFFERED = (receipts.CommandRefused("use these", Why.NOTHING_OFFERED),)


def _use_these(context: MailContext, session: Session, use: UseThese) -> tuple[receipts.Item, ...]:
    """Carry out the orders that the answered receipt offers.

    If it offers none, they are those of another email in this phase; the judge asks if there are
    several.
    """
    game = context.game(session.game)
    answered = context.email_answered(session)
    if game is None:
        return ()
    phase = use.code if use.number is None else None
    session = for_phase_named(context, session, phase) if phase else session
    if answered and use.number is None and _offered_by(context, session, game, answered):
        return _take(context, session, game, answered)
    others = open_offers(context, session, game, answered if use.number else None)
    if use.number is not None:
        chosen = others[use.number - 1 : use.number]
        return _take(context, session, game, chosen[0][0]) if chosen else NOTHING_OFFERED
    if len(others) > 1:
        offers = (receipts.OfferToChoose(mail.received_utc, texts) for mail, texts in others)
        return (receipts.OffersToChoose(tuple(offers)),)
    mail = others[0][0] if others else answered
    return _take(context, session, game, mail) if mail else NOTHING_OFFERED


def _take(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[receipts.Item, ...]:
    if offers_orders(mail) and not _open_lines(context, session, game, mail):
        return accept_suggestions(context, replace(session, answered=str(mail.id)))
    take = keep_orders if session.later else submit_orders
    items = (
        item
        for lines in lines_offered_by(mail, game.name)
        for item in take(context, session, lines)
    )
    return tuple(filter(is_acted_on, items)) or NOTHING_OFFERED  # Others were reported before.


def open_offers(
    context: MailContext, session: Session, game: Game, before: IncomingMail | None
) -> list[tuple[IncomingMail, tuple[str, ...]]]:
    """Return the emails about *game* in this phase with orders that are offered, oldest first.

    Only those that came *before* that email count, if it is given, and of equal ones the first.
    """
    found: list[tuple[IncomingMail, tuple[str, ...]]] = []
    for mail in context.emails_of_phase(session):
        if before and mail.id > before.id:
            continue
        texts = _offered_by(context, session, game, mail)
        if texts and all(texts != known for _, known in found):
            found.append((mail, texts))
    return found


def _offered_by(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[str, ...]:
    """Return the lines that the receipt of *mail* offers, or the orders that it offers for YES."""
    lines = _open_lines(context, session, game, mail)
    orders = () if lines else orders_before(context, replace(session, answered=str(mail.id)))
    texts = (write_short(each, context.board(game)) for each in orders)
    return tuple(each.text for each in lines) or tuple(texts)


def _open_lines(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[Line, ...]:
    """Return the lines that the receipt of *mail* offers, unless they are in force already."""
    lines = tuple(line for group in lines_offered_by(mail, game.name) for line in group)
    meant = context.read(orders_meant, lines, context.board(game)) if lines else ()
    stands = game.phase.standing.get(session.power, ()) if game.phase and session.power else ()
    return lines if set(meant) - set(stands) else ()


def orders_meant(lines: Sequence[Line], board: Map) -> tuple[str, ...]:
    """Return the orders in *lines*, as the log writes them."""
    readings = read_for_any_phase("\n".join(line.text for line in lines), board)
    return tuple(write_order(each.order) for each in readings if isinstance(each, Understood))


COMMANDS = (
    CommandRow(
        UseThese,
        readers={"USE": _read_use_these},
        in_subject=True,
        handle=_use_these,
        topic="phase",
        aliases="these",
        forms=(
            Form(
                "USE THESE | USE THESE 2",
                "gives the orders that a receipt offers, or those of that number in its list",
            ),
        ),
    ),
)
