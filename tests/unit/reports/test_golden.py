"""Each mail in full, as a player reads it.

`JUDGE_WRITE_GOLDEN=1 pytest tests/unit/reports` writes the files anew: read what differs before
you keep it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from judge.reports import contexts
from judge.reports.languages import SOURCE, languages
from judge.reports.render import render
from judge.reports.text import COLUMNS_MAX
from tests.unit.reports.samples import samples

GOLDEN = Path(__file__).parent / "golden"
SAMPLES = samples()
OTHERS = [language for language in languages() if language != SOURCE]


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
    written = render(SAMPLES[name], pictured(name)).html
    golden = GOLDEN / f"{name}.html"
    if os.environ.get("JUDGE_WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")

    assert written == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_fits_72_columns_of_plain_ascii(name: str) -> None:
    text = render(SAMPLES[name]).text

    assert too_long(text) == []
    assert text.isascii()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_mail_reads_as_it_was_approved_in_every_language(name: str, language: str) -> None:
    heading = replace(SAMPLES[name].heading, language=language)
    rendered = render(replace(SAMPLES[name], heading=heading), pictured(name))
    told = {"txt": f"Subject: {rendered.subject}\n\n{rendered.text}", "html": rendered.html}
    for form, written in told.items():
        golden = GOLDEN / language / f"{name}.{form}"
        if os.environ.get("JUDGE_WRITE_GOLDEN"):
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(written, encoding="utf-8")

        assert written == golden.read_text(encoding="utf-8")
    assert too_long(rendered.text) == []


def too_long(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not line.startswith("<mailto:")]
    return [line for line in lines if len(line) > COLUMNS_MAX]


@pytest.mark.parametrize("language", ["", *OTHERS])
def test_every_golden_file_is_of_a_mail(language: str) -> None:
    files = (path for path in (GOLDEN / language).iterdir() if path.is_file())

    assert {path.stem for path in files} == set(SAMPLES)


def pictured(name: str) -> str | None:
    """Return the Content-ID of the board, if a mail of that kind shows it."""
    shows = isinstance(SAMPLES[name], contexts.PhaseResults | contexts.GameStart)
    return "board@judge.example" if shows else None
