"""The orders of a phase of a saved game, and the results that stand beside them, by unit.

A unit that nobody ordered, and that had to go, is named in the results of its own phase. One that
was destroyed is only called dislodged in its own; in those of the phase after it may be disbanded,
and it is not among the units that then retreat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.archive.positions import CACHED_MAX, by_power, read_orders
from judge.archive.reading import Doubts
from judge.archive.record import RESULTS, RecordedPhase, WrittenOrder
from judge.archive.report import unit_of
from judge.archive.values import MalformedError, an_object, some_texts
from judge.rules.board import Map
from judge.rules.types import Build, Order, PhaseKind, Position, Power, Province, Retreat, Unit

CARRIED_OUT, UNSETTLED, DISBANDED = "", "maybe", "disband"  # results that are no trouble
DISLODGED, DESTROYED, VOID = "dislodged", "destroyed", "void"


def read_results(source: Mapping[str, object]) -> Mapping[str, Sequence[str]]:
    """Return the codes that a phase tells of each unit. Raises `MalformedError`."""
    told = an_object(source.get("results"), "results")
    return {unit: some_texts(codes, f"results of {unit}") for unit, codes in told.items()}


@dataclass(frozen=True, slots=True)
class SavedPhase:
    """A phase as it is told in *source*, a game that begins on *line*; it begins with *position*.

    What is no shape of a saved game raises `MalformedError`.
    """

    board: Map
    doubts: Doubts
    line: int
    source: Mapping[str, object]
    position: Position
    results: Mapping[str, Sequence[str]]

    def orders(self) -> Iterator[WrittenOrder]:
        """Yield the orders, each with its results if any are told in this phase."""
        retreats = self.position.phase.kind is PhaseKind.RETREATS
        waiting = (each.unit for each in self.position.dislodged)
        there = {each.province: each for each in (waiting if retreats else self.position.units)}
        for power, texts in by_power(self.board, self.source, "orders"):
            for text in some_texts(texts, f"orders of {power}"):
                order, codes = self._order(power, text), self.results.get(_unit_in(text))
                if VOID not in (codes or ()) and not _is_there(there, power, order):
                    self._doubt(power, text, "no such unit is there")
                words = None if codes is None else tuple(self._words(power, text, order, codes))
                yield WrittenOrder(power, text, order, words)

    def removed(self, orders: Iterable[WrittenOrder]) -> Iterator[tuple[Power, Unit]]:
        """Yield the units that left the board though none of *orders* is theirs."""
        ordered = {_unit_in(each.text) for each in orders}
        gone, candidates = DISBANDED, [each.unit for each in self.position.dislodged]
        if self.position.phase.kind is PhaseKind.ADJUSTMENTS:
            gone, candidates = CARRIED_OUT, [*self.position.units]
        for unit in candidates:
            if gone in self.results.get(str(unit), ()) and str(unit) not in ordered:
                yield unit.power, unit

    def with_destroyed(self, before: RecordedPhase) -> RecordedPhase:
        """Return the phase *before*, its dislodged units destroyed that do not retreat now."""
        waiting = {str(each.unit) for each in self.position.dislodged}
        return replace(
            before,
            orders=tuple(
                replace(each, results=tuple(map(_as_destroyed, each.results)))
                if each.results and _unit_in(each.text) not in waiting
                else each
                for each in before.orders
            ),
        )

    def _order(self, power: Power, text: str) -> Order | None:
        try:
            (order,) = read_orders(self.board, (text,))
        except MalformedError:
            self._doubt(power, text, "no order, such as A BUD - SER")
            return None
        return order

    def _words(
        self, power: Power, text: str, order: Order | None, codes: Sequence[str]
    ) -> Iterator[str]:
        for code in codes:
            word = code.rpartition(":")[2]  # The number of a code may stand before it.
            if word in RESULTS:
                yield word
            elif word == DISBANDED and isinstance(order, Retreat):
                yield DESTROYED
            elif word not in {CARRIED_OUT, UNSETTLED, DISBANDED}:
                self._doubt(power, text, f"no result: {code}")

    def _doubt(self, power: Power, text: str, why: str) -> None:
        self.doubts.note(self.line, f"{self.position.phase}: {power} {text}", why)


def _is_there(there: Mapping[Province, Unit], power: Power, order: Order | None) -> bool:
    """Tell whether *power* has a unit for *order*; a build, or a waived one, needs none."""
    name = unit_of(order)
    if name is None or isinstance(order, Build):
        return True
    unit = there.get(name.province)
    return unit is not None and (unit.power, unit.kind, unit.location) == (
        power,
        name.kind,
        name.location,
    )


def _as_destroyed(word: str) -> str:
    return DESTROYED if word == DISLODGED else word


@lru_cache(CACHED_MAX)
def _unit_in(text: str) -> str:
    """Return the unit that the *text* of an order begins with, such as `A BUD`."""
    return " ".join(text.upper().split()[:2])
