"""This judge's own results emails, read back."""

from __future__ import annotations

from pathlib import Path

from judge.archive.reading import Doubts, Reading, format_named, recognized_formats
from judge.archive.records import Record
from judge.rules.adjudication import adjudicate
from tests.support.recorded_game import BOARD
from tests.support.table import FIRST_DEADLINE, Table

FRANCE = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Pic"
MUNICH = "Army Munich -> Burgundy"


def mailbox(folder: Path) -> str:
    """Return a mailbox with all emails of a table that has played a phase with a standoff."""
    table = Table(folder)
    table.start("baltic")
    table.reply(table.latest("FRANCE"), "PRESS TO G\nPax?\nENDPRESS")
    table.play(FRANCE=FRANCE, GERMANY=MUNICH)
    table.wait_until(FIRST_DEADLINE)
    table.all_send("DRAW")
    mails = (raw.decode() for (raw,) in table.query("SELECT raw FROM outbox ORDER BY id"))
    return "".join(f"From - \n{mail}\n\n" for mail in mails)


def read_back(text: str) -> Record:
    assert [each.name for each in recognized_formats(text)] == ["ours"], "that of no other judge"
    [record] = format_named("ours").read(
        Reading(BOARD, "mail", "0", Doubts("mail")), text.splitlines()
    )
    return record


def test_our_results_emails_are_read_back_without_a_doubt(tmp_path: Path) -> None:
    record = read_back(mailbox(tmp_path))

    assert record.doubts == ()
    spring, fall = record.phases
    assert spring.position == BOARD.start
    assert [each.results for each in spring.orders if each.text == f"{MUNICH}."] == [("bounce",)]
    orders = {
        power: [each.order for each in spring.orders if each.power == power and each.order]
        for power in BOARD.powers
    }
    assert fall.position
    assert fall.position.units == adjudicate(BOARD, BOARD.start, orders).after.units
