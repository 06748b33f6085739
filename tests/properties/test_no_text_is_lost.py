"""Every character of an email is in an order, or the receipt shows or counts it."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import (
    ANOTHERS,
    EmailRead,
    Ignored,
    Ordered,
    Piece,
    read_email,
)
from judge.app.commands.situation import Situation
from judge.archive.position_json import read_written_orders
from judge.mail.body import Text, split
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Hold, Position, Waive
from tests.bench.wrapping import layouts
from tests.games.records import GAME_10713, read_lines
from tests.support.table import Table, address_of
from tests.unit.game.table import in_phase

BOARD = load_map()
RETREATS = in_phase(
    "F1901R", {"AUSTRIA": "A TRI"}, dislodged={"ITALY": {"A VEN": ("TRI", "TUS ROM")}}
).position
BUILDS = in_phase("W1901A", {"ITALY": "A TUN"}, {"ITALY": "ROM NAP VEN TUN"}).position
# What belongs to no piece of text, and why.
EXCEPTED = re.compile(
    r"[\s,;.:!]"  # parts pieces from each other
    r"|[-*\u2022|]"  # is the bullet of an item, or the edge of a table
    r"|_{3,}"  # rules a line
    r"|[\[\]#]"  # encloses an order, or begins a remark
    r"|\b\d{1,2}[.)]"  # is the number of an item
    r"|\b(?:and|then)\b"  # links two orders
    r"|\"",  # is the end of a quotation of which the other is in a piece
    re.IGNORECASE,
)

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


HEADINGS = (
    *("FRANCE:", "France: ", "Builds:", "FALL 1901:", "Orders for Spring 1901", "FRANCE (Bob):"),
    *("Retreats", "*France*", "Here are my orders:", "ITALY Builds:", "GERMANY:", "S1901M"),
)
GREETINGS = ("Hi judge,", "Hello all", "Dear GM,", "Bonjour,", "Hallo,")
ENDINGS = ("cheers, Bob", "Thanks!\nBob", "-- \nBob\nI like A Par - Bur", "Sent from my iPhone")
BLOCKS = (
    "PRESS TO GERMANY\nShall we take A Mun?\n> your words\nENDPRESS",
    "BROADCAST\nPeace!\n-- \nBob\nENDPRESS",
    "PRESS\nto nobody\nENDPRESS",
    "PREVIEW\nA Par - Pic\nENDPREVIEW",
    "DIARY\nA Par - Bur is bold.\nENDDIARY",
    "> A Par - Bur\n> F Bre H",
    "On Monday Bob wrote:\n> hi there\n> A Par H",
)
COMMANDS = (
    *("READY", "SET WAIT", "DRAW YES", "HELP", "FOOBAR", "STANDINGS g1", "cancel my orders"),
    *("PLEASE", "READY Sent from my iPhone", "PREVIEW", "CLEAR", "undo", "YES", "IF", "ENDIF"),
)
SENTENCES = (
    *(
        "hold all",
        "everything else holds",
        "A Par S",
        "A Mar - Spa instead",
        "waive",
        "A Par-Bur?",
    ),
    *(
        "A Par - Bur (please!)",
        "A Par - Bur Sent from my iPhone",
        "[A Mar H]",
        "___",
        '"A Par - Pic"',
    ),
    *("Kiel: Denmark", "| F Bre | Eng |", "A Par - Bur or Pic", "same orders but Par to Gas"),
    *("F Bre - Mao # or not", "Builds: F Nap, A Rom", "if A Mar moves, A Par - Bur"),
)
WIDTHS = st.one_of(st.none(), st.integers(14, 80))
orders = st.lists(order, min_size=1, max_size=5)
body = st.one_of(
    orders.map("\n".join),
    orders.map(lambda each: ", ".join(each) + "."),
    orders.map("; ".join),
    orders.map(" and ".join),
    orders.map(lambda each: f"FRANCE: {', '.join(each)}. ITALY: {each[0]}."),
    orders.map(lambda each: "\n".join(f"{n}) {one}" for n, one in enumerate(each, 1))),
    orders.map(lambda each: "\n".join(f"* {one}" for one in each)),
)
said = st.one_of(
    body,
    text,
    st.builds("{}{}{}".format, st.sampled_from(HEADINGS), st.sampled_from("\n "), body),
    st.sampled_from((*BLOCKS, *COMMANDS, *SENTENCES, *GREETINGS)),
)
emails = st.builds(
    lambda above, between, below: "\n".join((above, *between, below)),
    st.sampled_from(("", *GREETINGS)),
    st.lists(said, min_size=1, max_size=4),
    st.sampled_from(("", *ENDINGS)),
)


def wrapped(written: str, columns: int | None) -> str:
    """Return *written* as a mail program sends it that wraps lines, except those it quotes."""
    if columns is None:
        return written
    return "\n".join(
        part
        for line in written.split("\n")
        for part in ([line] if line[:1] == ">" or line == "-- " else wrap(line, columns) or [""])
    )


def unaccounted(new: Text, found: EmailRead) -> tuple[list[str], list[str]]:
    """Return what of *new* is in no piece that was *found*, and the pieces that claim too much.

    Longer pieces are looked for first, each from its line on.
    """
    flat, starts = "", {}
    for line in new.fresh:
        starts[line.number] = len(flat)
        flat += " ".join(line.text.split()) + " "
    flat += " ".join(word for line in (*new.quoted, *new.signature) for word in line.split())
    free, taken, too_much = flat, "\0", []
    for each in sorted(_claims(found), key=lambda piece: len(piece.text), reverse=True):
        told = " ".join(each.text.split())
        at = free.find(told, starts.get(each.line, 0))
        at = free.find(told) if at < 0 else at
        if at < 0:
            too_much.append(each.text)
        else:
            free = free[:at] + taken * len(told) + free[at + len(told) :]
    left = (EXCEPTED.sub("", run).strip() for run in free.split(taken))
    return [run for run in left if run], too_much


def _claims(found: EmailRead) -> list[Piece]:
    """Return the pieces, one for each text: `everything holds` and `waive` order several times."""
    claims: dict[object, Piece] = {}
    for number, each in enumerate(found.pieces):
        of_all = isinstance(each, Ignored) and each.why == "all others hold"
        several = of_all or (isinstance(each, Ordered) and isinstance(each.order, Hold | Waive))
        claims[(each.line, each.text) if several else number] = each
    return list(claims.values())


# What Hypothesis draws differs in its next release; these are always tried.
WHOLE = "\n".join(
    ("Hi judge,", "FRANCE: A Par - Bur, F Bre to Mao.", *SENTENCES, "READY", *BLOCKS, *ENDINGS[:2])
)
SEVERAL_POWERS = "\n".join(f"{heading}\nA Par - Bur and A Ven H" for heading in HEADINGS)


@settings(max_examples=200, deadline=None)
@example(WHOLE, None, (BOARD.start, "FRANCE"))
@example(WHOLE, 20, (BOARD.start, "FRANCE"))
@example(WHOLE, 72, (RETREATS, "ITALY"))
@example(SEVERAL_POWERS, None, (BOARD.start, "FRANCE"))
@example(SEVERAL_POWERS, None, (BUILDS, "ITALY"))
@given(
    emails,
    WIDTHS,
    st.sampled_from([(BOARD.start, "FRANCE"), (RETREATS, "ITALY"), (BUILDS, "ITALY")]),
)
def test_every_character_of_an_email_is_in_exactly_one_piece(
    written: str, columns: int | None, seat: tuple[Position, str]
) -> None:
    new = split(wrapped(written, columns))

    found = read_email(Situation(BOARD, *seat), new)

    assert unaccounted(new, found) == ([], [])


def is_to_be_shown(piece: Piece) -> bool:
    """Return whether *piece* is a question or was not acted on."""
    match piece:
        case Ordered():
            return False
        case Ignored(why=why):
            return why.startswith("prose") or why in ("wrong phase", "no such unit", ANOTHERS)
        case _:
            return True


def letters(written: str) -> str:
    return " ".join(re.findall(r"\w+", written.casefold()))


@settings(max_examples=10, deadline=None)
@example(WHOLE, 60)
@given(emails, WIDTHS)
def test_the_receipt_shows_each_piece_that_was_not_acted_on(
    written: str, columns: int | None
) -> None:
    mail = wrapped(written, columns)
    found = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(mail))
    with TemporaryDirectory() as folder, closing(Table(Path(folder))) as table:
        table.start("baltic")
        before = len(table.outbox())

        table.mail(address_of("FRANCE"), mail, subject="orders")

        told = [
            each.text for each in table.outbox()[before:] if each.recipient == address_of("FRANCE")
        ]
    receipt = letters("\n".join(told))
    pieces = [each.text for each in found.pieces if is_to_be_shown(each)]
    assert not [each for each in pieces if letters(each) not in receipt]


OWN = ("Paris", "Brest", "Marseilles")


@settings(max_examples=200, deadline=None)
@example([], "Paris", [], "")
@example(["I", "like", "my", "unit", "in"], "Brest", ["please"], "thanks!\nA Par - Bur")
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


@pytest.mark.parametrize("columns", [None, 24, pytest.param(72, marks=pytest.mark.slow)])
def test_recorded_order_sets_in_each_layout_are_accounted_for_by_the_character(
    columns: int | None,
) -> None:
    position = BOARD.start
    for phase in read_lines(GAME_10713.read_text(encoding="utf-8")):
        given_ = {
            power: read_written_orders(BOARD, each) for power, each in phase["orders"].items()
        }
        for power, each in given_.items():
            for layout in layouts(BOARD, position, power, each):
                mail = wrapped(f"Hi judge,\n\n{layout}\n\ncheers,\nBob", columns)
                new = split(mail)

                found = read_email(Situation(BOARD, position, power), new)

                assert unaccounted(new, found) == ([], []), mail
        position = adjudicate(BOARD, position, given_, rulebook_named(phase["rulebook"])).after


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("A Par-Bur, A Mar H, PHASE F1901M", "A Par-Bur, A Mar H"),
        ("A Par-Bur, A Mar H, PHASE F1901M", "PHASE F1901M"),
        ("SET COMMENT BEGIN\nA Mar H", "A Mar H"),
        ("SET PASSWORD word\n" * 11 + "A Mar H", "A Mar H"),
    ],
    ids=["another phase behind", "its name", "a comment without end", "beyond the limit"],
)
def test_orders_that_are_not_read_for_the_open_phase_are_in_a_piece(
    written: str, order: str
) -> None:
    found = read_email(Situation(BOARD, BOARD.start, "FRANCE"), split(written))

    assert any(order in piece.text for piece in found.pieces)
