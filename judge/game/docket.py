"""What waits for the moderator of a game: decisions that he can answer with yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias, assert_never

from judge.game.commands import Begin, Command, LetIn, ProcessNow
from judge.game.entry import PLAYERS_MIN
from judge.game.game import Game, Stage
from judge.game.house_rules import Start
from judge.game.needs import needs_of
from judge.game.steps import AnswerExtension, Eject, GoOn
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class TimeWanted:
    """*power* asks for so many *hours* more: yes gives them, no refuses."""

    power: Power
    hours: int


@dataclass(frozen=True, slots=True)
class Late:
    """*power* has sent no orders since the deadline: yes takes its player off it."""

    power: Power


@dataclass(frozen=True, slots=True)
class Overdue:
    """The deadline has passed, and phases close by hand: yes closes the phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The game is paused since then: yes lets it go on."""

    since: datetime


@dataclass(frozen=True, slots=True)
class CanBegin:
    """So many have joined: yes begins the game with them."""

    joined: int


@dataclass(frozen=True, slots=True)
class WantsIn:
    """A *person* asks to be let in, perhaps for *power*: yes lets him in, no does not."""

    person: str
    power: Power | None


Decision: TypeAlias = TimeWanted | Late | Overdue | Standing | CanBegin | WantsIn


def docket(board: Map, game: Game) -> tuple[Decision, ...]:
    """Return what waits for the moderator of *game*, in an order that does not change."""
    return tuple(_decisions(board, game))


def mark(decisions: tuple[Decision, ...]) -> str:
    """Name *decisions*, so that a number in an answer means the one that was read."""
    return f"docket {sha256(repr(decisions).encode()).hexdigest()[:16]}"


def answered(decision: Decision, by: str, seed: str, *, yes: bool) -> Command | None:
    """Return what is to be done when *decision* is answered; None if nothing is."""
    match decision:
        case TimeWanted(power):
            return AnswerExtension(power, yes, by)
        case Late(power):
            return Eject(power, by) if yes else None
        case Overdue(phase):
            return ProcessNow(by, phase) if yes else None
        case Standing():
            return GoOn(by) if yes else None
        case WantsIn(person):
            return LetIn(person, yes, by, seed)
        case CanBegin():
            return Begin(by, seed) if yes else None
        case _:
            assert_never(decision)


def _decisions(board: Map, game: Game) -> Iterator[Decision]:
    yield from _applications(game)
    if game.stage is Stage.FORMING:
        if game.house_rules.start is Start.BY_HAND and len(game.joined) >= PLAYERS_MIN:
            yield CanBegin(len(game.joined))
        return
    needs = needs_of(board, game)
    if needs is None:
        return
    if game.paused:
        yield Standing(game.paused)
    for power in board.powers:
        if power in needs.phase.asked:
            yield TimeWanted(power, needs.phase.asked[power])
    if needs.phase.passed:
        if game.house_rules.manual_processing:
            yield Overdue(needs.position.phase.code)
        yield from map(Late, needs.late)


def _applications(game: Game) -> Iterator[WantsIn]:
    if game.stage is not Stage.ENDED:
        for person, asked in game.applicants.items():
            yield WantsIn(person, asked.power)
