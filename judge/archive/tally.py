"""Count games, orders, centers, endings and openings in recorded games."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from io import StringIO
from typing import Self, TypeAlias

from judge.archive import records
from judge.archive.order_results import FATES, PhaseResults, ResultWords, phase_results
from judge.archive.reading import format_named
from judge.notation.order_text import write_order
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook, rulebook_named

BETWEEN = ", "  # between the orders of an opening


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening of *power* with a common *name*; other orders do not matter."""

    power: types.Power
    name: str
    orders: frozenset[str]


@dataclass(frozen=True, slots=True)
class Openings:
    """Named openings, those with more orders first."""

    named: tuple[Opening, ...]

    def name_of(self, power: types.Power, line: str) -> str | None:
        """Return the name of an opening, None if it has none."""
        orders = frozenset(line.split(BETWEEN))
        for each in self.named:
            if each.power == power and each.orders <= orders:
                return each.name
        return None


def read_openings(text: str) -> Openings:
    """Read the rows of `openings.csv`: power, name, and orders separated by `;`."""
    rows = csv.DictReader(StringIO(text))
    named = (
        Opening(each["power"], each["name"], frozenset(each["orders"].split(";"))) for each in rows
    )
    return Openings(tuple(sorted(named, key=lambda each: -len(each.orders))))


def opening_lines(board: Map, record: records.Record) -> dict[types.Power, str]:
    """Return the opening of each power: its orders for all units, sorted by province.

    A unit without an order holds. Powers without orders or with unreadable ones have no opening,
    nor do records that begin later.
    """
    start = board.start
    first = next((each for each in record.played if each.phase == start.phase), None)
    if first is None or (first.position or start).units != start.units:
        return {}
    on_board = {unit.province: unit for unit in start.units}
    lines = {}
    for power in board.powers:
        written = [each for each in first.orders if each.power == power]
        if written and all(each.order for each in written):
            orders = dict(_by_place(on_board, written))
            units = sorted(start.units_of(power), key=lambda unit: unit.location)
            whole = (orders.get(unit.province) or types.Hold(unit.named()) for unit in units)
            lines[power] = BETWEEN.join(write_order(each) for each in whole)
    return lines


def _by_place(
    on_board: Mapping[types.Province, types.Unit], written: Iterable[records.WrittenOrder]
) -> Iterator[tuple[types.Province, types.Order]]:
    for each in written:
        match each.order:
            case (
                types.Hold()
                | types.Move()
                | types.SupportHold()
                | types.SupportMove()
                | types.Convoy() as order
            ):
                yield order.unit.province, _completed_order(on_board, order)
            case _:
                pass


def _completed_order(
    on_board: Mapping[types.Province, types.Unit],
    order: types.Hold | types.Move | types.SupportHold | types.SupportMove | types.Convoy,
) -> types.Order:
    """Return *order* with kinds and coasts completed, and without a route."""

    def full(name: types.UnitName) -> types.UnitName:
        unit = on_board.get(name.province)
        return unit.named() if unit else name

    match replace(order, unit=full(order.unit)):
        case types.Move() as move:
            return replace(move, via_convoy=False, route=())
        case types.SupportHold() | types.SupportMove() as support:
            return replace(support, supported=full(support.supported))
        case types.Convoy() as convoy:
            return replace(convoy, army=full(convoy.army))
        case hold:
            return hold


@dataclass(slots=True)
class Tally:
    """Counts over any number of games.

    The counters count games, except *phases*, *orders* (power, kind, result) and *units* (power,
    fate). *lengths* are in game years. *ends* are the values of `EndKind`, or `UNTOLD`; *won* has
    them with the power that won or was conceded to, *draws* has the members of each draw.
    *openings* are by power. *charted* counts the games with a chart of the year; *centers* and
    *indices* are sums over these charts.
    """

    formats: Counter[str] = field(default_factory=Counter)
    phases: Counter[types.PhaseKind] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    won: Counter[tuple[str, types.Power]] = field(default_factory=Counter)
    draws: Counter[tuple[types.Power, ...]] = field(default_factory=Counter)
    openings: Counter[tuple[types.Power, str]] = field(default_factory=Counter)
    survived: Counter[types.Power] = field(default_factory=Counter)
    eliminated: Counter[tuple[types.Power, int]] = field(default_factory=Counter)
    charted: Counter[int] = field(default_factory=Counter)
    centers: Counter[tuple[int, types.Power]] = field(default_factory=Counter)
    indices: Counter[tuple[int, str]] = field(default_factory=Counter)
    orders: Counter[tuple[types.Power, str, str]] = field(default_factory=Counter)
    units: Counter[tuple[types.Power, str]] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.formats.total()

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in COUNTERS))

    def __iadd__(self, other: Tally) -> Self:
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        return self


COUNTERS = tuple(each.name for each in fields(Tally))


