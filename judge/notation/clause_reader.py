"""Read one clause: an order, a question, a failure with a suggestion, or prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation import clauses, grammar, readings, vocabulary
from judge.notation.strict_orders import CANNOT_STAND, misfit
from judge.notation.terms import COAST_CODES, Names, Term, Token, closest_matches, terms_of
from judge.rules import types

COAST_LETTERS_MAX = 4  # `n.c.`, `aec`
TOKENS_MAX = 60  # The longest order, with full names and owners, has about 20.
CONVOY_KINDS = {(types.UnitKind.FLEET, types.UnitKind.ARMY), (types.UnitKind.FLEET, None)}


def read_clause(clause: clauses.Clause, reader: grammar.OrderReader) -> readings.Reading:
    """Read all of *clause* as one order."""
    terms = _terms(clause, reader)
    prose = readings.Prose(clause.line, clause.column, clause.text)
    rest = _read_rest(clause, terms, prose, reader)
    if rest or not terms:
        return rest or prose
    meanings = reader.meanings(terms)
    if not meanings and not _is_meant_as_order(terms, reader):
        return prose
    if clause.in_doubt:
        return _doubtful(clause)
    match meanings:
        case ():
            return _failed(clause, terms, reader)
        case (meaning,):
            incomplete = _lacks_supported_unit(terms, meaning) and not reader.s_stands
            return _unread_coast(clause, terms, meaning, reader) or (
                _incomplete(clause, meaning) if incomplete else _understood(clause, terms, meaning)
            )
        case _:
            return _unclear(clause, terms, meanings)


def _read_rest(
    clause: clauses.Clause,
    terms: Sequence[Term],
    prose: readings.Prose,
    reader: grammar.OrderReader,
) -> readings.Reading | None:
    """Read a clause without named units: a repetition of orders, or a hold for all others."""
    keys = [term.key for term in terms]
    if clauses.asks_to_repeat(keys):
        line, column = clause.line, clause.column
        why = (
            readings.WhyNotUnderstood.REPEATED
            if clauses.may_keep_orders(keys)
            else readings.WhyNotUnderstood.NOT_AN_ORDER
        )
        return readings.NotUnderstood(line, column, clause.text, why)
    if reader.kind is types.PhaseKind.MOVEMENT and clauses.says_others_hold(keys):
        held = replace(prose, hold=True, every=clauses.says_all_hold(keys))
        return _doubtful(clause) if clause.in_doubt else held
    return None


def _is_meant_as_order(terms: Sequence[Term], reader: grammar.OrderReader) -> bool:
    return looks_like_order(terms, reader.names) or looks_like_adjustment(terms, reader.kind)


def is_readable(clause: clauses.Clause, reader: grammar.OrderReader) -> bool:
    """Return whether *clause* is an order, even an ambiguous one."""
    terms = _terms(clause, reader)
    return bool(terms and reader.meanings(terms))


def _terms(clause: clauses.Clause, reader: grammar.OrderReader) -> tuple[Term, ...]:
    """Return the terms of *clause*, with the verb of its heading if that completes an order."""
    if len(clause.tokens) > TOKENS_MAX:
        return ()
    terms = terms_of(_move_coast_behind(clause.tokens, reader.names), reader.names)
    bare = _behind_bullet(terms)
    headed = (Term(clause.verb, clause.verb, clause.column), *bare)
    return headed if clause.verb and bare and reader.meanings(headed) else terms


OF = frozenset({"of", "von", "de", "du", "d"})


def _move_coast_behind(tokens: tuple[Token, ...], names: Names) -> tuple[Token, ...]:
    """Move a coast after its place: `the south coast of Bulgaria`, `la côte sud de Bulgarie`."""
    keys = [token.key for token in tokens]
    for at in range(len(keys)):
        first, second = keys[at : at + 1], keys[at + 1 : at + 2]
        if first[0] in vocabulary.COASTS and second == ["coast"]:
            named, behind = at, at + 2
        elif first[0] in {"côte", "cote"} and second and second[0] in vocabulary.COASTS:
            named, behind = at + 1, at + 2
        elif first[0] in vocabulary.COASTS_IN_ONE_WORD or (
            first[0] in COAST_CODES and _precedes_place(keys[:at])
        ):
            named, behind = at, at + 1
        else:
            continue
        is_of = bool(keys[behind : behind + 1]) and keys[behind] in OF
        if is_of or first[0] in COAST_CODES:
            behind += is_of
            length = names.longest(keys[behind : behind + names.words_max])[0]
            coast = (tokens[named], tokens[named]._replace(key="coast"))
            end = behind + length
            return (*tokens[:at], *tokens[behind:end], *coast, *tokens[end:]) if length else tokens
    return tokens


def _precedes_place(keys: Sequence[str]) -> bool:
    """Return whether a place may follow *keys*: `F Mao -`, `F`."""
    return bool(keys) and (keys[-1] in vocabulary.TOWARD or keys[-1] in vocabulary.KINDS)


def _behind_bullet(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Drop the bullet of a list item: `-`, `*`, `1)`."""
    at = next((at for at, term in enumerate(terms) if not _is_bullet(term)), len(terms))
    numbered = terms[at : at + 2][-1:] and terms[at].key.isdigit() and terms[at + 1 :][:1]
    if numbered and numbered[0].key == ")":
        at += 2
    return terms[at:]


