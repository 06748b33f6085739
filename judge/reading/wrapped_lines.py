"""Read on at the end of a line that a mail program wrapped or that ends within an order."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.reading.lookups import GLUED
from judge.reading.signs import Signs
from judge.reading.tokens import PREPOSITIONS, VERBS, Token

ENDING = frozenset(".!?:;")
SHORT_COLUMNS = 65
WRAPPED_COLUMNS_MIN, WRAPPED_COLUMNS_MAX = 52, 90  # of the widest line where programs wrap
WORD = re.compile(r"\S+")
LINE_END = re.compile(r"[ \t]*\n\s*")
BULLET = re.compile(
    r"[ \t>]*(?:(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]"
    r"|(?:[AF]|Army|Fleet|Armee|Flotte|Arm\u00e9e)[ (]+[A-Z])"
)
HELPS = frozenset({"support", "convoy"})
PLANS = frozenset({"plan", "plans", "option", "options"})  # `Plan to attack`
KINDS = frozenset({*GLUED.values(), "unit"})
BEFORE_UNITS = PREPOSITIONS | {"det", "det_other"}
DOUBTING = frozenset({"not", "doubt", "if", "weak"})
GOING_ON = VERBS - {"build", "disband", "waive"} | {"to", "via", "sea"}
CLAUSES = frozenset({",", ";", "and", "und", "et", "en"})  # one begins behind them
SAID = frozenset({"it", "that", "this", "das", "dies", "es", "\u00e7a", "cela"})
CLAUSE_MAX = 40  # tokens of a line that are looked at


@dataclass(slots=True)
class WrappedLines(Signs):
    """Reads on at the end of a line where a sentence goes on in the next one."""

    def _join_lines(self) -> None:
        """Remove the line ends behind which a sentence goes on from the tokens."""
        lines = self.text.split("\n")
        widest = max(map(len, lines))
        wraps = widest >= WRAPPED_COLUMNS_MIN
        kept: list[Token] = []
        begin = 0
        for at, token in enumerate(self.tokens):
            if token.sort != "line":
                begin = at if self.keys[at - 1] in ENDING else begin
            elif token.key == "\n" and 0 < at < len(self.tokens) - 1:
                wrapped = wraps and self._is_wrapped(token.start, token.end, widest)
                if wrapped or self._is_torn(begin, at):
                    continue
            if token.sort == "line":
                begin = at + 1
            kept.append(token)
        if len(kept) < len(self.tokens):
            self.tokens[:] = kept
            self.keys = [token.key for token in kept]

    def _is_wrapped(self, start: int, end: int, widest: int) -> bool:
        """Return whether a program wrapped the line that ends at *start*: it has no room for more.

        Where lines are short, the next line must have none, either, unless it ends something.
        """
        if not self._is_full(start, end, widest):
            return False
        begin = self.text.rfind("\n", 0, start) + 1
        if BULLET.match(self.text, end) and BULLET.match(self.text, begin):
            return False
        behind = LINE_END.search(self.text, end) if widest < SHORT_COLUMNS else None
        if behind is None or behind[0].count("\n") > 1 or self.text[behind.start() - 1] in ENDING:
            return True
        return self._is_full(behind.start(), behind.end(), widest)

    def _is_full(self, start: int, end: int, widest: int) -> bool:
        """Return whether the next word had no room in the line that ends at *start*."""
        line = start - (self.text.rfind("\n", 0, start) + 1)
        if line > WRAPPED_COLUMNS_MAX or self.text[start - 1] in ENDING:
            return False
        word = WORD.match(self.text, end)
        return word is not None and line + 1 + len(word[0]) > widest

    def _is_torn(self, begin: int, end: int) -> bool:
        """Return whether the line break at *end* is within an order: `A Ber -`, `A Kie S`.

        *begin* is where its line, or the last sentence in it, begins.
        """
        begin = max(begin, end - CLAUSE_MAX)
        return end > begin and (
            self._is_unfinished(begin, end)
            or self._is_one_name(end)
            or self._goes_on_below(begin, end)
        )

    def _is_unfinished(self, begin: int, end: int) -> bool:
        """Return whether a unit or province must follow the last word before *end*, and does."""
        last, behind = end - 1, end + 1
        if last > begin and self.keys[last] == "." and self._role_at(last - 1)[1]:
            last -= 1  # `A Kie S.`
        if self.keys[last] in SAID or not self._is_unit(behind):
            return False
        role, before = self._role_at(last)[0], self._role_at(last - 1) if last > begin else ("",)
        if before[0] in HELPS and self._power_at(last)[1]:
            return True  # `A Kie S AUSTRIAN`
        if self._name_at(last)[0]:  # `par`, `den`
            return role in BEFORE_UNITS and before[0] in VERBS and not before[-1]
        if self.tokens[last].sort == "dash" or role in KINDS:
            listed = last == begin and self.keys[max(begin - 1, 0)] == ":"  # `Vienna: army`
            opens = (role in KINDS and not listed) or (role not in KINDS and last > begin)
            return opens and self.tokens[last].text != "a" and self._name_at(behind)[0] > 0
        if role in BEFORE_UNITS:
            clause = self._clause_at(begin, last)
            parted = (
                role in PREPOSITIONS and self._names_in(clause, last) > 1
            )  # `rückt nach X nach`
            whole = self._is_order(behind) and not self._names_in(begin, last)
            return self.tokens[last].text.islower() and not (parted or whole)
        return role in VERBS - {"follow"} and self._has_object(begin, last, behind)

    def _is_order(self, at: int) -> bool:
        """Return whether an order in notation begins *at* an index: `A Par-Bur`."""
        first = at + (self._role_at(at)[0] in KINDS)
        size = self._name_at(first)[0] if first < len(self.keys) else 0
        return size > 0 and self._acts(first + size)

    def _has_object(self, begin: int, last: int, behind: int) -> bool:
        """Return whether the verb at *last* is about what is *behind*: `Galizien greift`."""
        role, strict = self._role_at(last)
        if role in HELPS and strict:
            return not self.world.s_stands
        if role in HELPS:
            return not self._helps_with_what_was_said(begin, last)
        doubted = any(
            self._role_at(at)[0] in DOUBTING and self.keys[at] not in PLANS
            for at in range(begin, last)
        )
        size = self._name_at(behind)[0]
        goes = role == "move" and self._names_in(begin, last) == 1
        return doubted or (goes and size > 0 and not self._acts(behind + size))

    def _helps_with_what_was_said(self, begin: int, last: int) -> bool:
        """Return whether support of a move before it ends *last*: `A to B, C supports`."""
        return (
            self._role_at(last - 1)[0] in {"in", "with", "det"} or self._names_in(begin, last) > 1
        )

    def _names_in(self, begin: int, end: int) -> int:
        count = 0
        while begin < end:
            size = self._name_at(begin)[0]
            count += size > 0
            begin += size or 1
        return count

    def _role_at(self, at: int) -> tuple[str, bool]:
        """Return the role of the word *at* an index, and whether it is a word of notation."""
        if at >= len(self.keys):
            return "", False
        role = self.short.single.get(self.keys[at], "")
        spoken = self.spoken.phrases.single.get(self.keys[at], "")
        return (role, True) if role and role != spoken else (spoken, False)

    def _noun_at(self, at: int) -> int:
        """Return the index of the noun *at* an index, behind its articles: `the army`."""
        while self._role_at(at)[0] in BEFORE_UNITS and not self._name_at(at)[0]:
            at += 1
        return at

    def _is_unit(self, at: int) -> bool:
        at = self._noun_at(at)
        if at >= len(self.keys) or self._power_at(at)[1]:
            return at < len(self.keys)
        kind = self._role_at(at)[0] in KINDS
        named = at + 1 < len(self.keys) and self._name_at(at + 1)[0] > 0
        return self._name_at(at)[0] > 0 or (kind and (named or len(self.keys[at]) > 1))

    def _is_one_name(self, end: int) -> bool:
        """Return whether a name of several words spans the break: `North` and `Sea`."""
        names, most = self.world.names, self.world.names.words_max
        if self.keys[end - 1] == "." and self.keys[end - 2 : end - 1] == ["st"]:
            end_of_first, first = end - 1, 1  # `St. Petersburg`
        else:
            end_of_first, first = end, most
        return any(
            " ".join(self.keys[end_of_first - left : end_of_first] + self.keys[end + 1 : last])
            in table
            for left in range(1, min(first, end_of_first) + 1)
            for last in range(end + 2, end + 2 + most - left)
            for table in (names.written, names.foreign)
        )

    def _goes_on_below(self, begin: int, end: int) -> bool:
        """Return whether the line below says what the unit before the break does."""
        behind, named = end + 1, end - 1
        while self._role_at(behind)[0] == "fill":
            behind += 1  # `Rumänien soll\nauch unterstützen`
        while named > begin and self._role_at(named)[0] == "fill":
            named -= 1  # `Norway just`
        clause = self._clause_at(begin, named)
        first = self._noun_at(clause)
        first += self._role_at(first)[0] in KINDS and not self._name_at(first)[0]
        first = self._noun_at(first)
        alone = first <= named and first + self._name_at(first)[0] == named + 1
        if behind >= len(self.keys) or self._phrase_at(behind)[0] > 1:
            return False
        if self.tokens[behind].sort == "dash":
            size = self._name_at(behind + 1)[0] if behind + 1 < len(self.keys) else 0
            listed = self.tokens[begin].sort == "dash" or not self._ends_with_name(clause, named)
            return not listed and size > 0 and self._ends(behind + 1 + size)
        role, sign = self._role_at(behind)[0], self.keys[behind + 1 : behind + 2]
        if role not in GOING_ON or self._name_at(behind)[0] or sign == [":"]:
            return False
        goes = role in {"to", "via"} and behind == end + 1
        final = goes or sign in (["."], [","])  # `Rumänien\nunterstützen.`
        return alone or (final and self._ends_with_name(clause, named))

    def _clause_at(self, begin: int, last: int) -> int:
        """Return where the clause begins that ends at *last*; `Roi Et` is one name."""
        signs = (at for at in range(last, begin - 1, -1) if self.keys[at] in CLAUSES)
        return next((at + 1 for at in signs if not self._is_in_name(begin, at)), begin)

    def _is_in_name(self, begin: int, at: int) -> bool:
        firsts = range(max(begin, at - self.world.names.words_max), at)
        return any(first + self._name_at(first)[0] > at for first in firsts)

    def _ends_with_name(self, begin: int, last: int) -> bool:
        """Return whether a name ends *at* the last index."""
        return any(at + self._name_at(at)[0] == last + 1 for at in range(begin, last + 1))
