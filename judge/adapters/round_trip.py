"""Send an email to ourselves through the output and back by an input, to test both.

The Message-ID identifies it: in the inbox if a judge runs, otherwise in the mailbox. The judge
opens it and ignores it, as all its own emails.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b32encode
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from smtplib import SMTP, SMTPException
from time import monotonic, sleep

from judge.adapters.inputs.imap import IMAP_ERRORS, imap_session
from judge.adapters.inputs.listeners import account_of
from judge.adapters.outputs import carrier_of
from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.system_clock import SystemClock
from judge.app.outbound.delivery import Taken
from judge.app.ports.inbox import InboxState, IncomingMail
from judge.app.ports.outbox import OutgoingMail
from judge.mail.compose import Message, compose
from judge.mail.headers import TOKEN_BYTES, address_with
from judge.settings import Settings

PAUSE_SECONDS = 1.0
DOOR_SECONDS = 30.0
LOOKED_AT = 100  # of the latest emails


class RoundTripError(Exception):
    """The email was refused, or did not come back."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """The way an email came back, the time it took, and whether a judge has processed it."""

    recipient: str
    way_in: str
    seconds: float
    answered: bool


def send_and_wait(settings: Settings, seconds: float) -> RoundTrip:
    """Send an email to our address with a meaningless token, and wait for it to come back.

    Raises `RoundTripError`, also if the judge that received it could not read it.
    """
    with ExitStack() as stack:
        has_store = not isinstance(settings.database, Path) or settings.database.is_file()
        opened = open_database(settings.database) if has_store else None
        database = stack.enter_context(closing(opened)) if opened else None
        mail, began = _mail(settings), monotonic()
        _send(settings, mail)
        came: RoundTrip | None = None
        while True:
            kept = _into_inbox(database, mail) if database else None
            way_in = kept.way_in if kept else _into_mailbox(settings, mail)
            answered = kept is not None and _is_answered(kept)
            if way_in and (came is None or answered):
                came = RoundTrip(mail.recipient, way_in, monotonic() - began, answered)
            if came and (came.answered or database is None):
                return came
            if monotonic() - began >= seconds:
                break
            sleep(PAUSE_SECONDS)
    if came:
        return came
    raise RoundTripError(
        f"the mail {mail.message_id} to {mail.recipient} was taken by "
        f"{settings.smarthost or settings.smtp}, "
        f"and has not come back within {seconds:.0f} s"
    )


def _mail(settings: Settings) -> OutgoingMail:
    token = b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().lower()
    domain = settings.address.partition("@")[2]
    recipient = address_with(token, settings.address, settings.recipient_delimiter)
    now = SystemClock().now()
    message = Message(
        message_id=f"<{secrets.token_hex(16)}@{domain}>",
        sender=settings.address,
        sender_name=f"{settings.judge_code} judge",
        recipient=recipient,
        reply_to=settings.address,
        subject=f"{settings.judge_code} - delivery test",
        text="Sent by `judge doctor` to test mail delivery. You can ignore this email.\n",
        date=now,
        automatic="auto-generated",
    )
    raw = compose(message)
    return OutgoingMail(message.message_id, settings.address, recipient, raw, now, "doctor")


def _send(settings: Settings, mail: OutgoingMail) -> None:
    if settings.smarthost is None:
        if settings.smtp is None or not settings.smtp.port:  # of an unknown door
            raise RoundTripError("there is no smarthost to send an email through: set smarthost")
        try:  # to give it to the running judge itself
            with SMTP(*settings.smtp, timeout=DOOR_SECONDS) as server:
                server.sendmail(mail.sender, mail.recipient, mail.raw)
        except (OSError, SMTPException) as error:
            raise RoundTripError(f"no judge takes it at {settings.smtp}: {error}") from error
        return
    carrier = carrier_of(settings)

    async def deliver() -> None:
        delivery = await carrier.deliver(mail)
        await carrier.rest()
        if not isinstance(delivery, Taken):
            raise RoundTripError(f"the smarthost does not take it: {delivery.reason}")

    asyncio.run(deliver())


def _into_inbox(database: SqlDatabase, mail: OutgoingMail) -> IncomingMail | None:
    named = mail.message_id.encode()
    with database.read() as transaction:
        for entry in reversed(transaction.inbox.entries(limit=LOOKED_AT)):
            kept = transaction.inbox.get(entry.id)
            if kept and named in kept.raw:
                return kept
    return None


def _is_answered(kept: IncomingMail) -> bool:
    """Return whether a judge has processed the email; raises `RoundTripError` if it failed."""
    if kept.state is InboxState.QUARANTINED:
        raise RoundTripError(
            f"the mail came back by {kept.way_in}, and the judge could not read it: {kept.reason}"
        )
    return kept.state is not InboxState.RECEIVED


def _into_mailbox(settings: Settings, mail: OutgoingMail) -> str | None:
    account = account_of(settings)
    if account is None:
        return None
    try:
        with imap_session(account, readonly=True) as opened:
            return "imap" if opened.holds(mail.message_id) else None
    except IMAP_ERRORS as error:
        raise RoundTripError(f"{account.name} cannot be read: {error}") from error
