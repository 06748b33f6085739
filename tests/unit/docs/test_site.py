"""The website of the documentation: `.ci/site` builds it, here it is only read."""

from __future__ import annotations

import re
from pathlib import Path

SITE = Path(__file__).parents[3] / "site"


def test_every_page_is_on_the_path_of_a_reader() -> None:
    pages = SITE / "pages"
    named = re.findall(
        r"^ +- (?:\w+: )?(\S+\.md)$", (SITE / "mkdocs.yml").read_text("utf-8"), re.MULTILINE
    )

    assert len(named) == len({*named})
    assert {*named} == {
        str(path.relative_to(pages))
        for pattern in ("*.md", "docs/*.md", "docs/*/*.md", "deploy/*.md", "events/*.md")
        for path in pages.glob(pattern)
    }
