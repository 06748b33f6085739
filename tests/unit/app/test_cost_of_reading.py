"""No line costs much more to read than an order: the worst that were found, as ratios."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.app.inbound.email_reading import read_text
from judge.mail.envelope import OpenedEmail, open_mail
from judge.rules.board import DEFAULT_VARIANT
from tests.bench.measuring import busy

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