def _is_bullet(term: Term) -> bool:
    return not term.places and (term.key in vocabulary.LEADERS or term.key == "-")


def _lacks_supported_unit(terms: Sequence[Term], meaning: grammar.Meaning) -> bool:
    """Return whether the order is only `A Par S`; the rest may be missing."""
    keys = [term.key for term in terms if term.key not in {"*", ")"}]
    return isinstance(meaning.read.order, types.Hold) and keys[-1:] == [vocabulary.STANDS]


def _incomplete(clause: clauses.Clause, meaning: grammar.Meaning) -> readings.NotUnderstood:
    order, owner = _without_owner(meaning.read.order)
    return readings.NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=readings.WhyNotUnderstood.INCOMPLETE,
        nearest=order,
        power=owner or clause.power,
    )


def _understood(
    clause: clauses.Clause, terms: Sequence[Term], meaning: grammar.Meaning
) -> readings.Understood:
    remark = meaning.read.remark_column
    order, owner = _without_owner(meaning.read.order)
    says_build = any(term.key in vocabulary.BUILD or term.key == "+" for term in terms)
    return readings.Understood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        order=order,
        power=owner or clause.power,
        remark=clause.text[remark - clause.column :] if remark else "",
        bare=isinstance(order, types.Build) and not says_build,
        times=meaning.read.times,
    )


def _unread_coast(
    clause: clauses.Clause,
    terms: Sequence[Term],
    meaning: grammar.Meaning,
    reader: grammar.OrderReader,
) -> readings.Unclear | readings.NotUnderstood | None:
    """Ask about unread parentheses after a province with two coasts: `Bul(aec)`.

    For a fleet they may mean a coast. For an army they are a remark, unless they are short.
    """
    column = meaning.read.remark_column
    at = next((at for at, term in enumerate(terms) if term.column == column), 0)
    place = meaning.places[at - 1] if at else None
    if column is None or place is None or not reader.board.coasts_of(place):
        return None
    remark = clause.text[column - clause.column :].strip("() ")
    order, owner = _without_owner(meaning.read.order)
    meant = with_coasts(order, reader.board.coasts_of(place))
    wishes = terms[at + 1].key in vocabulary.RETREAT | vocabulary.DISBAND | {
        vocabulary.OFF_THE_BOARD[0]
    }
    if wishes or not (meant or len(remark) <= COAST_LETTERS_MAX):
        return None
    line, start, text, power = clause.line, clause.column, clause.text, owner or clause.power
    if meant:
        return readings.Unclear(line, start, text, remark, meant, power)
    why = readings.WhyNotUnderstood.NOT_AN_ORDER
    return readings.NotUnderstood(line, start, text, why, order, power)


def with_coasts(order: types.Order, coasts: Sequence[types.Location]) -> tuple[types.Order, ...]:
    """Return *order* to each of *coasts*, none if no fleet goes there."""
    match order:
        case types.SupportMove(supported=unit) if unit.kind is not types.UnitKind.ARMY:
            return tuple(replace(order, target=coast) for coast in coasts)
        case types.SupportHold(supported=unit) if unit.kind is not types.UnitKind.ARMY:
            named = (replace(unit, location=coast) for coast in coasts)
            return tuple(replace(order, supported=each) for each in named)
        case types.Move(unit) | types.Retreat(unit) if unit.kind is not types.UnitKind.ARMY:
            return tuple(replace(order, target=coast) for coast in coasts)
        case types.Build(unit) | types.Disband(unit) | types.Hold(unit) if (
            unit.kind is not types.UnitKind.ARMY
        ):
            named = (replace(unit, location=coast) for coast in coasts)
            return tuple(replace(order, unit=each) for each in named)
        case _:
            return ()


