"""The names of games in commands, in whatever case people write them."""

from __future__ import annotations

from dataclasses import replace

from judge.mail.language.command_words import NOT_TOPICS
from judge.mail.language.place_said import StandBy
from judge.mail.language.said import (
    History,
    Join,
    ListGames,
    Resign,
    Said,
    SignOn,
    Status,
    Summary,
    WhoGame,
)
from judge.mail.language.table_said import Create, Observe, ShowRules

# Around the name in `JOIN the game lepanto, please!`
ARTICLES = frozenset(("the", "game", "spiel", "dem", "das", "la", "le", "partie"))
POLITE = frozenset(("please", "pls", "thanks", "thx", "bitte", "danke", "svp", "merci"))


def in_small_letters(said: Said) -> Said:
    """Return *said* with the names of games as games have them, whatever case people write."""
    match said:
        case (
            SignOn(game=game)
            | Join(game=game)
            | Status(game=game)
            | History(game=game)
            | Summary(game=game)
            | WhoGame(game=game)
            | Resign(game=game)
            | StandBy(game=game)
            | Observe(game=game)
            | ShowRules(game=game)
            | Create(game=game)
        ) if game:
            return replace(said, game=game.lower())
        case ListGames(games=games) if games:
            return replace(said, games=tuple(game.lower() for game in games))
        case _:
            return said


def plainly(arguments: list[str]) -> list[str]:
    """Return *arguments* without `the game` before a name, and `, please!` behind it."""
    words = list(arguments)
    while len(words) > 1 and words[-1].strip(",.!").casefold() in POLITE:
        del words[-1]
    while len(words) > 1 and words[0].casefold() in ARTICLES:
        del words[0]
    plain = words[0].rstrip(",!") if len(words) == 1 else ""
    return [plain] if plain and plain.upper() not in NOT_TOPICS else arguments
