"""Terms of an order: tokens with names joined, and a cursor that reads units from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from judge.notation import vocabulary
from judge.notation.names import Names, Token
from judge.notation.vocabulary import (
    AFTER_ARTICLE,
    COASTS,
    COASTS_IN_ONE_WORD,
    ENCLOSED_COASTS,
    FILLERS,
    KINDS,
)
from judge.rules.types import Location, Power, Province, UnitKind, UnitName

DASHES = frozenset({"-", "->"})


@dataclass(frozen=True, slots=True)
class Term:
    """A word of an order; *places* are the provinces that it may name, whatever else it may be."""

    text: str
    key: str
    column: int
    places: tuple[Province, ...] = ()


def terms_of(tokens: Sequence[Token], names: Names) -> tuple[Term, ...]:
    """Find the names in *tokens*, longest first, and drop what only makes it a sentence."""
    return tuple(_iterate_terms(tokens, names))


def _iterate_terms(tokens: Sequence[Token], names: Names) -> Iterator[Term]:
    keys = [token.key for token in tokens]
    at = 0
    while at < len(tokens):
        count, places = names.longest(keys[at : at + names.words_max])
        if places:
            text = " ".join(token.text for token in tokens[at : at + count])
            yield Term(text, " ".join(keys[at : at + count]), tokens[at].column, places)
        elif not (_is_filler(keys[at : at + 2]) or _is_foreign_filler(keys, at, names)):
            yield Term(tokens[at].text, keys[at], tokens[at].column)
        at += count or 1


def _is_foreign_filler(keys: Sequence[str], at: int, names: Names) -> bool:
    """Return whether the word *at* is a German or French filler.

    It may be a typing error in the name of a province after a dash, at the end, or between a kind
    of unit and a word that is no name: `A War-Mon`, `A Dem H`.
    """
    if keys[at] not in vocabulary.FOREIGN_FILLERS or (at and keys[at - 1] in DASHES):
        return False
    behind = [key for key in keys[at + 1 :] if key not in vocabulary.FOREIGN_FILLERS]
    if at and keys[at - 1] in KINDS and not names.longest(behind[: names.words_max])[0]:
        return False
    return at + 1 < len(keys) or keys[at] in vocabulary.FINAL_FILLERS


def _is_filler(keys: Sequence[str]) -> bool:
    """Return whether the first of *keys* is a filler, or the article of the second: `a fleet`."""
    return keys[0] in FILLERS or (keys[0] == "a" and keys[-1] in AFTER_ARTICLE)


END_TERM = Term("", "", 0)
COAST_LETTERS = 2  # `nc`; also one that no province has, such as `xc`, which the rulebook judges.

COAST_CODES = frozenset({"nc", "sc", "ec", "wc"})
COAST_WORDS_MAX = 3  # `the north-coast`, with its dash and without its article
BRACKETS = {"(": ")", "[": "]"}


class Cursor:
    """Moves forward over *terms*; after a dead end the caller sets *at* back.

    *furthest* is the end of the longest attempt, where the writer is likely to find the error.
    """

    def __init__(self, terms: Sequence[Term], names: Names) -> None:
        self.terms = terms
        self.names = names
        self.at = 0
        self.furthest = 0

    @property
    def ended(self) -> bool:
        """Return whether no term is left."""
        return self.at >= len(self.terms)

    @property
    def is_last(self) -> bool:
        """Return whether one term is left."""
        return self.at == len(self.terms) - 1

    def peek(self, ahead: int = 0) -> Term:
        """Return the next term, or one further ahead."""
        return self.terms[self.at + ahead] if self.at + ahead < len(self.terms) else END_TERM

    def step(self, count: int = 1) -> None:
        """Step over *count* terms."""
        self.at += count
        self.furthest = max(self.furthest, self.at)

    def take(self, keys: AbstractSet[str]) -> bool:
        """Step over the next term if it is one of *keys*."""
        if self.ended or self.peek().key not in keys:
            return False
        self.step()
        return True

    def skip(self, keys: AbstractSet[str]) -> bool:
        """Step over all next terms that are of *keys*; return whether there were any."""
        start = self.at
        while self.take(keys):
            pass
        return self.at > start

    def take_all(self, keys: Sequence[str]) -> bool:
        """Step over *keys*, if all of them come next in this order."""
        if [self.peek(ahead).key for ahead in range(len(keys))] != [*keys]:
            return False
        self.step(len(keys))
        return True

    def place(self) -> Location | None:
        """Step over a province and its coast."""
        if not self.peek().places:
            return None
        province = self.peek().places[0]
        self.step()
        return _on_coast(province, self._coast())

    def unit(self, kind: UnitKind | None = None) -> UnitName | None:
        """Step over a unit: `A Par`, `A(Par)`, `army in Paris`, `Par`, with its owner or not.

        Where its *kind* is known already, `(Par)` is one too.
        """
        start = self.at
        power = self._owner()
        named = KINDS.get(self.peek().key)
        if named:
            self.step()
            self.take({"of"})  # `the army of Paris`
        kind = named or kind
        enclosed = bool(kind) and self.take({"("})
        location = self.place()
        if location and enclosed:
            enclosed = not self.take({")"})
            location = _on_coast(location, self._coast())  # `F(Spa)nc`
        if location is None or enclosed:
            self.at = start
            return None
        return UnitName(kind, location, power)

    def remark(self) -> int | None:
        """Step over the remaining terms if they are in brackets; return their column."""
        rest = self.terms[self.at :]
        if not rest or BRACKETS.get(rest[0].key) != rest[-1].key:
            return None
        self.step(len(rest))
        return rest[0].column

    def _coast(self) -> str | None:
        """Step over a coast: `/nc`, `(n.c.)`, `[north coast]`, `nc`, `-nc`, `north coast`."""
        mark = self.peek().key
        if mark in BRACKETS:
            return self._enclosed_coast(BRACKETS[mark])
        ahead = 1 if mark in {"/", "-"} else 0
        key, behind = self.peek(ahead).key, self.peek(ahead + 1).key
        if mark == "-" and key not in COAST_CODES:
            return None
        in_full = behind == "coast" or (behind == "c" and f"{key}c" in COAST_CODES)
        coast = key.upper() if _is_coast_letters(key) else COASTS.get(key)
        named = in_full or key in COASTS_IN_ONE_WORD or _is_coast_letters(key)
        if not coast or not (mark == "/" or named):
            return None
        self.step(ahead + (2 if in_full else 1))
        return coast

    def _enclosed_coast(self, close: str) -> str | None:
        """Step over a coast between brackets, in any spelling, with full stops or spaces."""
        words: list[str] = []
        for ahead in range(1, COAST_WORDS_MAX + 2):
            key = self.peek(ahead).key
            if key == close:
                joined = "".join(words)
                named = joined.upper() if _is_coast_letters(joined) else None
                coast = ENCLOSED_COASTS.get(joined, named)
                self.step(ahead + 1 if coast else 0)
                return coast
            words += [key] if key != "-" else []
        return None

    def _owner(self) -> Power | None:
        """Step over the owner of a unit: `German`, `[GERMANY]`, `(German)`, `*German*`, `G)`."""
        start = self.at
        enclosed = self.take({"[", "(", "*"})
        key = self.peek().key
        power = self.names.powers.get(key)
        if enclosed or self.peek(1).key == ")":
            power = power or self.names.letters.get(key)
        if self.peek(1).key in KINDS and not (self.peek().places and self.peek(1).key == "f"):
            power = power or self.names.shortened_powers.get(key)  # but `Eng f Lon-Bel` ferries
        if power:
            self.step()
            self.skip({"]", ")", "*", ":"})
            if self.peek().key in KINDS or self.peek().places:
                return power
        self.at = start
        return None


def _is_coast_letters(key: str) -> bool:
    return len(key) == COAST_LETTERS and key.endswith("c")


def _on_coast(location: Location, coast: str | None) -> Location:
    return f"{location}/{coast}" if coast else location
