"""How fast the rules are, beside the `diplomacy` package: `python -m tests.bench.resolver`.

Phases and orders are made outside the timing, and anew for each round; each phase is timed by
itself. Rounds of everything follow each other, each with a calibration loop, so that what stands
side by side was measured at the same time. What takes milliseconds, as the loop, a whole game and
the other package do, is timed by the processor, which others may want meanwhile. More games come
from the folder JUDGE_SAMPLES.

`python -m tests.bench.resolver --cold FOLDER` adjudicates each movement phase of the games in a
folder of droidippy's texts once a round, on new copies, without a warm-up pass, and prints the CPU
time of a phase.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median

from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from tests.bench import compiled, peer, processes
from tests.bench.measuring import ANCHOR_SECONDS, Table, busy, calibrate
from tests.bench.phases import fresh, movement_phases
from tests.bench.works import GAME, WHOLE, ours, read
from tests.games.records import game_10713, read_droidippy

BESIDE = {peer.ORDERED: GAME, peer.PROCESSED: GAME, peer.WHOLE: WHOLE}


def main() -> None:
    parser = ArgumentParser(description="Time the rules.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each phase is timed")
    parser.add_argument("--boards", type=int, default=200, help="how many full boards are drawn")
    parser.add_argument("--no-peer", action="store_true", help="leave the other package out")
    parser.add_argument("--compiled", type=Path, metavar="WHEEL", help="time this build beside")
    parser.add_argument("--cold", type=Path, metavar="FOLDER", help="only time these games, once")
    asked = parser.parse_args()
    if asked.cold:
        report_cold(load_map(), asked.cold, asked.rounds)
        return
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


def report_cold(board: Map, folder: Path, rounds: int) -> None:
    """Print what a movement phase costs that no earlier pass has prepared the processor for."""
    games, unread = [], 0
    for file in sorted(folder.glob("*.txt")):
        try:
            games.append(read_droidippy(file.read_text(errors="replace")))
        except UnreadableError:
            unread += 1
    phases = movement_phases(board, games)
    print(f"{len(phases):,} movement phases of {len(games)} games; {unread} games not read")
    print(f"microseconds a phase, {rounds} rounds: median and range")
    loops = [busy(calibrate) for _ in range(rounds)]
    for step, target in ((adjudicate, 70), (read, 130)):
        times = []
        for _ in range(rounds):
            copies = fresh(phases)
            times.append(busy(take_each, partial(step, board), copies) / len(phases) * 1e6)
            loops.append(busy(calibrate))
        anchored = median(times) / median(loops) * ANCHOR_SECONDS
        print(
            f"{step.__name__:12}{median(times):8.1f} ({min(times):.1f}-{max(times):.1f}), "
            f"anchor {anchored:.1f}, target {target}"
        )
    spread = f"{min(loops) * 1e3:.1f}-{max(loops) * 1e3:.1f}"
    print(f"The calibration loop takes {median(loops) * 1e3:.1f} ms ({spread}); anchor: 10.5 ms")


def take_each(step: Callable[..., object], phases: Sequence[Sequence[object]]) -> None:
    for each in phases:
        step(*each)


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
