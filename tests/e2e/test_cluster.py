"""`judge archive --cluster`: a scheduler and two workers of Dask, real, on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from time import sleep

import pyarrow.parquet as pq
import pytest

from judge.adapters.variant_files import load_map
from judge.archive.reading import writer_named
from judge.archive.record_tables import TABLES
from judge.archive.records import Record, RecordedPhase, Source
from judge.rules.types import Phase, Position
from tests.support.daemon import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
DASK = sys.executable, "-m", "dask"
ADDRESS = "--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"
WORKER = "--nthreads", "1", "--no-nanny"
GAMES, FILES = 2_000, 3
SPRING = Phase.parse("S1901M")

pytestmark = pytest.mark.skipif(
    not find_spec("distributed"),
    reason="Dask has no wheel for this Python"
    if sys.version_info >= (3, 15)
    else "needs-server: Dask, the extra `cluster`, is missing",
)


class Cluster:
    """A scheduler, and those who work for it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        found = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--scheduler-file", str(found))
        while not (found.exists() and found.read_text().endswith("}")):
            sleep(0.05)
        self.address = json.loads(found.read_text())["address"]

    def work(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        return self._start("worker", self.address, *WORKER, "--local-directory", str(self._folder))

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*DASK, *command, *ADDRESS],
            cwd=self._folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.terminate)
        return process


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    with ExitStack() as stack:
        yield Cluster(tmp_path / "dask", stack)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder of files, the largest with a game a line, the last not to be read to its end."""
    board = load_map()
    start = RecordedPhase(SPRING, Position(SPRING, board.start.units, board.start.owners))
    record = Record(name="start", source=Source("zine", "a file", "0"), phases=(start,))
    line = "".join(writer_named("record")(record, board))
    (tmp_path / "games").mkdir()
    for name in range(FILES):
        (tmp_path / "games" / f"{name}").write_text(line)
    (tmp_path / "games" / "many").write_text(line * (GAMES - FILES - 1))
    (tmp_path / "games" / "wrong").write_text(f"{line}{{]\n")
    return tmp_path / "games"


def archive(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "judge", "archive", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(*arguments: object) -> tuple[str, str, int]:
    with archive(*arguments) as process:
        return (*process.communicate(), process.returncode)


def test_two_workers_give_the_same_results_as_one_process(
    cluster: Cluster, games: Path, tmp_path: Path
) -> None:
    cluster.work()
    cluster.work()
    for where in (("--jobs", 1), ("--cluster", cluster.address)):
        tables = tmp_path / where[0]
        (tmp_path / f"verify{where[0]}").write_text(str(told("verify", games, *where)))
        assert told("convert", games, "--to", "parquet", "-o", tables, *where)[2] == 65

    assert (tmp_path / "verify--cluster").read_text() == (tmp_path / "verify--jobs").read_text()
    for table in TABLES:
        theirs, ours = (
            pq.read_table(tmp_path / name / table.name) for name in ("--cluster", "--jobs")
        )
        assert theirs.equals(ours)
    assert len(pq.read_table(tmp_path / "--cluster/games")) == GAMES


def test_the_work_of_a_lost_worker_is_done_once_by_another(
    cluster: Cluster, games: Path, tmp_path: Path
) -> None:
    lost = cluster.work()
    tables = tmp_path / "tables"
    with archive(
        "convert", games, "--to", "parquet", "-o", tables, "--cluster", cluster.address
    ) as process:
        while not [*tmp_path.glob(".tables-*/new/tmp*")]:
            assert process.poll() is None
            sleep(0.001)
        lost.send_signal(signal.SIGSTOP)  # in the middle of a part
        parts = len([*tmp_path.glob(".tables-*/new/games/*")])
        lost.kill()
        cluster.work()
        _, complaint = process.communicate(timeout=PATIENCE_SECONDS)

    assert process.returncode == 65, complaint
    rows = pq.read_table(tables / "games")
    assert len(rows) == len(set(rows["game"].to_pylist())) == GAMES
    assert parts < len([*(tables / "games").iterdir()])
    assert {each.name for each in tables.iterdir()} == {table.name for table in TABLES}


def test_a_scheduler_that_does_not_answer_is_reported(games: Path) -> None:
    output, complaint, code = told("verify", games, "--cluster", "tcp://127.0.0.1:9")

    assert complaint.splitlines()[-1] == "judge: no scheduler answers at tcp://127.0.0.1:9"
    assert (output, code) == ("", 69)


def test_jobs_and_cluster_exclude_each_other(games: Path) -> None:
    assert told("verify", games, "--jobs", 2, "--cluster", "tcp://127.0.0.1:9")[2] == 64
