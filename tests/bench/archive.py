"""Speed of reading and verifying recorded games: `python -m tests.bench.archive`.

First games of droidippy: those in the folder `--droidippy`, or copies of game 10713. It takes the
processor a few ms to read one; `archive verify` reads and adjudicates them again in one process,
and the `diplomacy` package loads and replays the same games.

Then copies of game 10713, in three forms, are verified with one process and with two, each in a
process of its own. Beside each stand the seconds of the processor and how many cores the machine
gave: two processes are no faster than one where others take the second core. The `diplomacy`
package loads the same games from the same file, and replays some of them, between ours.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from judge.adapters.archive.record_files import ReadOptions, games_in
from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError, writer_named
from judge.archive.records import Record
from tests.bench import peer
from tests.bench.measuring import busy
from tests.games.records import game_10713

FORMS = ("njudge", "diplomacy", "record")
DROIDIPPY = "droidippy"
READ_MS_TARGET, VERIFIED_TARGET = 5, 100  # of the processor for a game; games a second of it
ROUNDS = 3  # of which the best counts, since others use the machine too
FEW = 100  # games, beside which the memory of many is held
REPLAYED_MAX = 20  # by the package, which takes most of a second for each
JUDGE = sys.executable, "-m", "judge", "archive"
PEER = Path(__file__).with_name("archive_peer.py")
# Starts a command and says of it, and of the processes that it started, what they took.
LAUNCHER = """
import json, os, resource, sys, time
start = time.perf_counter()
child = os.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(json.dumps([status, time.perf_counter() - start, usage.ru_utime + usage.ru_stime,
    usage.ru_maxrss / 1024]), file=sys.stderr)
