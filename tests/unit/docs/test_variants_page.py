"""docs/variants.md has every key, column and board, and its example is a valid variant."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

import pytest

from judge.adapters.variant_files import folder_of, read_folder, variants
from judge.boards import variant_text
from judge.rules.board import BuildSites
from tests.support import variants_page

TEXT = variants_page.FILE.read_text(encoding="utf-8")
LINES_MAX = 10
NOT_EXPRESSED = ("1900", "colonial", "twenty-twenty")


def section(title: str) -> str:
    return TEXT.partition(f"\n### {title}\n")[2].partition("\n#")[0]


def named_in(table: str) -> list[str]:
    """Return the first cells of the rows of a table."""
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("variant.toml", variant_text.VARIANT_KEYS),
        ("powers", variant_text.POWER_KEYS),
        ("neutral", variant_text.NEUTRAL_KEYS),
        ("calendar", variant_text.CALENDAR_KEYS | variant_text.TURN_KEYS),
        ("closed", variant_text.CLOSED_KEYS),
        *((file, {*columns}) for file, columns in variant_text.COLUMNS.items()),
    ],
)
def test_each_key_and_column_is_explained_and_no_other(
    title: str, names: AbstractSet[str]
) -> None:
    explained = named_in(section(title))

    assert len(explained) == len({*explained})
    assert {*explained} == names


def test_the_values_of_a_key_are_named() -> None:
    keys = section("variant.toml")

    assert all(f"`{each}`" in keys for each in variant_text.OTHERS)
    assert all(f"`{each.value}`" in keys for each in BuildSites)


def test_the_example_is_a_variant_of_ten_lines() -> None:
    example = TEXT.partition("```toml\n")[2].partition("```")[0]
    base = read_folder(folder_of("standard")).texts

    board = variant_text.read_map({variant_text.VARIANT: example}, base)

    assert len(example.splitlines()) <= LINES_MAX
    assert board.powers == ("FRANCE", "TURKEY")
    assert len(board.garrisons) == 16


def test_every_board_that_comes_along_is_in_the_table() -> None:
    assert variants_page.page(TEXT) == TEXT, "python -m tests.support.variants_page writes it"


def test_a_variant_that_cannot_be_expressed_does_not_come_along() -> None:
    assert not {*NOT_EXPRESSED} & {*variants()}


@pytest.mark.parametrize("name", variants())
def test_each_board_has_its_map(name: str) -> None:
    assert f"](variants/{name}.png)" in TEXT
    assert (variants_page.MAPS / f"{name}.png").is_file()
