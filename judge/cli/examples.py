"""An example or two of each command, which its help and the man page show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

EXAMPLES: Mapping[str, list[str]] = {  # the indented lines below the name of each
    name: [each.strip() for each in examples]
    for name, *examples in (
        part.splitlines()
        for part in Path(__file__).with_name("examples.txt").read_text("utf-8").split("\n\n")
    )
}
