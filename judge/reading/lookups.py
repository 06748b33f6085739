"""Look for names of places and powers, phrases of a language and short verbs of notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.notation.terms import POWER_WORDS_MAX
from judge.reading.coasts import coast_at
from judge.reading.tokens import PREPOSITIONS, VERBS, Tokens, Word
from judge.reading.words import ELIDED, STRICT, Phrases, Words, words_of
from judge.reading.world import Exonyms, lone_parts_of, parts_of, stem
from judge.rules.types import Power, Province

CAPITALS_MIN = 3  # letters of a name in the middle of a sentence
PLACES_MAX = 2  # that part of a name may mean
GLUED = {"a": "army", "f": "fleet"}
KIND_LETTERS = frozenset({*GLUED, *GLUED.values()})
OWNED_BY = frozenset({"von", "vom", "of", "by", "from", "de", "d'", "du", "des", "der", "aus"})
LEADING = frozenset({"to", "nach"})  # to a place: then no part of a phrase
FUNCTION_ROLES = PREPOSITIONS | {"det", "except", "fill", "by", "be", "and", "past", "so"}


@dataclass(slots=True)
class Lookups(Tokens):
    """Looks for names, powers, phrases and short verbs."""

    spoken: Words = field(init=False)
    exonyms: Exonyms = field(init=False)
    defined: dict[str, tuple[Province, ...]] = field(default_factory=dict)  # by the writer
    short: Phrases = field(default_factory=lambda: words_of(STRICT).phrases)

    def _phrase_at(self, at: int) -> tuple[int, str]:
        """Return the longest phrase *at* an index, without a preposition that a name follows."""
        size, role = self.spoken.phrases.longest(self.keys, at)
        if size <= 1:
            return size, role
        after = at + size
        if role == "sea" and self._name_at(after - 1)[0] > 1:  # `par la mer du Nord`
            return self.spoken.phrases.longest(self.keys[: after - 1], at)
        if role == "it" and after < len(self.keys) and self.keys[after] in OWNED_BY:
            return self.spoken.phrases.longest(self.keys[: at + 1], at)  # `the attack of Paris`
        stays = role == "hold" and self.keys[after - 1] == "nicht"  # `geht nicht nach Wien`
        goes = stays or (role == "disband" and self.keys[after - 1] == "go")
        if goes and self._goes_on(after):
            return self.spoken.phrases.longest(self.keys[: after - 1], at)
        if (
            role != "to"
            and self.keys[after - 1] in LEADING
            and after < len(self.keys)
            and (role == "fill" or self.keys[after - 1] == "nach")
            and self._name_at(after)[0]
        ):  # `rückt nach Kiel`, `is going to Kiel`
            return self.spoken.phrases.longest(self.keys[: at + 1], at)
        return size, role

    def _goes_on(self, at: int) -> bool:
        """Return whether a place to go to follows: `must go back to Gascony`."""
        return any(
            at + ahead < len(self.keys)
            and self.spoken.phrases.longest(self.keys, at + ahead)[1] == "to"
            for ahead in (0, 1)
        )

    def _name_at(self, at: int) -> tuple[int, tuple[Province, ...]]:
        """Return the length in tokens and the meaning of the longest name *at* a token."""
        if places := self.defined.get(self.keys[at]):
            return 1, places
        most = self.exonyms.words_behind.get(self.keys[at])
        if not most:
            return 0, ()
        run: list[str] = []
        ends: list[int] = []
        for index in range(at, min(len(self.keys), at + 2 * most + 2)):
            token = self.tokens[index]
            if run and (token.key in {".", "'"} or token.key in ELIDED):
                continue
            if token.sort not in {"word", "dash"}:
                break
            run.append("-" if token.sort == "dash" and token.key != "->" else token.key)
            ends.append(index)
            if len(run) >= most:
                break
        count, places = self.world.names.longest(run)
        for length in range(len(run), count, -1):
            if named := self.exonyms.places.get(" ".join(run[:length])):
                count, places = length, named
                break
        return (ends[count - 1] - at + 1, places) if count else (0, ())

    def _has_coasts(self, at: int) -> bool:
        return any(map(self.world.board.coasts_of, self._name_at(at)[1]))  # `Stp(SK)`

    def _is_own(self, places: tuple[Province, ...]) -> bool:
        return any(place in self.world.own for place in places)

    def _ends(self, at: int) -> bool:
        return at >= len(self.keys) or self.keys[at] in {",", ";", ".", "/", "\n", "\n\n"}

    def _power_at(self, at: int) -> tuple[int, Power | None]:
        names, key = self.world.names, self.keys[at]
        if key in names.power_words_behind and (
            count := names.longest_power(self.keys[at : at + POWER_WORDS_MAX])
        ):
            return count, names.powers[" ".join(self.keys[at : at + count])]
        if power := names.powers.get(key) or names.powers.get(key.removesuffix("s")):
            return 1, power  # `the Russians`
        short = names.shortened_powers.get(key)
        size = 2 if short and self.keys[at + 1 : at + 2] == ["."] else 1
        return (size, short) if short and self._is_owner(at + size) else (0, None)

    def _is_owner(self, at: int) -> bool:
        """Return whether a unit of a power stands *at* an index: `S ENGLISH F Nth`."""
        unit = at + 1 < len(self.keys) and (
            self.tokens[at].text in {"A", "F"} or self.keys[at] in GLUED.values()
        )
        return unit and bool(self._name_at(at + 1)[0])

    def _is_verb(self, at: int) -> bool:
        role = self.spoken.phrases.longest(self.keys, at)[1]
        return role in VERBS

    def _acts(self, at: int) -> bool:
        """Return whether a dash or a short verb of notation stands *at* an index."""
        if at >= len(self.keys):
            return False
        return self.tokens[at].sort == "dash" or self.short.longest(self.keys, at)[1] in VERBS

    def _is_unknown(self, at: int) -> bool:
        return not self._phrase_at(at)[0] and not self._power_at(at)[0]

    def _is_own_order(self, at: int, end: int) -> bool:
        """Return whether a sentence is two names, from *at* to *end*, of which one has a unit."""
        begins = self._ends(end) and starts_sentence(self.words)
        return begins and self._is_own(self._name_at(at)[1])

    def _goes_to(self, at: int, length: int) -> bool:
        """Return whether a sentence begins with the place of an own unit that goes somewhere."""
        to = at + length
        begins = starts_sentence(self.words) or self.words[-1].role in {"name", "hold"}
        own = begins and self._is_own(self._name_at(at)[1])
        goes = own and to + 1 < len(self.keys) and self._name_at(to + 1)[0] > 0
        return goes and (self._phrase_at(to) == (1, "to") or self._acts(to))

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
            return self._is_verb(at + length) or self._acts(at + length)
        text = self.tokens[at].text
        return length > 1 or (
            text[0].isupper()
            and not starts_sentence(self.words)
            and len(text) > CAPITALS_MIN
            and role in {"fill", "past", "doubt"}
        )

    def _is_behind_coast(self, at: int) -> bool:
        """Return whether only a coast is between a name and the token *at* an index."""
        named = next((word for word in reversed(self.words[-4:]) if word.role == "name"), None)
        if named is None or not any(map(self.world.board.coasts_of, named.places)):
            return False
        found = coast_at(self.text, self.tokens[named.last].end)
        return found is not None and not self.text[found[1] : self.tokens[at].start].strip()

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


def starts_sentence(words: Sequence[Word]) -> bool:
    """Return whether no word of a sentence is before the next one."""
    return not words or (words[-1].role == "break")
