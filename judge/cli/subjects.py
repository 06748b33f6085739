"""The one game that a page or a report is of: of the log, or of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from judge.cli.exits import BAD_INPUT, UNAVAILABLE, USAGE, fail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.archive.record import Record
    from judge.game.game_state import Game
    from judge.rules.rulebook import Rulebook
    from judge.settings import Settings


def of_log(settings: Settings, name: str) -> tuple[Record, Game]:
    """Return what is public of the game *name* of the log, and the game as it stands."""
    from judge.app.admin import game_admin
    from judge.cli.store import existing, known

    with existing(settings) as judge:
        game = known(judge, name)
        if game.position is None:
            fail(f"{name} has not begun", UNAVAILABLE)
        refuse_if_dark(game)
        return game_admin.public_record_of_game(judge, name), game


def refuse_if_dark(game: Game) -> None:
    """Fail if *game* is blind and not over."""
    from judge.game.visibility import Observer, is_board_hidden

    if is_board_hidden(game, Observer()):
        fail(f"{game.name} is blind: nothing of its board is public until it is over", UNAVAILABLE)


def of_file(path: Path, wanted: str | None, *, strict: bool) -> Record:
    """Return the game of *path* that is *wanted* by name, or the only one."""
    chosen = [
        each
        for each in games(path, strict=strict)
        if wanted is None or each.name.rpartition("/")[2] == wanted
    ]
    if not chosen:
        fail(f"there is no such game in {path}", UNAVAILABLE)
    if len(chosen) > 1:
        names = ", ".join(each.name.rpartition("/")[2] for each in chosen[:3])
        fail(f"{path} has several games, such as {names}: --game", USAGE)
    return chosen[0]


def games(path: Path, *, strict: bool) -> Iterator[Record]:
    """Yield the games of *path*."""
    from judge.adapters.archive_files import How
    from judge.cli.archive.records import records

    yield from records(How(None, strict=strict), [path])


def law(record: Record) -> Rulebook:
    """Return the law that *record* was played under."""
    from judge.archive.reading import rulebook_of
    from judge.rules.rulebook import UnknownRulebookError

    try:
        return rulebook_of(record)
    except UnknownRulebookError as error:
        fail(f"{record.source.name}: {error}", BAD_INPUT)


def write(file: Path, content: bytes) -> None:
    """Write *content* into *file*."""
    try:
        file.write_bytes(content)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", UNAVAILABLE)
