"""Saved games for the `diplomacy` package, in its own conventions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.diplomacy_writer import write_record
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
)
from judge.notation.order_text import read_owned_order
from judge.rules.types import DislodgedUnit, Phase, Position, Unit, UnitKind

BOARD = load_map()
SPRING, RETREATS, FALL = map(Phase.parse, ("S1901M", "S1901R", "F1901M"))
ARMY = Unit("AUSTRIA", UnitKind.ARMY, "VIE")
FLEET = Unit("RUSSIA", UnitKind.FLEET, "STP/SC")
LONDON = Unit("ENGLAND", UnitKind.ARMY, "LON")


def test_every_power_has_its_units_centers_and_builds() -> None:
    (phase,) = written(RecordedPhase(SPRING, BOARD.start))["phases"]

    state = phase["state"]
    assert state["units"]["RUSSIA"] == ["A MOS", "F SEV", "F STP/SC", "A WAR"]
    assert state["centers"]["ITALY"] == ["NAP", "ROM", "VEN"]
    assert state["builds"]["TURKEY"] == {"count": 0, "homes": []}
    assert phase["orders"]["TURKEY"] is None


def test_the_package_knows_each_position_by_its_hash() -> None:
    """The hashes are those of `Game().get_hash()` of the package, version 1.1.2."""
    driven = DislodgedUnit(ARMY, "BOH", False, ("TYR",))  # noqa: FBT003 - by land
    position = Position(RETREATS, (LONDON, FLEET), {"VIE": "AUSTRIA"}, (driven,))

    first, second = written(RecordedPhase(SPRING, BOARD.start), RecordedPhase(RETREATS, position))[
        "phases"
    ]

    assert first["state"]["zobrist_hash"] == "1919110489198082658"
    assert second["state"]["zobrist_hash"] == "4353617492713717893"
    assert first["state"]["timestamp"] == 0


@pytest.mark.parametrize(
    ("given", "order"),
    [
        pytest.param("VIE - BOH", "A VIE - BOH", id="without a kind"),
        pytest.param("F STP - BOT", "F STP/SC - BOT", id="without a coast"),
        pytest.param("A VIE S RUSSIA STP", "A VIE S F STP/SC", id="with an owner"),
        pytest.param("F VIE H", "F VIE H", id="of another kind"),
        pytest.param("F NTH C LON - NWY", "F NTH C A LON - NWY", id="a convoy"),
        pytest.param("A LON - NTH - NWY", "A LON - NWY VIA", id="with a route"),
    ],
)
def test_orders_are_in_full(given: str, order: str) -> None:
    position = Position(SPRING, (ARMY, LONDON, FLEET))

    (phase,) = written(RecordedPhase(SPRING, position, (ordered("AUSTRIA", given),)))["phases"]

    assert phase["orders"]["AUSTRIA"] == [order]


def test_a_retreat_that_is_written_as_a_move_is_a_retreat() -> None:
    dislodged = DislodgedUnit(ARMY, "TRI", attacker_convoyed=False, retreats=("BOH",))
    position = Position(RETREATS, (), dislodged=(dislodged,))

    (phase,) = written(RecordedPhase(RETREATS, position, (ordered("AUSTRIA", "A VIE - BOH"),)))[
        "phases"
    ]

    assert phase["state"]["units"]["AUSTRIA"] == ["*A VIE"]
    assert phase["state"]["retreats"]["AUSTRIA"] == {"A VIE": ["BOH"]}
    assert phase["orders"]["AUSTRIA"] == ["A VIE R BOH"]


def test_a_destroyed_unit_is_disbanded_in_the_next_phase() -> None:
    order = WrittenOrder("AUSTRIA", "", read_owned_order("A VIE H"), ("destroyed",))
    removed = (("AUSTRIA", ARMY),)  # as what tells nothing of positions has it
    before = RecordedPhase(SPRING, Position(SPRING, (ARMY,)), (order,), removed)

    first, second = written(before, RecordedPhase(RETREATS, Position(RETREATS, ())))["phases"]

    assert first["results"] == {"A VIE": ["dislodged"]}
    assert second["results"] == {"A VIE": ["disband"]}


def test_of_two_editions_the_last_is_written_and_gaps_are_not() -> None:
    first = RecordedPhase(SPRING, BOARD.start)
    second = RecordedPhase(SPRING, Position(SPRING, (ARMY,)), edition=2)

    (phase,) = written(first, second, RecordedPhase(FALL, None))["phases"]

    assert phase["state"]["units"]["AUSTRIA"] == ["A VIE"]


def test_the_phase_after_the_end_is_completed() -> None:
    ending = Ending(EndKind.SOLO, ("AUSTRIA",), SPRING)
    played = RecordedPhase(SPRING, Position(SPRING, (ARMY,)), (ordered("AUSTRIA", "A VIE H"),))
    after = RecordedPhase(FALL, Position(FALL, (ARMY,)))

    _, last = written(played, after, ending=ending)["phases"]

    assert (last["name"], last["state"]["name"]) == ("COMPLETED", "COMPLETED")
    assert last["state"]["note"] == "Victory by: AUS"


def test_a_draw_in_an_open_phase_completes_the_game_after_it() -> None:
    ending = Ending(EndKind.DRAW, ("AUSTRIA", "RUSSIA"), SPRING)

    phases = written(RecordedPhase(SPRING, Position(SPRING, (ARMY, FLEET))), ending=ending)[
        "phases"
    ]

    assert [each["name"] for each in phases] == ["S1901M", "COMPLETED"]
    assert phases[1]["state"]["note"] == "Victory by: AUS, RUS"


def test_the_position_after_a_phase_without_orders_is_written_before_the_end() -> None:
    """A reader takes an end after such a phase for the end of a phase that was not played."""
    end = Ending(EndKind.SOLO, ("RUSSIA",), RETREATS)

    phases = written(
        *(RecordedPhase(each, BOARD.start) for each in (SPRING, RETREATS, FALL)), ending=end
    )["phases"]

    assert [each["name"] for each in phases] == ["S1901M", "S1901R", "F1901M", "COMPLETED"]


def test_press_of_no_phase_stands_with_the_press_before_it() -> None:
    press = (
        RecordedPress(None, None, (), "first"),
        RecordedPress(FALL, "ITALY", ("FRANCE", "TURKEY"), "second"),
        RecordedPress(None, "ITALY", ("FRANCE",), "third"),
    )
    phases = (RecordedPhase(SPRING, BOARD.start), RecordedPhase(FALL, Position(FALL, ())))

    spring, fall = written(*phases, press=press)["phases"]

    assert [each["message"] for each in spring["messages"]] == ["first"]
    assert [each["recipient"] for each in fall["messages"]] == ["FRANCE, TURKEY", "FRANCE"]
    assert [each["time_sent"] for each in fall["messages"]] == [1, 2]


def test_of_a_game_without_positions_nothing_is_written() -> None:
    record = Record(name="game", source=Source("ours", "game", "0"))

    assert list(write_record(record, BOARD)) == []


def ordered(power: str, order: str) -> WrittenOrder:
    return WrittenOrder(power, order, read_owned_order(order))


def written(
    *phases: RecordedPhase,
    ending: Ending | None = None,
    press: tuple[RecordedPress, ...] = (),
) -> dict[str, Any]:
    source = Source("ours", "game", "0")
    record = Record(name="game", source=source, phases=phases, ending=ending, press=press)
    (line,) = write_record(record, BOARD)
    game = json.loads(line)
    assert isinstance(game, dict)
    return game
