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
    ["Possible ways to Burgundy:", "Then:", "Next move:", "Would this work?"],
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


@pytest.mark.parametrize(
    "asked",
    [
        "Is that ok?",
        "Passt das so?",
        "C'est bon ?",
        "is this right?",
        "Is that all right?",
        "Geht das auf Deutsch?",
        "Can I have that in French?",
        "C'est possible en anglais ?",
    ],
)
def test_whether_orders_are_fine_may_be_asked_below_them(table: Table, asked: str) -> None:
    table.send("FRANCE", f"A Par-Bur, F Bre H\n{asked}")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE H")


def test_the_rest_holds_only_if_every_other_unit_is_known(table: Table) -> None:
    table.send("RUSSIA", "war to gal, the rest holds")
    table.send("FRANCE", "xyz to pic, the rest holds")

    assert "A WAR - GAL" in table.current_orders("RUSSIA")
    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    "text", ["A Par, Mar", "A Vie/Gal/Bud", "Fleet North Sea holds", "A Mun-Bur (to bounce A Par)"]
)
def test_a_unit_or_a_list_is_no_place_to_go_to(table: Table, text: str) -> None:
    table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize("text", ["A Par R Bur", "A Par retreats to Bur", "Build A Par"])
def test_an_order_of_another_phase_moves_nothing(table: Table, text: str) -> None:
    table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    "items", ["A) {}\nB) {}\nC) {}", "(a) {}\n(b) {}\n(c) {}", "a) {}\nb) {}\nc) {}"]
)
def test_letters_may_number_orders(table: Table, items: str) -> None:
    table.send("FRANCE", items.format("A Par H", "A Mar-Spa", "F Bre H"))

    assert table.current_orders("FRANCE") == ("A PAR H", "A MAR - SPA", "F BRE H")


def test_letters_of_powers_say_whose_an_order_is(table: Table) -> None:
    table.send("FRANCE", "G) A Mun H\nF) A Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize(
    "text",
    [
        "IF A MUN THEN\nA Par S A Mar\nELSE\nA Par-Bur\nENDIF",
        "IF A Mun\nA Par-Bur\nENDIF",
        "If Germany A Bur\nA Par-Pic",
    ],
)
def test_a_block_of_conditions_is_never_carried_out_in_the_open_phase(
    table: Table, text: str
) -> None:
    table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ()
