"""By which name others know somebody: his choice, and nobody else's."""

from __future__ import annotations

import pytest

from tests.support.table import Table


def named(table: Table, power: str, handle: str) -> str:
    return table.send(power, f"SET HANDLE {handle}").words


def test_others_know_somebody_by_the_name_that_he_chose(table: Table) -> None:
    assert "Other players will see that" in named(table, "FRANCE", "Kaiserin")

    assert "Kaiserin" in table.send("GERMANY", "WHOGAME").text


@pytest.mark.parametrize(
    "other", ["Kaiserin", "KAISERIN", "Ka1serin", "Kai-serin", "Kalserin", "Kaise-rin"]
)
def test_nobody_is_called_as_somebody_else_or_nearly_so(table: Table, other: str) -> None:
    named(table, "FRANCE", "Kaiserin")

    assert "That name, or a similar one, is taken." in named(table, "ITALY", other)
    assert "Kaiserin" in table.send("GERMANY", "WHOGAME").text
    assert "Other players" in named(table, "FRANCE", other)


@pytest.mark.parametrize(
    "handle",
    [
        *("Engl4nd", "TheRussian", "moderator", "Mastermind", "player-d88f8e", "P1ayer"),
        *("xy", "a" * 21, "Kaiserín", "-dash", "dash-", "a@b.example", "1902"),
    ],
)
def test_nobody_is_called_so_that_others_are_misled(table: Table, handle: str) -> None:
    assert "A name has 3 to 20 plain letters and digits" in named(table, "FRANCE", handle)


def test_in_gunboat_the_name_is_shown_to_nobody(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    named(judge, "FRANCE", "Kaiserin")

    assert "Kaiserin" not in judge.send("GERMANY", "WHOGAME\nSTATUS\nSUMMARY").text
