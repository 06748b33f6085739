"""Compare an email with the emails of ours that it may answer, word by word.

Mail programs wrap, mark, bullet and convert what they quote, and put answers anywhere in it. The
judge has the text of what it sent, so it aligns the two: stretches of equal words in their order,
the longest first, and each word that was sent is used once. A line is ours only if all its words
are. Stretches are found by runs of `RUN` words, so the time is linear, and the work has a limit.
"""

from __future__ import annotations

import re
from binascii import a2b_qp
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import compat32
from heapq import heapify, heappop, heappush
from html import unescape
from itertools import pairwise
from unicodedata import normalize

from judge.mail import headers

RUN = 4  # words; fewer are equal by chance
PLACES_MAX = 8  # places of one run in what was sent that are tried
STEPS_MAX = 200_000  # compared words of one email; what comes later counts as not ours
GAP_MAX = 12  # written lines of others between two parts of one quote
HEADING_LINES = 3  # at the top of each form: the judge, its game, the subject
# What players wrote is no sentence of ours, whoever sends it on.
HEADINGS_ONLY = frozenset({"letter", "press_echo", "forwarded", "digest", "memoirs", "held"})

LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:|cid:)\S{1,4000}", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
JOINED = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")  # two lines as some programs join them
SENTENCE = re.compile(r"(?:\b[^\W\d_A-Z]{2,}\b.*?){4}")  # words in small letters
# Our own MIME, as `compose` writes it: all text is quoted-printable.
TEXT_PART = re.compile(
    rb"^Content-Type: text/(\w+)[^\n]*\n(?:[^\n]+\n)*\n(.*?)(?=^--=_|\Z)",
    re.MULTILINE | re.DOTALL,
)
WRITTEN = re.compile(r'<div class="written".*?</div>', re.DOTALL)
HEAD = re.compile(r"<head\b.*?</head>|<style\b.*?</style>", re.DOTALL)
ALT = re.compile(r'<img\b[^>]*?\balt="([^"]*)"[^>]*>')
ENDS_LINE = re.compile(r"<(?:/?(?:p|div|tr|li|ul|ol|h\d|table|title|td|pre)\b[^>]*|br[^>]*)>")
TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class SentText:
    """One form of an email that was sent, plain text or HTML.

    *ends* has the number of *words* up to the end of each line; a line is *ours* if it is neither
    part of a list of orders nor written by a player.
    """

    words: Sequence[str]
    ends: Sequence[int]
    ours: Sequence[bool]


