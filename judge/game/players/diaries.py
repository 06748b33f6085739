"""Diaries, end-of-game statements, and the release of press after a game.

Texts are encrypted under the writer's own key, as press is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.game_state import Game, Stage
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Write into one's diary. The text is sealed before it comes here."""

    person: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class DropNote:
    """Take a note out of one's diary, by its number."""

    person: str
    note: int


@dataclass(frozen=True, slots=True)
class OpenDiary:
    """Publish the player's diary when the game is over, or (not *shown*) keep it private."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class OpenPress:
    """Publish the player's press when the game is over, if all other writers agree."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class MakeStatement:
    """Publish a statement on a game that is over; the text is sealed."""

    person: str
    sealed_text: str
    mail: str


DiaryCommand: TypeAlias = WriteNote | DropNote | OpenDiary | OpenPress | MakeStatement


@dataclass(frozen=True, slots=True)
class NoteWritten(Event):
    """The player of a power wrote a note into their diary, as its number *note*."""

    note: int
    power: str
    person: str
    phase: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class NoteDropped(Event):
    """The player took a note out of their diary."""

    note: int
    person: str


@dataclass(frozen=True, slots=True)
class DiaryOpened(Event):
    """A player publishes their diary when the game is over, or (not *shown*) keeps it private."""

    person: str
    shown: bool


@dataclass(frozen=True, slots=True)
class StatementMade(Event):
    """A player, of *power*, or the moderator published a statement on the game, which is over."""

    power: str | None
    person: str
    sealed_text: str
    mail: str


@dataclass(frozen=True, slots=True)
class PressOpened(Event):
    """A writer agrees to publish their press when the game is over, or takes that back."""

    person: str
    shown: bool


DiaryEvent: TypeAlias = NoteWritten | NoteDropped | DiaryOpened | StatementMade | PressOpened


NOTES_MAX = 500  # of one player: two in each phase of the longest games


def decide_diary(game: Game, command: DiaryCommand) -> Accepted | Refused:
    """Keep or drop a note, show a diary, or take a statement."""
    answer: DiaryEvent | Why
    match command:
        case WriteNote():
            answer = _write_note(game, command)
        case DropNote(person, note):
            known = note in game.diaries.get(person, {})
            answer = NoteDropped(note, person) if known else Why.NO_SUCH_NOTE
        case OpenDiary(person, shown):
            same = shown is (person in game.open_diaries)
            answer = Why.NOTHING_CHANGED if same else DiaryOpened(person, shown)
            answer = answer if _powers_held(game, person) else Why.NOT_A_PLAYER
        case OpenPress(person, shown):
            same = shown is (person in game.open_press)
            answer = Why.NOTHING_CHANGED if same else PressOpened(person, shown)
            answer = answer if game.knows(person) else Why.NOT_A_PLAYER
        case MakeStatement():
            answer = _make_statement(game, command)
        case _:
            assert_never(command)
    return Refused(answer) if isinstance(answer, Why) else Accepted((answer,))


def is_diary_shown(game: Game, person: str) -> bool:
    """Return whether the diary of *person* is public."""
    agreed = game.house_rules.publish_diaries or person in game.open_diaries
    return agreed and game.stage is Stage.ENDED


def is_press_shown(game: Game) -> bool:
    """Return whether private press is public."""
    agreed = game.house_rules.publish_press or game.writers <= game.open_press
    return agreed and game.stage is Stage.ENDED


def _write_note(game: Game, command: WriteNote) -> NoteWritten | Why:
    if why := why_no_open_phase(game):
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


def _make_statement(game: Game, command: MakeStatement) -> StatementMade | Why:
    if game.stage is not Stage.ENDED:
        return Why.NOT_OVER
    powers = _powers_held(game, command.person)
    if not powers and command.person != game.moderator:
        return Why.NOT_A_PLAYER
    power = powers[0] if powers else None
    return StatementMade(power, command.person, command.sealed_text, command.mail)


def _powers_held(game: Game, person: str) -> tuple[Power, ...]:
    """Return the power that *person* plays, or played last."""
    return tuple(power for power, seat in game.seats.items() if seat.person == person)


def apply_diary_event(game: Game, event: DiaryEvent) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case NoteWritten(note, _, person, phase):
            return _replace_diary(game, person, {**game.diaries.get(person, {}), note: phase})
        case NoteDropped(note, person):
            left = {n: phase for n, phase in game.diaries[person].items() if n != note}
            return _replace_diary(game, person, left)
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


def _replace_diary(game: Game, person: str, notes: Mapping[int, str]) -> Game:
    return replace(game, diaries={**game.diaries, person: notes})
