"""The documentation is written as people speak: none of the turns that its readers stumbled on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md", "events/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)
TURNS = {
    "a statement that begins with Who, Whose, What or Whoever": re.compile(
        r"(?:^|[.!:] |- |\| )(?:Who|Whose|What|Whoever) [^?\n|]*[.|]", re.MULTILINE
    ),
    "he or his for a person": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "a mail, mails: write email": re.compile(
        r"\b[Aa] mail\b(?! server| client| program| catcher| command)|\bmails\b"
    ),
    "a word of another century": re.compile(
        r"\b(?:wont|slips? of the pen|in his turn|falls? into|asked back|hangs on)\b"
    ),
}
CODE = re.compile(r"^```.*?^```|<!-- generated.*?<!-- end -->|`[^`\n]*`", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_words_are_plain(page: Path, turn: str) -> None:
    words = CODE.sub("", page.read_text(encoding="utf-8"))

    assert [each.group() for each in TURNS[turn].finditer(words)] == []
