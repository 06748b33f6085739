"""`judge check`: find mistakes in a configuration before a judge runs on it."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from errno import EADDRINUSE
from importlib.machinery import EXTENSION_SUFFIXES
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from judge.cli.options import daemon_options
from judge.cli.terminal import FOUND_WRONG
from judge.errors import ConfigurationError, JudgeError
from judge.mail.mail_addresses import address_with, token_of
from judge.settings import DatabaseServer, Endpoint, Settings, strays

if TYPE_CHECKING:
    from judge.archive.record import Record


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one setting or part; an *error* keeps the judge from working.

    *advice* is what to do, where the text does not say it.
    """

    level: Literal["ok", "warning", "error"]
    setting: str
    text: str
    advice: str = ""


LOCAL_PART_MAX = 64  # octets, RFC 5321 4.5.3.1.1
CLOCK_SECONDS_MAX = 1.0  # Judges on one server stamp the mails that come, each by its own clock.
A_TOKEN = "abcdefghijklmnop"  # noqa: S105 - has the form of a token, and is none


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON line per finding.")
@daemon_options
def check(settings: Settings, *, as_json: bool) -> None:
    """Check the configuration.

    Print one finding per line. The exit code is 0 if the judge can run, even with warnings, 1 if
    it cannot, and 78 if a setting cannot be read.
    """
    findings = tuple(check_settings(settings))
    for each in findings:
        line = f"{each.level:7}  {each.setting}: {each.text}"
        click.echo(json.dumps(asdict(each)) if as_json else line)
    if any(each.level == "error" for each in findings):
        raise SystemExit(FOUND_WRONG)


