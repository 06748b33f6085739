"""A recorded game, phase by phase: orders, results and reasons, players and centers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial

from judge.archive.order_results import results_agree
from judge.archive.record_tables import CENTERS
from judge.archive.records import Record, RecordedPhase, RecordedPress
from judge.pictures.drawing import Layers
from judge.pictures.scene import Scene, scene_with_orders, scene_with_outcomes
from judge.reports import replay_pages
from judge.reports.board_names import with_owners_named
from judge.reports.emails.phase_results import needs_reason
from judge.reports.render import explain_reason, explain_removal
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Adjudication, Fails, Illegal, Outcome, result_marks
from judge.rules.reasons import Reason, Reasons, explain_removals
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, Phase, PhaseKind, Position, Power, Province

CARRIED_OUT = "carried out"  # a recorded result without any failure


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase and the results of its orders, if known; *before* is its position."""

    recorded: RecordedPhase
    before: Position | None
    judged: Adjudication | None = None


def played_phases(board: Map, record: Record, rulebook: Rulebook) -> list[PlayedPhase]:
    """Return the phases of *record*, and the position after them if that was not recorded."""
    phases = record.played
    found = [_resolved_again(board, each, rulebook, is_last=each is phases[-1]) for each in phases]
    if found and (judged := found[-1].judged):
        found.append(PlayedPhase(RecordedPhase(judged.after.phase, judged.after), judged.after))
    return found


def _resolved_again(
    board: Map, recorded: RecordedPhase, rulebook: Rulebook, *, is_last: bool
) -> PlayedPhase:
    if recorded.position is None or (is_last and not recorded.orders):
        return PlayedPhase(recorded, recorded.position)
    orders: dict[Power, list[Order]] = {}
    for written in recorded.orders:
        if written.order:
            orders.setdefault(written.power, []).append(written.order)
    return PlayedPhase(
        recorded, recorded.position, adjudicate(board, recorded.position, orders, rulebook)
    )


class PhaseDescriber:
    """Describes the phases of a game on *board* under *rulebook*, with their broadcasts.

    Reasons for results are in *language*.
    """

    def __init__(
        self,
        board: Map,
        layers: Layers,
        rulebook: Rulebook,
        press: Sequence[RecordedPress],
        language: str,
    ) -> None:
        self._board, self._layers, self._rulebook, self._press = board, layers, rulebook, press
        self._language = language

    def describe(self, phase: PlayedPhase, after: Phase | None) -> replay_pages.ReplayedPhase:
        """Return *phase* for display; *after* is the phase that shows its results."""
        replayed = replay_pages.ReplayedPhase(
            phase=phase.recorded.phase,
            after=after,
            orders=orders_shown(self._board, phase, self._rulebook, self._language),
            press=press_in(self._press, phase.recorded.phase),
        )
        if phase.before is None:
            return replayed
        drawn = replay_pages.PictureLayers(
            *astuple(self._layers.layer(scene_of_phase(phase, phase.before)))
        )
        removals = tuple(self._removed(phase))
        return replace(replayed, position=phase.before, drawn=drawn, removed=removals)

    def _removed(self, phase: PlayedPhase) -> Iterator[str]:
        if phase.judged and phase.before:
            gone, after = phase.judged.removed, phase.judged.after
            for each in explain_removals(self._board, phase.before, gone, after, self._rulebook):
                yield explain_removal(self._board, each, self._language)


def press_in(
    press: Iterable[RecordedPress], phase: Phase | None
) -> tuple[replay_pages.PressItem, ...]:
    """Return the broadcasts of *press* in *phase*; private press names its readers."""
    return tuple(
        replay_pages.PressItem(each.sender, each.text)
        for each in press
        if each.phase == phase and not each.readers
    )


