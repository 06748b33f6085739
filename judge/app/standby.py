"""Who would play in any game: he comes onto the waiting list of the first that needs somebody."""

from __future__ import annotations

from collections.abc import Iterator

from judge.app.ports import People
from judge.events.store import Event
from judge.game.game_state import Game, Stage
from judge.game.house_rules import Entry
from judge.game.players.joining import GameStarted
from judge.game.players.seats import CivilDisorderDeclared, PowerVacated
from judge.game.players.standbys import OfferEnded, StandBy, StandbyWent, vacancies

# After these a power may need somebody.
LEAVES_ROOM = (PowerVacated, CivilDisorderDeclared, GameStarted, OfferEnded, StandbyWent)


def leaves_room(event: Event) -> bool:
    """Say whether *event* may leave a power that nobody plays, and nobody is asked to."""
    return isinstance(event, LEAVES_ROOM)


def recruits(people: People, game: Game) -> Iterator[StandBy]:
    """Yield those who would play in any game and are to wait for one of the powers of *game*.

    It must be one that anybody may see and join. Who is taken from the list of those for any game
    is asked by this one only, until he says again that he would play.
    """
    rules = game.house_rules
    if game.stage is not Stage.PLAYING or not rules.listed or rules.entry is not Entry.OPEN:
        return
    wanted = len(vacancies(game)) - len(game.standbys)
    for person in people.standing_by():
        if wanted > 0 and not game.knows(person) and person not in game.denied:
            people.stand_by(person, None)
            yield StandBy(person)
            wanted -= 1
