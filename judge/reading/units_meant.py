"""Find which units and places the words of a frame mean, also those said before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.reading.chunks import Chunk
from judge.reading.marks import BUT
from judge.reading.notation import units_named
from judge.reading.policy import CANNOT_HELP, Status, place_of
from judge.reading.resolution import Resolution
from judge.reading.segment import Frame
from judge.reading.tokens import GUESS, PAIR
from judge.reading.world import FAR
from judge.rules import types
from judge.rules.types import PhaseKind, Unit, UnitKind

UNRESOLVED = 5.0  # the cost of a reference to nothing
NAMED = 1.3  # the cost of helping a unit of which nothing was understood


@dataclass(slots=True)
class UnitsMeant(Resolution):
    """Finds the units and places that words mean."""

    def _subjects(self, frame: Frame) -> tuple[list[tuple[Unit, ...]], float]:  # noqa: PLR0911 - one return a way to say it
        """Return the units that may be each subject, and the cost of finding them."""
        if not frame.subjects:
            follows = self.chunks[frame.first].relative and self.before is not None
            if follows and self.before:
                named = self.before.object or self.before.target or self._excepted_before(frame)
                unit = (
                    next((u for p in named.places if (u := self.world.own.get(p))), None)
                    if named
                    else None
                )
                if unit and self.before.sort in {"support", "hold"}:
                    return [(unit,)], 0.0
            if self.said.units and self.said.sentence >= self.chunks[frame.first].sentence - 1:
                return [(unit,) for unit in self.said.units], UNRESOLVED if self._is_in_doubt(
                    frame
                ) else max(0.0, self.said.cost - frame.cost)
            if len(self.world.own) == 1 and self.world.kind is PhaseKind.RETREATS:
                return [tuple(self.world.own.values())], 0.0
            if self.world.kind is PhaseKind.RETREATS and frame.target:
                can = tuple(
                    u
                    for u in self.world.own.values()
                    if any(self.world.reach(u, p) == 0 for p in frame.target.places)
                )
                return [can], 0.0
            return [], UNRESOLVED
        found: list[tuple[Unit, ...]] = []
        cost = 0.0
        if frame.strict:
            return [self._named(chunk, frame) for chunk in frame.subjects], 0.0
        for chunk in frame.subjects:
            units, extra = self._units_of(chunk, frame)
            found += units
            cost = max(cost, extra)
        return found, cost

    def _excepted_before(self, frame: Frame) -> Chunk | None:
        """Return what is not among all: `all hold except Vienna, which goes to Galicia`."""
        above = [c for c in self.chunks[max(frame.first - 3, 0) : frame.first] if c.key != ","]
        roles = [c.role for c in above[-PAIR:]]
        return above[-1] if roles == ["except", "np"] else None

    def _is_in_doubt(self, frame: Frame) -> bool:
        """Return whether what was said is, and *frame* decides nothing: `should go, but stays`."""
        if frame.sort == "disband":
            return False
        first = self.before.last if self.before else frame.first
        said = (c for c in self.chunks[first : frame.last + 1] if c.sentence == self.said.sentence)
        return self.said.doubted and all(c.role != "so" and c.key not in BUT for c in said)

    def _named(self, chunk: Chunk, frame: Frame) -> tuple[Unit, ...]:
        """Return the units that notation may name, or that one of a wrong kind may be."""
        units = units_named(chunk, self.world)
        here = [self.world.own[unit.province] for unit in units if unit.province in self.world.own]
        wrong = len(here) == 1 and here[0].kind is not units[0].kind
        to = frame.target.places if frame.target else ()
        if wrong and to and all(self.world.reach(here[0], place) >= FAR for place in to):
            others = self._of_wrong_kind(chunk, frame)
            return units if others == tuple(here) else others
        return self._that_can(units, frame)

    def _units_of(self, chunk: Chunk, frame: Frame) -> tuple[list[tuple[Unit, ...]], float]:  # noqa: C901, PLR0911, PLR0912 - one return a way to name units
        own = self.world.own
        if chunk.pronoun == "it":
            here = self._standing(frame, tuple(own.values())) if frame.sort == "hold" else ()
            if here:
                return [here], 0.0
            if not self.said.units and self.world.kind is PhaseKind.RETREATS:
                given = {place_of(e) for e in self.found if e.status is not Status.DOUBTED}
                left = tuple(unit for unit in own.values() if unit.province not in given)
                if len(left) == 1:
                    return [left], 0.0
            return (
                ([(unit,) for unit in self.said.units], 0.0)
                if self.said.units
                else ([], UNRESOLVED)
            )
        others = chunk.quantity == "other" and chunk.number > 1  # `The other two stay`
        if chunk.quantity in {"all", "rest"} or others or (chunk.plural and not chunk.places):
            return self._several(chunk)
        if (
            chunk.quantity == "other"
            and not chunk.has_kind
            and not chunk.places
            and self.said.units
        ):
            if len(self.said.others) == 1:
                return [self.said.others], 0.0
            if here := self._standing(frame, tuple(own.values())):
                return [here], 0.0
            kind = self.said.units[0].kind
            free = tuple(
                u for u in own.values() if u.kind is kind and u.province not in self.mentioned
            )
            return [free], 0.2 if len(free) == 1 else 2.0
        if chunk.quantity == "both" and not chunk.places:
            if chunk.has_kind or len(own) != PAIR:
                return self._several(chunk)
            return [(unit,) for unit in own.values()], 0.0
        if chunk.units and chunk.places:
            return [self._that_can(chunk.units, frame)], 0.0
        if chunk.has_kind or chunk.pronoun == "one":
            units = chunk.units or tuple(own.values())
            if len(units) == 1:
                return [units], 0.0
            here = self._standing(frame, units)
            if here:
                return [here], 0.0
            free = tuple(unit for unit in units if unit.province not in self.mentioned)
            if len(free) == 1:
                return [free], 0.3
            can = self._that_can(free or units, frame)
            return [can], 0.4 if len(can) == 1 else 2.0
        return [], UNRESOLVED

    def _of_wrong_kind(self, chunk: Chunk, frame: Frame) -> tuple[Unit, ...]:
        """Return the unit where *chunk* says, or guess the one of its kind that can do it."""
        here = tuple(self.world.own[p] for p in chunk.places if p in self.world.own)
        to = frame.target.places if frame.target and frame.sort in {"move", "retreat"} else ()
        units = [u for u in self.world.own.values() if u.kind is chunk.kind]
        can = [u for u in (*here, *units) if any(self.world.reach(u, p) == 0 for p in to)]
        if not can or can[0] in here:
            return here
        chunk.guessed = GUESS
        return tuple(can)

    def _standing(self, frame: Frame, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """Return the unit whose place is named beside the subject."""
        for chunk in self.chunks[frame.first : frame.last]:
            if (
                chunk.role == "np"
                and chunk is not frame.target
                and chunk is not frame.object
                and chunk not in frame.subjects
            ):
                if chunk.pronoun == "there" and (self.said.target or self.said.sort == "named"):
                    there = {types.province_of(self.said.target)}
                    if not self.said.target:
                        there = {unit.province for unit in self.said.units}
                    return tuple(unit for unit in units if unit.province in there)
                here = tuple(unit for unit in units if unit in chunk.units)
                if len(here) == 1 and chunk.stands:
                    return here
        return ()

    def _that_can(self, units: tuple[Unit, ...], frame: Frame) -> tuple[Unit, ...]:
        if frame.target and frame.target.places and frame.sort in {"move", "retreat"}:
            near = tuple(
                u for u in units if any(self.world.reach(u, p) == 0 for p in frame.target.places)
            )
            return near or units
        return units

    def _several(self, chunk: Chunk) -> tuple[list[tuple[Unit, ...]], float]:
        named = chunk.units or self.world.own.values()
        units = [u for u in named if chunk.kind in (None, u.kind)]
        if chunk.quantity in {"rest", "other"}:
            units = [u for u in units if u.province not in self.mentioned]
        if chunk.number and chunk.number != len(units):
            free = [u for u in units if u.province not in self.mentioned]
            if len(free) != chunk.number:
                return [], UNRESOLVED  # `two units`, but which?
            units = free
        if chunk.quantity == "both" and len(units) != PAIR:
            units = [u for u in units if u.province not in self.mentioned]
            return ([(u,) for u in units], NAMED) if len(units) == PAIR else ([], UNRESOLVED)
        if len(units) > -self.world.due > 0:
            return [], UNRESOLVED  # `the units to go: ...`
        return [(unit,) for unit in units], 0.0 if units else UNRESOLVED

    def _place(self, chunk: Chunk, unit: Unit | None) -> tuple[types.Location, ...]:
        """Return where *chunk* may be, the nearest for *unit*."""
        if chunk.pronoun == "its_place":
            return tuple(u.province for u in self.said.units[:1])
        if chunk.pronoun == "there":
            return (self.said.target,) if self.said.target else ()
        places = chunk.places
        if len(places) > 1 and unit:
            costs = {place: self.world.reach(unit, place) for place in places}
            least = min(costs.values())
            places = tuple(place for place in places if costs[place] == least)
        return tuple(f"{place}/{chunk.coast}" if chunk.coast else place for place in places)

    def _helped(self, frame: Frame) -> tuple[Unit | None, types.Location, float]:  # noqa: C901, PLR0911 - one return a way to name it
        """Return the unit helped, where it goes, and the cost of finding out."""
        if frame.object is not None:
            chunk = frame.object
            units = [self.world.standing[p] for p in chunk.places if p in self.world.standing]
            units = (
                [u for u in units if chunk.kind in (None, u.kind)] or units or list(chunk.units)
            )
            if not units and frame.strict:
                units = list(units_named(chunk, self.world))
            if not units:
                return None, "", UNRESOLVED
            cost = 0.0
            to: types.Location = ""
            if frame.target:
                units = self._nearest(self._that_go(units, frame.target), frame.target)
                places = self._place(frame.target, units[0])
                helpers = [unit for chunk in frame.subjects for unit in chunk.units]
                places = tuple(p for p in places if self._all_reach(helpers, p)) or places
                to = places[0] if places else ""
                cost += 2.0 if len(places) > 1 else 0.0
            if len(units) > 1:
                cost += 2.0
            if frame.also_moves and not to:
                goes = [
                    e.order.target
                    for e in self.found
                    if isinstance(e.order, types.Move) and e.order.unit == self._name(units[0])
                ]
                if not goes:
                    return None, "", UNRESOLVED
                to = goes[-1]
            return units[0], to, cost
        said = self.said
        if said.doubted and not self._is_doubted(frame):
            return None, "", UNRESOLVED
        if (
            frame.refers
            and said.sort in {"move", "hold", "named", "support"}
            and said.object is not None
        ):
            if frame.target and frame.target.places:
                places = self._place(frame.target, said.object)
                return said.object, places[0] if places else "", 0.3
            unsure = NAMED if said.sort == "named" else max(0.0, said.cost - frame.cost)
            return said.object, said.to, unsure + self._is_far(frame)
        return None, "", UNRESOLVED

    def _is_far(self, frame: Frame) -> bool:
        """Return whether other words stand between *frame* and the sentence that it refers to."""
        here = self.chunks[frame.first].sentence
        between = range(self.said.sentence + 1, here)
        return any(c.sentence in between and c.role != "break" for c in self.chunks)

    def _that_go(self, units: list[Unit], target: Chunk) -> list[Unit]:
        """Return those of *units* that were said to go to *target*, or all."""
        moves = [e.order for e in self.found if isinstance(e.order, types.Move)]
        to = {each.unit for each in moves if types.province_of(each.target) in target.places}
        return [unit for unit in units if self._name(unit) in to] or units

    def _nearest(self, units: Sequence[Unit], target: Chunk) -> list[Unit]:
        """Return those of *units* that are nearest to *target*, all if it is far."""
        cost = {
            unit: min((self.world.reach(unit, place) for place in target.places), default=FAR)
            for unit in units
        }
        least = min(cost.values())
        return [unit for unit in units if least >= FAR or cost[unit] == least]

    def _all_reach(self, units: Sequence[Unit], place: types.Location) -> bool:
        return all(self.world.reach(unit, types.province_of(place)) == 0 for unit in units)

    def _carried(self, frame: Frame) -> tuple[Unit | None, types.Location, float]:
        if frame.object is not None:
            units = [
                self.world.standing[p] for p in frame.object.places if p in self.world.standing
            ] or list(frame.object.units)
            units = [u for u in units if u.kind is UnitKind.ARMY]
            if not units and frame.strict:
                units = list(units_named(frame.object, self.world))
            if len(units) > 1 and frame.target:
                units = self._that_go(units, frame.target)
            if len(units) != 1 or frame.target is None:
                return None, "", UNRESOLVED
            places = self._place(frame.target, units[0])
            return units[0], places[0] if len(places) == 1 else "", 0.0
        if frame.refers and frame.target:
            armies = [u for u in self.said.units if u.kind is UnitKind.ARMY]
            places = self._place(frame.target, armies[0]) if len(armies) == 1 else ()
            found = (armies[0], places[0], NAMED) if len(places) == 1 else (None, "", UNRESOLVED)
            return found if self.said.sort == "named" else (*found[:2], found[2] - NAMED)
        if (
            frame.refers
            and self.said.sort in {"move", "support"}
            and self.said.object
            and self.said.object.kind is UnitKind.ARMY
            and self.said.to
        ):
            return self.said.object, self.said.to, max(0.0, self.said.cost - frame.cost)
        return None, "", UNRESOLVED

    def _far(self, unit: Unit, place: types.Location) -> float:
        reach = self.world.reach(unit, types.province_of(place))
        return 0.0 if reach == 0 else CANNOT_HELP
