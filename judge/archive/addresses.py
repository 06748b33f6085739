"""Mail addresses in the texts of a record: left out, unless they are asked for."""

from __future__ import annotations

import re

# Nothing before it that could be part of it, so that a long word is looked through only once.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
LEFT_OUT = "[address]"


def without_addresses(text: str) -> str:
    """Return *text* with each mail address left out."""
    return ADDRESS.sub(LEFT_OUT, text) if "@" in text else text
