"""Game states of webDiplomacy: numbers for provinces and powers, and failed orders."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.webdiplomacy import FORMAT, PLACES
from judge.archive.reading import Doubts, Reading, UnreadableError
from judge.archive.records import Ending, EndKind, Record, RecordedPhase, RecordedPress
from judge.archive.verification import verify
from judge.rules.board import Closure, Map
from judge.rules.types import Build, Phase, Season, SupportMove, UnitKind, UnitName, Waive

BOARD = load_map()
Json = dict[str, Any]
ITALY, AUSTRIA = 3, 5
VEN, TRI, TYR, ADR, ALB, BUD, ROM = 15, 73, 70, 66, 18, 74, 12
BOARD_OF_1901: Json = {
    "units": [
        {"unitType": "Army", "terrID": VEN, "countryID": ITALY, "retreating": "No"},
        {"unitType": "Army", "terrID": str(TYR), "countryID": str(ITALY), "retreating": "No"},
        {"unitType": "Fleet", "terrID": TRI, "countryID": AUSTRIA, "retreating": "No"},
    ],
    "centers": [
        {"terrID": TRI, "countryID": AUSTRIA},
        {"terrID": VEN, "countryID": ITALY},
        {"terrID": BUD, "countryID": 0},
    ],
}
DRIVEN_OUT: Json = {
    "units": [
        {"unitType": "Army", "terrID": TRI, "countryID": ITALY, "retreating": "No"},
        {"unitType": "Army", "terrID": TYR, "countryID": ITALY, "retreating": "No"},
        {"unitType": "Fleet", "terrID": TRI, "countryID": AUSTRIA, "retreating": "Yes"},
    ],
    "centers": BOARD_OF_1901["centers"],
}


def order(country: int, at: int | None, kind: str, **told: object) -> Json:
    unit = "Fleet" if at == TRI else "Army"
    own = {"countryID": country, "terrID": at, "unitType": unit, "type": kind}
    return own | {"toTerrID": "", "fromTerrID": None, "viaConvoy": "No"} | told


MOVE = order(ITALY, VEN, "Move", toTerrID=TRI, success="Yes", dislodged="No")
SUPPORT = order(
    ITALY, TYR, "Support move", fromTerrID=VEN, toTerrID=TRI, success="Yes", dislodged="No"
)
HOLD = order(AUSTRIA, TRI, "Hold", success="No", dislodged="Yes")
SPRING = {"turn": 0, "phase": "Diplomacy", "orders": [MOVE, SUPPORT, HOLD], **BOARD_OF_1901}


def test_places_and_powers_are_numbers_or_texts_of_them() -> None:
    (phase,) = read(SPRING).phases

    assert phase.position
    units = [f"{unit.power} {unit}" for unit in phase.position.units]
    assert units == ["AUSTRIA F TRI", "ITALY A TYR", "ITALY A VEN"]
    assert phase.position.owners == {"TRI": "AUSTRIA", "VEN": "ITALY"}


def test_a_support_names_the_unit_that_stands_there() -> None:
    support = read(SPRING).phases[0].orders[1].order

    army = UnitKind.ARMY
    assert support == SupportMove(UnitName(army, "TYR"), UnitName(army, "VEN"), "TRI")


def test_an_order_says_whether_it_succeeded() -> None:
    assert results(read(SPRING).phases[0]) == [(), (), ("dislodged",)]


@pytest.mark.parametrize(
    ("failed", "words"),
    [
        pytest.param(MOVE, ("bounce",), id="a move"),
        pytest.param(SUPPORT, ("void",), id="a support without the move"),
        pytest.param(order(ITALY, TYR, "Support hold", toTerrID=VEN), ("cut",), id="a support"),
        pytest.param(
            order(AUSTRIA, TRI, "Convoy", fromTerrID=VEN, toTerrID=ALB), ("void",), id="a convoy"
        ),
        pytest.param(
            order(ITALY, VEN, "Retreat", toTerrID=ROM), ("bounce", "destroyed"), id="a retreat"
        ),
        pytest.param(order(ITALY, None, "Build Army", toTerrID=ROM), ("void",), id="a build"),
    ],
)
def test_why_an_order_failed_is_told_by_what_it_is(failed: Json, words: tuple[str, ...]) -> None:
    (phase,) = read(SPRING | {"orders": [failed | {"success": "No"}]}).phases

    assert results(phase) == [words]


def test_a_support_of_a_move_that_was_made_was_cut() -> None:
    (phase,) = read(SPRING | {"orders": [MOVE, SUPPORT | {"success": "No"}]}).phases

    assert results(phase) == [(), ("cut",)]


def test_builds_may_have_no_place_of_their_own() -> None:
    orders = [order(ITALY, None, "Build Army", toTerrID=ROM), order(ITALY, None, "Wait")]

    _, phase = read(SPRING, SPRING | {"turn": 1, "phase": "Builds", "orders": orders}).phases

    assert phase.phase.code == "W1901A"
    assert [each.order for each in phase.orders] == [
        Build(UnitName(UnitKind.ARMY, "ROM")),
        Waive(),
    ]
    assert results(phase) == [None, None]


def test_retreats_follow_from_the_orders_before() -> None:
    _, phase = read(SPRING, {"turn": 0, "phase": "Retreats", "orders": [], **DRIVEN_OUT}).phases

    assert phase.position
    (dislodged,) = phase.position.dislodged
    assert (dislodged.attacked_from, dislodged.retreats) == ("VEN", ("ADR", "ALB"))


def test_a_dislodged_unit_without_retreats_was_destroyed_and_is_no_difference() -> None:
    """webDiplomacy keeps it through the retreat phase, where it disbands."""
    around = [
        {"unitType": "Fleet", "terrID": at, "countryID": ITALY, "retreating": "No"}
        for at in (ADR, ALB)
    ]
    spring = SPRING | {"units": [*BOARD_OF_1901["units"], *around]}
    disband = order(AUSTRIA, TRI, "Disband", success="Yes", dislodged="No")
    kept = {"turn": 0, "phase": "Retreats", "orders": [disband], **DRIVEN_OUT}
    retreats = kept | {"units": [*DRIVEN_OUT["units"], *around]}
    gone = [each for each in retreats["units"] if each["retreating"] == "No"]
    fall = {"turn": 1, "phase": "Diplomacy", "orders": [], **DRIVEN_OUT, "units": gone}

    record = read(spring, retreats, fall)

    assert results(record.phases[0])[-1] == ("destroyed",)
    position = record.phases[1].position
    assert position
    assert [each.retreats for each in position.dislodged] == [()]
    assert verify(BOARD, record, "webdiplomacy", lambda *_: "").differences == ()


def test_retreats_of_the_present_are_told_by_attacks_and_standoffs() -> None:
    retreats = {"turn": 0, "phase": "Retreats", "orders": [], **DRIVEN_OUT}
    present = {"occupiedFrom": {str(TRI): str(ALB)}, "standoffs": [{"terrID": ADR}]}

    (phase,) = read(retreats, **present).phases

    assert phase.position
    (dislodged,) = phase.position.dislodged
    assert (dislodged.attacked_from, dislodged.retreats) == ("ALB", ("VEN",))
    assert phase.position.contested == {"ADR"}


def test_no_retreat_of_the_present_crosses_a_closed_border() -> None:
    all_seasons, fleets = frozenset(Season), frozenset({UnitKind.FLEET})
    closed = Closure(start="TRI", end="VEN", kinds=fleets, seasons=all_seasons, first=0, last=9999)
    retreats = {"turn": 0, "phase": "Retreats", "orders": [], **DRIVEN_OUT}
    present = {"occupiedFrom": {str(TRI): str(ALB)}, "standoffs": []}
    board = replace(BOARD, closures=(closed,))

    (phase,) = read_state(state_of(retreats, **present), board).phases

    assert phase.position
    assert [each.retreats for each in phase.position.dislodged] == [("ADR",)]


def test_orders_in_one_heap_are_sorted_by_phase() -> None:
    orders = [each | {"turn": 0, "phase": "Diplomacy"} for each in (MOVE, SUPPORT, HOLD)]
    state = state_of() | {"turn": 0, "phase": "Retreats", "orders": orders, **DRIVEN_OUT}
    del state["phases"]

    start, retreats = read_state(state).phases

    assert start.position == BOARD.start
    assert retreats.position
    assert [str(each.unit) for each in retreats.position.dislodged] == ["F TRI"]


def test_positions_that_are_not_told_are_played() -> None:
    moved = order(AUSTRIA, TRI, "Move", toTerrID=ADR, turn=0, phase="Diplomacy")
    held = order(AUSTRIA, ADR, "Hold", unitType="Fleet", turn=1, phase="Diplomacy")
    later = order(AUSTRIA, ADR, "Hold", unitType="Fleet", turn=4, phase="Diplomacy")
    state = state_of() | {"turn": 6, "phase": "Finished", "orders": [later, held, moved]}
    del state["phases"]

    spring, fall, lost = read_state(state).phases

    assert spring.position == BOARD.start
    assert fall.position
    assert "F ADR" in map(str, fall.position.units)
    assert (lost.phase.code, lost.position) == ("S1903M", None)


def test_a_lenient_reading_keeps_the_orders_that_it_understands() -> None:
    swim, lost = MOVE | {"type": "Swim"}, MOVE | {"countryID": 0}
    reading = Reading(BOARD, "game", "0", Doubts("game", strict=False))
    text = json.dumps(state_of(SPRING | {"orders": [swim, lost, SUPPORT, HOLD]}))

    (record,) = FORMAT.read(reading, [text])

    assert [each.order is None for each in record.phases[0].orders] == [True, False, False]
    assert [each.why for each in record.doubts] == [
        "Swim: not a type of order",
        "an order without a power",
    ]


def test_a_status_whose_phase_is_corrupt_keeps_the_phases_before_it() -> None:
    corrupt = {"turn": 1, "phase": "Diplomacy", "orders": [], **BOARD_OF_1901, "units": [7]}
    reading = Reading(BOARD, "game", "0", Doubts("game", strict=False))

    (record,) = FORMAT.read(reading, [json.dumps(state_of(SPRING, corrupt))])

    spring, fall = record.phases
    assert spring.position
    assert (fall.phase.code, fall.position) == ("F1901M", None)
    assert [each.text for each in record.doubts] == ["F1901M is left out"]


def test_press_has_its_powers_and_its_time() -> None:
    message = {"fromCountryID": ITALY, "toCountryID": 0, "message": "Ciao", "timeSent": 1}

    (press,) = read(SPRING | {"messages": [message]}).press

    spoken = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert press == RecordedPress(Phase.parse("S1901M"), "ITALY", (), "Ciao", spoken)


def test_a_draw_is_shared_by_all_that_are_left() -> None:
    record = read(SPRING, {"turn": 1, "phase": "Finished", **BOARD_OF_1901}, gameOver="Drawn")

    assert record.ending == Ending(
        EndKind.DRAW, ("AUSTRIA", "ITALY"), Phase.parse("S1901M"), "Drawn"
    )
    assert [each.phase.code for each in record.phases] == ["S1901M", "F1901M"]


def test_a_power_with_enough_centers_won() -> None:
    centers = [{"terrID": at, "countryID": ITALY} for at in range(1, 76)]
    supply = [each for each in centers if BOARD.places[place(each["terrID"])].center]

    record = read(
        SPRING,
        {"turn": 1, "phase": "Finished", **BOARD_OF_1901, "centers": supply},
        gameOver="Won",
    )

    assert record.ending
    assert (record.ending.kind, record.ending.powers) == (EndKind.SOLO, ("ITALY",))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        pytest.param({"variantID": 15}, "classic board", id="another variant"),
        pytest.param({"phases": []}, "phases: missing", id="no phases"),
        pytest.param({"gameOver": "Won"}, "no power has the centers", id="no winner"),
        pytest.param({"turn": "x", "phases": [SPRING | {"turn": "x"}]}, "a number", id="no turn"),
        pytest.param(
            {"phases": [SPRING | {"orders": [MOVE | {"toTerrID": 99}]}]}, "no place", id="no place"
        ),
        pytest.param(
            {"phases": [SPRING | {"orders": [MOVE | {"toTerrID": None}]}]},
            "missing",
            id="no target",
        ),
        pytest.param(
            {"phases": [SPRING | {"orders": [MOVE | {"countryID": 9}]}]}, "no power", id="no power"
        ),
        pytest.param(
            {"phases": [SPRING | {"orders": [MOVE | {"countryID": 0}]}]},
            "without a power",
            id="nobody",
        ),
        pytest.param(
            {"phases": [SPRING | {"orders": [MOVE | {"type": "Swim"}]}]},
            "not a type",
            id="no type",
        ),
        pytest.param(
            {"phases": [SPRING | {"units": [{"terrID": 1}]}]}, "not a unit", id="no unit"
        ),
    ],
)
def test_an_impossible_value_is_an_error(change: Json, why: str) -> None:
    with pytest.raises(UnreadableError, match=f"^game:1: .*{why}"):
        read_state(state_of(SPRING) | change)


def results(phase: RecordedPhase) -> list[tuple[str, ...] | None]:
    return [each.results for each in phase.orders]


def place(number: object) -> str:
    assert isinstance(number, int)
    return PLACES[number - 1]


def state_of(*phases: Json, **told: object) -> Json:
    own = {"gameID": 7, "variantID": 1, "turn": 0, "phase": "Diplomacy", "gameOver": "No"}
    empty: Json = {"standoffs": [], "occupiedFrom": []}
    return own | empty | {"phases": phases} | told


def read(*phases: Json, **told: object) -> Record:
    return read_state(state_of(*phases, **told))


def read_state(state: Json, board: Map = BOARD) -> Record:
    (record,) = FORMAT.read(Reading(board, "game", "0", Doubts("game")), [json.dumps(state)])
    return record
