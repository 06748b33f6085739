"""One clause to a reading: an order, a question, a failure with its place, or no order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation.clauses import Clause
from judge.notation.everyday import coast_behind, reworded
from judge.notation.fit import CANNOT_STAND, fit_of
from judge.notation.grammar import Stuck, read_order
from judge.notation.meaning import Meaning, Reader
from judge.notation.nearest import meant_as_duty, meant_as_order, provinces_near, repaired, unknown
from judge.notation.reading import NotUnderstood, Prose, Reading, Unclear, Understood, Why
from judge.notation.rest import holds_all, holds_rest, keeps, repeats
from judge.notation.terms import Term, terms_of
from judge.notation.words import (
    BUILD,
    DENIALS,
    DISBAND,
    DOUBTS,
    KINDS,
    LEADERS,
    OFF_THE_BOARD,
    RETREAT,
    STANDS,
)
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Location, Power, UnitKind

COAST_LETTERS_MAX = 4  # `n.c.`, `aec`
TOKENS_MAX = 60  # The longest order, names in full and an owner to each unit, has about 20.
CONVOYS = {(UnitKind.FLEET, UnitKind.ARMY), (UnitKind.FLEET, None)}  # of which kind by which


def read_clause(clause: Clause, reader: Reader) -> Reading:
    """Read all of *clause* as one order: as it stands, or else in everyday wording."""
    reading = _read_as_written(clause, reader)
    if isinstance(reading, Understood | Unclear) or clause.in_doubt:
        return reading
    again = _in_other_words(clause, reader)
    other = _read_as_written(again, reader) if again else reading
    offers = isinstance(other, NotUnderstood) and other.nearest
    return other if isinstance(other, Understood | Unclear) or offers else reading


def _in_other_words(clause: Clause, reader: Reader) -> Clause | None:
    """Return *clause* put into the words of an order, None if nothing is to be put."""
    if len(clause.tokens) > TOKENS_MAX:
        return None
    again = reworded(clause, reader.names, reader.kind)
    return again if again.tokens and again.tokens != clause.tokens else None


def _read_as_written(clause: Clause, reader: Reader) -> Reading:
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
            asked = _unread_coast(clause, terms, meaning, reader)
            return asked or (_incomplete if torn else _understood)(clause, terms, meaning)
        case _:
            return _unclear(clause, terms, meanings)


def _of_rest(
    clause: Clause, terms: Sequence[Term], prose: Prose, reader: Reader
) -> Reading | None:
    """Read what is said of units that are not named."""
    keys = [term.key for term in terms]
    if repeats(keys):
        line, column = clause.line, clause.column
        why = Why.REPEATED if keeps(keys) else Why.NOT_AN_ORDER
        return NotUnderstood(line, column, clause.text, why, "", column)
    if reader.kind is PhaseKind.MOVEMENT and holds_rest(keys):
        held = replace(prose, hold=True, every=holds_all(keys))
        return _doubtful(clause) if clause.in_doubt else held
    return None


def _meant(terms: Sequence[Term], reader: Reader) -> bool:
    return meant_as_order(terms, reader.names) or meant_as_duty(terms, reader.kind)


def is_readable(clause: Clause, reader: Reader) -> bool:
    """Tell whether *clause* is an order, if perhaps not which."""
    again = None if clause.in_doubt else _in_other_words(clause, reader)
    told = (_terms(each, reader) for each in (clause, again) if each)
    return any(terms and reader.meanings(terms) for terms in told)


def _terms(clause: Clause, reader: Reader) -> tuple[Term, ...]:
    """Return the terms of *clause*, the verb above it among them where they make an order so."""
    if len(clause.tokens) > TOKENS_MAX:
        return ()
    terms = terms_of(coast_behind(clause.tokens, reader.names), reader.names)
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


def _unread_coast(
    clause: Clause, terms: Sequence[Term], meaning: Meaning, reader: Reader
) -> Unclear | NotUnderstood | None:
    """Ask about what stands in parentheses behind a province of two coasts: `Bul(aec)`.

    Where a fleet is to go it may be meant as a coast. An army has none: of it people say why it
    goes, unless they wrote a few letters.
    """
    column = meaning.read.remark_column
    at = next((at for at, term in enumerate(terms) if term.column == column), 0)
    place = meaning.places[at - 1] if at else None
    if column is None or place is None or not reader.board.coasts_of(place):
        return None
    remark = clause.text[column - clause.column :].strip("() ")
    order, owner = _disowned(meaning.read.order)
    meant = on_coasts(order, reader.board.coasts_of(place))
    wishes = terms[at + 1].key in RETREAT | DISBAND | {OFF_THE_BOARD[0]}
    if wishes or not (meant or len(remark) <= COAST_LETTERS_MAX):
        return None
    line, start, text, power = clause.line, clause.column, clause.text, owner or clause.power
    if meant:
        return Unclear(line, start, text, remark, column, (place,), meant, power)
    why = Why.NOT_AN_ORDER
    return NotUnderstood(line, start, text, why, remark, column, (), order, power)


def on_coasts(order: Order, coasts: Sequence[Location]) -> tuple[Order, ...]:
    """Return *order* with each of *coasts* in its last place, none if no fleet comes there."""
    match order:
        case SupportMove(supported=unit) if unit.kind is not UnitKind.ARMY:
            return tuple(replace(order, target=coast) for coast in coasts)
        case SupportHold(supported=unit) if unit.kind is not UnitKind.ARMY:
            named = (replace(unit, location=coast) for coast in coasts)
            return tuple(replace(order, supported=each) for each in named)
        case Move(unit) | Retreat(unit) if unit.kind is not UnitKind.ARMY:
            return tuple(replace(order, target=coast) for coast in coasts)
        case Build(unit) | Disband(unit) | Hold(unit) if unit.kind is not UnitKind.ARMY:
            named = (replace(unit, location=coast) for coast in coasts)
            return tuple(replace(order, unit=each) for each in named)
        case _:
            return ()


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


def _failed(clause: Clause, terms: Sequence[Term], reader: Reader) -> NotUnderstood | Unclear:
    lost = _verb_lost(clause, terms, reader)
    if lost:
        return lost
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


def _verb_lost(
    clause: Clause, terms: Sequence[Term], reader: Reader
) -> NotUnderstood | Unclear | None:
    """Ask what a unit does to the one right behind it: `F Iri F Wes-Mao`, where an S is lost."""
    kinds = [at for at, term in enumerate(terms) if term.key in KINDS and not term.places]
    if len(kinds) < len("FF") or kinds[1] == 0 or not terms[kinds[1] - 1].places:
        return None
    at, column = kinds[1], terms[kinds[1]].column
    meant: dict[Order, None] = {}
    verb_itself = (("c", at + 1),) if terms[at].key == "f" else ()
    for verb, behind in (("s", at), ("c", at), *verb_itself):
        told = (*terms[:at], Term(verb, verb, column), *terms[behind:])
        fits = reader.meanings(told)
        if len(fits) == 1 and _can_be(fits[0].read.order, reader):
            meant[_disowned(fits[0].read.order)[0]] = None
    text, word = clause.text, terms[at].text
    match [*meant]:
        case []:
            return None
        case [order]:
            why = Why.NOT_AN_ORDER
            return NotUnderstood(
                clause.line, clause.column, text, why, word, column, (), order, clause.power
            )
        case orders:
            return Unclear(
                clause.line, clause.column, text, word, column, (), tuple(orders), clause.power
            )


def _can_be(order: Order, reader: Reader) -> bool:
    """Tell whether every step of *order* is one that its units could take."""
    if isinstance(order, Convoy) and (order.unit.kind, order.army.kind) not in CONVOYS:
        return False
    return fit_of(reader.board).misfit(order) < CANNOT_STAND


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
