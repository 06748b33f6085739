"""`judge inbox`: show, retry, export and discard received emails.

Emails are shown as JSON or without control characters, so they cannot control the terminal.
Passwords and addresses with tokens are hidden; `export` warns that it writes the email as it came.
"""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.command_group import CommandGroup
from judge.cli.game_source import open_existing_store
from judge.cli.options import settings_options
from judge.cli.terminal import (
    STANDARD_STREAM,
    UNAVAILABLE,
    USAGE,
    FilePath,
    counted,
    fail,
)
from judge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from judge.app.admin.inbox_admin import MailDescription
    from judge.app.ports.inbox import InboxEntry, InboxState, IncomingMail
    from judge.app.ports.judge import Judge
    from judge.mail.envelope import Unreadable

STATES = ("received", "held", "processed", "ignored", "quarantined")
LISTED = 100
LAST = click.IntRange(min=1)
MAIL = click.argument("name", metavar="MAIL")


@click.group(cls=CommandGroup)
def inbox() -> None:
    """Show, retry, export and discard incoming emails.

    MAIL is the number of an email, or as much of the beginning of its SHA-256 as no other email
    has. A beginning without letters needs 8 digits: with fewer it is a number.
    """


@inbox.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only emails in this state.")
@click.option("--last", default=LISTED, show_default=True, type=LAST, help="How many emails.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per email.")
@settings_options
def list_(settings: Settings, *, state: str | None, last: int, as_json: bool) -> None:
    """List the latest incoming emails, oldest first, without their contents."""
    from judge.app.ports.inbox import InboxState

    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        found = transaction.inbox.entries(InboxState(state) if state else None, last)
    for entry in found:
        click.echo(json.dumps(_row(entry)) if as_json else _line(entry))


