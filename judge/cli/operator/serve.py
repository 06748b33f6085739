"""`judge serve`, `judge desk` and `judge status`: run the judge, and show its state."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import json
import signal
import threading
from collections.abc import Iterator, Mapping
from datetime import datetime
from errno import EADDRINUSE
from typing import TYPE_CHECKING

import click

from judge.cli.game_source import open_existing_store
from judge.cli.options import (
    check_variants,
    daemon_options,
    desk_options,
    read_again,
    settings_options,
    use_variants,
)
from judge.cli.root import end_loading
from judge.cli.terminal import FOUND_WRONG, UNAVAILABLE, fail, require_unix
from judge.errors import ConfigurationError, printable
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.admin.health import Deadline, Health, WitnessHealth
    from judge.app.ports.database import DeliveryFailure
    from judge.app.ports.inbox import Mailbox, WithheldEmail
    from judge.checkpoints import WitnessedCheckpoint
    from judge.daemon import ListeningAddress


@click.command()
@daemon_options
def serve(settings: Settings) -> None:
    """Run the judge until SIGTERM or Ctrl-C.

    Without a configuration it uses judge.db, listens for SMTP on 127.0.0.1:8025 and writes
    outgoing mail to the Maildir "outgoing", all in the current folder. On SIGHUP it reads settings
    and templates again; if they are invalid, it keeps the old ones.
    """
    require_unix()
    gc.disable()
    from judge import daemon
    from judge.adapters import service
    from judge.adapters.store.database import explain
    from judge.cli.operator.own_templates import OwnTemplates

    end_loading()

    def listening(where: ListeningAddress) -> None:
        way_out = settings.smarthost or f"the Maildir {settings.maildir}"
        click.echo(f"judge: listening on {_mail_entrances(settings, where)}, sending to {way_out}")

    if not (settings.smtp or settings.lmtp or settings.socket or settings.imap):
        raise ConfigurationError("no input is configured: set smtp, lmtp, socket or imap")
    words = OwnTemplates()

    def take(fresh: Settings) -> None:
        check_variants(fresh.variants)
        words.take(fresh)
        use_variants(fresh.variants)

    again = daemon.SettingsReload(read_again(), take)
    service.set_up_logging(settings.log_level, settings.log_format)
    # A crash in C, or a failing disk, leaves a trace of its thread; others run on meanwhile.
    faulthandler.enable(file=2, all_threads=False)
    words.take(settings)
    try:
        asyncio.run(daemon.serve(settings, listening, again))
    except OSError as error:
        if explain(settings.database, error):
            raise  # `daemon_options` does it
        where = error.filename or settings.smtp or settings.lmtp
        names = {
            str(settings.metrics): "the setting metrics",
            str(settings.lmtp): "the setting lmtp",
        }
        choice = names.get(str(where), "--smtp HOST:PORT")
        fail(_why_not_listening(where, error, choice), UNAVAILABLE)
    finally:
        words.leave()


def _why_not_listening(where: object, error: OSError, choice: str) -> str:
    if error.errno != EADDRINUSE:
        return f"{where}: {error.strerror or error}"
    return (
        f"another program, perhaps another judge, listens on {where}: end it, or choose another "
        f"port with {choice}"
    )


def _mail_entrances(settings: Settings, where: ListeningAddress) -> str:
    if where.smtp:
        host, port = where.smtp
        return f"{host}:{port}"
    others = (settings.lmtp, settings.socket, settings.imap)
    return ", ".join(str(each) for each in others if each)


@click.command()
@click.option(
    "--moderator",
    "address",
    metavar="ADDRESS",
    help="The moderator's address. They see orders of games they moderate, if the rules allow"
    " it, and never of games they play in.",
)
@desk_options
def desk(settings: Settings, address: str | None) -> None:
    """Open the desk, the moderator's web page, until SIGTERM or Ctrl-C.

    Anyone with the printed link can use it while the desk is open. Each button does the same as a
    `judge game` or `judge inbox` command. The daemon may keep running.
    """
    from contextlib import closing
    from dataclasses import replace

    from judge.adapters import service
    from judge.adapters.mail_sandbox import MailSandbox
    from judge.adapters.web.desk_app import Desk
    from judge.adapters.web.servers import DeskKeys, DeskServer

    service.set_up_logging(settings.log_level, settings.log_format)
    with open_existing_store(settings) as store, closing(MailSandbox()) as reader:
        judge = replace(store, opener=reader)
        with judge.database.read() as transaction:
            person = transaction.people.by_address(address) if address else None
        if address and person is None:
            fail(f"{address!r} is not registered", UNAVAILABLE)
        keys = DeskKeys.made_by(judge.random.nonce)
        try:
            server = DeskServer(Desk(judge, keys, person).app(), keys, settings.desk)
        except OSError as error:
            why = _why_not_listening(settings.desk, error, "--desk HOST:PORT")
            fail(why, UNAVAILABLE)
        with server:
            click.echo(f"judge: the desk is open at {server.link}")
            _stop_signal().wait()


def _stop_signal() -> threading.Event:
    asked = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked.set())
    return asked


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def status(settings: Settings, *, as_json: bool) -> None:
    """Show the state of the judge: what is waiting, what failed, and what comes next.

    The exit code is 0 if there are no problems, 1 if something needs attention, and 69 if there is
    no database. It shows nothing of the contents of emails.
    """
    from judge.app.admin import health

    with open_existing_store(settings) as judge:
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
        "store_reason": found.store_reason,
        "at": _stamp(found.at),
        "last_tick": _stamp(found.last_tick),
        "last_backup": _stamp(found.last_backup),
        "inbox": {**tally.inbox, "oldest_waiting": _stamp(tally.oldest_waiting)},
        "outbox": {**tally.outbox, "oldest_queued": _stamp(tally.oldest_queued)},
        "deliveries": {
            "retried": tally.retried,
            "refused_since_yesterday": tally.refused,
            "given_up_by_our_fault": tally.given_up,
            "unsent": tally.unsent,
            "failures": [_failure(each) for each in tally.failures],
            "unrendered": [_failure(each) for each in tally.unrendered],
            "replaced": [_failure(each) for each in tally.replaced],
        },
        "mailboxes": [_mailbox(each) for each in found.mailboxes],
        "withheld_emails": [_withheld(each) for each in found.withheld],
        "witnesses": [_witness(each) for each in found.witnesses],
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


def _failure(failure: DeliveryFailure) -> Mapping[str, object]:
    return {
        "reason": failure.reason,
        "ours": failure.ours,
        "emails": failure.mails,
        "since": _stamp(failure.since),
        "last": _stamp(failure.last),
    }


def _mailbox(mailbox: Mailbox) -> Mapping[str, object]:
    return {
        "name": mailbox.name,
        "read": _stamp(mailbox.read_utc),
        "failing_since": _stamp(mailbox.failing_utc),
        "reason": mailbox.reason,
    }


def _withheld(email: WithheldEmail) -> Mapping[str, object]:
    return {
        "mailbox": email.mailbox,
        "uid": email.uid,
        "reason": email.reason,
        "since": _stamp(email.since_utc),
        "tried": _stamp(email.tried_utc),
    }


def _witness(witness: WitnessHealth) -> Mapping[str, object]:
    return {
        "name": witness.name,
        "cosigned": _witnessed(witness.cosigned),
        "asked": _witnessed(witness.asked),
        "cosigned_by_us": _witnessed(witness.seen),
        "refused_by_us": [_witnessed(each) for each in witness.refused],
    }


def _witnessed(found: WitnessedCheckpoint | None) -> Mapping[str, object] | None:
    return {"checkpoint": found.checkpoint.line, "at": _stamp(found.at)} if found else None


def _witness_lines(witness: WitnessHealth) -> Iterator[str]:
    cosigned, asked, seen = witness.cosigned, witness.asked, witness.seen
    last = f"{cosigned.checkpoint.size} events at {_stamp(cosigned.at)}" if cosigned else "nothing"
    waits = f", asked for {asked.checkpoint.size} since {_stamp(asked.at)}" if asked else ""
    yield f"witness     {witness.name} has cosigned {last}{waits}"
    for each in witness.refused:
        known = seen.checkpoint.line if seen else "nothing"
        yield f"refused     {witness.name} showed {each.checkpoint.line} at {_stamp(each.at)},"
        yield f"            not proven to extend what was cosigned here: {known}"


def _lines(found: Health, coming: tuple[Deadline, ...]) -> Iterator[str]:
    from judge.app.admin.health import FIXES

    tally = found.tally
    yield f"last active {_stamp(found.last_tick) or 'never'}"
    yield f"last backup {_stamp(found.last_backup) or 'never'}"
    oldest = f", the oldest of {_stamp(tally.oldest_waiting)}" if tally.oldest_waiting else ""
    yield f"inbox       {_counted(tally.inbox)}{oldest}"
    oldest = f", the oldest due {_stamp(tally.oldest_queued)}" if tally.oldest_queued else ""
    yield f"outbox      {_counted(tally.outbox)}{oldest}"
    yield f"deliveries  {tally.retried} to be retried, {tally.refused} given up in the last day"
    if tally.failures:
        yield f"unsent      {tally.unsent} emails wait, for these reasons"
    for each in tally.failures:
        yield f"failing     {_explained(each)}"
    yield from (f"unrendered  {_explained(each)}" for each in tally.unrendered)
    yield from (f"replaced    {_explained(each)}" for each in tally.replaced)
    for mailbox in found.mailboxes:
        last = f"last read at {_stamp(mailbox.read_utc)}" if mailbox.read_utc else "never read"
        if mailbox.failing_utc:
            since = _stamp(mailbox.failing_utc)
            last += f", failing since {since}: {printable(mailbox.reason)}"
        yield f"mailbox     {mailbox.name!r} {last}"
    for email in found.withheld:
        times = f"since {_stamp(email.since_utc)}, last tried {_stamp(email.tried_utc)}"
        name = f"UID {email.uid} in {email.mailbox!r}"
        yield f"withheld    {name} {times}: {printable(email.reason)}"
    for witness in found.witnesses:
        yield from _witness_lines(witness)
    for game in coming:
        until = f", deadline {_stamp(game.deadline_utc)}" if game.deadline_utc else ""
        yield f"next        {_stamp(game.look_utc)} {game.game} {game.phase or 'forming'}{until}"
    for name in found.troubles:
        yield f"TROUBLE     {printable(found.explain(name))}"
        yield f"            do: {FIXES[name]}"


def _explained(failure: DeliveryFailure) -> str:
    times = f"since {_stamp(failure.since)}, last at {_stamp(failure.last)}"
    return f"{failure.mails} {times}: {printable(failure.reason)}"


def _counted(mails: Mapping[str, int]) -> str:
    shown = (f"{number} {state.replace('_', ' ')}" for state, number in mails.items() if number)
    return ", ".join(shown) or "empty"


def _stamp(instant: datetime | None) -> str | None:
    return instant.isoformat(timespec="seconds") if instant else None