def _unclear(
    clause: clauses.Clause, terms: Sequence[Term], meanings: Sequence[grammar.Meaning]
) -> readings.Unclear:
    """Ask about the first word in which *meanings* differ."""
    choices = [
        tuple(dict.fromkeys(places)) for places in zip(*(m.places for m in meanings), strict=True)
    ]
    at = next(index for index, choice in enumerate(choices) if len(choice) > 1)
    return readings.Unclear(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        word=terms[at].text,
        orders=tuple(_without_owner(meaning.read.order)[0] for meaning in meanings),
        power=_without_owner(meanings[0].read.order)[1] or clause.power,
    )


def _doubtful(clause: clauses.Clause) -> readings.NotUnderstood:
    return readings.NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=readings.WhyNotUnderstood.DOUBTFUL,
        power=clause.power,
    )


def _failed(
    clause: clauses.Clause, terms: Sequence[Term], reader: grammar.OrderReader
) -> readings.NotUnderstood | readings.Unclear:
    lost = _missing_verb(clause, terms, reader)
    if lost:
        return lost
    strangers = unknown_terms(terms, reader.names)
    nearest = reader.meanings(repair_terms(terms, reader.names))
    return readings.NotUnderstood(
        line=clause.line,
        column=clause.column,
        text=clause.text,
        why=readings.WhyNotUnderstood.UNKNOWN_WORD
        if strangers
        else readings.WhyNotUnderstood.NOT_AN_ORDER,
        nearest=_without_owner(nearest[0].read.order)[0] if len(nearest) == 1 else None,
        power=clause.power,
    )


def _missing_verb(
    clause: clauses.Clause, terms: Sequence[Term], reader: grammar.OrderReader
) -> readings.NotUnderstood | readings.Unclear | None:
    """Ask about adjacent units without a verb: `F Iri F Wes-Mao` lacks an S."""
    kinds = [
        at for at, term in enumerate(terms) if term.key in vocabulary.KINDS and not term.places
    ]
    if len(kinds) < len("FF") or kinds[1] == 0 or not terms[kinds[1] - 1].places:
        return None
    at, column = kinds[1], terms[kinds[1]].column
    meant: dict[types.Order, None] = {}
    verb_itself = (("c", at + 1),) if terms[at].key == "f" else ()
    for verb, behind in (("s", at), ("c", at), *verb_itself):
        completed = (*terms[:at], Term(verb, verb, column), *terms[behind:])
        fits = reader.meanings(completed)
        if len(fits) == 1 and _is_feasible(fits[0].read.order, reader):
            meant[_without_owner(fits[0].read.order)[0]] = None
    text, word = clause.text, terms[at].text
    match [*meant]:
        case []:
            return None
        case [order]:
            why = readings.WhyNotUnderstood.NOT_AN_ORDER
            return readings.NotUnderstood(
                clause.line, clause.column, text, why, order, clause.power
            )
        case orders:
            return readings.Unclear(
                clause.line, clause.column, text, word, tuple(orders), clause.power
            )


def _is_feasible(order: types.Order, reader: grammar.OrderReader) -> bool:
    if isinstance(order, types.Convoy) and (order.unit.kind, order.army.kind) not in CONVOY_KINDS:
        return False
    return misfit(reader.board, order) < CANNOT_STAND


def _without_owner(order: types.Order) -> tuple[types.Order, types.Power | None]:
    if isinstance(order, types.Waive):
        return order, None
    return replace(order, unit=replace(order.unit, power=None)), order.unit.power


MISSPELT_MAX = 3  # words of a clause to repair
JOURNEY_TERMS_MAX = 6  # `the army of Warsaw advances to Galicia`, without its articles
DUTY_TERMS_MAX = 8  # `I do not want to build any units`
PHRASE_TERMS_MAX = 3  # `gulf of lyn`
# They may precede a unit, as its power may.
BEFORE_UNIT = vocabulary.LEADERS.union(
    "-[]()",
    (verb for verb in vocabulary.BUILD | vocabulary.REMOVE | vocabulary.DISBAND if len(verb) > 1),
)


