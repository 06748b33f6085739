"""Cut a text into words and signs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from judge.reading.world import World
from judge.rules.types import Power, Province

TOKENS_MAX = 1500
TOKEN = re.compile(
    r"(?P<elided>\b(?:jusqu|qu|[ldjnscmt])['\u2019](?=[^\W\d_]))"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W_]+)*)"
    r"|(?P<dash>(?:=+[-\u2010-\u2015\u2212]*|[-\u2010-\u2015\u2212]+)?[>\u2190-\u21ff\u2794-\u27bf\u27f6]+"
    r"|[-\u2010-\u2015\u2212]+)"
    r"|(?P<line>[ \t]*\n\s*)"
    r"|(?P<mark>[^\w\s])",
    re.IGNORECASE,
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
PAIR = 2  # units or chunks
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
        tokens = self.tokens
        for found in TOKEN.finditer(self.text.replace("\u2019", "'")):
            sort, text = found.lastgroup or "mark", found[0]
            start, end = found.span()
            key, possessive = text.casefold(), False
            if sort == "word":
                possessive = key[-2:] == "'s" and key not in KEPT_WHOLE
                key = key[:-2] if possessive else key
            elif sort == "line":
                key = "\n" if text.count("\n") == 1 else "\n\n"
            elif sort == "elided":
                sort = "word"
            if len(tokens) >= TOKENS_MAX:
                break
            tokens.append(Token(text, key, start, end, sort, possessive))

    def _add(self, word: Word) -> int:
        self.words.append(word)
        return word.last - word.first + 1
