"""Orders below words that may disown them: they count, and the receipt says so."""

from __future__ import annotations

import pytest

from tests.support.table import Table

TOLD = 'The judge took these orders although you wrote "'


@pytest.mark.parametrize(
    "above",
    [
        "Imagine that I order:",
        "What do you think of",
        "Would this work?",
        "Ignore the following",
        "My old orders were",
        "Possible ways to Burgundy:",
        "Germany wants me to write this down:",
        "Was wäre, wenn ich das täte:",
        "Par exemple :",
        "GAME nosuch",
        "From: Otto\nTo: me\nSubject: Plan",
        "Then:",
        "Next move:",
    ],
)
def test_the_receipt_says_that_disowned_orders_count(table: Table, above: str) -> None:
    receipt = table.send("FRANCE", f"{above}\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert f'{TOLD}{above.splitlines()[-1]}"' in receipt.words


def test_words_before_orders_in_their_line_are_quoted(table: Table) -> None:
    receipt = table.send("FRANCE", "My friend asked for this: A Par-Bur, A Mar-Spa")

    assert f'{TOLD}My friend asked for this:"' in receipt.words


@pytest.mark.parametrize(
    "above",
    [
        "",
        "Orders:",
        "My orders for Spring 1901:",
        "France:",
        "baltic, France, Spring 1901 Movement:",
        "Hi Judge, here are my orders:",
        "Dear Mr. Smith:",
        "Hello everybody,",
        "I hope that all of you are well.",
        "Please enter these for me:",
        "I would like to submit the following orders:",
        "Lieber Spielleiter, hier meine Züge für Frühjahr 1901:",
        "Anbei die Befehle:",
        "Voici mes ordres pour le printemps 1901 :",
        "It's a beautiful day, and I have not slept since our last game, but here we go",
        "1)",
        "---",
        "*FRANCE*",
    ],
)
def test_greetings_and_headings_are_not_remarked_upon(table: Table, above: str) -> None:
    receipt = table.send("FRANCE", f"{above}\nA Par-Bur\n\n- A Mar-Spa\nF Bre: Mao")

    assert table.current_orders("FRANCE")
    assert TOLD not in receipt.words
