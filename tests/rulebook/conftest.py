"""The printed laws: what the fragments say holds under each of them, unless a test says where."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook, named

PRINTED = ("datc", "1971", "1976", "1982", "2000", "2023")


@pytest.fixture(params=PRINTED)
def law(request: pytest.FixtureRequest) -> Rulebook:
    """Return each rulebook in turn."""
    return named(request.param)
