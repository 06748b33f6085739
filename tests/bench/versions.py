"""Play what the README shows on several Pythons, with the lowest, pinned and newest dependencies.

`python -m tests.bench.versions WHEEL PYTHON...` installs the judge's WHEEL for each interpreter
three times, with uv and from wheels only, and prints a table: each journey, or why it failed.
`.ci/long` runs it.
"""

from __future__ import annotations

import mailbox
import os
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

from tests.support.daemon import wait_until

ROOT = Path(__file__).parents[2]
GAME = """\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
ORDERS
bud move ser
PHASE 1901 Fall Movement
POSITIONS
Austria: supply bud
Austria: army ser
ORDERS
"""
WITH: Mapping[str, Sequence[str]] = {  # what uv takes besides the wheel
    "lowest": ("--resolution", "lowest-direct"),
    "pinned": ("--constraint", str(ROOT / "requirements" / "versions.txt")),
    "newest": (),
}
SECONDS_MAX = 300.0
LISTENING = "judge: listening on "
POSITION = (
    '{"phase": "S1901M", "units": {"AUSTRIA": ["A BUD", "A VIE"]}, '
    '"centers": {"AUSTRIA": ["BUD"]}, "orders": {"AUSTRIA": ["A BUD - SER"]}}\n'
)


class JourneyError(Exception):
    """Something went wrong on the way."""


class Installed:
    """The judge in an environment of its own, and a folder to work in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "venv" / "bin" / "judge"
        (folder / "game.txt").write_text(GAME, encoding="utf-8")

    def judge(self, *words: str, given: str = "") -> str:
        """Run a command of the judge, and return what it prints."""
        return run(str(self.program), *words, given=given, folder=self.folder)


def demo(judge: Installed) -> None:
    """Play a year over SMTP."""
    expect("Fall of 1901", judge.judge("demo"))


def serve(judge: Installed) -> None:
    """Send an email to a daemon without settings, and read the answer."""
    with serving(judge) as port:
        email = EmailMessage()
        email["From"], email["To"] = "anna@players.example", "judge@localhost"
        email["Subject"], email["Message-ID"] = "help", "<1@players.example>"
        email.set_content("HELP\n")
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.send_message(email)
        new = judge.folder / "outgoing" / "new"
        wait_until(lambda: new.is_dir() and any(new.iterdir()), "no answer")
    [answer] = mailbox.Maildir(judge.folder / "outgoing", create=False)
    if "anna@players.example" not in str(answer["To"]):
        raise JourneyError(f"an answer to {answer['To']}")


def adjudicate(judge: Installed) -> None:
    """Adjudicate the position of the README."""
    expect("A BUD - SER", judge.judge("adjudicate", given=POSITION))


def archive(judge: Installed) -> None:
    """Adjudicate a recorded game again."""
    expect("0 differ", judge.judge("archive", "verify", "game.txt"))


def replay(judge: Installed) -> None:
    """Write the page of a recorded game."""
    judge.judge("replay", "game.txt", "-o", "game.html")
    expect("<svg", (judge.folder / "game.html").read_text(encoding="utf-8"))


def report(judge: Installed) -> None:
    """Write a report for a zine."""
    judge.judge("report", "game.txt", "--years", "1901", "--format", "html", "-o", "zine.html")
    expect("1901", (judge.folder / "zine.html").read_text(encoding="utf-8"))


JOURNEYS = (demo, serve, adjudicate, archive, replay, report)


@contextmanager
def serving(judge: Installed) -> Iterator[int]:
    """Run a daemon until the end of the block; yield its port. It must end well when asked to."""
    words = [str(judge.program), "serve"]
    environment = {**clean(), "JUDGE_SMTP": "127.0.0.1:0"}
    with subprocess.Popen(
        words,
        cwd=judge.folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as daemon:
        assert daemon.stdout
        try:
            line = daemon.stdout.readline()
            if not line.startswith(LISTENING):
                raise JourneyError(f"the daemon says {line!r}")
            yield int(line.removeprefix(LISTENING).partition(",")[0].rpartition(":")[2])
        finally:
            daemon.terminate()
    if daemon.returncode:
        raise JourneyError(f"the daemon ended with {daemon.returncode}")


def expect(words: str, text: str) -> None:
    """Raise if *text* does not have *words*."""
    if words not in text:
        raise JourneyError(f"no {words!r} in {text[-200:]!r}")


def clean() -> dict[str, str]:
    """Return our environment without what leads to the checkout."""
    return {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}


def run(*words: str, given: str = "", folder: Path | None = None) -> str:
    """Run a program; return what it prints. Raise if it fails, or if it prints a traceback."""
    done = subprocess.run(
        words,
        input=given,
        cwd=folder,
        env=clean(),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    if done.returncode or "Traceback" in done.stderr:
        raise JourneyError(f"{done.returncode}: {(done.stderr or done.stdout).strip()[-300:]}")
    return done.stdout


def outcome(journey: Callable[[Installed], None], judge: Installed) -> str:
    """Return `ok`, or why *journey* failed."""
    try:
        journey(judge)
    except (
        AssertionError,
        OSError,
        ValueError,
        subprocess.SubprocessError,
        JourneyError,
    ) as error:
        return f"{type(error).__name__}: {error}"
    return "ok"


def main(wheel: Path, pythons: Sequence[str]) -> int:
    """Print the table, and below it what failed; return 1 if anything did."""
    failed = 0
    print("Python  with    " + " ".join(f"{each.__name__:10}" for each in JOURNEYS), flush=True)
    for python in pythons:
        version = run(python, "-c", "import platform; print(platform.python_version())").strip()
        for name, options in WITH.items():
            with tempfile.TemporaryDirectory() as made:
                judge = Installed(Path(made))
                environment = str(judge.folder / "venv")
                install = ("--quiet", "--only-binary", ":all:", "--python", environment, *options)
                try:
                    run("uv", "venv", "--quiet", "--python", python, environment)
                    run("uv", "pip", "install", *install, str(wheel))
                except JourneyError as error:
                    found = [f"not installed: {error}"] * len(JOURNEYS)
                else:
                    found = [outcome(each, judge) for each in JOURNEYS]
            row = " ".join(f"{'ok' if each == 'ok' else 'FAILED':10}" for each in found)
            print(f"{version:7} {name:7} {row}", flush=True)
            for why in sorted({each for each in found if each != "ok"}):
                print(f"    {why}")
                failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
