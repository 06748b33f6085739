"""Positions in the shape of the `diplomacy` package: what is read, and what is an error."""

from __future__ import annotations

import json

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.json_input import MalformedError
from judge.archive.position_json import read_position, read_written_orders, write_position
from judge.rules.rulebook import DATC
from judge.rules.types import (
    DislodgedUnit,
    Move,
    Phase,
    Position,
    Retreat,
    SupportMove,
    Unit,
    UnitKind,
)

BOARD = load_map()
VIENNA = Unit("AUSTRIA", UnitKind.ARMY, "VIE")
TRIESTE = Unit("ITALY", UnitKind.ARMY, "TRI")
RETREAT = {"phase": "S1901R", "units": {"AUSTRIA": ["*A VIE"], "ITALY": ["A TRI"]}}


def test_units_and_centers_are_read() -> None:
    source = {
        "phase": "F1901M",
        "units": {"ITALY": ["A TRI"], "AUSTRIA": ["A VIE"]},
        "centers": {"AUSTRIA": ["VIE", "BUD"]},
    }

    assert read_position(BOARD, source, DATC) == Position(
        Phase.parse("F1901M"), (VIENNA, TRIESTE), {"VIE": "AUSTRIA", "BUD": "AUSTRIA"}
    )


@pytest.mark.parametrize("place", ["LVP", "STP/NC"])
def test_a_place_is_the_very_string_that_the_board_has(place: str) -> None:
    (written,) = [location for location in BOARD.locations if location == place]
    source = {"phase": "S1901M", "units": {"ENGLAND": [f"F {place}"]}}
    texts = [f"F {place} - {place}", f"F BAR S F {place} - {place}", f"F {place} R {place}"]

    move, support, retreat = read_written_orders(BOARD, texts)
    (unit,) = read_position(BOARD, source, DATC).units

    assert isinstance(move, Move)
    assert isinstance(support, SupportMove)
    assert isinstance(retreat, Retreat)
    assert written is unit.location is move.unit.location is support.supported.location
    assert written is move.target is support.target is retreat.target


def test_a_power_is_the_very_string_that_the_board_has() -> None:
    source = json.loads('{"phase": "S1901M", "centers": {"ENGLAND": ["LON"]}}')
    source |= json.loads('{"units": {"ENGLAND": ["F LON"]}, "builds": {"ENGLAND": 1}}')
    (written,) = [power for power in BOARD.powers if power == "ENGLAND"]

    position = read_position(BOARD, source, DATC)

    (unit,) = position.units
    assert written is unit.power is next(iter(position.owners.values()))
    assert written is next(iter(position.builds))


def test_a_dislodged_unit_may_go_where_the_retreats_say() -> None:
    source = RETREAT | {"retreats": {"AUSTRIA": {"A VIE": ["BOH"]}, "ITALY": {}}}

    assert read_position(BOARD, source, DATC).dislodged == (
        DislodgedUnit(VIENNA, "", attacker_convoyed=False, retreats=("BOH",)),
    )


def test_where_a_dislodged_unit_may_go_follows_from_the_attack_and_the_standoffs() -> None:
    source = {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["*A VIE"], "ITALY": ["A VIE", "A TRI"]},
        "dislodged": {"AUSTRIA": {"A VIE": {"from": "TYR", "convoyed": False}}},
        "contested": ["BOH"],
    }

    (dislodged,) = read_position(BOARD, source, DATC).dislodged

    assert dislodged.attacked_from == "TYR"
    assert set(dislodged.retreats) == {"BUD", "GAL"}


def test_a_convoyed_attacker_leaves_its_origin_open_to_retreats() -> None:
    source = {
        "phase": "S1901R",
        "units": {"AUSTRIA": ["*A ALB"], "ITALY": ["A ALB"]},
        "dislodged": {"AUSTRIA": {"A ALB": {"from": "GRE", "convoyed": True}}},
    }

    (dislodged,) = read_position(BOARD, source, DATC).dislodged

    assert "GRE" in dislodged.retreats


