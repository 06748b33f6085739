"""Read reports written by hand, in zines and emails.

A file may hold reports of several games, each under a heading that names it. Unnamed reports are
of one game until they go back in time. Unreadable orders, orders of an unknown power, and
contradictions become doubts instead of guesses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import assert_never

from judge import errors
from judge.archive import records
from judge.archive.formats import zine_chapters
from judge.archive.positions import PhaseReport, PositionTracker, ReportedDislodgement
from judge.archive.reading import Doubts, Format, Reading, UnreadableError
from judge.archive.text_parsing import location_named, orders_meant, read_single_order
from judge.rules import types
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of

ORDER = re.compile(
    r"(?:^[^\S\n]*(?:\w{3,}(?: \([^()\n]*\))?:[^\S\n]*|\w{3,}[^.\n]{,60}(?:\. ?){3,}:?[^\S\n]*)?"
    r"|[,;][^\S\n]*)(?:<u>|[(<_])*"
    r"(?:A|F|Army|Fleet)[^\S\n(]"
    r"<?[A-Za-z][\w .()/>]*?(?:[-\u2013]|\b(?:S|SA|SF|C|CA|H|supports?|convoys?|holds?|stands)\b)",
    re.IGNORECASE | re.MULTILINE,
)
ORDERS_MIN = 3
QUOTED = ">"  # press, or a quoted email; has no orders
# Signs of programs with similar order lines.
PROGRAMS = re.compile(
    r"^[ \t]*(?:[{\[]|PHASE \w|POSITIONS$|PRESTATE|GAME \w+$|SIGN ?ON "
    r"|:: (?:Judge:|[SFW]\d{4}[MRA] )"
    r"|(?:Movement|Retreat|Adjustment)s? (?:results|orders) for )",
    re.MULTILINE,
)
CAPITALS = re.compile(r"\b[A-Z]{3}\b")  # a province; in some zines, where the unit is afterwards
NOTHING = zine_chapters.Heading(None, None, None, {}, None, None)


def recognizes(head: str) -> bool:
    """Return whether *head* has orders as people write them and no sign of a program."""
    if PROGRAMS.search(head):
        return False
    return len(list(islice(ORDER.finditer(head), ORDERS_MIN))) == ORDERS_MIN


def read(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games of a file; named games only at its end."""
    games: dict[str, _Game] = {}
    for chapter in _chapters(reading, lines):
        name = chapter.heading.game or ""
        game = games.get(name)
        if game and not name and game.is_past(chapter):
            yield from game.record()
            game = None
        if game is None:
            game = games[name] = _Game(reading, name, chapter.first_line)
        game.add(chapter)
    found = [record for game in games.values() for record in game.record()]
    if not found:
        raise UnreadableError(reading.name, None, "no order found")
    yield from found


def _chapters(reading: Reading, lines: Iterable[str]) -> Iterator[zine_chapters.Chapter]:
    """Split *lines* at headings; a heading that only adds details continues the chapter."""
    reader = zine_chapters.ChapterReader(reading.board, NOTHING, 1)
    capitals_failed = False
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise UnreadableError(reading.name, number, "binary data, not text")
        if line.startswith(QUOTED):
            continue
        heading = zine_chapters.heading_of(line)
        if heading is None:
            reader.add(line, number)
            continue
        chapter, known = reader.chapter, reader.chapter.heading
        if heading.game is None and (heading.season, heading.year) == (known.season, known.year):
            continue
        if heading.game is None:
            heading = replace(heading, game=known.game)
            if known.season is None and not chapter.lines:
                chapter.heading = replace(known, season=heading.season, year=heading.year)
                continue
        yield chapter
        capitals_failed = capitals_failed or chapter.capitals_failed
        reader = zine_chapters.ChapterReader(reading.board, heading, number)
        reader.chapter.capitals_failed = capitals_failed
    yield reader.chapter


