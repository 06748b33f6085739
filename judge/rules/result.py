"""What an adjudication gives: the position after, and what became of every order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field

from judge.overriding import override
from judge.rules.making import maker
from judge.rules.outcome import Outcome, Paradox
from judge.rules.position import Position
from judge.rules.vocabulary import Province, Unit


class Telling(ABC):
    """What tells of the outcomes of orders, and of units without one, when first asked."""

    _outcomes: tuple[Outcome, ...] | None = None
    _unordered: tuple[Outcome, ...] | None = None

    @abstractmethod
    def of_orders(self) -> tuple[Outcome, ...]:
        """Make an outcome for each order."""

    @abstractmethod
    def of_silence(self) -> tuple[Outcome, ...]:
        """Make an outcome for each unit without an order."""

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, always the same ones."""
        if self._outcomes is None:
            self._outcomes = self.of_orders()
        return self._outcomes

    def unordered(self) -> tuple[Outcome, ...]:
        """Return an outcome for each unit without an order, always the same ones."""
        if self._unordered is None:
            self._unordered = self.of_silence()
        return self._unordered


class Later(Telling):
    """What tells by what it was given to ask."""

    def __init__(
        self,
        orders: Callable[[], tuple[Outcome, ...]],
        silence: Callable[[], tuple[Outcome, ...]] = tuple,
    ) -> None:
        self._orders, self._silence = orders, silence

    @override
    def of_orders(self) -> tuple[Outcome, ...]:
        return self._orders()

    @override
    def of_silence(self) -> tuple[Outcome, ...]:
        return self._silence()


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What became of the orders of one phase.

    *after* is the position of the next phase in which somebody must or may order. *contested* are
    the provinces that a standoff left empty. *removed* are the units taken off in adjustments
    because their power did not say which; *disbanded* are all that left the board in a retreat
    phase, on order, for want of one, or by a clash; *paradoxes* convoys that hung on themselves.
    Outcomes are made when first asked for.
    """

    _telling: Telling = field(repr=False, compare=False)
    after: Position
    contested: frozenset[Province] = frozenset()
    removed: tuple[Unit, ...] = ()
    disbanded: tuple[Unit, ...] = ()
    paradoxes: tuple[Paradox, ...] = ()

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        return self._telling.outcomes()

    @property
    def unordered(self) -> tuple[Outcome, ...]:
        """Return what is supposed for units without an order: a hold, or that it disbands."""
        return self._telling.unordered()


new_adjudication = maker(Adjudication)
