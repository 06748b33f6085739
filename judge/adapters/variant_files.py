"""The boards that come with the judge: each a folder of `judge/variants`, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from judge.rules.geography import Map
from judge.rules.mapfile import read_map

FILES = ("variant.toml", "provinces.csv", "locations.csv", "borders.csv")


class UnknownVariantError(LookupError):
    """There is no variant of that name."""


def variants() -> tuple[str, ...]:
    """Return the names of the variants, in alphabetical order."""
    folders = files("judge").joinpath("variants").iterdir()
    return tuple(sorted(folder.name for folder in folders if folder.joinpath(FILES[0]).is_file()))


def load_map(name: str = "standard") -> Map:
    """Return the board of the variant *name*, always the same object.

    Raises `UnknownVariantError` if there is none, `ValueError` if its files contradict each other.
    """
    return _read(name)


@cache
def _read(name: str) -> Map:
    if name not in variants():
        raise UnknownVariantError(name)
    folder = files("judge").joinpath("variants", name)
    return read_map(*(folder.joinpath(file).read_text(encoding="utf-8") for file in FILES))
