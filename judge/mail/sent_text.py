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
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import compat32
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from html import unescape
from itertools import accumulate, pairwise
from unicodedata import normalize

from judge.mail import headers
from judge.mail.visible_html import QUOTE_MARK

RUN = 4  # words; fewer are equal by chance
PLACES_MAX = 8  # places of one run in what was sent that are tried
STEPS_MAX = 200_000  # compared words of one email; what comes later counts as not ours
ABOVE_MAX = 30  # lines above the first one of ours that are marked, such as a header
OTHERS_MAX = 200  # marked lines that are looked for out of their order
GAP_MAX = 12  # written lines of others between two parts of one quote
HEADING_LINES = 3  # at the top of each form: the judge, its game, the subject
# What players wrote is no sentence of ours, whoever sends it on.
HEADINGS_ONLY = frozenset({"letter", "press_echo", "forwarded", "digest", "memoirs", "held"})

ADDED = re.compile(  # links, their numbers, and what programs write before pictures and items
    r"<(?:https?|mailto|tel|cid):[^<>\n]{1,4000}>"
    r"|[<(\[]?\b(?:https?://|mailto:|tel:|cid:)\S{1,4000}|\[\d{1,3}\]|\[image:|^[> ]*o ",
    re.IGNORECASE,
)
# `<mailto:...` that goes on in the next line: programs wrap long words, too.
OPEN_LINK = re.compile(r"<(?:https?|mailto):[^<>\s]{1,4000}$", re.IGNORECASE)
REST_OF_LINK = re.compile(r"[\s>|]*([^<>\s|][^<>\s]{0,4000})(>|$)")
IN_LINKS = frozenset("%=&?@")
IN_ADDED = ("://", "mailto:", "tel:", "cid:", "[", "\no ", ">o ", " o ")
WORD = re.compile(r"[^\W_]+")
NO_WORD = {code: " " for code in range(128) if not chr(code).isalnum()} | {ord("\n"): "\n"}
JOINED = re.compile(r"[A-Z](?<=[^\W\d_A-Z][A-Z])")  # of two lines as some programs join them
MARKS = "> |\t\N{THIN SPACE}"
FILE = re.compile(r"[\s>|]*[<\[(].*[>\])]\s*")  # `<board.png>`: how a quote shows an attachment
SENTENCE = re.compile(r"(?:\b[^\W\d_A-Z]{2,}\b.*?){4}")  # words in small letters
SHOWN_FIELD = re.compile(rb"^(?:Subject|From):[^\n]*(?:\n[ \t][^\n]*)*", re.MULTILINE)
# Our own MIME, as `compose` writes it: all text is quoted-printable.
PART = b"\n--=_"
TEXT_PART = re.compile(rb"^Content-Type: text/(plain|html|calendar)", re.MULTILINE)
WRITTEN = re.compile(r'<div class="written".*?</div>', re.DOTALL)
HEAD = re.compile(r"<head\b.*?</head>|<style\b.*?</style>", re.DOTALL)
ALT = re.compile(r'<img\b[^>]*?\balt="([^"]*)"[^>]*>')
ENDS_LINE = re.compile(r"<(?:/?(?:p|div|tr|li|ul|ol|h\d|table|title|td|pre)\b[^>]*|br[^>]*)>")
TAG = re.compile(r"<[^>]*>")
NEW_LINE = re.compile(r"<br[^>]*>|\n")


