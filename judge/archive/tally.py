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

BETWEEN = ", "  # the orders of a line


@dataclass(frozen=True, slots=True)
class Opening:
    """A *name* that people use for what *power* opens with, whatever else it orders."""

    power: types.Power
    name: str
    orders: frozenset[str]


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings that have a name; those with more orders come first."""

    named: tuple[Opening, ...]

    def name_of(self, power: types.Power, line: str) -> str | None:
        """Return what the *line* of *power* is called."""
        orders = frozenset(line.split(BETWEEN))
        for each in self.named:
            if each.power == power and each.orders <= orders:
                return each.name
        return None


def read_openings(text: str) -> Openings:
    """Read the rows of `openings.csv`: power, name, and its orders with `;` between them."""
    rows = csv.DictReader(StringIO(text))
    named = (
        Opening(each["power"], each["name"], frozenset(each["orders"].split(";"))) for each in rows
    )
    return Openings(tuple(sorted(named, key=lambda each: -len(each.orders))))


def opening_lines(board: Map, record: records.Record) -> dict[types.Power, str]:
    """Return the opening of each power: an order for each unit, sorted by province.

    A unit without an order holds. A power has no opening if it ordered nothing, or an order was
    not understood; no power has one if the record begins later.
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
            whole = (orders.get(unit.province) or types.Hold(_name(unit)) for unit in units)
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
                yield order.unit.province, _plain(on_board, order)
            case _:
                pass


def _plain(
    on_board: Mapping[types.Province, types.Unit],
    order: types.Hold | types.Move | types.SupportHold | types.SupportMove | types.Convoy,
) -> types.Order:
    """Return *order* with its units in full, and without its route."""

    def full(name: types.UnitName) -> types.UnitName:
        unit = on_board.get(name.province)
        return _name(unit) if unit else name

    match replace(order, unit=full(order.unit)):
        case types.Move() as move:
            return replace(move, via_convoy=False, route=())
        case types.SupportHold() | types.SupportMove() as support:
            return replace(support, supported=full(support.supported))
        case types.Convoy() as convoy:
            return replace(convoy, army=full(convoy.army))
        case hold:
            return hold


def _name(unit: types.Unit) -> types.UnitName:
    return types.UnitName(unit.kind, unit.location)


