"""Check of one fuzzed email of a seated player: it is read whole, in time, and answered."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NoReturn
from unittest.mock import patch

from judge.adapters.mail_sandbox import CPU_SECONDS_MAX
from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import EmailRead, read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import Text, split
from judge.mail.language.command_syntax import STARS
from judge.rules.rulebook import DATC
from tests.fuzz.player_emails import GAME, POWER
from tests.support.cost import is_under, takes_less_than
from tests.support.table import Mail, Table, address_of

BOARD: Final = load_map("standard")
CENTERS: Final = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "GERMANY": ["BER", "KIE", "MUN"]}
STOOD: Final = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN"]}
SITUATIONS: Final = tuple(
    Situation(BOARD, read_position(BOARD, described, DATC), POWER)
    for described in (
        {"phase": "S1901M", "units": STOOD, "centers": CENTERS},
        {
            "phase": "F1901R",
            "units": STOOD | {"FRANCE": ["A MAR", "F BRE", "*A PAR"], "GERMANY": ["A PAR"]},
            "centers": CENTERS,
            "retreats": {"FRANCE": {"A PAR": ["PIC", "GAS"]}},
        },
        {"phase": "W1901A", "units": STOOD | {"FRANCE": ["A SPA"]}, "centers": CENTERS},
    )
)
OWN: Final = re.compile(r"\b(?:Paris|Marseilles?|Brest)\b", re.IGNORECASE)
LIST_NUMBER = re.compile(r"(?:^|[\s,])\(?\d{1,2}[.)]\s")  # no part of its order
WORD: Final = re.compile(r"[^\W_]+")
JOINING: Final = frozenset({"and", "und", "et", "france", "germany"})  # and headings
ANSWERED: Final = {"processed", "held"}
BEYOND_DEADLINE_HOURS: Final = 24 * 9


@contextmanager
def unforgiving() -> Iterator[None]:
    """Make errors in our code fail the test; normally only the affected line is lost."""
    with patch("judge.mail.reader.email_text.describe_defect", _fail):
        yield


def _fail(error: Exception) -> NoReturn:
    raise error


@dataclass
class Slowest:
    """The slowest text and its time."""

    seconds: float = 0.0
    text: str = field(default="", repr=False)
    texts: int = 0

    def look(self, text: str, seconds: float) -> None:
        self.texts += 1
        if seconds > self.seconds:
            self.seconds, self.text = seconds, text


def look_at_reading(text: str, slowest: Slowest) -> None:
    """Fail if *text* of a seated player is not read in time, or if a line of it is lost."""
    for situation in SITUATIONS:
        opened, found, took = _read(situation, text)
        if took > CPU_SECONDS_MAX:  # a tracer, for example, may have taken it
            assert takes_less_than(CPU_SECONDS_MAX, _read, situation, text), f"{took:.1f} s"
        slowest.look(text, took)
        lost = lost_lines([line.text for line in opened.fresh], found)
        assert not lost, (situation.position.phase.code, lost)


def _read(situation: Situation, text: str) -> tuple[Text, EmailRead, float]:
    """Return the reading of *text*, and the seconds of CPU it took."""
    began = time.process_time()
    opened = split(text)
    with unforgiving():
        found = read_email(situation, opened)
    return opened, found, time.process_time() - began


def lost_lines(lines: Sequence[str], found: EmailRead) -> list[str]:
    """Return those of *lines* that name our units but are in none of the *found* pieces."""
    if any(STARS in piece.text for piece in found.pieces):  # what a password may be is not shown
        return []
    told = JOINING.union(*(_words(piece.text) for piece in found.pieces))
    return [line for line in lines if OWN.search(line) and not _words(line) <= told]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(LIST_NUMBER.sub(" ", text))}


class Seat:
    """A player of a started game; each of their emails is answered in a fresh copy of it."""

    def __init__(self) -> None:
        self._home = TemporaryDirectory(prefix="judge-fuzz-")
        self._begun = Path(self._home.name, "begun")
        self._begun.mkdir()
        with closing(Table(self._begun)) as table:
            table.start(GAME)
            table.render()

    def close(self) -> None:
        self._home.cleanup()

    def look(self, text: str, *, way: str, subject: str, beyond: bool) -> None:
        """Fail if the judge fails on *text*, quarantines it, takes too long or does not reply.

        *way* is what it answers; with *beyond* the phase is closed then.
        """
        with TemporaryDirectory(prefix="judge-fuzz-") as folder:
            shutil.copy(self._begun / "judge.db", folder)
            with closing(Table(Path(folder))) as table, unforgiving():
                self._look(table, text, way, subject, beyond=beyond)

    def _look(self, table: Table, text: str, way: str, subject: str, *, beyond: bool) -> None:
        answered = self._answered(table, way)
        before = len(table.outbox())
        began = time.process_time()
        if answered:
            table.reply(answered, text)
        else:
            table.mail(address_of(POWER), text, subject=subject)
        took = time.process_time() - began
        assert is_under(2 * CPU_SECONDS_MAX, took), f"{took:.1f} s"
        assert table.inbox()[-1] in ANSWERED, table.inbox()[-1]
        told = {mail.recipient for mail in table.outbox()[before:]}
        assert address_of(POWER) in told, told
        if beyond:
            table.pass_time(hours=BEYOND_DEADLINE_HOURS)

    def _answered(self, table: Table, way: str) -> Mail | None:
        """Return the email of the judge that the player replies to, if any."""
        match way:
            case "phase":
                return table.latest(POWER)
            case "press":
                table.send("GERMANY", f"PRESS TO {POWER}\nShall we?\nENDPRESS")
                return table.emails_to(address_of(POWER))[-1]
            case "question":
                table.mail(address_of(POWER), f"RESIGN {GAME}")
                return table.emails_to(address_of(POWER))[-1]
            case _:
                return None
