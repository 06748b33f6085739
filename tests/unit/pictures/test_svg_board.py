"""A board is drawn from an SVG whose regions carry province codes, in our colors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from judge.adapters import variant_files
from judge.boards.variant_text import read_map
from judge.pictures.board_art import BoardArt, PictureError, read_art
from judge.pictures.drawing import draw_picture
from judge.pictures.geometry import Point
from judge.pictures.png import paint
from judge.pictures.scene import Scene
from judge.pictures.svg_board import picture_from_svg
from judge.pictures.svg_outlines import SHAPES_MAX, SIZE_MAX, read_outlines
from judge.pictures.themes import Look, load_theme, power_colors, theme_names
from tests.support.table import Table
from tests.unit.boards.small_board import small_texts, write_small_board
from tests.unit.pictures.outlines import rings_of

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="100 0 500 400">'
# The sea is below the land; the east is in a moved group, the island of two parts, the lake round.
DRAWN = (
    HEAD
    + """
  <title>The small board</title>
  <style>@import url("http://example.org/evil.css"); #WES { fill: red }</style>
  <script>alert(1)</script>
  <image href="http://example.org/evil.png" width="500" height="400"/>
  <rect id="NTH" x="100" y="0" width="500" height="400"/>
  <g transform="translate(100 100)">
    <path id="WES" d="m0 0h150v200q-75 60-150 0z"/>
    <polygon id="LAK" points="150,0 300,0 300,200 150,200"/>
    <g id="layer1" transform="scale(1 .5)">
      <path data-province="EAS" d="M300 0 H400 V400 H300Z"/>
    </g>
  </g>
  <circle id="LKE" cx="325" cy="250" r="38"/>
  <g id="ISL">
    <ellipse cx="180" cy="45" rx="60" ry="38"/>
    <rect x="250" y="20" width="40" height="50"/>
  </g>
  <path id="STR" d="M330 40 a40 30 0 0 1 80 0 l0 50 -80 0z"/>
  <path id="impassable" d="M100 340H600V400H100Z"/>
  <text id="ABC" x="20" y="30">Abc</text>
