"""Orders below a PREVIEW are never submitted, in any form of the line."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.queries import Status
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import OrderText
from judge.mail.language.previews import Preview
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.press_blocks import Press

BOARD = load_map()


def read(*lines: str, subject: str = "") -> list[object]:
    fresh = tuple(Line(number, text) for number, text in enumerate(lines, start=1))
    return list(read_lines(Text(fresh=fresh), BOARD, COMMANDS, subject))


@pytest.mark.parametrize(
    ("opening", "lines"),
    [
        ("PREVIEW", []),
        ("PREVIEW:", []),
        ("*PREVIEW*", []),
        ("PREVIEW, please:", []),
        ("Preview please", []),
        ("PREVIEW ORDERS:", []),
        ("PREDICT:", []),
        ("PREVIEW FRANCE", ["FRANCE"]),
        ("PREVIEW S1901M", ["S1901M"]),
        ("PREVIEW A Par-Bur", ["A Par-Bur"]),
        ("preview: A Par-Bur", ["A Par-Bur"]),
        ("PREVEIW", []),
        ("Previw:", []),
        ("PREDCIT", []),
        ("WHAT IF", []),
        ("What if:", []),
        ("whatif", []),
        ("WHAT-IF A Par-Bur", ["A Par-Bur"]),
        ("What if: A Par-Bur; A Bur-Mun", ["A Par-Bur; A Bur-Mun"]),
        ("TEST", []),
        ("Test, please:", []),
        ("Dry run:", []),
        ("Simulation", []),
        ("CHECK", []),
        ("Try:", []),
        ("Vorschau", []),
        ("Was w\xe4re wenn:", []),
        ("just testing:", []),
        ("Just testing", []),
        ("Can I do this?", []),
        ("What would happen with", []),
        ("What would happen if I ordered:", []),
        ("Draft:", []),
        ("Proposed:", []),
        ("My draft orders:", []),
        ("Aper\xe7u :", []),
        ("Can you preview this for me?", []),
        ("Could you please simulate these orders:", []),
        ("Please test these:", []),
        ("What happens if I order:", []),
        ("This is only a test.", []),
        ("TEST - please ignore", []),
        ("Test only:", []),
        ("Nur zum Testen:", []),
        ("Juste un essai :", []),
        ("Suppose I order", []),
        ("Suppose:", []),
        ("Et si :", []),
        ("Que se passe-t-il si :", []),
        ("Was passiert bei:", []),
    ],
)
def test_nothing_below_a_preview_is_ordered(opening: str, lines: list[str]) -> None:
    (said,) = read(opening, "A Mar-Spa")

    assert isinstance(said, Preview)
    assert [each.text for each in said.lines] == [*lines, "A Mar-Spa"]
    assert not said.own


def test_a_preview_of_what_stands_may_be_written_so_too() -> None:
    (said,) = read("PREVIEW: mine.", "A Mar-Spa")

    assert isinstance(said, Preview)
    assert said.own


@pytest.mark.parametrize(
    "line",
    [
        "Preview of that game was fun, thank you.",
        "PREVIEW PRESS TO E",
        "previews",
        "Previous:",
        "What if Germany attacks?",
        "What if A Mun-Bur?",
        "Testing is fun",
        "Test match on Sunday",
        "Check.",
        "Draft",
        "Drafty here:",
        "I proposed:",
        "Proposed alliance: A Mun H",
        "Can I do this? I hope so",
        "What would happen with Germany then",
        "Was w\xe4re wenn er angreift",
        "Try this, Germany",
        "Hypothetically speaking, yes",
        "Trial and error",
        "Can you confirm these?",
        "Can you test the waters for me?",
        "Could you preview my speech?",
        "This is not a test.",
        "This is a test of nerves:",
        "Test only passed today",
        "Suppose it is spring where you are!",
        "I suppose:",
        "What happens next?",
        "Zum Testen habe ich keine Zeit",
        "Et si Germany attaque :",
        "Please process these:",
    ],
)
def test_a_sentence_and_the_preview_of_press_are_none(line: str) -> None:
    assert not [each for each in read(line, "A Mar-Spa") if isinstance(each, Preview)]


@pytest.mark.parametrize(
    "subject",
    [
        *("PREVIEW", "Preview, please", "preveiw:", "PREVIEW S1901M", "[#g1] PREVIEW"),
        *("Re: PREVIEW", "Test", "what if", "AW: Was w\xe4re wenn", "Dry run!"),
    ],
)
def test_a_subject_asks_for_a_preview_of_all_orders_of_the_email(subject: str) -> None:
    (_, status, said) = read("Hello,", "STATUS", "A Mar-Spa", "F Bre-Mao", subject=subject)

    assert isinstance(status, Status)
    assert isinstance(said, Preview)
    assert [each.text for each in said.lines] == ["A Mar-Spa", "F Bre-Mao"]


def test_the_word_test_alone_is_a_try_only_as_first_line() -> None:
    (orders,) = read("A Mar-Spa", "Test", "F Bre-Mao")
    assert isinstance(orders, OrderText)

    (_, tried) = read("SIGNON Fbaltic kartoffel", "", "Test", "F Bre-Mao")
    assert isinstance(tried, Preview)

    (_, below) = read("A Mar-Spa", "Test:", "A Mar H")
    assert isinstance(below, Preview)


def test_without_orders_a_subject_asks_for_what_stands() -> None:
    (said,) = read(subject="PREVIEW")

    assert isinstance(said, Preview)
    assert said.lines == ()


@pytest.mark.parametrize(
    "subject",
    [
        *("", "Re: JUDGE:baltic - S1901M Preview", "JUDGE:baltic - S1901M Preview"),
        *("Test match", "Check", "Try", "What if Germany attacks?", "Preview of my plans"),
    ],
)
def test_another_subject_asks_for_none(subject: str) -> None:
    assert not [each for each in read("A Mar-Spa", subject=subject) if isinstance(each, Preview)]


def test_a_subject_puts_nothing_into_press() -> None:
    (press,) = read("PRESS TO G", "A Mun-Bur?", "ENDPRESS", subject="PREVIEW")

    assert isinstance(press, Press)
    assert [each.text for each in press.lines] == ["A Mun-Bur?"]
