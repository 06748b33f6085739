"""Find lines of a message that may be orders in notation for its sender's own units.

A reply to press may contain orders, sent to the wrong address, which must never be shown to an
opponent. Players also name moves in press: `If you go F Lon-Nth, I go A Mun-Bur`. So only notation
counts, in a sentence without talk: it addresses nobody, and doubts, denies and reports nothing; a
question mark alone is no talk.
Notation in full words, `Munich supports Berlin to Silesia`, counts if it is all of its line; all
words count below a heading such as `My orders`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from judge.mail.body import Line
from judge.mail.language.phase_names import spelled_words
from judge.reading.matching import Matcher
from judge.reading.tokens import SENTENCE, Word
from judge.reading.world import World, world_of
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Position, Power

LINE_MAX = 1000  # characters, as of every line of orders
WRAPPED_MIN = 50  # characters of a line whose sentence may continue in the next
SHORT_LINE_MAX, JOINED_MAX = 12, 12  # characters and lines of an order broken into its words

KINDS = frozenset({"army", "fleet"})
VERBS = frozenset({"hold", "support", "convoy", "retreat", "disband", "build", "move"})
TALK = frozenset(
    {"doubt", "else", "if", "not", "report", "past", "draft", "question", "third", "why"}
)
PLANS = frozenset({"doubt", "else", "if", "question", "report", "draft"})
LEADS = KINDS | {
    *("power", "fill", "number", "and", "dash", "det", "build", "disband", "word", "so"),
    *("same", "but", "be"),
}
IN_FULL = (
    VERBS | KINDS | {"name", "adjective", "dash", "to", "in", "via", "break", "number", "det"}
)
ASKED = IN_FULL | {"question", "and", "nc", "sc", "ec", "wc"}  # of orders that end with `?`
WORDS_IN_FULL = spelled_words("notation_in_full")
WRITER = spelled_words("of_writers")
READER = spelled_words("of_readers")
MOODS = spelled_words("moods")
LETTERS = frozenset("hscmrdbt")
ORDERED = re.compile(  # what follows is meant for the judge
    r"\b(?:(?:my|the|our|these|following|meine|unsere|die|mes|nos|les)\s+(?:\w+\s+)?"
    r"(?:orders|moves|befehle|züge|ordres)|i\s+(?:hereby\s+)?order|ich\s+befehle|thank\s+you)\b",
    re.IGNORECASE,
)
HEADING = re.compile(r"\W*(?:\w+\s+)?(?:orders|moves|befehle|züge|ordres)\b[^:]*:", re.IGNORECASE)
OF_WRITER = re.compile(  # a heading of orders, as plain as notation
    r"\W*(?:\w+\s+){0,3}?(?:my|our|meine|unsere|mes|nos)\s+(?:orders|moves|befehle|züge|ordres)\b"
    r"[^:.]{0,30}(?:[:.]|$)",
    re.IGNORECASE,
)
ASSENT = re.compile(r"\W*(?:agreed|einverstanden|d['\u2019]accord)\b[\s:,-]*", re.IGNORECASE)
INVISIBLE = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad")
SIGNS = str.maketrans(dict.fromkeys('()[]{}*"\u201c\u201d\u201e\u00ab\u00bb_|', " "))
GLUED = re.compile(r"(?<![^\s(\[*\"])([AFaf])[-.]?(?=[A-Z][a-z]{2})")
ARROW = re.compile(r"[=~]>|(?<=\w)/(?=[A-Z])|(?<=\w) \. (?=\w)")
CONDITION = re.compile(r"\W*IF\b.*\bTHEN\b")


def own_orders(
    lines: Sequence[Line], board: Map, seen: Position, power: Power
) -> tuple[Line, ...]:
    """Return those of *lines* that may be orders in notation for units of *power*.

    *seen* is the position as it sees it: a question must reveal no hidden unit.
    """
    world = world_of(board, seen, power)
    texts = [_plain(line.text) for line in lines]
    found: set[int] = set()
    planned = headed = False
    for start, end in _sentences_of(texts):
        text = " ".join(texts[start:end])
        if not text.strip():
            continue
        headed = headed or OF_WRITER.match(text) is not None
        sentences = list(_Sentences(text, world, headed=headed).read())
        if not planned and any(each.orders for each in sentences):
            found.update(range(start, end))
        elif text.rstrip().endswith(":"):
            planned = sentences[-1].plans
        elif not any(each.orders for each in sentences):
            planned, headed = False, OF_WRITER.match(text) is not None
    for start, end in _broken_orders(texts):
        if found.isdisjoint(range(start, end)):
            joined = _Sentences(" ".join(texts[start:end]), world).read()
            found.update(range(start, end) if any(each.orders for each in joined) else ())
    return tuple(lines[at] for at in sorted(found))


def holds_notation(text: str, board: Map) -> bool:
    """Return whether *text* has an order in notation for a unit of any power."""
    world = world_of(board, board.start, None)
    return any(each.orders for each in _Sentences(_plain(text), world, anyone=True).read())


def _plain(line: str) -> str:
    text = normalize("NFKC", line[:LINE_MAX]).translate(INVISIBLE)
    return ASSENT.sub("", ARROW.sub(" - ", GLUED.sub(r"\1 ", text).translate(SIGNS)))


def _sentences_of(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the first line, and the one behind the last, of each text that a program wrapped."""
    start = 0
    for at, text in enumerate(texts, 1):
        goes_on = len(text) >= WRAPPED_MIN and text.rstrip()[-1:] not in set(".!?:;")
        if not (goes_on and at < len(texts) and texts[at].strip()):
            yield start, at
            start = at


