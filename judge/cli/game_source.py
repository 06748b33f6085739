"""Open the store for a command, and find the game in it or in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.options import require_database
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE, USAGE, fail, require_unix
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.adapters.store.transactions import SqlDatabase
    from judge.app.game.apply import CommandResult
    from judge.app.ports.judge import Judge
    from judge.archive.records import Record
    from judge.game.game_state import Game
    from judge.game.house_rules import HouseRules
    from judge.rules.board import Map
    from judge.rules.rulebook import Rulebook

SOUND = {  # what house rules must be that are no lengths of time
    "ends_at": "a date and a time, such as 2026-12-04T23:30",
    "closed_weekdays": "numbers from 1 (Monday) to 7, but not all of them",
    "closing_time": "a time such as 20:00, or empty",
    "zone": "an IANA name, such as Europe/Berlin",
    "comment": "shorter",
    "holidays": "days such as 2026-12-31, 2026-12-24/2027-01-02 or 05-01",
}


@contextmanager
def existing_database(settings: Settings) -> Iterator[SqlDatabase]:
    """Open the database, which must exist."""
    from judge.adapters.store.database import open_database

    require_unix()
    require_database(settings)
    with closing(open_database(settings.database)) as database:
        yield database


@contextmanager
def open_store(settings: Settings) -> Iterator[Judge]:
    """Open the store; a daemon may be running, as a command is a short transaction."""
    require_unix()
    from judge.adapters.store.database import open_database
    from judge.app.game.summaries import fill_summaries
    from judge.app.ports.database import OvertakenError
    from judge.daemon import judge_of
    from judge.event_log import StaleStreamError

    with closing(open_database(settings.database)) as database:
        judge = judge_of(settings, database)
        fill_summaries(judge)
        try:
            yield judge
        except (OvertakenError, StaleStreamError):
            fail("another command changed the game first: check it and try again", UNAVAILABLE)


def open_existing_store(settings: Settings) -> AbstractContextManager[Judge]:
    """Open a store that exists already; only commands that create a game may create one."""
    require_unix()
    require_database(settings)
    return open_store(settings)


def game_named(judge: Judge, name: str) -> Game:
    """Return the game *name*; fail if there is none."""
    from judge.app.admin import game_admin

    found = game_admin.load_game(judge, name)
    if found is None:
        fail(f"there is no game {name!r}: `judge game list` shows them", UNAVAILABLE)
    return found


def chosen_rules(
    pairs: Sequence[str],
    rulebook: str | None,
    *,
    game: str,
    like: HouseRules | None = None,
    default: Rulebook | None = None,
) -> tuple[HouseRules, Rulebook]:
    """Return the rules set by *pairs* and *rulebook*, or as in *like* and *default*.

    Without *like*, *game* is the name of a new game.
    """
    from judge.game.calendar import HOURS_MAX, unsound_rules
    from judge.game.house_rules import SeveralRulebooksError, UnknownHouseRuleError, choose_rules
    from judge.rules.rulebook import DATC, UnknownRulebookError

    try:
        rules, chosen = choose_rules(
            pairs, rulebook, game=game, rules=like, rulebook=default or DATC
        )
    except (UnknownHouseRuleError, UnknownRulebookError, SeveralRulebooksError) as error:
        fail(str(error), USAGE)
    if wrong := unsound_rules(rules):
        length = f"at most {HOURS_MAX} hours or minutes, and longer than zero for a phase"
        fail("; ".join(f"{name} must be {SOUND.get(name, length)}" for name in wrong), USAGE)
    return rules, chosen


def report_outcome(result: CommandResult, done: str | None) -> None:
    """Print *done*, or the reason for the refusal."""
    from judge.game.decision import Refused, Why
    from judge.reports.render import refusal_text

    if isinstance(result.decision, Refused):
        why = result.decision.why
        fail(refusal_text(why), USAGE if why is Why.BAD_NAME else UNAVAILABLE)
    if done:
        click.echo(done)


def game_in_log(settings: Settings, name: str) -> tuple[Record, Game, Map]:
    """Return the public record of the game *name*, its present state and its board."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        game = game_named(judge, name)
        if game.position is None:
            fail(f"{name} has not started", UNAVAILABLE)
        refuse_if_blind(game)
        return game_admin.public_record_of_game(judge, name), game, judge.board_of(game)


def refuse_if_blind(game: Game) -> None:
    """Fail if *game* is blind and not over."""
    from judge.game.visibility import Observer, is_board_hidden

    if is_board_hidden(game, Observer()):
        fail(f"{game.name} is blind: nothing of its board is public until it is over", UNAVAILABLE)


def game_in_file(path: Path, wanted: str | None, *, strict: bool) -> Record:
    """Return the game named *wanted* in *path*, or the only one."""
    from judge.cli.archive.game_files import fail_without_games

    chosen = [
        each
        for each in games_in_file(path, strict=strict)
        if wanted is None or each.name.rpartition("/")[2] == wanted
    ]
    if not chosen and wanted:
        fail(f"{path} has no game {wanted!r}", UNAVAILABLE)
    if not chosen:
        fail_without_games([path])
    if len(chosen) > 1:
        names = ", ".join(each.name.rpartition("/")[2] for each in chosen[:3])
        fail(f"{path} has several games, such as {names}: choose one with --game", USAGE)
    return chosen[0]


def games_in_file(path: Path, *, strict: bool) -> Iterator[Record]:
    """Yield the games of *path*."""
    from judge.adapters.archive.record_files import ReadOptions
    from judge.cli.archive.game_files import read_records

    yield from read_records(ReadOptions(None, strict=strict), [path])


def rulebook_of(record: Record) -> Rulebook:
    """Return the rulebook of *record*."""
    from judge.archive.reading import rulebook_of
    from judge.rules.rulebook import UnknownRulebookError

    try:
        return rulebook_of(record)
    except UnknownRulebookError as error:
        fail(f"{record.source.name}: {error}", BAD_INPUT)


def variant_chosen(name: str | None) -> Map:
    """Return the board of the variant that the option *name* means, by default the default."""
    from judge.adapters.variant_files import UnknownVariantError, load_map, variants
    from judge.boards.variant_text import variant_named

    if name is None:
        return load_map()
    try:
        return load_map(variant_named(name, variants()) or name)
    except UnknownVariantError as unknown:
        fail(str(unknown), USAGE)
