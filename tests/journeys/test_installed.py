"""Without the extras every command and every module works that needs none."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.journeys import installed

WITHOUT_EXTRAS = """\
import sys
for name in ("distributed", "docx", "psycopg", "pyarrow", "typst"):
    sys.modules[name] = None  # Python's own way to say that a module is not there
from tests.journeys import installed
installed.main(set())
"""


def test_without_extras_every_command_has_help_and_every_other_module_can_be_imported() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr


def test_a_module_that_is_guarded_for_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(
        "distributed", reason="PyYAML, which it needs, has no wheel for Python 3.15"
    )
    monkeypatch.setitem(installed.GUARDED, "judge.errors", "pdf")

    with pytest.raises(AssertionError, match=r"judge\.errors needs no extra"):
        installed.main({"cluster", "docx"})
