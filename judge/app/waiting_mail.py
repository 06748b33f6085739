"""Emails that await their writer's YES, as receipts and reminders mention them."""

from __future__ import annotations

from judge.app.judge import Judge
from judge.app.meant import ASKED
from judge.app.opening import UnopenedError
from judge.app.ports import Transaction
from judge.mail.envelope import Letter
from judge.mail.reader.phase_headings import holds_order
from judge.reports.emails.receipts import MailWaits

MENTIONED_MAX = 3
LOOKED_AT_MAX = 30  # held emails, of which those that are no replies to press come first
STANDARD = "standard"  # the board whose places orders name


def waiting_mail(judge: Judge, transaction: Transaction, person: str) -> tuple[MailWaits, ...]:
    """Return the first emails in the name of *person* that await a confirmation.

    Those of one minute that are alike are mentioned once.
    """
    held = transaction.inbox.held_for(person, LOOKED_AT_MAX)
    held = sorted(held, key=lambda mail: mail.reason == ASKED)[:MENTIONED_MAX]
    board = judge.boards(STANDARD)
    found = []
    for mail in held:
        try:
            letter = judge.opener.open(mail.raw, mail.sender)
        except UnopenedError:
            continue
        lines = letter.text.fresh if isinstance(letter, Letter) else ()
        orders = sum(holds_order(line.text, board) for line in lines)
        minute = mail.received_utc.replace(second=0, microsecond=0)
        found.append(MailWaits(minute, orders, press=mail.reason == ASKED))
    return tuple(dict.fromkeys(found))
