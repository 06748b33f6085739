"""Find the words that may put something in doubt, and those that only look like it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from judge.reading.chunks import Chunk, chunks_of
from judge.reading.tokens import GREETINGS, SENTENCE, VERBS
from judge.reading.world import World
from judge.rules.types import PhaseKind

LINE_END = "\n"
WISHING = frozenset({"möchte", "would", "wish", "hope"})  # `England möchte, dass ...`
DOUBTING = frozenset(
    {"if", "else", "doubt", "past", "dislodged", "report", "you", "third", "question"}
)
MARKING = DOUBTING | {"power", "disband"}  # that may put something in doubt
# What is said of an order by words such as these: `That is what Tom wants`.
THAT = frozenset(
    {
        *("that", "this", "those", "these", "that's", "it's", "das", "dies", "c'", "ça", "cela"),
        *("ceci", "dat", "dit"),
    }
)
MAY = frozenset({"darf", "darf ich", "ich darf"})  # of one's builds; `I may` is a doubt
SELF = frozenset({"i", "i've", "i'm", "i'll", "ich", "habe", "j'", "je", "ik"})
WRITERS = SELF - {"habe"} | {"on", "wir", "we"}
LATER = frozenset({"later", "next", "sp\u00e4ter", "n\u00e4chstes", "plus"})  # `plus tard`
SHIPS = frozenset({"her", "him"})  # `scuttle her`
THEN = frozenset({"then", "dann", "alors", "dan"})
CAN = frozenset({"can", "kann", "puis", "kan"})  # `can I`, `kann ich`
EXPECTING = "expect"
YESTERDAY = frozenset({"yesterday", "gestern", "hier", "gisteren"})  # `as it was yesterday`
LIKE = frozenset({"as", "like", "wie", "comme", "zoals"})


@dataclass(slots=True)
class Marking:
    """Tells which *chunks* of a text mark doubts."""

    chunks: Sequence[Chunk]
    world: World

    def _is_mark(self, at: int) -> bool:
        chunk = self.chunks[at]
        if chunk.quoted and chunk.role in {"np", *VERBS}:
            return True
        if chunk.role == "np" and chunk.foreign:
            return not self._is_helped(at)
        if chunk.role == "power" and chunk.owner != self.world.power:
            return self._is_subject(at)
        if self.world.kind is PhaseKind.RETREATS and chunk.role in {"past", "dislodged"}:
            return chunk.role == "past" and not self._tells_of_loss(at)
        if chunk.role == "disband" and self.world.kind is PhaseKind.MOVEMENT:  # `Scrap A Mun-Bur`
            return not chunk.strict and (at == 0 or self.chunks[at - 1].strength >= SENTENCE)
        second_choice = chunk.role == "else" and self.world.kind is not PhaseKind.MOVEMENT
        builds = self.world.kind is PhaseKind.ADJUSTMENTS
        permits = builds and chunk.key in MAY  # `Ich darf bauen: Flotte Kiel`
        for_judge = chunk.role == "you" and self._is_for_judge(at)
        return chunk.role in DOUBTING and not (second_choice or permits or for_judge)

    def _is_own_remark(self, at: int) -> bool:
        """Return whether the writer remarks on orders: `like I said`, `I expect it to fail`."""
        chunk = self.chunks[at]
        if chunk.role == "doubt" and chunk.key in LATER:  # `The other build I keep for later`
            sentence = chunks_of(chunk.sentence, self.chunks)
            return any(each.role == "waive" for each in sentence)
        if chunk.key == EXPECTING:
            return self._expects_outcome(at)
        if chunk.key == "will" and at and self.chunks[at - 1].units:
            return True  # `die Armee in Tunis will nach Albanien`
        if chunk.role == "doubt" and at and self.chunks[at - 1].key in THEN:
            clause = [*takewhile(lambda c: c.role != "break", self.chunks[at + 1 :])]
            own = chunk.key in SELF | CAN or any(c.key in SELF for c in clause[:1])
            return own and not any(c.units or c.places for c in clause)  # `dann kann ich bauen`
        if chunk.key in SHIPS:
            above = takewhile(lambda c: c.strength < SENTENCE, reversed(self.chunks[:at]))
            told = any(c.role in {"power", "third"} for c in above)
            return not told and self.chunks[at - 1].role in VERBS - {"hold"}
        return chunk.role in {"past", "report"} and self._is_own_word(at)

    def _is_own_word(self, at: int) -> bool:
        """Return whether the writer says it: `like I said`, `drei Züge habe ich: ...`."""
        chunk, behind = self.chunks[at], self.chunks[at + 1 : at + 2]
        if chunk.key in SELF and behind and behind[0].key == ":":
            return True
        clause = takewhile(lambda c: c.role != "break", reversed(self.chunks[:at]))
        above = [c.key for c in clause]
        like = next((n for n, key in enumerate(above) if key in LIKE), -1)
        if like >= 0 and any(c.key in YESTERDAY for c in (chunk, *behind)):
            return True
        source = bool(behind) and behind[0].prep in {"from", "of"}  # `as I heard from Tom`
        own = like > 0 and not SELF.isdisjoint([chunk.key, *above[:like]])
        return own and not source

    def _expects_outcome(self, at: int) -> bool:
        """Return whether only an outcome is awaited: `I expect it to fail`."""
        before, behind = self.chunks[max(at - 3, 0) : at], self.chunks[at + 1 : at + 2]
        own = any(each.key in SELF for each in before)
        return own and all(not (c.places or c.units) for c in behind)

    def _is_for_judge(self, at: int) -> bool:
        """Return whether the judge is told what it can do: `you can disband Paris`."""
        before, behind = self.chunks[at - 1], self.chunks[at + 1 : at + 3]
        aims = before.role == "why" and (at == 1 or self.chunks[at - 2].strength >= SENTENCE)
        disbands = self.world.kind is not PhaseKind.MOVEMENT
        return aims or (disbands and any(c.role == "disband" for c in behind))

    def _tells_of_loss(self, at: int) -> bool:
        """Return whether a clause tells which unit was dislodged: `The army which was beaten`."""
        before, behind = self.chunks[max(at - 3, 0) : at], self.chunks[at + 1 : at + 2]
        named = any(each.prep == "from" for each in behind)  # `The fleet dislodged from Kiel`
        if named and before and before[-1].has_kind:
            return True
        return any(each.role == "which" or each.key in THAT for each in before)

    def _is_helped(self, at: int) -> bool:
        """Return whether an own unit helps one of another power: `Kiel supports his army`."""
        for chunk in reversed(self.chunks[:at]):
            if chunk.strength or chunk.role in {"and", "but"}:
                return False
            if chunk.role in {"support", "convoy"}:
                return True
        return False

    def _is_to_another(self, at: int) -> bool:
        """Return whether the email is addressed to another power: `Dear France`."""
        chunk = self.chunks[at]
        return chunk.owner != self.world.power and self.chunks[at - 1].key in GREETINGS

    def _ends_line(self, at: int) -> bool:
        following = self.chunks[at + 1 :]
        breaks = (each.key for each in following if each.role != "break" or LINE_END in each.key)
        return LINE_END in next(breaks, LINE_END)

    def _is_subject(self, at: int) -> bool:
        """Return whether a power does something: `France moves`, not `le Turc qu'on tape`."""
        behind = self.chunks[at + 1 : at + 4]
        fills = [c.key for c in takewhile(lambda c: c.role == "fill", behind)]
        for chunk in () if not WRITERS.isdisjoint(fills) else behind:
            if chunk.role in VERBS or chunk.key in WISHING:
                return True
            if chunk.role not in {"be", "fill", "not", "word"}:
                return False
        return False
