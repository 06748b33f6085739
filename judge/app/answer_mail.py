"""One message: from the stored row to its one answer, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import structlog

from judge.app.judge import Judge
from judge.app.ports import InboxState, IncomingMail, Transaction
from judge.app.recognise import Confirming, Doubtful, Speaker, Stranger, recognise
from judge.app.reply import reply
from judge.app.strangers import answer_confirmation, answer_stranger, hold
from judge.mail.envelope import Letter, Unreadable, open_mail
from judge.mail.grammar import SignOn, read_lines

ATTEMPTS_MAX = 3  # a mail that has failed so often is set aside, and the queue behind it moves
BATCH = 100

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a mail."""

    state: InboxState
    reason: str = ""


def answer_waiting(judge: Judge) -> int:
    """Answer every mail that waits, in the order of arrival; return how many there were."""
    with judge.database.read() as transaction:
        waiting = transaction.inbox.waiting(limit=BATCH)
    for mail in waiting:
        answer(judge, mail)
    return len(waiting)


def answer(judge: Judge, number: int) -> None:
    """Answer the mail *number*. Whatever goes wrong, it stays in the inbox and is tried again, at most three times."""
    with judge.database.write() as transaction:
        mail = transaction.inbox.begin_attempt(number)
        if mail.attempts > ATTEMPTS_MAX:
            transaction.inbox.finish(number, InboxState.QUARANTINED, "failed too often")
            return
    try:
        with judge.database.write() as transaction:
            finished = _answer(judge, transaction, mail, judge.clock.now())
            transaction.inbox.finish(number, finished.state, finished.reason)
    except Exception as error:
        log.exception("mail.failed", mail=mail.sha256, attempt=mail.attempts)
        if mail.attempts == ATTEMPTS_MAX:
            _set_aside(judge, number, type(error).__name__)


def _set_aside(judge: Judge, number: int, reason: str) -> None:
    with judge.database.write() as transaction:
        transaction.inbox.finish(number, InboxState.QUARANTINED, reason)


def _answer(
    judge: Judge, transaction: Transaction, mail: IncomingMail, now: datetime
) -> Finished:
    letter = open_mail(mail.raw, mail.sender)
    match letter:
        case Unreadable(reason=reason):
            return Finished(InboxState.QUARANTINED, reason)
        case Letter(automatic=automatic) if automatic:
            return Finished(InboxState.IGNORED, automatic.value)
        case Letter():
            return _answer_letter(judge, transaction, mail, letter, now)


def _answer_letter(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter, now: datetime
) -> Finished:
    said = read_lines(letter.text, judge.boards("standard"))
    who = recognise(judge, transaction, mail, letter)
    signs_on = any(isinstance(each, SignOn) for each in said)
    match who:
        case Speaker():
            return reply(judge, transaction, mail, letter, said, who, now)
        case Doubtful() | Stranger() if signs_on:
            return reply(judge, transaction, mail, letter, said, None, now)
        case Confirming(token):
            return answer_confirmation(judge, transaction, mail, letter, said, token, now)
        case Doubtful():
            return hold(judge, transaction, mail, letter, said, who, now)
        case Stranger():
            return answer_stranger(judge, transaction, mail, letter, said, now)
