"""A correction of a place or a unit changes the order that it is about, or is asked about.

`*` stands for three orders: Brest to the Mid-Atlantic, Marseilles to Spain and Paris to Burgundy.
"""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import CONTINUED, EmailRead, Ignored, read_email
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_position
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear
from judge.rules.rulebook import DATC

BOARD = load_map()
ORDERS = {
    "en": "Brest to the Mid-Atlantic. Marseilles to Spain. Paris to Burgundy",
    "de": "Brest in den Mittelatlantik. Marseille nach Spanien. Paris nach Burgund",
    "fr": "Brest en Atlantique. Marseille en Espagne. Paris en Bourgogne",
}
BREST, MARSEILLES, PARIS = "F BRE - MAO", "A MAR - SPA", "A PAR - BUR"
PICARDY, PIEDMONT = {BREST, MARSEILLES, "A PAR - PIC"}, {BREST, PARIS, "A MAR - PIE"}
CORRECTED = {
    "en": (
        ("*. Correction: Spain should be Piedmont.", PIEDMONT),
        ("*. Please replace Spain with Piedmont.", PIEDMONT),
        ("*. For Spain read Piedmont.", PIEDMONT),
        ("*. Not to Spain but to Piedmont.", PIEDMONT),
        ("* (no, Picardy).", PICARDY),
        ("*, no, Picardy.", PICARDY),
        ("*. Where I wrote Burgundy I meant Picardy.", PICARDY),
        ("*. Sorry, I meant Picardy, not Burgundy.", PICARDY),
        ("*. Instead of Burgundy, Paris goes to Picardy.", PICARDY),
    ),
    "de": (
        ("*. Korrektur: statt Spanien Piemont.", PIEDMONT),
        ("*. Nicht Spanien, sondern Piemont.", PIEDMONT),
        ("* (nein, Picardie).", PICARDY),
        ("*. Wo ich Burgund schrieb, meinte ich Picardie.", PICARDY),
        ("*. Statt nach Burgund geht Paris in die Picardie.", PICARDY),
    ),
    "fr": (
        ("*. Correction : au lieu de l'Espagne, le Piémont.", PIEDMONT),
        ("*. Remplacez Espagne par Piémont.", PIEDMONT),
        ("* (non, Picardie).", PICARDY),
        ("*. Là où j'ai écrit Bourgogne, je voulais dire Picardie.", PICARDY),
        ("*. Au lieu de la Bourgogne, Paris va en Picardie.", PICARDY),
    ),
}
ASKED = {
    "en": (
        ("*. Swap Spain and Burgundy.", {MARSEILLES, PARIS}),
        ("*. Correction: Marseilles, not Paris, goes to Burgundy.", {MARSEILLES, PARIS}),
        ("*. No, Burgundy is too dangerous.", {PARIS}),
        ("*. Wait, did I write Spain? I meant Piedmont.", {MARSEILLES}),
        ("*. Instead of Burgundy go to Picardy.", {"A PAR - PIC"}),
        ("*. Tom wrote Burgundy, I meant Picardy.", {"A PAR - PIC"}),
        ("*. If Germany moves to Burgundy, Paris holds instead.", {PARIS}),
        ("*. Unless Germany moves to Burgundy, in which case Paris holds.", {PARIS}),
        ("*. Unless Munich moves to Burgundy.", {PARIS}),
    ),
    "de": (
        ("*. Spanien war falsch, ich meine Piemont.", {"A MAR - PIE"}),
        ("*. Nein, Burgund ist zu gefährlich.", {PARIS}),
        ("*, traue mich aber nicht.", {PARIS}),
        ("*. Es sei denn, Deutschland zieht nach Burgund.", {PARIS}),
    ),
    "fr": (("*. Non, l'Espagne est trop loin.", {MARSEILLES}),),
}


def read(language: str, text: str) -> EmailRead:
    situation = Situation(BOARD, BOARD.start, "FRANCE")
    return read_email(situation, split(text.replace("*", ORDERS[language])))


def carried_out(found: EmailRead) -> set[str]:
    return set(map(write_order, found.orders))


