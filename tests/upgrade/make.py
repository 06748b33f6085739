"""Write the samples of a version: `python -m tests.upgrade.make COMMIT`.

They are a store with a running game, a backup of it, and the game's log, in a folder with the
name of the version. The program of COMMIT writes them, in its own tree; each version keeps what
it wrote.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tomllib
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from click.testing import CliRunner

from judge.cli.root import root
from tests.support.table import Table

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORE, BACKUP, LOG, ABOUT = "store.db.gz", "backup.gz", "baltic.jsonl", "about.json"
AFTERWARDS = timedelta(minutes=5)


class About(NamedTuple):
    """The version that wrote samples, its commit, and when its judge wrote last."""

    version: str
    commit: str
    at: datetime


def check_out(commit: str, folder: Path) -> Path:
    """Put the files of *commit* into *folder*; return it."""
    archive = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    return folder


def write_samples(into: Path) -> datetime:
    """Play a game with this version, and write the samples; return the time afterwards."""
    with TemporaryDirectory() as scratch:
        with closing(Table(Path(scratch), "upgrade")) as table:
            table.start("baltic")
            table.send("FRANCE", "A Par-Bur\nPRESS TO GERMANY\nGrüße aus Paris.\nENDPRESS")
            table.all_hold(but=("FRANCE", "AUSTRIA"))
            table.send("AUSTRIA", "F Tri-Alb\nA Bud-Ser\nA Vie-Gal")
            table.pass_time(hours=72)
            table.close_phase()
            table.send("GERMANY", "A Mun-Bur")
            table.send("ENGLAND", "F Lon-Nth")
            at = table.clock.time + AFTERWARDS
            file = table.file
        run("backup", str(into / BACKUP), "--database", str(file))
        (into / LOG).write_text(run("log", "show", "baltic", "--json", "--database", str(file)))
        with gzip.GzipFile(into / STORE, "wb", mtime=0) as packed:
            packed.write(file.read_bytes())
    return at


def run(*words: str) -> str:
    """Run a command of the judge and return what it prints."""
    done = CliRunner().invoke(root, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def main(commit: str) -> None:
    """Have the program of *commit*, which every clone must have, write its samples."""
    subprocess.run(["git", "merge-base", "--is-ancestor", commit, "main"], cwd=ROOT, check=True)
    with TemporaryDirectory() as scratch:
        tree = check_out(commit, Path(scratch))
        project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        into = HERE / project["version"]
        into.mkdir()
        program = "import sys; from pathlib import Path; from tests.upgrade.make import *; "
        at = subprocess.run(
            [
                sys.executable,
                "-c",
                f"{program} print(write_samples(Path(sys.argv[1])))",
                str(into),
            ],
            cwd=tree,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout.strip()
    named = subprocess.run(
        ["git", "rev-parse", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    about = {"version": project["version"], "commit": named, "at": at}
    (into / ABOUT).write_text(json.dumps(about) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
