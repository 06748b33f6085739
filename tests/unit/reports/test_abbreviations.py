"""Emails, pictures and HELP shorten provinces alike, and units have their letter."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from judge.adapters.variant_files import InstalledVariants, load_art, load_map
from judge.pictures.drawing import draw_picture
from judge.pictures.scene import Scene
from judge.pictures.themes import Look, load_theme
from judge.reports.board_names import recorded_order, short_place
from judge.resources import folder
from judge.rules.types import Phase, PhaseKind, Position, Season
from tests.support.table import Table

EMPTY = Position(Phase(Season.SPRING, 1901, PhaseKind.MOVEMENT), (), {})
IN_HELP = re.compile(r"\b[AF] ([A-Z][a-z]{2}(?:\([a-z]{2}\))?)(?![a-z])")


@pytest.mark.parametrize("variant", list(InstalledVariants().names()))
def test_pictures_name_provinces_as_emails_do(variant: str) -> None:
    board, art = load_map(variant), load_art(variant)
    assert art, "each shipped board has a picture"

    drawn = draw_picture(board, art, Scene(position=EMPTY), Look(load_theme("light")))

    svg = ET.fromstring(drawn.svg())  # noqa: S314 - ours
    written = {each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")}
    assert [code for code in art.areas if short_place(board, code) not in written] == []


def test_help_names_provinces_as_emails_do() -> None:
    board = load_map()
    names = {short_place(board, each) for each in board.locations}
    pages = sorted((folder("templates") / "help").glob("*.txt"))

    used = {name for page in pages for name in IN_HELP.findall(page.read_text("utf-8"))}

    assert len(used) > 10
    assert used <= names


def test_an_order_of_the_log_is_shown_as_in_a_receipt() -> None:
    assert recorded_order(load_map(), "F STP/SC - BOT") == "F Stp(sc)-Bot"


def test_receipts_and_maps_show_units_with_their_letters(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start()
    receipt = table.send("FRANCE", "par-bur\nMar S Par-Bur\nBre H")

    assert "A Par-Bur A Mar S A Par-Bur F Bre H" in receipt.words
    board = table.send("FRANCE", "MAP").words
    table.close()
    assert "Your orders: A Par-Bur A Mar S A Par-Bur F Bre H" in board