@inbox.command()
@MAIL
@click.option("--text", is_flag=True, help="Also its text, which may contain orders and press.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def show(settings: Settings, name: str, *, text: bool, as_json: bool) -> None:
    """Show the state of MAIL, its sender and its subject."""
    from judge.adapters.mail_sandbox import MailSandbox
    from judge.app.admin.inbox_admin import MailDescription, describe_mail

    with open_existing_store(settings) as judge, closing(MailSandbox()) as reader:
        mail = _email_named(judge, name)
        description = describe_mail(judge, mail, reader)
    if as_json:
        click.echo(json.dumps(_facts_as_json(mail) | _description_as_json(description, text=text)))
        return
    for line in (
        *_facts(mail),
        *(
            _description_lines(description, text=text)
            if isinstance(description, MailDescription)
            else ()
        ),
    ):
        click.echo(line)
    if not isinstance(description, MailDescription):
        click.echo(f"unreadable   {description.reason}")


@inbox.command()
@MAIL
@settings_options
def retry(settings: Settings, name: str) -> None:
    """Have the daemon process MAIL again, with its original arrival time.

    This works for quarantined and ignored emails only; processed ones have had their effect.
    """
    from judge.app.admin.inbox_admin import retry_mail
    from judge.app.ports.inbox import InboxState

    _change(settings, name, retry_mail, InboxState.RECEIVED)


@inbox.command()
@MAIL
@settings_options
def discard(settings: Settings, name: str) -> None:
    """Ignore MAIL permanently. The judge keeps its contents."""
    from judge.app.admin.inbox_admin import discard_mail
    from judge.app.ports.inbox import InboxState

    _change(settings, name, discard_mail, InboxState.IGNORED)


def _change(
    settings: Settings,
    name: str,
    change: Callable[[Judge, IncomingMail], InboxState],
    wanted: InboxState,
) -> None:
    with open_existing_store(settings) as judge:
        mail = _email_named(judge, name)
        state = change(judge, mail)
        if state is not wanted:
            fail(f"email {mail.id} is unchanged: it is {state.value}", UNAVAILABLE)
        click.echo(f"{mail.id}: {state.value}")


@inbox.command()
@MAIL
@click.argument("file", metavar="FILE|-", type=FilePath())
@settings_options
def export(settings: Settings, name: str, file: Path) -> None:
    """Write MAIL to FILE as it arrived, with any passwords, tokens and orders."""
    with open_existing_store(settings) as judge:
        mail = _email_named(judge, name)
    if not mail.raw:
        fail(f"the text of email {mail.id} has been deleted", UNAVAILABLE)
    if file == STANDARD_STREAM:
        sys.stdout.buffer.write(mail.raw)
        return
    from judge.adapters.whole_files import creating_file

    try:
        with creating_file(file) as written:
            written.write(mail.raw)
    except OSError as error:
        fail(f"{file}: {error.strerror}", UNAVAILABLE)


def _email_named(judge: Judge, name: str) -> IncomingMail:
    with judge.database.read() as transaction:
        numbers = transaction.inbox.named(name.lower())
        if len(numbers) > 1:
            fail(f"several emails begin with {name!r}: give more digits", USAGE)
        mail = transaction.inbox.get(numbers[0]) if numbers else None
    if mail is None:
        fail(f"there is no email {name!r}: `judge inbox list` shows them", UNAVAILABLE)
    return mail


def _row(entry: InboxEntry) -> dict[str, object]:
    received, state = entry.received_utc.isoformat(), entry.state.value
    return asdict(entry) | {"received_utc": received, "state": state}


def _line(entry: InboxEntry) -> str:
    from judge.app.admin.inbox_admin import safe_text

    received = entry.received_utc.isoformat(timespec="seconds")
    line = f"{entry.id:6} {entry.sha256[:12]} {entry.way_in:5} {received} {entry.state.value:11}"
    return f"{line} {entry.attempts} {safe_text(entry.reason)}".rstrip()


def _facts(mail: IncomingMail) -> Iterator[str]:
    from judge.app.admin.inbox_admin import safe_text
    from judge.app.ports.inbox import InboxState

    yield f"mail         {mail.id}"
    yield f"sha256       {mail.sha256}"
    yield f"received     {mail.received_utc.isoformat(timespec='seconds')} by {mail.way_in}"
    yield f"bytes        {len(mail.raw) or 'deleted'}"
    deaths = f"; the judge crashed on it {counted(mail.deaths, 'time')}" if mail.deaths else ""
    yield f"state        {mail.state.value}, after {counted(mail.attempts, 'attempt')}{deaths}"
    if mail.reason:
        yield f"reason       {safe_text(mail.reason)}"
    if mail.retry_utc and mail.state is InboxState.RECEIVED:
        yield f"retry        {mail.retry_utc.isoformat(timespec='seconds')}"


def _facts_as_json(mail: IncomingMail) -> dict[str, object]:
    return {
        "id": mail.id,
        "sha256": mail.sha256,
        "way_in": mail.way_in,
        "received_utc": mail.received_utc.isoformat(),
        "bytes": len(mail.raw),
        "state": mail.state.value,
        "attempts": mail.attempts,
        "deaths": mail.deaths,
        "reason": mail.reason,
        "retry_utc": mail.retry_utc.isoformat() if mail.retry_utc else None,
    }


def _description_as_json(
    description: MailDescription | Unreadable, *, text: bool
) -> dict[str, object]:
    from judge.mail.envelope import Unreadable

    if isinstance(description, Unreadable):
        return {"unreadable": description.reason}
    numbers = {name: len(lines) for name, lines in description.lines.items()}
    return asdict(description) | {"lines": description.lines if text else numbers}


def _description_lines(description: MailDescription, *, text: bool) -> Iterator[str]:
    yield f"from         {description.sender or 'unknown'}"
    yield f"subject      {description.subject}"
    yield f"message-id   {description.message_id or 'none'}"
    if description.automatic:
        yield f"automatic    {description.automatic}"
    for name, lines in description.lines.items():
        yield f"{name:12} {counted(len(lines), 'line')}"
        for line in lines if text else ():
            yield f"  | {line}"