UNTOLD = "untold"
RESULTS = {  # possible results by kind of order
    "hold": ("ordered", "supposed"),
    "move": ("succeeded", "bounced", "no_convoy", "void", UNTOLD),
    "support": ("given", "cut", "void", UNTOLD),
    "convoy": ("arrived", "stayed", "disrupted", "void", UNTOLD),
}
UNIT_FATES = ("dislodged", "destroyed", "retreated", "disbanded", "removed", "built")
INDICES = ("players", "survivors")


def count_record(board: Map, record: records.Record) -> Tally:
    """Count *record*. Raises `UnknownRulebookError`."""
    rulebook = rulebook_named(record.rulebook or format_named(record.source.format).rulebook)
    phases, charts = record.played, yearly_centers(board, record, rulebook)
    tally = Tally(
        formats=Counter([record.source.format]),
        phases=Counter(each.phase.kind for each in phases),
        openings=Counter(opening_lines(board, record).items()),
    )
    if phases:
        tally.lengths[phases[-1].phase.year - phases[0].phase.year + 1] = 1
    for year, counts in charts.items():
        tally.charted[year] += 1
        tally.indices[year, "players"] += index_by_players(counts, len(counts))
        tally.indices[year, "survivors"] += index_by_survivors(counts)
        for power, count in counts.items():
            tally.centers[year, power] += count
    _count_ending(tally, board, record, charts)
    for phase, following in zip(phases, [*phases[1:], None], strict=False):
        results = phase_results(board, phase, rulebook)
        match phase.phase.kind:
            case types.PhaseKind.MOVEMENT:
                tally.orders.update(_movement(results))
                tally.orders.update(_implied_holds(phase))
                tally.units.update(_dislodgements(results, following))
            case types.PhaseKind.RETREATS:
                tally.units.update(_retreats(results, phase, last=following is None))
            case types.PhaseKind.ADJUSTMENTS:
                tally.units.update(_adjustments(results))
    return tally


def _count_ending(tally: Tally, board: Map, record: records.Record, charts: YearlyCenters) -> None:
    gone = elimination_years(charts)
    if charts:
        tally.survived.update(power for power in board.powers if power not in gone)
        tally.eliminated.update(gone.items())
    ending = known_ending(board, record, charts)
    tally.ends[ending.kind.value if ending else UNTOLD] += 1
    if ending and ending.kind is records.EndKind.DRAW:
        tally.draws[tuple(each for each in board.powers if each in ending.powers)] += 1
    elif ending:
        tally.won.update((ending.kind.value, power) for power in ending.powers)


def _movement(results: PhaseResults) -> Iterator[tuple[types.Power, str, str]]:
    """Yield the power, kind and result of each order in a movement phase."""
    moves = {
        name.province: (each.order, words)
        for each, words in results.of_orders
        if (name := records.ordered_unit(each.order)) and isinstance(each.order, types.Move)
    }
    for each, words in results.of_orders:
        match each.order:
            case types.Hold():
                yield each.power, "hold", "ordered"
            case types.Move():
                yield each.power, "move", _move_result(words)
            case types.SupportHold() | types.SupportMove():
                yield each.power, "support", _support_result(words)
            case types.Convoy() as convoy:
                carried = moves.get(convoy.army.province)
                yield each.power, "convoy", _convoy_result(convoy, words, carried)
            case _:
                pass


def _implied_holds(phase: records.RecordedPhase) -> Iterator[tuple[types.Power, str, str]]:
    ordered = {
        name.province for each in phase.orders if (name := records.ordered_unit(each.order))
    }
    if phase.position and ordered and phase.is_understood:
        for unit in phase.position.units:
            if unit.province not in ordered:
                yield unit.power, "hold", "supposed"


