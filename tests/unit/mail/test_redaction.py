"""Text that reveals the author of anonymous press is removed, and nothing else."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.redaction import masked

BOARD = load_map()
NAMES = ("Anna Ford", "player-d88f8e")
ADDRESSES = ("anna.ford@home.example", "af@work.example")


def told(text: str) -> str:
    return masked(text, NAMES, ADDRESSES, BOARD)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yours, Anna Ford", "Yours, [...]"),
        ("Yours, ANNA", "Yours, [...]"),
        ("Come.\nanna", "Come.\n[...]"),
        ("Come.\n- A. Ford -", "Come.\n[...]"),
        ("I am player-d88f8e", "I am [...]"),
        ("Ask anna.ford at home", "Ask [...] at home"),
        ("Write to x.y+z@mail.example.", "Write to [...]."),
        ("From: Somebody <a@b.example>\nCome.", "Come."),
        ("**To:** <a@b.example>\nCome.", "Come."),
        ("Received: from home ([192.0.2.1])\nCome.", "Come."),
        ("X-Originating-IP: [192.0.2.1]\nCome.", "Come."),
    ],
)
def test_text_that_names_its_author_is_redacted(text: str, left: str) -> None:
    assert told(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "We ford the river, and Annabel comes too.",
        "From: here on we fight.",
        "To: all of you",
        "Af is no name.",
        "I move\n\nto Paris, at 8:00.",
    ],
)
def test_all_else_stays(text: str) -> None:
    assert told(text) == text


def test_an_author_named_like_a_province_or_power_does_not_redact_it() -> None:
    names, addresses = ("Paris Turkey", "player-1"), ("france@home.example",)

    assert masked("Turkey to Paris, says France", names, addresses, BOARD) == (
        "Turkey to Paris, says France"
    )


@pytest.mark.parametrize("signed", ["José", "JOSE", "Jose", "josé", "García, J."])
def test_accents_make_no_other_name(signed: str) -> None:
    told_of_him = masked(f"Come.\n{signed}", ("José Garcia",), (), BOARD)

    assert told_of_him == "Come.\n[...]"


def test_a_verb_in_lower_case_is_not_redacted() -> None:
    assert masked("Will you? I will.", ("Will Power",), (), BOARD) == "[...] you? I will."


def test_a_short_or_empty_name_strikes_nothing() -> None:
    assert masked("Al is here, and all", ("Al", ""), ("a@b.example", ""), BOARD) == (
        "Al is here, and all"
    )
