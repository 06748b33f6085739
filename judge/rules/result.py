"""What an adjudication gives: the position after, and what became of every order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from judge.rules.outcome import Outcome, Paradox
from judge.rules.position import Position
from judge.rules.vocabulary import Province, Unit


@dataclass(frozen=True)
class Adjudication:
    """What became of the orders of one phase.

    *after* is the position of the next phase in which somebody must or may order. *contested* are
    the provinces that a standoff left empty. *removed* are the units taken off in adjustments
    because their power did not say which; *disbanded* are all that left the board in a retreat
    phase, on order, for want of one, or by a clash; *paradoxes* convoys that hung on themselves.
    Outcomes are made when first asked for.
    """

    after: Position
    contested: frozenset[Province] = frozenset()
    removed: tuple[Unit, ...] = ()
    disbanded: tuple[Unit, ...] = ()
    paradoxes: tuple[Paradox, ...] = ()
    _account: Callable[[], tuple[Outcome, ...]] = field(kw_only=True, repr=False, compare=False)
    _silence: Callable[[], tuple[Outcome, ...]] = field(kw_only=True, repr=False, compare=False)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        return self._account()

    @cached_property
    def unordered(self) -> tuple[Outcome, ...]:
        """Return what is supposed for units without an order: a hold, or that it disbands."""
        return self._silence()
