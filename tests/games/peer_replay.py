"""Load saved games into the `diplomacy` package, in its own environment, and replay them.

Each line of input is a saved game, answered by a line: where the package stands after loading it,
how many phases it has, and the names of those after which it comes to another position.
"""

import json
import sys
from importlib import import_module
from itertools import pairwise

ANSWERS, sys.stdout = sys.stdout, sys.stderr  # The package prints too.
Game = import_module("diplomacy").Game
load = import_module("diplomacy.utils.export").from_saved_game_format
PhaseData = import_module("diplomacy.utils.game_phase_data").GamePhaseData


def main() -> None:
    for line in sys.stdin:
        saved = json.loads(line)
        loaded, phases = load(saved), saved["phases"]
        differing = [
            phase["name"]
            for phase, after in pairwise(phases)
            if played(phase) != facts(after["name"], after["state"])
        ]
        answer = [loaded.get_current_phase(), len(loaded.get_phase_history()) + 1, differing]
        print(json.dumps(answer), file=ANSWERS, flush=True)


def played(phase: dict[str, dict[str, list[str]]]) -> object:
    """Return the facts after *phase*, processed by the package."""
    game = Game(rules=["SOLITAIRE"])
    game.set_phase_data(PhaseData.from_dict(phase))
    game.clear_orders()
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders or [])
    game.process()
    return facts(game.get_current_phase(), game.get_state())


def facts(name: str, state: dict[str, dict[str, list[str]]]) -> object:
    units, centers = (
        {power: sorted(each) for power, each in state[key].items()} for key in ("units", "centers")
    )
    return name, units, centers


if __name__ == "__main__":
    main()
