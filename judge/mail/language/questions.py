"""The forms of commands that only ask: lists, histories, and why an order failed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from types import MappingProxyType

from judge.mail.language.phase_names import phase_named
from judge.mail.language.said import (
    History,
    ListGames,
    ShowMap,
    Span,
    Status,
    Summary,
    Which,
    WhoGame,
    WhyOrder,
)
from judge.mail.language.slips import is_slip_of
from judge.mail.language.spoken import GAME, Maker, Reader
from judge.mail.phrases import listed
from judge.notation.parser import parse, read_unit
from judge.notation.readings import Prose, Understood
from judge.rules.board import Map

GAMES_MAX = 10
LINES_DIGITS_MAX = 5
FILTERS = {
    "FULL": Which.FULL,
    "ALL": Which.ALL,
    "FORMING": Which.FORMING,
    "OPEN": Which.FORMING,
    "STARTING": Which.FORMING,
    "PLAYING": Which.PLAYING,
    "ACTIVE": Which.PLAYING,
    "VACANT": Which.VACANT,
    "STANDBY": Which.VACANT,
    "OVER": Which.OVER,
    "FINISHED": Which.OVER,
    "MINE": Which.MINE,
}
OWN = ("MINE", "MY ORDERS", "WITH MINE", "WITH MY ORDERS")
POLITE = ("PLEASE", "ORDERS", "THESE", "THESE ORDERS")
PREVIEW = re.compile(
    r"\W*(\w{5,9})\b(?!.*\b(?:PRESS|BROADCAST)\b)([\s:,.*!-]*)(.*)", re.IGNORECASE
)
PREVIEWS = ("preview", "predict")
QUIET = ("check", "try")  # `Check.` says that all is well.
OTHER_WORDS = ("previews", "predicts", "previewed")  # that are like these, and ask for nothing
# What people say instead; with other words behind it is a sentence, unless these are an order.
SUPPOSING = re.compile(
    r"\W*(WHAT[ -]?IF|WAS W(?:\xc4|AE)RE,? WENN|(?:JUST|ONLY) (?:TESTING|A TEST)|NUR EIN TEST"
    r"|DRY[ -]?RUN|TEST(?:ING)?|TRIAL|SIMULAT(?:E|ION)|HYPOTHETICAL(?:LY)?"
    r"|ADJUDICATE|CHECK|TRY|VORSCHAU|PROBE|APER[\xc7C]U|ESSAI)(?!\w)([\s:,.*!-]*)(.*)",
    re.IGNORECASE,
)
DRAFTED = re.compile(  # A line that says nothing else, with a colon, or as a question.
    r"\W*(?:(?:(?:A|MY|EIN|MEIN) )?(?:DRAFT|ENTWURF|BROUILLON)(?: ORDERS| ONLY)? ?:"
    r"|PROPOSED(?: ORDERS| MOVES)? ?:|CAN I (?:DO|ORDER) (?:THIS|THESE) ?\?"
    r"|WHAT (?:WOULD HAPPEN|HAPPENS) (?:IF|WITH)(?: I (?:ORDER(?:ED)?|DO|DID))?"
    r"(?: THIS| THESE(?: ORDERS)?)?"
    r"|(?:PLEASE |(?:CAN|COULD|WOULD) (?:YOU|I) (?:PLEASE )?)(?:PREVIEW|PREDICT|SIMULATE|TEST)"
    r"(?: THIS| THESE| IT| THE FOLLOWING| ORDERS| MOVES| FOR ME| PLEASE)*"
    r"|THIS IS (?:ONLY |JUST )?A TEST|TEST (?:ONLY|\W+ PLEASE IGNORE)|(?:NUR )?ZUM TESTEN"
    r"|(?:JUSTE|SEULEMENT) UN (?:ESSAI|TEST)"
    r"|SUPPOSE (?:THAT )?I (?:ORDER|DO|PLAY)(?: THIS| THESE)?"
    r"|(?:SUPPOSE|WAS PASSIERT(?: BEI| WENN)?|(?:ET|QUE SE PASSE-T-IL) SI) ?[:?])\W*",
    re.IGNORECASE,
)
BARE_TEST = re.compile(r"\s*test\W*(?<!:)", re.IGNORECASE)  # Among orders it is any word.
AGAIN = re.compile(r"\s*(?:(?:re|aw|fwd?|wg)\s*:\s*)+", re.IGNORECASE)
SHORT = 2  # words behind a PREVIEW in small letters, at most
END_PREVIEWS = listed("ENDPREVIEW | END PREVIEW | ENDPREDICT | END PREDICT")


@dataclass(frozen=True, slots=True)
class Asked:
    """A line asks for a preview: of the *rest* of it, and of the writer's *own* orders if so."""

    own: bool
    rest: str


