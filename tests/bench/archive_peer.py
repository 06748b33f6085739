"""Loads and replays saved games with the `diplomacy` package, in its environment.

Started by `archive` with a file, a game a line, and how many of them to replay. Prints how many
games a second it loads and how many it replays.
"""

import json
import sys
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter

ANSWERS, sys.stdout = sys.stdout, sys.stderr  # The package prints too.
Game = import_module("diplomacy").Game
from_saved_game_format = import_module("diplomacy.utils.export").from_saved_game_format


def main() -> None:
    path, replayed = Path(sys.argv[1]), int(sys.argv[2])
    loaded, start = 0, perf_counter()
    with path.open() as lines:
        for line in lines:
            from_saved_game_format(json.loads(line))
            loaded += 1
    middle = perf_counter()
    with path.open() as lines:
        for line in islice(lines, replayed):
            replay(json.loads(line)["phases"])
    end = perf_counter()
    rates = {"loaded": loaded / (middle - start), "replayed": replayed / (end - middle)}
    print(json.dumps(rates), file=ANSWERS, flush=True)


def replay(phases: list[dict[str, dict[str, list[str]]]]) -> None:
    """Set the orders of each phase but the last, which has none, and process it."""
    game = Game()
    for phase in phases[:-1]:
        for power, orders in phase["orders"].items():
            game.set_orders(power, orders or [])
        game.process()


if __name__ == "__main__":
    main()
