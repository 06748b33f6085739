"""Find retreats wished for while units still move: `if dislodged, retreat to Picardy`.

Such a wish casts no doubt on the order before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.reading.chunks import Chunk
from judge.reading.policy import RetreatWish
from judge.reading.roles import CHOOSING
from judge.reading.tokens import SENTENCE
from judge.reading.world import World
from judge.rules.types import PhaseKind, Province, Unit

WISHES_MAX = 40
BRACKET = 1.0  # the strength of a comma or bracket
LEAVES = frozenset({"dislodged"})
BEGINNING = LEAVES | {"retreat", "disband"}
OPEN, CLOSING = frozenset("(["), frozenset(")]")
ORDERED = frozenset({"hold", "break"})  # before `retreat to Gas` beside an order
OPENING = frozenset({"should", "sollte"})  # `should it be dislodged`
RETREATING = frozenset({"retreat", "move"})
HARMLESS = frozenset({"np", "break", "fill", "be", "and", "but", "so", "det", "hold"})


@dataclass(frozen=True, slots=True)
class _Clause:
    """The *condition* of a wish and its *consequence*, from *first* up to *last* of the chunks."""

    first: int
    last: int
    condition: Sequence[Chunk]
    consequence: Sequence[Chunk]


def without_wishes(
    chunks: Sequence[Chunk], world: World
) -> tuple[list[Chunk], tuple[RetreatWish, ...]]:
    """Return *chunks* with a break in place of each wish, and the wishes."""
    if world.kind is not PhaseKind.MOVEMENT or BEGINNING.isdisjoint([c.role for c in chunks]):
        return list(chunks), ()
    kept: list[Chunk] = []
    wishes: list[RetreatWish] = []
    end = 0
    clauses = sorted((*_clauses(chunks), *_hints(chunks)), key=lambda each: each.first)
    for clause in clauses:
        wish = _wish(chunks, clause, world)
        if wish is None and chunks[clause.first].key in OPEN:
            span = chunks[clause.first].start, chunks[clause.last - 1].end
            wish = RetreatWish("", (), *span)
        if wish and clause.first >= end:
            kept += chunks[end : clause.first]
            stop = chunks[clause.last - 1]
            kept.append(Chunk("break", wish.start, wish.end, key=".", sentence=stop.sentence))
            kept[-1].strength = max(stop.strength, SENTENCE)
            wishes.append(wish)
            end = clause.last
    return [*kept, *chunks[end:]], tuple(wishes)


def _clauses(chunks: Sequence[Chunk]) -> Iterator[_Clause]:
    """Yield the conditions that a unit is dislodged, each with what follows or is before it."""
    leaving = [at for at, chunk in enumerate(chunks) if chunk.role in LEAVES]
    for at in leaving[:WISHES_MAX]:
        sentence = chunks[at].sentence
        first, last = at, at + 1
        while first and chunks[first - 1].sentence == sentence:
            first -= 1
        while last < len(chunks) and chunks[last].sentence == sentence:
            last += 1
        opens = [n for n in range(first, at) if _opens(chunks[n])]
        if not opens:
            continue
        behind = chunks[at + 1 : last]
        names = bool(behind) and behind[0].key == ":"  # `if it is dislodged: Gas`
        if names or any(chunk.role in RETREATING for chunk in behind):
            yield _Clause(opens[-1], last, chunks[opens[-1] : at], behind)
            continue
        verbs = [n for n in range(first, opens[-1]) if chunks[n].role == "retreat"]
        if verbs and all(chunk.role in HARMLESS for chunk in behind):
            within = chunks[verbs[-1] : opens[-1]]
            yield _Clause(verbs[-1], last, chunks[opens[-1] : at], within)


def _hints(chunks: Sequence[Chunk]) -> Iterator[_Clause]:
    """Yield the retreats that stand behind an order: `A Mun H (retreat: Sil)`, `..., R Sil`."""
    for at, chunk in enumerate(chunks):
        if chunk.role not in {"retreat", "disband"} or at == 0:
            continue
        before = at - 2 if chunks[at - 1].key in CHOOSING and at > 1 else at - 1
        last = next(n for n in range(at, len(chunks)) if _ends(chunks, n))
        behind = chunks[at : last + 1 if chunks[last].role == "np" else last]
        if chunks[before].key in OPEN:
            yield _Clause(before, last + 1, (), behind)
            continue
        if chunks[before].role == "fill" and before:
            before -= 1
        moves = chunks[before].strict and chunks[before].prep == "to"
        behind_order = moves or chunks[before].role in ORDERED
        if behind_order and chunks[before].strength < SENTENCE:
            named = [c for c in behind if c.role == "np"]
            stands = chunks[before].role == "hold" and chunks[before].strict
            said = chunk.strict or ((moves or stands) and chunk.role == "retreat")
            if said and all(not c.units for c in named):
                yield _Clause(before + 1, last + 1, (), behind)


def _ends(chunks: Sequence[Chunk], at: int) -> bool:
    ends = chunks[at].key in CLOSING or chunks[at].strength > BRACKET
    return ends or at == len(chunks) - 1


def _opens(chunk: Chunk) -> bool:
    return chunk.role == "if" or chunk.key in OPENING


def _wish(chunks: Sequence[Chunk], clause: _Clause, world: World) -> RetreatWish | None:
    """Return the wish in *clause*, if all of it is plain."""
    rest = [c for c in clause.consequence if c.role not in RETREATING and c.key not in CHOOSING]
    disbands = any(chunk.role == "disband" for chunk in rest)
    if any(chunk.role not in HARMLESS | {"disband"} for chunk in rest):
        return None
    if any(chunk.role not in HARMLESS | {"if"} for chunk in clause.condition):
        return None
    named = [c for c in (*clause.condition, *rest) if c.role == "np" and c.places]
    subjects = [c for c in named if len(c.units) == 1 and not c.prep]
    places = [c for c in named if c not in subjects]
    if len(subjects) > 1 or any(chunk in places for chunk in clause.condition):
        return None
    nearest = not clause.condition
    unit = subjects[0].units[0] if subjects else _before(chunks, clause.first, nearest=nearest)
    if unit is None or not (places or disbands):
        return None
    reached = [[p for p in chunk.places if world.reach(unit, p) == 0] for chunk in places]
    if any(len(each) != 1 or c.guessed for each, c in zip(reached, places, strict=True)):
        return None
    start, end = chunks[clause.first].start, chunks[clause.last - 1].end
    coasts = [f"/{chunk.coast}" if chunk.coast else "" for chunk in places]
    to = tuple(f"{each[0]}{coast}" for each, coast in zip(reached, coasts, strict=True))
    return RetreatWish(unit.province, to, start, end, disbands=disbands)


def _before(chunks: Sequence[Chunk], first: int, *, nearest: bool) -> Unit | None:
    """Return the one unit, or the *nearest*, that the words before *first* order."""
    found: dict[Province, Unit] = {}
    sentence: int | None = None
    for chunk in reversed(chunks[:first]):
        if chunk.role in {"break", "fill", "and"} and sentence is None:
            continue
        sentence = chunk.sentence if sentence is None else sentence
        if chunk.sentence != sentence:
            break
        if chunk.role == "np" and len(chunk.units) == 1 and not chunk.prep:
            found[chunk.units[0].province] = chunk.units[0]
            if nearest:
                break
    return next(iter(found.values())) if len(found) == 1 else None
