"""Find the templates and event schemas that come with the judge, or the operator's own.

Files of the same names in an operator's folder replace ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["templates", "events"]

_PACKAGE = Path(__file__).resolve().parent
_front: dict[Kind, Path] = {}


def put_in_front(kind: Kind, of: Path | None) -> None:
    """Make files in the folder *of* replace our *kind*; with None, use ours again."""
    if of is None:
        _front.pop(kind, None)
    else:
        _front[kind] = of


def in_front(kind: Kind) -> Path | None:
    """Return the folder whose files replace our *kind*."""
    return _front.get(kind)


def file_of(kind: Kind, name: str) -> Path:
    """Return the path of the resource *name* of *kind*."""
    own = _front[kind] / name if kind in _front else None
    return own if own and own.is_file() else folder(kind) / name


def read_text(kind: Kind, name: str) -> str:
    """Return the text of the resource *name* of *kind*."""
    return file_of(kind, name).read_text(encoding="utf-8")


def folder(kind: Kind, package: Path = _PACKAGE) -> Path:
    """Return the folder of our resources of *kind*: next to *package* in a checkout, else in it.

    Site-packages are never searched: an editable install leaves a stale copy there.
    """
    checkout = package.parent
    beside = checkout / kind
    if beside.is_dir() and (checkout / "pyproject.toml").is_file():
        return beside
    return package / "_data" / kind
