"""Words with several meanings: the orders they may make, and which of them fit the board best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from judge.notation.fit import fit_of
from judge.notation.grammar import Read, read_order
from judge.notation.names import Names
from judge.notation.terms import Term
from judge.rules.geography import Map
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Province

MEANINGS_MAX = 125  # Three places of five meanings each, as in `F Nor S F Nor-Nor`.


@dataclass(frozen=True, slots=True)
class Meaning:
    """What terms say if each stands for one of *places* (none, for a word that is no name)."""

    places: tuple[Province | None, ...]
    read: Read


@dataclass(frozen=True, slots=True)
class Reader:
    """What is the same for all clauses of a text."""

    board: Map
    names: Names
    kind: PhaseKind
    s_stands: bool = False  # `A Par S` is a hold

    def meanings(self, terms: Sequence[Term]) -> tuple[Meaning, ...]:
        """Return what *terms* may say: nothing, one order, or several that fit equally well."""
        choices = [term.places or (None,) for term in terms]
        if prod(map(len, choices)) > MEANINGS_MAX:
            return ()
        first = self._meaning(terms, [choice[0] for choice in choices])
        if first is None or prod(map(len, choices)) == 1:
            return (first,) if first else ()
        return self._best([self._meaning(terms, places) for places in product(*choices)])

    def _meaning(self, terms: Sequence[Term], places: Sequence[Province | None]) -> Meaning | None:
        chosen = [
            replace(term, places=(place,)) if place else term
            for term, place in zip(terms, places, strict=True)
        ]
        match read_order(chosen, self.names, self.kind):
            case Read() as read:
                return Meaning(tuple(places), read)
            case _:
                return None

    def _best(self, found: Sequence[Meaning | None]) -> tuple[Meaning, ...]:
        """Return those of *found* that fit best; of several that make one order, one."""
        fit = fit_of(self.board)
        by_order = {each.read.order: each for each in found if each}
        misfits = {order: fit.misfit(order) for order in by_order}
        least = min(misfits.values())
        return tuple(each for order, each in by_order.items() if misfits[order] == least)
