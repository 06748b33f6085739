"""What a picture says in words to a reader who points at something in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.notation.order_text import write_order
from judge.pictures.scene import Shown
from judge.rules.board import Map
from judge.rules.outcome import VERDICT_WORDS, Outcome, result_words
from judge.rules.types import Power, Province, Unit

FATE_WORDS = ("dislodged", "destroyed")


@dataclass(frozen=True, slots=True)
class Words:
    """What *powers* and *places* are called, and what is said by the *results* of the law.

    A result that is not among them goes without saying.
    """

    powers: Mapping[Power, str]
    places: Mapping[Province, str]
    results: Mapping[str, str]

    def of_order(self, shown: Shown) -> str:
        """Return the order that is *shown* as it is written, and what became of it."""
        order = f"{self.powers[shown.power]}: {write_order(shown.order)}"
        if shown.verdict is None:
            return order
        outcome = Outcome(shown.power, shown.order, shown.verdict, shown.fate)
        told = [self.results[word] for word in result_words(outcome) if word in self.results]
        return f"{order} ({', '.join(told)})" if told else order

    def of_unit(self, unit: Unit) -> str:
        """Return whose *unit* it is, and where it stands."""
        return f"{self.powers[unit.power]}: {unit}"


def of_law(board: Map) -> Words:
    """Return what *board* and law call it all."""
    return Words(
        {power: nation.name for power, nation in board.nations.items()},
        {code: place.name for code, place in board.places.items()},
        {word: word for word in (*VERDICT_WORDS.values(), *FATE_WORDS)},
    )