def _move_result(words: ResultWords | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "succeeded"
        case _ if "void" in words:
            return "void"
        case _:
            return "no_convoy" if {"no convoy", "disrupted"} & {*words} else "bounced"


def _support_result(words: ResultWords | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "given"
        case _:
            return "void" if {"void", "no convoy"} & {*words} else "cut"


def _convoy_result(
    convoy: types.Convoy,
    words: ResultWords | None,
    carried: tuple[types.Move, ResultWords | None] | None,
) -> str:
    """Return the result of *convoy*; *carried* is the move of its army, if ordered."""
    going = carried and types.province_of(carried[0].target) == types.province_of(convoy.target)
    match words:
        case None:
            return UNTOLD
        case _ if not carried or not going or {"void", "no convoy"} & {*words}:
            return "void"
        case () if carried[1] is None:
            return UNTOLD
        case ():
            return "stayed" if carried[1] else "arrived"
        case _:
            return "disrupted"


def _dislodgements(
    results: PhaseResults, following: records.RecordedPhase | None
) -> Iterator[tuple[types.Power, str]]:
    results_by_unit: dict[tuple[types.Power, types.Province], ResultWords] = {
        (each.power, name.province): words
        for each, words in results.of_orders
        if words and (name := records.ordered_unit(each.order))
    }
    results_by_unit |= {(power, at): words for power, at, words in results.unordered}
    driven = {at for at, words in results_by_unit.items() if FATES & {*words}}
    destroyed = {at for at, words in results_by_unit.items() if "destroyed" in words}
    destroyed |= {(power, unit.province) for power, unit in results.removed}
    if following and following.position:
        waiting = {(each.unit.power, each.unit.province) for each in following.position.dislodged}
        driven |= waiting
        destroyed |= driven - waiting
    yield from ((power, "dislodged") for power, _ in driven | destroyed)
    yield from ((power, "destroyed") for power, _ in destroyed)


def _retreats(
    results: PhaseResults, phase: records.RecordedPhase, *, last: bool
) -> Iterator[tuple[types.Power, str]]:
    """Yield the fate of each dislodged unit; a *last* phase without orders is still open."""
    if phase.position is None or (last and not phase.orders):
        return
    fled = {
        (each.power, each.order.unit.province)
        for each, words in results.of_orders
        if isinstance(each.order, types.Retreat | types.Move) and words == ()
    }
    for each in phase.position.dislodged:
        power, at = each.unit.power, each.unit.province
        yield power, "retreated" if (power, at) in fled else "disbanded"


def _adjustments(results: PhaseResults) -> Iterator[tuple[types.Power, str]]:
    for each, words in results.of_orders:
        if words == () and isinstance(each.order, types.Build | types.Disband):
            yield each.power, "built" if isinstance(each.order, types.Build) else "removed"
    yield from ((power, "removed") for power, _ in results.removed)


YearlyCenters: TypeAlias = Mapping[int, Mapping[types.Power, int]]


def yearly_centers(board: Map, record: records.Record, rulebook: Rulebook) -> YearlyCenters:
    """Return the centers of each power by year.

    A record's charts take precedence over its positions. The last orders are adjudicated under
    *rulebook*, as are retreats without orders in a finished game.
    """
    charts = {each.year: each.counts for each in record.charts}
    positions = [each.position for each in record.played]
    if record.played:
        positions.append(
            _final_position(board, record.played[-1], rulebook, over=record.ending is not None)
        )
    for position in positions:
        if position and position.owners:
            charts.setdefault(
                _last_complete_year(board, position.phase), Counter(position.owners.values())
            )
    return {
        year: {power: counts.get(power, 0) for power in board.powers}
        for year, counts in sorted(charts.items())
        if year >= board.start.phase.year
    }


def elimination_years(charts: YearlyCenters) -> dict[types.Power, int]:
    """Return the year in which each eliminated power lost its last center."""
    gone: dict[types.Power, int] = {}
    for year, counts in charts.items():
        for power, count in counts.items():
            if count:
                gone.pop(power, None)
            else:
                gone.setdefault(power, year)
    return gone


def known_ending(
    board: Map, record: records.Record, charts: YearlyCenters
) -> records.Ending | None:
    """Return the recorded ending, or the victory of a power with enough centers."""
    if record.ending or not charts:
        return record.ending
    (_, second), (power, most) = sorted(charts[max(charts)].items(), key=lambda each: each[1])[-2:]
    won = most >= board.victory_centers and most > second
    return records.Ending(records.EndKind.SOLO, (power,)) if won else None


def _last_complete_year(board: Map, phase: types.Phase) -> int:
    """Return the last year whose final owners are known at the start of *phase*."""
    counted = board.calendar.year_counted(phase)
    is_over = phase.kind is types.PhaseKind.ADJUSTMENTS or counted < phase.year
    return counted if is_over else phase.year - 1


def _final_position(
    board: Map, last: records.RecordedPhase, rulebook: Rulebook, *, over: bool
) -> types.Position | None:
    """Return the position after the *last* phase if that ends a year."""
    orders = last.orders_by_power() if last.is_understood else {}
    unordered = over and not last.orders and last.phase.kind is types.PhaseKind.RETREATS
    if (
        not board.calendar.adjusts_after(last.phase)
        or last.phase.kind is types.PhaseKind.ADJUSTMENTS
        or not (orders or unordered)
        or not last.position
    ):
        return None
    after = adjudicate(board, last.position, orders, rulebook).after
    if over and after.phase.kind is types.PhaseKind.RETREATS:
        return adjudicate(board, after, {}, rulebook).after
    return after


def index_by_players(centers: Mapping[types.Power, int], players: int) -> int:
    """Return nJudge's index: the sum of squared *centers* divided by the number of *players*."""
    return sum(count * count for count in centers.values()) // players


def index_by_survivors(centers: Mapping[types.Power, int]) -> int:
    """Return DPjudge's index: the sum of squared *centers* divided by the number of survivors."""
    survivors = sum(count > 0 for count in centers.values())
    return index_by_players(centers, survivors) if survivors else 0
