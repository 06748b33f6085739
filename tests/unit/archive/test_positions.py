"""Positions followed through reports, and contradictions in them."""

from __future__ import annotations

import pytest

from judge.archive.positions import PhaseReport, PositionTracker, ReportedDislodgement
from judge.archive.reading import Doubts, UnreadableError
from judge.archive.records import WrittenOrder
from judge.archive.tally import index_by_players, index_by_survivors
from judge.archive.text_parsing import read_single_order
from judge.rules.types import Phase, Position, Unit, UnitKind
from tests.unit.archive.reading import BOARD, units_of

SPRING, FALL = Phase.parse("S1901M"), Phase.parse("F1901M")
HELD = {unit.province: f"{unit} H" for unit in BOARD.start.units}


def ordered(phase: Phase, *orders: tuple[str, ...]) -> tuple[WrittenOrder, ...]:
    """Return the lines of a report: the power, the order, its results, numbered from 1."""
    return tuple(
        WrittenOrder(power, text, read[0] if read else None, results, line)
        for line, (power, text, *results_told) in enumerate(orders, 1)
        for read in [read_single_order(BOARD, text, phase.kind)]
        for results in [tuple(results_told)]
    )


def standing(
    *units: tuple[str, str], phase: str = "S1901M", strict: bool = True
) -> PositionTracker:
    """Return a standing where only *units* are on the board."""
    folded = PositionTracker(BOARD, Doubts("game.txt", strict))
    on_board = tuple(Unit(power, UnitKind(text[0]), text[2:]) for power, text in units)
    folded.put(Position(Phase.parse(phase), on_board), 1)
    return folded


def test_a_move_without_a_reported_failure_succeeded() -> None:
    game = standing(("AUSTRIA", "A VIE"), ("GERMANY", "A MUN"))
    orders = ordered(SPRING, ("AUSTRIA", "A VIE - TYR"), ("GERMANY", "A MUN - BER", "bounce"))

    game.play(PhaseReport(phase=SPRING, orders=orders))

    assert game.ahead
    assert game.ahead.phase.code == "F1901M"
    assert [str(unit) for unit in game.ahead.units] == ["A TYR", "A MUN"]


def test_a_dislodged_unit_waits_where_the_report_says_it_may_go() -> None:
    game = standing(("AUSTRIA", "A TYR"), ("ITALY", "A VEN"))
    orders = ordered(SPRING, ("AUSTRIA", "A TYR - VEN"), ("ITALY", "A VEN H", "dislodged"))
    driven = (ReportedDislodgement("ITALY", "VEN", ("ROM",), 9),)

    game.play(PhaseReport(phase=SPRING, orders=orders, dislodged=driven))
    (waiting,) = game.still_open()

    assert waiting.phase.code == "S1901R"
    assert units_of(waiting) == ["AUSTRIA A VEN", "ITALY *A VEN"]
    assert waiting.position
    assert waiting.position.dislodged[0].retreats == ("ROM",)
    assert waiting.position.dislodged[0].attacked_from == "TYR"


def test_retreats_are_computed_where_no_list_tells_them() -> None:
    game = standing(("AUSTRIA", "A TYR"), ("ITALY", "A VEN"), ("ITALY", "A TUS"))
    orders = ordered(
        SPRING, ("AUSTRIA", "A TYR - VEN"), ("ITALY", "A VEN H", "dislodged"), ("ITALY", "A TUS H")
    )

    game.play(PhaseReport(phase=SPRING, orders=orders))

    assert game.ahead
    assert set(game.ahead.dislodged[0].retreats) == {"APU", "PIE", "ROM", "TRI"}


def test_a_destroyed_unit_is_removed() -> None:
    game = standing(("AUSTRIA", "A TYR"), ("ITALY", "A VEN"))
    orders = ordered(SPRING, ("AUSTRIA", "A TYR - VEN"), ("ITALY", "A VEN H", "dislodged"))

    played = game.play(
        PhaseReport(
            phase=SPRING, orders=orders, dislodged=(ReportedDislodgement("ITALY", "VEN", (), 9),)
        )
    )

    assert played.removed == (("ITALY", Unit("ITALY", UnitKind.ARMY, "VEN")),)
    assert game.ahead
    assert game.ahead.phase.code == "F1901M"


