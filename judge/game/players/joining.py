"""Join a game, start it, take over a power, or resign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import TypeAlias, assert_never

from judge.event_log import Event
from judge.game import calendar, game_state
from judge.game.deadlines import DeadlineMoved
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.house_rules import Entry, Start
from judge.game.payloads import format_instant
from judge.game.phases import missing_orders, open_phase
from judge.game.players import standbys
from judge.game.players.seats import RESIGNED, PowerTakenOver, apply_seat_event, vacate_seat
from judge.game.players.standbys import Decline, JoinGame, PlaceDenied, RuleEntry, StandBy
from judge.game.voting import ending_in_phase
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class AdmitPlayer:
    """Admit or deny an applicant, as the moderator; *seed* as in `JoinGame`."""

    person: str
    granted: bool
    by: str
    seed: str


@dataclass(frozen=True, slots=True)
class Begin:
    """Start the game with those who have joined, as the moderator; *seed* as in `JoinGame`."""

    by: str
    seed: str


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """A person who joined a game that has not started prefers other powers."""

    person: str
    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game: the seat becomes vacant, or, before the start, free."""

    person: str


EntryCommand: TypeAlias = (
    Begin | JoinGame | AdmitPlayer | RuleEntry | StandBy | Decline | SetPreferences | Resign
)  # and going


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """A person wants to play.

    *preferences* are powers, best first, those in one group equally liked.
    """

    person: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PreferencesSet(Event):
    """A person who joined likes other powers better."""

    person: str
    preferences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A person who had joined left before the start."""

    person: str


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The powers are given out; *seed* decided between equal assignments."""

    seats: Mapping[str, str]
    seed: str


EntryEvent: TypeAlias = PlayerJoined | PreferencesSet | PlayerLeft | GameStarted


PLAYERS_MIN = 2


def decide_entry(
    board: Map,
    game: game_state.Game,
    command: EntryCommand,
    now: datetime,
) -> Accepted | Refused:
    """Decide on joining, leaving or starting a game."""
    match command:
        case Begin():
            return _begin(board, game, command, now)
        case JoinGame():
            return _join(board, game, command, now)
        case AdmitPlayer():
            return _answer_application(board, game, command, now)
        case StandBy() | Decline() | RuleEntry():
            return standbys.decide_standby(game, command)
        case SetPreferences():
            return _set_preferences(board, game, command)
        case Resign():
            return _resign(game, command, now)
        case _:
            assert_never(command)


def _join(
    board: Map, game: game_state.Game, command: JoinGame, now: datetime
) -> Accepted | Refused:
    """Admit a person, or forward the request to the moderator."""
    if command.person in game.denied and not command.by:
        return Refused(Why.DENIED)
    last = command.power and game.seats.get(command.power)
    known = (last and last.person == command.person) or command.person in game.allowed
    if command.admitted or command.by or command.person in game.standbys or known:
        return _admit(board, game, command, now)
    match game.house_rules.entry:
        case Entry.OPEN:
            return _admit(board, game, command, now)
        case Entry.PASSWORD:
            return Refused(Why.WRONG_PASSWORD)
        case Entry.APPROVAL:
            # He is asked for only if there would be anything to be let into.
            answer = _admit(board, game, command, now)
            if isinstance(answer, Refused):
                return answer
            return standbys.apply_to_moderator(game, command, command.power)
        case _:
            assert_never(game.house_rules.entry)


def _answer_application(
    board: Map, game: game_state.Game, command: AdmitPlayer, now: datetime
) -> Accepted | Refused:
    asked = game.applicants.get(command.person)
    if asked is None:
        return Refused(Why.NOBODY_ASKS)
    if not command.granted:
        return Accepted((PlaceDenied(command.person, command.by),))
    still = asked.power if game.seats and asked.power in standbys.vacancies(game) else None
    join = JoinGame(command.person, asked.preferences, command.seed, still, admitted=True)
    return _admit(board, game, join, now)


def _admit(
    board: Map, game: game_state.Game, command: JoinGame, now: datetime
) -> Accepted | Refused:
    """Give a person a place or the power they ask for, or put them on the waiting list."""
    match game.stage:
        case game_state.Stage.FORMING:
            return _sign_up(board, game, command, now)
        case game_state.Stage.PLAYING:
            return _take_over(board, game, command, now)
        case game_state.Stage.ENDED:
            return Refused(Why.GAME_OVER)
        case _:
            assert_never(game.stage)


