"""Dates as judges have printed them over the years."""

from __future__ import annotations

import pytest

from judge.archive.text_parsing import read_date


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        pytest.param("Mon Mar 09 1998 23:30:00 +0000", "1998-03-09T23:30:00+00:00", id="offset"),
        pytest.param("Tue Dec 11 2001 23:30:00 +0100", "2001-12-11T22:30:00+00:00", id="east"),
        pytest.param("Fri Jul 03 1992 23:30:00 PDT", "1992-07-04T06:30:00+00:00", id="zone"),
        pytest.param("Fri 27 Nov 2026 02:00 GMT", "2026-11-27T02:00:00+00:00", id="dpjudge"),
        pytest.param(
            "Mon Mar  2 09:05:00 1998 (888829500)", "1998-03-02T09:05:00+00:00", id="history"
        ),
    ],
)
def test_a_date_is_an_instant(text: str, instant: str) -> None:
    found = read_date(text)

    assert found is not None
    assert found.isoformat() == instant


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Thu Jan 01 1970 00:00:00 +0000", id="unset"),
        pytest.param("Mon Mar 09 1998 23:30:00", id="no zone"),
        pytest.param("Mon Feb 30 1998 23:30:00 +0000", id="no such day"),
        pytest.param("soon", id="no date"),
    ],
)
def test_text_that_is_no_date_is_none(text: str) -> None:
    assert read_date(text) is None
