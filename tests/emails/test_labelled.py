"""Emails in people's own words are read as they were meant; `labelled.py` prints the scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.emails.labelled import NOTATION, TALK, Labelled, found_in, labelled, scores

UNDERSTOOD_MIN = {"prose": 0.96, NOTATION: 0.975}  # shares; raise them with the reader
IN_EACH_LANGUAGE_MIN = 0.95  # of prose
WRONG_MAX = {"orders": 1, TALK: 0}  # the one is a build in a place that is taken, as written


def test_labelled_emails_are_read_as_well_as_before() -> None:
    table = scores(labelled())

    for form, least in UNDERSTOOD_MIN.items():
        found = [each for (of, _), each in table.items() if of == form]
        share = sum(each.understood for each in found) / sum(each.meant for each in found)
        assert share >= least, form
    for (form, language), each in table.items():
        assert form != "prose" or each.share >= IN_EACH_LANGUAGE_MIN, language
    wrong = [each for (form, _), score in table.items() if form != TALK for each in score.wrong]
    taken = [each for (form, _), score in table.items() if form == TALK for each in score.wrong]
    assert len(wrong) <= WRONG_MAX["orders"], wrong
    assert len(taken) <= WRONG_MAX[TALK], taken


ORDERS = {
    "en": (
        *("A Mun-Bur", "Munich moves to Burgundy", "Ruhr supports Munich into Burgundy"),
        *("F Den - Nth", "Holland holds", "Munich attacks Burgundy, supported by Ruhr"),
        "A Hol H, A Ruh S A Hol",
    ),
    "de": ("A Mün-Bur", "München geht nach Burgund", "Holland hält"),
    "fr": ("A Mun-Bou", "Munich attaque la Bourgogne", "la Hollande tient"),
}
NO_ORDERS = {
    "en": (
        *("Maybe {}.", "If he agrees, {}.", "{} if he agrees.", "Unless you hear from me, {}."),
        *("Tom says {}.", "Tom says: {}.", "England wants: {}", 'He wrote "{}".', '"{}"', "'{}'"),
        *("Suppose {}.", "I was thinking of {}.", "I won't do {}.", "Not {}.", "Never {}."),
        *("Last turn {}.", "In spring I played {}.", "According to England {}.", "Draft: {}"),
        *("Please ignore {}.", "For example, {}.", "e.g. {}", "Forget {}.", "Cancel {}."),
        *("Undo {}.", "Scrap {}.", "I regret {}.", "{} failed.", "{} would be nice."),
        *("{} is an option.", "Option A: {}", "Plan: {}", "Is it legal: {}", "Can I do {}"),
        *("Does {} work", "France fears {}.", "They'd love {}.", "We discussed {}."),
        *("In a perfect world, {}.", "{} (just kidding)", "{} - kidding!", "{}... nah."),
        *("Soon: {}", "Next year {}.", "Later {}.", "When France leaves, {}."),
        *("As soon as he agrees, {}.", "Once Italy moves, {}.", "Dear France, {}."),
        *("Note to self: {}", "I take back {}.", "{} was a mistake.", "{} is off the table."),
        *(
            "{} has been cancelled.",
            "no longer {}",
            "I didn't order {}.",
            "Please tell France {}.",
        ),
    ),
    "de": (
        *("Tom sagt, {}.", "Nächstes Jahr {}.", "Später {}.", "Ich nehme {} zurück."),
        *("Eine Möglichkeit: {}", "Ist {} erlaubt", "England möchte, dass {}.", "Er will {}."),
        *("Angenommen, {}.", "Sobald Italien zieht, {}.", "{} war mein letzter Befehl."),
    ),
    "fr": (
        *("L'an prochain {}.", "Plus tard {}.", "Est-ce permis : {}", "L'Angleterre veut {}."),
        *("Dès que l'Italie part, {}.", "Supposons {}.", "Tom dit que {}."),
    ),
}


@pytest.fixture(scope="module")
def german() -> Labelled:
    """Return an email of Germany with A Mun, A Ruh, A Hol, F Den, F Kie and A Ber."""
    return next(each for each in labelled() if each.name == "ten-nl-1")


@pytest.mark.parametrize(
    ("language", "words"), [(each, form) for each, forms in NO_ORDERS.items() for form in forms]
)
def test_words_around_an_order_can_make_it_none(
    german: Labelled, language: str, words: str
) -> None:
    texts = [words.format(order) for order in ORDERS[language]]

    done = {text: found_in(replace(german, text=text)).orders for text in texts}

    assert {text: orders for text, orders in done.items() if orders} == {}
