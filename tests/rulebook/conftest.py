"""The printed rulebooks: each example holds under all of them, unless its test says otherwise."""

from __future__ import annotations

import pytest

from judge.rules.rulebook import Rulebook, rulebook_named
from tests.rulebook.examples import TESTED_RULEBOOKS


@pytest.fixture(params=TESTED_RULEBOOKS)
def rulebook(request: pytest.FixtureRequest) -> Rulebook:
    """Return each rulebook in turn."""
    return rulebook_named(request.param)
