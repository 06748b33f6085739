"""No information in a picture depends on color alone, and colors are far apart."""

from __future__ import annotations

import pytest

from judge.pictures.themes import load_theme
from tests.bench.colors import SIGHTS, distances

FAR = 12.0  # five times what is just noticeable


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_safe_theme_keeps_the_units_of_powers_apart(sight: str) -> None:
    units = {power: colors.unit for power, colors in load_theme("safe").powers.items()}

    assert distances(units, sight)[0][0] > FAR


@pytest.mark.parametrize("name", ["light", "dark"])
def test_all_units_differ_with_normal_color_vision(name: str) -> None:
    units = {power: colors.unit for power, colors in load_theme(name).powers.items()}

    assert distances(units, "all colors")[0][0] > FAR
