"""Where the words and contracts that travel with the judge are: templates and event schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["templates", "events"]

_PACKAGE = Path(__file__).resolve().parent


def read_text(kind: Kind, name: str) -> str:
    """Return the text of the file *name* among the resources of *kind*."""
    return (folder(kind) / name).read_text(encoding="utf-8")


def folder(kind: Kind, package: Path = _PACKAGE) -> Path:
    """Return the folder of the resources of *kind*: beside *package* in a checkout, else in it.

    Site-packages are never searched: an editable install leaves a stale copy there.
    """
    checkout = package.parent
    beside = checkout / kind
    if beside.is_dir() and (checkout / "pyproject.toml").is_file():
        return beside
    return package / "_data" / kind
