"""The rules' workloads that the bench times, each with a name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain

from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcomes import Fails
from judge.rules.types import Position
from tests.bench.measuring import Times, busy, seconds
from tests.bench.phases import fresh, full_boards, movement_phases, orders_in
from tests.games.records import game_10713, sample_games
from tests.properties.random_positions import Orders

GAME, WHOLE = "game 10713", "game 10713, all 42 phases"


def ours(board: Map, boards: int) -> list[Callable[[], Times]]:
    """Return what does a round of the rules, piece by piece."""
    game = game_10713()
    sets = {
        GAME: movement_phases(board, [game]),
        "full boards": list(full_boards(board, boards)),
    }
    if os.environ.get("JUDGE_SAMPLES"):
        sets["JUDGE_SAMPLES"] = movement_phases(board, (each for _, each in sample_games()))
    orders = [orders_in(board, recorded["orders"]) for recorded in game[:-1]]
    works = [
        partial(timed, f"{name}{asked}", partial(step, board), phases)
        for name, phases in sets.items()
        for asked, step in (("", adjudicate), (", all outcomes and causes read", read))
    ]
    works += [
        partial(take_times, f"{GAME}{asked}, {kept}", partial(step, board), sets[GAME])
        for take_times, kept in (
            (timed_at_once, "made just before"),
            (timed_as_read, "as readers give it"),
        )
        for asked, step in (("", adjudicate), (", all read", read))
    ]
    return [*works, partial(timed_whole, WHOLE, partial(play, board), orders)]


def warm(step: Callable[..., object], phases: Iterable[Sequence[object]]) -> None:
    """Take *step* on *phases* without timing it.

    The anchors come from runs over thousands of phases. Without this, each round would time the
    first thousandth of a second after other work, in which the processor has yet to fetch the
    rules and to guess their branches.
    """
    for each in phases:
        step(*each)


def timed(name: str, step: Callable[..., object], phases: Iterable[Sequence[object]]) -> Times:
    """Take *step* on new copies of *phases*."""
    copies = fresh(phases)
    warm(step, phases)
    return {name: [seconds(step, *each) for each in copies]}


def timed_whole(name: str, step: Callable[..., object], orders: Sequence[Orders]) -> Times:
    """Take *step* on a new copy of *orders*, so long that others may want the processor too."""
    step(orders)
    return {name: [busy(step, fresh(orders))]}


def timed_at_once(
    name: str, step: Callable[..., object], phases: Iterable[Sequence[object]]
) -> Times:
    """Take *step* on each phase when its copy is made, so that it need not be fetched from afar.

    So it is where orders are read and then adjudicated. `timed` makes all copies beforehand: then
    none is left in the caches of the processor, and to fetch it costs about as much as a stage.
    """
    warm(step, phases)
    return {name: [seconds(step, *fresh([each])[0]) for each in phases]}


def timed_as_read(
    name: str, step: Callable[..., object], phases: Iterable[Sequence[object]]
) -> Times:
    """Take *step* on the phases themselves.

    So it is in a judge and an archive: who reads positions and orders there keeps those in common
    use, and gives the same ones each time (`judge.archive.position_json`).
    """
    warm(step, phases)
    return {name: [seconds(step, *each) for each in phases]}


def read(board: Map, position: Position, orders: Orders) -> object:
    """Adjudicate, and read the result of every order."""
    result = adjudicate(board, position, orders)
    every = chain(result.outcomes, result.unordered)
    return [
        (each.fate, each.verdict.cause if isinstance(each.verdict, Fails) else each.verdict)
        for each in every
    ]


def play(board: Map, orders: Sequence[Orders]) -> None:
    """Adjudicate phase after phase."""
    position = board.start
    for each in orders:
        position = adjudicate(board, position, each).after
