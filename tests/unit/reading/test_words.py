"""Words of orders are data: each has one role in its language, and is no province's name."""

from __future__ import annotations

from collections import defaultdict

import pytest

from judge.adapters.variant_files import load_map, variants
from judge.notation.terms import names_of
from judge.reading.words import LANGUAGES, roles_in

SHORTEST = 4  # letters; shorter words are codes of provinces on some board
NAMES_TOO = {"north"}  # a place only beside a dash or a kind
# On other boards; each is the province only where nothing else can stand.
NAMES_ELSEWHERE = NAMES_TOO | {"both", "east", "sink", "sind", "sont", "south", "west"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_has_one_role(language: str) -> None:
    roles = defaultdict(set)
    for role, phrases in roles_in(language).items():
        for phrase in phrases:
            roles[phrase].add(role)

    assert {phrase: found for phrase, found in roles.items() if len(found) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_word_that_names_a_province_of_another_board_is_known_to(language: str) -> None:
    words = {phrase for phrases in roles_in(language).values() for phrase in phrases}
    named = {
        word
        for name in variants()
        for word in words & {*names_of(load_map(name)).written}
        if len(word) >= SHORTEST
    }

    assert named <= NAMES_ELSEWHERE


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_longer_word_is_a_province_of_the_standard_board(language: str) -> None:
    written = names_of(load_map()).written
    words = {phrase for phrases in roles_in(language).values() for phrase in phrases}

    assert {word for word in words if word in written and len(word) >= SHORTEST} <= NAMES_TOO