class SentText:
    """One form of an email that was sent: its subject, plain text or HTML.

    *ends* has the number of *words* up to the end of each line; a line is *ours* if it is neither
    part of a list of orders nor written by a player. *names* are the address and name that it was
    sent from. *skipped* are lines that not all programs show, as are those below the *body*.
    """

    def __init__(
        self,
        lines: Sequence[str],
        ours: Sequence[bool],
        names: tuple[str, ...] = (),
        skipped: Sequence[str] = (),
        body: int | None = None,
    ) -> None:
        self.words, self.ends = words_of(lines)
        self.ours, self.names = ours, names
        self._skipped = skipped
        self.body_words = (0, *self.ends)[len(lines) if body is None else body]

    @cached_property
    def text(self) -> str:
        """The words, with a space around each."""
        return f" {' '.join(self.words)} "

    @cached_property
    def _offsets(self) -> Sequence[int]:
        return [0, *accumulate(len(word) + 1 for word in self.words)]

    @cached_property
    def our_lines(self) -> Sequence[tuple[int, int]]:
        """The places of our lines in `text`."""
        lines = zip(pairwise((0, *self.ends)), self.ours, strict=True)
        return [
            (self._offsets[start], self._offsets[end])
            for (start, end), ours in lines
            if ours and end > start
        ]

    def is_complete(self, end: int) -> bool:
        """Return whether the body ends in `text` at or before *end*."""
        return end >= self._offsets[self.body_words]

    @cached_property
    def _texts_skipped(self) -> Sequence[str]:
        return [_words(each) for each in self._skipped]

    def next_start(self, line: str, end: int, *, found_anywhere: bool) -> int:
        """Return where *line* begins in `text` at or after *end*; -1 if nowhere."""
        if self.text.startswith(line, end):
            return end
        for skipped in self._texts_skipped:
            below = end + len(skipped) - 1
            if self.text.startswith(skipped, end) and self.text.startswith(line, below):
                return below
        return self.text.find(line, end) if found_anywhere else -1

    def places_of(self, lines: Mapping[int, str]) -> tuple[AbstractSet[int], int] | None:
        """Return those of *lines*, by number, that are here in their order, and where they end.

        *lines* are words. None if they are not in one piece, or if none of them is ours.
        """
        end = 0
        found: set[int] = set()
        stretches: list[tuple[int, int]] = []
        for number, line in lines.items():
            start = self.next_start(line, end, found_anywhere=line.count(" ") > RUN)
            if start < 0 and self.is_complete(end):
                break
            if start < 0 and (found or number >= ABOVE_MAX):
                return None
            if start >= 0:
                found.add(number)
                follows = stretches and start == end
                end = start + len(line) - 1
                stretches.append((stretches.pop()[0] if follows else start, end))
        anchored = any(
            start <= first and last <= end
            for first, last in self.our_lines
            for start, end in stretches
        )
        return (found, end) if anchored else None


