"""Match signs: ends of sentences, brackets, dashes between clauses, cells of tables, quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import takewhile

from judge.reading.lookups import GLUED
from judge.reading.misspellings import Misspellings
from judge.reading.tokens import NOES, PREPOSITIONS, SENTENCE, VERBS, Token, Word
from judge.rules.types import PhaseKind

BREAKS = {**dict.fromkeys(",|()/:[]*+", 1.0), ";": 2.0}
ENDS = {".": 3.0, "!": 3.0, "?": 3.0, "\u2026": 2.0}
QUOTES = frozenset('"\u201c\u201d\u201e\u00ab\u00bb')
APOSTROPHES = frozenset("'\u2018\u2019")
CLOSING = re.compile(r"[\w.!?]['\u2019](?![\w])")
REMARKS = frozenset({"why", "reason", "comment", "remark", "note", "warum", "grund", "pourquoi"})
ABBREVIATIONS = frozenset({"st", "a", "f", "fl", "arm", "flt", "bzw", "resp", "ste", "mt"})
GOING_ON = PREPOSITIONS | VERBS | {"and", "supported_by", "convoyed_by"}
ABBREVIATED_MAX = 5  # letters of a shortened word


@dataclass(slots=True)
class Signs(Misspellings):
    """Matches signs."""

    quoting: bool = False
    columns: int = 0  # before the one with remarks
    rows: dict[int, int] = field(default_factory=dict)  # the cells so far of rows of tables

    def _is_pause(self, at: int) -> bool:
        """Return whether a dash ends a clause: `Paris goes to Burgundy - Marseilles supports`."""
        token, words = self.tokens[at], self.words
        if self.keys[at - 1 : at] == ["<"]:  # `<- important!`
            return True
        apart = self.text[token.start - 1 : token.end + 1] == f" {token.text} "
        if not apart or not words or ">" in token.text:
            return False
        if not NOES.isdisjoint(self.keys[at + 1 : at + 2]) and self.keys[at + 2 : at + 3] == [","]:
            return True  # `Bud S Ser - no, Bud - Gal`
        size, power = self._power_at(at + 1) if at + 1 < len(self.tokens) else (0, None)
        acts = self.world.kind is not PhaseKind.MOVEMENT or self._is_said(at + 1 + size)
        if power and acts:
            return True  # `A Warsaw - Germany likewise`
        if words[-1].role == "name":
            before = [each for each in words[-3:-1] if each.role != "det"]
            at_place = bool(before) and before[-1].role in {"on", "at"}
            return bool(before) and (before[-1].role == "to" or (at_place and self._has_gone()))
        return words[-1].role in {"hold", "disband"} and not words[-1].strict

    def _is_said(self, at: int) -> bool:
        """Return whether a verb or the like is *at* an index: `- Germany promised`."""
        follows = at < len(self.tokens) and self.tokens[at].text.islower()
        kind = self._phrase_at(at)[1] in GLUED.values()
        return follows and not (kind or self._name_at(at)[0])

    def _has_gone(self) -> bool:
        """Return whether a unit was said to go in this clause."""
        clause = takewhile(lambda each: each.role != "break", reversed(self.words))
        return any(each.role == "move" for each in clause)

    def _bracketed(self, at: int) -> int:
        """Match a short word in brackets behind a name: `A War (S) A Ukr-Gal`."""
        if self.keys[at] != "(" or self.keys[at + 2 : at + 3] != [")"]:
            return 0
        role = self.short.longest(self.keys, at + 1)[1]
        kind = role in GLUED.values() and self._acts(at + 3)  # `Kiel (F) - Denmark`
        if not (kind or role in VERBS) or not self.words or self.words[-1].role != "name":
            return 0
        if role in {"support", "convoy"} and (
            at + 3 >= len(self.keys) or self.tokens[at + 3].sort != "word"
        ):
            return 0  # `Spa(s)` is a coast
        if self.world.board.coasts_of(self.words[-1].places[0]) and self.keys[at + 1] == "s":
            behind = self.short.longest(self.keys, at + 3)[1]
            if behind not in {"army", "fleet"}:
                return 0
        return self._add(Word(role, at, at + 2, strict=True))

    def _mark(self, at: int) -> int:
        """Match a sign, and return how many tokens it takes."""
        key, before = self.tokens[at].key, self.tokens[at - 1] if at else None
        if key in ENDS:
            return self._end(at, key, before)
        if key == "|":
            return self._cell(at)
        if key == "&" or (key == "+" and self.world.kind is not PhaseKind.ADJUSTMENTS):
            return self._add(Word("and", at, at))
        if key in BREAKS:
            apart = (
                key == "/"
                and self.text[self.tokens[at].start - 1 : self.tokens[at].end + 1] == " / "
                and not self._is_cell(at)
            )
            self.words.append(Word("break", at, at, strength=3.0 if apart else BREAKS[key]))
        elif key in QUOTES or (key in APOSTROPHES and self._quotes(at)):
            self.words.append(Word("quote", at, at))
        return 1

    def _end(self, at: int, key: str, before: Token | None) -> int:
        """Match a sign that ends a sentence, or a full stop of a shortened word."""
        strength = ENDS[key]
        if key == "!" and self._phrase_at(at + 1)[1] == "if":  # `now! unless you object`
            strength = BREAKS[","]
        glued = key == "." and before and before.end == self.tokens[at].start
        if glued and self._abbreviates(at):
            return 1
        if self.words and self.words[-1].role in {"break", "question"}:
            if key == "?" and self.words[-1].role == "break":  # `A Par-Bur!?`
                self.words[-1].strength = min(self.words[-1].strength, BREAKS[","])
                self.words.append(Word("question", at, at, strength=strength))
            else:
                self.words[-1].strength = max(self.words[-1].strength, strength)
            return 1
        self.words.append(Word("question" if key == "?" else "break", at, at, strength=strength))
        return 1

    def _cell(self, at: int) -> int:
        """Match the end of a cell in a table, if it is not the edge of the table."""
        if self.words and self.words[-1].role != "break":
            strength = SENTENCE if self._opens_remarks(at) else BREAKS["|"]
            self.words.append(Word("break", at, at, strength=strength))
        return 1

    def _opens_remarks(self, at: int) -> bool:
        """Return whether the last column of a table has remarks, and begins *at* an index."""
        token = self.tokens[at]
        begin, end = self.text.rfind("\n", 0, token.start) + 1, self.text.find("\n", token.end)
        if begin not in self.rows:
            row = self.text[begin : end if end >= 0 else None].strip(" |").casefold()
            if row.rpartition("|")[2].strip() in REMARKS:
                self.columns = row.count("|")
            self.rows[begin] = 0
        self.rows[begin] += 1
        return self.columns > 1 and self.rows[begin] == self.columns

    def _is_cell(self, at: int) -> bool:
        """Return whether only a unit is before a stroke in its line, and an action behind it."""
        *above, kind, name = (None, None, None, *self.words)[-3:]
        unit = name is not None and name.role == "name" and kind is not None and kind.strict
        begins = above[-1] is None or above[-1].role == "break"
        behind = at + 1 < len(self.tokens) and self.tokens[at + 1].text not in {"A", "F"}
        return unit and begins and behind

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
        helps = self.short.longest(self.keys, at - 1)[1] in {"support", "convoy", "retreat"}
        if helps or before.key in ABBREVIATIONS or after.sort == "dash":
            return after.sort in {"word", "dash"}
        if after.sort != "word" or not after.text[0].islower():
            return False
        named = len(before.key) == ABBREVIATED_MAX and self.world.names.meaning(before.key)
        if named or len(before.key) > ABBREVIATED_MAX or before.key in self.spoken.known:
            return False  # `greece. smyrna chills`
        role = self._phrase_at(at + 1)[1] or self.short.longest(self.keys, at + 1)[1]
        return role in GOING_ON  # `Mun. to Bur.`