class _Game:
    def __init__(self, reading: Reading, name: str, line: int) -> None:
        self._reading, self._name = reading, name
        self._doubts = Doubts(reading.doubts.name, reading.doubts.strict)
        self._heading = NOTHING
        self._first_line = self._last_line = line
        self._tracker = PositionTracker(reading.board, self._doubts)
        self._parser = ChapterParser(self._tracker, self._doubts)
        self._phases: list[records.RecordedPhase] = []
        self._charts: list[records.YearChart] = []
        self._seats: dict[records.Seat, None] = {}
        self._gamemaster: str | None = None
        self._ending: records.Ending | None = None

    def is_past(self, chapter: zine_chapters.Chapter) -> bool:
        season, year = chapter.heading.season, chapter.heading.year
        played = [each.phase for each in self._phases]
        if not season or not year or not played:
            return False
        phase = zine_chapters.phase_in(season, year, movement=season in {"spring", "fall"})
        return phase is not None and phase < max(played) and phase not in played

    def add(self, chapter: zine_chapters.Chapter) -> None:
        heading = chapter.heading
        self._heading = replace(
            heading,
            numbers={**self._heading.numbers, **heading.numbers},
            zine=self._heading.zine or heading.zine,
            issue=self._heading.issue or heading.issue,
        )
        self._last_line = chapter.last_line
        self._gamemaster = chapter.gamemaster or self._gamemaster
        self._ending = chapter.ending or self._ending
        for each in chapter.faults:
            self._doubts.note(each.line, each.text, each.why)
        phases = list(self._parser.phases(chapter))
        self._phases += phases
        self._seats.update(
            (records.Seat(power, player), None) for power, player in chapter.players.items()
        )
        year_ended = any(each.phase.season is types.Season.FALL for each in phases)
        if not year_ended and (chart := self._parser.chart(chapter)):
            self._charts.append(chart)

    def record(self) -> Iterator[records.Record]:
        if not self._phases and not self._charts:
            self._reading.doubts.found += self._doubts.taken()
            return
        reading, heading = self._reading, self._heading
        phases = [*self._phases, *self._tracker.still_open()]
        yield records.Record(
            name=self._name or reading.title,
            source=records.Source(
                FORMAT.name, reading.name, reading.sha256, self._first_line, self._last_line
            ),
            variant=reading.board.name,
            numbers=heading.numbers,
            gamemaster=self._gamemaster,
            zine=heading.zine,
            issue=heading.issue,
            seats=tuple(self._seats),
            phases=tuple(sorted(phases, key=lambda each: (each.phase, each.edition))),
            charts=tuple(self._charts),
            ending=self._ending,
            doubts=self._doubts.taken(),
        )


FORMAT = Format(
    name="zine",
    title="reports written by hand, in zines and emails",
    rulebook="1982",
    recognizes=recognizes,
    reads=read,
)


