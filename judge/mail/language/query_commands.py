"""Questions: HELP, LIST, STATUS, HISTORY, SUMMARY, WHOGAME, MAP and WHY."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import partial
from types import MappingProxyType

from judge.mail.language.command_syntax import (
    GAME_NAME,
    CommandReader,
    LineMaker,
    ParsedLine,
    about_game,
    without_board,
)
from judge.mail.language.phase_names import phase_named
from judge.notation.parser import parse, read_unit
from judge.notation.readings import Prose
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class Help(ParsedLine):
    """`HELP` or `HELP topic`."""

    topic: str | None


class GameFilter(Enum):
    """Which games are listed."""

    ALL = "all"
    FULL = "full"  # each with its board
    FORMING = "forming"
    PLAYING = "playing"
    VACANT = "vacant"  # with a power that looks for a player
    OVER = "over"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class ListGames(ParsedLine):
    """`LIST`, `LIST FORMING`, or `LIST game game`, each of which is shown with its board."""

    games: tuple[str, ...] = ()
    which: GameFilter = GameFilter.ALL


@dataclass(frozen=True, slots=True)
class Status(ParsedLine):
    """`STATUS` or `STATUS game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class HistorySpan:
    """From *begin* to *end*, both within: phases (`S1901M`), days, or None for no bound."""

    begin: str | date | None = None
    end: str | date | None = None


@dataclass(frozen=True, slots=True)
class History(ParsedLine):
    """`HISTORY game FROM S1901M TO F1902M`: what everybody was told, but for what is *without*.

    *broad* asks for notices and press to all beside the results, *lines* for no more than that.
    """

    game: str | None
    span: HistorySpan = HistorySpan()
    without: HistorySpan | None = None
    broad: bool = False
    lines: int | None = None


@dataclass(frozen=True, slots=True)
class Summary(ParsedLine):
    """`SUMMARY game`: who owned what when, and who played it."""

    game: str | None


@dataclass(frozen=True, slots=True)
class WhoGame(ParsedLine):
    """`WHOGAME game`: who plays."""

    game: str | None


@dataclass(frozen=True, slots=True)
class ShowMap(ParsedLine):
    """`MAP`, `MAP game`, `MAP game F1902M`: a picture of the board, now or in a *phase*."""

    game: str | None
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class WhyOrder(ParsedLine):
    """`WHY A Par-Bur`, `WHY F1901M A Par-Bur`: what became of *order*, and by which rule."""

    order: str
    phase: str | None = None


GAMES_MAX = 10
LINES_DIGITS_MAX = 5
FILTERS = {
    "FULL": GameFilter.FULL,
    "ALL": GameFilter.ALL,
    "FORMING": GameFilter.FORMING,
    "OPEN": GameFilter.FORMING,
    "STARTING": GameFilter.FORMING,
    "PLAYING": GameFilter.PLAYING,
    "ACTIVE": GameFilter.PLAYING,
    "VACANT": GameFilter.VACANT,
    "STANDBY": GameFilter.VACANT,
    "OVER": GameFilter.OVER,
    "FINISHED": GameFilter.OVER,
    "MINE": GameFilter.MINE,
}


def _list(arguments: list[str]) -> LineMaker | None:
    """Read `LIST`, `LIST FORMING`, `LIST dogger`, `LIST dogger, baltic`."""
    names = [name for word in arguments for name in word.split(",") if name]
    if len(names) == 1 and names[0].upper() in FILTERS:
        return partial(ListGames, which=FILTERS[names[0].upper()])
    several = len(names) == 1 or "," in " ".join(arguments)  # `List your demands` is prose.
    if not names:
        return ListGames
    if len(names) > GAMES_MAX or not several or not all(map(GAME_NAME.fullmatch, names)):
        return None
    return partial(ListGames, games=tuple(names))


def _map(arguments: list[str]) -> LineMaker | None:
    """Read `MAP`, `MAP game`, `MAP F1902M`, `MAP game F1902M`, `MAP game Fall 1902 Movement`."""
    phase = phase_named(arguments) if arguments else None
    if phase or not arguments:
        return partial(ShowMap, game=None, phase=phase)
    game, when = arguments[0], arguments[1:]
    phase = phase_named(when) if when else None
    if not GAME_NAME.fullmatch(game) or (when and phase is None):
        return None
    return partial(ShowMap, game=game, phase=phase)


def _history(arguments: list[str]) -> LineMaker | None:
    """Read `game FROM S1901M TO F1902M EXCLSTART S1902M EXCLEND F1902M LINES 500 BROAD`."""
    words, game = arguments, None
    if words and words[0].upper() not in HISTORY_OPTIONS:
        game, words = words[0], words[1:]
    if game and not GAME_NAME.fullmatch(game):
        return None
    asked = _history_options(words)
    if asked is None:
        return None
    bounds = {
        name: _bound(value) for name, value in asked.values.items() if name in HISTORY_BOUNDS
    }
    lines = asked.values.get("LINES", "1")
    if None in bounds.values() or not (lines.isdigit() and len(lines) <= LINES_DIGITS_MAX):
        return None
    without = HistorySpan(bounds.get("EXCLSTART"), bounds.get("EXCLEND"))
    return partial(
        History,
        game=game,
        span=HistorySpan(bounds.get("FROM"), bounds.get("TO")),
        without=without if without != HistorySpan() else None,
        broad=asked.broad,
        lines=int(lines) if "LINES" in asked.values else None,
    )


HISTORY_BOUNDS = ("FROM", "TO", "EXCLSTART", "EXCLEND")
HISTORY_OPTIONS = (*HISTORY_BOUNDS, "LINES", "BROAD")


@dataclass(frozen=True, slots=True)
class _HistoryOptions:
    values: dict[str, str]
    broad: bool


def _history_options(words: list[str]) -> _HistoryOptions | None:
    """Pair each option with the words up to the next one; None if a word belongs to none."""
    pairs: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word.upper() in HISTORY_OPTIONS:
            name = word.upper()
            pairs[name] = []
        elif not name:
            return None
        else:
            pairs[name].append(word)
    broad = pairs.pop("BROAD", None)
    if broad or not all(pairs.values()):
        return None
    return _HistoryOptions({key: " ".join(each) for key, each in pairs.items()}, broad is not None)


def _bound(written: str) -> str | date | None:
    """Read a phase, or a day as ISO 8601 writes it."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return phase_named(written.split())


def _why(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `A Par-Bur`, `A Par`, `F1901M A Par-Bur`, `did A Par-Bur fail?`, no other question."""
    phase = phase_named(arguments[:1]) if arguments else None
    order = " ".join(arguments[1:] if phase else arguments).rstrip("?! ")
    read = parse(order, board)
    if not read or (any(isinstance(each, Prose) for each in read) and not read_unit(order, board)):
        return None
    return partial(WhyOrder, order=order, phase=phase)


def _who_game(arguments: list[str], board: Map) -> LineMaker | None:
    """Read `game` and nJudge's `game FULL`, of which there is no more to say."""
    full = len(arguments) > 1 and arguments[-1].upper() == "FULL"
    return about_game(WhoGame)(arguments[:-1] if full else arguments, board)


QUERY_READERS: MappingProxyType[str, CommandReader] = MappingProxyType(
    {
        "LIST": without_board(_list),
        "STATUS": about_game(Status),
        "HISTORY": without_board(_history),
        "SUMMARY": about_game(Summary),
        "MAP": without_board(_map),
        "WHOGAME": _who_game,
        "WHY": _why,
    }
)
