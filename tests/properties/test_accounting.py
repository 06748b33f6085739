"""No word of an email is lost: it is in an order, or the receipt shows or counts it."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.app.order_reading import EmailRead, Situation, read_email
from judge.mail.body import split
from judge.rules.position import Position
from tests.games.records import GAME_10713
from tests.unit.game.table import in_phase

BOARD = load_map()
WORD = re.compile(r"[^\W_]+")
RETREATS = in_phase(
    "F1901R", {"AUSTRIA": "A TRI"}, dislodged={"ITALY": {"A VEN": ("TRI", "TUS ROM")}}
).position
BUILDS = in_phase("W1901A", {"ITALY": "A TUN"}, {"ITALY": "ROM NAP VEN TUN"}).position
LINKS = {"and", "then"}  # between orders: the only words that nothing shows

units = st.sampled_from(
    ["A Par", "F Bre", "army Marseilles", "Paris", "A Ven", "fleet in Naples", "Kiel"]
)
places = st.sampled_from(
    ["Bur", "Burgundy", "Spa(nc)", "Mao", "the English Channel", "Rhur", "Tus", "Rome"]
)
verbs = st.sampled_from(
    [
        *("-", " to ", "takes", "H", "S", "supports", "C", "retreats to", "r", "moves to"),
        *("should hold",),
    ]
)
chat = st.sampled_from(
    [
        *("Hi judge,", "cheers, Bob", "Here are my orders:", "I will be away"),
        *("what about Paris?", "Brest is mine", "thanks!", "FRANCE: ", "Builds: "),
        *("(or maybe not)", "if possible", "no", "and", "- ", "1) ", "please", "IF", "ENDIF"),
        *("READY", "> quoted", "I like Marseilles a lot. Do you?", "-- ", "S moves build"),
        *("- retreat to Gas",),
    ]
)
order = st.builds("{} {} {}".format, units, verbs, places)
piece = st.one_of(order, order, chat, units)
text = st.lists(
    st.lists(piece, min_size=1, max_size=3).map(", ".join), min_size=1, max_size=6
).map("\n".join)


def words(written: str) -> Counter[str]:
    return Counter(word.casefold() for word in WORD.findall(written))


def lost(written: str, found: EmailRead) -> Counter[str]:
    """Return the words of *written* that are in no piece that was *found*."""
    told = Counter[str]()
    for each in found.pieces:
        told |= words(each.text)
    everything = set(told)
    return Counter({word: n for word, n in words(written).items() if word not in everything})


@settings(max_examples=300, deadline=None)
@given(text, st.sampled_from([(BOARD.start, "FRANCE"), (RETREATS, "ITALY"), (BUILDS, "ITALY")]))
def test_every_word_of_an_email_is_accounted_for(
    written: str, seat: tuple[Position | None, str]
) -> None:
    position, power = seat
    assert position is not None

    found = read_email(Situation(BOARD, position, power), split(written))

    assert {*lost(written, found)} <= LINKS | {"france", "builds"} | set("123")


OWN = ("Paris", "Brest", "Marseilles")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                *(
                    "I",
                    "we",
                    "think",
                    "like",
                    "should",
                    "my",
                    "unit",
                    "in",
                    "now,",
                    "never",
                    "maybe",
                    "it",
                ),
            ]
        )
    ),
    st.sampled_from(OWN),
    st.lists(
        st.sampled_from(
            ["is", "fine", "stays", "attacked", "soon", "please", "ok", "tomorrow", "thanks"]
        )
    ),
    text,
)
def test_no_sentence_that_names_an_own_unit_or_center_is_dropped_as_prose(
    before: list[str], own: str, behind: list[str], others: str
) -> None:
    sentence = " ".join([*before, own, *behind])

    found = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(f"{sentence}\n{others}"))

    quiet = [
        each.text
        for each in found.pieces
        if getattr(each, "why", "") in ("prose", "greeting or signature")
    ]
    assert not any(own in each for each in quiet)
    assert own in " ".join(each.text for each in found.pieces)


def test_recorded_order_sets_are_accounted_for_word_by_word() -> None:
    for line in GAME_10713.read_text(encoding="utf-8").splitlines()[:40]:
        for orders in re.findall(r'"([AF] [A-Z]{3}(?:/[A-Z]{2})? [^"]{1,40})"', line)[:20]:
            mail = f"Hi judge,\n{orders}\ncheers,\nBob"

            found = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(mail))

            assert not lost(mail, found), orders