def orders_shown(
    board: Map, phase: PlayedPhase, rulebook: Rulebook, language: str
) -> Mapping[Power, Sequence[replay_pages.ReplayedOrder]]:
    """Return the orders of *phase* by power, with results, and reasons in *language*."""
    explain = partial(explain_reason, board, language=language)
    orders: dict[Power, list[replay_pages.ReplayedOrder]] = {}
    if phase.judged and phase.before:
        for power, each in _results_of(
            phase.recorded, phase.before, phase.judged, rulebook, explain
        ):
            orders.setdefault(power, []).append(each)
    for written in phase.recorded.orders:
        if written.order is None or phase.judged is None:
            results = written.results or ()
            replayed = replay_pages.ReplayedOrder(
                text=written.text, order=written.order, otherwise=results, marks=results
            )
            orders.setdefault(written.power, []).append(replayed)
    return {power: orders[power] for power in board.powers if power in orders}


def _results_of(
    recorded: RecordedPhase,
    before: Position,
    judged: Adjudication,
    rulebook: Rulebook,
    explain: Callable[[Reason, Mapping[Province, Outcome]], str],
) -> Iterator[tuple[Power, replay_pages.ReplayedOrder]]:
    """Yield the result of each order, and of each unit dislodged without an order."""
    given = [_with_owners_named(each, before) for each in judged.outcomes]
    silent = [_with_owners_named(each, before) for each in judged.unordered]
    outcomes = (*given, *silent)
    reasons = Reasons(outcomes, judged.paradoxes, judged.disbanded, rulebook)
    sources = [*recorded.understood, *([None] * len(silent))]
    for source, outcome in zip(sources, outcomes, strict=True):
        if source is None and outcome.fate is None:
            continue
        results = source.results if source else None
        differs = results is not None and not results_agree(results, outcome, before.phase.kind)
        yield (
            outcome.power,
            replay_pages.ReplayedOrder(
                text=source.text if source else "",
                order=outcome.order,
                written=source is not None,
                words=result_marks(outcome),
                why=explain(reasons.of(outcome), reasons.units),
                failed=needs_reason(outcome),
                otherwise=(results or (CARRIED_OUT,)) if differs else (),
                marks=_marks_of(outcome, before.phase.kind) if results is None else results,
            ),
        )


def _marks_of(outcome: Outcome, kind: PhaseKind) -> tuple[str, ...]:
    failed = kind is PhaseKind.RETREATS and isinstance(outcome.verdict, Fails)
    return (*result_marks(outcome), "destroyed") if failed else result_marks(outcome)


def scene_of_phase(phase: PlayedPhase, before: Position) -> Scene:
    """Return the picture of *phase*: the units *before*, and the results of the orders."""
    if phase.judged is None:
        return scene_with_orders(before, {})
    outcomes = (*phase.judged.outcomes, *phase.judged.unordered)
    return scene_with_outcomes(before, outcomes, phase.judged.removed)


def _with_owners_named(outcome: Outcome, before: Position) -> Outcome:
    fault = outcome.verdict.why if isinstance(outcome.verdict, Illegal) else None
    return replace(outcome, order=with_owners_named(outcome.order, before, outcome.power, fault))


def game_facts(record: Record) -> replay_pages.GameFacts:
    """Return the name, players, end and numbers of *record*."""
    players: dict[Power, str] = {}
    for seat in record.seats:
        if seat.player:
            before = f"{players[seat.power]}, " if seat.power in players else ""
            players[seat.power] = before + seat.player
    ending = (record.ending.kind.value, record.ending.powers) if record.ending else None
    numbers = tuple(f"{kind.capitalize()} {number}" for kind, number in record.numbers.items())
    return replay_pages.GameFacts(record.name.rpartition("/")[2], players, ending, numbers)


def centers_by_year(
    record: Record, phases: Iterable[PlayedPhase]
) -> Mapping[int, Mapping[Power, int]]:
    """Return the center counts of the powers at the end of each year."""
    whole = replace(record, phases=tuple(each.recorded for each in phases))
    years: dict[int, Counter[Power]] = {}
    for row in CENTERS.of(whole):
        years.setdefault(row.year, Counter())[row.owner] += 1
    charted = {chart.year: Counter(chart.counts) for chart in record.charts}
    return dict(sorted((charted | years).items()))
