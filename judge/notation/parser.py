"""Parse the orders that people write; nothing written raises, all work is bounded.

Nothing written can raise here: a clause on which our code fails is not understood, and the others
are read. The time is linear in the text: lines, characters, clauses,
terms and the meanings tried for a clause all have a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from judge.notation.clause_reader import is_readable, read_clause
from judge.notation.clause_splitting import (
    PossibleCut,
    begins_with_unit,
    ends_openly,
    ends_with_place,
    exception_at,
    is_whereabouts,
    kind_of_several,
    leaves_the_board,
    may_serve_next,
    next_in_list,
    passive_help_in,
    possible_cuts,
    retreat_at,
    split_list,
    sub_clause,
)
from judge.notation.clauses import Clause, split_clauses
from judge.notation.disambiguation import ADJACENT, OrderReader, fit_of
from judge.notation.names import Names, Token, names_of
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
    WhyNotUnderstood,
    describe_defect,
)
from judge.rules.board import Map
from judge.rules.types import Build, Disband, Move, PhaseKind, UnitName

CLAUSES_MAX = 500  # As many as lines: an order set has 34.
CUTS_MAX = 200  # in a text, before each of which one looks for the end of an order
CUTS_IN_ORDER_MAX = (
    6  # cuts that one order may hold: those of two units, and of abbreviations with full stops
)


def parse(
    text: str,
    board: Map,
    kind: PhaseKind = PhaseKind.MOVEMENT,
    names: Names | None = None,
    *,
    s_stands: bool = False,
) -> tuple[Reading, ...]:
    """Read the orders of *text*: one line or many; several a line, best with `,` or `;` between.

    *kind* decides what `A Vie-Boh` is, or a bare `F Bre`: a retreat, a build. Whether an order
    belongs into such a phase is not asked. *names* are `names_of(board)` unless given:
    `codes_of(board)` for text that a program wrote. `A Par S` is a hold only if *s_stands*.
    """
    passage = _PassageReader(OrderReader(board, names or names_of(board), kind, s_stands))
    for piece in split_clauses(text, passage.reader.names):
        _take(passage, piece)
        if len(passage.readings) > CLAUSES_MAX:
            beyond = passage.readings[CLAUSES_MAX]
            end = NotUnderstood(
                beyond.line, beyond.column, "", WhyNotUnderstood.TOO_MANY, "", beyond.column
            )
            return (*passage.readings[:CLAUSES_MAX], end)
    return tuple(passage.readings)


def _take(passage: _PassageReader, piece: Clause | NotUnderstood | Prose) -> None:
    """Read *piece* into *passage*; if our code fails on it, it costs no other clause."""
    read_before = len(passage.readings)
    try:
        passage.take(piece)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is about this clause alone
        del passage.readings[read_before:]
        line, column, defect = piece.line, piece.column, describe_defect(error)
        passage.readings.append(
            NotUnderstood(
                line, column, piece.text, WhyNotUnderstood.FAILED, "", column, defect=defect
            )
        )


@dataclass
class _PassageReader:
    """Reads clauses one after another, of which some go on with what stands before them.

    *before* is the clause of the last order; *wishes* says that behind it, without parentheses,
    stands where its unit retreats to; *several* is the kind of all units of a list.
    """

    reader: OrderReader
    readings: list[Reading] = field(default_factory=list)
    before: Clause | None = None
    wishes: bool = False
    cuts_left: int = CUTS_MAX
    several: Token | None = None

    def take(self, piece: Clause | NotUnderstood | Prose) -> None:
        """Read *piece*."""
        if not isinstance(piece, Clause):
            self.readings.append(piece)
        elif self.reader.kind is PhaseKind.ADJUSTMENTS:
            for sentence in self._sentences(piece):
                for each in split_list(sentence, self.reader):
                    if not self._is_another(each):
                        self._read(each)
        elif not self._goes_on(piece):
            self.wishes = False
            self._read(piece)

    def _sentences(self, piece: Clause) -> tuple[Clause, ...]:
        """Return the sentences of *piece* if each can be read: `Build A Par. Build F Bre`."""
        if not piece.tokens:  # `___`
            return (piece,)
        at = [cut.at for cut in possible_cuts(piece, self.reader.names) if cut.sentence]
        parts = tuple(sub_clause(piece, start, end) for start, end in pairwise(at))
        several = len(parts) > 1 and all(is_readable(each, self.reader) for each in parts)
        return parts if several else (piece,)

    def _is_another(self, piece: Clause) -> bool:
        """Take *piece* for another place of a list: `Remove Brest, Paris`."""
        last = self._last(piece.line)
        reading = next_in_list(piece, last, self.several, self.reader) if last else None
        if reading:
            self.readings.append(reading)
        return bool(reading)

    def _last(self, line: int) -> Understood | None:
        """Return the order read last, if that stands in *line*."""
        last = self.readings[-1] if self.readings else None
        return last if isinstance(last, Understood) and last.line == line else None

    def _goes_on(self, piece: Clause) -> bool:
        """Take *piece* for where the unit of the last order retreats to: `A Mar H, R Gas`."""
        last = self._last(piece.line)
        if last is None or piece.in_doubt or self.reader.kind is not PhaseKind.MOVEMENT:
            return False
        if retreat_at(piece, self.reader.names) == 0:
            self._remark(last, piece.text)
        elif self.wishes and is_whereabouts(piece, self.reader.names):
            self._remark(last, f"{last.remark[1:-1]}, {piece.text}")
        elif leaves_the_board(piece):
            self._remark(last, piece.text)
        else:
            return False
        return True

    def _remark(self, order: Understood, wish: str) -> None:
        self.readings[-1] = replace(order, remark=f"({wish})")
        self.wishes = True

    def _read(self, piece: Clause) -> None:
        """Read *piece* as an order, or as several if it is not one."""
        if piece.in_doubt:
            if not self._wished(piece):
                self.readings.append(read_clause(piece, self.reader))
        elif (at := exception_at(piece)) is not None:
            self._read(sub_clause(piece, 0, at))
            self._read(sub_clause(piece, at + 1, len(piece.tokens)))
        elif not self._helped(piece):
            reading = read_clause(piece, self.reader)
            if isinstance(reading, Understood):
                self._order(piece, reading)
            elif not (self._several(piece) or self._wished(piece)):
                self.readings.append(reading)

    def _order(self, piece: Clause, reading: Understood) -> None:
        """Keep an order; the second unit of `Remove A Vie, A Bud` is removed too."""
        match self._last(piece.line), reading:
            case Understood(order=Disband()), Understood(order=Build(unit), bare=True):
                self.readings.append(replace(reading, order=Disband(unit)))
            case Understood(order=Build(), bare=False), Understood(order=Build(), bare=True):
                self.readings.append(replace(reading, bare=False))
            case _:
                self.readings.append(reading)
        self.before, self.several = piece, kind_of_several(piece)

    def _helped(self, piece: Clause) -> bool:
        """Read `A Mar-Bur supported by A Par` as two orders, if it is that."""
        if self.reader.kind is not PhaseKind.MOVEMENT:
            return False
        help_ = passive_help_in(piece, self.before if self._last(piece.line) else None)
        helper = read_clause(help_.helper, self.reader) if help_ else None
        if help_ is None or not isinstance(helper, Understood):
            return False
        order = read_clause(help_.order, self.reader) if help_.order.tokens else None
        if isinstance(order, Understood):
            self._order(help_.order, order)
        elif order and not isinstance(order, Prose):
            self.readings.append(order)
        self.readings.append(helper)
        return True

    def _wished(self, piece: Clause) -> bool:
        """Read `A Mar H retreat to Gas` as an order and where its unit retreats to then."""
        at = retreat_at(piece, self.reader.names)
        if not at or self.reader.kind is not PhaseKind.MOVEMENT:
            return False
        wish = sub_clause(piece, at, len(piece.tokens))
        if len(possible_cuts(wish, self.reader.names)) > len("<>"):
            return False
        end = at - 1 if piece.tokens[at - 1].key == "-" else at
        if not end:  # `- retreat to Gas`, an item of a list that names no unit
            return False
        told = sub_clause(piece, 0, end)
        order = read_clause(told, self.reader)
        if not isinstance(order, Understood):
            return False
        self._order(told, order)
        self._remark(order, wish.text)
        return True

    def _several(self, piece: Clause) -> bool:
        """Read *piece* as sentences, or as orders with nothing between, if that loses nothing."""
        found = possible_cuts(piece, self.reader.names)
        self.cuts_left -= len(found)
        if len(found) == len("<>") or self.cuts_left < 0:
            return False
        parts, start = [], 0
        while start < len(found) - 1:
            end = self._end(piece, found, start)
            if end is None:
                return False
            parts.append(sub_clause(piece, found[start].at, found[end].at))
            start = end
        if len(parts) == 1 or any(map(self._are_one, parts, parts[1:])):
            return False
        trial = _PassageReader(self.reader, cuts_left=self.cuts_left)
        for each in parts:
            trial.take(each)
        self.cuts_left = trial.cuts_left
        if trial.is_torn(parts[-1].column) or any(map(self._are_slip, parts, parts[1:])):
            return False
        self.readings += trial.readings
        self.before, self.wishes = trial.before, trial.wishes
        return True

    def _end(self, piece: Clause, found: Sequence[PossibleCut], start: int) -> int | None:
        """Return the cut at which what begins with *start* ends: an order, or else a sentence."""
        for end in reversed(range(start + 1, min(start + CUTS_IN_ORDER_MAX, len(found) - 1) + 1)):
            whole = end == len(found) - 1
            each = sub_clause(piece, found[start].at, found[end].at)
            if (whole or not ends_openly(each)) and is_readable(each, self.reader):
                return end
        end = next(at for at in range(start + 1, len(found)) if found[at].sentence)
        told = sub_clause(piece, found[start].at, found[end].at)
        return end if found[start].sentence and not ends_openly(told) else None

    def _are_one(self, first: Clause, second: Clause) -> bool:
        """Tell whether a full stop may only shorten a verb: `A Mar helps.` and `A Par-Bur`."""
        names = self.reader.names
        served = begins_with_unit([token.key for token in second.tokens], 0, names)
        if not (served and may_serve_next(first, names)):
            return False
        alone = read_clause(first, self.reader)
        return not isinstance(alone, Understood) or (
            isinstance(alone.order, Move)
            and fit_of(self.reader.board).misfit(alone.order) > ADJACENT
        )

    def _are_slip(self, first: Clause, second: Clause) -> bool:
        """Tell whether both are one order with a slip of the pen: `F Nth - Norw.` and `Se`."""
        if is_readable(second, self.reader):
            return False
        both = read_clause(replace(first, tokens=first.tokens + second.tokens), self.reader)
        return isinstance(both, NotUnderstood) and both.nearest is not None

    def is_torn(self, last_column: int) -> bool:
        """Tell whether the cuts made no order, or one that may go on behind the cut."""
        orders = [each for each in self.readings if _orders(each)]
        unread = (each for each in self.readings if isinstance(each, NotUnderstood))
        names = self.reader.names
        return not orders or any(
            each.column < last_column and not ends_with_place(each.text, names) for each in unread
        )


def _orders(reading: Reading) -> bool:
    """Tell whether *reading* orders something, be it that all units hold."""
    return isinstance(reading, Understood | Unclear) or (
        isinstance(reading, Prose) and reading.hold
    )


def read_unit(text: str, board: Map) -> UnitName | None:
    """Return the unit that is all that *text* names, with its kind."""
    match parse(text, board, PhaseKind.ADJUSTMENTS):
        case (Understood(order=Build(unit), bare=True),):  # such as is built where builds are due
            return unit
        case _:
            return None
