"""The variants on this machine: their boards, drawings and names of openings.

Those in the package come with the judge; an operator may have a folder of more. The boards of
games in play are kept by their digest, whatever becomes of the folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from judge.boards.places import PLACES, Places, PlacesError, read_places
from judge.boards.variant_text import VARIANT, VariantError, extended_variant, read_map, rules_of
from judge.rules.board import DEFAULT_VARIANT, Map

if TYPE_CHECKING:
    from judge.archive.tally import Openings
    from judge.game.players.creation import BoardRecorded
    from judge.pictures.board_art import BoardArt

FOLDER = Path(__file__).resolve().parents[1] / "variants"
PICTURE, SVG = "board.json", "board.svg"
OPENINGS = "openings.csv"
TEXT_SUFFIXES = (".toml", ".csv", ".json", ".svg")

OWN_VARIANTS = "JUDGE_VARIANTS"  # the setting `variants`, in the environment

_own_folder: list[Path] | None = None  # of the operator; None until settings were read


class UnknownVariantError(LookupError):
    """There is no variant of that name; the message lists the names."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no variant {name!r}; there are: {', '.join(variants())}")


@dataclass(frozen=True, slots=True)
class VariantFiles:
    """The files of a variant by name, and those of the variant that it extends."""

    texts: Mapping[str, str]
    base: Mapping[str, str] | None = None


def use_own_variants(folder: Path | None) -> None:
    """Read more variants from *folder*; None for none. Later changes count after the next call."""
    global _own_folder  # noqa: PLW0603 - one for the process, as the caches below
    _own_folder = [folder] if folder else []
    for function in (_read, load_art, load_openings, _files, variants):
        function.cache_clear()


def own_folder() -> Path | None:
    """Return the folder of the operator's variants, None if there is none."""
    return next(iter(_own_folders()), None)


@cache
def variants() -> tuple[str, ...]:
    """Return the names of the variants, sorted."""
    return tuple(sorted({file.parent.name for file in _variant_files()}))


def _variant_files() -> Iterator[Path]:
    for folder in (FOLDER, *_own_folders()):
        yield from folder.glob(f"*/{VARIANT}")


def _own_folders() -> list[Path]:
    """Return the operator's folder: that in the environment if nobody has read the settings."""
    if _own_folder is not None:
        return _own_folder
    named = os.environ.get(OWN_VARIANTS)
    return [Path(named)] if named else []


def rule_files(name: str) -> VariantFiles:
    """Return the files that make the board of the variant *name*, without pictures.

    Raises `UnknownVariantError` if there is none.
    """
    files = _files(name)
    return VariantFiles(rules_of(files.texts), files.base and rules_of(files.base))


class InstalledVariants:
    """The variants on this machine, for new games."""

    def names(self) -> tuple[str, ...]:
        """Return their names, sorted."""
        return variants()

    def recorded(self, name: str) -> BoardRecorded:
        """Return the files of the variant *name*; raises `UnknownVariantError`."""
        from judge.game.players.creation import BoardRecorded  # noqa: PLC0415 - only for new games

        files = rule_files(name)
        return BoardRecorded(load_map(name).digest, files.texts, files.base or {})


def check_own_variants(folder: Path) -> None:
    """Raise `VariantError` for a variant in *folder* that is wrong, or has the name of ours."""
    for each in sorted(file.parent for file in folder.glob(f"*/{VARIANT}")):
        name = each.name
        if (FOLDER / name).is_dir():
            raise VariantError(name, ["a variant of that name comes with the judge"])
        files = read_folder(each)
        board = read_map(files.texts, files.base)
        if board.name != name:
            raise VariantError(name, [f"its folder has another name than {board.name!r}"])


def folder_of(name: str) -> Path:
    """Return the folder of the variant *name*: ours, if the operator has one of that name too.

    Raises `UnknownVariantError` if there is none.
    """
    for file in _variant_files():
        if file.parent.name == name:
            return file.parent
    raise UnknownVariantError(name)


