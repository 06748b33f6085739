"""Each mail in full, as a player reads it.

`JUDGE_WRITE_GOLDEN=1 pytest tests/unit/reports` writes the files anew: read what differs before
you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge.reports import contexts
from judge.reports.render import render
from judge.reports.text import COLUMNS_MAX
from tests.unit.reports.samples import samples

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_reads_as_it_was_approved(name: str) -> None:
    rendered = render(SAMPLES[name])
    written = f"Subject: {rendered.subject}\n\n{rendered.text}"
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("JUDGE_WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")

    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_its_html_reads_as_it_was_approved(name: str) -> None:
    pictured = isinstance(SAMPLES[name], contexts.PhaseResults | contexts.GameStart)
    written = render(SAMPLES[name], "board@judge.example" if pictured else None).html
    golden = GOLDEN / f"{name}.html"
    if os.environ.get("JUDGE_WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")

    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_fits_72_columns_of_plain_ascii(name: str) -> None:
    text = render(SAMPLES[name]).text
    written = [line for line in text.splitlines() if not line.startswith("<mailto:")]

    assert [line for line in written if len(line) > COLUMNS_MAX] == []
    assert text.isascii()


def test_every_golden_file_is_of_a_mail() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SAMPLES)
