"""The table of formats recognizes each format's files."""

from __future__ import annotations

import json

import pytest

from judge.archive.reading import (
    READERS,
    WRITERS,
    explain_unknown,
    format_named,
    recognized_formats,
    writer_named,
)
from tests.unit.archive.reading import BOARD


@pytest.mark.parametrize("name", READERS)
def test_a_format_has_the_name_of_its_row(name: str) -> None:
    assert format_named(name).name == name


@pytest.mark.parametrize("name", WRITERS)
def test_every_written_format_can_be_read(name: str) -> None:
    assert callable(writer_named(name))
    assert name in READERS


def test_an_ordinary_email_is_no_known_format() -> None:
    assert recognized_formats("Dear Anna,\n\nthe weather in Paris is fine.\n") == []


def test_a_record_of_ours_is_recognized_before_anything_else_is_asked() -> None:
    """Whatever other programs wrote is quoted in it, such as the settings of the source."""
    record = {
        "format": "judge-record",
        "version": 1,
        "id": "7",
        "map": "standard",
        "settings": {"gameID": "7", "variantID": "1", "terrID": "1", "countryID": "1"},
        "gamemaster": "Summary of game 'x' through S1901M",
    }

    assert [each.name for each in recognized_formats(json.dumps(record))] == ["record"]


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        pytest.param(
            "PHASE 1901 Spring Movement\nORDERS\nbud move ser\n",
            "droidippy, which stops at line 3: no unit is there",
            id="a text without positions",
        ),
        pytest.param(
            '{"id": "7", "phases": []}',
            "diplomacy, but the keys state, units are missing",
            id="an object without units",
        ),
    ],
)
def test_of_an_unknown_format_it_says_which_came_nearest_and_where_it_stopped(
    text: str, nearest: str
) -> None:
    told = explain_unknown(BOARD, text)

    assert told.endswith(f"Nearest is {nearest}")
    assert all(name in told for name in READERS)


def test_an_ordinary_email_resembles_no_format() -> None:
    assert "Nearest" not in explain_unknown(BOARD, "Dear Anna,\n\nParis is fine.\n")
