"""Read the words beside a name that only say which unit it is, and leave out other asides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from judge.reading.chunks import Chunk
from judge.reading.tokens import PAIR, SENTENCE, VERBS
from judge.reading.world import World

CLAUSE_MAX = 8  # words before a name
COMPARING = frozenset({"as", "wie", "comme", "zoals"})
RELATIVES = frozenset({"der", "die", "das", "that", "qui"})
HESITATING = frozenset({"uh", "um", "er", "erm", "hm", "hmm", "äh", "ähm", "öhm", "euh", "heu"})
FIRST, SECOND = "first", "second"
ORDINALS = frozenset({FIRST, SECOND})
ENDS = VERBS | {"break", "and", "supported_by", "convoyed_by", "fill"}
LISTED = frozenset({"np", "and", "fill"})
STANDS = frozenset({"", "in", "at", "of", "from"})
TELLING_PLACE = frozenset({"which", "hold", "be", "fill"})
IDENTIFYING = frozenset(
    {"is", "ist", "est", "c'", "that's", "it's", "there's", "here's", "habe", "have", "a", "ai"}
)
INDEFINITE = frozenset({"a", "an", "ein", "eine", "einen", "un", "une"})
TELLING_KIND = frozenset({"fill", "be", "hold", "why", "past", "which", "but"})
HAS, IT = frozenset({"a", "hat", "has"}), frozenset({"il", "elle", "er", "sie", "it"})


@dataclass(slots=True)
class Appositions:
    """Finds which units the words beside their names mean, in *chunks* of a *text*."""

    text: str
    world: World
    chunks: list[Chunk]

    def _settle_apposition(self, at: int) -> None:
        """Read what stands beside the word *at* an index as part of it."""
        chunk = self.chunks[at]
        if chunk.key in COMPARING:
            self._leave_out_aside(at)
        if chunk.key == "(":
            self._leave_out_name(at)
        if chunk.has_kind and at:
            self._leave_out_kind(at)
        if chunk.places:
            self._name_again(at)
        elif chunk.has_kind:
            self._take_place(at)
        if (chunk.plural or chunk.number or chunk.quantity == "both") and not chunk.places:
            self._take_list(at)

    def _leave_out(self, chunks: Iterable[Chunk]) -> None:
        for each in chunks:
            each.role, each.strength, each.guessed, each.pronoun = "fill", 0.0, 0, ""
            each.places, each.units, each.has_kind = (), (), False

    def _take_place(self, at: int) -> None:
        """Read where a unit is from a clause: `my army, which waits in Wales, goes to London`."""
        begin = at + 1 + len([*takewhile(lambda each: each.role == "fill", self.chunks[at + 1 :])])
        comma = [each.key for each in self.chunks[begin : begin + 1]] == [","]
        first = begin + 1 if comma else at + 1
        clause = list(takewhile(lambda each: each.role in TELLING_PLACE, self.chunks[first:]))
        end = first + len(clause)
        places = self.chunks[end : end + 1]
        relative = clause and (clause[0].role == "which" or clause[0].key in RELATIVES)
        named = comma and any(each.pronoun == "one" for each in places)  # `, the one in Wales,`
        if not (relative or named) or not any(
            each.units and each.prep in {"", "at", "in"} for each in places
        ):
            return
        said = [*takewhile(lambda each: each.role in TELLING_PLACE, self.chunks[end + 1 :])]
        closes = end + 1 + len(said)
        if comma and [each.key for each in self.chunks[closes : closes + 1]] != [","]:
            return
        self.chunks[at].places, self.chunks[at].units = places[0].places, places[0].units
        last = closes + 1 if comma else closes
        self._leave_out(self.chunks[at + 1 : last])

    def _leave_out_kind(self, at: int) -> None:
        """Take no notice of what only tells of a kind: `Munich. That's an army, it goes ...`."""
        chunk = self.chunks[at]
        if self.text[chunk.start : chunk.end].casefold().split()[0] not in INDEFINITE:
            return
        above = reversed(self.chunks[max(at - CLAUSE_MAX, 0) : at])
        told = takewhile(lambda c: c.role in TELLING_KIND or (c.pronoun and not c.prep), above)
        clause = list(told)
        begin = at - len(clause)
        named = [c for c in self.chunks[max(begin - PAIR, 0) : begin] if c.role != "break"]
        units = named[-1].units if named and named[-1].places else ()
        tells = any(c.role in {"be", "hold"} or c.key in IDENTIFYING for c in clause)
        known = tells and not chunk.places and [unit.kind for unit in units] == [chunk.kind]
        owns = [c.key in IT for c in clause if c.key in HAS | IT]
        has = owns[:PAIR] == [False, True]
        if known or has:  # `mais il a une flotte en mer Noire`
            place = [c for c in self.chunks[at + 1 : at + 2] if has and c.prep in {"in", "at"}]
            self._leave_out((*clause, chunk, *place))

    def _take_list(self, at: int) -> None:
        """Read which units several are: `both fleets convoy it, the one in A and the one in B`."""
        head, behind = self.chunks[at], self.chunks[at + 1 :]
        clause = [*takewhile(lambda c: c.role != "np" and c.strength < SENTENCE, behind)]
        listed = [*takewhile(lambda c: c.role in LISTED or c.key == ",", behind[len(clause) :])]
        named = [c for c in listed if c.role == "np"]
        colon = next((c.key for c in reversed(clause) if c.role != "fill"), "")
        ends = listed and listed[-1].role != "np"  # `both hold, Paris and London support`
        after = behind[len(clause) + len(listed) : len(clause) + len(listed) + 1]
        ends = ends or all(c.role == "break" for c in after)
        acts = any(c.role not in {"fill", "break"} for c in clause)
        count = PAIR if head.quantity == "both" else head.number or len(named)
        heads = after[:1] != [] and after[0].key == ":"  # `the two fleets, A and B: the first ...`
        if (
            heads
            or colon not in {",", ":", "("}
            or (acts and not ends)
            or len(named) != max(count, PAIR)
        ):
            return
        if all(
            len(c.units) == 1 and c.prep in STANDS and head.kind in (None, c.units[0].kind)
            for c in named
        ):
            head.units = tuple(c.units[0] for c in named)
            whole = [*clause, *listed, *after] if not acts else listed
            breaks = (c for c in whole if c.role == "break" and c.strength < SENTENCE)
            self._leave_out([*named, *breaks])

    def _name_again(self, at: int) -> None:
        """Leave out a name that is said again: `berlin uh berlin`, `in breast sorry Brest`."""
        chunk, above = self.chunks[at], reversed(self.chunks[max(at - CLAUSE_MAX, 0) : at])
        between = [*takewhile(lambda c: c.role in {"fill", "fix"} or c.key == ",", above)]
        first = self.chunks[at - len(between) - 1]
        fixes = any(c.role == "fix" for c in between)
        same = set(chunk.places) <= set(first.places) and first.prep not in {"to", "at", "on"}
        hesitates = any(c.key in HESITATING for c in between)
        same = same and (hesitates or (fixes and not chunk.has_kind))
        slip = fixes and first.guessed and not chunk.guessed
        if first.places and chunk.prep in {"", first.prep} and (same or slip):
            chunk.prep, chunk.start = first.prep, first.start
            chunk.has_kind, chunk.kind = first.has_kind or chunk.has_kind, first.kind or chunk.kind
            self._leave_out((first, *between))

    def _leave_out_aside(self, at: int) -> None:
        """Take no notice of words between commas: `hilft, wie mit Ann vereinbart, der Armee`."""
        clause = list(takewhile(lambda each: each.role != "break", self.chunks[at:]))
        end = at + len(clause)
        commas = [each.key for each in (*self.chunks[at - 1 : at], *self.chunks[end : end + 1])]
        told = any(each.units or each.role in VERBS for each in clause)
        behind = self.chunks[end + 1 : end + 2]
        if (
            commas == [",", ","]
            and not told
            and any(c.role == "np" and not c.units for c in behind)
        ):
            self._leave_out(self.chunks[at - 1 : end + 1])

    def _leave_out_name(self, at: int) -> None:
        """Take no notice of somebody's name: `Trieste supports Budapest (Anna) to Serbia`."""
        bracket = self.chunks[at : at + 3]
        if [each.role for each in bracket[1:]] == ["word", "break"] and bracket[2].key == ")":
            self._leave_out(bracket)


