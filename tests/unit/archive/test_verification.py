"""Recorded games verified against the rules: what is compared, how differences are reported."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.archive.verification import Difference, VerifiedGame, verify
from judge.notation.order_text import read_order
from judge.reports.render import explain_reason
from judge.rules.rulebook import DATC
from judge.rules.types import Phase, PhaseKind

BOARD = load_map()
BUD = {"AUSTRIA": ["BUD"]}


def phase(
    code: str,
    units: dict[str, list[str]],
    *orders: WrittenOrder,
    centers: dict[str, list[str]] = BUD,
    **more: object,
) -> RecordedPhase:
    position = read_position(
        BOARD, {"phase": code, "units": units, "centers": centers, **more}, DATC
    )
    told = any(each.results is not None for each in orders)
    return RecordedPhase(position.phase, position, orders, results_told=told)


def order(
    text: str, *, power: str = "AUSTRIA", told: tuple[str, ...] | None = None
) -> WrittenOrder:
    return WrittenOrder(power, text, read_order(text), told, line=7)


def verified(*phases: RecordedPhase, rulebook: str = "datc") -> VerifiedGame:
    record = Record(name="a game", source=Source("ours", "a file", ""), phases=phases)
    return verify(BOARD, record, rulebook, partial(explain_reason, BOARD))


def only_difference(*phases: RecordedPhase, rulebook: str = "datc") -> Difference:
    (difference,) = verified(*phases, rulebook=rulebook).differences
    return difference


def test_a_phase_agrees_if_it_leads_to_the_next() -> None:
    found = verified(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER")),
        phase("F1901M", {"AUSTRIA": ["A SER"]}, order("A SER H")),
        phase("S1902M", {"AUSTRIA": ["A SER"]}, centers={"AUSTRIA": ["BUD", "SER"]}),
    )

    # In the winter one build was due; the record shows that it was not made.
    assert (found.compared, found.differing, found.orders) == (2, 0, 2)
    assert found.phases == {PhaseKind.MOVEMENT: 3}


def test_a_unit_elsewhere_is_a_difference_of_its_order_and_has_our_reason() -> None:
    units = {"AUSTRIA": ["A BUD"], "TURKEY": ["A BUL"]}

    assert only_difference(
        phase("S1901M", units, order("A BUD - SER"), order("A BUL - SER", power="TURKEY")),
        phase("F1901M", {"AUSTRIA": ["A SER"], "TURKEY": ["A BUL"]}),
    ) == Difference(
        phase=Phase.parse("S1901M"),
        line=7,
        power="AUSTRIA",
        order="A BUD - SER",
        recorded=("AUSTRIA A SER",),
        adjudicated=("AUSTRIA A BUD",),
        reason="A Bud-Ser bounced: 1 against 1 (A Bul-Ser) (rulebook VIII).",
        explained_by=(),
    )


def test_it_is_said_which_other_rulebooks_have_it_as_recorded() -> None:
    found = only_difference(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - VIE VIA")),
        phase("F1901M", {"AUSTRIA": ["A VIE"]}),
    )

    assert {"droidippy", "1982"} <= set(found.explained_by)
    assert not {"datc", "njudge", "dpjudge"} & set(found.explained_by)


def test_a_center_that_did_not_change_hands_is_a_difference() -> None:
    found = only_difference(
        phase("F1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER")),
        phase("W1901A", {"AUSTRIA": ["A SER"]}),
    )

    assert (found.order, found.adjudicated) == ("A BUD - SER", ("AUSTRIA owns SER",))


def test_a_retreat_that_was_not_open_is_a_difference() -> None:
    units = {"AUSTRIA": ["A SER"], "TURKEY": ["A BUL", "A GRE"]}
    driven = {"AUSTRIA": ["*A SER"], "TURKEY": ["A SER", "A GRE"]}
    told = {"AUSTRIA": {"A SER": ["ALB", "BUD", "BUL", "RUM", "TRI"]}}
    turks = (order("A BUL - SER", power="TURKEY"), order("A GRE S A BUL - SER", power="TURKEY"))

    found = only_difference(
        phase("S1901M", units, order("A SER H"), *turks),
        phase("S1901R", driven, retreats=told),
    )

    assert found.recorded == ("AUSTRIA *A SER R ALB BUD BUL RUM TRI",)
    assert found.adjudicated == ("AUSTRIA *A SER R ALB BUD RUM TRI",)
    assert found.order == "A SER H"


@pytest.mark.parametrize(
    ("told", "agrees"),
    [((), False), (("cut",), True), (("void",), False), (("cut", "dislodged"), False)],
)
def test_recorded_results_of_orders_are_compared(told: tuple[str, ...], *, agrees: bool) -> None:
    units = {"AUSTRIA": ["A BUD", "A VIE"], "RUSSIA": ["A GAL"]}
    found = verified(
        phase(
            "S1901M",
            units,
            order("A BUD - TRI", told=()),
            order("A VIE S A BUD - TRI", told=told),
            order("A GAL - VIE", power="RUSSIA", told=("bounce",)),
        )
    )

    assert found.compared == 1
    assert (found.differing == 0) is agrees


def test_a_dislodged_fleet_may_have_a_void_convoy_that_no_word_marks() -> None:
    found = verified(
        phase(
            "S1901M",
            {"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL", "F ENG"]},
            order("F NTH C A LON - HOL", power="ENGLAND", told=("dislodged",)),
            order("A LON H", power="ENGLAND", told=()),
            order("F BEL - NTH", power="FRANCE", told=()),
            order("F ENG S F BEL - NTH", power="FRANCE", told=()),
        )
    )

    assert (found.compared, found.differing) == (1, 0)


def test_an_order_that_is_told_to_be_carried_out_is_one_without_a_word() -> None:
    found = only_difference(phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - LON", told=())))

    assert (found.recorded, found.adjudicated) == (("carried out",), ("illegal",))


def test_of_a_retreat_only_is_told_whether_it_came_off() -> None:
    driven = {"AUSTRIA": ["*A SER"], "ITALY": ["*A VEN"], "TURKEY": ["A SER", "A VEN"]}
    retreats = {"AUSTRIA": {"A SER": ["TRI"]}, "ITALY": {"A VEN": ["TRI"]}}
    found = verified(
        phase(
            "S1901R",
            driven,
            order("A SER R TRI", told=("bounce", "destroyed")),
            order("A VEN R TRI", power="ITALY", told=("bounce", "destroyed")),
            retreats=retreats,
        ),
        phase("F1901M", {"TURKEY": ["A SER", "A VEN"]}),
    )

    assert (found.compared, found.differing) == (1, 0)


def test_the_removal_that_the_law_made_another_is_a_difference_without_an_order() -> None:
    found = verified(
        phase("W1901A", {"AUSTRIA": ["A SER", "A BUD"]}),
        phase("S1902M", {"AUSTRIA": ["A SER"]}),
    )

    assert [(each.order, each.recorded, each.adjudicated) for each in found.differences] == [
        ("", ("AUSTRIA A SER",), ()),
        ("", (), ("AUSTRIA A BUD",)),
    ]
    assert found.differing == 1


def test_nothing_is_compared_across_a_gap() -> None:
    found = verified(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER")),
        phase("S1903M", {"AUSTRIA": ["A LON"]}),
    )

    assert found.compared == 0


def test_nothing_is_compared_where_an_order_was_not_understood() -> None:
    unknown = WrittenOrder("AUSTRIA", "A BUD flies", None)
    found = verified(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, unknown),
        phase("F1901M", {"AUSTRIA": ["A LON"]}),
    )

    assert (found.compared, found.orders) == (0, 1)


def test_without_owners_units_are_compared_and_winters_are_not() -> None:
    found = verified(
        phase("F1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER"), centers={}),
        phase("W1901A", {"AUSTRIA": ["A BUD"]}, centers={}),
        phase("S1902M", {"AUSTRIA": ["A LON"]}, centers={}),
    )

    assert found.compared == 1
    assert [each.order for each in found.differences] == ["A BUD - SER"]


def test_owners_that_were_not_known_before_are_not_compared() -> None:
    found = verified(
        phase("F1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER"), centers={}),
        phase("W1901A", {"AUSTRIA": ["A SER"]}, centers={"AUSTRIA": ["SER", "VIE"]}),
    )

    assert (found.compared, found.differing) == (1, 0)


def test_a_phase_in_which_nobody_had_to_order_may_be_recorded_all_the_same() -> None:
    found = verified(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER")),
        phase("S1901R", {"AUSTRIA": ["A SER"]}, retreats={}),
        phase("F1901M", {"AUSTRIA": ["A SER"]}),
    )

    assert (found.compared, found.differing) == (2, 0)


def test_of_a_corrected_phase_the_last_edition_counts() -> None:
    wrong = phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - GAL"))
    right = replace(
        phase("S1901M", {"AUSTRIA": ["A BUD"]}, order("A BUD - SER")),
        edition=2,
    )
    found = verified(wrong, right, phase("F1901M", {"AUSTRIA": ["A SER"]}))

    assert (found.compared, found.differing) == (1, 0)


def test_it_is_said_what_an_order_was_read_as_that_names_another_unit() -> None:
    found = only_difference(
        phase("S1901M", {"AUSTRIA": ["F TRI"]}, order("A TRI - ALB")),
        phase("F1901M", {"AUSTRIA": ["F TRI"]}),
    )

    assert "read as F Tri-Alb" in found.reason
