"""The orders of one movement phase, matched with each other once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules import coasts
from judge.rules.convoys import useful
from judge.rules.legality import obstacle
from judge.rules.muster import Muster
from judge.rules.order import Convoy, Move, Order, SupportHold, SupportMove
from judge.rules.outcome import Unmatched
from judge.rules.questions import ConvoyedAttackFrom, SupportedCoast, SupportOfTheAbsent
from judge.rules.reach import ARMY, NOWHERE
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, province_of
from judge.rules.voyage import Voyage, voyage_of

# Looking into an enum takes long.
FROM_FLEET, UNHEEDED = ConvoyedAttackFrom.FROM_FLEET, SupportOfTheAbsent.SUCCEEDS
OMIT_ANY = SupportedCoast.OMIT_ANY


class Battle(Muster):
    """Who attacks, supports and carries whom; units are known by their index in the position.

    Beside what `Muster` has: *aim* is where a unit helps, for each whose support found its match,
    *supporters* who so helps a unit; *fleets* are those that carry an army,
    *voyages* the armies that go by sea, *failing* the fleets that left one to go by land, and who
    broke that convoy. *attackers* are now all whose move counts, those by sea among them, and
    *void* all moves without effect. *by_fleet* says that convoyed attacks come from the last fleet
    (DATC 4.A.4).
    """

    def __init__(self, scene: Scene, given: Mapping[Power, Sequence[Order]]) -> None:
        super().__init__(scene, given)
        count = len(self.orders)
        self.aim: dict[int, Province] = {}
        self.supporters: list[tuple[int, ...]] = [()] * count
        self.fleets: dict[int, list[int]] = {}
        self.voyages: dict[int, Voyage] = {}
        self.failing: dict[int, int | None] = {}
        self.by_fleet = scene.rulebook.convoyed_attack_from is FROM_FLEET
        heeded = scene.rulebook.support_of_the_absent is not UNHEEDED
        self._match(absent_heeded=heeded)
        if self.fleets or self.leaving:
            self._board()

    def end(self, unit: int) -> Province | None:
        """Return where *unit* is ordered to move."""
        goal = self.goal[unit]
        return None if goal is None else goal.province

    def origin(self, unit: int) -> Province:
        """Return the province from where an attack of *unit* comes (DATC 4.A.4)."""
        if self.by_fleet and unit in self.voyages:
            return self.voyages[unit].last(self.scene)
        return self.scene.units[unit].province

    def meet(self, unit: int, other: int) -> bool:
        """Tell whether each of the two attacks where the other comes from, by land or sea."""
        return (
            self.end(other) == self.origin(unit)
            and self.end(unit) == self.origin(other)
            and other not in self.void
        )

    def helps(self, unit: int) -> bool:
        """Tell whether the convoy that *unit* was ordered to give found its army."""
        return any(unit in fleets for fleets in self.fleets.values())

    def mismatch(self, order: SupportHold | SupportMove | Convoy) -> Unmatched | None:
        """Return what *order*, if it is possible at all, does not find to help with."""
        scene = self.scene
        if isinstance(order, Convoy):
            army = scene.at.get(order.army.province, NOBODY)
            matches = self.end(army) == province_of(order.target) and army not in self.void
            return None if matches else Unmatched.ARMY_NOT_CONVOYED
        other = scene.at.get(order.supported.province, NOBODY)
        if isinstance(order, SupportHold):
            if self.goal[other]:
                return Unmatched.SUPPORTED_MOVES
            absent = not self.given.get(scene.units[other].power)
            fails = scene.rulebook.support_of_the_absent is SupportOfTheAbsent.FAILS
            return Unmatched.POWER_ABSENT if absent and fails else None
        move = self.orders[other]
        if not isinstance(move, Move) or self.end(other) != province_of(order.target):
            return Unmatched.NO_SUCH_MOVE
        if move.target != order.target and self._coasts_differ(other, move, order):
            return Unmatched.COAST_MISMATCH
        return None

    def land(self, stranded: Mapping[int, Mapping[int, int | None]]) -> None:
        """Let armies go by land after all, for want of the fleets that stand beside each."""
        for army, fleets in stranded.items():
            del self.voyages[army]
            self.failing.update(fleets)

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.scene.units[supported]
        meant = coasts.supported_coast_meant(self.scene, fleet, order.target)
        return "/" in meant and coasts.landing(self.scene, fleet, move.target) != meant

    def _match(self, *, absent_heeded: bool) -> None:
        """Let supports and convoys find what they are to help with, if they plainly do."""
        orders, goal, units, named = self.orders, self.goal, self.scene.units, self.scene.named
        armies, fleets = self.scene.reach.armies, self.scene.reach.fleets
        aim, supporters = self.aim, self.supporters
        coast_left_open = self.scene.rulebook.supported_coast is OMIT_ANY
        for unit in self.helping:
            order, end = orders[unit], None
            if type(order) is SupportMove:  # quicker than `isinstance`
                other = named.get(order.supported.location, NOBODY)
                there = goal[other]
                if there is not None and (
                    there.location == order.target
                    or (coast_left_open and there.province == order.target)
                ):
                    end = there.province
            elif type(order) is SupportHold:
                other = named.get(order.supported.location, NOBODY)
                if other != NOBODY and goal[other] is None and not absent_heeded:
                    end = units[other].province
            elif type(order) is Convoy:
                self._carry(unit, order)
                continue
            else:
                continue
            if end is not None:
                helper = units[unit]
                start = (armies if helper.kind is ARMY else fleets).get(helper.location, NOWHERE)
                if end in start.landings:
                    aim[unit] = end
                    supporters[other] += (unit,)
                    continue
            self._support_closely(unit, order)

    def _support(self, unit: int, supported: int, end: Province) -> None:
        self.aim[unit] = end
        self.supporters[supported] += (unit,)

    def _support_closely(self, unit: int, order: SupportHold | SupportMove) -> None:
        """Let a support find its match that is not plain."""
        scene = self.scene
        other = scene.at.get(order.supported.province, NOBODY)
        if other == NOBODY or self.mismatch(order):
            return
        end = self.end(other) or scene.units[other].province
        crosses = end in scene.post(unit).landings and scene.post(other).shore
        plain = crosses and isinstance(order, SupportMove) and end == order.target
        if plain or not obstacle(scene, scene.units[unit].power, order):
            self._support(unit, other, end)

    def _carry(self, fleet: int, order: Convoy) -> None:
        scene = self.scene
        army = scene.named.get(order.army.location, NOBODY)
        there = self.goal[army]
        if there is None or there.location != order.target or self.void:
            if self.mismatch(order):
                return
            army = scene.at[order.army.province]
        if self._on_route(fleet, army, order.target) or not obstacle(
            scene, scene.units[fleet].power, order
        ):
            self.fleets.setdefault(army, []).append(fleet)

    def _on_route(self, fleet: int, army: int, end: Province) -> bool:
        """Tell whether *fleet* is plainly on a route of *army*, if it is one, to *end*."""
        scene, reach, units = self.scene, self.scene.reach, self.scene.units
        if units[army].kind is not ARMY or units[fleet].kind is ARMY:
            return False
        start = units[army].province
        sea, shore = reach.sea.get(units[fleet].province, 0), reach.shore.get(start, 0)
        if sea & shore & reach.shore.get(end, 0):
            return True
        return bool(sea and shore and sea & useful(reach, start, end, scene.afloat))

    def _board(self) -> None:
        """Let the armies that may go by sea find their way; they may have set out by land."""
        for army in self.fleets:
            end = self.end(army)
            if army not in self.leaving and end is not None:
                self.attackers[end] = tuple([each for each in self.attackers[end] if each != army])
                if not self.attackers[end]:
                    del self.attackers[end]
                self.leaving.append(army)
        for mover in self.leaving:
            self._set_out(mover)

    def _set_out(self, mover: int) -> None:
        order, end = self.orders[mover], self.end(mover)
        assert isinstance(order, Move)
        assert end is not None
        occupant = self.scene.at.get(end, NOBODY)
        opposite = occupant != NOBODY and self.end(occupant) == self.scene.units[mover].province
        fleets = self.fleets.get(mover, ())
        way = voyage_of(self.scene, mover, order, fleets, opposite=opposite)
        if isinstance(way, Unmatched):
            self.void[mover] = way
            return
        if way is not None:
            self.voyages[mover] = way
        self.attackers[end] = (*self.attackers.get(end, ()), mover)
