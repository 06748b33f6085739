"""Pictures of a position, its orders and their results."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import PIL
import pytest
import resvg_py
from PIL import Image, ImageChops

from judge.adapters.variant_files import load_art, load_map
from judge.pictures import png
from judge.pictures.board_art import BoardArt
from judge.pictures.drawing import draw_picture
from judge.pictures.parts import Picture
from judge.pictures.png import paint, to_png
from judge.pictures.scene import Scene, scene_with_orders
from judge.pictures.themes import (
    Look,
    NameStyle,
    UnknownThemeError,
    load_theme,
    power_colors,
    scale_for_width,
    theme_names,
)
from judge.rules.types import Hold, Move, Order, SupportMove, UnitKind, UnitName
from tests.support.scenes import scenes

GOLDEN = Path(__file__).parents[2] / "golden" / "pictures"
PINNED = tomllib.loads((GOLDEN / "png.toml").read_text(encoding="utf-8"))
BOARD = load_map()
SCENES = scenes()
SVG = "{http://www.w3.org/2000/svg}"


def drawn(
    scene: Scene, name: str = "light", names: NameStyle = NameStyle.SHORT, scale: float = 1
) -> str:
    return picture_of(scene, name, names, scale).svg()


def picture_of(
    scene: Scene, name: str = "light", names: NameStyle = NameStyle.SHORT, scale: float = 1
) -> Picture:
    return draw_picture(BOARD, art(), scene, Look(load_theme(name), names, scale))


def art() -> BoardArt:
    found = load_art()
    assert found
    return found


def titles(svg: str) -> list[str]:
    """Return the titles of the elements of a picture."""
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}title")]  # noqa: S314 - ours


def words(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]  # noqa: S314 - ours


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_drawn_as_before(name: str) -> None:
    """`JUDGE_GOLDEN=write` draws them anew; look at them then."""
    file = GOLDEN / f"{name}.svg"
    svg = drawn(SCENES[name]) + "\n"
    if os.environ.get("JUDGE_GOLDEN") == "write":
        file.write_text(svg, encoding="utf-8")

    assert svg == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["movement", "winter"])
def test_a_png_is_the_same_bytes_everywhere(name: str) -> None:
    pictures = PINNED["pillow"], PINNED["resvg"]
    if pictures != (PIL.__version__, resvg_py.__version__):
        pytest.skip("other versions than those that are pinned draw it")

    assert sha256(paint(picture_of(SCENES[name]), 680)).hexdigest() == PINNED[name]


@pytest.mark.parametrize("theme", ["light", pytest.param("bw", marks=pytest.mark.gate)])
def test_a_picture_painted_by_parts_looks_like_its_svg(theme: str) -> None:
    for scene in SCENES.values():
        look = Look(load_theme(theme), scale=1.4)
        picture = draw_picture(BOARD, art(), scene, look)
        by_parts, whole = (
            Image.open(BytesIO(png)).convert("RGB").resize((170, 160), Image.Resampling.BOX)
            for png in (paint(picture, 680), to_png(picture.svg(), 680))
        )
        difference = ImageChops.difference(by_parts, whole).convert("L")

        assert max(difference.tobytes()) < 80, "parts are moved by half a pixel at most"


def test_letters_are_painted_as_with_the_fonts_that_are_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    svg = drawn(SCENES["movement"], names=NameStyle.FULL)
    painted = to_png(svg, 680)

    monkeypatch.setattr(png, "_fonts", lambda: sorted(map(str, png.FONT_FOLDER.glob("*.ttf"))))

    assert to_png(svg, 680) == painted


def test_a_picture_is_painted_where_no_file_can_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(png, "mkdtemp", lambda prefix: str(tmp_path / "gone" / prefix))
    png._fonts.cache_clear()
    try:
        assert to_png(drawn(SCENES["movement"], names=NameStyle.FULL), 680)
    finally:
        png._fonts.cache_clear()


def test_every_result_is_described_for_readers_who_cannot_see_it() -> None:
    told = titles(drawn(SCENES["movement"]))

    for each in (
        "Germany: A MUN - BUR",
        "France: A BUR - BEL (bounce, dislodged)",
        "Italy: A TYR S A VEN - TRI (cut)",
        "France: A GAS S A BUR (void)",
        "France: A PIC - SIL (void)",
        "England: F NTH C A LON - BEL",
        "Austria: A TRI H",
        "England: F NWG",
        "Burgundy (France)",
        "Albania",
    ):
        assert each in told


def test_retreats_that_are_possible_are_drawn_until_one_is_ordered() -> None:
    open_, ordered = drawn(SCENES["options"]), drawn(SCENES["retreats"])

    assert "France: A BUR - PAR" in titles(ordered)
    assert open_.count('stroke-dasharray="2 3"') > ordered.count('stroke-dasharray="2 3"') > 0


def test_a_winter_tells_what_is_due() -> None:
    found = words(drawn(SCENES["winter"]))

    assert "Germany 6 (+3)" in found
    assert "Russia 4 (-2)" in found
    assert "Turkey 4" in found


def test_only_what_is_in_the_scene_is_drawn() -> None:
    """Code that makes the scene leaves out what a reader may not see."""
    position = SCENES["movement"].position
    move = Move(UnitName(UnitKind.FLEET, "MAO"), "ENG")
    mine = titles(drawn(scene_with_orders(position, {"FRANCE": [move]})))

    assert [each for each in mine if " - " in each] == ["France: F MAO - ENG"]


def test_orders_for_units_that_are_not_there_do_no_harm() -> None:
    nobody, elsewhere = UnitName(None, "KIE"), UnitName(UnitKind.ARMY, "XXX")
    orders: list[Order] = [
        Hold(elsewhere),
        Move(nobody, "XXX"),
        Move(nobody, "KIE"),
        SupportMove(nobody, elsewhere, "MUN"),
        SupportMove(nobody, UnitName(None, "BER"), "MUN"),
    ]

    assert drawn(scene_with_orders(BOARD.start, {"GERMANY": orders})).endswith("</svg>")


def test_provinces_go_by_short_names_full_ones_or_none() -> None:
    short, full, none = (
        words(drawn(scene_with_orders(BOARD.start, {}), names=each)) for each in NameStyle
    )

    assert {"Bur", "Nao", "nc"} <= set(short)
    assert {"Burgundy", "Atlantic", "nc"} <= set(full)
    assert not {"Bur", "Burgundy"} & set(none)


def test_every_power_has_its_letter_besides_its_color() -> None:
    found = words(drawn(scene_with_orders(BOARD.start, {})))

    for nation in BOARD.nations.values():
        units = len(BOARD.start.units_of(nation.power))
        centers = len(BOARD.start.centers_of(nation.power))
        assert found.count(nation.letter) == units + centers + 1


@pytest.mark.parametrize("name", theme_names())
def test_a_theme_draws_everything(name: str) -> None:
    svg = drawn(SCENES["movement"], name)

    assert len(titles(svg)) > 100
    assert load_theme(name).powers.keys() == BOARD.nations.keys()


def test_powers_on_photocopies_differ_by_hatching() -> None:
    hatches = [colors.hatch for colors in load_theme("bw").powers.values()]

    assert len(set(hatches)) == len(BOARD.powers)
    assert None not in hatches


def test_the_units_of_the_reader_stand_out() -> None:
    plain, mine = (
        draw_picture(
            BOARD, art(), Scene(position=BOARD.start), Look(load_theme("light"), reader=power)
        )
        for power in (None, "FRANCE")
    )
    discs = [each for each in mine.parts if each not in plain.parts and "<circle" in each.shape]

    assert {each.spot for each in discs} == {
        art().spot(unit.location) for unit in BOARD.start.units_of("FRANCE")
    }
    assert [each.shape.count("bold") for each in mine.parts if "France" in each.shape] == [2]


@pytest.mark.parametrize("theme", ["light", "dark", "safe"])
def test_powers_that_a_theme_does_not_name_have_colors_of_their_own(theme: str) -> None:
    board = load_map("chaos")
    colors = power_colors(board, load_theme(theme))

    assert colors.keys() == {*board.powers, "NEUTRAL"}
    assert len({each.unit for each in colors.values()}) == len(colors)


def test_the_legend_holds_the_names_of_34_powers() -> None:
    board = load_map("chaos")
    picture = draw_picture(board, art(), Scene(position=board.start), Look(load_theme("light")))
    names = [part for part in picture.parts if "rx=" in part.shape]
    spots = [part.spot for part in names]

    assert len(names) == len(board.powers)
    assert len({x for x, _ in spots}) * len({y for _, y in spots}) >= len(board.powers)
    assert max(y for _, y in spots) < picture.height


def test_a_theme_that_nobody_made_is_refused() -> None:
    with pytest.raises(UnknownThemeError):
        load_theme("tea")


def test_things_are_larger_in_small_pictures() -> None:
    assert (
        scale_for_width(360)
        > scale_for_width(680)
        > scale_for_width(1000)
        == 1
        > scale_for_width(1600)
    )


def test_a_picture_is_the_same_whatever_the_order_of_hashes() -> None:
    code = (
        "from tests.unit.pictures.test_drawing import *; import hashlib;"
        "print(hashlib.sha256(drawn(SCENES['movement']).encode()).hexdigest())"
    )
    found = {
        subprocess.check_output(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
        )
        for seed in ("1", "2")
    }

    assert len(found) == 1
