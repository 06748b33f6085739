"""Strategies for emails that a player of an open game might write, in three languages.

What people write is made of *fragments*: orders, commands with their blocks, press, answers,
settings, greetings and prose, all of them near the units of one power. Some accidents happen to
the whole then: lines are wrapped, quoted, doubled, joined or cut.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from judge.mail.language.foreign_commands import ADVICE
from tests.support.commands_page import all_spellings

POWER: Final = "FRANCE"
GAME: Final = "baltic"
WIDTHS: Final = (12, 20, 34, 72, 76)
LETTER_MAX: Final = 20_000  # characters

VOCABULARY: Final = tomllib.loads(
    Path(__file__).with_name("vocabulary.toml").read_text(encoding="utf-8")
)
UNITS, PLACES, BETWEEN, PROSE, ANSWERS, OPENINGS, ENDINGS, BREAKS = VOCABULARY.values()


FRAGMENTS: Final = (
    *(each.replace("game", GAME) for each in (*all_spellings(), *ADVICE)),
    *PROSE, *ANSWERS, *OPENINGS, *ENDINGS, *BREAKS,
    *(f"{unit}{between}" for unit in UNITS[:4] for between in BETWEEN),
    *(f"A Par{between}{place}" for between in BETWEEN[:12] for place in PLACES),
    *(f"A Par S {unit} - Bur" for unit in UNITS),
)  # fmt: skip

units, places, betweens = (st.sampled_from(each) for each in (UNITS, PLACES, BETWEEN))


@st.composite
def orders(draw: st.DrawFn) -> str:
    """Return text that resembles an order."""
    pieces = [draw(units), draw(betweens)]
    match draw(st.integers(0, 4)):
        case 0:
            pieces += [draw(units)]
        case 1 | 2:
            pieces += [draw(places)]
        case 3:
            pieces += [draw(units), draw(betweens), draw(places)]
        case _:
            pieces += [draw(places), draw(betweens), draw(places)]
    return "".join(pieces)


fragments = st.one_of(
    orders(), orders(), *map(st.sampled_from, (FRAGMENTS, PROSE, ANSWERS, OPENINGS, ENDINGS))
)
Accident = Callable[[str], str]


def _wrapped(width: int) -> Accident:
    return lambda text: textwrap.fill(text, width, break_long_words=False)


def _quoted(mark: str) -> Accident:
    return lambda text: "\n".join(f"{mark}{line}" for line in text.split("\n"))


ACCIDENTS: Final[Sequence[Accident]] = (
    *map(_wrapped, WIDTHS),
    *map(_quoted, ("> ", ">> ", "| ", "> > ", " ", "\t", "- ", "* ", "1. ", "•\u00a0")),
    str.upper, str.lower, str.title, str.swapcase,
    lambda text: text.replace("\n", ", "),
    lambda text: text.replace("\n", " "),
    lambda text: text.replace("\n", "\n\n"),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: text.replace(" ", ""),
    lambda text: text.replace("-", "\n-"),
    lambda text: text.replace(" ", "\n"),
    lambda text: f"On Mon, 23 Nov 2026 at 12:00, judge <judge@judge.example> wrote:\n{text}",
)  # fmt: skip


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return a player's text, with some mutations of all of it or of a part."""
    parts = draw(st.lists(fragments, min_size=1, max_size=12))
    for _ in range(draw(st.integers(0, 3))):
        number = draw(st.integers(0, len(parts) - 1))
        part = parts[number]
        match draw(st.integers(0, 5)):
            case 0:
                parts[number] = draw(st.sampled_from(ACCIDENTS))(part)
            case 1:
                at = draw(st.integers(0, len(part)))
                parts[number] = part[:at] + draw(st.sampled_from(BREAKS)) + part[at:]
            case 2:
                at = draw(st.integers(0, len(part)))
                parts[number] = part[:at] + part[at + draw(st.integers(1, 4)) :]
            case 3:
                parts[number] = part * draw(st.integers(2, 30))
            case 4:
                parts[number] = "\n".join([part] * draw(st.integers(2, 30)))
            case _:
                parts[number] = part + draw(st.text(max_size=20))
    text = draw(st.sampled_from(("\n", "\n", "\n", "\n\n", ", ", " "))).join(parts)
    if draw(st.booleans()):
        text = draw(st.sampled_from(ACCIDENTS))(text)
    return text[:LETTER_MAX]
