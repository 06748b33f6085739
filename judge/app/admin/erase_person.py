"""Erase a person: only an untraceable id stays in the logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from judge.app.game.apply import OPERATOR, apply_command
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.app.ports.people import Erased, TracedPerson, TraceSearch, TraceShare
from judge.event_log import Recorded
from judge.game.commands import Command
from judge.game.decision import Accepted
from judge.game.game_state import Game, Stage
from judge.game.moderator_actions import Observe
from judge.game.players.joining import AdmitPlayer, Resign
from judge.game.players.standbys import StandBy
from judge.game.press import PressSent


@dataclass(frozen=True, slots=True)
class Erasure:
    """The result of erasing *person* (None for a stranger), who played in *games* games."""

    person: str | None
    games: tuple[str, ...]
    erased: Erased


@dataclass(frozen=True, slots=True)
class StillPlaying:
    """A person cannot be forgotten while they take part in *games*."""

    games: tuple[str, ...]


class _DryRunError(Exception):
    """Rolls the transaction of a trial run back."""


def erase_person(
    judge: Judge, address: str, *, from_games: bool, really: bool
) -> Erasure | StillPlaying:
    """Erase the person with *address*; with *from_games* they leave their games first.

    All events are searched before the write transaction begins, so no writer has to wait.
    Unless *really*, the erasure is rolled back and only its extent is returned.
    """
    reading = _read(judge, address)
    erased: Erasure | StillPlaying | None = None
    try:
        with judge.database.write() as transaction:
            erased = _erase(judge, transaction, address, reading, from_games=from_games)
            if not really or isinstance(erased, StillPlaying):
                _take_back()
    except _DryRunError:
        pass
    assert erased is not None, "it is set before a rollback"
    return erased


def _take_back() -> NoReturn:
    raise _DryRunError


def _read(judge: Judge, address: str) -> TraceSearch:
    with judge.database.read() as transaction:
        reading = TraceSearch(_trace_person(transaction, address))
        transaction.personal_data.read(reading)
        for _ in _games(judge, transaction, reading):
            pass  # `reading` keeps what was found.
    return reading


def _trace_person(transaction: Transaction, address: str) -> TracedPerson:
    person = transaction.people.by_address(address)
    if person is None:
        return TracedPerson((address,))
    return TracedPerson(tuple(transaction.people.addresses(person.id)), person.id)


def _erase(
    judge: Judge, transaction: Transaction, address: str, reading: TraceSearch, *, from_games: bool
) -> Erasure | StillPlaying:
    traced = _trace_person(transaction, address)
    if traced != reading.whom:  # Their addresses have changed since.
        reading = TraceSearch(traced)
    transaction.personal_data.read(reading)
    if traced.person is None:
        return Erasure(None, (), transaction.personal_data.erase(reading, TraceShare()))
    games = [
        game for game in _games(judge, transaction, reading) if _was_involved(game, traced.person)
    ]
    busy = [
        game
        for game in games
        if game.stage is not Stage.ENDED and _is_involved(game, traced.person)
    ]
    if busy and not from_games:
        return StillPlaying(tuple(game.name for game in busy))
    for game in busy:
        for command in _leaving_commands(game, traced.person):
            left = apply_command(judge, transaction, game.name, command, judge.clock.now())
            assert isinstance(left.decision, Accepted), "any player may leave a running game"
    names = tuple(game.name for game in games)
    log = [each for name in names for each in transaction.events.read(name)]
    share = TraceShare(
        names, frozenset(_email_digests(log)), frozenset(_press(log, traced.person))
    )
    return Erasure(traced.person, names, transaction.personal_data.erase(reading, share))


def _games(judge: Judge, transaction: Transaction, reading: TraceSearch) -> Iterator[Game]:
    names = sorted(reading.games)
    found = (judge.game_cache.load(transaction, judge.boards, name) for name in names)
    return (game for game in found if game)


def _was_involved(game: Game, person: str) -> bool:
    return _is_involved(game, person) or game.knows(person)


def _is_involved(game: Game, person: str) -> bool:
    return person == game.moderator or any(_leaving_commands(game, person))


def _leaving_commands(game: Game, person: str) -> Iterator[Command]:
    if person in game.standbys:  # includes everyone who was offered a seat
        yield StandBy(person, on=False)
    if person in game.applicants:
        yield AdmitPlayer(person, granted=False, by=OPERATOR, seed="")
    if person in game.joined or game.power_of(person) is not None:
        yield Resign(person)
    if person in game.observers:
        yield Observe(person, on=False)


def _email_digests(log: Iterable[Recorded]) -> Iterator[str]:
    for each in log:
        mail: str | None = getattr(each.event, "mail", None)
        if mail:
            yield mail


def _press(log: Sequence[Recorded], person: str) -> Iterator[str]:
    for each in log:
        match each.event:
            case PressSent(message=message, person=writer) if writer == person:
                yield message
            case _:
                pass
