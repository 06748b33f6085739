"""The stage of the demonstration: the judge's own commands, in a temporary folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LISTENING = "judge: listening on "
ADDRESS = "judge@demo.example"
STOP_SECONDS = 20.0


class StageError(Exception):
    """A command of the judge failed, or the daemon did not start."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A running daemon: its folder and its SMTP door."""

    folder: Path
    door: tuple[str, int]

    @property
    def maildir(self) -> Path:
        """Return where the daemon's mails arrive."""
        return self.folder / "outgoing"

    def judge(self, *arguments: str) -> str:
        """Run `judge` with *arguments* and return what it printed."""
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "judge", *arguments],
            cwd=self.folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise StageError(f"judge {' '.join(arguments)}: {done.stderr or done.stdout}")
        return done.stdout


@contextmanager
def raised(folder: Path) -> Iterator[Stage]:
    """Start a daemon in *folder* on a free port, and stop it at the end."""
    with (folder / "daemon.log").open("w") as log:
        daemon = subprocess.Popen(
            [sys.executable, "-m", "judge", "serve"],
            cwd=folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert daemon.stdout
        try:
            yield Stage(folder, _door(daemon.stdout.readline(), folder))
        finally:
            daemon.terminate()
            daemon.stdout.close()
            daemon.wait(STOP_SECONDS)


def _door(line: str, folder: Path) -> tuple[str, int]:
    if not line.startswith(LISTENING):
        raise StageError(f"the daemon did not start: {(folder / 'daemon.log').read_text()}")
    where = line.removeprefix(LISTENING).partition(",")[0]
    host, _, port = where.rpartition(":")
    return host, int(port)


def _environment() -> dict[str, str]:
    """No configuration but a free port, a demo address and a quick pulse."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("JUDGE_")}
    return kept | {
        "JUDGE_SMTP": "127.0.0.1:0",
        "JUDGE_ADDRESS": ADDRESS,
        "JUDGE_TICK_SECONDS": "0.2",
    }
