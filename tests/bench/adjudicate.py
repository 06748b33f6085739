"""How many positions a second `judge adjudicate` answers from a pipe, and in how much memory.

Run it as `python tests/bench/adjudicate.py [POSITIONS]`. The positions are movement phases of a
full board, 34 units with an order each, drawn from a fixed seed. The loop beside it tells how fast
the machine was at that moment: compare ratios, not seconds.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from judge.adapters.variant_files import load_map
from judge.rules.geography import Map, Terrain

POSITIONS = 10_000
UNITS = 34
SEED = 1901


def main() -> None:
    """Measure, and print one line a figure."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else POSITIONS
    asked = "".join(f"{json.dumps(each)}\n" for each in positions(load_map(), count)).encode()
    before = calibration_seconds()
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-m", "judge", "adjudicate"], input=asked, capture_output=True, check=True
    )
    seconds = time.perf_counter() - start
    after = calibration_seconds()
    assert run.stdout.count(b"\n") == count
    assert b'"error"' not in run.stdout
    peak_mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    loop = min(before, after)
    print(
        f"positions         {count:10,}  of {UNITS} units, {len(asked) / count:,.0f} bytes a line"
    )
    print(f"positions/s       {count / seconds:10,.0f}  ({seconds:.2f} s, start-up included)")
    print(f"a position        {seconds / count * 1e6:10,.0f}  microseconds")
    print(
        f"calibration loop  {loop * 1e3:10.1f}  ms; {seconds / count / loop:.4f} loops a position"
    )
    print(f"peak RSS          {peak_mib:10.1f}  MiB")


def calibration_seconds() -> float:
    """Return the best of five runs of a loop that does nothing but arithmetic."""

    def loop() -> None:
        total = 0
        for i in range(200_000):
            total += i * i & 7

    return min(timed(loop) for _ in range(5))


def timed(work: Callable[[], None]) -> float:
    """Return how many seconds *work* took."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def positions(board: Map, count: int) -> Iterator[dict[str, object]]:
    """Draw *count* movement phases."""
    draw = random.Random(SEED)
    for _ in range(count):
        units: dict[str, list[str]] = {power: [] for power in board.powers}
        orders: dict[str, list[str]] = {power: [] for power in board.powers}
        placed = [
            drawn_unit(board, draw, place) for place in draw.sample(list(board.places), UNITS)
        ]
        for unit in placed:
            power = draw.choice(board.powers)
            units[power].append(unit)
            orders[power].append(drawn_order(board, draw, unit, placed))
        yield {
            "phase": "S1905M",
            "units": units,
            "centers": {power: list(board.homes_of(power)) for power in board.powers},
            "orders": orders,
        }


def drawn_unit(board: Map, draw: random.Random, province: str) -> str:
    """Draw a unit that can stand in *province*."""
    terrain = board.places[province].terrain
    kinds = {Terrain.INLAND: "A", Terrain.SEA: "F", Terrain.COAST: "AF"}[terrain]
    kind = draw.choice(kinds)
    coasts = board.coasts_of(province) if kind == "F" else ()
    return f"{kind} {draw.choice(coasts or (province,))}"


def drawn_order(board: Map, draw: random.Random, unit: str, others: list[str]) -> str:
    """Draw an order: a move for half of the units, else a hold, a support or a convoy."""
    target = drawn_target(board, draw, unit)
    other = draw.choice(others)
    sort = draw.random()
    if sort < 0.5:
        return f"{unit} - {target}"
    if sort < 0.6 or other == unit:
        return f"{unit} H"
    if sort < 0.7:
        return f"{unit} S {other}"
    if sort < 0.95 or unit[0] == "A" or other[0] == "F":
        return f"{unit} S {other} - {drawn_target(board, draw, other)}"
    return f"{unit} C {other} - {draw.choice(others)[2:5]}"


def drawn_target(board: Map, draw: random.Random, unit: str) -> str:
    """Draw a neighbor of *unit*."""
    borders = board.army if unit[0] == "A" else board.fleet
    return draw.choice(sorted(borders[unit[2:]]))


if __name__ == "__main__":
    main()
