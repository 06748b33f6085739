"""`judge outbox`: show, retry and discard outgoing emails.

Emails are shown without their contents, and as JSON or without control characters.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

import click

from judge.cli.command_group import CommandGroup
from judge.cli.game_source import open_existing_store
from judge.cli.options import settings_options
from judge.cli.terminal import UNAVAILABLE, fail
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.admin.outbox_admin import NotPossible
    from judge.app.ports.judge import Judge
    from judge.app.ports.outbox import SentMail

STATES = ("held_back", "queued", "deferred", "sent", "enclosed", "came_back", "given_up")
LISTED = 100
LAST = click.IntRange(min=1)
LABELS = {
    "id": "mail",
    "message_id": "message-id",
    "due_utc": "due",
    "sent_utc": "sent",
    "bounced_utc": "bounced",
    "failing_utc": "first failed",
    "tried_utc": "last tried",
    "ours": "fault of",
}
MAIL = click.argument("name", metavar="MAIL")
MAILS = click.argument("names", metavar="MAIL...", nargs=-1, required=True)


@click.group(cls=CommandGroup)
def outbox() -> None:
    """Show, retry and discard outgoing emails.

    MAIL is the number of an email, or its Message-ID, which the log has.
    """


@outbox.command("list")
@click.option("--state", type=click.Choice(STATES), help="Only emails in this state.")
@click.option("--last", default=LISTED, show_default=True, type=LAST, help="How many emails.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per email.")
@settings_options
def list_(settings: Settings, *, state: str | None, last: int, as_json: bool) -> None:
    """List the latest outgoing emails, oldest first, without their contents."""
    from judge.app.ports.outbox import DeliveryState

    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        way = DeliveryState(state) if state else None
        found = transaction.outbox.entries(way=way, limit=last)
    for entry in reversed(found):
        click.echo(json.dumps(_row(entry)) if as_json else _line(entry))


@outbox.command()
@MAIL
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def show(settings: Settings, name: str, *, as_json: bool) -> None:
    """Show the state of MAIL, its recipient and its subject."""
    from judge.app.admin.outbox_admin import subject_of_email

    with open_existing_store(settings) as judge:
        entry = _email_named(judge, name)
        row = _row(entry) | {"recipient": entry.recipient}
        row["subject"] = subject_of_email(judge, entry.id)
    if as_json:
        click.echo(json.dumps(row))
        return
    for line in _facts(row):
        click.echo(line)


@outbox.command()
@click.argument("names", metavar="[MAIL...]", nargs=-1)
@settings_options
def retry(settings: Settings, names: tuple[str, ...]) -> None:
    """Have the daemon try MAIL again now, or all that have failed and wait.

    Emails that were given up are tried again, too, if you name them.
    """
    from judge.app.admin.outbox_admin import deferred_emails, retry_email

    with open_existing_store(settings) as judge:
        named = [_email_named(judge, name).id for name in names]
        for number in named if names else deferred_emails(judge):
            _report(number, retry_email(judge, number))


@outbox.command()
@MAILS
@settings_options
def discard(settings: Settings, names: tuple[str, ...]) -> None:
    """Give up MAIL, which has not been sent. The judge keeps its contents.

    An email that the daemon is sending at this moment may still go out.
    """
    from judge.app.admin.outbox_admin import discard_email

    with open_existing_store(settings) as judge:
        for number in [_email_named(judge, name).id for name in names]:
            _report(number, discard_email(judge, number))


def _email_named(judge: Judge, name: str) -> SentMail:
    with judge.database.read() as transaction:
        number = transaction.outbox.named(name)
        entry = transaction.outbox.entry(number) if number is not None else None
    if entry is None:
        fail(f"there is no email {name!r}: `judge outbox list` shows them", UNAVAILABLE)
    return entry


def _report(number: int, result: SentMail | NotPossible) -> None:
    from judge.app.admin.outbox_admin import NotPossible

    if isinstance(result, NotPossible):
        fail(f"email {number} is unchanged: {result.reason}", UNAVAILABLE)
    click.echo(f"{number}: {result.way.value}")


def _row(entry: SentMail) -> dict[str, object]:
    """Return what is known of an email; its recipient is for `show` only."""
    values = {each.name: getattr(entry, each.name) for each in fields(entry)}
    del values["recipient"]
    values["state"] = values.pop("way")
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> object:
    match value:
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case _:
            return value


def _line(entry: SentMail) -> str:
    from judge.app.admin.inbox_admin import safe_text

    due = entry.due_utc.isoformat(timespec="seconds")
    about = f"{entry.way.value:9} {entry.kind:15} {entry.game or '-':10}"
    return f"{entry.id:6} {due} {about} {entry.attempts} {safe_text(entry.reason)}".rstrip()


def _facts(row: dict[str, object]) -> Iterator[str]:
    from judge.app.admin.inbox_admin import safe_text

    for name, value in row.items():
        shown = "the judge or its mail server" if value is True else str(value)
        if value not in (None, "") and value is not False:
            yield f"{LABELS.get(name, name):12} {safe_text(shown)}"