def words_of(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the words of *lines*, and the number of words up to the end of each line.

    They have no marks, links and case, and are in their normal form (NFKC).
    """
    text = LINK.sub(" ", "\n".join(lines))
    text = JOINED.sub(" ", text if text.isascii() else normalize("NFKC", text)).casefold()
    words: list[str] = []
    ends: list[int] = []
    for line in text.split("\n"):
        words += WORD.findall(line)
        ends.append(len(words))
    return words, ends


def sent_texts(raw: bytes, kind: str) -> tuple[SentText, ...]:
    """Return the forms of the email *raw* of ours, which the outbox stores as *kind*."""
    header, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    subject = headers.subject_of(headers.headers_of(message_from_bytes(header, policy=compat32)))
    forms = [SentText(*words_of([subject]), ours=[True])]
    for named, content in TEXT_PART.findall(header + b"\n\n" + body):
        text = a2b_qp(content).decode("utf-8", "replace")
        lines = _html_lines(text) if named == b"html" else text.splitlines()
        forms.append(_form(lines, kind))
    return tuple(forms)


def _form(lines: Sequence[str], kind: str) -> SentText:
    written = [line for line in lines if line.strip()]
    last = HEADING_LINES if kind in HEADINGS_ONLY else len(written)
    ours = [
        number < HEADING_LINES or line.startswith("::") or (number < last and _is_sentence(line))
        for number, line in enumerate(written)
    ]
    return SentText(*words_of(written), ours)


def _html_lines(source: str) -> list[str]:
    """Return the lines of our own HTML; those that a player wrote begin with `>`."""
    shown = HEAD.sub("", source)
    shown = WRITTEN.sub(lambda found: "\n>" + found[0].replace("\n", "\n>") + "\n", shown)
    shown = ENDS_LINE.sub("\n", ALT.sub(r"\n\1\n", shown))
    return unescape(TAG.sub("", shown)).splitlines()


def _is_sentence(line: str) -> bool:
    return not line.startswith((" ", ">")) and SENTENCE.search(line) is not None


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of a line with the sent texts.

    It is *matched* if all its words are ours, and *anchored* if its quote also has a sentence or a
    heading of ours. It is *within* a quote if matched lines of one form are above and below it.
    """

    matched: bool = False
    anchored: bool = False
    within: bool = False


def compare(
    lines: Sequence[str], marked: Sequence[bool], sent: Sequence[SentText]
) -> list[Compared]:
    """Compare the *lines* of an email, some of them *marked* as quotes, with what was *sent*."""
    words, ends = words_of(lines)
    written = [words[start:end] for start, end in pairwise((0, *ends))]
    found = _stretches(words, [form.words for form in sent])
    used = bytearray(len(words))
    compared = [Compared()] * len(lines)
    sizes = {form: _size(_chosen(found[form], bytearray(len(words)))) for form in found}
    # First the form that was quoted: the other one has nearly the same words.
    for form in sorted(found, key=lambda form: -sizes[form]):
        quote = _Quote(written, marked, sent[form], _chosen(found[form], used))
        for number, each in quote.compared():
            known = compared[number]
            if each.anchored or not (known.anchored or known.within):
                compared[number] = each
    return compared


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Equal words: *length* of them from *start* in the email and from *sent* in a form."""

    start: int
    sent: int
    length: int


def _size(stretches: Sequence[_Stretch]) -> int:
    return sum(each.length for each in stretches)


def _stretches(words: Sequence[str], forms: Sequence[Sequence[str]]) -> dict[int, list[_Stretch]]:
    """Return, by form, each stretch of at least `RUN` equal words that is in no longer one."""
    runs = set(_runs(words))
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, form in enumerate(forms):
        for at, run in enumerate(_runs(form)):
            if run in runs and len(known := places.setdefault(run, [])) < PLACES_MAX:
                known.append((number, at))
    found: dict[int, list[_Stretch]] = {}
    above: Sequence[tuple[int, int]] = ()
    steps = 0
    for start, run in enumerate(_runs(words)):
        here = places.get(run, ())
        for number, at in here:
            if (number, at - 1) in above:
                continue
            form, length = forms[number], RUN
            most = min(len(words) - start, len(form) - at)
            while length < most and words[start + length] == form[at + length]:
                length += 1
            found.setdefault(number, []).append(_Stretch(start, at, length))
            steps += length
        if steps > STEPS_MAX:
            break
        above = here
    return found


def _runs(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[offset:] for offset in range(RUN)), strict=False)


def _chosen(found: Sequence[_Stretch], used: bytearray) -> list[_Stretch]:
    """Choose the longest of *found* first, in order; each word is *used* once, here and there."""
    waiting = [(-each.length, each.start, each.sent) for each in found]
    heapify(waiting)
    starts: list[int] = []
    chosen: list[_Stretch] = []
    while waiting:
        rank, start, sent = heappop(waiting)
        at = bisect(starts, start)
        above = chosen[at - 1] if at else _Stretch(0, 0, 0)
        least = max(above.sent + above.length - sent, above.start + above.length - start, 0)
        most = -rank
        if at < len(chosen):
            most = min(most, chosen[at].start - start, chosen[at].sent - sent)
        free, length = _longest_free(used, start + least, start + most)
        if length < RUN:
            continue
        if length < -rank:
            heappush(waiting, (-length, free, sent + free - start))
            continue
        used[start : start + length] = b"\1" * length
        starts.insert(at, start)
        chosen.insert(at, _Stretch(start, sent, length))
    return chosen


def _longest_free(used: bytearray, start: int, end: int) -> tuple[int, int]:
    """Return where the longest part of `start:end` that is not used begins, and its length."""
    if end <= start:
        return start, 0
    parts = bytes(used[start:end]).split(b"\1")
    longest = max(parts, key=len)
    before = parts[: parts.index(longest)]
    return start + sum(map(len, before)) + len(before), len(longest)


class _Quote:
    """The lines of an email that quote one form, by the stretches that they share."""

    def __init__(
        self,
        written: Sequence[Sequence[str]],
        marked: Sequence[bool],
        form: SentText,
        stretches: Sequence[_Stretch],
    ) -> None:
        self.written, self.marked, self.form = written, marked, form
        self.line_of = [number for number, words in enumerate(written) for _ in words]
        self.stretches = stretches

    def compared(self) -> Iterator[tuple[int, Compared]]:
        """Yield the lines that are part of this quote or within it."""
        equal = [0] * len(self.written)
        for each in self.stretches:
            for at in range(each.start, each.start + each.length):
                equal[self.line_of[at]] += 1
        matched = {n for n, words in enumerate(self.written) if words and equal[n] == len(words)}
        matched |= self._short_lines(matched)
        anchors = self._anchors()
        for part in self._parts(sorted(matched)):
            anchored = any(part[0] <= line <= part[-1] for line in anchors)
            for number in range(part[0], self._last(part) + 1):
                if number in matched or not self.written[number]:
                    yield number, Compared(matched=True, anchored=anchored)
                else:
                    yield number, Compared(within=True)

    def _last(self, part: Sequence[int]) -> int:
        """Return the last line of *part*, with the links below it."""
        last = part[-1]
        while last + 1 < len(self.written) and not self.written[last + 1]:
            last += 1
        return last

    def _parts(self, matched: Sequence[int]) -> Iterator[list[int]]:
        """Split the quote where too much other text is between its lines."""
        part: list[int] = []
        for number in matched:
            between = self.written[part[-1] + 1 : number] if part else ()
            if sum(1 for words in between if words) > GAP_MAX:
                yield part
                part = []
            part.append(number)
        if part:
            yield part

    def _anchors(self) -> list[int]:
        """Return the lines with a sentence or a heading of ours, whole."""
        starts = [each.sent for each in self.stretches]
        anchors, at = [], 0
        for end, ours in zip(self.form.ends, self.form.ours, strict=True):
            number = bisect(starts, at) - 1
            if ours and number >= 0 and end > at:
                each = self.stretches[number]
                if end <= each.sent + each.length:
                    anchors.append(self.line_of[each.start + at - each.sent])
            at = end
        return anchors

    def _short_lines(self, matched: set[int]) -> set[int]:
        """Return the marked lines between two stretches that were a whole line of ours there."""
        found: set[int] = set()
        ends = (0, *self.form.ends)
        for above, below in zip(self.stretches, self.stretches[1:], strict=False):
            first = bisect(ends, above.sent + above.length - 1)
            last = bisect(ends, below.sent) - 1
            sent = iter(
                [self.form.words[start:end] for start, end in pairwise(ends[first : last + 1])]
            )
            lines = range(
                self.line_of[above.start + above.length - 1], self.line_of[below.start] + 1
            )
            for number in lines:
                words = self.written[number]
                if (
                    self.marked[number]
                    and words
                    and number not in matched
                    and any(words == each for each in sent)
                ):
                    found.add(number)
        return found
