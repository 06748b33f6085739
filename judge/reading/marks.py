"""Find what stands in doubt: questions, conditions, plans, reports, quotes and drafts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, starmap, takewhile

from judge.reading.chunks import Chunk, sentence_ends
from judge.reading.marking import LINE_END, MARKING, SELF, THAT, THEN, Marking
from judge.reading.policy import OFFERED_MAX
from judge.reading.roles import AIMING, NOTHING
from judge.reading.segment import Frame
from judge.reading.tokens import NOES, PARAGRAPH, SENTENCE, VERBS
from judge.rules.types import PhaseKind

COVERING = frozenset({"joke", "draft", "not"})
CONDITIONS = frozenset({"if", "draft", "joke", "else"})
# What follows these explains an order before them, and puts no doubt on it.
REMARKS = frozenset({"else"})  # `Spain holds, otherwise I lose it`
EXPLAINING = frozenset({"which", "why"})
PLACING = frozenset({"where", "wo", "où", "ou", "waar"})
TOLD = frozenset({"past", "report", "you", "third", "power", "np"})
# What the clause beside an order tells of others leaves it a little unsure.
BESIDE_ORDERS = frozenset({"past", "you", "third", "power", "np"})
CONCEDING = frozenset(
    {
        *("although", "though", "even though", "even if", "obwohl", "auch wenn", "selbst wenn"),
        *("bien que", "m\u00eame si", "ook al", "hoewel"),
    }
)
WORDS_OF_REMARK = 2  # `she reckons` has one
CLAUSE_WORDS = 4  # in brackets; `(as Anna told me)` has as many
NAUGHT = NOTHING | {
    *("no", "kein", "keine", "keinen", "aucun", "aucune", "geen"),
    *("nobody", "niemand", "personne"),
}
PRESS = frozenset({"press", "presse"})
IS = frozenset({"is", "are", "ist", "sind", "est", "sont", "n'est", "ne sont"})
IS_NOT = frozenset({"isn't", "aren't", "n'est pas", "ne sont pas"})
# `Can Brest go to Spain` asks without its mark
ASKING_FIRST = frozenset({"can", "does", "kann", "kan", "peut"})
# `Brest may go to Spain`
PERMITTING = frozenset({"may", "darf", "d\u00fcrfen", "peut", "peuvent"})
PROMISED = frozenset({"promised", "versprochen", "promis", "beloofd"})
BUT = frozenset({"but", "aber", "doch", "mais", "maar"})
MUSING = frozenset({"past", "doubt"})
TEMPTED = frozenset({"tempted", "tentant", "tent\u00e9", "tent\u00e9e", "verlockend"})
A_NEW = frozenset({"a", "an", "another", "ein", "eine", "un", "une"})
NAMING = frozenset({"plan", "plans", "option", "options", "later"})  # the orders below


@dataclass(slots=True)
class Marks(Marking):
    """The doubts of a text: the chunks that stand in them, *led* only by a line above.

    Those *introduced* stand in doubt by a line above, or by words before a colon, those *named*
    below a line that only names or greets. Those *unsure* are only offered.
    """

    frames: Sequence[Frame]
    doubted: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    led: set[int] = field(default_factory=set)
    introduced: set[int] = field(default_factory=set)
    named: set[int] = field(default_factory=set)
    marked: set[int] = field(default_factory=set)
    draft: bool = False
    talks: bool = False
    to_another: bool = False  # addressed to another power
    unsure: set[int] = field(default_factory=set)  # of which the next sentence says so
    roles: Sequence[str] = ()  # of the chunks
    keys: frozenset[str] = frozenset()  # of the chunks

    def __post_init__(self) -> None:  # noqa: C901, PLR0915 - one flat walk over the sentences
        """Find the sentences, up to `so`, with marks."""
        self.roles = [chunk.role for chunk in self.chunks]
        self.keys = frozenset([chunk.key for chunk in self.chunks])
        self.marked = {
            at
            for at, chunk in enumerate(self.chunks)
            if (chunk.role in MARKING or chunk.quoted or chunk.foreign)
            and not self._is_own_remark(at)
            and self._is_mark(at)
        }
        powers = [at for at, role in enumerate(self.roles) if at and role == "power"]
        greetings = [at for at in powers if self._is_to_another(at)]
        self.to_another = bool(greetings)
        self.draft = any(not self._ends_line(at) for at in greetings)
        spans: list[Sequence[int]] = list(self._spans())
        if "(" in self.keys:
            spans = [part for span in spans for part in self._without_asides(list(span))]
        leads = doubtful = bargains = False
        for span in spans:
            if bargains and any(self.chunks[at].key in THEN for at in span[:1]):
                self.unsure.update(span)
            roles = {self.roles[at] for at in span}
            marks = {self.roles[at] for at in self.marked.intersection(span)}
            marks |= {"question"} if self._asks_first(span) else set()
            within = not marks <= {"question"}
            marked = within or (bool(marks) and "request" not in roles)
            self.talks = self.talks or marked
            bargains = marked and not roles.isdisjoint({"you", "request", "if"})
            self.to_another = self.to_another or (bool(marks) and self._orders_anothers(span))
            if leads:
                self.doubted.update(span)
                self.led.update(() if within else span)
                self.introduced.update(self.led)
                self.named.update(() if within or doubtful else span)
            elif within:
                covered = set(self._covered(span))
                self.doubted |= covered
                self.introduced |= covered.intersection(self._behind_colon(span))
            elif marked:
                self.asked.update(span)
            self.draft = self.draft or "draft" in roles
            if "not" in roles and (denied := self._behind_denial(span)):
                (self.unsure if self._describes(span) else self.doubted).update(denied)
                marked = True
            last = self.chunks[span[-1]]
            if last.strength >= PARAGRAPH:
                leads = False
            elif self._opens_press(span):
                leads = doubtful = True
            elif marked and last.strength >= SENTENCE and self._introduces(span):
                leads, doubtful = True, any(self._is_leading_doubt(at, span) for at in span)
        self.doubted = {at for at in self.doubted if self.roles[at] != "break"}
        self.asked = {at for at in self.asked if self.roles[at] != "break"}

    def _asks_first(self, span: Sequence[int]) -> bool:
        """Return whether *span* begins as a question; `Can I get a fleet in London` orders one."""
        moves = self.world.kind is PhaseKind.MOVEMENT
        return moves and any(self.chunks[at].key in ASKING_FIRST for at in span[:1])

    def _spans(self) -> Iterator[range]:
        """Return the sentences, and their parts from `so` or a reason on."""
        bounds = {0, *sentence_ends(self.chunks), len(self.chunks)}
        if "so" in self.roles or "why" in self.roles:
            for at, chunk in enumerate(self.chunks):
                reason = chunk.role == "why" and chunk.key not in AIMING
                reason = reason and (chunk.key != "da" or self.roles[at - 1] == "break")
                above = takewhile(lambda c: c.strength < SENTENCE, reversed(self.chunks[:at]))
                reason = reason and any(c.places for c in above)  # not `Since it is empty, ...`
                if chunk.role == "so" or reason:
                    bounds.add(at)
        return starmap(range, pairwise(sorted(bounds)))

    def _orders_anothers(self, span: Sequence[int]) -> bool:
        """Return whether another power is told what to do: `Could you move Brest to Spain?`."""
        chunks = [self.chunks[at] for at in span]
        to = any(c.prep == "to" for c in chunks) and any(c.role in VERBS for c in chunks)
        for at, chunk in enumerate(chunks if to else ()):
            if chunk.role in {"you", "request"} or "you" in chunk.key.split():
                behind = (c for c in chunks[at + 1 :] if c.role not in {"fill", *VERBS})
                unit = next(behind, chunk)
                theirs = not self.world.standing.keys().isdisjoint(unit.places)
                if theirs and not unit.units and not unit.prep:
                    return True
        return False

    def _behind_denial(self, span: Sequence[int]) -> list[int]:
        """Return what stands behind the colon of a denial: `Not this time: A Mun-Bur`."""
        denials = [at for at in span if self.chunks[at].role == "not"]
        both = denials[-2:-1] == [denials[-1] - 1]  # `rien ne change : Bul-Ser`
        if self._is_naught(denials[-2 if both else -1]):  # `nothing fancy: Bul-Ser`
            return []
        if "why" in self.roles[span[0] : denials[-1]]:  # `so that you need not look: Bul-Ser`
            return []
        colons = (
            at
            for at in span
            if at > denials[-1]
            and self.chunks[at].key == ":"
            and not (self._refuses(span, denials[-1]) and self._only_fixes(denials[-1] + 1, at))
            and all(each.role != "but" for each in self.chunks[denials[-1] : at])
            and not self._says_more(denials[-1], at)
        )
        colon = next(colons, span[-1])
        return [at for at in span if at > colon]

    def _describes(self, span: Sequence[int]) -> bool:
        """Return whether a denial only says what orders are like: `is not very original:`."""
        at = next(n for n in reversed(span) if self.roles[n] == "not")
        said = takewhile(lambda c: c.key != ":", self.chunks[at + 1 : span[-1] + 1])
        is_so = self.chunks[at].key in IS_NOT or self.chunks[at - 1].key in IS
        return is_so and {c.role for c in said} in ({"word"}, {"word", "fill"})

    def _refuses(self, span: Sequence[int], denied: int) -> bool:
        """Return whether a denial is about what was said before: `no: Bul-Ser`."""
        fixes = any(self.chunks[at].role == "fix" for at in span if at < denied)
        return fixes or self.chunks[denied].key in NOES

    def _only_fixes(self, first: int, last: int) -> bool:
        """Return whether only words such as `wait` stand between a denial and its colon."""
        return all(c.role in {"break", "fill", "fix", "weak_fix"} for c in self.chunks[first:last])

    def _says_more(self, denied: int, colon: int) -> bool:
        """Return whether another clause leads to a colon: `I have never played, like this:`."""
        commas = [at for at in range(denied, colon) if self.chunks[at].key == ","]
        return bool(commas) and any(c.role == "word" for c in self.chunks[commas[-1] : colon])

    def _is_in_table(self, span: Sequence[int]) -> bool:
        """Return whether *span* is the remark behind an order in a table."""
        return span[0] > 0 and self.chunks[span[0] - 1].key == "|"

    def _behind_colon(self, span: Sequence[int]) -> list[int]:
        marks = (at for at in span if at in self.marked)
        first = next(marks, span[-1])
        colon = next((at for at in span if at > first and self.chunks[at].key == ":"), span[-1])
        return [at for at in span if at > colon]

    def _is_naught(self, at: int) -> bool:
        """Return whether an unknown thing is denied, and no order: `there isn't much to say:`."""
        if at and self.chunks[at - 1].pronoun == "there":
            return True
        behind = (c for c in self.chunks[at + 1 : at + 4] if c.role not in {"fill", "not"})
        return self.chunks[at].key in NAUGHT and next(behind, self.chunks[at]).role == "word"

    def _covered(self, span: Sequence[int]) -> Sequence[int]:
        """Return what the marks of a sentence put in doubt: all, or what is behind the orders.

        A remark about an order does not doubt it: `A Vie-Gal, where a Russian may wait`.
        """
        span = self._behind_semicolon(span)
        starts = [frame.first for frame in self.frames if frame.first <= span[-1]]
        marks = [at for at in span if at in self.marked and self.chunks[at].role != "question"]
        firsts = [next(n for n in reversed(starts) if n <= at) for at in marks]
        doubted, unsure = set[int](), set[int]()
        asks = any(self.chunks[at].role == "question" for at in span)
        turn = self._turn(span, marks)
        remark = -1  # which the other marks in it do not change
        for mark, first in zip(marks, firsts, strict=True):
            if first not in span:
                return span
            if turn > mark or first == remark:
                doubted.update(at for at in span if at < turn)
            elif not asks and self._permits(mark, first):
                frame = self._frame_at(first)
                unsure.update(() if self._goes_on(mark, frame) else range(first, frame.last))
            elif (
                self._is_remark(mark, first, span)
                or self._tells_of_plan(mark, first, span)
                or (not asks and self._gives_reason(mark, first))
                or (not asks and self._has_consequence(mark, span))
            ):
                doubted.update(range(first, self._end_of_remark(first, span[-1] + 1)))
                remark = first
            elif not asks and (self._is_beside(mark, first) or self._muses(mark, first, span)):
                frame = self._frame_at(first)
                end = next((n for n in span if n > mark and self.chunks[n].key == ";"), span[-1])
                doubted.update(range(first, frame.last))
                moves = self.world.kind is PhaseKind.MOVEMENT
                moves = moves and not self._only_tells(mark, frame)
                unsure.update(n for n in span if n <= end and (moves or n > first))
                remark = first if self._muses(mark, first, span) else remark
            elif not asks and (behind := self._behind_condition(mark, span)):
                doubted.update(at for at in span if at < behind)
                unsure.update(at for at in span if at >= behind)
            elif not asks and (decided := self._decided(mark, first, span)):
                doubted.update(at for at in span if at < decided)
            elif not asks and (last := self._last_before(mark, span)):
                doubted.update(at for at in span if at >= last)
                unsure.update(at for at in span if at < last)
            else:
                return span
        self.unsure |= unsure - doubted
        return [at for at in span if at in doubted]

    def _has_consequence(self, mark: int, span: Sequence[int]) -> bool:
        """Return whether no order follows from a condition: `and if he does, we bounce`."""
        opened = (
            at - 1
            for at in span
            if span[0] < at <= mark
            and self.chunks[at].role == "if"
            and self.chunks[at - 1].role in {"and", "but"}
        )
        opens = next(opened, span[-1])
        behind = [self.chunks[at] for at in span if at > opens + 1]
        told = all(e.sort == "talk" for e in self.frames if opens <= e.first <= span[-1])
        tells = sum(map(says, behind)) >= WORDS_OF_REMARK
        binds = any(c.role in {"not", "doubt", "request"} for c in behind)
        return told and tells and not binds and any(e.first == opens for e in self.frames)

    def _behind_condition(self, mark: int, span: Sequence[int]) -> int:
        """Return where other orders begin behind a condition within a sentence, or 0.

        `Ruhr takes Belgium if Tom lets it, Kiel takes Holland`.
        """
        frames = [each for each in self.frames if span[0] <= each.first <= span[-1]]
        begins = any(each.units for each in self.chunks[span[0] : mark])
        if self.chunks[mark].role != "if" or not begins:
            return 0
        apart = (each for each in frames if each.first > mark and each.sort != "talk")
        return next((each.first for each in apart if any(s.units for s in each.subjects)), 0)

    def _decided(self, mark: int, first: int, span: Sequence[int]) -> int:
        """Return where a unit of which something is doubted has its order, or 0.

        `Spain to Gascony would be embarrassing, Spain stays`.
        """
        units = [each.units for each in self._frame_at(first).subjects]
        if self.chunks[mark].role not in {"doubt", "past"} or not any(units):
            return 0
        behind = (each for each in self.frames if first < each.first <= span[-1])
        other = next((each for each in behind if each.sort != "talk"), None)
        apart = other is not None and self.chunks[other.first - 1].key == ","
        same = other is not None and [each.units for each in other.subjects] == units
        return other.first if other is not None and apart and same else 0

    def _tells_of_plan(self, mark: int, first: int, span: Sequence[int]) -> bool:
        """Return whether an order behind others was only planned: `..., I was going to say B`."""
        frame = self._frame_at(first)
        goes_on = any(each.places for each in self.chunks[mark : frame.last])  # not `... failed`
        if self.chunks[mark].role != "past" or frame.sort == "talk" or not goes_on:
            return False
        above = [each for each in self.frames if span[0] <= each.first < first]
        while above and above[-1].sort == "talk":
            above.pop()
        return bool(above) and all(each.sort != "talk" for each in above)

    def _last_before(self, mark: int, span: Sequence[int]) -> int:
        """Return where the last of several orders begins before a condition at their end, or 0.

        `Paris takes Burgundy, Marseilles takes Spain, if Tom lets it`.
        """
        frames = [each for each in self.frames if span[0] <= each.first <= span[-1]]
        orders = [e.first for e in frames if e.sort != "talk" and any(s.units for s in e.subjects)]
        trails = self.chunks[mark].role == "if" and len(orders) > 1 and orders[-1] < mark
        return orders[-1] if trails else 0

    def _turn(self, span: Sequence[int], marks: Sequence[int]) -> int:
        """Return where the order begins that what is only told before it gives way to.

        `I was tempted to go to Bohemia, but my army retreats to Piedmont`.
        """
        turn = next((at for at in span if at > marks[0] and self.chunks[at].key in BUT), -1)
        above = [self.chunks[at] for at in marks if at < turn]
        named = any(self.chunks[at].places for at in span if at < turn)
        chooses = self.world.kind is PhaseKind.RETREATS and any(
            e.sort != "talk" and span[0] <= e.first < turn for e in self.frames
        )  # `could slip to Armenia, but disbands`
        musing = {"past"} if named and not chooses else MUSING
        told = all(each.role in musing or each.key in TEMPTED for each in above)
        orders = any(e.sort != "talk" and turn <= e.last <= span[-1] + 1 for e in self.frames)
        said = any(self.roles[at] not in {"fill", "break"} for at in range(marks[0] + 1, turn))
        if not (told and said and orders):  # and not `perhaps rather to Smyrna`
            return -1
        comma = next(
            (at for at in reversed(range(marks[0], turn)) if self.chunks[at].key == ","), 0
        )
        clause = self.chunks[comma + 1 : turn]  # `sollte ..., bleibt jetzt aber stehen`
        return comma + 1 if comma and all(c.role in {"hold", "fill"} for c in clause) else turn

    def _permits(self, mark: int, first: int) -> bool:
        """Return whether a unit `may` do something, which is said of orders, too."""
        frame = self._frame_at(first)
        named = any(each.units for each in self.chunks[first:mark])
        return frame.sort != "talk" and named and self.chunks[mark].key in PERMITTING

    def _goes_on(self, mark: int, frame: Frame) -> bool:
        """Return whether other words say what a unit does: `darf etwas machen und geht`."""
        clause = [*takewhile(lambda c: c.role != "and", self.chunks[mark : frame.last])]
        return mark + len(clause) < frame.last and not any(
            c.role in VERBS or c.places for c in clause
        )

    def _is_beside(self, mark: int, first: int) -> bool:
        """Return whether only a clause beside the orders tells of others, or of the past."""
        frame = self._frame_at(first)
        named = any(c.units and not c.quantity for c in self.chunks[first : frame.last])
        chunk = self.chunks[mark]
        told = self._role(chunk, frame) in BESIDE_ORDERS
        return told and frame.sort == "talk" and not named

    def _gives_reason(self, mark: int, first: int) -> bool:
        """Return whether only a reason is in doubt: `because Tom has ideas, and Paris holds`."""
        frame = self._frame_at(first)
        named = any(c.units and not c.quantity for c in self.chunks[first : frame.last])
        reason = frame.sort == "talk" and self.chunks[first].role == "why"
        return reason and not named and self.chunks[mark].role != "if"

    def _only_tells(self, mark: int, frame: Frame) -> bool:
        """Return whether a clause tells of others: `..., just annoying him`, not `he reckons`."""
        chunks = self.chunks[frame.first : frame.last]
        leads = all(c.role in {"fill", "break"} for c in self.chunks[frame.first : mark])
        above = self.chunks[frame.first : mark + 1]
        others = {"past", "third", "you", "power"}  # `England should be gone`, and no move of it
        others -= {"power"} if self.roles[mark] == "power" else set()
        told = any(c.role in others for c in above)
        denies = any(c.role == "not" for c in chunks)  # `he won't let me in`
        return told and (not leads or denies or sum(map(says, chunks)) >= WORDS_OF_REMARK)

    def _role(self, mark: Chunk, frame: Frame) -> str:
        """Return what *mark* does in *frame*: `Turkey should give way` is told of another."""
        about = (each.role for each in self.chunks[frame.first : frame.last])
        other = next((role for role in about if role in {"power", "third", mark.role}), mark.role)
        return other if mark.role == "doubt" else mark.role

    def _muses(self, mark: int, first: int, span: Sequence[int]) -> bool:
        """Return whether a clause of its own behind an order is in doubt: `- I may be late`."""
        frame = self._frame_at(first)
        chunks = self.chunks[first : frame.last]
        before = self.chunks[first - 1]
        apart = first > span[0] and (before.role in {"break", "hold"} or before.prep == "to")
        long = sum(each.role == "word" for each in chunks) > WORDS_OF_REMARK
        long = long or any(each.role == "power" or each.places for each in chunks)
        doubts = self.chunks[mark].role == "doubt" and frame.sort == "talk"
        own = any(each.units and each.key not in A_NEW for each in chunks)
        return doubts and apart and long and not own

    def _frame_at(self, first: int) -> Frame:
        return next(each for each in self.frames if each.first == first)

    def _behind_semicolon(self, span: Sequence[int]) -> Sequence[int]:
        """Return *span* without the clauses before the one that the first mark stands in.

        `Paris goes to Burgundy; Tom may be there` is plain, `A Par-Bur; if Tom agrees` is not.
        """
        first = next(at for at in span if at in self.marked)
        waived = {frame.last - 1 for frame in self.frames if frame.sort == "waive"}
        signs = ((at, self.chunks[at].key) for at in span if at < first)
        ends = [at for at, key in signs if key in {";", "|"} or (key == ":" and at in waived)]
        begins = self.chunks[ends[-1] + 1] if ends else None
        denies = begins is not None and begins.role == "not" and self.chunks[ends[-1]].key != "|"
        clause = self.chunks[ends[-1] + 1 : span[-1]] if ends else ()
        whole = any(c.key in SELF for c in clause[WORDS_OF_REMARK:])  # `; if not, I ...`
        binds = begins is not None and begins.role in {"if", "else", "doubt", "which"}
        if begins is None or denies or (binds and not (begins.role == "if" and whole)):
            return span
        return [at for at in span if at > ends[-1]]

    def _end_of_remark(self, first: int, end: int) -> int:
        """Return where the remark ends that begins at *first*: at an order behind a clause."""
        if not self._explains(first):
            return end
        behind = (each for each in self.frames if first < each.first < end)
        return next((each.first for each in behind if each.sort != "talk"), end)

    def _explains(self, first: int) -> bool:
        chunk = self.chunks[first]
        return chunk.role in EXPLAINING or chunk.key in PLACING | CONCEDING

    def _is_remark(self, mark: int, first: int, span: Sequence[int]) -> bool:
        """Return whether the frame that begins at *first*, with *mark*, is about orders before."""
        frame = self._frame_at(first)
        above = [each for each in self.frames if span[0] <= each.first < first]
        clause = takewhile(lambda n: self.roles[n] != "break", reversed(range(frame.first, mark)))
        mark = next((n for n in clause if self.roles[n] == "report"), mark)  # `promised that if`
        chunks, role = self.chunks[frame.first : frame.last], self._role(self.chunks[mark], frame)
        if all(each.sort == "talk" for each in above):
            return False
        if (
            frame.sort != "talk"
            and frame.cost <= OFFERED_MAX
            and not (chunks[0].key in CONCEDING and all(not each.units for each in chunks))
        ):
            it = [c.pronoun for c in frame.subjects] == ["it"] and not frame.target
            bare = role in REMARKS and all(each.role != "np" for each in chunks)
            return bare or (role == "past" and it)  # `goes to Con, it has been here for years`
        if role == "report":
            return self._tells(mark, frame)
        if self._explains(first):  # `which I am not sure about` is no explanation
            own = chunks[0].role == "which" and any(c.key in SELF for c in chunks)
            return role != "doubt" or not own
        words = sum(says(each) for each in chunks)
        other = role in REMARKS and any(each.role == "power" for each in chunks)
        enough = other or words >= (1 if role in REMARKS else WORDS_OF_REMARK)
        return enough and role in TOLD | REMARKS

    def _tells(self, mark: int, frame: Frame) -> bool:
        """Return whether somebody is said to have said something else: `Turkey told me he waits`.

        What only names its source doubts the order before it: `says Anna`, `Tom told me`.
        """
        before, behind = self.chunks[frame.first : mark], self.chunks[mark + 1 : frame.last]
        behind_self = takewhile(lambda c: c.key not in SELF, reversed(before))
        own = any(c.key in SELF for c in before) and all(
            c.role not in {"third", "power", "word"} for c in behind_self
        )
        own = own or {"ich", "habe"} <= {c.key for c in before}  # `ich habe Tom versprochen`
        told = [c for c in before if c.role not in {"power", "third"}]  # `I promised England that`
        if self.chunks[mark].key in PROMISED and (own or any(c.key in SELF for c in told[-1:])):
            return True  # `I have promised her that`
        if before and before[0].role == "but":
            return True  # `although he writes politely`
        if own and any(c.role == "not" for c in before):
            return True  # `I haven't heard from Russia`
        if self.chunks[mark].key in PROMISED and any(each.role in VERBS for each in behind):
            return True  # `the Austrian has promised to support that`
        named = any(says(each) or each.role in {"power", "third", "you"} for each in before)
        source = any(each.prep in {"by", "from", "of"} for each in behind)
        return named and not source and any(map(says, behind))

    def _without_asides(self, span: list[int]) -> Iterator[list[int]]:
        """Yield a sentence without what in brackets only explains, and that."""
        opened = next((n for n, at in enumerate(span) if self.chunks[at].key == "("), None)
        if opened is None:
            yield span
            return
        behind = (n for n, at in enumerate(span) if n > opened and self.chunks[at].key == ")")
        closed = next(behind, len(span) - 1)
        inside, outside = span[opened : closed + 1], span[:opened] + span[closed + 1 :]
        if not outside or self._binds(inside):
            yield span
            return
        if any(self.chunks[at].role == "question" for at in inside):
            self.unsure.update(outside if self._says_little(inside) else ())
        if any(self.chunks[at].role in VERBS or not self.chunks[at].quoted for at in inside[1:-1]):
            yield inside
        yield from self._without_asides(outside)

    def _says_little(self, inside: Sequence[int]) -> bool:
        return sum(says(self.chunks[at]) for at in inside) < WORDS_OF_REMARK

    def _binds(self, inside: Sequence[int]) -> bool:
        """Return whether words in brackets doubt what is before them: `(if he agrees)`."""
        acts = any(self.chunks[at].role in VERBS for at in inside)  # but `("the Northern Army")`
        marks = (at for at in inside if at in self.marked)
        roles = {self.chunks[at].role for at in marks if acts or not self.chunks[at].quoted}
        roles |= {self.chunks[at].role for at in inside if self.chunks[at].role in COVERING}
        words = sum(says(self.chunks[at]) for at in inside)
        content = [self.chunks[at] for at in inside if self.chunks[at].role != "break"]
        clause = acts or any(each.role in {"be", "power", "third", "you"} for each in content)
        words += sum(c.role == "power" for c in content[1:])  # `(you know the Italians)`
        if clause and len(content) > CLAUSE_WORDS and content[0].key not in THAT:
            words = max(words, WORDS_OF_REMARK)
        if not roles.isdisjoint(CONDITIONS):
            return True
        if [each.role for each in content[:2]] == ["not", "np"] and content[1].places:
            return False  # `to Yorkshire (not to Liverpool, as you may have seen)`
        places = any(self.chunks[at].places for at in inside)
        if roles == {"question"} and words and not places:
            return False  # `(spelling?)`
        if "question" in roles or "doubt" in roles:
            return places or words < WORDS_OF_REMARK
        return bool(roles) and words < WORDS_OF_REMARK

    def _introduces(self, span: Sequence[int]) -> bool:
        """Return whether doubtful words lead to the lines below: `What if:`, `Ignore these`."""
        chunks = [self.chunks[at] for at in span]
        if len(chunks) > 1 and chunks[-2].key == ":":
            return True
        begins = next((each.role for each in chunks if each.role != "break"), "")
        acts = any(each.prep == "to" or each.role in VERBS for each in chunks)
        if begins in {"if", "else"} and not acts:  # `IF A Mun`
            return chunks[-1].key == LINE_END
        plans = any(each.role in {"if", "doubt", "report", "past"} for each in chunks)
        orders = any(each.places for each in chunks)
        line = chunks[-1].key == LINE_END and not self._is_in_table(span)
        return plans and not orders and line

    def _opens_press(self, span: Sequence[int]) -> bool:
        """Return whether press begins here, as in zines: `Press (Rome to Paris): We come.`."""
        opens = self.chunks[span[0]].key in PRESS
        return opens and any(self.chunks[at].key == ":" for at in span)

    def _is_leading_doubt(self, at: int, span: Sequence[int]) -> bool:
        """Return whether a word of the line *span* puts notation below it in doubt.

        `Plan A:`, `Later, Ann` and `Spring 1901 was good` do not; `Last turn:` does.
        """
        told = self.chunks[at].role == "past" and at > span[0]
        return at in self.marked and not told and self.chunks[at].key not in NAMING


def says(chunk: Chunk) -> bool:
    """Return whether *chunk* has a meaning of its own."""
    named = chunk.role == "word" and not chunk.key.isdecimal()
    return named or bool(chunk.places) or chunk.pronoun == "there"
