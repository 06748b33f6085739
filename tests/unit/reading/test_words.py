"""Words of orders are data: each has one role in its language, and is no province's name."""

from __future__ import annotations

from collections import defaultdict

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.terms import names_of
from judge.reading.words import LANGUAGES, roles_in

SHORTEST = 4  # letters; shorter words are codes of provinces on some board
NAMES_TOO = {"north"}  # a place only beside a dash or a kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_one_role(language: str) -> None:
    roles = defaultdict(set)
    for role, phrases in roles_in(language).items():
        for phrase in phrases:
            roles[phrase].add(role)

    assert {phrase: found for phrase, found in roles.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_longer_word_is_a_province_of_the_standard_board(language: str) -> None:
    written = names_of(load_map()).written
    words = {phrase for phrases in roles_in(language).values() for phrase in phrases}

    assert {word for word in words if word in written and len(word) >= SHORTEST} <= NAMES_TOO
