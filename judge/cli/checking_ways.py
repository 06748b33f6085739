"""What `judge check` finds about the ways in: doors that open, a mailbox that can be read."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from errno import EADDRINUSE
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from judge.cli.finding import Finding
from judge.errors import ConfigurationError
from judge.settings import Endpoint, Settings

OTHERS_MAY_READ = stat.S_IRWXG | stat.S_IRWXO


def ways_in(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about every way in that is configured."""
    if settings.smtp:
        yield _port("smtp", settings.smtp)
    elif not (settings.lmtp or settings.socket or settings.imap):
        yield Finding("error", "smtp", "none, and there is no other way in: no mail can come")
    match settings.lmtp:
        case Endpoint():
            yield _port("lmtp", settings.lmtp)
        case Path():
            yield _socket("lmtp", settings.lmtp)
        case None:
            pass
    if settings.socket:
        yield _socket("socket", settings.socket)
    if settings.imap:
        yield from _mailbox(settings)
    yield from _boundary_time(settings)


def taken(setting: str, where: Endpoint) -> Finding | None:
    """Find what keeps a judge from listening at *where*, None if nothing does."""
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind(where)
    except OSError as error:
        if error.errno == EADDRINUSE:
            return Finding("warning", setting, f"{where} is in use, perhaps by a judge that runs")
        return Finding("error", setting, f"{where}: {error.strerror}")
    return None


def _port(setting: str, where: Endpoint) -> Finding:
    wrong = taken(setting, where)
    if wrong:
        return wrong
    if not is_here(where):
        told = "can be reached from outside; a mail server should stand before the judge"
        return Finding("warning", setting, f"{where} {told}")
    return Finding("ok", setting, f"mail is taken on {where}")


def _socket(setting: str, path: Path) -> Finding:
    """Look whether the socket can be made, and by whom it can be reached."""
    folder = path.parent
    if not folder.is_dir():
        return Finding("error", setting, f"there is no folder {folder.absolute()}")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("error", setting, f"{folder.absolute()} cannot be written to")
    if path.exists() and not path.is_socket():
        return Finding("error", setting, f"{path.absolute()} is in the way, and no socket")
    who = "everybody" if folder.stat().st_mode & stat.S_IXOTH else "the owner and the group"
    return Finding("ok", setting, f"mail is taken at {path.absolute()} from {who}")


def _mailbox(settings: Settings) -> Iterator[Finding]:
    """Log in, and open the folder without changing anything."""
    from judge.adapters.imap_client import FAULTS, session
    from judge.adapters.ways_in import account_of

    try:
        account = account_of(settings)
        assert account is not None, "imap is set"
        with session(account, readonly=True) as opened:
            how = "with" if opened.can_idle else "without"
            told = f"{account.name} can be read, {how} IDLE, {opened.exists} mails are in it"
        yield Finding("ok", "imap", told)
    except ConfigurationError as error:
        yield Finding("error", "imap", str(error))
        return
    except FAULTS as error:
        yield Finding("error", "imap", f"{settings.imap}: {type(error).__name__}: {error}")
    if settings.imap_security == "none" and not is_here(settings.imap):
        told = "none, so that password and mails can be read on the way"
        yield Finding("warning", "imap_security", told)
    secret = settings.imap_password_file
    if secret and secret.stat().st_mode & OTHERS_MAY_READ:
        yield Finding("warning", "imap_password_file", f"others can read {secret.absolute()}")


def _boundary_time(settings: Settings) -> Iterator[Finding]:
    handed: Literal["lmtp", "socket"] | None = (
        "lmtp" if settings.lmtp else "socket" if settings.socket else None
    )
    if settings.received_by and not handed:
        told = "no effect: it counts for mail that comes by lmtp or socket only"
        yield Finding("warning", "received_by", told)
    elif settings.received_by:
        told = f"the Received of {settings.received_by} tells when a mail came"
        yield Finding("ok", "received_by", told)
    elif handed:
        told = "none, so mail that waited in your mail server's queue counts as late"
        yield Finding("warning", "received_by", told)


def is_here(where: Endpoint | None) -> bool:
    """Say whether only this machine can reach *where*."""
    try:
        return where is not None and ip_address(where.host).is_loopback
    except ValueError:  # a name
        return where is not None and where.host == "localhost"
