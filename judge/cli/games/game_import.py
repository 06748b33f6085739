"""`judge game import`, `branch` and `export`: exchange games with other programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli import game_source
from judge.cli.options import complete_variant, phase_named, rules_options, settings_options
from judge.cli.terminal import (
    BAD_INPUT,
    STANDARD_STREAM,
    UNAVAILABLE,
    USAGE,
    FilePath,
    fail,
    writing,
)
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.game.apply import CommandResult
    from judge.archive.records import Record
    from judge.rules.board import Map

NAME = click.option("--as", "name", required=True, metavar="NAME", help="Its name on this judge.")


@click.command()
@click.argument("file", type=FilePath(exists=True, or_stream=True))
@NAME
@click.option("--game", "wanted", help="The game's name, if FILE has several.")
@click.option(
    "--at",
    "code",
    metavar="F1901M",
    help="The phase to continue from.  [default: the end of the record]",
)
@click.option("--from", "form", metavar="FORMAT", help="A format of `judge archive`.")
@click.option(
    "--variant",
    metavar="NAME",
    shell_complete=complete_variant,
    help="The board, if FILE does not name it.",
)
@click.option("--lenient", is_flag=True, help="Import it even if parts cannot be read.")
@rules_options
@settings_options
def import_command(  # noqa: PLR0913, PLR0917 - one parameter per option
    settings: Settings,
    file: Path,
    name: str,
    wanted: str | None,
    code: str | None,
    form: str | None,
    variant: str | None,
    rules: tuple[str, ...],
    rulebook: str | None,
    moderator: str | None,
    *,
    lenient: bool,
) -> None:
    """Import the recorded game in FILE, finished or to be continued.

    FILE is any file `judge archive` reads, or - for standard input. The log marks everything in it
    as recorded elsewhere. All powers are vacant: players take them over by email, or `judge game
    seat` assigns them.
    """
    from judge.app.admin import game_admin
    from judge.app.admin.game_admin import NewGame

    at, board = (
        phase_named(code) if code else None,
        game_source.variant_chosen(variant),
    )
    record = _only_game(board, file, wanted, form, strict=not lenient)
    house_rules, chosen = game_source.chosen_rules(
        rules, rulebook, game=name, default=None if rulebook else game_source.rulebook_of(record)
    )
    with game_source.open_store(settings) as judge:
        new = NewGame(name, house_rules, chosen, record.variant, moderator)
        _begin(name, lambda: game_admin.import_game(judge, new, record, at))


@click.command()
@click.argument("parent", metavar="GAME")
@click.option("--at", "code", required=True, metavar="F1901M", help="The phase to branch from.")
@NAME
@rules_options
@settings_options
def branch(  # noqa: PLR0913, PLR0917 - one parameter per option
    settings: Settings,
    parent: str,
    code: str,
    name: str,
    rules: tuple[str, ...],
    rulebook: str | None,
    moderator: str | None,
) -> None:
    """Create a new game from the position of GAME before a phase, without its orders.

    The new game has GAME's rules unless the options change them. All powers are vacant.
    """
    from judge.app.admin import game_admin
    from judge.app.admin.game_admin import NewGame

    at = phase_named(code)
    with game_source.open_existing_store(settings) as judge:
        like = game_source.game_named(judge, parent)
        house_rules, chosen = game_source.chosen_rules(
            rules, rulebook, game=name, like=like.house_rules, default=like.rulebook
        )
        if not house_rules.blind:
            game_source.refuse_if_blind(like)
        new = NewGame(name, house_rules, chosen, like.variant, moderator)
        _begin(name, lambda: game_admin.branch_game(judge, new, parent, at))


@click.command()
@click.argument("name")
@click.option(
    "--to", "target", default="record", metavar="FORMAT", help="A format of `judge archive`."
)
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    default=STANDARD_STREAM,
    help="The file.  [default: standard output]",
)
@click.option("--press", is_flag=True, help="Include public press, by phase.")
@settings_options
def export(settings: Settings, name: str, target: str, output: Path, *, press: bool) -> None:
    """Export the public part of a game in a format of `judge archive`, without its players."""
    from judge.app.admin import game_admin
    from judge.archive.reading import WRITERS, refusal, writer_named

    if target not in WRITERS:
        fail(f"{target!r} is not one of {', '.join(WRITERS)}", USAGE)
    with game_source.open_existing_store(settings) as judge:
        game = game_source.game_named(judge, name)
        game_source.refuse_if_blind(game)
        board, record = judge.board_of(game), game_admin.record_of_game(judge, name)
        if why := refusal(record, target):
            fail(why, UNAVAILABLE)
        letters = game_admin.public_record_of_game(judge, name).press if press else ()
    with writing(output) as written:
        for line in writer_named(target)(replace(record, press=letters), board):
            written.write(line.encode())


def _begin(name: str, begin: Callable[[], CommandResult]) -> None:
    from judge.archive.log_conversion import UnimportableRecordError
    from judge.game.game_state import Stage

    try:
        begun = begin()
    except UnimportableRecordError as error:
        fail(str(error), UNAVAILABLE)
    game_source.report_outcome(begun, None)
    assert begun.game, "it was opened"
    assert begun.game.position, "it has earlier phases"
    if begun.game.stage is Stage.ENDED:
        click.echo(f"{name} is over")
    else:
        click.echo(
            f"{name} continues in {begun.game.position.phase}; players can join with JOIN {name}"
        )


def _only_game(
    board: Map, file: Path, wanted: str | None, form: str | None, *, strict: bool
) -> Record:
    from judge.adapters.archive.record_files import ReadOptions, find_files, games_in
    from judge.archive.reading import READERS, UnreadableError
    from judge.cli.archive.game_files import fail_without_games

    if form and form not in READERS:
        fail(f"{form!r} is not one of {', '.join(READERS)}", USAGE)
    only: Record | None = None
    how = ReadOptions(form, strict=strict)
    for game in (each for path in find_files([file]) for each in games_in(board, path, how)):
        if isinstance(game, UnreadableError):
            help_ = "; --lenient leaves it out, and reads on" if game.skippable else ""
            fail(f"{game}{help_}", BAD_INPUT)
        if wanted == game.name:
            return game
        if wanted is None and only:
            fail(
                f"{file} has several games, such as {only.name} and {game.name}:"
                " choose one with --game",
                USAGE,
            )
        only = game
    if wanted is not None:
        fail(f"{file} has no game {wanted!r}", UNAVAILABLE)
    if only is None:
        fail_without_games([file])
    return only
