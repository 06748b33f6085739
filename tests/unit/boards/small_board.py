"""A board of a dozen provinces, for rules that the standard board does not show.

west (WES) - strait (STR, an archipelago) - east (EAS)
    North Sea (NTH) touches all three; the island (ISL) has no land border
    the marsh (MAR) is impassable; the falls (FAL) lead one way down, from WES to SEA
"""

from __future__ import annotations

from pathlib import Path

from judge.boards.variant_text import read_map
from judge.rules.board import Map

VARIANT = """
name = "small"
start = "S1901M"
victory_centers = 4
{more}
[[powers]]
code = "RED"
name = "Red"
adjective = "red"
letter = "R"
centers = ["WES"]
units = ["A WES"]
{red}
[[powers]]
code = "BLUE"
name = "Blue"
adjective = "blue"
letter = "B"
centers = ["EAS"]
units = ["A EAS"]
"""
PROVINCES = """code,name,terrain,center,home,country,aliases
WES,West,coast,yes,RED,RED,
STR,Strait,archipelago,yes,,,
EAS,East,coast,yes,BLUE,BLUE,
ISL,Island,coast,yes,RED BLUE,,
LAK,Lake Town,coast,yes,,,
NTH,North Water,sea,no,,,
LKE,Lake,sea,no,,,
MAR,Marsh,impassable,no,,,
"""
LOCATIONS = """location,units
WES,AF
STR,AF
EAS,AF
ISL,AF
LAK,AF
NTH,F
LKE,F
"""
BORDERS = """location,units,touches
WES,A,LAK
LAK,A,WES
EAS,A,LAK
LAK,A,WES EAS
WES,F,STR NTH >LKE
STR,F,WES EAS
EAS,F,STR NTH
ISL,F,NTH
NTH,F,WES EAS ISL
LKE,F,LAK
LAK,F,LKE
"""


def small_board(more: str = "", red: str = "") -> Map:
    """Return the board, with *more* in its description or in that of the power Red."""
    return read_map(small_texts(more, red))


def small_texts(more: str = "", red: str = "") -> dict[str, str]:
    """Return the files of the board."""
    return {
        "variant.toml": VARIANT.format(more=more, red=red),
        "provinces.csv": PROVINCES,
        "locations.csv": LOCATIONS,
        "borders.csv": BORDERS,
    }


def write_small_board(folder: Path) -> Path:
    """Write the board as a variant into *folder*, and return its own folder."""
    own = folder / "small"
    own.mkdir()
    for name, text in small_texts().items():
        (own / name).write_text(text)
    return own
