"""What is so after somebody has written something down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from judge.events.memoirs import (
    DiaryOpened,
    Memoir,
    NoteDropped,
    NoteWritten,
    PressOpened,
    StatementMade,
)
from judge.events.types import PressSent
from judge.game.game import Game
from judge.game.visibility import goes_to_all, is_between_players


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
        case PressOpened(person, shown):
            others = game.open_press - {person}
            return replace(game, open_press=others | {person} if shown else others)
        case StatementMade():
            return game
        case _:
            assert_never(event)


def sent(game: Game, event: PressSent) -> Game:
    """Return *game* with what is to be known of a letter later."""
    unread = (*game.unread, event) if event.postal else game.unread
    private = is_between_players(game, event) and not goes_to_all(game, event)
    writers = game.writers | {event.person} if private else game.writers
    return replace(game, unread=unread, writers=writers)


def _with_diary(game: Game, person: str, notes: Mapping[int, str]) -> Game:
    return replace(game, diaries={**game.diaries, person: notes})
