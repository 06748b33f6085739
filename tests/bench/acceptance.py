"""How many mails a second are answered 250: the judge's door, beside one that stores nothing.

Run it as `python -m tests.bench.acceptance [MAILS]`. Both doors are aiosmtpd in a process of its
own; ours says 250 after the commit is on the disk. They take turns, because machines swing:
compare the ratio.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.adapters.clock import SystemClock
from judge.adapters.database import open_database
from judge.adapters.group_commit import GroupCommit
from judge.adapters.smtp_in import SmtpDoor
from judge.app.receive import Reception

MAILS, CONNECTIONS, ROUNDS = 1_000, 10, 5
ADDRESS = "judge@judge.example"
BODY = b"Greetings.\r\n" * 150  # about 2 kB, a mail with orders and what it quotes
DOORS = ("stores nothing", "the judge's door")
WAYS = ("kept", "new")


class Nothing:
    """A handler that takes a mail and forgets it."""

    async def handle_DATA(  # noqa: N802 - aiosmtpd finds its hooks by name
        self, _server: SMTP, _session: Session, _envelope: Envelope
    ) -> str:
        return "250 Taken"


def main(count: int) -> None:
    rates: dict[tuple[str, str], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as ports:
        for number in range(ROUNDS):
            for way in WAYS:
                for door in DOORS if number % 2 else reversed(DOORS):
                    share = 1 if way == "new" else count // CONNECTIONS
                    seconds = asyncio.run(send(ports[door], count, share))
                    rates.setdefault((way, door), []).append(count / seconds)
    report(count, rates)


def report(count: int, rates: dict[tuple[str, str], list[float]]) -> None:
    print(f"{count:,} mails of {len(BODY):,} bytes, {CONNECTIONS} connections, {ROUNDS} rounds\n")
    print(f"{'mails/s until every 250 is back':34}{'median':>8}{'least':>8}{'most':>8}")
    for way in WAYS:
        nothing, ours = (rates[way, door] for door in DOORS)
        for door in DOORS:
            each = rates[way, door]
            figures = f"{median(each):8.0f}{min(each):8.0f}{max(each):8.0f}"
            print(f"{f'{way} connections, {door}':34}{figures}")
        ratio = median(a / b for a, b in zip(ours, nothing, strict=True))
        print(f"{f'{way} connections, ratio':34}{ratio:8.2f}\n")


@contextmanager
def running(folder: Path) -> Iterator[dict[str, int]]:
    """Start every door, each in a process of its own; yield their ports."""
    command = (sys.executable, "-m", "tests.bench.acceptance", str(folder))
    doors = {
        door: subprocess.Popen([*command, door], stdout=subprocess.PIPE, text=True)
        for door in DOORS
    }
    try:
        yield {
            door: int(process.stdout.readline())
            for door, process in doors.items()
            if process.stdout
        }
    finally:
        for process in doors.values():
            process.terminate()
            process.communicate()


async def send(port: int, count: int, share: int) -> float:
    """Send *count* mails, *share* by each connection; return how many seconds it took."""
    mails = iter(range(0, count, share))

    async def one_after_the_other() -> None:
        for _ in mails:
            await converse(port, share)

    begin = perf_counter()
    await asyncio.gather(*(one_after_the_other() for _ in range(CONNECTIONS)))
    return perf_counter() - begin


async def converse(port: int, share: int) -> None:
    """Send *share* mails by one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await answer(reader, b"220")
    await ask(reader, writer, b"EHLO bench", b"250")
    for _ in range(share):
        await ask(reader, writer, b"MAIL FROM:<anne@players.example>", b"250")
        await ask(reader, writer, b"RCPT TO:<" + ADDRESS.encode() + b">", b"250")
        await ask(reader, writer, b"DATA", b"354")
        headers = b"From: anne@players.example\r\nMessage-ID: <" + os.urandom(12).hex().encode()
        await ask(reader, writer, headers + b"@players.example>\r\n\r\n" + BODY + b".", b"250")
    await ask(reader, writer, b"QUIT", b"221")
    writer.close()
    await writer.wait_closed()


async def ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: bytes, code: bytes
) -> None:
    """Send a command, and wait for an answer of *code*."""
    writer.write(line + b"\r\n")
    await answer(reader, code)


async def answer(reader: asyncio.StreamReader, code: bytes) -> None:
    """Read the last line of an answer, which must be of *code*."""
    line = await reader.readline()
    while line[3:4] == b"-":
        line = await reader.readline()
    assert line.startswith(code), line


async def serve(folder: Path, door: str) -> None:
    """Run one *door* until the process is ended."""
    if door == DOORS[0]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: SMTP(Nothing(), hostname="bench", enable_SMTPUTF8=True), "127.0.0.1", 0
        )
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
    with closing(open_database(folder / "judge.db")) as database:
        keeper = GroupCommit(database, SystemClock(), kept=lambda: None)
        reception = Reception(ADDRESS, "+")
        ours = SmtpDoor(keeper, reception, host="127.0.0.1", port=0, bytes_max=1_000_000)
        print((await ours.open())[1], flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        asyncio.run(serve(Path(sys.argv[1]), sys.argv[2]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else MAILS)
