"""Text as mail wants it: 72 columns, dates with their zone, and nothing that a terminal obeys."""

from __future__ import annotations

import re
import textwrap
from datetime import UTC, datetime

from judge.game.calendar import local
from judge.reports.languages import SOURCE, day

COLUMNS_MAX = 72
QUOTED_CHARACTERS_MAX = 60  # of a player's line shown back to him; it fits a line of ours
NO_BREAK = "\N{NO-BREAK SPACE}"
BEFORE_A_MARK = re.compile(r" (?=[:;?!](?:\s|$))")  # which French sets apart
BLANK_LINES = re.compile(r"\n{3,}")
LABEL = re.compile(r" *(?:- |\w+:  +)?")  # what the continuation of a line stands under


def wrap(text: str) -> str:
    """Break the lines of *text* that are too long, the rest under their beginning.

    Several blank lines, which templates leave where they had nothing to say, become one.
    """
    lines = "\n".join(_wrap_line(line) for line in text.split("\n")).replace(NO_BREAK, " ")
    return BLANK_LINES.sub("\n\n", lines).strip("\n")


def unbroken(text: str) -> str:
    """Keep *text* on the line of the word before it: programs read a mark with its order."""
    return text.replace(" ", NO_BREAK)


def when(instant: datetime, zone: str, language: str = SOURCE) -> str:
    """Write *instant* for people: `Fri 27 Nov 2026 20:00 Europe/Berlin (19:00 UTC)`."""
    here, utc = local(instant, zone), instant.astimezone(UTC)
    if zone == "UTC":
        return _together(day(utc, language), f"{utc:%H:%M} UTC")
    there = "" if utc.date() == here.date() else f"{day(utc, language, year=False)} "
    return _together(day(here, language), f"{here:%H:%M} {zone}", f"({there}{utc:%H:%M} UTC)")


def stamp(instant: datetime, zone: str) -> str:
    """Write *instant* as judges do, for programs: `Fri Nov 27 2026 20:00:00 +0100`."""
    return f"{local(instant, zone):%a %b %d %Y %H:%M:%S %z}"


def short(instant: datetime, zone: str, language: str = SOURCE) -> str:
    """Write *instant* for a subject: `Fri 27 Nov 20:00 Europe/Berlin`."""
    here = local(instant, zone)
    return f"{day(here, language, year=False)} {here:%H:%M} {zone}"


def visible(text: str) -> str:
    """Return *text*, which a player wrote, without anything that a terminal obeys."""
    return "".join(character if character.isprintable() else " " for character in text)


def one_line(text: str) -> str:
    """Show *text*, which a player wrote, as one short line."""
    line = " ".join(visible(text).split())
    if len(line) <= QUOTED_CHARACTERS_MAX:
        return line
    return f"{line[: QUOTED_CHARACTERS_MAX - 4]} ..."


def _together(*parts: str) -> str:
    """Join *parts*, between which alone a line may be broken."""
    return " ".join(unbroken(part) for part in parts)


def _wrap_line(line: str) -> str:
    if len(line) <= COLUMNS_MAX:
        return line.rstrip()
    label = LABEL.match(line)
    indent = " " * label.end() if label else ""
    return textwrap.fill(
        BEFORE_A_MARK.sub(NO_BREAK, line),
        COLUMNS_MAX,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )
