"""The checks of the settings, for `judge check` and `judge doctor`."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from errno import EADDRINUSE
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Literal, assert_never

from judge.errors import ConfigurationError, JudgeError
from judge.mail.envelope import BYTES_MAX
from judge.mail.headers import address_with, token_of
from judge.settings import DatabaseServer, Endpoint, Settings, is_loopback, unknown_variables

LOCAL_PART_MAX = 64  # octets, RFC 5321 4.5.3.1.1
CLOCK_SECONDS_MAX = 1.0  # Several judges on one server stamp incoming mail by their own clocks.
TICK_SECONDS_MAX = 60
OTHERS = stat.S_IRWXG | stat.S_IRWXO
A_TOKEN = "abcdefghijklmnop"  # noqa: S105 - looks like a token, but is none
MAKE_FOLDER = "create the folder, and make it writable for the judge's user"
FREE_PORT = "stop the program that listens there, or use another port"
SET_SMARTHOST = "set it to your mail server"


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings to check, whether a judge is running with them now, and if *doctor* asks.

    `judge check` runs before each start, which a refused login should not prevent: mail waits.
    """

    settings: Settings
    judge_runs: bool = False
    doctor: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check, with a fix (*advice*) unless it is ok.

    An *error* prevents the judge from working.
    """

    level: Literal["ok", "warning", "error"]
    setting: str
    text: str
    advice: str = ""


def check_names(_: Setup) -> Iterator[Finding]:
    """Find misspelled settings in the environment."""
    for name in unknown_variables():
        yield Finding(
            "warning", name, "there is no such setting", "see docs/operators/settings.md"
        )


def check_database(setup: Setup) -> Iterator[Finding]:
    """Check that the database exists or can be created, and that its clock agrees with ours."""
    from judge.adapters.store.database import (
        StoreProblem,
        UnknownStepError,
        check_tables,
        unusable,
    )
    from judge.app.admin.health import FIXES
    from judge.app.store_trouble import reason_of

    database = setup.settings.database
    if isinstance(database, DatabaseServer):
        reached = _server(database)
        yield reached
        if reached.level == "error":
            return
    else:
        yield from _file(database)
    try:
        fault = check_tables(database)
    except UnknownStepError as error:
        fix = "see docs/operators/upgrading.md"
        yield Finding("error", "database", str(error), fix)
        return
    if fault and not setup.doctor:  # which says more of the store itself
        found = unusable(database, reason_of(fault))
        damaged = found.problem is StoreProblem.DAMAGED
        fix = FIXES["store_damaged" if damaged else "store_fails"]
        level: Literal["error", "warning"] = (
            "warning" if found.problem is StoreProblem.LOCKED else "error"
        )
        yield Finding(level, "database", str(found), fix)


def _file(database: Path) -> Iterator[Finding]:
    from judge.adapters.store import sqlite

    library = sqlite.newest_library()
    named = f"SQLite {library.sqlite_version} ({library.__name__.partition('.')[0]})"
    slower = "the slower journal TRUNCATE, because WAL can lose commits before 3.51.3"
    journal = "journal WAL" if sqlite.is_wal_safe(library.sqlite_version_info) else slower
    yield Finding("ok", "database", f"{named}, {journal}")
    fault = _file_fault(database)
    if fault:
        fix = "name a file that the judge's user may read and write, or none"
        yield Finding("error", "database", fault, fix)
    else:
        yield _folder("database", database.parent)


def _server(server: DatabaseServer) -> Finding:
    from judge.adapters.store import postgresql

    try:
        version, ahead = postgresql.server_version_and_skew(server)
    except JudgeError as error:
        fix = "start the server, and give the judge's user access"
        return Finding("error", "database", str(error), fix)
    named = f"PostgreSQL {version} answers at {server}"
    if abs(ahead) > CLOCK_SECONDS_MAX:
        apart = f"its clock is {ahead:+.0f} s from ours: synchronize them"
        return Finding("warning", "database", f"{named}, but {apart}", "run chrony on both")
    return Finding("ok", "database", named)


def _folder(setting: str, folder: Path) -> Finding:
    fault = _folder_fault(folder)
    if fault:
        return Finding("error", setting, fault, MAKE_FOLDER)
    return Finding("ok", setting, f"{folder.absolute()} can be written to")


def _folder_fault(folder: Path) -> str | None:
    if not folder.is_dir():
        return f"there is no folder {folder.absolute()}"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder.absolute()} cannot be written to"
    return None


def _file_fault(file: Path) -> str | None:
    if not os.path.lexists(file):
        return None
    if not os.path.isfile(file):  # noqa: PTH113 - what this user may not see counts as missing
        return f"{file.absolute()} is not a file"
    if not os.access(file, os.R_OK | os.W_OK):
        return f"{file.absolute()} cannot be read and written"
    return None


def check_inputs(setup: Setup) -> Iterator[Finding]:
    """Check each configured way in for email."""
    settings = setup.settings
    if settings.smtp:
        yield _port("smtp", settings.smtp, setup)
    elif not (settings.lmtp or settings.socket or settings.imap):
        text = "no input is configured: set smtp, lmtp, socket or imap"
        yield Finding("error", "smtp", text, "see docs/operators/settings.md")
    if isinstance(settings.lmtp, Endpoint):
        yield _port("lmtp", settings.lmtp, setup)
    elif settings.lmtp:
        yield _socket("lmtp", settings.lmtp)
    if settings.socket:
        yield _socket("socket", settings.socket)
    if settings.imap:
        yield from _mailbox(settings)
    yield from _arrival_times(settings)


def _port(setting: str, where: Endpoint, setup: Setup) -> Finding:
    problem = _port_problem(setting, where, setup)
    if problem:
        return problem
    if not is_loopback(where.host):
        text = f"{where} is reachable from outside; put a mail server in front of the judge"
        return Finding("warning", setting, text, "listen on 127.0.0.1, behind a mail server")
    return Finding("ok", setting, f"the judge accepts mail at {where}")


def _port_problem(setting: str, where: Endpoint, setup: Setup) -> Finding | None:
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(where)
    except OSError as error:
        if error.errno != EADDRINUSE:
            return Finding("error", setting, f"{where}: {error.strerror}", FREE_PORT)
        if setup.judge_runs or _is_judge(where):
            return Finding("ok", setting, f"{where} is in use by the running judge")
        text = f"{where} is in use, perhaps by a running judge"
        return Finding("warning", setting, text, FREE_PORT)
    return None


GREETING_SECONDS = 2.0
OURS = (b" the judge\r\n", b"there are only /metrics and /healthz")  # a greeting, and a page


def _is_judge(where: Endpoint) -> bool:
    """Return whether what listens there is a judge."""
    with suppress(OSError), socket.create_connection(where, GREETING_SECONDS) as line:
        line.settimeout(GREETING_SECONDS)
        said = b""
        with suppress(TimeoutError):
            said = line.recv(1_000)
        if not said:
            line.sendall(b"GET / HTTP/1.0\r\n\r\n")
            while more := line.recv(1_000):
                said += more
        return any(each in said for each in OURS)
    return False


def _socket(setting: str, path: Path) -> Finding:
    fault = _folder_fault(path.parent)
    if fault:
        return Finding("error", setting, fault, MAKE_FOLDER)
    if path.exists() and not path.is_socket():
        text = f"{path.absolute()} exists and is not a socket"
        return Finding("error", setting, text, "remove the file, or use another path")
    others = path.parent.stat().st_mode & stat.S_IXOTH
    users = "any user of this machine" if others else "the owner and the group"
    return Finding("ok", setting, f"the judge accepts mail at {path.absolute()} from {users}")


def _mailbox(settings: Settings) -> Iterator[Finding]:
    from judge.adapters.inputs.imap import IMAP_ERRORS, LOGIN_ERROR, imap_session
    from judge.adapters.inputs.listeners import account_of
    from judge.app.admin.health import FIXES

    fix = "fix this error; `judge check` tries again"
    try:
        account = account_of(settings)
    except ConfigurationError as error:
        yield Finding("error", "imap", str(error), fix)
        return
    assert account is not None, "imap is set"
    try:
        with imap_session(account, readonly=True) as opened:
            opened.fetch_newest()
            how = "with" if opened.can_idle else "without"
            text = f"{account.name} can be read, {how} IDLE; emails: {opened.exists}"
        yield Finding("ok", "imap", text)
    except IMAP_ERRORS as error:
        if isinstance(error, LOGIN_ERROR):
            fix = FIXES["mailbox_login"]
        yield Finding("error", "imap", account.reason(error), fix)
    assert settings.imap, "there is an account"
    if settings.imap_security == "none" and not is_loopback(settings.imap.host):
        text = "none; password and emails travel unencrypted"
        yield Finding("warning", "imap_security", text, "set it to tls or starttls")
    secret = settings.imap_password_file
    if secret and secret.stat().st_mode & OTHERS:
        text = f"others can read {secret.absolute()}"
        yield Finding("warning", "imap_password_file", text, f"chmod go= {secret.absolute()}")


def _arrival_times(settings: Settings) -> Iterator[Finding]:
    server_delivers = settings.lmtp or settings.socket
    if settings.received_by and not server_delivers:
        text = "no effect: it applies only to lmtp and socket"
        yield Finding("warning", "received_by", text, "remove it, or set lmtp or socket")
    elif settings.received_by:
        text = f"arrival times come from the Received header of {settings.received_by}"
        yield Finding("ok", "received_by", text)
    elif server_delivers:
        text = "none; time in your mail server's queue counts against the deadline"
        fix = "set it to the name your mail server writes in Received: ... by NAME"
        yield Finding("warning", "received_by", text, fix)


def check_output(setup: Setup) -> Iterator[Finding]:
    """Read the key that signs, and log in to the smarthost or check the Maildir used instead."""
    settings = setup.settings
    if settings.dkim_keys:
        yield _signing(settings.dkim_keys, settings.address)
    if settings.smarthost is None:
        made_in = (settings.maildir, *settings.maildir.absolute().parents)
        # A folder that this user may not enter counts as missing.
        there = (folder for folder in made_in if os.path.exists(folder))  # noqa: PTH110
        yield _folder("maildir", next(there))
        return
    yield _smarthost(setup)
    if settings.address.endswith("@localhost"):
        text = f"players elsewhere cannot reply to {settings.address}"
        fix = "set it to an address that can be reached from outside"
        yield Finding("warning", "address", text, fix)


def _smarthost(setup: Setup) -> Finding:
    from judge.adapters.smarthost import smarthost_of

    settings = setup.settings
    fix = "check its log, and that it accepts mail from this machine"
    try:
        smarthost = smarthost_of(settings)
    except ConfigurationError as error:
        return Finding("error", "smarthost", str(error), fix)
    fault = asyncio.run(smarthost.fault())
    if fault is None:
        return Finding("ok", "smarthost", f"mail is sent through {settings.smarthost}")
    level: Literal["error", "warning"] = "warning"  # mail waits in the outbox
    match fault.kind:
        case "login":
            text = "the login is refused"
            fix = "correct smarthost_user and the password, which may have to be one for apps"
            level = "error" if setup.doctor else "warning"
        case "connection":
            text = "there is no connection"
            fix = "check that it runs, and that its name, port and smarthost_security are right"
        case "mail":
            text = "mail is refused"
        case _:
            assert_never(fault.kind)
    return Finding(level, "smarthost", f"{text}: {fault.reason}", fix)


def _signing(folder: Path, address: str) -> Finding:
    from judge.adapters.dkim_signing import DkimKeys, DkimSigner
    from judge.adapters.system_clock import SystemClock

    domain = address.partition("@")[2]
    try:
        DkimSigner(folder, domain, SystemClock())
    except ConfigurationError as error:
        fix = "make a key (judge dkim new), readable for the judge's user"
        return Finding("error", "dkim_keys", str(error).removeprefix("dkim_keys: "), fix)
    text = f"emails are signed for {domain} with {DkimKeys(folder).selector_in_use()}"
    return Finding("ok", "dkim_keys", text)


def check_backup_key(setup: Setup) -> Iterator[Finding]:
    """Check that backups can be encrypted."""
    from judge.adapters.age import read_lock

    file = setup.settings.backup_key_file
    if file is None:
        return
    try:
        read_lock(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        fix = "make a key (judge backup-key), readable for the judge's user"
        yield Finding("error", "backup_key_file", f"{file}: {why}", fix)
    else:
        yield Finding("ok", "backup_key_file", f"{file.absolute()} encrypts backups")


def check_metrics(setup: Setup) -> Iterator[Finding]:
    """Check that the metrics port is free."""
    where = setup.settings.metrics
    if where:
        fine = Finding("ok", "metrics", f"read at {where}")
        yield _port_problem("metrics", where, setup) or fine


def check_reply_address(setup: Setup) -> Iterator[Finding]:
    """Check that tokens in reply addresses can be read."""
    settings = setup.settings
    delimiter, name = settings.recipient_delimiter, "recipient_delimiter"
    fix = "use the same as your mail server (Postfix: recipient_delimiter)"
    if not delimiter:
        text = "none; replies are recognized only by thread, subject or SIGNON"
        yield Finding("warning", name, text, fix)
        return
    sample = address_with(A_TOKEN, settings.address, delimiter)
    if token_of(sample, settings.address, delimiter) != A_TOKEN:
        yield Finding("error", name, f"the judge cannot read the token in {sample}", fix)
    elif len(sample.partition("@")[0]) > LOCAL_PART_MAX:
        yield Finding("error", "address", f"too long with a token: {sample}", "use a shorter one")
    else:
        text = f"replies go to {sample}; your mail server must accept them"
        yield Finding("ok", name, text)


def check_authserv_id(setup: Setup) -> Iterator[Finding]:
    """Check whether a mail server verifies the senders of emails."""
    settings = setup.settings
    if not settings.authserv_id and settings.verify_dkim:
        yield Finding("ok", "verify_dkim", "the judge checks the signatures of senders itself")
    elif not settings.authserv_id:
        text = "none; From can be forged, so it identifies no one by itself"
        fix = "set it, once your mail server checks From and removes forged results"
        yield Finding("warning", "authserv_id", text, fix)
    elif not (settings.lmtp or settings.socket or settings.imap):
        text = "no effect: it applies only to lmtp, socket and imap"
        fix = "remove it, or set lmtp, socket or imap"
        yield Finding("warning", "authserv_id", text, fix)
    else:
        yield Finding("ok", "authserv_id", settings.authserv_id)


def check_rules(_: Setup) -> Iterator[Finding]:
    """Check whether the rules are compiled."""
    from judge.rules.resolution import resolver

    compiled = resolver.__file__.endswith(tuple(EXTENSION_SUFFIXES))
    yield Finding("ok", "rules", "compiled" if compiled else "pure Python")


def check_consistency(setup: Setup) -> Iterator[Finding]:
    """Find mail settings that conflict."""
    settings = setup.settings
    found = [
        *_ports(settings),
        *_forgeable(settings),
        *_outgoing(settings),
        *_address(settings),
        *_limits(settings),
    ]
    yield from found or [Finding("ok", "mail", "the settings are consistent")]


def _ports(settings: Settings) -> Iterator[Finding]:
    names_at = defaultdict[Endpoint, list[str]](list)
    for name in ("smtp", "lmtp", "metrics", "desk"):
        where = getattr(settings, name)
        if isinstance(where, Endpoint) and where.port:
            names_at[where].append(name)
    for where, names in names_at.items():
        if len(names) > 1:
            text = f"{' and '.join(names)} are all {where}"
            yield Finding("error", names[0], text, "give each a port of its own")
        if settings.smarthost == where:
            text = f"this is the judge's own {names[0]}: outgoing email would come back"
            yield Finding("error", "smarthost", text, SET_SMARTHOST)


def _forgeable(settings: Settings) -> Iterator[Finding]:
    if isinstance(settings.lmtp, Endpoint) and not is_loopback(settings.lmtp.host):
        for name in ("received_by", "authserv_id"):
            if getattr(settings, name):
                text = f"any machine that can reach {settings.lmtp} can forge it"
                fix = "make lmtp a socket, or listen on 127.0.0.1 only"
                yield Finding("error", name, text, fix)


def _outgoing(settings: Settings) -> Iterator[Finding]:
    inputs = (name for name in ("lmtp", "socket", "imap") if getattr(settings, name))
    way_in = next(inputs, None)
    if way_in and not settings.smarthost:
        text = f"none; mail arrives by {way_in}, but outgoing email stays in {settings.maildir}"
        yield Finding("warning", "smarthost", text, SET_SMARTHOST)
    unsafe = settings.smarthost_security == "none" and settings.smarthost_user
    if settings.smarthost and unsafe and not is_loopback(settings.smarthost.host):
        text = "none; the password travels unencrypted"
        yield Finding("error", "smarthost_security", text, "set it to tls or starttls")


def _address(settings: Settings) -> Iterator[Finding]:
    local, _, domain = settings.address.partition("@")
    delimiter = settings.recipient_delimiter
    if delimiter and delimiter in local:
        first = local.partition(delimiter)[0]
        text = (
            f"{settings.address} contains the delimiter: a mail server would deliver it to {first}"
        )
        yield Finding("warning", "address", text, "use another address or another delimiter")
    if domain != "localhost" and "." not in domain:
        text = f"{domain} is not a full domain"
        yield Finding("warning", "address", text, "write the domain in full")


def _limits(settings: Settings) -> Iterator[Finding]:
    if settings.message_bytes_max > BYTES_MAX:
        text = (
            f"the judge would accept emails over {BYTES_MAX} bytes, and could only quarantine them"
        )
        yield Finding("warning", "message_bytes_max", text, f"set it to {BYTES_MAX} or less")
    if settings.tick_seconds > TICK_SECONDS_MAX:
        text = f"phases close up to {settings.tick_seconds:.0f} s after their deadline"
        yield Finding("warning", "tick_seconds", text, "set it to a few seconds")
