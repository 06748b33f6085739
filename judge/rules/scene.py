"""A position made ready for questions: who stands where, and which seas hold a fleet."""

from __future__ import annotations

from collections.abc import Mapping

from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.questions import Slip
from judge.rules.reach import NOWHERE, Landings, reach_of
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind

NOBODY = -1  # in place of the index of a unit


class Scene:
    """What every question about the orders of one phase needs.

    Units are known by their index in `position.units`: *posts*, *provinces* and *powers* are
    theirs, with one more at the end for `NOBODY`. *at* is the index of the unit in a province,
    *standing* that of the unit at a location; it knows none if the rulebook does not forgive that
    kind or owner of a unit are missing or wrong in an order.
    """

    def __init__(self, board: Map, position: Position, rulebook: Rulebook) -> None:
        reach = reach_of(board)
        armies, fleets, army = reach.armies, reach.fleets, UnitKind.ARMY
        units = position.units
        self.board = board
        self.reach = reach
        self.position = position
        self.rulebook = rulebook
        try:
            posts = [(armies if u.kind is army else fleets)[u.location] for u in units]
        except KeyError:
            posts = [reach.post(unit) for unit in units]
        posts.append(NOWHERE)
        self.posts = posts
        self.provinces = [post.province for post in posts]
        self.powers = [unit.power for unit in units]
        self.powers.append("")
        indices = range(len(units))
        self.at = dict(zip(self.provinces, indices))  # noqa: B905 NOBODY is nowhere; saying so takes longer
        self.standing: dict[Location, int] = {}
        if _forgiving(rulebook):
            locations = [post.location for post in posts]
            ashore = locations == self.provinces
            self.standing = self.at if ashore else dict(zip(locations, indices))  # noqa: B905 as above
        self._afloat: int | None = None
        self._dues: Mapping[Power, int] | None = None

    # Kept by hand: mypyc takes a `cached_property` for one that is worked out each time.
    @property
    def afloat(self) -> int:
        """Return the bits of the seas that hold a fleet."""
        if self._afloat is None:
            self._afloat = sum([post.sea for post in self.posts])
        return self._afloat

    @property
    def dues(self) -> Mapping[Power, int]:
        """Return how many units each power may build, or below zero must remove."""
        if self._dues is None:
            self._dues = {power: self.position.due(power) for power in self.board.powers}
        return self._dues

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit that stands in *province*, the dislodged aside."""
        index = self.at.get(province)
        return None if index is None else self.position.units[index]

    def landings(self, unit: Unit) -> Landings:
        """Return where *unit* can go without a convoy."""
        return self.reach.post(unit).landings


def _forgiving(law: Rulebook) -> bool:
    return (
        law.kind_omitted is Slip.LEGAL
        and law.kind_wrong is Slip.LEGAL
        and law.power_omitted is Slip.LEGAL
        and law.power_wrong is Slip.LEGAL
    )
