"""Our own results are read back by the judge reader: the same orders and outcomes."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge import readers
from judge.archive.formats.njudge.report_parser import RowParser
from judge.archive.formats.njudge.sections import TableRow
from judge.archive.order_results import results_agree
from judge.archive.reading import Doubts
from judge.archive.records import Record
from judge.notation.order_text import write_order
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.render import render
from judge.rules.types import Order, PhaseKind, Waive
from tests.support.njudge import reading
from tests.unit.reports.samples import samples

NAMES = ("results_movement", "results_dislodged", "results_retreats", "results_adjustments")
SAMPLES = samples()


def results(name: str) -> PhaseResults:
    told = SAMPLES[name]
    assert isinstance(told, PhaseResults)
    return told


def read_back(told: PhaseResults) -> Record:
    rendered = render(told)
    lines = [f"Subject: {rendered.subject}", "", *rendered.text.splitlines()]
    [record] = readers.NJUDGE.read(reading(strict=False), lines)
    return record


@pytest.mark.parametrize("name", NAMES[:3])
def test_each_order_is_read_back_with_what_became_of_it(name: str) -> None:
    told = results(name)
    phase = read_back(told).phases[0]
    read = {(each.power, _province(each.order)): each for each in phase.orders}

    assert phase.phase == told.shared.closed
    for power, given in told.shared.orders.items():
        for outcome in given:
            found = read.get((power, _province(outcome.order)))
            if outcome.written:
                assert found
                assert type(found.order) is type(outcome.order)
                assert results_agree(found.results or (), outcome, told.shared.closed.kind)


def _province(order: Order | None) -> str | None:
    return order.unit.province if order and not isinstance(order, Waive) else None


@pytest.mark.parametrize("name", NAMES[:2])
def test_the_units_that_stand_are_those_that_were_read(name: str) -> None:
    told = results(name)
    _, after = read_back(told).phases

    assert after.position
    assert set(after.position.units) == set(told.shared.stand.units)


def test_builds_and_removals_are_read_back() -> None:
    phase = read_back(results("results_adjustments")).phases[0]

    assert [(each.power, each.text) for each in phase.orders] == [
        ("AUSTRIA", "Builds an army in Budapest."),
        ("RUSSIA", "Builds an army in Moscow."),
        ("RUSSIA", "Build waived."),
    ]


def test_the_judges_removals_and_powers_without_centers_are_no_doubt() -> None:
    rows = RowParser(load_map(), Doubts("results"), marks_convoys=True)
    removed = [TableRow("Turkey", "Removes the army in Armenia. (no order)", 1)]

    [chosen] = rows.defaulted(removed)

    assert (chosen.power, chosen.order and write_order(chosen.order)) == ("TURKEY", "A ARM D")
    assert list(rows.orders(removed, PhaseKind.ADJUSTMENTS)) == []
    assert rows.owners([TableRow("Turkey", "none.", 2)]) == {}
