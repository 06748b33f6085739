"""`judge check`: what an operator should know about a configuration before a judge runs on it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import click

from judge.adapters import sqlite
from judge.cli.checking_templates import in_front
from judge.cli.checking_ways import taken, ways_in
from judge.cli.exits import FOUND_WRONG
from judge.cli.finding import Finding
from judge.cli.options import daemon_options
from judge.errors import ConfigurationError, JudgeError
from judge.mail.mail_addresses import address_with, token_of
from judge.rules.resolution import resolver
from judge.settings import DatabaseServer, Settings, strays

LOCAL_PART_MAX = 64  # octets, RFC 5321 4.5.3.1.1
CLOCK_SECONDS_MAX = 1.0  # Judges on one server stamp the mails that come, each by its own clock.
A_TOKEN = "abcdefghijklmnop"  # noqa: S105 - has the form of a token, and is none


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON line a finding.")
@daemon_options
def check(settings: Settings, *, as_json: bool) -> None:
    """Look whether the configuration is sound.

    One line a finding. The exit code is 0 if a judge can run so, whatever the warnings, 1 if it
    cannot, 78 if a setting cannot be read.
    """
    findings = tuple(examine(settings))
    for each in findings:
        line = f"{each.level:7}  {each.setting}: {each.text}"
        click.echo(json.dumps(asdict(each)) if as_json else line)
    if any(each.level == "error" for each in findings):
        raise SystemExit(FOUND_WRONG)


def examine(settings: Settings) -> Iterator[Finding]:
    """Yield a finding about everything that can be looked at without running."""
    yield from (Finding("warning", name, "there is no such setting") for name in strays())
    yield from _store(settings.database)
    yield from ways_in(settings)
    yield from _way_out(settings)
    if settings.metrics:
        told = Finding("ok", "metrics", f"read at {settings.metrics}")
        yield taken("metrics", settings.metrics) or told
    yield from in_front(settings)
    yield _delimiter(settings)
    yield _boundary(settings)
    yield _rules()


def _store(database: Path | DatabaseServer) -> Iterator[Finding]:
    if isinstance(database, DatabaseServer):
        yield _server(database)
        return
    library = sqlite.newest_library()
    named = f"SQLite {library.sqlite_version} ({library.__name__.partition('.')[0]})"
    slower = "the slower journal TRUNCATE, because WAL can lose commits before 3.51.3"
    journal = "journal WAL" if sqlite.is_wal_safe(library.sqlite_version_info) else slower
    yield Finding("ok", "database", f"{named}, {journal}")
    yield _folder("database", database.parent)


def _server(database: DatabaseServer) -> Finding:
    """Look whether the server answers, and whether its clock is ours."""
    from judge.adapters import postgresql

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
        yield Finding("warning", "address", f"nobody elsewhere can answer {settings.address}")


def _smarthost(settings: Settings) -> Finding:
    """Connect, and log in where that is set; what it would not take now waits in the outbox."""
    from judge.adapters.ways_out import smarthost_of

    try:
        smarthost = smarthost_of(settings)
    except ConfigurationError as error:
        return Finding("error", "smarthost", str(error))
    assert smarthost, "it is set"
    fault = asyncio.run(smarthost.fault())
    if fault:
        return Finding("warning", "smarthost", f"{settings.smarthost} takes no mail now: {fault}")
    return Finding("ok", "smarthost", f"mail is sent through {settings.smarthost}")


def _delimiter(settings: Settings) -> Finding:
    """Look whether a token that goes out in an address comes back from it."""
    delimiter, name = settings.recipient_delimiter, "recipient_delimiter"
    if not delimiter:
        told = "none, so a reply is recognised by its thread, its subject or SIGNON only"
        return Finding("warning", name, told)
    sample = address_with(A_TOKEN, settings.address, delimiter)
    if token_of(sample, settings.address, delimiter) != A_TOKEN:
        return Finding("error", name, f"no token is found in {sample}")
    if len(sample.partition("@")[0]) > LOCAL_PART_MAX:
        return Finding("error", "address", f"with a token it is too long: {sample}")
    return Finding("ok", name, f"replies come to {sample}; your mail server must take them")


def _boundary(settings: Settings) -> Finding:
    if settings.authserv_id and not (settings.lmtp or settings.socket or settings.imap):
        told = "no effect: it counts for mail that comes by lmtp, socket or imap only"
        return Finding("warning", "authserv_id", told)
    if settings.authserv_id:
        return Finding("ok", "authserv_id", settings.authserv_id)
    told = "none, so a From can be forged, and no mail is recognised by it alone"
    return Finding("warning", "authserv_id", told)


def _rules() -> Finding:
    compiled = resolver.__file__.endswith(tuple(EXTENSION_SUFFIXES))
    return Finding("ok", "rules", "compiled" if compiled else "pure Python")
