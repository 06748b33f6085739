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


def joined_as(judge: Table, name: str, address: str, game: str = "lepanto") -> str:
    """Have a newcomer with that display name join, and return the handle they get."""
    [confirm] = judge.mail(f"{name} <{address}>", f"JOIN {game}")
    judge.reply(confirm, confirm.yes)
    with judge.database.read() as transaction:
        person = transaction.people.by_address(address)
    assert person
    return person.handle


def test_a_newcomer_is_called_by_their_first_name_unless_it_is_taken(judge: Table) -> None:
    judge.open("lepanto")

    assert joined_as(judge, "Anna Schmidt", "anna@players.example") == "Anna"
    assert joined_as(judge, "Anna Berg", "berg@players.example") == "Anna-Berg"
    assert joined_as(judge, '"Huber, Franz"', "franz@players.example") == "Franz"
    assert "Other players see you as Anna." in judge.emails_to("anna@players.example")[-1].text


def test_an_anonymous_game_names_nobody(judge: Table) -> None:
    judge.open("lepanto", "anonymous=yes")

    assert joined_as(judge, "Anna Schmidt", "anna@players.example").startswith("player-")
