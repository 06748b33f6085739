"""Mails that come back: which of ours it was, and what follows for its reader.

A report is believed only if it knows what nobody can guess: the envelope sender that the mail went
out with, or its Message-ID. Nothing else in it is read, and it is never answered.
"""

from __future__ import annotations

from datetime import datetime

from judge.app.finished import Finished
from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge
from judge.app.ports import OutgoingMail, Transaction
from judge.app.undelivered import tell_moderator
from judge.game.game_state import Game
from judge.mail.envelope import Letter
from judge.mail.mail_addresses import token_of


def take_bounce(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter
) -> Finished | None:
    """Note which mail came back; None if this is no report about one of ours."""
    if letter.bounce is None:
        return None
    returned = _returned(judge, transaction, mail, letter)
    if returned is None:
        return None
    if not letter.bounce.permanent:
        return Finished(InboxState.PROCESSED, "a delay was reported")
    now = judge.clock.now()
    transaction.outbox.bounced(returned.message_id, now)
    judge.journal.note("delivery.bounced", mail=returned.message_id)
    if returned.person and transaction.people.first_today(returned.recipient, "bounced", now):
        tell_moderator(judge, transaction, returned, now)
    return Finished(InboxState.PROCESSED, "a mail came back")


def unreachable(transaction: Transaction, game: Game, now: datetime) -> frozenset[str]:
    """Name the late players to whom nothing got through in the phase, and who did not write."""
    if game.phase is None:
        return frozenset()
    since = game.phase.opened
    persons = (game.seats[power].person for power in game.phase.late)
    return frozenset(
        person
        for person in persons
        if person
        and transaction.outbox.is_unreachable(person, since, now)
        and not transaction.inbox.wrote(person, since)
    )


def _returned(
    judge: Judge, transaction: Transaction, mail: IncomingMail, letter: Letter
) -> OutgoingMail | None:
    """Return the mail of ours that came back: by its envelope sender, else by its Message-ID."""
    own = token_of(mail.recipient, judge.address, judge.delimiter) is not None
    sent = transaction.outbox.sent_from(mail.recipient) if own else None
    if sent or letter.bounce is None:
        return sent
    named = (transaction.outbox.find(each) for each in letter.bounce.message_ids)
    return next((each for each in named if each), None)
