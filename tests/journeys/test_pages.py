"""The blocks of pages that nobody can run say why, and are few; a block that fails is noticed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys import pages

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLLOWED_ELSEWHERE = 14  # whole pages, in a Debian made for them
NOT_RUN = 18
FENCE = re.compile(r"^```(?:sh|bash|console)$", re.MULTILINE)


def every_block() -> list[pages.Block]:
    return [block for page in PAGES for block in pages.blocks(page)]


def test_every_shell_block_is_found() -> None:
    for page in PAGES:
        fences = FENCE.findall(page.read_text(encoding="utf-8"))
        assert len([*pages.blocks(page)]) == len(fences), page


def test_the_blocks_that_are_not_run_are_counted() -> None:
    why = [block.not_run for block in every_block() if block.not_run]
    elsewhere = [each for each in why if each.startswith(".ci/walk and .ci/package follow it")]

    assert (len(elsewhere), len(why) - len(elsewhere)) == (FOLLOWED_ELSEWHERE, NOT_RUN)


def test_what_runs_a_block_elsewhere_is_there() -> None:
    for block in every_block():
        for file in re.findall(r"(?:\.ci|tests)/[\w/.]+", block.not_run or ""):
            assert (ROOT / file).exists(), file


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "page.md").write_text(text)
    return subprocess.run(
        [sys.executable, pages.__file__, "page.md"],
        cwd=folder,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )


GOES_ON = """\
<!-- runs until: ready -->

```sh
touch began && echo ready && sleep 600
```

```sh
test -e began
```

<!-- not run: it would fail -->

```sh
false
```
"""


def test_a_block_runs_beside_the_next_ones_and_one_that_is_not_run_does_no_harm(
    tmp_path: Path,
) -> None:
    done = run(tmp_path, GOES_ON)

    assert done.returncode == 0, done.stderr
    assert "(not run: it would fail)" in done.stdout


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("```sh\ntrue\nfalse | cat\n```\n", "page.md:2: this block fails"),
        ("<!-- runs until: ready -->\n```sh\nexit 1\n```\n", "never prints 'ready'"),
        ("<!-- runs until: ready -->\n```sh\necho ready\n```\n\n```sh\nsleep 1\n```\n", "ended"),
    ],
)
def test_a_block_that_fails_is_named(tmp_path: Path, block: str, told: str) -> None:
    done = run(tmp_path, block)

    assert done.returncode != 0
    assert told in done.stderr
