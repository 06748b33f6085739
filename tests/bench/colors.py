"""Measure how far apart the powers' colors are, with normal and with deficient color vision.

`python -m tests.bench.colors` prints the closest pairs of each theme. Deficiencies are modeled as
by Machado, Oliveira and Fernandes (2009) at full severity, distances those of CIE 1976 in L*a*b*;
2.3 is just noticeable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import dist
from typing import TypeAlias

from judge.pictures.themes import load_theme, theme_names

Triple: TypeAlias = tuple[float, ...]
Matrix: TypeAlias = Sequence[Triple]

SIGHTS: Mapping[str, Matrix] = {
    "all colors": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
WHITE = (0.9505, 1.0, 1.089)


def distances(colors: Mapping[str, str], sight: str) -> list[tuple[float, str, str]]:
    """Return the distances of all pairs of *colors* for that *sight*, the closest first."""
    seen = {name: _lab(_times(SIGHTS[sight], _linear(color))) for name, color in colors.items()}
    return sorted(
        (dist(seen[one], seen[other]), one, other) for one, other in combinations(colors, 2)
    )


def _linear(color: str) -> Triple:
    values = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def _lab(linear: Triple) -> Triple:
    xyz = _times(TO_XYZ, tuple(min(1.0, max(0.0, each)) for each in linear))
    parts = (each / white for each, white in zip(xyz, WHITE, strict=True))
    x, y, z = (p ** (1 / 3) if p > 0.008856 else 7.787 * p + 16 / 116 for p in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def main() -> None:
    for name in theme_names():
        powers = load_theme(name).powers
        units = {power: colors.unit for power, colors in powers.items()}
        lands = {power: colors.land for power, colors in powers.items()}
        lands |= {"(sea)": load_theme(name).sea, "(nobody)": load_theme(name).land}
        for what, colors in (("units", units), ("land", lands)):
            for sight in SIGHTS:
                closest = distances(colors, sight)[:3]
                told = ", ".join(f"{far:.0f} {one}-{other}" for far, one, other in closest)
                print(f"{name:6} {what:6} {sight:13} {told}")


if __name__ == "__main__":
    main()
