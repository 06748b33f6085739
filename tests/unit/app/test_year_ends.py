"""The centers by year, in results and in the last email: counted on from year to year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from judge.app.admin import game_admin
from judge.app.game import event_emails
from judge.app.ports.people import MailForm
from judge.event_log import Head
from tests.support.table import Table, address_of

ROW = re.compile(r"<th [^>]*>(\d{4})</th>((?:<td[^>]*>\d+</td>)+)")
RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold", "reminder_hours=")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game of which a year was played, in which all units held."""
    with closing(Table(tmp_path, form=MailForm.HTML)) as table:
        table.start("baltic", *RULES)
        table.run_once()
        play_year(table)
        yield table


def play_year(table: Table, orders: str = "") -> None:
    """Close Spring with these *orders* of Turkey, Fall without any, and what follows it."""
    year = table.phase()[1:5]
    if orders:
        table.send("TURKEY", orders)
    while table.phase()[1:5] == year:
        table.wait_until(table.deadline())


def turkish_centers(table: Table) -> dict[str, int]:
    """Return the centers of Turkey by year, as its latest results that have them show them."""
    charts = [
        ROW.findall(mail.html) for mail in table.emails_to(address_of("TURKEY"), "phase_results")
    ]
    rows = [chart for chart in charts if chart][-1]
    return {year: int(re.findall(r">(\d+)<", cells)[-1]) for year, cells in rows}


def test_results_of_each_year_go_on_from_those_of_the_year_before(table: Table) -> None:
    assert turkish_centers(table) == {"1900": 3, "1901": 3}

    play_year(table, "A Con-Bul")

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 4}


def test_a_year_that_is_played_again_is_counted_as_it_was_played_last(table: Table) -> None:
    play_year(table, "A Con-Bul")
    game_admin.roll_back(table.judge, "baltic", "S1902M", "by mistake")
    play_year(table)

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 3}


def test_after_a_start_the_years_are_counted_anew(table: Table) -> None:
    table.judge.game_cache.centers.clear()

    play_year(table, "A Con-Bul")

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 4}


def test_results_of_a_long_game_have_the_latest_years(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_emails, "YEARS_IN_RESULTS", 2)

    play_year(table)

    assert turkish_centers(table) == {"1901": 3, "1902": 3}


def test_a_count_whose_transaction_was_undone_is_not_gone_on_from(table: Table) -> None:
    table.judge.game_cache.centers["baltic"] = Head(99, "f" * 64), {1901: {"TURKEY": 17}}

    play_year(table)

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 3}
