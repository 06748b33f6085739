"""The emails on the desk: sent ones, and incoming ones that wait for a decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from judge.app.admin.inbox_admin import MailDescription, describe_mail, safe_text
from judge.app.identity import only_game
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import InboxEntry, InboxState, IncomingMail
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import DeliveryState, SentMail
from judge.game.game_state import Game
from judge.game.press import MODERATOR
from judge.mail.envelope import Unreadable
from judge.reports import desk_views
from judge.reports.board_names import power_name
from judge.reports.languages import SOURCE

LISTED = 200


def sent_mails(
    judge: Judge, game: str | None, way: DeliveryState | None, language: str
) -> desk_views.Mails:
    """Return the latest outgoing emails, sent or waiting."""
    with judge.database.read() as transaction:
        entries = transaction.outbox.entries(game, way, LISTED)
        shown = mail_lines(judge, transaction, entries, language)
    return desk_views.Mails(
        shown, [each.value for each in DeliveryState], game, way.value if way else None
    )


def mail_lines(
    judge: Judge, transaction: Transaction, mails: Iterable[SentMail], language: str
) -> tuple[desk_views.OutgoingMailLine, ...]:
    """Return *mails* with the names of their recipients in *language*, without addresses."""
    return tuple(
        desk_views.OutgoingMailLine(
            id=mail.id,
            kind=mail.kind,
            game=mail.game,
            reader=_reader(judge, transaction, mail, language),
            way=mail.way.value,
            attempts=mail.attempts,
            reason=safe_text(mail.reason),
            due=mail.due_utc,
            sent=mail.sent_utc,
            returned=mail.bounced_utc,
        )
        for mail in mails
    )


def incoming_mails(judge: Judge, state: InboxState | None) -> desk_views.Arrivals:
    """Return the latest incoming emails, the latest first."""
    with judge.database.read() as transaction:
        found = transaction.inbox.entries(state, LISTED)
    shown = [_describe_incoming(each) for each in reversed(found)]
    return desk_views.Arrivals(
        shown, [each.value for each in InboxState], state.value if state else None
    )


def find_mail(judge: Judge, number: int) -> IncomingMail | None:
    """Return the incoming email *number*."""
    with judge.database.read() as transaction:
        return transaction.inbox.get(number)


def incoming_mail(judge: Judge, mail: IncomingMail) -> desk_views.Arrival:
    """Describe *mail*, without its lines."""
    described = describe_mail(judge, mail, judge.opener)
    line = _describe_incoming(mail)
    match described:
        case Unreadable(reason=reason):
            return desk_views.Arrival(
                mail=line,
                size=len(mail.raw),
                sha256=mail.sha256,
                retried=mail.retry_utc,
                unreadable=safe_text(reason),
            )
        case MailDescription():
            game, power = _claimed(judge, mail)
            return desk_views.Arrival(
                mail=line,
                size=len(mail.raw),
                sha256=mail.sha256,
                retried=mail.retry_utc,
                game=game,
                power=power,
                sender=described.sender,
                subject=described.subject,
                message_id=described.message_id,
                automatic=described.automatic,
                counts={name: len(lines) for name, lines in described.lines.items()},
            )
        case _:
            assert_never(described)


def _claimed(judge: Judge, mail: IncomingMail) -> tuple[str, str]:
    if mail.held_for is None:
        return "", ""
    with judge.database.read() as transaction:
        name = mail.game or only_game(transaction, mail.held_for)
        game = judge.game_cache.load(transaction, judge.boards, name) if name else None
        return (game.name, _power(judge, game, mail.held_for, SOURCE)) if game else ("", "")


def mail_text(judge: Judge, mail: IncomingMail) -> desk_views.EmailLines | None:
    """Return the lines of *mail*, None if it cannot be read."""
    described = describe_mail(judge, mail, judge.opener)
    return (
        desk_views.EmailLines(mail.id, described.lines)
        if isinstance(described, MailDescription)
        else None
    )


def _describe_incoming(mail: InboxEntry | IncomingMail) -> desk_views.IncomingMailLine:
    return desk_views.IncomingMailLine(
        id=mail.id,
        way_in=mail.way_in,
        received=mail.received_utc,
        state=mail.state.value,
        attempts=mail.attempts,
        reason=safe_text(mail.reason),
    )


def _reader(judge: Judge, transaction: Transaction, mail: SentMail, language: str) -> str:
    person = transaction.people.get(mail.person) if mail.person else None
    if person is None:
        return ""
    game = judge.game_cache.load(transaction, judge.boards, mail.game) if mail.game else None
    power = _power(judge, game, person.id, language) if game else ""
    return f"{power} ({person.handle})" if power else person.handle


def _power(judge: Judge, game: Game, person: str, language: str) -> str:
    power = game.power_of(person) or (MODERATOR if person == game.moderator else None)
    return power_name(judge.board_of(game), power, language) if power else ""
