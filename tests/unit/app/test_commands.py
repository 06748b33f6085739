"""Every command of the table in `docs/commands.md` has an answer that fits it, sent as a mail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.commands_page import FILE, advice, page, rows
from tests.support.table import Table, of

ROWS = rows()
UNHEARD = (
    "was not understood",
    "is ambiguous:",
    "has no orders and no commands.",
    "does not say who you are",
)
ASKED_FOR = ("YES", "NO", "USE THESE")  # Tried where they are asked for.
IN_GERMAN = "SET LANGUAGE DEUTSCH"  # Told apart by their English words, the others come first.
SPELLINGS = {each: None for row in ROWS if row.does for each in row.spellings}
MAILS = [
    *([each] for each in SPELLINGS if each not in (*ASKED_FOR, IN_GERMAN)),
    *(list(row.spellings) for row in ROWS if not row.does),
    [IN_GERMAN],
]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("commands"))
    table.start("game", "impossible_orders=accept")
    table.says("FRANCE", "SET PASSWORD password", "game")
    yield table
    table.close()


@pytest.mark.parametrize("spellings", MAILS, ids=" | ".join)
def test_each_row_is_reached_by_a_mail(judge: Table, spellings: list[str]) -> None:
    answers = judge.reply(judge.latest("FRANCE", "game"), "\n".join(spellings))

    words = " ".join(mail.words for mail in answers if mail.recipient == of("FRANCE"))
    left_out = [each for each in spellings if advice(each) is not None]
    assert words
    assert [each for each in UNHEARD if each in words] == []
    assert words.count("is not a command") == len(left_out)


def test_what_is_ours_is_understood_and_what_is_left_out_has_its_advice() -> None:
    ours = {each for row in ROWS for each in row.ours}
    left_out = {each for row in ROWS if not row.does for each in row.spellings}

    assert {each for each in ours if advice(each) is not None} == set()
    assert {each for each in left_out if not advice(each)} == set()
    assert [row for row in ROWS if not row.ours and row.does] == []


def test_the_table_is_as_it_would_be_written_now() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert "<!-- generated: commands -->" in text
    assert page(text) == text, "python -m tests.support.commands_page writes it"
