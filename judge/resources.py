"""Find the templates and other files that come with the judge, or the operator's own.

Files of the same names in an operator's folder replace ours.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")
Kind: TypeAlias = Literal["templates", "events", "deploy"]

_PACKAGE = Path(__file__).resolve().parent
_front: dict[Kind, Path] = {}
_cache_clearers: list[Callable[[], None]] = []


def cache_until_replaced(function: Callable[..., T]) -> _lru_cache_wrapper[T]:
    """Cache what *function* makes of these files until `override_files` is called."""
    cached = cache(function)
    _cache_clearers.append(cached.cache_clear)
    return cached


def override_files(kind: Kind, of: Path | None) -> None:
    """Make files in the folder *of* replace our *kind*; with None, use ours again.

    Later changes in the folder count after the next call.
    """
    if of is None and kind not in _front:
        return  # they are in use, and do not change
    if of is None:
        _front.pop(kind, None)
    else:
        _front[kind] = of
    for clear in _cache_clearers:
        clear()


def override_folder(kind: Kind) -> Path | None:
    """Return the folder whose files replace our *kind*."""
    return _front.get(kind)


@cache_until_replaced
def file_of(kind: Kind, name: str) -> Path:
    """Return the path of the resource *name* of *kind*."""
    own = _front[kind] / name if kind in _front else None
    return own if own and own.is_file() else folder(kind) / name


def read_text(kind: Kind, name: str) -> str:
    """Return the text of the resource *name* of *kind*."""
    return file_of(kind, name).read_text(encoding="utf-8")


@cache
def folder(kind: Kind, package: Path = _PACKAGE) -> Path:
    """Return the folder of our resources of *kind*: next to *package* in a checkout, else in it.

    Site-packages are never searched: an editable install leaves a stale copy there.
    """
    checkout = package.parent
    beside = checkout / kind
    if beside.is_dir() and (checkout / "pyproject.toml").is_file():
        return beside
    return package / "_data" / kind
