"""Moderators and observers: change the rules, hand the game over, look on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.event_log import Event, Value
from judge.game import calendar, house_rules
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.game_state import Game, Stage
from judge.game.house_rules import HouseRules, ModeratorSees


@dataclass(frozen=True, slots=True)
class ChangeRules:
    """Change the house rules."""

    house_rules: HouseRules
    by: str


@dataclass(frozen=True, slots=True)
class Terminate:
    """End the game without a result."""

    by: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Hand the game over to *person* as its moderator."""

    person: str
    by: str


@dataclass(frozen=True, slots=True)
class Observe:
    """Observe the game, or (not *on*) stop observing."""

    person: str
    on: bool


@dataclass(frozen=True, slots=True)
class ViewOrders:
    """A moderator or the operator asks for the orders held."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class HouseRulesChanged(Event):
    """The house rules are *house_rules* from now on, copied whole.

    The open phase and open proposals stay as they are.
    """

    house_rules: Mapping[str, Value]
    by: str


@dataclass(frozen=True, slots=True)
class ObserverCame(Event):
    """A person observes the game."""

    person: str


@dataclass(frozen=True, slots=True)
class ObserverWent(Event):
    """An observer wants to hear no more."""

    person: str


@dataclass(frozen=True, slots=True)
class ModeratorChanged(Event):
    """The game is moderated by *moderator* from now on; *by* is a person, or `operator`."""

    moderator: str
    by: str


@dataclass(frozen=True, slots=True)
class OrdersViewed(Event):
    """A moderator or the operator looked at the orders held; the next results say so."""

    phase: str
    by: str
    reason: str


ModeratorEvent: TypeAlias = (
    HouseRulesChanged | ModeratorChanged | ObserverCame | ObserverWent | OrdersViewed
)


# What was promised at the start stays so.
SECRECY_RULES = (
    "anonymous",
    "reveal",
    "blind",
    "moderator_sees",
    "publish_press",
    "publish_diaries",
)


def change_rules(game: Game, command: ChangeRules, now: datetime) -> Accepted | Refused:
    """Change house rules; those on visibility cannot change after the start."""
    if game.stage is Stage.ENDED:
        return Refused(Why.GAME_OVER)
    before, after = map(house_rules.to_payload, (game.house_rules, command.house_rules))
    if before == after:
        return Refused(Why.NOTHING_CHANGED)
    if not calendar.is_sound(command.house_rules):
        return Refused(Why.BAD_HOUSE_RULES)
    if before["ends_at"] != after["ends_at"] and calendar.has_ended(command.house_rules, now):
        return Refused(Why.DEADLINE_IN_PAST)
    begun = game.stage is Stage.PLAYING or game.unstarted
    if begun and any(before[key] != after[key] for key in SECRECY_RULES):
        return Refused(Why.ALREADY_STARTED)
    return Accepted((HouseRulesChanged(after, command.by),))


def hand_over(game: Game, command: HandOver) -> Accepted | Refused:
    """Give the game another moderator.

    In an anonymous or blind game it cannot be a player. The former moderator becomes an observer,
    if the game has any.
    """
    if command.person == game.moderator:
        return Refused(Why.NOTHING_CHANGED)
    plays = any(seat.person == command.person for seat in game.seats.values())
    if (game.house_rules.anonymous or game.house_rules.blind) and (
        plays or command.person in game.joined
    ):
        return Refused(Why.ANONYMOUS)
    changed, last = ModeratorChanged(command.person, command.by), game.moderator
    if last is None or not game.house_rules.observers or replace(game, moderator=None).knows(last):
        return Accepted((changed,))
    return Accepted((changed, ObserverCame(last)))


def observe(game: Game, command: Observe) -> Accepted | Refused:
    """Decide on an observer who comes or goes."""
    observes = command.person in game.observers
    if command.on is observes:
        return Refused(Why.NOTHING_CHANGED)
    if not command.on:
        return Accepted((ObserverWent(command.person),))
    if game.knows(command.person):
        return Refused(Why.ALREADY_IN)
    if not game.house_rules.observers:
        return Refused(Why.NO_OBSERVERS)
    if game.stage is Stage.ENDED:
        return Refused(Why.GAME_OVER)
    return Accepted((ObserverCame(command.person),))


def view_orders(game: Game, command: ViewOrders) -> Accepted | Refused:
    """Record that a person looks at the orders, which no player of the game may."""
    if why := why_no_open_phase(game):
        return Refused(why)
    plays = any(seat.person == command.by for seat in game.seats.values())
    hidden = game.house_rules.moderator_sees is ModeratorSees.NOTHING
    if plays or (command.by == game.moderator and hidden):
        return Refused(Why.NOT_ALLOWED)
    assert game.position is not None
    return Accepted((OrdersViewed(game.position.phase.code, command.by, command.reason),))


def apply_moderator_event(game: Game, event: ModeratorEvent) -> Game:
    """Return *game* after a change of its rules, moderator or observers, or a look at orders."""
    match event:
        case HouseRulesChanged(rules):
            return replace(game, house_rules=house_rules.from_payload(rules))
        case ModeratorChanged(moderator=person):
            left = tuple(each for each in game.observers if each != person)
            return replace(game, moderator=person, observers=left)
        case ObserverCame(person):
            return replace(game, observers=(*game.observers, person))
        case ObserverWent(person):
            left = tuple(each for each in game.observers if each != person)
            return replace(game, observers=left)
        case OrdersViewed(reason=reason):
            assert game.phase is not None, "orders are viewed in an open phase"
            phase = replace(game.phase, viewed=(*game.phase.viewed, reason))
            return replace(game, phase=phase)
        case _:
            assert_never(event)
