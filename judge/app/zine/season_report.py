"""A report of a recorded game, one block for each season, as zines print them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.app.replay import recorded_phases
from judge.archive.formats.njudge import history_writer
from judge.archive.records import (
    Record,
    RecordedPhase,
    RecordedPress,
    is_followed_by,
    ordered_unit,
)
from judge.reports import printed_reports
from judge.reports.emails.contexts import Heading
from judge.reports.emails.phase_results import Dislodgement
from judge.reports.languages import SOURCE
from judge.reports.replay_pages import ReplayedOrder
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Disband, Hold, Phase, PhaseKind, Position, Power, Unit

SUBJECT = "Subject: "


class NothingToReportError(ValueError):
    """None of the requested phases was played."""


@dataclass(frozen=True, slots=True)
class Years:
    """The years of a report, both included; None means the first or last year played."""

    first: int | None = None
    last: int | None = None

    def __contains__(self, year: int) -> bool:
        early = self.first is not None and year < self.first
        return not early and (self.last is None or year <= self.last)


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The *years* of a report, its *language*, and the judge's address and zone.

    *positions* asks for the units on the board after each phase.
    """

    years: Years = Years()
    address: str = ""
    zone: str = "UTC"
    language: str = SOURCE
    positions: bool = False


def zine_report(
    board: Map,
    record: Record,
    rulebook: Rulebook,
    wanted: ReportOptions,
    picture: Callable[[recorded_phases.PlayedPhase], printed_reports.BoardPicture | None],
) -> printed_reports.Zine:
    """Return the report of the *wanted* part of *record*, adjudicated under *rulebook*.

    It includes all of the record except private press; *picture* draws each movement. Raises
    `NothingToReportError`.
    """
    phases = recorded_phases.played_phases(board, record, rulebook)
    chosen = phases_in_years(phases, wanted.years)
    printer = _Printer(board, rulebook, record.press, phases, wanted)
    return printed_reports.Zine(
        heading=Heading("", board=board, zone=wanted.zone, language=wanted.language),
        facts=recorded_phases.game_facts(record),
        gamemaster=record.gamemaster,
        numbers=record.numbers,
        seasons=tuple(
            replace(printer.season(block), picture=picture(block[0])) for block in _blocks(chosen)
        ),
        early_press=recorded_phases.press_in(record.press, None),
        years={
            year: counts
            for year, counts in recorded_phases.centers_by_year(record, phases).items()
            if year in wanted.years
        },
        due=_due(phases[-1].recorded, wanted.address),
        mails=tuple(_mails(board, record, wanted.years)),
    )


def phases_in_years(
    phases: Iterable[recorded_phases.PlayedPhase], years: Years
) -> list[recorded_phases.PlayedPhase]:
    """Return those of *phases* that were played in *years*, without an open one.

    Raises `NothingToReportError`.
    """
    chosen = [
        each
        for each in phases
        if each.recorded.phase.year in years and (each.recorded.orders or each.judged)
    ]
    if not chosen:
        raise NothingToReportError("no such phase of the game was played")
    return chosen


def _blocks(
    phases: Sequence[recorded_phases.PlayedPhase],
) -> Iterator[list[recorded_phases.PlayedPhase]]:
    block: list[recorded_phases.PlayedPhase] = []
    for each in phases:
        if block and each.recorded.phase.kind is PhaseKind.MOVEMENT:
            yield block
            block = []
        block.append(each)
    yield block


def _due(last: RecordedPhase, address: str) -> printed_reports.NextDeadline | None:
    if last.deadline is None or last.orders:
        return None
    return printed_reports.NextDeadline(last.phase, last.deadline, address)


def _mails(board: Map, record: Record, years: Years) -> Iterator[printed_reports.ResultsText]:
    """Yield the history of *record* as nJudge writes it, one email per phase."""
    phases = tuple(each for each in record.phases if each.phase.year in years)
    earlier = {
        each.phase for each in record.phases if each.position and each.phase < phases[0].phase
    }
    press = tuple(
        each
        for each in record.press
        if not each.readers and (each.phase is None or each.phase.year in years)
    )
    shown_record = replace(record, phases=phases, press=press)
    for piece in history_writer.write_record(shown_record, board, played_before=len(earlier)):
        before, subject, rest = piece.partition(SUBJECT)
        title, _, text = rest.partition("\n")
        whole = not subject or "\n" in before.strip()
        yield (
            printed_reports.ResultsText("", piece.strip())
            if whole
            else printed_reports.ResultsText(title, text.strip())
        )