def test_builds_are_read() -> None:
    source = {"phase": "W1901A", "builds": {"RUSSIA": -1, "TURKEY": 0}}

    assert read_position(BOARD, source, DATC).builds == {"RUSSIA": -1, "TURKEY": 0}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            {
                "phase": "S1902M",
                "units": {"AUSTRIA": ["A VIE"], "RUSSIA": ["F STP/SC"]},
                "centers": {"AUSTRIA": ["BUD", "VIE"]},
            },
            id="movement",
        ),
        pytest.param(
            {
                "phase": "S1902R",
                "units": {"AUSTRIA": ["A TYR", "*A VIE"], "ITALY": ["A VIE"]},
                "retreats": {"AUSTRIA": {"A VIE": ["BOH", "GAL"]}},
                "dislodged": {"AUSTRIA": {"A VIE": {"from": "TRI", "convoyed": False}}},
            },
            id="retreats",
        ),
    ],
)
def test_a_position_is_written_as_it_was_read(source: dict[str, object]) -> None:
    written = write_position(read_position(BOARD, source, DATC))

    assert {key: told for key, told in written.items() if told} == source


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        pytest.param({}, "phase: must be a text", id="no phase"),
        pytest.param({"phase": "X1901M"}, "X1901M: cannot be read as a phase", id="unknown phase"),
        pytest.param({"phase": "S1901M", "units": []}, "units: must be an object", id="no object"),
        pytest.param(
            {"phase": "S1901M", "units": {"AUSTRIA": "A BUD"}},
            "units of AUSTRIA: must be a list of texts",
            id="no list",
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"ATLANTIS": []}}, "ATLANTIS: not a power", id="no power"
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"AUSTRIA": ["BUD"]}},
            "BUD: cannot be read as a unit",
            id="no unit",
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"AUSTRIA": ["F BUD"]}},
            "F BUD: cannot be there",
            id="a fleet inland",
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"RUSSIA": ["F STP"]}},
            "F STP: cannot be there",
            id="a fleet on no coast",
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"RUSSIA": ["F STP/SC"], "AUSTRIA": ["A STP"]}},
            "STP: holds two units",
            id="two in one province",
        ),
        pytest.param(
            {"phase": "S1901M", "centers": {"RUSSIA": ["UKR"]}},
            "UKR: not a supply",
            id="no center",
        ),
        pytest.param(
            {"phase": "S1901M", "centers": {"RUSSIA": ["WAR"], "AUSTRIA": ["WAR"]}},
            "WAR: owned by two powers",
            id="two owners",
        ),
        pytest.param(
            {"phase": "S1901M", "contested": ["XYZ"]}, "XYZ: not a province", id="no province"
        ),
        pytest.param(
            {"phase": "W1901A", "builds": {"RUSSIA": "1"}},
            "builds: must be a whole number",
            id="builds no number",
        ),
        pytest.param(
            {"phase": "W1901A", "builds": {"RUSSIA": -10_000}},
            "builds of -10000: more than the board has places",
            id="builds beyond all sense",
        ),
        pytest.param(
            {"phase": "S1901M", "units": {"RUSSIA": ["A WAR", "A WAR"]}},
            "WAR: holds two units",
            id="a unit twice",
        ),
        pytest.param(RETREAT, "S1901R: needs retreats or dislodged", id="nothing told"),
        pytest.param(
            RETREAT | {"retreats": {}}, "A VIE: must be marked", id="one unit's retreats untold"
        ),
        pytest.param(
            RETREAT | {"retreats": {"AUSTRIA": {"A VIE": []}, "ITALY": {"A TRI": []}}},
            "A TRI: must be marked",
            id="a unit that stands retreats",
        ),
        pytest.param(
            RETREAT | {"retreats": {"AUSTRIA": {"A VIE": ["XYZ"]}}},
            "XYZ: not a location",
            id="a retreat to nowhere",
        ),
        pytest.param(
            RETREAT | {"dislodged": {"AUSTRIA": {"A VIE": {}}}},
            "from of A VIE: must be a text",
            id="an attack from nowhere",
        ),
        pytest.param(
            RETREAT | {"phase": "S1901M"}, "A VIE: cannot be dislodged", id="dislodged in movement"
        ),
    ],
)
def test_an_invalid_position_is_named(source: dict[str, object], complaint: str) -> None:
    with pytest.raises(MalformedError, match=complaint):
        read_position(BOARD, source, DATC)


@pytest.mark.parametrize("order", ["A BUD", "BUD", "attack!", "A XYZ - SER", "A BUD - XYZ"])
def test_an_invalid_order_is_named(order: str) -> None:
    with pytest.raises(MalformedError, match=r"cannot be read as an order|not a province"):
        read_written_orders(BOARD, [order])
