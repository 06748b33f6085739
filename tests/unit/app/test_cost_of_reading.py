"""No line costs much more to read than an order: the worst that were found, as ratios."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.app.inbound.email_reading import read_text
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.language.command_syntax import TooMuch
from judge.mail.reader.email_text import CHARACTERS_MAX
from judge.rules.board import DEFAULT_VARIANT
from tests.bench.measuring import busy
from tests.fuzz.costs import WHOLE_CHARACTERS, WHOLE_LINES, Line, seconds_of

LINES = 40
CHARACTERS = 960  # of a long line
HONEST = ("A Par-Bur", "A Mar S A Par-Bur", "F Bre-Mao", "Hello judge,", "thanks, Bob")
WORST = {  # times as much for each character as an honest email, at most
    "To Austria: ": 5,
    "YES S SIGNON, ": 3,
    "(": 2,
    "A Par S\n": 2,
    "Spring, ": 3,
    "A Par S A ": 2,
    "F1901M, ": 3,
    "press to ": 2,
    "/sc ": 2,
    "IF F Bre ": 2,
}


def email(text: str) -> OpenedEmail:
    opened = open_mail(b"From: x@x.example\n\n" + text.encode(), "x@x.example")
    assert isinstance(opened, OpenedEmail)
    return opened


def cost_of_a_character(line: str) -> float:
    """Return the CPU time that reading an email of such lines takes, for each character."""
    whole = (line * CHARACTERS)[:CHARACTERS].rstrip(" ")
    text = "\n".join([whole] * LINES)
    board = load_map(DEFAULT_VARIANT)
    opened = email(text)

    def read() -> None:
        read_text(opened, board, COMMANDS, None, subject_as_text=True, characters_max=None)

    read()
    return min(busy(read) for _ in range(2)) / len(text)


@pytest.mark.parametrize(("line", "times"), WORST.items())
def test_a_line_costs_a_few_times_as_much_as_an_order_at_most(line: str, times: float) -> None:
    honest = cost_of_a_character("\n".join(HONEST) + "\n")

    assert cost_of_a_character(line) < times * honest


DEAREST = (  # of what `tests.fuzz.costs` found
    Line(("YES S SIGNON", ""), ", "),
    Line(("(",), ""),
    Line(("SET BANKERS",), "\n"),
    Line(("A Par->Spain (s.c.)", "1. "), "\n"),
    Line(("A Par C Nowhere", "F1901M ", "SET MUST", ""), ". "),
    Line(("SET AUTO DISBAND", "F1901M ", "SET MN", "SET MN", "A Par - Bur", ""), ". "),
    Line(("A Par\u2013Burgund",), "\n"),
    Line(("1. ", "A Par -> Burgund", "SECOND MODERATOR", "F Bre should go to "), " "),
    Line(("A Par (",), ""),
    Line(("To Austria: ",), ""),
    Line(("!", "F Bre/"), "\n"),
    Line(("NO", "F Bre-", "A Par s Gas"), "; "),
    Line((")", "SET AUTO", "A Par s Par"), "; "),
    Line(("CORRECT France A Bur, no A Par", "A Par->Spa(nc)", "END PRESS"), ". "),
    Line(("&", "A Par->Spa(nc)", "DENY F", "END PRESS"), ". "),
    Line(("A Par\u2013Gas",), " "),
)
ORDERS = "A Par S A Mar-Bur\n" * 34  # as many as the longest set of orders has
TIMES_MAX = 40
GATE = pytest.mark.gate


@pytest.mark.parametrize("line", DEAREST, ids=lambda line: line.glue.join(line.pieces)[:20])
@pytest.mark.parametrize(
    "size",
    [
        pytest.param((3_000, 1), id="short"),
        pytest.param((WHOLE_CHARACTERS, WHOLE_LINES), id="as long as can be", marks=GATE),
    ],
)
def test_no_email_takes_many_times_as_long_as_a_full_set_of_orders(
    line: Line, size: tuple[int, int]
) -> None:
    """Before there were limits to what is read, these took two hundred times as long and more."""
    seconds_of(ORDERS)
    honest = max(seconds_of(ORDERS) for _ in range(2))

    assert min(seconds_of(line.text(*size)) for _ in range(2)) < TIMES_MAX * honest


def test_a_text_is_read_up_to_a_limit_and_the_rest_is_named() -> None:
    lines = [f"A Par-Bur, and note {number} about it" for number in range(490)]
    text = "\n".join(f"{line}{' again' * 10}" for line in lines)
    read = read_text(
        email(text),
        load_map(DEFAULT_VARIANT),
        COMMANDS,
        None,
        subject_as_text=True,
        characters_max=None,
    )

    *_, beyond = read.parsed
    assert isinstance(beyond, TooMuch)
    assert beyond.limit == CHARACTERS_MAX
    above = sum(len(line) for line in text.split("\n")[: beyond.line - 1])
    assert CHARACTERS_MAX - 200 < above <= CHARACTERS_MAX
