"""`judge doctor`: whether a judge is well where it is, and what to do about what is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from judge.cli.check import examine
from judge.cli.exits import FOUND_WRONG
from judge.cli.options import daemon_options
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.cli.finding import Finding

LEVELS = {"ok": "ok", "warning": "warn", "error": "fail"}
DOORS = ("smtp", "lmtp", "socket", "metrics")
ADVICE = {  # about what `judge check` finds
    "address": "set it to an address that mail from outside reaches",
    "authserv_id": "set it, once your mail server checks From and removes forged results",
    "database": "make the folder or start the server, and let the judge's user in",
    "imap": "put right what is said there; `judge check` tries it again",
    "imap_password_file": "chmod 600, and chown it to the judge's user",
    "imap_security": "set it to tls or starttls",
    "lmtp": "make the folder, or stop whoever listens there",
    "maildir": "make the folder, and let the judge's user write there",
    "metrics": "stop whoever listens there, or take another port",
    "received_by": "set it to the name that your mail server writes into Received: ... by NAME",
    "recipient_delimiter": "set it as your mail server has it (Postfix: recipient_delimiter)",
    "smarthost": "look into its log, and whether it takes mail from this machine",
    "smtp": "let it listen on 127.0.0.1, behind a mail server; stop whoever listens there",
    "socket": "make the folder, and let the judge's user write there",
    "templates": "mend the template, or take it out of the folder",
}
IN_GENERAL = "see docs/operators/settings.md"


@click.command()
@click.option("--mail", is_flag=True, help="Also send a mail to ourselves, and wait for it.")
@click.option(
    "--seconds", default=60.0, show_default=True, help="For how long it is waited for that mail."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line a finding.")
@daemon_options
def doctor(settings: Settings, *, mail: bool, seconds: float, as_json: bool) -> None:
    """Look whether the judge is well: all that `judge check` looks at, and the machine around it.

    That is how the store is kept and by whom it can be read, the clock, zone data, room on the
    disk, settings of mail that cannot work together, and what `judge status` would say. Nothing is
    asked of the DNS. With --mail a mail goes through the configured smarthost to the judge's own
    address, and must come back by a way in. Each line says what to do; the exit code is 1 if any
    is a fail.
    """
    failed = False
    for each in _findings(settings, seconds if mail else None):
        failed |= each.level == "error"
        click.echo(json.dumps(_as_json(each)) if as_json else _line(each))
    if failed:
        raise SystemExit(FOUND_WRONG)


def _findings(settings: Settings, seconds: float | None) -> Iterator[Finding]:
    from judge.cli import examining_machine, examining_mail, examining_store

    awake, found = examining_store.look(settings)
    for each in examine(settings):
        yield _known(each, awake=awake)
    yield from examining_mail.look(settings)
    yield from examining_machine.look(settings)
    yield from found
    if seconds is not None:
        yield examining_mail.send_round(settings, seconds)


def _known(each: Finding, *, awake: bool) -> Finding:
    """Say what to do about what `judge check` found; our own doors are open while we run."""
    if awake and each.level == "warning" and each.setting in DOORS and "is in use" in each.text:
        return replace(
            each, level="ok", text=each.text.partition(",")[0] + ", by a judge that runs"
        )
    if each.level == "ok" or each.advice:
        return each
    return replace(each, advice=ADVICE.get(each.setting, IN_GENERAL))


def _line(each: Finding) -> str:
    line = f"{LEVELS[each.level]:4}  {each.setting}: {each.text}"
    return f"{line}\n      do: {each.advice}" if each.advice else line


def _as_json(each: Finding) -> dict[str, str]:
    return asdict(each) | {"level": LEVELS[each.level]}
