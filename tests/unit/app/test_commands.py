"""Every command in `docs/commands.md` gets an answer of its kind by mail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.commands_page import FILE, advice, all_spellings, foreign_commands, page
from tests.support.selection import one_in
from tests.support.table import Table, address_of

UNHEARD = (
    "was not understood",
    "is ambiguous:",
    "has no orders and no commands.",
    "does not name its sender",
)
NOT_ALONE = (
    "YES",
    "NO",
    "USE THESE",
    "USE THESE 2",
    "SIGNOFF",
)  # tested where they have a meaning
IN_GERMAN = "SET LANGUAGE DEUTSCH"  # other languages come first
MAILS = [
    *([each] for each in all_spellings() if each not in (*NOT_ALONE, IN_GERMAN)),
    *foreign_commands().values(),
    [IN_GERMAN],
]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(tmp_path_factory.mktemp("commands"))
    table.start("game", "impossible_orders=accept")
    table.send("FRANCE", "SET PASSWORD password", "game")
    yield table
    table.close()


@pytest.mark.parametrize("spellings", one_in(4, MAILS), ids=" | ".join)
def test_each_row_is_reached_by_an_email(judge: Table, spellings: list[str]) -> None:
    answers = judge.reply(judge.latest("FRANCE", "game"), "\n".join(spellings))

    words = " ".join(mail.words for mail in answers if mail.recipient == address_of("FRANCE"))
    left_out = [each for each in spellings if advice(each) is not None]
    assert words
    assert [each for each in UNHEARD if each in words] == []
    said = words.count("is not a command") + words.count("That is always so here")
    assert said == len(left_out)


def test_each_spelling_is_understood() -> None:
    assert {each for each in all_spellings() if advice(each) is not None} == set()


def test_the_table_is_as_it_would_be_written_now() -> None:
    text = FILE.read_text(encoding="utf-8")

    assert "<!-- generated: commands -->" in text
    assert page(text) == text, "python -m tests.support.commands_page writes it"
