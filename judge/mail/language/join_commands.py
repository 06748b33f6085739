"""Commands to sign on, join, stand by, observe and resign."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from judge.mail.language.command_syntax import (
    GAME_NAME,
    NOT_TOPICS,
    CommandReader,
    LineMaker,
    ParsedLine,
    about_game,
    power_named,
    preferences_named,
    seat_named,
)
from judge.rules.board import Map

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class SignOn(ParsedLine):
    """`SIGNON Fgame password`: the rest of the mail is for that seat of that game.

    *power* is a power, `MASTER`, `OBSERVER`, or None if the word begins with no letter of these.
    """

    power: str | None
    game: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignOff(ParsedLine):
    """`SIGNOFF`: nothing below counts, up to another SIGNON; *ignored* is what stands there."""

    ignored: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Join(ParsedLine):
    """`JOIN game`, perhaps a vacant *power* of it, perhaps with preferences, best group first.

    *password* will be that of the writer, *key* is that of the game.
    """

    game: str
    power: Power | None = None
    preferences: tuple[tuple[Power, ...], ...] = ()
    password: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SetPreference(ParsedLine):
    """`SET PREFERENCE FTG[IE]*`: best group first, those in brackets equal, `*` the others."""

    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class Resign(ParsedLine):
    """`RESIGN` or `RESIGN game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class StandBy(ParsedLine):
    """`STANDBY game`, `STANDBY` for any; `NO STANDBY` is not *on*. *key* opens the game."""

    game: str | None
    on: bool
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Observe(ParsedLine):
    """`OBSERVE game`, or `UNOBSERVE game`."""

    game: str
    on: bool


PREFERENCE_WORDS = ("PREFER", "PREFERENCE", "PREFERENCES", "PREF")


KEY = "PASSWORD"  # stands before the password of a game


def _sign_on(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `Fgame pw`, `F game pw`, `FRANCE@game pw`, and nJudge's `?game pw`, which joins."""
    if arguments and arguments[0].startswith("?"):
        return _join([arguments[0][1:], *arguments[1:]], board)
    match arguments:
        case [where]:
            password = ""
        case [seat, password] if seat_named(seat, board):
            return None  # The word may be the game or the password.
        case [where, password]:
            pass
        case [seat, game, password]:
            where = f"{seat}@{game}"
        case _:
            return None
    power, game = _split_seat(where, board)
    named = GAME_NAME.fullmatch(game)
    return partial(SignOn, power=power, game=game, password=password) if named else None


def _split_seat(word: str, board: Map) -> tuple[str | None, str]:
    """Split `FRANCE@game` or `Fgame`; a game may begin with any letter, so the first is a seat."""
    name, at, game = word.rpartition("@")
    if at:
        seat = seat_named(name, board)
        return seat, game if seat else ""
    seat = seat_named(word[0], board)
    return (seat, word[1:]) if seat and len(word) > 1 else (None, word)


def _join(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `game [password] [PASSWORD word] [PREFER FTG]`, `game FRANCE`, `FRANCE@game [word]`.

    DPjudge has the password of the game behind one's own, as a third word.
    """
    arguments, key = key_named(without_article(arguments))
    upper = [word.upper() for word in arguments]
    cut = next((i for i, word in enumerate(upper) if word in PREFERENCE_WORDS), len(upper))
    liked = preferences_named(" ".join(arguments[cut + 1 :]), board) if cut < len(upper) else ()
    if cut not in (1, 2, 3) or liked is None:
        return None
    if cut > 2:  # noqa: PLR2004 - a third word
        key = arguments.pop(2)
        cut = 2
    name, at, game = arguments[0].rpartition("@")
    power = power_named(name, board)
    if not GAME_NAME.fullmatch(game) or (at and power is None):
        return None
    password = arguments[1] if cut > 1 else None
    if password and not at and len(password) > 1 and power_named(password, board):
        power, password = power_named(password, board), None
    return partial(Join, game=game, power=power, preferences=liked, password=password, key=key)


def _take_over(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `Fgame password` and `FRANCE@game password password`, as DPjudge has them."""
    power, game = _split_seat(arguments[0], board) if arguments else (None, "")
    if power not in board.powers:
        return None
    return _join([f"{power}@{game}", *arguments[1:]], board)


def _preference(arguments: list[str], board: Map) -> LineMaker | None:
    liked = preferences_named(" ".join(arguments), board)
    return partial(SetPreference, preferences=liked) if liked else None


def key_named(arguments: list[str]) -> tuple[list[str], str | None]:
    """Split `PASSWORD word`, the password of a game, from *arguments*."""
    upper = [word.upper() for word in arguments]
    at = upper.index(KEY) if KEY in upper[1:-1] else len(upper)
    key = arguments[at + 1] if at < len(upper) else None
    return arguments[:at] + arguments[at + 2 :], key


def _stand_by(arguments: list[str], _: Map) -> LineMaker | None:
    words, key = key_named(arguments)
    return _standing_by(words, key, on=True)


def _stand_down(arguments: list[str], _: Map) -> LineMaker | None:
    return _standing_by(arguments, None, on=False)


def _standing_by(words: list[str], key: str | None, *, on: bool) -> LineMaker | None:
    match words:
        case []:
            return partial(StandBy, game=None, on=on)
        case [game] if GAME_NAME.fullmatch(game):
            return partial(StandBy, game=game, on=on, key=key)
        case _:
            return None


def _observe(*, on: bool) -> CommandReader:
    """Make the reader of OBSERVE; a password after the game, as nJudge wants it, is ignored."""

    def read(arguments: list[str], _: Map) -> LineMaker | None:
        game = arguments[0].rpartition("@")[2] if len(arguments) in (1, 2) else ""
        return partial(Observe, game=game, on=on) if GAME_NAME.fullmatch(game) else None

    return read


JOIN_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "SIGNON": _sign_on,
        "JOIN": _join,
        "TAKEOVER": _take_over,
        "PREFER": _preference,
        "PREF": _preference,
        "PREFERENCE": _preference,
        "PREFERENCES": _preference,
        "RESIGN": about_game(Resign),
        "WITHDRAW": about_game(Resign),
        "STANDBY": _stand_by,
        "NOSTANDBY": _stand_down,
        "OBSERVE": _observe(on=True),
        "WATCH": _observe(on=True),
        "MONITOR": _observe(on=True),
        "UNOBSERVE": _observe(on=False),
    }
)


# Around the name in `JOIN the game lepanto, please!`
ARTICLES = frozenset(("the", "game", "spiel", "dem", "das", "la", "le", "partie"))
POLITE_ENDINGS = frozenset(("please", "pls", "thanks", "thx", "bitte", "danke", "svp", "merci"))


def without_article(arguments: list[str]) -> list[str]:
    """Return *arguments* without `the game` before a name, and `, please!` behind it."""
    words = list(arguments)
    while len(words) > 1 and words[-1].strip(",.!").casefold() in POLITE_ENDINGS:
        del words[-1]
    while len(words) > 1 and words[0].casefold() in ARTICLES:
        del words[0]
    plain = words[0].rstrip(",!") if len(words) == 1 else ""
    return [plain] if plain and plain.upper() not in NOT_TOPICS else arguments
