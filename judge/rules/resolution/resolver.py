"""Resolve decisions that depend on each other, by Kruijswijk's Math of Adjudication.

The algorithm is that of L. B. Kruijswijk, "The Math of Adjudication". It knows nothing of the
game: decisions are numbers, each true or false, and `judge` answers one of them by asking `decide`
for whatever others it needs, and for no more. When a decision comes to hang on itself, both
answers are tried. If only one agrees with itself it stands; if both or neither do, `settle` says
how to break the circle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping


class Resolver(ABC):
    """Decides each of *count* decisions once; `judge` and `settle` know the game.

    What was concluded from a guess is remembered together with the guesses it rests on, a bit
    each, and is forgotten with them: a conclusion is final only if it rests on none. *answers* are
    the final ones, *circles* those that `settle` broke.
    """

    def __init__(self, count: int) -> None:
        self.answers: list[bool | None] = [None] * count
        self.circles: list[frozenset[int]] = []
        self._guesses: dict[int, bool] = {}
        self._resting: dict[int, tuple[bool, int]] = {}
        self._trail: list[tuple[int, int]] = []  # all that ever rested on a guess of this circle
        self._told = 0  # the guesses on which the judgment under way rests

    @abstractmethod
    def judge(self, decision: int) -> bool:
        """Return the answer to *decision*, and ask `decide` for what it depends on."""

    @abstractmethod
    def settle(self, circle: frozenset[int]) -> Mapping[int, bool]:
        """Say how to break a *circle* of decisions: give answers to some of them."""

    def decide(self, decision: int) -> bool:
        """Return the answer to *decision*, for the guesses made at present."""
        answer = self.answers[decision]
        if answer is not None:
            return answer
        if decision in self._guesses:
            self._told |= 1 << decision
            return self._guesses[decision]
        if decision in self._resting:
            answer, guesses = self._resting[decision]
            self._told |= guesses
            return answer
        told_before, self._told = self._told, 0
        mark = len(self._trail)
        self._guesses[decision] = False
        answer = self.judge(decision)
        del self._guesses[decision]
        if self._told:
            answer = self._doubt(decision, mark, answer=answer)
        else:
            self.answers[decision] = answer
        self._told |= told_before
        return answer

    def agrees(self, supposed: Mapping[int, bool]) -> bool:
        """Tell whether the *supposed* answers, taken together, are what is judged from them."""
        self._guesses.update(supposed)
        agrees = all(self.judge(each) is answer for each, answer in supposed.items())
        for each in supposed:
            del self._guesses[each]
            self._told &= ~(1 << each)
        self._forget(sum(1 << each for each in supposed))
        return agrees

    def _doubt(self, decision: int, mark: int, *, answer: bool) -> bool:
        """Conclude from an *answer* that rests on guesses, perhaps on that of *decision* itself.

        What rests on a guess made since then stands in the trail from *mark* on.
        """
        bit = 1 << decision
        self._forget(bit)
        if self._told & bit and self._suppose(decision) is not answer:
            circle = [other for other, guesses in self._trail[mark:] if guesses & bit]
            answer = self._fall_back(decision, frozenset([decision, *circle]))
        self._told &= ~bit
        self._conclude(decision, self._told, answer=answer)
        return answer

    def _suppose(self, decision: int) -> bool:
        """Return what *decision* is judged to be if it is true."""
        self._guesses[decision] = True
        answer = self.judge(decision)
        del self._guesses[decision]
        self._forget(1 << decision)
        return answer

    def _forget(self, guesses: int) -> None:
        """Forget all that rests on one of *guesses*."""
        for other in [each for each, (_, on) in self._resting.items() if on & guesses]:
            del self._resting[other]

    def _fall_back(self, decision: int, circle: frozenset[int]) -> bool:
        way_out = self.settle(circle)
        guesses = self._told & ~(1 << decision)
        for each, answer in way_out.items():
            self._conclude(each, guesses, answer=answer)
        if not guesses:
            self.circles.append(circle)
        return self.decide(decision)

    def _conclude(self, decision: int, guesses: int, *, answer: bool) -> None:
        if guesses:
            self._resting[decision] = answer, guesses
            self._trail.append((decision, guesses))
            return
        self.answers[decision] = answer
        if not self._guesses:
            self._trail.clear()