class _Printer:
    """Formats the *phases* of a game on *board* under *rulebook*, as *wanted*."""

    def __init__(
        self,
        board: Map,
        rulebook: Rulebook,
        press: Sequence[RecordedPress],
        phases: Sequence[recorded_phases.PlayedPhase],
        wanted: ReportOptions,
    ) -> None:
        self._board, self._rulebook, self._press, self._wanted = board, rulebook, press, wanted
        self._positions = {
            each.recorded.phase: _position_after(board, each, following)
            for each, following in zip(phases, [*phases[1:], None], strict=True)
        }

    def season(self, block: Sequence[recorded_phases.PlayedPhase]) -> printed_reports.ZineSeason:
        """Format the phases of *block*."""
        return printed_reports.ZineSeason(
            phases=tuple(map(self._phase, block)),
            press=tuple(
                press
                for each in block
                for press in recorded_phases.press_in(self._press, each.recorded.phase)
            ),
            chart=tuple(self._chart(block)),
        )

    def _phase(self, phase: recorded_phases.PlayedPhase) -> printed_reports.ZinePhase:
        language, silent = self._wanted.language, tuple(self._silent(phase))
        shown = recorded_phases.orders_shown(self._board, phase, self._rulebook, language)
        orders = {power: list(each) for power, each in shown.items()}
        orders |= {power: list(_held(phase, power, orders.get(power, ()))) for power in silent}
        for unit in self._units_without_order(phase):
            held = Hold(unit.named())
            orders.setdefault(unit.power, []).append(
                ReplayedOrder(text="", order=held, written=False)
            )
        for unit in _removed_units(phase):
            name = unit.named()
            gone = ReplayedOrder(text="", order=Disband(name), written=False)
            orders.setdefault(unit.power, []).append(gone)
        after = self._positions[phase.recorded.phase]
        driven = after.dislodged if after and _moves(phase) else ()
        return printed_reports.ZinePhase(
            phase=phase.recorded.phase,
            orders={power: orders[power] for power in self._board.powers if power in orders},
            driven_out=tuple(Dislodgement(each.unit, each.retreats) for each in driven),
            silent=silent,
            units=self._units(after) if after and self._wanted.positions else {},
        )

    def _units(self, position: Position) -> Mapping[Power, Sequence[Unit]]:
        units = {power: position.units_of(power) for power in self._board.powers}
        return {power: several for power, several in units.items() if several}

    def _silent(self, phase: recorded_phases.PlayedPhase) -> Iterator[Power]:
        """Yield the powers that could order, and did not; unknown orders are not missing."""
        ordered = {each.power for each in phase.recorded.orders}
        before, after = phase.before, self._positions[phase.recorded.phase]
        if before is None or not _moves(phase):
            return
        if ordered or (after and {*before.units} == {*after.units}):
            for power in self._board.powers:
                if power not in ordered and before.units_of(power):
                    yield power

    def _units_without_order(self, phase: recorded_phases.PlayedPhase) -> Iterator[Unit]:
        """Yield the units that stayed without an order, of powers that ordered others.

        Those dislodged are among the results, and of a power with an unreadable order any may
        have been meant.
        """
        after = self._positions[phase.recorded.phase]
        if phase.before is None or after is None or not _moves(phase):
            return
        named = {
            name.province for each in phase.recorded.orders if (name := ordered_unit(each.order))
        }
        ordered = {each.power for each in phase.recorded.orders}
        unread = {each.power for each in phase.recorded.orders if each.order is None}
        for unit in phase.before.units:
            stayed = unit.province not in named and unit in after.units
            if stayed and unit.power in ordered - unread:
                yield unit

    def _ends_year(self, phase: Phase) -> bool:
        return phase.kind is not PhaseKind.ADJUSTMENTS and self._board.calendar.adjusts_after(
            phase
        )

    def _chart(
        self, block: Sequence[recorded_phases.PlayedPhase]
    ) -> Iterator[printed_reports.CenterHolding]:
        """Yield each power's centers after *block*, if a year ends there and they are known."""
        before = block[0].before
        fallen = [each for each in block if self._ends_year(each.recorded.phase)]
        after = self._positions[fallen[-1].recorded.phase] if fallen else None
        if not (before and after and before.owners and after.owners):
            return
        for power in self._board.powers:
            had, has = before.centers_of(power), after.centers_of(power)
            if had or has:
                yield printed_reports.CenterHolding(
                    power,
                    kept=tuple(each for each in has if each in had),
                    gained=tuple(each for each in has if each not in had),
                    lost=tuple(each for each in had if each not in has),
                )


def _position_after(
    board: Map,
    phase: recorded_phases.PlayedPhase,
    following: recorded_phases.PlayedPhase | None,
) -> Position | None:
    if (
        following
        and following.before
        and is_followed_by(board.calendar, phase.recorded.phase, following.recorded.phase)
    ):
        return following.before
    return phase.judged.after if phase.judged else None


def _moves(phase: recorded_phases.PlayedPhase) -> bool:
    return phase.recorded.phase.kind is PhaseKind.MOVEMENT


def _held(
    phase: recorded_phases.PlayedPhase, power: Power, shown: Iterable[ReplayedOrder]
) -> Iterator[ReplayedOrder]:
    """Yield a hold for each unit of *power*, which sent no orders; *shown* are those dislodged."""
    assert phase.before, "the units of silent powers are known"
    known = {each.order.unit.province: each for each in shown if isinstance(each.order, Hold)}
    for unit in phase.before.units_of(power):
        order = Hold(unit.named())
        held = known.get(unit.province, ReplayedOrder(text="", order=order))
        yield replace(held, written=True)  # the report names the power instead


def _removed_units(phase: recorded_phases.PlayedPhase) -> Iterator[Unit]:
    if phase.judged is None or _moves(phase):
        return
    yield from phase.judged.removed
    for each in phase.judged.unordered:
        if isinstance(each.order, Disband) and each.order.unit.kind:
            yield Unit(each.power, each.order.unit.kind, each.order.unit.location)
