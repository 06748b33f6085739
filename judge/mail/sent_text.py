"""The text of an email of ours, in each of its forms, as a mail program may return it."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from html import unescape
from itertools import accumulate, pairwise

from judge.mail import headers
from judge.mail.compared_words import spaced_words, words_of
from judge.mail.stretches import RUN
from judge.mail.visible_html import QUOTE_MARK

ABOVE_MAX = 30  # lines above the first one of ours that are marked, such as a header
REST_MAX = 30  # characters of a wrapped heading in its last line, such as `wrote:`
OTHERS_MAX = 200  # marked lines that are looked for out of their order
HEADING_LINES = 3  # at the top of each form: the judge, its game, the subject
# What players wrote is no sentence of ours, whoever sends it on.
HEADINGS_ONLY = frozenset({"letter", "press_echo", "forwarded", "digest", "memoirs", "held"})
WHEN = re.compile(r"\b20[2-9]\d\b.*\b\d\d:\d\d\b")  # a day with an hour
MARKS = "> |\t\N{THIN SPACE}"
SENTENCE = re.compile(r"(?:\b[^\W\d_A-Z]{2,}\b.*?){4}")  # words in small letters
SHOWN_FIELD = re.compile(r"^(Subject|From): ([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)
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

    *ends* has the number of *words* up to the end of each line; the line of a number *is_ours* if
    it is neither part of a list of orders nor written by a player. *names* are the address and
    name that it was sent from. *skipped* are lines that not all programs show, as are those below
    the *body*.
    """

    def __init__(
        self,
        lines: Sequence[str],
        is_ours: Callable[[int], bool],
        names: tuple[str, ...] = (),
        skipped: Sequence[str] = (),
        body: int | None = None,
    ) -> None:
        self.words, self.ends = words_of(lines)
        self.is_ours, self.names = is_ours, names
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
        return [
            (self._offsets[start], self._offsets[end])
            for number, (start, end) in enumerate(pairwise((0, *self.ends)))
            if end > start and self.is_ours(number)
        ]

    def is_complete(self, end: int) -> bool:
        """Return whether the body ends in `text` at or before *end*."""
        return end >= self._offsets[self.body_words]

    @cached_property
    def _texts_skipped(self) -> Sequence[str]:
        return [spaced_words(each) for each in self._skipped]

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
        shown = SHOWN_FIELD.findall(self._raw.partition(b"\n\n")[0].decode("utf-8", "replace"))
        fields = headers.Headers(
            tuple((name.lower(), " ".join(value.split())) for name, value in shown)
        )
        address = headers.strict_mailbox(fields.first("from")) or ""
        name = headers.name_of(fields)
        self.title = headers.subject_of(fields)
        named = (each for each in (address, name) if " " in each or "@" in each)
        self.names = tuple(each.casefold() for each in named)

    @cached_property
    def subject(self) -> SentText:
        """Its subject."""
        return SentText([self.title], lambda _: True, names=self.names)

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

    def likely_form(self, lines: Sequence[str]) -> SentText:
        """Return the form that an email with *lines* more likely returns."""
        places = {line.strip(MARKS) for line in self._plain}
        found = sum(line.strip(MARKS) in places for line in lines)
        return self.plain if 2 * found > len(places) or not self._texts[b"html"] else self.html

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
        if above and not self._is_headed(above):
            return None
        if self._has_lines({line.strip(MARKS) for line in lines[marked[0] :]} - {""}):
            return {*marked}, True
        explained = (self._lines_from(form, quoted) for form in (self.plain, self.html))
        return next((each for each in explained if each), None)

    def _is_headed(self, above: Sequence[str]) -> bool:
        """Return whether the lines *above* a quote are only its heading, perhaps wrapped."""
        *others, last = (
            self.names_us(line) or "@" in line or WHEN.search(line) is not None for line in above
        )
        is_rest = bool(others) and above[-1].endswith(":") and len(above[-1]) < REST_MAX
        return all(others) and (last or is_rest)

    def _lines_from(
        self, form: SentText, quoted: QuotedLines
    ) -> tuple[AbstractSet[int], bool] | None:
        places = form.places_of(quoted.words)
        if places is None:
            return None
        found, end = places
        others = quoted.words.keys() - found
        end_of_ours = max(found)
        typed = any(n > end_of_ours or quoted.lines[n].startswith(QUOTE_MARK) for n in others)
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

        def is_ours(number: int) -> bool:
            return self._is_ours(written[number], number)

        return SentText(written, is_ours, skipped=skipped, body=len(body))

    @cached_property
    def _texts(self) -> Mapping[bytes, Sequence[str]]:
        texts: dict[bytes, list[str]] = {b"plain": [], b"html": [], b"calendar": []}
        for part in self._raw.split(PART):
            head, _, content = part.partition(b"\n\n")
            if found := TEXT_PART.search(head):
                texts[found[1]].append(a2b_qp(content).decode("utf-8", "replace"))
        return texts


@lru_cache(maxsize=32)  # a player may answer one email several times
def sent_email(raw: bytes, kind: str) -> SentEmail:
    """Return the email *raw* of ours, which the outbox stores as *kind*."""
    return SentEmail(raw, kind)


def is_sent(text: str, sent: Sequence[SentEmail]) -> bool:
    """Return whether the words of *text* are in an email that was *sent*, in one piece."""
    words = spaced_words(text)
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
