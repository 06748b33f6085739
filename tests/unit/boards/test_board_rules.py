"""Boards other than the standard one: coasts that convoy, borders of one way, neutral units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.board import BuildSites, Map
from judge.rules.legality import impossibility, possible_orders
from judge.rules.outcomes import Adjudication, Destroyed, Impossible, Succeeds
from judge.rules.phase_sequence import duties, open_build_sites, winner
from judge.rules.rulebook import DATC
from judge.rules.types import NEUTRAL, Build, Phase, Position, Unit, UnitKind, UnitName, Waive
from tests.datc.case_notation import read_order
from tests.unit.boards.small_board import small_board

Orders = Mapping[str, Sequence[str]]


def unit(text: str) -> Unit:
    power, kind, location = text.split()
    return Unit(power, UnitKind(kind), location)


def position(phase: str, *units: str, owners: Mapping[str, str] | None = None) -> Position:
    return Position(Phase.parse(phase), tuple(sorted(map(unit, units), key=str)), owners or {})


def play(board: Map, before: Position, orders: Orders) -> Adjudication:
    read = {power: [read_order(text) for text in texts] for power, texts in orders.items()}
    return adjudicate(board, before, read)


def after(board: Map, before: Position, orders: Orders) -> list[str]:
    return sorted(f"{each.power} {each}" for each in play(board, before, orders).after.units)


def test_a_fleet_convoys_from_an_archipelago() -> None:
    """DATC chapter 9: coasts that convoy."""
    before = position("S1901M", "RED A WES", "BLUE F STR")
    orders = {"RED": ["A WES - EAS"], "BLUE": ["F STR C A WES - EAS"]}

    assert after(small_board(), before, orders) == ["BLUE F STR", "RED A EAS"]


def test_an_army_comes_to_an_island_by_convoy_alone() -> None:
    board = small_board()
    before = position("S1901M", "RED A WES", "RED F NTH", "BLUE A EAS")
    landed = {"RED": ["A WES - ISL", "F NTH C A WES - ISL"]}

    assert after(board, before, landed) == ["BLUE A EAS", "RED A ISL", "RED F NTH"]
    on_island = position("S1901M", "RED A ISL")
    assert impossibility(board, on_island, "RED", read_order("A ISL - WES"), DATC) is not None


def test_a_border_of_one_way_is_crossed_one_way() -> None:
    board = small_board()

    there = after(board, position("S1901M", "RED F WES"), {"RED": ["F WES - LKE"]})
    back = after(board, position("S1901M", "RED F LKE"), {"RED": ["F LKE - WES"]})

    assert there == ["RED F LKE"]
    assert back == ["RED F LKE"]


def test_a_fleet_convoys_over_a_border_of_one_way_as_an_army_may_cross_it() -> None:
    board = small_board()
    out = position("S1901M", "RED A WES", "RED F LKE")
    home = position("S1901M", "RED A LAK", "RED F LKE")

    assert after(board, out, {"RED": ["A WES - LAK VIA", "F LKE C A WES - LAK"]})[0] == "RED A LAK"
    assert "RED A LAK" in after(board, home, {"RED": ["A LAK - ISL", "F LKE C A LAK - ISL"]})


def test_no_unit_enters_an_impassable_province() -> None:
    before = position("S1901M", "RED A WES")

    why = impossibility(small_board(), before, "RED", read_order("A WES - MAR"), DATC)

    assert why is Impossible.UNREACHABLE


@pytest.mark.parametrize(
    ("closed", "phase", "arrives"),
    [
        ('seasons = "F"', "S1901M", True),
        ('seasons = "F"', "F1901M", False),
        ('years = "1902"', "S1901M", True),
        ('years = "1902"', "S1902M", False),
        ('years = "1900-1901", units = "F"', "S1901M", True),
        ('years = "1900-1901", units = "AF"', "S1901M", False),
    ],
)
def test_a_border_may_be_closed_in_a_season_or_in_some_years(
    closed: str, phase: str, *, arrives: bool
) -> None:
    """DATC chapters 8 and 10."""
    board = small_board(f'closed = [{{ between = ["WES", "LAK"], {closed} }}]')
    moved = after(board, position(phase, "RED A WES"), {"RED": ["A WES - LAK"]})

    assert (moved == ["RED A LAK"]) is arrives


GARRISON = '[neutral]\nunits = ["A LAK"]\nrebuilt = true'


def test_a_neutral_unit_holds_and_is_destroyed_when_dislodged() -> None:
    board = small_board(GARRISON)
    alone = {"RED": ["A WES - LAK"]}
    supported = alone | {"BLUE": ["A EAS S A WES - LAK"]}

    held = play(board, board.start, alone)
    taken = play(board, board.start, supported)

    assert NEUTRAL not in board.powers
    assert NEUTRAL not in duties(board, board.start)
    assert f"{NEUTRAL} A LAK" in [f"{each.power} {each}" for each in held.after.units]
    (outcome,) = [each for each in taken.unordered if each.power == NEUTRAL]
    assert isinstance(outcome.fate, Destroyed)
    assert taken.after.phase.code == "F1901M"
    assert taken.after.dislodged == ()


def test_a_neutral_unit_takes_no_center_and_is_rebuilt_where_nobody_owns_it() -> None:
    board = small_board(GARRISON)
    left = position("F1901M", "RED A WES", "BLUE A EAS", owners={"WES": "RED", "EAS": "BLUE"})
    owned = replace(left, owners={**left.owners, "LAK": "RED", "ISL": "RED"})
    standing = position("F1901M", "NEUTRAL A LAK")

    assert [each.power for each in play(board, left, {}).after.units_of(NEUTRAL)] == [NEUTRAL]
    assert "LAK" not in play(board, standing, {}).after.owners
    winter = play(board, owned, {}).after
    assert winter.phase.code == "W1901A"
    assert play(board, winter, {"RED": ["A ISL B"]}).after.units_of(NEUTRAL) == ()


def test_a_neutral_unit_is_rebuilt_after_adjustments_too() -> None:
    board = small_board(GARRISON)
    owners = {"WES": "RED", "EAS": "BLUE", "ISL": "RED"}
    winter = position("W1901A", "RED A WES", "BLUE A EAS", owners=owners)

    built = play(board, winter, {"RED": ["F ISL B"]}).after

    assert sorted(f"{each.power} {each}" for each in built.units) == [
        "BLUE A EAS",
        "NEUTRAL A LAK",
        "RED A WES",
        "RED F ISL",
    ]


OWNED = {"STR": "RED", "ISL": "RED", "LAK": "RED", "WES": "BLUE"}


@pytest.mark.parametrize(
    ("sites", "owners", "open_sites"),
    [
        (BuildSites.HOME, OWNED, "ISL"),
        (BuildSites.ANY_HOME, {**OWNED, "EAS": "RED"}, "EAS ISL"),
        (BuildSites.ANY, OWNED, "ISL LAK STR"),
        (BuildSites.ANY_WITH_A_HOME, OWNED, "ISL LAK STR"),
        (BuildSites.ANY_WITH_A_HOME, {"LAK": "RED"}, ""),
        (BuildSites.ANY_WITH_ALL_HOMES, OWNED, ""),
        (BuildSites.ANY_WITH_ALL_HOMES, {**OWNED, "WES": "RED"}, "ISL LAK STR WES"),
    ],
)
def test_a_board_says_where_powers_build(
    sites: BuildSites, owners: Mapping[str, str], open_sites: str
) -> None:
    board = small_board().with_build_sites(sites)
    winter = position("W1901A", owners=owners)

    assert " ".join(open_build_sites(board, winter, "RED")) == open_sites


@pytest.mark.parametrize(
    ("sites", "order", "why"),
    [
        (BuildSites.HOME, "LAK", Impossible.NOT_A_HOME_CENTER),
        (BuildSites.HOME, "XXX", Impossible.NOT_A_HOME_CENTER),
        (BuildSites.ANY_HOME, "LAK", Impossible.NOT_A_HOME_CENTER),
        (BuildSites.ANY, "NTH", Impossible.NOT_A_CENTER),
        (BuildSites.ANY, "EAS", Impossible.CENTER_NOT_OWNED),
        (BuildSites.ANY_WITH_ALL_HOMES, "LAK", Impossible.HOME_CENTERS_LOST),
        (BuildSites.ANY, "LAK", None),
    ],
)
def test_a_build_elsewhere_has_its_reason(
    sites: BuildSites, order: str, why: Impossible | None
) -> None:
    board = small_board().with_build_sites(sites)
    winter = position("W1901A", owners=OWNED)
    build = Build(UnitName(UnitKind.ARMY, order))

    assert impossibility(board, winter, "RED", build, DATC) is why


def test_a_power_may_build_at_sites_of_its_own() -> None:
    board = small_board(red='extra_sites = ["LAK", "NTH"]')
    winter = position("W1901A", owners={"WES": "RED", "LAK": "BLUE"})

    assert open_build_sites(board, winter, "RED") == ("NTH", "WES")
    assert open_build_sites(board, winter, "BLUE") == ()


def test_two_powers_may_have_one_home() -> None:
    board = small_board()

    assert board.homes_of("RED") == ("ISL", "WES")
    assert board.homes_of("BLUE") == ("EAS", "ISL")


FIRST_BUILDS = small_board("first_armies = true", red='extra_sites = ["NTH"]')


@pytest.mark.parametrize(
    ("orders", "built"),
    [
        ({}, "BLUE A EAS, RED A WES"),
        ({"RED": ["F WES B"]}, "BLUE A EAS, RED F WES"),
        ({"RED": ["F NTH B"]}, "BLUE A EAS, RED F NTH"),
        ({"RED": ["WAIVE"], "BLUE": ["F LAK B"]}, "BLUE A EAS"),
    ],
)
def test_a_power_that_orders_no_first_build_gets_an_army(orders: Orders, built: str) -> None:
    board = replace(FIRST_BUILDS, start=position("W1900A", owners=FIRST_BUILDS.start.owners))

    played = play(board, board.start, orders)

    assert ", ".join(f"{each.power} {each}" for each in played.after.units) == built
    given = {power for power, texts in orders.items() if "LAK" not in texts[0]}
    assert {each.power for each in played.unordered} == {"RED", "BLUE"} - given
    assert not any(each.written for each in played.unordered)


def test_later_builds_that_are_not_ordered_are_waived() -> None:
    winter = position("W1901A", owners=FIRST_BUILDS.start.owners)
    without = replace(small_board(), start=winter)

    assert play(FIRST_BUILDS, winter, {}).after.units == ()
    assert play(without, without.start, {}).after.units == ()


def test_every_power_of_chaos_starts_with_a_unit_in_its_center() -> None:
    board = load_map("chaos")

    after = adjudicate(board, board.start, {}).after

    assert {unit.province for unit in after.units} == {*board.centers}
    assert {unit.kind for unit in after.units} == {UnitKind.ARMY}


@pytest.mark.parametrize(
    ("owners", "victor"),
    [
        ({"LAK": "RED", "STR": "RED"}, "RED"),
        ({"LAK": "RED", "STR": "BLUE", "WES": "BLUE"}, None),
        ({"LAK": "RED"}, None),
        ({}, None),
    ],
)
def test_a_board_may_name_the_centers_that_win(
    owners: Mapping[str, str], victor: str | None
) -> None:
    board = small_board('victory_held = ["LAK", "STR"]')

    assert winner(board, position("F1901M", owners=owners)) == victor


def test_every_possible_order_on_such_a_board_can_be_adjudicated() -> None:
    board = small_board(GARRISON)
    before = position(
        "S1901M", "RED A WES", "RED F STR", "BLUE A EAS", "BLUE F NTH", "NEUTRAL A LAK"
    )

    for power in board.powers:
        for _, orders in possible_orders(board, before, power, DATC):
            for order in orders:
                assert adjudicate(board, before, {power: [order]}).after.phase.year >= 1901
    winter = position("W1901A", owners=OWNED)
    builds = [
        order for _, several in possible_orders(board, winter, "RED", DATC) for order in several
    ]
    assert Waive() in builds
    assert isinstance(play(board, winter, {"RED": ["F ISL B"]}).outcomes[0].verdict, Succeeds)
