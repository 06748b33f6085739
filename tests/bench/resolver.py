"""Speed of the rules, beside the `diplomacy` package: `python -m tests.bench.resolver`.

Phases and orders are made outside the timing, and anew for each round; each phase is timed by
itself. Rounds of everything follow each other, each with a calibration loop, so that what stands
side by side was measured at the same time. What takes milliseconds, as the loop, a whole game and
the other package do, is timed by the processor, which others may want meanwhile. More games come
from the folder JUDGE_SAMPLES.

`python -m tests.bench.resolver --cold FOLDER` adjudicates each movement phase of the games in a
folder of droidippy's texts once a round, on new copies, without a warm-up pass, and prints the CPU
time of a phase.

`python -m tests.bench.resolver --variants` compares phases of large boards with those of the
standard one, with a unit for each center: movement, adjustments, and adjustments without orders
(civil disorder of all). One of the boards is a grid of 150 provinces and 20 powers.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import median

from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.boards.variant_text import read_map
from judge.boards.variant_writer import BoardFacts, PowerFacts, ProvinceFacts, write_variant
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map, Terrain
from judge.rules.phase_sequence import open_build_sites
from tests.bench import compiled, peer, processes
from tests.bench.measuring import ANCHOR_SECONDS, Table, busy, calibrate
from tests.bench.phases import SEED, Phase, fresh, full_boards, movement_phases
from tests.bench.works import GAME, WHOLE, ours, read, timed
from tests.games.records import game_10713, read_droidippy

LARGE_BOARDS = ("chaos", "empire", "western-world", "youngstown", "world")
BESIDE = {peer.ORDERED: GAME, peer.PROCESSED: GAME, peer.WHOLE: WHOLE}


def main() -> None:
    parser = ArgumentParser(description="Time the rules.")
    parser.add_argument("--rounds", type=int, default=7, help="how often each phase is timed")
    parser.add_argument("--boards", type=int, default=200, help="how many full boards are drawn")
    parser.add_argument("--no-peer", action="store_true", help="leave the other package out")
    parser.add_argument("--compiled", type=Path, metavar="WHEEL", help="time this build beside")
    parser.add_argument("--variants", action="store_true", help="only compare large boards")
    parser.add_argument("--cold", type=Path, metavar="FOLDER", help="only time these games, once")
    asked = parser.parse_args()
    if asked.cold:
        report_cold(load_map(), asked.cold, asked.rounds)
        return
    if asked.variants:
        report_variants(asked.boards, asked.rounds)
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


def report_variants(count: int, rounds: int) -> None:
    """Print how long phases take on large boards, and how many times those of the standard one."""
    standard, *large = [load_map(), *map(load_map, LARGE_BOARDS), grid_board()]
    works = {
        (board, kind): (partial(adjudicate, board), list(drawn(board, count)))
        for board in (standard, *large)
        for kind, drawn in (
            ("movement", full_boards),
            ("adjustments", adjustments),
            ("civil disorder", civil_disorder),
        )
    }
    times: dict[tuple[Map, str], list[float]] = {work: [] for work in works}
    for _ in range(rounds):
        for work, (step, phases) in works.items():
            times[work].append(median(timed("", step, phases)[""]) * 1e6)
    print(f"{rounds} rounds of {count} phases; microseconds a phase, and times the standard board")
    print(f"{'board':16}{'phase':16}provinces  powers  centers  median  ratio (range)")
    for (board, kind), taken in times.items():
        ratios = [own / beside for own, beside in zip(taken, times[standard, kind], strict=True)]
        print(
            f"{board.name:16}{kind:16}{len(board.places):9}{len(board.powers):8}"
            f"{len(board.centers):9}{median(taken):8.0f}"
            f"{median(ratios):7.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
        )


def civil_disorder(board: Map, count: int) -> Iterator[Phase]:
    """Draw *count* adjustment phases without orders, with owners of centers by chance."""
    chance = Random(SEED)
    for position, _ in full_boards(board, count):
        owners = {center: chance.choice(board.powers) for center in board.centers}
        yield replace(position, phase=types.Phase.parse("W1901A"), owners=owners), {}


def adjustments(board: Map, count: int) -> Iterator[Phase]:
    """Draw the same phases, in which each power orders its removals and builds."""
    for position, _ in civil_disorder(board, count):
        orders: dict[types.Power, list[types.Order]] = {}
        for power in board.powers:
            due = position.due(power)
            leaving = position.units_of(power)[: max(-due, 0)]
            sites = open_build_sites(board, position, power)[: max(due, 0)]
            orders[power] = [
                *(types.Disband(types.UnitName(unit.kind, unit.location)) for unit in leaving),
                *(types.Build(types.UnitName(types.UnitKind.ARMY, site)) for site in sites),
            ]
        yield position, orders


def grid_board() -> Map:
    """Return a board of ten rows of fifteen provinces, two of them seas, and 20 powers."""
    codes = [[f"{row}{column}" for column in range(10, 25)] for row in "ABCDEFGHIJ"]
    wet, shores = {*codes[2], *codes[7]}, {each for row in (1, 3, 6, 8) for each in codes[row]}
    borders = [
        (codes[row][column], codes[below][right])
        for row in range(10)
        for column in range(15)
        for below, right in ((row, column + 1), (row + 1, column), (row + 1, column + 1))
        if below < 10 and right < 15
    ]
    dry = [code for row in codes for code in row if code not in wet]
    centers = [code for number, code in enumerate(dry) if number % 5 < 3]
    facts = BoardFacts(
        name="grid",
        title="Grid",
        source="",
        start="S1901M",
        powers=tuple(
            power_facts(letter, tuple(centers[3 * number : 3 * number + 3]))
            for number, letter in enumerate("ABCDEFGHIJKLMNOPQRST")
        ),
        victory_centers=len(centers) // 2 + 1,
        provinces=tuple(
            ProvinceFacts(
                code=code,
                name=code,
                aliases=(),
                terrain=Terrain.SEA
                if code in wet
                else (Terrain.COAST if code in shores else Terrain.INLAND),
                center=code in centers,
            )
            for row in codes
            for code in row
        ),
        borders={
            "A": [pair for pair in borders if not wet & {*pair}],
            "F": [pair for pair in borders if wet & {*pair} or shores >= {*pair}],
        },
    )
    return read_map(write_variant(facts))


def power_facts(letter: str, homes: tuple[types.Province, ...]) -> PowerFacts:
    name, units = f"POWER-{letter}", tuple(f"A {home}" for home in homes)
    return PowerFacts(
        code=name,
        name=name,
        adjective=name,
        letter=letter,
        homes=homes,
        centers=homes,
        units=units,
    )


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
