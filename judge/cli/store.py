"""The store of the judge, opened for a command, and what commands say of what they did to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judge.cli.exits import UNAVAILABLE, USAGE, fail
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.game.apply import CommandResult
    from judge.app.ports.judge import Judge
    from judge.game.game_state import Game
    from judge.game.house_rules import HouseRules
    from judge.rules.rulebook import Rulebook


@contextmanager
def opened(settings: Settings) -> Iterator[Judge]:
    """Open the store, beside a daemon that may run: a command is a short transaction."""
    from contextlib import closing

    from judge.adapters.database import open_database
    from judge.app.ports.storage import OvertakenError
    from judge.daemon import judge_of
    from judge.events.store import StaleStreamError

    with closing(open_database(settings.database)) as database:
        try:
            yield judge_of(settings, database)
        except (OvertakenError, StaleStreamError):
            fail("a judge on the same store was faster: look, and try again", UNAVAILABLE)


def existing(settings: Settings) -> AbstractContextManager[Judge]:
    """Open a store that is there: only what begins a game may make one."""
    if isinstance(settings.database, Path) and not settings.database.is_file():
        fail(f"there is no database {settings.database}", UNAVAILABLE)
    return opened(settings)


def known(judge: Judge, name: str) -> Game:
    """Return the game *name*, which must be there."""
    from judge.app.admin import game_admin

    found = game_admin.load_game(judge, name)
    if found is None:
        fail(f"there is no game {name!r}", UNAVAILABLE)
    return found


def chosen(
    pairs: Sequence[str],
    rulebook: str | None,
    *,
    like: HouseRules | None = None,
    law: Rulebook | None = None,
) -> tuple[HouseRules, Rulebook]:
    """Return the rules asked for by *pairs* and *rulebook*; the others as in *like* and *law*."""
    from judge.game.calendar import HOURS_MAX, unsound_rules
    from judge.game.house_rules import (
        STANDARD,
        SeveralRulebooksError,
        UnknownHouseRuleError,
        choose_rules,
    )
    from judge.rules.rulebook import DATC, UnknownRulebookError

    try:
        rules, law = choose_rules(pairs, rulebook, rules=like or STANDARD, rulebook=law or DATC)
    except (UnknownHouseRuleError, UnknownRulebookError, SeveralRulebooksError) as error:
        fail(str(error), USAGE)
    if wrong := unsound_rules(rules):
        fail(
            f"no deadline can be computed from {', '.join(wrong)}: lengths are up to {HOURS_MAX},"
            " closing_time is HH:MM or empty, closed_weekdays are of 1 (Monday) to 7 and not all,"
            " zone is an IANA name such as Europe/Berlin",
            USAGE,
        )
    return rules, law


def report(conducted: CommandResult, done: str | None) -> None:
    """Say what was *done*, or why not."""
    from judge.game.decision import Refused
    from judge.reports.render import refusal_text

    if isinstance(conducted.decision, Refused):
        fail(refusal_text(conducted.decision.why), UNAVAILABLE)
    if done:
        click.echo(done)