KINDS = {
    "summer": types.PhaseKind.RETREATS,
    "autumn": types.PhaseKind.RETREATS,
    "winter": types.PhaseKind.ADJUSTMENTS,
}
REMOVES = re.compile(r"\bremove", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _ReadOrder:
    line: zine_chapters.OrderLine
    marked: zine_chapters.Marked
    power: types.Power
    order: types.Order | None


class ChapterParser:
    """Turns the chapters of one game into phases, starting from the *position*."""

    def __init__(self, position: PositionTracker, doubts: Doubts) -> None:
        self._board = position.board
        self._tracker = position
        self._doubts = doubts
        self._due: dict[types.Phase, datetime] = {}

    def phases(self, chapter: zine_chapters.Chapter) -> Iterator[records.RecordedPhase]:
        """Yield the phases with orders in *chapter*, retreats and adjustments apart."""
        when = self._season_and_year(chapter)
        if when is None:
            return
        season, year = when
        phases: dict[types.Phase, list[_ReadOrder]] = {}
        for given in self._read_orders(chapter, season, year):
            phase = _phase_of(given, season, year)
            if phase is None:
                self._doubt(given, f"not an order for {season}")
            else:
                phases.setdefault(phase, []).append(given)
        for phase in sorted(phases):
            last = phase == max(phases)
            yield self._tracker.play(self._report(chapter, phase, phases[phase], last=last))
        if chapter.following and chapter.deadline:
            self._due[chapter.following] = chapter.deadline

    def chart(self, chapter: zine_chapters.Chapter) -> records.YearChart | None:
        """Return the chart of *chapter*, if it has one with a year."""
        if not chapter.owners or chapter.heading.year is None:
            return None
        counts = Counter(chapter.owners.values())
        return records.YearChart(chapter.heading.year, dict(counts), chapter.owners)

    def _doubt(self, given: _ReadOrder, why: str) -> None:
        self._doubts.note(given.line.number, given.marked.text, why)

    def _season_and_year(self, chapter: zine_chapters.Chapter) -> tuple[str, int] | None:
        heading, due, lines = chapter.heading, chapter.following, chapter.lines
        if not lines:
            return None
        if heading.season and heading.year:
            fall = heading.season == "autumn" and self._has_moves(chapter, heading.year)
            return ("fall" if fall else heading.season), heading.year
        if due is None:
            self._doubts.note(lines[0].number, "", "the season of these orders is missing")
            return None
        self._doubts.note(
            lines[0].number, due.code, "the season is missing; only the next phase shows it"
        )
        if due.kind is types.PhaseKind.MOVEMENT and due.season is types.Season.SPRING:
            return "fall", due.year - 1
        early = due.season is types.Season.SPRING or due.kind is types.PhaseKind.MOVEMENT
        return ("spring" if early else "fall"), due.year

    def _has_moves(self, chapter: zine_chapters.Chapter, year: int) -> bool:
        """Return whether autumn means the movement phase, as in Britain, not retreats."""
        ahead = self._tracker.ahead
        if ahead and ahead.phase == types.Phase(types.Season.FALL, year, types.PhaseKind.MOVEMENT):
            return True
        return any(
            isinstance(read[0], types.Hold | types.SupportHold | types.SupportMove | types.Convoy)
            for line in chapter.lines
            for marked in line.orders
            for text in [zine_chapters.modern(marked.text)]
            if (read := read_single_order(self._board, text, types.PhaseKind.MOVEMENT))
        )

    def _read_orders(
        self, chapter: zine_chapters.Chapter, season: str, year: int
    ) -> Iterator[_ReadOrder]:
        kind = KINDS.get(season, types.PhaseKind.MOVEMENT)
        ahead = self._tracker.ahead
        if ahead and ahead.phase not in _phases_of(season, year):
            ahead = None
        owners = self._block_owners(chapter, ahead)
        failed = self._capitals_mean_failed(chapter)
        for line in chapter.lines:
            for printed in line.orders:
                marked = _as_failed(printed) if failed and printed.text.isupper() else printed
                power = line.power or owners.get(line.block)
                order, power_named = self._parse_order(marked, kind, power, ahead)
                power = power or power_named or _holder(order, ahead)
                if power is None:
                    self._doubts.note(
                        line.number, marked.text, "the power of this order is missing"
                    )
                    continue
                given = _ReadOrder(line, marked, power, order)
                if order is None:
                    self._doubt(given, "not understood as an order")
                if marked.unknown:
                    self._doubt(given, f"unknown mark {errors.abridged(marked.unknown)}")
                yield given

    def _capitals_mean_failed(self, chapter: zine_chapters.Chapter) -> bool:
        """Return whether orders in capitals failed, as stated, or as nothing else is marked."""
        orders = [marked for line in chapter.lines for marked in line.orders]
        capital = [each for each in orders if each.text.isupper()]
        if chapter.capitals_failed or len(capital) in {0, len(orders)}:
            return chapter.capitals_failed
        if any(
            each.words or (each not in capital and CAPITALS.search(each.text)) for each in orders
        ):
            return False
        why = "only some orders are in capitals; these are taken to have failed"
        self._doubts.note(chapter.lines[0].number, capital[0].text, why)
        return True

    def _block_owners(
        self, chapter: zine_chapters.Chapter, ahead: types.Position | None
    ) -> Mapping[int, types.Power]:
        """Return the powers of unnamed blocks if there is one block per power."""
        blocks = list(dict.fromkeys(line.block for line in chapter.lines if not line.power))
        named = any(line.power for line in chapter.lines)
        if ahead or named or len(blocks) != len(self._board.powers):
            return {}
        why = "no powers are named; they are taken to be in alphabetical order"
        self._doubts.note(chapter.lines[0].number, "", why)
        return dict(zip(blocks, self._board.powers, strict=True))

    def _parse_order(
        self,
        marked: zine_chapters.Marked,
        kind: types.PhaseKind,
        power: types.Power | None,
        ahead: types.Position | None,
    ) -> tuple[types.Order | None, types.Power | None]:
        """Return the order and any power it names; `X-X` is a support to hold."""
        meant = orders_meant(self._board, zine_chapters.modern(marked.text), kind)
        said = meant[0].power if meant else None
        if len(meant) > 1:
            owners = {power, said} - {None}
            meant = tuple(each for each in meant if _holder(each.order, ahead) in owners)
        if len(meant) != 1:
            return None, said
        order = meant[0].order
        if isinstance(order, types.SupportMove):
            unit = order.supported
            if unit.province == types.province_of(order.target):
                return types.SupportHold(order.unit, unit), said
        return order, said

    def _report(
        self,
        chapter: zine_chapters.Chapter,
        phase: types.Phase,
        given: Sequence[_ReadOrder],
        *,
        last: bool,
    ) -> PhaseReport:
        moved = phase.kind is types.PhaseKind.MOVEMENT
        stated = chapter.nothing_failed or chapter.capitals_failed
        marked = stated or any(each.marked.words for each in given)
        reports_moves = marked or not moved
        others = {
            name.province: each.order
            for each in given
            if each.order and (name := records.ordered_unit(each.order))
        }
        orders = [self._written(each, others if reports_moves else None) for each in given]
        if moved:
            orders = _dislodged_by(orders)
        year_ends = phase.season is types.Season.FALL and last
        return PhaseReport(
            phase=phase,
            orders=tuple(orders),
            dislodged=tuple(self._destroyed(chapter, given)) if reports_moves else (),
            owners=chapter.owners if chapter.owners and year_ends else None,
            complete=False,
            deadline=self._due.get(phase),
            first_line=chapter.first_line,
            last_line=chapter.last_line,
            chart_line=chapter.chart_line,
            notes=tuple(chapter.notes),
        )

    def _written(
        self, given: _ReadOrder, others: Mapping[str, types.Order] | None
    ) -> records.WrittenOrder:
        text, number = given.marked.text, given.line.number
        if others is None:
            return records.WrittenOrder(given.power, text, given.order, None, number)
        words = dict.fromkeys(given.marked.words)
        reasons = [
            word for word in words if word not in {zine_chapters.FAILS, "dislodged", "destroyed"}
        ]
        if zine_chapters.FAILS in words and not reasons and given.order:
            why = infer_failure(self._board, given.order, others)
            if why:
                reasons = [why]
            elif "dislodged" not in words:
                self._doubt(given, "marked as failed, though it cannot fail")
        fates = [word for word in words if word in {"dislodged", "destroyed"}]
        return records.WrittenOrder(given.power, text, given.order, (*reasons, *fates), number)

    def _destroyed(
        self, chapter: zine_chapters.Chapter, given: Sequence[_ReadOrder]
    ) -> Iterator[ReportedDislodgement]:
        owners = {name.province: g.power for g in given if (name := records.ordered_unit(g.order))}
        for place, number in chapter.destroyed:
            at = location_named(self._board, place)
            power = owners.get(types.province_of(at)) if at else None
            if at and power:
                yield ReportedDislodgement(power, types.province_of(at), (), number)
            else:
                self._doubts.note(number, place, "not the place of an ordered unit")


def _as_failed(marked: zine_chapters.Marked) -> zine_chapters.Marked:
    return replace(marked, words=(*marked.words, zine_chapters.FAILS))


def _dislodged_by(orders: list[records.WrittenOrder]) -> list[records.WrittenOrder]:
    """Dislodge units whose province another unit entered.

    Applies only if the report marks no unit as dislodged; a separate list of them may be missing.
    """
    if any({"dislodged", "destroyed"}.intersection(each.results or ()) for each in orders):
        return orders
    went = [each for each in orders if isinstance(each.order, types.Move) and each.results == ()]
    left = {unit.province for each in went if (unit := records.ordered_unit(each.order))}
    taken = {
        types.province_of(each.order.target) for each in went if isinstance(each.order, types.Move)
    }
    return [
        replace(each, results=(*each.results, "dislodged"))
        if each.results is not None and unit and unit.province in taken - left
        else each
        for each in orders
        for unit in [records.ordered_unit(each.order)]
    ]


def _holder(order: types.Order | None, ahead: types.Position | None) -> types.Power | None:
    name = records.ordered_unit(order)
    units = [*ahead.units, *(each.unit for each in ahead.dislodged)] if ahead else []
    found = [unit.power for unit in units if name and unit.province == name.province]
    return found[0] if len(found) == 1 else None


def _phases_of(season: str, year: int) -> set[types.Phase | None]:
    if season == "winter":
        return {
            types.Phase(types.Season.FALL, year, types.PhaseKind.RETREATS),
            zine_chapters.phase_in(season, year, movement=False),
        }
    return {zine_chapters.phase_in(season, year, movement=season in {"spring", "fall"})}


def _phase_of(given: _ReadOrder, season: str, year: int) -> types.Phase | None:
    moving = season in {"spring", "fall"}
    retreats = zine_chapters.phase_in(
        "fall" if season == "winter" else season, year, movement=False
    )
    match given.order:
        case types.Build() | types.Waive():
            return types.Phase(types.Season.WINTER, year, types.PhaseKind.ADJUSTMENTS)
        case types.Disband() if season == "winter" or REMOVES.search(given.marked.text):
            return types.Phase(types.Season.WINTER, year, types.PhaseKind.ADJUSTMENTS)
        case types.Retreat() | types.Disband():
            return retreats
        case types.Move() if not moving:
            return retreats
        case types.Hold() | types.SupportHold() | types.SupportMove() | types.Convoy() if (
            not moving
        ):
            return None
        case _:
            return zine_chapters.phase_in(season, year, movement=moving)


def infer_failure(
    board: Map, order: types.Order, others: Mapping[types.Province, types.Order]
) -> str | None:
    """Return the word for why *order* failed, None if it cannot fail.

    A support or convoy is void without the matching order; with it, the support was cut or the
    convoy disrupted. An army that cannot walk and has no convoying fleet had no convoy.
    """
    match order:
        case types.Retreat():
            return "bounce"
        case types.Move():
            return "bounce" if _can_set_out(board, order, others) else "no convoy"
        case types.SupportHold(supported=supported):
            return "void" if isinstance(others.get(supported.province), types.Move) else "cut"
        case types.SupportMove(supported=unit, target=target):
            return "cut" if records.moves_to(others.get(unit.province), target) else "void"
        case types.Convoy(army=army, target=target):
            return "disrupted" if records.moves_to(others.get(army.province), target) else "void"
        case types.Hold() | types.Build() | types.Disband() | types.Waive():
            return None
        case _:
            assert_never(order)


def _can_set_out(
    board: Map, order: types.Move, others: Mapping[types.Province, types.Order]
) -> bool:
    origin, goal = order.unit.province, types.province_of(order.target)
    armies = map_index_of(board).armies
    if order.unit.kind is types.UnitKind.FLEET or origin not in armies:
        return True
    carried = any(
        isinstance(each, types.Convoy)
        and each.army.province == origin
        and records.moves_to(order, each.target)
        for each in others.values()
    )
    return carried or goal in armies[origin].reachable
