"""One clause to a reading: an order, a question, a failure with its place, or no order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation.clauses import Clause
from judge.notation.grammar import Stuck, read_order
from judge.notation.meaning import Meaning, Reader
from judge.notation.nearest import meant_as_duty, meant_as_order, provinces_near, repaired, unknown
from judge.notation.reading import NotUnderstood, Prose, Reading, Unclear, Understood, Why
from judge.notation.rest import holds_rest, repeats
from judge.notation.terms import Term, terms_of
from judge.notation.words import BUILD, DENIALS, DOUBTS, LEADERS, STANDS
from judge.rules.order import Build, Hold, Order, Waive
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Power

TOKENS_MAX = 60  # The longest order, names in full and an owner to each unit, has about 20.


def read_clause(clause: Clause, reader: Reader) -> Reading:
    """Read all of *clause* as one order."""
    terms = _terms(clause, reader)
    prose = Prose(clause.line, clause.column, clause.text)
    told = _of_rest(clause, terms, prose, reader)
    if told or not terms:
        return told or prose
    meanings = reader.meanings(terms)
    if not meanings and not _meant(terms, reader):
        return prose
    if clause.in_doubt:
        return _doubtful(clause)
    match meanings:
        case ():
            return _failed(clause, terms, reader)
        case (meaning,):
            torn = _is_torn(terms, meaning) and not reader.s_stands
            return (_incomplete if torn else _understood)(clause, terms, meaning)
        case _:
            return _unclear(clause, terms, meanings)


def _of_rest(
    clause: Clause, terms: Sequence[Term], prose: Prose, reader: Reader
) -> Reading | None:
    """Read what is said of units that are not named."""
    keys = [term.key for term in terms]
    if repeats(keys):
        line, column = clause.line, clause.column
        return NotUnderstood(line, column, clause.text, Why.NOT_AN_ORDER, "", column)
    if reader.kind is PhaseKind.MOVEMENT and holds_rest(keys):
        return _doubtful(clause) if clause.in_doubt else replace(prose, hold=True)
    return None


def _meant(terms: Sequence[Term], reader: Reader) -> bool:
    return meant_as_order(terms, reader.names) or meant_as_duty(terms, reader.kind)


def is_readable(clause: Clause, reader: Reader) -> bool:
    """Tell whether *clause* is an order, if perhaps not which."""
    terms = _terms(clause, reader)
    return bool(terms and reader.meanings(terms))


def _terms(clause: Clause, reader: Reader) -> tuple[Term, ...]:
    """Return the terms of *clause*, the verb above it among them where they make an order so."""
    if len(clause.tokens) > TOKENS_MAX:
        return ()
    terms = terms_of(clause.tokens, reader.names)
    bare = _behind_bullet(terms)
    headed = (Term(clause.verb, clause.verb, clause.column), *bare)
    return headed if clause.verb and bare and reader.meanings(headed) else terms


def _behind_bullet(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return *terms* without what stands before each item of a list: `-`, `*`, `1)`."""
    at = next((at for at, term in enumerate(terms) if not _is_bullet(term)), len(terms))
    numbered = terms[at : at + 2][-1:] and terms[at].key.isdigit() and terms[at + 1 :][:1]
    if numbered and numbered[0].key == ")":
        at += 2
    return terms[at:]


def _is_bullet(term: Term) -> bool:
    return not term.places and (term.key in LEADERS or term.key == "-")


def _is_torn(terms: Sequence[Term], meaning: Meaning) -> bool:
    """Return whether `A Par S` is all that was written: the rest may be lost."""
    said = [term.key for term in terms if term.key not in {"*", ")"}]
    return isinstance(meaning.read.order, Hold) and said[-1:] == [STANDS]


def _incomplete(clause: Clause, terms: Sequence[Term], meaning: Meaning) -> NotUnderstood:
    order, owner = _disowned(meaning.read.order)
    word = terms[-1]
    return NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=Why.INCOMPLETE,
        word=word.text,
        word_column=word.column,
        nearest=order,
        power=owner or clause.power,
    )


def _understood(clause: Clause, terms: Sequence[Term], meaning: Meaning) -> Understood:
    remark = meaning.read.remark_column
    order, owner = _disowned(meaning.read.order)
    says_build = any(term.key in BUILD or term.key == "+" for term in terms)
    return Understood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        order=order,
        power=owner or clause.power,
        remark=clause.text[remark - clause.column :] if remark else "",
        bare=isinstance(order, Build) and not says_build,
        times=meaning.read.times,
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
