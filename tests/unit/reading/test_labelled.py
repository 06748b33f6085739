"""The reader understands people as they write, and takes no talk for orders."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache

import pytest

from judge.notation.order_text import write_order
from judge.reading.policy import ReadOrder, Status, TextRead
from judge.reading.reader import read_text
from judge.reading.world import World, world_of
from tests.emails.labelled import NOTATION, TALK, Labelled, labelled, settled
from tests.support.cost import takes_less_than

UNDERSTOOD_MIN = {"prose": 0.945, NOTATION: 0.96, "mixed": 0.9}
WITH_OFFERS_MIN = {"prose": 0.96, NOTATION: 0.98, "mixed": 0.95}
HOSTILE_SECONDS_MAX = 0.4
DOUBTS = {
    "en": (
        *("Maybe {}.", "If he agrees, {}.", "Russia says that {}.", '"{}"', "{}?"),
        *("I might order: {}.", "Last turn: {}.", "I am not sure yet, but perhaps {}."),
        *("What if {}?", "Tom told me that {}.", "He wrote: {}", "Don't do this: {}"),
    ),
    "de": (
        *("Vielleicht {}.", "Wenn er zustimmt, {}.", "Russland sagt, dass {}.", "\u201e{}\u201c"),
        *(
            "{}?",
            "Letzte Runde: {}.",
            "Ich überlege noch, ob {}.",
            "Er schrieb: {}",
            "Soll ich {}?",
        ),
    ),
    "fr": (
        *("Peut-être {}.", "S'il est d'accord, {}.", "La Russie dit que {}.", "« {} »", "{} ?"),
        *("Au dernier tour : {}.", "J'hésite encore : {}.", "Il a écrit : {}", "Est-ce que {} ?"),
    ),
    "nl": (
        *(
            "Misschien {}.",
            "Als hij het goed vindt, {}.",
            "Rusland zegt dat {}.",
            "\u201e{}\u201d",
        ),
        *("{}?", "Vorige beurt: {}.", "Ik twijfel nog of {}.", "Hij schreef: {}", "Stel dat {}."),
    ),
}


def world(email: Labelled) -> World:
    situation = email.situation
    return world_of(situation.board, situation.seen, situation.power)


@cache
def all_read() -> dict[str, TextRead]:
    return {email.name: read_text(email.text, world(email)) for email in labelled()}


def read(email: Labelled) -> TextRead:
    return all_read()[email.name]


def orders(email: Labelled, *statuses: Status) -> set[str]:
    return {
        settled(email.situation, write_order(order))
        for each in read(email).orders
        if each.status in statuses
        for order in each.orders
    }


@pytest.mark.parametrize("form", UNDERSTOOD_MIN)
def test_most_orders_are_understood(form: str) -> None:
    emails = [email for email in labelled() if email.form == form]
    meant = sum(len(email.meant) for email in emails)
    plain = sum(len(email.meant & orders(email, Status.PLAIN)) for email in emails)
    shown = (Status.PLAIN, Status.OFFERED, Status.ASKED)
    offered = sum(len(email.meant & orders(email, *shown)) for email in emails)

    assert plain >= UNDERSTOOD_MIN[form] * meant
    assert offered >= WITH_OFFERS_MIN[form] * meant


def test_nothing_is_carried_out_that_was_not_meant() -> None:
    wrong = {each.name: orders(each, Status.PLAIN) - each.meant for each in labelled()}

    assert {name: found for name, found in wrong.items() if found} == {}


def test_talk_holds_no_orders() -> None:
    taken = [e.name for e in labelled() if e.form == TALK and orders(e, Status.PLAIN)]

    assert taken == []


def pieces() -> Iterator[tuple[Labelled, str]]:
    for email in labelled():
        spans = {(each.start, each.end) for each in read(email).orders if is_plain(each)}
        yield from ((email, email.text[start:end]) for start, end in sorted(spans))


def is_plain(each: ReadOrder) -> bool:
    return each.status is Status.PLAIN


@pytest.mark.parametrize(
    "step",
    [pytest.param(1, marks=pytest.mark.gate), pytest.param(7, marks=pytest.mark.sample)],
    ids=["all", "some"],
)
def test_no_order_in_doubt_is_carried_out(step: int) -> None:
    taken = [
        text
        for email, piece in list(pieces())[::step]
        for doubt in DOUBTS[email.language]
        if read_text(text := doubt.format(piece), world(email)).plain()
    ]

    assert taken == []


def test_what_is_read_can_be_sent_to_another_process() -> None:
    for email in labelled()[:20]:
        assert pickle.loads(pickle.dumps(read(email))) == read(email)  # noqa: S301 - our own


def test_positions_lead_to_the_words_of_each_order() -> None:
    email = next(each for each in labelled() if each.name == "prose_en-4")

    shown = {write_order(o.order): email.text[o.start : o.end] for o in read(email).orders}

    assert shown["A BUD - SER"] == "Budapest to Serbia"


REPEATED = (
    *("Paris ", "A Par S ", "A Par-Bur, ", "Paris and Marseilles and Brest ", "((((", "a"),
    *("maybe ", "\n", '"', "Zxqwert Yqwertz ", "the army in ", "supported by Paris ", "all "),
    *("- ", "Paris, Marseilles, Brest, Burgundy, Gascony, Picardy "),
)


def hostile_texts() -> Iterator[str]:
    yield from (each * 8000 for each in REPEATED)
    words = [word for email in labelled() for word in email.text.split()]
    strict = [
        "Paris",
        "Burgundy",
        "supports",
        "and",
        ",",
        "to",
        "it",
        "the army",
        "holds",
        "-",
        "S",
    ]
    for step in (3, 7, 11, 13, 17, 19, 23):
        yield " ".join((words * step)[::step][:2500])
        yield " ".join(strict[number * number * step % 11] for number in range(2500))


@pytest.mark.gate
def test_no_text_raises_or_takes_long() -> None:
    here = world(labelled()[0])
    read_text("Paris", here)

    for text in hostile_texts():
        assert takes_less_than(HOSTILE_SECONDS_MAX, read_text, text, here), text[:40]
