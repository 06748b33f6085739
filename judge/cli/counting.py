"""Numbers of things, for people."""

from __future__ import annotations


def counted(count: int, thing: str) -> str:
    """Return *count* with the name of the *thing*: `1 phase`, `2 phases`."""
    return f"{count} {thing}{'' if count == 1 else 's'}"
