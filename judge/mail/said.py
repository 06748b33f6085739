"""What a mail can say: one frozen class a command or block, with the line it stands in.

A *text* is the line as written, but with `***` for a password; no `repr` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.vocabulary import Power

MASTER, OBSERVER, ALL = (
    "MASTER",
    "OBSERVER",
    "ALL",
)  # Who is written to, or signs on, beside powers.


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Where something is said, *line* counted from 1 in the decoded body."""

    line: int
    text: str = field(repr=False)


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
    """`JOIN game`, perhaps a vacant *power* of it, perhaps with preferences, best group first."""

    game: str
    power: Power | None = None
    preferences: tuple[tuple[Power, ...], ...] = ()
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SetPreference(Spoken):
    """`SET PREFERENCE FTG[IE]*`: best group first, those in brackets equal, `*` the others."""

    preferences: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class Help(Spoken):
    """`HELP` or `HELP topic`."""

    topic: str | None


@dataclass(frozen=True, slots=True)
class ListGames(Spoken):
    """`LIST` or `LIST game`."""

    game: str | None


@dataclass(frozen=True, slots=True)
class Status(Spoken):
    """`STATUS` or `STATUS game`."""

    game: str | None


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
    """`SET DRAW`, `SET NODRAW`."""

    draw: bool


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


@dataclass(frozen=True, slots=True)
class SetMails(Spoken):
    """`SET MAILS AT ONCE`, `HOURLY`, `DAILY` or `CRITICAL`."""

    pace: Pace


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
class NamedPhase(Spoken):
    """`PHASE FALL 1902 MOVEMENT`, or just `F1902M`: the orders are for that phase."""

    code: str


@dataclass(frozen=True, slots=True)
class Press(Spoken):
    """`PRESS TO F,G` ... `ENDPRESS`.

    *recipients* are powers, `MASTER`, `OBSERVER`, or `ALL` alone; *unknown* the words that name
    nobody. Not *closed*, *lines* is the rest of the mail, and nothing of it is press or order.
    """

    recipients: tuple[str, ...]
    unknown: tuple[str, ...]
    lines: tuple[Line, ...]
    closed: bool


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
    """A line in the form of a command that there is not, and the nearest that there is."""

    word: str
    nearest: str | None


@dataclass(frozen=True, slots=True)
class OrderText(Spoken):
    """Lines that are no commands, one after another: orders, or prose between them."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TooMuch(Spoken):
    """The mail goes on from this line, and is not read further; *limit* is how much is."""

    limit: int


Said: TypeAlias = (
    SignOn
    | SignOff
    | Join
    | SetPreference
    | Help
    | ListGames
    | Status
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
    | NamedPhase
    | Press
    | Confirm
    | UseThese
    | UnknownCommand
    | OrderText
    | TooMuch
)
