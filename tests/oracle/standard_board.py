"""The standard board, read from its tables for the oracle."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "judge" / "variants" / "standard"


@dataclass(frozen=True)
class Board:
    """*borders* maps a location and a kind of unit ("A", "F") to the locations it may move to."""

    borders: dict[tuple[str, str], frozenset[str]]
    terrain: dict[str, str]

    def is_sea(self, province: str) -> bool:
        """Return whether *province* is a sea, where fleets convoy."""
        return self.terrain.get(province) == "sea"

    def are_adjacent(self, location: str, target: str, *, fleet: bool) -> bool:
        """Return whether a unit at *location* may move to the location *target*."""
        return target in self.borders.get((location, "F" if fleet else "A"), frozenset())

    def touch(self, sea: str, other: str) -> bool:
        """Return whether *sea* borders the province *other*, on any coast."""
        near = self.borders[sea, "F"]
        return any(each.partition("/")[0] == other for each in near)

    @property
    def locations(self) -> dict[str, list[str]]:
        """Map each kind of unit to the locations where it may be."""
        found: dict[str, list[str]] = {"A": [], "F": []}
        for location, kind in self.borders:
            found[kind].append(location)
        return found


def read_board() -> Board:
    """Read the tables of borders and provinces."""
    borders = {}
    for row in _rows("borders.csv"):
        for kind in row["units"]:
            borders[row["location"], kind] = frozenset(row["touches"].split())
    return Board(borders, {row["code"]: row["terrain"] for row in _rows("provinces.csv")})


def _rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
