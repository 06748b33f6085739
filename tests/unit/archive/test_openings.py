"""Openings: one line for each power, in any notation, with their names."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_openings
from judge.archive.tally import opening_lines
from judge.notation.order_text import read_order, read_owned_order
from tests.unit.archive.recorded_games import BOARD, order, phase, record

START = BOARD.start


def test_a_line_has_an_order_a_unit_by_place() -> None:
    game = record(
        phase(START, order("AUSTRIA A VIE - GAL"), order("AUSTRIA F TRI - ALB", "bounce"))
    )

    assert opening_lines(BOARD, game) == {"AUSTRIA": "A BUD H, F TRI - ALB, A VIE - GAL"}


def test_what_a_writer_leaves_out_or_adds_makes_no_other_line() -> None:
    plain = record(phase(START, order("FRANCE A MAR S A PAR - BUR"), order("FRANCE A PAR - BUR")))
    bare = replace(plain.phases[0].orders[1], order=read_order("A PAR - BUR VIA"))
    other = replace(
        plain, phases=(replace(plain.phases[0], orders=(*plain.phases[0].orders[:1], bare)),)
    )

    assert opening_lines(BOARD, plain) == opening_lines(BOARD, other)


def test_units_in_an_order_are_named_in_full() -> None:
    short = replace(order("ENGLAND F EDI H"), order=read_owned_order("EDI C LVP - NWY"))
    odd = order("ENGLAND A LVP D")

    lines = opening_lines(BOARD, record(phase(START, short, odd)))

    assert lines == {"ENGLAND": "F EDI C A LVP - NWY, F LON H, A LVP H"}


def test_a_power_that_ordered_nothing_or_what_is_not_understood_has_no_line() -> None:
    lost = replace(order("ITALY A ROM - APU"), order=None)

    lines = opening_lines(BOARD, record(phase(START, order("RUSSIA A MOS - UKR"), lost)))

    assert lines == {"RUSSIA": "A MOS - UKR, F SEV H, F STP/SC H, A WAR H"}


def test_a_game_that_begins_otherwise_has_no_openings() -> None:
    other = replace(START, units=START.units[1:])

    assert opening_lines(BOARD, record()) == {}
    assert opening_lines(BOARD, record(phase(other, order("ITALY A ROM - APU")))) == {}


@pytest.mark.parametrize(
    ("power", "line", "name"),
    [
        ("AUSTRIA", "A BUD - SER, F TRI - ALB, A VIE - GAL", "Balkan Gambit, Galician variation"),
        ("AUSTRIA", "A BUD - SER, F TRI - ALB, A VIE - BOH", "Balkan Gambit"),
        ("AUSTRIA", "A BUD - RUM, F TRI - VEN, A VIE - GAL", "Hedgehog"),
        ("ITALY", "F NAP - ION, A ROM - APU, A VEN H", "Lepanto"),
        ("RUSSIA", "A MOS - UKR, F SEV - BLA, F STP/SC - BOT, A WAR - GAL", "Southern Opening"),
        ("ITALY", "F NAP H, A ROM H, A VEN H", None),
        ("TURKEY", "F NAP - ION, A ROM - APU, A VEN H", None),
    ],
)
def test_the_name_is_that_of_the_most_orders_that_fit(
    power: str, line: str, name: str | None
) -> None:
    assert load_openings().name_of(power, line) == name


def test_every_opening_with_a_name_is_of_units_that_there_are() -> None:
    for opening in load_openings().named:
        game = record(phase(START, *(order(f"{opening.power} {each}") for each in opening.orders)))
        assert opening.orders <= {*opening_lines(BOARD, game)[opening.power].split(", ")}
