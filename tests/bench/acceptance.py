"""Emails accepted a second: the judge's SMTP server, beside Postfix's own queue.

Run it as root, as `python -m tests.bench.acceptance [MAILS]`. Postfix says 250 when its queue file
is on the disk, the judge when its commit is. A third server, aiosmtpd that stores nothing, shows
the cost of Python's protocol. They take turns, because machines vary: compare the ratios, and the
CPU time an email of the judge and of that server. On a busy machine Postfix gets a larger share,
as it has many processes. The load is Postfix's own smtp-source. The last run takes the whole path:
through Postfix, by LMTP, into the store.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.smtp_server import LmtpServer, SmtpServer
from judge.adapters.store.database import open_database
from judge.adapters.system_clock import SystemClock
from judge.app.ports.inbox import MailReception
from tests.bench.answering import cpu_seconds
from tests.support.postfix import Postfix, postfix

MAILS, CONNECTIONS, ROUNDS = 1_000, (1, 10, 50), 3
ADDRESS = "judge@judge.example"
BODY_BYTES = 2_000  # an email with orders and what it quotes
POSTFIX, OURS, NOTHING = "postfix", "judge", "nothing"
DOORS = (POSTFIX, OURS, NOTHING)
TARGETS = {"kept": 1.0, "new": 0.8}


class Nothing:
    """A handler that takes an email and forgets it."""

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, _server: SMTP, _session: Session, _envelope: Envelope
    ) -> str:
        return "250 Taken"


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as (ports, pids):
        lmtp = f"lmtp:inet:127.0.0.1:{ports['lmtp']}"
        with postfix(lmtp, {"lmtp_destination_concurrency_limit": "20"}) as mx:
            ports[POSTFIX] = mx.port
            print(f"{count:,} mails of {BODY_BYTES:,} bytes, {ROUNDS} rounds; median and range\n")
            print(
                f"{'mails/s':22}"
                + "".join(f"{door:>24}" for door in DOORS)
                + f"{'ratio':>8}{'CPU a mail, us':>29}"
            )
            for way, target in TARGETS.items():
                for connections in CONNECTIONS:
                    compare(ports, pids, count, way, connections, target)
            whole_way(mx, Path(folder), count)
        status = Path(f"/proc/{pids[OURS]}/status").read_text()
        print(f"memory of the judge's door: {status.partition('VmHWM:')[2].split()[0]} kB")


def compare(
    ports: dict[str, int],
    pids: dict[str, int],
    count: int,
    way: str,
    connections: int,
    target: float,
) -> None:
    """Measure both servers in turn with this many *connections*, and print the results."""
    rates: dict[str, list[float]] = {door: [] for door in DOORS}
    used = {door: -cpu_seconds(pids[door]) for door in (OURS, NOTHING)}
    for number in range(ROUNDS):
        for door in DOORS if number % 2 else reversed(DOORS):
            recipient = "x@discard.example" if door == POSTFIX else ADDRESS
            rates[door].append(count / send(ports[door], count, connections, way, recipient))
    cells = "".join(
        f"{median(each):10.0f} ({min(each):.0f}-{max(each):.0f})".rjust(24)
        for each in rates.values()
    )
    ratio = median(rates[OURS]) / median(rates[POSTFIX])
    spent = (
        f"{(used[door] + cpu_seconds(pids[door])) / ROUNDS / count * 1e6:.0f}" for door in used
    )
    print(
        f"{way} connections, {connections:3}".ljust(22)
        + f"{cells}{ratio:8.2f} of {target}"
        + " beside ".join(spent).rjust(22)
    )


def send(port: int, count: int, connections: int, way: str, recipient: str) -> float:
    """Send *count* emails, and return how many seconds it took until every 250 was back."""
    kept = ["-d"] if way == "kept" else []
    sizes = ["-s", str(connections), "-m", str(count), "-l", str(BODY_BYTES)]
    people = ["-f", "anne@players.example", "-t", recipient]
    begin = perf_counter()
    program = ["/usr/sbin/smtp-source", *kept, *sizes, *people, f"127.0.0.1:{port}"]
    subprocess.run(program, check=True)
    return perf_counter() - begin


def whole_way(mx: Postfix, folder: Path, count: int) -> None:
    """Send through Postfix, and wait until all of it is in the store."""
    with closing(open_database(folder / "lmtp.db")) as database:
        begin = perf_counter()
        accepted = send(mx.port, count, 10, "kept", ADDRESS)
        while True:
            with database.read() as transaction:
                if len(transaction.inbox.waiting(limit=count)) >= count:
                    break
            sleep(0.02)
        seconds = perf_counter() - begin
    print(f"\nthrough Postfix and LMTP: accepted {count / accepted:.0f}/s, ", end="")
    print(f"in the store {count / seconds:.0f}/s")


@contextmanager
def running(folder: Path) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    """Start our doors, each in a process of its own; yield their ports and process ids."""
    command = (sys.executable, "-m", "tests.bench.acceptance", str(folder))
    names = (OURS, NOTHING, "lmtp")
    doors = {
        name: subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True)
        for name in names
    }

    try:
        ports: dict[str, int] = {
            door: int(process.stdout.readline())
            for door, process in doors.items()
            if process.stdout
        }
        yield ports, {door: process.pid for door, process in doors.items()}
    finally:
        for process in doors.values():
            process.terminate()
            process.communicate()


async def serve(folder: Path, door: str) -> None:
    """Run one *door* until the process is ended."""
    if door == NOTHING:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: SMTP(Nothing(), hostname="bench", enable_SMTPUTF8=True), "127.0.0.1", 0
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
    with closing(open_database(folder / f"{door}.db")) as database:
        keeper = GroupCommit(database, SystemClock(), kept=lambda: None)
        reception = MailReception(ADDRESS, "+")
        where = ("127.0.0.1", 0)
        ours = (
            LmtpServer(keeper, reception, where=where, bytes_max=1_000_000)
            if door == "lmtp"
            else SmtpServer(keeper, reception, host=where[0], port=0, bytes_max=1_000_000)
        )
        print((await ours.open())[1], flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        asyncio.run(serve(Path(sys.argv[1]), sys.argv[2]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else MAILS)
