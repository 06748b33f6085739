"""The head that a mailer sets above an old mail, and a letterhead in somebody's press."""

from __future__ import annotations

import pytest

from judge.mail.quotes import quoted_lines


@pytest.mark.parametrize(
    "head",
    [
        "From: Otto\nSent: Monday 10:00\nTo: me",
        "From: Otto <otto@players.example>\nSent: Monday, November 23, 2026\nTo: me\nSubject: y",
        "From: Otto\nSent: Monday, November 23, 2026\nTo: me\nSubject: y",
        "From: Otto <otto@players.example>\nDate: Monday\nSubject: y",
    ],
)
def test_the_head_of_an_old_mail_needs_no_time(head: str) -> None:
    lines = f"A Par-Bur\n{head}\n\nA Mun-Ruh".split("\n")

    assert [line for line, old in zip(lines, quoted_lines(lines), strict=True) if not old] == [
        "A Par-Bur"
    ]


@pytest.mark.parametrize(
    "head",
    [
        "From: France\nTo: Austria\nSubject: Peace\nDate: Spring 1901",
        "From: France\nTo: Austria\nSubject: Peace",
        "From: Otto <otto@players.example>\nTo: Austria",
        "Date: November 23, 2026\nSubject: Peace",
    ],
)
def test_a_letterhead_is_none(head: str) -> None:
    lines = f"{head}\n\nA Mun-Ruh".split("\n")

    assert not any(quoted_lines(lines))
