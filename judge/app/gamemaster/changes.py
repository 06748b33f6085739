"""What the desk changes in a game beside its course: who plays, the rules, the board, its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.app import doorkeeping, operate
from judge.app.conduct import Conducted
from judge.app.judge import Judge
from judge.app.operate import OPERATOR
from judge.game import moderator_actions
from judge.game.house_rules import HouseRules
from judge.game.players import seats
from judge.rules.types import Position


@dataclass(frozen=True, slots=True)
class Begin:
    """Start the game with those who have joined."""

    game: str


@dataclass(frozen=True, slots=True)
class LetIn:
    """Let a person in who asks for a place, or not."""

    game: str
    person: str
    granted: bool


@dataclass(frozen=True, slots=True)
class Eject:
    """Take the player off *power*."""

    game: str
    power: str


@dataclass(frozen=True, slots=True)
class MakeDummy:
    """Let nobody play *power*, and wait for nobody."""

    game: str
    power: str


@dataclass(frozen=True, slots=True)
class Rules:
    """Let other house rules hold from now on."""

    game: str
    house_rules: HouseRules


@dataclass(frozen=True, slots=True)
class Correct:
    """Put the board of the open phase right, if that is the phase of *position*."""

    game: str
    position: Position
    reason: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """End the game without a result."""

    game: str


Change: TypeAlias = Begin | LetIn | Eject | MakeDummy | Rules | Correct | Terminate


def carry_out(judge: Judge, change: Change) -> Conducted:
    """Do what the shell does by the command of that name."""
    name = change.game
    match change:
        case Begin():
            done = operate.begin(judge, name)
        case LetIn(person=person, granted=granted):
            done = doorkeeping.let_person_in(judge, name, person, granted=granted)
        case Eject(power=power):
            done = operate.step(judge, name, seats.Eject(power, OPERATOR))
        case MakeDummy(power=power):
            done = operate.step(judge, name, seats.MakeDummy(power, OPERATOR))
        case Rules(house_rules=rules):
            done = operate.step(judge, name, moderator_actions.ChangeRules(rules, OPERATOR))
        case Correct(position=position, reason=reason):
            done = operate.correct(judge, name, position, reason)
        case Terminate():
            done = operate.step(judge, name, moderator_actions.Terminate(OPERATOR))
        case _:
            assert_never(change)
    return done
