"""Why each order came out as it did: the strengths that met, the rule, and what it hung on.

All of it follows from the outcomes of a phase alone, which the log keeps, so that it can be told
long after. A chain never comes back to where it has been: each outcome is in it once, as near to
its beginning as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.citations import (
    BELEAGUERED,
    CONFLICT,
    DUPLICATES,
    NO_EFFECT,
    NO_EFFECT_BY_SEA,
    OVERLAND,
    OWN_HELP,
    OWN_HELP_BACK,
    OWN_UNIT,
    OWN_UNIT_BACK,
    ROUTES,
    SELF_STANDOFF,
    SPARED,
    STRONGER,
    SURPLUS,
    Rule,
    Spared,
    rule_of,
)
from judge.rules.conflicts import Conflict, Conflicts, attack_of, end_of, unit_of
from judge.rules.order import Convoy, Move, Order, SupportHold, SupportMove
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    FailCause,
    Fails,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    OwnUnit,
    Paradox,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
)
from judge.rules.result import Adjudication
from judge.rules.vocabulary import Province, province_of


@dataclass(frozen=True, slots=True)
class Reason:
    """Why *outcome* came of its order.

    *conflict* are the strengths that met, if strength decided. *because* are the reasons of the
    orders that it hung on, the nearest first; *paradox* is the one that its unit was in. *spared*
    are the attacks that did not cut this support; *void* those on the same province that were as
    strong as this move, and had no effect, or this one itself: their units were dislodged by one
    from there. *own_victim* is whom this support may not help to dislodge.
    """

    outcome: Outcome
    rule: Rule
    conflict: Conflict | None = None
    because: tuple[Reason, ...] = ()
    paradox: Paradox | None = None
    spared: tuple[tuple[Outcome, Spared], ...] = ()
    void: tuple[Outcome, ...] = ()
    own_victim: Outcome | None = None

    @property
    def overland(self) -> Rule | None:
        """Return the rule by which this army went by land, if it was to go or could go by sea."""
        return OVERLAND if self.outcome.by_land else None

    @property
    def lost(self) -> tuple[Reason, ...]:
        """Return the reasons of the supports that were meant for this order and did not count."""
        return tuple(
            each
            for each in self.because
            if isinstance(each.outcome.order, SupportHold | SupportMove)
            and each.outcome.order.supported.province == unit_of(self.outcome)
            and not isinstance(each.outcome.verdict, Given)
        )


def explain(adjudication: Adjudication, order: Order | Outcome) -> Reason:
    """Return why *order* came out as it did; of orders that are alike, the first, or the outcome.

    Raises `ValueError` if it was not given, nor supposed for a unit without an order.
    """
    outcomes = (*adjudication.outcomes, *adjudication.unordered)
    alike = [each for each in outcomes if order in (each, each.order)]
    if not alike:
        raise ValueError(f"not an order of this phase: {order}")
    return Reasons(outcomes, adjudication.paradoxes).of(alike[0])


class Reasons:
    """The reasons for all *outcomes* of one phase, those of units without an order included."""

    def __init__(self, outcomes: Sequence[Outcome], paradoxes: Sequence[Paradox] = ()) -> None:
        self._outcomes = outcomes
        self._paradoxes = paradoxes
        self._conflicts = Conflicts(outcomes)
        self.units = self._conflicts.units

    def of(self, outcome: Outcome) -> Reason:
        """Return why *outcome* came about."""
        return self._reason(outcome, {id(outcome)})

    def _reason(self, outcome: Outcome, told: set[int]) -> Reason:
        near = {id(each): each for each in self._hung_on(outcome) if id(each) not in told}
        told.update(near)
        conflict = self._conflicts.of(outcome)
        spared, void = tuple(self._spared(outcome)), tuple(self._void(outcome))
        return Reason(
            outcome,
            self._rule(outcome, conflict, spared, void),
            conflict,
            tuple(self._reason(each, told) for each in near.values()),
            self._paradox(unit_of(outcome)),
            spared,
            void,
            self._own_victim(outcome),
        )

    def _rule(
        self,
        outcome: Outcome,
        conflict: Conflict | None,
        spared: Sequence[tuple[Outcome, Spared]],
        void: Sequence[Outcome],
    ) -> Rule:
        if void:
            head_on = isinstance(_cause(void[0]), HeadOn)
            return NO_EFFECT if head_on else NO_EFFECT_BY_SEA
        if spared:
            return SPARED[spared[0][1]]
        match outcome.verdict, outcome.order:
            case Fails(StoodOff(rivals=rivals)), _ if self._all_own(rivals, outcome):
                return SELF_STANDOFF
            case Fails(HeldOff(attack, defender)), _ if attack.given > defender.total:
                return OWN_HELP_BACK if self._came_back(defender.unit) else OWN_HELP
            case Fails(OwnUnit(attack, province)), _:
                assert conflict
                assert conflict.defense
                if attack.given <= conflict.defense.total:
                    return CONFLICT
                return OWN_UNIT_BACK if self._came_back(province) else OWN_UNIT
            case Fails(ConvoyBroken()), _ if self._other_routes(outcome):
                return ROUTES
            case Given(), _ if self._own_victim(outcome):
                return OWN_HELP
            case Stands(), _ if outcome.fate:
                return STRONGER
            case Stands(), _ if conflict:
                return self._undefeated(outcome, conflict)
            case Available(), Convoy(army=army) if self.units[army.province].by_land:
                return OVERLAND
            case Disrupted(by), _ if by and not outcome.fate:
                return OVERLAND
            case verdict, order:
                return rule_of(order, verdict)

    def _other_routes(self, outcome: Outcome) -> bool:
        """Tell whether fleets were left to carry the army of *outcome*, though not enough."""
        helpers = self._helpers(unit_of(outcome), end_of(outcome))
        return any(isinstance(each.verdict, Available) for each in helpers)

    def _own_victim(self, support: Outcome) -> Outcome | None:
        """Return the unit of its own power that *support* could not help to dislodge."""
        aim = _aim(support.order)
        if aim is None or not isinstance(support.verdict, Given):
            return None
        attack = attack_of(self.units[_supported(support.order)])
        barred = attack is not None and unit_of(support) in attack.discounted
        return self.units[aim] if barred else None

    def _undefeated(self, outcome: Outcome, conflict: Conflict) -> Rule:
        """Return the rule by which a unit that holds withstood all attacks."""
        stronger = [each for each in conflict.attacks if each.given > conflict.strength.total]
        if not stronger:
            return CONFLICT
        foreign = [each for each in stronger if self.units[each.unit].power != outcome.power]
        if any(each.total > conflict.strength.total for each in foreign):
            return BELEAGUERED
        return OWN_HELP if foreign else OWN_UNIT

    def _spared(self, support: Outcome) -> Iterator[tuple[Outcome, Spared]]:
        """Yield each attack on the unit of *support*, if that is given, and why it did not cut."""
        if not isinstance(support.verdict, Given):
            return
        for attack in self._conflicts.rivals(support):
            if attack.power == support.power:
                yield attack, Spared.OWN_ATTACK
            elif unit_of(attack) == _aim(support.order):
                yield attack, Spared.AIMED_AT
            else:
                yield attack, _spared_at_sea(attack, support)

    def _void(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the attacks without effect where *outcome* went, itself if it is one (IX.7)."""
        match outcome.verdict:
            case Succeeds(attack) if attack:
                for each in self._conflicts.rivals(outcome):
                    strength = attack_of(each)
                    if each.fate and strength and strength.total >= attack.total:
                        yield each
            case Fails(StoodOff(attack, rivals)) if outcome.fate:
                equal = (each.unit for each in rivals if each.total == attack.total)
                if any(isinstance(self.units[unit].verdict, Succeeds) for unit in equal):
                    yield outcome
            case _:
                return

    def _all_own(self, strengths: Iterable[Strength], outcome: Outcome) -> bool:
        return all(self.units[each.unit].power == outcome.power for each in strengths)

    def _came_back(self, province: Province) -> bool:
        """Tell whether the unit that stayed in *province* had tried to leave."""
        return end_of(self.units[province]) is not None

    def _paradox(self, unit: Province) -> Paradox | None:
        for paradox in self._paradoxes:
            if unit in paradox.convoys or unit in paradox.moves:
                return paradox
        return None

    def _hung_on(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield what *outcome* followed from, the nearest first."""
        if outcome.fate:
            yield self.units[outcome.fate.by]
        match outcome.verdict:
            case Illegal(why):
                yield from self._preferred(outcome, why)
            case Invalid():
                yield from self._relied_on(outcome)
            case Fails(cause):
                yield from (self.units[province] for province in _blockers(cause))
                yield from self._helpers(unit_of(outcome), end_of(outcome))
            case Cut(by):
                yield self.units[by]
            case Disrupted(by) if by:
                yield self.units[by]
            case Succeeds() | Stands() | Given() | Available() | Disrupted():
                yield from self._helpers(unit_of(outcome), end_of(outcome))
                yield from self._conflicts.rivals(outcome)
            case _:
                assert_never(outcome.verdict)

    def _preferred(self, outcome: Outcome, why: Impossible) -> Iterator[Outcome]:
        """Yield the orders that count, where *outcome* is one too many."""
        rivals = (each for each in self._outcomes if each.power == outcome.power)
        counting = [each for each in rivals if not isinstance(each.verdict, Illegal)]
        if why in DUPLICATES:
            yield from (each for each in counting if unit_of(each) == unit_of(outcome))
        if why in SURPLUS:
            yield from counting

    def _relied_on(self, outcome: Outcome) -> Iterator[Outcome]:
        match outcome.order:
            case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
                yield self.units[other.province]
            case Move(target=target):
                yield from self._helpers(unit_of(outcome), province_of(target))
            case _:
                pass

    def _helpers(self, unit: Province, end: Province | None) -> Iterator[Outcome]:
        """Yield what was ordered to help *unit* to *end*, or to stay, whether it did or not."""
        for each in self._outcomes:
            match each.order:
                case SupportHold(supported=other) if end is None:
                    helps = other.province == unit
                case SupportMove(supported=other, target=to) | Convoy(army=other, target=to):
                    helps = other.province == unit and province_of(to) == end
                case _:
                    helps = False
            if helps:
                yield each


def _spared_at_sea(attack: Outcome, support: Outcome) -> Spared:
    """Return why the convoyed *attack* did not cut the *support*."""
    match _cause(attack):
        case ConvoyParadox() | ParadoxHold():
            return Spared.SELF_DECIDED
        case ConvoyBroken(fleets) if _aim(support.order) not in fleets:
            return Spared.NOT_CARRIED
        case _:
            return Spared.CONVOYED


def _cause(outcome: Outcome) -> FailCause | None:
    return outcome.verdict.cause if isinstance(outcome.verdict, Fails) else None


def _supported(order: Order) -> Province:
    assert isinstance(order, SupportMove)
    return order.supported.province


def _aim(order: Order) -> Province | None:
    """Return the province that *order* supports a move to; none if it supports none."""
    return province_of(order.target) if isinstance(order, SupportMove) else None


def _blockers(cause: FailCause) -> tuple[Province, ...]:
    """Return where those stood whom *cause* names."""
    match cause:
        case StoodOff(rivals=rivals):
            return tuple(each.unit for each in rivals)
        case HeldOff(defender=other) | HeadOn(opponent=other):
            return (other.unit,)
        case OwnUnit(defender=province):
            return (province,)
        case ConvoyBroken(provinces) | ConvoyParadox(provinces) | ParadoxHold(provinces):
            return provinces
        case RetreatsClash(provinces):
            return provinces
        case Futile():
            return ()
        case _:
            assert_never(cause)
