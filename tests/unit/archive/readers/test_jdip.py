"""The test text of jDip: cases, and which of them form one game."""

from __future__ import annotations

import pytest

from judge.archive.formats.jdip import FORMAT
from judge.archive.reading import UnreadableError
from tests.unit.archive.reading import BOARD, game_in, games_in, orders_of, units_of

SPRING = """\
VARIANT_ALL Standard
# what an attack does
CASE Attack, spring
PRESTATE_SETPHASE Spring 1905 (Movement)
PRESTATE
    Austria: Army Budapest
    Austria: A ser
    Russia: Army Rumania
    Russia: Fleet St. Petersburg (south coast)
ORDERS
    Austria: Army Budapest => Rumania   # with support
    Austria: A ser s a bud-rum
    Russia: F stp/sc hold
POSTSTATE
    Austria: Army Rumania
    Austria: Army Serbia.
    Russia: Fleet St Petersburg/sc
POSTSTATE_DISLODGED
    Russia: Army Rumania
END
"""
RETREAT = """\
CASE Attack, the retreat
PRESTATE_SETPHASE Spring 1905 (Retreat)
PRESTATE
    Austria: Army Rumania
    Austria: Army Serbia
    Russia: Fleet St. Petersburg (south coast)
PRESTATE_DISLODGED
    Russia: Army Rumania
ORDERS
    Russia: Army Rumania => Sevastopol
POSTSTATE
    Austria: Army Rumania
    Austria: Army Serbia
    Russia: Army Sevastopol
    Russia: Fleet St. Petersburg (south coast)
END
"""
RESULTS = """\
PRESTATE_RESULTS
    SUCCESS: Austria: A bud-rum
    SUCCESS: Austria: A ser s a bud-rum
    FAILURE: Russia: A rum-gal
    FAILURE: Germany: A sil-gal
"""


def test_a_case_is_a_phase_and_the_position_that_comes_of_it() -> None:
    before, after = game_in(FORMAT, SPRING).phases

    assert before.phase.code == "S1905M"
    assert units_of(before) == [
        "AUSTRIA A BUD",
        "AUSTRIA A SER",
        "RUSSIA A RUM",
        "RUSSIA F STP/SC",
    ]
    assert orders_of(before) == [
        "AUSTRIA A BUD - RUM",
        "AUSTRIA A SER S A BUD - RUM",
        "RUSSIA F STP/SC H",
    ]
    assert after.phase.code == "S1905R"
    assert units_of(after)[-1] == "RUSSIA *A RUM"
    assert after.orders == ()


def test_a_case_that_begins_where_the_last_one_ended_goes_on_with_its_game() -> None:
    record = game_in(FORMAT, SPRING + RETREAT)

    assert record.name == "Attack, spring"
    assert [phase.phase.code for phase in record.phases] == ["S1905M", "S1905R", "F1905M"]
    assert orders_of(record.phases[1]) == ["RUSSIA A RUM R SEV"]


def test_any_other_case_is_a_game_of_its_own() -> None:
    elsewhere = RETREAT.replace("Austria: Army Serbia", "Austria: Army Greece")

    assert [each.name for each in games_in(FORMAT, SPRING + elsewhere + SPRING)] == [
        "Attack, spring",
        "Attack, the retreat",
        "Attack, spring",
    ]


def test_the_results_of_the_phase_before_tell_where_a_unit_may_retreat() -> None:
    retreat, _ = game_in(FORMAT, RETREAT.replace("ORDERS\n", f"{RESULTS}ORDERS\n")).phases

    assert retreat.position
    (dislodged,) = retreat.position.dislodged
    assert dislodged.attacked_from == "BUD"
    assert dislodged.retreats == ("BUL", "SEV", "UKR")  # Galicia saw a standoff.


def test_a_position_may_stay_the_same() -> None:
    text = SPRING[: SPRING.index("POSTSTATE")] + "POSTSTATE_SAME\nEND\n"

    before, after = game_in(FORMAT, text).phases

    assert units_of(before) == units_of(after)
    assert after.phase.code == "F1905M"


def test_centers_are_as_told_or_as_at_the_start() -> None:
    told = SPRING.replace(
        "ORDERS", "PRESTATE_SUPPLYCENTER_OWNERS\n Austria: Vienna\n Russia: A mos\nORDERS"
    )

    as_told, as_at_the_start = (
        game_in(FORMAT, each).phases[0].position for each in (told, SPRING)
    )

    assert as_told
    assert as_told.owners == {"VIE": "AUSTRIA", "MOS": "RUSSIA"}
    assert as_at_the_start
    assert as_at_the_start.owners == BOARD.start.owners


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Fall, 1905 (Movement)", "F1905M"),
        ("Fall 1905 [Retreat]", "F1905R"),
        ("Fall 1905 (Adjustment)", "W1905A"),
        ("Winter 1905 (Build)", "W1905A"),
        ("F1905M", "F1905M"),
    ],
)
def test_a_phase_is_spelled_out_or_coded(text: str, code: str) -> None:
    told = SPRING[: SPRING.index("POSTSTATE")].replace("Spring 1905 (Movement)", text)
    without_orders = told[: told.index("ORDERS")] + "END\n"

    (phase,) = game_in(FORMAT, without_orders).phases

    assert phase.phase.code == code


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(SPRING[:-4], "game.txt:19: Attack, spring has no END", id="truncated"),
        pytest.param(
            SPRING.replace("END\n", "") + RETREAT,
            "game.txt:20: Attack, spring has no END: CASE Attack, the retreat",
            id="no end",
        ),
        pytest.param(
            SPRING.replace("A ser s a bud-rum", "A ser s a"),
            "game.txt:12: not an order of a power: Austria: A ser s a",
            id="half an order",
        ),
        pytest.param(
            SPRING.replace("A ser\n", "A bud\n"),
            "game.txt:7: a second unit in BUD: Austria: A bud",
            id="two units",
        ),
        pytest.param(
            SPRING.replace("Austria: A ser\n", "Austria: ser\n"),
            "game.txt:7: not a unit of a power: Austria: ser",
            id="of no kind",
        ),
        pytest.param(
            SPRING.replace("Spring 1905", "Sprung 1905"),
            "game.txt:4: not a phase: PRESTATE_SETPHASE Sprung 1905 (Movement)",
            id="no phase",
        ),
        pytest.param(
            SPRING.replace("Standard", "Loeb9"),
            "game.txt:1: unknown variant: VARIANT_ALL Loeb9",
            id="another variant",
        ),
        pytest.param(
            SPRING + "\x00\x93\x7f", "game.txt:21: outside a test case: \x00\x93\x7f", id="binary"
        ),
        pytest.param(
            SPRING.replace("Army Rumania", "Army R\ufffdmania"),
            "game.txt:8: not a unit of a power: Russia: Army R\ufffdmania",
            id="wrongly encoded",
        ),
        pytest.param("VARIANT_ALL Standard\n", "game.txt: no test case found", id="no case"),
    ],
)
def test_a_line_not_understood_is_reported_with_its_number(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        games_in(FORMAT, text)

    assert str(caught.value) == complaint


def test_a_lenient_reading_keeps_what_was_written() -> None:
    record = game_in(FORMAT, SPRING.replace("F stp/sc hold", "F stp/sc hopes"), strict=False)

    assert [each.line for each in record.doubts] == [13]
    assert record.phases[0].orders[-1].text == "F stp/sc hopes"
    assert record.phases[0].orders[-1].order is None
