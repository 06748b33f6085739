"""A position made ready for questions: who stands where, and which seas hold a fleet."""

from __future__ import annotations

from functools import cached_property

from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.questions import Slip
from judge.rules.reach import Landings, reach_of
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Province, Unit, UnitKind


class Scene:
    """What every question about the orders of one phase needs.

    Units are known by their index in `position.units`: *posts*, *provinces* and *powers* are
    theirs. *standing* is the index of the unit at a location, *at* of that in a province.
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
            self.posts = [(armies if u.kind is army else fleets)[u.location] for u in units]
        except KeyError:
            self.posts = [reach.post(unit) for unit in units]
        self.provinces = [post.province for post in self.posts]
        self.powers = [unit.power for unit in units]
        self.standing = {unit.location: index for index, unit in enumerate(units)}
        self.at = {province: index for index, province in enumerate(self.provinces)}

    @cached_property
    def afloat(self) -> int:
        """Return the bits of the seas that hold a fleet."""
        return sum(post.sea for post in self.posts)

    @cached_property
    def forgiving(self) -> bool:
        """Tell whether kind and owner of a unit may be missing or wrong in an order."""
        law = self.rulebook
        slips = (law.kind_omitted, law.kind_wrong, law.power_omitted, law.power_wrong)
        return slips == (Slip.LEGAL,) * len(slips)

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit that stands in *province*, the dislodged aside."""
        index = self.at.get(province)
        return None if index is None else self.position.units[index]

    def landings(self, unit: Unit) -> Landings:
        """Return where *unit* can go without a convoy."""
        return self.reach.post(unit).landings
