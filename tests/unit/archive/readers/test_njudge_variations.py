"""Variations of the year of `test_njudge`, as other versions, mail programs and people write.

Each row is a file: it reads to the same phases, or to an error that says where and why.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable

import pytest

from judge.archive.reading import UnreadableError
from judge.archive.records import Record
from tests.support.njudge import read, spring
from tests.unit.archive.readers.test_njudge import CONVOY, FALL, WINTER, YEAR, facts

BANNER = "*" * 70 + "\n* The judge moves house on Friday. Be patient. *\n" + "*" * 70 + "\n\n"
LATE = "Diplomacy game 'lagoon' is waiting for Turkey's orders.\n\n"
PRESS = (
    "Message from a@b.example as France to Italy in 'lagoon':\n\n"
    "Army Paris -> Burgundy, I say.\n\nEnd of message.\n\n"
)
Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


def sub(pattern: str, new: str) -> Change:
    def change(text: str) -> str:
        changed, count = re.subn(pattern, new, text, flags=re.MULTILINE)
        assert count
        return changed

    return change


def wrapped(width: int) -> Change:
    def change(text: str) -> str:
        lines = (textwrap.wrap(line, width) or [""] for line in text.split("\n"))
        return "\n".join(each for several in lines for each in several)

    return change


def before(more: str) -> Change:
    return lambda text: more + text


def behind(more: str) -> Change:
    return lambda text: text + more


def quoted(mark: str) -> Change:
    return lambda text: "\n".join(f"{mark}{line}" for line in text.split("\n"))


SAME: dict[str, Change] = {
    "two spaces before the number": swap(". (lagoon", ".  (lagoon"),
    "no number": sub(r" +\(lagoon\.\d+\)$", ""),
    "a number of two digits": sub(r"lagoon\.0", "lagoon."),
    "no full stop in the title": sub(r"^(\w+ results for .*?)\. ", r"\1 "),
    "a title without of": sub(r"(results for \w+) of ", r"\1 "),
    "a title in capitals": swap("Movement results for Fall of", "MOVEMENT RESULTS FOR FALL OF"),
    "retreats and adjustments as orders": swap("Adjustment results", "Adjustment orders"),
    "Autumn for Fall": swap("Fall of", "Autumn of"),
    "adjustments of the Fall": swap("Winter of", "Fall of"),
    "phase letter A": swap("S1901M Mon", "F1901A Mon"),
    "phase letter B": swap("S1901M Mon", "F1901B Mon"),
    "a game that is over": swap("S1901M Mon", "S1901MX Mon"),
    "no line with the deadline": sub(r"^:: Deadline.*\n", ""),
    "no line with the judge": sub(r"^:: Judge.*\n", ""),
    "no heading lines": sub(r"^:: .*\n", ""),
    "a line with a map": swap(":: Deadline", ":: Map: http://a.example/x.png\n:: Deadline"),
    "a line with an address": swap(":: Deadline", ":: URL: http://a.example/\n:: Deadline"),
    "a variant with modifiers": swap("Variant: Standard", "Variant: Standard Gunboat Chaos"),
    "a game in small letters": swap("Game: Lagoon", "Game: lagoon"),
    "an old zone": swap("23:30:00 +0000", "23:30:00 PST"),
    "a deadline of 1970": swap("Mon Mar 09 1998 23:30", "Thu Jan 01 1970 00:00"),
    "summer time": swap("Mar 12 1998 23:30:00 +0000", "Mar 29 1998 02:30:00 +0200"),
    "a banner": before(BANNER),
    "a banner between": swap("Movement results for Fall", f"{BANNER}Movement results for Fall"),
    "a footer": behind("\n-- \nMailed by the judge at SEED.\n"),
    "a list's footer": behind("\n_______________\nlist mailing list\nhttp://l.example/\n"),
    "a notice before": before(LATE),
    "a notice between": swap("Movement results for Fall", f"{LATE}Movement results for Fall"),
    "a message between": swap("Movement results for Fall", f"{PRESS}Movement results for Fall"),
    "a message with an order in it": behind(f"\n{PRESS}"),
    "a message that tells of results": behind(
        f"\n{PRESS.replace('Army Paris', 'Movement results for Spring of 1901.')}"
    ),
    "time left": swap("\nThe deadline for", "\nTime to deadline: 3 days.\nThe deadline for"),
    "spaces at the ends": sub(r"$", "   "),
    "lines apart": sub(r"(?<=HOLD\.)$", "\n"),
    "no lines apart": sub(r"\n\n(?=[A-Z]\w+: )", "\n"),
    "tabs after the power": sub(r"^(\w+):  +", r"\1:\t"),
    "wrapped at 60": wrapped(60),
    "wrapped at 45": wrapped(45),
    "wrapped behind the arrow": swap("-> North Sea -> Norway", "-> North Sea ->\nNorway"),
    "wrapped before the result": swap(" (*bounce*)", "\n(*bounce*)"),
    "two spaces before the result": swap(" (*bounce*)", "  (*bounce*)"),
    "a warning behind an order": swap(
        "-> North Sea -> Norway.", "-> North Sea -> Norway. (*WARN: check convoy*)"
    ),
    "quoted": quoted("> "),
    "quoted twice": quoted("> > "),
    "quoted without a space": quoted(">"),
    "quoted behind the same": lambda text: f"{text}\n{quoted('> ')(text)}",
    "quoted with an answer": lambda text: f"{quoted('> ')(text)}\nIs that so?\n",
    "told twice": lambda text: text + text,
    "sent again": behind("\n" + spring(CONVOY)),
    "St. with a full stop": swap("St Petersburg", "St. Petersburg"),
    "Saint in full": swap("Russia: Fleet St Petersburg", "Russia: Fleet Saint Petersburg"),
    "a coast in letters": swap("(south coast)", "(sc)"),
    "a count of older judges": sub(r" Supply centers,  ", " Supply centers, "),
    "a British spelling": swap("supply centers:", "supply centres:"),
    "nobody's centers not listed": sub(r"^Unowned: .*\n.*Tunis\.\n", ""),
    "a build waived": swap("1 build pending.", "1 unusable build waived."),
    "a unit maintained": swap("1 build pending.", "Maintains the army in Moscow."),
    "the last report first": lambda _: f"{WINTER}\n{FALL}\n{spring(CONVOY)}",
    "the middle report last": lambda _: f"{spring(CONVOY)}\n{WINTER}\n{FALL}",
    "a unit without an order in capitals": swap("No Order Processed", "No order processed"),
    "a hold in small letters": swap("Rome HOLD.", "Rome Hold."),
    "a history": lambda text: (
        f"History information for game 'lagoon':\n\n{text}\n"
        "---- History terminated due to end of information.\n"
    ),
}
WRONG: dict[str, tuple[Change, int | None, str]] = {
    "a power that there is not": (swap("Italy: Army Rome", "Spain: Army Rome"), 22, "Spain"),
    "a place that there is not": (swap("Fleet Naples", "Fleet Nirgends"), 24, "order"),
    "a result that there is not": (swap("(*bounce*)", "(*rebound*)"), 42, "unknown result"),
    "a unit left out": (swap("Italy: Army Venice HOLD.\n", ""), 4, "has no line"),
    "a unit twice": (
        swap("Italy: Army Rome HOLD.\n", "Italy: Army Rome HOLD.\n" * 2),
        23,
        "a second line",
    ),
    "another kind of unit": (
        swap("Fleet Gulf of Bothnia ->", "Army Sweden ->"),
        63,
        "was there",
    ),
    "a unit of another power": (
        swap("France: Fleet Brest", "Turkey: Fleet Brest"),
        16,
        "was there before",
    ),
    "a report left out": (lambda _: f"{spring(CONVOY)}\n{WINTER}", 38, "is missing before it"),
    "a season that there is not": (
        swap("for Fall of", "for Herbst of"),
        None,
        "not understood in a report",
    ),
    "moves in winter": (
        swap("Movement results for Fall", "Movement results for Winter"),
        38,
        "not a phase",
    ),
    "owners that cannot be": (swap("London, Norway.", "London."), 69, "owned by"),
    "counts that cannot be": (
        swap("4 Supply centers,  3", "5 Supply centers,  3"),
        None,
        "by the earlier reports",
    ),
    "no center": (swap("Sweden, Warsaw", "Finland, Warsaw"), None, "not a supply center"),
    "a center twice": (swap("Sweden, Warsaw", "Paris, Warsaw"), None, "owned twice"),
    "another map": (swap("Variant: Standard", "Variant: Loeb9"), 1, "no map of the variant"),
    "a history that breaks off": (
        before("History information for game 'lagoon':\n\n"),
        None,
        "history breaks off",
    ),
    "bytes": (behind("\n\0"), None, "binary data"),
    "another language": (
        sub(r"^(\w+) results for (\w+) of", "Ergebnisse im \\2"),
        None,
        "no report of a judge",
    ),
}


def the_game(text: str) -> Record:
    (record,) = read(text)
    return record


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_however_it_was_kept_it_is_the_same_game(change: Change) -> None:
    assert facts(the_game(change(YEAR))) == facts(the_game(YEAR))


@pytest.mark.parametrize(("change", "line", "why"), WRONG.values(), ids=WRONG)
def test_an_error_is_reported_with_its_line(change: Change, line: int | None, why: str) -> None:
    with pytest.raises(UnreadableError, match=why) as error:
        read(change(YEAR))

    assert line is None or error.value.line == line


@pytest.mark.parametrize("last", range(len(YEAR.splitlines()) - 1))
def test_a_truncated_file_is_an_error_or_the_reports_before_it(last: int) -> None:
    cut, whole = "\n".join(YEAR.splitlines()[:last]), facts(the_game(YEAR))

    found = facts_or_error(cut)

    if isinstance(found, UnreadableError):
        assert found.line is not None or "no report of a judge" in found.why
    else:
        assert found[:-1] == whole[: len(found) - 1]


def facts_or_error(text: str) -> list[object] | UnreadableError:
    try:
        return facts(the_game(text))
    except UnreadableError as error:
        return error
