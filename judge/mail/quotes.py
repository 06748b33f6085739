"""Which lines of a mail are old: quoted, or left below the answer by a mailer that marks nothing.

Each line is judged by its own form and by what follows it, never by a pattern over the whole
text, so the time is linear. Marked lines (`>`) are old wherever they stand, and what was written
between or below them stays. A heading (`On Monday Austria wrote:`, `-----Original Message-----`, a
block of `From:` and `Sent:`) is judged by the line after it:

- if that is marked, or there is none, only the heading is old, and a rule's heading goes on
  through the fields or the `... wrote:` that stand below it;
- a rule with words, a block of header fields and the first line of a mail of ours are always the
  head of an old mail: everything below is old;
- `... wrote:` is so only if it holds an address, or a day of our time with its hour, as mailers
  write them, or if one of those stands close below. Otherwise it is what somebody wrote, perhaps
  in press, and nothing is cut.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from judge.mail.phrases import (
    ATTRIBUTION_OPENERS,
    ATTRIBUTION_VERBS,
    FIELD_NAMES,
    SEPARATORS,
    SEPARATORS_WITHOUT_RULE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OUR_MAIL = (":: Judge:", ":: Deadline:")
ATTRIBUTION_LINES_MAX = 3  # Mailers wrap it at 72 or 78 columns.
ATTRIBUTION_MAX = 500
HEADER_BLOCK_LINES_MAX = 8
CLOSE_BELOW = 5  # Written lines between an attribution and the head of the old mail.
UNMARKED = re.compile(r"(?:\s*(?:>|\||&gt;|[A-Z][A-Za-z]{1,2}>(?= |$)))+\s*")
CLOSED_BY = (">:", "]:", "):")  # `Judge <judge@...>:` without a verb, as some languages have it.
RULE = "_-*= "
TIME = re.compile(r"\b\d{1,2} ?[:.h] ?\d\d\b")
THIS_CENTURY = re.compile(r"\b20[2-9]\d\b")
MARK = re.compile(r"\s*(?:>|\||&gt;)")
INITIALS = re.compile(r"\s*([A-Z][A-Za-z]{1,2})>(?: |$)")  # Of whom The Bat! quotes.
ADDRESS = re.compile(r"<[^<>\s@]{1,100}@[^<>\s]{1,200}>")


def quoted_lines(lines: Sequence[str]) -> list[bool]:
    """Say of each of *lines* whether it is old."""
    old = marked_lines(lines)
    following = _following(lines)
    i = 0
    while i < len(lines):
        length = 0 if old[i] else _heading_length(lines, i, following)
        after = following[i + length - 1] if length else None
        if length and (after is None or old[after]):
            old[i : i + length] = [True] * length
        elif length and (_starts_old_mail(lines, i) or _leads_to_old_mail(lines, i, length)):
            start = _with_rule_above(lines, i)
            return old[:start] + [True] * (len(lines) - start)
        i += max(length, 1)
    return old


def marked_lines(lines: Sequence[str]) -> list[bool]:
    """Say of each of *lines* whether it has a quote's mark; initials must do so twice."""
    initials = [INITIALS.match(line) for line in lines]
    often = Counter(found[1] for found in initials if found)
    return [
        (MARK.match(line) is not None and not _is_table_row(line))
        or (found is not None and often[found[1]] > 1)
        for line, found in zip(lines, initials, strict=True)
    ]


def _is_table_row(line: str) -> bool:
    """Tell `| F Lon | Eng |` from a quoted line: some mailers mark these with a bar."""
    before, first, *others = [cell.strip() for cell in line.split("|")] + [""]
    return not before and bool(first) and len(others) > len("||") and not others[-2]


def unmarked(line: str) -> str:
    """Return a quoted *line* without its marks."""
    return UNMARKED.sub("", line, count=1)


def _following(lines: Sequence[str]) -> list[int | None]:
    """Give for each line the next one that is not blank."""
    following: list[int | None] = [None] * len(lines)
    for i in range(len(lines) - 1, 0, -1):
        following[i - 1] = i if lines[i].strip() else following[i]
    return following


def _heading_length(lines: Sequence[str], i: int, following: Sequence[int | None]) -> int:
    """Count the lines of the heading that begins at *i*, 0 if none does."""
    if _is_header_block(lines, i):
        return _block_length(lines, i)
    if not _starts_old_mail(lines, i):
        return _attribution_length(lines, i)
    below = following[i] if _is_separator(lines[i].strip()) else None
    if below is None:
        return 1
    if _is_header_block(lines, below):
        return below - i + _block_length(lines, below)
    return below - i + _attribution_length(lines, below) or 1


def _block_length(lines: Sequence[str], i: int) -> int:
    """Count the lines of the fields that stand together from *i*."""
    block = lines[i : i + HEADER_BLOCK_LINES_MAX]
    return next((n for n, line in enumerate(block) if not line.strip()), len(block))


def _starts_old_mail(lines: Sequence[str], i: int) -> bool:
    """Tell a line that nobody writes above new text."""
    line = lines[i].strip()
    return line.startswith(OUR_MAIL) or _is_separator(line) or _is_header_block(lines, i)


def _leads_to_old_mail(lines: Sequence[str], i: int, length: int) -> bool:
    """Judge the attribution at *i* by its address or its time, else by what is close below it."""
    told = " ".join(lines[i : i + length])[:ATTRIBUTION_MAX]
    if "@" in told or (THIS_CENTURY.search(told) and TIME.search(told)):
        return True
    below = (j for j in range(i + length, len(lines)) if lines[j].strip())
    return any(_starts_old_mail(lines, j) for j, _ in zip(below, range(CLOSE_BELOW), strict=False))


def _with_rule_above(lines: Sequence[str], i: int) -> int:
    """Step up over the blank lines and the rule that a mailer draws between new and old."""
    while i and not lines[i - 1].strip(RULE):
        i -= 1
    return i


def _is_separator(line: str) -> bool:
    """Tell `--- Original Message ---`, with whom it was forwarded by or from, perhaps."""
    if line.startswith(("--", "__")):
        return line[:ATTRIBUTION_MAX].strip("-_*= ").casefold().startswith(SEPARATORS)
    return line.casefold() in SEPARATORS_WITHOUT_RULE


def _is_header_block(lines: Sequence[str], i: int) -> bool:
    """Tell an old mail's fields from a letterhead in press: three, and of a day in our time.

    That is a date with a time or a year of this century, or with any and an address.
    """
    if _field(lines[i]) is None:
        return False
    fields = dict(_fields(lines[i : i + HEADER_BLOCK_LINES_MAX]))
    date = fields.get("date", "")[:ATTRIBUTION_MAX]
    address = ADDRESS.search(fields.get("from", "")[:ATTRIBUTION_MAX]) if date.strip() else None
    ours = TIME.search(date) or THIS_CENTURY.search(date) or address
    return bool(ours) and "from" in fields and bool({"to", "subject"} & fields.keys())


def _fields(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if not line.strip():
            return
        found = _field(line)
        if found:
            yield found


def _field(line: str) -> tuple[str, str] | None:
    name, colon, value = line.strip(" *").partition(":")
    field = FIELD_NAMES.get(name.strip(" *").casefold())
    return (field, value) if field and colon else None


def _attribution_length(lines: Sequence[str], i: int) -> int:
    """Count the lines of `On ..., somebody wrote:` from *i*."""
    words: list[str] = []
    for length, line in enumerate(lines[i : i + ATTRIBUTION_LINES_MAX], start=1):
        added = line[:ATTRIBUTION_MAX].casefold().strip("- ").split()
        if not added or added[0].startswith(">") or (words and not _opens(words, added)):
            return 0
        words += added
        if words[-1].endswith(":") or line.rstrip().endswith("---"):
            return length if _says_who_wrote(words) else 0
        if ADDRESS.search(line) and _goes_on_in_its_line(line):
            return length
    return 0


def _goes_on_in_its_line(line: str) -> bool:
    """Tell `On ..., somebody <address> wrote: what he wrote`, all in one line, as Yahoo has it."""
    head, colon, _ = line[:ATTRIBUTION_MAX].partition(":  ")
    return bool(colon) and _says_who_wrote([*head.casefold().split(), ":"])


def _opens(words: list[str], following: list[str]) -> bool:
    """Tell the wrapped `On Monday`, which goes on below, from an order above the heading."""
    return words[0] in ATTRIBUTION_OPENERS and following[0] not in ATTRIBUTION_OPENERS


def _says_who_wrote(words: list[str]) -> bool:
    verb = any(word.rstrip(":,") in ATTRIBUTION_VERBS for word in words)
    address = any("@" in word for word in words)
    number = any(word.lstrip("[(")[:1].isdigit() for word in words)
    timed = number and TIME.search(" ".join(words)) is not None
    return (verb and (words[0] in ATTRIBUTION_OPENERS or address or timed)) or (
        address and number and words[-1].endswith(CLOSED_BY)
    )
