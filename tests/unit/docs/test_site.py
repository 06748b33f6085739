"""The documentation's website; `.ci/site` builds it, this only reads it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_page_is_on_the_path_of_a_reader() -> None:
    named = re.findall(
        r"^ +- (?:\w+: )?(\S+\.md)$", (ROOT / "site/mkdocs.yml").read_text("utf-8"), re.MULTILINE
    )

    assert len(named) == len({*named})
    assert {*named} == {
        str(path.relative_to(ROOT))
        for pattern in ("*.md", "docs/*.md", "docs/*/*.md", "deploy/*.md", "events/*.md")
        for path in ROOT.glob(pattern)
    }
