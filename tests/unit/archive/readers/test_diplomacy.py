"""Saved games of the `diplomacy` package: the meaning of their keys and codes."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.diplomacy import DIPLOMACY
from judge.archive.reading import Doubts, Reading, UnreadableError
from judge.archive.records import Ending, EndKind, Record, RecordedPhase, RecordedPress
from judge.archive.verification import verify
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Phase, Position, Unit, UnitKind

BOARD = load_map()
Json = dict[str, Any]


def test_a_phase_has_its_position_orders_and_results() -> None:
    (phase,) = read(
        phase_of(
            units={"ITALY": ["A VEN"], "AUSTRIA": ["F TRI"]},
            centers={"ITALY": ["VEN"]},
            orders={"ITALY": ["A VEN - TRI"], "AUSTRIA": ["F TRI H"]},
            results={"A VEN": ["bounce"], "F TRI": []},
        )
    ).phases

    assert phase.position == Position(
        Phase.parse("S1901M"),
        (Unit("AUSTRIA", UnitKind.FLEET, "TRI"), Unit("ITALY", UnitKind.ARMY, "VEN")),
        {"VEN": "ITALY"},
    )
    assert results(phase) == {"A VEN - TRI": ("bounce",), "F TRI H": ()}
    assert phase.results_told


def test_a_void_support_against_an_own_unit_is_given_as_elsewhere() -> None:
    """The package calls a support void that may not dislodge a unit of its own power."""
    units = {"AUSTRIA": ["A VIE", "A TRI"], "ITALY": ["A VEN", "A TYR"]}
    orders = {
        "AUSTRIA": ["A VIE S A VEN - TRI", "A TRI H"],
        "ITALY": ["A VEN - TRI", "A TYR S A VEN - BOH"],
    }
    codes = {"A VIE": ["void"], "A TRI": [], "A VEN": ["bounce"], "A TYR": ["void"]}
    after = phase_of("S1901R", units=units)  # nothing has moved

    record = read(phase_of(units=units, orders=orders, results=codes), after | {"name": "F1901M"})

    words = results(record.phases[0])
    assert words["A VIE S A VEN - TRI"] == ()
    assert words["A TYR S A VEN - BOH"] == ("void",), "that support matches no move"
    assert verify(BOARD, record, "datc", lambda *_: "").differences == ()


def test_of_a_void_support_for_an_army_without_a_convoy_nothing_is_told() -> None:
    """The package calls it void whether or not it was cut; elsewhere it is given or cut."""
    units = {"ENGLAND": ["A LON", "F NTH"], "GERMANY": ["A RUH", "F KIE"]}
    orders = {
        "ENGLAND": ["A LON - HOL VIA", "F NTH H"],
        "GERMANY": ["F KIE S A LON - HOL", "A RUH - KIE"],
    }
    codes = {"A LON": ["no convoy"], "F NTH": [], "F KIE": ["void"], "A RUH": ["bounce"]}
    after = phase_of("F1901M", units=units)

    record = read(phase_of(units=units, orders=orders, results=codes), after)

    assert results(record.phases[0])["F KIE S A LON - HOL"] is None
    assert verify(BOARD, record, "datc", lambda *_: "").differences == ()


def test_a_printed_retreat_to_a_province_with_a_bounce_is_left_out() -> None:
    """After a convoyed attack the package also lists retreats that it then refuses."""
    units = {"ENGLAND": ["A YOR", "F NTH", "F NWG"], "RUSSIA": ["F NWY", "A FIN"]}
    units |= {"GERMANY": ["F SKA"]}
    orders = {
        "ENGLAND": ["A YOR - NWY VIA", "F NTH C A YOR - NWY", "F NWG S A YOR - NWY"],
        "RUSSIA": ["F NWY H", "A FIN - SWE"],
        "GERMANY": ["F SKA - SWE"],
    }
    driven = {"ENGLAND": ["A NWY", "F NTH", "F NWG"], "GERMANY": ["F SKA"]}
    driven |= {"RUSSIA": ["A FIN", "*F NWY"]}
    listed = {"RUSSIA": {"F NWY": ["BAR", "SKA", "STP/NC", "SWE"]}}

    record = read(
        phase_of(units=units, orders=orders), phase_of("S1901R", units=driven, retreats=listed)
    )

    position = record.phases[1].position
    assert position
    assert position.dislodged[0].retreats == ("BAR", "STP/NC")
    assert verify(BOARD, record, "datc", lambda *_: "").differences == ()


def test_a_power_without_orders_may_be_null() -> None:
    (phase,) = read(phase_of(units={"ITALY": ["A VEN"]}, orders={"ITALY": None})).phases

    assert phase.orders == ()
    assert not phase.results_told


def test_without_results_nothing_is_told_of_an_order() -> None:
    (phase,) = read(phase_of(units={"ITALY": ["A VEN"]}, orders={"ITALY": ["A VEN H"]})).phases

    assert results(phase) == {"A VEN H": None}


def test_of_an_order_without_its_entry_nothing_is_told() -> None:
    orders = {"AUSTRIA": ["F TRI H"], "ITALY": ["A VEN H"]}
    units = {"AUSTRIA": ["F TRI"], "ITALY": ["A VEN"]}

    (phase,) = read(phase_of(units=units, orders=orders, results={"A VEN": []})).phases

    assert results(phase) == {"A VEN H": (), "F TRI H": None}


def test_a_dislodged_unit_that_does_not_retreat_was_destroyed() -> None:
    before, _ = read(
        phase_of(
            units={"ITALY": ["A VEN"], "AUSTRIA": ["A TRI", "A VIE"]},
            orders={"ITALY": ["A VEN H"], "AUSTRIA": ["A VIE H"]},
            results={"A VEN": ["dislodged"], "A VIE": ["cut", "dislodged"]},
        ),
        phase_of(
            "S1901R",
            units={"AUSTRIA": ["A VEN", "*A VIE"], "ITALY": ["A VIE"]},
            retreats={"AUSTRIA": {"A VIE": ["BOH"]}},
            results={"A VEN": ["disband"]},
        ),
    ).phases

    assert results(before) == {"A VEN H": ("destroyed",), "A VIE H": ("cut", "dislodged")}


def test_retreats_are_as_told() -> None:
    (phase,) = read(
        phase_of(
            "S1901R",
            units={"AUSTRIA": ["*A VIE"], "ITALY": ["A VIE"]},
            retreats={"AUSTRIA": {"A VIE": ["BOH"]}, "ITALY": {}},
            orders={"AUSTRIA": ["A VIE R BOH"]},
            results={"A VIE": ["bounce", "disband"]},
        )
    ).phases

    assert phase.position
    assert [each.retreats for each in phase.position.dislodged] == [("BOH",)]
    assert results(phase) == {"A VIE R BOH": ("bounce", "destroyed")}


def test_a_unit_that_had_to_go_without_an_order_was_removed() -> None:
    retreats, winter = read(
        phase_of(
            "F1901R",
            units={"AUSTRIA": ["*A VIE"], "ITALY": ["A VIE"]},
            retreats={"AUSTRIA": {"A VIE": ["BOH"]}},
            results={"A VIE": ["disband"]},
        ),
        phase_of("W1901A", units={"ITALY": ["A VIE"]}, results={"A VIE": [""]}),
    ).phases

    assert retreats.removed == (("AUSTRIA", Unit("AUSTRIA", UnitKind.ARMY, "VIE")),)
    assert winter.removed == (("ITALY", Unit("ITALY", UnitKind.ARMY, "VIE")),)


def test_builds_are_kept_where_they_do_not_follow_from_the_centers() -> None:
    (phase,) = read(
        phase_of(
            "W1901A",
            units={"ITALY": ["A VEN"], "FRANCE": ["A PAR"]},
            centers={"ITALY": ["VEN", "ROM"], "FRANCE": ["PAR", "BRE"]},
            builds={"ITALY": {"count": 1, "homes": ["ROM"]}, "FRANCE": {"count": 0, "homes": []}},
        )
    ).phases

    assert phase.position
    assert phase.position.builds == {"FRANCE": 0}


def test_a_solo_is_told_by_the_note_of_the_last_phase() -> None:
    record = read(
        phase_of("F1907M", units={"ITALY": ["A VEN"]}, orders={"ITALY": ["A VEN H"]}),
        phase_of("COMPLETED", units={"ITALY": ["A VEN"]}, note="Victory by: ITA"),
    )

    assert record.ending == Ending(
        EndKind.SOLO, ("ITALY",), Phase.parse("F1907M"), "Victory by: ITA"
    )
    assert [each.phase.code for each in record.phases] == ["F1907M", "S1908M"]


def test_a_draw_ends_the_game_in_the_phase_that_was_open() -> None:
    record = read(
        phase_of("F1907M", units={"ITALY": ["A VEN"]}),
        phase_of("COMPLETED", units={"ITALY": ["A VEN"]}, note="Victory by: ITA, FRA"),
    )

    assert record.ending
    assert (record.ending.kind, record.ending.powers) == (EndKind.DRAW, ("FRANCE", "ITALY"))
    assert [each.phase.code for each in record.phases] == ["F1907M"]


def test_a_solo_without_a_note_is_told_by_the_centers() -> None:
    centers = {"ITALY": list(BOARD.centers[:18])}
    played = phase_of("F1907M", units={"ITALY": ["A VEN"]}, orders={"ITALY": ["A VEN H"]})

    ending = read(played, phase_of("COMPLETED", units={}, centers=centers)).ending

    assert ending == Ending(EndKind.SOLO, ("ITALY",), Phase.parse("F1907M"))


def test_before_the_start_nothing_is_played() -> None:
    record = read(phase_of("FORMING"), phase_of(units={"ITALY": ["A VEN"]}))

    assert [each.phase.code for each in record.phases] == ["S1901M"]


def test_press_of_no_phase_and_no_time_is_kept() -> None:
    message = {"sender": "ITALY", "recipient": "GLOBAL", "phase": "FORMING", "message": "Hello"}

    press = read(phase_of(messages=[message, message | {"time_sent": 10**30}])).press

    assert press == (RecordedPress(None, "ITALY", (), "Hello"),) * 2


def test_press_has_its_sender_its_reader_and_its_time() -> None:
    message = {
        "sender": "ITALY",
        "recipient": "FRANCE",
        "phase": "S1901M",
        "message": "Write to me@example.org",
        "time_sent": 1_537_459_329_362_094,
    }
    everybody = message | {"recipient": "GLOBAL", "message": "Hello", "time_sent": 23}

    press = read(phase_of(messages=[message, everybody])).press

    sent = datetime(2018, 9, 20, 16, 2, 9, 362094, UTC)
    assert press == (
        RecordedPress(Phase.parse("S1901M"), "ITALY", ("FRANCE",), "Write to [address]", sent),
        RecordedPress(Phase.parse("S1901M"), "ITALY", (), "Hello"),
    )


def test_addresses_are_kept_if_they_are_asked_for() -> None:
    message = {"sender": "ITALY", "recipient": "FRANCE", "message": "Write to me@example.org"}
    reading = Reading(BOARD, "game", "0", Doubts("game"), keep_addresses=True)

    (record,) = DIPLOMACY.read(reading, [game_of(phase_of(messages=[message]))])

    assert record.press[0].text == "Write to me@example.org"


def test_rules_are_settings() -> None:
    text = json.dumps(json.loads(game_of(phase_of())) | {"rules": ["NO_PRESS", "REAL_TIME"]})

    (record,) = DIPLOMACY.read(reading(), [text])

    assert record.settings == {"rules": "NO_PRESS REAL_TIME"}


@pytest.mark.parametrize(
    ("phase", "why"),
    [
        pytest.param({"units": {"ITALY": ["A VEN", "F VEN"]}}, "a second unit in VEN", id="units"),
        pytest.param(
            {"centers": {"ITALY": ["VEN"], "FRANCE": ["VEN"]}}, "two owners", id="owners"
        ),
        pytest.param({"centers": {"ITALY": ["TYR"]}}, "not a supply center", id="no center"),
        pytest.param({"centers": {"ITALY": ["XXX"]}}, "not a province", id="no province"),
        pytest.param({"units": {"ITALY": ["A ADR"]}}, "cannot be there", id="an army at sea"),
        pytest.param({"units": {"NARNIA": ["A VEN"]}}, "not a power", id="no power"),
        pytest.param({"units": ["A VEN"]}, "must be an object", id="no object"),
        pytest.param({"orders": {"ITALY": ["A VEN H"]}}, "no such unit is there", id="no unit"),
        pytest.param({"orders": {"ITALY": ["go home"]}}, "not an order", id="no order"),
        pytest.param({"orders": {"ITALY": ["A VEN - XXX"]}}, "not an order", id="no target"),
        pytest.param({"name": "S19M"}, "not a phase", id="no phase"),
        pytest.param({"name": None}, "must be a text", id="no name"),
        pytest.param(
            {
                "units": {"ITALY": ["A VEN"]},
                "orders": {"ITALY": ["A VEN H"]},
                "results": {"A VEN": ["lost"]},
            },
            "unknown result lost",
            id="no result",
        ),
    ],
)
def test_an_impossible_value_is_an_error_with_its_line(phase: Json, why: str) -> None:
    name = phase.pop("name", "S1901M")

    with pytest.raises(UnreadableError, match=f"^game:1: .*{why}"):
        read(phase_of(name, **phase))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param([{"name": "S0000M"}], "is before the game begins", id="no year"),
        pytest.param([{}, {}], "comes after S1901M", id="twice"),
        pytest.param([{"name": "F1901M"}, {}], "comes after F1901M", id="out of order"),
        pytest.param([{"state": {"units": None}}], "has no units", id="no units"),
        pytest.param([{"orders": None}], "has no orders", id="no orders"),
    ],
)
def test_a_game_that_is_broken_is_an_error_and_a_doubt_of_a_lenient_reading(
    changes: list[Json], why: str
) -> None:
    lenient = Reading(BOARD, "game", "0", Doubts("game", strict=False))
    phases = [phase_of() | change for change in changes]

    with pytest.raises(UnreadableError, match=f"^game:1: {why}: "):
        read(*phases)
    (record,) = DIPLOMACY.read(lenient, [game_of(*phases)])

    assert [(each.line, each.why) for each in record.doubts] == [(1, why)]


@pytest.mark.parametrize(
    "change", [{"map": "colonial"}, {"phases": []}, {"phases": {}}, {"phases": ["S1901M"]}]
)
def test_an_invalid_game_is_left_out_by_a_lenient_reading(change: Json) -> None:
    whole = game_of(phase_of())
    lenient = Reading(BOARD, "game", "0", Doubts("game", strict=False))
    odd = json.dumps(json.loads(whole) | change)

    (record,) = DIPLOMACY.read(lenient, [odd, whole])

    assert record.source.first_line == 2
    assert [each.line for each in record.doubts] == [1]


def test_a_lenient_reading_keeps_what_it_can_of_a_game() -> None:
    lenient = Reading(BOARD, "game", "0", Doubts("game", strict=False))
    orders = {"ITALY": ["A VEN H", "go home"]}

    (record,) = DIPLOMACY.read(
        lenient, [game_of(phase_of(units={"ITALY": ["A VEN"]}, orders=orders))]
    )

    assert [each.text for each in record.phases[0].orders] == ["A VEN H", "go home"]
    assert [each.why for each in record.doubts] == ["not an order, such as A BUD - SER"]


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
def test_a_recorded_game_comes_out_as_the_package_played_it() -> None:
    path = Path(os.environ["JUDGE_SAMPLES"]) / "python_diplomacy_network_3.json"
    text = path.read_text(encoding="utf-8")
    assert DIPLOMACY.recognizes(text[:65_536])

    (record,) = DIPLOMACY.read(reading(), text.split("\n"))

    assert record.rulebook
    rulebook, differing = rulebook_named(record.rulebook), []
    for phase, after in zip(record.phases, record.phases[1:], strict=False):
        assert phase.position
        judged = adjudicate(BOARD, phase.position, phase.orders_by_power(), rulebook).after
        if stands(judged) != stands(after.position):
            differing.append(phase.phase.code)
    assert len(record.phases) == 52
    assert differing == []


def stands(position: Position | None) -> object:
    assert position
    retreats = [(each.unit, each.retreats) for each in position.dislodged]
    return position.phase, position.units, position.owners, retreats


def results(phase: RecordedPhase) -> dict[str, tuple[str, ...] | None]:
    return {each.text: each.results for each in phase.orders}


def phase_of(name: str | None = "S1901M", **told: object) -> Json:
    """Return a phase of that *name* with the fields *told*."""
    own: Json = {"orders": {}, "results": {}, "messages": []}
    phase: Json = {"name": name, **{key: told.pop(key, empty) for key, empty in own.items()}}
    return {**phase, "state": {"name": name, "units": {}, **told}}


def game_of(*phases: Json) -> str:
    return json.dumps({"id": "abc", "map": "standard", "rules": [], "phases": phases})


def read(*phases: Json) -> Record:
    text = game_of(*phases)
    assert DIPLOMACY.recognizes(text)
    (record,) = DIPLOMACY.read(reading(), [text])
    return record


def reading() -> Reading:
    return Reading(BOARD, "game", "0", Doubts("game"))
