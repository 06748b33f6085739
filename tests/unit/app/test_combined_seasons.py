"""Zines head the orders of two phases with one line: each order goes to the phase that it fits."""

from __future__ import annotations

import pytest

from tests.support.table import Table


def kept(table: Table, power: str) -> dict[str, int]:
    """Return the number of future orders of *power*, by phase."""
    plans = table.game().plans.get(power, {})
    return {phase: len(plan.wishes) for phase, plan in plans.items()}


@pytest.mark.parametrize(
    "heading",
    [
        "Autumn 1901 & Winter 1901",
        "Fall and Winter 1901:",
        "Fall 1901 and Winter 1901:",
        "Herbst und Winter 1901:",
        "Automne et hiver 1901 :",
    ],
)
def test_moves_and_builds_below_one_heading_are_saved_apart(table: Table, heading: str) -> None:
    receipt = table.send("FRANCE", f"{heading}\nA Par-Bur\nF Bre-Mao\nBuild A Par")

    assert kept(table, "FRANCE") == {"F1901M": 2, "W1901A": 1}
    assert "A PAR - BUR" in receipt.text
    assert "A PAR B" in receipt.text
    assert table.current_orders("FRANCE") == ()


def test_moves_of_the_open_phase_are_given_and_the_retreats_saved(table: Table) -> None:
    table.send("FRANCE", "Spring 1901 and Summer 1901:\nA Par-Bur\nA Mar-Spa\nA Par R Gas")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")
    assert kept(table, "FRANCE") == {"S1901R": 1}


def test_builds_above_moves_are_still_builds(table: Table) -> None:
    table.send(
        "FRANCE", "Fall and Winter 1901:\nBuild F Bre\nA Par-Bur\n\nSpring 1901:\nA Mar-Spa"
    )

    assert kept(table, "FRANCE") == {"F1901M": 1, "W1901A": 1}
    assert table.current_orders("FRANCE") == ("A MAR - SPA",)


@pytest.mark.parametrize("heading", ["Spring 1901 and Fall 1902:", "Fall 1901 and Winter 1902:"])
def test_two_phases_that_do_not_follow_each_other_are_asked_about(
    table: Table, heading: str
) -> None:
    table.send("FRANCE", f"{heading}\nA Par-Bur\nBuild A Par")

    assert kept(table, "FRANCE") == {}
    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    "block",
    [
        "PHASE W1901A\nIF FRANCE OWNS Bel\nBuild F Bre\nELSE\nBuild A Xyzzy\nENDIF",
        "PHASE F1901M\nIF NOT F Eng\nF Bre-Eng\nELSE\nA Mar S Xyzzy\nENDIF",
        "PHASE F1901M\nIF A Mun THEN A Par-Xyzzy\nELSE A Par-Pic",
    ],
)
def test_a_statement_that_fails_withholds_its_whole_block(table: Table, block: str) -> None:
    receipt = table.send("FRANCE", block)

    assert kept(table, "FRANCE") == {}
    assert "Saved" not in receipt.words


def test_a_block_that_fails_leaves_the_others(table: Table) -> None:
    table.send(
        "FRANCE",
        "PHASE F1901M\nIF A Mun\nA Par-Xyzzy\nENDIF\nIF F Eng\nF Bre-Mao\nENDIF\nA Mar-Spa",
    )

    assert kept(table, "FRANCE") == {"F1901M": 2}
