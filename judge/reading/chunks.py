"""Join the words of a text into chunks: noun phrases, verbs, marks and breaks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from judge.reading.coasts import coast_at
from judge.reading.matching import Matcher
from judge.reading.tokens import GUESS, NUMBERS, PREPOSITIONS, SENTENCE, VERBS, Token, Word
from judge.reading.world import World
from judge.rules.types import PhaseKind, Power, Province, Unit, UnitKind

KINDS = {
    "army": (UnitKind.ARMY, False), "armies": (UnitKind.ARMY, True),
    "fleet": (UnitKind.FLEET, False), "fleets": (UnitKind.FLEET, True),
    "unit": (None, False), "units": (None, True),
}  # fmt: skip  # fmt: skip
QUANTITIES = frozenset({"both", "all", "rest", "other"})
PRONOUNS = frozenset({"it", "one", "its_place", "there"})
PASSIVES = frozenset({"supported_by", "convoyed_by"})
BEFORE_NOUNS = frozenset({"det", "det_other", "number", "of", "nc", "sc", "ec", "wc", *QUANTITIES})
FILLING = PREPOSITIONS | {"det", "number", "adjective", "other", "dash", "want"}
ROLES_ALONE = {**dict.fromkeys(FILLING, "fill"), "det_other": "third"}  # in no noun phrase
DONE = VERBS | {"dash", "to"}
BEGINNING_NOUNS = (
    PREPOSITIONS | BEFORE_NOUNS | PRONOUNS | KINDS.keys() | {"dash", "power", "adjective", "name"}
)
OWNED = frozenset({"army", "fleet", "name", "armies", "fleets"})
CALLS = frozenset({"wait", "attends", "moment"})
STANDING = frozenset({"in", "at", "from", "of"})
COASTS_BEFORE = {"nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC"}


@dataclass(slots=True)
class Chunk:
    """A piece of text: what it does (*role*), and for noun phrases what they may mean.

    *role* is `np`, a verb, a passive, a mark, `break`, `and`, `but`, `word` for unknown words or
    `fill`. *places* are the provinces named, *units* the writer's own units that it may mean.
    *strength* is that of a break; *guessed* says that a name was misspelled, *headed* whose name
    stands above, as in `FRANCE: A Par-Bur`, *article* that the kind is an `a` that may be none.
    """

    role: str
    start: int
    end: int
    key: str = ""
    sentence: int = 0
    quoted: bool = False
    strength: float = 0.0
    strict: bool = False
    prep: str = ""
    kind: UnitKind | None = None
    has_kind: bool = False
    plural: bool = False
    quantity: str = ""
    number: int = 0
    pronoun: str = ""
    places: tuple[Province, ...] = ()
    coast: str = ""
    units: tuple[Unit, ...] = ()
    owner: Power | None = None
    headed: Power | None = None
    foreign: bool = False
    guessed: int = 0
    article: bool = False

    @property
    def stands(self) -> bool:
        """Return whether this may say where a unit stands: `the army quartered at Munich`."""
        return self.prep in STANDING or self.key == "at"

    @property
    def sites(self) -> tuple[Province, ...]:
        """Return where the unit is that this names, also the only one of a kind: `my fleet`."""
        only = self.units if self.has_kind and len(self.units) == 1 else ()
        return self.places or tuple(unit.province for unit in only)

    @property
    def relative(self) -> bool:
        """Return whether a relative clause begins here: `which holds`, `which stands`."""
        return self.role == "which" or (self.role == "hold" and self.key in {"which", "that"})


def chunks_of(sentence: int, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Return those of *chunks* that are in one *sentence*."""
    number = attrgetter("sentence")
    first = bisect_left(chunks, sentence, key=number)
    return chunks[first : bisect_right(chunks, sentence, first, key=number)]


def sentence_ends(chunks: Sequence[Chunk]) -> list[int]:
    """Return the indices behind the breaks that end sentences."""
    return [at for at, chunk in enumerate(chunks, 1) if chunk.strength >= SENTENCE]


