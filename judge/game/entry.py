"""Coming and going: creating a game, joining it, taking a power over, resigning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from typing import assert_never

from judge.events.places import PlaceDenied
from judge.events.types import (
    DeadlineMoved,
    GameCreated,
    GameEnded,
    GameStarted,
    PlayerJoined,
    PlayerLeft,
    PowerTakenOver,
    PowerVacated,
    PreferencesSet,
)
from judge.events.value import Event
from judge.game import calendar, house_rules, waiting
from judge.game.admission import unopened
from judge.game.assignment import Preferences, assign
from judge.game.closing import open_phase
from judge.game.commands import (
    Begin,
    Coming,
    CreateGame,
    Decline,
    JoinGame,
    LetIn,
    Past,
    Resign,
    RuleEntry,
    SetPreferences,
    StandBy,
)
from judge.game.decision import Accepted, Refused, Why
from judge.game.endings import concluded
from judge.game.game import Game, Stage
from judge.game.house_rules import Entry, Start
from judge.game.instants import to_text
from judge.game.needs import needs_of
from judge.game.state import _created, _seated
from judge.rules import rulebook
from judge.rules.board import Map
from judge.rules.types import Position, Power

PLAYERS_MIN = 2
NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")  # It is typed on phones and stands in subjects.


def create(board: Map, command: CreateGame, now: datetime) -> Accepted | Refused:  # noqa: ARG001 - as every decider has it
    """Open a new game for players, or go on with one that began elsewhere."""
    if not NAME.fullmatch(command.game):
        return Refused(Why.BAD_NAME)
    if not calendar.sound(command.house_rules):
        return Refused(Why.BAD_HOUSE_RULES)
    created = GameCreated(
        game=command.game,
        variant=command.variant,
        rulebook=rulebook.to_payload(command.rulebook),
        house_rules=house_rules.to_payload(command.house_rules),
        moderator=command.moderator,
    )
    if command.past is None:
        return Accepted((created,))
    return Accepted((created, *_taken_in(_created(created), command.past, now)))


def decide(
    board: Map,
    game: Game,
    command: Coming,
    now: datetime,
) -> Accepted | Refused:
    """Let a person come or go, or a game begin."""
    match command:
        case Begin():
            return _begin(board, game, command, now)
        case JoinGame():
            return _join(board, game, command, now)
        case LetIn():
            return _let_in(board, game, command, now)
        case StandBy() | Decline() | RuleEntry():
            return waiting.decide(game, command)
        case SetPreferences():
            return _prefer(board, game, command)
        case Resign():
            return _resign(board, game, command, now)
        case _:
            assert_never(command)


def _taken_in(game: Game, past: Past, now: datetime) -> tuple[Event, ...]:
    """Record what was played elsewhere, and open the phase in which play goes on.

    It is the first here: who takes a power over has as much time as at the start of any game.
    """
    match past.then:
        case GameEnded():
            return past.origin, *past.phases, past.then
        case Position():
            until = now + timedelta(hours=game.house_rules.takeover_hours)
            origin = replace(past.origin, takeover_until=to_text(until))
            return origin, *past.phases, open_phase(game, past.then, 1, now)
        case _:
            assert_never(past.then)


def _join(board: Map, game: Game, command: JoinGame, now: datetime) -> Accepted | Refused:
    """Let a person in who may come in; else he asks the moderator."""
    if command.person in game.denied and not command.by:
        return Refused(Why.DENIED)
    last = command.power and game.seats.get(command.power)
    known = (last and last.person == command.person) or command.person in game.allowed
    if command.admitted or command.by or command.person in game.standbys or known:
        return _come_in(board, game, command, now)
    match game.house_rules.entry:
        case Entry.OPEN:
            return _come_in(board, game, command, now)
        case Entry.PASSWORD:
            return Refused(Why.WRONG_PASSWORD)
        case Entry.APPROVAL:
            # He is asked for only if there would be anything to be let into.
            answer = _come_in(board, game, command, now)
            if isinstance(answer, Refused):
                return answer
            return waiting.ask(game, command, command.power)
        case _:
            assert_never(game.house_rules.entry)


def _let_in(board: Map, game: Game, command: LetIn, now: datetime) -> Accepted | Refused:
    asked = game.applicants.get(command.person)
    if asked is None:
        return Refused(Why.NOBODY_ASKS)
    if not command.granted:
        return Accepted((PlaceDenied(command.person, command.by),))
    still = asked.power if game.seats and asked.power in waiting.vacancies(game) else None
    join = JoinGame(command.person, asked.preferences, command.seed, still, admitted=True)
    return _come_in(board, game, join, now)


def _come_in(board: Map, game: Game, command: JoinGame, now: datetime) -> Accepted | Refused:
    """Give a person the place or the power that he wants, or let him wait for one."""
    match game.stage:
        case Stage.FORMING:
            return _sign_up(board, game, command, now)
        case Stage.PLAYING:
            return _take_over(board, game, command, now)
        case Stage.ENDED:
            return Refused(Why.GAME_OVER)
        case _:
            assert_never(game.stage)


def _sign_up(board: Map, game: Game, command: JoinGame, now: datetime) -> Accepted | Refused:
    if command.person in game.joined:
        return Refused(Why.ALREADY_IN)
    if not _known(board, command.preferences):
        return Refused(Why.UNKNOWN_POWER)
    joined = PlayerJoined(command.person, command.preferences)
    everybody = {**game.joined, command.person: command.preferences}
    if len(game.joined) == len(board.powers):
        return waiting.wait(game, command)
    by_hand = game.house_rules.start is Start.BY_HAND
    if len(everybody) < len(board.powers) or by_hand:
        return Accepted((joined,))
    return Accepted((joined, *_started(board, game, everybody, command.seed, now)))


def _begin(board: Map, game: Game, command: Begin, now: datetime) -> Accepted | Refused:
    """Start with those who have joined; powers for whom there is nobody are dummies."""
    if game.stage is not Stage.FORMING:
        return Refused(Why.ALREADY_STARTED)
    if len(game.joined) < PLAYERS_MIN:
        return Refused(Why.TOO_FEW)
    return Accepted(_started(board, game, game.joined, command.seed, now))


def _started(
    board: Map, game: Game, people: Mapping[str, Preferences], seed: str, now: datetime
) -> tuple[Event, ...]:
    seats = assign(people, board.powers, seed)
    return GameStarted(seats, seed), open_phase(game, board.start, 1, now)


def _take_over(board: Map, game: Game, command: JoinGame, now: datetime) -> Accepted | Refused:
    vacant = waiting.vacancies(game)
    free = tuple(power for power in vacant if _is_free_for(game, command, power))
    if command.power is not None and command.power not in board.powers:
        return Refused(Why.UNKNOWN_POWER)
    power = command.power or next(iter(free), None)
    # Who played another power knows too much of it to begin anew.
    if any(s.person == command.person for each, s in game.seats.items() if each != power):
        return Refused(Why.ALREADY_IN)
    if power is None or (power in vacant and power not in free):
        return waiting.wait(game, command)
    if power not in vacant:
        same = game.seats[power].person == command.person
        return Refused(Why.ALREADY_IN if same else Why.NO_VACANCY)
    assert game.position is not None
    taken = PowerTakenOver(power, command.person, game.position.phase.code)
    return Accepted((taken, *_time_for(board, _seated(game, taken), power, now)))


def _is_free_for(game: Game, command: JoinGame, power: Power) -> bool:
    """Say whether *power* is not kept for somebody else; who played it last may always return."""
    offer = game.offers.get(power)
    his = offer is None or offer.person == command.person
    return his or game.seats[power].person == command.person or command.by is not None


def _time_for(board: Map, game: Game, power: Power, now: datetime) -> tuple[Event, ...]:
    """Move the deadline if the new player of *power* would have too little time to order."""
    needs = needs_of(board, game)
    if needs is None or power not in needs.owed or needs.is_in(power):
        return ()
    deadline = calendar.deadline(now, calendar.TAKEOVER_HOURS, game.house_rules)
    if not needs.phase.passed and deadline <= needs.phase.deadline:
        return ()
    moved = DeadlineMoved(
        phase=needs.position.phase.code,
        deadline=to_text(deadline),
        grace_end=to_text(calendar.grace_end(deadline, game.house_rules)),
        reason="takeover",
        by=None,
    )
    return (moved,)


def _prefer(board: Map, game: Game, command: SetPreferences) -> Accepted | Refused:
    if game.stage is not Stage.FORMING:
        return Refused(Why.ALREADY_STARTED)
    if command.person not in game.joined:
        return Refused(Why.NOT_A_PLAYER)
    if not _known(board, command.preferences):
        return Refused(Why.UNKNOWN_POWER)
    return Accepted((PreferencesSet(command.person, command.preferences),))


def _resign(board: Map, game: Game, command: Resign, now: datetime) -> Accepted | Refused:  # noqa: ARG001 - as every decider has it
    if game.stage is Stage.FORMING:
        if command.person not in game.joined:
            return Refused(Why.NOT_A_PLAYER)
        following = (PlayerJoined(*each) for each in game.standbys.items())
        return Accepted((PlayerLeft(command.person), *islice(following, 1)))
    power = game.power_of(command.person)
    if why := unopened(game):
        return Refused(why)
    if power is None:
        return Refused(Why.NOT_A_PLAYER)
    left = vacate(game, power, "resigned", now)
    ended = concluded(_seated(game, left))
    return Accepted((left, ended) if ended else (left,))


def vacate(game: Game, power: Power, reason: str, now: datetime) -> PowerVacated:
    """Make the seat of *power* vacant, to be taken over from *now* on."""
    person = game.seats[power].person
    assert game.position is not None
    assert person is not None, "somebody plays it"
    until = now + timedelta(hours=game.house_rules.takeover_hours)
    return PowerVacated(
        power=power,
        person=person,
        phase=game.position.phase.code,
        reason=reason,
        takeover_until=to_text(until),
    )


def _known(board: Map, preferences: Iterable[Iterable[Power]]) -> bool:
    return all(power in board.nations for group in preferences for power in group)
