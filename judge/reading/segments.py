"""Cut sentences into the segments that are cheapest to explain, by dynamic programming."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise, takewhile

from judge.reading.chunks import PASSIVES, Chunk, sentence_ends
from judge.reading.frames import explain
from judge.reading.policy import OFFERED_MAX
from judge.reading.segment import ALIKE, Frame, Segment
from judge.reading.tokens import VERBS
from judge.reading.world import World

PIECES_MAX = 6  # of a segment
SEGMENTS_MAX = 1200  # of a text
CUT = 0.12
USELESS = 0.5  # an order too unclear to be offered
JOIN_BRACKET, JOIN_REASON = 0.6, 2.0
JOIN_COMMA, JOIN_CLAUSE, JOIN_PASSIVE, JOIN_LIST = 0.05, 0.5, 0.3, 0.02
BEFORE_SUBJECT = frozenset({"np", "hold", "disband", "same", "follow", "waive"})
AFTER_SUBJECT = frozenset({"np", "fill", "be"})
TURNING = frozenset({"np", "hold", "word", "fill", "same", "follow"})
TALKING = frozenset({"word", "past", "report", "you", "third", "power", "doubt", "if"})
SAYING = {"np", "mutual"} | VERBS | PASSIVES
ASIDES = frozenset({"third", "you", "report", "past"})
JOINING = frozenset({"and", "but", "which", "so", "why", "fix", "weak_fix", "except", "else"})
ENDING = frozenset({"break", "question"})
BEGINNING = JOINING | PASSIVES | {"np"}  # without a sign before them


def segmented(chunks: Sequence[Chunk], world: World) -> list[Frame]:
    """Return the cheapest frames that together explain *chunks*."""
    left = SEGMENTS_MAX
    frames: list[Frame] = []
    for start, end in pairwise(dict.fromkeys((0, *sentence_ends(chunks), len(chunks)))):
        found, left = _sentence(chunks, start, end, world, left)
        frames += found
    return frames


def _sentence(
    chunks: Sequence[Chunk], start: int, end: int, world: World, left: int
) -> tuple[list[Frame], int]:
    """Return the frames of one sentence, and how many segments may still be tried."""
    says = [at for at in range(start, end) if chunks[at].role in SAYING]
    runs_on = len(says) > 1 and _runs_on(chunks[start:end])
    inner = range(start + 1, end)
    may_cut = (at for at in inner if _may_cut(chunks, at) or (runs_on and _turns(chunks, at)))
    cuts = [start, *may_cut, end]
    if not says:
        return [Frame("talk", 0.0, first=at, last=to) for at, to in pairwise(cuts)], left
    count = len(cuts)
    best: list[float] = [0.0] + [float("inf")] * (count - 1)
    how: list[tuple[int, Frame] | None] = [None] * count
    for last in range(1, count):
        joined = 0.0
        for first in range(last - 1, max(-1, last - 1 - PIECES_MAX), -1):
            if first < last - 1:
                joined += _join_cost(chunks, cuts[first + 1])
            reason = first < last - 1 and chunks[cuts[first]].role == "why"
            join = joined + (JOIN_CLAUSE if reason else 0.0)
            if best[first] + join >= best[last] or (left <= 0 and first < last - 1):
                continue
            left -= 1
            limit = best[last] - best[first] - join - CUT
            if limit <= 0:
                continue
            if bisect_left(says, cuts[first]) < bisect_left(says, cuts[last]):
                frame = explain(Segment(world, chunks[cuts[first] : cuts[last]]), limit)
            else:
                frame = Frame("talk", 0.0)
            cost = (
                best[first]
                + frame.cost
                + join
                + (CUT if frame.sort != "talk" or frame.cost else 0.0)
                + (USELESS if frame.sort != "talk" and frame.cost > OFFERED_MAX else 0.0)
            )
            if cost < best[last] - ALIKE:
                frame.first, frame.last = cuts[first], cuts[last]
                best[last], how[last] = cost, (first, frame)
    found = []
    at = count - 1
    while at > 0:
        step = how[at]
        assert step is not None, "each cut is reached"
        at, frame = step
        found.append(frame)
    return found[::-1], left


def _may_cut(chunks: Sequence[Chunk], at: int) -> bool:
    """Return whether a segment may begin *at* an index."""
    may = chunks[at - 1].role in ENDING or chunks[at].role in BEGINNING
    return may and _begins(chunks, at) and not _goes_on_by_sea(chunks, at)


def _begins(chunks: Sequence[Chunk], at: int) -> bool:  # noqa: PLR0911 - one return a rule
    """Return whether the words *at* an index may be the first of a segment."""
    chunk, before = chunks[at], chunks[at - 1]
    if before.role in ENDING:
        return chunk.role != "break"
    if before.role in JOINING:
        return False
    if chunk.role in JOINING:
        return True
    if chunk.role in PASSIVES:
        return before.prep != "with"  # `mit griechischer Hilfe`
    begins = bool(chunk.units or chunk.strict) and chunk.prep in {"", "with", "from"}
    if not begins or before.role not in BEFORE_SUBJECT:
        return False
    helped = at > 1 and chunks[at - 2].role in PASSIVES
    if before.role == "np" and not (before.prep or chunk.prep or chunk.has_kind or helped):
        return False  # `Norway Sweden Denmark`
    return not (before.role == "hold" and chunks[max(at - 2, 0)].role not in AFTER_SUBJECT)


def _runs_on(chunks: Sequence[Chunk]) -> bool:
    """Return whether several orders stand together without a sign between them."""
    named = [at for at, chunk in enumerate(chunks) if chunk.role == "np" and chunk.units]
    signs = any(chunk.role in ENDING for chunk in chunks[:-1])
    return len(named) > 1 and not signs


def _turns(chunks: Sequence[Chunk], at: int) -> bool:
    """Return whether other words may begin *at* an index without a sign before them."""
    chunk, before = chunks[at], chunks[at - 1]
    if before.role not in TURNING:
        return False
    if chunk.role == "np" and chunk.units and chunk.prep in {"", "from"}:
        behind = chunks[at + 1 : at + 2]
        acts = any(each.role in VERBS or each.prep == "to" for each in behind)
        return acts or before.role != "np"
    ordered = before.role == "hold" or (before.role == "np" and before.prep == "to")
    return ordered and chunk.role in TALKING


def _goes_on_by_sea(chunks: Sequence[Chunk], at: int) -> bool:
    """Return whether what is *at* an index says how a move goes on by sea.

    It may stand in brackets, `(via convoy)`, or list seas, `via Nth and Nwg`.
    """
    chunk, before = chunks[at], chunks[at - 1]
    if before.key == "(" and (chunk.role == "sea" or chunk.prep == "via"):
        return True
    if at < len(("via Nth", "and")) or "via" not in {before.prep, chunks[at - 2].prep}:
        return False
    joins = chunk.role == "and" and at + 1 < len(chunks)
    sea, behind = (chunks[at + 1], chunks[at + 2 :]) if joins else (chunk, chunks[at + 1 :])
    listed = joins or before.role == "and" or before.key == ","
    named = sea.role == "np" and not (sea.prep or sea.has_kind)
    return listed and named and (not behind or behind[0].role in {"break", "and"})


def _join_cost(chunks: Sequence[Chunk], at: int) -> float:
    chunk, before = chunks[at], chunks[at - 1]
    denied = chunk.role == "hold" and before.role == "break" and chunks[at - 2].role == "not"
    if chunk.role == "why" or denied:  # `unterstützt nichts, hält`
        return JOIN_REASON
    if chunk.role in PASSIVES or (chunk.relative and before.has_kind and not before.places):
        return JOIN_PASSIVE  # `supports the fleet that enters Rumania`
    begins = chunk.relative or chunk.role in JOINING
    if begins and chunk.role != "and":
        return JOIN_CLAUSE
    if before.key == "(":
        aside = takewhile(lambda each: each.key != ")", chunks[at:])
        return JOIN_REASON if any(c.role in ASIDES for c in aside) else JOIN_BRACKET
    if before.role in ENDING:
        apart = before.strength > 1 or _is_empty(chunks, at) or _is_about_others(chunks, at)
        return JOIN_CLAUSE if apart else JOIN_COMMA
    return JOIN_LIST


def _is_about_others(chunks: Sequence[Chunk], at: int) -> bool:
    """Return whether a clause begins with another power or person: `, that Italian wants it`."""
    first = next((each for each in chunks[at:] if each.role != "fill"), chunks[at])
    return first.role in {"power", "third"}


def _is_empty(chunks: Sequence[Chunk], at: int) -> bool:
    """Return whether a clause says that nobody is there: `... va en Grèce, y a personne`."""
    clause = list(takewhile(lambda each: each.role != "break", chunks[at:]))
    there = any(each.pronoun == "there" for each in clause)
    return there and any(each.role == "not" for each in clause)