def _broken_orders(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield runs of very short lines, into which an order may have been broken."""
    start = 0
    for at, text in enumerate([*texts, " " * (SHORT_LINE_MAX + 1)]):
        if len(text) > SHORT_LINE_MAX or at - start >= JOINED_MAX:
            if at - start > 1:
                yield start, at
            start = at + 1


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that *orders* a unit of the writer, or announces *plans*, or neither."""

    orders: bool
    plans: bool


@dataclass(slots=True)
class _Sentences:
    """Reads the sentences of one *text*, as orders of the writer or of *anyone*.

    Those that are *headed* by "My orders" count in prose too.
    """

    text: str
    world: World
    anyone: bool = False
    headed: bool = False

    def read(self) -> Iterator[_Sentence]:
        """Yield what each sentence is."""
        matcher = Matcher(self.text, self.world)
        matcher.run()
        keys = [token.key for token in matcher.tokens]
        words: list[Word] = []
        heading = OF_WRITER.match(self.text) or HEADING.match(self.text)
        behind = heading.end() if heading else 0
        spoken = {token.key for token in matcher.tokens if token.start >= behind}
        headed = self.headed and spoken.isdisjoint(WRITER | READER)  # `My orders: I move Munich`
        written = [word for word in matcher.words if matcher.tokens[word.first].start >= behind]
        whole = self._is_in_full(written, keys)
        for word in (*matcher.words, Word("break", len(keys), len(keys), strength=SENTENCE)):
            words.append(word)
            if word.role in {"break", "question"} and word.strength >= SENTENCE:
                first = matcher.tokens[words[0].first] if words[0].first < len(keys) else None
                last = matcher.tokens[min(word.last, len(keys) - 1)] if keys else None
                text = self.text[first.start : last.end] if first and last else ""
                yield self._sentence(words, keys, text, whole=whole, headed=headed)
                words = []

    def _sentence(
        self,
        words: Sequence[Word],
        keys: Sequence[str],
        text: str,
        *,
        whole: bool,
        headed: bool,
    ) -> _Sentence:
        roles = {word.role for word in words}
        spoken = {
            keys[at] for word in words for at in range(word.first, min(word.last + 1, len(keys)))
        }
        plans = not roles.isdisjoint(PLANS) or not spoken.isdisjoint(MOODS)
        ordered = ORDERED.search(text) is not None
        addresses = not ordered and not spoken.isdisjoint(WRITER | READER)
        moods = not ordered and not spoken.isdisjoint(MOODS)
        if CONDITION.match(text) and not addresses:
            return _Sentence(any(self._is_own(word) for word in words), plans)
        talks = not (roles - {"question"} if roles <= ASKED else roles).isdisjoint(TALK)
        if addresses or moods or talks:
            return _Sentence(orders=False, plans=plans)
        orders = any(
            self._is_order(clause, keys) or (headed and self._is_written_out(clause))
            for clause in _clauses(words)
        )
        return _Sentence(orders or (whole and self._is_written_out(words)), plans)

    def _is_order(self, clause: Sequence[Word], keys: Sequence[str]) -> bool:
        """Return whether *clause* begins with an own unit and its action in notation."""
        first = next((at for at, word in enumerate(clause) if word.role == "name"), None)
        if first is None or any(word.role not in LEADS for word in clause[:first]):
            return False
        before, unit, rest = clause[:first], clause[first], list(clause[first + 1 :])
        kind = bool(before) and before[-1].role in KINDS
        if not self._is_own(unit, anywhere=kind and before[-1].strict):
            return False
        if rest and rest[0].role in KINDS and len(rest) > 1:  # `Mun A - Bur`
            kind, rest = True, rest[1:]
        while len(rest) > 1 and rest[0].role in {"word", "nc", "sc", "ec", "wc", "det", "fill"}:
            rest = rest[1:]  # a coast
        if not rest:
            led = any(word.role in {"build", "disband"} for word in before)
            return kind and (led or self.world.kind is PhaseKind.ADJUSTMENTS)
        return self._is_action(rest, keys, kind=kind)

    def _is_action(self, words: Sequence[Word], keys: Sequence[str], *, kind: bool) -> bool:
        """Return whether *words* behind a unit, whose *kind* may be named, are its action."""
        head, behind = words[0], [word.role for word in words[1:3]]
        if head.role == "dash":
            return "name" in behind or (kind and bool(behind))
        if head.role in VERBS:
            return head.strict or (kind and keys[head.first] in WORDS_IN_FULL)
        if head.role == "name":
            return kind
        return kind and head.role in {"to", "in", "via", "sea"} and "name" in behind

    def _is_in_full(self, words: Sequence[Word], keys: Sequence[str]) -> bool:
        """Return whether a line has only words of notation."""
        return all(
            word.role in IN_FULL
            and (word.strict or word.role not in VERBS or keys[word.first] in WORDS_IN_FULL)
            for word in words
        )

    def _is_written_out(self, words: Sequence[Word]) -> bool:
        """Return whether *words* begin with an own unit, and something is ordered."""
        names = [word for word in words if word.role == "name"]
        does = len(names) > 1 or any(word.role in VERBS for word in words)
        apart = any(word.role == "break" for word in words[:-1])
        verb = any(word.role in VERBS or word.role in {"to", "dash"} for word in words)
        return bool(names) and self._is_own(names[0]) and does and (verb or not apart)

    def _is_own(self, word: Word, *, anywhere: bool = False) -> bool:
        """Return whether *word* names a province of the writer, or one without another's unit."""
        if word.role != "name":
            return False
        own = {*self.world.own, *self.world.sites}
        if self.anyone or not own.isdisjoint(word.places):
            return True
        return anywhere and self.world.standing.keys().isdisjoint(word.places)


def _clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    clause: list[Word] = []
    for word in words:
        if word.role in {"break", "question", "and"}:
            yield clause
            clause = []
        else:
            clause.append(word)
    yield clause
