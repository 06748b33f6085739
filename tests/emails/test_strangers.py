"""The first emails of forty strangers, in three languages, end in what they wanted."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.support.table import Table

EMAILS = Path(__file__).parent / "wishes" / "strangers.toml"
END_WELL_MIN = 38


@pytest.mark.gate
def test_first_emails_of_strangers_end_well(tmp_path: Path) -> None:
    judge = Table(tmp_path)
    judge.start("pearl")
    judge.open("amber")
    emails = tomllib.loads(EMAILS.read_text(encoding="utf-8"))["email"]

    answers = [
        " ".join(mail.words for mail in judge.mail(f"{number}@new{number}.example", each["text"]))
        for number, each in enumerate(emails)
    ]

    judge.close()
    missed = [
        each["text"]
        for each, answer in zip(emails, answers, strict=True)
        if each["answer"] not in answer
    ]
    assert len(emails) - len(missed) >= END_WELL_MIN, missed
