"""Sample replay pages: a whole game, and one that waits for orders."""

from __future__ import annotations

from dataclasses import replace

from judge.adapters.variant_files import load_art, load_map
from judge.app.replay.page import PageOptions, game_replay_page
from judge.archive.records import Ending, EndKind, Record, RecordedPhase, RecordedPress, Seat
from judge.reports.languages import SOURCE
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Phase
from tests.support.recorded_game import RULEBOOK, game_10713

PUBLIC, PRIVATE = "Peace to <all> of you & me.", "Only you and me."
JUDGE = "judge@example.org"
S1902M = Phase.parse("S1902M")


def whole_game() -> Record:
    """Return the game 10713 with press, players and an end."""
    return replace(
        game_10713(),
        seats=(Seat("FRANCE", "Anna"), Seat("TURKEY", "Berta")),
        press=(
            RecordedPress(S1902M, "FRANCE", (), PUBLIC),
            RecordedPress(S1902M, "FRANCE", ("GERMANY",), PRIVATE),
        ),
        ending=Ending(EndKind.DRAW, ("FRANCE", "TURKEY")),
    )


def open_game(code: str = "S1902M") -> Record:
    """Return the game as it stood when *code* was open."""
    game = game_10713()
    closed = [each for each in game.phases if each.phase < Phase.parse(code)]
    [now] = [each for each in game.phases if each.phase == Phase.parse(code)]
    return replace(game, phases=(*closed, RecordedPhase(now.phase, now.position)))


def page_of(record: Record, *, writer: bool = False, language: str = SOURCE) -> str:
    """Return the page of *record* in *language*."""
    art = load_art()
    assert art
    wanted = PageOptions(JUDGE) if writer else None
    return game_replay_page(load_map(), art, record, rulebook_named(RULEBOOK), wanted, language)
