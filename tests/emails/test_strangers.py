"""The first emails of strangers, in three languages, end in what they wanted."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.support.table import Mail, Table

FOLDER = Path(__file__).parent / "wishes"
END_WELL_MIN = 38  # of 40


def read(name: str) -> list[dict[str, str]]:
    emails: list[dict[str, str]] = tomllib.loads((FOLDER / name).read_text("utf-8"))["email"]
    return emails


def ends_well(email: dict[str, str], answers: tuple[Mail, ...]) -> bool:
    words = " ".join(mail.words for mail in answers)
    return email["answer"] in words if email["answer"] else not answers


@pytest.mark.gate
def test_first_emails_of_strangers_end_well(tmp_path: Path) -> None:
    judge = Table(tmp_path)
    judge.start("pearl")
    judge.open("amber")
    emails = read("strangers.toml")

    missed = [
        each["text"]
        for number, each in enumerate(emails)
        if not ends_well(each, judge.mail(f"{number}@new{number}.example", each["text"]))
    ]

    judge.close()
    assert len(emails) - len(missed) >= END_WELL_MIN, missed


@pytest.mark.gate
@pytest.mark.parametrize("games", sorted({each["games"] for each in read("doors.toml")}))
def test_first_emails_with_a_subject_end_well(tmp_path: Path, games: str) -> None:
    judge = Table(tmp_path)
    for game in games.split():
        judge.open(game)
    emails = [each for each in read("doors.toml") if each["games"] == games]

    missed = [
        each["text"]
        for each in emails
        if not ends_well(each, judge.mail(each["sender"], each["text"], subject=each["subject"]))
    ]

    judge.close()
    assert len(emails) - len(missed) >= END_WELL_MIN, missed
