"""Read the outlines of a drawn board back from their paths."""

from __future__ import annotations

import re
from typing import TypeAlias

from judge.pictures.geometry import Point

Corner: TypeAlias = tuple[int, int]


def corners_of(path: str) -> list[list[Corner]]:
    """Return the corners of each ring of *path*, in tenths of a unit, as they are written."""
    found = []
    for text in path.split("M")[1:]:
        numbers = [int(each) for each in re.findall(r"-?\d+", text)]
        x = y = 0
        ring = []
        for across, down in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + across, y + down
            ring.append((x, y))
        found.append(ring)
    return found


def rings_of(path: str) -> list[list[Point]]:
    """Return the corners of each ring of *path*, in units of the picture."""
    return [[(x / 10, y / 10) for x, y in ring] for ring in corners_of(path)]
