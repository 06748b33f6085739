"""Sample zine reports: two years of game 10713, with everything that a zine prints."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from judge.adapters.variant_files import load_art, load_map
from judge.app.zine.illustrated_report import Style, Subject, WrittenReport, write_report
from judge.app.zine.season_report import ReportOptions, Years
from judge.archive.records import Record, RecordedPhase, RecordedPress, Seat
from judge.reports.languages import SOURCE
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Phase
from tests.support.recorded_game import RULEBOOK, game_10713

BOARD = load_map()
SPRING = Phase.parse("S1902M")
NASTY = """\
*Peace* _to_ <b>all</b> of you & me, [b]brothers[/b] #1 $x$ @y `z` ~k~ \\ "q" 'a' |
# A heading? = Another -- or a dash...
- A Par-Bur
1. FRANCE: A Par-Mar
Fall 1905

\x1b[31mred ``` [code] [/code] </pre> #let x = 1 // not a comment /* nor this */
The game was won by Italy."""
PRIVATE = "Only you and me."


def two_years() -> Record:
    """Return 1901 and 1902 of the game, as they stood when Spring 1903 was open."""
    game = game_10713()
    ahead = Phase.parse("S1903M")
    [now] = [each for each in game.phases if each.phase == ahead]
    due = datetime(2026, 11, 27, 20, tzinfo=UTC)
    return replace(
        game,
        phases=(
            *(each for each in game.phases if each.phase < ahead),
            RecordedPhase(now.phase, now.position, deadline=due),
        ),
        numbers={"boardman": "1989H"},
        gamemaster="Ann Smith",
        seats=(Seat("AUSTRIA", "Ada"), Seat("TURKEY", "Bert [b]")),
        press=(
            RecordedPress(SPRING, "FRANCE", (), NASTY),
            RecordedPress(SPRING, "FRANCE", ("GERMANY",), PRIVATE),
            RecordedPress(SPRING, None, (), "Nobody knows me."),
        ),
    )


def written(  # noqa: PLR0913 - an argument an option
    record: Record,
    style: Style,
    form: str,
    years: Years = Years(),  # noqa: B008 - a value that never changes
    *,
    drawn: bool = False,
    language: str = SOURCE,
    positions: bool = False,
) -> WrittenReport:
    """Return the report of *record*."""
    subject = Subject(BOARD, record, rulebook_named(RULEBOOK), load_art() if drawn else None)
    wanted = ReportOptions(years, "judge@example.org", language=language, positions=positions)
    return write_report(subject, wanted, style, form, "bw")
