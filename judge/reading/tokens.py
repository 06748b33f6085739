"""Cut a text into words and signs, and join lines that were wrapped."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.reading.world import World
from judge.rules.types import Power, Province

TOKENS_MAX = 1500
JOINT = "\v"  # between two lines of a mail program that were joined before
ENDING = frozenset(".!?:;")
SHORT_COLUMNS = 65
WRAPPED_COLUMNS_MIN, WRAPPED_COLUMNS_MAX = 52, 90  # of the widest line where programs wrap
TOKEN = re.compile(
    r"(?P<elided>\b(?:jusqu|qu|[ldjnscmt])['\u2019](?=[^\W\d_]))"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W_]+)*)"
    r"|(?P<dash>(?:=+[-\u2010-\u2015\u2212]*|[-\u2010-\u2015\u2212]+)?[>\u2190-\u21ff\u2794-\u27bf\u27f6]+"
    r"|[-\u2010-\u2015\u2212]+)"
    r"|(?P<line>[ \t]*\n\s*)"
    r"|(?P<mark>[^\w\s])",
    re.IGNORECASE,
)
WORD = re.compile(r"\S+")
LINE_END = re.compile(r"[ \t]*\n\s*")
BULLET = re.compile(
    r"[ \t>]*(?:(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]"
    r"|(?:[AF]|Army|Fleet|Armee|Flotte|Arm\u00e9e)[ (]+[A-Z])"
)
NUMBERS = {
    "2": 2, "two": 2, "zwei": 2, "deux": 2, "3": 3, "three": 3, "drei": 3, "trois": 3,
    "1": 1, "one": 1, "4": 4, "four": 4, "vier": 4, "quatre": 4,
}  # fmt: skip  # fmt: skip
PREPOSITIONS = frozenset({"to", "at", "on", "for", "in", "from", "with", "by", "of", "via"})
NOES = frozenset({"no", "nein", "non", "nope"})
GREETINGS = frozenset(
    {
        *("dear", "hi", "hello", "hey", "thanks", "liebes", "lieber", "liebe", "hallo", "moin"),
        *("cher", "ch\u00e8re", "salut", "bonjour", "coucou"),
    }
)
STRICT_VERBS = frozenset({"hold", "support", "convoy", "retreat", "disband", "build", "move"})
VERBS = STRICT_VERBS | {"waive", "follow", "same"}
SENTENCE, PARAGRAPH = 3.0, 4.0  # strengths of breaks
SLIP, GUESS = 1, 2  # a name with one wrong letter, and what is less like a name
KEPT_WHOLE = frozenset(
    {"it's", "let's", "that's", "there's", "he's", "she's", "who's", "here's", "what's", "war's"}
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
    """A matched word or name: its *role* and tokens; *places* of a name.

    *guessed* is 0 if it is written as usual, SLIP or GUESS if not.
    """

    role: str
    first: int
    last: int
    strict: bool = False
    places: tuple[Province, ...] = ()
    owner: Power | None = None
    guessed: int = 0
    strength: float = 0.0


@dataclass(slots=True)
class Tokens:
    """The words and signs of one *text*, on the board of *world*."""

    text: str
    world: World
    tokens: list[Token] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def _tokenize(self) -> None:
        lines = self.text.replace(JOINT, "\n").split("\n")
        widest, tokens = max(map(len, lines)), self.tokens
        wraps = widest >= WRAPPED_COLUMNS_MIN
        for found in TOKEN.finditer(self.text.replace("\u2019", "'")):
            sort, text = found.lastgroup or "mark", found[0]
            start, end = found.span()
            key, possessive = text.casefold(), False
            if sort == "word":
                possessive = key[-2:] == "'s" and key not in KEPT_WHOLE
                key = key[:-2] if possessive else key
            elif sort == "line":
                single = text.count("\n") == 1
                if single and wraps and self._is_wrapped(start, end, widest):
                    continue
                key = "\n" if single else "\n\n"
            elif sort == "elided":
                sort = "word"
            if len(tokens) >= TOKENS_MAX:
                break
            tokens.append(Token(text, key, start, end, sort, possessive))

    def _is_wrapped(self, start: int, end: int, widest: int) -> bool:
        """Return whether a program wrapped the line that ends at *start*: it has no room for more.

        Where lines are short, the next line must have none, either, unless it ends something.
        """
        if not self._is_full(start, end, widest):
            return False
        begin = max(self.text.rfind(each, 0, start) for each in ("\n", JOINT)) + 1
        if BULLET.match(self.text, end) and BULLET.match(self.text, begin):
            return False
        behind = LINE_END.search(self.text, end) if widest < SHORT_COLUMNS else None
        if behind is None or behind[0].count("\n") > 1 or self.text[behind.start() - 1] in ENDING:
            return True
        return self._is_full(behind.start(), behind.end(), widest)

    def _is_full(self, start: int, end: int, widest: int) -> bool:
        """Return whether the next word had no room in the line that ends at *start*."""
        begin = max(self.text.rfind(each, 0, start) for each in ("\n", JOINT)) + 1
        line = start - begin
        if line > WRAPPED_COLUMNS_MAX or self.text[start - 1] in ENDING:
            return False
        word = WORD.match(self.text, end)
        return word is not None and line + 1 + len(word[0]) > widest

    def _add(self, word: Word) -> int:
        self.words.append(word)
        return word.last - word.first + 1