def words_of(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the words of *lines*, and the number of words up to the end of each line.

    They have no marks, links and case, and are in their normal form (NFKC).
    """
    text = "\n".join(_without_added(lines))
    text = JOINED.sub(r" \g<0>", text if text.isascii() else normalize("NFKC", text)).casefold()
    words: list[str] = []
    ends: list[int] = []
    for line in text.split("\n") if lines else ():
        words += line.translate(NO_WORD).split() if line.isascii() else WORD.findall(line)
        ends.append(len(words))
    return words, ends


def _without_added(lines: Sequence[str]) -> Sequence[str]:
    text = "\n" + "\n".join(lines).lower()
    signs = [each for each in IN_ADDED if each in text]
    if not signs:
        return lines
    return [
        ADDED.sub(" ", line) if any(each in f"\n{line.lower()}" for each in signs) else line
        for line in _without_torn_links(lines)
    ]


def _without_torn_links(lines: Sequence[str]) -> Iterator[str]:
    is_open = False
    for line in lines:
        rest = REST_OF_LINK.match(line) if is_open else None
        if rest and not rest[2] and IN_LINKS.isdisjoint(rest[1]):
            rest = None
        is_open = bool(OPEN_LINK.search(line)) or (rest is not None and not rest[2])
        yield line[rest.end() :] if rest else line


class QuotedLines:
    """The *lines* of an email that are quoted, and the numbers of those that are *marked*."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.marked = [number for number, line in enumerate(lines) if line.startswith(">")]

    @cached_property
    def words(self) -> Mapping[int, str]:
        """The words of the marked lines that have any, with a space around each."""
        words, ends = words_of([self.lines[number] for number in self.marked])
        lines = zip(self.marked, pairwise((0, *ends)), strict=True)
        return {n: f" {' '.join(words[start:end])} " for n, (start, end) in lines if end > start}


class SentEmail:
    """An email of ours, *raw* as the outbox stores it, of the kind *kind*.

    *title* is its subject, *names* are the address and the name that it was sent from.
    """

    def __init__(self, raw: bytes, kind: str) -> None:
        self.kind = kind
        self._raw = raw.replace(b"\r\n", b"\n")
        shown = b"\n".join(SHOWN_FIELD.findall(self._raw.partition(b"\n\n")[0]))
        fields = headers.headers_of(message_from_bytes(shown, policy=compat32))
        address = headers.strict_mailbox(fields.first("from")) or ""
        name = headers.name_of(fields)
        self.title = headers.subject_of(fields)
        named = (each for each in (address, name) if " " in each or "@" in each)
        self.names = tuple(each.casefold() for each in named)

    @cached_property
    def subject(self) -> SentText:
        """Its subject."""
        return SentText([self.title], ours=[True], names=self.names)

    @cached_property
    def plain(self) -> SentText:
        """Its plain text, with its calendar."""
        return self._form(self._plain)

    @cached_property
    def _plain(self) -> Sequence[str]:
        lines = "\n".join(self._texts[b"plain"]).splitlines()
        return [line for line in lines if line.strip()]

    @cached_property
    def html(self) -> SentText:
        """The text of its HTML, with its calendar."""
        source = "\n".join(self._texts[b"html"])
        return self._form(_html_lines(source), [unescape(each) for each in ALT.findall(source)])

    @property
    def forms(self) -> tuple[SentText, ...]:
        """Everything that a mail program may return."""
        return self.subject, self.plain, self.html

    def names_us(self, line: str) -> bool:
        """Return whether *line* has the name or address that it was sent from."""
        folded = line.casefold()
        return any(name in folded for name in self.names)

    def explains(self, quoted: QuotedLines) -> tuple[AbstractSet[int], bool] | None:
        """Return which of the *quoted* lines are ours, and whether they are all of it.

        None if comparing words may find anything else: something was typed among them, or is not
        marked. In most replies nothing was, and this takes a tenth of the time.
        """
        marked, lines = quoted.marked, quoted.lines
        if not marked or len(lines) - marked[0] > len(marked):
            return None
        above = [line for line in lines[: marked[0]] if line.strip()]
        if len(above) > ABOVE_MAX or (above and not self.names_us(above[-1])):
            return None
        if self._has_lines({line.strip(MARKS) for line in lines[marked[0] :]} - {""}):
            return {*marked}, True
        explained = (self._lines_from(form, quoted) for form in (self.plain, self.html))
        return next((each for each in explained if each), None)

    def _lines_from(
        self, form: SentText, quoted: QuotedLines
    ) -> tuple[AbstractSet[int], bool] | None:
        places = form.places_of(quoted.words)
        if places is None:
            return None
        found, end = places
        others = quoted.words.keys() - found
        typed = any(quoted.lines[number].startswith(QUOTE_MARK) for number in others)
        if typed or len(others) > OTHERS_MAX:
            return None
        again = {n for n in others if any(quoted.words[n] in each.text for each in self.forms)}
        empty = {number for number in quoted.marked if number not in quoted.words}
        return empty | found | again, form.is_complete(end)

    def _has_lines(self, lines: AbstractSet[str]) -> bool:
        """Return whether *lines* are lines of the plain text, and one of them is ours."""
        places = {line.strip(MARKS): number for number, line in enumerate(self._plain)}
        return lines <= places.keys() and any(
            self._is_ours(self._plain[places[line]], places[line]) for line in lines
        )

    def _is_ours(self, line: str, number: int) -> bool:
        """Return whether the written *line* at *number* is neither an order nor of a player."""
        if number < HEADING_LINES or line.startswith("::"):
            return True
        return self.kind not in HEADINGS_ONLY and _is_sentence(line)

    def _form(self, lines: Sequence[str], skipped: Sequence[str] = ()) -> SentText:
        body = [line for line in lines if line.strip()]
        calendars = "\n".join(self._texts[b"calendar"]).splitlines()
        written = [*body, *(line for line in calendars if line.strip())]
        ours = [self._is_ours(line, number) for number, line in enumerate(written)]
        return SentText(written, ours, skipped=skipped, body=len(body))

    @cached_property
    def _texts(self) -> Mapping[bytes, Sequence[str]]:
        texts: dict[bytes, list[str]] = {b"plain": [], b"html": [], b"calendar": []}
        for part in self._raw.split(PART):
            head, _, content = part.partition(b"\n\n")
            if found := TEXT_PART.search(head):
                texts[found[1]].append(a2b_qp(content).decode("utf-8", "replace"))
        return texts


def _words(line: str) -> str:
    return f" {' '.join(words_of([line])[0])} "


@lru_cache(maxsize=32)  # a player may answer one email several times
def sent_email(raw: bytes, kind: str) -> SentEmail:
    """Return the email *raw* of ours, which the outbox stores as *kind*."""
    return SentEmail(raw, kind)


def is_sent(text: str, sent: Sequence[SentEmail]) -> bool:
    """Return whether the words of *text* are in an email that was *sent*, in one piece."""
    words = _words(text)
    forms = (form for email in sent for form in email.forms)
    return bool(words.strip()) and any(words in form.text for form in forms)


def _html_lines(source: str) -> list[str]:
    """Return the lines of our own HTML; those that a player wrote begin with `>`."""
    shown = HEAD.sub("", source)
    shown = ALT.sub(r"\n\1\n", shown)
    shown = WRITTEN.sub(lambda found: "\n>" + NEW_LINE.sub("\n>", found[0]) + "\n", shown)
    shown = ENDS_LINE.sub("\n", shown)
    return unescape(TAG.sub("", shown)).splitlines()


def _is_sentence(line: str) -> bool:
    return not line.startswith((" ", ">")) and SENTENCE.search(line) is not None


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


def compare(
    lines: Sequence[str], depths: Sequence[int], sent: Sequence[SentEmail]
) -> list[Compared]:
    """Compare the *lines* of an email, with *depths* of marks, with emails that were *sent*."""
    email = _Email(lines, depths, sent)
    forms = [form for one in sent for form in one.forms]
    compared = [Compared(names_us=each) for each in email.heads]
    quotes = _quotes(email, email.words, forms)
    if any(map(_Quote.is_overrun, quotes)):  # The marks tell what was typed.
        marked = [word if depths[email.line_of[at]] else "" for at, word in enumerate(email.words)]
        quotes = _quotes(email, marked, forms)
    for quote in quotes:
        for number, each in quote.compared():
            known = compared[number]
            if each.anchored or not (known.anchored or known.within):
                compared[number] = each
    return compared


class _Email:
    """The lines of an email, their words and marks, and whether they name the sender of ours."""

    def __init__(
        self, lines: Sequence[str], depths: Sequence[int], sent: Sequence[SentEmail]
    ) -> None:
        self.lines, self.depths = lines, depths
        self.words, ends = words_of(lines)
        self.starts = (0, *ends)
        self.written = [self.words[start:end] for start, end in pairwise(self.starts)]
        names = {name for each in sent for name in each.names}
        folded = [line.casefold() for line in lines]
        self.heads = [any(name in line for name in names) for line in folded]

    @cached_property
    def line_of(self) -> Sequence[int]:
        """The line of each word."""
        return [number for number, each in enumerate(self.written) for _ in each]


def _quotes(email: _Email, words: Sequence[str], sent: Sequence[SentText]) -> list[_Quote]:
    """Return what *email* quotes, first the form of which it has most: both are nearly equal."""
    found = _stretches(words, [form.words for form in sent])
    sizes = {form: _size(_chosen(found[form], bytearray(len(words)))) for form in found}
    used = bytearray(len(words))
    quotes: list[_Quote] = []
    for form in sorted(found, key=lambda form: -sizes[form]):
        if chosen := _chosen(found[form], used):
            settled = [*_settled(chosen, words, sent[form].words, set(email.starts))]
            for each in chosen:
                used[each.start : each.start + each.length] = bytes(each.length)
            for each in settled:
                used[each.start : each.start + each.length] = b"\1" * each.length
            quotes.append(_Quote(email, sent[form], settled))
    return quotes


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


def _settled(
    chosen: Sequence[_Stretch], words: Sequence[str], form: Sequence[str], line_starts: set[int]
) -> Iterator[_Stretch]:
    """Yield the *chosen* stretches, where two meet within a line moved to where a line ends.

    `A Ven H` may follow `A Par-Pic`, which was typed above it: the `A` is equal.
    """
    above, *below = chosen
    for each in below:
        end, room = above.start + above.length, each.start
        if above.sent + above.length == each.sent and not {end, room} <= line_starts:
            moved = 0
            for back in range(1, min(above.length, room - end + 1)):
                if words[room - back] != form[each.sent - back]:
                    break
                if {end - back, room - back} <= line_starts:
                    moved = back
            above = _Stretch(above.start, above.sent, above.length - moved)
            each = _Stretch(room - moved, each.sent - moved, each.length + moved)  # noqa: PLW2901
        yield above
        above = each
    yield above


class _Quote:
    """The lines of an email that quote one form, by the stretches that they share."""

    def __init__(self, email: _Email, form: SentText, stretches: Sequence[_Stretch]) -> None:
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
            quoted = kept or part
            for number in range(quoted[0], self._last(quoted) + 1):
                if number in quoted or not self.written[number]:
                    yield (
                        number,
                        Compared(matched=True, anchored=bool(heads), names_us=names[number]),
                    )
                else:
                    yield number, Compared(within=True, names_us=names[number])
            if heads and part[-1] == max(self.matched):
                yield from ((number, Compared(within=True)) for number in self._below(part[-1]))

    def _last(self, part: Sequence[int]) -> int:
        """Return the last line of *part*, with the links below it."""
        last = part[-1]
        while last + 1 < len(self.written) and not self.written[last + 1]:
            last += 1
        return last

    def _below(self, last: int) -> Iterator[int]:
        """Yield the lines below *last*, the end of the form, that an editor has in its quote."""
        above = self.stretches[-1]
        marked = self.email.lines[last].startswith(QUOTE_MARK)
        if marked and above.sent + above.length + RUN > self.form.body_words:
            for number in range(last + 1, len(self.written)):
                if self.written[number] and (
                    self.depths[number] != self.depths[last]
                    or FILE.fullmatch(self.email.lines[number])
                ):
                    return
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
        for end, ours in zip(self.form.ends, self.form.ours, strict=True):
            number = bisect(starts, at) - 1
            if ours and number >= 0 and end > at:
                each = self.stretches[number]
                if end <= each.sent + each.length:
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
        top = _Stretch(0, 0, 0)
        for above, below in pairwise((top, *self.stretches)):
            first = bisect(ends, above.sent + above.length - 1) if above.length else 0
            last = bisect(ends, below.sent) - 1
            sent = [self.form.words[start:end] for start, end in pairwise(ends[first : last + 1])]
            few = below.sent - above.sent - above.length < RUN
            start = self.line_of[max(above.start + above.length - 1, 0)]
            for number in range(start, self.line_of[below.start] + 1):
                words = self.written[number]
                if number in matched or words not in sent:
                    continue
                if self.depths[number] or few or words in (sent[0], sent[-1]):
                    found.add(number)
                    sent = sent[sent.index(words) + 1 :]
        return found
