"""Cost of an email with orders: `python -m tests.bench.answering [--outside] [EMAILS]`.

The email is the typical one: text and HTML above the quoted email that it answers; the receipts
have the default form. Measured is CPU time, from the stored row to the queued receipt. With
`--outside` such emails go by SMTP to a daemon and receipts into its Maildir: then it is the CPU
time of the daemon and its child processes. Compare figures scaled to the calibration loop.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, process_time

from judge.app.ports.people import MailForm
from tests.bench.measuring import busy, calibrate, print_milliseconds
from tests.support.daemon import CONFIGURED, Daemon, seat, seated
from tests.support.order_emails import flood
from tests.support.table import JUDGE, Mail, Table, parse_email

EMAILS, BATCH, CONNECTIONS = 100, 20, 10
AS_INSTALLED = CONFIGURED | {"JUDGE_MAIL_FORM": "pictures", "JUDGE_TICK_SECONDS": "5"}
PATIENCE_SECONDS = 600
ORDERS = {
    "AUSTRIA": ("A Vie-Tri", "A Bud-Ser", "F Tri-Alb"),
    "ENGLAND": ("F Lon-Nth", "F Edi-Nwg", "A Lvp-Yor"),
    "FRANCE": ("A Par-Bur", "A Mar S A Par-Bur", "F Bre-Mao"),
    "GERMANY": ("A Mun-Ruh", "A Ber-Kie", "F Kie-Den"),
    "ITALY": ("A Ven H", "A Rom-Apu", "F Nap-Ion"),
    "RUSSIA": ("A War-Gal", "A Mos-Ukr", "F Sev-Bla", "F Stp/sc-Bot"),
    "TURKEY": ("A Con-Bul", "A Smy-Arm", "F Ank-Bla"),
}


def main() -> None:
    """Measure inside one process, or a daemon from outside."""
    outside = "--outside" in sys.argv
    counts = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    count = counts[0] if counts else EMAILS
    with tempfile.TemporaryDirectory() as folder:
        if outside:
            measure_outside(Path(folder), count)
        else:
            measure_inside(Path(folder), count)


def measure_inside(folder: Path, count: int) -> None:
    """Answer batches of emails that are stored already."""
    table = Table(folder, form=MailForm.PICTURES)
    table.start()
    table.run_once()
    starts = {power: table.latest(power) for power in ORDERS}
    times, loops = [], []
    for first in range(-BATCH, count, BATCH):  # the first batch reads templates and boards
        for number in range(first, first + BATCH):
            power = tuple(ORDERS)[number % len(ORDERS)]
            email = typical_email(table, starts[power], ORDERS[power])
            table.deliver(email, None, starts[power].reply_to)
        loops.append(busy(calibrate))
        queued, start = len(table.outbox()), process_time()
        table.run_once()
        times.append((process_time() - start) / BATCH)
        assert len(table.outbox()) == queued + BATCH, "a receipt each"
    table.close()
    print_milliseconds("an email with orders", times[1:], loops)


def typical_email(table: Table, start: Mail, orders: Sequence[str]) -> EmailMessage:
    """Return *orders* as a mail program answers *start*."""
    email = table.compose(
        start.recipient,
        "",
        start.reply_to,
        subject=f"Re: {start.subject}",
        In_Reply_To=start.message_id,
    )
    return with_orders(email, start, (*orders, ""))


def with_orders(email: EmailMessage, start: Mail, lines: Sequence[str]) -> EmailMessage:
    """Write *lines* above the quoted email *start*, as text and HTML."""
    quoted = "\n".join(f"> {line}" for line in start.text.splitlines())
    text, shown = "\n".join(lines), "<br>".join(lines)
    email.set_content(f"{text}\nOn Monday, {JUDGE} wrote:\n{quoted}")
    quote = f'<div class="gmail_quote">On Monday, {JUDGE} wrote:<blockquote>{start.html}'
    email.add_alternative(f"<div>{shown}</div>{quote}</blockquote></div>", subtype="html")
    return email


def emails_of_people(daemon: Daemon, count: int) -> Iterator[EmailMessage]:
    """Yield *count* emails with orders, of the players in turn, no two alike."""
    seats = [(*seated(daemon, power), lines) for power, lines in ORDERS.items()]
    for number, (player, start, lines) in enumerate(islice(cycle(seats), count)):
        greeted = (*lines, "", f"Greetings, for the {number}th time.", "")
        yield with_orders(player.answering(start, ""), parse_email(start.as_bytes()), greeted)


def measure_outside(folder: Path, count: int) -> None:
    """Send batches of emails to a daemon, and wait until their receipts are delivered."""
    with Daemon(folder, AS_INSTALLED) as daemon:
        daemon.start()
        seat(daemon, "bench")  # which stays open, whatever is ordered
        daemon.come_to_rest(PATIENCE_SECONDS)
        assert daemon.process
        emails = [*emails_of_people(daemon, count)]
        times, loops, start = [], [], perf_counter()
        for first in range(0, count, BATCH):
            batch = emails[first : first + BATCH]
            loops.append(busy(calibrate))
            used = cpu_seconds(daemon.process.pid)
            flood(daemon, batch, CONNECTIONS)
            daemon.come_to_rest(PATIENCE_SECONDS)
            times.append((cpu_seconds(daemon.process.pid) - used) / len(batch))
        print(f"delivered: {count / (perf_counter() - start):.0f} emails/s")
        print_milliseconds("an email, from outside", times, loops)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time so far of the process *pid* and its descendants, ended ones included.

    One that ends while it is looked at has none, and will be counted with its parent.
    """
    children = list[int]()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        for begun in Path(f"/proc/{pid}/task").glob("*/children"):  # of each thread
            children += map(int, begun.read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    ticks = sum(map(int, fields[11:15]))  # of the process and of children that have ended
    living = sum(map(cpu_seconds, children))
    return ticks / os.sysconf("SC_CLK_TCK") + living


if __name__ == "__main__":
    main()
