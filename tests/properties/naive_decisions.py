"""One decision of the rulebook, given all the others.

A unit is known by the province in which it begins. Its decision is whether its order succeeds: its
move succeeds, its support is given, its convoy is available.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

from judge.rules.rule_options import ConvoyParadoxes, ConvoyRoutes, DislodgedBounce
from judge.rules.types import Province, SupportMove, UnitKind
from tests.properties.naive_orders import Field

Says: TypeAlias = Callable[[Province], bool]


class Supposing:
    """The decisions on a *field* that follow if *says* answers all the others."""

    def __init__(self, field: Field, says: Says) -> None:
        self._field = field
        self._says = says

    def comes_about(self, unit: Province) -> bool:
        """Return whether the order of *unit* succeeds: its move, support or convoy."""
        attackers = self._field.attackers(unit)
        if unit in self._field.moves:
            return self._moves(unit)
        if unit in self._field.supports:
            return not any(self._cuts(attacker, unit) for attacker in attackers)
        return not any(self._says(attacker) for attacker in attackers)

    def carried(self, army: Province) -> bool:
        """Return whether *army* has an undisrupted convoy path (DATC 4.A.1)."""
        enough = any if self._field.rulebook.convoy_routes is ConvoyRoutes.ALL_ROUTES else all
        return enough(all(map(self._says, route)) for route in self._field.routes(army))

    def keeps_out(self, rival: Province) -> bool:
        """Return whether *rival* has prevent strength: it bounces others though it fails."""
        if not self._arrives(rival):
            return False
        # It cannot if it is beaten head-on (rulebook VIII), or maybe if dislodged (DATC 4.A.7).
        field, says = self._field, self._says
        always = field.rulebook.dislodged_bounce is DislodgedBounce.ALWAYS_NONE
        return not any(
            says(other) and (field.head_on(rival, other) or (always and not says(rival)))
            for other in field.attackers(rival)
            if field.origin(other) == field.moves[rival]
        )

    def _arrives(self, unit: Province) -> bool:
        """Return whether the attack of *unit* takes place, successful or not."""
        return not self._field.by_sea(unit) or self.carried(unit)

    def _moves(self, unit: Province) -> bool:
        """Return whether the move of *unit* succeeds (rulebook VIII, IX.2, IX.3)."""
        field = self._field
        if not self._arrives(unit):
            return False
        end, supporters = field.moves[unit], self._supporters(unit)
        if self._stays(end, unit):
            if field.same_power(unit, end):
                return False  # IX.3: no power dislodges its own unit, or helps to
            supporters = [each for each in supporters if not field.same_power(each, end)]
            held = end not in field.moves or field.head_on(unit, end)
            if len(supporters) <= (len(self._supporters(end)) if held else 0):
                return False
        rivals = [rival for rival in field.attackers(end) if rival != unit]
        against = [
            *(rival for rival in rivals if self.keeps_out(rival)),
            *(army for army in field.attackers(unit) if self._lands_against(army, unit)),
        ]
        return all(len(supporters) > len(self._supporters(other)) for other in against)

    def _stays(self, occupant: Province, attacker: Province) -> bool:
        """Return whether *occupant* stays in the province that *attacker* moves to."""
        if occupant not in self._field.units:
            return False
        if not self._field.goes(occupant) or self._field.head_on(attacker, occupant):
            return True
        return not self._says(occupant)

    def _lands_against(self, army: Province, unit: Province) -> bool:
        """Return whether *army* attacks from the sea that *unit* moves to, head-to-head (4.A.4).

        It does if its convoy is intact, or if only *unit* itself disrupts it (DATC 6.F.30).
        """
        sea = self._field.moves[unit]

        def but_for_the_unit(fleet: Province) -> bool:
            return self._says(fleet) or (fleet == sea and self._says(unit))

        meet = self._field.by_sea(army) and self._field.head_on(unit, army)
        return meet and Supposing(self._field, but_for_the_unit).carried(army)

    def _cuts(self, attacker: Province, supporter: Province) -> bool:
        """Return whether *attacker* cuts the support of *supporter* (IX.5, IX.6, XII.5)."""
        if self._field.same_power(attacker, supporter) or not self._arrives(attacker):
            return False
        if self._field.by_sea(attacker) and self._saved(supporter, attacker):
            return False
        _, aim = self._field.supports[supporter]
        return self._field.origin(attacker) != aim or self._says(attacker)

    def _saved(self, supporter: Province, army: Province) -> bool:
        """Return whether the rule of 4.A.2 keeps a convoyed *army* from cutting *supporter*."""
        field = self._field
        _, sea = field.supports[supporter]
        on_route = any(sea in route for route in field.routes(army))
        against = isinstance(field.orders[supporter], SupportMove) and on_route
        if field.units[supporter].kind is UnitKind.ARMY:
            return False
        match field.rulebook.convoy_paradoxes:
            case ConvoyParadoxes.SZYKMAN | ConvoyParadoxes.ALL_HOLD | ConvoyParadoxes.DPTG:
                return False
            case ConvoyParadoxes.RULE_1971:
                return against
            case ConvoyParadoxes.RULE_1982:
                return any(sea in route for other in field.moves for route in field.routes(other))
            case ConvoyParadoxes.RULE_2000:
                without = Supposing(field, lambda fleet: fleet != sea and self._says(fleet))
                return against and not without.carried(army)
            case rule:
                assert_never(rule)

    def _supporters(self, unit: Province) -> list[Province]:
        helpers = [each for each, (helped, _) in self._field.supports.items() if helped == unit]
        return [each for each in helpers if self._says(each)]
