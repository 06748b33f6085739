"""Emails in people's own words are read as they were meant; `labelled.py` prints the scores."""

from __future__ import annotations

from dataclasses import replace
from textwrap import wrap

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.notation.readings import Unclear
from judge.reading.policy import Status
from judge.reading.reader import read_text
from judge.reading.world import world_of
from judge.rules.types import Move, Order
from tests.emails.labelled import (
    NOTATION,
    SETS,
    Labelled,
    changes,
    found_in,
    labelled,
    readings,
    scores,
)

UNDERSTOOD_MIN = {"prose": 0.97, NOTATION: 0.99}  # shares; raise them with the reader
IN_EACH_LANGUAGE_MIN = 0.95  # of prose
FRESH_MIN = {  # at first 0.89, 0.86, 0.86, 0.73, 0.79, 0.64, 0.60 and 0.79
    "fresh": 0.96,
    "november": 0.93,
    "december": 0.95,
    "many_voices": 0.90,
    "more_voices": 0.91,
    "voices_a": 0.83,
    "voices_c": 0.88,
    "voices_d": 0.92,
    "voices_e": 0.85,
    "voices_f": 0.86,
    "voices_g": 0.92,
    "voices_h": 0.92,
    "voices_i": 0.84,
    "voices_j": 0.77,
    "voices_k": 0.84,
    "voices_l": 0.86,
    "voices_m": 0.85,
    "voices_n": 0.84,
    "voices_o": 0.94,
    "voices_p": 0.83,  # at first 0.75
    "voices_q": 0.85,  # at first 0.80
    "voices_r": 0.88,  # at first 0.85
    "voices_s": 0.92,  # at first 0.89
    "voices_t": 0.82,  # at first 0.78
    "voices_u": 0.90,  # at first 0.83
    "voices_v": 0.79,  # at first 0.72
    "voices_w": 0.79,  # at first 0.76
    "voices_x": 0.88,  # at first 0.82
    "voices_y": 0.82,  # at first 0.75
    "voices_z": 0.92,  # at first 0.93
    "voices_aa": 0.93,  # at first 0.80
    "voices_bb": 0.84,  # at first 0.77
    "voices_cc": 0.89,  # at first 0.89
    "voices_dd": 0.95,  # at first 0.86
    "voices_ee": 0.94,  # at first 0.73
    "voices_ff": 0.86,  # at first 0.75
    "winter": 0.79,  # at first 0.73
}
QUICK = ("heldout", "voices_w")  # the README's command reads these, and `emails` elsewhere
COLUMNS = 72  # of a line that mail programs wrap
LOST_IN_WRAPPED_MAX = 0.008  # of the orders carried out


def test_labelled_emails_are_read_as_well_as_before() -> None:
    table = scores(labelled())

    for form, least in UNDERSTOOD_MIN.items():
        found = [each for (of, _), each in table.items() if of == form]
        share = sum(each.understood for each in found) / sum(each.meant for each in found)
        assert share >= least, form
    for (form, language), each in table.items():
        assert form != "prose" or each.share >= IN_EACH_LANGUAGE_MIN, language


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[] if each in QUICK else [pytest.mark.gate]) for each in SETS],
)
def test_orders_that_were_meant_are_read_and_no_others(name: str) -> None:
    table = scores(labelled(name)).values()

    assert [wrong for each in table for wrong in each.wrong] == []
    meant = sum(each.meant for each in table)
    assert meant
    assert sum(each.understood for each in table) >= FRESH_MIN.get(name, 0.0) * meant


def test_each_set_that_was_new_to_the_reader_is_scored() -> None:
    assert FRESH_MIN.keys() <= {*SETS}


@pytest.mark.gate
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_lines_wrapped_by_a_mail_program_order_the_same(step: int) -> None:
    wrapped = [
        (each, replace(each, text=wrapped_text(each.text, COLUMNS)))
        for name in SETS
        for each in labelled(name)[::step]
        if any(len(line) > COLUMNS for line in each.text.split("\n"))
    ]
    found = [(email, found_in(email).orders, found_in(other).orders) for email, other in wrapped]

    assert [each.name for each, _, orders in found if orders - each.meant] == []
    lost = sum(len(before - orders) for _, before, orders in found)
    read = sum(len(before) for _, before, _ in found)
    assert read
    assert lost <= LOST_IN_WRAPPED_MAX * read


def wrapped_text(text: str, columns: int) -> str:
    lines = ["\n".join(wrap(each, columns, break_on_hyphens=False)) for each in text.split("\n")]
    return "\n".join(lines)


def test_the_emails_that_a_word_changes_are_listed() -> None:
    before = {"first": ["A PAR H"], "second": ["A PAR - BUR (offered)"]}

    lines = list(changes(before, {"first": ["A PAR H"], "second": ["A PAR - BUR"]}))

    assert lines == ["second: lost A PAR - BUR (offered), new A PAR - BUR"]
    [[orders]] = [readings([each]).values() for each in labelled() if each.name == "prose_en-4"]
    assert "A BUD - SER" in orders


