"""Stretches of equal words in two texts: in order, the longest first, each word used once.

Stretches are found by runs of `RUN` words, so the time is linear, and the work has a limit.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

RUN = 4  # words; fewer are equal by chance
PLACES_MAX = 8  # places of one run in what was sent that are tried
STEPS_MAX = 200_000  # compared words of one email; what comes later counts as not ours


@dataclass(frozen=True, slots=True)
class Stretch:
    """Equal words: *length* of them from *start* in the email and from *sent* in a form."""

    start: int
    sent: int
    length: int


def size_of(stretches: Sequence[Stretch]) -> int:
    """Return the number of words in *stretches*."""
    return sum(each.length for each in stretches)


def find_stretches(
    words: Sequence[str], forms: Sequence[Sequence[str]]
) -> dict[int, list[Stretch]]:
    """Return, by form, each stretch of at least `RUN` equal words that is in no longer one."""
    runs = set(_runs(words))
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, form in enumerate(forms):
        for at, run in enumerate(_runs(form)):
            if run in runs and len(known := places.setdefault(run, [])) < PLACES_MAX:
                known.append((number, at))
    found: dict[int, list[Stretch]] = {}
    above: Sequence[tuple[int, int]] = ()
    steps = 0
    for start, run in enumerate(_runs(words)):
        here = places.get(run, ())
        for number, at in here:
            if (number, at - 1) in above:
                continue
            form, length = forms[number], RUN
            most = min(len(words) - start, len(form) - at)
            while length < most and words[start + length] == form[at + length]:
                length += 1
            found.setdefault(number, []).append(Stretch(start, at, length))
            steps += length
        if steps > STEPS_MAX:
            break
        above = here
    return found


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[offset:] for offset in range(RUN)), strict=False)


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
