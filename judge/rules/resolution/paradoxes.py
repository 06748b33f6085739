"""The rules for convoy paradoxes: convoys that depend on themselves (rulebook XII.5, DATC 4.A.2).

The printed rules of 1971, 1982 and 2000 prevent most paradoxes: some attacks do not cut support
(`may_cut`). The others, and Szykman's rule where a printed one has no answer, settle the cycle of
decisions (`backup_rule`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from judge.rules.convoys import ConvoyRoute, is_convoy_path, sea_bits
from judge.rules.outcomes import Paradox
from judge.rules.phase_context import PhaseContext
from judge.rules.resolution.matched_orders import MatchedOrders
from judge.rules.resolution.resolver import Resolver
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.types import Province, SupportMove, UnitKind

PRINTED_RULES = {
    ConvoyParadoxes.RULE_1971,
    ConvoyParadoxes.RULE_1982,
    ConvoyParadoxes.RULE_2000,
}


def may_cut(
    matched: MatchedOrders,
    army: int,
    supporter: int,
    has_path_without: Callable[[Province], bool],
) -> bool:
    """Return whether the rulebook lets the convoyed *army* cut the support of *supporter*.

    Under the printed rules it does not cut a fleet's support of an attack on its own convoy; under
    that of 2000 only if it needs the attacked fleet: *has_path_without* returns whether the army
    has a path without the fleet in a sea. Under that of 1982 it cuts no support of a fleet for
    anything in a sea from which any army is convoyed.
    """
    context, rule = matched.context, matched.context.rulebook.convoy_paradoxes
    if rule not in PRINTED_RULES or context.units[supporter].kind is UnitKind.ARMY:
        return True
    target = matched.support_targets[supporter]
    assert target is not None
    if rule is ConvoyParadoxes.RULE_1982:
        return all(target not in _seas(context, each) for each in matched.convoy_routes.values())
    supports_attack = isinstance(matched.orders[supporter], SupportMove)
    if not supports_attack or target not in _seas(context, matched.convoy_routes[army]):
        return True
    return rule is ConvoyParadoxes.RULE_2000 and has_path_without(target)


def backup_rule(
    resolver: Resolver, matched: MatchedOrders, cycle: frozenset[int]
) -> dict[int, bool]:
    """Return answers that settle a *cycle* of decisions with two consistent results, or with none.

    With convoys in it, the cycle is a paradox (DATC 6.F.14 to 6.F.29): the convoys are disrupted
    (Szykman), or all moves in it fail (`all_hold`, and `dptg` if disrupting the convoys is not
    consistent). Without convoys, the units move in a ring and all succeed (rulebook VIII, DATC
    6.C).
    """
    moves = [unit for unit in cycle if matched.destinations[unit] is not None]
    disrupted = dict.fromkeys(_convoys(matched, cycle), False)  # False: does not stay undisrupted
    if not disrupted:
        return dict.fromkeys(moves, True)  # a ring
    rule = matched.context.rulebook.convoy_paradoxes
    if rule is ConvoyParadoxes.ALL_HOLD or (
        rule is ConvoyParadoxes.DPTG and not resolver.is_consistent(disrupted)
    ):
        return disrupted | dict.fromkeys(moves, False)
    return disrupted  # Szykman; the printed rules fall back to it


def convoys_with(matched: MatchedOrders, cycles: Iterable[frozenset[int]], unit: int) -> list[int]:
    """Return the convoys of the cycle that *unit* was part of; none if it was in no cycle."""
    for cycle in cycles:
        if unit in cycle:
            return _convoys(matched, cycle)
    return []


def find_paradoxes(
    matched: MatchedOrders, cycles: Iterable[frozenset[int]]
) -> tuple[Paradox, ...]:
    """Return the paradoxes among the *cycles* that were settled."""
    units, rule = matched.context.units, matched.context.rulebook.convoy_paradoxes
    return tuple(
        Paradox(
            tuple(sorted(units[fleet].province for fleet in convoys)),
            tuple(sorted(units[unit].province for unit in cycle if matched.destinations[unit])),
            ConvoyParadoxes.SZYKMAN if rule in PRINTED_RULES else rule,
            stood_in=rule in PRINTED_RULES,
        )
        for cycle in cycles
        if (convoys := _convoys(matched, cycle))
    )


def is_needless(matched: MatchedOrders, fleet: int) -> bool:
    """Return whether *fleet*, in a paradox in which all hold, was not needed by its army."""
    context = matched.context
    if context.rulebook.convoy_paradoxes is not ConvoyParadoxes.ALL_HOLD:
        return False
    army, fleets = next(each for each in matched.fleets.items() if fleet in each[1])
    others = sea_bits(context, (each for each in fleets if each != fleet))
    start, target = context.units[army].province, matched.destination_of(army)
    return target is not None and is_convoy_path(context.map_index, start, target, others)


def _convoys(matched: MatchedOrders, cycle: Iterable[int]) -> list[int]:
    return [
        unit
        for unit in cycle
        if matched.destinations[unit] is None and matched.support_targets[unit] is None
    ]


def _seas(context: PhaseContext, route: ConvoyRoute) -> set[Province]:
    return {context.units[fleet].province for fleet in route.fleets}
