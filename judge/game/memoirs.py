"""Diaries, which players keep for themselves, statements, and press when the game is over."""

from __future__ import annotations

from typing import assert_never

from judge.events.memoirs import (
    DiaryOpened,
    Memoir,
    NoteDropped,
    NoteWritten,
    PressOpened,
    StatementMade,
)
from judge.game.admission import unopened
from judge.game.commands import DropNote, MakeStatement, Memorable, OpenDiary, OpenPress, WriteNote
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game, Stage
from judge.rules.types import Power

NOTES_MAX = 500  # of one player: two in each phase of the longest games


def decide(game: Game, command: Memorable) -> Accepted | Refused:
    """Keep or drop a note, show a diary, or take a statement."""
    answer: Memoir | Why
    match command:
        case WriteNote():
            answer = _write(game, command)
        case DropNote(person, note):
            known = note in game.diaries.get(person, {})
            answer = NoteDropped(note, person) if known else Why.NO_SUCH_NOTE
        case OpenDiary(person, shown):
            same = shown is (person in game.open_diaries)
            answer = Why.NOTHING_CHANGED if same else DiaryOpened(person, shown)
            answer = answer if _seats(game, person) else Why.NOT_A_PLAYER
        case OpenPress(person, shown):
            same = shown is (person in game.open_press)
            answer = Why.NOTHING_CHANGED if same else PressOpened(person, shown)
            answer = answer if game.knows(person) else Why.NOT_A_PLAYER
        case MakeStatement():
            answer = _state(game, command)
        case _:
            assert_never(command)
    return Refused(answer) if isinstance(answer, Why) else Accepted((answer,))


def is_shown(game: Game, person: str) -> bool:
    """Say whether everybody may read the diary of *person*."""
    agreed = game.house_rules.publish_diaries or person in game.open_diaries
    return agreed and game.stage is Stage.ENDED


def is_press_shown(game: Game) -> bool:
    """Say whether everybody may read what players wrote to each other, and not to all."""
    agreed = game.house_rules.publish_press or game.writers <= game.open_press
    return agreed and game.stage is Stage.ENDED


def _write(game: Game, command: WriteNote) -> NoteWritten | Why:
    if why := unopened(game):
        return why
    power = game.power_of(command.person)
    if power is None:
        return Why.NOT_A_PLAYER
    notes = game.diaries.get(command.person, {})
    if len(notes) >= NOTES_MAX:
        return Why.NOT_ALLOWED
    assert game.position is not None
    return NoteWritten(
        note=max(notes, default=0) + 1,
        power=power,
        person=command.person,
        phase=game.position.phase.code,
        sealed_text=command.sealed_text,
        mail=command.mail,
    )


def _state(game: Game, command: MakeStatement) -> StatementMade | Why:
    if game.stage is not Stage.ENDED:
        return Why.NOT_OVER
    powers = _seats(game, command.person)
    if not powers and command.person != game.moderator:
        return Why.NOT_A_PLAYER
    power = powers[0] if powers else None
    return StatementMade(power, command.person, command.sealed_text, command.mail)


def _seats(game: Game, person: str) -> tuple[Power, ...]:
    """Return the power that *person* plays, or played last."""
    return tuple(power for power, seat in game.seats.items() if seat.person == person)
