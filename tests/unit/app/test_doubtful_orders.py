"""Orders below words that may disown them: they count, and the receipt says so."""

from __future__ import annotations

import pytest

from tests.support.table import Table

OFFERED = "With YES also:"


@pytest.mark.parametrize(
    ("above", "said"),
    [
        ("Imagine that I order:", OFFERED),
        ("What do you think of", OFFERED),
        ("Ignore the following", OFFERED),
        ("My old orders were", OFFERED),
        ("Germany wants me to write this down:", OFFERED),
        ("Was wäre, wenn ich das täte:", "Mit YES auch:"),
        ("Par exemple :", OFFERED),
    ],
)
def test_disowned_orders_are_offered(table: Table, above: str, said: str) -> None:
    receipt = table.send("FRANCE", f"{above}\nA Par-Bur")

    assert table.current_orders("FRANCE") == ()
    assert said in receipt.words

    table.reply(receipt, "YES")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize(
    "above",
    ["Possible ways to Burgundy:", "GAME nosuch", "Then:", "Next move:", "Would this work?"],
)
def test_headings_and_other_sentences_cast_no_doubt(table: Table, above: str) -> None:
    receipt = table.send("FRANCE", f"{above}\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "although" not in receipt.words


def test_orders_behind_doubtful_words_in_their_line_are_offered(table: Table) -> None:
    receipt = table.send("FRANCE", "My friend asked for this: A Par-Bur, A Mar-Spa")

    assert table.current_orders("FRANCE") == ()
    assert OFFERED in receipt.words


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
    assert OFFERED not in receipt.words
