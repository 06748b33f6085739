"""Games on any board are written, and read back on the board they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.adapters.variant_files import UnknownVariantError, load_map
from judge.archive.positions import PhaseReport, PrintedPosition, apply_results
from judge.archive.reading import Doubts, Reading, format_named, writer_named
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import read_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Closure, Map
from judge.rules.legality import possible_orders
from judge.rules.rulebook import DATC
from judge.rules.types import Phase, Position, Season, Unit, UnitKind

PHASES = 4


def phases(board: Map) -> Iterator[RecordedPhase]:
    """Play the last possible order of each unit."""
    position = board.start
    for _ in range(PHASES):
        orders = {
            power: [several[-1] for _, several in possible_orders(board, position, power, DATC)]
            for power in board.powers
        }
        written = tuple(
            WrittenOrder(power, "", order, ()) for power in orders for order in orders[power]
        )
        yield RecordedPhase(position.phase, position, written)
        position = adjudicate(
            board, position, {power: tuple(orders[power]) for power in orders}, DATC
        ).after


def board_named(name: str) -> Map | None:
    try:
        return load_map(name)
    except UnknownVariantError:
        return None


def read(form: str, text: str) -> list[Record]:
    reading = Reading(load_map(), "game", "", Doubts("game", strict=True), boards=board_named)
    return list(format_named(form).read(reading, text.splitlines()))


@pytest.mark.parametrize("form", ["record", "diplomacy"])
@pytest.mark.parametrize(
    "variant", ["spice-islands", "hundred", "sengoku", "vietnam-war", "chaos", "ancient-med"]
)
def test_a_game_is_read_back_on_its_own_board(form: str, variant: str) -> None:
    board = load_map(variant)
    played = tuple(phases(board))
    record = Record(
        name="lepanto", source=Source(form, "game", ""), variant=variant, phases=played
    )

    (again,) = read(form, "".join(writer_named(form)(record, board)))

    assert again.variant == variant
    assert [each.position and each.position.units for each in again.phases] == [
        each.position and each.position.units for each in record.phases
    ]
    assert [[each.order for each in phase.orders] for phase in again.phases[:PHASES]] == [
        [each.order for each in phase.orders] for phase in record.phases
    ]


CLOSED = replace(
    load_map(),
    closures=(
        Closure(
            start="VIE",
            end="BOH",
            kinds=frozenset(UnitKind),
            seasons=frozenset({Season.SPRING}),
            first=0,
            last=9999,
        ),
    ),
)
SPRING = Phase.parse("S1901M")
HELD = Unit("AUSTRIA", UnitKind.ARMY, "VIE")
ATTACK = (
    Unit("ITALY", UnitKind.ARMY, "TRI"),
    Unit("ITALY", UnitKind.ARMY, "TYR"),
)
LEFT = ("BUD", "GAL")  # of the neighbors of Vienna


def test_a_unit_of_a_printed_position_does_not_retreat_across_a_closed_border() -> None:
    printed = PrintedPosition(CLOSED, Doubts("game"))
    printed.place(HELD, 1, "A VIE", dislodged=True)
    for unit in (replace(ATTACK[0], location="VIE"), ATTACK[1]):
        printed.place(unit, 1, str(unit))

    [dislodged] = printed.position(Phase.parse("S1901R"), None, DATC).dislodged
    [in_fall] = printed.position(Phase.parse("F1901R"), None, DATC).dislodged

    assert dislodged.retreats == (*LEFT, "TRI")
    assert in_fall.retreats == ("BOH", *LEFT, "TRI")


def test_a_unit_that_results_dislodge_does_not_retreat_across_a_closed_border() -> None:
    written = (
        WrittenOrder("ITALY", "A TRI - VIE", read_order("A TRI - VIE"), ()),
        WrittenOrder("ITALY", "A TYR S A TRI - VIE", read_order("A TYR S A TRI - VIE"), ()),
        WrittenOrder("AUSTRIA", "A VIE H", read_order("A VIE H"), ("dislodged",)),
    )
    before = Position(SPRING, (HELD, *ATTACK), {})

    report = PhaseReport(phase=SPRING, orders=written)
    [dislodged] = apply_results(CLOSED, Doubts("game"), report, before).dislodged

    assert dislodged.retreats == LEFT
