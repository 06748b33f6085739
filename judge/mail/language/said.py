"""What a mail can say: one frozen class a command or block, with the line it stands in.

A *text* is the line as written, but with `***` for a password; no `repr` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from judge.mail.language.memoir_said import MemoirSaid
from judge.mail.language.phases_said import PhaseSaid
from judge.mail.language.place_said import PlaceSaid
from judge.mail.language.spoken import Spoken
from judge.mail.language.table_said import TableSaid

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.types import Power

MASTER, OBSERVER, ALL = "MASTER", "OBSERVER", "ALL"  # Written to, or signed on, beside powers.
WHITE, GREY = "WHITE", "GREY"  # Press that its writer signs, and that nobody does.


@dataclass(frozen=True, slots=True)
class SignOn(Spoken):
    """`SIGNON Fgame password`: the rest of the mail is for that seat of that game.

    *power* is a power, `MASTER`, `OBSERVER`, or None if the word begins with no letter of these.
    """

    power: str | None
    game: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SignOff(Spoken):
    """`SIGNOFF`: nothing below counts, up to another SIGNON; *ignored* is what stands there."""

    ignored: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Join(Spoken):
    """`JOIN game`, perhaps a vacant *power* of it, perhaps with preferences, best group first.

    *password* will be that of the writer, *key* is that of the game.
    """

    game: str
    power: Power | None = None
    preferences: tuple[tuple[Power, ...], ...] = ()
    password: str | None = field(default=None, repr=False)
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SetPreference(Spoken):
    """`SET PREFERENCE FTG[IE]*`: best group first, those in brackets equal, `*` the others."""

    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class Help(Spoken):
    """`HELP` or `HELP topic`."""

    topic: str | None


class Which(Enum):
    """Which games are listed."""

    ALL = "all"
    FULL = "full"  # each with its board
    FORMING = "forming"
    PLAYING = "playing"
    VACANT = "vacant"  # with a power that looks for a player
    OVER = "over"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class ListGames(Spoken):
    """`LIST`, `LIST FORMING`, or `LIST game game`, each of which is shown with its board."""

    games: tuple[str, ...] = ()
    which: Which = Which.ALL


@dataclass(frozen=True, slots=True)
class Status(Spoken):
    """`STATUS` or `STATUS game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Span:
    """From *begin* to *end*, both within: phases (`S1901M`), days, or None for no bound."""

    begin: str | date | None = None
    end: str | date | None = None


@dataclass(frozen=True, slots=True)
class History(Spoken):
    """`HISTORY game FROM S1901M TO F1902M`: what everybody was told, but for what is *without*.

    *broad* asks for notices and press to all beside the results, *lines* for no more than that.
    """

    game: str | None
    span: Span = Span()
    without: Span | None = None
    broad: bool = False
    lines: int | None = None


@dataclass(frozen=True, slots=True)
class Summary(Spoken):
    """`SUMMARY game`: who owned what when, and who played it."""

    game: str | None


@dataclass(frozen=True, slots=True)
class WhoGame(Spoken):
    """`WHOGAME game`: who plays."""

    game: str | None


@dataclass(frozen=True, slots=True)
class ShowMap(Spoken):
    """`MAP`, `MAP game`, `MAP game F1902M`: a picture of the board, now or in a *phase*."""

    game: str | None
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class WhyOrder(Spoken):
    """`WHY A Par-Bur`, `WHY F1901M A Par-Bur`: what became of *order*, and by which rule."""

    order: str
    phase: str | None = None


@dataclass(frozen=True, slots=True)
class Preview(Spoken):
    """`PREVIEW` ... `ENDPREVIEW`: what would come of the orders in *lines*.

    With *own*, the orders count as well that stand for the writer; so they do if there are none.
    *closing* is the line `ENDPREVIEW`.
    """

    lines: tuple[Line, ...]
    own: bool = False
    closing: tuple[Line, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SetZone(Spoken):
    """`SET ZONE Europe/Berlin`, or None for `SET NOZONE`: that of each game."""

    zone: str | None


@dataclass(frozen=True, slots=True)
class SetLanguage(Spoken):
    """`SET LANGUAGE DEUTSCH`, named as people do."""

    word: str


@dataclass(frozen=True, slots=True)
class SetHandle(Spoken):
    """`SET HANDLE Kaiserin`: by which name others know the writer."""

    handle: str


@dataclass(frozen=True, slots=True)
class SetWait(Spoken):
    """`SET WAIT`, `SET NOWAIT`."""

    wait: bool


@dataclass(frozen=True, slots=True)
class SetReady(Spoken):
    """`READY`, `NOT READY`."""

    ready: bool


@dataclass(frozen=True, slots=True)
class SetDraw(Spoken):
    """`SET DRAW`, `SET NODRAW`; `SET DRAW EFT` names those *among* whom it would be."""

    draw: bool
    among: tuple[Power, ...] | None = None


@dataclass(frozen=True, slots=True)
class Concede(Spoken):
    """`SET CONCEDE R`, or None for `SET NOCONCEDE`."""

    to: Power | None


@dataclass(frozen=True, slots=True)
class SetPassword(Spoken):
    """`SET PASSWORD word`."""

    word: str = field(repr=False)


class Verb(Enum):
    """What is to be done with an address."""

    SET = "set"  # mail goes there from now on; the one before stays registered
    ADD = "add"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class ChangeAddress(Spoken):
    """`SET ADDRESS me@example.org`, `ADD ADDRESS ...`, `REMOVE ADDRESS ...`."""

    verb: Verb
    address: str


class Pace(Enum):
    """How soon somebody wants the mails that can wait."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    CRITICAL = "critical"  # not unless he asks for them


class Form(Enum):
    """What mails are made of, each with all that stands above it."""

    TEXT = "text"
    HTML = "html"
    PICTURES = "pictures"


class ResultPictures(Enum):
    """Which pictures an email with results has."""

    BOTH = "both"
    ORDERS = "orders"  # the board before the phase closed, with all orders
    POSITION = "position"  # the board afterwards


@dataclass(frozen=True, slots=True)
class SetMails(Spoken):
    """`SET MAILS AT ONCE`, `HOURLY`, `DAILY`, `CRITICAL`; `TEXT`, `HTML` or `PICTURES`.

    Also `SET MAILS BOTH PICTURES`, `ORDERS PICTURE`, `POSITION PICTURE`.
    """

    wish: Pace | Form | ResultPictures


@dataclass(frozen=True, slots=True)
class NewTokens(Spoken):
    """`NEW TOKENS`: the addresses in mails of ours that came into other hands are worthless."""


@dataclass(frozen=True, slots=True)
class Resign(Spoken):
    """`RESIGN` or `RESIGN game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Clear(Spoken):
    """`CLEAR` everything, or the orders of the units in *words* (`A Par`, `Brest`)."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manner:
    """How press goes out: *signed* by whom (`WHITE`, `GREY`, a power), None as the game has it.

    It is told that *named* read it, None as is true; *postal*, it waits for the next results;
    *quiet*, the receipt does not repeat it; *preview*, it is shown and not sent.
    """

    signed: str | None = None
    named: tuple[str, ...] | None = None
    postal: bool = False
    quiet: bool = False
    preview: bool = False


PLAIN = Manner()


@dataclass(frozen=True, slots=True)
class Press(Spoken):
    """`PRESS TO F,G` ... `ENDPRESS`.

    *recipients* are powers, `MASTER`, `OBSERVER`, or `ALL` alone; *unknown* the words that name
    nobody. Not *closed*, *lines* is the rest of the mail, and nothing of it is press or order.
    A signature in it was *cut* off; that and `ENDPRESS` are *beneath*.
    """

    recipients: tuple[str, ...]
    unknown: tuple[str, ...]
    lines: tuple[Line, ...]
    closed: bool
    manner: Manner = PLAIN
    cut: bool = False
    beneath: tuple[Line, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UnopenedPress(Spoken):
    """`ENDPRESS` that nothing opens below *lines*, or a letter of these that wants *opening*."""

    lines: tuple[Line, ...]
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Confirm(Spoken):
    """`YES` or `NO`, as the first line."""

    yes: bool


@dataclass(frozen=True, slots=True)
class UseThese(Spoken):
    """`USE THESE FOR F1902M`: what came for another phase is meant for this one."""

    code: str | None


@dataclass(frozen=True, slots=True)
class UnknownCommand(Spoken):
    """A line in the form of a command that there is not, and the nearest that there is.

    *advice* names what is said of a command of other judges.
    """

    word: str
    nearest: str | None
    advice: str | None = None


@dataclass(frozen=True, slots=True)
class OrderText(Spoken):
    """Lines that are no commands, one after another: orders, or prose between them."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class LineFailed(Spoken):
    """A line on which our code failed; *defect* says where."""

    defect: str


@dataclass(frozen=True, slots=True)
class TooMuch(Spoken):
    """The mail goes on from this line, and is not read further; *limit* is how much is."""

    limit: int


@dataclass(frozen=True, slots=True)
class NamedGame(Spoken):
    """`GAME dogger`: what is below is for that *game*; line 0 is the subject."""

    game: str


Said: TypeAlias = (
    SignOn
    | NamedGame
    | SignOff
    | Join
    | SetPreference
    | Help
    | ListGames
    | Status
    | History
    | Summary
    | WhoGame
    | ShowMap
    | WhyOrder
    | Preview
    | SetZone
    | SetHandle
    | SetLanguage
    | SetWait
    | SetReady
    | SetDraw
    | Concede
    | SetPassword
    | ChangeAddress
    | NewTokens
    | SetMails
    | Resign
    | Clear
    | Press
    | UnopenedPress
    | Confirm
    | UseThese
    | UnknownCommand
    | OrderText
    | LineFailed
    | TooMuch
    | TableSaid
    | PlaceSaid
    | MemoirSaid
    | PhaseSaid
)
