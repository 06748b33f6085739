"""Games of searchbot and Cicero: how they differ from saved games of the `diplomacy` package."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from judge.adapters.variant_files import load_map
from judge.archive.formats import diplomacy
from judge.archive.formats.diplomacy import SEARCHBOT
from judge.archive.reading import WRITERS, Doubts, Reading, format_named, writer_named
from judge.archive.records import Record
from judge.archive.verification import verify
from judge.rules.types import Phase

BOARD = load_map()
Json = dict[str, object]
GAME = {
    "id": "7",
    "is_full_press": True,
    "map": "standard",
    "phases": [
        {
            "name": "S1901M",
            "messages": [
                {
                    "sender": "ITALY",
                    "recipient": "ALL",
                    "phase": "S1901M",
                    "message": "Hello",
                    "time_sent": 160_000_000_012,
                }
            ],
            "orders": {"AUSTRIA": ["F TRI H"], "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]},
            "state": {
                "name": "S1901M",
                "units": {"AUSTRIA": ["F TRI"], "ITALY": ["A VEN", "A TYR"]},
                "centers": {"AUSTRIA": ["TRI"]},
            },
        },
        {
            "name": "S1901R",
            "messages": [],
            "orders": {"AUSTRIA": ["F TRI R ALB"]},
            "state": {
                "name": "S1901R",
                "units": {"AUSTRIA": ["*F TRI"], "ITALY": ["A TRI", "A TYR"]},
                "centers": {"AUSTRIA": ["TRI"]},
            },
        },
    ],
    "scoring_system": "sum_of_squares",
    "version": "1.0",
}
TEXT = json.dumps(GAME)


def test_it_is_told_from_the_diplomacy_package() -> None:
    assert SEARCHBOT.recognizes(TEXT)
    assert not diplomacy.DIPLOMACY.recognizes(TEXT)


def test_orders_have_no_results_and_settings_are_kept() -> None:
    record = read()

    assert [each.results for each in record.phases[0].orders] == [None, None, None]
    assert record.rulebook == "webdiplomacy_2023"
    assert record.settings == {
        "is_full_press": "true",
        "scoring_system": "sum_of_squares",
        "version": "1.0",
    }


def test_time_is_told_in_hundredths_of_a_second() -> None:
    (message,) = read().press

    assert (message.phase, message.readers) == (Phase.parse("S1901M"), ())
    assert message.sent == datetime(2020, 9, 13, 12, 26, 40, 120_000, UTC)


def test_retreats_that_are_not_told_follow_from_the_orders() -> None:
    position = read().phases[1].position

    assert position
    (dislodged,) = position.dislodged
    assert dislodged.attacked_from == "VEN"
    assert dislodged.retreats == ("ADR", "ALB")


def test_a_dislodged_unit_without_retreats_was_destroyed_and_is_no_difference() -> None:
    """Searchbot keeps it through the retreat phase, where it disbands."""
    units = {"AUSTRIA": ["F TRI"], "ITALY": ["A VEN", "A TYR"]}
    moves = {"AUSTRIA": ["F TRI H"], "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"]}
    around = {"TURKEY": ["F ALB", "F ADR"]}
    kept = {"AUSTRIA": ["*F TRI"], "ITALY": ["A TRI", "A TYR"]} | around
    gone = {"ITALY": ["A TRI", "A TYR"]} | around

    record = read(
        [
            phase("S1901M", units | around, moves),
            phase("S1901R", kept, {"AUSTRIA": ["F TRI D"]}),
            phase("F1901M", gone, {}),
        ]
    )

    retreats = record.phases[1].position
    assert retreats
    assert [each.retreats for each in retreats.dislodged] == [()], "Venice is the attacker's"
    for form in WRITERS:
        text = "".join(writer_named(form)(record, BOARD))
        reading = Reading(BOARD, "game", "0", Doubts("game"))
        (again,) = format_named(form).read(reading, text.split("\n"))
        assert verify(BOARD, again, "webdiplomacy", lambda *_: "").differences == (), form


def test_a_unit_that_the_rules_do_not_dislodge_is_still_a_difference() -> None:
    """It is not hidden by those that were destroyed."""
    units = {"AUSTRIA": ["F TRI"], "ITALY": ["A VEN"], "TURKEY": ["F ALB", "F ADR"]}
    kept = {"AUSTRIA": ["*F TRI"], "ITALY": ["A TRI"], "TURKEY": ["F ALB", "F ADR"]}
    orders = {"AUSTRIA": ["F TRI H"], "ITALY": ["A VEN - TRI"]}

    record = read([phase("S1901M", units, orders), phase("S1901R", kept, {})])

    assert verify(BOARD, record, "webdiplomacy", lambda *_: "").differing == 1


def phase(name: str, units: Mapping[str, object], orders: Mapping[str, object]) -> Json:
    state = {"name": name, "units": units, "centers": {"AUSTRIA": ["TRI"]}}
    return {"name": name, "messages": [], "orders": orders, "state": state}


def read(phases: Sequence[Json] | None = None) -> Record:
    text = json.dumps(GAME | {"phases": phases}) if phases else TEXT
    (record,) = SEARCHBOT.read(Reading(BOARD, "game", "0", Doubts("game")), [text])
    return record
