"""Assignment of powers by the players' preferences."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from judge.game.players.joining import assign_powers

THREE = ("AUSTRIA", "ENGLAND", "FRANCE")


def likes(*groups: str) -> tuple[tuple[str, ...], ...]:
    names = {power[0]: power for power in THREE}
    return tuple(tuple(names[letter] for letter in group) for group in groups)


@pytest.mark.parametrize(
    ("joined", "seats"),
    [
        pytest.param(
            {"ann": likes("F"), "bob": likes("A"), "cyd": likes("E")},
            {"AUSTRIA": "bob", "ENGLAND": "cyd", "FRANCE": "ann"},
            id="everybody gets their first choice",
        ),
        pytest.param(
            {"ann": likes("F", "E"), "bob": likes("F"), "cyd": likes("A")},
            {"AUSTRIA": "cyd", "ENGLAND": "ann", "FRANCE": "bob"},
            id="a player with a second choice gives way",
        ),
        pytest.param(
            {"ann": likes("FE", "A"), "bob": likes("F", "A", "E"), "cyd": likes("A", "E")},
            {"AUSTRIA": "cyd", "ENGLAND": "ann", "FRANCE": "bob"},
            id="equal wishes weigh the same",
        ),
        pytest.param({"ann": likes("E")}, {"ENGLAND": "ann"}, id="fewer people than powers"),
        pytest.param({}, {}, id="nobody"),
    ],
)
def test_the_wishes_add_up_to_the_most(
    joined: dict[str, tuple[tuple[str, ...], ...]], seats: dict[str, str]
) -> None:
    assert assign_powers(joined, THREE, "seed") == seats


def test_chance_decides_between_equals_and_is_the_same_for_the_same_seed() -> None:
    joined = dict.fromkeys(("ann", "bob", "cyd"), likes())
    drawn = Counter(tuple(assign_powers(joined, THREE, str(seed)).values()) for seed in range(600))

    assert assign_powers(joined, THREE, "1") == assign_powers(joined, THREE, "1")
    assert set(drawn) == set(permutations(joined))
    assert min(drawn.values()) > 60  # 100 expected


def test_it_does_not_matter_who_joined_first() -> None:
    joined = {"ann": likes("F"), "bob": likes("F"), "cyd": likes("F")}

    assert assign_powers(joined, THREE, "x") == assign_powers(
        dict(reversed(joined.items())), THREE, "x"
    )
