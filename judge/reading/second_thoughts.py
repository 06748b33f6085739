"""Find orders that other sentences or clauses put in doubt: second thoughts, other seasons."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from judge.reading.chunks import Chunk, chunks_of
from judge.reading.marking import EXPECTING, LINE_END, SELF, THAT
from judge.reading.marks import BUT, NAUGHT, PROMISED, WORDS_OF_REMARK, Marks, says
from judge.reading.segment import Frame
from judge.reading.tokens import PARAGRAPH, SENTENCE, VERBS
from judge.rules.types import PhaseKind, Season

# Words that withdraw an order only for another: `Sorry, Vienna holds`.
SOFT = frozenset(
    {
        *("sorry", "well", "actually", "rather", "lieber", "pardon", "finalement", "attends"),
        *("attendez", "moment", "entschuldigung", "liever", "besser", "vielmehr", "instead"),
        *("stattdessen", "plutôt", "make", "en"),  # `Make it bombproof`
    }
)
OR = frozenset({"or", "oder", "ou", "of"})
UNCHANGED = frozenset(
    {
        *("as", "wie", "comme", "zoals", "unchanged", "unver\u00e4ndert", "gleich"),
        *("inchang\u00e9", "inchang\u00e9s", "inchang\u00e9es"),
    }
)
OTHERS = frozenset({"rest", "other"})
ONLY = frozenset({"only", "nur", "seulement", "uniquement", "alleen"})
THAT_CLAUSES = frozenset({"dass", "daß", "que", "qu'", "that", "dat"})
ASKING = frozenset({"do", "does", "did", "is", "are", "ist", "sind"})  # without its sign
QUOTED = frozenset({"those", "these"})  # `Those were Anna's exact words`
POSTSCRIPTS = frozenset({"ps", "pps", "p"})
UNLESS = frozenset({"unless", "es", "außer", "à", "sauf", "tenzij", "except"})
BEFORE = frozenset({"before", "bevor", "ehe", "avant", "voordat"})  # `Before I go to Spain, ...`
FINE = frozenset(  # `Is that ok?`, `Passt das so?`, `C'est bon ?`
    {
        *("ok", "okay", "right", "correct", "fine", "good", "alright", "clear", "all", "so", "c'"),
        *("passt", "stimmt", "gut", "richtig", "klar", "ordnung", "bon", "va", "clair", "est"),
        *("müsste", "passen", "oder", "tout", "y", "non", "no"),
    }
)
IN_LANGUAGE = frozenset(  # `Geht das auf Deutsch?`
    {
        *("in german", "in english", "in french", "auf deutsch", "auf englisch"),
        *("auf franz\u00f6sisch", "en allemand", "en anglais", "en fran\u00e7ais"),
    }
)
TELLING = frozenset(  # `Tell me if it is wrong`
    {
        *("tell", "let", "know", "lmk", "yell", "shout", "sag", "sagt", "wei\u00df", "weiss"),
        *("dis", "dites", "sais", "weet"),
    }
)
LONG = 5  # words of a condition that stands by itself
UNSURE = frozenset({"doubt", "report", "third", "not"})
BESIDE = frozenset({"break", "and", "but", "fill", "be", "so", "fix", "weak_fix"})
SPRING = frozenset({"spring", "frühjahr", "frühling", "printemps", "lente", "voorjaar"})
FALL = frozenset({"fall", "autumn", "herbst", "automne", "herfst", "najaar"})
OTHER_SEASONS = {Season.SPRING: FALL, Season.FALL: SPRING, Season.WINTER: SPRING | FALL}


@dataclass(slots=True)
class SecondThoughts(Marks):
    """The doubts of a text, also those that words beside or behind an order cast on it."""

    def __post_init__(self) -> None:
        """Find the sentences with marks, then what they doubt before them."""
        Marks.__post_init__(self)
        self._doubt_frames()
        self._look_back()
        self.talks = self.talks and not keeps_others(self.chunks)

    def _doubt_frames(self) -> None:
        """Doubt what is for another season, and notation behind which may be a verb."""
        seasons = self._other_seasons()
        named = enumerate(self.chunks if not seasons.isdisjoint(self.keys) else ())
        late = {n for n, c in named if c.role == "fill" and c.key in seasons}
        for frame in self.frames if late else ():
            season = self._in_another_season(frame, late)
            self.doubted.update(n for n in season if self.chunks[n].role != "break")
        for first, second in pairwise(self.frames):
            if first.sort == "talk" and second.strict and self._lacks_verb(first):
                self.unsure.update(range(second.first, second.last))

    def _other_seasons(self) -> frozenset[str]:
        if self.world.plans or self.world.kind is PhaseKind.ADJUSTMENTS:
            return frozenset()
        return OTHER_SEASONS[self.world.season]

    def _in_another_season(self, frame: Frame, late: Container[int]) -> list[int]:
        """Return what *frame* puts in another season: `In the fall it goes to Spain`."""
        span = range(frame.first, frame.last)
        at = next((n for n in span if n in late), None)
        if at is None:
            return []
        leads = all(each.role != "np" for each in self.chunks[frame.first : at])
        sentence = self.chunks[at].sentence
        behind = range(frame.last, len(self.chunks)) if leads else ()
        return [*span, *(n for n in behind if self.chunks[n].sentence == sentence)]

    def _look_back(self) -> None:
        """Leave orders unsure if the sentence behind them puts them in doubt.

        That covers the sentence before, or from a new line the paragraph before.
        """
        orders: list[range] = []
        # `the rest as above` keeps other orders as they are written
        pairs = pairwise(self.chunks if not UNCHANGED.isdisjoint(self.keys) else ())
        keeps = any(
            first.quantity == "rest" and second.key in UNCHANGED for first, second in pairs
        )
        says_that = not THAT_CLAUSES.isdisjoint(self.keys)
        for _, frames in groupby(self.frames, lambda each: self.chunks[each.first].sentence):
            sentence = list(frames)
            span = range(sentence[0].first, sentence[-1].last)
            before = self.chunks[span[0] - 1] if span[0] else None
            if orders and self._turns_on(span):
                self.unsure.update(orders[-1])
            self._doubt_clauses(sentence, says_that=says_that)
            if sentence[-1].sort != "talk" or any(
                each.sort != "talk" and not self._names_own(sentence[-1]) for each in sentence
            ):
                if before and before.strength >= PARAGRAPH:
                    orders = []
                orders.append(span)
            elif keeps and any(self.chunks[at].role == "fix" for at in span):
                continue
            elif orders and before and self._is_afterthought(span):
                covered = orders if LINE_END in before.key else orders[-1:]
                self.unsure.update(at for each in covered for at in each)
            else:
                orders = []

    def _doubt_clauses(self, sentence: Sequence[Frame], *, says_that: bool) -> None:
        """Leave orders unsure of which another clause of their sentence says so."""
        for frame in sentence:
            if self.chunks[frame.first].key in BEFORE or (says_that and self._is_told(frame)):
                self.unsure.update(range(frame.first, frame.last))
        for first, second in pairwise(sentence):  # `Bre supports (Mid, to the channel)`
            bracketed = self.chunks[second.first - 1].key == "("
            if bracketed and first.sort in {"support", "convoy"} and second.sort == "move":
                self.unsure.update(range(second.first, second.last))
            tail = takewhile(lambda each: each.sort == "talk", sentence[sentence.index(second) :])
            last = max((each.last for each in tail), default=second.last)
            if first.sort != "talk" and self._forgoes(range(second.first, last)):
                self.unsure.update(range(first.first, first.last))

    def _is_told(self, frame: Frame) -> bool:
        """Return whether somebody is said to think so: `Tom reckons that Brest goes to London`."""
        that = next(
            (c for c in self.chunks[frame.first : frame.last] if c.key in THAT_CLAUSES), None
        )
        sentence = chunks_of(that.sentence, self.chunks) if that else ()
        above = [c.role for c in takewhile(lambda each: each is not that, sentence)]
        return above.count("word") >= WORDS_OF_REMARK and "np" not in above

    def _forgoes(self, at: range) -> bool:
        """Return whether a clause gives up the order before it: `but not this time`."""
        chunks = [self.chunks[n] for n in at]
        if chunks[0].role == "why":
            return False  # `..., da passiert nichts`
        turn = next((n for n in at if self.chunks[n].key in BUT), at.stop)
        denials = (n for n in range(turn, at.stop) if self.chunks[n].role == "not")
        denies = not all(map(self._is_naught, denials))
        told = any(c.role in {"power", "third", "you"} for c in chunks)
        acts = any(c.role in VERBS or c.units for c in chunks if c.role != "not")
        return denies and not (acts or told) and sum(map(says, chunks)) <= WORDS_OF_REMARK

    def _lacks_verb(self, frame: Frame) -> bool:
        """Return whether an unknown word may be what a unit does: `A Mar st. A Par-Bur`."""
        [unit, *words] = self.chunks[frame.first : frame.last]
        ends = words and words[-1].key == "."
        return (
            bool(unit.has_kind and unit.strict)
            and len(words) == 1 + bool(ends)
            and words[0].role in {"word", "np"}
            and not words[0].prep
        )

    def _turns_on(self, span: Sequence[int]) -> bool:
        """Return whether a sentence asks for something else, or begins with an exception.

        `Or will it be Naples?`, `Unless Italy goes to Tyrolia`.
        """
        first = next((self.chunks[at] for at in span if self.roles[at] not in BESIDE), None)
        if first is None:
            return False
        excepts = first.role == "if" and first.key in UNLESS
        return excepts or (first.key in OR and any(self.roles[at] == "question" for at in span))

    def _is_afterthought(self, span: Sequence[int]) -> bool:  # noqa: PLR0911 - one return a rule
        """Return whether a sentence doubts the orders before it: `Only if Italy agrees`."""
        chunks = [self.chunks[at] for at in span]
        if any(self.chunks[at].key == EXPECTING and self._expects_outcome(at) for at in span):
            return False  # `I don't expect to get in`
        if any((each.places and not each.guessed) or each.has_kind for each in chunks):
            return False
        content = [each for each in chunks if each.role not in BESIDE]
        tells = next((n for n, c in enumerate(content) if c.key in TELLING), None)
        if_wrong = tells and any(c.role == "if" for c in content)
        told = tells == 0 or (if_wrong and all(c.role != "not" for c in content[:tells]))
        if told or keeps_others(chunks):  # `Tell me if it is wrong`, `The rest stays as I sent it`
            return False
        if self._is_in_table(span) and all(each.role != "if" for each in content):
            return False
        if _asks_whether_fine(chunks) or _asks_for_language(chunks):
            return False
        unclear = any(c.role in {"if", "doubt", "third", "question"} for c in content)
        own = any(c.key in SELF for c in chunks) and any(c.key in PROMISED for c in content)
        if own and not unclear:
            return False  # `I promised Tom that`
        doubts = [c for c in content if c.role in UNSURE and c.key not in NAUGHT]
        if any(c.role == "fix" and c.key not in SOFT for c in chunks):
            above = [*takewhile(lambda c: c.role != "fix", chunks)]  # `No, scratch that.`
            return sum(map(says, above)) < WORDS_OF_REMARK or sum(map(says, chunks)) <= LONG
        asks = any(c.role == "question" for c in content) or chunks[0].key in ASKING
        most = 1 if asks else WORDS_OF_REMARK
        tells_more = sum(c.role == "word" for c in content) > most
        tells_more = tells_more and chunks[0].key not in QUOTED  # `Those were Anna's exact words`
        if not tells_more and any(self._refers(at, asks=asks) for at in span):
            told = chunks[0].key in QUOTED and any(c.role == "past" for c in content)
            asks = asks and all(c.role not in {"you", "request"} for c in content)
            return any(c.key not in OR for c in doubts) or told or asks
        if len(content) > 1 and content[0].role == "if":  # and not `When is the deadline?`
            only = any(each.key in ONLY for each in chunks[: chunks.index(content[0])])
            last = chunks.index(content[WORDS_OF_REMARK - 1])
            behind = (each.key for each in chunks[last:])  # `If it fails I'm gone`
            whole = len(content) > LONG or any(c.key in {",", ":"} for c in chunks[:-1])
            whole = whole or not SELF.isdisjoint(behind)
            return not asks and (only or not whole)
        return bool(doubts) and all(c in doubts or c.role == "question" for c in content)

    def _names_own(self, frame: Frame) -> bool:
        return any(each.units for each in self.chunks[frame.first : frame.last])

    def _refers(self, at: int, *, asks: bool) -> bool:
        """Return whether a word stands for what was said before: `that`, but not `that day`."""
        chunk = self.chunks[at]
        behind = self.chunks[at + 1] if at + 1 < len(self.chunks) else None
        if any(each.quantity == "all" for each in self.chunks[at + 1 : at + 3]):
            return False  # `That's everything, I think?`
        stands = chunk.key in THAT and (asks or behind is None or behind.role != "word")
        before = takewhile(lambda each: each is not chunk, chunks_of(chunk.sentence, self.chunks))
        others = any(c.role in {"power", "word"} for c in before)  # `Anna ..., she`
        return stands or (chunk.pronoun == "it" and not others)


def keeps_others(chunks: Sequence[Chunk]) -> bool:
    """Return whether other orders are to stay as they are: `The rest stays as I sent it`."""
    for at in (n for n, c in enumerate(chunks) if c.quantity in OTHERS and not c.has_kind):
        behind = takewhile(lambda c: c.strength < SENTENCE, chunks[at:])
        if any(c.key.partition(" ")[0] in UNCHANGED or c.role == "same" for c in behind):
            return True
    return False


def _asks_whether_fine(chunks: Sequence[Chunk]) -> bool:
    """Return whether only `Is that ok?` is asked, of orders that were given."""
    if all(c.role != "question" for c in chunks):
        return False
    said = {c.key for c in chunks if c.role not in {"break", "be", "and", "question"}}
    return not said.isdisjoint(FINE) and said <= FINE | THAT


def _asks_for_language(chunks: Sequence[Chunk]) -> bool:
    """Return whether a question is about the language of emails: `Geht das auf Deutsch?`."""
    said = [c.key for c in chunks if c.role not in {"break", "question"}]
    asks = any(c.role == "question" for c in chunks)
    return asks and " ".join(said[-2:]) in IN_LANGUAGE
