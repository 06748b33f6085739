"""Find the templates and event schemas that come with the judge, or the operator's own.

An operator may use a folder with files of the same names in place of ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["templates", "events"]

_PACKAGE = Path(__file__).resolve().parent
_front: dict[Kind, Path] = {}


def put_in_front(kind: Kind, of: Path | None) -> None:
    """Take what the folder *of* has in place of ours of *kind*; with None, ours again."""
    if of is None:
        _front.pop(kind, None)
    else:
        _front[kind] = of


def in_front(kind: Kind) -> Path | None:
    """Return the folder that was put in front of ours of *kind*."""
    return _front.get(kind)


def file_of(kind: Kind, name: str) -> Path:
    """Return where the file *name* among the resources of *kind* is."""
    own = _front[kind] / name if kind in _front else None
    return own if own and own.is_file() else folder(kind) / name


def read_text(kind: Kind, name: str) -> str:
    """Return the text of the file *name* among the resources of *kind*."""
    return file_of(kind, name).read_text(encoding="utf-8")


def folder(kind: Kind, package: Path = _PACKAGE) -> Path:
    """Return the folder of the resources of *kind*: beside *package* in a checkout, else in it.

    Site-packages are never searched: an editable install leaves a stale copy there.
    """
    checkout = package.parent
    beside = checkout / kind
    if beside.is_dir() and (checkout / "pyproject.toml").is_file():
        return beside
    return package / "_data" / kind
