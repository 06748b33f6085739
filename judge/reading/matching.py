"""Match the words of a text: names, phrases of a language, short words of notation and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from judge.notation.terms import POWER_WORDS_MAX, closest_matches
from judge.reading.coasts import coast_at
from judge.reading.policy import Given
from judge.reading.words import ELIDED, STRICT, Phrases, Words, languages_of, together, words_of
from judge.reading.world import World, exonyms_of, lone_parts_of, parts_of, stem
from judge.rules.types import PhaseKind, Power, Province

TOKENS_MAX = 1500
ORDER = "order"  # the role of a given order
MISSPELT_LETTERS_MIN, MISSPELT_MAX = 4, 24
BEGINNINGS_MAX = 80  # words of a text compared with the beginnings of all names
LIKENESS_MIN = 0.74
SAME_LETTERS = 0.8
LIKENESS_OF_TWO_MIN = 0.66  # of the second of two names that are a sentence
WRAPPED_COLUMNS_MIN, WRAPPED_COLUMNS_MAX = 50, 100  # of the lines of mail programs that wrap
STEM_LETTERS_MIN = 4
GENITIVE_LETTERS_MIN = 6
BEGUN_LETTERS_MIN = 3
ADJECTIVE_ENDINGS = ("r", "n", "m")  # `mit griechischer Hilfe`
VERB_LETTERS_MIN, VERB_LIKENESS_MIN = 5, 0.8
ITEM_DIGITS_MAX = 2  # of the number of a list item
CAPITALS_MIN = 3  # letters of a name in the middle of a sentence
PLACES_MAX = 2  # that part of a name may mean
COMPOUND_LETTERS_MIN = 3
GLUED = {"a": "army", "f": "fleet"}
GLUED_LETTERS_MIN = 4  # `FAnk`
TOKEN = re.compile(
    r"(?P<elided>\b(?:jusqu|qu|[ldjnscmt])['\u2019](?=[^\W\d_]))"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W_]+)*)"
    r"|(?P<dash>(?:=+[-\u2010-\u2015\u2212]*|[-\u2010-\u2015\u2212]+)?[>\u2190-\u21ff\u2794-\u27bf\u27f6]+"
    r"|[-\u2010-\u2015\u2212]+)"
    r"|(?P<line>[ \t]*\n\s*)"
    r"|(?P<mark>[^\w\s])",
    re.IGNORECASE,
)
BULLET = re.compile(
    r"[ \t>]*(?:(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]"
    r"|(?:[AF]|Army|Fleet|Armee|Flotte|Arm\u00e9e)[ (]+[A-Z])"
)
BREAKS = {
    ",": 1.0,
    "|": 1.0,
    "(": 1.0,
    ")": 1.0,
    "/": 1.0,
    ":": 1.0,
    ";": 2.0,
    "[": 1.0,
    "]": 1.0,
    "*": 1.0,
    "+": 1.0,
}
ENDS = {".": 3.0, "!": 3.0, "?": 3.0, "\u2026": 2.0}
QUOTES = frozenset('"\u201c\u201d\u201e\u00ab\u00bb')
APOSTROPHES = frozenset("'\u2018\u2019")
CLOSING = re.compile(r"[\w.!?]['\u2019](?![\w])")
NUMBERS = {
    "2": 2, "two": 2, "zwei": 2, "deux": 2, "3": 3, "three": 3, "drei": 3, "trois": 3,
    "1": 1, "one": 1, "4": 4, "four": 4, "vier": 4, "quatre": 4,
}  # fmt: skip  # fmt: skip
PREPOSITIONS = frozenset({"to", "at", "on", "for", "in", "from", "with", "by", "of", "via"})
NOES = frozenset({"no", "nein", "non", "nope"})
CARRIES = frozenset({"f", "ff", "t", "con"})
UNITS = frozenset({"all", "rest", "units"})
SHORT_COASTS = frozenset({"nc", "sc", "ec", "wc"})
GREETINGS = frozenset(
    {
        *("dear", "hi", "hello", "hey", "thanks", "liebes", "lieber", "liebe", "hallo", "moin"),
        *("cher", "ch\u00e8re", "salut", "bonjour", "coucou"),
    }
)
OWNER_SIGNS = {"[": "]", "(": ")", "*": "*"}
WITH_KIND = {"sa": ("support", "army"), "sf": ("support", "fleet"), "ca": ("convoy", "army")}
STRICT_VERBS = frozenset({"hold", "support", "convoy", "retreat", "disband", "build", "move"})
VERBS = STRICT_VERBS | {"waive", "follow", "same"}
OWNED_BY = frozenset({"von", "vom", "of", "by", "from", "de", "d'", "du", "des", "der", "aus"})
ABBREVIATIONS = frozenset({"st", "a", "f", "fl", "arm", "flt", "bzw", "ste", "mt"})
LEADING = frozenset({"to", "nach"})  # to a place: then no part of a phrase
GOING_ON = PREPOSITIONS | VERBS | {"and", "supported_by", "convoyed_by"}
ABBREVIATED_MAX = 5  # letters of a shortened word
FUNCTION_ROLES = PREPOSITIONS | {"det", "except", "fill", "by", "be", "and", "past", "so"}
SENTENCE, PARAGRAPH = 3.0, 4.0  # strengths of breaks
DICTATED = {"stop": SENTENCE, "pause": BREAKS[","]}  # `period`, `comma` in dictated text
KEPT_WHOLE = frozenset(
    {"it's", "let's", "that's", "there's", "he's", "she's", "who's", "here's", "what's"}
)


@dataclass(slots=True)
class Token:
    """A word or sign at *start* to *end* of the text."""

    text: str
    key: str
    start: int
    end: int
    sort: str
    possessive: bool = False


@dataclass(slots=True)
class Word:
    """A matched word or name: its *role* and tokens; *places* of a name."""

    role: str
    first: int
    last: int
    strict: bool = False
    places: tuple[Province, ...] = ()
    owner: Power | None = None
    guessed: bool = False
    strength: float = 0.0


@dataclass(slots=True)
class Matcher:
    """Matches the words of one *text* on the board of *world*."""

    text: str
    world: World
    hints: frozenset[str] = frozenset()
    given: Sequence[Given] = ()
    tokens: list[Token] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    guesses: int = 0
    beginnings: int = 0
    quoting: bool = False
    items: set[str] = field(default_factory=set)  # letters before a bracket that closes
    spoken: Words = field(init=False)
    short: Phrases = field(default_factory=lambda: words_of(STRICT).phrases)

    def run(self) -> None:
        """Fill *tokens* and *words*."""
        self._tokenize()
        self.keys = [token.key for token in self.tokens]
        self.items = {key for key, sign in pairwise(self.keys) if sign == ")" and len(key) == 1}
        means = self.world.names.meaning
        words = {token.key for token in self.tokens if token.sort == "word" and len(token.key) > 1}
        names = set(filter(means, words))
        self.spoken = together(languages_of(words - names, names, self.hints))
        self._match()

    def _tokenize(self) -> None:
        lines = self.text.split("\n")
        widest = max((len(line) for line in lines), default=0)
        start = 0
        for number, each in enumerate(self.given):
            self._tokenize_part(start, each.start, widest)
            text = self.text[each.start : each.end]
            self.tokens.append(Token(text, str(number), each.start, each.end, ORDER))
            start = each.end
        self._tokenize_part(start, len(self.text), widest)

    def _tokenize_part(self, start: int, end: int, widest: int) -> None:
        for found in TOKEN.finditer(self.text, start, end):
            sort = found.lastgroup or "mark"
            text = found[0]
            key = text.casefold().replace("\u2019", "'")
            possessive = False
            if sort == "word" and key.endswith("'s") and key not in KEPT_WHOLE:
                key, possessive = key[:-2], True
            elif sort == "line":
                if text.count("\n") == 1 and self._is_wrapped(found.start(), found.end(), widest):
                    continue
                key = "\n\n" if text.count("\n") > 1 else "\n"
            elif sort == "elided":
                sort = "word"
            if len(self.tokens) >= TOKENS_MAX:
                break
            self.tokens.append(Token(text, key, found.start(), found.end(), sort, possessive))

    def _is_wrapped(self, start: int, end: int, widest: int) -> bool:
        """Return whether the next word had no room in the line that ends at *start*."""
        begin = self.text.rfind("\n", 0, start) + 1
        line = start - begin
        if (
            not WRAPPED_COLUMNS_MIN <= line <= WRAPPED_COLUMNS_MAX
            or self.text[start - 1] in ".!?:;"
        ):
            return False
        if BULLET.match(self.text, end) and BULLET.match(self.text, begin):
            return False
        word = re.match(r"\S+", self.text[end:])
        return word is not None and line + 1 + len(word[0]) > widest - 2

    def _match(self) -> None:
        """Match names, phrases and single words, the longest first."""
        at = 0
        while at < len(self.tokens):
            at += self._match_one(at)

    def _match_one(self, at: int) -> int:
        """Match the word or sign *at* an index, and return how many tokens it takes."""
        token = self.tokens[at]
        match token.sort:
            case "line":
                strength = PARAGRAPH if token.key == "\n\n" else SENTENCE
                self.words.append(Word("break", at, at, strength=strength))
                return 1
            case "dash":
                lists = _starts_sentence(self.words) or self.words[-1].role in VERBS
                lists = lists or self.keys[at - 1] == ":"
                if self.world.kind is PhaseKind.ADJUSTMENTS and lists:  # `Disbands - F Bre`
                    self.words.append(Word("break", at, at, strength=BREAKS[","]))
                elif self._is_pause(at):
                    self.words.append(Word("break", at, at, strength=BREAKS[";"]))
                elif not _starts_sentence(self.words) or self.keys[at - 1] == ")":  # no bullet
                    self.words.append(Word("dash", at, at))
                return 1
            case "order":
                return self._add(Word(ORDER, at, at))
            case "mark":
                return self._owner_at(at) or self._bracketed(at) or self._mark(at)
            case _:
                return self._match_word(at)

    def _is_pause(self, at: int) -> bool:
        """Return whether a dash ends a clause: `Paris goes to Burgundy - Marseilles supports`."""
        token, words = self.tokens[at], self.words
        apart = self.text[token.start - 1 : token.end + 1] == f" {token.text} "
        if not apart or not words or ">" in token.text:
            return False
        if not NOES.isdisjoint(self.keys[at + 1 : at + 2]) and self.keys[at + 2 : at + 3] == [","]:
            return True  # `Bud S Ser - no, Bud - Gal`
        if words[-1].role == "name":
            before = [each for each in words[-3:-1] if each.role != "det"]
            return bool(before) and before[-1].role == "to"
        return words[-1].role == "hold" and not words[-1].strict

    def _match_word(self, at: int) -> int:  # noqa: PLR0911 - one return a kind of word
        for match in (self._carrier_at, self._owner_at, self._coast_before, self._glued_verb):
            if size := match(at):
                return size
        name, places = self._name_at(at)
        if name and self._has_kind_behind(at + name):  # `Par A`
            kind = "army" if self.tokens[at + name].text == "A" else "fleet"
            self.words.append(Word(kind, at, at + name, strict=True))
            return self._add(Word("name", at, at + name, places=places))
        phrase, role = self._phrase_at(at)
        power_size, power = self._power_at(at)
        if power and power_size == name and not self._is_own(places) and not phrase:
            exonym = exonyms_of(self.world.board).places
            name = 0 if self.keys[at] in exonym else name
        if power and (power_size > max(name, phrase) or self._is_owner(at + power_size)):
            return self._add(Word("power", at, at + power_size - 1, owner=power))
        if name and (name > phrase or self._is_name(at, name, role)):
            return self._add(Word("name", at, at + name - 1, places=places))
        if power and power_size > name and power_size >= phrase:
            return self._add(Word("power", at, at + power_size - 1, owner=power))
        size, short = _phrase_at(self.short, self.keys, at)
        if size >= phrase and short and self._is_strict(at, size, short):
            return self._add(Word(short, at, at + size - 1, strict=True))
        return self._match_phrase(at, phrase, role)

    def _match_phrase(self, at: int, phrase: int, role: str) -> int:
        """Match a phrase of a language, or what is none."""
        if role in DICTATED:
            return self._add(Word("break", at, at + phrase - 1, strength=DICTATED[role]))
        kind = self.words[-1].role if self.words and self.words[-1].strict else ""
        follows = phrase and kind in GLUED.values() and self._acts(at + 1)
        if follows and (begun := self._begun(self.keys[at], kind)):  # `A Wie - Gal`
            return self._add(Word("name", at, at, places=begun))
        if phrase:
            return self._add(Word(role, at, at + phrase - 1))
        return self._match_rare(at)

    def _has_kind_behind(self, at: int) -> bool:
        """Return whether only the letter of a kind is behind the name of a home."""
        builds = self.world.kind is PhaseKind.ADJUSTMENTS
        letter = at < len(self.tokens) and self.tokens[at].text in {"A", "F"}
        kinds = self.words and self.words[-1].role in GLUED.values()
        return builds and letter and not kinds and self._ends(at + 1)

    def _is_owner(self, at: int) -> bool:
        """Return whether a unit of a power stands *at* an index: `S ENGLISH F Nth`."""
        unit = at + 1 < len(self.keys) and self.tokens[at].text in {"A", "F"}
        return unit and bool(self._name_at(at + 1)[0])

    def _is_own(self, places: tuple[Province, ...]) -> bool:
        return any(place in self.world.own for place in places)

    def _add(self, word: Word) -> int:
        self.words.append(word)
        return word.last - word.first + 1

    def _match_rare(self, at: int) -> int:  # noqa: PLR0911 - one return a kind of word
        """Match an adjective of a place, part of a name, a number, a compound or a misspelling."""
        key, names = self.keys[at], self.world.names
        named = self.spoken.places.get(key) or (
            self.spoken.places.get(key[:-1]) if key.endswith(ADJECTIVE_ENDINGS) else None
        )
        if named and (places := names.find(named)):
            return self._add(Word("adjective", at, at, places=places))
        size, places = self._parts_at(at)
        if places and not self._is_greeted(at):
            return self._add(Word("name", at, at + size - 1, places=places))
        if (
            key.isdecimal()
            and self.keys[at + 1 : at + 2] in ([")"], ["."])
            and self._begins_item(at)
        ):
            begins = not self.words or self.words[-1].strength >= SENTENCE
            strength = SENTENCE if begins else BREAKS[";"]
            self.words.append(Word("break", at, at, strength=strength))
            return 2
        if key in NUMBERS:
            return self._add(Word("number", at, at))
        stem_ = key.removesuffix("er")  # `Londoner`
        if stem_ != key and len(stem_) >= STEM_LETTERS_MIN and (places := names.meaning(stem_)):
            return self._add(Word("adjective", at, at, places=places))
        of_place = key.removesuffix("s")  # `Münchens Angriff`
        genitive = of_place != key and len(of_place) >= GENITIVE_LETTERS_MIN
        if genitive and (places := names.meaning(of_place)):
            return self._add(Word("name", at, at, places=places))
        if split := self._compound(key):
            self.words.append(Word("adjective", at, at, places=split[0]))
            return self._add(Word(split[1], at, at))
        if glued := self._glued(key):
            self.words.append(Word(glued[0], at, at, strict=True))
            return self._add(Word("name", at, at, places=glued[1]))
        if role := self.spoken.inflected(key):
            return self._add(Word(role, at, at))
        self._unknown(at)
        return 1

    def _is_greeted(self, at: int) -> bool:
        """Return whether somebody is addressed *at* an index: `Dear Peter`, and not Petersburg."""
        if at == 0:
            return self.keys[1:2] == [","] or self.tokens[1:2] == [] or self._is_sign(1)
        before = self.words[-1] if self.words else None
        greets = before is not None and self.keys[before.last] in GREETINGS
        return greets and self.tokens[at].text[0].isupper()

    def _is_sign(self, at: int) -> bool:
        return self.tokens[at].sort in {"dash", "line"}

    def _phrase_at(self, at: int) -> tuple[int, str]:
        """Return the longest phrase *at* an index, without a preposition that a name follows."""
        size, role = _phrase_at(self.spoken.phrases, self.keys, at)
        after = at + size
        if (
            role == "it"
            and size > 1
            and self.keys[after : after + 1]
            and self.keys[after] in OWNED_BY
        ):
            return _phrase_at(
                self.spoken.phrases, self.keys[: at + 1], at
            )  # `the attack of Paris`
        if role == "disband" and self.keys[after - 1] == "go" and self._goes_on(after):
            return _phrase_at(self.spoken.phrases, self.keys[: after - 1], at)
        if (
            size > 1
            and role != "to"
            and self.keys[after - 1] in LEADING
            and after < len(self.keys)
            and (role == "fill" or self.keys[after - 1] == "nach")
            and self._name_at(after)[0]
        ):  # `rückt nach Kiel`, `is going to Kiel`
            return _phrase_at(self.spoken.phrases, self.keys[: at + 1], at)
        return size, role

    def _goes_on(self, at: int) -> bool:
        """Return whether a place to go to follows: `must go back to Gascony`."""
        return any(
            at + ahead < len(self.keys)
            and _phrase_at(self.spoken.phrases, self.keys, at + ahead)[1] == "to"
            for ahead in (0, 1)
        )

    def _bracketed(self, at: int) -> int:
        """Match a short word in brackets behind a name: `A War (S) A Ukr-Gal`."""
        if self.keys[at : at + 3 : 2] != ["(", ")"]:
            return 0
        role = _phrase_at(self.short, self.keys, at + 1)[1]
        kind = role in GLUED.values() and self._acts(at + 3)  # `Kiel (F) - Denmark`
        if not (kind or role in VERBS) or not self.words or self.words[-1].role != "name":
            return 0
        if role in {"support", "convoy"} and (
            at + 3 >= len(self.keys) or self.tokens[at + 3].sort != "word"
        ):
            return 0  # `Spa(s)` is a coast
        if self.world.board.coasts_of(self.words[-1].places[0]) and self.keys[at + 1] == "s":
            behind = _phrase_at(self.short, self.keys, at + 3)[1]
            if behind not in {"army", "fleet"}:
                return 0
        return self._add(Word(role, at, at + 2, strict=True))

    def _mark(self, at: int) -> int:
        """Match a sign, and return how many tokens it takes."""
        key, before = self.tokens[at].key, self.tokens[at - 1] if at else None
        if key in ENDS:
            strength = ENDS[key]
            if key == "!" and self._phrase_at(at + 1)[1] == "if":  # `now! unless you object`
                strength = BREAKS[","]
            if (
                key == "."
                and before
                and before.end == self.tokens[at].start
                and self._abbreviates(at)
            ):
                return 1
            if self.words and self.words[-1].role in {"break", "question"}:
                if key == "?":  # asks about what another mark ends: `A Par-Bur!?`
                    self.words[-1].strength = min(self.words[-1].strength, BREAKS[","])
                    self.words.append(Word("question", at, at, strength=strength))
                else:
                    self.words[-1].strength = max(self.words[-1].strength, strength)
                return 1
            self.words.append(
                Word("question" if key == "?" else "break", at, at, strength=strength)
            )
        elif key == "/" and before and before.key == "w":  # `w/ Ruhr supporting`
            return 1
        elif key == "&" or (key == "+" and self.world.kind is not PhaseKind.ADJUSTMENTS):
            return self._add(Word("and", at, at))
        elif key in BREAKS:
            apart = (
                key == "/"
                and self.text[self.tokens[at].start - 1 : self.tokens[at].end + 1] == " / "
            )
            self.words.append(Word("break", at, at, strength=3.0 if apart else BREAKS[key]))
        elif key in QUOTES or (key in APOSTROPHES and self._quotes(at)):
            self.words.append(Word("quote", at, at))
        return 1

    def _quotes(self, at: int) -> bool:
        """Return whether an apostrophe *at* an index begins or ends a quotation in its line."""
        token = self.tokens[at]
        if self.quoting:
            self.quoting = False
            return True
        if token.start and self.text[token.start - 1].isalnum():
            return False
        line = self.text[token.end :].partition("\n")[0]
        self.quoting = bool(CLOSING.search(line))
        return self.quoting

    def _abbreviates(self, at: int) -> bool:  # noqa: PLR0911 - one return a rule
        """Return whether the full stop *at* belongs to a shortened word: `St. Petersburg`."""
        before = self.tokens[at - 1]
        if at + 1 >= len(self.tokens) or before.sort != "word":
            return False
        after = self.tokens[at + 1]
        if after.sort == "line" and len(before.key) > 1:
            return False
        if after.start == self.tokens[at].end and after.sort == "word":
            return True
        helps = _phrase_at(self.short, self.keys, at - 1)[1] in {"support", "convoy", "retreat"}
        if helps or before.key in ABBREVIATIONS or after.sort == "dash":
            return after.sort in {"word", "dash"}
        if after.sort != "word" or not after.text[0].islower():
            return False
        if len(before.key) > ABBREVIATED_MAX or before.key in self.spoken.known:
            return False  # `greece. smyrna chills`
        role = self._phrase_at(at + 1)[1] or _phrase_at(self.short, self.keys, at + 1)[1]
        return role in GOING_ON  # `Mun. to Bur.`

    def _name_at(self, at: int) -> tuple[int, tuple[Province, ...]]:
        """Return the length in tokens and the meaning of the longest name *at* a token."""
        names, others = self.world.names, exonyms_of(self.world.board)
        key = self.keys[at]
        most = max(names.words_behind.get(key, 0), others.words_behind.get(key, 0))
        if not most:
            return 0, ()
        run: list[str] = []
        ends: list[int] = []
        for index in range(at, min(len(self.keys), at + 2 * most + 2)):
            token = self.tokens[index]
            if run and (token.key == "." or token.key in ELIDED):
                continue
            if token.sort not in {"word", "dash"}:
                break
            run.append("-" if token.sort == "dash" and token.key != "->" else token.key)
            ends.append(index)
            if len(run) >= most:
                break
        count, places = names.longest(run)
        for length in range(len(run), count, -1):
            if named := others.places.get(" ".join(run[:length])):
                count, places = length, named
                break
        return (ends[count - 1] - at + 1, places) if count else (0, ())

    def _is_name(self, at: int, length: int, role: str) -> bool:  # noqa: C901, PLR0911, PLR0912 - one return a rule
        """Return whether a name that is also a word of orders stands for a place here."""
        if not role:
            return True
        before = self.words[-1] if self.words else None
        after = self.tokens[at + length] if at + length < len(self.tokens) else None
        if before and (before.role == "dash" or (before.strict and before.role != "hold")):
            return True
        if (
            before
            and before.role == "support"
            and role not in {"det", "it"}
            and self._is_verb(at + length)
        ):
            return True  # `mos support war move gal`
        bracketed = len(self.words) > 1 and at > 0 and self.keys[at - 1] == "("
        if bracketed and self.words[-2].strict and self.words[-2].role in GLUED.values():
            return True  # `A(Par)`
        if (
            role in FUNCTION_ROLES
            and after
            and after.sort == "word"
            and (behind := self._name_at(at + length)[0] or self._is_unknown(at + length))
        ):
            # `par bur` orders Paris; `Armee aus Paris` no unit in Austria, on a board with `aus`.
            return self._is_own_order(at, at + length + behind)
        if before and before.role in {"army", "fleet"}:
            return True
        if self._is_own_order(at, at + length + 1) and self._is_verb(at + length):
            return True  # `dan hold`
        if self._goes_to(at, length):
            return True  # `war to gal`
        if after and (after.sort == "dash" or (after.key == "(" and self._has_coasts(at))):
            return True
        ends = (
            after is None
            or after.sort == "line"
            or (after.sort == "mark" and after.key in {",", ";", ".", "|"})
        )
        places = before and before.role in {"dash", "break", "to"}
        places = places or (before and before.role == "name" and role != "fill")
        if role in FUNCTION_ROLES and places and ends:
            return True
        begins = before is None or before.role in {"break", "and"}
        if role == "det" and begins and after and after.sort == "word":
            return self._is_verb(at + length)
        text = self.tokens[at].text
        return length > 1 or (
            text[0].isupper()
            and not _starts_sentence(self.words)
            and len(text) > CAPITALS_MIN
            and role in {"fill", "past", "doubt"}
        )

    def _has_coasts(self, at: int) -> bool:
        return any(map(self.world.board.coasts_of, self._name_at(at)[1]))  # `Stp(SK)`

    def _goes_to(self, at: int, length: int) -> bool:
        """Return whether a sentence begins with the place of an own unit that goes somewhere."""
        to = at + length
        begins = _starts_sentence(self.words) or self.words[-1].role in {"name", "hold"}
        own = begins and self._is_own(self._name_at(at)[1])
        goes = own and to + 1 < len(self.keys) and self._name_at(to + 1)[0] > 0
        return goes and (self._phrase_at(to) == (1, "to") or self._acts(to))

    def _is_own_order(self, at: int, end: int) -> bool:
        """Return whether a sentence is two names, from *at* to *end*, of which one has a unit."""
        begins = self._ends(end) and _starts_sentence(self.words)
        return begins and self._is_own(self._name_at(at)[1])

    def _ends(self, at: int) -> bool:
        return at >= len(self.keys) or self.keys[at] in {",", ";", ".", "/", "\n", "\n\n"}

    def _is_unknown(self, at: int) -> bool:
        return not self._phrase_at(at)[0] and not self._power_at(at)[0]

    def _begins_item(self, at: int) -> bool:
        if len(self.keys[at]) > ITEM_DIGITS_MAX:
            return False  # `the spring of 1902.`
        return _starts_sentence(self.words) or self.text[self.tokens[at].start - 1] == " "

    def _is_verb(self, at: int) -> bool:
        role = _phrase_at(self.spoken.phrases, self.keys, at)[1]
        return role in VERBS

    def _power_at(self, at: int) -> tuple[int, Power | None]:
        names = self.world.names
        count = (
            names.longest_power(self.keys[at : at + POWER_WORDS_MAX])
            if self.keys[at] in names.power_words_behind
            else 0
        )
        if count:
            return count, names.powers[" ".join(self.keys[at : at + count])]
        if power := names.powers.get(self.keys[at]):
            return 1, power
        short = names.shortened_powers.get(self.keys[at])
        size = 2 if self.keys[at + 1 : at + 2] == ["."] else 1
        return (size, short) if short and self._is_owner(at + size) else (0, None)

    def _is_strict(self, at: int, size: int, role: str) -> bool:  # noqa: C901, PLR0911 - one return a kind of word
        """Return whether a short word of notation is one here: `A Par H`, not `a fleet`."""
        before = self.words[-1] if self.words else None
        after = at + size
        follows = after < len(self.keys) and self._name_at(after)[0] > 0
        if role in {"army", "fleet"}:
            begun = after < len(self.keys) and self.tokens[after].sort == "word"
            if begun and len(self.keys[after]) >= BEGUN_LETTERS_MIN and self._acts(after + 1):
                follows = follows or bool(self._begun(self.keys[after], role))  # `A Bou-Mun`
            if before and before.role == "name" and self._acts(after):
                return self.tokens[at].text.isupper()  # `Mun A S Ber`
            if (
                after < len(self.keys)
                and self.keys[after] in {"(", ":"}
                and len(self.keys) > after + 1
            ):
                return self._name_at(after + 1)[0] > 0
            if not follows and after < len(self.keys) and self.tokens[after].sort == "word":
                return (
                    self.tokens[at].text.isupper()
                    and self.tokens[after].text[0].isupper()
                    and self.keys[after] not in self.world.names.powers
                    and (self.keys[at] != "a" or self._is_misspelt(after))
                )
            return follows
        behind_name = before is not None and before.role in {"name", "army", "fleet"}
        behind_name = behind_name or self._is_behind_coast(at)
        if role == "hold" and before is not None and before.role == "dash":  # `A Ven - H`
            behind_name = self.words[-2].role == "name"
        if (
            before is not None
            and before.role == "break"
            and before.strength <= 1
            and len(self.words) > 1
        ):
            behind_name = behind_name or self.words[-2].role == "name"
        if role == "hold":
            ends = (
                after >= len(self.keys)
                or self.tokens[after].sort in {"line", "mark"}
                or self.tokens[after].text in {"A", "F"}
            )
            named = behind_name or (before is not None and before.role in UNITS)  # `rest H`
            return named and (self.keys[at] != "t" or ends)
        if role in {"support", "convoy", "move"}:
            ends = after >= len(self.keys) or self.tokens[after].sort == "line"
            lone = role == "support" and len(self.words) > 1 and self.words[-2].strict  # `A Par S`
            return behind_name and (not ends or lone)
        if role in {"build", "disband", "retreat"}:
            retreats = before is not None and before.role == "retreat"  # `A Mun R OTB`
            return behind_name or retreats or _starts_sentence(self.words)
        return role == "waive" and self._is_alone(at) and self.world.kind is PhaseKind.ADJUSTMENTS

    def _is_alone(self, at: int) -> bool:
        behind = at + 2 if self.keys[at + 1 : at + 2] == ["."] else at + 1  # but `W. Wittkop`
        return _starts_sentence(self.words) and self._ends(behind)

    def _carrier_at(self, at: int) -> int:
        return self._add(Word("convoy", at, at, strict=True)) if self._carries(at) else 0

    def _carries(self, at: int) -> bool:
        """Return whether a letter of another judge convoys: `F Nth f A Lon-Bel`."""
        words, behind = self.words[-2:], self.tokens[at + 1 : at + 2]
        fleet = len(words) > 1 and words[0].role == "fleet" and words[1].role == "name"
        if self.keys[at] not in CARRIES or not (fleet and words[0].strict and behind):
            return False
        if behind[0].text == "A":
            return self._name_at(at + 2)[0] > 0
        named = at + 1 + self._name_at(at + 1)[0]
        goes = named < len(self.keys) and self.tokens[named].sort == "dash"
        return self.keys[at] == "con" and named > at + 1 and goes  # and not Constantinople

    def _owner_at(self, at: int) -> int:
        """Match whose a unit is, in signs: `[GERMANY] A Mun`, `(I) A Tri`, `G) A Hol`."""
        opened = self.keys[at] in OWNER_SIGNS
        first = at + opened
        if first + 1 >= len(self.keys):
            return 0
        size, power = self._power_at(first)
        if power is None and not self._is_no_owner(first):
            size, power = 1, self.world.names.letters.get(self.keys[first])
        close = first + size
        closing = OWNER_SIGNS.get(self.keys[at], ")")
        if power is None or self.keys[close : close + 1] != [closing]:
            return 0
        return self._add(Word("power", at, close, owner=power)) if self._is_owner(close + 1) else 0

    def _is_no_owner(self, at: int) -> bool:
        """Return whether a letter in signs names no power: `(a) A Bel H`, `A War (S) A Ukr-Gal`.

        It numbers an item also where others do that are of no power: `A) A Par H`, `B) A Mar H`.
        """
        letters = self.world.names.letters
        verb = _phrase_at(self.short, self.keys, at)[1] in VERBS
        helps = verb and bool(self.words) and self.words[-1].role == "name"
        return helps or not self.tokens[at].text.isupper() or not self.items <= letters.keys()

    def _coast_before(self, at: int) -> int:
        """Match the short name of a coast before its place: `to NC Spain`."""
        goes = bool(self.words) and self.words[-1].role in {"dash", "to"}
        if not goes or self.keys[at] not in SHORT_COASTS or at + 1 == len(self.keys):
            return 0
        if self._name_at(at)[0]:
            return 0
        places = self._name_at(at + 1)[1]
        coasts = any(map(self.world.board.coasts_of, places))
        return self._add(Word(self.keys[at], at, at)) if coasts else 0

    def _glued_verb(self, at: int) -> int:
        """Match a verb with the kind of the unit helped: `A Ber SA Mun-Sil`."""
        behind = at + 2 if self.keys[at + 1 : at + 2] == ["("] else at + 1
        named = behind < len(self.keys) and self._name_at(behind)[0] > 0
        glued = WITH_KIND.get(self.keys[at]) if self.words and named else None
        if not glued or not self.tokens[at].text.isupper() or self._name_at(at)[0]:
            return 0
        self.words += [Word(role, at, at, strict=True) for role in glued]
        return 1

    def _is_behind_coast(self, at: int) -> bool:
        """Return whether only a coast is between a name and the token *at* an index."""
        named = next((word for word in reversed(self.words[-4:]) if word.role == "name"), None)
        if named is None or not any(map(self.world.board.coasts_of, named.places)):
            return False
        found = coast_at(self.text, self.tokens[named.last].end)
        return found is not None and not self.text[found[1] : self.tokens[at].start].strip()

    def _is_misspelt(self, at: int) -> bool:
        """Return whether the word *at* an index is like the name of a place: `A Marseiles`."""
        if len(self.keys[at]) < MISSPELT_LETTERS_MIN + 2 or self.guesses >= MISSPELT_MAX:
            return False
        self.guesses += 1
        found = closest_matches(self.keys[at], self.world.names.written)
        return bool(found) and found[0][0] >= VERB_LIKENESS_MIN

    def _acts(self, at: int) -> bool:
        """Return whether a dash or a short verb of notation stands *at* an index."""
        if at >= len(self.keys):
            return False
        return self.tokens[at].sort == "dash" or _phrase_at(self.short, self.keys, at)[1] in VERBS

    def _parts_at(self, at: int) -> tuple[int, tuple[Province, ...]]:
        parts, lone = parts_of(self.world.board), lone_parts_of(self.world.board)
        key = self.tokens[at].key
        codes = parts.get(key) or parts.get(stem(key))
        if not codes:
            return 0, ()
        size = 1
        while at + size < len(self.tokens) and self.tokens[at + size].sort == "word":
            key_after = self.tokens[at + size].key
            more = parts.get(key_after) or parts.get(stem(key_after), frozenset())
            if not codes & more:
                break
            codes, size = codes & more, size + 1
        alone = key in lone or stem(key) in lone
        return (
            (size, tuple(sorted(codes)))
            if (size > 1 and len(codes) <= PLACES_MAX) or (alone and len(codes) <= PLACES_MAX)
            else (0, ())
        )

    def _glued(self, key: str) -> tuple[str, tuple[Province, ...]] | None:
        """Return the kind and place in one word, where such a unit is: `FAnk`."""
        kind = GLUED.get(key[0]) if len(key) >= GLUED_LETTERS_MIN else None
        places = self.world.names.meaning(key[1:]) if kind else ()
        standing = (self.world.standing.get(place) for place in places)
        fits = any(unit and unit.kind.value == key[0].upper() for unit in standing)
        built = not self.world.sites.isdisjoint(places)
        return (kind, places) if kind and (fits or built) else None

    def _compound(self, key: str) -> tuple[tuple[Province, ...], str] | None:
        """Return the place and kind in a German compound: `Kanalflotte`."""
        for ending, role in (("flotte", "fleet"), ("armee", "army")):
            stem_ = key.removesuffix(ending)
            if stem_ != key and len(stem_) >= COMPOUND_LETTERS_MIN:
                places = self.world.names.meaning(stem_)
                lone = lone_parts_of(self.world.board)
                if not places and stem_ in lone:
                    places = tuple(sorted(parts_of(self.world.board)[stem_]))
                if places:
                    return places, role
        return None

    def _unknown(self, at: int) -> None:
        token = self.tokens[at]
        before = self.words[-1].role if self.words else "break"
        can_stand = before in {
            "dash",
            "army",
            "fleet",
            "to",
            "at",
            "in",
            "from",
            "of",
            "det",
            "on",
        } or self._before_dash(at)
        if before in {"army", "fleet"} and (place := self._begun(token.key, before)):
            self.words.append(Word("name", at, at, places=place))
            return
        if before == "dash" and (place := self._begun_in_reach(token.key)):
            self.words.append(Word("name", at, at, places=place))
            return
        named = token.text[0].isupper() and before != "break"
        can_stand = can_stand or (before == "break" and self._begins_order(at + 1))
        if before == "name" and (role := self._verb_like(token.key)):
            self.words.append(Word(role, at, at, guessed=True))
            return
        least = MISSPELT_LETTERS_MIN if can_stand else MISSPELT_LETTERS_MIN + 2
        like = LIKENESS_MIN
        if self._is_second_of_two(at):  # `mar spaa`
            can_stand, least, like = True, MISSPELT_LETTERS_MIN - 1, LIKENESS_OF_TWO_MIN
        if (can_stand or named) and len(token.key) >= least and self.guesses < MISSPELT_MAX:
            self.guesses += 1
            found = closest_matches(token.key, self.world.names.written)
            if not found or found[0][0] < LIKENESS_MIN:
                found = closest_matches(token.key, self.world.names.foreign) or found
            freely = self._before_dash(at) or before == "dash" or like < LIKENESS_MIN
            if not freely:
                found = [each for each in found if _is_alike(token.key, *each)]
            if found and found[0][0] >= like:
                places = tuple(
                    dict.fromkeys(p for _, key in found for p in self.world.names.meaning(key))
                )
                self.words.append(Word("name", at, at, places=places, guessed=True))
                return
        self.words.append(Word("word", at, at))

    def _begun(self, key: str, kind: str) -> tuple[Province, ...]:
        """Return where the one own unit of *kind* is whose place's name begins with *key*."""
        own = {place for place, unit in self.world.own.items() if unit.kind.name.lower() == kind}
        found = self._begin_with(key) & own
        return tuple(found) if len(found) == 1 else ()

    def _begun_in_reach(self, key: str) -> tuple[Province, ...]:
        """Return the one place beginning with *key* that the unit named before can reach."""
        units = [
            unit
            for word in self.words[-2:-1]
            for place in word.places
            if (unit := self.world.own.get(place))
        ]
        if len(units) != 1 or len(key) < BEGUN_LETTERS_MIN:
            return ()
        found = {p for p in self._begin_with(key) if self.world.reach(units[0], p) == 0}
        return tuple(found) if len(found) == 1 else ()

    def _begin_with(self, key: str) -> set[Province]:
        self.beginnings += 1
        if self.beginnings > BEGINNINGS_MAX:
            return set()
        return {
            place
            for names in (self.world.names.written, self.world.names.foreign)
            for name, places in names.items()
            if name.startswith(key)
            for place in places
        }

    def _is_second_of_two(self, at: int) -> bool:
        """Return whether a sentence is the name of an own unit and the word *at* an index."""
        *above, last = self.words or [Word("break", at, at)]
        named = last.role == "name" and self._is_own(last.places)
        return named and _starts_sentence(above) and self._ends(at + 1)

    def _begins_order(self, at: int) -> bool:
        """Return whether what is *at* an index stands behind a unit in an order: `to`, `holds`."""
        return self._phrase_at(at)[1] in {"to", "hold", "support"}

    def _verb_like(self, key: str) -> str:
        """Return what a misspelled verb behind a place is for: `hällt`, `suporting`."""
        if len(key) < VERB_LETTERS_MIN or self.guesses >= MISSPELT_MAX:
            return ""
        self.guesses += 1
        verbs = self.spoken.verbs
        found = closest_matches(key, verbs)
        return verbs[found[0][1]] if found and found[0][0] >= VERB_LIKENESS_MIN else ""

    def _before_dash(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].sort == "dash"


def _phrase_at(phrases: Phrases, keys: Sequence[str], at: int) -> tuple[int, str]:
    """Return the length and role of the longest phrase *at* an index."""
    for phrase, role in phrases.get(keys[at], ()) if at < len(keys) else ():
        size = len(phrase)
        if size == 1 or tuple(keys[at : at + size]) == phrase:
            return size, role
    return 0, ""


def _is_alike(word: str, likeness: float, name: str) -> bool:
    """Return whether *word* may be typed for *name*: `rhur`, but neither `work` nor `trip`."""
    short = len(word) == MISSPELT_LETTERS_MIN
    return not short or (
        len(name) >= len(word) and (word[0] == name[0] or likeness >= SAME_LETTERS)
    )


def _starts_sentence(words: Sequence[Word]) -> bool:
    return not words or (words[-1].role == "break")
