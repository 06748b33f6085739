"""One recorded game, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from judge.archive.formats import reader
from judge.archive.indices import index_by_players, index_by_survivors
from judge.archive.record import EndKind, Record, RecordedPhase
from judge.archive.report import unit_of
from judge.archive.stats.charts import Charts, charts_of, eliminations, ending_of
from judge.archive.stats.openings import opening_lines
from judge.archive.stats.results import Results, Words, results_of
from judge.archive.stats.tally import Tally
from judge.rules.board import Map
from judge.rules.rulebook import rulebook_named
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    PhaseKind,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    province_of,
)

UNTOLD = "untold"
GONE = frozenset({"dislodged", "destroyed"})
RESULTS = {  # what the orders of each kind may come to
    "hold": ("ordered", "supposed"),
    "move": ("succeeded", "bounced", "no_convoy", "void", UNTOLD),
    "support": ("given", "cut", "void", UNTOLD),
    "convoy": ("arrived", "stayed", "disrupted", "void", UNTOLD),
}
BEFALLS = ("dislodged", "destroyed", "retreated", "disbanded", "removed", "built")
INDICES = ("players", "survivors")


def tally_of(board: Map, record: Record) -> Tally:
    """Count *record*. Raises `UnknownRulebookError`."""
    law = rulebook_named(record.rulebook or reader(record.source.format).rulebook)
    phases, charts = record.played, charts_of(board, record, law)
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
        results = results_of(board, phase, law)
        match phase.phase.kind:
            case PhaseKind.MOVEMENT:
                tally.orders.update(_movement(results))
                tally.orders.update(_supposed_holds(phase))
                tally.units.update(_driven_out(results, following))
            case PhaseKind.RETREATS:
                tally.units.update(_retreats(results, phase, last=following is None))
            case PhaseKind.ADJUSTMENTS:
                tally.units.update(_adjustments(results))
    return tally


def _count_charts(tally: Tally, charts: Charts) -> None:
    for year, counts in charts.items():
        tally.charted[year] += 1
        tally.indices[year, "players"] += index_by_players(counts, len(counts))
        tally.indices[year, "survivors"] += index_by_survivors(counts)
        for power, count in counts.items():
            tally.centers[year, power] += count


def _count_ending(tally: Tally, board: Map, record: Record, charts: Charts) -> None:
    gone = eliminations(charts)
    if charts:
        tally.survived.update(power for power in board.powers if power not in gone)
        tally.eliminated.update(gone.items())
    ending = ending_of(board, record, charts)
    tally.ends[ending.kind.value if ending else UNTOLD] += 1
    if ending and ending.kind is EndKind.DRAW:
        tally.draws[tuple(each for each in board.powers if each in ending.powers)] += 1
    elif ending:
        tally.won.update((ending.kind.value, power) for power in ending.powers)


def _movement(results: Results) -> Iterator[tuple[Power, str, str]]:
    """Yield the power, the kind, and what came of each order of a movement phase."""
    moves = {
        name.province: (each.order, words)
        for each, words in results.of_orders
        if (name := unit_of(each.order)) and isinstance(each.order, Move)
    }
    for each, words in results.of_orders:
        match each.order:
            case Hold():
                yield each.power, "hold", "ordered"
            case Move():
                yield each.power, "move", _of_move(words)
            case SupportHold() | SupportMove():
                yield each.power, "support", _of_support(words)
            case Convoy() as convoy:
                carried = moves.get(convoy.army.province)
                yield each.power, "convoy", _of_convoy(convoy, words, carried)
            case _:
                pass


def _supposed_holds(phase: RecordedPhase) -> Iterator[tuple[Power, str, str]]:
    """Yield the hold of each unit without an order."""
    ordered = {name.province for each in phase.orders if (name := unit_of(each.order))}
    understood = all(each.order for each in phase.orders)
    if phase.position and ordered and understood:
        for unit in phase.position.units:
            if unit.province not in ordered:
                yield unit.power, "hold", "supposed"


def _of_move(words: Words | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "succeeded"
        case _ if "void" in words:
            return "void"
        case _:
            return "no_convoy" if {"no convoy", "disrupted"} & {*words} else "bounced"


def _of_support(words: Words | None) -> str:
    match words:
        case None:
            return UNTOLD
        case ():
            return "given"
        case _:
            return "void" if {"void", "no convoy"} & {*words} else "cut"


def _of_convoy(
    convoy: Convoy, words: Words | None, carried: tuple[Move, Words | None] | None
) -> str:
    """Tell what came of *convoy*, whose army was *carried*, if it was ordered to move."""
    going = carried and province_of(carried[0].target) == province_of(convoy.target)
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


def _driven_out(results: Results, following: RecordedPhase | None) -> Iterator[tuple[Power, str]]:
    """Yield a word for each unit that was dislodged, another if it had nowhere to go."""
    told: dict[tuple[Power, Province], Words] = {
        (each.power, name.province): words
        for each, words in results.of_orders
        if words and (name := unit_of(each.order))
    }
    told |= {(power, at): words for power, at, words in results.silent}
    driven = {at for at, words in told.items() if GONE & {*words}}
    destroyed = {at for at, words in told.items() if "destroyed" in words}
    destroyed |= {(power, unit.province) for power, unit in results.removed}
    if following and following.position:
        waiting = {(each.unit.power, each.unit.province) for each in following.position.dislodged}
        driven |= waiting
        destroyed |= driven - waiting
    yield from ((power, "dislodged") for power, _ in driven | destroyed)
    yield from ((power, "destroyed") for power, _ in destroyed)


def _retreats(
    results: Results, phase: RecordedPhase, *, last: bool
) -> Iterator[tuple[Power, str]]:
    """Yield a word for each unit that had to retreat; the *last* phase may not be played yet."""
    if phase.position is None or (last and not phase.orders):
        return
    fled = {
        (each.power, each.order.unit.province)
        for each, words in results.of_orders
        if isinstance(each.order, Retreat | Move) and words == ()
    }
    for each in phase.position.dislodged:
        power, at = each.unit.power, each.unit.province
        yield power, "retreated" if (power, at) in fled else "disbanded"


def _adjustments(results: Results) -> Iterator[tuple[Power, str]]:
    """Yield a word for each unit that was built or removed."""
    for each, words in results.of_orders:
        if words == () and isinstance(each.order, Build | Disband):
            yield each.power, "built" if isinstance(each.order, Build) else "removed"
    yield from ((power, "removed") for power, _ in results.removed)