def offered(found: EmailRead) -> set[str]:
    unclear = [
        order for each in found.pieces if isinstance(each, Unclear) for order in each.orders
    ]
    nearest = [each.nearest for each in found.pieces if isinstance(each, NotUnderstood)]
    return {write_order(each) for each in (*unclear, *nearest) if each}


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [(each, *row) for each, rows in CORRECTED.items() for row in rows],
)
def test_a_correction_changes_the_order_that_it_is_about(
    language: str, text: str, meant: set[str]
) -> None:
    assert carried_out(read(language, text)) == meant


@pytest.mark.parametrize(
    ("language", "text", "asked"), [(each, *row) for each, rows in ASKED.items() for row in rows]
)
def test_what_may_be_corrected_is_offered_and_nothing_else_is_lost(
    language: str, text: str, asked: set[str]
) -> None:
    found = read(language, text)

    assert asked <= offered(found)
    units = {order[:5] for order in asked}
    assert carried_out(found) == {
        each for each in (BREST, MARSEILLES, PARIS) if each[:5] not in units
    }


@pytest.mark.parametrize(
    "text",
    [
        *("*. Spain is lovely this time of year.", "*. Burgundy and Picardy are both nice."),
        "*. I hope nobody falls for it in autumn.",
        "*. Germany wrote that Burgundy is his, but I don't care.",
        "*. And Tunes is correct, right? I mean Tunis.",
    ],
)
def test_remarks_that_name_the_places_correct_nothing(text: str) -> None:
    assert carried_out(read("en", text)) == {BREST, MARSEILLES, PARIS}


def test_a_condition_behind_a_list_covers_its_last_order_and_leaves_the_others_to_the_writer() -> (
    None
):
    text = "Brest to the Mid-Atlantic, Marseilles to Spain, Paris to Burgundy, if Tom agrees."
    found = read("en", text)

    assert carried_out(found) == set()
    assert {BREST, MARSEILLES} <= offered(found)


def test_a_build_that_is_corrected_leaves_the_other_one() -> None:
    source = {
        "phase": "W1901A",
        "units": {"GERMANY": ["A MUN"]},
        "centers": {"GERMANY": ["BER", "KIE", "MUN"]},
    }
    position = read_position(BOARD, source, DATC)
    text = "Ich baue je eine Armee in Berlin und Kiel. Ach, in Kiel doch lieber eine Flotte."

    read = read_email(Situation(BOARD, position, "GERMANY"), split(text))

    assert set(map(write_order, read.orders)) == {"A BER B", "F KIE B"}


@pytest.mark.parametrize(
    ("power", "text", "meant"),
    [
        ("AUSTRIA", "Budapest nach Serbien... ach nein, Budapest bleibt auch.", {"A BUD H"}),
        ("FRANCE", "Paris va en Picardie... non, plutôt en Bourgogne.", {"A PAR - BUR"}),
        ("GERMANY", "München nach Tirol. München soll doch lieber nach Burgund.", {"A MUN - BUR"}),
        ("GERMANY", "München nach Tirol. Moment, München geht nach Burgund.", {"A MUN - BUR"}),
        ("FRANCE", "A Par-Bur\nOK then.\nNo wait, A Par-Pic, sorry", {"A PAR - PIC"}),
    ],
)
def test_an_order_that_is_taken_back_and_the_words_for_that_are_shown_as_nothing_unread(
    power: str, text: str, meant: set[str]
) -> None:
    read = read_email(Situation(BOARD, BOARD.start, power), split(text))

    assert {write_order(each) for each in read.orders} == meant
    ignored = {each.why for each in read.pieces if isinstance(each, Ignored)}
    assert ignored <= {CONTINUED, "greeting or signature"}


def test_an_order_that_is_taken_back_for_another_unit_is_offered() -> None:
    text = "Brest to the Channel. Sorry, Marseilles to Spain."
    read = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(text))

    assert [write_order(each) for each in read.orders] == ["A MAR - SPA"]
    offered = [each.nearest for each in read.pieces if isinstance(each, NotUnderstood)]
    assert [write_order(each) for each in offered if each] == ["F BRE - ENG"]


def test_a_place_behind_a_correction_and_its_reason_is_where_the_unit_goes() -> None:
    text = "Brest to the Channel. Paris to Burgundy. No wait, he is sitting there. Picardy then."
    read = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(text))

    assert {write_order(each) for each in read.orders} == {"F BRE - ENG", "A PAR - PIC"}
