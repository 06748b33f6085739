"""Remarks behind an order: those that name its source doubt it, those about it do not."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.order_reading import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order

BOARD = load_map()
MEANT = "A BUD - SER"
SENTENCES = {
    "en": "Vienna holds. Trieste holds. Budapest goes to Serbia",
    "de": "Wien hält. Triest hält. Budapest geht nach Serbien",
    "fr": "Vienne tient. Trieste tient. Budapest va en Serbie",
}
DOUBTING = {
    "en": (
        *("my neighbor wrote", "Tom told me", "says Anna", "she reckons", "I was told by Tom"),
        *("as I heard from Tom", "according to Tom", "which is what Tom says", "he wants it"),
        *("which I am not sure about", "which I'm still considering", "Tom wants me to"),
        *("as long as Russia agrees", "if Tom likes it", "but maybe Gascony is better"),
        *("which my neighbour suggested", "or so my neighbour claims", "Italy says so"),
    ),
    "de": (
        *("schrieb mein Nachbar", "sagt Anna", "wie mir Anna sagte", "hat mir Tom erzählt"),
        *("laut Anna", "solange Russland mitmacht", "was ich noch überlege", "meint Tom"),
    ),
    "fr": (
        *("dit Anna", "m'a écrit mon voisin", "selon Anna", "d'après mon voisin"),
        *("tant que la Russie est d'accord", "ce que je me demande encore"),
    ),
}
ABOUT_IT = {
    "en": (
        "where I should not be surprised to meet a Turk coming from Bulgaria",
        "which Turkey has very kindly left empty",
        "otherwise the Sultan grows cheeky",
        "even if a Turk is waiting there",
    ),
    "de": (
        "auch wenn ich dort mit dem Sultan zu rechnen habe",
        "sonst nimmt es der Türke",
    ),
    "fr": ("sinon il est ouvert",),
}


def orders(text: str) -> set[str]:
    read = read_email(Situation(BOARD, BOARD.start, "AUSTRIA"), split(text))
    return set(map(write_order, read.orders))


@pytest.mark.parametrize(
    ("language", "remark"), [(key, each) for key, row in DOUBTING.items() for each in row]
)
def test_what_names_the_source_of_an_order_or_conditions_it_doubts_it(
    language: str, remark: str
) -> None:
    assert MEANT not in orders(f"{SENTENCES[language]}, {remark}.")


@pytest.mark.parametrize(
    ("language", "remark"), [(key, each) for key, row in ABOUT_IT.items() for each in row]
)
def test_what_explains_an_order_does_not_doubt_it(language: str, remark: str) -> None:
    assert MEANT in orders(f"{SENTENCES[language]}, {remark}.")


@pytest.mark.parametrize("aside", ["(or is Rumania better?)", "(?)", "(if Italy agrees)"])
def test_a_question_or_condition_in_brackets_doubts_the_order(aside: str) -> None:
    assert MEANT not in orders(f"{SENTENCES['en']} {aside}.")
