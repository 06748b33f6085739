"""Our own record format: errors and omitted fields."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.record_json import FORMAT, record_to_json
from judge.archive.reading import Doubts, Reading, UnreadableError
from judge.archive.records import (
    Doubt,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
)
from judge.rules.types import Phase

BOARD = load_map()
SPRING = Phase.parse("S1901M")
RECORD = Record(
    name="lepanto",
    source=Source("njudge", "mails.txt", "0"),
    seats=(Seat("ITALY", "Anna", address="anna@example.org"),),
    phases=(RecordedPhase(SPRING, BOARD.start, (WrittenOrder("ITALY", "A Ven holds", None),)),),
    press=(RecordedPress(SPRING, "ITALY", (), "Write to anna@example.org"),),
    doubts=(Doubt(3, "A Ven holds", "no order"),),
)


def test_where_a_game_was_read_and_what_was_doubted_stays_with_it() -> None:
    (again,) = read(told())

    assert again.source == RECORD.source
    assert again.doubts == RECORD.doubts


def test_addresses_are_left_out() -> None:
    (again,) = read(told())

    assert [each.address for each in again.seats] == [None]
    assert [each.text for each in again.press] == ["Write to [address]"]


def test_addresses_are_kept_if_they_are_asked_for() -> None:
    assert read(told(), keep_addresses=True) == [RECORD]


def test_a_gap_has_no_state() -> None:
    gap = replace(RECORD, phases=(RecordedPhase(SPRING, None),))

    assert "state" not in phase(record_to_json(gap, BOARD))


def test_the_text_of_an_order_is_left_out_where_it_is_the_order() -> None:
    orders = record_to_json(RECORD, BOARD)

    assert phase(orders)["written"] == [{"power": "ITALY", "text": "A Ven holds"}]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param({"version": 2}, "version: must be 1, not 2", id="version"),
        pytest.param({"map": "colonial"}, "no map of this judge", id="map"),
        pytest.param({"id": None}, "must be a text", id="name"),
        pytest.param(
            {"seats": [{"power": "ITALY", "hold": "guest"}]}, "must be one of", id="hold"
        ),
        pytest.param({"ending": {"kind": "solo", "phase": "X"}}, "not a phase", id="phase"),
        pytest.param({"ending": {"kind": "solo", "phase": 1}}, "must be a text", id="no code"),
        pytest.param({"phases": {}}, "must be a list", id="phases"),
        pytest.param({"charts": [{"year": "1901"}]}, "whole number", id="year"),
        pytest.param({"phases": [{"name": "S1901M", "deadline": "noon"}]}, "a time", id="time"),
        pytest.param({"phases": [{"name": "S1901M", "deadline": 1}]}, "a text", id="no time"),
        pytest.param(
            {"phases": [{"name": "S1901M", "written": [{"power": "ITALY", "order": "go"}]}]},
            "not an order",
            id="order",
        ),
        pytest.param(
            {
                "phases": [
                    {
                        "name": "S1901M",
                        "written": [{"power": "ITALY", "text": "", "results": ["lost"]}],
                    }
                ]
            },
            "not a result",
            id="result",
        ),
        pytest.param(
            {"phases": [{"name": "S1901M", "removed": [{"power": "ITALY", "unit": "*A VEN"}]}]},
            "cannot be read as a unit",
            id="unit",
        ),
    ],
)
def test_an_invalid_record_is_an_error_with_its_line(change: dict[str, Any], why: str) -> None:
    with pytest.raises(UnreadableError, match=f"^games:1: .*{why}"):
        read(told() | change)


def test_a_lenient_reading_goes_on_with_the_next_record() -> None:
    doubts = Doubts("games", strict=False)
    lines = [json.dumps(told() | {"version": 2}), json.dumps(told())]

    (again,) = FORMAT.read(Reading(BOARD, "games", "0", doubts), lines)

    assert [each.line for each in again.doubts] == [3, 1]


def told() -> dict[str, Any]:
    return record_to_json(RECORD, BOARD)


def phase(record: dict[str, Any]) -> dict[str, Any]:
    (only,) = record["phases"]
    assert isinstance(only, dict)
    return only


def read(told: dict[str, Any], *, keep_addresses: bool = False) -> list[Record]:
    text = json.dumps(told)
    reading = Reading(BOARD, "games", "0", Doubts("games"), keep_addresses=keep_addresses)
    return list(FORMAT.read(reading, [text]))
