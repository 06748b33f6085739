"""Handles: the name by which others know a player."""

from __future__ import annotations

import pytest

from tests.support.table import Table


def named(table: Table, power: str, handle: str) -> str:
    return table.send(power, f"SET HANDLE {handle}").words


def test_others_know_a_player_by_their_handle(table: Table) -> None:
    assert "Other players will see that" in named(table, "FRANCE", "Kaiserin")

    assert "Kaiserin" in table.send("GERMANY", "WHOGAME").text


@pytest.mark.parametrize(
    "other", ["Kaiserin", "KAISERIN", "Ka1serin", "Kai-serin", "Kalserin", "Kaise-rin"]
)
def test_handles_are_unique_and_dissimilar(table: Table, other: str) -> None:
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
def test_misleading_handles_are_refused(table: Table, handle: str) -> None:
    assert "A name has 3 to 20 plain letters and digits" in named(table, "FRANCE", handle)


def test_gunboat_hides_handles(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes")
    named(judge, "FRANCE", "Kaiserin")

    assert "Kaiserin" not in judge.send("GERMANY", "WHOGAME\nSTATUS\nSUMMARY").text
