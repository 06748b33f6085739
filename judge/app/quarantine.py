"""Mails that cannot be read or answered: set aside, and whoever can mend that is told."""

from __future__ import annotations

from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.letters import Scribe, readers
from judge.app.ports import Person, Purpose, Token, Transaction
from judge.app.post import Letter, post
from judge.mail.mail_addresses import token_of
from judge.reports.emails import confirmation_emails, notices

TOLD_A_DAY_MAX = 3  # of what may be forged
OF_PLAYERS = (Purpose.ORDERS, Purpose.PRESS)


def set_aside(judge: Judge, mail: IncomingMail, reason: str, writer: str | None = None) -> None:
    """Quarantine *mail*; tell the player who seems to be its *writer*, and his moderator.

    Whatever goes wrong in telling them, the mail is out of the way first.
    """
    with judge.database.write() as transaction:
        transaction.inbox.finish(mail.id, InboxState.QUARANTINED, reason)
    judge.journal.warn("mail.quarantined", mail=mail.sha256, number=mail.id, reason=reason)
    try:
        with judge.database.write() as transaction:
            _tell(judge, transaction, mail, writer)
    except Exception as error:  # noqa: BLE001 - the mail that we would answer is hostile already
        judge.journal.failed("quarantine.untold", error, mail=mail.sha256)


def _tell(judge: Judge, transaction: Transaction, mail: IncomingMail, writer: str | None) -> None:
    if not mail.sender:  # A bounce.
        return
    token = _token(judge, transaction, mail)
    person = _player(transaction, token, writer)
    now = judge.clock.now()
    if person is None or not any(
        transaction.people.first_today(person.address, f"unreadable {number}", now)
        for number in range(TOLD_A_DAY_MAX)
    ):
        return
    context = confirmation_emails.unreadable(mail.received_utc, judge_code=judge.code)
    cause = f"quarantine:{mail.sha256}:{mail.recipient}"
    letter = Letter(contexts=(context,), cause=cause, address=person.address, zone=person.zone)
    post(judge, transaction, letter, now)
    if token and token.game:
        _tell_moderator(judge, transaction, token.game, person, cause)


def _tell_moderator(
    judge: Judge, transaction: Transaction, name: str, person: Person, cause: str
) -> None:
    game = judge.histories.load(transaction, judge.boards, name)
    power = game.power_of(person.id) if game else None
    if game is None or power is None:
        return
    notice = notices.unread_mail(judge.boards(game.variant), game, power, judge_code=judge.code)
    scribe = Scribe(judge, transaction, game, judge.clock.now())
    for reader in readers(transaction, game):
        if reader.moderates and reader.person != person:
            scribe.write(notice, reader, cause)


def _token(judge: Judge, transaction: Transaction, mail: IncomingMail) -> Token | None:
    token = transaction.people.redeem(
        token_of(mail.recipient, judge.address, judge.delimiter) or ""
    )
    return token if token and token.purpose in OF_PLAYERS else None


def _player(transaction: Transaction, token: Token | None, writer: str | None) -> Person | None:
    """Return who holds the *token*, else whose registered address the writer's is."""
    if token:
        return transaction.people.get(token.person)
    return transaction.people.by_address(writer) if writer else None