"""
READ = """
import sys
from pathlib import Path
from judge.adapters.archive.record_files import ReadOptions, find_files, games_in
from judge.adapters.variant_files import load_map
for path in find_files([Path(sys.argv[1])]):
    for game in games_in(load_map(), path, ReadOptions()):
        getattr(game, "phases", None)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a command: seconds, CPU seconds, and the most MiB of a process."""

    seconds: float
    processor: float
    mebibytes: float


def main() -> None:
    parser = ArgumentParser(description="Time the reading and verifying of recorded games.")
    parser.add_argument("--copies", type=int, default=1_000, help="games that are timed")
    parser.add_argument("--games", type=int, default=10_000, help="games whose memory is measured")
    parser.add_argument("--droidippy", type=Path, help="a folder with games of droidippy")
    parser.add_argument("--no-peer", action="store_true", help="leave the other package out")
    asked = parser.parse_args()
    phases = len(game_10713())
    with TemporaryDirectory() as folder:
        report_droidippy(asked.droidippy, Path(folder), asked.copies, peer_too=not asked.no_peer)
        texts = {form: written(form) for form in FORMS}
        for form, text in texts.items():
            Path(folder, form).mkdir()
            for number in range(asked.copies):
                Path(folder, form, f"{number:06}").write_text(text)
        one_file = Path(folder, "games.jsonl")
        one_file.write_text(texts["diplomacy"] * asked.copies)
        report_speed(asked.copies, phases, [*(Path(folder, form) for form in FORMS), one_file])
        if not asked.no_peer:
            report_peer(one_file, one_file, asked.copies)
        report_memory(Path(folder, "many.jsonl"), texts["diplomacy"], asked.games)


def report_droidippy(games: Path | None, folder: Path, copies: int, *, peer_too: bool) -> None:
    """Time the reading and verifying of *games*, or of *copies* of game 10713."""
    if games is None:
        games = folder / DROIDIPPY
        games.mkdir()
        for number in range(copies):
            (games / f"{number:06}").write_text(written(DROIDIPPY))
    kept = folder / "readable"
    kept.mkdir()
    paths = [
        Path(shutil.copy(each, kept))
        for each in sorted(games.iterdir())
        if isinstance(first_game(each), Record)
    ]
    read = sum(min(busy(first_game, each) for _ in range(ROUNDS)) for each in paths)
    start, verify = (
        min(run(*JUDGE, "verify", "--jobs", "1", str(path)).processor for _ in range(ROUNDS))
        for path in (paths[0], kept)
    )
    print(f"{f'{len(paths):,} games of droidippy':40}{'of cpu':>12}{'target':>12}")
    print(f"{'read, ms a game':40}{1000 * read / len(paths):12.2f}{READ_MS_TARGET:12}")
    rate = (len(paths) - 1) / (verify - start)  # without the start of the process
    print(f"{'verified, games/s':40}{rate:12.1f}{VERIFIED_TARGET:12}\n", flush=True)
    if peer_too:
        saved = folder / "droidippy.jsonl"
        with saved.open("w") as file:
            for each in paths:
                game = first_game(each)
                assert isinstance(game, Record), "those are chosen"
                file.writelines(writer_named("diplomacy")(game, load_map()))
        report_peer(kept, saved, len(paths))


def first_game(path: Path) -> Record | UnreadableError:
    """Return the first game in *path*, or why it cannot be read; all of them are read."""
    first, *_ = games_in(load_map(), path, ReadOptions())
    return first


def written(form: str) -> str:
    """Return game 10713 as a file of *form*."""
    saved = [
        {
            "name": each["phase"],
            "state": {"units": each["units"], "centers": each["centers"]},
            "orders": each["orders"],
        }
        for each in game_10713()
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder, "10713")
        path.write_text(json.dumps({"id": "10713", "map": "standard", "phases": saved}) + "\n")
        (record,) = games_in(load_map(), path, ReadOptions())
    assert isinstance(record, Record), record
    return "".join(writer_named(form)(record, load_map()))


def report_speed(copies: int, phases: int, paths: Sequence[Path]) -> None:
    print(f"{f'verify {copies:,} copies of game 10713':40}", end="")
    print("".join(f"{name:>12}" for name in ("games/s", "phases/s", "seconds", "of cpu", "cores")))
    for path in paths:
        for jobs in (1, 2):
            cost = run(*JUDGE, "verify", "--jobs", str(jobs), str(path))
            rate, cores = copies / cost.seconds, cost.processor / cost.seconds
            name = f"{path.name}, {jobs} process{'es' * (jobs > 1)}"
            figures = f"{rate:12,.1f}{rate * phases:12,.0f}{cost.seconds:12.2f}"
            print(f"{name:40}{figures}{cost.processor:12.2f}{cores:12.2f}", flush=True)
    print(f"Two processes that only count get {allowed():.2f} cores here just now.\n", flush=True)


def allowed() -> float:
    """Return how many cores the machine gives to two processes."""
    fork = get_context("fork")
    start = perf_counter()
    with fork.Pool(2) as pool:
        counted = sum(pool.map(count, [10_000_000] * 2, chunksize=1))
    return counted / (perf_counter() - start)


def count(steps: int) -> float:
    """Count, and return the seconds of the processor that this took."""
    start = process_time()
    for _ in range(steps):
        pass
    return process_time() - start


def report_peer(path: Path, saved: Path, copies: int) -> None:
    """Load and replay the same games: *path* with the judge, the *saved* ones with the package.

    They do so one after another, so that they had the same machine.
    """
    replayed = min(REPLAYED_MAX, copies)
    theirs = json.loads(
        subprocess.run(
            [peer.environment(), PEER, saved, str(replayed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        ).stdout
    )
    read = run(sys.executable, "-c", READ, str(path))
    verify = run(*JUDGE, "verify", "--jobs", "1", str(path))
    print(f"{f'games/s, one process, {path.name}':40}{'judge':>12}{peer.NAME:>18}{'ratio':>10}")
    for name, ours, their in (
        ("read", copies / read.seconds, theirs["loaded"]),
        ("all phases adjudicated again", copies / verify.seconds, theirs["replayed"]),
    ):
        print(f"{name:40}{ours:12,.1f}{their:18,.2f}{ours / their:10,.1f}", flush=True)
    print()


def report_memory(path: Path, text: str, many: int) -> None:
    print(f"{'peak memory of a process, MiB':40}{f'{FEW} games':>16}{f'{many:,} games':>16}")
    tables = str(path.with_suffix(".tables"))
    commands = {
        "verify": ("verify", "--jobs", "1"),
        "convert --to record": ("convert", "--to", "record", "-o", os.devnull, "--jobs", "1"),
        "convert --to parquet": ("convert", "--to", "parquet", "-o", tables, "--jobs", "1"),
    }
    for name, command in commands.items():
        figures = []
        for games_count in (FEW, many):
            with path.open("w") as file:
                file.writelines(repeated(text, games_count))
            figures.append(run(*JUDGE, *command, str(path)).mebibytes)
        print(f"{name:40}" + "".join(f"{figure:16.1f}" for figure in figures), flush=True)


def repeated(text: str, times: int) -> Iterator[str]:
    for _ in range(times):
        yield text


def run(*command: str) -> Cost:
    """Return what *command* takes."""
    launched = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    status, *cost = json.loads(launched.stderr.splitlines()[-1])
    assert os.waitstatus_to_exitcode(status) in {0, 1}, launched.stderr  # 1: something differs
    return Cost(*cost)


if __name__ == "__main__":
    main()
