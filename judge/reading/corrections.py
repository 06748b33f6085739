"""Resolve corrections: of a whole order, of the unit, and of a place named before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile, pairwise, takewhile

from judge.reading.chunks import Chunk, chunks_of
from judge.reading.notation import can_be
from judge.reading.other_orders import OtherOrders
from judge.reading.policy import RANK, Status, place_of
from judge.reading.resolution import CONTRASTS, Said
from judge.reading.roles import INSTEAD, names_only
from judge.reading.second_thoughts import BESIDE, ONLY, POSTSCRIPTS, SOFT
from judge.reading.segment import Frame
from judge.reading.tokens import NOES
from judge.rules import types

FIXING = frozenset({"not", "joke", "fix", "weak_fix"})
ARTICLES = frozenset({"a", "an", "ein", "un"})
REVERSING = frozenset({"andersrum", "andersherum", "umgekehrt", "l'"})
RECONSIDERING = frozenset({"doubt", "draft", "not"})
REPORTING = frozenset({"past", "report", "you", "third"})
REPLACING = frozenset(  # `Replace Burgundy by Picardy`, `For Burgundy read Picardy`
    {
        *("replace", "change", "swap", "read", "typo", "scratch", "forget", "vergiss", "streiche"),
        *("ersetze", "ersetzen", "tausche", "ändere", "ändern", "lies", "heißen", "tippfehler"),
        *("remplacez", "remplacer", "changez", "lire", "lisez", "oublie", "oubliez", "erratum"),
    }
)
WROTE = frozenset({"wrote", "meant", "schrieb", "geschrieben", "meinte", "écrit", "pensais"})
ANEW = REPLACING | WROTE
PUTTING_RIGHT = frozenset(
    {"np", "fix", "weak_fix", "not", "be", "fill", "break", "and", "but", "which"}
)
ONLY_NAMED = 1.0  # a place without a unit or a verb
INTERJECTED = PUTTING_RIGHT - {"np", "not", "which"}


@dataclass(slots=True)
class Corrections(OtherOrders):
    """Corrects the orders found so far."""

    frames: Sequence[Frame] = ()
    right: set[int] = field(default_factory=set)  # sentences that were read as corrections
    interjected: list[tuple[int, int]] = field(default_factory=list)  # `no wait`
    judged: int = -1  # the last sentence of which is known whether it is one

    def _puts_right(self, frame: Frame) -> bool:
        """Put another place into an order, if a sentence says so: `Spain should be Piedmont`.

        If it is not plain which order is meant, those of the places named are only offered.
        """
        number = self.chunks[frame.first].sentence
        if number == self.judged:
            return number in self.right
        self.judged = number
        sentence = self._sentence_at(frame.first)
        end = len(sentence)
        _, second, *_ = *(n for n, c in enumerate(sentence) if c.places), end, end
        ends = (n for n, c in enumerate(sentence) if n > second and c.key == ",")
        sentence = sentence[: next(ends, None)]  # `..., that Italian in Piedmont is close`
        if not self._replaces(sentence):
            return False
        denied, new = self._other_unit(sentence), None
        wrong = denied
        if not wrong and not self._names_a_unit(number):
            wrong, new = self._other_place(sentence)
        firm = any(c.key in REPLACING or (c.role == "fix" and c.key not in SOFT) for c in sentence)
        if not wrong or not (denied or new or firm):
            return False
        self.right.add(number)
        self.fixing = True
        to_change = types.Move | types.Retreat | types.Build
        moves = [n for n in wrong if isinstance(self.found[n].order, to_change)]
        if len(moves) != 1 or not new or not self._go_elsewhere(moves[0], sentence, new):
            for n in wrong:
                self._leave_unsure(n)
            self.latest, self.said = (), Said()
        return True

    def _replaces(self, sentence: Sequence[Chunk]) -> bool:
        """Return whether *sentence* may put something in another place."""
        roles = {c.role for c in sentence}
        if not roles.isdisjoint({"power", "third", "you"}):
            return False
        keys = {c.key for c in sentence}
        if not ANEW.isdisjoint(keys):
            return True
        turns = not CONTRASTS.isdisjoint(keys)
        denies = "not" in roles and any(
            first.role == "not" and second.places and (turns or first.key in INSTEAD)
            for first, second in pairwise(sentence)
        )
        behind = dropwhile(lambda each: each.role != "fix", sentence if "fix" in roles else ())
        return denies or any(c.places for c in behind)  # not `I thought of Naples, but no`

    def _other_unit(self, sentence: Sequence[Chunk]) -> list[int]:
        """Return the orders of units of which *sentence* denies one: `Marseilles, not Paris`."""
        units = {c.units[0].province for c in sentence if c.places and len(c.units) == 1}
        denies = any(
            first.role == "not" and second.places and len(second.units) == 1 and not second.prep
            for first, second in pairwise(sentence)
        )
        if not denies or len(units) == 1:
            return []
        above = (n for n, e in enumerate(self.found) if e.end <= sentence[0].start)
        return [n for n in above if place_of(self.found[n]) in units]

    def _names_a_unit(self, sentence: int) -> bool:
        """Return whether a frame in *sentence* orders or builds a unit that it names."""
        return any(
            each.sort != "talk"
            and any((c.units and c.places and not c.prep) or c.has_kind for c in each.subjects)
            for each in self.frames
            if self.chunks[each.first].sentence == sentence
        )

    def _other_place(self, sentence: Sequence[Chunk]) -> tuple[list[int], Chunk | None]:
        """Return the orders to a place that *sentence* names, and the one other place in it."""
        above = [
            (_goal(each.order), n)
            for n, each in enumerate(self.found)
            if n not in self.corrected and each.end <= sentence[0].start
        ]
        places = {place for place, _ in above}
        named = [c for c in sentence if c.places]
        new = [c for c in named if places.isdisjoint(c.places)]
        old = [c for c in named if c not in new]
        fixes = [n for n, c in enumerate(sentence) if c.role == "fix"]
        if any(new and new[0].start < sentence[n].start < old[-1].start for n in fixes if old):
            return [], None  # `Smyrna... no, Ankara`
        if not new and any(names_only(sentence[n + 1 : n + 4]) for n in fixes):
            return [], None  # `no, Ankara`
        wrong = [n for place, n in above if any(place in c.places for c in old)]
        builds = [n for n in self.latest if isinstance(self.found[n].order, types.Build)]
        only_place = not (old or any(c.has_kind or c.guessed for c in sentence))
        if fixes and only_place and len(builds) == 1:  # `An army in Budapest. No, rather Vienna.`
            wrong = builds
        return wrong, new[0] if len(new) == 1 else None

    def _go_elsewhere(self, at: int, sentence: Sequence[Chunk], new: Chunk) -> bool:
        """Order the unit of a move to the place *new*, and others to help it there."""
        before = self.found[at]
        order = self._elsewhere(before.order, new)
        if order is None or before.status in {Status.DOUBTED, Status.ASKED}:
            return False
        only = all(c.role in PUTTING_RIGHT or c.key in ANEW for c in sentence)
        led = any(n in self.marks.led for n, c in enumerate(self.chunks) if c is new)
        plain = only and not (led or new.guessed) and before.status is Status.PLAIN
        status = Status.PLAIN if plain else Status.OFFERED
        start, end = sentence[0].start, sentence[-1].end
        self.found.append(
            replace(before, orders=(order,), status=status, start=start, end=end, strict=False)
        )
        self.corrected.add(at)
        for n, each in enumerate(self.found):
            helps = isinstance(each.order, types.SupportMove | types.Convoy)
            if helps and n not in self.corrected and _helped(each.order) == order.unit:
                self._leave_unsure(n)
        self.latest, self.said = (len(self.found) - 1,), Said()
        unit = self._at(order.unit)
        if unit and isinstance(order, types.Move | types.Retreat):
            number, to = sentence[0].sentence, order.target
            self.said = Said((unit,), to, "move", unit, to, self.latest, number)
        return True

    def _elsewhere(
        self, order: types.Order, new: Chunk
    ) -> types.Move | types.Retreat | types.Build | None:
        """Return *order* with the place *new*, if its unit can go or be built there."""
        match order:
            case types.Build(unit=types.UnitName(kind=kind)):
                [place] = new.places if len(new.places) == 1 else [""]
                if place not in self.world.sites or self.world.board.places[place].coasts:
                    return None
                built = types.Build(types.UnitName(kind, place))
                return built if can_be(built, self.world) else None
            case types.Move(unit=name) | types.Retreat(unit=name) if unit := self._at(name):
                places = self._place(new, unit)
                if len(places) != 1 or self.world.reach(unit, types.province_of(places[0])):
                    return None
                return replace(order, target=places[0])
            case _:
                return None

    def _leave_to_condition(self, frame: Frame, count: int) -> None:
        """Offer the orders of units that do something else on a condition: `If ..., it holds`."""
        above = {c.role for c in self._sentence_at(frame.first) if c.end <= self._span(frame)[0]}
        named = frame.subjects and all(c.places or c.pronoun == "it" for c in frame.subjects)
        if "if" not in above or not named or not above.isdisjoint({"dislodged", "past"}):
            return
        self._leave_replaced(count)

    def _leave_replaced(self, count: int) -> None:
        """Offer the orders of units that have others since *count*."""
        others = {place_of(each): each.orders for each in self.found[count:]}
        for n, each in enumerate(self.found[:count]):
            if each.orders != others.get(place_of(each), each.orders):
                self._leave_unsure(n)

    def _leave_to_correction(self, frame: Frame, count: int) -> None:
        """Offer the orders of units of which a correction in doubt says something else.

        `London to the Channel. Bob asked me not to, so London goes to the North Sea instead`.
        """
        chunks = [c for c in self._sentence_at(frame.first) if c.start <= self._span(frame)[1] + 1]
        named = bool(frame.subjects) and all(c.places for c in frame.subjects)
        fixes = any(c.role in {"fix", "weak_fix"} for c in chunks)
        if named and fixes and all(c.role != "past" for c in chunks):
            self._leave_replaced(count)

    def _leave_recalled(self) -> None:
        """Offer what words such as `No wait` call back, if nothing takes its place."""
        for at in self.recalled if self.recalls else ():
            kept = (e for n, e in enumerate(self.found) if n not in self.corrected)
            has_other = place_of(self.found[at]) in map(place_of, kept)
            if self.found[at].status is not Status.DOUBTED and not has_other:
                self.corrected.discard(at)
                self._leave_unsure(at)

    def _leave_unsure(self, at: int) -> None:
        status = max(self.found[at].status, Status.OFFERED, key=RANK.__getitem__)
        self.found[at] = replace(self.found[at], status=status)

    def _fix(self, frame: Frame) -> None:
        """Withdraw the order before words such as `no, wait`."""
        chunks = self.chunks[frame.first : frame.last]
        if FIXING.isdisjoint([c.role for c in chunks]):
            return
        refuses = [c for c in chunks if c.role not in {"break", "fill", "and", "but"}]
        alone = (
            not any(c.key in ARTICLES for c in chunks)  # `it's a no`
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
        if fixes and self._answers(fixes[0]):
            return
        if not fixes or (soft and frame.sort == "talk" and any(c.role == "word" for c in chunks)):
            return  # `Well played!`
        self.fixing = True
        if INTERJECTED.issuperset([c.role for c in chunks]):
            self.interjected.append(self._span(frame))
        named = self._corrects_name(fixes[0]) or self._corrects_question(fixes[0])
        if any(c.role == "fix" for c in fixes) and not named:
            if any(c.key in REVERSING for c in fixes):
                self.latest = self._all_said_with(self.latest)
            self.recalled, self.recalls = self.latest or self.recalled, self.recalls or not soft
            self.recalled_in = self.chunks[frame.first].sentence
            self.latest = ()

    def _answers(self, fix: Chunk) -> bool:
        """Return whether a no only answers, and calls no order back: `No: Brest does not go`."""
        sentence = chunks_of(fix.sentence, self.chunks)
        behind = dropwhile(lambda c: c.start <= fix.start or c.strength, sentence)
        clause = [*takewhile(lambda c: not c.strength, behind)]
        if fix.key not in NOES or all(c.role != "not" for c in clause):
            return False
        named = {unit.province for c in clause for unit in c.units if c.places}
        told = any(c.role in {"word", "report"} for c in sentence if c.start < fix.start)
        return bool(named or told) and named.isdisjoint(map(place_of, self.found))

    def _name_target(self, frame: Frame) -> None:
        """Read a mere place as where the unit goes that a correction is about: `Budapest then`."""
        if frame.sort != "talk" or not self.recalls or self.said.orders != self.recalled:
            return
        named = [c for c in self.chunks[frame.first : frame.last] if c.role not in BESIDE]
        if len(named) == 1 and named[0].places and self.said.sort in {"move", "disband"}:
            frame.sort, frame.target, frame.cost = "move", named[0], ONLY_NAMED
            self.said = replace(self.said, sentence=named[0].sentence)

    def _all_said_with(self, latest: tuple[int, ...]) -> tuple[int, ...]:
        """Return all orders of the sentence of *latest*, which `the other way round` is about."""
        ends = {self.found[n].end for n in latest}
        said = {c.sentence for c in self.chunks if c.end in ends}
        all_of = [c for c in self.chunks if c.sentence in said]
        return tuple(
            n for n, each in enumerate(self.found) if all_of and all_of[0].start <= each.start
        )

    def _corrects_name(self, fix: Chunk) -> bool:
        """Return whether a sentence names a place anew: `La Vénétie, je veux dire Venise, ...`."""
        sentence = chunks_of(fix.sentence, self.chunks)
        above = [c for c in sentence if c.start < fix.start]
        named = any(c.role in {"np", "word"} for c in above)
        anew = any(c.places for c in sentence if c.start > fix.start)
        return named and anew and all(self.found[n].end <= above[0].start for n in self.latest)

    def _corrects_question(self, fix: Chunk) -> bool:
        """Return whether a place where no unit ordered can go is one asked about: `I mean Tunis`.

        The question stands between the orders and that.
        """
        end = max((self.found[n].end for n in self.latest), default=fix.start)
        asks = any(c.role == "question" and end <= c.start < fix.start for c in self.chunks)
        behind = [c for c in chunks_of(fix.sentence, self.chunks) if c.start > fix.start]
        places = [c for c in behind if c.places]
        alone = len(places) == 1 and PUTTING_RIGHT.issuperset(c.role for c in behind)
        orders = (self.found[n].order for n in self.latest)
        return asks and alone and all(self._elsewhere(each, places[0]) is None for each in orders)

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
            said = {c.key for c in chunks_of(sentence, self.chunks)}
            adjusts = self.world.kind is types.PhaseKind.ADJUSTMENTS and said.isdisjoint(ONLY)
            same = [
                n
                for n in self.recalled
                if (adjusts or self.found[n].strict) and place_of(self.found[n]) in places
            ]
            for n in same or self.recalled:
                if place_of(self.found[n]) in places:
                    self.corrected.add(n)
                else:
                    self._leave_unsure(n)  # `Marseilles to Spain. Sorry, Paris to Burgundy.`
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

    def _reconsider(self, frame: Frame) -> None:
        """Offer the order of a unit of which talk says that it changes: `Forget about Munich.`."""
        sentence = self._sentence_at(frame.first)
        roles = {c.role for c in sentence}
        added = sentence[0].key in POSTSCRIPTS
        others = {"power", "third"} | (set() if added else REPORTING | {"fix"})
        unsure = added or not roles.isdisjoint(RECONSIDERING)
        if not unsure or not roles.isdisjoint(others):
            return
        said = takewhile(lambda c: c.role != "else", sentence)
        places = {place for c in said for place in c.places}
        if len(places) > 1:
            return
        for n, each in enumerate(self.found):
            said_above = each.end <= sentence[0].start and each.status is Status.PLAIN
            if said_above and place_of(each) in places:
                self.found[n] = replace(each, status=Status.OFFERED)


def _goal(order: types.Order) -> types.Province:
    """Return where a unit goes or is built by *order*, or nothing."""
    if isinstance(order, types.Build):
        return order.unit.province
    return types.province_of(getattr(order, "target", ""))


def _helped(order: types.Order) -> types.UnitName | None:
    return getattr(order, "supported", None) or getattr(order, "army", None)
