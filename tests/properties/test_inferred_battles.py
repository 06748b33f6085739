"""Battles inferred from a position match the adjudication that led to it."""

from __future__ import annotations

from random import Random  # noqa: TID251 seeded below

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.inferred_battles import infer_battles
from judge.archive.records import RecordedPhase
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import RULEBOOKS, Rulebook
from judge.rules.types import PhaseKind
from tests.properties.random_records import played
from tests.support.recorded_game import game_10713

BOARD = load_map()
GAMES, PHASES = 3, 30


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_battles_are_those_of_the_rules_or_left_to_them(rulebook: str) -> None:
    chance = Random(17)  # noqa: S311 no secret
    games = [played(BOARD, chance, phases=PHASES, rulebook=rulebook) for _ in range(GAMES)]

    compared = sum(
        compare(phase, RULEBOOKS[rulebook]) for game in games for phase in game.phases[:-1]
    )

    assert compared, "some battles are inferred"


def test_most_battles_of_a_game_that_people_played_are_inferred() -> None:
    phases = [each for each in game_10713().phases if driven_out(each)]

    inferred = sum(compare(each, RULEBOOKS["droidippy"]) for each in phases)

    assert inferred > len(phases) / 2


def driven_out(phase: RecordedPhase) -> bool:
    assert phase.position
    orders = phase.orders_by_power()
    return bool(adjudicate(BOARD, phase.position, orders, RULEBOOKS["droidippy"]).after.dislodged)


def compare(phase: RecordedPhase, rulebook: Rulebook) -> bool:
    """Compare the battles of *phase* with its adjudication; return whether any were inferred."""
    if phase.phase.kind is not PhaseKind.MOVEMENT or not phase.position:
        return False
    judged = adjudicate(BOARD, phase.position, phase.orders_by_power(), rulebook)
    after = judged.after
    if not after.dislodged:
        return False
    on_board = {unit.province: unit for unit in after.units}
    dislodged = {each.unit.province: each.unit for each in after.dislodged}

    battles = infer_battles(BOARD, phase.position, phase.orders, on_board, dislodged)

    if battles is None:
        return False
    assert battles.attacked_from == {
        each.unit.province: each.attacked_from for each in after.dislodged
    }
    assert not any(each.attacker_convoyed for each in after.dislodged)
    assert battles.contested == judged.contested.difference(on_board)
    return True
