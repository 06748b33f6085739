"""Write the tables of `docs/operators/settings.md`: `python -m tests.support.settings_page`.

Names, defaults and texts come from `deploy/judge.toml.example`.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from judge.settings import RELOADED

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "operators" / "settings.md"
EXAMPLE = ROOT / "deploy" / "judge.toml.example"
PART = re.compile(r"(?<=<!-- generated: settings -->\n).*?(?=<!-- end -->)", re.DOTALL)


def page(text: str) -> str:
    """Return *text* with its tables as they should be."""
    return PART.sub(lambda _: "\n".join(_lines()) + "\n\n", text)


def _lines() -> Iterator[str]:
    """Yield a table for each section of the example."""
    words: list[str] = []
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            yield from (
                "",
                f"#{line}",
                "",
                "| setting | default | | meaning |",
                "|---|---|---|---|",
            )
        elif line.startswith("# "):
            words.append(line.removeprefix("# "))
        elif line:
            yield _row(line, " ".join(words))
        if not line.startswith("# "):
            words = []


def _row(line: str, words: str) -> str:
    [(name, value)] = tomllib.loads(line).items()
    default = value if isinstance(value, str) else json.dumps(value)
    reload = "*reload*" if name in RELOADED else ""
    return f"| `{name}` | {f'`{default}`' if default else 'none'} | {reload} | {words} |"


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
