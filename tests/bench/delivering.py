"""Emails delivered a second, beside a bare loop of smtplib, and the memory it takes.

Run it as `python -m tests.bench.delivering [MAILS]`. The results of 1,000 games after a common
deadline are 7,000 emails. Both send the same emails to the same mail server, which keeps nothing
and runs in a process of its own; ours takes them from the store and records each in it. The two
take turns, because machines swing: compare the ratio. The CPU time an email is that of the sender
alone, without the mail server's.

`python -m tests.bench.delivering signed [MAILS]` measures what a DKIM signature takes.
"""

from __future__ import annotations

import asyncio
import resource
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from judge.adapters.dkim_signing import DkimKeys, DkimSigner
from judge.adapters.smarthost import Smarthost
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.system_clock import SystemClock
from judge.app.outbound.delivery import deliver_due
from judge.app.ports.outbox import OutgoingMail
from judge.mail.compose import Message, compose
from tests.bench.measuring import busy, calibrate
from tests.support.scripted_mail_server import ScriptedMailServer
from tests.support.table import JUDGE, Table

MAILS, ROUNDS = 7_000, 5
SIGNATURES, MAP_LINES = 200, 1_800
READER = "anne@players.example"
TEXT = "Austria: Army Vienna -> Galicia.  (*bounce*)\n" * 60  # about as long as results are


def main(count: int) -> None:
    bare, ours, busy_us = [], [], []
    with tempfile.TemporaryDirectory() as folder, running() as port:
        table = Table(Path(folder))
        for number in range(ROUNDS):
            mails = [written(number, each) for each in range(count)]
            queue(table.database, mails)
            before = peak_megabytes()
            wall, cpu = timed(partial(send, table, port))
            grown = peak_megabytes() - before
            bare_wall, bare_cpu = timed(partial(send_bare, mails, port))
            ours.append(count / wall)
            busy_us.append((cpu / count * 1e6, bare_cpu / count * 1e6))
            bare.append(count / bare_wall)
            print(
                f"ours {ours[-1]:6.0f}/s, smtplib {bare[-1]:6.0f}/s, memory +{grown:.0f} MB; "
                f"CPU a mail {busy_us[-1][0]:.0f} and {busy_us[-1][1]:.0f} us, "
                f"calibration loop {busy(calibrate) * 1e3:.1f} ms"
            )
        table.close()
    ratios = [one / other for one, other in zip(ours, bare, strict=True)]
    print(
        f"{count:,} mails, {ROUNDS} rounds: {median(ours):.0f} a second, {median(ratios):.2f} of "
        f"smtplib ({min(ratios):.2f}-{max(ratios):.2f}); target 0.8"
    )
    of_ours, of_bare = (median(each) for each in zip(*busy_us, strict=True))
    print(f"CPU a mail, median: {of_ours:.0f} us, of smtplib {of_bare:.0f} us")
    print(f"{count / median(ours):.1f} s in all; at most {peak_megabytes():.0f} MB in use")


def written(number: int, each: int) -> OutgoingMail:
    """Compose the results for one reader."""
    name, now = f"<{number}.{each}@judge.example>", datetime.now(UTC)
    message = Message(
        message_id=name,
        sender=JUDGE,
        recipient=READER,
        subject="JUDG:baltic - F1901M Results",
        text=TEXT,
        date=now,
        automatic="auto-generated",
    )
    return OutgoingMail(name, JUDGE, READER, compose(message), now, "phase_results")


def queue(database: SqlDatabase, mails: list[OutgoingMail]) -> None:
    with database.write() as transaction:
        for mail in mails:
            transaction.outbox.put(replace(mail, due_utc=datetime(2026, 1, 1, tzinfo=UTC)))


def send(table: Table, port: int) -> None:
    asyncio.run(deliver_due(table.judge, Smarthost("127.0.0.1", port)))


def send_bare(mails: list[OutgoingMail], port: int) -> None:
    with smtplib.SMTP("127.0.0.1", port) as client:
        for mail in mails:
            client.sendmail(mail.sender, [mail.recipient], mail.raw)


def signing(count: int) -> None:
    """Print the CPU time of a DKIM signature, without and with a map."""
    with tempfile.TemporaryDirectory() as folder:
        keys = DkimKeys(Path(folder, "dkim"))
        keys.create(datetime.now(UTC).date())
        signer = DkimSigner(keys.folder, "judge.example", SystemClock())
        text = written(0, 0).raw
        for kind, raw in (("text", text), ("map", text + (b"A" * 72 + b"\r\n") * MAP_LINES)):
            spent = median(timed(partial(signer.signed, raw))[1] for _ in range(count)) * 1e6
            print(f"{kind}, {len(raw):,} bytes: {spent:.0f} us a mail")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds on the wall and of the processor."""
    begin, busy_before = perf_counter(), process_time()
    work()
    return perf_counter() - begin, process_time() - busy_before


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextmanager
def running() -> Iterator[int]:
    """Run a mail server until the end of the block; yield its port."""
    command = (sys.executable, "-m", "tests.bench.delivering", "peer")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


async def peer() -> None:
    wire = ScriptedMailServer(keeps=False)
    server = await asyncio.start_server(wire.converse, "127.0.0.1", 0, limit=2**24)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if sys.argv[1:] == ["peer"]:
        asyncio.run(peer())
    elif sys.argv[1:2] == ["signed"]:
        signing(int(sys.argv[2]) if sys.argv[2:] else SIGNATURES)
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else MAILS)
