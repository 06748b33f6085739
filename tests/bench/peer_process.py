"""Times the `diplomacy` package, in its environment: started by `peer`.

The first line of input holds the phases of a game. Each further line is answered by a line: the
seconds of the processor for each movement phase, for its processing alone, and for the whole game.
"""

import json
import sys
from importlib import import_module
from time import process_time

ANSWERS, sys.stdout = sys.stdout, sys.stderr  # The package prints too.
Game = import_module("diplomacy").Game


def main() -> None:
    phases = json.loads(sys.stdin.readline())
    movement = [phase for phase in phases if phase["phase"].endswith("M")]
    for _ in sys.stdin:
        ordered, processed = zip(*map(phase_seconds, movement), strict=True)
        print(json.dumps([ordered, processed, [game_seconds(phases)]]), file=ANSWERS, flush=True)


def phase_seconds(phase: dict[str, dict[str, list[str]]]) -> tuple[float, float]:
    """Return how long a phase takes, and how long without the setting of its orders."""
    game = Game()
    game.set_state({"name": phase["phase"], "units": phase["units"], "centers": phase["centers"]})
    start = process_time()
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    middle = process_time()
    game.process()
    end = process_time()
    return end - start, end - middle


def game_seconds(phases: list[dict[str, dict[str, list[str]]]]) -> float:
    """Return how long it takes to play all *phases* but the last, which has no orders."""
    game = Game()
    start = process_time()
    for phase in phases[:-1]:
        for power, orders in phase["orders"].items():
            game.set_orders(power, orders)
        game.process()
    return process_time() - start


if __name__ == "__main__":
    main()
