"""Reminders before a deadline, the daily moderator email and unconfirmed emails."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from judge.app.game.apply import last_desk_hour
from judge.app.outbound.recipients import GameMailer, recipients_of
from judge.app.ports.inbox import PRESS_OR_ORDERS
from judge.app.ports.judge import Judge, UnopenedError
from judge.app.ports.storage import Transaction
from judge.game.clock import reminders_due
from judge.game.game_state import Game
from judge.game.moderator_tasks import moderator_tasks, tasks_mark
from judge.mail.envelope import Letter
from judge.mail.reader.phase_headings import holds_order
from judge.reports.emails.game_news import desk_mail
from judge.reports.emails.notices import reminder
from judge.reports.emails.receipts import MailWaits
from judge.rules.board import Map

DESK_LASTS = timedelta(hours=1)  # What waits is told again the next day.


def remind_moderator(
    judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime
) -> None:
    """Queue the desk mail of the day, if it is the hour and anything waits."""
    decisions, hour = moderator_tasks(board, game), last_desk_hour(now)
    if not decisions or now - hour > DESK_LASTS:
        return
    scribe = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.moderates:
            context = desk_mail(board, game, _handles(transaction, game), judge_code=judge.code)
            cause = f"{game.name}:desk:{hour.date().isoformat()}"
            scribe.ask(context, reader, cause, tasks_mark(decisions))


def _handles(transaction: Transaction, game: Game) -> Mapping[str, str]:
    """Return what those are called who ask to be let in."""
    asking = (transaction.people.get(person) for person in game.applicants)
    return {person.id: person.handle for person in asking if person}


def remind_players(
    judge: Judge, transaction: Transaction, board: Map, game: Game, now: datetime
) -> None:
    """Queue the reminders that are due, each once: its cause names phase, deadline and hours."""
    due = {power: hours for hours, power in reminders_due(board, game, now)}
    assert game.phase or not due
    scribe = GameMailer(judge, transaction, game, now)
    for reader in recipients_of(transaction, game):
        if reader.power in due and game.phase:
            hours = due[reader.power]
            cause = f"{game.name}:{game.phase.number}:{game.phase.deadline.isoformat()}:{hours}"
            waiting = unconfirmed_emails(judge, transaction, reader.person.id)
            context = reminder(
                board, game, reader.power, hours, judge_code=judge.code, waiting=waiting
            )
            scribe.write(context, reader, cause)


MENTIONED_MAX = 3
LOOKED_AT_MAX = 30  # held emails, of which those that are no replies to press come first
BOARD_OF_ORDERS = "standard"  # the board whose places orders name


def unconfirmed_emails(
    judge: Judge, transaction: Transaction, person: str
) -> tuple[MailWaits, ...]:
    """Return the first emails in the name of *person* that await a confirmation.

    Those of one minute that are alike are mentioned once.
    """
    held = transaction.inbox.held_for(person, LOOKED_AT_MAX)
    held = sorted(held, key=lambda mail: mail.reason == PRESS_OR_ORDERS)[:MENTIONED_MAX]
    board = judge.boards(BOARD_OF_ORDERS)
    found = []
    for mail in held:
        try:
            letter = judge.opener.open(mail.raw, mail.sender)
        except UnopenedError:
            continue
        lines = letter.text.fresh if isinstance(letter, Letter) else ()
        orders = sum(holds_order(line.text, board) for line in lines)
        minute = mail.received_utc.replace(second=0, microsecond=0)
        found.append(MailWaits(minute, orders, press=mail.reason == PRESS_OR_ORDERS))
    return tuple(dict.fromkeys(found))
