"""Compare an email with the emails of ours that it may answer, word by word.

Mail programs wrap, mark, bullet and convert what they quote, and put answers anywhere in it. The
judge has the text of what it sent, so it aligns the two. A line is ours only if all its words are.
"""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from judge.mail.compared_words import BOUNDARY, words_of
from judge.mail.sent_text import SentEmail, SentText
from judge.mail.stretches import RUN, Stretch, choose, runs_of, settle, size_of

WHOLE = 0.95  # of its words
GAP_MAX = 12  # written lines of others between two parts of one quote
FILE = re.compile(r"[\s>|]*[<\[(].*[>\])]\s*")  # `<board.png>`: how a quote shows an attachment
LISTED_LINK = re.compile(  # `12. mailto:judge@...`, `[3] https://...`, `4. Image: cid:...`
    r"[\s>|]*(?:\[?\d{1,3}[.\])]\s*(?:\w{1,20}: )?(?:https?|mailto|file|cid):\S|mailto:\S+\?)",
    re.IGNORECASE,
)
LINKED_LINES_MAX = 60  # of an email that a link prepares: lynx shows its text below the link
TITLE = re.compile(r"[\s>|]*[^\W\d]{3,20}(?: [^\W\d]{3,20})?:?\s*")  # of such a list
SUBTITLE = re.compile(rf"[>|]*\s\s{TITLE.pattern}")  # `Visible links`
NEAR = 6  # lines to look at for a list


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a line with the sent texts.

    It is *matched* if all its words are ours, and *anchored* if its quote also has a sentence or a
    heading of ours. It is *within* a quote if lines of one form are above and below it, or if an
    editor has it in the quote below the last of them. *names_us* is set if it has the name or
    address that ours was sent from, as the *heading* of a quote has.
    """

    matched: bool = False
    anchored: bool = False
    within: bool = False
    names_us: bool = False
    heading: bool = False


OTHER, NAMES_US = Compared(), Compared(names_us=True)


def compare(
    lines: Sequence[str], depths: Sequence[int], sent: Sequence[SentEmail]
) -> list[Compared]:
    """Compare the *lines* of an email, with *depths* of marks, with emails that were *sent*."""
    email = _Email(lines, depths, sent)
    compared = [NAMES_US if each else OTHER for each in email.heads]
    quotes: list[_Quote] = []
    for forms in _forms_to_compare(lines, sent):
        quotes = _quotes(email, email.words, forms)
        if any(map(_Quote.is_whole, quotes)):
            break
    if any(map(_Quote.is_overrun, quotes)):  # The marks tell what was typed.
        marked = [word if depths[email.line_of[at]] else "" for at, word in enumerate(email.words)]
        quotes = _quotes(email, marked, forms)
    for quote in quotes:
        for number, each in quote.compared():
            known = compared[number]
            if each.anchored or not (known.anchored or known.within):
                compared[number] = each
    return compared


def _forms_to_compare(
    lines: Sequence[str], sent: Sequence[SentEmail]
) -> Iterator[Sequence[SentText]]:
    """Yield first the form of a single email that is more likely in *lines*, then all forms."""
    as_source = any(BOUNDARY in line for line in lines)
    for one in sent[: len(sent) == 1 and not as_source]:
        yield one.subject, one.likely_form(lines)
    forms = [form for one in sent for form in one.forms]
    yield [*forms, *(one.source for one in sent)] if as_source else forms


class _Email:
    """The lines of an email, their words and marks, and whether they name the sender of ours."""

    def __init__(
        self, lines: Sequence[str], depths: Sequence[int], sent: Sequence[SentEmail]
    ) -> None:
        self.lines, self.depths = lines, depths
        self.words, ends = words_of(lines)
        self.starts = (0, *ends)
        self.written = [self.words[start:end] for start, end in pairwise(self.starts)]
        self._sent = sent
        self.heads = [False] * len(lines)
        folded = "\n".join(lines).casefold()
        for name in {name for each in sent for name in each.names}:
            number = at = 0
            while (found := folded.find(name, at)) >= 0:
                number += folded.count("\n", at, found)
                self.heads[number] = True
                at = found + 1

    def is_ours(self, number: int) -> bool:
        """Return whether the line *number* is a sentence that was sent, such as of a picture."""
        written = self.written[number]
        words = f" {' '.join(written)} "
        return len(written) > 2 * RUN and any(
            words in form.text for each in self._sent for form in each.forms
        )

    @cached_property
    def line_of(self) -> Sequence[int]:
        """The line of each word."""
        return [number for number, each in enumerate(self.written) for _ in each]


def _quotes(email: _Email, words: Sequence[str], sent: Sequence[SentText]) -> list[_Quote]:
    """Return what *email* quotes, first the form of which it has most: both are nearly equal."""
    runs = runs_of(words)
    found = {form: [*form.index.stretches(words, runs)] for form in sent}
    first = {form: choose(found[form], bytearray(len(words))) for form in sent if found[form]}
    used = bytearray(len(words))
    quotes: list[_Quote] = []
    for form in sorted(first, key=lambda form: -size_of(first[form])):
        if chosen := choose(found[form], used) if quotes else first[form]:
            settled = [*settle(chosen, words, form.words, set(email.starts))]
            for each in chosen:
                used[each.start : each.start + each.length] = bytes(each.length)
            for each in settled:
                used[each.start : each.start + each.length] = b"\1" * each.length
            quotes.append(_Quote(email, form, settled))
    return quotes


class _Quote:
    """The lines of an email that quote one form, by the stretches that they share."""

    def __init__(self, email: _Email, form: SentText, stretches: Sequence[Stretch]) -> None:
        self.email, self.form, self.stretches = email, form, stretches
        self.depths, self.written, self.line_of = email.depths, email.written, email.line_of
        equal = [0] * len(self.written)
        for each in stretches:
            for at in range(each.start, each.start + each.length):
                equal[self.line_of[at]] += 1
        found = {n for n, words in enumerate(self.written) if words and equal[n] == len(words)}
        self.continued = self._continued()
        self.matched = found | self._short_lines(found) | self.continued
        self.anchors = self._anchors()

    def is_whole(self) -> bool:
        """Return whether the email has all of the form, so another form would add nothing."""
        form = self.form
        return len(form.ends) > 1 and size_of(self.stretches) > WHOLE * form.body_words

    def is_overrun(self) -> bool:
        """Return whether it takes lines without marks, although the quote is marked."""
        return any(self.depths[line] for line in self.anchors) and any(
            not self.depths[self.line_of[at]] and self.line_of[at] not in self.continued
            for each in self.stretches
            for at in range(each.start, each.start + each.length)
        )

    def compared(self) -> Iterator[tuple[int, Compared]]:
        """Yield the lines that are part of this quote or within it."""
        names = self.email.heads
        for part in self._parts(sorted(self.matched)):
            # A receipt or a letter of ours may have marked lines of its own.
            heads = [line for line in self.anchors if part[0] <= line <= part[-1]]
            marked = any(self.depths[line] for line in heads)
            kept = [n for n in part if self.depths[n] or n in self.continued] if marked else part
            quoted = {*(kept or part)}
            ours, typed = Compared(matched=True, anchored=bool(heads)), Compared(within=True)
            last = max(quoted)
            depth = min(self.depths[line] for line in (part[0], *heads))
            for number in range(min(quoted), self._last(last) + 1):
                is_ours = number in quoted or not self.written[number] or number > last
                of_others = 0 < self.depths[number] < depth  # somebody's answer, quoted here
                if is_ours or (heads and not of_others):
                    each = ours if is_ours else typed
                    yield number, replace(each, names_us=True) if names[number] else each
            if heads and part[-1] == max(self.matched):
                yield from ((number, Compared(within=True)) for number in self._below(part[-1]))

    def _last(self, last: int) -> int:
        """Return the last of the links below the line *last*, with what stands between them."""
        lines, number, listed = self.email.lines, last + 1, False
        while number < len(lines):
            if self.written[number] and not self._lists_links(number):
                near = range(number + 1, min(number + LINKED_LINES_MAX, len(lines)))
                number = next((at for at in near if LISTED_LINK.match(lines[at])), 0)
                if not (listed and number):
                    break
            listed = listed or LISTED_LINK.match(lines[number]) is not None
            last, number = number, number + 1
        return last

    def _lists_links(self, number: int) -> bool:
        """Return whether a list of links begins at *number*, as below HTML shown as text."""
        near = [line for line in self.email.lines[number : number + NEAR] if line.strip(" >|")]
        for title in (TITLE, SUBTITLE):
            if near and title.fullmatch(near[0]):
                del near[0]
        return bool(near) and LISTED_LINK.match(near[0]) is not None

    def _below(self, last: int) -> Iterator[int]:
        """Yield the lines below *last*, the end of the form, that are marked as it is.

        They were typed at the end of a quote, which editors mark as well.
        """
        above = self.stretches[-1]
        if self.depths[last] and above.sent + above.length + RUN > self.form.body_words:
            for number in range(last + 1, len(self.written)):
                if self.written[number] and (
                    self.depths[number] != self.depths[last]
                    or FILE.fullmatch(self.email.lines[number])
                    or self._lists_links(number)
                ):
                    return
                if not self.email.is_ours(number):
                    yield number

    def _parts(self, matched: Sequence[int]) -> Iterator[list[int]]:
        """Split the quote at headings, and where too much other text is between its lines."""
        part: list[int] = []
        for number in matched:
            between = range(part[-1] + 1, number) if part else range(0)
            others = sum(1 for each in between if self.written[each])
            if others > GAP_MAX or any(self.email.heads[each] for each in between):
                yield part
                part = []
            part.append(number)
        if part:
            yield part

    def _continued(self) -> set[int]:
        """Return the lines that begin within a line of the form: a mail program wrapped it."""
        begins = {0, *self.form.ends}
        continued: set[int] = set()
        for each in self.stretches:
            end = each.start + each.length
            at = each.sent - each.start
            number = self.line_of[each.start] + 1
            while number < len(self.written):
                words, sent = self.written[number], at + self.email.starts[number]
                if (
                    words
                    and sent not in begins
                    and words == self.form.words[sent : sent + len(words)]
                ):
                    continued.add(number)
                elif self.email.starts[number] >= end:
                    break
                number += 1
        return continued

    def _anchors(self) -> list[int]:
        """Return the lines with a sentence or a heading of ours, whole."""
        starts = [each.sent for each in self.stretches]
        anchors, at = [], 0
        for line, end in enumerate(self.form.ends):
            number = bisect(starts, at) - 1
            if number >= 0 and end > at:
                each = self.stretches[number]
                if end <= each.sent + each.length and self.form.is_ours(line):
                    anchors.append(self.line_of[each.start + at - each.sent])
            at = end
        return anchors

    def _short_lines(self, matched: set[int]) -> set[int]:
        """Return the lines between two stretches that were a whole line of ours there.

        They have fewer words than a run. What is not marked may have been typed, so it counts only
        where no more than that is missing.
        """
        found: set[int] = set()
        ends = (0, *self.form.ends)
        top, end = Stretch(0, 0, 0), Stretch(len(self.email.words), ends[-1], 0)
        for above, below in pairwise((top, *self.stretches, end)):
            first = bisect(ends, above.sent + above.length - 1) if above.length else 0
            last = bisect(ends, below.sent) - 1 if below.length else len(ends) - 1
            sent = [
                tuple(self.form.words[start:end])
                for start, end in pairwise(ends[first : last + 1])
            ]
            places: dict[tuple[str, ...], list[int]] = {}
            for place, words in enumerate(sent):
                places.setdefault(words, []).append(place)
            few = below.length and below.sent - above.sent - above.length < RUN
            start = self.line_of[max(above.start + above.length - 1, 0)]
            after = 0
            for number in range(start, self._line_at(below.start) + 1):
                known = places.get(tuple(self.written[number]), [])
                at = bisect_left(known, after)
                if number in matched or at == len(known):
                    continue
                at_edge = below.length and (known[at] == after or known[-1] == len(sent) - 1)
                if self.depths[number] or few or at_edge:
                    found.add(number)
                    after = known[at] + 1
        return found

    def _line_at(self, word: int) -> int:
        return self.line_of[word] if word < len(self.line_of) else len(self.written) - 1