IN_DOUBT = {
    "en": ("Maybe {}.", "If he agrees, {}.", "Russia says that {}.", '"{}"', "{}?"),
    "de": (
        *("Vielleicht {}.", "Wenn er zustimmt, {}.", "Russland sagt, dass {}."),
        *("\u201e{}\u201c", "{}?"),
    ),
    "fr": (
        *("Peut-être {}.", "S'il est d'accord, {}.", "La Russie dit que {}."),
        *("« {} »", "{} ?"),
    ),
    "nl": (
        *("Misschien {}.", "Als hij het goed vindt, {}.", "Rusland zegt dat {}."),
        *("\u201e{}\u201d", "{}?"),
    ),
}


POLITE = ("Would you please", "Would you be so kind")  # as a question, it is an order


@pytest.mark.gate
@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_no_order_that_was_carried_out_is_so_in_doubt(step: int) -> None:
    taken = {
        text: sorted(orders)
        for email, order in carried_out()[::step]
        for words in IN_DOUBT[email.language]
        if not (words == "{}?" and order.startswith(POLITE))
        if (orders := found_in(replace(email, text=(text := words.format(order)))).orders)
    }

    assert taken == {}


def carried_out() -> list[tuple[Labelled, str]]:
    """Return the text of each order in the labelled emails that is carried out."""
    return [
        (email, " ".join(email.text[start:end].split()))
        for name in SETS
        for email in labelled(name)
        for start, end in sorted(spans_carried_out(email))
    ]


def spans_carried_out(email: Labelled) -> set[tuple[int, int]]:
    situation = email.situation
    found = read_text(email.text, world_of(situation.board, situation.seen, situation.power))
    return {(each.start, each.end) for each in found.orders if each.status is Status.PLAIN}


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


@pytest.mark.parametrize(
    "text",
    [
        *("Instead of moving Munich to Burgundy, I do nothing.", "Rather than A Mun-Bur, I wait"),
        *("Statt München nach Burgund zu schicken, mache ich nichts.",),
        *("Au lieu d'envoyer Munich en Bourgogne, je ne fais rien.",),
        *('"All units hold"', "\u201eAlles h\u00e4lt\u201c", "Maybe Fall 1903: A Mun-Bur"),
        *("If he agrees, Fall 1903: A Mun-Bur", '"Fall 1903: A Mun-Bur"'),
        "Vielleicht Herbst 1903: A Mun-Bur",
    ],
)
def test_what_is_not_done_or_only_quoted_orders_nothing(german: Labelled, text: str) -> None:
    assert found_in(replace(german, text=text)).orders == frozenset()


@pytest.mark.parametrize(
    ("power", "text", "meant"),
    [
        ("ENGLAND", "Liverpool heads east to Yorkshire", {"A LVP - YOR"}),
        ("ENGLAND", "London goes north to the North Sea", {"F LON - NTH"}),
        (
            "GERMANY",
            "Berlin rückt nach Kiel nach. München geht nach Ruhr.",
            {"A BER - KIE", "A MUN - RUH"},
        ),
        ("FRANCE", "Paris moves to Burgundy and then to Munich", {"A PAR - BUR"}),
        ("FRANCE", "Marseille va à l'est vers le Piémont", {"A MAR - PIE"}),
        ("ENGLAND", "Liverpool to Yorkshire to Edinburgh", set()),
        ("GERMANY", "Berlin Preussen Schlesien", set()),
    ],
)
def test_prose_gives_no_route(power: str, text: str, meant: set[str]) -> None:
    found = orders_at_the_start(power, text)

    assert {write_order(each) for each in found} <= meant
    assert all(not each.route for each in found if isinstance(each, Move))


@pytest.mark.parametrize("text", ["A Lvp-Eng-Nwy", "A Liv - ENG - Norway", "A Lvp-Nwy via Eng"])
def test_dashes_or_via_give_a_route(text: str) -> None:
    [order] = orders_at_the_start("ENGLAND", text)

    assert isinstance(order, Move)
    assert (order.route, order.target) == (("ENG",), "NWY")


def orders_at_the_start(power: str, text: str) -> tuple[Order, ...]:
    board = load_map()
    return read_email(Situation(board, board.start, power), split(text)).orders


@pytest.mark.parametrize("text", ["F Bre - Gol", "A Par - Gol"])
def test_a_short_name_of_places_out_of_reach_is_asked_about(text: str) -> None:
    board = load_map()
    read = read_email(Situation(board, board.start, "FRANCE"), split(text))

    [asked] = [each for each in read.pieces if isinstance(each, Unclear)]
    assert {each.target for each in asked.orders if isinstance(each, Move)} == {"BOT", "LYO"}
    assert read.orders == ()
