"""Find the lines of an email that are quoted, by the marks and headings of mail programs.

Marked lines (`>`) are old anywhere, and text written between or below them stays. A heading is
known by its form, in any language:

- fields, such as `From:` and `Sent:`, of which one has an address and one a date;
- a line with a colon at its end and an address, or a day and an hour (`On ... wrote:`);
- the first line of an email of ours.

If the next line is marked, or there is none, only the heading is old. Else it begins an old email,
and everything below is old, unless the heading has neither an address nor a day of our time with
its hour: then it is new text, perhaps press. Each line is looked at a few times, so the time is
linear.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from judge.mail.comparison import OTHER, Compared
from judge.mail.visible_html import QUOTE_MARK

OUR_MAIL = (":: Judge:", ":: Deadline:")
ATTRIBUTION_LINES_MAX = 3  # Mailers wrap it at 72 or 78 columns.
WRAPPED_MIN = 60  # characters up to and with the first word of the next line
LINE_MAX = 500  # characters of a line that are looked at
HEADED_MAX = 30  # written lines between the heading of a quote and its first line
WROTE_MIN = 4  # words of `... wrote:` without a date
FIELDS_MAX = 16
FIELDS_MIN = 3  # without an address; else two
UNMARKED = re.compile(r"(?:\s*(?:>|\||&gt;|[A-Z][A-Za-z]{1,14}>(?= |$)))+\s*")
RULE = "_-*= "
COLONS = (":", "\uff1a")
ENDS = (*COLONS, " ---")  # of an attribution
FIELD = re.compile(  # its name has up to three words
    r"\W{0,6}[^\W\d][^\s:\uff1a@>,\d]{0,30}(?:\s[^\s:\uff1a@>,\d]{1,30}){0,2}\s{0,2}[:\uff1a](?!:)"
)
SUBJECT = re.compile(r"\b[A-Z][A-Z0-9]{1,7}:[a-z][\w-]{0,40} - ")  # of an email of ours
AT_END = re.compile(r"@[\w.-]{1,200}\W{0,5}$")
DAY = re.compile(r"\d{1,4}[./-]\d{1,2}|\b\d{1,2}\b\D{1,20}\b\d{2,4}\b|\d[:.]\d\d")
TIME = re.compile(r"\b\d{1,2} ?[:.h] ?\d\d\b")
THIS_CENTURY = re.compile(r"\b20[2-9]\d\b")
DATE = re.compile(rf"{TIME.pattern}|{THIS_CENTURY.pattern}")
RULES = ("--", "__", "==")
LONG_RULES = ("-----", "_____", "=====")  # of mail programs
MARKS = (">", "|", "&gt;")
INITIALS = re.compile(  # How The Bat! names the quoted sender; Supercite writes the name in full.
    r"\s*([A-Z][A-Za-z]{1,14})>(?: |$)"
)
INITIALS_OR_MARK = re.compile(r">|\||&gt;")
ADDRESS = re.compile(r"<[^<>\s@]{1,100}@[^<>\s]{1,200}>")


@dataclass(frozen=True, slots=True)
class _Heading:
    """The lines from *start* up to *end* head a quote; *certain* if nothing else looks like it.

    *fields* is set for a header or the first line of an email of ours, *timed* for a line that
    also heads a quote of ours further below.
    """

    start: int
    end: int
    certain: bool = True
    fields: bool = False
    timed: bool = False


def quoted_lines(
    lines: Sequence[str], marked: Sequence[bool], compared: Sequence[Compared] | None = None
) -> list[bool]:
    """Return for each of *lines* if it is old, as *marked* and *compared* with what was sent."""
    of_ours: Sequence[Compared] = compared or [OTHER] * len(lines)
    ours = [each.matched and each.anchored for each in compared or ()]
    old = [
        mine or each.heading or (mark and not each.within)
        for mine, mark, each in zip(ours, marked, compared or (), strict=False)
    ] or [*marked]
    last = max((i for i, mine in enumerate(ours) if mine), default=-1)
    last_mark = max((i for i in range(last) if marked[i]), default=-1)
    headed = any(each.heading for each in compared or ())
    above: _Heading | None = None
    for heading in _headings(lines, old):
        start, end = heading.start, heading.end
        end = next((i for i in range(start, end) if of_ours[i].within and lines[i].strip()), end)
        if above and not _is_right_above(lines, above, start):
            above = None
        is_old = all(old[start:end]) if heading.fields else old[end - 1]
        if is_old or of_ours[start].within:
            continue
        after = next((i for i in range(end, len(lines)) if lines[i].strip()), None)
        named = any(each.names_us for each in of_ours[start:end])
        if headed and not (named or heading.fields):
            continue  # Our quote has another heading, so this is a sentence with a date.
        others = heading.fields and bool(compared) and not named
        told = heading.certain or heading.fields
        below = told if after is None else old[after] and not others
        if below or (start <= last_mark and heading.timed):
            old[start:end] = [True] * (end - start)
        elif heading.certain or (heading.fields and above):
            start = above.start if above else start
            while start and not lines[start - 1].strip(RULE):
                start -= 1
            old[start:] = [True] * (len(lines) - start)
            break
        elif not heading.fields:
            above = heading
    _add_rules(lines, old)
    return old


def _is_right_above(lines: Sequence[str], above: _Heading, start: int) -> bool:
    """Return whether nothing but banners in brackets is between *above* and the line *start*."""
    return all(not line.strip() or line.startswith("[") for line in lines[above.end : start])


def _headings(lines: Sequence[str], old: Sequence[bool]) -> Iterator[_Heading]:
    likely = [
        i
        for i, line in enumerate(lines)
        if not old[i]
        and (":" in line or "---" in line or "\uff1a" in line or "__" in line or "==" in line)
    ]
    found = [*_field_blocks(lines, likely), *_attributions(lines, likely)]
    end = 0
    for heading in sorted(found, key=lambda heading: heading.start):
        if heading.start >= end:
            yield heading
            end = heading.end


def _field_blocks(lines: Sequence[str], likely: Sequence[int]) -> Iterator[_Heading]:
    """Yield the headers of old emails, and the first lines of emails of ours.

    The fields are named in any language, with the value behind or below the name. They begin at
    one of the *likely* lines.
    """
    at = 0
    for above in likely:
        if above < at:
            continue
        at = above
        ours = lines[at].lstrip().startswith(OUR_MAIL)
        if ours or _is_rule(lines[at], LONG_RULES):
            yield _Heading(at, at + 1, certain=ours, fields=True)
        if FIELD.match(lines[at]) is None:
            at += 1
            continue
        start = end = at
        rows = 0
        while rows < FIELDS_MAX and at < len(lines) and FIELD.match(lines[at]):
            if at > start and lines[at].lstrip().startswith(OUR_MAIL):
                break
            named = lines[at].rstrip().endswith(COLONS)
            value = lines[at + 1].strip() if at + 1 < len(lines) else ""
            if named and (not value or value.startswith(OUR_MAIL) or _is_rule(value)):
                break
            at += 2 if named else 1
            rows, end = rows + 1, at
            while named and at < len(lines) and not lines[at].strip():
                at += 1
        block = " ".join(line[:LINE_MAX] for line in lines[start:end])
        if (
            (rows > 1 and ADDRESS.search(block) and (rows >= FIELDS_MIN or DAY.search(block)))
            or (rows >= FIELDS_MIN and DATE.search(block))
            or (rows and start and _is_rule(lines[start - 1], LONG_RULES))
        ):
            yield _Heading(start, end, fields=True)
        at = max(at, start + 1)


def _attributions(lines: Sequence[str], likely: Sequence[int]) -> Iterator[_Heading]:
    """Yield the lines such as `On Monday ... A <address> wrote:`, which mailers wrap."""
    for i in likely:
        text = lines[i][:LINE_MAX].strip()
        if not text.endswith(ENDS):
            text, colon, _ = text.partition(":  ")  # Yahoo writes the old email behind it.
            if not (colon and ADDRESS.search(text) and DAY.search(text)):
                continue
        start, certain = i, True
        for above in range(i - 1, max(i - ATTRIBUTION_LINES_MAX, -1), -1):
            dated = DAY.search(lines[above][:LINE_MAX])
            torn = lines[above].endswith("<") or lines[above + 1].startswith("<")
            wrapped = torn or _is_wrapped(lines[above], lines[above + 1])
            if not (wrapped or dated):
                break
            if dated or torn:
                start, certain = above, certain and wrapped
        text = " ".join((*(each[:LINE_MAX].strip() for each in lines[start:i]), text))
        day, timed, now = (each.search(text) for each in (DAY, TIME, THIS_CENTURY))
        if ADDRESS.search(text) or (timed and now) or (day and "@" in text):
            yield _Heading(start, i + 1, certain, timed=True)
        elif (day and (timed or now)) or _may_tell(text):
            yield _Heading(start, i + 1, certain=False)


def _may_tell(text: str) -> bool:
    """Return whether *text* may head a quote that is below it, without a date."""
    words = len(text.split()) >= WROTE_MIN and not any(map(str.isdigit, text))
    return words and not OPENS.match(text)


def _is_wrapped(line: str, below: str) -> bool:
    words = below.split(maxsplit=1)
    line = line.strip()
    return (
        bool(words and line)
        and not line.startswith(MARKS)
        and len(line) + len(words[0]) >= WRAPPED_MIN
    )


def _add_rules(lines: Sequence[str], old: list[bool]) -> None:
    """Mark as old the rules around quotes, and a line with a colon above fields."""
    if not any(old):
        return
    written = [i for i, line in enumerate(lines) if line.strip()]
    for above, i in pairwise(written):
        if old[above] and not old[i] and _is_rule(lines[i]):
            old[i] = True
    for above, i in reversed([*pairwise(written)]):
        if old[i] and not old[above]:
            line = lines[above][:LINE_MAX].strip()
            names = line.endswith(COLONS) and (" " in line or not line.isascii())
            headed = names and FIELD.match(lines[i]) is not None
            old[above] = headed or _is_rule(line) or not line.strip(RULE)


def _is_rule(line: str, ends: tuple[str, ...] = RULES) -> bool:
    """Return whether *line* is a rule with words, such as `-----Original Message-----`."""
    if ends[0] not in line and ends[1] not in line and ends[2] not in line:
        return False
    line = line[:LINE_MAX].strip().lstrip(QUOTE_MARK)
    closed = line.endswith(ends) or (line.startswith(LONG_RULES) and not line.endswith(COLONS))
    return closed and line.startswith(ends) and bool(line.strip(RULE))


def with_headings(
    lines: Sequence[str], marked: Sequence[bool], compared: Sequence[Compared]
) -> list[Compared]:
    """Return *compared* with the headings that name us above our quotes.

    What stands between a heading and its quote was typed there, so it is within the quote, unless
    a mail program marked it.
    """
    headed = list(compared)
    near: list[int] = []
    for i, each in enumerate(compared):
        if not lines[i].strip():
            continue
        if not (each.matched and each.anchored):
            near.append(i)
            continue
        above = reversed(near[-HEADED_MAX:])
        head = next((j for j in above if _heads(lines[j], compared[j])), None)
        if head is not None:
            start, end = _heading_around(lines, head, compared)
            for j in range(start, i):
                typed = not marked[j] or lines[j].startswith(QUOTE_MARK)
                headed[j] = replace(compared[j], heading=j < end, within=j >= end and typed)
        near = []
    return headed


def _heads(line: str, compared: Compared) -> bool:
    return compared.names_us and bool(
        line.rstrip().endswith(COLONS)
        or _is_rule(line)
        or FIELD.match(line)
        or AT_END.search(line)
        or DAY.search(line)
    )


def _heading_around(
    lines: Sequence[str], head: int, compared: Sequence[Compared]
) -> tuple[int, int]:
    """Return where the heading begins and ends that has the line *head*."""

    def is_part(i: int) -> bool:
        line = lines[i]
        return (
            "@" in line
            or bool(SUBJECT.search(line))
            or bool(DAY.search(line) and (TIME.search(line) or FIELD.match(line)))
        )

    start, end = head, head + 1
    attribution = lines[head].rstrip().endswith(COLONS)
    for i in range(head + 1, len(lines) if not attribution else head):
        if compared[i].matched and lines[i].strip():
            break
        field, joined = FIELD.match(lines[i]), lines[i - 1].strip()
        named = lines[i].rstrip().endswith(COLONS)
        part = is_part(i) and (field or (joined and not named))
        if part or (field and joined and not named) or _is_rule(lines[i]):
            end = i + 1
        elif lines[i].strip() and not field:
            break
    for i in range(head - 1, max(head - FIELDS_MAX, -1), -1):
        line = lines[i].strip()
        titled = compared[i].names_us and SUBJECT.search(line)
        near = lines[i + 1].strip() or FIELD.match(line) or titled or " " not in line
        if (is_part(i) and near) or (line and (_is_rule(line) or not line.strip(RULE))):
            start = i
        elif line:
            break
    return start, end


def marked_lines(lines: Sequence[str]) -> list[bool]:
    """Return for each of *lines* whether it has a quote mark; initials must occur twice."""
    marked = [line.lstrip().startswith(MARKS) and not _is_table_row(line) for line in lines]
    initials = {
        number: found[1]
        for number, line in enumerate(lines)
        if not marked[number] and ">" in line and (found := INITIALS.match(line))
    }
    often = Counter(initials.values())
    for number, name in initials.items():
        marked[number] = often[name] > 1
    return marked


def unmarked(lines: Sequence[str], marked: Sequence[bool]) -> tuple[list[str], list[int]]:
    """Return *lines* without initials before quotes, and how many marks each of them has."""
    depths = [_depth(line) if mark else 0 for line, mark in zip(lines, marked, strict=True)]
    return [
        without_quote_marks(line) if depth and line[0] != ">" and INITIALS.match(line) else line
        for line, depth in zip(lines, depths, strict=True)
    ], depths


def _depth(line: str) -> int:
    rest = line.lstrip("> ")
    if ">" in rest or (rest and not rest[0].isalnum()):
        found = UNMARKED.match(line)
        return len(INITIALS_OR_MARK.findall(found[0])) if found else 0
    return line.count(">")


def _is_table_row(line: str) -> bool:
    if "|" not in line:
        return False
    before, first, *others = [cell.strip() for cell in line.split("|")] + [""]
    return not before and bool(first) and len(others) > len("||") and not others[-2]


def without_quote_marks(line: str) -> str:
    """Return a quoted *line* without its marks."""
    return UNMARKED.sub("", line, count=1)


CLOSINGS = ("ENDPRESS", "ENDBROADCAST")
NOTES = ("DIARY", "DIARY RECORD", "STATEMENT", "EOG")
NOTES_END = ("ENDDIARY", "ENDSTATEMENT", "ENDEOG")
OPENS = re.compile(
    r"\s*(?:(?:PREVIEW|POSTAL|GREY|GRAY|ANONYMOUS|UNSIGNED|WHITE|SIGNED)\s+)*(?:PRESS|BROADCAST)\b"
    r"(?P<plainly>\s*(?:$|[:-]|(?:TO|FROM|FAKE|GR[EA]Y|WHITE|QUIET)\b))?",
    re.IGNORECASE,
)
MAY_OPEN = re.compile(r"\s*(?:\S+\s+){0,2}(?:PRESS|BROADCAST)\b", re.IGNORECASE)


SPACED_MAX = 60  # characters of a closing line, however it is spaced


def ends_press(line: str) -> bool:
    """Return whether *line* is ENDPRESS, however it is spaced."""
    return _squashed(line) in CLOSINGS


def signs_off(line: str) -> bool:
    """Return whether *line* is SIGNOFF, however it is spaced, which also ends a block of press."""
    return _squashed(line) == "SIGNOFF"


def _squashed(line: str) -> str:
    """Return *line* in capitals without spaces; empty if it is longer than any closing line."""
    written = line.strip()
    return "".join(written.upper().split()).strip(".") if len(written) <= SPACED_MAX else ""


def lines_in_press(lines: Sequence[str], old: Sequence[bool]) -> list[bool]:
    """Return for each of *lines* whether it is in a block of press or notes that the sender typed.

    The first line of a block is not *old*; quoted lines in it belong to it, also below what looks
    like the heading of an email, unless another block is quoted there. With ENDPRESS below, a line
    that begins with PRESS always opens a block, unless a clearer opening follows.
    """
    inside = [False] * len(lines)
    start = None
    text = "\n".join(lines).upper()
    if not any(word in text for word in ("PRESS", "BROADCAST", *NOTES)):
        return inside
    for i, line in enumerate(lines):
        if old[i] and (start is None or line.lstrip().startswith(MARKS)):
            continue
        if old[i] and OPENS.match(line):
            start = None
            continue
        word = line.strip(" .:").upper()
        if ends_press(line) or "".join(word.split()) in NOTES_END:
            if start is not None:
                inside[start : i + 1] = [True] * (i + 1 - start)
            start = None
        elif word in NOTES:
            start = i
        elif found := OPENS.match(line):
            start = i if start is None or found["plainly"] else start
    return inside
