"""Games on any board are written, and read back on the board that they name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.adapters.variant_files import UnknownVariantError, load_map
from judge.archive.reading import Doubts, Reading, format_named, writer_named
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.legality import possible_orders
from judge.rules.rulebook import DATC

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
