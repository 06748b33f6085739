"""One message: from the stored row to its one answer, in one transaction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import assert_never

from judge.app.bounces import take_bounce
from judge.app.claims import persistently
from judge.app.desk import STANDARD, Desk
from judge.app.evidence import valid_signatures, weigh
from judge.app.finished import Finished
from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.opening import UnopenedError
from judge.app.ports import Transaction
from judge.app.post import UNSUBSCRIBE
from judge.app.press_replies import answer_press, settle
from judge.app.quarantine import set_aside
from judge.app.recognise import Confirming, Doubtful, Speaker, Stranger, confirmed_by, recognise
from judge.app.reply import reply
from judge.app.secrecy import forget_passwords
from judge.app.signing import power_of
from judge.app.strangers import answer_confirmation, answer_stranger, answer_unknown, hold
from judge.app.wishes import joined_instead, with_wish
from judge.mail.authentication import Signature
from judge.mail.envelope import Letter, Unreadable
from judge.mail.headers import Automatic
from judge.mail.language.command_reader import Parsed
from judge.mail.language.join_commands import SignOn
from judge.mail.language.profile_commands import MailPace, SetMails
from judge.mail.mail_addresses import is_ours
from judge.mail.reader.email_text import read_lines, with_subject_as_text
from judge.mail.reader.prose import name_odd_words

UNSUBSCRIBED = re.compile(rf"{UNSUBSCRIBE}(?: \[#\w+\])?", re.IGNORECASE)
ATTEMPTS_MAX = 3  # a mail that has failed so often is set aside
DEATHS_MAX = 12  # of the judge with a mail in hand, before that is tried once more, alone
RETRY_AFTER = (timedelta(seconds=2), timedelta(seconds=30))  # the queue behind it does not wait
BATCH = 20


def answer_waiting(judge: Judge) -> int:
    """Answer the next mails that may be tried, and return how many there were.

    They are answered in the order of arrival. A mail that failed before waits until all others
    were tried once, and then has its turn alone.
    """
    with judge.database.read() as transaction:
        ready = transaction.inbox.ready(judge.clock.now(), limit=BATCH)
    return sum(_answer_in_turn(judge, mail, sender) for mail, sender in ready)


def _answer_in_turn(judge: Judge, number: int, sender: str) -> bool:
    """Answer one mail; False if another judge is answering *sender*, to whose mails it belongs."""
    claim = f"answer {sender}"
    if not judge.database.claims.take(claim):
        return False
    try:
        answer(judge, number)
    finally:
        judge.database.claims.leave(claim)
    return True


def answer(judge: Judge, number: int) -> None:
    """Answer the mail *number*; if anything goes wrong, it stays in the inbox for another try."""
    mail = persistently(partial(_begin, judge, number))
    if mail is None:
        return
    if mail.attempts > ATTEMPTS_MAX or mail.deaths > DEATHS_MAX:
        often = f"the judge ended {mail.deaths} times over it"
        set_aside(judge, mail, often if mail.deaths > DEATHS_MAX else "failed too often")
        return
    try:
        opened = judge.opener.open(mail.raw, mail.sender)
        if isinstance(opened, Unreadable):
            set_aside(judge, mail, opened.reason, opened.writer)
            return
        valid = valid_signatures(judge, mail, opened)
        finished = persistently(partial(_commit_answer, judge, mail, opened, valid))
        if finished is None:
            return
        judge.journal.note(
            "mail.answered", mail=mail.sha256, state=finished.state.value, reason=finished.reason
        )
    except Exception as error:  # noqa: BLE001 - one bad mail must not hold up the others
        judge.journal.failed("mail.failed", error, mail=mail.sha256, attempt=mail.attempts)
        if mail.attempts == ATTEMPTS_MAX:
            why = str(error) if isinstance(error, UnopenedError) else type(error).__name__
            set_aside(judge, mail, why)
            return
        with judge.database.write() as transaction:
            transaction.inbox.end_attempt(mail.id)


def _begin(judge: Judge, number: int) -> IncomingMail | None:
    """Count the attempt, and commit that, before anything is tried: we may die meanwhile.

    None if another judge has just answered it, or tried to.
    """
    now = judge.clock.now()
    with judge.database.write() as transaction:
        mine = transaction.inbox.claim(number)
        mail = transaction.inbox.get(number)
        assert mail is not None, "it was named a moment ago"
        if not mine or (mail.retry_utc and mail.retry_utc > now):
            return None
        failed = mail.attempts - mail.in_hand  # a death is not waited for any longer
        pause = RETRY_AFTER[min(failed, len(RETRY_AFTER) - 1)]
        return transaction.inbox.begin_attempt(number, now + pause)


def _commit_answer(
    judge: Judge, mail: IncomingMail, letter: Letter, valid: tuple[Signature, ...]
) -> Finished | None:
    """Let *mail* have its effect and its answer; None if another judge was faster."""
    with judge.database.write() as transaction:
        if not transaction.inbox.claim(mail.id):
            return None
        finished = _finish(judge, transaction, mail, letter, valid)
        transaction.inbox.finish(mail.id, finished.state, finished.reason)
        return finished


def _finish(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    letter: Letter,
    valid: tuple[Signature, ...],
) -> Finished:
    bounce = take_bounce(judge, transaction, mail, letter)
    if bounce:
        return bounce
    if letter.automatic:
        return Finished(InboxState.IGNORED, letter.automatic.value)
    writers = (mail.sender, letter.sender or "")
    if any(is_ours(each, judge.address, judge.delimiter) for each in writers):
        return Finished(InboxState.IGNORED, Automatic.OWN_MAIL.value)
    proof = weigh(judge, transaction, mail, letter, valid)
    desk = Desk(judge, transaction, mail, letter, judge.clock.now(), proof)
    finished = _answer(desk)
    forget_passwords(desk, finished)
    return finished


def _answer(desk: Desk) -> Finished:
    """Find out who speaks, and let him be answered."""
    board = desk.judge.boards(STANDARD)
    who = recognise(desk.judge, desk.transaction, desk.mail, desk.letter, desk.proof)
    if not (isinstance(who, Speaker) and who.press_to):
        desk = replace(desk, letter=with_subject_as_text(desk.letter, board))
    letter = desk.letter
    own = power_of(desk, who) if isinstance(who, Speaker) else None
    said: Sequence[Parsed] = read_lines(letter.text, board, letter.subject, own)
    if UNSUBSCRIBED.fullmatch(desk.letter.subject.strip()):
        # The text is a mail program's own, and no press to whomever the mail was from.
        said = (SetMails(MailPace.CRITICAL, line=1, text=UNSUBSCRIBE),)
        who = replace(who, press_to=None) if isinstance(who, Speaker) else who
    sure = not isinstance(who, Speaker) or desk.mail.confirmed_person is not None
    said = with_wish(desk, name_odd_words(said, board), sure=sure)
    match who:
        case Speaker():
            return _known(desk, said, who)
        case Confirming(token):
            newcomer = joined_instead(desk, said, token)
            if newcomer is None:
                return answer_confirmation(desk, said, token)
            desk = replace(desk, mail=replace(desk.mail, confirmed_person=newcomer.id))
            return reply(desk, said, confirmed_by(newcomer)) or answer_unknown(desk)
        case Doubtful(said=Speaker(press_to=None)) | Stranger() if any(
            isinstance(each, SignOn) for each in said
        ):
            return reply(desk, said, None) or _unproven(desk, said, who)
        case Doubtful() | Stranger():
            return _unproven(desk, said, who)
        case _:
            assert_never(who)


def _known(desk: Desk, said: Sequence[Parsed], who: Speaker) -> Finished:
    """Answer somebody we know, by what the mail is an answer to."""
    if who.press_to:
        return answer_press(desk, who, who.press_to)
    if who.settles:
        return settle(desk, who, said)
    return reply(desk, said, who) or answer_unknown(desk)


def _unproven(desk: Desk, said: Sequence[Parsed], who: Doubtful | Stranger) -> Finished:
    """Ask who is said to have written, or help whoever did."""
    return hold(desk, said, who) if isinstance(who, Doubtful) else answer_stranger(desk, said)
