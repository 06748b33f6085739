"""Turn frames into orders, and resolve what refers to something said before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judge.reading.chunks import CHOOSING, Chunk
from judge.reading.marks import SOFT, Marks
from judge.reading.matching import NOES, NUMBERS, ORDER, SENTENCE
from judge.reading.movement_frames import WITHOUT_TARGET
from judge.reading.notation import (
    can_be,
    is_formal,
    is_unread,
    repeats_orders,
    units_named,
    with_coasts,
)
from judge.reading.policy import (
    CANNOT_HELP,
    CARRIED_OUT_MAX,
    OFFERED_MAX,
    RANK,
    STRICT_MAX,
    Given,
    ReadOrder,
    Status,
    Talk,
    TextRead,
    place_of,
    settled,
)
from judge.reading.segment import Frame
from judge.reading.world import FAR, World
from judge.rules import types
from judge.rules.types import PhaseKind, Province, Unit, UnitKind

UNRESOLVED = 5.0  # the cost of a reference to nothing
PAIR = 2
MAKES = "makes"  # `makes the move itself`
NAMED = 1.3  # the cost of helping a unit of which nothing was understood
JOINT = 1.3  # the cost of several units going to one place
PLAIN_WAIVES = frozenset(
    {"waive", "waives", "waiving", "waived", "verzicht", "verzichte", "renonce", "build", "no"}
)
CONTRASTS = frozenset({"but", "sondern", "mais", "maar"})
REPORTING = frozenset({"past", "report", "you", "third"})
ALL_BUILDS = frozenset({"all", "rest", "both", "builds", "build", "baue", "bauen"})


@dataclass(slots=True)
class _Said:
    """The last thing said, to which later words refer."""

    units: tuple[Unit, ...] = ()
    target: types.Location = ""
    sort: str = ""
    object: Unit | None = None
    to: types.Location = ""
    orders: tuple[int, ...] = ()
    sentence: int = -1
    cost: float = 0.0
    doubted: bool = False
    others: tuple[Unit, ...] = ()  # that were said to do the same


@dataclass(slots=True)
class Resolver:
    """Turns frames into orders, in the order of the text."""

    world: World
    chunks: Sequence[Chunk]
    marks: Marks
    given: Sequence[Given] = ()
    found: list[ReadOrder] = field(default_factory=list)
    talk: list[Talk] = field(default_factory=list)
    unread: list[tuple[int, int, tuple[Province, ...]]] = field(default_factory=list)
    repeats: list[tuple[int, int]] = field(default_factory=list)
    remaining: list[int] = field(default_factory=list)  # waives of all builds that are left
    said: _Said = field(default_factory=_Said)
    mentioned: set[Province] = field(default_factory=set)
    fixing: bool = False
    unexplained: set[Province] = field(default_factory=set)
    rests: list[tuple[int, Frame, str]] = field(default_factory=list)
    corrected: set[int] = field(default_factory=set)
    joked: set[int] = field(default_factory=set)
    latest: tuple[int, ...] = ()
    recalled: tuple[int, ...] = ()  # orders that words such as `sorry` may withdraw
    recalls: bool = False  # by themselves: `No wait.`
    recalled_in: int = 0  # the sentence of those words
    before: Frame | None = None
    built: UnitKind | None = None
    unresolved: bool = False  # an order, of which nobody knows which unit it is for
    listed_in: int = 0  # the sentence of the last order
    unclear: frozenset[int] = frozenset()

    def run(self, frames: Sequence[Frame]) -> TextRead:  # noqa: PLR0915 - one flat walk
        self.unclear = frozenset(c.sentence for c in self.chunks if c.role == "word")
        for frame in frames:
            self._fix(frame)
            count = len(self.found)
            if frame.sort == "talk" or frame.cost > (STRICT_MAX if frame.strict else OFFERED_MAX):
                self._talk(frame)
                continue
            if self._is_denied(frame):
                self._deny(frame)
                continue
            rests = len(self.rests)
            self._take(frame)
            taken = len(self.found) > count or len(self.rests) > rests
            self._take_instead(frame, count)
            self._take_list(frame, count)
            self.listed_in = self.chunks[frame.first].sentence
            if not self.rests or self.rests[-1][1] is not frame:
                self._leave_unexplained(frame, nothing=not taken)
            self.latest = tuple(range(count, len(self.found)))
            self._withdraw(count, self.chunks[frame.first].sentence)
            if not taken:
                self.unresolved = True
                self._note_unread(frame)
                if frame.subjects:
                    self._ask(frame, tuple(self.world.own), doubted=False)
                    self._name_subject(frame)
            if self._is_doubted(frame):
                self.said.doubted = True
                places = (place_of(each) for each in self.found[count:])
                self._ask(frame, tuple(filter(None, places)), doubted=True)
            self.before = frame
        if self.recalls:
            self.corrected.update(self.recalled)
        self._take_implied()
        self._take_rests()
        self._take_remaining()
        kept = [
            replace(each, status=Status.DOUBTED) if at in self.corrected else each
            for at, each in enumerate(self.found)
            if at not in self.corrected or each.given is not None
        ]
        draft, talks = self.marks.draft, self.marks.talks
        to_another = self.marks.to_another
        orders = settled(
            kept, self.world, draft=draft, talks=talks, fixes=self.fixing, to_another=to_another
        )
        doubts = (
            *(
                (self.chunks[at].start, self.chunks[at].end)
                for at in sorted(self.marks.doubted - self.marks.led)
            ),
            *((self.found[at].start, self.found[at].end) for at in sorted(self.joked)),
        )
        adjusts = self.world.kind is PhaseKind.ADJUSTMENTS
        talk = tuple(each for each in self.talk if each[3] or not adjusts)
        found = TextRead(tuple(orders), talk, doubts, draft, self.fixing)
        return replace(found, unread=tuple(self.unread), repeats=tuple(self.repeats))

    def _name_subject(self, frame: Frame) -> None:
        """Remember the subject of a frame that ordered nothing for later words."""
        [*others, last] = frame.subjects
        if not others and len(last.units) == 1:
            named = last.units[0]
            self.said = _Said((named,), sort="named", object=named, sentence=last.sentence)
        elif self.said.sort != "joint":
            self.said = _Said()

    def _span(self, frame: Frame) -> tuple[int, int]:
        chunks = self.chunks[frame.first : frame.last]
        beside = {"break", "and", "but", "so"}
        content = [c for c in chunks if c.role not in beside] or list(chunks)
        while frame.strict and content[-1].role == "fill" and not content[-1].prep:
            content.pop()  # `A Par - Bur please`
        return content[0].start, content[-1].end

    def _is_denied(self, frame: Frame) -> bool:
        chunks = list(self.chunks[frame.first : frame.last])
        turns = [n for n, c in enumerate(chunks) if c.role == "but" and n]
        clause = chunks[turns[-1] :] if turns else chunks
        if frame.sort in {"hold", "disband"}:  # `Serbia attacks nobody, it just stays`
            verb = max((n for n, c in enumerate(clause) if c.role == frame.sort), default=0)
            ends = [n for n, c in enumerate(clause[:verb]) if c.key == "," or c.role == "and"]
            clause = clause[ends[-1] :] if ends else clause
        goes_on = [n for n, c in enumerate(clause) if n and c.pronoun and clause[n - 1].key == ","]
        if goes_on:  # `has nothing to do there, it returns`
            clause = clause[goes_on[-1] :]
        return frame.sort != "waive" and any(c.role == "not" for c in clause)

    def _is_doubted(self, frame: Frame) -> bool:
        at = range(frame.first, frame.last)
        if (frame.strict or frame.refers) and self._is_in_denied_list(frame):
            return True
        if any(self.chunks[n].role == "joke" for n in at) or self._goes_on_denied(frame):
            return True
        if frame.strict:  # `A Ven-Tri, F Ion S A Apu-Alb?` asks about the last
            doubted = self.marks.doubted - self.marks.named
            return not doubted.isdisjoint(at) or self._is_asked(frame)
        return any(n in self.marks.doubted or n in self.marks.asked for n in at)

    def _goes_on_denied(self, frame: Frame) -> bool:
        """Return whether *frame* takes its unit from a denial: `Instead of A Par-Bur, I wait`."""
        sentence = self.chunks[frame.first].sentence
        if self.chunks[frame.first].key in CONTRASTS:  # `hilft nicht, sondern geht`
            return False
        for chunk in reversed(self.chunks[: frame.first]):
            ends = chunk.role == "break" and frame.subjects
            if (
                ends
                or chunk.sentence != sentence
                or chunk.role in {"but", "fix", "weak_fix", "so"}
            ):
                return False
            if chunk.role == "not":
                return True
        return False

    def _is_asked(self, frame: Frame) -> bool:
        """Return whether a question mark ends *frame*, or the words behind it."""
        for chunk in self.chunks[frame.first :]:
            if chunk.role == "question":
                return True
            if chunk.key == "(" and frame.first not in self.marks.asked:
                return False  # `A Bul-Gre (is it really empty?)`
            behind = chunk.start >= self.chunks[frame.last - 1].end
            if chunk.strength >= SENTENCE or (behind and (chunk.places or chunk.role == ORDER)):
                return False
        return False

    def _is_in_denied_list(self, frame: Frame) -> bool:
        """Return whether a denial before *frame* may cover it: `Not A Mun-Bur, A Ruh-Bel`."""
        sentence = self.chunks[frame.first].sentence
        for chunk in reversed(self.chunks[: frame.first]):
            if chunk.sentence != sentence or chunk.role in {"but", "fix", "weak_fix", "so"}:
                return False
            if chunk.role == "not":
                return True
        return False

    def _fix(self, frame: Frame) -> None:
        """Withdraw the order before words such as `no, wait`."""
        chunks = self.chunks[frame.first : frame.last]
        refuses = [c for c in chunks if c.role not in {"break", "fill", "and", "but"}]
        alone = (
            bool(refuses)
            and refuses[0].role == "not"
            and refuses[0].key in NOES
            and (len(refuses) == 1 or self._followed_by_comma(frame, refuses[0]))
        )
        if alone:
            refuses[0].role = "fix"
        if any(c.role == "joke" for c in chunks):
            self._take_back(self.chunks[frame.first].sentence - 1)
        fixes = [c for c in chunks if c.role in {"fix", "weak_fix"}]
        soft = all(c.key in SOFT for c in fixes)
        if not fixes or (soft and frame.sort == "talk" and any(c.role == "word" for c in chunks)):
            return  # `Well played!`
        self.fixing = True
        if any(c.role == "fix" for c in fixes):
            self.recalled, self.recalls = self.latest or self.recalled, self.recalls or not soft
            self.recalled_in = self.chunks[frame.first].sentence
            self.latest = ()

    def _withdraw(self, count: int, sentence: int) -> None:
        """Withdraw what was called back, unless the orders since *count* correct another one."""
        if not self.recalled or not self.latest:
            return
        if not self.recalls and sentence > self.recalled_in:  # `(sorry, England)`
            self.recalled = ()
            return
        others = {
            place_of(self.found[n]): self.found[n].orders
            for n in range(count)
            if n not in self.corrected and n not in self.recalled
        }
        new = [self.found[n] for n in self.latest]
        if any(
            each.status is not Status.PLAIN
            or others.get(place_of(each), each.orders) == each.orders
            for each in new
        ):
            places = {place_of(each) for each in new}
            same = [
                n
                for n in self.recalled
                if self.found[n].strict and place_of(self.found[n]) in places
            ]
            self.corrected.update(same or self.recalled)
        self.recalled, self.recalls = (), False

    def _take_back(self, sentence: int) -> None:
        """Withdraw the orders since *sentence*, as `Just kidding` does."""
        start = next((c.start for c in self.chunks if c.sentence == sentence), 0)
        self.joked.update(n for n, each in enumerate(self.found) if each.start >= start)
        self.corrected |= self.joked
        self.latest = ()

    def _followed_by_comma(self, frame: Frame, chunk: Chunk) -> bool:
        at = next(n for n in range(frame.first, frame.last) if self.chunks[n] is chunk)
        return at + 1 < len(self.chunks) and self.chunks[at + 1].role == "break"

    def _talk(self, frame: Frame) -> None:
        chunks = self.chunks[frame.first : frame.last]
        self._note_unread(frame)
        named = [c for c in chunks if c.role == "np" and c.units]
        if not named:
            return
        one = [c for c in named if c.has_kind and len(c.units) == 1 and not c.article]
        self._ask(frame, tuple(c.units[0].province for c in one), doubted=False)
        self.latest = ()
        self._leave_unexplained(frame)
        places = [c for c in named if c.places]
        if len(places) == 1 and len(places[0].units) == 1:
            unit = places[0].units[0]
            self.mentioned.add(unit.province)
            self.said = _Said((unit,), sort="named", object=unit, sentence=places[0].sentence)
        elif len(named) == 1:
            units, cost = self._units_of(named[0], frame)
            self.said = _Said(
                tuple(each[0] for each in units if len(each) == 1 and not cost),
                sort="named",
                sentence=named[0].sentence,
            )
        else:
            self.said = _Said()

    def _note_unread(self, frame: Frame) -> None:
        """Note that *frame* orders nothing, if it looks like an order."""
        chunks = self.chunks[frame.first : frame.last]
        if repeats_orders(chunks):
            self.repeats.append(self._span(frame))
        adjusts = self.world.kind is PhaseKind.ADJUSTMENTS and not self.world.due
        undue = adjusts and any(c.has_kind and c.places for c in chunks)
        sentence = [c for c in self.chunks if c.sentence == chunks[0].sentence]
        undue = undue and any(c.role in {"build", "disband"} for c in sentence)
        if not (undue or is_unread(chunks)):
            return
        units = tuple(unit.province for c in chunks if c.role == "np" for unit in c.units)
        start, end = self._span(frame)
        for chunk in self.chunks[frame.last :]:
            if chunk.strength or chunk.places or self.chunks[frame.last - 1].strength:
                break
            end = chunk.end
        self.unread.append((start, end, units))

    def _leave_unexplained(self, frame: Frame, *, nothing: bool = True) -> None:
        """Note the units that *frame* leaves out, which are not simply among the rest.

        All are left out if *nothing* was ordered.
        """
        parts = (*frame.subjects, *frame.targets, *frame.by_sea, frame.object, frame.target)
        for chunk in self.chunks[frame.first : frame.last]:
            used = not nothing and any(chunk is part for part in parts)
            if chunk.places and len(chunk.units) == 1 and not used:
                self.unexplained.add(chunk.units[0].province)

    def _ask(self, frame: Frame, units: tuple[Province, ...], *, doubted: bool) -> None:
        """Note that *frame*, which orders nothing, is about *units*; reports are not."""
        sentence = self.chunks[frame.first].sentence
        reports = any(c.sentence == sentence and c.role in REPORTING for c in self.chunks)
        if units and not reports and frame.sort != ORDER:
            self.talk.append((*self._span(frame), units, doubted))

    def _deny(self, frame: Frame) -> None:
        self._leave_unexplained(frame)
        self._note_unread(frame)
        if frame.sort == "build":  # `a fleet in Smyrna, not Ankara`
            named = {p for c in self.chunks[frame.first : frame.last] for p in c.places}
            for n, each in enumerate(self.found):
                if isinstance(each.order, types.Build) and place_of(each) in named:
                    self.found[n] = replace(each, status=Status.OFFERED)
        if frame.sort == "support":  # `Belgium cannot support at sea, of course`
            helpers = {u.province for c in frame.subjects for u in c.units if len(c.units) == 1}
            for n, each in enumerate(self.found):
                helps = isinstance(each.order, types.SupportMove | types.SupportHold)
                if helps and each.status is Status.PLAIN and place_of(each) in helpers:
                    self.found[n] = replace(each, status=Status.OFFERED)
        units = [unit for c in frame.subjects for unit in c.units if len(c.units) == 1]
        if units:
            self.said = _Said(
                tuple(units), sort="denied", sentence=self.chunks[frame.first].sentence
            )

    def _subjects(self, frame: Frame) -> tuple[list[tuple[Unit, ...]], float]:  # noqa: PLR0911 - one return a way to say it
        """Return the units that may be each subject, and the cost of finding them."""
        if not frame.subjects:
            follows = self.chunks[frame.first].role == "which" and self.before is not None
            if follows and self.before:
                named = self.before.object or self.before.target
                unit = (
                    next((u for p in named.places if (u := self.world.own.get(p))), None)
                    if named
                    else None
                )
                if unit and self.before.sort in {"support", "hold"}:
                    return [(unit,)], 0.0
            if self.said.units and self.said.sentence >= self.chunks[frame.first].sentence - 1:
                return [
                    (unit,) for unit in self.said.units
                ], UNRESOLVED if self.said.doubted else max(0.0, self.said.cost - frame.cost)
            if len(self.world.own) == 1 and self.world.kind is PhaseKind.RETREATS:
                return [tuple(self.world.own.values())], 0.0
            if self.world.kind is PhaseKind.RETREATS and frame.target:
                can = tuple(
                    u
                    for u in self.world.own.values()
                    if any(self.world.reach(u, p) == 0 for p in frame.target.places)
                )
                return [can], 0.0
            return [], UNRESOLVED
        found: list[tuple[Unit, ...]] = []
        cost = 0.0
        if frame.strict:
            return [self._named(chunk, frame) for chunk in frame.subjects], 0.0
        for chunk in frame.subjects:
            units, extra = self._units_of(chunk, frame)
            found += units
            cost = max(cost, extra)
        return found, cost

    def _named(self, chunk: Chunk, frame: Frame) -> tuple[Unit, ...]:
        """Return the units that notation may name, or that one of a wrong kind may be."""
        units = units_named(chunk, self.world)
        here = [self.world.own[unit.province] for unit in units if unit.province in self.world.own]
        wrong = len(here) == 1 and here[0].kind is not units[0].kind
        to = frame.target.places if frame.target else ()
        if wrong and to and all(self.world.reach(here[0], place) >= FAR for place in to):
            others = self._of_wrong_kind(chunk, frame)
            return units if others == tuple(here) else others
        return self._that_can(units, frame)

    def _units_of(self, chunk: Chunk, frame: Frame) -> tuple[list[tuple[Unit, ...]], float]:  # noqa: C901, PLR0911, PLR0912 - one return a way to name units
        own = self.world.own
        if chunk.pronoun == "it":
            if not self.said.units and self.world.kind is PhaseKind.RETREATS and len(own) == 1:
                return [tuple(own.values())], 0.0
            return (
                ([(unit,) for unit in self.said.units], 0.0)
                if self.said.units
                else ([], UNRESOLVED)
            )
        if chunk.quantity in {"all", "rest"} or (chunk.plural and not chunk.places):
            return self._several(chunk)
        if (
            chunk.quantity == "other"
            and not chunk.has_kind
            and not chunk.places
            and self.said.units
        ):
            if len(self.said.others) == 1:
                return [self.said.others], 0.0
            kind = self.said.units[0].kind
            free = tuple(
                u for u in own.values() if u.kind is kind and u.province not in self.mentioned
            )
            return [free], 0.2 if len(free) == 1 else 2.0
        if chunk.quantity == "both" and not chunk.places:
            if chunk.has_kind or len(own) != PAIR:
                return self._several(chunk)
            return [(unit,) for unit in own.values()], 0.0
        if chunk.places and len(chunk.units) > 1:
            can = self._that_can(chunk.units, frame)
            return [can], 0.0
        if chunk.units and chunk.places:
            return [chunk.units], 0.0
        if chunk.places and chunk.has_kind:
            return [self._of_wrong_kind(chunk, frame)], 0.0
        if chunk.has_kind or chunk.pronoun == "one":
            units = chunk.units or tuple(own.values())
            if len(units) == 1:
                return [units], 0.0
            here = self._standing(frame, units)
            if here:
                return [here], 0.0
            free = tuple(unit for unit in units if unit.province not in self.mentioned)
            if chunk.quantity == "other" and len(free) == 1:
                return [free], 0.0
            if len(free) == 1:
                return [free], 0.3
            can = self._that_can(free or units, frame)
            return [can], 0.4 if len(can) == 1 else 2.0
        return [], UNRESOLVED

    def _of_wrong_kind(self, chunk: Chunk, frame: Frame) -> tuple[Unit, ...]:
        """Return the unit where *chunk* says, or guess the one of its kind that can do it."""
        here = tuple(self.world.own[p] for p in chunk.places if p in self.world.own)
        to = frame.target.places if frame.target and frame.sort in {"move", "retreat"} else ()
        units = [u for u in self.world.own.values() if u.kind is chunk.kind]
        can = [u for u in (*here, *units) if any(self.world.reach(u, p) == 0 for p in to)]
        if not can or can[0] in here:
            return here
        chunk.guessed = True
        return tuple(can)

    def _standing(self, frame: Frame, units: tuple[Unit, ...]) -> tuple[Unit, ...]:
        """Return the unit whose place is named beside the subject."""
        for chunk in self.chunks[frame.first : frame.last]:
            if (
                chunk.role == "np"
                and chunk is not frame.target
                and chunk is not frame.object
                and chunk not in frame.subjects
            ):
                if chunk.pronoun == "there" and self.said.target:
                    there = types.province_of(self.said.target)
                    return tuple(unit for unit in units if unit.province == there)
                here = tuple(unit for unit in units if unit in chunk.units)
                if len(here) == 1 and chunk.stands:
                    return here
        return ()

    def _that_can(self, units: tuple[Unit, ...], frame: Frame) -> tuple[Unit, ...]:
        if frame.target and frame.target.places and frame.sort in {"move", "retreat"}:
            near = tuple(
                u for u in units if any(self.world.reach(u, p) == 0 for p in frame.target.places)
            )
            return near or units
        return units

    def _several(self, chunk: Chunk) -> tuple[list[tuple[Unit, ...]], float]:
        units = [u for u in self.world.own.values() if chunk.kind in (None, u.kind)]
        if chunk.quantity in {"rest", "other"}:
            units = [u for u in units if u.province not in self.mentioned]
        if chunk.number and chunk.number != len(units):
            free = [u for u in units if u.province not in self.mentioned]
            if len(free) != chunk.number:
                return [], UNRESOLVED  # `two units`, but which?
            units = free
        if chunk.quantity == "both" and len(units) != PAIR:
            return [], UNRESOLVED
        if len(units) > -self.world.due > 0:
            return [], UNRESOLVED  # `the units to go: ...`
        return [(unit,) for unit in units], 0.0 if units else UNRESOLVED

    def _place(self, chunk: Chunk, unit: Unit | None) -> tuple[types.Location, ...]:
        """Return where *chunk* may be, the nearest for *unit*."""
        if chunk.pronoun == "its_place":
            return tuple(u.province for u in self.said.units[:1])
        if chunk.pronoun == "there":
            return (self.said.target,) if self.said.target else ()
        places = chunk.places
        if len(places) > 1 and unit:
            costs = {place: self.world.reach(unit, place) for place in places}
            least = min(costs.values())
            places = tuple(place for place in places if costs[place] == least)
        return tuple(f"{place}/{chunk.coast}" if chunk.coast else place for place in places)

    def _take(self, frame: Frame) -> None:
        take = {
            "move": self._move,
            "retreat": self._move,
            "goes": self._go,
            "choice": self._choose,
            "hold": self._hold,
            "stand": self._stand,
            "support": self._support,
            "mutual": self._support,
            "convoy": self._convoy,
            "follow": self._follow,
            "same": self._same,
            "disband": self._disband,
            "build": self._build,
            "waive": self._waive,
            ORDER: self._given,
        }
        take[frame.sort](frame)

    def _given(self, frame: Frame) -> None:
        """Take the orders that notation gives."""
        given = self.given[self.chunks[frame.first].number]
        self.said = _Said()
        for number, written in given.orders:
            order = self._on_board(written)
            added = self._add(frame, order, 0.0)
            self.found[added] = replace(self.found[added], given=number)
            self.said = self._said_by(order, added, self._sentence(frame))
            if self.said.units:
                self.mentioned.add(self.said.units[0].province)

    def _on_board(self, order: types.Order) -> types.Order:
        """Return *order* with the full names of its units, and without a route."""
        match order:
            case types.Waive() | types.Build():
                return order
            case types.Move(unit, target):
                return types.Move(self._standing_name(unit), target)
            case types.SupportHold(unit, other) | types.SupportMove(unit, other):
                names = self._standing_name(unit), self._standing_name(other)
                return replace(order, unit=names[0], supported=names[1])
            case types.Convoy(unit, army):
                names = self._standing_name(unit), self._standing_name(army)
                return replace(order, unit=names[0], army=names[1])
            case _:
                return replace(order, unit=self._standing_name(order.unit))

    def _standing_name(self, name: types.UnitName) -> types.UnitName:
        unit = self.world.standing.get(name.province)
        return self._name(unit) if unit else name

    def _said_by(self, order: types.Order, added: int, sentence: int) -> _Said:
        """Return what later words may refer to."""
        at = self.world.standing
        match order:
            case types.Move(unit, target) | types.Retreat(unit, target) if mover := self._at(unit):
                return _Said((mover,), target, "move", mover, target, (added,), sentence)
            case types.Hold(unit) if holder := self._at(unit):
                return _Said((holder,), "", "hold", holder, "", (added,), sentence)
            case types.Convoy(army=army, target=to) if carried := at.get(army.province):
                return _Said((carried,), to, "move", carried, to, (added,), sentence)
            case types.SupportHold(unit, other) | types.SupportMove(unit, other) if (
                helper := self._at(unit)
            ):
                to = order.target if isinstance(order, types.SupportMove) else ""
                helped = at.get(other.province)
                return _Said((helper,), to, "support", helped, to, (added,), sentence)
            case _:
                return _Said(sentence=sentence)

    def _at(self, name: types.UnitName) -> Unit | None:
        return self.world.own.get(name.province)

    def _waive(self, frame: Frame) -> None:
        chunks = self.chunks[frame.first : frame.last]
        others = any(c.role not in {"waive", "break", "fill"} or c.prep for c in chunks)
        plain = PLAIN_WAIVES - {"no"} if others else PLAIN_WAIVES  # but `No builds for Germany`
        said = any(c.role == "waive" and (c.strict or c.key in plain) for c in chunks)
        at = len(self.found)
        times = next((NUMBERS[c.key] for c in chunks if c.key in NUMBERS), 1)
        for _ in range(times):
            self._add(frame, types.Waive(), 0.0, implied=not said)
        if any(c.quantity in ALL_BUILDS or c.key in ALL_BUILDS for c in chunks):
            self.remaining.append(at)

    def _take_remaining(self) -> None:
        """Waive the builds that the email leaves."""
        for at in self.remaining:
            kinds = types.Build | types.Waive
            others = sum(isinstance(each.order, kinds) for each in self.found) - 1
            left = max(self.world.due - others, int(not others))
            self.found += [self.found[at]] * (left - 1)
            if not left:
                self.corrected.add(at)

    def _name(self, unit: Unit) -> types.UnitName:
        return types.UnitName(unit.kind, unit.location)

    def _add(
        self,
        frame: Frame,
        orders: types.Order | tuple[types.Order, ...],
        cost: float,
        *,
        implied: bool = False,
    ) -> int:
        orders = orders if isinstance(orders, tuple) else (orders,)
        if frame.strict and len(orders) == 1:
            orders = with_coasts(orders[0], self.world)
        total = frame.cost + cost
        guessed = any(
            c.guessed for c in (*frame.subjects, frame.object, frame.target, *frame.targets) if c
        ) or any(c.guessed and c.role != "np" for c in self.chunks[frame.first : frame.last])
        most = STRICT_MAX if frame.strict else OFFERED_MAX
        if self._is_doubted(frame):
            status = Status.DOUBTED
        elif len(orders) > 1:
            status = Status.ASKED if total <= most else Status.DOUBTED
        elif not (guessed or implied or frame.first in self.marks.unsure) and total <= (
            STRICT_MAX if frame.strict else CARRIED_OUT_MAX
        ):
            status = Status.PLAIN
        elif total <= OFFERED_MAX:
            status = Status.OFFERED
        else:
            status = Status.DOUBTED
        start, end = self._span(frame)
        loose = self.chunks[frame.first].sentence in self.unclear
        self.found.append(
            ReadOrder(
                *(status, orders, start, end, total, frame.strict, implied),
                loose=loose,
                guessed=guessed,
                formal=frame.strict or is_formal(self.chunks[frame.first]),
                power=self._owner(frame),
                word=self._torn_word(frame, orders),
                led=frame.strict and frame.first in self.marks.led,
                introduced=frame.strict and frame.first in self.marks.introduced,
            )
        )
        return len(self.found) - 1

    def _torn_word(self, frame: Frame, orders: Sequence[types.Order]) -> tuple[int, int] | None:
        """Return where the name is that may mean several places, if *orders* differ in one."""
        targets = {getattr(each, "target", None) for each in orders}
        chunk = frame.target if len(targets) > 1 else next(iter(frame.subjects), None)
        return (chunk.start, chunk.end) if chunk and len(orders) > 1 else None

    def _owner(self, frame: Frame) -> types.Power | None:
        """Return the other power whose order notation says that this is."""
        owners = (chunk.owner or chunk.headed for chunk in frame.subjects if frame.strict)
        return next((each for each in owners if each not in (None, self.world.power)), None)

    def _move(self, frame: Frame) -> None:  # noqa: C901, PLR0912 - one flat walk over the subjects
        units, cost = self._subjects(frame)
        if not units or cost >= UNRESOLVED:
            self._go_jointly(frame)
            return
        make = types.Retreat if self.world.kind is PhaseKind.RETREATS else types.Move
        added, moved, to = [], [], ""
        for number, candidates in enumerate(units):
            target = frame.targets[number] if frame.targets else frame.target
            if target is None or number >= len(units):
                continue
            orders = tuple(
                dict.fromkeys(
                    make(self._name(unit), place)
                    for unit in candidates
                    for place in self._place(target, unit)
                )
            )
            if frame.strict or (frame.also_moves and not frame.by_sea):
                orders = tuple(self._on_route(each, frame) for each in orders)
            if not orders:
                continue
            joint = len(units) > 1 and not frame.targets and self.world.kind is PhaseKind.MOVEMENT
            extra = cost + (JOINT if joint else 0.0)
            named = all(chunk.units for chunk in frame.subjects)
            if not (frame.subjects and named and target.places):
                unit = candidates[0]
                extra += max(0.0, self.world.reach(unit, types.province_of(orders[0].target)))
            helped = self.chunks[frame.first].role == "which" and self.said.sort == "support"
            added.append(self._add(frame, orders, extra, implied=helped))
            self.found[-1] = replace(self.found[-1], joint=joint)
            moved.append(candidates[0])
            to = orders[0].target
            if len(candidates) == 1:
                self.mentioned.add(candidates[0].province)
        self.said = _Said(
            tuple(moved),
            to,
            "move",
            moved[0] if len(moved) == 1 else None,
            to,
            tuple(added),
            self._sentence(frame),
            max((self.found[n].cost for n in added), default=frame.cost),
        )
        if frame.by_sea and moved and len(units[0]) == 1:
            for chunk in frame.by_sea:
                for place in chunk.places:
                    fleet = self.world.own.get(place)
                    if fleet and self.world.at_sea(fleet):
                        order = types.Convoy(
                            self._name(fleet), self._name(moved[0]), types.province_of(to)
                        )
                        plain = frame.also_moves or (
                            chunk.has_kind and chunk.prep in {"with", "by"}
                        )
                        self._add(frame, order, cost, implied=not plain)
                        self.mentioned.add(place)

    def _go_jointly(self, frame: Frame) -> None:
        """Note where units go, which the next words name: `Both armies in the north go to ...`."""
        several = any(each.plural or each.quantity for each in frame.subjects)
        places = self._place(frame.target, None) if frame.target and several else ()
        if len(places) == 1:
            sentence = self._sentence(frame)
            self.said = _Said(sort="joint", target=places[0], to=places[0], sentence=sentence)

    def _on_route(
        self, move: types.Move | types.Retreat, frame: Frame
    ) -> types.Move | types.Retreat:
        """Return *move* with the seas that notation names, and that it is by convoy."""
        if isinstance(move, types.Retreat):
            return move
        seas = tuple(chunk.places[0] for chunk in (*frame.route, *frame.by_sea))
        return replace(move, via_convoy=bool(seas) or frame.also_moves, route=seas)

    def _choose(self, frame: Frame) -> None:
        """Take the first possible of several retreats: `A Vie R Boh, Tyr, OTB`."""
        units, cost = self._subjects(frame)
        if len(units) != 1 or len(units[0]) != 1 or cost >= UNRESOLVED:
            return
        unit, name = units[0][0], self._name(units[0][0])
        places = (place for each in frame.targets for place in self._place(each, unit)[:1])
        orders: list[types.Order] = [types.Retreat(name, place) for place in places]
        if any(c.role == "disband" for c in self.chunks[frame.first : frame.last]):
            orders.append(types.Disband(name))
        at = self._add(frame, self._first_possible(orders), cost)
        self.found[at] = replace(self.found[at], instead=tuple(orders))

    def _take_list(self, frame: Frame, count: int) -> None:
        """Take another retreat of a unit in a sentence as its second choice: `R Ber, A Mun D`."""
        chooses = self.chunks[frame.first].key in CHOOSING  # `make it Marseilles or Picardy`
        if self.world.kind is not PhaseKind.RETREATS or not (frame.strict or chooses):
            return
        if not self.latest:
            return
        at = self.latest[-1]
        new, first = self.found[count:], self.found[at]
        sentence = self.chunks[frame.first].sentence
        if len(new) != 1 or place_of(new[0]) != place_of(first) or self.listed_in != sentence:
            return
        del self.found[count:]
        orders = (*(first.instead or first.orders), new[0].order)
        possible = self._first_possible(orders)
        self.found[at] = replace(first, orders=(possible,), instead=orders, end=new[0].end)
        if chooses:
            status = max(first.status, Status.OFFERED, key=RANK.__getitem__)
            self.found[at] = replace(self.found[at], status=status)

    def _first_possible(self, orders: Sequence[types.Order]) -> types.Order:
        return next((each for each in orders if can_be(each, self.world)), orders[0])

    def _take_instead(self, frame: Frame, count: int) -> None:
        """Take the orders since *count* as second choices: `Build A Bre, otherwise A Par`."""
        begins = any(c.role == "else" for c in self.chunks[frame.first : frame.last])
        if self.world.kind is PhaseKind.MOVEMENT or not begins or not self.latest:
            return
        added = [each.order for each in self.found[count:]]
        del self.found[count:]
        at = self.latest[-1]
        first = self.found[at]
        orders = (*(first.instead or first.orders), *added)
        possible, end = self._first_possible(orders), self._span(frame)[1]
        self.found[at] = replace(first, orders=(possible,), instead=orders, end=end)

    def _go(self, frame: Frame) -> None:
        """Take `Serbia moves in`, where several were said to go."""
        units, cost = self._subjects(frame)
        joint = [n for n in self.said.orders if self.found[n].joint]
        known = joint or self.said.sort == "joint"
        if len(units) != 1 or len(units[0]) != 1 or not known or cost >= UNRESOLVED:
            return
        (unit,), to = units[0], self.said.to
        if joint and all(place_of(self.found[n]) != unit.province for n in joint):
            return
        added = self._add(frame, types.Move(self._name(unit), to), cost - WITHOUT_TARGET)
        sure = self.found[added].cost
        places = {place_of(self.found[n]) for n in joint} - {unit.province}
        others = tuple(each for each in self.world.own.values() if each.province in places)
        sentence = self._sentence(frame)
        self.said = _Said((unit,), to, "move", unit, to, (added,), sentence, sure, others=others)

    def _sentence(self, frame: Frame) -> int:
        return self.chunks[frame.last - 1].sentence

    def _hold(self, frame: Frame) -> None:
        if any(c.quantity in {"all", "rest"} and not c.places for c in frame.subjects):
            self.rests.append((len(self.found), frame, "hold"))
            self.said = _Said(sentence=self._sentence(frame))
            return
        units, cost = self._subjects(frame)
        if not units or cost >= UNRESOLVED:
            return
        added = []
        for candidates in units:
            orders = tuple(types.Hold(self._name(unit)) for unit in candidates)
            if orders:
                added.append(self._add(frame, orders, cost))
                self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        firsts = tuple(candidates[0] for candidates in units if candidates)
        self.said = _Said(
            firsts,
            "",
            "hold",
            firsts[0] if len(firsts) == 1 else None,
            "",
            tuple(added),
            self._sentence(frame),
            frame.cost,
        )

    def _stand(self, frame: Frame) -> None:
        """Take `A Par S`, which is a hold to some, and lacks the unit helped to others."""
        count = len(self.found)
        self._hold(frame)
        for at in range(count, len(self.found)):
            if not self.world.s_stands and self.found[at].status is Status.PLAIN:
                self.found[at] = replace(self.found[at], status=Status.OFFERED, incomplete=True)

    def _helped(self, frame: Frame) -> tuple[Unit | None, types.Location, float]:  # noqa: C901, PLR0911 - one return a way to name it
        """Return the unit helped, where it goes, and the cost of finding out."""
        if frame.object is not None:
            chunk = frame.object
            units = [self.world.standing[p] for p in chunk.places if p in self.world.standing]
            units = (
                [u for u in units if chunk.kind in (None, u.kind)] or units or list(chunk.units)
            )
            if not units and frame.strict:
                units = list(units_named(chunk, self.world))
            if not units:
                return None, "", UNRESOLVED
            cost = 0.0
            to: types.Location = ""
            if frame.target:
                near = [
                    u
                    for u in units
                    if any(self.world.reach(u, p) < FAR for p in frame.target.places)
                ]
                units = near or units
                places = self._place(frame.target, units[0])
                helpers = [unit for chunk in frame.subjects for unit in chunk.units]
                places = tuple(p for p in places if self._all_reach(helpers, p)) or places
                to = places[0] if places else ""
                cost += 2.0 if len(places) > 1 else 0.0
            if len(units) > 1:
                cost += 2.0
            if frame.also_moves and not to:
                goes = [
                    e.order.target
                    for e in self.found
                    if isinstance(e.order, types.Move) and e.order.unit == self._name(units[0])
                ]
                if not goes:
                    return None, "", UNRESOLVED
                to = goes[-1]
            return units[0], to, cost
        said = self.said
        if said.doubted and not self._is_doubted(frame):
            return None, "", UNRESOLVED
        if (
            frame.refers
            and said.sort in {"move", "hold", "named", "support"}
            and said.object is not None
        ):
            if frame.target and frame.target.places:
                places = self._place(frame.target, said.object)
                return said.object, places[0] if places else "", 0.3
            unsure = NAMED if said.sort == "named" else max(0.0, said.cost - frame.cost)
            far = said.sentence < self.chunks[frame.first].sentence - 1
            return said.object, said.to, unsure + far
        return None, "", UNRESOLVED

    def _all_reach(self, units: Sequence[Unit], place: types.Location) -> bool:
        return all(self.world.reach(unit, types.province_of(place)) == 0 for unit in units)

    def _support(self, frame: Frame) -> None:
        if frame.sort == "mutual":
            self._mutual(frame)
            return
        units, cost = self._subjects(frame)
        units = list(filter(None, units))
        helped, to, extra = self._helped(frame)
        if not units or helped is None or cost + extra >= UNRESOLVED:
            return
        if to and types.province_of(to) == helped.province:
            to = ""
        added = []
        for candidates in units:
            orders: list[types.Order] = []
            far = 0.0
            for unit in candidates:
                if unit.province == helped.province:
                    far = UNRESOLVED
                far = max(far, self._far(unit, to or helped.province))
                name = self._name(helped)
                if frame.strict and frame.object:
                    name = replace(name, power=frame.object.owner)
                orders.append(
                    types.SupportMove(self._name(unit), name, to)
                    if to
                    else types.SupportHold(self._name(unit), name)
                )
            if far >= UNRESOLVED:
                self.said = _Said(
                    (candidates[0],),
                    sort="named",
                    object=candidates[0],
                    sentence=self._sentence(frame),
                )
                return
            added.append(
                self._add(
                    frame, tuple(orders), cost + extra + (far if frame.object is None else 0.0)
                )
            )
            some = any(c.plural and not c.places for c in frame.subjects)  # `the fleets support`
            self.found[-1] = replace(self.found[-1], holds=frame.holds, joint=some)
            self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        if frame.holds and frame.passive and helped.province in self.world.own:
            self._add(frame, types.Hold(self._name(helped)), cost + extra)
        place = to or ""
        self.said = replace(
            self.said,
            units=self.said.units
            if frame.refers and self.said.units
            else (helped,)
            if frame.passive and helped.province in self.world.own
            else tuple(c[0] for c in units if c),
            orders=tuple(added),
            sort="support",
            object=helped,
            to=place,
            target=place,
            sentence=self._sentence(frame),
        )

    def _far(self, unit: Unit, place: types.Location) -> float:
        reach = self.world.reach(unit, types.province_of(place))
        return 0.0 if reach == 0 else CANNOT_HELP

    def _mutual(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        if len(units) != PAIR or any(len(each) != 1 for each in units):
            return
        (one,), (two,) = units
        first = self._add(frame, types.SupportHold(self._name(one), self._name(two)), cost)
        second = self._add(frame, types.SupportHold(self._name(two), self._name(one)), cost)
        self.mentioned.update({one.province, two.province})
        self.said = _Said(
            (one, two), sort="mutual", orders=(first, second), sentence=self._sentence(frame)
        )

    def _convoy(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        units = list(filter(None, units))
        army, to, extra = self._carried(frame)
        if not units or army is None or not to or cost + extra >= UNRESOLVED:
            return
        added = []
        for candidates in units:
            orders = tuple(
                types.Convoy(self._name(unit), self._name(army), types.province_of(to))
                for unit in candidates
            )
            added.append(self._add(frame, orders, cost + extra))
            self.mentioned.update(unit.province for unit in candidates if len(candidates) == 1)
        if (
            frame.object is not None
            and army.power == self.world.power
            and not frame.strict
            and not self._has_order(army)
        ):
            added.append(
                self._add(
                    frame,
                    types.Move(self._name(army), to, via_convoy=frame.passive),
                    cost + extra,
                    implied=not frame.passive and army.province in self.mentioned,
                )
            )
            self.mentioned.add(army.province)
        carried = () if self._is_doubted(frame) else (army,)
        self.said = _Said(
            carried, to, "move", army, to, tuple(added), self._sentence(frame), frame.cost
        )

    def _carried(self, frame: Frame) -> tuple[Unit | None, types.Location, float]:
        if frame.object is not None:
            units = [
                self.world.standing[p] for p in frame.object.places if p in self.world.standing
            ] or list(frame.object.units)
            units = [u for u in units if u.kind is UnitKind.ARMY]
            if not units and frame.strict:
                units = list(units_named(frame.object, self.world))
            if len(units) != 1 or frame.target is None:
                return None, "", UNRESOLVED
            places = self._place(frame.target, units[0])
            return units[0], places[0] if len(places) == 1 else "", 0.0
        if (
            frame.refers
            and self.said.sort in {"move", "support"}
            and self.said.object
            and self.said.object.kind is UnitKind.ARMY
            and self.said.to
        ):
            return self.said.object, self.said.to, max(0.0, self.said.cost - frame.cost)
        return None, "", UNRESOLVED

    def _has_order(self, unit: Unit) -> bool:
        return any(
            getattr(each.order, "unit", None) == self._name(unit)
            for n, each in enumerate(self.found)
            if n not in self.corrected
        )

    def _follow(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        leader = self.said.units
        if len(units) != 1 or not units[0] or len(leader) != 1 or cost >= UNRESOLVED:
            return
        orders = tuple(types.Move(self._name(unit), leader[0].province) for unit in units[0])
        far = max((self.world.reach(unit, leader[0].province) for unit in units[0]), default=0.0)
        added = self._add(frame, orders, cost + far)
        unit = units[0][0]
        self.mentioned.add(unit.province)
        self.said = _Said(
            (unit,),
            leader[0].province,
            "move",
            unit,
            leader[0].province,
            (added,),
            self._sentence(frame),
        )

    def _same(self, frame: Frame) -> None:  # noqa: C901, PLR0912 - one flat match of orders
        if self.said.sort == "mutual":
            self._mutual(frame)
            return
        units, cost = self._subjects(frame)
        before = self.found[self.said.orders[-1]].order if self.said.orders else None
        chunks = self.chunks[frame.first : frame.last]
        itself = any(c.role == "same" and c.key == MAKES for c in chunks)
        if itself and units:
            before = self._help_of(units[0][0]) or before
        if not units or before is None or cost >= UNRESOLVED:
            return
        latter = bool(frame.subjects) and frame.subjects[0].pronoun == "it"
        if latter and isinstance(before, types.SupportMove | types.SupportHold):
            helped = self.world.own.get(before.supported.province)
            units = [(helped,)] if helped else units
        for unit, *others in units:
            if others:
                continue
            match (self._help_of(unit) if itself else None) or before:
                case types.Move(target=place):
                    order: types.Order = types.Move(self._name(unit), place)
                    extra = self.world.reach(unit, types.province_of(place))
                case types.Hold():
                    order, extra = types.Hold(self._name(unit)), 0.0
                case types.SupportHold(supported=other):
                    order, extra = (
                        types.SupportHold(self._name(unit), other),
                        self._far(unit, other.location),
                    )
                case types.SupportMove(supported=other, target=place) if other == self._name(unit):
                    order, extra = types.Move(self._name(unit), place), 0.0
                case types.SupportMove(supported=other, target=place):
                    order, extra = (
                        types.SupportMove(self._name(unit), other, place),
                        self._far(unit, place),
                    )
                case _:
                    continue
            self._add(frame, order, cost + extra)
            self.mentioned.add(unit.province)

    def _help_of(self, unit: Unit) -> types.SupportMove | None:
        """Return the support of a move of *unit* that `makes the move itself`."""
        name = self._name(unit)
        orders = (each.order for each in reversed(self.found))
        return next(
            (o for o in orders if isinstance(o, types.SupportMove) and o.supported == name), None
        )

    def _disband(self, frame: Frame) -> None:
        units, cost = self._subjects(frame)
        said = any(c.role == "disband" for c in self.chunks[frame.first : frame.last])
        builds = not said and any(c.role == "build" for c in self.chunks)
        make = types.Build if builds else types.Disband  # `Builds: A Ven` where removals are due
        if not units or cost >= UNRESOLVED:
            return
        added = [
            self._add(frame, tuple(make(self._name(unit)) for unit in each), cost)
            for each in units
            if each
        ]
        self.mentioned.update(each[0].province for each in units if len(each) == 1)
        self.said = _Said(
            tuple(each[0] for each in units if each),
            sort="disband",
            orders=tuple(added),
            sentence=self._sentence(frame),
        )

    def _build(self, frame: Frame) -> None:
        removes = {c.role for c in self.chunks} & {"build", "disband"} == {"disband"}
        make = types.Disband if removes else types.Build  # `Removals: A Gas` where builds are due
        for chunk in frame.subjects:
            kind = chunk.kind or (frame.object.kind if frame.object else None)
            if kind is None and chunk.pronoun == "one":
                kind = self.built
            places = tuple(p for p in chunk.places if p in self.world.sites) or chunk.places
            orders = []
            for place in places:
                coast = chunk.coast or (frame.object.coast if frame.object else "")
                location = (
                    f"{place}/{coast}"
                    if coast and self.world.board.places[place].coasts
                    else place
                )
                orders.append(make(types.UnitName(kind, location)))
            if kind is None:
                if all(c.role != "build" for c in self.chunks[frame.first : frame.last]):
                    continue
                orders = [
                    replace(each, unit=replace(each.unit, kind=either))
                    for each in orders
                    for either in UnitKind
                    if self.world.can_stand(either, each.unit.province)
                ]
            if not orders:
                continue
            at = self._add(frame, tuple(orders), 0.0)
            if chunk is not frame.subjects[0]:
                self.found[at] = replace(self.found[at], start=chunk.start)
            if chunk is not frame.subjects[-1]:
                self.found[at] = replace(self.found[at], end=chunk.end)
            self.built = kind or self.built

    def _take_implied(self) -> None:
        """Offer the moves of own units that words help to move, and that nothing else orders."""
        for at, each in enumerate(tuple(self.found)):
            order = each.order
            if each.strict or at in self.corrected or not isinstance(order, types.SupportMove):
                continue
            mover = self.world.own.get(order.supported.province)
            if mover and not self._has_order(mover):
                move = types.Move(self._name(mover), order.target)
                status = max(each.status, Status.OFFERED, key=RANK.__getitem__)
                self.found.append(replace(each, orders=(move,), status=status, implied=True))

    def _excepted(self) -> set[Province]:
        """Return where the units stand that are not among all: `all except Serbia hold`."""
        found: set[Province] = set()
        within = False
        for chunk in self.chunks:
            if within and chunk.role == "np":
                found.update(unit.province for unit in chunk.units)
            within = chunk.role == "except" or (
                within and (chunk.role in {"np", "and"} or chunk.key == ",")
            )
        return found

    def _take_rests(self) -> None:
        """Give HOLD to each unit that has no other order."""
        excepted = self._excepted()
        for _, frame, _ in self.rests:
            chunk = next(c for c in frame.subjects if c.quantity in {"all", "rest"})
            all_but = any(c.role == "except" for c in self.chunks[frame.first :])
            ordered = {
                unit.province
                for n, each in enumerate(self.found)
                if n not in self.corrected
                and isinstance(unit := getattr(each.order, "unit", None), types.UnitName)
            }
            units = [
                u
                for u in self.world.own.values()
                if chunk.kind in (None, u.kind) and u.province not in ordered | excepted
            ]
            for unit in units:
                at = self._add(
                    frame,
                    types.Hold(self._name(unit)),
                    0.0,
                    implied=self.unresolved or unit.province in self.unexplained,
                )
                self.found[at] = replace(
                    self.found[at], several=True, rest=chunk.quantity == "rest" or all_but
                )
