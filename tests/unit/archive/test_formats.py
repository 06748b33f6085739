"""The table of formats names each as its files are known."""

from __future__ import annotations

import pytest

from judge.archive.reading import READERS, WRITERS, format_named, recognized_formats, writer_named


@pytest.mark.parametrize("name", READERS)
def test_a_format_has_the_name_of_its_row(name: str) -> None:
    assert format_named(name).name == name


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_can_be_read(name: str) -> None:
    assert callable(writer_named(name))
    assert name in READERS


def test_nothing_is_recognized_in_a_letter() -> None:
    assert recognized_formats("Dear Anna,\n\nthe weather in Paris is fine.\n") == []
