"""All the ways in together: how they are opened, and whether one may still bring older mail."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from judge.adapters.descriptors import connections
from judge.adapters.group_commit import GroupCommit
from judge.adapters.imap_client import Account
from judge.adapters.imap_in import ImapPoller
from judge.adapters.lmtp_in import LmtpDoor, PipeDoor
from judge.adapters.secret_file import secret_in
from judge.adapters.smtp_in import CONNECTIONS_MAX, SmtpDoor
from judge.app.inbound.accept import MailReception
from judge.app.ports.judge import Clock
from judge.app.ports.storage import Database
from judge.errors import ConfigurationError
from judge.settings import Settings


class Way(Protocol):
    """A way in that mail may come by which was received elsewhere before."""

    @property
    def name(self) -> str:
        """Name the way in."""
        ...

    def has_read(self, since: datetime, now: datetime) -> bool:
        """Say whether all that was received before *since* is here."""
        ...


class HandedOver:
    """What the operator's own mail server hands over, a moment later or after a time away.

    It takes *handover* to bring what it has just received, and after a start of ours, until
    *retry* is over, it may still come to what it could not bring before.
    """

    def __init__(self, name: str, opened: datetime, handover: timedelta, retry: timedelta) -> None:
        self.name = name
        self._tried = opened + retry
        self._handover = handover

    def has_read(self, since: datetime, now: datetime) -> bool:
        """Say whether all that was received before *since* is here."""
        return now >= max(since + self._handover, self._tried)


class WaysIn:
    """The ways in that a phase waits for."""

    def __init__(self) -> None:
        self._ways: list[Way] = []

    def watch(
        self, settings: Settings, database: Database, clock: Clock, keeper: GroupCommit
    ) -> ImapPoller | None:
        """Count what *settings* name; return the poller of the mailbox, if there is one."""
        if settings.received_by and (settings.lmtp or settings.socket):
            handover = timedelta(seconds=settings.handover_seconds)
            retry = timedelta(seconds=settings.retry_seconds)
            self._ways.append(HandedOver(settings.received_by, clock.now(), handover, retry))
        account = account_of(settings)
        if account is None:
            return None
        reception, seconds = reception_of(settings), settings.imap_seconds
        poller = ImapPoller(account, database, clock, keeper, reception, seconds=seconds)
        self._ways.append(poller)
        return poller

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Name the ways that may still bring mail of before *since*; they are asked to hurry."""
        return [way.name for way in self._ways if not way.has_read(since, now)]


class Doors:
    """The doors at which mail is handed over."""

    def __init__(self, settings: Settings, keeper: GroupCommit) -> None:
        reception = reception_of(settings)
        count = bool(settings.smtp) + bool(settings.lmtp) + bool(settings.socket)
        most = connections(max(1, count), CONNECTIONS_MAX)
        limits = {"bytes_max": settings.message_bytes_max, "connections_max": most}
        self._others: list[SmtpDoor] = []
        self._smtp = None
        if settings.smtp:
            host, port = settings.smtp
            # Anybody on this machine can speak there: they say nothing about when mail came.
            strangers = replace(reception, boundary="")
            self._smtp = SmtpDoor(keeper, strangers, host=host, port=port, **limits)
        if settings.lmtp:
            self._others.append(LmtpDoor(keeper, reception, where=settings.lmtp, **limits))
        if settings.socket:
            self._others.append(PipeDoor(keeper, reception, where=settings.socket, **limits))

    async def open(self) -> tuple[str, int] | None:
        """Open all or none; return where SMTP is spoken, None if nowhere."""
        async with AsyncExitStack() as unless_all_open:
            unless_all_open.push_async_callback(self.close)
            for door in self._others:
                await door.open()
            where = await self._smtp.open() if self._smtp else None
            unless_all_open.pop_all()
        return where

    async def close(self) -> None:
        """Listen no more."""
        for door in (*([self._smtp] if self._smtp else []), *self._others):
            await door.close()


def reception_of(settings: Settings) -> MailReception:
    """Return which addresses are ours, and whose word counts for when their mail came."""
    return MailReception(settings.address, settings.recipient_delimiter, settings.received_by)


def account_of(settings: Settings) -> Account | None:
    """Return the mailbox that is to be read, None if there is none.

    Raises `ConfigurationError` when the words to get in are missing.
    """
    if settings.imap is None:
        return None
    if not settings.imap_user or settings.imap_password_file is None:
        raise ConfigurationError("imap needs imap_user and imap_password_file")
    return Account(
        *settings.imap,
        security=settings.imap_security,
        user=settings.imap_user,
        folder=settings.imap_folder,
        password=secret_in(settings.imap_password_file, "imap_password_file"),
    )
