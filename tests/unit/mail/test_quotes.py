"""The header that a mail program puts above a quoted email, and headings in press."""

from __future__ import annotations

import time

import pytest

from judge.mail.comparison import Compared
from judge.mail.quotes import marked_lines, quoted_lines


@pytest.mark.parametrize(
    "head",
    [
        "From: Otto\nSent: Monday 10:00\nTo: me",
        "From: Otto <otto@players.example>\nSent: Monday, November 23, 2026\nTo: me\nSubject: y",
        "From: Otto\nSent: Monday, November 23, 2026\nTo: me\nSubject: y",
        "From: Otto <otto@players.example>\nDate: Monday\nSubject: y",
    ],
)
def test_the_header_of_a_quoted_email_needs_no_time(head: str) -> None:
    lines = f"A Par-Bur\n{head}\n\nA Mun-Ruh".split("\n")

    assert [line for line, old in zip(lines, old_lines(lines), strict=True) if not old] == [
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

    assert not any(old_lines(lines))


@pytest.mark.parametrize(
    "told",
    [
        "On Monday, November 23, 2026 at 12:00 PM, JUDGE wrote:",
        "Am 23.11.2026 um 12:00 schrieb JUDGE:",
        "JUDGE schrieb am 23.11.2026 um 12:00:",
        "Le 23 novembre 2026 \xe0 12:00, JUDGE a \xe9crit :",
    ],
)
def test_the_hour_of_a_day_in_our_time_tells_what_a_mailer_wrote(told: str) -> None:
    assert old_lines(["A Par-Bur", "", told, "A Mar-Spa"]) == [False, True, True, True]


@pytest.mark.parametrize(
    "told",
    [
        "On Monday Austria wrote:",
        "On 23 November 2026 Austria wrote:",
        "Austria wrote in Spring 1901 at 12:00:",
        "In 1912, at 10:30, the Kaiser wrote:",
    ],
)
def test_a_sentence_that_quotes_another_cuts_nothing(told: str) -> None:
    assert not any(old_lines(["A Par-Bur", "", told, "A Mar-Spa"]))


@pytest.mark.parametrize(
    "head",
    [
        "Qrax: Otto <otto@players.example>\nVilm: 28.11.2026\nTend: y",
        "Zu 28.11.2026 04:06 brelk Otto:",
        "Otto <otto@players.example> brelk:",
        "-------- Qrax Vilm --------\nOsp: Otto",
    ],
)
def test_a_heading_needs_no_language(head: str) -> None:
    lines = ["A Par-Bur", "", *head.split("\n"), "", "A Mun-Ruh"]

    new = [line for line, old in zip(lines, old_lines(lines), strict=True) if not old]
    assert [line for line in new if line] == ["A Par-Bur"]


@pytest.mark.parametrize(
    "typed", ["These are no orders yet, only my plans:", "My orders for fall are:"]
)
def test_a_sentence_with_a_colon_above_a_reply_stays(typed: str) -> None:
    lines = [
        typed,
        "A Mar-Spa",
        "",
        "Am 27.11.2026 um 04:06 schrieb JUDGE:",
        *["> We sent this."] * 2,
    ]
    returned = [Compared(matched=True, anchored=True)] * 2
    compared = [*[Compared()] * 3, Compared(names_us=True), *returned]

    assert quoted_lines(lines, marked_lines(lines), compared)[:2] == [False, False]


@pytest.mark.parametrize("line", ["Otto: me", "On 27 Nov 2026 at 10:00 Otto:", "> > Otto:\nx:"])
def test_many_headings_take_little_time(line: str) -> None:
    lines = f"{line}\n".split("\n")[:-1] * 20_000
    start = time.process_time()

    old_lines(lines)

    assert time.process_time() - start < 1.5


def old_lines(lines: list[str]) -> list[bool]:
    return quoted_lines(lines, marked_lines(lines))
