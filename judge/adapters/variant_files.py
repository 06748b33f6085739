"""The variants that come with the judge: maps, drawings and names of openings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from judge.rules.board import Map, read_map

if TYPE_CHECKING:
    from judge.archive.tally import Openings
    from judge.pictures.board_art import BoardArt

FOLDER = Path(__file__).resolve().parents[1] / "variants"
PICTURE = "board.json"
OPENINGS = "openings.csv"
NAMES = "names.{}.toml"  # in another language
FILES = ("variant.toml", "provinces.csv", "locations.csv", "borders.csv")


class UnknownVariantError(LookupError):
    """There is no variant of that name; the message lists the names."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no variant {name!r}; there are: {', '.join(variants())}")


def variants() -> tuple[str, ...]:
    """Return the names of the variants, sorted."""
    return tuple(sorted(file.parent.name for file in FOLDER.glob(f"*/{FILES[0]}")))


@cache
def load_map(name: str = "standard") -> Map:
    """Return the board of the variant *name*, always the same object.

    Raises `UnknownVariantError` if there is none, `ValueError` if its files contradict each other.
    """
    return _read(name)


@cache
def load_art(name: str = "standard") -> BoardArt | None:
    """Return the drawing of the board of the variant *name*, None if it has none."""
    from judge.pictures.board_art import read_art  # noqa: PLC0415 - only for pictures

    file = FOLDER / name / PICTURE
    return read_art(file.read_text(encoding="utf-8")) if file.is_file() else None


@cache
def _read(name: str) -> Map:
    if name not in variants():
        raise UnknownVariantError(name)
    variant, *tables = ((FOLDER / name / file).read_text(encoding="utf-8") for file in FILES)
    provinces, locations, borders = tables
    names = {
        file.name.split(".")[1]: file.read_text(encoding="utf-8")
        for file in sorted((FOLDER / name).glob(NAMES.format("*")))
    }
    return read_map(variant, provinces, locations, borders, tongues=names)


@cache
def load_openings(name: str = "standard") -> Openings:
    """Return the named openings of the variant *name*."""
    from judge.archive.tally import read_openings  # noqa: PLC0415 - only for the archive

    return read_openings((FOLDER / name / OPENINGS).read_text(encoding="utf-8"))
