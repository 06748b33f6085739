"""The possible orders of a power."""

from __future__ import annotations

from judge.adapters.variant_files import load_map
from judge.notation.order_text import write_order
from judge.rules.legality import possible_orders
from judge.rules.rulebook import DATC
from tests.support.scenes import scenes

BOARD = load_map()


def offered(scene: str, power: str) -> dict[str, set[str]]:
    """Return what the units of *power* may be ordered, by the unit; the waived build has none."""
    position = scenes()[scene].position
    found = possible_orders(BOARD, position, power, DATC)
    return {
        f"{unit.kind.value} {unit.location}" if unit and unit.kind else "": set(
            map(write_order, orders)
        )
        for unit, orders in found
    }


def test_a_unit_may_hold_move_and_support_what_is_near() -> None:
    orders = offered("movement", "AUSTRIA")["A SER"]

    assert {"A SER H", "A SER - BUL", "A SER S A TRI", "A SER S A RUM - BUL"} <= orders
    assert "A SER - MOS" not in orders


def test_an_army_may_go_by_sea_where_fleets_can_carry_it() -> None:
    england = offered("movement", "ENGLAND")

    assert {"A LON - BEL", "A LON - YOR", "A LON - YOR VIA"} <= england["A LON"]
    assert "F NTH C A LON - BEL" in england["F NTH"]
    assert "A LON - PAR" not in england["A LON"]


def test_a_fleet_names_its_coast() -> None:
    assert "F WES - SPA/SC" in offered("movement", "FRANCE")["F WES"]


def test_a_dislodged_unit_may_retreat_or_disband() -> None:
    assert offered("options", "TURKEY") == {"F AEG": {"F AEG R EAS", "F AEG R SMY", "F AEG D"}}


def test_a_unit_may_be_built_in_each_open_home_or_the_build_waived() -> None:
    built = offered("winter", "ENGLAND")

    assert set(built) == {"A EDI", "F EDI", "A LON", "F LON", "A LVP", "F LVP", ""}
    assert built[""] == {"WAIVE"}


def test_no_fleet_is_built_inland() -> None:
    built = offered("winter", "FRANCE")

    assert "A PAR" in built
    assert "F PAR" not in built


def test_a_power_with_too_many_units_removes_one_of_them() -> None:
    assert offered("winter", "AUSTRIA")["A GAL"] == {"A GAL D"}


def test_a_power_with_as_many_units_as_centers_has_nothing_to_do() -> None:
    assert offered("winter", "TURKEY") == {}
