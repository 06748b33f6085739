"""Stretches of equal words in two texts: in order, the longest first, each word used once.

Stretches are found by runs of `RUN` words, so the time is linear.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

RUN = 4  # words; fewer are equal by chance
PLACES_MAX = 8  # further places of one run in what was sent that are tried


@dataclass(frozen=True, slots=True)
class Stretch:
    """Equal words: *length* of them from *start* in the email and from *sent* in a form."""

    start: int
    sent: int
    length: int


def size_of(stretches: Sequence[Stretch]) -> int:
    """Return the number of words in *stretches*."""
    return sum(each.length for each in stretches)


class RunIndex:
    """The places of each run of `RUN` words of a text."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._first: dict[tuple[str, ...], int] = {}
        self._others: dict[tuple[str, ...], list[int]] = {}
        for at, run in enumerate(runs_of(words)):
            if self._first.setdefault(run, at) != at:
                others = self._others.setdefault(run, [])
                if len(others) < PLACES_MAX:
                    others.append(at)

    def stretches(
        self, words: Sequence[str], runs: Sequence[tuple[str, ...]]
    ) -> Iterator[Stretch]:
        """Yield the longest stretches of *words*, which have *runs*, and others that pass them.

        No other begins and ends within the longest one at a place, so the time is linear.
        """
        start = 0
        while start < len(runs):
            first = self._first.get(runs[start])
            if first is None:
                start += 1
                continue
            longest = 0
            for at in (first, *self._others.get(runs[start], ())):
                length = _equal(words, start, self._words, at)
                longest = max(longest, length)
                back = 0
                while (
                    back < min(start, at) and words[start - back - 1] == self._words[at - back - 1]
                ):
                    back += 1
                yield Stretch(start - back, at - back, length + back)
            start += longest - RUN + 1


def runs_of(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return all runs of `RUN` words in *words*."""
    return [*zip(*(words[offset:] for offset in range(RUN)), strict=False)]


def _equal(words: Sequence[str], start: int, others: Sequence[str], at: int) -> int:
    """Return how many *words* from *start* are equal to *others* from *at*: `RUN` or more."""
    length = RUN
    step = RUN
    while step:
        one = words[start + length : start + length + step]
        if one and one == others[at + length : at + length + step]:
            length += len(one)
            step *= 2
        else:
            step //= 2
    return length


def choose(found: Sequence[Stretch], used: bytearray) -> list[Stretch]:
    """Choose the longest of *found* first, in order; each word is *used* once, here and there."""
    waiting = [(-each.length, each.start, each.sent) for each in found]
    heapify(waiting)
    starts: list[int] = []
    chosen: list[Stretch] = []
    while waiting:
        rank, start, sent = heappop(waiting)
        at = bisect(starts, start)
        above = chosen[at - 1] if at else Stretch(0, 0, 0)
        least = max(above.sent + above.length - sent, above.start + above.length - start, 0)
        most = -rank
        if at < len(chosen):
            most = min(most, chosen[at].start - start, chosen[at].sent - sent)
        free, length = _longest_free(used, start + least, start + most)
        if length < RUN:
            continue
        if length < -rank:
            heappush(waiting, (-length, free, sent + free - start))
            continue
        used[start : start + length] = b"\1" * length
        starts.insert(at, start)
        chosen.insert(at, Stretch(start, sent, length))
    return chosen


def _longest_free(used: bytearray, start: int, end: int) -> tuple[int, int]:
    """Return where the longest part of `start:end` that is not used begins, and its length."""
    if end <= start:
        return start, 0
    parts = bytes(used[start:end]).split(b"\1")
    longest = max(parts, key=len)
    before = parts[: parts.index(longest)]
    return start + sum(map(len, before)) + len(before), len(longest)


def settle(
    chosen: Sequence[Stretch], words: Sequence[str], form: Sequence[str], line_starts: set[int]
) -> Iterator[Stretch]:
    """Yield the *chosen* stretches, where two meet within a line moved to where a line ends.

    `A Ven H` may follow `A Par-Pic`, which was typed above it: the `A` is equal.
    """
    above, *below = chosen
    for each in below:
        end, room = above.start + above.length, each.start
        if above.sent + above.length == each.sent and not {end, room} <= line_starts:
            moved = 0
            for back in range(1, min(above.length, room - end + 1)):
                if words[room - back] != form[each.sent - back]:
                    break
                if {end - back, room - back} <= line_starts:
                    moved = back
            above = Stretch(above.start, above.sent, above.length - moved)
            each = Stretch(room - moved, each.sent - moved, each.length + moved)  # noqa: PLW2901
        yield above
        above = each
    yield above
