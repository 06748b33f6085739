"""An email is read before the transaction that answers it, which is then made once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.readings import NotReadError, Readings
from tests.support.table import Table

PAUSE = timedelta(minutes=10)


@pytest.fixture
def missed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of what was not read ahead."""
    names: list[str] = []
    make = Readings.make_missing

    def make_missing(readings: Readings, missing: NotReadError) -> None:
        names.append(str(missing))
        make(readings, missing)

    monkeypatch.setattr(Readings, "make_missing", make_missing)
    return names


@pytest.mark.parametrize(
    "text",
    [
        "A Par-Bur\nA Mar S A Par-Bur",
        "Hi,\n\nI would like to play Diplomacy by email with you. Is there a place?\n\nZoe",
        "JOIN garnet\nMy name is Zoe.",
        "SIGNON baltic\nA Par-Bur",
    ],
)
def test_an_email_of_a_stranger_is_answered_at_the_first_attempt(
    table: Table, missed: list[str], text: str
) -> None:
    table.open("garnet")
    table.run_once()

    assert table.mail("zoe@z.example", text)

    assert missed == []


@pytest.mark.parametrize("text", ["A Par-Bur\nF Bre-Mao\nA Mar S A Par-Bur", "DRAW", "SET WAIT"])
def test_orders_and_commands_of_a_player_are_answered_at_the_first_attempt(
    table: Table, missed: list[str], text: str
) -> None:
    table.clock.time += PAUSE

    assert table.reply(table.latest("FRANCE"), text)

    assert missed == []


def test_the_yes_of_a_newcomer_is_answered_at_the_first_attempt(
    table: Table, missed: list[str]
) -> None:
    table.open("garnet")
    [question] = table.mail("zoe@z.example", "JOIN garnet")

    assert table.reply(question, question.yes)

    assert missed == []


def test_the_yes_to_offered_orders_is_answered_at_the_first_attempt(
    table: Table, missed: list[str]
) -> None:
    receipt = table.send("FRANCE", "A Mar-Bergundi")
    assert "YES" in receipt.words

    assert table.reply(receipt, "YES")

    assert table.current_orders("FRANCE") == ("A MAR - BUR",)
    assert missed == []


@pytest.mark.parametrize("text", ["My name is Zoe.", "Can I be Turkey?\n\nZoe"])
def test_a_confirmed_join_with_words_beside_it_is_carried_out_at_the_first_attempt(
    table: Table, missed: list[str], text: str
) -> None:
    table.open("garnet")
    [question] = table.mail("zoe@z.example", f"JOIN garnet\n{text}")

    joined = table.reply(question, question.yes)

    assert "You have joined the game." in joined[-1].words
    assert missed == []
