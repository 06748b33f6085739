"""Passwords of the operator's own: each stands alone in a file that a setting names."""

from __future__ import annotations

from pathlib import Path

from judge.errors import ConfigurationError


def secret_in(file: Path, setting: str) -> str:
    """Return what *file* holds; raises `ConfigurationError`, which names *setting*."""
    try:
        return file.read_text(encoding="utf-8").removesuffix("\n")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise ConfigurationError(f"{setting}: {file}: {why}") from error
