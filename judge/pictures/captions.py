"""What is told of an order to a reader who points at its line."""

from __future__ import annotations

from judge.notation.writer import write
from judge.pictures.scene import Shown
from judge.rules.geography import Map
from judge.rules.outcome import Outcome, result_words


def caption(board: Map, shown: Shown) -> str:
    """Return *shown* as it is written, with the words for what became of it."""
    order = f"{board.nations[shown.power].name}: {write(shown.order)}"
    if shown.verdict is None:
        return order
    words = result_words(Outcome(shown.power, shown.order, shown.verdict, shown.fate))
    return f"{order} ({', '.join(words)})"
