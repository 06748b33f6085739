"""HISTORY, SUMMARY and WHY: closed phases as the reader may see them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, date
from functools import partial
from types import MappingProxyType
from typing import assert_never

from judge.app.commands.context import QuestionContext
from judge.app.game.encrypted_texts import PressReader
from judge.app.game.event_emails import Announcer, Notable, Step
from judge.app.ports.people import MailForm
from judge.checkpoints import ClosingEvent
from judge.event_log import Recorded
from judge.game import calendar
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.phases import PhaseClosed, PhaseOpened
from judge.game.players.diaries import is_press_shown
from judge.game.players.joining import GameStarted
from judge.game.players.seats import PowerTakenOver
from judge.game.press import PressSent, goes_to_all, is_between_players
from judge.game.rollback import GameUnstarted, without_rolled_back
from judge.game.submission import ordered_province
from judge.game.visibility import Player, Reader, position_seen, view
from judge.game.voting import GameEnded
from judge.mail.language.command_syntax import GAME_NAME, LineMaker, ParsedLine
from judge.mail.language.phase_names import phase_named
from judge.notation.order_text import write_short
from judge.notation.strict_orders import read_strictly, read_unit
from judge.notation.terms import keys_of, names_of
from judge.reports.emails import explanations, game_history, phase_results
from judge.reports.emails.contexts import Context, heading_of
from judge.reports.emails.game_history import BoardMap, Tenure
from judge.reports.emails.phase_results import PhaseResults, SharedResults
from judge.reports.render import render, with_shipped_templates
from judge.rules.board import Map
from judge.rules.outcomes import Outcome, Succeeds
from judge.rules.types import (
    Hold,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    UnitName,
    province_of,
)


@dataclass(frozen=True, slots=True)
class HistorySpan:
    """From *begin* to *end*, both included: phases (`S1901M`), days, or None for no bound."""

    begin: str | date | None = None
    end: str | date | None = None


@dataclass(frozen=True, slots=True)
class History(ParsedLine):
    """`HISTORY game FROM S1901M TO F1902M`: the results between two phases or dates.

    *without* excludes the bounds themselves, *broad* adds notices and broadcasts, *lines_max*
    limits the length.
    """

    game: str | None
    span: HistorySpan = HistorySpan()
    without: HistorySpan | None = None
    broad: bool = False
    lines_max: int | None = None


@dataclass(frozen=True, slots=True)
class WhyOrder(ParsedLine):
    """`WHY A Par-Bur`, `WHY F1901M A Par-Bur`: the result of *order*, and the rule for it.

    `WHY Gal` names a province, and `WHY` alone means the writer's own orders that failed.
    """

    order: str
    phase: str | None = None


LINES_DIGITS_MAX = 5


def read_history(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `game FROM S1901M TO F1902M EXCLSTART S1902M EXCLEND F1902M LINES 500 BROAD`."""
    words, game = arguments, None
    if words and words[0].upper() not in HISTORY_OPTIONS:
        game, words = words[0], words[1:]
    if game and not GAME_NAME.fullmatch(game):
        return None
    asked = _history_options(words)
    if asked is None:
        return None
    bounds = {
        name: _bound(value, board)
        for name, value in asked.values.items()
        if name in HISTORY_BOUNDS
    }
    lines = asked.values.get("LINES", "1")
    if None in bounds.values() or not (lines.isdigit() and len(lines) <= LINES_DIGITS_MAX):
        return None
    without = HistorySpan(bounds.get("EXCLSTART"), bounds.get("EXCLEND"))
    return partial(
        History,
        game=game.lower() if game else None,
        span=HistorySpan(bounds.get("FROM"), bounds.get("TO")),
        without=without if without != HistorySpan() else None,
        broad=asked.broad,
        lines_max=int(lines) if "LINES" in asked.values else None,
    )


HISTORY_BOUNDS = ("FROM", "TO", "EXCLSTART", "EXCLEND")
HISTORY_OPTIONS = (*HISTORY_BOUNDS, "LINES", "BROAD")


@dataclass(frozen=True, slots=True)
class _HistoryOptions:
    values: dict[str, str]
    broad: bool


