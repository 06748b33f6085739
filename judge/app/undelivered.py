"""A mail that nobody takes: the moderator of its game is told, so that somebody can ask."""

from __future__ import annotations

from datetime import datetime

from judge.app.judge import Judge
from judge.app.letters import Scribe, readers
from judge.app.ports import OutgoingMail, Transaction
from judge.reports.emails.notices import undelivered


def tell_moderator(
    judge: Judge, transaction: Transaction, mail: OutgoingMail, now: datetime
) -> None:
    """Queue a notice to the moderator about *mail*, unless it was a mail to himself.

    Of a digest, to those of the games that it tells of.
    """
    for enclosed in transaction.outbox.enclosed(mail.message_id):
        tell_moderator(judge, transaction, enclosed, now)
    game = judge.histories.load(transaction, judge.boards, mail.game) if mail.game else None
    if game is None or mail.person is None or mail.person == game.moderator:
        return
    power = game.power_of(mail.person)
    if power is None:
        return
    notice = undelivered(judge.boards(game.variant), game, power, mail.kind, judge_code=judge.code)
    scribe = Scribe(judge, transaction, game, now)
    for reader in readers(transaction, game):
        if reader.power is None:
            scribe.write(notice, reader, f"undelivered:{mail.message_id}")
