"""Emails delivered a second, beside smtplib with as many connections, and the memory it takes.

Run it as `python -m tests.bench.delivering [MAILS]`. The emails are results as they are really
sent, with their pictures, which ours adds when it delivers; those of one phase are painted before.
Both send the same emails to the same mail server, which keeps nothing and runs in a process of its
own; ours takes them from the store and records each in it. The two take turns, because machines
swing: compare the ratio. The CPU time an email is that of the sender alone, without the mail
server's.

`python -m tests.bench.delivering signed [MAILS]` measures what a DKIM signature takes.
"""

from __future__ import annotations

import asyncio
import resource
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from judge.adapters.dkim_signing import DkimKeys, DkimSigner
from judge.adapters.smarthost import Smarthost
from judge.adapters.system_clock import SystemClock
from judge.app.outbound.delivery import AT_ONCE, DeliveryQueue
from judge.app.outbound.maps import MapPainter
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import MailForm
from tests.bench.closing import submit_orders
from tests.bench.measuring import busy, calibrate
from tests.support.scripted_mail_server import ScriptedMailServer
from tests.support.table import Table

MAILS, ROUNDS = 350, 5
SIGNATURES, MAP_LINES = 200, 1_800


def main(count: int) -> None:
    bare, ours, busy_us = [], [], []
    with tempfile.TemporaryDirectory() as folder, running() as port, asyncio.Runner() as loop:
        table = Table(Path(folder), form=MailForm.PICTURES)
        stored, finished = results(table)
        print(f"{len(stored[0].raw):,} bytes, with pictures {len(finished[0].raw):,}")
        delivery = DeliveryQueue(table.judge, Smarthost("127.0.0.1", port))
        for number in range(-1, ROUNDS):
            with table.database.write() as transaction:
                transaction.outbox.put(*copies(stored, number, count))
            before = peak_megabytes()
            wall, cpu = timed(lambda: loop.run(delivery.deliver_due()))
            grown = peak_megabytes() - before
            if number < 0:  # The pictures were painted.
                continue
            mails = [*copies(finished, number, count)]
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
    spent = median(one / other for one, other in busy_us)
    print(
        f"CPU a mail, median: {of_ours:.0f} us, of smtplib {of_bare:.0f} us;"
        f" {spent:.2f} times; target 1.5"
    )
    print(f"{count / median(ours):.1f} s in all; at most {peak_megabytes():.0f} MB in use")


def results(table: Table) -> tuple[Sequence[OutgoingMail], Sequence[OutgoingMail]]:
    """Return the results of a phase as they are stored, and as they are sent."""
    table.start("bench")
    submit_orders(table.judge, "bench")
    table.clock.time = table.deadline("bench")
    table.run_once()
    table.render()
    with table.database.read() as transaction:
        mails = transaction.outbox.due(table.clock.now(), 100)
    stored = [each for each in mails if each.kind == "phase_results"]
    with table.database.write() as transaction:
        transaction.outbox.sent([each.message_id for each in mails], table.clock.now())
    painter = MapPainter(table.judge)

    async def paint() -> Sequence[OutgoingMail]:
        return [await painter.finished(each) for each in stored]

    return stored, asyncio.run(paint())


def copies(mails: Sequence[OutgoingMail], number: int, count: int) -> Iterator[OutgoingMail]:
    """Yield *count* copies of *mails* with names of their own."""
    for each, mail in enumerate(islice(cycle(mails), count)):
        yield replace(mail, message_id=f"<{number}.{each}@judge.example>")


def send_bare(mails: Sequence[OutgoingMail], port: int) -> None:
    def send(some: Sequence[OutgoingMail]) -> None:
        with smtplib.SMTP("127.0.0.1", port) as client:
            for mail in some:
                client.sendmail(mail.sender, [mail.recipient], mail.raw)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for each in [threads.submit(send, mails[first::AT_ONCE]) for first in range(AT_ONCE)]:
            each.result()


def signing(count: int) -> None:
    """Print the CPU time of a DKIM signature, without and with a map."""
    with tempfile.TemporaryDirectory() as folder:
        keys = DkimKeys(Path(folder, "dkim"))
        keys.create(datetime.now(UTC).date())
        signer = DkimSigner(keys.folder, "judge.example", SystemClock())
        text = results(Table(Path(folder)))[0][0].raw
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
