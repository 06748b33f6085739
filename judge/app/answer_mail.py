"""One message: from the stored row to its one answer, in one transaction."""

from __future__ import annotations

from typing import assert_never

from judge.app.desk import STANDARD, Desk
from judge.app.finished import Finished
from judge.app.judge import Judge
from judge.app.ports import InboxState, IncomingMail, Transaction
from judge.app.pressing import answer_press
from judge.app.recognise import Confirming, Doubtful, Speaker, Stranger, recognise
from judge.app.reply import reply
from judge.app.strangers import answer_confirmation, answer_stranger, hold
from judge.mail.envelope import Letter, Unreadable, open_mail
from judge.mail.grammar import read_lines
from judge.mail.loops import Automatic
from judge.mail.said import SignOn

ATTEMPTS_MAX = 3  # a mail that has failed so often is set aside, and the queue behind it moves
BATCH = 100


def answer_waiting(judge: Judge) -> int:
    """Answer every mail that waits, in the order of arrival; return how many there were."""
    with judge.database.read() as transaction:
        waiting = transaction.inbox.waiting(limit=BATCH)
    for mail in waiting:
        answer(judge, mail)
    return len(waiting)


def answer(judge: Judge, number: int) -> None:
    """Answer the mail *number*; if anything goes wrong, it stays in the inbox for another try."""
    with judge.database.write() as transaction:
        mail = transaction.inbox.begin_attempt(number)
        if mail.attempts > ATTEMPTS_MAX:
            transaction.inbox.finish(number, InboxState.QUARANTINED, "failed too often")
            return
    try:
        with judge.database.write() as transaction:
            finished = _finish(judge, transaction, mail)
            transaction.inbox.finish(number, finished.state, finished.reason)
        judge.journal.note(
            "mail.answered", mail=mail.sha256, state=finished.state.value, reason=finished.reason
        )
    except Exception as error:  # noqa: BLE001 - one bad mail must not hold up the others
        judge.journal.failed("mail.failed", error, mail=mail.sha256, attempt=mail.attempts)
        if mail.attempts == ATTEMPTS_MAX:
            _set_aside(judge, number, type(error).__name__)


def _set_aside(judge: Judge, number: int, reason: str) -> None:
    with judge.database.write() as transaction:
        transaction.inbox.finish(number, InboxState.QUARANTINED, reason)


def _finish(judge: Judge, transaction: Transaction, mail: IncomingMail) -> Finished:
    letter = open_mail(mail.raw, mail.sender)
    match letter:
        case Unreadable(reason=reason):
            return Finished(InboxState.QUARANTINED, reason)
        case Letter(automatic=Automatic() as automatic):
            return Finished(InboxState.IGNORED, automatic.value)
        case Letter():
            return _answer(Desk(judge, transaction, mail, letter, judge.clock.now()))


def _answer(desk: Desk) -> Finished:
    """Find out who speaks, and let him be answered."""
    said = read_lines(desk.letter.text, desk.judge.boards(STANDARD))
    who = recognise(desk.judge, desk.transaction, desk.mail, desk.letter)
    match who:
        case Speaker(press_to=str(to)):
            return answer_press(desk, who, to)
        case Speaker():
            return reply(desk, said, who)
        case Confirming(token):
            return answer_confirmation(desk, said, token)
        case Doubtful(said=Speaker(press_to=None)) | Stranger() if any(
            isinstance(each, SignOn) for each in said
        ):
            return reply(desk, said, None)
        case Doubtful():
            return hold(desk, said, who)
        case Stranger():
            return answer_stranger(desk, said)
        case _:
            assert_never(who)
