"""Every province of every board has room for its labels and units, at usual widths."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations

import pytest
from PIL import Image, ImageDraw, ImageFont

from judge.adapters.variant_files import load_art, load_map, variants
from judge.pictures.board_art import CENTER_SIZE, BoardArt
from judge.pictures.geometry import Point
from judge.pictures.labels import COAST_SIZE, LINE_HEIGHT, NAME_SIZES, lines_of_beyond
from judge.pictures.parts import Box, box_around
from judge.pictures.png import FONT_FOLDER
from judge.pictures.themes import NameStyle, scale_for_width
from judge.pictures.unit_drawing import UNIT_HEIGHT, UNIT_WIDTH, place_units
from judge.rules.board import DEFAULT_VARIANT
from judge.rules.types import (
    DislodgedUnit,
    Location,
    Phase,
    Position,
    Province,
    Unit,
    UnitKind,
    province_of,
)
from tests.support.selection import one_in
from tests.unit.pictures.outlines import rings_of

OUTLINES = {
    "".join(f"{area.path}{area.center}" for area in art.areas.values()): name
    for name in variants()
    if (art := load_art(name))
}
DRAWN = sorted(OUTLINES.values())  # one of those that share a picture
LEGIBLE = 9  # pixels
INSIDE_MIN = 0.85
CAPITALS, DESCENDERS = 0.36, 0.22  # times the size of a name, above and below its middle
FONT = ImageFont.truetype(str(FONT_FOLDER / "PT_Sans-Web-Regular.ttf"), 100)


def art_of(name: str) -> BoardArt:
    found = load_art(name)
    assert found
    return found


@pytest.mark.parametrize("name", DRAWN)
def test_at_360_pixels_names_are_nine_pixels_high(name: str) -> None:
    for size in (NAME_SIZES[NameStyle.SHORT], COAST_SIZE):
        assert size * scale_for_width(360) * 360 / art_of(name).width >= LEGIBLE


@pytest.mark.parametrize("name", DRAWN)
def test_at_640_pixels_a_province_holds_its_name_center_and_two_units(name: str) -> None:
    crowded = {
        code
        for code, boxes in things(name).items()
        for one, other in combinations(boxes, 2)
        if overlap(boxes[one], boxes[other])
    }

    assert not crowded


@pytest.mark.parametrize("name", one_in(5, DRAWN))
def test_at_640_pixels_nothing_covers_what_is_in_another_province(name: str) -> None:
    covered = {
        one
        for one, other in combinations(things(name), 2)
        if province_of(one) != province_of(other)
        for box in things(name)[one].values()
        for other_box in things(name)[other].values()
        if overlap(box, other_box)
    }

    assert not covered


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=[] if each == DEFAULT_VARIANT else [pytest.mark.gate])
        for each in DRAWN
    ],
)
def test_at_640_pixels_everything_is_in_its_province(name: str) -> None:
    outside = {
        code
        for code, boxes in things(name).items()
        for box in boxes.values()
        if share_inside(art_of(name), code, box) < INSIDE_MIN
    }

    assert not outside


@cache
def things(name: str) -> dict[Location, dict[str, Box]]:
    """Return the boxes of what every province holds in a picture 640 pixels wide."""
    board, art, scale = load_map(name), art_of(name), scale_for_width(640)
    size = NAME_SIZES[NameStyle.SHORT] * scale
    found: dict[Location, dict[str, Box]] = {}
    for code, area in art.areas.items():
        for place in board.coasts_of(code) or (code,):
            unit, dislodged = unit_spots(art, place, scale)
            boxes = {
                "unit": box_around(unit, UNIT_WIDTH * scale, UNIT_HEIGHT * scale),
                "dislodged": box_around(dislodged, UNIT_WIDTH * scale, UNIT_HEIGHT * scale),
            }
            if area.center:
                boxes["center"] = box_around(area.center, CENTER_SIZE * scale, CENTER_SIZE * scale)
            lines = [code.capitalize(), *lines_of_beyond(art.beyond.get(code, ()))]
            width = max(map(FONT.getlength, lines)) / 100 * size
            x, y = area.labels[0]
            height = (len(lines) - 1) / 2 * LINE_HEIGHT * size + CAPITALS * size
            below = DESCENDERS * size if set("gjpqy") & set(lines[-1].lower()) else 0
            boxes["name"] = x - width / 2, y - height, x + width / 2, y + height + below
            found[place] = boxes
    return found


def unit_spots(art: BoardArt, place: Location, scale: float) -> tuple[Point, Point]:
    """Return the spots of a unit that has come to *place* and of the one it has dislodged."""
    came, gone = (Unit(power, UnitKind.FLEET, place) for power in ("FRANCE", "ITALY"))
    dislodged = DislodgedUnit(gone, "XXX", attacker_convoyed=False, retreats=())
    position = Position(Phase.parse("S1901R"), (came,), {}, (dislodged,))
    spots = place_units(art, position, scale)
    return art.spot(place), spots.dislodged[came.province]


def overlap(one: Box, other: Box) -> bool:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 0 and high > 0


def share_inside(art: BoardArt, code: Location, box: Box) -> float:
    left, top, right, bottom = map(round, box)
    seen = mask(art, province_of(code)).crop((left, top, right, bottom))
    return sum(seen.tobytes()) / 255 / (seen.width * seen.height)


@lru_cache(maxsize=1)  # a picture of the whole board
def mask(art: BoardArt, code: Province) -> Image.Image:
    """Return *code* in white on black."""
    image = Image.new("L", (art.width, art.height))
    draw = ImageDraw.Draw(image)
    for ring in rings_of(art.areas[code].path):
        draw.polygon(ring, fill=255)
    return image
