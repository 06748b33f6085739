"""What a clause that is no order was meant to be: the names and verbs nearest to its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation import words
from judge.notation.names import Names, likest
from judge.notation.terms import Term
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Province

MISSPELT_MAX = 3  # Words of a clause for which a nearest one is sought.
JOURNEY_TERMS_MAX = 6  # `the army of Warsaw advances to Galicia`, without its articles
DUTY_TERMS_MAX = 8  # `I do not want to build any units`
PHRASE_TERMS_MAX = 3  # `gulf of lyn`


def unknown(terms: Sequence[Term], names: Names) -> tuple[Term, ...]:
    """Return those of *terms* that have no part in any order."""
    return tuple(term for term in terms if _is_unknown(term, names))


def repaired(terms: Sequence[Term], names: Names) -> tuple[Term, ...]:
    """Put for each unknown word of *terms* the verb or the names likest to it, however many."""
    result = tuple(terms)
    for term in unknown(terms, names)[:MISSPELT_MAX]:
        if term in result:
            result = _repaired_at(result, result.index(term), names)
    return result


def meant_as_order(terms: Sequence[Term], names: Names) -> bool:
    """Tell whether *terms* hold a province and an order word (decisions.md, Prose).

    `to`, single letters and misspelt words say so only in a clause that begins with a unit, like
    `A Viena to Tri` or `Build A Viena`. A short clause that goes from one place to another says so
    without: `A Vie/Gal`, `Warsaw advances to Galicia`.
    """
    begins_with_unit = _first_key(terms, names) in words.KINDS
    order_words = words.UNIT_ORDER_WORDS if begins_with_unit else words.ORDER_WORDS
    seen = repaired(terms, names) if begins_with_unit else terms
    if _goes_somewhere(terms, begins_with_unit=begins_with_unit):
        return True
    return any(term.places for term in seen) and any(
        term.key in order_words and not term.places for term in seen
    )


def _goes_somewhere(terms: Sequence[Term], *, begins_with_unit: bool) -> bool:
    places = [bool(term.places) for term in terms]
    toward = any(term.key in words.TOWARD for term in terms)
    begins = begins_with_unit or (places[0] and toward)
    return begins and len(terms) <= JOURNEY_TERMS_MAX and places[-1] and sum(places) > 1


def meant_as_duty(terms: Sequence[Term], kind: PhaseKind) -> bool:
    """Tell whether *terms* say, with no place, what their writer does in a phase of *kind*.

    `disband it`, `build 2 armies`, `I do not build anything` do; `Builds are due` says nothing of
    him.
    """
    does = words.DUTIES[kind]
    keys = [term.key for term in terms]
    said = [key for key in keys if key not in words.DENIALS and not key.endswith("n't")]
    speaker = next((each for each in words.SPEAKERS if said[: len(each)] == [*each]), ())
    told = [key for key in said[len(speaker) :] if key not in words.SUPPOSED]
    if not told or told[0] not in does or len(told[0]) == 1 or len(keys) > DUTY_TERMS_MAX:
        return False
    about = told[1:] and words.OF_UNITS.issuperset(told[1:])
    return bool(about or (len(told) == 1 and (len(said) < len(keys) or told[0] in words.ALONE)))


def provinces_near(term: Term, repaired_terms: Sequence[Term]) -> tuple[Province, ...]:
    """Return the provinces that stand in *repaired_terms* where the unknown *term* stood."""
    spans = [each for each in repaired_terms if each.column <= term.column]
    return spans[-1].places if spans else ()


def _is_unknown(term: Term, names: Names) -> bool:
    key = term.key
    known = key in words.KNOWN or key in names.powers or not key[0].isalpha()
    return not term.places and not known


def _first_key(terms: Sequence[Term], names: Names) -> str:
    verbs = {verb for verb in words.BUILD | words.REMOVE | words.DISBAND if len(verb) > 1}
    skipped = words.LEADERS | frozenset("-[]()") | names.powers.keys() | verbs
    keys = (term.key for term in terms if not term.key.isdigit())
    return next((key for key in keys if key not in skipped), "")


def _repaired_at(terms: tuple[Term, ...], at: int, names: Names) -> tuple[Term, ...]:
    """Replace the term *at*, or a phrase around it, by what it is likest to."""
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
    verbs = likest(terms[at].key, words.VERBS)
    if verbs and verbs[0][0] >= likeness:
        return (*terms[:at], replace(terms[at], key=verbs[0][1]), *terms[at + 1 :])
    if places:
        return (*terms[:start], replace(terms[start], places=places), *terms[start + length :])
    return terms
