"""A segment of text with the costs of what it may mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile

from judge.reading.chunks import PASSIVES, Chunk
from judge.reading.policy import CANNOT_HELP
from judge.reading.tokens import VERBS
from judge.reading.world import BY_CONVOY, FAR, World
from judge.rules.types import Province, Unit, UnitKind

NOUN_PHRASES_MAX = 6
SUBJECT = {
    "for": 1.0, "": 0.0, "from": 0.05, "with": 0.1, "of": 0.1, "in": 0.2,
    "at": 0.3, "by": 0.3, "on": 2.0, "to": 4.0, "via": 5.0,
}  # fmt: skip
AGENT = {
    "for": 2.0, "by": 0.0, "from": 0.1, "with": 0.1, "via": 0.1, "of": 0.2,
    "": 0.3, "in": 0.3, "on": 0.3, "at": 0.4, "to": 4.0,
}  # fmt: skip
TARGET = {"for": 0.3, "to": 0.0, "at": 0.1, "on": 0.4, "": 0.5, "in": 0.9, "of": 3.0}
OBJECT = {
    "for": 0.2, "": 0.0, "of": 0.1, "from": 0.3, "in": 0.3,
    "on": 0.2, "with": 0.5, "at": 0.6, "to": 1.0,
}  # fmt: skip
CARRYING = frozenset({"via", "by", "with", "on", "from"})  # before fleets
OTHER_PREPOSITION = 5.0
NOTED = frozenset({"third", "respectively", "fix", "weak_fix", "mutual", "power", "report"})
NOT_OWN = 4.0
STRANGER = 0.6  # a unit that notation names and the writer does not have
PLAIN = frozenset({"np", "break", "fill", "and", "dash", "sea"}) | VERBS  # roles in notation
PLAIN_PREPS = frozenset({"", "to", "via", "by"})
WITHOUT_VERB = 0.25
WITHOUT_SUBJECT = 0.45
SECOND_VERB = 0.5
OTHER_VERB = 1.05
UNEXPLAINED = 0.5  # `each other`
UNKNOWN_WORD, UNKNOWN_MAX = 0.12, 0.6
OUT_OF_ORDER = 0.3
LEFT_OWN, LEFT_PLACE, LEFT_KIND, LEFT_OTHER = 2.5, 1.0, 0.9, 0.25
IN_NOTATION = 0.5  # of the cost of what is impossible: notation may say so
ALSO = frozenset({"also", "too", "auch", "aussi", "ook", "ainsi"})  # `Denmark holds, Kiel too`
ALIKE = 1e-6  # costs that differ by less are the same: the first explanation counts
LEFT_HEADING = 0.3
WHERE = frozenset({"in", "at"})
LISTING = frozenset({"np", "and", "fill", "break"})
LEFT_TARGET = 2.0  # behind `to` or a dash
DASHES = frozenset({"-", "\u2013", "\u2014", "->"})
AGENTS = frozenset({"by", "from", "of", "with"})
BARE = frozenset({"support", "help", "convoy", "attack", "move"})
LETTING = frozenset({"lässt", "lassen"})
LOST_PLACE = 1.3  # an unknown word behind `to`
NOTATION_VERBS = frozenset(
    {
        *("hold", "holds", "support", "supports", "convoy", "convoys", "move", "moves", "retreat"),
        *("retreats", "disband", "build", "remove", "waive", "hält", "unterstützt", "tient"),
        *("soutient", "stand", "stands"),
    }
)

WANTING = frozenset({"will", "i", "i'd", "i'm", "ich", "je", "j'"})
PERSONS = frozenset({"he", "she", "they"})


@dataclass(slots=True)
class Frame:
    """The meaning of a segment: *sort*, roles and cost.

    *subjects* is empty if the text leaves them out. *object* is the unit helped, *target* the
    place. *by_sea* are fleets that carry an army, *route* the seas on its way, *refers* that the
    object is said before, *holds* that the unit helped is said to hold. *other* is another place
    listed for the one unit that moves.
    """

    sort: str
    cost: float
    subjects: tuple[Chunk, ...] = ()
    object: Chunk | None = None
    target: Chunk | None = None
    targets: tuple[Chunk, ...] = ()
    by_sea: tuple[Chunk, ...] = ()
    route: tuple[Chunk, ...] = ()
    refers: bool = False
    passive: bool = False
    strict: bool = False
    first: int = 0
    last: int = 0
    also_moves: bool = False
    holds: bool = False
    other: Chunk | None = None


@dataclass(slots=True)
class Segment:
    """The chunks of a segment, sorted by what they do."""

    world: World
    chunks: Sequence[Chunk]
    nouns: list[tuple[int, Chunk]] = field(init=False)
    verbs: list[tuple[int, Chunk]] = field(init=False)
    passives: list[tuple[int, Chunk]] = field(init=False)
    roles: set[str] = field(init=False)  # of the verbs
    noted: set[str] = field(init=False)  # roles of other words
    notation: bool = field(init=False)
    heading: bool = field(init=False)
    left: list[tuple[int, float]] = field(init=False)
    together: list[list[int]] = field(init=False)  # noun phrases that may be subjects
    own: dict[int, float] = field(init=False)
    members: list[tuple[list[int], float]] = field(init=False)
    excepted: list[Chunk] = field(default_factory=list)
    unknown: int = 0
    lost: int = 0
    passive: bool = False
    by_sea: bool = False
    also: bool = False
    limit: float = 0.0  # what an explanation must cost less than

    def __post_init__(self) -> None:  # noqa: C901, PLR0912 - one flat ladder of roles
        """Sort the chunks."""
        self.nouns, self.verbs, self.passives = nouns, verbs, passives = [], [], []
        self.roles, self.noted = set(), set()
        excepted: set[int] = set()  # `except` itself, and what is behind it
        for at, chunk in enumerate(self.chunks):
            role = chunk.role
            if role == "break":
                continue
            if role == "np":
                if excepted and self._is_excepted(at, excepted):
                    excepted.add(at)
                    self.excepted.append(chunk)
                else:
                    nouns.append((at, chunk))
            elif role in VERBS:
                self.roles.add(role)
                verbs.append((at, chunk))
            elif role in PASSIVES:
                passives.append((at, chunk))
            elif role == "word":
                self.unknown += 1
                behind_to = at > 0 and self.chunks[at - 1].prep == "to"
                self.lost += behind_to and all(c.prep != "to" for _, c in nouns)
            elif role == "except":
                excepted.add(at)
            elif role == "be":
                self.passive = True
            elif role == "fill" and chunk.key in DASHES and self._ends_behind(at):
                self.lost += 1  # `A Mar S A Par -`
            elif role == "sea" or (role == "fill" and chunk.prep == "via"):
                self.by_sea = True
            elif role in NOTED:
                self.noted.add(role)
            elif chunk.key in ALSO:
                self.also = True
        if self.passive and any(self._is_active(verb) for _, verb in verbs):
            self.passive = False
        self.notation = self._is_notation()
        self.heading = self._is_heading()
        self.left = [(at, self.left_out(at, chunk)) for at, chunk in nouns]
        self.together = [*self._runs()] if len(nouns) > 1 else []

    def _is_active(self, verb: Chunk) -> bool:
        """Return whether *verb* is active behind `is`: `will be supporting`, `is support him`."""
        agent = any(chunk.prep in AGENTS for _, chunk in self.nouns)
        return verb.key.endswith("ing") or (verb.key in BARE and not agent)

    def find_subjects(self) -> None:
        """Find the noun phrases that may be subjects, alone and together."""
        self.own = {at: self._subject_cost(at) for at, _ in self.nouns}
        self.members = [([at], cost) for at, cost in self.own.items()]
        self.members += [(run, max(map(self.own.__getitem__, run))) for run in self.together]

    def least_left(self) -> float:
        """Return what the noun phrases cost at least that a frame of movement leaves out.

        It has room for those of two roles, or three if a unit helps or carries another one.
        """
        if len(self.nouns) <= len(("subject", "target")) or "respectively" in self.noted:
            return 0.0
        left = dict(self.surely_left())
        helps = self.passives or not self.roles.isdisjoint({"support", "convoy"})
        roles = 3 if helps or self.brings or self.ferries else 2
        for first, *others in self.together:
            left[first] = left.get(first, 0.0) + sum(left.pop(at, 0.0) for at in others)
        return sum(sorted(left.values())[:-roles])

    def surely_left(self) -> Mapping[int, float]:
        """Return the costs of the noun phrases that a move leaves out if not at one end of it.

        Others may be on its way, or say again where it begins or ends.
        """
        if "follow" in self.roles or any(c.prep in CARRYING for _, c in self.nouns):
            return {}
        return {
            at: cost
            for (at, c), (_, cost) in zip(self.nouns, self.left, strict=True)
            if c.units and c.places and (not c.prep or (c.prep == "to" and not c.strict))
        }

    def _ends_behind(self, at: int) -> bool:
        """Return whether nothing is behind a dash, or no place behind that of a unit."""
        before, behind = self.chunks[at - 1], {chunk.role for chunk in self.chunks[at + 1 :]}
        unit = at > 0 and before.role == "np" and before.prep != "to"
        return behind <= ({"break", "fill", "word"} if unit else {"break"})

    def _is_excepted(self, at: int, excepted: Collection[int]) -> bool:
        """Return whether a unit is not among all: `all hold except Serbia and Greece`."""
        before = at - 1 if self.chunks[at - 1].role != "and" else at - 2
        if before not in excepted:
            return False
        said = (c for c in self.chunks[at + 1 :] if c.role != "fill" or c.prep)
        behind = islice(said, 1)  # but `all hold, except London to Wales`
        to = {"to", "at"}  # `sauf Naples en mer Tyrrhénienne`
        return not any((c.prep in to and not c.units) or c.role in VERBS for c in behind)

    @property
    def is_about_another(self) -> bool:
        """Return whether another power or person does what the verbs say."""
        above = takewhile(lambda each: each.role not in {"np", *VERBS}, self.chunks)
        if "third" in self.noted and any(each.key in PERSONS for each in above):
            return True
        if "power" not in self.noted:
            return False
        acts = [at for at, _ in self.verbs[:1]] or [
            at for at, c in enumerate(self.chunks) if c.role == "be"
        ]
        before = self.chunks[: acts[0]] if acts else ()
        return any(
            c.role == "power" and c.owner not in (self.world.power, c.headed) for c in before
        )

    @property
    def wants(self) -> bool:
        """Return whether the writer says what they want: `mit Kiel will ich nach Berlin`."""
        return any(chunk.key in WANTING for chunk in self.chunks)

    @property
    def fixes(self) -> bool:
        """Return whether words such as `no, wait` correct something."""
        return not self.noted.isdisjoint({"fix", "weak_fix"})

    @property
    def gives_reason(self) -> bool:
        """Return whether this explains an order: `because Russia is there`, `so he can't go`."""
        first, *others = self.chunks[:2]
        aims = first.role == "so" and any(c.role == "third" for c in others)
        return first.role == "why" or aims

    @property
    def only_names(self) -> bool:
        """Return whether no word but a name says anything."""
        return not (self.unknown or self.passive or self.verbs)

    @property
    def brings(self) -> bool:
        """Return whether a fleet at sea may carry an army: `F brings the army to Spain`."""
        if len(self.nouns) <= len(("fleet", "army")) or [each.role for _, each in self.verbs] != [
            "move"
        ]:
            return False
        subject, *others = (chunk for _, chunk in self.nouns)
        if any(chunk.key in LETTING for chunk in self.chunks):  # `lässt sich von ... bringen`
            others = [subject, *(each for each in others if each.prep not in AGENTS)]
            subject = next((each for _, each in self.nouns if each.prep in AGENTS), subject)
        carries = any(map(self.world.at_sea, subject.units))
        leads = any(each.prep == "to" for each in others)
        armies = (u.kind is UnitKind.ARMY for each in others if not each.prep for u in each.units)
        return carries and leads and (any(c.kind is UnitKind.ARMY for c in others) or any(armies))

    @property
    def ferries(self) -> bool:
        """Return whether a fleet at sea may carry what was said: `the Channel takes it over`."""
        if len(self.nouns) != len(("fleet", "it")) or [v.role for _, v in self.verbs] != ["move"]:
            return False
        subject, carried = (chunk for _, chunk in self.nouns)
        return carried.pronoun == "it" and any(map(self.world.at_sea, subject.units))

    def _is_notation(self) -> bool:
        """Return whether all words are those of notation: short verbs, dashes, kinds."""
        return (
            not self.unknown
            and all(verb.strict or verb.key in NOTATION_VERBS for _, verb in self.verbs)
            and (any(each.strict for _, each in (*self.nouns, *self.verbs)) or self._is_bare())
            and all(
                chunk.role in PLAIN or (chunk.role == "power" and chunk.owner == chunk.headed)
                for chunk in self.chunks
            )
            and all(chunk.places and chunk.prep in PLAIN_PREPS for _, chunk in self.nouns)
        )

    def _is_bare(self) -> bool:
        """Return whether only names and several verbs stand here: `mos support war move gal`."""
        said = all(c.role == "np" or c.role in VERBS for c in self.chunks)
        return said and len(self.verbs) > 1 and not any(c.prep for c in self.chunks)

    def is_strict(self, frame: Frame) -> bool:
        """Return whether *frame* is an order in notation, with nothing left out."""
        if not self.notation or self.lost or frame.sort == "talk" or frame.refers:
            return False
        parts = (
            *(*frame.subjects, *frame.targets, *frame.by_sea, *frame.route),
            *(frame.object, frame.target),
        )
        return all(any(chunk is part for part in parts) for _, chunk in self.nouns)

    def is_unit(self, at: int) -> bool:
        """Return whether a letter names a unit *at* an index, and no place to go to: `A Par`."""
        chunk = self.chunks[at]
        return chunk.has_kind and chunk.strict and not (chunk.prep or chunk.article)

    def _runs(self) -> Iterator[list[int]]:
        """Yield the noun phrases that may be subjects together."""
        run: list[int] = []
        for at, chunk in self.nouns:
            known = bool(chunk.units or not self.notation) and chunk.pronoun != "it"
            if run and known and self.joined(run[-1], at):
                run.append(at)
                continue
            if len(run) > 1:
                yield run
            run = [at]
        if len(run) > 1:
            yield run

    def left_out(self, at: int, chunk: Chunk, each_place: float = 1.0) -> float:
        """Return the cost of a frame without the noun phrase *at* an index."""
        if self.heading or (chunk.prep in WHERE and self._is_where(at)):
            return LEFT_HEADING
        if chunk.places:
            if chunk.units:
                return LEFT_OWN
            return each_place * (LEFT_TARGET if chunk.prep == "to" else LEFT_PLACE)
        if chunk.quantity in {"all", "rest"} and not chunk.prep:
            floats = at > 0 and bool(self.chunks[at - 1].units)  # `Kiel and Berlin all hold`
            heads = any(c.key == ":" for c in self.chunks[at + 1 : at + 2])
            return LEFT_HEADING if floats or heads or self._lists(at) else LEFT_OWN
        if chunk.has_kind:
            follows = self.chunks[at + 1].key if at + 1 < len(self.chunks) else ""
            heads = ":" in {follows, self.chunks[-1].key}
            return LEFT_OWN if chunk.plural and not heads else LEFT_KIND
        return LEFT_OTHER

    def _lists(self, at: int) -> bool:
        """Return whether a colon and units follow: `All in the north hold: Kiel and Berlin`."""
        colon = next((n for n, c in enumerate(self.chunks) if n > at and c.key == ":"), 0)
        listed = self.chunks[colon + 1 :]
        named = all(each.role in LISTING and not each.prep for each in listed)
        return colon > 0 and bool(listed) and named

    def _is_where(self, at: int) -> bool:
        """Return whether a sentence begins with where to look: `Im Mittelmeer greift Lyon ...`."""
        if at != self.nouns[0][0]:
            return False
        second, subject = self.nouns[1] if len(self.nouns) > 1 else self.nouns[0]
        verb = self.chunks[at + 1 : second]
        turned = all(each.role in VERBS for each in verb) and len(verb) <= 1
        return turned and second > at and bool(subject.units) and "support" not in self.roles

    def left_over(self, used: Collection[int]) -> float:
        """Return the cost of the noun phrases that a frame leaves out."""
        total = 0.0
        for at, cost in self.left:
            if at not in used:
                total += cost
        return total

    def _is_heading(self) -> bool:
        """Return whether this is a heading that lists units: `Kiel and Berlin:`."""
        if self.chunks[-1].key != ":":
            return False
        listed = self.chunks[:-1]
        several = len([c for c in listed if c.role == "np" and c.units]) > 1
        return several and all(c.role in LISTING for c in listed)

    def beside(self, role: str, free: frozenset[str] = frozenset()) -> float:
        """Return the cost of the words that a frame with verb *role* does not explain."""
        cost = min(UNKNOWN_WORD * self.unknown, UNKNOWN_MAX) + LOST_PLACE * self.lost
        if "mutual" in self.noted and role != "support":
            cost += UNEXPLAINED
        if role and self.passives:
            cost += sum(not each.role.startswith(role) for _, each in self.passives)
        latest: int | None = None
        for at, verb in self.verbs:
            if verb.role == role:
                cost += SECOND_VERB if latest is not None and at > latest + 1 else 0
                latest = at  # `is to remain / where it is` is one
            elif verb.role in free:
                cost += 0.1
            else:
                cost += OTHER_VERB
        return cost

    def rest(self, used: Collection[int], role: str, free: frozenset[str] = frozenset()) -> float:
        """Return the cost of all that a frame with verb *role* does not explain."""
        return self.left_over(used) + self.beside(role, free)

    def groups(self, costs: dict[str, float]) -> Iterator[tuple[list[int], float, float]]:
        """Yield the noun phrases that may be subjects together.

        With them are the costs of their preposition and of being the writer's own units.
        """
        for members, own in self.members:
            yield members, costs.get(self.chunks[members[0]].prep, OTHER_PREPOSITION), own

    def joined(self, first: int, second: int, preps: frozenset[str] = frozenset()) -> bool:
        """Return whether only `and` or a comma is between two noun phrases.

        The second may have one of *preps*: `with help from Kiel and of Denmark`.
        """
        one, two = self.chunks[first], self.chunks[second]
        places = one.plural and one.has_kind and two.units  # `the fleets in A and in B`
        if two.prep and not places and two.prep not in {one.prep, *preps}:
            return False
        if one.prep in {"to", "via"} and not two.prep and two.units:
            return False
        between = [c for c in self.chunks[first + 1 : second] if c.role != "fill"]
        return bool(between) and all(
            c.role == "and" or (c.role == "break" and c.strength <= 1 and c.key in {",", "/"})
            for c in between
        )

    def _subject_cost(self, at: int) -> float:  # noqa: PLR0911 - one return a way to name it
        """Return the cost of the noun phrase *at* an index ordering one of the writer's units."""
        chunk = self.chunks[at]
        several = chunk.plural or chunk.quantity
        if several and not chunk.places and self._leads(at):
            return NOT_OWN
        if chunk.foreign and not chunk.places:
            return NOT_OWN  # `his fleet can't help Rumania`
        if chunk.units:
            return 0.0
        if self.notation and chunk.places and not chunk.prep:
            return STRANGER
        if chunk.owner not in (None, self.world.power):
            return NOT_OWN
        if chunk.pronoun in {"it", "one"}:
            return 0.25
        if chunk.quantity:
            return 0.1
        return NOT_OWN

    def _leads(self, at: int) -> bool:
        """Return whether a list of units follows: `The two fleets: Portugal goes ...`."""
        colon = self.chunks[at + 1 : at + 2]
        named = any(n > at and c.units and c.places for n, c in self.nouns)
        return bool(colon) and colon[0].key == ":" and named

    def apart(self, first: int, second: int) -> bool:
        return any(
            c.role in {"and", "but"} for c in self.chunks[min(first, second) : max(first, second)]
        )

    def breaks(self, first: int, second: int) -> float:
        total, end = 0.0, max(first, second)
        for chunk in self.chunks[min(first, second) : end]:
            if chunk.role in {"break", "and"} and chunk.key not in {":", "|"}:
                total += 1.0
        return total

    def parts(self, first: int, second: int) -> bool:
        """Return whether a comma, a bracket or `and` parts a verb and what may be its object."""
        between = self.chunks[first + 1 : second]
        joins = bool(between) and between[-1].role == "and" and between[0].role != "np"
        return joins or any(c.role == "break" and c.key in {",", "(", ")"} for c in between)

    def standing_place(self, used: Collection[int], members: Sequence[int]) -> float:
        """Return what a phrase for the place where the one subject stands would cost as left over.

        Narrows the subject to the unit there.
        """
        if len(members) != 1 or self.chunks[members[0]].places:
            return 0.0
        subject = self.chunks[members[0]]
        for at, chunk in self.nouns:
            if at in used or not (chunk.stands and chunk.places) or chunk.has_kind:
                continue
            other = subject.quantity == "other" and not subject.has_kind
            if chunk.units and (other or any(unit in subject.units for unit in chunk.units)):
                return LEFT_OWN - 0.1
        return 0.0

    def reach(self, members: Sequence[int], target: Chunk) -> float:
        if not target.places:
            return 0.2
        cost = 0.0
        for at in members:
            units = self.chunks[at].units
            if not units:
                continue
            cost = max(
                cost,
                min(self.world.reach(unit, place) for unit in units for place in target.places),
            )
        if self.by_sea and cost == FAR:
            return BY_CONVOY
        return cost * IN_NOTATION if self.notation else cost

    def fleets(self, used: set[int], members: Sequence[int]) -> tuple[tuple[Chunk, ...], set[int]]:
        """Return the fleets that carry the subject: `by convoy over the North Sea`."""
        found: list[Chunk] = []
        at_: set[int] = set()
        for at, chunk in self.nouns if len(used) < len(self.nouns) else ():
            listed = chunk.prep == "" and any(self.joined(each, at) for each in at_)
            if at in used or not (listed or chunk.prep in CARRYING):
                continue
            units = [self.world.standing.get(place) for place in chunk.sites]
            if (
                (listed or chunk.prep in {"via", "by"})
                and chunk.places
                and any(self.world.board.places[p].terrain.value == "sea" for p in chunk.places)
            ) or (
                any(unit and self.world.at_sea(unit) for unit in units)
                and (chunk.has_kind or self.by_sea)
            ):
                found.append(chunk)
                at_.add(at)
        armies = [u for n in members for u in self.chunks[n].units if u.kind is UnitKind.ARMY]
        if members and not armies:
            return (), set()
        return tuple(found), at_

    def units_at(self, chunk: Chunk) -> list[Unit]:
        standing = (self.world.standing.get(place) for place in chunk.places)
        return [
            unit
            for unit in standing
            if unit and chunk.kind in (None, unit.kind) and chunk.owner in (None, unit.power)
        ]

    def tells_before(self, at: int) -> bool:
        """Return whether others, or what no word explains, stand before *at* an index."""
        return any(c.role in {"power", "third", "you", "word"} for c in self.chunks[:at])

    def pronouns(self, members: Sequence[int]) -> float:
        return sum(LEFT_OTHER for at, c in self.nouns if at not in members and c.pronoun == "it")

    def help_reach(self, members: Sequence[int], places: tuple[Province, ...]) -> float:
        cost = 0.0
        for at in members:
            for_each = [
                self.world.reach(unit, place) for unit in self.chunks[at].units for place in places
            ]
            if for_each:
                reach = min(for_each)
                cost = max(cost, 0.0 if reach == 0.0 else CANNOT_HELP)
        return cost * IN_NOTATION if self.notation else cost

    def runs(self, indices: Sequence[int]) -> Iterator[list[int]]:
        if not indices:
            return
        run = [indices[0]]
        for at in indices[1:]:
            if not self.joined(run[-1], at, AGENTS):
                break
            run.append(at)
        yield run
        if len(run) > 1:
            yield run[:1]

    def same_place(self, used: Collection[int], members: Sequence[int]) -> float:
        """Return what is left over for naming the place again: `Berlin stays in Berlin`."""
        subject = self.chunks[members[0]]
        it = self.world.own.keys() if subject.pronoun == "it" else ()  # `it stays in Berlin`
        places = {*it, *(unit.province for at in members for unit in self.chunks[at].units)}
        saved = 0.0
        for at, chunk in self.nouns:
            if (
                at not in used
                and chunk.places
                and chunk.prep in {"in", "at"}
                and set(chunk.places) <= places
            ):
                saved += (LEFT_OWN if chunk.units else LEFT_PLACE) - 0.1
        saved += LEFT_OTHER if it and saved else 0.0  # the place says which unit it is
        return saved if len(members) == 1 and (it or subject.places) else 0.0
