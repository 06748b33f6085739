"""Adjudicates positions with the `diplomacy` package, in its environment: started by `map_files`.

The name of a map is the argument. The first line of output holds every step that a unit can take
without a convoy. Each line of input is a position with orders; it is answered by the units that
are not dislodged, and those that are.
"""

import json
import sys
from importlib import import_module

ANSWERS, sys.stdout = sys.stdout, sys.stderr  # The package prints too.
Game = import_module("diplomacy").Game


def main(name: str) -> None:
    game = Game(map_name=name)
    board = game.map
    steps = sorted(
        f"{kind} {start} - {end}"
        for (kind, start, order, end), can in board.abuts_cache.items()
        if can and order == "-" and (kind == "F" or "/" not in end)
    )
    print(json.dumps(steps), file=ANSWERS, flush=True)
    for line in sys.stdin:
        print(json.dumps(adjudicated(name, json.loads(line))), file=ANSWERS, flush=True)


def adjudicated(name: str, case: dict[str, dict[str, list[str]]]) -> dict[str, list[str]]:
    """Return the units that stay or arrive, and those that are dislodged, with their powers."""
    game = Game(map_name=name)
    game.set_state({"name": game.get_current_phase(), "units": case["units"], "centers": {}})
    for power, orders in case["orders"].items():
        game.set_orders(power, orders)
    game.process()
    results = game.result_history.last_value()
    after = game.get_state()["units"]
    owners = {unit: power for power, units in case["units"].items() for unit in units}
    return {
        "after": sorted(
            f"{power} {unit}"
            for power, units in after.items()
            for unit in units
            if not unit.startswith("*")
        ),
        "dislodged": sorted(
            f"{owners[unit]} {unit}"
            for unit, said in results.items()
            if any(str(each) == "dislodged" for each in said)
        ),
    }


if __name__ == "__main__":
    main(sys.argv[1])