def test_centers_change_hands_after_fall() -> None:
    game = standing(("TURKEY", "A CON"), phase="F1901M")

    game.play(PhaseReport(phase=FALL, orders=ordered(FALL, ("TURKEY", "A CON - BUL"))))

    assert game.ahead
    assert game.ahead.owners == {"BUL": "TURKEY"}


def test_after_a_gap_units_are_known_again_and_centers_with_the_next_chart() -> None:
    game = standing(("TURKEY", "A CON"), strict=False)
    game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("TURKEY", "A CON H"))))
    later = Phase.parse("F1905M")
    line = ordered(later, ("TURKEY", "A SER H"))

    played = game.play(PhaseReport(phase=later, orders=line, owners={"SER": "TURKEY"}))

    assert units_of(played) == ["TURKEY A SER"]
    assert game.ahead
    assert game.ahead.owners == {"SER": "TURKEY"}


def test_a_phase_told_again_is_another_edition_from_the_same_position() -> None:
    game = standing(("TURKEY", "A CON"), phase="S1901M")
    first = game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("TURKEY", "A CON - BUL"))))

    again = game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("TURKEY", "A CON - SMY"))))

    assert (first.edition, again.edition) == (1, 2)
    assert again.position == first.position
    assert game.ahead
    assert [str(unit) for unit in game.ahead.units] == ["A SMY"]


def test_a_report_without_results_leads_nowhere() -> None:
    game = standing(("TURKEY", "A CON"))
    (line,) = ordered(SPRING, ("TURKEY", "A CON - BUL"))
    untold = WrittenOrder(line.power, line.text, line.order)

    played = game.play(PhaseReport(phase=SPRING, orders=(untold,)))

    assert not played.results_told
    assert game.ahead is None


@pytest.mark.parametrize(
    ("orders", "report", "line", "why"),
    [
        pytest.param(
            [("ITALY", "A VEN H"), ("ITALY", "A ROM H")],
            {},
            2,
            "no A ROM was there before: A ROM H",
            id="a-unit-from-nowhere",
        ),
        pytest.param(
            [("ITALY", "A VEN - TRI"), ("ITALY", "A VEN H")],
            {},
            2,
            "a second line for this province: A VEN H",
            id="two-orders",
        ),
        pytest.param(
            [("ITALY", "A VEN - TYR"), ("AUSTRIA", "A TYR H")],
            {},
            1,
            "AUSTRIA A TYR is already there: A VEN - TYR",
            id="two-units-in-a-province",
        ),
        pytest.param([("ITALY", "A VEN H")], {}, 7, "has no line: AUSTRIA A TYR", id="no-line"),
        pytest.param(
            [("ITALY", "A VEN H"), ("AUSTRIA", "A TYR H")],
            {"counts": {"ITALY": (1, 2)}},
            8,
            "by the earlier reports (0, 1): ITALY: 1 centers, 2 units",
            id="another-count",
        ),
        pytest.param(
            [("ITALY", "A VEN H"), ("AUSTRIA", "A TYR H", "dislodged")],
            {"dislodged": (ReportedDislodgement("ITALY", "VEN", ("ROM",), 9),)},
            9,
            "listed as dislodged, but not marked so in its order: ITALY VEN",
            id="listed-but-not-marked",
        ),
        pytest.param(
            [("ITALY", "A VEN H"), ("AUSTRIA", "A TYR H", "dislodged")],
            {"dislodged": (ReportedDislodgement("FRANCE", "PAR", (), 9),)},
            9,
            "listed as dislodged, but has no unit: FRANCE PAR",
            id="listed-but-not-there",
        ),
    ],
)
def test_a_contradiction_stops_a_strict_reading_at_its_line(
    orders: list[tuple[str, ...]], report: dict[str, object], line: int, why: str
) -> None:
    game = standing(("AUSTRIA", "A TYR"), ("ITALY", "A VEN"))
    told = PhaseReport(
        phase=SPRING,
        orders=ordered(SPRING, *orders),
        first_line=7,
        chart_line=8,
        **report,  # type: ignore[arg-type]  # the rows differ in what they tell
    )

    with pytest.raises(UnreadableError) as unreadable:
        game.play(told)

    assert str(unreadable.value) == f"game.txt:{line}: {why}"


