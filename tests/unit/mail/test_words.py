"""The words besides those of orders stand in tables, each of which some module reads."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import judge

PACKAGE = Path(judge.__file__).parent
TABLES = tomllib.loads((PACKAGE / "mail" / "words.toml").read_text(encoding="utf-8"))
READERS = r"(?:\bspelled_words|phrases|alternatives|_pattern|templates)"
CALL = re.compile(READERS + r"""\(.*?["'](\w+)["']""")


def test_each_table_of_words_is_read() -> None:
    sources = (each.read_text(encoding="utf-8") for each in PACKAGE.rglob("*.py"))
    read = {name for source in sources for name in CALL.findall(source)}

    by_kind = {name for name in TABLES if name.startswith("means_")}
    assert set(TABLES) - read == by_kind
