"""The options of commands that draw the map, and the file they write."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, cast

import click

from judge.cli.terminal import UNAVAILABLE, USAGE, FilePath, fail, require_option, writing

if TYPE_CHECKING:
    from judge.pictures.board_art import BoardArt
    from judge.pictures.scene import Scene
    from judge.rules.board import Map

P = ParamSpec("P")
R = TypeVar("R")

SUFFIXES = (".svg", ".png")
SIZE_MIN, SIZE_MAX = 100, 8_000  # pixels; wider pictures take minutes and are too large to print
PICTURE = (
    click.option(
        "--picture",
        metavar="FILE",
        type=FilePath(dir_okay=False),
        help="Draw the board to FILE (.svg or .png).",
    ),
    click.option("--theme", default="light", show_default=True, help="The colors of the picture."),
    click.option(
        "--names",
        type=click.Choice(("short", "full", "none")),
        default="short",
        show_default=True,
        help="How to label provinces.",
    ),
    click.option(
        "--size",
        type=click.IntRange(SIZE_MIN, SIZE_MAX),
        default=1000,
        show_default=True,
        help="The width of the picture in pixels.",
    ),
)


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """The picture asked for on the command line."""

    file: Path
    theme: str
    names: str
    size: int


def picture_options(
    command: Callable[Concatenate[PictureOptions | None, P], R],
) -> Callable[P, R]:
    """Add the options for a picture; *command* gets them as its first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        theme, names = cast("str", kwargs.pop("theme")), cast("str", kwargs.pop("names"))
        file, size = cast("Path | None", kwargs.pop("picture")), cast("int", kwargs.pop("size"))
        if file is None:
            require_option("--picture", "--theme", "--names", "--size")
            return command(None, *args, **kwargs)
        if kwargs.get("as_json"):
            fail("--json does not apply to --picture", USAGE)
        asked = PictureOptions(file, theme, names, size)
        _check(asked)
        return command(asked, *args, **kwargs)

    wrapped: Callable[P, R] = functools.update_wrapper(run, command)
    for option in reversed(PICTURE):
        wrapped = option(wrapped)
    return wrapped


def save_picture(picture: PictureOptions, variant: str, board: Map, scene: Scene) -> None:
    """Draw *scene* on *board*, the board of *variant*, into the requested file."""
    from judge.adapters.variant_files import load_art

    try:
        art = load_art(variant)
    except ValueError as error:
        fail(f"the map of {variant} cannot be drawn: {error}", UNAVAILABLE)
    if art is None:
        fail(f"there is no map of {variant}", UNAVAILABLE)
    draw_to_file(picture, board, art, scene)


def draw_to_file(picture: PictureOptions, board: Map, art: BoardArt, scene: Scene) -> None:
    """Draw *scene* on *board*, which looks like *art*, into the requested file."""
    from judge.pictures.drawing import draw_picture
    from judge.pictures.themes import Look, NameStyle, load_theme, scale_for_width

    look = Look(load_theme(picture.theme), NameStyle(picture.names), scale_for_width(picture.size))
    drawn = draw_picture(board, art, scene, look)
    if picture.file.suffix.lower() == ".svg":
        content = drawn.svg().encode()
    else:
        from judge.pictures.png import paint

        content = paint(drawn, picture.size)
    with writing(picture.file) as written:
        written.write(content)


def _check(picture: PictureOptions) -> None:
    """Exit before anything is read if *picture* cannot be drawn."""
    from judge.pictures.themes import theme_names

    if picture.file.suffix.lower() not in SUFFIXES:
        fail(f"{picture.file} ends neither in .svg nor in .png", USAGE)
    if picture.theme not in theme_names():
        fail(f"there is no theme {picture.theme!r}, only {', '.join(theme_names())}", USAGE)
