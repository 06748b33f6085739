"""How fast the rules are, beside the `diplomacy` package: `python -m tests.bench.resolver`.

Phases and orders are made outside the timing, and anew for each round; each phase is timed by
itself. Rounds of everything follow each other, each with a calibration loop, so that what stands
side by side was measured at the same time. More games come from the folder JUDGE_SAMPLES.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from statistics import median

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.geography import Map
from judge.rules.position import Position
from tests.bench import peer, processes
from tests.bench.measuring import ANCHOR_SECONDS, Table, Times, seconds
from tests.bench.phases import fresh, full_boards, movement_phases, orders_in
from tests.games.records import game_10713, sample_games
from tests.properties.boards import Orders

GAME, WHOLE = "game 10713", "game 10713, all 42 phases"
BESIDE = {peer.ORDERED: GAME, peer.PROCESSED: GAME, peer.WHOLE: WHOLE}


def main() -> None:
    parser = ArgumentParser(description="Time the rules.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each phase is timed")
    parser.add_argument("--boards", type=int, default=200, help="how many full boards are drawn")
    parser.add_argument("--no-peer", action="store_true", help="leave the other package out")
    asked = parser.parse_args()
    table = Table()
    with ExitStack() as stack:
        works = ours(load_map(), asked.boards)
        if not asked.no_peer:
            works.append(stack.enter_context(peer.running(game_10713())))
        for work in works:
            work()  # warms up
        for _ in range(asked.rounds):
            for work in works:
                table.add(work)
    report(table)
    processes.report(with_peer=not asked.no_peer)


def report(table: Table) -> None:
    loop = median(each.loop for rounds in table.rounds.values() for each in rounds)
    print(f"The calibration loop takes {loop * 1e3:.1f} ms; anchor: if it took 10.5 ms\n")
    columns = "".join(f"{name:>10}" for name in ("median", "best", "hardest", "anchor", "ratio"))
    print(f"{'microseconds':48}{columns}")
    for name in table.rounds:
        phases, loops = table.phases(name), table.loops(name)
        each = [median(phase) for phase in phases]
        row = median(each), median(map(min, phases)), max(each), loops * ANCHOR_SECONDS
        ratio = f"{loops / table.loops(BESIDE[name]):10.1f}" if name in BESIDE else ""
        print(f"{name:48}" + "".join(f"{figure * 1e6:10,.1f}" for figure in row) + ratio)


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
    return [*works, partial(timed, WHOLE, partial(play, board), [(orders,)])]


def timed(name: str, step: Callable[..., object], phases: Iterable[Sequence[object]]) -> Times:
    """Take *step* on new copies of *phases*."""
    return {name: [seconds(step, *each) for each in fresh(phases)]}


def read(board: Map, position: Position, orders: Orders) -> object:
    """Adjudicate, and look at all that became of the orders."""
    result = adjudicate(board, position, orders)
    every = chain(result.outcomes, result.unordered)
    return [(each.fate, getattr(each.verdict, "cause", None)) for each in every]


def play(board: Map, orders: Sequence[Orders]) -> None:
    """Adjudicate phase after phase."""
    position = board.start
    for each in orders:
        position = adjudicate(board, position, each).after


if __name__ == "__main__":
    main()
