"""The man page and the completions match the commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from judge.cli.command_index import commands_of
from tests.support import man_page


def test_the_man_page_is_made_from_the_commands() -> None:
    text = man_page.page()

    assert man_page.PAGE.read_text(encoding="utf-8") == text, "python -m tests.support.man_page"
    headings = re.findall(r"^\.SS judge (.*)", text, re.MULTILINE)
    sections = [heading.replace("\\-", "-") for heading in headings]
    assert commands_of().keys() == {name.split()[0] for name in sections}
    assert {f"game {name}" for name in commands_of("game")} <= {*sections}
    assert r"\fB\-\-reason TEXT\fR" in text  # of `judge game show`


def test_completions_are_those_that_click_writes() -> None:
    for path, text in man_page.completions().items():
        assert path.read_text(encoding="utf-8") == text, "python -m tests.support.man_page"


@pytest.mark.parametrize(
    ("line", "offered"),
    [("judge ga", "game"), ("judge game sho", "show"), ("judge game new --mod", "--moderator")],
)
def test_bash_completes_a_command_and_an_option(line: str, offered: str, tmp_path: Path) -> None:
    words = " ".join(f'"{word}"' for word in line.split())
    judge = tmp_path / "judge"
    judge.write_text(f'#!/bin/sh\nexec {sys.executable} -m judge "$@"\n', encoding="utf-8")
    judge.chmod(0o755)
    script = f"""
        . deploy/completions/judge.bash
        COMP_WORDS=({words}) COMP_CWORD={len(line.split()) - 1}
        _judge_completion judge
        echo "${{COMPREPLY[@]}}"
    """

    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        check=True,
        cwd=man_page.ROOT,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        text=True,
    )

    assert offered in done.stdout.split()
