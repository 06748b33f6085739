"""Find what stands in doubt: questions, conditions, plans, reports, quotes and drafts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judge.reading.chunks import Chunk
from judge.reading.matching import ORDER, PARAGRAPH, SENTENCE, VERBS
from judge.reading.world import World
from judge.rules.types import PhaseKind

LINE_END = "\n"
WISHING = frozenset({"möchte", "would", "wish", "hope"})  # `England möchte, dass ...`
GREETINGS = frozenset(
    {"dear", "hi", "hello", "hey", "liebes", "lieber", "hallo", "cher", "chère", "salut"}
)
COVERING = frozenset({"if", "doubt", "question", "draft", "not", "np"})
DOUBTING = frozenset({"if", "doubt", "past", "dislodged", "report", "you", "third", "question"})


@dataclass(slots=True)
class Marks:
    """The doubts of a text: the chunks that stand in them, *led* only by a line above."""

    chunks: Sequence[Chunk]
    world: World
    doubted: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    led: set[int] = field(default_factory=set)
    draft: bool = False
    talks: bool = False
    to_another: bool = False  # addressed to another power

    def __post_init__(self) -> None:  # noqa: C901, PLR0912 - one flat walk over the sentences
        """Find the sentences, up to `so`, with marks."""
        spans: list[list[int]] = [[]]
        for at, chunk in enumerate(self.chunks):
            if chunk.role in {"so", "why"} and spans[-1]:
                spans.append([])
            spans[-1].append(at)
            if chunk.strength >= SENTENCE:
                spans.append([])
        greetings = [at for at in range(1, len(self.chunks)) if self._is_to_another(at)]
        self.to_another = bool(greetings)
        self.draft = any(not self._ends_line(at) for at in greetings)
        spans = [part for span in spans for part in self._without_asides(span)]
        leads = False
        for span in spans:
            polite = any(self.chunks[at].role == "request" for at in span)
            marked = any(
                self._is_mark(at) and not (polite and self.chunks[at].role == "question")
                for at in span
            )
            if marked:
                self.talks = True
            within = any(self._is_mark(at) for at in span if self.chunks[at].role != "question")
            if leads or within:
                self.doubted.update(span)
                self.led.update(() if within else span)
            elif marked:
                self.asked.update(span)
            self.draft = self.draft or any(self.chunks[at].role == "draft" for at in span)
            if not span:
                continue
            denied = [at for at in span if self.chunks[at].role == "not"]
            colon = [
                at
                for at in span
                if self.chunks[at].key == ":"
                and denied
                and at > denied[-1] + 1  # `no: Bul-Ser`
                and all(each.role != "but" for each in self.chunks[denied[-1] : at])
            ]
            if colon:
                self.doubted.update(at for at in span if at > colon[0])
                marked = True
            last = self.chunks[span[-1]]
            if last.strength >= PARAGRAPH:
                leads = False
            elif marked and last.strength >= SENTENCE and self._introduces(span):
                leads = True

    def _without_asides(self, span: list[int]) -> Iterator[list[int]]:
        """Yield a sentence without what in brackets only reports, and that.

        A condition or a doubt in brackets covers the sentence.
        """
        opened = next((n for n, at in enumerate(span) if self.chunks[at].key == "("), None)
        closed = next((n for n, at in enumerate(span) if self.chunks[at].key == ")"), None)
        if opened is None or closed is None or closed < opened:
            yield span
            return
        inside, outside = span[opened : closed + 1], span[:opened] + span[closed + 1 :]
        if any(self.chunks[at].role in COVERING for at in inside) or not outside:
            yield span
            return
        yield inside
        yield outside

    def _introduces(self, span: list[int]) -> bool:
        """Return whether doubtful words lead to the lines below: `What if:`, `Ignore these`."""
        chunks = [self.chunks[at] for at in span]
        if len(chunks) > 1 and chunks[-2].key == ":":
            return True
        plans = any(each.role in {"if", "doubt", "report", "past"} for each in chunks)
        orders = any(each.places or each.role == ORDER for each in chunks)
        return plans and not orders and chunks[-1].key == LINE_END

    def _is_mark(self, at: int) -> bool:
        chunk = self.chunks[at]
        if chunk.quoted and chunk.role in {"np", ORDER, *VERBS}:
            return True
        if chunk.role == "np" and chunk.foreign:
            return True
        if chunk.role == "power" and chunk.owner != self.world.power:
            return self._is_subject(at)
        if chunk.role == "disband" and self.world.kind is PhaseKind.MOVEMENT:  # `Scrap A Mun-Bur`
            return not chunk.strict and (at == 0 or self.chunks[at - 1].strength >= SENTENCE)
        return chunk.role in DOUBTING

    def _is_to_another(self, at: int) -> bool:
        """Return whether the email is addressed to another power: `Dear France`."""
        chunk = self.chunks[at]
        greets = self.chunks[at - 1].key in GREETINGS
        return chunk.role == "power" and chunk.owner != self.world.power and greets

    def _ends_line(self, at: int) -> bool:
        following = self.chunks[at + 1 :]
        breaks = (each.key for each in following if each.role != "break" or LINE_END in each.key)
        return LINE_END in next(breaks, LINE_END)

    def _is_subject(self, at: int) -> bool:
        """Return whether a power does something: `France moves`."""
        for chunk in self.chunks[at + 1 : at + 4]:
            if chunk.role in VERBS or chunk.key in WISHING:
                return True
            if chunk.role not in {"be", "fill", "not", "word"}:
                return False
        return False
