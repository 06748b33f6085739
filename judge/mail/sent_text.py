"""The text of an email of ours, in each of its forms, as a mail program may return it."""

from __future__ import annotations

import re
from binascii import a2b_qp
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from html import unescape
from itertools import pairwise

from judge.mail import headers
from judge.mail.compared_words import spaced_words, words_of
from judge.mail.stretches import RunIndex
from judge.mail.visible_html import QUOTE_MARK

HEADER_MAX = 10  # marked lines above the first one of ours
REST_MAX = 30  # characters of a wrapped heading in its last line, such as `wrote:`
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
    it is neither part of a list of orders nor written by a player. Not all programs show the lines
    below the *body*.
    """

    def __init__(
        self, lines: Sequence[str], is_ours: Callable[[int], bool], body: int | None = None
    ) -> None:
        self.words, self.ends = words_of(lines)
        self.is_ours = is_ours
        self.body_words = (0, *self.ends)[len(lines) if body is None else body]

    @cached_property
    def index(self) -> RunIndex:
        """The places of its words."""
        return RunIndex(self.words)

    @cached_property
    def text(self) -> str:
        """The words, with a space around each."""
        return f" {' '.join(self.words)} "

    def has_ours(self, words: str, *, from_start: bool, to_end: bool) -> bool:
        """Return whether *words*, with a space around each, are here and hold a line of ours."""
        at = self.text.find(words)
        start = self.text.count(" ", 0, at + 1) - 1
        end = start + words.count(" ") - 1
        if at < 0 or (from_start and at) or (to_end and end < self.body_words):
            return False
        lines = enumerate(pairwise((0, *self.ends)))
        return any(start <= top < below <= end and self.is_ours(n) for n, (top, below) in lines)


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
        return SentText([self.title], lambda _: True)

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
        return self._form(_html_lines("\n".join(self._texts[b"html"])))

    @cached_property
    def source(self) -> SentText:
        """Its parts as they were sent, which some programs without MIME quote."""
        return self._form(self._raw.decode("utf-8", "replace").split("\n"))

    @property
    def forms(self) -> tuple[SentText, ...]:
        """Everything that a mail program may return."""
        return self.subject, self.plain, self.html

    def likely_form(self, lines: Sequence[str]) -> SentText:
        """Return the form that an email with *lines* more likely returns."""
        return self.plain if self._returns_plain(lines) else self.html

    def _returns_plain(self, lines: Sequence[str]) -> bool:
        found = sum(line.strip(MARKS) in self._places for line in lines)
        return 2 * found > len(self._places) or not self._texts[b"html"]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {line.strip(MARKS): number for number, line in enumerate(self._plain)}

    def names_us(self, line: str) -> bool:
        """Return whether *line* has the name or address that it was sent from."""
        folded = line.casefold()
        return any(name in folded for name in self.names)

    def has_sentence(self, sentence: str) -> bool:
        """Return whether its plain text has *sentence*, which has a space between its words."""
        return sentence in self._plain_words

    @cached_property
    def _plain_words(self) -> str:
        return " ".join(" ".join(self._plain).split())

    def explains(self, quoted: Sequence[str], *, to_end: bool) -> int | None:
        """Return which of the *quoted* lines is the first of ours, if all below it are ours.

        They are in one piece, up to the end if *to_end* is set, and marked; above is their
        heading. None if comparing words may find anything else. In most replies it would not, and
        this takes half the time.
        """
        marked = next((n for n, line in enumerate(quoted) if line.startswith(">")), len(quoted))
        above = [line for line in quoted[:marked] if line.strip()]
        if marked == len(quoted) or not all(line.startswith(">") for line in quoted[marked:]):
            return None
        if above and not self._is_headed(above):
            return None
        if self._has_lines({line.strip(MARKS) for line in quoted[marked:]} - {""}):
            return marked
        words, ends = words_of(quoted[marked:])
        if quoted[marked].startswith(QUOTE_MARK):
            ends = []  # What an editor shows above the first line of ours may have been typed.
        form = self._form_in(quoted)
        for number, start in enumerate((0, *ends[:HEADER_MAX]), marked):
            ours = f" {' '.join(words[start:])} "
            if form.has_ours(ours, from_start=number > marked, to_end=to_end):
                return number
        return None

    def _form_in(self, lines: Sequence[str]) -> SentText:
        """Return the likely form; not all programs show the descriptions of pictures."""
        if self._returns_plain(lines):
            return self.plain
        html = "\n".join(self._texts[b"html"])
        shown = " ".join(lines)
        if any(unescape(each) in shown for each in ALT.findall(html)):
            return self.html
        return self._form(_html_lines(ALT.sub("", html)))

    def _is_headed(self, above: Sequence[str]) -> bool:
        """Return whether the lines *above* a quote are only its heading, perhaps wrapped."""
        *others, last = (
            self.names_us(line) or "@" in line or WHEN.search(line) is not None for line in above
        )
        is_rest = bool(others) and above[-1].endswith(":") and len(above[-1]) < REST_MAX
        return all(others) and (last or is_rest)

    def _has_lines(self, lines: AbstractSet[str]) -> bool:
        """Return whether *lines* are lines of the plain text, and one of them is ours."""
        return lines <= self._places.keys() and any(
            self._is_ours(self._plain[self._places[line]], self._places[line]) for line in lines
        )

    def _is_ours(self, line: str, number: int) -> bool:
        """Return whether the written *line* at *number* is neither an order nor of a player."""
        if number < HEADING_LINES or line.startswith("::"):
            return True
        return self.kind not in HEADINGS_ONLY and _is_sentence(line)

    def _form(self, lines: Sequence[str]) -> SentText:
        body = [line for line in lines if line.strip()]
        calendars = "\n".join(self._texts[b"calendar"]).splitlines()
        written = [*body, *(line for line in calendars if line.strip())]

        def is_ours(number: int) -> bool:
            return self._is_ours(written[number], number)

        return SentText(written, is_ours, len(body))

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
