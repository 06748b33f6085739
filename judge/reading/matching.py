"""Match the words of a text: names, phrases of a language, short words of notation and signs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from judge.notation.terms import POWER_WORDS_MAX
from judge.reading.lookups import GLUED, KIND_LETTERS, starts_sentence
from judge.reading.misspellings import BEGUN_LETTERS_MIN
from judge.reading.signs import BREAKS
from judge.reading.tokens import GREETINGS, GUESS, NUMBERS, PARAGRAPH, SENTENCE, VERBS, Word
from judge.reading.words import languages_of, together
from judge.reading.world import exonyms_of, lone_parts_of, parts_of
from judge.reading.wrapped_lines import WrappedLines
from judge.rules.types import PhaseKind, Province

STEM_LETTERS_MIN = 4
GENITIVE_LETTERS_MIN = 6
ADJECTIVE_ENDINGS = ("r", "n", "m")  # `mit griechischer Hilfe`
ITEM_DIGITS_MAX = 2  # of the number of a list item
COMPOUND_LETTERS_MIN = 3
GLUED_LETTERS_MIN = 4  # `FAnk`
CARRIES = frozenset({"f", "ff", "t", "con"})
UNITS = frozenset({"all", "rest", "units"})
SHORT_COASTS = frozenset({"nc", "sc", "ec", "wc"})
OWNER_SIGNS = {"[": "]", "(": ")", "*": "*"}
WITH_KIND = {"sa": ("support", "army"), "sf": ("support", "fleet"), "ca": ("convoy", "army")}
KINDS = frozenset(GLUED.values())
SHORT = CARRIES | SHORT_COASTS | WITH_KIND.keys()
DICTATED = {"stop": SENTENCE, "pause": BREAKS[","]}  # `period`, `comma` in dictated text


@dataclass(slots=True)
class Matcher(WrappedLines):
    """Matches the words of one *text* on the board of *world*."""

    items: set[str] = field(default_factory=set)  # letters before a bracket that closes
    closed: bool = False  # with a bracket that closes

    def run(self) -> None:
        """Fill *tokens* and *words*."""
        self._tokenize()
        self.keys = [token.key for token in self.tokens]
        self.closed = ")" in self.keys
        if self.closed:
            self.items = {
                key for key, sign in pairwise(self.keys) if sign == ")" and len(key) == 1
            }
        self.exonyms = exonyms_of(self.world.board)
        words = {key for key in self.keys if len(key) > 1}
        names = words & self.exonyms.own
        self.spoken = together(languages_of(words - names, names))
        self._define()
        self._join_lines()
        self._match()

    def _define(self) -> None:
        """Note what the writer says that short names mean: `Nwg = Norwegen, Sch = ...`."""
        for at, key in enumerate(self.keys if "=" in self.keys else ()):
            if key != "=" or not 0 < at < len(self.keys) - 1:
                continue
            size, places = self._name_at(at + 1)
            begins = at == 1 or self.tokens[at - 2].sort != "word"
            begins = begins and not self._is_own(self._name_at(at - 1)[1])  # `Kiel = Denmark`
            if size and begins and self._ends(at + 1 + size):
                self.defined[self.keys[at - 1]] = places

    def _match(self) -> None:
        """Match names, phrases and single words, the longest first."""
        at, tokens = 0, self.tokens
        while at < len(tokens):
            at += self._match_word(at) if tokens[at].sort == "word" else self._match_sign(at)

    def _match_sign(self, at: int) -> int:
        """Match the sign *at* an index, and return how many tokens it takes."""
        token = self.tokens[at]
        match token.sort:
            case "line":
                strength = PARAGRAPH if token.key == "\n\n" else SENTENCE
                self.words.append(Word("break", at, at, strength=strength))
                return 1
            case "dash" if self.keys[at - 1 : at] == ["|"] == self.keys[at + 1 : at + 2]:
                return 1  # an empty cell
            case "dash":
                lists = starts_sentence(self.words) or self.words[-1].role in VERBS
                lists = lists and self.keys[at - 1 : at] not in ([")"], ["]"])  # `A(Par)-Bur`
                lists = lists or self.keys[at - 1 : at] == [":"]
                if self._removes(at):
                    self.words.append(Word("disband", at, at, strict=True))
                elif self.world.kind is PhaseKind.ADJUSTMENTS and lists:  # `Disbands - F Bre`
                    self.words.append(Word("break", at, at, strength=BREAKS[","]))
                elif self._is_pause(at):
                    self.words.append(Word("break", at, at, strength=BREAKS[";"]))
                elif not starts_sentence(self.words) or self.keys[at - 1] in ")|":  # no bullet
                    self.words.append(Word("dash", at, at))
                return 1
            case _:
                owner = self.keys[at] in OWNER_SIGNS and self._owner_at(at)
                return owner or self._bracketed(at) or self._mark(at)

    def _removes(self, at: int) -> bool:
        """Return whether a dash removes a unit, where none is said to be built: `- F Bre`."""
        if not self.world.plans or self.world.kind is not PhaseKind.ADJUSTMENTS:
            return False
        begins = at == 0 or self.tokens[at - 1].sort == "line" or self.keys[at - 1] in {",", ";"}
        if not begins or at + 1 == len(self.tokens) or ">" in self.keys[at]:
            return False
        unit = self.keys[at + 1] in KIND_LETTERS or self._name_at(at + 1)[0] > 0
        return unit and all(word.role != "build" for word in self.words)

    def _match_word(self, at: int) -> int:  # noqa: PLR0911 - one return a kind of word
        key = self.keys[at]
        if (self.closed or key in SHORT) and (size := self._short_at(at, key)):
            return size
        army = self._describes_army(at)
        if army or (key not in self.exonyms.naming and key not in self.defined):
            return self._match_phrase(at, *((0, "") if army else self._phrase_at(at)))
        name, places = self._name_at(at)
        if name and self._has_kind_behind(at + name):  # `Par A`
            kind = "army" if self.tokens[at + name].text == "A" else "fleet"
            self.words.append(Word(kind, at, at + name, strict=True))
            return self._add(Word("name", at, at + name, places=places))
        if name and (begun := self._own_instead(at, places)):
            return self._add(Word("name", at, at + name - 1, places=begun, guessed=GUESS))
        phrase, role = self._phrase_at(at)
        power_size, power = self._power_at(at)
        if power and power_size == name and not (phrase or self._is_own(places)):
            built = not self.world.sites.isdisjoint(places) and self.words[-1:]
            inside = built and built[0].role in {"in", "at"}  # `une armée en Libye`
            name = 0 if key in self.exonyms.places and not inside else name
        if power and (power_size > max(name, phrase) or self._is_owner(at + power_size)):
            return self._add(Word("power", at, at + power_size - 1, owner=power))
        if name and (name > phrase or self._is_name(at, name, role)):
            return self._add(Word("name", at, at + name - 1, places=places))
        if power and power_size > name and power_size >= phrase:
            return self._add(Word("power", at, at + power_size - 1, owner=power))
        size, short = self.short.longest(self.keys, at)
        if size >= phrase and short and self._is_strict(at, size, short):
            return self._add(Word(short, at, at + size - 1, strict=True))
        return self._match_phrase(at, phrase, role)

    def _short_at(self, at: int, key: str) -> int:
        """Match letters of other judges, and the owner of a unit in brackets."""
        size = self._carrier_at(at) if key in CARRIES else 0
        size = size or (self._owner_at(at) if self.closed else 0)
        size = size or (self._coast_before(at) if key in SHORT_COASTS else 0)
        return size or (self._glued_verb(at) if key in WITH_KIND else 0)

    def _own_instead(self, at: int, places: tuple[Province, ...]) -> tuple[Province, ...]:
        """Return where the own unit is that a shortened name means where none stands.

        `A Gal` is in Pays de Galles if no army is in Galicia.
        """
        kind = self.words[-1].role if self.words and self.words[-1].strict else ""
        if kind not in KINDS or self.world.kind is not PhaseKind.MOVEMENT:
            return ()
        empty = self.world.standing.keys().isdisjoint(places)
        return self._begun(self.keys[at], kind) if empty else ()

    def _describes_army(self, at: int) -> bool:
        """Return whether a name says where an army is: `my Norwegian army` is at no sea."""
        named = self.spoken.places.get(self.keys[at])
        army = named is not None and self._phrase_at(at + 1)[1] == "army"
        return army and self._is_own(self.world.names.meaning(named or ""))

    def _match_phrase(self, at: int, phrase: int, role: str) -> int:
        """Match a phrase of a language, or what is none."""
        if not phrase:
            return self._match_rare(at)
        if role in DICTATED:
            return self._add(Word("break", at, at + phrase - 1, strength=DICTATED[role]))
        kind = self.words[-1].role if self.words and self.words[-1].strict else ""
        follows = kind in KINDS and self._acts(at + 1)
        if follows and (begun := self._begun(self.keys[at], kind)):  # `A Wie - Gal`
            return self._add(Word("name", at, at, places=begun))
        return self._add(Word(role, at, at + phrase - 1))

    def _has_kind_behind(self, at: int) -> bool:
        """Return whether only the letter of a kind is behind the name of a home."""
        if self.world.kind is not PhaseKind.ADJUSTMENTS:
            return False
        letter = at < len(self.tokens) and self.tokens[at].text in {"A", "F"}
        kinds = self.words and self.words[-1].role in KINDS
        return letter and not kinds and self._ends(at + 1)

    def _match_rare(self, at: int) -> int:  # noqa: PLR0911 - one return a kind of word
        """Match an adjective of a place, part of a name, a number, a compound or a misspelling."""
        key, names = self.keys[at], self.world.names
        named = self.spoken.places.get(key) or (
            self.spoken.places.get(key[:-1]) if key.endswith(ADJECTIVE_ENDINGS) else None
        )
        if named and (places := names.meaning(named)):
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
        elided = key[1:] if key[0] in "ld" else ""  # `lukraine`
        of_place = key.removesuffix("s")  # `Münchens Angriff`
        long = len(key) > GENITIVE_LETTERS_MIN
        if long and (places := names.meaning(elided) or names.meaning(of_place)):
            return self._add(Word("name", at, at, places=places))
        if split := self._compound(key):
            self.words.append(Word("adjective", at, at, places=split[0]))
            return self._add(Word(split[1], at, at))
        if glued := self._glued(key):
            self.words.append(Word(glued[0], at, at, strict=True))
            return self._add(Word("name", at, at, places=glued[1]))
        if role := self.spoken.inflected(key):
            return self._add(Word(role, at, at))
        return self._unknown(at)

    def _is_greeted(self, at: int) -> bool:
        """Return whether somebody is addressed *at* an index: `Dear Peter`, and not Petersburg."""
        if at == 0:
            return self.keys[1:2] == [","] or self.tokens[1:2] == [] or self._is_sign(1)
        before = self.words[-1] if self.words else None
        greets = before is not None and self.keys[before.last] in GREETINGS
        return greets and self.tokens[at].text[0].isupper()

    def _is_sign(self, at: int) -> bool:
        return self.tokens[at].sort in {"dash", "line"}

    def _begins_item(self, at: int) -> bool:
        if len(self.keys[at]) > ITEM_DIGITS_MAX:
            return False  # `the spring of 1902.`
        return starts_sentence(self.words) or self.text[self.tokens[at].start - 1] == " "

    def _is_strict(self, at: int, size: int, role: str) -> bool:  # noqa: C901, PLR0911 - one return a kind of word
        """Return whether a short word of notation is one here: `A Par H`, not `a fleet`."""
        before = self.words[-1] if self.words else None
        after = at + size
        follows = after < len(self.keys) and self._name_at(after)[0] > 0
        if role in {"army", "fleet"}:
            begun = after < len(self.keys) and self.tokens[after].sort == "word"
            acts = self._acts(after + 1) or self._phrase_at(after + 1)[1] in VERBS
            if begun and len(self.keys[after]) >= BEGUN_LETTERS_MIN and acts:
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
        alone = role in {"hold", "disband"} and len(self.words) > 1
        if alone and before is not None and before.role == "dash":  # `A Ven - H`
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
            chooses = self.keys[at - 1 : at] in (["or"], ["else"], ["otherwise"])
            return behind_name or retreats or chooses or starts_sentence(self.words)
        return role == "waive" and self._is_alone(at) and self.world.kind is PhaseKind.ADJUSTMENTS

    def _is_alone(self, at: int) -> bool:
        behind = at + 2 if self.keys[at + 1 : at + 2] == ["."] else at + 1  # but `W. Wittkop`
        return starts_sentence(self.words) and self._ends(behind)

    def _carrier_at(self, at: int) -> int:
        return self._add(Word("convoy", at, at, strict=True)) if self._carries(at) else 0

    def _carries(self, at: int) -> bool:
        """Return whether a letter of another judge convoys: `F Nth f A Lon-Bel`."""
        words, behind = self.words[-2:], self.tokens[at + 1 : at + 2]
        fleet = len(words) > 1 and words[0].role == "fleet" and words[1].role == "name"
        if not (fleet and words[0].strict and behind):
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
        if not opened and ")" not in self.keys[first + 1 : first + 1 + POWER_WORDS_MAX]:
            return 0
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
        verb = self.short.longest(self.keys, at)[1] in VERBS
        helps = verb and bool(self.words) and self.words[-1].role == "name"
        return helps or not self.tokens[at].text.isupper() or not self.items <= letters.keys()

    def _coast_before(self, at: int) -> int:
        """Match the short name of a coast before its place: `to NC Spain`."""
        goes = bool(self.words) and self.words[-1].role in {"dash", "to"}
        if not goes or at + 1 == len(self.keys) or self._name_at(at)[0]:
            return 0
        places = self._name_at(at + 1)[1]
        coasts = any(map(self.world.board.coasts_of, places))
        return self._add(Word(self.keys[at], at, at)) if coasts else 0

    def _glued_verb(self, at: int) -> int:
        """Match a verb with the kind of the unit helped: `A Ber SA Mun-Sil`."""
        behind = at + 2 if self.keys[at + 1 : at + 2] == ["("] else at + 1
        named = behind < len(self.keys) and self._name_at(behind)[0] > 0
        if (
            not self.words
            or not named
            or not self.tokens[at].text.isupper()
            or self._name_at(at)[0]
        ):
            return 0
        self.words += [Word(role, at, at, strict=True) for role in WITH_KIND[self.keys[at]]]
        return 1

    def _glued(self, key: str) -> tuple[str, tuple[Province, ...]] | None:
        """Return the kind and place in one word, where such a unit is: `FAnk`."""
        kind = GLUED.get(key[0]) if len(key) >= GLUED_LETTERS_MIN else None
        places = self.world.names.meaning(key[1:]) if kind else ()
        if not kind or not places:
            return None
        standing = (self.world.standing.get(place) for place in places)
        fits = any(unit and unit.kind.value == key[0].upper() for unit in standing)
        built = not self.world.sites.isdisjoint(places)
        return (kind, places) if fits or built else None

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
