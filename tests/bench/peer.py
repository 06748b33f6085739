"""The `diplomacy` package as a yardstick, in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.measuring import Times
from tests.games.records import Game

PACKAGE, VERSION = "diplomacy", "1.1.2"
NAME = f"{PACKAGE} {VERSION}"
ORDERED, PROCESSED, WHOLE = (
    f"{NAME}, {what}" for what in ("orders set and processed", "processed", "all 42 phases")
)
ONE_POSITION = """
from diplomacy import Game
game = Game()
game.set_orders("AUSTRIA", ["A BUD - SER", "F TRI - ALB", "A VIE - BUD"])
game.process()
"""
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = CACHE / f"judge-bench/{PACKAGE}-{VERSION}-{sys.implementation.cache_tag}"
PYTHON, COMPLETE = FOLDER / "bin/python", FOLDER / "complete"
PROCESS = Path(__file__).with_name("peer_process.py")


def environment() -> Path:
    """Return an interpreter that has the package; the first call installs it."""
    if not installed():
        venv.create(FOLDER, clear=True, with_pip=True)
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", f"{PACKAGE}=={VERSION}"]
        subprocess.run(pip, check=True)
        COMPLETE.touch()
    return PYTHON


def installed() -> bool:
    """Return whether the environment exists."""
    return COMPLETE.exists()


@contextmanager
def running(game: Game) -> Iterator[Callable[[], Times]]:
    """Start the package; yield what does a round of the phases of *game*."""
    with subprocess.Popen(
        [environment(), PROCESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        asking, answers = process.stdin, process.stdout
        asking.write(f"{json.dumps(game)}\n")

        def work() -> Times:
            asking.write("\n")
            asking.flush()
            return dict(
                zip((ORDERED, PROCESSED, WHOLE), json.loads(answers.readline()), strict=True)
            )

        yield work
        asking.close()
