"""A history of nJudge that we write reads back as the game that it was written from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.njudge import history_writer
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
)
from judge.notation.order_text import read_order
from judge.rules.adjudication import adjudicate
from judge.rules.types import Phase
from tests.support.njudge import read

BOARD = load_map()
ORDERS = {
    "ENGLAND": ("A LVP - YOR", "F LON - NTH", "F EDI H"),
    "GERMANY": ("A MUN - BUR", "A BER - KIE"),
    "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR"),
    "RUSSIA": ("F STP/SC - BOT",),
}
FALL = {
    "ENGLAND": ("A YOR - NWY VIA", "F NTH C A YOR - NWY"),
    "FRANCE": ("A BUR - MUN",),
    "GERMANY": ("A MUN - BUR", "F KIE S A MUN"),
}


def game() -> Record:
    """Return a game of two phases, of which no results are told."""
    position, phases = BOARD.start, []
    for orders in (ORDERS, FALL):
        written = [
            WrittenOrder(power, text, read_order(text))
            for power, texts in orders.items()
            for text in texts
        ]
        phases.append(RecordedPhase(position.phase, position, tuple(written)))
        given = {power: [read_order(each) for each in texts] for power, texts in orders.items()}
        position = adjudicate(BOARD, position, given).after
    phases.append(RecordedPhase(position.phase, position))
    return Record(
        name="lagoon",
        source=Source("test", "none", ""),
        numbers={"judge": "SEED:lagoon"},
        seats=(Seat("AUSTRIA", "Anna Alt"),),
        phases=tuple(phases),
        press=(RecordedPress(Phase.parse("F1901M"), "FRANCE", ("GERMANY",), "Pax?\n\nOr not."),),
    )


def again(record: Record) -> Record:
    (found,) = read("".join(history_writer.write_record(record, BOARD)))
    return found


def test_positions_read_back() -> None:
    written, found = game(), again(game())

    assert [each.position for each in found.phases] == [each.position for each in written.phases]


def test_orders_read_back_with_the_results_that_the_law_has() -> None:
    fall = {each.order: each.results for each in again(game()).phases[1].orders}

    assert fall[read_order("A YOR - NTH - NWY")] == ()
    assert fall[read_order("A MUN - BUR")] == ("bounce",)


def test_orders_are_worded_as_njudge_does() -> None:
    lines = "".join(history_writer.write_record(game(), BOARD)).split("\n")

    assert "Russia: Fleet St Petersburg (south coast) -> Gulf of Bothnia." in lines
    assert "England: Army Yorkshire -> North Sea -> Norway." in lines
    assert "Turkey: Army Smyrna, No Order Processed." in lines
    assert "Unowned:   Belgium, Bulgaria, Denmark, Greece, Holland, Portugal, Rumania," in lines
    assert "England:   4 Supply centers,  3 Units:  Builds   1 unit." in lines


@pytest.mark.parametrize(
    ("law", "line"),
    [
        pytest.param("datc,via_without_convoy=land", "Bulgaria.", id="by land"),
        pytest.param("datc", "Bulgaria via convoy. (*void*)", id="not at all"),
    ],
)
def test_an_army_that_finds_no_convoy_goes_by_land_where_its_law_has_it_so(
    law: str, line: str
) -> None:
    via = WrittenOrder("TURKEY", "A CON - BUL VIA", read_order("A CON - BUL VIA"))
    spring = RecordedPhase(BOARD.start.phase, BOARD.start, (via,))

    lines = "".join(
        history_writer.write_record(replace(game(), phases=(spring,), rulebook=law), BOARD)
    )

    assert f"Turkey: Army Constantinople -> {line}\n" in lines


def test_players_press_and_the_end_read_back() -> None:
    ending = Ending(EndKind.DRAW, ("AUSTRIA", "FRANCE"))
    found = again(replace(game(), ending=ending))

    assert [(seat.power, seat.player) for seat in found.seats] == [("AUSTRIA", "Anna Alt")]
    assert [replace(each, line=None) for each in found.press] == list(game().press)
    assert found.ending
    assert (found.ending.kind, found.ending.powers) == (ending.kind, ending.powers)


def test_what_is_written_twice_is_written_the_same() -> None:
    once = again(game())

    assert "".join(history_writer.write_record(again(once), BOARD)) == "".join(
        history_writer.write_record(once, BOARD)
    )