def previewing(line: str, board: Map, *, first: bool = True) -> Asked | None:
    """Read `PREVIEW`, `PREVIEW MINE`, `Preview, please:`, `PREVIEW: A Par-Bur`; else None.

    Rather too much counts than too little, since nothing below is ordered; a sentence is none, and
    `Test` alone only where the line is the *first*.
    """
    if DRAFTED.fullmatch(line):
        return Asked(own=False, rest="")
    if not first and BARE_TEST.fullmatch(line):
        return None
    found = PREVIEW.fullmatch(line)
    if not found or not _asks(found[1].casefold()):
        return _supposing(line, board)
    word, mark = found[1], found[2]
    rest = found[3].strip(" \t:,.*!")
    if rest.upper() in (*OWN, *POLITE):
        return Asked(own=rest.upper() in OWN, rest="")
    sentence = not word.isupper() and not mark.strip() and len(rest.split()) > SHORT
    return None if sentence else Asked(own=False, rest=rest)


def is_previewed(subject: str) -> bool:
    """Say whether *subject* asks for a preview, perhaps of a game or of a phase."""
    subject = AGAIN.sub("", subject)
    supposed = SUPPOSING.fullmatch(subject)
    if supposed and not supposed[3] and supposed[1].casefold() not in QUIET:
        return True
    found = PREVIEW.fullmatch(subject)
    if not found or not _asks(found[1].casefold()):
        return False
    rest = found[3].strip(" \t:,.*!")
    return rest.upper() in POLITE or len(rest.split()) <= 1


def _asks(word: str) -> bool:
    """Say whether *word* is PREVIEW or PREDICT, perhaps with a slip of the pen."""
    slip = word not in OTHER_WORDS and any(is_slip_of(word, each) for each in PREVIEWS)
    return slip or word in PREVIEWS


def _supposing(line: str, board: Map) -> Asked | None:
    """Read `WHAT IF`, `Test:`, `WHAT IF: A Par-Bur`; not `What if Germany attacks?`."""
    found = SUPPOSING.fullmatch(line)
    if not found or (found[1].casefold() in QUIET and not (found[1].isupper() or ":" in found[2])):
        return None
    rest = found[3].strip(" \t:,.*!")
    if not rest or rest.upper() in (*OWN, *POLITE):
        return Asked(own=rest.upper() in OWN, rest="")
    ordered = any(isinstance(each, Understood) for each in parse(rest, board))
    return Asked(own=False, rest=rest) if ordered and "?" not in rest else None


def games_listed(arguments: list[str]) -> Maker | None:
    """Read `LIST`, `LIST FORMING`, `LIST dogger`, `LIST dogger, baltic`."""
    names = [name for word in arguments for name in word.split(",") if name]
    if len(names) == 1 and names[0].upper() in FILTERS:
        return partial(ListGames, which=FILTERS[names[0].upper()])
    several = len(names) == 1 or "," in " ".join(arguments)  # `List your demands` is prose.
    if not names:
        return ListGames
    if len(names) > GAMES_MAX or not several or not all(map(GAME.fullmatch, names)):
        return None
    return partial(ListGames, games=tuple(names))


