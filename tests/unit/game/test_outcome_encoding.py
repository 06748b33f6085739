"""Encoding of positions and outcomes in the log."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from judge.game.payloads import (
    CLASSES_BY_WORD,
    orders_from_texts,
    outcome_to_payload,
    outcomes_from_payloads,
    paradox_from_payload,
    paradox_to_payload,
    position_from_payload,
    position_to_payload,
    unit_from_text,
)
from judge.rules import outcomes
from judge.rules.outcomes import Outcome
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.types import DislodgedUnit, Phase, Position, Unit, UnitKind
from tests.unit.game.table import BOARD

ATTACK = outcomes.Strength("MUN", ("BER",), ("SIL",))
DEFENSE = outcomes.Strength("BUR")
(MOVE,) = orders_from_texts(["A MUN - BUR"])
(OTHER,) = orders_from_texts(["F NTH C A LON - BEL"])


@pytest.mark.parametrize(
    "verdict",
    [
        outcomes.Illegal(outcomes.Impossible.UNREACHABLE),
        outcomes.Invalid(outcomes.Unmatched.NO_SUCH_MOVE, OTHER),
        outcomes.Invalid(outcomes.Unmatched.NO_CONVOY),
        outcomes.Stands(),
        outcomes.Succeeds(),
        outcomes.Succeeds(ATTACK, ("NTH", "ENG")),
        outcomes.Fails(outcomes.StoodOff(ATTACK, (DEFENSE, ATTACK))),
        outcomes.Fails(outcomes.HeldOff(ATTACK, DEFENSE)),
        outcomes.Fails(outcomes.HeadOn(ATTACK, DEFENSE)),
        outcomes.Fails(outcomes.OwnUnit(ATTACK, "BUR")),
        outcomes.Fails(outcomes.ConvoyBroken(("NTH",))),
        outcomes.Fails(outcomes.ConvoyBroken(("NTH",), other_route=True)),
        outcomes.Fails(outcomes.ConvoyParadox(("NTH", "ENG"))),
        outcomes.Fails(outcomes.ParadoxHold(("NTH", "ENG"))),
        outcomes.Fails(outcomes.Futile(outcomes.Impossible.UNREACHABLE)),
        outcomes.Fails(outcomes.RetreatsClash(("PAR",))),
        outcomes.Given(),
        outcomes.Cut("PAR"),
        outcomes.Available(),
        outcomes.Disrupted("NTH"),
        outcomes.Disrupted(None),
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    "fate",
    [
        None,
        outcomes.Dislodged("PAR", ATTACK, ("GAS", "PIC")),
        outcomes.Destroyed("PAR", ATTACK),
    ],
    ids=["safe", "dislodged", "destroyed"],
)
def test_an_outcome_comes_back_as_it_was(
    verdict: outcomes.Verdict, fate: outcomes.Fate | None
) -> None:
    outcome = Outcome("GERMANY", MOVE, verdict, fate, written=False)
    stored = json.loads(json.dumps(outcome_to_payload(outcome)))

    assert outcomes_from_payloads([stored]) == (outcome,)


def test_a_move_by_land_is_recorded() -> None:
    outcome = Outcome("GERMANY", MOVE, outcomes.Succeeds(ATTACK), by_land=True)
    stored = json.loads(json.dumps(outcome_to_payload(outcome)))

    assert outcomes_from_payloads([stored]) == (outcome,)


def test_a_paradox_comes_back_as_it_was() -> None:
    paradox = outcomes.Paradox(("ENG",), ("BRE",), ConvoyParadoxes.RULE_2000, stood_in=True)
    stored = json.loads(json.dumps(paradox_to_payload(paradox)))

    assert paradox_from_payload(stored) == paradox


def test_every_verdict_cause_and_fate_has_a_code() -> None:
    unions = (outcomes.Verdict, outcomes.FailCause, outcomes.Fate)
    classes = {each for union in unions for each in get_args(union)} | {outcomes.Strength}

    assert set(CLASSES_BY_WORD.values()) == classes


def test_a_position_comes_back_as_it_was() -> None:
    marseilles = Unit("FRANCE", UnitKind.ARMY, "MAR")
    position = Position(
        phase=Phase.parse("F1902R"),
        units=(Unit("FRANCE", UnitKind.FLEET, "SPA/NC"), Unit("ITALY", UnitKind.ARMY, "MAR")),
        owners={"PAR": "FRANCE", "SPA": "FRANCE", "ROM": "ITALY"},
        dislodged=(
            DislodgedUnit(marseilles, "PIE", attacker_convoyed=True, retreats=("GAS", "BUR")),
        ),
        contested=frozenset({"PAR"}),
        builds={"ITALY": -1},
    )
    stored = json.loads(json.dumps(position_to_payload(position)))

    assert position_from_payload(stored) == position
    assert stored["units"] == {"FRANCE": ["F SPA/NC"], "ITALY": ["A MAR"]}


def test_the_opening_position_comes_back_as_it_was() -> None:
    assert position_from_payload(position_to_payload(BOARD.start)) == BOARD.start


def test_a_unit_is_read_as_it_is_written() -> None:
    assert str(unit_from_text("RUSSIA", "F STP/SC")) == "F STP/SC"
