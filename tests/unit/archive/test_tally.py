"""Statistics of a game: orders by outcome, units, years, and the ending."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from judge.archive.records import Ending, EndKind, YearChart
from judge.archive.tally import Tally, count_record
from judge.rules.rulebook import UnknownRulebookError
from tests.unit.archive.recorded_games import BOARD, order, phase, position, record, unit

FLEETS = ("ENGLAND A LON", "ENGLAND F NTH", "ENGLAND F ENG", "ENGLAND A YOR", "FRANCE A BEL")


def orders_of(tally: Tally, kind: str) -> dict[str, int]:
    return {f"{power} {what}": n for (power, of, what), n in tally.orders.items() if of == kind}


def test_moves_and_supports_are_counted_by_their_results() -> None:
    units = ("AUSTRIA A BUD", "AUSTRIA A VIE", "AUSTRIA F TRI", "ITALY A VEN", "ITALY A ROM")
    tally = count_record(
        BOARD,
        record(
            phase(
                position("F1902M", *units),
                order("AUSTRIA A BUD - SER"),
                order("AUSTRIA A VIE S A BUD - SER"),
                order("AUSTRIA F TRI S A VIE", "cut"),
                order("ITALY A VEN - TRI", "bounce"),
                order("ITALY A ROM S A VEN - TYR", "void"),
            )
        ),
    )

    assert orders_of(tally, "move") == {"AUSTRIA succeeded": 1, "ITALY bounced": 1}
    assert orders_of(tally, "support") == {"AUSTRIA given": 1, "AUSTRIA cut": 1, "ITALY void": 1}


def test_the_support_of_a_unit_that_was_dislodged_was_cut() -> None:
    start = position("F1902M", "AUSTRIA F TRI", "AUSTRIA A VIE")

    tally = count_record(BOARD, record(phase(start, order("AUSTRIA F TRI S A VIE", "dislodged"))))

    assert orders_of(tally, "support") == {"AUSTRIA cut": 1}


@pytest.mark.parametrize(
    ("fleet", "army", "expected"),
    [
        pytest.param((), (), "arrived", id="the army arrives"),
        pytest.param((), ("bounce",), "stayed", id="the army bounces"),
        pytest.param(("dislodged",), ("no convoy",), "disrupted", id="the fleet is dislodged"),
        pytest.param(("void",), (), "void", id="the record says void"),
    ],
)
def test_convoys_are_counted_by_their_results(
    fleet: tuple[str, ...], army: tuple[str, ...], expected: str
) -> None:
    tally = count_record(
        BOARD,
        record(
            phase(
                position("F1902M", *FLEETS),
                order("ENGLAND F NTH C A LON - NWY", *fleet),
                order("ENGLAND A LON - NWY VIA", *army),
            )
        ),
    )

    assert orders_of(tally, "convoy") == {f"ENGLAND {expected}": 1}


def test_a_convoy_of_an_army_that_goes_elsewhere_is_void() -> None:
    tally = count_record(
        BOARD,
        record(
            phase(
                position("F1902M", *FLEETS),
                order("ENGLAND F NTH C A LON - NWY"),
                order("ENGLAND A LON - WAL"),
            )
        ),
    )

    assert orders_of(tally, "convoy") == {"ENGLAND void": 1}


def test_a_move_that_found_no_convoy_is_told_apart_from_one_that_bounced() -> None:
    start = position("F1902M", *FLEETS)

    tally = count_record(
        BOARD, record(phase(start, order("ENGLAND A LON - NWY VIA", "no convoy")))
    )

    assert orders_of(tally, "move") == {"ENGLAND no_convoy": 1}


def test_a_unit_without_an_order_is_supposed_to_hold() -> None:
    start = position("F1902M", "ITALY A ROM", "ITALY A VEN", "ITALY F NAP")

    tally = count_record(BOARD, record(phase(start, order("ITALY A ROM H"))))

    assert orders_of(tally, "hold") == {"ITALY ordered": 1, "ITALY supposed": 2}


def test_results_missing_from_a_record_come_from_adjudication() -> None:
    orders = (
        order("ITALY A VEN - TRI", told=False),
        order("ITALY A ROM S A VEN - TYR", told=False),
        order("AUSTRIA A VIE - TRI", told=False),
        order("ENGLAND F NTH C A LON - NWY", told=False),
        order("ENGLAND A LON - NWY VIA", told=False),
    )
    units = ("AUSTRIA A VIE", "ENGLAND A LON", "ENGLAND F NTH", "ITALY A ROM", "ITALY A VEN")
    tally = count_record(BOARD, record(phase(position("F1902M", *units), *orders)))

    assert orders_of(tally, "move") == {
        "ITALY bounced": 1,
        "AUSTRIA bounced": 1,
        "ENGLAND succeeded": 1,
    }
    assert orders_of(tally, "support") == {"ITALY void": 1}
    assert orders_of(tally, "convoy") == {"ENGLAND arrived": 1}


def test_a_dislodged_unit_of_which_the_record_is_silent_is_found_by_the_law() -> None:
    units = ("AUSTRIA A TRI", "ITALY A TYR", "ITALY A VEN")
    orders = (
        order("ITALY A VEN - TRI", told=False),
        order("ITALY A TYR S A VEN - TRI", told=False),
    )

    tally = count_record(BOARD, record(phase(position("F1902M", *units), *orders)))

    assert tally.units == {("AUSTRIA", "dislodged"): 1}
    assert orders_of(tally, "hold") == {"AUSTRIA supposed": 1}


def test_adjudication_shows_cut_supports_and_disrupted_convoys() -> None:
    english, french = ("ENGLAND A LON", "ENGLAND F NTH"), ("FRANCE F BEL", "FRANCE F ENG")
    units = (*english, *french, "GERMANY F SWE", "RUSSIA F NWY")
    orders = (
        order("ENGLAND A LON - DEN VIA", told=False),
        order("ENGLAND F NTH C A LON - DEN", told=False),
        order("FRANCE F ENG - NTH", told=False),
        order("FRANCE F BEL S F ENG - NTH", told=False),
        order("RUSSIA F NWY S F NTH", told=False),
        order("GERMANY F SWE - NWY", told=False),
    )
    tally = count_record(BOARD, record(phase(position("F1902M", *units), *orders)))

    assert orders_of(tally, "convoy") == {"ENGLAND disrupted": 1}
    assert orders_of(tally, "move") == {
        "ENGLAND no_convoy": 1,
        "FRANCE succeeded": 1,
        "GERMANY bounced": 1,
    }
    assert orders_of(tally, "support") == {"FRANCE given": 1, "RUSSIA cut": 1}
    assert tally.units["ENGLAND", "dislodged"] == 1


def test_the_law_tells_what_was_cut_impossible_or_destroyed() -> None:
    units = ("AUSTRIA A APU", "AUSTRIA A TRI", "ITALY A NAP", "ITALY A ROM", "ITALY A VEN")
    orders = (
        order("AUSTRIA A APU S A TRI - VEN", told=False),
        order("AUSTRIA A TRI - PAR", told=False),
        order("ITALY A NAP - APU", told=False),
        order("ITALY A VEN S A NAP - APU", told=False),
        order("ITALY A ROM H", told=False),
    )
    surrounded = position("F1902M", *units, "TURKEY F ADR", "TURKEY F ION")

    tally = count_record(BOARD, record(phase(surrounded, *orders)))

    assert orders_of(tally, "move") == {"AUSTRIA void": 1, "ITALY succeeded": 1}
    assert orders_of(tally, "support")["ITALY given"] == 1
    assert tally.units == {("AUSTRIA", "dislodged"): 1, ("AUSTRIA", "destroyed"): 1}


def test_an_order_of_another_phase_is_none() -> None:
    start = position("F1902M", "ITALY A ROM")

    assert not count_record(BOARD, record(phase(start, order("ITALY A ROM D")))).orders


def test_unknown_results_of_supports_and_convoys_are_missing() -> None:
    lost = replace(order("ENGLAND A YOR H", told=False), order=None)
    orders = (
        order("ENGLAND F ENG S F NTH", told=False),
        order("ENGLAND F NTH C A LON - NWY"),
        order("ENGLAND A LON - NWY VIA", told=False),
        order("FRANCE F BEL C A YOR - HOL", told=False),
        lost,
    )

    tally = count_record(BOARD, record(phase(position("F1902M", *FLEETS), *orders)))

    assert orders_of(tally, "support") == {"ENGLAND untold": 1}
    assert orders_of(tally, "convoy") == {"ENGLAND untold": 1, "FRANCE untold": 1}


def test_results_that_cannot_be_known_are_missing() -> None:
    lost = replace(order("ITALY A VEN - TRI", told=False), order=None)
    orders = (order("ITALY A ROM - NAP", told=False), lost)

    tally = count_record(BOARD, record(phase(position("F1902M", "ITALY A ROM"), *orders)))

    assert orders_of(tally, "move") == {"ITALY untold": 1}


def test_a_dislodged_unit_retreats_or_is_disbanded() -> None:
    battle = phase(
        position("S1902M", "AUSTRIA A VIE", "ITALY A TYR"), order("AUSTRIA A VIE H", "dislodged")
    )
    driven = position("S1902R", driven="AUSTRIA A VIE")
    end = phase(position("F1902M", "AUSTRIA A TYR"))

    fled = count_record(BOARD, record(battle, phase(driven, order("AUSTRIA A VIE R TYR")), end))
    gone = count_record(BOARD, record(battle, phase(driven), end))
    waits = count_record(BOARD, record(battle, phase(driven)))

    assert fled.units == {("AUSTRIA", "dislodged"): 1, ("AUSTRIA", "retreated"): 1}
    assert gone.units == {("AUSTRIA", "dislodged"): 1, ("AUSTRIA", "disbanded"): 1}
    assert waits.units == {("AUSTRIA", "dislodged"): 1}


def test_a_dislodged_unit_with_nowhere_to_go_is_destroyed() -> None:
    battle = phase(position("S1902M", "AUSTRIA A VIE"), order("AUSTRIA A VIE H", "dislodged"))
    end = phase(position("F1902M"))
    removed = replace(battle, orders=(), removed=(("AUSTRIA", unit("AUSTRIA A VIE")),))

    expected = {("AUSTRIA", "dislodged"): 1, ("AUSTRIA", "destroyed"): 1}
    assert count_record(BOARD, record(battle, end)).units == expected
    assert count_record(BOARD, record(removed, end)).units == expected


def test_builds_and_removals_are_counted_ordered_or_not() -> None:
    winter = phase(
        position("W1902A", "ITALY A VEN", "ITALY F ION", centers={"AUSTRIA": "BUD", "ITALY": ""}),
        order("AUSTRIA A BUD B"),
        order("ITALY A VEN D"),
    )
    by_default = replace(winter, removed=(("ITALY", unit("ITALY F ION")),))

    assert count_record(BOARD, record(by_default)).units == {
        ("AUSTRIA", "built"): 1,
        ("ITALY", "removed"): 2,
    }


def test_removals_that_a_record_does_not_tell_are_those_of_the_law() -> None:
    winter = phase(
        position("W1902A", "ITALY A VEN", "ITALY F ION", centers={"AUSTRIA": "BUD"}),
        order("ITALY A VEN D", told=False),
    )

    assert count_record(BOARD, record(winter)).units == {("ITALY", "removed"): 2}


def test_centers_are_those_at_the_end_of_the_year_with_both_indices() -> None:
    winter = phase(position("W1901A", centers={"AUSTRIA": "BUD VIE TRI", "ITALY": "ROM NAP"}))
    later = phase(position("F1903M", centers={"AUSTRIA": "BUD VIE TRI ROM"}))

    tally = count_record(BOARD, record(winter, later))

    assert tally.charted == {1901: 1, 1902: 1}
    assert tally.centers[1901, "AUSTRIA"] == 3
    assert tally.centers[1902, "AUSTRIA"] == 4
    assert tally.indices[1901, "players"] == (9 + 4) // 7
    assert tally.indices[1901, "survivors"] == (9 + 4) // 2
    assert tally.eliminated["ITALY", 1902] == 1
    assert tally.survived == {"AUSTRIA": 1}


def test_the_centers_after_the_last_orders_are_those_of_the_law() -> None:
    fall = position("F1901M", "AUSTRIA A SER", centers={"AUSTRIA": "BUD"})

    tally = count_record(BOARD, record(phase(fall, order("AUSTRIA A SER H"))))

    assert tally.centers[1901, "AUSTRIA"] == 2


def test_when_the_game_is_over_nobody_retreats_and_the_centers_are_those_of_the_law() -> None:
    centers = {"AUSTRIA": "BUD VIE", "ITALY": "SER"}
    fall = position("F1901R", "AUSTRIA A SER", centers=centers, driven="ITALY A SER")
    over = replace(record(phase(fall)), ending=Ending(EndKind.SOLO, ("AUSTRIA",)))

    tally = count_record(BOARD, over)

    assert tally.centers[1901, "AUSTRIA"] == 3
    assert tally.eliminated["ITALY", 1901] == 1
    assert not count_record(BOARD, record(phase(fall))).charted


def test_a_chart_that_the_record_has_goes_before_its_positions() -> None:
    winter = phase(position("W1901A", centers={"AUSTRIA": "BUD"}))
    chart = YearChart(1901, {"AUSTRIA": 5})

    tally = count_record(BOARD, replace(record(winter), charts=(chart,)))

    assert tally.centers[1901, "AUSTRIA"] == 5


def test_a_power_that_came_back_was_not_eliminated_before() -> None:
    charts = [YearChart(year, {"ITALY": n}) for year, n in ((1901, 0), (1902, 1), (1903, 0))]

    tally = count_record(BOARD, replace(record(), charts=tuple(charts)))

    assert tally.eliminated["ITALY", 1901] == 0
    assert tally.eliminated["ITALY", 1903] == 1


@pytest.mark.parametrize(
    ("kind", "won", "draws"),
    [
        pytest.param(EndKind.SOLO, {("solo", "ITALY"): 1}, {}, id="a solo"),
        pytest.param(EndKind.CONCESSION, {("concession", "ITALY"): 1}, {}, id="a concession"),
        pytest.param(EndKind.DRAW, {}, {("ITALY",): 1}, id="a draw"),
    ],
)
def test_how_a_game_ended(
    kind: EndKind, won: Counter[tuple[str, str]], draws: Counter[tuple[str, ...]]
) -> None:
    tally = count_record(BOARD, replace(record(), ending=Ending(kind, ("ITALY",))))

    assert (tally.ends, tally.won, tally.draws) == ({kind.value: 1}, won, draws)


def test_a_power_with_enough_centers_won_without_a_stated_ending() -> None:
    alone, tied = {"ITALY": 18, "TURKEY": 16}, {"ITALY": 17, "TURKEY": 17}
    charts = [YearChart(1910, alone), YearChart(1910, tied)]

    ends = [count_record(BOARD, replace(record(), charts=(each,))).ends for each in charts]

    assert ends == [{"solo": 1}, {"untold": 1}]


def test_of_a_corrected_report_only_the_last_edition_counts() -> None:
    start = position("F1902M", "ITALY A ROM")
    first = phase(start, order("ITALY A ROM - VEN"))
    second = replace(phase(start, order("ITALY A ROM - TUS", "bounce")), edition=2)

    assert orders_of(count_record(BOARD, record(first, second)), "move") == {"ITALY bounced": 1}


def test_a_law_that_there_is_not_is_an_error() -> None:
    with pytest.raises(UnknownRulebookError):
        count_record(BOARD, record(rulebook="chess"))


def test_tallies_add_up_to_that_of_all_games() -> None:
    games = [
        record(phase(position("F1902M", "ITALY A ROM"), order("ITALY A ROM - VEN"))),
        record(phase(position("W1901A", centers={"AUSTRIA": "BUD"}))),
        replace(record(), ending=Ending(EndKind.DRAW, ("ITALY", "AUSTRIA"))),
    ]
    one, two, three = (count_record(BOARD, each) for each in games)

    folded = Tally()
    for each in (one, two, three):
        folded += each

    assert one + two + three == one + (two + three) == folded
    assert folded.games == 3
    assert folded.draws == {("AUSTRIA", "ITALY"): 1}