def _sign_up(
    board: Map, game: game_state.Game, command: JoinGame, now: datetime
) -> Accepted | Refused:
    if command.person in game.joined:
        return Refused(Why.ALREADY_IN)
    if not _are_powers_known(board, command.preferences):
        return Refused(Why.UNKNOWN_POWER)
    joined = PlayerJoined(command.person, command.preferences)
    everybody = {**game.joined, command.person: command.preferences}
    if len(game.joined) == len(board.players):
        return standbys.join_standbys(game, command)
    by_hand = game.house_rules.start is Start.BY_HAND
    if len(everybody) < len(board.players) or by_hand:
        return Accepted((joined,))
    return Accepted((joined, *_start(board, game, everybody, command.seed, now)))


def _begin(board: Map, game: game_state.Game, command: Begin, now: datetime) -> Accepted | Refused:
    """Start with those who have joined; powers without a player are dummies."""
    if game.stage is not game_state.Stage.FORMING:
        return Refused(Why.ALREADY_STARTED)
    if len(game.joined) < PLAYERS_MIN:
        return Refused(Why.TOO_FEW)
    return Accepted(_start(board, game, game.joined, command.seed, now))


def _start(
    board: Map, game: game_state.Game, people: Mapping[str, Preferences], seed: str, now: datetime
) -> tuple[Event, ...]:
    seats = assign_powers(people, board.players, seed)
    return GameStarted(seats, seed), open_phase(board, game, board.start, 1, now)


def _take_over(
    board: Map, game: game_state.Game, command: JoinGame, now: datetime
) -> Accepted | Refused:
    vacant = standbys.vacancies(game)
    free = tuple(power for power in vacant if _is_free_for(game, command, power))
    if command.power is not None and command.power not in board.powers:
        return Refused(Why.UNKNOWN_POWER)
    power = command.power or next(iter(free), None)
    # Who played another power knows too much of it to begin anew.
    if any(s.person == command.person for each, s in game.seats.items() if each != power):
        return Refused(Why.ALREADY_IN)
    if power is None or (power in vacant and power not in free):
        return standbys.join_standbys(game, command)
    if power not in vacant:
        same = game.seats[power].person == command.person
        return Refused(Why.ALREADY_IN if same else Why.NO_VACANCY)
    assert game.position is not None
    taken = PowerTakenOver(power, command.person, game.position.phase.code)
    return Accepted((taken, *_give_time(board, apply_seat_event(game, taken), power, now)))


def _is_free_for(game: game_state.Game, command: JoinGame, power: Power) -> bool:
    """Return whether *power* is not offered to another; its last player may always return."""
    offer = game.offers.get(power)
    is_free = offer is None or offer.person == command.person
    return is_free or game.seats[power].person == command.person or command.by is not None


def _give_time(
    board: Map, game: game_state.Game, power: Power, now: datetime
) -> tuple[Event, ...]:
    """Move the deadline if the new player of *power* would have too little time to order."""
    needs = missing_orders(board, game)
    if needs is None or power not in needs.owed or needs.is_in(power):
        return ()
    deadline = calendar.deadline(
        now, calendar.respite(calendar.TAKEOVER, game.house_rules), game.house_rules
    )
    if not needs.phase.passed and deadline <= needs.phase.deadline:
        return ()
    moved = DeadlineMoved(
        phase=needs.position.phase.code,
        deadline=format_instant(deadline),
        grace_end=format_instant(calendar.grace_end(deadline, game.house_rules)),
        reason="takeover",
        by=None,
    )
    return (moved,)


def _set_preferences(
    board: Map, game: game_state.Game, command: SetPreferences
) -> Accepted | Refused:
    if game.stage is not game_state.Stage.FORMING:
        return Refused(Why.ALREADY_STARTED)
    if command.person not in game.joined:
        return Refused(Why.NOT_A_PLAYER)
    if not _are_powers_known(board, command.preferences):
        return Refused(Why.UNKNOWN_POWER)
    return Accepted((PreferencesSet(command.person, command.preferences),))


