"""Records as tables: what the rows of a game hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeVar

from judge.archive.record_tables import CENTERS, GAMES, ORDERS, PHASES, TABLES, Table, Value
from judge.archive.records import (
    Doubt,
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    Seat,
    Source,
    WrittenOrder,
    YearChart,
)
from judge.notation.order_text import read_order
from judge.resources import folder
from judge.rules.types import Phase, Position, Unit, UnitKind

Row = TypeVar("Row")

DOCUMENT = (folder("templates").parent / "docs/archive.md").read_text(encoding="utf-8")
NOON = datetime(1995, 5, 1, 12, tzinfo=UTC)
SPRING, WINTER, LATER = (Phase.parse(code) for code in ("S1901M", "W1901A", "S1903M"))
UNIT = Unit("AUSTRIA", UnitKind.ARMY, "BUD")
TEXTS = (
    ("A BUD H", ("hold", "A", "BUD", None, None)),
    ("A BUD - SER", ("move", "A", "BUD", None, "SER")),
    ("A BUD S F TRI", ("support", "A", "BUD", "TRI", None)),
    ("A BUD S A VIE - GAL", ("support", "A", "BUD", "VIE", "GAL")),
    ("F STP/NC C A NWY - BAR", ("convoy", "F", "STP/NC", "NWY", "BAR")),
    ("A BUD R SER", ("retreat", "A", "BUD", None, "SER")),
    ("A BUD D", ("disband", "A", "BUD", None, None)),
    ("A BUD B", ("build", "A", "BUD", None, None)),
    ("WAIVE", ("waive", None, None, None, None)),
)
RECORD = Record(
    name="dogger",
    source=Source("njudge", "games/dogger", "abc", first_line=7),
    rulebook="njudge",
    numbers={"boardman": "1995AB", "judge": "dogger"},
    seats=(
        Seat("AUSTRIA", "Anna", address="anna@example.net"),
        Seat("ITALY", None),
        Seat("FRANCE", "Fred"),
    ),
    phases=(
        RecordedPhase(
            SPRING,
            Position(SPRING, (UNIT,), {"BUD": "AUSTRIA", "BRE": "FRANCE"}),
            tuple(WrittenOrder("AUSTRIA", text, read_order(text)) for text, _ in TEXTS),
            deadline=NOON,
        ),
        RecordedPhase(
            WINTER,
            Position(WINTER, (UNIT,), {"BUD": "ITALY"}),
            (WrittenOrder("ITALY", "hm", None, ("void",), 12),),
            edition=2,
        ),
        RecordedPhase(LATER, None, first_line=40),
    ),
    charts=(YearChart(1902, {"ITALY": 1}, {"BUD": "ITALY"}),),
    ending=Ending(EndKind.DRAW, ("ITALY", "FRANCE"), LATER, "all agreed"),
    doubts=(Doubt(12, "hm", "no order"),),
)


def rows(table: Table[Row], record: Record = RECORD) -> list[dict[str, Value]]:
    names = [name for name, _, _ in table.heads()]
    return [dict(zip(names, row, strict=True)) for row in table.rows(5, record)]


def test_a_game_is_a_row() -> None:
    (row,) = rows(GAMES)

    assert (
        row.items()
        >= {
            "game": 5,
            "name": "dogger",
            "file": "games/dogger",
            "line": 7,
            "boardman": "1995AB",
            "miller": None,
            "started": 1901,
            "ended": 1903,
            "phases": 3,
            "end": "draw",
            "end_phase": "S1903M",
            "end_reason": "all agreed",
            "doubts": 1,
        }.items()
    )
    assert row["winners"] == ("ITALY", "FRANCE")
    assert row["players"] == ["AUSTRIA: Anna <anna@example.net>", "FRANCE: Fred"]


def test_a_game_of_which_nothing_is_told_is_a_row_too() -> None:
    (row,) = rows(GAMES, Record(name="", source=Source("zine", "", "")))

    assert (row["started"], row["end"], row["winners"], row["end_phase"]) == (None, None, (), None)


def test_a_phase_is_a_row() -> None:
    spring, winter, later = rows(PHASES)

    assert (
        spring.items()
        >= {
            "game": 5,
            "number": 0,
            "phase": "S1901M",
            "year": 1901,
            "season": "spring",
            "kind": "movement",
            "known": True,
            "units": 1,
            "dislodged": 0,
            "orders": 9,
            "deadline": NOON,
        }.items()
    )
    assert (winter["edition"], winter["kind"]) == (2, "adjustments")
    assert (later["known"], later["units"], later["line"]) == (False, None, 40)


def test_an_order_is_taken_apart() -> None:
    *understood, other = rows(ORDERS)

    parts = ("type", "unit", "location", "other", "target")
    for row, (text, expected) in zip(understood, TEXTS, strict=True):
        assert row["text"] == row["order"] == text
        assert tuple(row[part] for part in parts) == expected
    assert (other["order"], other["type"], other["results"]) == (None, None, ("void",))
    assert (other["phase"], other["number"], other["line"]) == ("W1901A", 0, 12)


def test_the_owners_at_the_end_of_a_year_are_those_of_its_winter_or_its_chart() -> None:
    assert [row[1:] for row in CENTERS.rows(5, RECORD)] == [
        (1900, "BRE", "FRANCE"),
        (1900, "BUD", "AUSTRIA"),
        (1901, "BUD", "ITALY"),
        (1902, "BUD", "ITALY"),
    ]


def test_every_column_is_documented() -> None:
    for table in TABLES:
        assert f"`{table.name}`: a row is {table.row}.\n" in DOCUMENT
        for name, kind, tells in table.heads():
            assert f"| `{name}` | {kind.value} | {tells} |\n" in DOCUMENT