</svg>"""
)


SPOT = '<circle {}="{}" cx="450" cy="10" r="3"/>'


def split_coast() -> dict[str, str]:
    """Return the small board with two coasts of the east."""
    texts = small_texts()
    texts["locations.csv"] = texts["locations.csv"].replace("EAS,AF", "EAS,A\nEAS/NC,F\nEAS/SC,F")
    texts["borders.csv"] = (
        texts["borders.csv"]
        .replace("EAS,F,STR NTH", "EAS/NC,F,STR NTH\nEAS/SC,F,LKE")
        .replace("STR,F,WES EAS", "STR,F,WES EAS/NC")
        .replace("NTH,F,WES EAS ISL", "NTH,F,WES EAS/NC ISL")
        .replace("LKE,F,LAK", "LKE,F,LAK EAS/SC")
    )
    return texts


BOARD = read_map(small_texts())


@cache
def art_of(svg: str = DRAWN) -> BoardArt:
    return read_art(picture_from_svg(svg, BOARD))


def box(rings: Sequence[Sequence[Point]]) -> tuple[int, int, int, int]:
    across, down = ([point[axis] for ring in rings for point in ring] for axis in (0, 1))
    return round(min(across)), round(min(down)), round(max(across)), round(max(down))


def test_each_region_is_where_the_svg_has_it_in_a_picture_1000_units_wide() -> None:
    art = art_of()

    assert (art.width, art.height) == (1000, 800)
    assert {code: box(rings_of(area.path)) for code, area in art.areas.items()} == {
        "NTH": (0, 0, 1000, 800),
        "WES": (0, 200, 300, 660),
        "LAK": (300, 200, 600, 600),
        "EAS": (600, 200, 800, 600),
        "LKE": (374, 424, 526, 576),
        "ISL": (40, 14, 380, 166),
        "STR": (460, 20, 620, 180),
    }
    assert box(rings_of(art.impassable)) == (0, 680, 1000, 800)


def test_everything_has_a_place_in_its_region_that_no_other_region_covers() -> None:
    art = art_of()
    outlines = {code: rings_of(area.path) for code, area in art.areas.items()}

    for code, area in art.areas.items():
        spots = [
            area.unit,
            area.dislodged,
            area.labels[0],
            *([area.center] if area.center else []),
        ]
        for x, y in spots:
            covering = [name for name in art.areas if is_inside(outlines[name], x, y)]
            assert covering[-1] == code
        assert all(abs(x - u) > 16 or abs(y - v) > 16 for (x, y), (u, v) in combinations(spots, 2))
    assert {code for code, area in art.areas.items() if area.center} == set(BOARD.centers)


def is_inside(rings: Sequence[Sequence[Point]], x: float, y: float) -> bool:
    sides = [side for ring in rings for side in zip(ring, [*ring[1:], ring[0]], strict=True)]
    crossed = [
        a + (c - a) * (y - b) / (d - b) > x for (a, b), (c, d) in sides if (b <= y) != (d <= y)
    ]
    return sum(crossed) % 2 == 1


def test_borders_are_those_of_coasts_of_land_and_of_seas() -> None:
    art = art_of()

    assert box(rings_of(art.coast)) == (0, 14, 1000, 680)
    assert box(rings_of(art.land_border)) == (300, 200, 600, 600)
    assert art.sea_border == "", (
        "the lake is in the land, and the edge of the picture is no border"
    )


def test_given_places_are_kept() -> None:
    given = (
        '<circle data-unit="WES" cx="150" cy="150" r="4"/>'
        '<g data-dislodged="WES"><path d="M120 200h10v10h-10z"/></g>'
        '<rect data-center="WES" x="190" y="190" width="20" height="20"/>'
        '<circle data-name="WES" cx="150" cy="250" r="1"/>'
    )
    west = art_of(DRAWN.replace("</svg>", f"{given}</svg>")).areas["WES"]

    assert (west.unit, west.dislodged) == ((100, 300), (50, 410))
    assert (west.center, west.labels) == ((200, 400), ((100, 500),))


def test_each_coast_of_a_split_province_has_its_place_near_its_seas() -> None:
    board = read_map(split_coast())
    lake_in_the_east = DRAWN.replace('cx="325" cy="250"', 'cx="500" cy="290"')
    art = read_art(picture_from_svg(lake_in_the_east, board))

    north, south = art.coasts["EAS/NC"], art.coasts["EAS/SC"]
    assert north != south
    assert min(abs(north[0] - 800), abs(north[1] - 200)) < 40
    assert abs(south[0] - 800) < 100
    assert abs(south[1] - 580) < 120

    given = lake_in_the_east.replace(
        "</svg>", '<circle data-unit="EAS/NC" cx="450" cy="130" r="3"/></svg>'
    )
    assert read_art(picture_from_svg(given, board)).coasts["EAS/NC"] == (700, 260)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "</svg>",
            '<path id="XYZ" d="M110 10h99v99z"/></svg>',
            "shows XYZ, which is not a province",
        ),
        (
            "</svg>",
            '<g data-province="west"><path d="M0 0h990v990z"/></g></svg>',
            "shows west, which is not a province",
        ),
        ('id="LAK"', 'id="path12"', "does not show LAK"),
        ('id="ISL"', "", "does not show ISL"),
        (
            "</svg>",
            f"{SPOT.format('data-unit', 'WES')}</svg>",
            "the unit place of WES is outside of WES",
        ),
        ("</svg>", f"{SPOT.format('data-unit', 'WES/NC')}</svg>", "WES/NC, which is not on"),
        ("</svg>", f"{SPOT.format('data-center', 'MOO')}</svg>", "MOO, which is not on the board"),
    ],
    ids=["region", "region by data", "province", "group", "place outside", "coast", "place"],
)
def test_check_names_what_the_picture_and_the_board_do_not_share(
    old: str, new: str, complaint: str
) -> None:
    assert old in DRAWN

    [found] = complaints_of(DRAWN.replace(old, new))

    assert complaint in found


def complaints_of(svg: str) -> list[str]:
    files = variant_files.VariantFiles({**small_texts(), "board.svg": svg})
    try:
        variant_files.read_picture(files, BOARD)
    except PictureError as error:
        return list(error.complaints)
    return []


@pytest.mark.parametrize(
    ("svg", "complaint"),
    [
        ("", "the SVG cannot be read: it is not well-formed XML"),
        ("a drawing", "the SVG cannot be read: it is not well-formed XML"),
        ("<html/>", "it is no SVG, but 'html'"),
        (DRAWN.replace("viewBox", "view"), "it has neither a viewBox nor a width and height"),
        (DRAWN.replace("500 400", "5000 400"), "more than five times as wide as high"),
        (DRAWN.replace("h150v200", "h150w200"), "'150w200' are not numbers"),
        (DRAWN.replace("h150v200", "h150vv"), "the path command 'v' is not understood"),
        (DRAWN.replace("m0 0h150", "l0 0h150"), "a path does not begin with M"),
        (DRAWN.replace("scale(1 .5)", "scale(1 .5"), "the transform 'scale(1 .5' is not under"),
        (DRAWN.replace("scale(1 .5)", "wave(1)"), "the transform 'wave' is not understood"),
        (DRAWN.replace('r="38"', 'r="3%"'), "r='3%' is not a number"),
        (DRAWN.replace('r="38"', 'r="1e999"'), "it has numbers that are too large"),
        (DRAWN.replace("scale(1 .5)", "scale(9e6)" * 60), "it has numbers that are too large"),
        (HEAD + " " * SIZE_MAX, f"{SIZE_MAX} is the limit"),
        (HEAD + "<rect/>" * (SHAPES_MAX + 2) + "</svg>", f"more than {SHAPES_MAX} shapes"),
        (f'<!DOCTYPE svg [<!ENTITY a "b">]>{DRAWN}', "it declares entities"),
        (f'<!DOCTYPE svg SYSTEM "http://example.org/x.dtd">{DRAWN[:-9]}&a;</svg>', "not well-for"),
    ],
)
def test_an_svg_that_cannot_be_read_is_one_complaint(svg: str, complaint: str) -> None:
    [found] = complaints_of(svg)

    assert found.startswith("the SVG cannot be read: ")
    assert complaint in found
    assert len(found) < 200


def test_an_svg_of_too_many_points_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.pictures.svg_outlines.POINTS_MAX", 100)

    assert [each for each in complaints_of(DRAWN) if "their outlines 100 points" in each]


def test_deeply_nested_groups_are_read_or_refused() -> None:
    depth = 5_000
    svg = HEAD + "<g>" * depth + '<rect width="9" height="9"/>' + "</g>" * depth + "</svg>"

    assert all("cannot be read" in each for each in complaints_of(svg)[:1])


def test_nothing_of_the_svg_but_numbers_and_codes_is_in_the_picture() -> None:
    picture = draw_picture(BOARD, art_of(), Scene(position=BOARD.start), Look(load_theme("light")))

    assert "evil" not in picture_from_svg(DRAWN, BOARD)
    assert not re.search("evil|script|href|@import", picture.svg())


def test_curves_and_arcs_are_followed() -> None:
    """Each is half of a circle, or a part of it, around 300, 200 with the radius 100."""
    paths = [
        "M200 200A100 100 0 0 1 400 200",
        "M200 200a100 100 30 01200 0",
        "M200 200C200 144.77 244.77 100 300 100S400 144.77 400 200",
        "M200 200A50 50 0 0 1 400 200",  # radii that are too small grow
        "M300 100A100 100 0 1 1 200 200",
    ]
    for path in paths:
        [shape] = read_outlines(f'{HEAD}<path id="A" d="{path}"/></svg>').shapes
        [ring] = shape.rings
        assert len(ring) > 20, path
        for x, y in ring:
            assert abs(((x / 2 + 100 - 300) ** 2 + (y / 2 - 200) ** 2) ** 0.5 - 100) < 0.2, path


def test_smooth_curves_go_on_as_the_one_before() -> None:
    smooth = f'{HEAD}<path d="M200 200q50-100 100 0t100 0T500 200H200"/></svg>'
    plain = (
        f'{HEAD}<path d="M200 200Q250 100 300 200Q350 300 400 200Q450 100 500 200L200 200"/></svg>'
    )

    assert read_outlines(smooth).shapes[0].rings == read_outlines(plain).shapes[0].rings


@pytest.mark.parametrize(
    ("transform", "corner"),
    [
        ("translate(10)", (20, 0)),
        ("rotate(90)", (0, 0)),
        ("rotate(90 100 100)", (0, 200)),
        ("matrix(1 0 0 1 5 7)", (10, 14)),
        ("skewX(45)", (0, 0)),
        ("skewY(45)", (0, 200)),
        ("translate(150,50) scale(2) translate(-150 -50)", (0, 0)),
    ],
)
def test_transforms_are_applied_in_their_order(transform: str, corner: Point) -> None:
    rect = f'<rect x="100" y="0" width="100" height="100" transform="{transform}"/>'
    if transform == "rotate(90)":
        rect = rect.replace('x="100" y="0"', 'x="0" y="-200"')
    [shape] = read_outlines(f"{HEAD}{rect}</svg>").shapes

    left, top, _, _ = box(shape.rings)
    assert (left, top) == corner


def test_shapes_beyond_the_edge_are_cut_off() -> None:
    [shape] = read_outlines(f'{HEAD}<circle cx="100" cy="0" r="1000000"/></svg>').shapes
    [outside] = read_outlines(f'{HEAD}<circle cx="-900" cy="0" r="100"/></svg>').shapes

    assert box(shape.rings) == (0, 0, 1000, 800)
    assert not outside.rings


def test_an_extending_variant_has_the_picture_with_spots_for_its_own_centers() -> None:
    more = "name = 'more'\nextends = 'small'\ncenters_removed = ['LAK']\n"
    base = {**small_texts(), "board.svg": DRAWN}
    texts = {"variant.toml": more}
    art = variant_files.read_picture(
        variant_files.VariantFiles(texts, base), read_map(texts, base)
    )

    assert art
    assert art.areas["LAK"].center is None
    assert art.areas["WES"].center

    moved = texts | {"board.json": '{"provinces":{"WES":{"unit":[70,300]}}}'}
    art = variant_files.read_picture(
        variant_files.VariantFiles(moved, base), read_map(texts, base)
    )
    assert art
    assert art.areas["WES"].unit == (70, 300)

    two = variant_files.VariantFiles({**base, "board.json": "{}"})
    with pytest.raises(PictureError, match="there are two pictures"):
        variant_files.read_picture(two, BOARD)


@pytest.mark.parametrize("theme", theme_names())
def test_a_region_has_the_color_of_its_owner_in_every_theme(theme: str) -> None:
    art, look = art_of(), Look(load_theme(theme))
    picture = draw_picture(BOARD, art, Scene(position=BOARD.start), look)
    fills = {
        code: re.search(rf'd="{re.escape(area.path)}" fill="([^"]*)"', picture.svg())
        for code, area in art.areas.items()
    }
    colors = {code: found[1] for code, found in fills.items() if found}
    red, blue = (power_colors(BOARD, look.theme)[power] for power in ("RED", "BLUE"))

    assert colors["NTH"] == look.theme.sea
    assert colors["LAK"] == look.theme.land
    assert colors["WES"] == (f"url(#{theme}-RED)" if red.hatch else red.land)
    assert colors["EAS"] == (f"url(#{theme}-BLUE)" if blue.hatch else blue.land)
    assert paint(picture, 400).startswith(b"\x89PNG")


def test_a_game_on_a_variant_of_the_operator_is_drawn_from_its_svg(tmp_path: Path) -> None:
    own = write_small_board(tmp_path)
    (own / "board.svg").write_text(DRAWN)
    judge = Table(tmp_path).judge
    variant_files.use_own_variants(tmp_path)
    try:
        board = variant_files.load_map("small")
        art = judge.art_of(board)
        assert art
        assert art.areas["WES"] == art_of().areas["WES"]

        (own / "board.svg").write_text("<html/>")
        variant_files.use_own_variants(tmp_path)
        assert judge.art_of(variant_files.load_map("small")) is None
    finally:
        variant_files.use_own_variants(None)
