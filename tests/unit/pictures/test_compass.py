"""Pictures of boards are the right way round: north at the top, east at the right."""

from __future__ import annotations

import cmath
import math

import pytest

from judge.adapters.variant_files import (
    folder_of,
    load_art,
    load_map,
    places_of,
    read_folder,
    variants,
)
from judge.boards.places import Places, read_places
from judge.pictures.compass import best_turn, share_in_direction
from judge.pictures.planar import planar_layout
from tests.unit.pictures.test_generating import LETTERS, WHEEL

RIGHT_SHARE_MIN = 0.85  # of pairs of provinces
PLACES_MIN = 12
SQUARE = {"A": (0.0, 0.0), "B": (9.0, 0.0), "C": (0.0, 5.0), "D": (9.0, 5.0), "E": (3.0, 1.0)}
ROUND_THE_WHEEL = {"A": (0.0, 0.0)} | {
    letter: (math.cos(number * math.tau / 11), math.sin(number * math.tau / 11))
    for number, letter in enumerate(LETTERS[1:])
}


@pytest.mark.parametrize("name", variants())
def test_a_board_is_drawn_the_right_way_round(name: str) -> None:
    files, board, art = read_folder(folder_of(name)), load_map(name), load_art(name)
    places = places_of(files, board)

    assert places is not None
    assert art is not None
    assert len(places.points) >= min(PLACES_MIN, len(board.places))
    assert share_in_direction(places.points, art.middles) >= RIGHT_SHARE_MIN


@pytest.mark.parametrize("name", variants())
def test_the_places_of_a_board_are_spread_out(name: str) -> None:
    places, art = places_of(read_folder(folder_of(name)), load_map(name)), load_art(name)

    assert places is not None
    assert art is not None
    for axis in (0, 1):
        all_along = [spot[axis] for spot in art.middles.values()]
        stated = [art.middles[code][axis] for code in places.points]
        assert max(stated) - min(stated) >= 0.7 * (max(all_along) - min(all_along))


def test_a_mirrored_or_turned_drawing_is_found_out() -> None:
    mirrored = {name: (-x, y) for name, (x, y) in SQUARE.items()}
    upside_down = {name: (-x, -y) for name, (x, y) in SQUARE.items()}

    assert share_in_direction(SQUARE, {**SQUARE, "Z": (7.0, 7.0)}) == 1
    assert share_in_direction(SQUARE, mirrored) < 0.5
    assert share_in_direction(SQUARE, upside_down) == 0


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("degrees", [-123, 0, 50, 180])
def test_the_best_turn_is_the_one_that_undoes_it(degrees: int, *, mirrored: bool) -> None:
    angle = math.radians(degrees)
    drawn = {}
    for name, (x, y) in SQUARE.items():
        turned = complex(x, y) * cmath.exp(1j * angle)
        drawn[name] = (-turned.real if mirrored else turned.real, turned.imag)

    turn = best_turn(SQUARE, drawn)

    assert turn.mirrored is mirrored
    assert math.isclose(math.cos(turn.angle + angle), 1, abs_tol=1e-9)


@pytest.mark.parametrize("way", [1, -1])
def test_a_layout_faces_north_whichever_way_its_places_go_round(way: int) -> None:
    places = {name: (x, way * y) for name, (x, y) in ROUND_THE_WHEEL.items()}

    layout = planar_layout(WHEEL, 700, 700, places)

    assert share_in_direction(places, layout.spots) >= 0.95


def test_neighbors_around_the_world_are_at_opposite_edges_of_the_board() -> None:
    text = "province,longitude,latitude\nSTP,170,60\nLVN,-170,60\nMOS,100,55\n"
    places = read_places(text, load_map())

    assert places.are_at_opposite_edges("STP", "LVN")
    assert not places.are_at_opposite_edges("STP", "MOS")
    assert not places.are_at_opposite_edges("STP", "WAR"), "it states no place"
    assert not Places({"STP": (0.0, 0.0), "LVN": (99.0, 0.0)}).are_at_opposite_edges("STP", "LVN")
