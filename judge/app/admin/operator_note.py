"""The daily note: an email to the operator while something is in trouble."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from judge.app.admin.health import FIXES
from judge.app.outbound.rendering import KIND_HEADER
from judge.app.ports.database import retry_overtaken
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.mail import compose

BUDGET, ONCE_A_DAY = "the note to the operator", (1, timedelta(days=1))
MAIL_KIND = "operator_note"


def write_note(judge: Judge, troubles: Mapping[str, str]) -> None:
    """Queue an email about the *troubles* of `judge status`, if there are any: one a day.

    Each has a sentence that says what it is, with its reason.
    """
    if not troubles or not judge.operator_address:
        return
    with judge.database.read() as transaction:
        if not transaction.budgets.has_left(BUDGET, *ONCE_A_DAY, judge.clock.now()):
            return
    retry_overtaken(partial(_write, judge, troubles))


def _write(judge: Judge, troubles: Mapping[str, str]) -> None:
    now, named = judge.clock.now(), sorted(troubles)
    with judge.database.write() as transaction:
        if not transaction.budgets.spend(BUDGET, *ONCE_A_DAY, now):
            return
        lines = [f"- {name}: {troubles[name]}\n  Do: {FIXES[name]}" for name in named]
        identity = compose.message_id(
            transaction.secrets.id_key(),
            f"{MAIL_KIND}:{now.isoformat()}",
            judge.operator_address,
            judge.domain,
        )
        message = compose.Message(
            message_id=identity,
            sender=judge.address,
            sender_name=f"{judge.code} judge",
            recipient=judge.operator_address,
            subject=f"{judge.code} - The judge needs you: {', '.join(named)}",
            text="\n\n".join(
                (
                    f"The judge {judge.address} is in trouble:",
                    *lines,
                    "`judge status` shows more. Another note comes tomorrow if this goes on.\n",
                )
            ),
            date=now,
            automatic="auto-generated",
            headers=((KIND_HEADER, MAIL_KIND),),
        )
        raw = compose.compose(message)
        transaction.outbox.put(
            OutgoingMail(identity, judge.address, judge.operator_address, raw, now, MAIL_KIND)
        )