@dataclass(slots=True)
class Chunker:
    """Joins the words of one *text* on the board of *world*."""

    text: str
    world: World
    tokens: list[Token] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)  # of the words, and "" behind the last one
    chunks: list[Chunk] = field(default_factory=list)

    def run(self) -> list[Chunk]:
        """Return the chunks of the text."""
        matcher = Matcher(self.text, self.world)
        matcher.run()
        self.tokens, self.words = matcher.tokens, matcher.words
        self.roles = [*[word.role for word in self.words], "", "", ""]
        self._build()
        return self.chunks

    def _build(self) -> None:
        """Join words into noun phrases and other chunks."""
        at, quoted, sentence, tokens = 0, False, 0, self.tokens
        roles_alone = ROLES_ALONE
        if self.world.kind is PhaseKind.ADJUSTMENTS:
            roles_alone = {**ROLES_ALONE, "want": "fill" if self.world.due < 0 else "build"}
        while at < len(self.words):
            word, role = self.words[at], self.roles[at]
            if role == "quote":
                quoted = not quoted
                at += 1
                continue
            first = tokens[word.first]
            found = None
            if role in BEGINNING_NOUNS:
                start = Chunk(
                    "np", first.start, tokens[word.last].end, first.key, sentence, quoted
                )
                found = self._noun_phrase(start, at)
            if found:
                chunk, at = found
            else:
                chunk = Chunk(
                    *(roles_alone.get(role, role), first.start, tokens[word.last].end, first.key),
                    *(sentence, quoted, word.strength, word.strict),
                    role if role in PREPOSITIONS else "",
                )
                chunk.owner, chunk.guessed = word.owner, word.guessed
                at += 1
            if chunk.role == "hold" and chunk.key in CALLS and self._stands_alone(at - 1):
                chunk.role = "fix"
            if chunk.strength >= SENTENCE:
                sentence += 1
            self.chunks.append(chunk)

    def _stands_alone(self, at: int) -> bool:
        before = at == 0 or self.roles[at - 1] in {"break", "fix"}
        return before and self.roles[at + 1] in {"break", "name", "not"}  # `wait ven is busy`

    def _noun_phrase(self, chunk: Chunk, at: int) -> tuple[Chunk, int] | None:  # noqa: PLR0911 - one return a form
        """Fill *chunk* as a noun phrase *at* a word, and return it and the index behind it."""
        start, at = at, self._determiners(chunk, at)
        role = self.roles[at]
        if role in PRONOUNS:
            chunk.pronoun = role
            at += 1
            return self._finish(chunk, self._with_place(chunk, at) if role == "one" else at)
        if role == "adjective":
            behind = self.roles[at + 1]
            chunk.places, chunk.guessed = self.words[at].places, self.words[at].guessed
            if behind not in KINDS:
                return self._finish(chunk, at + 1) if at == start or chunk.prep else None
            at, role = at + 1, behind
        if role in KINDS:
            return self._with_kind(chunk, at)
        if role == "name":
            return self._with_name(chunk, at)
        if role == "word" and at > start and chunk.prep and self._describes(at):
            return self._with_name(chunk, at + 1)
        if role == "word" and chunk.prep and self._named_again(chunk, at + 1) > at + 1:
            return self._finish(chunk, at + 4)  # `- SMe (Schwarzes Meer)`
        return self._finish(chunk, at) if chunk.quantity else None

    def _determiners(self, chunk: Chunk, at: int) -> int:
        """Read prepositions, articles, numbers and owners, and return the index behind them."""
        role = self.roles[at]
        while role in PREPOSITIONS or role == "dash":
            chunk.strict = role == "dash"
            chunk.prep = "to" if chunk.strict else role
            at += 1
            role = self.roles[at]
        while role in BEFORE_NOUNS:
            if role == "det_other":
                chunk.foreign = True
            elif role == "number":
                chunk.number = NUMBERS[self.tokens[self.words[at].first].key]
            elif role in QUANTITIES:
                chunk.quantity = role
            elif role in COASTS_BEFORE:
                chunk.coast = COASTS_BEFORE[role]
            at += 1
            role = self.roles[at]
        if role == "power" and self.roles[at + 1] in OWNED and not self.words[at + 1].guessed:
            chunk.owner = self.words[at].owner
            own = chunk.prep == "for" and chunk.owner == self.world.power
            chunk.prep = "" if own else chunk.prep  # `For Austria Budapest attacks`
            at += 1
        return at

    def _with_kind(self, chunk: Chunk, at: int) -> tuple[Chunk, int]:
        word = self.words[at]
        chunk.kind, chunk.plural = KINDS[word.role]
        chunk.has_kind, chunk.strict = True, word.strict or chunk.strict
        chunk.article = self.tokens[word.first].text == "a"
        at += 1
        if self.roles[at] == "power" and self._is_adjective(self.words[at]):
            chunk.owner = self.words[at].owner
            at += 1
        if not chunk.places:
            at = self._with_place(chunk, at)
        if not chunk.places and self.world.kind is PhaseKind.ADJUSTMENTS:
            at = self._lone_coast(chunk, at)
        unread = word.strict and self.roles[at] == "word" and not chunk.places
        chunk.guessed = GUESS if unread else chunk.guessed
        return self._finish(chunk, at)

    def _describes(self, at: int) -> bool:
        """Return whether an unknown word says how a place is: `in das verlassene Tirol`."""
        aims = self.roles[at - 1] == "for"  # `pour protéger Rome`
        return not aims and self.roles[at + 1] == "name" and self._is_adjective(self.words[at])

    def _is_adjective(self, word: Word) -> bool:
        """Return whether a word is in small letters: `l'armée italienne du Tyrol`."""
        return self.tokens[word.first].text[0].islower()

    def _with_name(self, chunk: Chunk, at: int) -> tuple[Chunk, int]:
        word = self.words[at]
        chunk.places, chunk.guessed = word.places, word.guessed
        chunk.end = self.tokens[word.last].end
        at = self._coast(chunk, self._named_again(chunk, at + 1))
        opens = self.roles[at] == "break" == self.roles[at + 2] and self.roles[at + 1] in KINDS
        opens = opens and self.tokens[self.words[at].first].key == "("  # `Kiel (fleet)`
        at += opens
        behind = self.roles[at]
        if behind == "word" and self.tokens[word.last].possessive:
            chunk.guessed = GUESS  # `the Channel's doorstep` is not the Channel
        if behind in KINDS and self._stands(chunk, behind):
            strict = self.words[at].strict  # `Mun A S Ber`
            if not strict or self.roles[at + 1] in DONE:
                chunk.kind, chunk.plural = KINDS[behind]
                chunk.has_kind = True
                return self._finish(chunk, at + 1 + opens)
        return self._finish(chunk, at - opens)

    def _named_again(self, chunk: Chunk, at: int) -> int:
        """Read which place is meant, in brackets: `the Atlantic (MAO)`."""
        if self.roles[at : at + 3] != ["break", "name", "break"]:
            return at
        words = self.words[at : at + 3]
        places, sign = words[1].places, self.tokens[words[0].first].key
        anew = chunk.guessed or not chunk.places or set(places) < set(chunk.places)
        if sign != "(" or not anew:
            return at
        chunk.places, chunk.guessed = places, 0
        chunk.end = self.tokens[words[2].last].end
        return at + 3

    def _finish(self, chunk: Chunk, at: int) -> tuple[Chunk, int]:
        chunk.end = max(chunk.end, self.tokens[self.words[at - 1].last].end)
        self._settle(chunk)
        return chunk, at

    def _stands(self, chunk: Chunk, role: str) -> bool:
        kind = KINDS[role][0]
        if self.world.kind is PhaseKind.ADJUSTMENTS and any(
            p in self.world.sites for p in chunk.places
        ):
            return True
        return any(
            (unit := self._unit_at(place)) is not None and kind in (None, unit.kind)
            for place in chunk.places
        )

    def _unit_at(self, place: Province) -> Unit | None:
        return self.world.own.get(place) or self.world.standing.get(place)

    def _with_place(self, chunk: Chunk, at: int) -> int:
        """Add the place behind a kind: `army in Paris`, `fleet London`, `A(con)`."""
        words, begin = self.words, at
        joined = False
        opened = self.roles[at] == "break" and self.tokens[words[at].first].key in {"(", "|"}
        at += opened
        while self.roles[at] in {"of", "in", "from", "at", "det", "on"}:
            joined = joined or self.roles[at] != "det"
            at += 1
        if self.roles[at] not in {"name", "adjective"}:
            return begin
        name = words[at]
        builds = self.world.kind is PhaseKind.ADJUSTMENTS and any(
            p in self.world.sites for p in name.places
        )
        stands = builds or any(
            (unit := self._unit_at(place)) is not None and chunk.kind in (None, unit.kind)
            for place in name.places
        )
        moves = self.roles[at + 1] == "dash"
        named = at == begin and not chunk.plural  # `fleet North Sea`, and none is there
        if not stands and (joined or not (chunk.strict or moves or named)):
            return begin
        chunk.places, chunk.guessed = name.places, name.guessed
        at = self._coast(chunk, at + 1)
        if opened and self.roles[at] == "break" and self.tokens[words[at].first].key == ")":
            at = self._coast(chunk, at + 1)
        return at

    def _lone_coast(self, chunk: Chunk, at: int) -> int:
        """Add a coast behind a kind: `a fleet on the north coast`."""
        after = self._read_coast(chunk, at)
        return after if chunk.coast else at

    def _coast(self, chunk: Chunk, at: int) -> int:
        """Add the coast behind a place, and return the index of the word behind it."""
        board = self.world.board
        bracketed = at < len(self.words) and self.words[at].strict  # `StP (S) F Swe`
        if bracketed or not any(board.places[place].coasts for place in chunk.places):
            return at
        return self._read_coast(chunk, at)

    def _read_coast(self, chunk: Chunk, at: int) -> int:
        begin = self.tokens[self.words[at - 1].last].end
        if at - 1 < len(self.words) and begin < chunk.end:
            begin = chunk.end
        coasts = self.world.names.coasts
        named = {word: coast for p in chunk.places for word, coast in coasts.get(p, {}).items()}
        found = coast_at(self.text, begin, named)
        if not found:
            return at
        chunk.coast, chunk.end = found
        while at < len(self.words) and self.tokens[self.words[at].first].start < chunk.end:
            at += 1
        return at

    def _settle(self, chunk: Chunk) -> None:
        """Find the writer's own units that *chunk* may mean."""
        own = self.world.own
        if chunk.owner not in (None, self.world.power):
            return
        if chunk.places:
            chunk.units = tuple(
                own[place]
                for place in chunk.places
                if place in own and chunk.kind in (None, own[place].kind)
            )
        elif chunk.has_kind:
            chunk.units = tuple(unit for unit in own.values() if chunk.kind in (None, unit.kind))
        elif chunk.quantity in {"all", "both"}:
            chunk.units = tuple(own.values())
