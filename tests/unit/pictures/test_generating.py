"""A board without a picture gets a generated one, with exactly its borders."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from judge.adapters.variant_files import load_map
from judge.pictures.board_art import BoardArt, read_art
from judge.pictures.cells import Bubbles, Cells
from judge.pictures.drawing import draw_picture
from judge.pictures.generating import generate_picture
from judge.pictures.placing import Spots, has_room, sizes_of
from judge.pictures.planar import planar_layout
from judge.pictures.png import paint
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme
from judge.rules.types import province_of
from tests.unit.pictures.outlines import rings_of

BOARD = load_map()
LETTERS = "ABCDEFGHIJKL"
# A wheel: A in the middle, the others around it.
WHEEL: dict[str, set[str]] = {letter: set() for letter in LETTERS}
for _number, _letter in enumerate(LETTERS[1:]):
    for _other in ("A", LETTERS[1 + (_number + 1) % 11]):
        WHEEL[_letter].add(_other)
        WHEEL[_other].add(_letter)


takes_seconds = pytest.mark.gate  # to generate a whole board


@pytest.fixture(scope="module")
def art() -> BoardArt:
    return read_art(generate_picture(BOARD))


@takes_seconds
def test_provinces_touch_where_units_can_move(art: BoardArt) -> None:
    near = {
        frozenset((province_of(start), province_of(end)))
        for borders in (BOARD.army, BOARD.fleet)
        for start, ends in borders.items()
        for end in ends
    }
    cells = cells_of(neighbors())

    assert {frozenset(pair) for pair in cells.borders if None not in pair} == near
    assert not art.beyond, "every neighbor is touched"


def cells_of(near: Mapping[str, set[str]]) -> Cells:
    """Return the cells of provinces with these neighbors, in a picture of 700 units."""
    wanted = dict.fromkeys(near, 490_000 / len(near))
    return Bubbles(planar_layout(near, 700, 700), 700, wanted).settle(60)


def neighbors() -> dict[str, set[str]]:
    return {
        code: {
            province_of(end)
            for borders in (BOARD.army, BOARD.fleet)
            for start, ends in borders.items()
            for end in ends
            if province_of(start) == code
        }
        for code in BOARD.places
    }


def test_each_cell_gets_about_the_area_that_it_wants() -> None:
    wanted = dict.fromkeys(WHEEL, 40_000.0)
    bubbles = Bubbles(planar_layout(WHEEL, 700, 700), 700, wanted)

    before = areas(bubbles.settle(200))
    assert all(0.7 < area / 40_000 < 1.2 for area in before.values())

    bubbles.enlarge("B", 2)
    after = areas(bubbles.settle(200))
    assert after["B"] > 1.4 * before["B"]
    assert bubbles.height > 700


def areas(cells: Cells) -> dict[str, float]:
    return {
        name: abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise([*line, line[0]])) / 2)
        for name, line in cells.outlines.items()
    }


@takes_seconds
def test_every_place_has_its_spots(art: BoardArt) -> None:
    assert art.areas.keys() == BOARD.places.keys()
    assert {code for code, area in art.areas.items() if area.center} == set(BOARD.centers)
    assert set(art.coasts) == {coast for code in BOARD.places for coast in BOARD.coasts_of(code)}


@takes_seconds
def test_a_generated_picture_has_room_for_everything(art: BoardArt) -> None:
    for code, area in art.areas.items():
        spots = Spots(
            unit=area.unit,
            dislodged=area.dislodged,
            center=area.center,
            labels=area.labels,
            fleets={coast: art.coasts[coast] for coast in BOARD.coasts_of(code)},
        )
        (outline,) = rings_of(area.path)

        assert has_room([outline], spots, sizes_of(code, 640)), code


@takes_seconds
def test_a_generated_picture_can_be_painted(art: BoardArt) -> None:
    picture = draw_picture(BOARD, art, Scene(position=BOARD.start), Look(load_theme("light")))

    assert paint(picture, 640).startswith(b"\x89PNG")


def test_neighbors_that_cannot_all_touch_name_each_other() -> None:
    """Five provinces that are all neighbors cannot be drawn in a plane (Kuratowski)."""
    five = {letter: set("ABCDE") - {letter} for letter in "ABCDE"}
    cells = cells_of(five)
    touching = {frozenset(pair) for pair in cells.borders if None not in pair}

    assert len({frozenset(pair) for pair in combinations("ABCDE", 2)} - touching) == 1


@pytest.mark.parametrize(
    "near",
    [
        {"A": set()},
        {"A": {"B"}, "B": {"A"}},
        {"A": {"B"}, "B": {"A", "C"}, "C": {"B"}},
        {"A": {"B"}, "B": {"A"}, "C": {"D"}, "D": {"C"}},
        WHEEL,
    ],
    ids=["one", "two", "chain", "two parts", "wheel"],
)
def test_small_and_divided_boards_can_be_drawn(near: dict[str, set[str]]) -> None:
    cells = cells_of(near)

    assert cells.outlines.keys() == near.keys()
    assert {frozenset(pair) for pair in cells.borders if None not in pair} == {
        frozenset((one, other)) for one, others in near.items() for other in others
    }


def test_a_layout_is_the_same_whatever_the_order_of_hashes() -> None:
    code = "from tests.unit.pictures.test_generating import *;print(cells_of(WHEEL).outlines)"
    found = {
        subprocess.check_output(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
        )
        for seed in ("1", "2")
    }

    assert len(found) == 1
