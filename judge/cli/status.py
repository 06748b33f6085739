"""`judge status`: how the judge is, for an operator and for a monitor."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import click

from judge.cli.exits import FOUND_WRONG
from judge.cli.options import settings_options
from judge.cli.store import existing
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.admin.health import Deadline, Health
    from judge.app.ports.inbox import Mailbox


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def status(settings: Settings, *, as_json: bool) -> None:
    """Say what waits, what failed and what comes next.

    The exit code is 0 if all is well, 1 if somebody should look after something, 69 if there is no
    database. Nothing of a mail is shown.
    """
    from judge.app.admin import health

    with existing(settings) as judge:
        found = health.examine(judge)
        coming = health.deadlines(judge, found.tally)
    if as_json:
        click.echo(json.dumps(_as_json(found, coming)))
    else:
        click.echo("\n".join(_lines(found, coming)))
    if found.troubles:
        raise SystemExit(FOUND_WRONG)


def _as_json(found: Health, coming: tuple[Deadline, ...]) -> Mapping[str, object]:
    tally = found.tally
    return {
        "ok": not found.troubles,
        "troubles": found.troubles,
        "at": _stamp(found.at),
        "last_tick": _stamp(found.last_tick),
        "inbox": {**tally.inbox, "oldest_waiting": _stamp(tally.oldest_waiting)},
        "outbox": {**tally.outbox, "oldest_queued": _stamp(tally.oldest_queued)},
        "deliveries": {"retried": tally.retried, "refused_since_yesterday": tally.refused},
        "mailboxes": [_mailbox(each) for each in found.mailboxes],
        "next": [
            {
                "game": each.game,
                "look": _stamp(each.look_utc),
                "phase": each.phase,
                "deadline": _stamp(each.deadline_utc),
            }
            for each in coming
        ],
    }


def _mailbox(mailbox: Mailbox) -> Mapping[str, object]:
    return {
        "name": mailbox.name,
        "read": _stamp(mailbox.read_utc),
        "failing_since": _stamp(mailbox.failing_utc),
        "reason": mailbox.reason,
    }


def _lines(found: Health, coming: tuple[Deadline, ...]) -> Iterator[str]:
    from judge.reports.render import trouble_texts

    tally = found.tally
    yield f"last tick   {_stamp(found.last_tick) or 'never'}"
    oldest = f", the oldest of {_stamp(tally.oldest_waiting)}" if tally.oldest_waiting else ""
    yield f"inbox       {_counted(tally.inbox)}{oldest}"
    oldest = f", the oldest due {_stamp(tally.oldest_queued)}" if tally.oldest_queued else ""
    yield f"outbox      {_counted(tally.outbox)}{oldest}"
    yield f"deliveries  {tally.retried} to be tried again, {tally.refused} given up in a day"
    for mailbox in found.mailboxes:
        failing = f"failing since {_stamp(mailbox.failing_utc)}" if mailbox.failing_utc else "read"
        yield f"mailbox     {mailbox.name!r} {failing}, last at {_stamp(mailbox.read_utc)}"
    for each in coming:
        until = f", deadline {_stamp(each.deadline_utc)}" if each.deadline_utc else ""
        yield f"next        {_stamp(each.look_utc)} {each.game} {each.phase or 'forming'}{until}"
    for name in found.troubles:
        yield f"TROUBLE     {trouble_texts()[name]}"


def _counted(mails: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {state.replace('_', ' ')}" for state, number in mails.items())


def _stamp(instant: datetime | None) -> str | None:
    return instant.isoformat(timespec="seconds") if instant else None
