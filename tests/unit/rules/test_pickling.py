"""Inputs and results of the rules can be pickled, and are immutable.

The compiled build has its own ways with values; they must not show.
"""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import DATC
from judge.rules.types import Convoy, Hold, Move, Position, SupportMove, Unit, UnitKind, UnitName

BOARD = load_map()
POSITION = Position(BOARD.start.phase, BOARD.start.units, {"BUD": "AUSTRIA"})
BUD, VIE, TRI = (UnitName(None, location) for location in ("BUD", "VIE", "TRI"))
MOVE = Move(BUD, "SER", route=("ADR",))
ORDERS = (MOVE, SupportMove(VIE, BUD, "SER"), Convoy(TRI, BUD, "SER"), Hold(BUD))

VALUES = [
    pytest.param(POSITION, id="a position"),
    pytest.param(ORDERS, id="orders"),
    pytest.param(DATC, id="a rulebook"),
    pytest.param(adjudicate(BOARD, POSITION, {"AUSTRIA": ORDERS}).outcomes, id="outcomes"),
]


@pytest.mark.parametrize("value", VALUES)
def test_a_value_equals_its_copies(value: object) -> None:
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own bytes
    assert copy.deepcopy(value) == value


def test_equal_values_are_one_in_a_set() -> None:
    assert {*POSITION.units} == {*copy.deepcopy(POSITION).units}


def test_another_value_is_made_from_one() -> None:
    assert replace(MOVE, target="RUM") == Move(BUD, "RUM", route=("ADR",))


def test_a_value_is_shown_as_it_is_written() -> None:
    assert repr(Hold(BUD)) == "Hold(unit=UnitName(kind=None, location='BUD', power=None))"


def test_a_moving_unit_is_the_same_unit_each_time() -> None:
    first, again = (adjudicate(BOARD, POSITION, {"AUSTRIA": [MOVE]}) for _ in range(2))

    moved = Unit("AUSTRIA", UnitKind.ARMY, "SER")
    assert moved in first.after.units
    assert all(a is b for a, b in zip(first.after.units, again.after.units, strict=True))


@pytest.mark.parametrize("field", ["location", "province"])
def test_a_value_cannot_be_changed(field: str) -> None:
    unit = Unit("AUSTRIA", UnitKind.ARMY, "BUD")

    with pytest.raises(FrozenInstanceError):
        setattr(unit, field, "SER")
