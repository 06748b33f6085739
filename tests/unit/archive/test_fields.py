"""The readers fill the fields that the table of docs/archive.md names for each format."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random  # noqa: TID251 seeded

import pytest

from judge.archive.reading import READERS, WRITERS, Doubts, Reading, format_named, writer_named
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    SeatKind,
    YearChart,
)
from judge.rules.types import Phase
from tests.properties.random_records import played
from tests.support.njudge import HEAD
from tests.support.selection import one_in
from tests.support.table import Table
from tests.unit.archive.readers import (
    test_dpjudge,
    test_jdip,
    test_log,
    test_mailbox,
    test_njudge,
    test_ours,
    test_searchbot,
    test_webdiplomacy,
    test_zine,
)
from tests.unit.archive.reading import BOARD
from tests.unit.archive.writers.test_njudge import game

NEWS = """\

seed@seed.example has taken over the abandoned Turkey in game 'lagoon'.

Message from seed@seed.example as France to Germany in 'lagoon':

Pax?
End of message.

Summary of game 'lagoon' through F1901B.

  Master:        Gerd
  Austria:       Anna Alt  seed@seed.example
       from F1901M: Bert  seed@seed.example

 Boardman Number: 1990AB
  Variant:  Standard, Gunboat.

The game was declared a draw between Austria and England.

Historical Supply Center Summary
--------------------------------
     Ven Nap
Year  Rom Tun
1900 I I I .
1901 I I I I
"""
ZINE = """\
HARBOUR #12 - game SARDINE, BNC 1990AB, Spring '05.
GM: Gerd Meyer

AUSTRIA (Ann Smith): A BUL-SER
ITALY (standby): A ROM-H
Deadline: March 9, 1998 12:00 GMT for Fall 1905

HARBOUR #13 - game SARDINE, Fall '05.
AUSTRIA: A SER-RUM

