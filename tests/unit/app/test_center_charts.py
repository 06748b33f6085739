"""The chart of centers by year, in results and in the last email."""

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
    """Return a game after one year in which all units held."""
    with closing(Table(tmp_path, form=MailForm.HTML)) as table:
        table.start("baltic", *RULES)
        table.run_once()
        play_year(table)
        yield table


def play_year(table: Table, orders: str = "") -> None:
    """Play a year with these *orders* of Turkey in Spring; all else holds."""
    year = table.phase()[1:5]
    if orders:
        table.send("TURKEY", orders)
    while table.phase()[1:5] == year:
        table.wait_until(table.deadline())


def turkish_centers(table: Table) -> dict[str, int]:
    """Return Turkey's centers by year, as in its latest results that show them."""
    charts = [
        ROW.findall(mail.html) for mail in table.emails_to(address_of("TURKEY"), "phase_results")
    ]
    rows = [chart for chart in charts if chart][-1]
    return {year: int(re.findall(r">(\d+)<", cells)[-1]) for year, cells in rows}


def test_the_chart_grows_by_a_row_each_year(table: Table) -> None:
    assert turkish_centers(table) == {"1900": 3, "1901": 3}

    play_year(table, "A Con-Bul")

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 4}


def test_a_year_played_again_replaces_its_row(table: Table) -> None:
    play_year(table, "A Con-Bul")
    game_admin.roll_back(table.judge, "baltic", "S1902M", "by mistake")
    play_year(table)

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 3}


def test_a_new_start_resets_the_chart(table: Table) -> None:
    table.judge.game_cache.centers.clear()

    play_year(table, "A Con-Bul")

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 4}


def test_results_of_a_long_game_have_the_latest_years(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_emails, "YEARS_IN_RESULTS", 2)

    play_year(table)

    assert turkish_centers(table) == {"1901": 3, "1902": 3}


def test_a_rolled_back_transaction_does_not_change_the_chart(table: Table) -> None:
    table.judge.game_cache.centers["baltic"] = Head(99, "f" * 64), {1901: {"TURKEY": 17}}

    play_year(table)

    assert turkish_centers(table) == {"1900": 3, "1901": 3, "1902": 3}
