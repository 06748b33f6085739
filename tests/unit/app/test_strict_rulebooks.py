"""Rulebooks that are strict about how orders name units: receipt and results agree."""

from __future__ import annotations

from judge.app.admin import game_admin
from tests.support.table import Table, address_of

BUDAPEST, ROME = "A Bud H; F Tri H", "A Rom H; F Nap H"
BERLIN = "A Mun-Tyr; A Ber H; F Kie H"


def results(table: Table) -> str:
    """Return the results of Spring 1901."""
    assert table.phase() == "F1901M"
    return table.emails_to(address_of("TURKEY"), "phase_results")[-1].words


def close(table: Table) -> None:
    game_admin.close_phase_now(table.judge, "baltic", None)


def units_of(table: Table, power: str) -> list[str]:
    """Return the units of *power* on the board."""
    position = table.game().position
    assert position is not None
    return [str(unit) for unit in position.units_of(power)]


def test_a_support_that_names_the_units_power_counts(judge: Table) -> None:
    judge.start("baltic", "rulebook=datc,power_omitted=illegal")

    receipt = judge.send("ITALY", f"A Ven S Austrian A Vie-Tyr; {ROME}")
    judge.send("AUSTRIA", f"A Vie-Tyr; {BUDAPEST}")
    judge.send("GERMANY", BERLIN)
    close(judge)

    assert "All 3 orders received" in receipt.text
    assert "A TYR" in units_of(judge, "AUSTRIA")
    assert "Italy: Army Venice SUPPORT Austrian Army Vienna -> Tyrolia." in results(judge)


def test_a_support_without_the_units_power_fails_from_the_receipt_on(judge: Table) -> None:
    judge.start("baltic", "rulebook=datc,power_omitted=illegal")

    receipt = judge.send("ITALY", f"A Ven S A Vie-Tyr; {ROME}")
    judge.send("AUSTRIA", f"A Vie-Tyr; {BUDAPEST}")
    judge.send("GERMANY", BERLIN)
    close(judge)

    fault = "the order does not name the owner of the other unit (DATC 4.C.5)"
    assert f"A Ven S A Vie-Tyr Impossible: {fault}." in receipt.words
    assert "of which 1 cannot be carried out" in receipt.text
    assert "A VIE" in units_of(judge, "AUSTRIA")
    assert "Italy: Army Venice SUPPORT Army Vienna -> Tyrolia. (*void*)" in results(judge)
    assert f"A Ven S A Vie-Tyr was impossible: {fault}." in results(judge)


def test_an_order_with_the_wrong_unit_type_fails_and_is_printed_as_written(
    judge: Table,
) -> None:
    judge.start("baltic", "rulebook=datc,kind_wrong=illegal")

    receipt = judge.send("FRANCE", "F Par-Bur; A Mar-Spa; F Bre-Mao")
    close(judge)

    fault = "the order calls an army a fleet, or a fleet an army (DATC 4.C.2)"
    assert f"F Par-Bur Impossible: {fault}." in receipt.words
    assert "F Par-Bur" in receipt.text
    assert units_of(judge, "FRANCE") == ["F MAO", "A PAR", "A SPA"]
    assert "France: Fleet Paris -> Burgundy. (*void*)" in results(judge)
    assert f"F Par-Bur was impossible: {fault}." in results(judge)


def test_a_mistake_that_the_rulebook_forgives_is_corrected_and_printed(table: Table) -> None:
    receipt = table.send("ITALY", f"F Ven S A Vie-Tyr; {ROME}")
    close(table)

    assert "F Ven S A Vie-Tyr Read as A Ven S" in receipt.words
    assert "Italy: Army Venice SUPPORT Austrian Army Vienna -> Tyrolia. (*void*)" in results(table)
