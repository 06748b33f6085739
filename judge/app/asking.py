"""Questions: HELP, LIST, STATUS. They change nothing, and show what the asker may see."""

from __future__ import annotations

from judge.app.desk import Desk, Session
from judge.app.letters import readers
from judge.app.pages import Page, page
from judge.app.ports import Person
from judge.game.game import Game
from judge.mail.said import Help, ListGames, Status
from judge.reports import lists, strangers


def ask(
    desk: Desk, person: Person | None, session: Session | None, said: Help | ListGames | Status
) -> Page:
    """Answer a question of *person*, who may be a stranger."""
    match said:
        case Help(topic=topic):
            return page(strangers.help_on(topic, judge_code=desk.judge.code))
        case ListGames(game=None) | Status(game=None) if session is None:
            return _all(desk)
        case ListGames(game=None):
            return _all(desk)
        case ListGames(game=name) | Status(game=name):
            return _one(desk, person, name or (session.game if session else ""))


def _all(desk: Desk) -> Page:
    found = (desk.game(name) for name in desk.transaction.events.games())
    listed = [(desk.board(game), game) for game in found if game]
    return page(lists.games(listed, judge_code=desk.judge.code))


def _one(desk: Desk, person: Person | None, name: str) -> Page:
    """Show one game: to its players, and to anybody if it is listed; else it does not exist."""
    game = desk.game(name)
    if game is None or not (game.house_rules.listed or (person and game.knows(person.id))):
        return _all(desk)
    power = game.power_of(person.id) if person else None
    handles = {
        reader.power: reader.person.handle
        for reader in readers(desk.transaction, game)
        if reader.power
    }
    return page(
        lists.status(desk.board(game), game, power, handles, judge_code=desk.judge.code)
    )
