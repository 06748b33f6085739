"""Turn frames into orders, and resolve corrections, denials and talk between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from judge.reading.corrections import REPORTING, Corrections
from judge.reading.marking import SELF
from judge.reading.marks import PLACING
from judge.reading.notation import is_unread, repeats_orders
from judge.reading.policy import (
    CARRIED_OUT_MAX,
    OFFERED_MAX,
    STRICT_MAX,
    ReadOrder,
    Status,
    TextRead,
    place_of,
    settled,
)
from judge.reading.resolution import Said
from judge.reading.second_thoughts import OTHERS, UNCHANGED
from judge.reading.segment import WITHOUT_VERB, Frame
from judge.reading.tokens import PARAGRAPH, SENTENCE, VERBS
from judge.rules import types
from judge.rules.types import PhaseKind, Province


@dataclass(slots=True)
class Resolver(Corrections):
    """Turns frames into orders, in the order of the text."""

    def run(self, frames: Sequence[Frame]) -> TextRead:  # noqa: PLR0915 - one flat walk
        self.frames = frames
        self.unclear = {c.sentence for c in self.chunks if c.role == "word"}
        for frame in self._with_holds_below(frames):
            if self._puts_right(frame):
                continue
            if self._builds_later(frame) or self._keeps_orders(frame) or self._keeps_too(frame):
                frame.sort = "talk"
            self._fix(frame)
            self._name_target(frame)
            count = len(self.found)
            most = STRICT_MAX if frame.strict else OFFERED_MAX
            if frame.sort == "talk" or frame.cost > most or self._waits_there(frame):
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
            new, extends = tuple(range(count, len(self.found))), len(self.rests) == rests
            self.latest = new or (self.latest if taken and extends else ())
            self._withdraw(count, self.chunks[frame.first].sentence)
            if not taken:
                self.unresolved = True
                self._note_unread(frame)
                if frame.subjects:
                    self._ask(frame, tuple(self.world.own), doubted=False)
                    self._name_subject(frame)
            if self._is_doubted(frame):
                self.said.doubted = True
                self._leave_to_condition(frame, count)
                self._leave_to_correction(frame, count)
                places = (place_of(each) for each in self.found[count:])
                self._ask(frame, tuple(filter(None, places)), doubted=True)
            self.before = frame
        self.corrected.update(self.recalled if self.recalls else ())
        self._take_implied()
        self._take_rests()
        self._take_remaining()
        self._leave_recalled()
        return self._read()

    def _read(self) -> TextRead:
        kept = [each for at, each in enumerate(self.found) if at not in self.corrected]
        draft, talks, to_another = self.marks.draft, self.marks.talks, self.marks.to_another
        settle = settled(
            kept, self.world, draft=draft, talks=talks, fixes=self.fixing, to_another=to_another
        )
        orders = tuple(settle)
        doubts = (
            *(
                (self.chunks[at].start, self.chunks[at].end)
                for at in sorted(self.marks.doubted - self.marks.led)
            ),
            *((self.found[at].start, self.found[at].end) for at in sorted(self.joked)),
        )
        adjusts = self.world.kind is PhaseKind.ADJUSTMENTS
        talk = tuple(each for each in self.talk if each[3] or not adjusts)
        unread, repeats = tuple(self.unread), tuple(self.repeats)
        return TextRead(
            *(orders, talk, doubts, draft, self.fixing),
            unread=unread,
            repeats=repeats,
            recalled=self._recalled(orders) if self.fixing else (),
        )

    def _recalled(self, orders: Sequence[ReadOrder]) -> tuple[tuple[int, int], ...]:
        """Return where words are of which *orders* have the correction, and where those say so."""
        later = {place_of(each): each for each in orders if each.status is Status.PLAIN}
        replaced = [
            (each, other)
            for each in self.found
            if (other := later.get(place_of(each)))
            and other.orders != each.orders
            and other.start > each.start
        ]
        said = (
            (start, end)
            for start, end in self.interjected
            if any(each.start < start < other.start for each, other in replaced)
        )
        return (*((each.start, each.end) for each, _ in replaced), *said)

    def _builds_later(self, frame: Frame) -> bool:
        """Return whether a sentence is about builds to come: `I will build in Naples again`."""
        if self.world.kind is not PhaseKind.RETREATS or frame.subjects or frame.strict:
            return False
        builds = any(c.role == "build" for c in self._sentence_at(frame.first))
        return builds and frame.sort != "disband"

    def _keeps_too(self, frame: Frame) -> bool:
        """Return whether units are kept like others: `I keep Kiel and Rome, above all Rome`."""
        if self.world.kind is not PhaseKind.ADJUSTMENTS or frame.sort != "disband":
            return False
        above = takewhile(
            lambda c: c is not self.chunks[frame.first], self._sentence_at(frame.first)
        )
        roles = {c.role for c in self.chunks[frame.first : frame.last]}
        said = {c.role for c in above}  # but `Piedmont goes, it just stands there, and Tunis`
        if "except" in roles and frame.subjects:
            return "hold" not in said | roles
        return roles.isdisjoint({"disband", "move"}) and "hold" in said and "disband" not in said

    def _keeps_orders(self, frame: Frame) -> bool:
        """Return whether other orders are to stay as sent: `The rest stays as in my first email`.

        A unit without an order holds anyway.
        """
        others = any(each.quantity in OTHERS and not each.has_kind for each in frame.subjects)
        if frame.sort != "hold" or not (others or not frame.subjects):
            return False
        verb = next(n for n in range(frame.first, frame.last) if self.chunks[n].role == "hold")
        behind = takewhile(lambda c: not c.strength, self.chunks[verb + 1 : frame.last + 1])
        return any(c.key in UNCHANGED or c.role == "same" for c in behind)

    def _with_holds_below(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """Return *frames*, in which units in lines of their own below `Holds:` hold."""
        heading: Frame | None = None
        for frame in frames:
            if not heading and frame.sort != "hold":
                continue
            above = self.chunks[frame.first - 1].strength if frame.first else PARAGRAPH
            said = [c for c in self.chunks[frame.first : frame.last] if c.role != "break"]
            line = above >= SENTENCE and self.chunks[frame.last - 1].strength >= SENTENCE
            if line and frame.sort == "hold" and all(c.role == "hold" for c in said):
                heading = frame
            elif heading and said and frame.sort == "talk" and all(c.units for c in said):
                frame.sort, frame.subjects, frame.cost = "hold", tuple(said), WITHOUT_VERB
                heading.sort = "talk"
            elif said:
                heading = None
        return frames

    def _waits_there(self, frame: Frame) -> bool:
        """Return whether *frame* only adds to a move: `to Yorkshire, where it waits`."""
        where = frame.sort == "hold" and self.chunks[frame.first].key in PLACING
        return bool(where and frame.subjects) and not any(c.places for c in frame.subjects)

    def _name_subject(self, frame: Frame) -> None:
        """Remember the subject of a frame that ordered nothing for later words."""
        if frame.sort == "convoy" and frame.refers:
            return  # `takes ship with the fleet`
        [*others, last] = frame.subjects
        if not others and len(last.units) == 1:
            named = last.units[0]
            self.said = Said((named,), sort="named", object=named, sentence=last.sentence)
        elif self.said.sort != "joint":
            self.said = Said()

    def _talk(self, frame: Frame) -> None:
        chunks = self.chunks[frame.first : frame.last]
        self._note_unread(frame)
        powers = [c for c in chunks if c.role == "power"]
        own = any(c.key in SELF for c in chunks)  # `I had a mail from Russia`
        if not own and any(c.owner not in (self.world.power, c.headed) for c in powers):
            self.said = replace(self.said, units=())  # `Italy is in Galicia. It attacks Vienna.`
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
            self.said = Said((unit,), sort="named", object=unit, sentence=places[0].sentence)
        elif len(named) == 1:
            units, cost = self._units_of(named[0], frame)
            self.said = Said(
                tuple(each[0] for each in units if len(each) == 1 and not cost),
                sort="named",
                sentence=named[0].sentence,
            )
        else:
            self.said = Said()

    def _note_unread(self, frame: Frame) -> None:
        """Note that *frame* orders nothing, if it looks like an order."""
        chunks = self.chunks[frame.first : frame.last]
        self._reconsider(frame)
        if repeats_orders(chunks):
            self.repeats.append(self._span(frame))
        adjusts = self.world.kind is PhaseKind.ADJUSTMENTS and not self.world.due
        undue = adjusts and any(c.has_kind and c.places for c in chunks)
        acts = {"build", "disband"}
        undue = undue and any(c.role in acts for c in self._sentence_at(frame.first))
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
            if nothing and chunk.plural and chunk.has_kind:
                self.unexplained.update(
                    unit.province
                    for unit in self.world.own.values()
                    if chunk.kind in (None, unit.kind)
                )
            if not chunk.places or len(chunk.units) != 1:
                continue
            if nothing or all(chunk is not part for part in parts):
                self.unexplained.add(chunk.units[0].province)

    def _ask(self, frame: Frame, units: tuple[Province, ...], *, doubted: bool) -> None:
        """Note that *frame*, which orders nothing, is about *units*; reports are not."""
        if units and all(c.role not in REPORTING for c in self._sentence_at(frame.first)):
            self.talk.append((*self._span(frame), units, doubted))

    def _deny(self, frame: Frame) -> None:
        self._leave_unexplained(frame)
        before = self.before
        joined = before and before.last == frame.first and self.chunks[frame.first].role == "and"
        above = self.chunks[before.first : before.last] if before and joined else ()
        if above and VERBS.isdisjoint([c.role for c in above]):
            self.corrected.update(self.latest)  # `to York or to Wales it shall not go`
        self._note_unread(frame)
        if (
            frame.sort == "build" and frame.cost <= CARRIED_OUT_MAX
        ):  # `a fleet in Smyrna, not Ankara`
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
            number, places = (
                self.chunks[frame.first].sentence,
                frame.target and frame.target.places,
            )
            self.said = Said(tuple(units), (*(places or ()), "")[0], "denied", sentence=number)

    def _take(self, frame: Frame) -> None:
        take = {
            "move": self._move,
            "retreat": self._move,
            "goes": self._go,
            "choice": self._choose,
            "hold": self._hold,
            "stand": self._stand,
            "support": self._support,
            "mutual": self._mutual,
            "convoy": self._convoy,
            "follow": self._follow,
            "same": self._same,
            "disband": self._disband,
            "build": self._build,
            "waive": self._waive,
        }
        take[frame.sort](frame)
