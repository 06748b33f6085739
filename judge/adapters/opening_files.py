"""The names of openings that come with a variant, read once."""

from __future__ import annotations

from functools import cache

from judge.adapters.variant_files import FOLDER
from judge.archive.stats.openings import Openings, read_openings

FILE = "openings.csv"


@cache
def load_openings(name: str = "standard") -> Openings:
    """Return the openings of the variant *name* that people have a name for."""
    return read_openings((FOLDER / name / FILE).read_text(encoding="utf-8"))
