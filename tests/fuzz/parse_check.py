"""Check of one fuzzed email: reading it ends soon, in little memory, with a value."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from judge.adapters.mail_sandbox import CPU_SECONDS_MAX, MailSandbox
from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.order_lines import read_for_phase
from judge.app.commands.table import COMMANDS
from judge.mail.body import digest_of
from judge.mail.envelope import OpenedEmail
from judge.mail.headers import scrub, tag_in_subject
from judge.mail.language.command_syntax import OrderText
from judge.mail.reader.email_text import read_lines
from tests.bench.measuring import busy
from tests.fuzz.reply_check import SITUATIONS
from tests.support.cost import takes_less_than

BOARD = load_map("standard")
REFUSED = ("too many ", "a bare CR ")


@dataclass
class ParseCheck:
    """Reads emails as the judge does: in the process with the limits, then here.

    The process ends at two seconds of CPU or 200 MB, and then `open` raises.
    """

    reader: MailSandbox = field(default_factory=MailSandbox)
    mails: int = 0
    slowest: float = 0.0
    memory_kb: int = 0
    unreadable: dict[str, int] = field(default_factory=dict)

    def look(self, mail: bytes) -> None:
        """Fail if *mail* is not read as it should be."""
        self.mails += 1
        opened = self.reader.open(mail, "somebody@players.example")
        if isinstance(opened, OpenedEmail):
            took = busy(read_on, opened)
            if took > CPU_SECONDS_MAX:  # the garbage of those before may have taken it
                assert takes_less_than(CPU_SECONDS_MAX, read_on, opened), f"{took:.1f} s"
            self.slowest = max(self.slowest, took)
        else:
            self.unreadable[opened.reason] = self.unreadable.get(opened.reason, 0) + 1
            assert opened.reason.startswith(REFUSED), opened.reason

    def close(self) -> None:
        """Record the reader's memory use, and end it."""
        child = self.reader._child.process
        if child:
            status = Path(f"/proc/{child.pid}/status").read_text(encoding="ascii")
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
            self.memory_kb = int(peak.split()[1])
        self.reader.close()


def read_on(letter: OpenedEmail) -> None:
    digest_of(letter.text)
    tag_in_subject(letter.subject)
    for said in read_lines(letter.text, BOARD, COMMANDS):
        repr(said)
        if isinstance(said, OrderText):
            read_for_phase("\n".join(line.text for line in said.lines), BOARD)
    read_email(SITUATIONS[len(letter.text.fresh) % len(SITUATIONS)], letter.text, letter.subject)
    scrub("\n".join(line.text for line in letter.text.fresh), "judge@judge.example")