def _history_options(words: list[str]) -> _HistoryOptions | None:
    """Pair each option with the words up to the next; None if a word belongs to no option."""
    pairs: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word.upper() in HISTORY_OPTIONS:
            name = word.upper()
            pairs[name] = []
        elif not name:
            return None
        else:
            pairs[name].append(word)
    broad = pairs.pop("BROAD", None)
    if broad or not all(pairs.values()):
        return None
    return _HistoryOptions({key: " ".join(each) for key, each in pairs.items()}, broad is not None)


def _bound(written: str, board: Map) -> str | date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return phase_named(written.split(), board) or _day(written)


def _day(written: str) -> date | None:
    """Read `Nov 20 2026`; a day without its year may be any."""
    return calendar.parse_day(written, date.min) if re.search(r"\b20\d\d\b", written) else None


def read_why(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `A Par-Bur`, `A Par`, `Par`, `F1901M A Par-Bur`, `did A Par-Bur fail?` or nothing."""
    phase = phase_named(arguments[:1], board) if arguments else None
    order = " ".join(arguments[1:] if phase else arguments).rstrip("?! ")
    is_order = any(_looks_like_order(each, board) for each in ORDERS_APART.split(order))
    if not order or is_order or read_unit(order, board) or names_of(board).find(order):
        return partial(WhyOrder, order=order, phase=phase)
    return None


ORDERS_APART = re.compile(r"\s*[,;]\s*")
MEANT = re.compile(r"(?:A|F|army|fleet)\b.*[->\u2013]", re.IGNORECASE)  # as an order: `A Mu-Bur`


def _looks_like_order(text: str, board: Map) -> bool:
    meant = MEANT.match(text) and names_of(board).is_place_in(keys_of(text))
    return bool(meant or read_strictly(text, board, PhaseKind.MOVEMENT))


PAGES_MAX = 40  # phases and notices in one email
STRANGER_PAGES_MAX = 1  # more would let strangers flood an unconfirmed address
LINES_MAX = 3_000
PHASES_OF_YEAR = 5  # so far back a question looks that names a province or nothing
NO_ORDERS: Mapping[Power, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class HistoryBuilder:
    """Builds the history of a game as *reader* may see it."""

    context: QuestionContext
    game: Game
    reader: Reader

    @property
    def board(self) -> Map:
        """Return the board of the game."""
        return self.context.board(self.game)

    @property
    def power(self) -> Power | None:
        """Return the reader's power."""
        return self.reader.power if isinstance(self.reader, Player) else None

    def history(self, parsed: History, pages_max: int) -> Sequence[Context]:
        """Return the results that *parsed* asks for; only the latest if there are too many."""
        steps = [step for step in self._steps() if _is_asked(parsed, step)]
        pages = [page for step in steps if (page := self._page(step, broad=parsed.broad))]
        kept = _latest(pages, pages_max, min(parsed.lines_max or LINES_MAX, LINES_MAX))
        head = game_history.History(
            heading=heading_of(self.board, self.game, self._code),
            pages=len(kept),
            left_out=len(pages) - len(kept),
        )
        return (head, *kept)

    def summary(self) -> Context:
        """Return the owners of the centers by year, and the players."""
        log = self._log()
        positions = [step.after.position for step in self._steps() if step.after.position]
        held: dict[Power, list[Tenure]] = {}
        for each in log:
            match each.event:
                case GameStarted(seats=seats):
                    for power, person in seats.items():
                        held.setdefault(power, []).append(self._tenure(person, None))
                case GameUnstarted():
                    held.clear()
                case PowerTakenOver(power=power, person=person, phase=phase):
                    held.setdefault(power, []).append(self._tenure(person, Phase.parse(phase)))
                case _:
                    pass
        return game_history.summary(
            self.board,
            self.game,
            self.reader,
            positions,
            held,
            judge_code=self._code,
            began=log[0].recorded_utc,
        )

    def board_in(self, phase: str | None) -> Sequence[Context]:
        """Show the board of *phase*, or of the open phase; nothing if it was never played.

        For a closed phase it includes the results, for the open one only the reader's orders.
        """
        now = self.game.position
        if now is not None and phase in (None, now.phase.code):
            seen = view(self.game, self.reader).phase
            standing = seen.standing if seen else {}
            own = {power: standing[power] for power in standing if power == self.power}
            return (self._board(now, own),)
        steps = [step for step in self._steps() if phase and _phase(step) == phase]
        closed = [step for step in steps if isinstance(step.recorded.event, PhaseClosed)]
        if closed:
            results = self._results(closed[-1])
            return (self._board(results.shared.stood, results=results), results)
        position = steps[-1].before.position if steps else None
        return (self._board(position),) if position else ()

    def _board(
        self,
        position: Position,
        standing: Mapping[Power, tuple[str, ...]] = NO_ORDERS,
        results: PhaseResults | None = None,
    ) -> BoardMap:
        judge = self.context.judge
        return BoardMap(
            heading=heading_of(self.board, self.game, self._code),
            phase=position.phase,
            position=position_seen(self.board, self.game, position, self.reader),
            standing={power: orders for power, orders in standing.items() if orders},
            results=results,
            drawn=judge.form is MailForm.PICTURES and judge.art_of(self.board) is not None,
        )

    def explain(self, parsed: WhyOrder) -> Context | None:
        """Explain the result of an order in the last closed phase, or in the named one."""
        closed = [step for step in self._steps() if isinstance(step.recorded.event, PhaseClosed)]
        named = [step for step in closed if parsed.phase in (None, _phase(step))]
        if not named:
            return None
        for step in reversed(named[-PHASES_OF_YEAR:]):
            results = self._results(step).shared
            if asked := self._orders(parsed, results):
                break
        else:
            results, asked = self._results(named[-1]).shared, {parsed.order: None}
            if names_of(self.board).find(parsed.order):  # where nothing happened
                asked = self._orders(replace(parsed, order=""), results) or asked
        return explanations.explanation(self.board, self.game, results, asked, self.reader)

    @property
    def _code(self) -> str:
        return self.context.judge.code

    def _log(self) -> Sequence[Recorded]:
        """Return the events of the game up to its version: it may have moved on meanwhile."""
        events = self.context.transaction.events
        return without_rolled_back(events.read(self.game.name, 0, self.game.version))

    def _steps(self) -> Iterator[Step]:
        """Yield the steps of the log; a closed phase includes the notices after it."""
        log, game = self._log(), None
        for i, each in enumerate(log):
            before, game = game, evolve(self.board, game, each.event)
            following = log[i + 1].event if i + 1 < len(log) else None
            after = game
            if isinstance(following, PhaseOpened | GameEnded):
                after = evolve(self.board, game, following)
            if before:
                yield Step(before, each, after)

    def _page(self, step: Step, *, broad: bool) -> Context | None:
        match step.recorded.event:
            case PhaseClosed():
                return self._results(step)
            case PressSent() as sent if broad and self._may_read(step.before, sent):
                return self._broadcast(step, sent)
            case event if broad and isinstance(event, Notable):
                announcer = Announcer(
                    self.context.judge, self.context.transaction, self.board, self.context.now
                )
                return announcer.notice(step, event, None)
            case _:
                return None

    def _results(self, step: Step) -> PhaseResults:
        closed = step.recorded.event
        assert isinstance(closed, PhaseClosed), "only such a step has results"
        results = phase_results.phase_results(
            self.board,
            step.before,
            closed,
            step.after,
            self.power,
            judge_code=self._code,
            closing=ClosingEvent(step.recorded.game, step.recorded.version),
            eyes=self.reader,
        )
        return replace(results, duty=None)

    def _may_read(self, then: Game, sent: PressSent) -> bool:
        opened = is_press_shown(self.game) and is_between_players(then, sent)
        return opened or goes_to_all(then, sent)

    def _broadcast(self, step: Step, sent: PressSent) -> Context | None:
        if sent in self.game.unread:
            return None
        press_reader = PressReader(
            self.context.judge, self.context.transaction, self.board, step.before
        )
        return press_reader.press_for(sent, None, answerable=False)

    def _tenure(self, person_id: str, since: Phase | None) -> Tenure:
        person = self.context.transaction.people.get(person_id)
        return Tenure(person.handle if person else "", since)

    def _orders(self, parsed: WhyOrder, results: SharedResults) -> Mapping[str, Order | None]:
        """Return the orders that *parsed* asks about; none if that phase has none there."""
        if not parsed.order:
            return self._named(_failed(results.orders.get(self.power or "", ())))
        asked = {each: self._asked(each, results) for each in ORDERS_APART.split(parsed.order)}
        unit = read_unit(parsed.order, self.board)
        if not unit and (places := names_of(self.board).find(parsed.order)):
            return self._named(_orders_at(results, frozenset(places), self.power))
        return (
            {parsed.order: _order_of(results, unit)} if unit and not any(asked.values()) else asked
        )

    def _asked(self, order: str, results: SharedResults) -> Order | None:
        found = read_strictly(order, self.board, results.closed.kind)
        return found[0].order if len(found) == 1 else None

    def _named(self, orders: Iterable[Order]) -> Mapping[str, Order | None]:
        return {write_short(each, self.board): each for each in orders}


def _failed(outcomes: Sequence[Outcome]) -> Sequence[Order]:
    """Return the orders that failed, or all if none did."""
    failed = [each.order for each in outcomes if not isinstance(each.verdict, Succeeds)]
    return failed or [each.order for each in outcomes]


def _orders_at(
    results: SharedResults, places: AbstractSet[Province], own: Power | None
) -> Sequence[Order]:
    """Return the orders of the units in *places* or on their way there: their *own*, or all."""

    def at_places(outcomes: Iterable[Outcome]) -> list[Order]:
        return [
            each.order
            for each in outcomes
            if ordered_province(each.order) in places
            or (isinstance(each.order, Move) and province_of(each.order.target) in places)
        ]

    everybody = (each for outcomes in results.orders.values() for each in outcomes)
    return at_places(results.orders.get(own or "", ())) or at_places(everybody)


def _order_of(results: SharedResults, unit: UnitName) -> Order:
    """Return the order of the unit at that location, else of the unit that moved there."""
    orders = [each for power in results.orders.values() for each in power]
    place = unit.province
    stood = (each.order for each in orders if ordered_province(each.order) == place)
    came = (
        each.order
        for each in orders
        if isinstance(each.order, Move) and province_of(each.order.target) == place
        if isinstance(each.verdict, Succeeds)
    )
    return next(stood, None) or next(came, None) or Hold(unit)


def _phase(step: Step) -> str | None:
    return step.before.position.phase.code if step.before.position else None


def _is_asked(parsed: History, step: Step) -> bool:
    within = _is_in_span(parsed.span, step)
    return within and not (parsed.without and _is_in_span(parsed.without, step))


def _is_in_span(span: HistorySpan, step: Step) -> bool:
    return _is_before(span.begin, step, or_at=True) and not _is_before(span.end, step, or_at=False)


def _is_before(bound: str | date | None, step: Step, *, or_at: bool) -> bool:
    match bound:
        case None:
            return or_at
        case date():
            day = step.recorded.recorded_utc.astimezone(UTC).date()
            return bound < day or (or_at and bound == day)
        case str():
            position, named = step.before.position, Phase.parse(bound)
            if position is None:
                return False
            return named < position.phase or (or_at and named == position.phase)
        case _:
            assert_never(bound)


def _latest(pages: Sequence[Context], pages_max: int, lines_max: int) -> Sequence[Context]:
    kept: list[Context] = []
    lines = 0
    for page in reversed(pages[-pages_max:]):
        lines += _count_lines(page)
        if lines > lines_max and kept:
            break
        kept.insert(0, page)
    return kept


def _count_lines(page: Context) -> int:
    """Count in the shipped words: an error in the operator's must not stop the orders beside."""
    if isinstance(page, PhaseResults):  # The checkpoint is read when the email is rendered.
        page = replace(page, shared=replace(page.shared, closing=None))
    with with_shipped_templates():
        return render(page).text.count("\n")