def check_settings(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about everything that can be looked at without running."""
    yield from (Finding("warning", name, "there is no such setting") for name in strays())
    yield from _store(settings.database)
    yield from check_inputs(settings)
    yield from _way_out(settings)
    if settings.metrics:
        told = Finding("ok", "metrics", f"read at {settings.metrics}")
        yield port_problem("metrics", settings.metrics) or told
    yield from check_templates(settings)
    yield _delimiter(settings)
    yield _boundary(settings)
    yield _rules()


def _store(database: Path | DatabaseServer) -> Iterator[Finding]:
    if isinstance(database, DatabaseServer):
        yield _server(database)
        return
    from judge.adapters.store import sqlite

    library = sqlite.newest_library()
    named = f"SQLite {library.sqlite_version} ({library.__name__.partition('.')[0]})"
    slower = "the slower journal TRUNCATE, because WAL can lose commits before 3.51.3"
    journal = "journal WAL" if sqlite.is_wal_safe(library.sqlite_version_info) else slower
    yield Finding("ok", "database", f"{named}, {journal}")
    yield _folder("database", database.parent)


def _server(database: DatabaseServer) -> Finding:
    """Look whether the server answers, and whether its clock is ours."""
    from judge.adapters.store import postgresql

    try:
        version, ahead = postgresql.ask(database)
    except JudgeError as error:
        return Finding("error", "database", str(error))
    named = f"PostgreSQL {version} answers at {database}"
    if abs(ahead) > CLOCK_SECONDS_MAX:
        apart = f"its clock is {ahead:+.0f} s from ours: synchronize them"
        return Finding("warning", "database", f"{named}, but {apart}")
    return Finding("ok", "database", named)


def _folder(setting: str, folder: Path) -> Finding:
    """Look whether files can be made in *folder*."""
    if not folder.is_dir():
        return Finding("error", setting, f"there is no folder {folder.absolute()}")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("error", setting, f"{folder.absolute()} cannot be written to")
    return Finding("ok", setting, f"{folder.absolute()} can be written to")


def _way_out(settings: Settings) -> Iterator[Finding]:
    if settings.smarthost is None:
        made_in = (settings.maildir, *settings.maildir.absolute().parents)
        yield _folder("maildir", next(folder for folder in made_in if folder.exists()))
        return
    yield _smarthost(settings)
    if settings.address.endswith("@localhost"):
        yield Finding("warning", "address", f"nobody outside can reply to {settings.address}")


def _smarthost(settings: Settings) -> Finding:
    """Connect, and log in where that is set; what it would not take now waits in the outbox."""
    from judge.adapters.outputs import smarthost_of

    try:
        smarthost = smarthost_of(settings)
    except ConfigurationError as error:
        return Finding("error", "smarthost", str(error))
    assert smarthost, "it is set"
    fault = asyncio.run(smarthost.fault())
    if fault:
        return Finding("warning", "smarthost", f"{settings.smarthost} refuses mail: {fault}")
    return Finding("ok", "smarthost", f"mail is sent through {settings.smarthost}")


def _delimiter(settings: Settings) -> Finding:
    """Look whether a token that goes out in an address comes back from it."""
    delimiter, name = settings.recipient_delimiter, "recipient_delimiter"
    if not delimiter:
        told = "none; replies are recognized only by thread, subject or SIGNON"
        return Finding("warning", name, told)
    sample = address_with(A_TOKEN, settings.address, delimiter)
    if token_of(sample, settings.address, delimiter) != A_TOKEN:
        return Finding("error", name, f"the judge cannot read the token in {sample}")
    if len(sample.partition("@")[0]) > LOCAL_PART_MAX:
        return Finding("error", "address", f"too long with a token: {sample}")
    return Finding("ok", name, f"replies go to {sample}; your mail server must accept them")


def _boundary(settings: Settings) -> Finding:
    if settings.authserv_id and not (settings.lmtp or settings.socket or settings.imap):
        told = "no effect: it applies only to lmtp, socket and imap"
        return Finding("warning", "authserv_id", told)
    if settings.authserv_id:
        return Finding("ok", "authserv_id", settings.authserv_id)
    told = "none; From can be forged, so it identifies nobody by itself"
    return Finding("warning", "authserv_id", told)


def _rules() -> Finding:
    from judge.rules.resolution import resolver

    compiled = resolver.__file__.endswith(tuple(EXTENSION_SUFFIXES))
    return Finding("ok", "rules", "compiled" if compiled else "pure Python")


OTHERS_MAY_READ = stat.S_IRWXG | stat.S_IRWXO


def check_inputs(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about every way in that is configured."""
    if settings.smtp:
        yield _port("smtp", settings.smtp)
    elif not (settings.lmtp or settings.socket or settings.imap):
        yield Finding("error", "smtp", "no input is configured: set smtp, lmtp, socket or imap")
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


def port_problem(setting: str, where: Endpoint) -> Finding | None:
    """Find what keeps a judge from listening at *where*, None if nothing does."""
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind(where)
    except OSError as error:
        if error.errno == EADDRINUSE:
            return Finding("warning", setting, f"{where} is in use, perhaps by a running judge")
        return Finding("error", setting, f"{where}: {error.strerror}")
    return None


def _port(setting: str, where: Endpoint) -> Finding:
    wrong = port_problem(setting, where)
    if wrong:
        return wrong
    if not is_loopback(where):
        told = "is reachable from outside; put a mail server in front of the judge"
        return Finding("warning", setting, f"{where} {told}")
    return Finding("ok", setting, f"the judge accepts mail at {where}")


def _socket(setting: str, path: Path) -> Finding:
    """Look whether the socket can be made, and by whom it can be reached."""
    folder = path.parent
    if not folder.is_dir():
        return Finding("error", setting, f"there is no folder {folder.absolute()}")
    if not os.access(folder, os.W_OK | os.X_OK):
        return Finding("error", setting, f"{folder.absolute()} cannot be written to")
    if path.exists() and not path.is_socket():
        return Finding("error", setting, f"{path.absolute()} exists and is not a socket")
    who = "everybody" if folder.stat().st_mode & stat.S_IXOTH else "the owner and the group"
    return Finding("ok", setting, f"the judge accepts mail at {path.absolute()} from {who}")


def _mailbox(settings: Settings) -> Iterator[Finding]:
    """Log in, and open the folder without changing anything."""
    from judge.adapters.inputs.imap_client import IMAP_ERRORS, imap_session
    from judge.adapters.inputs.listeners import account_of

    try:
        account = account_of(settings)
        assert account is not None, "imap is set"
        with imap_session(account, readonly=True) as opened:
            how = "with" if opened.can_idle else "without"
            told = f"{account.name} can be read, {how} IDLE; emails: {opened.exists}"
        yield Finding("ok", "imap", told)
    except ConfigurationError as error:
        yield Finding("error", "imap", str(error))
        return
    except IMAP_ERRORS as error:
        yield Finding("error", "imap", f"{settings.imap}: {type(error).__name__}: {error}")
    if settings.imap_security == "none" and not is_loopback(settings.imap):
        told = "none; password and emails travel unencrypted"
        yield Finding("warning", "imap_security", told)
    secret = settings.imap_password_file
    if secret and secret.stat().st_mode & OTHERS_MAY_READ:
        yield Finding("warning", "imap_password_file", f"others can read {secret.absolute()}")


def _boundary_time(settings: Settings) -> Iterator[Finding]:
    handed: Literal["lmtp", "socket"] | None = (
        "lmtp" if settings.lmtp else "socket" if settings.socket else None
    )
    if settings.received_by and not handed:
        told = "no effect: it applies only to lmtp and socket"
        yield Finding("warning", "received_by", told)
    elif settings.received_by:
        told = f"arrival times come from the Received header of {settings.received_by}"
        yield Finding("ok", "received_by", told)
    elif handed:
        told = "none; time in your mail server's queue counts against the deadline"
        yield Finding("warning", "received_by", told)


def is_loopback(where: Endpoint | None) -> bool:
    """Return whether only this machine can reach *where*."""
    try:
        return where is not None and ip_address(where.host).is_loopback
    except ValueError:  # a name
        return where is not None and where.host == "localhost"


SETTING = "templates"
ORDERS = {"GERMANY": "A MUN - BUR", "FRANCE": "A PAR - BUR", "RUSSIA": "F SEV - BLA"}


def check_templates(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about each template that is wrong, or one that all are sound."""
    if settings.templates is None:
        return
    from judge.reports.operator_templates import template_faults, template_names

    found = [
        Finding(each.level, SETTING, each.told) for each in template_faults(settings.templates)
    ]
    if not any(each.level == "error" for each in found):
        found += _tried()
    yield from found
    if not any(each.level == "error" for each in found):
        count = len(template_names(settings.templates))
        told = f"{count} in {settings.templates} replace the judge's own"
        yield Finding("ok", SETTING, told)


def _tried() -> Iterator[Finding]:
    """Write a report of a small game in every style, with what stands in front."""
    from judge.adapters.variant_files import load_map
    from judge.app.zine.illustrated_report import Style, Subject, write_report
    from judge.app.zine.season_report import ReportOptions
    from judge.reports.languages import SOURCE, languages
    from judge.reports.operator_templates import BrokenTemplateError
    from judge.reports.report_formats import FORMATS
    from judge.rules.rulebook import DATC

    subject, told = Subject(load_map(), _sample(), DATC), set[str]()
    tried = [*((form, SOURCE) for form in FORMATS), *(("text", each) for each in languages())]
    for style in Style:
        for form, language in tried:
            try:
                write_report(subject, ReportOptions(language=language), style, form, "light")
            except BrokenTemplateError as error:
                if str(error) not in told:
                    yield Finding("error", SETTING, str(error))
                told.add(str(error))


def _sample() -> Record:
    """Return a game of one phase, in which something fails and something is said."""
    from judge.adapters.variant_files import load_map
    from judge.archive.record import Record, RecordedPhase, RecordedPress, Source, WrittenOrder
    from judge.notation.order_text import read_order

    start = load_map().start
    orders = tuple(WrittenOrder(power, text, read_order(text)) for power, text in ORDERS.items())
    return Record(
        name="sample",
        source=Source("record", str(Path("sample")), ""),
        numbers={"boardman": "1901A"},
        phases=(RecordedPhase(start.phase, start, orders),),
        press=(RecordedPress(start.phase, "FRANCE", (), "Peace."),),
    )
