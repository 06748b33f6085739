"""Orders found in a text so far, their status, and what later words may refer to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from judge.reading.chunks import Chunk, chunks_of
from judge.reading.marking import SELF
from judge.reading.marks import NAUGHT, Marks
from judge.reading.notation import is_formal, with_coasts
from judge.reading.policy import CARRIED_OUT_MAX, OFFERED_MAX, STRICT_MAX, ReadOrder, Status, Talk
from judge.reading.segment import Frame
from judge.reading.tokens import SENTENCE, SLIP, VERBS
from judge.reading.world import World
from judge.rules import types
from judge.rules.types import PhaseKind, Province, Unit, UnitKind

BESIDE = frozenset({"break", "and", "but", "so"})
NEITHER = frozenset({"non", "pas", "auch", "neither", "nor"})  # `Rome non plus`
CONTRASTS = frozenset({"but", "sondern", "mais", "maar"})


@dataclass(slots=True)
class Said:
    """The last thing said, to which later words refer."""

    units: tuple[Unit, ...] = ()
    target: types.Location = ""
    sort: str = ""
    object: Unit | None = None
    to: types.Location = ""
    orders: tuple[int, ...] = ()
    sentence: int = -1
    cost: float = 0.0
    doubted: bool = False
    others: tuple[Unit, ...] = ()  # that were said to do the same


@dataclass(slots=True)
class Resolution:
    """The orders found so far, and what was said last."""

    world: World
    chunks: Sequence[Chunk]
    marks: Marks
    found: list[ReadOrder] = field(default_factory=list)
    talk: list[Talk] = field(default_factory=list)
    unread: list[tuple[int, int, tuple[Province, ...]]] = field(default_factory=list)
    repeats: list[tuple[int, int]] = field(default_factory=list)
    remaining: list[int] = field(default_factory=list)  # waives of all builds that are left
    said: Said = field(default_factory=Said)
    mentioned: set[Province] = field(default_factory=set)
    fixing: bool = False
    unexplained: set[Province] = field(default_factory=set)
    rests: list[tuple[int, Frame, str]] = field(default_factory=list)
    corrected: set[int] = field(default_factory=set)
    joked: set[int] = field(default_factory=set)
    latest: tuple[int, ...] = ()
    recalled: tuple[int, ...] = ()  # orders that words such as `sorry` may withdraw
    recalls: bool = False  # by themselves: `No wait.`
    recalled_in: int = 0  # the sentence of those words
    before: Frame | None = None
    built: UnitKind | None = None
    unresolved: bool = False  # an order, of which nobody knows which unit it is for
    listed_in: int = 0  # the sentence of the last order
    unclear: Collection[int] = ()

    def _span(self, frame: Frame) -> tuple[int, int]:
        chunks = self.chunks[frame.first : frame.last]
        content = [c for c in chunks if c.role not in BESIDE] or list(chunks)
        while frame.strict and content[-1].role == "fill" and not content[-1].prep:
            content.pop()  # `A Par - Bur please`
        start, end = content[0].start, content[-1].end
        if "(" in self.marks.keys and any(c.key == "(" for c in chunks):  # `F Tyr - Lyon (Golf)`
            end = next((c.end for c in chunks if c.key == ")" and c.start >= end), end)
        return start, end

    def _sentence(self, frame: Frame) -> int:
        return self.chunks[frame.last - 1].sentence

    def _sentence_at(self, at: int) -> Sequence[Chunk]:
        return chunks_of(self.chunks[at].sentence, self.chunks)

    def _name(self, unit: Unit) -> types.UnitName:
        return types.UnitName(unit.kind, unit.location)

    def _at(self, name: types.UnitName) -> Unit | None:
        return self.world.own.get(name.province)

    def _is_denied(self, frame: Frame) -> bool:
        clause = self.chunks[frame.first : frame.last]
        if all(c.role != "not" for c in clause):
            adjusts = self.world.kind is PhaseKind.ADJUSTMENTS
            return adjusts and any(c.role == "same" and c.key in NEITHER for c in clause)
        chunks = self._that_may_be_denied(frame)
        turns = [n for n, c in enumerate(chunks) if c.role == "but" and n]
        clause = chunks[turns[-1] :] if turns else chunks
        if frame.sort in {"hold", "disband"}:  # `Serbia attacks nobody, it just stays`
            verb = max((n for n, c in enumerate(clause) if c.role == frame.sort), default=0)
            ends = [n for n, c in enumerate(clause[:verb]) if c.key == "," or c.role == "and"]
            clause = clause[ends[-1] :] if ends else clause
        first = next((n for n, c in enumerate(clause) if c in frame.subjects and c.units), 0)
        other = clause[:first]  # `not Greece, the Aegean goes to Smyrna`
        if any(c.key == "," for c in other) and any(c.places for c in other):
            clause = clause[first:]
        goes_on = [n for n, c in enumerate(clause) if n and c.pronoun and clause[n - 1].key == ","]
        if goes_on:  # `has nothing to do there, it returns`
            clause = clause[goes_on[-1] :]
        return frame.sort != "waive" and any(c.role == "not" for c in clause)

    def _that_may_be_denied(self, frame: Frame) -> list[Chunk]:
        """Return the chunks of *frame* without what is denied of something else at its end.

        That is the place that it no longer is, `..., not Rome`, or a reason, `..., I can't wait`.
        """
        chunks = list(self.chunks[frame.first : frame.last])
        denied = next(n for n, c in enumerate(chunks) if c.role == "not")
        if not denied:
            return chunks
        behind = [c for c in chunks[denied + 1 :] if c.role != "break"]
        parts = (*frame.subjects, frame.object, frame.target)
        alone = len(behind) == 1 and all(behind[0] is not p for p in parts)
        alone = alone and bool(behind[0].places or behind[0].has_kind)
        apart = chunks[denied - 1].key == "," or chunks[denied - 1].role == "and"
        if alone and apart:
            return chunks[: denied - 1]
        comma = max((n for n in range(denied) if chunks[n].key == ","), default=0)
        whole = all(p is None or p.end <= chunks[comma].start for p in parts)
        if comma and whole and any(c.role in VERBS for c in chunks[denied:]):
            return chunks[:comma]  # `supports Warsaw, nobody can attack it anyway`
        aside = next(
            (n for n in range(1, denied) if self._explains(chunks, n, parts)), len(chunks)
        )
        return chunks[:aside]

    def _explains(self, chunks: Sequence[Chunk], at: int, parts: Sequence[Chunk | None]) -> bool:
        """Return whether a reason begins *at* an index: `..., I can't wait`, `so he can't go`."""
        whole = all(each is None or each.end <= chunks[at].start for each in parts)
        tells = chunks[at].key in SELF and chunks[at - 1].role not in {"np", *VERBS}
        object_first = chunks[at - 1].role in {"word", "fill"} and VERBS.isdisjoint(
            c.role for c in chunks[:at]
        )  # `die Flotten rühre ich nicht an`
        tells = tells and not object_first and (whole or chunks[at - 1].key == ",")
        aims = chunks[at].role == "so" and chunks[at + 1].role in {"third", "power"}
        return (tells or aims) and not any(c.places for c in chunks[at:])

    def _is_doubted(self, frame: Frame) -> bool:
        at = range(frame.first, frame.last)
        roles = self.marks.roles
        if "joke" in roles[frame.first : frame.last]:
            return True
        if "not" in roles[: frame.first]:
            if (frame.strict or frame.refers) and self._is_in_denied_list(frame):
                return True
            if self._goes_on_denied(frame):
                return True
        if frame.strict:  # `A Ven-Tri, F Ion S A Apu-Alb?` asks about the last
            doubted = self.marks.doubted - self.marks.named
            return not doubted.isdisjoint(at) or self._is_asked(frame)
        return not (self.marks.doubted.isdisjoint(at) and self.marks.asked.isdisjoint(at))

    def _goes_on_denied(self, frame: Frame) -> bool:
        """Return whether *frame* takes its unit from a denial: `Instead of A Par-Bur, I wait`."""
        sentence = self.chunks[frame.first].sentence
        if self.chunks[frame.first].key in CONTRASTS:  # `hilft nicht, sondern geht`
            return False
        for chunk in reversed(self.chunks[: frame.first]):
            ends = chunk.role == "break" and frame.subjects
            if (
                ends
                or chunk.sentence != sentence
                or chunk.role in {"but", "fix", "weak_fix", "so"}
            ):
                return False
            if chunk.role == "not":  # but `unterstützt nichts, hält`, `nobody is there and ...`
                named = any(c.units and c.places for c in frame.subjects)
                return not (chunk.key in NAUGHT and (named or frame.sort == "hold"))
        return False

    def _is_asked(self, frame: Frame) -> bool:
        """Return whether a question mark ends *frame*, or the words behind it."""
        opened = False
        for chunk in self.chunks[frame.first :]:
            if chunk.role == "question":
                return True
            opened = opened or chunk.key == "("  # `A Pic-Wal (via F Eng)?`
            closes = chunk.key == "(" and any(c.key == ")" for c in self.chunks)
            if closes and frame.first not in self.marks.asked:
                return False  # `A Bul-Gre (is it really empty?)`
            behind = chunk.start >= self.chunks[frame.last - 1].end
            again = frame.target is not None and {*frame.target.places} & {*chunk.places}
            named = behind and chunk.places and not (again or opened)
            if chunk.strength >= SENTENCE or named:
                return False
        return False

    def _is_in_denied_list(self, frame: Frame) -> bool:
        """Return whether a denial before *frame* may cover it: `Not A Mun-Bur, A Ruh-Bel`."""
        sentence = self.chunks[frame.first].sentence
        for chunk in reversed(self.chunks[: frame.first]):
            if chunk.sentence != sentence or chunk.role in {"but", "fix", "weak_fix", "so"}:
                return False
            if chunk.role == "not":
                why = [c.start for c in self._sentence_at(frame.first) if c.role == "why"]
                return not why or why[0] > chunk.start  # not `so you need not look: A Bul H`
        return False

    def _add(
        self,
        frame: Frame,
        orders: types.Order | tuple[types.Order, ...],
        cost: float,
        *,
        implied: bool = False,
    ) -> int:
        orders = orders if isinstance(orders, tuple) else (orders,)
        if frame.strict and len(orders) == 1:
            orders = with_coasts(orders[0], self.world)
        total = frame.cost + cost
        parts = [c for c in (*frame.subjects, frame.object, frame.target, *frame.targets) if c]
        parts += [c for c in self.chunks[frame.first : frame.last] if c.role != "np"]
        guessed = max(c.guessed for c in parts)
        unsure = guessed > SLIP or implied
        most = STRICT_MAX if frame.strict else OFFERED_MAX
        if self._is_doubted(frame):
            status = Status.DOUBTED
        elif len(orders) > 1:
            status = Status.ASKED if total <= most else Status.DOUBTED
        elif not (unsure or frame.first in self.marks.unsure) and total <= (
            STRICT_MAX if frame.strict else CARRIED_OUT_MAX
        ):
            status = Status.PLAIN
        elif total <= OFFERED_MAX:
            status = Status.OFFERED
        else:
            status = Status.DOUBTED
        start, end = self._span(frame)
        loose = self.chunks[frame.first].sentence in self.unclear
        self.found.append(
            ReadOrder(
                *(status, orders, start, end, total, frame.strict, implied),
                loose=loose,
                guessed=guessed > 0,
                formal=frame.strict or is_formal(self.chunks[frame.first]),
                power=self._owner(frame),
                word=self._torn_word(frame, orders),
                introduced=frame.strict and frame.first in self.marks.introduced,
            )
        )
        return len(self.found) - 1

    def _torn_word(self, frame: Frame, orders: Sequence[types.Order]) -> tuple[int, int] | None:
        """Return where the name is that may mean several places, if *orders* differ in one."""
        if len(orders) == 1:
            return None
        targets = {getattr(each, "target", None) for each in orders}
        chunk = frame.target if len(targets) > 1 else next(iter(frame.subjects), None)
        return (chunk.start, chunk.end) if chunk else None

    def _owner(self, frame: Frame) -> types.Power | None:
        """Return the other power whose order notation says that this is."""
        if not frame.strict:
            return None
        owners = (chunk.owner or chunk.headed for chunk in frame.subjects)
        return next((each for each in owners if each not in (None, self.world.power)), None)

    def _has_order(self, unit: Unit) -> bool:
        return any(
            getattr(each.order, "unit", None) == self._name(unit)
            for n, each in enumerate(self.found)
            if n not in self.corrected
        )
