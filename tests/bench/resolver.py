"""How fast the rules are, beside the `diplomacy` package: `python -m tests.bench.resolver`.

Phases and orders are made outside the timing, and anew for each round; each phase is timed by
itself. Rounds of everything follow each other, each with a calibration loop, so that what stands
side by side was measured at the same time. What takes milliseconds, as the loop, a whole game and
the other package do, is timed by the processor, which others may want meanwhile. More games come
from the folder JUDGE_SAMPLES.
"""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from judge.adapters.variant_files import load_map
from tests.bench import compiled, peer, processes
from tests.bench.measuring import ANCHOR_SECONDS, Table
from tests.bench.works import GAME, WHOLE, ours
from tests.games.records import game_10713

BESIDE = {peer.ORDERED: GAME, peer.PROCESSED: GAME, peer.WHOLE: WHOLE}


def main() -> None:
    parser = ArgumentParser(description="Time the rules.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each phase is timed")
    parser.add_argument("--boards", type=int, default=200, help="how many full boards are drawn")
    parser.add_argument("--no-peer", action="store_true", help="leave the other package out")
    parser.add_argument("--compiled", type=Path, metavar="WHEEL", help="time this build beside")
    asked = parser.parse_args()
    table = Table()
    with ExitStack() as stack:
        works = ours(load_map(), asked.boards)
        if not asked.no_peer:
            works.append(stack.enter_context(peer.running(game_10713())))
        if asked.compiled:
            works += stack.enter_context(compiled.running(asked.compiled, asked.boards))
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
        beside = BESIDE.get(name, name.removesuffix(compiled.SUFFIX))
        each = [median(phase) for phase in phases]
        row = median(each), median(map(min, phases)), max(each), loops * ANCHOR_SECONDS
        ratio = f"{loops / table.loops(beside):10.2f}" if beside != name else ""
        print(f"{name:48}" + "".join(f"{figure * 1e6:10,.1f}" for figure in row) + ratio)


if __name__ == "__main__":
    main()
