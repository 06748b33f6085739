"""The rulebooks page matches the rules."""

from __future__ import annotations

from judge.rules.rulebook import DATC, QUESTIONS, RULEBOOKS, answer_in, answers_to
from tests.support.rulebook_page import FILE, PARTS, page


def test_the_page_is_as_it_would_be_written_now() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert page(text) == text, "python -m tests.support.rulebook_page writes it"


def test_the_answer_of_datc_stands_first() -> None:
    assert all(answer_in(DATC, each) is next(iter(answers_to(each))) for each in QUESTIONS)


def test_the_page_has_every_part_preset_and_question() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert [part for part in PARTS if f"<!-- generated: {part} -->" not in text] == []
    assert [each for each in QUESTIONS if f"`{each}`**" not in text] == []
    assert [name for name in RULEBOOKS if f"\n### `{name}`\n" not in text] == []
