"""Links between pages lead to an existing page and heading, and the code they name exists."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "deploy/*.md", "events/*.md", ".github/**/*.md")
    for path in ROOT.glob(pattern)
)
ARCHITECTURE = ROOT / "docs/developers/architecture.md"
CODE = re.compile(r"`((?:app|game|mail|notation|reports|rules)\.[\w.]+)`")
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for path, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{path} is not there"
        if anchor:
            assert anchor in anchors(target), f"{path}#{anchor} is not there"


@pytest.mark.parametrize("name", sorted(set(CODE.findall(ARCHITECTURE.read_text("utf-8")))))
def test_architecture_names_what_exists(name: str) -> None:
    assert resolve_name(f"judge.{name}")  # a module, or what is in one; it raises if there is none


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of *page*, as GitHub names them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
