"""The text of droidippy: its form, and what it cannot express."""

from __future__ import annotations

from judge.archive.formats.droidippy import write_record
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import read_order
from judge.rules.types import Phase, Position, Unit, UnitKind
from tests.unit.archive.reading import BOARD

LYON = Unit("FRANCE", UnitKind.FLEET, "LYO")
SPAIN = Unit("ITALY", UnitKind.FLEET, "SPA/SC")


def test_pieces_stand_by_the_codes_of_droidippy() -> None:
    position = Position(Phase.parse("F1902M"), (LYON, SPAIN), {"SPA": "ITALY"})

    assert written(position, ("FRANCE", "F LYO - MAR"), ("ITALY", "F SPA/SC - LYO")) == (
        "PHASE 1902 Fall Movement\n"
        "POSITIONS\n"
        "France: fleet gol\n"
        "Italy: supply spa\n"
        "Italy: fleet spa/sc\n"
        "ORDERS\n"
        "gol move mar\n"
        "spa/sc move gol\n"
        "END\n"
    )


def test_adjustments_are_those_of_the_fall() -> None:
    position = Position(Phase.parse("W1902A"), (LYON,), {"MAR": "FRANCE"})

    text = written(position, ("FRANCE", "F MAR B"), ("FRANCE", "F LYO D"), ("FRANCE", "WAIVE"))

    assert text.startswith("PHASE 1902 Fall Adjustment\n")
    assert text.endswith("ORDERS\nbuild Fleet mar\nremove gol\nEND\n")


def test_an_order_for_what_is_not_there_or_not_ones_own_cannot_be_said() -> None:
    position = Position(Phase.parse("F1902M"), (LYON, SPAIN))

    text = written(position, ("FRANCE", "A PAR - BUR"), ("FRANCE", "F SPA/SC - LYO"))

    assert text.endswith("ORDERS\nEND\n")


def test_the_last_edition_of_a_phase_counts() -> None:
    first, second = (
        RecordedPhase(Phase.parse("F1902M"), Position(Phase.parse("F1902M"), (unit,)), edition=n)
        for n, unit in enumerate((SPAIN, LYON), 1)
    )

    text, _ = write_record(
        Record(name="", source=Source("", "", ""), phases=(first, second)), BOARD
    )

    assert "gol" in text
    assert "spa" not in text


def written(position: Position, *orders: tuple[str, str]) -> str:
    given = tuple(WrittenOrder(power, text, read_order(text)) for power, text in orders)
    phase = RecordedPhase(position.phase, position, given)
    return "".join(
        write_record(Record(name="", source=Source("", "", ""), phases=(phase,)), BOARD)
    )