def read_folder(folder: Path) -> VariantFiles:
    """Read the files of a variant in *folder*, wherever it is.

    Raises `VariantError` if it extends a variant that does not exist, `OSError` or `ValueError`
    if a file cannot be read.
    """
    texts = _texts(folder)
    extended = extended_variant(texts)
    if extended is None:
        return VariantFiles(texts)
    try:
        return VariantFiles(texts, _texts(folder_of(extended)))
    except UnknownVariantError as unknown:
        raise VariantError(folder.name, [f"it extends {extended!r}: {unknown}"]) from unknown


def _texts(folder: Path) -> Mapping[str, str]:
    return {
        file.name: _text(file) for file in sorted(folder.iterdir()) if file.suffix in TEXT_SUFFIXES
    }


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")  # spreadsheets begin a CSV file with a BOM
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is not in UTF-8: save it as UTF-8") from error
    except OSError as error:
        raise ValueError(f"{file.name} cannot be read: {error.strerror}") from error


@cache
def _files(name: str) -> VariantFiles:
    return read_folder(folder_of(name))


def load_map(name: str = DEFAULT_VARIANT) -> Map:
    """Return the board of the variant *name*, always the same object.

    Raises `UnknownVariantError` if there is none, `VariantError` if its files contradict each
    other.
    """
    return _read(name)


@cache
def _read(name: str) -> Map:
    files = _files(name)
    return read_map(files.texts, files.base)


@cache
def load_art(name: str = DEFAULT_VARIANT) -> BoardArt | None:
    """Return the drawing of the board of the variant *name*, None if it has none.

    Raises `ValueError` if it cannot be used.
    """
    return read_picture(_files(name), load_map(name))


def read_picture(files: VariantFiles, board: Map) -> BoardArt | None:
    """Return the picture of *board* among *files*, None if there is none.

    Raises `PictureError`, a `ValueError`, if it cannot be used.
    """
    from judge.pictures.board_art import PictureError, missing_in, read_art  # noqa: PLC0415 - only for pictures

    try:
        picture = _picture_of(files, board)
        art = read_art(picture) if picture else None
    except PictureError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PictureError([f"{PICTURE} is not the picture of a board: {error}"]) from error
    if art and (missing := list(missing_in(art, board))):
        raise PictureError(missing)
    return art


def places_of(files: VariantFiles, board: Map) -> Places | None:
    """Return where provinces lie by *files*, None if they do not say. Raises `VariantError`."""
    text = files.texts.get(PLACES) or (files.base or {}).get(PLACES)
    try:
        return None if text is None else read_places(text, board)
    except PlacesError as error:
        raise VariantError(board.name, [str(error)]) from error


def _picture_of(files: VariantFiles, board: Map) -> str | None:
    """Return the picture among *files*: what it says besides that of the extended variant."""
    from judge.pictures.board_art import PictureError  # noqa: PLC0415 - only for pictures

    if {SVG, PICTURE} <= files.texts.keys():
        raise PictureError([f"there are two pictures, {SVG} and {PICTURE}"])
    own = _whole_picture(files.texts, board)
    if SVG in files.texts or files.base is None:
        return own
    inherited = _whole_picture(files.base, board)
    if own is None or inherited is None:
        return own or inherited
    whole, more = json.loads(inherited), json.loads(own)
    for code, part in more.pop("provinces", {}).items():
        whole["provinces"].setdefault(code, {}).update(part)
    return json.dumps(whole | more)


def _whole_picture(texts: Mapping[str, str], board: Map) -> str | None:
    if SVG in texts:
        from judge.pictures.svg_board import picture_from_svg  # noqa: PLC0415 - few boards are SVG

        return picture_from_svg(texts[SVG], board)
    return texts.get(PICTURE)


@cache
def load_openings(name: str = DEFAULT_VARIANT) -> Openings:
    """Return the named openings of the variant *name*, none if it has no names for them."""
    from judge.archive.tally import read_openings  # noqa: PLC0415 - only for the archive

    return read_openings(_text_of(name, OPENINGS) or "power,name,orders\n")


def _text_of(name: str, file: str) -> str | None:
    files = _files(name)
    return files.texts.get(file) or (files.base or {}).get(file)
