"""Find lines of a message that may be orders for its sender's own units.

A reply to press may contain orders, sent to the wrong address, which must never be shown to an
opponent. It may also be talk about units, which is sent. The border:

- An *order form* begins with a unit of the sender and its action, or the other way round:
  `A Mun-Bur`, `Munich to Burgundy`, `Build F Kie`. It does not count if its clause mentions the
  sender or the reader (`A Mun-Bur would suit us`), if its sentence did so before it
  (`I plan A Mun-Ruh`) or expresses a doubt (`Mun-Bur, if you like?`).
- A *statement* names a unit of the sender and its action in any other words: `I move Munich
  to Burgundy`. It counts only in a message that does not address its reader, or in one with
  several lines that are nothing else.

Both are searched for in each line and in each paragraph, since mail programs break lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import normalize

from judge.mail.body import Line
from judge.mail.language.phase_names import all_spellings
from judge.notation import vocabulary
from judge.notation.parser import parse
from judge.notation.readings import NotUnderstood, Prose, Reading, Unclear, Understood
from judge.notation.terms import Names, Term, names_of, terms_of, tokenize
from judge.rules.board import Map
from judge.rules.types import Order, PhaseKind, Power, Province, Waive

LINE_MAX = 1000  # characters, as of every line of orders
TERMS_MAX = 40  # of a clause; the rest is not part of an order
WRAPPED_MIN = 50  # characters of a line whose sentence may continue in the next
STATEMENTS_MIN = 2  # lines that are nothing but statements, in a message that addresses its reader
NAME_MIN = 4  # letters of a word that may be a misspelled name
REMARK = re.compile(r"\bit(?: is|'s| will be)\b", re.IGNORECASE)  # `Mun-Bur it is.`
STATEMENT_MAX = 90  # characters of such a line

SENTENCE = re.compile(r"(?<=[.!:;])\s+|(?<=\?)")
CLAUSE = re.compile(r"[,;]|\b(?:and|und|et|then|dann|puis)\b", re.IGNORECASE)
ORDERS = re.compile(
    r"\b(?:my|the|our|these|following|meine|unsere|die|mes|nos|les)\s+"
    r"(?:\w+\s+)?(?:orders|moves|befehle|züge|ordres)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
SMALL = str.maketrans("", "", "\u200b\u200c\u200d\u2060\ufeff\u00ad")

WRITER = all_spellings(
    "i i'll i'd i'm i've me my mine myself we we'll we'd we're we've us our ours let lets"
    " ich mich mir mein meine meinen meiner wir uns unser unsere"
    " je j'ai moi mon ma mes nous notre nos"
)
READER = all_spellings(
    "you you'll you'd you're you've your yours yourself we we'll we'd us our let lets both"
    " du dich dir dein deine deinen deiner ihr euch euer eure sie ihnen ihre wir uns"
    " tu te toi ton ta tes vous votre vos nous notre nos"
)
COURTESIES = all_spellings(
    "thanks thank please sorry hi hello dear cheers hope promise agree agreed deal ally alliance"
    " friend peace together danke bitte hallo liebe lieber gruß grüße einverstanden versprochen"
    " merci bonjour salut cher chère accord promis"
)
ASSENTS = all_spellings("yes ok okay sure fine well so done great good ja gut oui bon bien")
# Without the German `war`, which is also Warsaw.
MOODS = all_spellings(
    "will would could should might may can can't won't wouldn't shall is isn't was wasn't are"
    " were be been has had looks seems makes sounds"
    " würde könnte sollte kann ist wäre sind wird"
    " serait pourrait devrait peut est était sont sera"
)
TALK_WORDS = WRITER | READER | MOODS
DOUBT_WORDS = vocabulary.DOUBTS | all_spellings("when once should suppose assuming")
CONDITIONS = all_spellings("then else endif")
ORDERED = all_spellings("order orders befehl befehle ordre ordres please bitte svp")
LEADS = (
    vocabulary.LEADERS
    | ORDERED
    | vocabulary.FILLERS
    | all_spellings("then dann puis no")
    | COURTESIES
    | ASSENTS
    | {*"->=+#~()[]{}:/\\<"}
)
ACTIONS = frozenset().union(
    *(
        vocabulary.HOLD,
        vocabulary.MOVE,
        vocabulary.SUPPORT,
        vocabulary.SUPPORT_WITH_KIND,
        vocabulary.CONVOY,
    ),
    *(
        vocabulary.CONVOY_WITH_KIND,
        vocabulary.RETREAT,
        vocabulary.DISBAND,
        vocabulary.REMOVE,
        vocabulary.BUILD,
    ),
    all_spellings("takes take stays stay supports send sends order orders backs via holds"),
)
TOWARD = vocabulary.TOWARD | all_spellings("in ins for") | {*"/|=>:~"}
DOING = frozenset().union(
    *(vocabulary.MOVE, vocabulary.HOLD, vocabulary.REMOVE, vocabulary.DISBAND, vocabulary.RETREAT),
    all_spellings("send take keep order"),
)
BUILDS = vocabulary.BUILD | vocabulary.REMOVE | vocabulary.DISBAND
LETTERS = frozenset("hscmrdbt")


@dataclass(frozen=True, slots=True)
class Writer:
    """The sender of a message: the *provinces* of the units, and the *centers*, of *power*.

    *others* are provinces of other powers' units that the sender sees. An order for any other
    province may be for a unit that the sender believes to have.
    """

    power: Power
    provinces: Collection[Province]
    centers: Collection[Province]
    kind: PhaseKind
    others: Collection[Province] | None = None


def own_orders(lines: Sequence[Line], board: Map, writer: Writer) -> tuple[Line, ...]:
    """Return those of *lines* that have the form of orders for units of *writer*."""
    shown = [_plain(line.text) for line in lines]
    message = _Message(board, names_of(board), writer, shown)
    found = {i for i in range(len(lines)) if message.line_orders(i)}
    for start, end in _paragraphs(shown):
        if found.isdisjoint(range(start, end)):
            found |= message.paragraph_orders(start, end)
    if not found:
        found |= message.statements()
    return tuple(lines[i] for i in sorted(found))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for i, line in enumerate([*lines, ""]):
        if not line.strip():
            if i > start + 1:
                yield start, i
            start = i + 1


@dataclass(frozen=True, slots=True)
class _Message:
    board: Map
    names: Names
    writer: Writer
    lines: Sequence[str]

    def line_orders(self, at: int) -> bool:
        """Return whether the line *at* holds an order form."""
        line = self.lines[at]
        if not line.strip():
            return False
        return self._orders(line, wrapped=self._continues(at)) or self._orders_elsewhere(line)

    def _orders_elsewhere(self, line: str) -> bool:
        """Return whether *line* orders a unit by its kind where the sender sees no foreign one."""
        others = self.writer.others
        if others is None or _is_doubtful(line) or not words_of(line).isdisjoint(TALK_WORDS):
            return False
        anywhere = replace(self.writer, provinces=self.board.places.keys() - {*others})
        return replace(self, writer=anywhere).orders_by_kind(CLAUSE.split(line)[0])

    def orders_by_kind(self, clause: str) -> bool:
        """Return whether *clause* orders a unit that it names with its kind."""
        terms = self._terms(clause)
        return bool(terms) and terms[0].key in vocabulary.KINDS and self._is_order(clause)

    def paragraph_orders(self, start: int, end: int) -> set[int]:
        """Return the lines from *start* to *end* if, joined, they contain an order."""
        joined = " ".join(line.strip() for line in self.lines[start:end])
        return set(range(start, end)) if self._orders(joined, wrapped=False) else set()

    def statements(self) -> set[int]:
        """Return the lines that state the actions of units, if the message is hardly talk."""
        text = "\n".join(self.lines)
        to_reader = not words_of(text).isdisjoint(READER | COURTESIES) or "?" in text
        announced = ORDERS.search(text) is not None
        stating = {
            i
            for i, line in enumerate(self.lines)
            if any(self._is_statement(each) for each in SENTENCE.split(line))
        }
        if not to_reader or announced:
            return stating
        alone = {i for i in stating if len(self.lines[i]) <= STATEMENT_MAX}
        alone = {i for i in alone if words_of(self.lines[i]).isdisjoint(READER)}
        return alone if len(alone) >= STATEMENTS_MIN else set()

    def _continues(self, at: int) -> bool:
        above = self.lines[at - 1].rstrip() if at else ""
        return len(above) >= WRAPPED_MIN and above[-1] not in ".!?:;"

    def _orders(self, text: str, *, wrapped: bool) -> bool:
        sentences = SENTENCE.split(text)
        clauses = CLAUSE.split(sentences[0])
        if REMARK.search(text) and len(sentences) == 1:
            return False
        whole = not _is_doubtful(text) and self._is_order(text)  # `Kiel: Denmark`
        if whole and not (wrapped and len(clauses) > 1):
            return True
        if wrapped:  # A continuation of the line above is an order only if it is nothing else.
            return any(map(self._sentence_orders, sentences[1:]))
        parsed = len(text) <= LINE_MAX and self._parsed(text)
        return parsed or any(map(self._sentence_orders, sentences))

    def _sentence_orders(self, sentence: str) -> bool:
        if _is_doubtful(sentence):
            return self._is_conditional(sentence)
        talks = False
        for clause in (sentence, *CLAUSE.split(sentence)):
            if not talks and self._is_order(clause):
                return True
            talks = talks or not words_of(clause).isdisjoint(TALK_WORDS)
        return False

    def _is_conditional(self, sentence: str) -> bool:
        """Return whether *sentence* is like `IF A Par-Bur THEN A Mun H`, without talk."""
        words = words_of(sentence)
        return (
            words.isdisjoint(TALK_WORDS) and bool(words & CONDITIONS) and self._names_own(sentence)
        )

    def _names_own(self, sentence: str) -> bool:
        return any(map(self._is_own, terms_of(tokenize(sentence)[:TERMS_MAX], self.names)))

    def _is_order(self, clause: str) -> bool:
        """Return whether *clause* begins with an own unit and its action, or the other way round.

        After a unit with its kind, as in `A Mun-Bur as you like`, talk does not void the order.
        """
        words = words_of(clause)
        terms = self._terms(clause)
        if not terms or not words.isdisjoint(MOODS):
            return False
        first, rest = terms[0], terms[1:]
        glued = None if first.places else self._with_letter_kind(first)
        with_kind = [glued, *rest] if glued else rest if first.key in vocabulary.KINDS else []
        begin = WORD.search(clause)
        if begin and begin[0].casefold() not in TALK_WORDS and self._begins(with_kind, kind=True):
            return True
        if not words.isdisjoint(TALK_WORDS):
            return False
        return self._begins(terms, kind=False) if first.places else self._verb_first(first, rest)

    def _terms(self, clause: str) -> list[Term]:
        terms = list(terms_of(tokenize(clause)[:TERMS_MAX], self.names))
        at = 0
        while at < len(terms) and self._leads(terms[at]):
            at += 1
        return terms[at:]

    def _leads(self, term: Term) -> bool:
        own = self.names.powers.get(term.key) == self.writer.power
        return not term.places and (term.key in LEADS or term.key.isdigit() or own)

    def _with_letter_kind(self, term: Term) -> Term | None:
        """Read `AMun` and `FKie`, whose kind letter has no space after it."""
        places = self.names.meaning(term.key[1:]) if term.key[:1] in {"a", "f"} else ()
        return Term(term.text, term.key, term.column, places) if places else None

    def _begins(self, terms: Sequence[Term], *, kind: bool) -> bool:
        terms = [term for i, term in enumerate(terms) if i or term.places or term.key not in "(["]
        if not terms or not self._is_own(terms[0]):
            return False
        rest = self._after_coast(terms[1:])
        if not rest:
            return kind and self.writer.kind is PhaseKind.ADJUSTMENTS
        first, *behind = rest
        if first.key == ":" and behind:  # `Kiel: build fleet`
            first, behind = behind[0], behind[1:]
        if first.key in ACTIONS or (kind and first.key in LETTERS):
            return True
        if first.key in TOWARD and not first.places:
            return kind or any(term.places for term in behind[:2])
        if first.places or self._may_be_place(first):
            return kind or not behind
        return False

    def _may_be_place(self, term: Term) -> bool:
        return len(term.key) >= NAME_MIN and bool(self.names.nearest(term.key)[1])

    def _after_coast(self, terms: Sequence[Term]) -> Sequence[Term]:
        at = 0
        while at < len(terms) and terms[at].key in {"(", ")", "]", "/", *vocabulary.COASTS}:
            if terms[at].key in LETTERS and (not at or terms[at - 1].key not in "(/"):
                break
            at += 1
        if at and terms[at - 1].key == "/":
            at -= 1
        return terms[at:]

    def _verb_first(self, verb: Term, rest: Sequence[Term]) -> bool:
        """Read `Move Munich to Burgundy`, `Build F Kie`."""
        behind = [term for term in rest if term.key not in vocabulary.KINDS or term.places]
        places = [term for term in behind if term.places]
        if verb.key in BUILDS and len(verb.key) > 1:
            return bool(places) and self._is_own(places[0], builds=True)
        if verb.key not in DOING or len(verb.key) == 1 or not places:
            return False
        return behind[0] is places[0] and self._is_own(places[0])

    def _is_own(self, term: Term, *, builds: bool = False) -> bool:
        builds = builds or self.writer.kind is PhaseKind.ADJUSTMENTS
        own = {*self.writer.provinces, *(self.writer.centers if builds else ())}
        return not own.isdisjoint(term.places)

    def _parsed(self, text: str) -> bool:
        """Return whether *text* is read as an order of an own unit by the parser of orders."""
        kinds = dict.fromkeys((PhaseKind.MOVEMENT, self.writer.kind))
        return any(
            self._is_own_reading(reading, text)
            for kind in kinds
            for reading in parse(text, self.board, kind)
        )

    def _is_own_reading(self, reading: Reading, text: str) -> bool:
        before = SENTENCE.split(text[: reading.column - 1])[-1]
        if not words_of(f"{before} {reading.text}").isdisjoint(TALK_WORDS) or _is_doubtful(
            reading.text
        ):
            return False
        match reading:
            case Understood(order=order, power=power):
                return power == self.writer.power or self._is_of_own(order)
            case Unclear(orders=orders):
                return any(self._is_of_own(each) for each in orders)
            case NotUnderstood(nearest=order):
                return order is not None and self._is_of_own(order)
            case Prose(hold=hold):
                return hold

    def _is_of_own(self, order: Order) -> bool:
        if isinstance(order, Waive):
            return True
        return order.unit.province in {*self.writer.provinces, *self.writer.centers}

    def _is_statement(self, sentence: str) -> bool:
        if _is_doubtful(sentence):
            return False
        for clause in CLAUSE.split(sentence):
            terms = terms_of(tokenize(clause)[:TERMS_MAX], self.names)
            places = [term for term in terms if term.places]
            own = any(self._is_own(term) for term in places)
            does = any(term.key in ACTIONS and len(term.key) > 1 for term in terms)
            if own and (does or len(places) > 1):
                return True
        return False


def _plain(line: str) -> str:
    plain = normalize("NFKC", line).translate(SMALL)
    return plain.strip(" |").replace("|", " - ") if "|" in plain else plain


def words_of(text: str) -> set[str]:
    """Return the words of *text* in lower case."""
    return {found[0].casefold().replace("\u2019", "'") for found in WORD.finditer(text)}


def _is_doubtful(sentence: str) -> bool:
    if REMARK.search(sentence):
        return True
    return "?" in sentence or not words_of(sentence).isdisjoint(DOUBT_WORDS)