def test_a_chart_that_differs_from_the_fold_is_believed_and_doubted() -> None:
    game = standing(("TURKEY", "A CON"), phase="F1901M", strict=False)
    orders = ordered(FALL, ("TURKEY", "A CON - BUL"))

    game.play(PhaseReport(phase=FALL, orders=orders, owners={"GRE": "TURKEY"}, chart_line=5))

    assert game.ahead
    assert game.ahead.owners == {"GRE": "TURKEY"}


def test_both_judges_divide_the_same_squares_otherwise() -> None:
    # Year 1904 of game 10713, for which one judge prints 33 and the other 39.
    centers = {"AUSTRIA": 8, "ENGLAND": 8, "FRANCE": 4, "GERMANY": 0, "ITALY": 1, "RUSSIA": 9}
    centers |= {"TURKEY": 3}

    assert index_by_players(centers, 7) == 33
    assert index_by_survivors(centers) == 39
    assert index_by_survivors({}) == 0


def test_a_position_that_differs_from_the_fold_is_a_doubt_for_each_unit() -> None:
    game = standing(("TURKEY", "A CON"))
    game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("TURKEY", "A CON - BUL"))))
    elsewhere = Position(FALL, (Unit("TURKEY", UnitKind.ARMY, "SMY"),))

    with pytest.raises(UnreadableError, match="differs from the earlier position") as error:
        game.put(elsewhere, 12)

    assert error.value.line == 12


def test_retreats_that_nobody_had_to_order_are_passed_over() -> None:
    units = (("AUSTRIA", "A TYR"), ("ITALY", "A VEN"))
    game = standing(*units)
    driven = (ReportedDislodgement("ITALY", "VEN", ("ROM",), 9),)
    orders = ordered(SPRING, ("AUSTRIA", "A TYR - VEN"), ("ITALY", "A VEN H", "dislodged"))
    game.play(PhaseReport(phase=SPRING, orders=orders, dislodged=driven))
    retreat = Phase.parse("S1901R")

    game.play(PhaseReport(phase=retreat, orders=ordered(retreat, ("ITALY", "A VEN R ROM"))))
    (ahead,) = game.still_open()

    assert units_of(ahead) == ["AUSTRIA A VEN", "ITALY A ROM"]


def test_a_report_from_before_the_last_is_a_doubt_where_it_was_not_told() -> None:
    game = standing(("TURKEY", "A CON"), phase="F1901M")
    game.play(PhaseReport(phase=FALL, orders=ordered(FALL, ("TURKEY", "A CON H"))))
    winter = Phase.parse("S1901R")

    with pytest.raises(UnreadableError, match="comes after F1901M"):
        game.play(PhaseReport(phase=winter, orders=(), first_line=30))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param("CON H", "army or fleet is missing", id="no kind"),
        pytest.param("F BOH H", "F BOH is not possible", id="a fleet ashore"),
    ],
)
def test_a_line_that_names_no_unit_is_a_doubt(text: str, why: str) -> None:
    game = standing()

    with pytest.raises(UnreadableError, match=why) as error:
        game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("TURKEY", text))))

    assert error.value.line == 1


def test_the_coast_of_a_fleet_goes_without_saying_and_its_power_is_that_of_the_line() -> None:
    doubts = Doubts("game.txt", strict=False)
    game = PositionTracker(BOARD, doubts)
    game.put(Position(SPRING, (Unit("FRANCE", UnitKind.FLEET, "SPA/NC"),)), 1)

    played = game.play(PhaseReport(phase=SPRING, orders=ordered(SPRING, ("ITALY", "F SPA H"))))

    assert units_of(played) == ["ITALY F SPA/NC"]
    assert [each.why for each in doubts.found] == ["no F SPA/NC was there before"]
