"""A unit named without an order."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.strict_orders import read_unit
from judge.rules.types import UnitKind, UnitName


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("A Bur", UnitName(UnitKind.ARMY, "BUR")),
        ("the fleet in Brest", UnitName(UnitKind.FLEET, "BRE")),
        ("Fleet St Petersburg (south coast)", UnitName(UnitKind.FLEET, "STP/SC")),
        ("French A Bur", UnitName(UnitKind.ARMY, "BUR")),
        ("F Nor", None),
        ("Bur", None),
        ("A Par-Bur", None),
        ("build A Par", None),
        ("A Par, A Mar", None),
        ("hello", None),
    ],
)
def test_a_unit_is_its_kind_and_place_and_nothing_else(text: str, unit: UnitName | None) -> None:
    assert read_unit(text, load_map()) == unit
