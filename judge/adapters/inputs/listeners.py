"""All configured inputs: opening them, and checking whether one may still bring older mail.

A process that has used all its file descriptors can open neither its store nor an email, and the
event loop logs thousands of errors a second. So the number of connections has a limit.
"""

from __future__ import annotations

import resource
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from judge.adapters.access_tokens import AccessTokens
from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.smtp_server import CONNECTIONS_MAX, LmtpServer, PipeServer, SmtpServer
from judge.app.ports.database import Database
from judge.app.ports.inbox import MailReception
from judge.app.ports.judge import Clock
from judge.errors import ConfigurationError
from judge.settings import Settings, read_secret

if TYPE_CHECKING:
    from judge.adapters.inputs.imap import ImapAccount, ImapPoller


class Input(Protocol):
    """An input whose emails were received elsewhere before."""

    @property
    def name(self) -> str: ...

    def has_read(self, since: datetime, now: datetime) -> bool: ...


class HandoverInput:
    """An input from the operator's own mail server, which may deliver late.

    The server takes *handover* to deliver a new email; for *retry* after our start it may still
    deliver emails that it could not before.
    """

    def __init__(self, name: str, opened: datetime, handover: timedelta, retry: timedelta) -> None:
        self.name = name
        self._tried = opened + retry
        self._handover = handover

    def has_read(self, since: datetime, now: datetime) -> bool:
        return now >= max(since + self._handover, self._tried)


STORING = "emails being stored"


class Inputs:
    """The inputs that a phase waits for."""

    def __init__(self) -> None:
        self._ways: list[Input] = []
        self._keeper: GroupCommit | None = None

    def watch(
        self, settings: Settings, database: Database, clock: Clock, keeper: GroupCommit
    ) -> ImapPoller | None:
        """Add the inputs in *settings*; return the poller of the mailbox, if there is one.

        Whatever *keeper* has still to store counts as unread.
        """
        self._keeper = keeper
        if settings.received_by and (settings.lmtp or settings.socket):
            handover = timedelta(seconds=settings.handover_seconds)
            retry = timedelta(seconds=settings.retry_seconds)
            self._ways.append(HandoverInput(settings.received_by, clock.now(), handover, retry))
        account = account_of(settings)
        _forget_failures_of_others(database, account.name if account else "")
        if account is None:
            return None
        from judge.adapters.inputs.imap import ImapPoller  # noqa: PLC0415 - few judges poll

        reception, seconds = reception_of(settings), settings.imap_seconds
        poller = ImapPoller(account, database, clock, keeper, reception, seconds=seconds)
        self._ways.append(poller)
        return poller

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        storing = self._keeper is not None and self._keeper.has_waiting(since)
        late = [way.name for way in self._ways if not way.has_read(since, now)]
        return [*late, *([STORING] if storing else [])]


def _forget_failures_of_others(database: Database, name: str) -> None:
    """Drop the failures of mailboxes that are no longer read; *name* is the one that is."""
    with database.read() as transaction:
        mailboxes = [each for each in transaction.mailboxes.all() if each.name != name]
        withheld = [each for each in transaction.mailboxes.withheld() if each.mailbox != name]
    if not withheld and not any(each.failing_utc for each in mailboxes):
        return
    with database.write() as transaction:
        for each in mailboxes:
            transaction.mailboxes.put(replace(each, failing_utc=None, reason=""))
        for email in withheld:
            transaction.mailboxes.settle(email)


class Servers:
    """The listening servers that receive email."""

    def __init__(self, settings: Settings, keeper: GroupCommit) -> None:
        reception = reception_of(settings)
        count = bool(settings.smtp) + bool(settings.lmtp) + bool(settings.socket)
        most = connections_allowed(max(1, count), CONNECTIONS_MAX)
        limits = {"bytes_max": settings.message_bytes_max, "connections_max": most}
        self._others: list[SmtpServer] = []
        self._smtp = None
        if settings.smtp:
            host, port = settings.smtp
            # Anyone on this machine can connect there, so its times prove nothing.
            strangers = replace(reception, boundary="")
            self._smtp = SmtpServer(keeper, strangers, host=host, port=port, **limits)
        if settings.lmtp:
            self._others.append(LmtpServer(keeper, reception, where=settings.lmtp, **limits))
        if settings.socket:
            self._others.append(PipeServer(keeper, reception, where=settings.socket, **limits))

    async def open(self) -> tuple[str, int] | None:
        """Open all or none; return the address of SMTP, None without it."""
        async with AsyncExitStack() as unless_all_open:
            unless_all_open.push_async_callback(self.close)
            for door in self._others:
                await door.open()
            where = await self._smtp.open() if self._smtp else None
            unless_all_open.pop_all()
        return where

    async def close(self) -> None:
        for door in (*([self._smtp] if self._smtp else []), *self._others):
            await door.close()


def reception_of(settings: Settings) -> MailReception:
    """Return our addresses, and the server that is trusted on arrival times."""
    return MailReception(settings.address, settings.recipient_delimiter, settings.received_by)


def account_of(settings: Settings) -> ImapAccount | None:
    """Return the mailbox to read, None if there is none.

    Raises `ConfigurationError` if its login is not complete.
    """
    if settings.imap is None:
        return None
    file, command = settings.imap_password_file, settings.imap_token_command
    if not settings.imap_user or bool(file) == bool(command):
        needed = "imap_user, and either imap_password_file or imap_token_command"
        raise ConfigurationError(f"imap needs {needed}")
    from judge.adapters.inputs.imap import ImapAccount  # noqa: PLC0415 - see above

    return ImapAccount(
        *settings.imap,
        security=settings.imap_security,
        user=settings.imap_user,
        folder=settings.imap_folder,
        password=read_secret(file, "imap_password_file") if file else "",
        tokens=AccessTokens(command, "imap_token_command") if command else None,
    )


OTHER_DESCRIPTORS = 100


def connections_allowed(doors: int, wanted: int) -> int:
    """Ask the system for *wanted* connections at each of *doors*; return how many it allows."""
    needed = doors * wanted + OTHER_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, min(wanted, (allowed - OTHER_DESCRIPTORS) // doors))
