"""Run the shell blocks of a page in order, as a reader does: `python pages.py PAGE...`.

It runs in the current folder, with no more than what Python brings. A comment above a block says
what cannot be seen in it:

    <!-- not run: WHY -->           It is left out.
    <!-- runs until: TEXT -->       It goes on beside the next blocks, once it has printed TEXT.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"(?:^<!-- (?P<how>not run|runs until): (?P<text>.*?) -->\n\n?)?"
    r"^```(?:sh|bash|console)\n(?P<lines>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SHELL = ("bash", "-euo", "pipefail", "-c")
START_SECONDS = 120
BLOCK_SECONDS = 1_800


@dataclass(frozen=True)
class Block:
    """The *lines* of a block of *page*, why they are *not_run*, and what they run *until*."""

    page: Path
    line: int
    lines: str
    not_run: str | None
    until: str | None


def blocks(page: Path) -> Iterator[Block]:
    """Yield the shell blocks of *page*."""
    text = page.read_text(encoding="utf-8")
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("lines")) + 1
        how, why = found["how"], found["text"]
        not_run, until = (why if how == each else None for each in ("not run", "runs until"))
        yield Block(page, line, found["lines"], not_run, until)


def run(page: Path) -> None:
    """Run the blocks of *page*; exit if one fails."""
    with ExitStack() as at_the_end:
        for block in blocks(page):
            say(f"\n{page}:{block.line}")
            if block.not_run:
                say(f"(not run: {block.not_run})")
                continue
            say(block.lines.rstrip())
            if block.until:
                start(block, block.until, at_the_end)
                continue
            words = [*SHELL, block.lines]
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, check=False, timeout=BLOCK_SECONDS
            )
            if done.returncode:
                sys.exit(f"{page}:{block.line}: this block fails")


def start(block: Block, until: str, at_the_end: ExitStack) -> None:
    """Start *block*, wait until it prints *until*, and let it run until the end of the page."""
    output = Path(f".output-{block.line}")
    with output.open("wb") as written:
        process = subprocess.Popen(
            [*SHELL, block.lines],
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    ends = time.monotonic() + START_SECONDS
    while until not in output.read_text(encoding="utf-8"):
        if process.poll() is not None or time.monotonic() > ends:
            process.kill()
            say(output.read_text(encoding="utf-8"))
            sys.exit(f"{block.page}:{block.line}: this block never prints {until!r}")
        time.sleep(0.1)
    at_the_end.callback(stop, block, process)
    say(output.read_text(encoding="utf-8"))


def stop(block: Block, process: subprocess.Popen[bytes]) -> None:
    """End what *block* started, which must still run."""
    if process.poll() is not None:
        sys.exit(f"{block.page}:{block.line}: this block ended by itself")
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(START_SECONDS)


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - its report


if __name__ == "__main__":
    for name in sys.argv[1:]:
        run(Path(name))
