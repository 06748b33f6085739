"""The text of droidippy: what is read, and what is reported as an error."""

from __future__ import annotations

import pytest

from judge.archive.formats.droidippy import FORMAT
from judge.archive.reading import UnreadableError
from judge.archive.records import Doubt
from tests.unit.archive.reading import game_in, games_in, orders_of, units_of

BATTLE = """\
PHASE 1905 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
Austria: army ser
Russia: army rum
Russia: supply rum
Italy: fleet gol
Italy: fleet nrg
Russia: fleet stp/sc
ORDERS
bud move rum
ser support bud move rum
rum hold
gol convoy rum move spa
nrg move nat
stp/sc move bot
"""
RETREAT = """\
PHASE 1905 Spring Retreat
POSITIONS
Austria: army rum
Austria: army ser
Austria: supply bud
Russia: army/dislodged rum
Russia: supply rum
Italy: fleet gol
Italy: fleet nat
Russia: fleet bot
ORDERS
rum move sev
"""
WINTER = """\
PHASE 1905 Fall Adjustment
POSITIONS
Austria: supply bud
Austria: army ser
Russia: supply stp
Russia: army mos
Russia: army war
ORDERS
build Army bud
remove war
"""


def test_units_and_centers_stand_before_the_orders() -> None:
    (battle,) = game_in(FORMAT, BATTLE).phases

    assert battle.phase.code == "S1905M"
    assert units_of(battle) == [
        "AUSTRIA A BUD",
        "AUSTRIA A SER",
        "ITALY F LYO",
        "ITALY F NWG",
        "RUSSIA A RUM",
        "RUSSIA F STP/SC",
    ]
    assert battle.position
    assert battle.position.owners == {"BUD": "AUSTRIA", "RUM": "RUSSIA"}


def test_an_order_is_that_of_the_unit_in_its_province() -> None:
    (battle,) = game_in(FORMAT, BATTLE).phases

    assert orders_of(battle) == [
        "AUSTRIA A BUD - RUM",
        "AUSTRIA A SER S A BUD - RUM",
        "RUSSIA A RUM H",
        "ITALY F LYO C A RUM - SPA",
        "ITALY F NWG - NAO",
        "RUSSIA F STP/SC - BOT",
    ]
    assert battle.orders[0].line == 12


def test_in_a_retreat_phase_the_dislodged_unit_is_ordered() -> None:
    _, retreat = game_in(FORMAT, BATTLE + RETREAT).phases

    assert orders_of(retreat) == ["RUSSIA A RUM R SEV"]


def test_where_a_unit_may_retreat_follows_from_the_orders_before() -> None:
    _, retreat = game_in(FORMAT, BATTLE + RETREAT).phases

    assert retreat.position
    (dislodged,) = retreat.position.dislodged
    assert dislodged.attacked_from == "BUD"
    assert dislodged.retreats == ("BUL", "GAL", "SEV", "UKR")


def test_an_adjustment_phase_belongs_to_the_winter() -> None:
    (winter,) = game_in(FORMAT, WINTER).phases

    assert winter.phase.code == "W1905A"
    assert orders_of(winter) == ["AUSTRIA A BUD B", "RUSSIA A WAR D"]


def test_a_position_that_may_be_cut_off_is_a_doubt_and_not_told() -> None:
    record = game_in(FORMAT, BATTLE + RETREAT.partition("ORDERS")[0], strict=False)

    assert record.phases[0].position
    assert record.phases[1].position is None
    assert [each.why for each in record.doubts] == ["S1905R breaks off before its orders"]


def test_phases_out_of_order_are_an_error_or_games_with_a_doubt() -> None:
    text = BATTLE + RETREAT + BATTLE.replace("1905", "1903")

    with pytest.raises(UnreadableError, match=r":30: does not go on from S1905R; .*: S1903M"):
        games_in(FORMAT, text)
    first, second = games_in(FORMAT, text, strict=False)

    assert not first.doubts
    assert [each.line for each in second.doubts] == [30]


def test_a_phase_that_is_not_later_begins_another_game() -> None:
    first, second = games_in(FORMAT, BATTLE + RETREAT + BATTLE)

    assert (first.name, len(first.phases)) == ("game.txt", 2)
    assert (second.name, len(second.phases)) == ("game.txt, game 2", 1)
    assert (second.source.first_line, second.source.last_line) == (30, 46)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(
            BATTLE[:40], "game.txt:3: S1905M breaks off before its orders", id="truncated"
        ),
        pytest.param(
            BATTLE.replace("rum hold", "rum mov"),
            "game.txt:14: not an order: rum mov",
            id="half a line",
        ),
        pytest.param(
            BATTLE.replace("rum hold", "vie hold"),
            "game.txt:14: no unit is there: vie hold",
            id="nobody there",
        ),
        pytest.param(
            BATTLE.replace("Russia: army rum", "Russia: army bud"),
            "game.txt:6: a second unit in BUD: Russia: army bud",
            id="two units",
        ),
        pytest.param(
            BATTLE.replace("Russia: supply rum", "Russia: supply bud"),
            "game.txt:7: BUD has two owners: Russia: supply bud",
            id="two owners",
        ),
        pytest.param(
            BATTLE.replace("stp/sc\nO", "stp\nO"),
            "game.txt:10: this unit cannot be there: Russia: fleet stp",
            id="no coast",
        ),
        pytest.param(
            BATTLE.replace("Italy: fleet gol", "Spain: fleet gol"),
            "game.txt:8: not a power of the standard map: Spain: fleet gol",
            id="no power",
        ),
        pytest.param(
            BATTLE.replace("army ser", "army/dislodged ser"),
            "game.txt:5: no unit is dislodged in S1905M: Austria: army/dislodged ser",
            id="dislodged in a movement phase",
        ),
        pytest.param(
            BATTLE + "\x00\x93 \x7f",
            "game.txt:18: \x00\x93 is not a province of the standard map: \x00\x93 \x7f",
            id="binary",
        ),
        pytest.param(
            BATTLE.replace("army bud", "army b\ufffdd"),
            "game.txt:3: b\ufffdd is not a province of the standard map: Austria: army b\ufffdd",
            id="wrongly encoded",
        ),
    ],
)
def test_a_line_not_understood_is_reported_with_its_number(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        game_in(FORMAT, text)

    assert str(caught.value) == complaint


def test_a_lenient_reading_goes_on_and_keeps_the_doubt() -> None:
    record = game_in(FORMAT, BATTLE.replace("rum hold", "rum mov"), strict=False)

    assert record.doubts == (Doubt(14, "rum mov", "not an order"),)
    assert [each.text for each in record.phases[0].orders if not each.order] == ["rum mov"]
    assert not record.phases[0].is_understood, "so the phase is not compared with the rules"


def test_behind_an_end_another_game_begins_though_it_could_go_on() -> None:
    fall = BATTLE.replace("1905 Spring", "1905 Fall")

    assert [len(each.phases) for each in games_in(FORMAT, BATTLE + fall)] == [2]
    assert [len(each.phases) for each in games_in(FORMAT, f"{BATTLE}END\n{fall}END\n")] == [1, 1]
