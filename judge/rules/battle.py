"""The orders of one movement phase, matched with each other once."""

from __future__ import annotations

from judge.rules.coasts import landing, supported_coast_meant
from judge.rules.order import Convoy, Hold, Move, SupportHold, SupportMove
from judge.rules.outcome import Impossible, Unmatched
from judge.rules.questions import ConvoyedAttackFrom, ConvoyParadoxes, SupportOfTheAbsent
from judge.rules.scene import Scene
from judge.rules.slate import Slate
from judge.rules.vocabulary import Province, UnitKind, province_of
from judge.rules.voyage import Voyage, voyage_of


class Battle:
    """Who attacks, supports and carries whom; units are known by their index in the position.

    *target* is where a unit moves; *aim* where a support helps that matched an order; *supporters*
    who so helps a unit; *fleets* who carries an army; *voyages* the armies that go by sea;
    *attackers* who moves to a province; *void* the orders without effect, and why. *by_fleet* says
    that convoyed attacks come from the last fleet (DATC 4.A.4).
    """

    def __init__(self, scene: Scene, slate: Slate) -> None:
        count = len(slate.orders)
        self.scene = scene
        self.slate = slate
        self.target: list[Province | None] = [None] * count
        self.aim: list[Province | None] = [None] * count
        self.supporters: list[tuple[int, ...]] = [()] * count
        self.fleets: dict[int, list[int]] = {}
        self.voyages: dict[int, Voyage] = {}
        self.attackers: dict[Province, list[int]] = {}
        self.void: dict[int, Unmatched | Impossible] = {}
        self.by_fleet = scene.rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET
        movers: list[tuple[int, Move]] = []
        helpers: list[tuple[int, SupportHold | SupportMove | Convoy]] = []
        known = scene.reach.province
        for unit, order in enumerate(slate.orders):
            if isinstance(order, Move):
                self.target[unit] = known.get(order.target) or province_of(order.target)
                movers.append((unit, order))
            elif order is not None and not isinstance(order, Hold):
                helpers.append((unit, order))
        for unit, support_or_convoy in helpers:
            self._match(unit, support_or_convoy)
        for mover, move in movers:
            self._set_out(mover, move)

    def origin(self, unit: int) -> Province:
        """Return the province from where an attack of *unit* comes (DATC 4.A.4)."""
        if self.by_fleet and unit in self.voyages:
            return self.voyages[unit].last(self.scene)
        return self.scene.provinces[unit]

    def meet(self, unit: int, other: int) -> bool:
        """Tell whether each of the two attacks where the other comes from, by land or sea."""
        return (
            self.target[other] == self.origin(unit)
            and self.target[unit] == self.origin(other)
            and other not in self.void
        )

    def spares(self, army: int, supporter: int) -> bool:
        """Tell whether *army* would not cut *supporter* when it comes by sea.

        So it is where the support is a fleet's and aims at the army's own convoy, in the paradox
        rules of the rulebooks (DATC 4.A.2).
        """
        rule, order = self.scene.rulebook.convoy_paradoxes, self.slate.orders[supporter]
        if (
            rule in {ConvoyParadoxes.SZYKMAN, ConvoyParadoxes.ALL_HOLD, ConvoyParadoxes.DPTG}
            or self.scene.position.units[supporter].kind is UnitKind.ARMY
            or (isinstance(order, SupportHold) and rule is not ConvoyParadoxes.RULE_1982)
        ):
            return False
        voyage = self.voyages[army]
        return any(
            self.scene.provinces[fleet] == self.aim[supporter]
            and (rule is not ConvoyParadoxes.RULE_2000 or voyage.needs(self.scene, fleet))
            for fleet in voyage.fleets
        )

    def _match(self, unit: int, order: SupportHold | SupportMove | Convoy) -> None:
        standing, at = self.scene.standing, self.scene.at
        match order:
            case SupportMove(_, name):
                other = standing.get(name.location)
                self._support_move(unit, at[name.province] if other is None else other, order)
            case SupportHold(_, name):
                other = standing.get(name.location)
                self._support_hold(unit, at[name.province] if other is None else other)
            case Convoy():
                self._carry(unit, at[order.army.province], province_of(order.target))

    def _support_hold(self, unit: int, supported: int) -> None:
        if self.target[supported]:
            self.void[unit] = Unmatched.SUPPORTED_MOVES
        elif self._absent(supported):
            self.void[unit] = Unmatched.POWER_ABSENT
        else:
            self.aim[unit] = self.scene.provinces[supported]
            self.supporters[supported] += (unit,)

    def _absent(self, unit: int) -> bool:
        if self.scene.rulebook.support_of_the_absent is SupportOfTheAbsent.SUCCEEDS:
            return False
        power = self.scene.powers[unit]
        return all(giver != power for giver, _ in self.slate.given)

    def _support_move(self, unit: int, supported: int, order: SupportMove) -> None:
        move = self.slate.orders[supported]
        end = self.target[supported]
        if not isinstance(move, Move) or (
            move.target != order.target and end != province_of(order.target)
        ):
            self.void[unit] = Unmatched.NO_SUCH_MOVE
        elif move.target != order.target and self._coasts_differ(supported, move, order):
            self.void[unit] = Unmatched.COAST_MISMATCH
        else:
            self.aim[unit] = end
            self.supporters[supported] += (unit,)

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.scene.position.units[supported]
        meant = supported_coast_meant(self.scene, fleet, order.target)
        return "/" in meant and landing(self.scene, fleet, move.target) != meant

    def _carry(self, fleet: int, army: int, end: Province) -> None:
        if self.target[army] == end:
            self.fleets.setdefault(army, []).append(fleet)
        else:
            self.void[fleet] = Unmatched.ARMY_NOT_CONVOYED

    def _set_out(self, mover: int, order: Move) -> None:
        end = self.target[mover]
        assert end is not None
        near = order.target in self.scene.posts[mover].touches
        if not near or order.via_convoy or mover in self.fleets:
            if not self._boards(mover, order, end):
                return
        group = self.attackers.get(end)
        if group is None:
            self.attackers[end] = [mover]
        else:
            group.append(mover)

    def _boards(self, mover: int, order: Move, end: Province) -> bool:
        """Let *mover* go by sea if it has to; tell whether it goes at all."""
        futile = self.slate.futile.get(self.slate.counting[mover])
        if futile is not None:
            self.void[mover] = futile
            return False
        occupant = self.scene.at.get(end)
        opposite = occupant is not None and self.target[occupant] == self.scene.provinces[mover]
        way = voyage_of(self.scene, mover, order, self.fleets.get(mover, ()), opposite=opposite)
        if isinstance(way, Unmatched):
            self.void[mover] = way
            return False
        if way is not None:
            self.voyages[mover] = way
        return True
