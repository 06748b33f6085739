"""Questions: HELP, LIST, STATUS. They change nothing, and show what the asker may see."""

from __future__ import annotations

from judge.app.desk import Desk, Session
from judge.app.letters import readers
from judge.app.ports import Person
from judge.game.game import Game
from judge.game.visibility import Moderator, Observer, Player, Reader
from judge.mail.said import Help, ListGames, Status
from judge.reports import lists, strangers
from judge.reports.contexts import Context
from judge.rules.vocabulary import Power

Question = Help | ListGames | Status


def ask(desk: Desk, person: Person | None, session: Session | None, said: Question) -> Context:
    """Answer a question of *person*, who may be a stranger."""
    match said:
        case Help(topic=topic):
            return strangers.help_on(topic, judge_code=desk.judge.code)
        case Status(game=None) if session:
            return _one(desk, person, session.game)
        case ListGames(game=str(name)) | Status(game=str(name)):
            return _one(desk, person, name)
        case _:
            return _all(desk)


def _all(desk: Desk) -> Context:
    found = (desk.game(name) for name in desk.transaction.events.games())
    listed = [(desk.board(game), game) for game in found if game]
    return lists.games(listed, judge_code=desk.judge.code)


def _one(desk: Desk, person: Person | None, name: str) -> Context:
    """Show one game: to its players, and to anybody if it is listed; else it does not exist."""
    game = desk.game_open_to(person, name)
    if game is None:
        return _all(desk)
    handles = {
        reader.power: reader.person.handle
        for reader in readers(desk.transaction, game)
        if reader.power
    }
    return lists.status(
        desk.board(game),
        game,
        _reader(game, person),
        handles,
        judge_code=desk.judge.code,
        unreached=_unreached(desk, person, game),
    )


def _unreached(desk: Desk, person: Person | None, game: Game) -> tuple[Power, ...]:
    """Name the powers to whose players mail comes back, if it is the moderator who asks."""
    if person is None or not isinstance(_reader(game, person), Moderator):
        return ()
    return tuple(
        reader.power
        for reader in readers(desk.transaction, game)
        if reader.power and desk.transaction.outbox.last_bounce(reader.person.id)
    )


def _reader(game: Game, person: Person | None) -> Reader:
    power = game.power_of(person.id) if person else None
    if power:
        return Player(power)
    return Moderator() if person and person.id == game.moderator else Observer()
