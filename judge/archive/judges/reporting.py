"""A recorded phase as the mail of nJudge that tells of it: who stood where, or what came of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TypeAlias

from judge.archive.judges.wording import (
    AHEAD,
    SEASONS,
    TITLES,
    code_of,
    date_text,
    game_of,
    in_place,
    judge_of,
    order_text,
    place_text,
    results_of,
    unit_text,
    with_route,
)
from judge.archive.record import Record, RecordedPhase
from judge.notation.order_text import KIND_NAMES
from judge.rules.board import Map
from judge.rules.phase_sequence import sort_units
from judge.rules.rulebook import DATC, Rulebook, UnknownRulebookError, rulebook_named
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Waive,
)

LINE_CHARACTERS = 79
UnitOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build
GONE = frozenset({"dislodged", "destroyed"})


class Reporter:
    """Writes the mails of the game of *record*, on *board*."""

    def __init__(self, record: Record, board: Map) -> None:
        self._record = record
        self._board = board
        self._law = _law_of(record)
        self._judge = judge_of(record)
        self._game = game_of(record)
        self._last = max((each.phase for each in record.phases if each.orders), default=None)

    def standing(self, recorded: RecordedPhase) -> Iterator[str]:
        """Yield who stands where at the start of *recorded*, and who owns what."""
        position, phase = recorded.position, recorded.phase
        assert position, "those without are left out"
        yield from self._heading(recorded, "Game Starting")
        start = self._board.start
        if phase == start.phase and position.owners == start.owners:
            yield f"Starting position for {_when(phase)}."
        else:
            title = TITLES[phase.kind]
            yield f"Status of the {title} phase for {_when(phase)}.  ({self._game}.001)"
        yield ""
        retreats = {each.unit: each.retreats for each in position.dislodged}
        for unit in (*position.units, *retreats):
            places = " or ".join(place_text(self._board, at) for at in retreats.get(unit, ()))
            ending = f" can retreat to {places}." if places else "."
            yield f"{self._name(unit.power) + ':':<8} {unit_text(self._board, unit)}{ending}"
        yield ""
        yield from self._ownership(position)
        if recorded.deadline:
            yield f"The deadline for the first orders is {date_text(recorded.deadline)}."
        yield ""

    def results(self, recorded: RecordedPhase, following: RecordedPhase | None) -> Iterator[str]:
        """Yield the mail of results of *recorded*, which *following* comes after."""
        phase, position = recorded.phase, recorded.position
        assert position, "those without are left out"
        yield from self._heading(recorded, "Results")
        yield f"{TITLES[phase.kind]} results for {_when(phase)}. ({self._game}.001)"
        yield ""
        after = following.position if following else None
        words = self._words(recorded, position, after)
        match phase.kind:
            case PhaseKind.MOVEMENT:
                yield from self._moved(recorded, position, words)
                yield from self._dislodged(position, after, words)
            case PhaseKind.RETREATS:
                yield from self._retreated(recorded, position, words)
            case PhaseKind.ADJUSTMENTS:
                yield from self._adjusted(recorded, position, after)
        yield ""
        if after and phase.season is Season.FALL and after.phase.season is not Season.FALL:
            yield from self._ownership(after)
            yield from self._counts(after)
        yield from self._end(recorded, following)

    def _heading(self, recorded: RecordedPhase, what: str) -> Iterator[str]:
        if recorded.reported:
            seconds = int(recorded.reported.timestamp())
            yield f"Date:    {recorded.reported:%a %b %d %H:%M:%S %Y} ({seconds})"
        code, name = code_of(recorded.phase), self._game
        if self._judge:
            yield f"Subject: {self._judge}:{name} - {code} {what}"
        else:
            yield f"Subject: Diplomacy results {name} {code}"
        yield ""

    def _name(self, power: Power) -> str:
        return self._board.nations[power].name

    def _words(
        self, recorded: RecordedPhase, position: Position, after: Position | None
    ) -> dict[Province, tuple[str, ...]]:
        """Return the results by province, also of units that nobody gave an order."""
        board = self._board
        words = {
            at: told for (_, at), told in results_of(board, recorded, position, self._law).items()
        }
        driven = [each.unit for each in after.dislodged] if after else []
        for unit in (*driven, *(unit for _, unit in recorded.removed)):
            told = words.get(unit.province, ())
            if position.phase.kind is PhaseKind.MOVEMENT and not GONE.intersection(told):
                words[unit.province] = (*told, "dislodged")
        return words

    def _moved(
        self,
        recorded: RecordedPhase,
        position: Position,
        words: dict[Province, tuple[str, ...]],
    ) -> Iterator[str]:
        ordered = _by_unit(recorded)
        power = ""
        for unit in position.units:
            if power and unit.power != power:
                yield ""
            power = unit.power
            order = ordered.get((power, unit.province))
            if isinstance(order, Move):
                order = with_route(self._board, ordered.values(), order, self._law)
            text = (
                order_text(self._board, position, power, order)
                if order
                else f"{unit_text(self._board, unit)}, No Order Processed."
            )
            yield f"{self._name(power)}: {text}{_annotation(words.get(unit.province, ()))}"

    def _dislodged(
        self,
        position: Position,
        after: Position | None,
        words: dict[Province, tuple[str, ...]],
    ) -> Iterator[str]:
        driven = [
            unit for unit in position.units if GONE.intersection(words.get(unit.province, ()))
        ]
        retreats = {each.unit: each.retreats for each in after.dislodged} if after else {}
        if driven:
            yield from ("", "", "The following units were dislodged:", "")
        for unit in driven:
            nation = self._board.nations[unit.power].adjective
            kind, at = KIND_NAMES[unit.kind], in_place(self._board, unit.location)
            places = " or ".join(place_text(self._board, goal) for goal in retreats.get(unit, ()))
            fate = f"can retreat to {places}" if places else "with no valid retreats was destroyed"
            yield from _wrapped(f"The {nation} {kind} in {at} {fate}.", "")

    def _retreated(
        self,
        recorded: RecordedPhase,
        position: Position,
        words: dict[Province, tuple[str, ...]],
    ) -> Iterator[str]:
        ordered = _by_unit(recorded)
        for each in position.dislodged:
            unit = each.unit
            order = ordered.get((unit.power, unit.province))
            text = (
                order_text(self._board, position, unit.power, order)
                if order
                else f"{unit_text(self._board, unit)}, No Order Processed (DISBAND)."
            )
            kind, _, rest = text.partition(" ")
            shown = f"{kind:<5} {rest}{_annotation(words.get(unit.province, ()))}"
            yield f"{self._name(unit.power) + ':':<25} {shown}"

    def _adjusted(
        self, recorded: RecordedPhase, position: Position, after: Position | None
    ) -> Iterator[str]:
        gone = {unit for _, unit in recorded.removed}
        gone |= set(position.units) - set(after.units) if after else set()
        for each in recorded.orders:
            if each.order:
                text = order_text(self._board, position, each.power, each.order)
                yield f"{self._name(each.power) + ':':<25} {text}"
        ordered = {at for _, at in _by_unit(recorded)}
        for unit in sort_units(self._board, gone):
            if unit.province not in ordered:
                kind, at = KIND_NAMES[unit.kind].lower(), in_place(self._board, unit.location)
                yield f"{self._name(unit.power) + ':':<25} Defaults, removing the {kind} in {at}."

    def _ownership(self, position: Position) -> Iterator[str]:
        board = self._board
        owned = {self._name(power): position.centers_of(power) for power in board.powers}
        owned["Unowned"] = tuple(each for each in board.centers if each not in position.owners)
        yield "Ownership of supply centers:"
        yield ""
        for name, centers in owned.items():
            if centers:
                listed = ", ".join(sorted(place_text(board, each) for each in centers))
                yield from _wrapped(f"{name + ':':<10} {listed}.", " " * 11)
        yield ""

    def _counts(self, position: Position) -> Iterator[str]:
        for power in self._board.powers:
            centers, units = len(position.centers_of(power)), len(position.units_of(power))
            if not centers and not units:
                continue
            due = centers - units
            number, verb = abs(due), "Builds" if due >= 0 else "Removes"
            has = f"{_several('Supply center', centers)},"
            stands = f"{_several('Unit', units)}:"
            changes = f"{verb:<7}{number:>3} {_several('unit', number)}."
            name = f"{self._name(power)}:"
            yield f"{name:<8}{centers:>4} {has:<15}{units:>3} {stands:<6}  {changes}"
        yield ""

    def _end(self, recorded: RecordedPhase, following: RecordedPhase | None) -> Iterator[str]:
        if self._record.ending and recorded.phase == self._last:
            yield "The game is over.  Thank you for playing."
        else:
            phase = following.phase if following else recorded.phase.following()
            ahead = f"{AHEAD[phase.kind]} for {_when(phase)}"
            yield f"The next phase of '{self._game}' will be {ahead}."
            if following and following.deadline:
                yield f"The deadline for orders will be {date_text(following.deadline)}."
        yield ""


def _law_of(record: Record) -> Rulebook:
    """Return the law of *record*, for results that it does not tell; ours if nobody knows it."""
    try:
        return rulebook_named(record.rulebook or "datc")
    except UnknownRulebookError:
        return DATC


def _by_unit(recorded: RecordedPhase) -> dict[tuple[Power, Province], UnitOrder]:
    """Return the orders of *recorded* by power and province, of several for one unit the last."""
    return {
        (each.power, each.order.unit.province): each.order
        for each in recorded.orders
        if each.order and not isinstance(each.order, Waive)
    }


def _when(phase: Phase) -> str:
    return f"{SEASONS[phase.season]} of {phase.year}"


def _several(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _annotation(words: tuple[str, ...]) -> str:
    return f" (*{', '.join(words)}*)" if words else ""


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        LINE_CHARACTERS,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
