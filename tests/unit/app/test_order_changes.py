"""Sentences that change earlier orders: hold all, undo, the same orders except one."""

from __future__ import annotations

import pytest

from tests.support.table import Table

BEFORE = ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO")


@pytest.mark.parametrize("text", ["hold all units", "Everything holds.", "Alle Einheiten halten"])
def test_holding_all_units_replaces_all_earlier_orders(table: Table, text: str) -> None:
    order_all(table)

    table.send("FRANCE", text)

    assert set(table.current_orders("FRANCE")) == {"A PAR H", "A MAR H", "F BRE H"}


def test_the_rest_holds_keeps_earlier_orders(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    table.send("FRANCE", "The rest holds")

    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "A MAR H", "F BRE H"}


@pytest.mark.parametrize(
    "text",
    [
        "cancel my orders",
        "Please cancel all my orders.",
        "Withdraw my orders!",
        "Bitte meine Befehle löschen",
        "Annule mes ordres, svp",
    ],
)
def test_orders_are_taken_back_in_words_that_people_use(table: Table, text: str) -> None:
    order_all(table)

    receipt = table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ()
    assert "Orders canceled." in receipt.words


def test_orders_below_are_given_after_the_others_are_taken_back(table: Table) -> None:
    order_all(table)

    table.send("FRANCE", "Cancel my orders.\n\nA Par-Pic")

    assert table.current_orders("FRANCE") == ("A PAR - PIC",)


@pytest.mark.parametrize(
    "text",
    [
        "undo",
        "Undo, please!",
        "back to my first orders",
        "Zurück zu meinen ersten Befehlen",
        "Retour à mes premiers ordres",
    ],
)
def test_going_back_to_earlier_orders_is_answered_with_the_command(
    table: Table, text: str
) -> None:
    order_all(table)

    receipt = table.send("FRANCE", text)

    assert "CLEAR takes back all your orders" in receipt.words
    assert set(table.current_orders("FRANCE")) == set(BEFORE)


@pytest.mark.parametrize(
    "text", ["same orders but Paris to Picardy", "Same orders as before, but A Par - Pic"]
)
def test_the_same_orders_but_one_change_that_one(table: Table, text: str) -> None:
    order_all(table)

    receipt = table.send("FRANCE", text)

    assert set(table.current_orders("FRANCE")) == {"A PAR - PIC", "A MAR - SPA", "F BRE - MAO"}
    assert "was not understood" not in receipt.words


def test_the_same_orders_as_in_an_earlier_phase_are_asked_about(table: Table) -> None:
    receipt = table.send("FRANCE", "same orders but Paris to Picardy")

    assert table.current_orders("FRANCE") == ("A PAR - PIC",)
    assert '"same orders but" was read as: SAME' in receipt.words


def test_the_same_orders_alone_are_asked_about(table: Table) -> None:
    order_all(table)

    receipt = table.send("FRANCE", "same orders")

    assert '"same orders" was read as: SAME' in receipt.words
    assert set(table.current_orders("FRANCE")) == set(BEFORE)


def test_the_rows_of_a_table_are_orders(table: Table) -> None:
    table.send(
        "FRANCE",
        "| Unit | Order |\n|---|---|\n| A Par | Bur |\n| F Bre | - | Mao |\n| A Mar | H |",
    )

    assert set(table.current_orders("FRANCE")) == {"A PAR - BUR", "F BRE - MAO", "A MAR H"}


def test_a_province_with_a_colon_is_an_order(table: Table) -> None:
    table.send("GERMANY", "Kiel: Denmark\nMunich: Ruhr\nBerlin: Kiel")

    assert set(table.current_orders("GERMANY")) == {"F KIE - DEN", "A MUN - RUH", "A BER - KIE"}


def test_an_unknown_coast_is_asked_about(table: Table) -> None:
    table.play(TURKEY="F Ank-Con; A Con-Bul; A Smy H")

    receipt = table.send("TURKEY", "F Con - Bul(aec)")

    assert "Bul(ec)" in receipt.words
    assert "Bul(sc)" in receipt.words
    assert table.current_orders("TURKEY") == ()


def order_all(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur; A Mar-Spa; F Bre-Mao")
