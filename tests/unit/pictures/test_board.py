"""The outlines of the drawn board share the borders that the variant's tables list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from judge.adapters.variant_files import load_art, load_map, variants
from judge.pictures.board_art import BoardArt
from judge.rules.board import Map, Terrain
from judge.rules.types import Location, Province, province_of
from tests.support.selection import in_one
from tests.unit.pictures.outlines import Corner, corners_of

BORDER_MIN = 8.0  # tenths of a unit; what is shorter is a corner where four provinces meet
IMPASSABLE_TOUCHES = {"BUR", "MAR", "MUN", "PIE", "TYR"}  # Switzerland

Side: TypeAlias = frozenset[Corner]

BOARD = load_map()


def drawn() -> BoardArt:
    art = load_art()
    assert art
    return art


def sides(path: str) -> set[Side]:
    return {
        frozenset(side)
        for ring in corners_of(path)
        for side in zip(ring, [*ring[1:], ring[0]], strict=True)
    }


def long(shared: set[Side]) -> float:
    return sum(abs(complex(*a) - complex(*b)) for a, b in (tuple(side) for side in shared))


@cache
def borders() -> Mapping[frozenset[Province], set[Side]]:
    outlines = {code: sides(area.path) for code, area in drawn().areas.items()}
    shared = {
        frozenset((one, other)): outlines[one] & outlines[other]
        for one, other in combinations(outlines, 2)
    }
    return {pair: both for pair, both in shared.items() if long(both) > BORDER_MIN}


def touching(board: Map) -> set[frozenset[Province]]:
    """Return the pairs of provinces that a unit of some kind can go between."""
    return {
        frozenset((province_of(start), province_of(end)))
        for table in (board.army, board.fleet)
        for start, ends in table.items()
        for end in ends
    }


def test_the_borders_drawn_are_those_of_the_variant() -> None:
    assert len(borders()) == 206
    assert set(borders()) == touching(BOARD)


def test_fleets_go_along_the_coasts_as_drawn() -> None:
    """Coasts touch where their common border ends at a sea that both are on."""
    on: dict[Province, dict[Province, set[Location]]] = {
        sea: defaultdict(set)
        for sea, place in BOARD.places.items()
        if place.terrain is Terrain.SEA
    }
    for sea, coasts in on.items():
        for location in BOARD.fleet[sea]:
            coasts[province_of(location)].add(location)
    corners = {
        code: {corner for ring in corners_of(area.path) for corner in ring}
        for code, area in drawn().areas.items()
    }
    found: set[frozenset[Location]] = set()
    for pair, shared in borders().items():
        ends = {corner for side in shared for corner in side}
        for sea, coasts in on.items():
            if not pair & on.keys() and pair <= coasts.keys() and ends & corners[sea]:
                found |= {frozenset(each) for each in product(*(coasts[code] for code in pair))}
    table = {
        frozenset((start, end))
        for start, touched in BOARD.fleet.items()
        for end in touched
        if not {start, end} & on.keys()
    }

    assert table <= found
    # Both coasts of Spain are on the same ocean: which one goes on to Gascony, no outline tells.
    assert found - table == {frozenset(("GAS", "SPA/SC"))}


def test_switzerland_is_where_it_was() -> None:
    alps = sides(drawn().impassable)

    assert {
        code for code, area in drawn().areas.items() if long(sides(area.path) & alps) > BORDER_MIN
    } == IMPASSABLE_TOUCHES


def test_every_place_has_its_spots() -> None:
    art = drawn()

    assert art.areas.keys() == BOARD.places.keys()
    assert {code for code, area in art.areas.items() if area.center} == set(BOARD.centers)
    assert set(art.coasts) == {coast for code in BOARD.places for coast in BOARD.coasts_of(code)}
    assert all(area.labels for area in art.areas.values())


@in_one(sorted(BOARD.places))
def test_a_unit_stands_in_its_own_province(code: Province) -> None:
    x, y = (10 * each for each in drawn().areas[code].unit)
    crossings = 0
    for side in sides(drawn().areas[code].path):
        (left, top), (right, bottom) = sorted(side)
        if left <= x < right and y < top + (bottom - top) * (x - left) / (right - left):
            crossings += 1

    assert crossings % 2 == 1


@in_one([name for name in variants() if load_art(name)])
def test_a_picture_shows_all_provinces_of_its_variant(name: str) -> None:
    art = load_art(name)

    assert art
    assert art.areas.keys() == load_map(name).places.keys()


@in_one([name for name in variants() if load_art(name)])
def test_no_province_of_a_generated_picture_is_painted_as_impassable(name: str) -> None:
    """The outlines of all cells are cut out of it, as those of Off Board L once were not."""
    art = load_art(name)
    assert art
    cut_out = set(art.impassable.split("z"))
    cells = {
        code: [outline for outline in area.path.split("z") if outline]
        for code, area in art.areas.items()
    }
    generated = any(outlines[0] in cut_out for outlines in cells.values())

    painted = [code for code, outlines in cells.items() if not cut_out.issuperset(outlines)]
    assert not (generated and painted)