Game SARDINE was declared a draw between Austria and Italy.
"""
LETTER = {"fromCountryID": 3, "toCountryID": 0, "message": "Pax?", "timeSent": 889444800}
WEB = test_webdiplomacy.state_of(
    test_webdiplomacy.SPRING | {"messages": [LETTER]},
    {"turn": 1, "phase": "Finished", **test_webdiplomacy.BOARD_OF_1901},
    gameOver="Drawn",
)
TEXTS = {
    "dpjudge": (
        test_dpjudge.FALL + test_dpjudge.AUTUMN + test_dpjudge.WINTER,
        test_dpjudge.STATUS,
        test_dpjudge.SUMMARY,
        test_dpjudge.PRESS,
    ),
    "jdip": (test_jdip.SPRING + test_jdip.RETREAT,),
    "mailbox": (test_mailbox.mail(test_njudge.YEAR + NEWS),),
    "searchbot": (json.dumps(test_searchbot.GAME),),
    "webdiplomacy": (json.dumps(WEB),),
    "zine": (test_zine.PARENTHESES, ZINE),
}
AT_NOON = datetime(1998, 3, 9, 12, tzinfo=UTC)
OF_RECORD: Mapping[str, Callable[[Record], object]] = {
    "rulebook": lambda record: record.rulebook,
    "numbers": lambda record: record.numbers,
    "gamemaster": lambda record: record.gamemaster,
    "zine, issue": lambda record: record.zine and record.issue,
    "players": lambda record: [each for each in record.seats if each.player],
    "takeovers": lambda record: [each for each in record.seats if each.since],
    "civil disorder": lambda record: [
        each for each in record.seats if each.hold is SeatKind.CIVIL_DISORDER
    ],
    "press": lambda record: record.press,
    "charts": lambda record: record.charts,
    "end": lambda record: record.ending,
    "settings": lambda record: record.settings,
}
OF_PHASE: Mapping[str, Callable[[RecordedPhase], object]] = {
    "owners": lambda phase: phase.position and phase.position.owners,
    "orders": lambda phase: phase.orders,
    "results": lambda phase: phase.results_told,
    "deadlines": lambda phase: phase.deadline,
    "reported": lambda phase: phase.reported,
    "notes": lambda phase: phase.notes,
    "lines": lambda phase: phase.first_line or any(each.line for each in phase.orders),
}
FIELDS = (*OF_PHASE, *OF_RECORD)


def full() -> Record:
    """Return a record that tells everything."""
    record = game()
    first, *others = record.phases
    told = replace(
        first,
        results_told=True,
        deadline=AT_NOON,
        reported=AT_NOON,
        notes=("No order of Turkey.",),
        first_line=1,
    )
    return replace(
        record,
        rulebook="datc",
        gamemaster="Gerd",
        zine="Harbour",
        issue="12",
        seats=(
            Seat("AUSTRIA", "Anna Alt"),
            Seat("ITALY", None, SeatKind.CIVIL_DISORDER),
            Seat("AUSTRIA", "Bert", SeatKind.TAKEOVER, Phase.parse("F1901M")),
        ),
        phases=(told, *others),
        press=(RecordedPress(first.phase, "FRANCE", ("GERMANY",), "Pax?", AT_NOON),),
        charts=(YearChart(1901, {"AUSTRIA": 3}),),
        ending=Ending(EndKind.DRAW, ("AUSTRIA", "FRANCE"), Phase.parse("F1901M"), "drawn"),
        settings={"press": "white"},
    )


def texts(name: str, folder: Path) -> list[str]:
    """Return texts in the format *name* that tell all that such a text can."""
    games = [full(), played(BOARD, Random(1), phases=3)]  # noqa: S311 no secret
    written = (
        ["".join(writer_named(name)(each, BOARD)) for each in games] if name in WRITERS else []
    )
    match name:
        case "log":
            return [log_of(folder)]
        case "ours":
            return [test_ours.mailbox(folder)]
        case "njudge":
            return [HEAD + test_njudge.YEAR + NEWS, *written]
        case _:
            return [*written, *TEXTS.get(name, ())]


@pytest.mark.parametrize("name", one_in(3, READERS))
def test_the_documents_say_what_a_format_tells(name: str, tmp_path: Path) -> None:
    assert documented()[name] == told_in(name, texts(name, tmp_path))


@pytest.mark.parametrize("name", WRITERS)
def test_the_documents_say_what_a_format_leaves_out(name: str) -> None:
    games = [full(), played(BOARD, Random(1), phases=3)]  # noqa: S311 no secret
    kept = told_in(name, ["".join(writer_named(name)(each, BOARD)) for each in games])

    rows = table_rows()
    start = next(n for n, row in enumerate(rows) if row and row[0] == "to") + 1
    left_out = {row[0].strip("`"): row[1] for row in rows[start : start + len(WRITERS)] if row}
    assert left_out.get(name, "") == ", ".join(each for each in FIELDS if each not in kept)


def log_of(folder: Path) -> str:
    """Return the log of a game of this judge."""
    table = Table(folder)
    table.start("baltic")
    table.play(FRANCE=test_log.FRANCE)
    return test_log.show(folder, "baltic")


def documented() -> Mapping[str, set[str]]:
    """Return the fields of each format in the table of docs/archive.md."""
    rows = table_rows()
    title = next(row for row in rows if row and row[0] == "contents")
    names = [cell.strip("`") for cell in title[1:]]
    fields = {row[0]: row[1:] for row in rows if row and row[0] in FIELDS}
    assert set(fields) == set(FIELDS)
    return {
        name: {field for field, marks in fields.items() if marks[column]}
        for column, name in enumerate(names)
    }


def table_rows() -> list[list[str]]:
    """Return the rows of all tables of docs/archive.md, cell by cell."""
    lines = Path("docs/archive.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def told_in(name: str, several: list[str]) -> set[str]:
    """Return the fields that the reader *name* fills from *several* texts."""
    found: set[str] = set()
    for text in several:
        reading = Reading(BOARD, "game", "0", Doubts("game", strict=False))
        for record in format_named(name).read(reading, text.split("\n")):
            found |= {field for field, told in OF_RECORD.items() if told(record)}
            found |= {f for f, told in OF_PHASE.items() if any(map(told, record.phases))}
    return found


@pytest.mark.parametrize("name", ["Backstabbr", "Realpolitik", "playdiplomacy"])
def test_the_documents_say_which_formats_are_not_read_and_why(name: str) -> None:
    text = " ".join(Path("docs/archive.md").read_text(encoding="utf-8").split())
    _, reasons = text.split("The judge cannot read ")

    assert name in reasons.partition("we found no samples")[0]
