"""Parse the orders that people write; no text raises, and all work is bounded.

A clause on which our code fails is not understood; the others are still read. Time is linear in
the text: lines, characters, clauses, terms and the meanings of a clause all have limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from judge.notation import clause_splitting
from judge.notation.clause_reader import is_readable, looks_like_adjustment, read_clause
from judge.notation.clauses import (
    Clause,
    is_notation,
    says_others_hold,
    split_clauses,
)
from judge.notation.grammar import OrderReader
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
    WhyNotUnderstood,
    describe_defect,
)
from judge.notation.strict_orders import misfit
from judge.notation.terms import names_of, terms_of
from judge.rules.board import Map
from judge.rules.types import Build, Disband, Move, PhaseKind, Province

CLAUSES_MAX = 500  # an order set has 34
CUTS_MAX = 200  # per text
CUTS_IN_ORDER_MAX = 6  # at two units and at abbreviations with full stops


def parse(
    text: str,
    board: Map,
    kind: PhaseKind = PhaseKind.MOVEMENT,
    *,
    s_stands: bool = False,
    about: AbstractSet[Province] | None = None,
    recorded: bool = False,
) -> tuple[Reading, ...]:
    """Read the orders in *text*, which are on separate lines or best separated by `,` or `;`.

    *kind* decides whether `A Vie-Boh` is a move or a retreat, and whether a bare `F Bre` is a
    build; other orders are not checked against it. `A Par S` is a hold only if *s_stands*. If only
    orders to units in the provinces *about* matter, lines that name none of these are not read.
    Clauses in people's own words are prose, for `judge.reading`, unless a program has *recorded*
    them.
    """
    passage = _PassageReader(OrderReader(board, names_of(board), kind, s_stands), recorded)
    for piece in split_clauses(text, passage.reader.names, about):
        _read_safely(passage, piece)
        if len(passage.readings) > CLAUSES_MAX:
            beyond = passage.readings[CLAUSES_MAX]
            end = NotUnderstood(beyond.line, beyond.column, "", WhyNotUnderstood.TOO_MANY)
            return (*passage.readings[:CLAUSES_MAX], end)
    return tuple(passage.readings)


def _is_notation(piece: Clause, reader: OrderReader) -> bool:
    """Return whether *piece* is notation, or is about all units, or one in a short phase."""
    keys = [each.key for each in piece.tokens]
    if is_notation(piece.text) or clause_splitting.repeats_orders(piece):
        return True
    if reader.kind is PhaseKind.MOVEMENT:
        return says_others_hold(keys)
    terms = terms_of(piece.tokens, reader.names)
    return is_readable(piece, reader) or looks_like_adjustment(terms, reader.kind)


def _read_safely(passage: _PassageReader, piece: Clause | NotUnderstood | Prose) -> None:
    """Read *piece*; if our code fails on it, the other clauses are still read."""
    read_before = len(passage.readings)
    try:
        passage.add(piece)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is about this clause alone
        del passage.readings[read_before:]
        line, column, defect = piece.line, piece.column, describe_defect(error)
        passage.readings.append(
            NotUnderstood(line, column, piece.text, WhyNotUnderstood.FAILED, defect=defect)
        )


@dataclass
class _PassageReader:
    """Reads clauses one by one; some continue earlier ones.

    *retreat_named* means that its unit's retreat follows
    without parentheses.
    """

    reader: OrderReader
    recorded: bool = False
    readings: list[Reading] = field(default_factory=list)
    retreat_named: bool = False
    cuts_left: int = CUTS_MAX

    def add(self, piece: Clause | NotUnderstood | Prose) -> None:
        if not isinstance(piece, Clause):
            self.readings.append(piece)
        elif not (self.recorded or _is_notation(piece, self.reader)):
            self.retreat_named = False
            self.readings.append(Prose(piece.line, piece.column, piece.text))
        elif not self._read_retreat(piece):
            self.retreat_named = False
            self._read(piece)

    def _last(self, line: int) -> Understood | None:
        last = self.readings[-1] if self.readings else None
        return last if isinstance(last, Understood) and last.line == line else None

    def _read_retreat(self, piece: Clause) -> bool:
        """Read *piece* as the retreat of the last order's unit: `A Mar H, R Gas`."""
        last = self._last(piece.line)
        if last is None or piece.in_doubt or self.reader.kind is not PhaseKind.MOVEMENT:
            return False
        if clause_splitting.retreat_at(piece, self.reader.names) == 0:
            self._add_remark(last, piece.text)
        elif self.retreat_named and clause_splitting.is_retreat_place(piece, self.reader.names):
            self._add_remark(last, f"{last.remark[1:-1]}, {piece.text}")
        elif clause_splitting.leaves_the_board(piece):
            self._add_remark(last, piece.text)
        else:
            return False
        return True

    def _add_remark(self, order: Understood, retreat: str) -> None:
        self.readings[-1] = replace(order, remark=f"({retreat})")
        self.retreat_named = True

    def _read(self, piece: Clause) -> None:
        if piece.in_doubt:
            if not self._read_order_with_retreat(piece):
                self.readings.append(read_clause(piece, self.reader))
        elif (at := clause_splitting.exception_at(piece)) is not None:
            self._read(clause_splitting.sub_clause(piece, 0, at))
            self._read(clause_splitting.sub_clause(piece, at + 1, len(piece.tokens)))
        elif isinstance(reading := read_clause(piece, self.reader), Understood):
            self._add_order(piece, reading)
        elif not (self._read_several(piece) or self._read_order_with_retreat(piece)):
            self.readings.append(reading)

    def _add_order(self, piece: Clause, reading: Understood) -> None:
        """Add an order; the second unit of `Remove A Vie, A Bud` is removed too."""
        match self._last(piece.line), reading:
            case Understood(order=Disband()), Understood(order=Build(unit), bare=True):
                self.readings.append(replace(reading, order=Disband(unit)))
            case Understood(order=Build(), bare=False), Understood(order=Build(), bare=True):
                self.readings.append(replace(reading, bare=False))
            case _:
                self.readings.append(reading)

    def _read_order_with_retreat(self, piece: Clause) -> bool:
        """Read `A Mar H retreat to Gas` as an order with a retreat."""
        at = clause_splitting.retreat_at(piece, self.reader.names)
        if not at or self.reader.kind is not PhaseKind.MOVEMENT:
            return False
        retreat = clause_splitting.sub_clause(piece, at, len(piece.tokens))
        if len(clause_splitting.possible_cuts(retreat, self.reader.names)) > len("<>"):
            return False
        end = at - 1 if piece.tokens[at - 1].key == "-" else at
        if not end:  # `- retreat to Gas` in a list
            return False
        part = clause_splitting.sub_clause(piece, 0, end)
        order = read_clause(part, self.reader)
        if not isinstance(order, Understood):
            return False
        self._add_order(part, order)
        self._add_remark(order, retreat.text)
        return True

    def _read_several(self, piece: Clause) -> bool:
        """Read *piece* as sentences or run-on orders if nothing is lost."""
        found = clause_splitting.possible_cuts(piece, self.reader.names)
        self.cuts_left -= len(found)
        if len(found) == len("<>") or self.cuts_left < 0:
            return False
        parts, start = [], 0
        while start < len(found) - 1:
            end = self._order_end(piece, found, start)
            if end is None:
                return False
            parts.append(clause_splitting.sub_clause(piece, found[start].at, found[end].at))
            start = end
        if len(parts) == 1 or any(map(self._may_be_one, parts, parts[1:])):
            return False
        trial = _PassageReader(self.reader, recorded=True, cuts_left=self.cuts_left)
        for each in parts:
            trial.add(each)
        self.cuts_left = trial.cuts_left
        if trial.lost_orders(parts[-1].column) or any(
            map(self._are_misspelt_order, parts, parts[1:])
        ):
            return False
        self.readings += trial.readings
        self.retreat_named = trial.retreat_named
        return True

    def _order_end(
        self, piece: Clause, found: Sequence[clause_splitting.PossibleCut], start: int
    ) -> int | None:
        """Return the cut at the end of the order, or else of the sentence, from *start*."""
        for end in reversed(range(start + 1, min(start + CUTS_IN_ORDER_MAX, len(found) - 1) + 1)):
            whole = end == len(found) - 1
            each = clause_splitting.sub_clause(piece, found[start].at, found[end].at)
            if (whole or not clause_splitting.ends_openly(each)) and is_readable(
                each, self.reader
            ):
                return end
        end = next(at for at in range(start + 1, len(found)) if found[at].sentence)
        part = clause_splitting.sub_clause(piece, found[start].at, found[end].at)
        return end if found[start].sentence and not clause_splitting.ends_openly(part) else None

    def _may_be_one(self, first: Clause, second: Clause) -> bool:
        """Return whether a full stop may only shorten a verb: `A Mar helps.` and `A Par-Bur`."""
        names = self.reader.names
        is_unit = clause_splitting.begins_with_unit(
            [token.key for token in second.tokens], 0, names
        )
        if not (is_unit and clause_splitting.may_help_next(first, names)):
            return False
        alone = read_clause(first, self.reader)
        return not isinstance(alone, Understood) or (
            isinstance(alone.order, Move) and misfit(self.reader.board, alone.order) > 0
        )

    def _are_misspelt_order(self, first: Clause, second: Clause) -> bool:
        """Return whether both are one misspelled order: `F Nth - Norw.` and `Se`."""
        if is_readable(second, self.reader):
            return False
        both = read_clause(replace(first, tokens=first.tokens + second.tokens), self.reader)
        return isinstance(both, NotUnderstood) and both.nearest is not None

    def lost_orders(self, last_column: int) -> bool:
        """Return whether no order was read, or one may continue after a cut."""
        orders = [each for each in self.readings if _gives_order(each)]
        unread = (each for each in self.readings if isinstance(each, NotUnderstood))
        names = self.reader.names
        return not orders or any(
            each.column < last_column and not clause_splitting.ends_with_place(each.text, names)
            for each in unread
        )


def _gives_order(reading: Reading) -> bool:
    return isinstance(reading, Understood | Unclear) or (
        isinstance(reading, Prose) and reading.hold
    )
