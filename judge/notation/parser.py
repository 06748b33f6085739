"""Text to readings: the one door through which written orders come in.

Nothing written can raise here, and the time is linear in the text: lines, characters, clauses,
terms and the meanings tried for a clause all have a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.notation.clauses import Clause, clauses
from judge.notation.grammar import Stuck, read_order
from judge.notation.lexer import tokenize
from judge.notation.meaning import Meaning, Reader
from judge.notation.names import Names, names_of
from judge.notation.nearest import meant_as_order, provinces_near, repaired, unknown
from judge.notation.reading import NotUnderstood, Prose, Reading, Unclear, Understood, Why
from judge.notation.terms import Term, terms_of
from judge.notation.words import BUILD, DENIALS, DOUBTS
from judge.rules.geography import Map
from judge.rules.order import Build, Disband, Order, Waive
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Power

CLAUSES_MAX = 500  # As many as lines: an order set has 34.
TOKENS_MAX = 60  # The longest order, names in full and an owner to each unit, has about 20.


def parse(
    text: str, board: Map, kind: PhaseKind = PhaseKind.MOVEMENT, names: Names | None = None
) -> tuple[Reading, ...]:
    """Read the orders of *text*: one line or many; several a line with `,` or `;`.

    *kind* decides what `A Vie-Boh` is, or a bare `F Bre`: a retreat, a build. Whether an order
    belongs into such a phase is not asked. *names* are `names_of(board)` unless given:
    `codes_of(board)` for text that a program wrote.
    """
    return tuple(_readings(text, Reader(board, names or names_of(board), kind)))


def _readings(text: str, reader: Reader) -> Iterator[Reading]:
    last: Reading | None = None
    for count, piece in enumerate(clauses(text, reader.names)):
        if count == CLAUSES_MAX:
            yield NotUnderstood(piece.line, piece.column, "", Why.TOO_MANY, "", piece.column)
            return
        reading = _read(piece, reader) if isinstance(piece, Clause) else piece
        last = _carried_on(last, reading)
        yield last


def _carried_on(last: Reading | None, reading: Reading) -> Reading:
    """Read the second unit of `Remove A Vie, A Bud` as removed too."""
    match last, reading:
        case Understood(order=Disband()), Understood(order=Build(unit)) if (
            last.line == reading.line and is_bare(reading)
        ):
            return replace(reading, order=Disband(unit))
        case _:
            return reading


def is_bare(reading: Understood) -> bool:
    """Tell whether an adjustment names a unit and no more: `F Bre`, `* F Bre`."""
    return not any(token.key in BUILD or token.key == "+" for token in tokenize(reading.text))


def _read(clause: Clause, reader: Reader) -> Reading:
    terms = terms_of(clause.tokens, reader.names) if len(clause.tokens) <= TOKENS_MAX else ()
    if not terms:
        return Prose(clause.line, clause.column, clause.text)
    meanings = reader.meanings(terms)
    if not meanings and not meant_as_order(terms, reader.names):
        return Prose(clause.line, clause.column, clause.text)
    if clause.doubtful:
        return _doubtful(clause)
    match meanings:
        case ():
            return _failed(clause, terms, reader)
        case (meaning,):
            return _understood(clause, meaning)
        case _:
            return _unclear(clause, terms, meanings)


def _understood(clause: Clause, meaning: Meaning) -> Understood:
    remark = meaning.read.remark_column
    order, owner = _disowned(meaning.read.order)
    return Understood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        order=order,
        power=owner or clause.power,
        remark=clause.text[remark - clause.column :] if remark else "",
    )


def _unclear(clause: Clause, terms: Sequence[Term], meanings: Sequence[Meaning]) -> Unclear:
    """Ask about the first word in which *meanings* differ."""
    choices = [
        tuple(dict.fromkeys(places)) for places in zip(*(m.places for m in meanings), strict=True)
    ]
    at = next(index for index, choice in enumerate(choices) if len(choice) > 1)
    return Unclear(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        word=terms[at].text,
        word_column=terms[at].column,
        provinces=tuple(place for place in choices[at] if place),
        orders=tuple(_disowned(meaning.read.order)[0] for meaning in meanings),
        power=_disowned(meanings[0].read.order)[1] or clause.power,
    )


def _doubtful(clause: Clause) -> NotUnderstood:
    words = DOUBTS | DENIALS
    word = next((token for token in clause.tokens if token.key in words), clause.tokens[0])
    return NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=Why.DOUBTFUL,
        word=word.text,
        word_column=word.column,
        power=clause.power,
    )


def _failed(clause: Clause, terms: Sequence[Term], reader: Reader) -> NotUnderstood:
    strangers = unknown(terms, reader.names)
    word = strangers[0] if strangers else terms[_stuck_at(terms, reader)]
    mended = repaired(terms, reader.names)
    nearest = reader.meanings(mended)
    return NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=Why.UNKNOWN_WORD if strangers else Why.NOT_AN_ORDER,
        word=word.text,
        word_column=word.column,
        provinces=provinces_near(word, mended) if strangers else (),
        nearest=_disowned(nearest[0].read.order)[0] if len(nearest) == 1 else None,
        power=clause.power,
    )


def _stuck_at(terms: Sequence[Term], reader: Reader) -> int:
    match read_order(terms, reader.names, reader.kind):
        case Stuck(at):
            return min(at, len(terms) - 1)
        case _:
            return 0  # It can be read, but in too many ways.


def _disowned(order: Order) -> tuple[Order, Power | None]:
    """Take off the ordered unit the name of its owner, which is said beside the order."""
    if isinstance(order, Waive):
        return order, None
    return replace(order, unit=replace(order.unit, power=None)), order.unit.power