@dataclass(slots=True)
class Tally:
    """What was counted in any number of games; each counter counts games, but for those named.

    *phases*, *orders* (power, kind, what came of it) and *units* (power, what befell them) count
    these. *lengths* are in game years. *ends* are the words of `EndKind`, or `UNTOLD`; *won* are
    its words with the power that won or was conceded to, *draws* the members of each. *openings*
    have a line a power. *charted* counts the games that have a chart of the year; *centers*
    and *indices* sum up what these charts say.
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
        """Return how many games were counted."""
        return self.formats.total()

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in COUNTERS))

    def __iadd__(self, other: Tally) -> Self:
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        return self


COUNTERS = tuple(each.name for each in fields(Tally))


UNTOLD = "untold"
RESULTS = {  # what the orders of each kind may come to
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
    _count_charts(tally, charts)
    _count_ending(tally, board, record, charts)
    for phase, following in zip(phases, [*phases[1:], None], strict=False):
        results = phase_results(board, phase, rulebook)
        match phase.phase.kind:
            case types.PhaseKind.MOVEMENT:
                tally.orders.update(_movement(results))
                tally.orders.update(_supposed_holds(phase))
                tally.units.update(_dislodged(results, following))
            case types.PhaseKind.RETREATS:
                tally.units.update(_retreats(results, phase, last=following is None))
            case types.PhaseKind.ADJUSTMENTS:
                tally.units.update(_adjustments(results))
    return tally


def _count_charts(tally: Tally, charts: YearlyCenters) -> None:
    for year, counts in charts.items():
        tally.charted[year] += 1
        tally.indices[year, "players"] += index_by_players(counts, len(counts))
        tally.indices[year, "survivors"] += index_by_survivors(counts)
        for power, count in counts.items():
            tally.centers[year, power] += count


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
    """Yield the power, the kind, and what came of each order of a movement phase."""
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
                yield each.power, "move", _of_move(words)
            case types.SupportHold() | types.SupportMove():
                yield each.power, "support", _of_support(words)
            case types.Convoy() as convoy:
                carried = moves.get(convoy.army.province)
                yield each.power, "convoy", _of_convoy(convoy, words, carried)
            case _:
                pass


def _supposed_holds(phase: records.RecordedPhase) -> Iterator[tuple[types.Power, str, str]]:
    """Yield the hold of each unit without an order."""
    ordered = {
        name.province for each in phase.orders if (name := records.ordered_unit(each.order))
    }
    if phase.position and ordered and phase.is_understood:
        for unit in phase.position.units:
            if unit.province not in ordered:
                yield unit.power, "hold", "supposed"


def _of_move(words: ResultWords | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "succeeded"
        case _ if "void" in words:
            return "void"
        case _:
            return "no_convoy" if {"no convoy", "disrupted"} & {*words} else "bounced"


def _of_support(words: ResultWords | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "given"
        case _:
            return "void" if {"void", "no convoy"} & {*words} else "cut"


def _of_convoy(
    convoy: types.Convoy,
    words: ResultWords | None,
    carried: tuple[types.Move, ResultWords | None] | None,
) -> str:
    """Return the result of *convoy*, whose army was *carried*, if it was ordered to move."""
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


def _dislodged(
    results: PhaseResults, following: records.RecordedPhase | None
) -> Iterator[tuple[types.Power, str]]:
    """Yield a word for each unit that was dislodged, another if it had nowhere to go."""
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
    """Yield a word for each unit that had to retreat; the *last* phase may not be played yet."""
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
    """Yield a word for each unit that was built or removed."""
    for each, words in results.of_orders:
        if words == () and isinstance(each.order, types.Build | types.Disband):
            yield each.power, "built" if isinstance(each.order, types.Build) else "removed"
    yield from ((power, "removed") for power, _ in results.removed)


YearlyCenters: TypeAlias = Mapping[int, Mapping[types.Power, int]]


def yearly_centers(board: Map, record: records.Record, rulebook: Rulebook) -> YearlyCenters:
    """Return the centers of each power, by year.

    Charts of the record take precedence over owners in its positions; the last orders are
    adjudicated under *rulebook*, as are retreats without orders if the game was over before.
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
                _last_complete_year(position.phase), Counter(position.owners.values())
            )
    return {
        year: {power: counts.get(power, 0) for power in board.powers}
        for year, counts in sorted(charts.items())
        if year >= board.start.phase.year
    }


def elimination_years(charts: YearlyCenters) -> dict[types.Power, int]:
    """Return in which year each power that has no center in the end lost its last."""
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


def _last_complete_year(phase: types.Phase) -> int:
    """Return the last year of which the owners are known at the start of *phase*."""
    return phase.year if phase.kind is types.PhaseKind.ADJUSTMENTS else phase.year - 1


def _final_position(
    board: Map, last: records.RecordedPhase, rulebook: Rulebook, *, over: bool
) -> types.Position | None:
    """Return the position after the *last* phase of a record, if a year ends there."""
    orders = last.orders_by_power() if last.is_understood else {}
    unordered = over and not last.orders and last.phase.kind is types.PhaseKind.RETREATS
    if (
        last.phase.season is not types.Season.FALL
        or not (orders or unordered)
        or not last.position
    ):
        return None
    after = adjudicate(board, last.position, orders, rulebook).after
    if over and after.phase.kind is types.PhaseKind.RETREATS:
        return adjudicate(board, after, {}, rulebook).after
    return after


def index_by_players(centers: Mapping[types.Power, int], players: int) -> int:
    """Return the index of nJudge: the sum of squared *centers*, divided by all *players*."""
    return sum(count * count for count in centers.values()) // players


def index_by_survivors(centers: Mapping[types.Power, int]) -> int:
    """Return the index of DPjudge: the sum of squared *centers*, divided by the survivors."""
    survivors = sum(count > 0 for count in centers.values())
    return index_by_players(centers, survivors) if survivors else 0
