"""Files with several games of any content are read back as written, in every format."""

from __future__ import annotations

from dataclasses import replace
from random import Random  # noqa: TID251 seeded by Hypothesis

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from judge.archive.reading import (
    HEAD_CHARACTERS,
    WRITERS,
    Doubts,
    Reading,
    format_named,
    writer_named,
)
from judge.archive.records import Record, RecordedPhase, RecordedPress
from judge.rules.types import Convoy, Move, Order, PhaseKind, SupportHold, SupportMove
from tests.properties.conflicts import seeds
from tests.properties.full_records import BOARD, FULL, records
from tests.properties.random_records import played

LENGTHS = st.integers(1, 6)
SAID_IN_REPORTS = (
    "Movement results for Spring of 1901. (lagoon.001)",
    "---- History terminated due to end of information.",
    "End of message.",
    "Date: Mon Mar 09 1998 23:30:00 +0000",
    "Subject: SEED:lagoon - S1901M Results",
    ":: Judge: SEED  Game: Lido  Variant: Standard",
    "From seed@seed.example Tue Mar 10 00:00:00 1998",
    "Pax?",
    "> Pax?",
    "",
)


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=settings().max_examples // 8)
@example(chance=Random(1), lengths=[1, 6], skipped=2)  # noqa: S311 no secret
@given(chance=seeds, lengths=st.lists(LENGTHS, min_size=2, max_size=3), skipped=LENGTHS)
def test_several_games_in_one_file_are_read_as_several(
    name: str, chance: Random, lengths: list[int], skipped: int
) -> None:
    games = [played(BOARD, chance, phases=n + skipped, rulebook="droidippy") for n in lengths]
    late = [begun_later(each, skipped) for each in games]

    again = read(name, "".join(written(name, each) for each in (*games, *late)))

    assert [boards(each) for each in again] == [boards(each) for each in (*games, *late)]


@pytest.mark.parametrize("name", WRITERS)
@example(game=FULL)
@given(game=records())
def test_any_record_is_written_as_one_game(name: str, game: Record) -> None:
    assert len(read(name, written(name, game), strict=False)) == 1


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_a_history_of_njudge_tells_positions_orders_and_results(
    chance: Random, length: int
) -> None:
    game = played(BOARD, chance, phases=length)

    (again,) = read("njudge", written("njudge", game))

    assert boards(again) == boards(game)
    assert [said(each) for each in again.phases] == [said(each) for each in game.phases]


@example([*SAID_IN_REPORTS])
@given(st.lists(st.sampled_from(SAID_IN_REPORTS), max_size=4))
def test_press_that_looks_like_a_report_is_press(lines: list[str]) -> None:
    game = played(BOARD, Random(1), phases=2)  # noqa: S311 no secret
    message = RecordedPress(BOARD.start.phase, "ITALY", ("FRANCE",), "\n".join(lines).strip("\n"))

    (again,) = read("njudge", written("njudge", replace(game, press=(message,))))

    assert boards(again) == boards(game)
    assert [unquoted(each) for each in again.press] == [unquoted(message)]


def begun_later(game: Record, skipped: int) -> Record:
    """Return *game* from a movement phase on, without the *skipped* phases at least."""
    phases = game.phases[skipped:]
    kinds = [each.phase.kind for each in phases]
    start = kinds.index(PhaseKind.MOVEMENT) if PhaseKind.MOVEMENT in kinds else len(kinds)
    return replace(game, phases=phases[start:] or game.phases)


def written(name: str, game: Record) -> str:
    return "".join(writer_named(name)(game, BOARD))


def read(name: str, text: str, *, strict: bool = True) -> list[Record]:
    form = format_named(name)
    assert form.recognizes(text[:HEAD_CHARACTERS])
    reading = Reading(BOARD, "game", "0", Doubts("game", strict), keep_addresses=True)
    return list(form.read(reading, text.split("\n")))


def boards(game: Record) -> list[object]:
    """Return what every format tells of the phases of *game*."""
    return [_board(each) for each in game.phases]


def _board(phase: RecordedPhase) -> object:
    position = phase.position
    assert position
    dislodged = [(each.unit, set(each.retreats)) for each in position.dislodged]
    return phase.phase, position.units, position.owners, dislodged


def said(phase: RecordedPhase) -> dict[object, object]:
    """Return the orders of *phase* with their results, as far as nJudge can tell them apart."""
    return {
        (each.power, bare(each.order)): set(each.results or ())
        for each in phase.orders
        if each.order
    }


def bare(order: Order) -> Order:
    """Return *order* without the seas of a convoy, and without the nation of a unit it helps."""
    match order:
        case Move():
            return replace(order, route=(), via_convoy=False)
        case SupportHold(supported=other) | SupportMove(supported=other):
            return replace(order, supported=replace(other, power=None))
        case Convoy(army=army):
            return replace(order, army=replace(army, power=None))
        case _:
            return order


def unquoted(message: RecordedPress) -> object:
    """Return *message* without the marks of quotation behind which it may be put."""
    lines = [line.removeprefix("> ") for line in message.text.split("\n")]
    return message.phase, message.sender, message.readers, lines
