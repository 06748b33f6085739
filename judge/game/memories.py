"""What is so after somebody has written something down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from judge.events.memoirs import DiaryOpened, Memoir, NoteDropped, NoteWritten, StatementMade
from judge.game.game import Game


def changed(game: Game, event: Memoir) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case NoteWritten(note, _, person, phase):
            return _with_diary(game, person, {**game.diaries.get(person, {}), note: phase})
        case NoteDropped(note, person):
            left = {n: phase for n, phase in game.diaries[person].items() if n != note}
            return _with_diary(game, person, left)
        case DiaryOpened(person, shown):
            others = game.open_diaries - {person}
            return replace(game, open_diaries=others | {person} if shown else others)
        case StatementMade():
            return game
        case _:
            assert_never(event)


def _with_diary(game: Game, person: str, notes: Mapping[int, str]) -> Game:
    return replace(game, diaries={**game.diaries, person: notes})