def unknown_terms(terms: Sequence[Term], names: Names) -> tuple[Term, ...]:
    """Return the terms that play no part in orders."""
    return tuple(term for term in terms if _is_unknown(term, names))


def repair_terms(terms: Sequence[Term], names: Names) -> tuple[Term, ...]:
    """Replace each unknown word by the closest verb or names."""
    result = tuple(terms)
    for term in unknown_terms(terms, names)[:MISSPELT_MAX]:
        if term in result:
            result = _repair_at(result, result.index(term), names)
    return result


def looks_like_order(terms: Sequence[Term], names: Names) -> bool:
    """Return whether *terms* contain a province and an order word (decisions.md, Prose).

    `to`, single letters and misspelled words count only after a leading unit: `A Viena to Tri`,
    `Build A Viena`. A short clause from place to place needs no verb, for example `A Vie/Gal` or
    `Warsaw advances to Galicia`.
    """
    begins_with_unit = _first_key(terms, names) in vocabulary.KINDS
    order_words = vocabulary.UNIT_ORDER_WORDS if begins_with_unit else vocabulary.ORDER_WORDS
    seen = repair_terms(terms, names) if begins_with_unit else terms
    if _is_journey(terms, begins_with_unit=begins_with_unit):
        return True
    return any(term.places for term in seen) and any(
        term.key in order_words and not term.places for term in seen
    )


def _is_journey(terms: Sequence[Term], *, begins_with_unit: bool) -> bool:
    places = [bool(term.places) for term in terms]
    toward = any(term.key in vocabulary.TOWARD for term in terms)
    begins = begins_with_unit or (places[0] and toward)
    return begins and len(terms) <= JOURNEY_TERMS_MAX and places[-1] and sum(places) > 1


def looks_like_adjustment(terms: Sequence[Term], kind: types.PhaseKind) -> bool:
    """Return whether *terms* name an action of this phase but no place.

    `disband it`, `build 2 armies` and `I do not build anything` do; `Builds are due` does not.
    """
    does = vocabulary.DUTIES[kind]
    if not does or len(terms) > DUTY_TERMS_MAX:
        return False
    keys = [term.key for term in terms]
    affirmed = [key for key in keys if key not in vocabulary.DENIALS and not key.endswith("n't")]
    speaker = next((each for each in vocabulary.SPEAKERS if affirmed[: len(each)] == [*each]), ())
    words = [key for key in affirmed[len(speaker) :] if key not in vocabulary.SUPPOSED]
    if not words or words[0] not in does or len(words[0]) == 1:
        return False
    about = words[1:] and vocabulary.OF_UNITS.issuperset(words[1:])
    return bool(
        about or (len(words) == 1 and (len(affirmed) < len(keys) or words[0] in vocabulary.ALONE))
    )


def _is_unknown(term: Term, names: Names) -> bool:
    key = term.key
    known = key in vocabulary.KNOWN or key in names.powers or not key[0].isalpha()
    return not term.places and not known


def _first_key(terms: Sequence[Term], names: Names) -> str:
    keys = (term.key for term in terms if not term.key.isdigit())
    return next((key for key in keys if key not in BEFORE_UNIT and key not in names.powers), "")


def _repair_at(terms: tuple[Term, ...], at: int, names: Names) -> tuple[Term, ...]:
    phrases = [
        (
            names.nearest(" ".join(term.key for term in terms[start : start + length])),
            start,
            length,
        )
        for length in range(1, PHRASE_TERMS_MAX + 1)
        for start in range(max(0, at - length + 1), min(at, len(terms) - length) + 1)
    ]
    (likeness, places), start, length = max(phrases, key=lambda phrase: phrase[0][0])
    verbs = closest_matches(terms[at].key, vocabulary.VERBS)
    if verbs and verbs[0][0] >= likeness:
        return (*terms[:at], terms[at]._replace(key=verbs[0][1]), *terms[at + 1 :])
    if places:
        return (*terms[:start], terms[start]._replace(places=places), *terms[start + length :])
    return terms
