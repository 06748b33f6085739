"""Resolve decisions that depend on each other, by the algorithm of Kruijswijk.

See L. B. Kruijswijk, "The Math of Adjudication". The resolver knows nothing of the game: decisions
are numbers, each true or false. `evaluate` computes one of them and asks `decide` for those it
depends on. A decision that depends on itself is evaluated with both answers. If exactly one is
consistent, that is the answer; otherwise `backup_rule` settles the cycle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping


class Resolver(ABC):
    """Decide each of *count* decisions once; a subclass knows the game.

    *answers* are the final ones, *cycles* those that `backup_rule` settled. An answer that depends
    on guesses is provisional: it is kept with the bits of these guesses, and forgotten with them.
    """

    def __init__(self, count: int) -> None:
        self.answers: list[bool | None] = [None] * count
        self.cycles: list[frozenset[int]] = []
        self._guesses: dict[int, bool] = {}
        self._provisional: dict[int, tuple[bool, int]] = {}
        self._trail: list[tuple[int, int]] = []  # all provisional answers since the first guess
        self._dependencies = 0  # the guesses that the evaluation under way depends on

    @abstractmethod
    def evaluate(self, decision: int) -> bool:
        """Return the answer to *decision*, asking `decide` for what it depends on."""

    @abstractmethod
    def backup_rule(self, cycle: frozenset[int]) -> Mapping[int, bool]:
        """Return answers to some decisions of *cycle* that settle it."""

    def decide(self, decision: int) -> bool:
        """Return the answer to *decision* under the present guesses."""
        answer = self.answers[decision]
        if answer is not None:
            return answer
        if decision in self._guesses:
            self._dependencies |= 1 << decision
            return self._guesses[decision]
        if decision in self._provisional:
            answer, guesses = self._provisional[decision]
            self._dependencies |= guesses
            return answer
        outer_dependencies, self._dependencies = self._dependencies, 0
        mark = len(self._trail)
        self._guesses[decision] = False
        answer = self.evaluate(decision)
        del self._guesses[decision]
        if self._dependencies:
            answer = self._reconsider(decision, mark, answer=answer)
        else:
            self.answers[decision] = answer
        self._dependencies |= outer_dependencies
        return answer

    def is_consistent(self, answers: Mapping[int, bool]) -> bool:
        """Return whether evaluating with *answers* as guesses gives the same answers."""
        self._guesses.update(answers)
        consistent = all(self.evaluate(each) is answer for each, answer in answers.items())
        for each in answers:
            del self._guesses[each]
            self._dependencies &= ~(1 << each)
        self._forget(sum(1 << each for each in answers))
        return consistent

    def _reconsider(self, decision: int, mark: int, *, answer: bool) -> bool:
        """Return the answer to *decision*, whose first *answer* depends on guesses.

        The trail from *mark* on has the provisional answers found on the way.
        """
        bit = 1 << decision
        self._forget(bit)
        if self._dependencies & bit and self._evaluate_if_true(decision) is not answer:
            others = [other for other, guesses in self._trail[mark:] if guesses & bit]
            answer = self._settle(decision, frozenset([decision, *others]))
        self._dependencies &= ~bit
        self._record(decision, self._dependencies, answer=answer)
        return answer

    def _evaluate_if_true(self, decision: int) -> bool:
        self._guesses[decision] = True
        answer = self.evaluate(decision)
        del self._guesses[decision]
        self._forget(1 << decision)
        return answer

    def _forget(self, guesses: int) -> None:
        """Forget the provisional answers that depend on one of *guesses*."""
        for other in [each for each, (_, on) in self._provisional.items() if on & guesses]:
            del self._provisional[other]

    def _settle(self, decision: int, cycle: frozenset[int]) -> bool:
        guesses = self._dependencies & ~(1 << decision)
        for each, answer in self.backup_rule(cycle).items():
            self._record(each, guesses, answer=answer)
        if not guesses:
            self.cycles.append(cycle)
        return self.decide(decision)

    def _record(self, decision: int, guesses: int, *, answer: bool) -> None:
        if guesses:
            self._provisional[decision] = answer, guesses
            self._trail.append((decision, guesses))
            return
        self.answers[decision] = answer
        if not self._guesses:
            self._trail.clear()