def _resign(game: game_state.Game, command: Resign, now: datetime) -> Accepted | Refused:
    if game.stage is game_state.Stage.FORMING:
        if command.person not in game.joined:
            return Refused(Why.NOT_A_PLAYER)
        following = (PlayerJoined(*each) for each in game.standbys.items())
        return Accepted((PlayerLeft(command.person), *islice(following, 1)))
    power = game.power_of(command.person)
    if why := why_no_open_phase(game):
        return Refused(why)
    if power is None:
        return Refused(Why.NOT_A_PLAYER)
    left = vacate_seat(game, power, RESIGNED, now)
    ended = ending_in_phase(apply_seat_event(game, left))
    return Accepted((left, ended) if ended else (left,))


def _are_powers_known(board: Map, preferences: Iterable[Iterable[Power]]) -> bool:
    return all(power in board.players for group in preferences for power in group)


def apply_entry(board: Map, game: game_state.Game, event: EntryEvent) -> game_state.Game:
    """Return *game* after a player joined or left, or after its start."""
    match event:
        case PlayerJoined(person, preferences) | PreferencesSet(person, preferences):
            game = standbys.with_place_found(game, person)
            return replace(game, joined=game_state.with_entry(game.joined, person, preferences))
        case PlayerLeft(person):
            return replace(game, joined=game_state.without_key(game.joined, person))
        case GameStarted(seats):
            dummy = game_state.Seat(None, game_state.SeatState.CIVIL_DISORDER)
            seated = {
                power: game_state.Seat(seats[power]) if power in seats else dummy
                for power in board.powers
            }
            return replace(
                game, stage=game_state.Stage.PLAYING, seats=seated, position=board.start
            )
        case _:
            assert_never(event)


Preferences = tuple[tuple[Power, ...], ...]
SCORE_SHIFT = 64 + 8  # beyond the sum of the chances of all powers, each of 64 bits


def assign_powers(
    joined: Mapping[str, Preferences], powers: Sequence[Power], seed: str
) -> dict[Power, str]:
    """Give each person of *joined* one of *powers*, with the greatest sum of weights.

    With n powers the first choice weighs n, the next n - 1; powers liked equally weigh the same,
    and those not named nothing. *seed* decides between equal assignments.
    """
    people = sorted(joined)
    costs = [
        [
            -(_weight(joined[person], power, len(powers)) << SCORE_SHIFT)
            - _chance(seed, person, power)
            for power in powers
        ]
        for person in people
    ]
    chosen = {powers[column]: people[row] for row, column in _cheapest_assignment(costs).items()}
    return {power: chosen[power] for power in powers if power in chosen}


def _cheapest_assignment(costs: Sequence[Sequence[int]]) -> Mapping[int, int]:
    """Return a column for each row of *costs*, with the least sum of costs.

    There are at least as many columns as rows. This is the Hungarian method with augmenting paths,
    in cubic time; rows and columns count from 1, and column 0 has the row to be placed.
    """
    columns = range(1, len(costs[0]) + 1) if costs else range(0)
    row_price, column_price = [0] * (len(costs) + 1), [0] * (len(columns) + 1)
    row_of = [0] * (len(columns) + 1)
    for new_row in range(1, len(costs) + 1):
        row_of[0], column = new_row, 0
        slack: dict[int, int] = {}
        before: dict[int, int] = {}
        reached: set[int] = set()
        while row := row_of[column]:
            reached.add(column)
            for other in columns:
                price = costs[row - 1][other - 1] - row_price[row] - column_price[other]
                if other not in reached and (other not in slack or price < slack[other]):
                    slack[other], before[other] = price, column
            column = min(slack.keys() - reached, key=lambda each: (slack[each], each))
            nearest = slack[column]
            for each in reached:
                row_price[row_of[each]] += nearest
                column_price[each] -= nearest
            slack = {each: at - nearest for each, at in slack.items() if each not in reached}
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    return {row_of[column] - 1: column - 1 for column in columns if row_of[column]}


def _weight(preferences: Preferences, power: Power, most: int) -> int:
    liked_better = 0
    for group in preferences:
        if power in group:
            return most - liked_better
        liked_better += len(group)
    return 0


def _chance(seed: str, person: str, power: Power) -> int:
    return int.from_bytes(sha256(f"{seed}\n{person}\n{power}".encode()).digest()[:8])
