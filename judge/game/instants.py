"""Instants as the log writes them: ISO 8601 in UTC, whole seconds, `2026-11-27T20:00:00Z`."""

from __future__ import annotations

from datetime import UTC, datetime


def to_text(instant: datetime) -> str:
    """Write *instant*, which is aware, without its fraction of a second."""
    whole = instant.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    return f"{whole.isoformat()}Z"


def from_text(text: str) -> datetime:
    """Read what `to_text` wrote."""
    return datetime.fromisoformat(text)