def map_shown(arguments: list[str]) -> Maker | None:
    """Read `MAP`, `MAP game`, `MAP F1902M`, `MAP game F1902M`, `MAP game Fall 1902 Movement`."""
    phase = phase_named(arguments) if arguments else None
    if phase or not arguments:
        return partial(ShowMap, game=None, phase=phase)
    game, when = arguments[0], arguments[1:]
    phase = phase_named(when) if when else None
    if not GAME.fullmatch(game) or (when and phase is None):
        return None
    return partial(ShowMap, game=game, phase=phase)


def history(arguments: list[str]) -> Maker | None:
    """Read `game FROM S1901M TO F1902M EXCLSTART S1902M EXCLEND F1902M LINES 500 BROAD`."""
    words, game = arguments, None
    if words and words[0].upper() not in OPTIONS:
        game, words = words[0], words[1:]
    if game and not GAME.fullmatch(game):
        return None
    asked = _options(words)
    if asked is None:
        return None
    bounds = {name: _bound(value) for name, value in asked.values.items() if name in BOUNDS}
    lines = asked.values.get("LINES", "1")
    if None in bounds.values() or not (lines.isdigit() and len(lines) <= LINES_DIGITS_MAX):
        return None
    without = Span(bounds.get("EXCLSTART"), bounds.get("EXCLEND"))
    return partial(
        History,
        game=game,
        span=Span(bounds.get("FROM"), bounds.get("TO")),
        without=without if without != Span() else None,
        broad=asked.broad,
        lines=int(lines) if "LINES" in asked.values else None,
    )


BOUNDS = ("FROM", "TO", "EXCLSTART", "EXCLEND")
OPTIONS = (*BOUNDS, "LINES", "BROAD")


@dataclass(frozen=True, slots=True)
class _Options:
    values: dict[str, str]
    broad: bool


def _options(words: list[str]) -> _Options | None:
    """Pair each option with the words up to the next one; None if a word belongs to none."""
    pairs: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word.upper() in OPTIONS:
            name = word.upper()
            pairs[name] = []
        elif not name:
            return None
        else:
            pairs[name].append(word)
    broad = pairs.pop("BROAD", None)
    if broad or not all(pairs.values()):
        return None
    return _Options({key: " ".join(each) for key, each in pairs.items()}, broad is not None)


def _bound(written: str) -> str | date | None:
    """Read a phase, or a day as ISO 8601 writes it."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return phase_named(written.split())


def why(arguments: list[str], board: Map) -> Maker | None:
    """Read `A Par-Bur`, `A Par`, `F1901M A Par-Bur`, `did A Par-Bur fail?`, no other question."""
    phase = phase_named(arguments[:1]) if arguments else None
    order = " ".join(arguments[1:] if phase else arguments).rstrip("?! ")
    read = parse(order, board)
    if not read or (any(isinstance(each, Prose) for each in read) and not read_unit(order, board)):
        return None
    return partial(WhyOrder, order=order, phase=phase)


def of_game(said: Maker, whole: str = "") -> Reader:
    """Make the reader of a command that may name a game; *whole* is a word for none of them."""

    def read(arguments: list[str], _: Map) -> Maker | None:
        match arguments:
            case []:
                return partial(said, game=None)
            case [word] if word.upper() == whole:
                return partial(said, game=None)
            case [word] if GAME.fullmatch(word):
                return partial(said, game=word)
            case _:
                return None

    return read


def _asking(read: Callable[[list[str]], Maker | None]) -> Reader:
    return lambda arguments, _: read(arguments)


def _who_game(arguments: list[str], board: Map) -> Maker | None:
    """Read `game` and nJudge's `game FULL`, of which there is no more to say."""
    full = len(arguments) > 1 and arguments[-1].upper() == "FULL"
    return of_game(WhoGame)(arguments[:-1] if full else arguments, board)


QUERY_READERS: MappingProxyType[str, Reader] = MappingProxyType(
    {
        "LIST": _asking(games_listed),
        "STATUS": of_game(Status),
        "HISTORY": _asking(history),
        "SUMMARY": of_game(Summary),
        "MAP": _asking(map_shown),
        "WHOGAME": _who_game,
        "WHY": why,
    }
)
