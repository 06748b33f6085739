"""A golden file for each email template, and checks of all emails in every language.

`JUDGE_WRITE_GOLDEN=1 pytest tests/unit/reports` rewrites the golden files: review the
differences before you keep them.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from judge.reports.emails import explanations, game_history, game_start, notices, phase_results
from judge.reports.languages import SOURCE, languages
from judge.reports.operator_templates import template_names
from judge.reports.render import (
    fill_template,
    kind_name,
    made_environment,
    render,
    template_values,
)
from judge.reports.text_formatting import COLUMNS_MAX
from judge.resources import folder
from tests.support.selection import in_one, one_in
from tests.unit.reports.samples import samples

GOLDEN = Path(__file__).parent / "golden"
TEMPLATES = folder("templates")
MAIL = re.compile(r"mail/.*\.j2")
SAMPLES = samples()


# The first sample of each template; other tests check facts in the rest.
SNAPSHOTS = {kind_name(sample): name for name, sample in reversed(SAMPLES.items())}


@pytest.mark.parametrize("kind", SNAPSHOTS)
def test_an_email_reads_as_approved(kind: str) -> None:
    rendered = render(SAMPLES[SNAPSHOTS[kind]])
    written = f"Subject: {rendered.subject}\n\n{rendered.text}"
    golden = GOLDEN / f"{kind}.txt"
    if os.environ.get("JUDGE_WRITE_GOLDEN"):
        golden.write_text(written, encoding="utf-8")

    assert written == golden.read_text(encoding="utf-8")


def test_every_snapshot_is_of_a_template() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(SNAPSHOTS)


@in_one(SAMPLES)
def test_an_email_is_plain_ascii(name: str) -> None:
    assert render(SAMPLES[name]).text.isascii()


@pytest.mark.parametrize("name", one_in(6, SAMPLES))
def test_an_email_fits_72_columns_in_every_language(name: str) -> None:
    for language in languages():
        heading = replace(SAMPLES[name].heading, language=language)
        rendered = render(replace(SAMPLES[name], heading=heading), pictured(name))

        assert (language, too_long(rendered.text)) == (language, [])
        assert rendered.html


def too_long(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if "<mailto:" not in line]
    return [line for line in lines if len(line) > COLUMNS_MAX]


# Used by no email itself: the HTML frame, the calendar, the desk and the shell.
ELSEWHERE = {
    *("mail/frame.html.j2", "mail/words/deadlines.txt.j2"),
    "mail/words/desk_actions.txt.j2",
    *("mail/words/rulebooks.txt.j2", "mail/words/troubles.txt.j2"),
}


def test_every_template_of_emails_is_used_by_some_sample() -> None:
    read: set[str] = set()
    for markup in (False, True):
        writer = made_environment.__wrapped__(SOURCE, markup=markup, shipped=True)
        for name, sample in SAMPLES.items():
            told = template_values(sample, pictured(name)) | {"taps": sample.replies()}
            fill_template(writer, f"mail/{kind_name(sample)}.txt.j2", told)
        assert writer.cache
        files = (Path(template.filename or "") for template in writer.cache.values())
        read |= {file.relative_to(TEMPLATES).as_posix() for file in files}

    assert {each for each in template_names(TEMPLATES) if MAIL.fullmatch(each)} - read == ELSEWHERE


def pictured(name: str) -> dict[str, str]:
    """Return the Content-IDs of the pictures in that email."""
    match SAMPLES[name]:
        case explanations.WhatIf():
            return {"orders": "board@judge.example"}
        case (
            phase_results.PhaseResults()
            | game_history.BoardMap(results=phase_results.PhaseResults())
        ):
            return {"orders": "board@judge.example", "position": "after@judge.example"}
        case game_start.GameStart() | game_history.BoardMap():
            return {"position": "board@judge.example"}
        case notices.Takeover(position=position) if position:
            return {"position": "board@judge.example"}
        case _:
            return {}
