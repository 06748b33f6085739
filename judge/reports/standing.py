"""What stands for a power, and who owns what: parts of several mails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.reports.items import OrderLeft, OrderTaken
    from judge.rules.types import Phase, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class Count:
    """The centers and units of a power after Fall; *due* are builds (+) or removals (-)."""

    power: Power
    centers: int
    units: int
    due: int
    open_homes: tuple[Province, ...] = ()


@dataclass(frozen=True, slots=True)
class YearEnd:
    """Who owns what after Fall, and what has to be built or removed.

    *won* and *lost* are the centers that changed hands in the year, by powers for which any did.
    """

    owned: Mapping[Power, tuple[Province, ...]]
    unowned: tuple[Province, ...]
    counts: tuple[Count, ...]
    won: Mapping[Power, tuple[Province, ...]]
    lost: Mapping[Power, tuple[Province, ...]]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a power wants to order in *phase*, which is still to come, a line for each unit."""

    phase: Phase
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What stands for the reader's power now.

    *standing* are its orders, *missing* its units without one; *to_order* counts the units,
    builds or removals that want one, *vain* the orders that can never be carried out, and
    *beyond* those that are more than are due; *complete* says that the phase needs nothing more
    from the power; *kept* is for later phases. The *draw* that it accepts is of all who survive,
    unless it names those *among* whom it is. *unfit* was ordered in advance and no longer fits.
    """

    power: Power
    standing: tuple[OrderTaken, ...]
    missing: tuple[Unit, ...]
    to_order: int
    vain: int
    complete: bool
    waiting: bool
    ready: bool
    ready_needed: bool
    draw: bool
    concedes_to: Power | None
    beyond: int = 0
    draw_among: tuple[Power, ...] = ()
    kept: tuple[Kept, ...] = ()
    unfit: tuple[OrderLeft, ...] = ()

    @property
    def given(self) -> int:
        """Count the orders that are asked for, of those that stand."""
        counting = len(self.standing) - self.beyond
        if counting > self.to_order:  # Of adjustments more than are due some cannot be done.
            counting -= self.vain
        return min(counting, self.to_order - len(self.missing))

    @property
    def unfit_elsewhere(self) -> tuple[OrderLeft, ...]:
        """Return what no longer fits and is not shown among the orders that stand."""
        standing = {each.order for each in self.standing}
        return tuple(each for each in self.unfit if each.order not in standing)

    @property
    def contradictory(self) -> int:
        """Count the supports and convoys that contradict another order of the power."""
        return sum(each.contradicts is not None for each in self.standing)

    @property
    def superfluous(self) -> bool:
        """Say whether what cannot be done stands beside as many orders as are asked for."""
        return self.vain > 0 and len(self.standing) - self.beyond > self.to_order

    @property
    def waits_for_ready(self) -> bool:
        """Say whether all that is ordered can be done, and READY alone is not said."""
        enough = self.given >= self.to_order > 0 and not self.vain
        return self.ready_needed and not self.ready and enough
