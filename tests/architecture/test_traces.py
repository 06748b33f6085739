"""No file in the project reveals where it was made."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

ROOT = Path(__file__).parents[2]
TRACES = re.compile(
    r"(?<![\w.])/(?:root|work|home/\w+)/"  # a folder of somebody's machine
    r"|pypi\.org|pythonhosted|registry\.npmjs|deb\.debian|/simple/"  # a package registry
    r"|--(?:extra-)?index-url|--find-links"
)


def committed() -> list[Path]:
    """Return the files of the checkout; what was unpacked from a release came from one."""
    if not (ROOT / ".git").exists() or which("git") is None:
        return []
    listing = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    files = {ROOT / name for name in listing.split("\0")} - {Path(__file__)}
    return sorted(file for file in files if file.is_file())


def test_no_committed_file_names_a_machine_or_a_registry() -> None:
    found = {
        (str(file.relative_to(ROOT)), trace)
        for file in committed()
        for trace in TRACES.findall(file.read_text(encoding="utf-8", errors="replace"))
    }

    assert found == set()
