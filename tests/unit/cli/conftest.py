"""Environment of all command-line tests: without the settings of the test run itself."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _without_settings_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name == "JUDGE_SAMPLES" or name.startswith("JUDGE_TEST_"):
            monkeypatch.delenv(name)
