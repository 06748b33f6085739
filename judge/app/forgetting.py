"""Forgetting somebody: what is left of him is an id in logs that nobody can tie to him."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from judge.app.conduct import conduct
from judge.app.judge import Judge
from judge.app.operate import OPERATOR
from judge.app.ports import Transaction
from judge.app.traces import Erased, Whom
from judge.events.store import Recorded
from judge.events.types import PressSent
from judge.game.commands import Command, LetIn, Resign, StandBy
from judge.game.decision import Accepted
from judge.game.game import Game, Stage
from judge.game.steps import Observe


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was erased of *person*, None for a stranger; he played in so many *games*."""

    person: str | None
    games: tuple[str, ...]
    erased: Erased


@dataclass(frozen=True, slots=True)
class Engaged:
    """He cannot be forgotten while he takes part in *games*."""

    games: tuple[str, ...]


class _NotReallyError(Exception):
    """Takes everything back."""


def forget(judge: Judge, address: str, *, from_games: bool, really: bool) -> Forgotten | Engaged:
    """Erase whoever has *address*, who leaves the games he is in if he may (*from_games*).

    If not *really*, all is done and taken back, to be told what would go.
    """
    told: Forgotten | Engaged | None = None
    try:
        with judge.database.write() as transaction:
            told = _forget(judge, transaction, address, from_games=from_games)
            if not really or isinstance(told, Engaged):
                _take_back()
    except _NotReallyError:
        pass
    assert told is not None, "it was told before anything was taken back"
    return told


def _take_back() -> NoReturn:
    raise _NotReallyError


def _forget(
    judge: Judge, transaction: Transaction, address: str, *, from_games: bool
) -> Forgotten | Engaged:
    person = transaction.people.by_address(address)
    if person is None:
        return Forgotten(None, (), transaction.traces.erase(Whom(addresses=(address,))))
    games = [game for game in _all(judge, transaction) if _was_in(game, person.id)]
    busy = [game for game in games if game.stage is not Stage.ENDED and _is_in(game, person.id)]
    if busy and not from_games:
        return Engaged(tuple(game.name for game in busy))
    for game in busy:
        for command in _ways_out(game, person.id):
            left = conduct(judge, transaction, game.name, command, judge.clock.now())
            assert isinstance(left.decision, Accepted), "everybody may leave a game that goes on"
    names = tuple(game.name for game in games)
    log = [each for name in names for each in transaction.events.read(name)]
    whom = Whom(
        addresses=tuple(transaction.people.addresses(person.id)),
        person=person.id,
        handle=person.handle,
        games=names,
        letters=frozenset(_letters(log)),
        press=frozenset(_press(log, person.id)),
    )
    return Forgotten(person.id, names, transaction.traces.erase(whom))


def _all(judge: Judge, transaction: Transaction) -> Iterator[Game]:
    names = transaction.events.games()
    found = (judge.histories.load(transaction, judge.boards, name) for name in names)
    return (game for game in found if game)


def _was_in(game: Game, person: str) -> bool:
    return _is_in(game, person) or game.knows(person)


def _is_in(game: Game, person: str) -> bool:
    """Say whether *game* waits for anything from *person*, or writes to him."""
    return person == game.moderator or any(_ways_out(game, person))


def _ways_out(game: Game, person: str) -> Iterator[Command]:
    """Yield what he would have to say to be out of *game*: first that he wants no place in it."""
    if person in game.standbys:  # as is everybody who is asked to take a place
        yield StandBy(person, on=False)
    if person in game.applicants:
        yield LetIn(person, granted=False, by=OPERATOR, seed="")
    if person in game.joined or game.power_of(person) is not None:
        yield Resign(person)
    if person in game.observers:
        yield Observe(person, on=False)


def _letters(log: Iterable[Recorded]) -> Iterator[str]:
    """Yield the digests of the mails that any event names."""
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
