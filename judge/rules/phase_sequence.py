"""The next phase, its center owners, the orders due in it, and the winner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

from judge.rules import types
from judge.rules.board import BuildSites, Map
from judge.rules.outcomes import Impossible
from judge.rules.phase_context import BY_POWER_AND_LOCATION, map_index_of

NO_PROVINCES: frozenset[types.Province] = frozenset()


def next_position(
    board: Map,
    played: types.Phase,
    units: Iterable[types.Unit],
    owners: Mapping[types.Province, types.Power],
    dislodged: Sequence[types.DislodgedUnit] = (),
) -> types.Position:
    """Return the position after the phase *played*, skipping phases with nothing to order.

    Units are sorted by power and location. Centers change owners after Fall and its retreats, or
    after the turns of which the calendar of the *board* says so (rulebook XIII.1). Neutral units
    are rebuilt after adjustments.
    """
    sorted_units = sort_units(units)
    before = types.Position(played, sorted_units, owners)
    return next_position_sorted(
        board, before, sorted_units, before.unit_at, dislodged, NO_PROVINCES
    )


def next_position_sorted(
    board: Map,
    before: types.Position,
    units: tuple[types.Unit, ...],
    at: Mapping[types.Province, int],
    dislodged: Sequence[types.DislodgedUnit],
    contested: frozenset[types.Province],
) -> types.Position:
    """Do what `next_position` does, with *units* already sorted and indexed."""
    played, owners = before.phase, before.owners
    calendar = board.calendar
    if dislodged:
        waiting = tuple(sorted(dislodged, key=lambda each: each.unit.key))
        retreats = calendar.following(played)
        return types.new_position(retreats, units, owners, waiting, contested, {}, at)
    if calendar.adjusts_after(played):
        if played.kind is not types.ADJUSTMENTS:
            owners = _new_owners(board, owners, units)
            winter = calendar.adjustments_after(played)
            position = types.new_position(winter, units, owners, (), NO_PROVINCES, {}, at)
            if _has_adjustments(board, position):
                return position
        if board.rebuilt:
            units = _with_garrisons(board, owners, units)
            at = types.units_by_province(units)
    following = calendar.next_movement(played)
    return types.new_position(following, units, owners, (), NO_PROVINCES, {}, at)


def _new_owners(
    board: Map, owners: Mapping[types.Province, types.Power], units: Iterable[types.Unit]
) -> Mapping[types.Province, types.Power]:
    """Return the owners of the centers once *units* have taken those they are in."""
    centers = map_index_of(board).centers
    taken = dict(owners)
    for unit in units:
        if unit.province in centers and unit.power != types.NEUTRAL:
            taken[unit.province] = unit.power
    return taken


def _with_garrisons(
    board: Map, owners: Mapping[types.Province, types.Power], units: tuple[types.Unit, ...]
) -> tuple[types.Unit, ...]:
    """Return *units* with the neutral ones of the start on empty centers that nobody owns."""
    taken = {unit.province for unit in units}
    rebuilt = [
        unit
        for unit in board.garrisons
        if unit.province not in taken and unit.province not in owners
    ]
    return sort_units((*units, *rebuilt)) if rebuilt else units


def _has_adjustments(board: Map, winter: types.Position) -> bool:
    """Return whether any power must remove units or can build."""
    owners, units = [*winter.owners.values()], [unit.power for unit in winter.units]
    for power in board.powers:
        due = owners.count(power) - units.count(power)
        if due < 0 or (due > 0 and open_build_sites(board, winter, power)):
            return True
    return False


def sort_units(units: Iterable[types.Unit]) -> tuple[types.Unit, ...]:
    """Return *units* sorted by power and location."""
    return tuple(sorted(units, key=BY_POWER_AND_LOCATION))


def open_build_sites(
    board: Map, position: types.Position, power: types.Power
) -> tuple[types.Province, ...]:
    """Return where *power* can build: by the rulebook, its own and empty home centers (XIII)."""
    extra = board.extra_sites.get(power, ())
    wide = board.build_sites is not BuildSites.HOME
    candidates = sorted({*(board.centers if wide else board.homes_of(power)), *extra})
    open_to_it = [
        site for site in candidates if not build_site_fault(board, position, power, site)
    ]
    taken = {unit.province for unit in position.units} if open_to_it else ()
    return tuple([site for site in open_to_it if site not in taken])


def build_site_fault(
    board: Map, position: types.Position, power: types.Power, province: types.Province
) -> Impossible | None:
    """Return why *power* cannot build in *province*, empty or not; None if it can."""
    place, homes = board.places.get(province), board.homes_of(power)
    if place is None:
        return Impossible.NOT_A_HOME_CENTER
    if province in board.extra_sites.get(power, ()):
        owned = not place.center or position.owners.get(province) == power
        return None if owned else Impossible.CENTER_NOT_OWNED
    sites, owned_homes = board.build_sites, [position.owners.get(home) == power for home in homes]
    match sites:
        case BuildSites.HOME:
            allowed, why = province in homes, Impossible.NOT_A_HOME_CENTER
        case BuildSites.ANY_HOME:
            allowed, why = bool(place.home_of), Impossible.NOT_A_HOME_CENTER
        case BuildSites.ANY | BuildSites.ANY_WITH_A_HOME | BuildSites.ANY_WITH_ALL_HOMES:
            allowed, why = place.center, Impossible.NOT_A_CENTER
        case _:
            assert_never(sites)
    if not allowed:
        return why
    if position.owners.get(province) != power:
        return Impossible.CENTER_NOT_OWNED
    lost = (sites is BuildSites.ANY_WITH_A_HOME and not any(owned_homes)) or (
        sites is BuildSites.ANY_WITH_ALL_HOMES and not all(owned_homes)
    )
    return Impossible.HOME_CENTERS_LOST if lost else None


def duties(
    board: Map, position: types.Position, powers: Iterable[types.Power] | None = None
) -> Mapping[types.Power, int]:
    """Return how many orders each of *powers* must give, or of all, without those with none.

    In movement that is one for each unit, in retreats one for each dislodged unit with a retreat,
    in adjustments the removals due, or the builds for which an own home center is open.
    """
    among = board.powers if powers is None else powers
    return {p: count for p in among if (count := orders_due(board, position, p))}


def has_choice(board: Map, position: types.Position, power: types.Power) -> bool:
    """Return whether *power* has a choice: to remove all its units is none."""
    count = orders_due(board, position, power)
    if position.phase.kind is not types.PhaseKind.ADJUSTMENTS or position.due(power) > 0:
        return count > 0
    return 0 < count < len(position.units_of(power))


def orders_due(board: Map, position: types.Position, power: types.Power) -> int:
    """Return how many orders *power* must give."""
    match position.phase.kind:
        case types.PhaseKind.MOVEMENT | types.PhaseKind.RETREATS:
            return len(units_to_order(position, power))
        case types.PhaseKind.ADJUSTMENTS:
            builds = position.due(power)
            if builds > 0:
                return min(builds, len(open_build_sites(board, position, power)))
            return min(-builds, len(position.units_of(power)))
        case kind:
            assert_never(kind)


def units_to_order(position: types.Position, power: types.Power) -> tuple[types.Unit, ...]:
    """Return the units of *power* that each need an order: none in adjustments."""
    match position.phase.kind:
        case types.PhaseKind.MOVEMENT:
            return position.units_of(power)
        case types.PhaseKind.RETREATS:
            return tuple(each.unit for each in position.dislodged_of(power) if each.retreats)
        case types.PhaseKind.ADJUSTMENTS:
            return ()
        case kind:
            assert_never(kind)


def leaders(position: types.Position) -> tuple[types.Power, ...]:
    """Return the powers that have the most centers, in alphabetical order."""
    counts = Counter(position.owners.values()).most_common()
    return tuple(sorted(power for power, count in counts if count == counts[0][1]))


def winner(board: Map, position: types.Position, enough: int = 0) -> types.Power | None:
    """Return the power that has won: *enough* centers, and more than any other.

    The default is the number of the *board*, which may also name centers to hold. Owners change
    after Fall only (rulebook XIII).
    """
    if board.victory_held:
        holders = {position.owners.get(center) for center in board.victory_held}
        if len(holders) == 1 and (holder := holders.pop()):
            return holder
    counts = Counter(position.owners.values()).most_common()
    if not counts or counts[0][1] < (enough or board.victory_centers):
        return None
    return None if len(counts) > 1 and counts[1][1] == counts[0][1] else counts[0][0]