def name_ordinals(chunks: Sequence[Chunk]) -> None:
    """Turn `the first` and `the second` into the units of the list before them, or into fill."""
    if ORDINALS.isdisjoint([chunk.role for chunk in chunks]):
        return
    listed: list[Chunk] = []
    meant: list[Chunk] = []  # the list of which the first was named
    for at, chunk in enumerate(chunks):
        if chunk.role in ORDINALS:
            ends = at + 1 == len(chunks) or chunks[at + 1].role in ENDS
            meant = listed if chunk.role == FIRST or not meant else meant
            if len(meant) >= len(ORDINALS) and (ends or chunks[at + 1].prep == "by"):
                named = meant[int(chunk.role == SECOND)]
                chunk.role, chunk.places, chunk.units = "np", named.places, named.units
                chunk.kind, chunk.has_kind = named.kind, named.has_kind
            else:
                chunk.role = "fill"
        elif chunk.role == "np" and chunk.units and chunk.places and not chunk.prep:
            before = [each for each in chunks[max(at - 3, 0) : at] if each.role == "np"]
            joined = at and (chunks[at - 1].role == "and" or chunks[at - 1].key == ",")
            goes_on = bool(listed) and bool(before) and before[-1] is listed[-1] and joined
            listed = [*listed, chunk] if goes_on else [chunk]
