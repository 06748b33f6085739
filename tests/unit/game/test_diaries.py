"""Diaries and statements in the game's events."""

from __future__ import annotations

import pytest

from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.decision import Why
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.players import diaries
from judge.game.players.diaries import (
    DiaryOpened,
    DropNote,
    MakeStatement,
    NoteDropped,
    NoteWritten,
    OpenDiary,
    StatementMade,
    WriteNote,
    is_diary_shown,
)
from judge.game.players.joining import Resign
from tests.unit.game.table import BOARD, created, draw, given, happened, refused, started

NOTE = WriteNote("france", "sealed", "mail")
STATEMENT = MakeStatement("france", "sealed", "mail")


def over(game: Game) -> Game:
    return given(game, *map(draw, BOARD.powers))


def test_notes_are_numbered_and_have_their_phase() -> None:
    first = NoteWritten(1, "FRANCE", "france", "S1901M", "sealed", "mail")

    assert happened(started(), NOTE) == (first,)
    game = given(started(), NOTE, ProcessNow("operator"), NOTE)
    assert game.diaries == {"france": {1: "S1901M", 2: "F1901M"}}


def test_a_note_can_be_dropped_once_and_by_its_writer() -> None:
    game = given(started(), NOTE, NOTE)

    assert happened(game, DropNote("france", 1)) == (NoteDropped(1, "france"),)
    assert given(game, DropNote("france", 1)).diaries == {"france": {2: "S1901M"}}
    assert refused(game, DropNote("france", 3)) is Why.NO_SUCH_NOTE
    assert refused(game, DropNote("italy", 1)) is Why.NO_SUCH_NOTE


def test_a_diary_is_as_long_as_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diaries, "NOTES_MAX", 2)

    assert refused(given(started(), NOTE, NOTE), NOTE) is Why.NOT_ALLOWED


@pytest.mark.parametrize(
    ("game", "command", "why"),
    [
        pytest.param(created(), NOTE, Why.NOT_STARTED, id="a note before the start"),
        pytest.param(over(started()), NOTE, Why.GAME_OVER, id="a note after the end"),
        pytest.param(
            started(), WriteNote("mod", "sealed", "mail"), Why.NOT_A_PLAYER, id="by no player"
        ),
        pytest.param(
            started(), OpenDiary("mod", shown=True), Why.NOT_A_PLAYER, id="nobody's diary"
        ),
        pytest.param(
            started(), OpenDiary("france", shown=False), Why.NOTHING_CHANGED, id="closed anyway"
        ),
        pytest.param(started(), STATEMENT, Why.NOT_OVER, id="a statement before the end"),
        pytest.param(
            over(started()), MakeStatement("anna", "sealed", "mail"), Why.NOT_A_PLAYER, id="anna"
        ),
    ],
)
def test_these_are_refused(game: Game, command: Command, why: Why) -> None:
    assert refused(game, command) is why


def test_a_shared_diary_is_shown_when_the_game_is_over() -> None:
    game = given(started(), NOTE, OpenDiary("france", shown=True))

    assert happened(started(), OpenDiary("france", shown=True)) == (
        DiaryOpened("france", shown=True),
    )
    assert not is_diary_shown(game, "france")
    assert is_diary_shown(over(game), "france")
    assert not is_diary_shown(over(game), "italy")
    assert not is_diary_shown(over(given(game, OpenDiary("france", shown=False))), "france")
    assert is_diary_shown(over(started(HouseRules(publish_diaries=True))), "italy")


def test_only_players_and_moderators_make_statements() -> None:
    left = given(started(), Resign("italy"))
    game = given(left, *(draw(power) for power in BOARD.powers if power != "ITALY"))

    assert happened(game, STATEMENT) == (StatementMade("FRANCE", "france", "sealed", "mail"),)
    for person, power in (("italy", "ITALY"), ("mod", None)):
        [made] = happened(game, MakeStatement(person, "sealed", "mail"))
        assert made == StatementMade(power, person, "sealed", "mail")
    assert given(game, STATEMENT).version == game.version + 1
