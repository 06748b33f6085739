"""Each handwritten email is read as a careful person would read it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.app.commands.order_lines import read_for_phase
from judge.notation.order_text import write_short
from judge.notation.readings import Understood
from tests.emails.handwritten import BOARD, Handwritten, complaints, described, handwritten
from tests.support.selection import one_in
from tests.support.table import Table

EMAILS = list(handwritten())
QUESTIONABLE = [  # at the start of a game, where something is to be asked or shown
    email
    for email in EMAILS
    if email.body
    and email.situation.position == BOARD.start
    and any(outcome.asked or outcome.shown for outcome in email.outcomes)
]


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with a game in its first phase."""
    folder = tmp_path_factory.mktemp("laid")
    table = Table(folder)
    table.start("baltic")
    table.render()
    table.close()
    return folder


@pytest.fixture
def table(laid: Path, tmp_path: Path) -> Iterator[Table]:
    shutil.copy(laid / "judge.db", tmp_path)
    table = Table(tmp_path)
    yield table
    table.close()


@pytest.mark.parametrize("email", EMAILS, ids=[each.name for each in EMAILS])
def test_an_email_is_read_as_its_writer_meant_it(email: Handwritten) -> None:
    wrong = [complaints(email, outcome) for outcome in email.outcomes]

    assert [] in wrong, f"{min(wrong, key=len)}\n{described(email)}"


@pytest.mark.parametrize(
    "email", one_in(3, QUESTIONABLE), ids=[each.name for each in QUESTIONABLE]
)
def test_the_receipt_names_what_was_asked_or_not_understood(
    email: Handwritten, table: Table
) -> None:
    power = email.situation.power
    outcome = next(each for each in email.outcomes if not complaints(email, each))

    receipt = table.send(power, email.body)

    assert set(table.current_orders(power)) == outcome.orders
    said = "".join(receipt.text.casefold().split())
    for fragment in (*outcome.asked, *outcome.shown):
        forms = (fragment, *in_short(fragment))  # What is kept for later is told as it is read.
        assert any("".join(form.casefold().split()) in said for form in forms), receipt.text


def in_short(text: str) -> list[str]:
    """Return the orders of *text* as the judge writes them back."""
    readings = read_for_phase(text, BOARD)
    return [write_short(each.order, BOARD) for each in readings if isinstance(each, Understood)]


def test_there_are_as_many_emails_as_were_promised() -> None:
    assert len({each.name for each in EMAILS}) == len(EMAILS) >= 150
