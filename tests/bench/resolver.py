"""Time the rules on full boards: `python -m tests.bench.resolver [POSITIONS]`.

Every board has 34 units close together, with supports and convoys that mostly match, the same ones
at each run. The calibration loop stands beside the figures, because machines swing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import median, quantiles
from time import perf_counter

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.geography import Map
from judge.rules.intake import take_in
from judge.rules.position import Position
from judge.rules.rulebook import DATC
from judge.rules.scene import scene_of
from tests.properties.boards import Orders, crowd, tangle

POSITIONS = 500
ROUNDS = 5
UNITS = 34

Phase = tuple[Position, Orders]
Step = Callable[[Map, Position, Orders], object]


def main(count: int) -> None:
    board, chance = load_map(), Random(1901)
    phases: list[Phase] = []
    for _ in range(count):
        position = crowd(board, chance, UNITS)
        phases.append((position, tangle(board, chance, position)))
    loops: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in STEPS}
    for _ in range(ROUNDS):
        loops.append(seconds(calibrate))
        for name, step in STEPS.items():
            times[name] += [seconds(step, board, position, orders) for position, orders in phases]
    report(count, median(loops), times)


def report(count: int, loop: float, times: dict[str, list[float]]) -> None:
    print(f"{count} movement phases of {UNITS} units, {ROUNDS} rounds")
    print(f"calibration loop: {loop * 1e3:.1f} ms\n")
    print(f"{'microseconds a phase':26}{'median':>8}{'best':>8}{'worst 1%':>10}{'of a loop':>11}")
    for name, each in times.items():
        middle, worst = median(each), quantiles(each, n=100)[-1]
        figures = f"{middle * 1e6:8.0f}{min(each) * 1e6:8.0f}{worst * 1e6:10.0f}"
        print(f"{name:26}{figures}{middle / loop:11.4f}")


def seconds(work: Callable[..., object], *arguments: object) -> float:
    start = perf_counter()
    work(*arguments)
    return perf_counter() - start


def calibrate() -> int:
    total = 0
    for number in range(200_000):
        total += number * number & 7
    return total


def lay_out(board: Map, position: Position, orders: Orders) -> object:
    return take_in(scene_of(board, position, DATC), orders)


def explain(board: Map, position: Position, orders: Orders) -> object:
    result = adjudicate(board, position, orders)
    return result.outcomes, result.unordered


STEPS: dict[str, Step] = {
    "legality of all orders": lay_out,
    "adjudicated": adjudicate,
    "with every outcome's cause": explain,
}


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else POSITIONS)
