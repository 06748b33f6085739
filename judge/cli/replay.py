"""`judge replay`: a game as one page that needs no other file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import LANGUAGE, settings_options
from judge.cli.subjects import games, law, of_file, of_log, write
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.replay.page import PageOptions
    from judge.archive.record import Record

INDEX = "index.html"


@click.command()
@click.argument("subject", metavar="GAME|FILE|FOLDER")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="The page; of a FOLDER the folder of the pages.",
)
@click.option("--game", "wanted", help="The game of this name, if FILE has several.")
@click.option("--lenient", is_flag=True, help="Also with what is not understood in a FILE.")
@click.option("--writer", is_flag=True, help="Let orders be written for the last phase of a FILE.")
@LANGUAGE
@settings_options
def replay(  # noqa: PLR0913 - an argument an option
    settings: Settings,
    subject: str,
    output: Path,
    *,
    wanted: str | None,
    lenient: bool,
    writer: bool,
    language: str,
) -> None:
    """Make a page that replays a game, from disk and without a network.

    GAME is a game of the log: its closed phases are shown, and orders can be written for the open
    one. FILE is what `judge archive` reads. For a FOLDER each game gets a page, and all an index.
    """
    from judge.app.replay.page import PageOptions

    path = Path(subject)
    desired = PageOptions(settings.address) if writer else None
    if path.is_dir():
        _write_folder(path, output, desired, language, strict=not lenient)
    elif path.exists():
        _write(output, _page(of_file(path, wanted, strict=not lenient), desired, language))
    else:
        record, game = of_log(settings, subject)
        phase, zone = game.phase, game.house_rules.zone
        writer_for = PageOptions(settings.address, phase.deadline, zone) if phase else None
        _write(output, _page(record, writer_for, language))


def _write_folder(
    path: Path, output: Path, desired: PageOptions | None, language: str, *, strict: bool
) -> None:
    from judge.adapters.variant_files import load_map
    from judge.app.replay.page import game_index_page

    pages: dict[str, Record] = {}
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"{output} cannot be written: {error.strerror}", UNAVAILABLE)
    for record in games(path, strict=strict):
        if record.phases:
            name = _file_of(record, pages)
            _write(output / name, _page(record, desired, language))
            pages[name] = record
    if not pages:
        fail(f"there is no game in {path}", UNAVAILABLE)
    _write(output / INDEX, game_index_page(load_map(), pages.items(), language))


def _file_of(record: Record, taken: dict[str, Record]) -> str:
    """Return a name for the page of *record* that no other has."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", record.name.rpartition("/")[2]).strip("-") or "game"
    name, number = f"{plain}.html", 1
    while name in taken or name == INDEX:
        number += 1
        name = f"{plain}-{number}.html"
    return name


def _page(record: Record, desired: PageOptions | None, language: str) -> str:
    from judge.adapters.variant_files import load_art, load_map
    from judge.app.replay.page import NothingToReplayError, game_replay_page

    art = load_art(record.variant)
    if art is None:
        fail(f"nobody has drawn the board of {record.variant}", UNAVAILABLE)
    try:
        return game_replay_page(
            load_map(record.variant), art, record, law(record), desired, language
        )
    except NothingToReplayError as error:
        fail(str(error), UNAVAILABLE)


def _write(file: Path, page: str) -> None:
    write(file, page.encode())
