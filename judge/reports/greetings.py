"""What every mail begins with, and the mails that are about no game: to strangers, to confirm."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from judge.rules.types import Phase, PhaseKind

if TYPE_CHECKING:
    from datetime import datetime

    from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer to a mail goes, and the *tag* that its subject must have, if any."""

    address: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines that every mail begins with, and what its dates and places are named by.

    A mail to a stranger has neither game nor board; a game that forms or is over has no deadline.
    *answer* is None for what is answered in words only; *language* is the reader's. What is
    *gathered* may stand within another mail, so that a reply to that is no answer to it.
    """

    judge_code: str
    game: str | None = None
    board: Map | None = None
    anonymous: bool = False
    phase: Phase | None = None
    deadline: datetime | None = None
    zone: str = "UTC"
    over: bool = False
    answer: Answer | None = None
    language: str = "en"
    gathered: bool = False

    @property
    def deadline_code(self) -> str | None:
        """Return the phase as judges write it on the deadline line: adjustments are `F1901B`.

        FEATURES of judges: a game that is over has an X behind its last phase.
        """
        if self.phase is None:
            return None
        adjusting = self.phase.kind is PhaseKind.ADJUSTMENTS
        code = f"F{self.phase.year}B" if adjusting else self.phase.code
        return code + "X" if self.over else code


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """What can be said to the judge, or about one command."""

    heading: Heading
    topic: str
    asked: str | None


class Wish(Enum):
    """What a stranger wants of a game, in the word that he wrote."""

    PLAY = "JOIN"
    WAIT = "STANDBY"
    OBSERVE = "OBSERVE"
    CREATE = "CREATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmJoin:
    """A stranger wants to play, to wait for a place, or to look on: he has to say it again.

    No *game* is any game. If none of that name is listed, *near* are the listed ones like it.
    """

    heading: Heading
    game: str
    power: str | None
    wish: Wish = Wish.PLAY
    near: tuple[str, ...] | None = None


class Door(Enum):
    """Why a stranger is not asked whether they want to join a game."""

    NO_GAME = "no_game"  # no game can have such a name
    OVER = "over"
    ASKED = "asked"  # today, and nothing was answered yet


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTheDoor:
    """A stranger cannot join *game* now; listed games with names like it are *near*."""

    heading: Heading
    game: str
    door: Door
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain:
    """The answer to a question was neither yes nor no; *purpose* says which question it was.

    A held email has *lines*, and was *received*; a question about moderating names its *game*.
    """

    heading: Heading
    purpose: str
    received: datetime | None = None
    lines: tuple[str, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The question was answered before (the email *counted* or not), or was asked *elsewhere*."""

    heading: Heading
    counted: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class HeldLine:
    """An email that waits: its *number*, when it was *received*, what it says."""

    number: int
    received: datetime
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAnswer:
    """The reader gets no further answer today."""

    heading: Heading


class Doubt(Enum):
    """Why somebody is asked whether a mail is his."""

    ELSEWHERE = "elsewhere"  # it came from an address that is not registered
    OLD_TOKEN = "old_token"  # noqa: S105 - it answers a mail whose address is worthless by now
    CLOSED_PHASE = "closed_phase"  # it answers a mail of a phase that is over
    UNPROVEN = "unproven"  # nothing shows that it is from the address that it names
    RESIGN = "resign"  # this is asked back whoever writes, as is the next
    ADDRESS = "address"
    MANY = "many"  # so many came that nobody is asked about each


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMail:
    """A mail that names the reader came: its *lines* wait for his word, because of *doubt*.

    The password of a SIGNON in it may have been *refused*. If many came, *waiting* are the oldest
    of the *count* that the reader is not asked about one by one.
    """

    heading: Heading
    received: datetime
    lines: tuple[str, ...]
    doubt: Doubt
    refused: bool = False
    waiting: tuple[HeldLine, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmAddress:
    """A player wants mail at *address*: whoever reads it has to say that he is that player."""

    heading: Heading
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmModerator:
    """The moderator of *game* wants the reader to moderate it in his place."""

    heading: Heading
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanged:
    """The reader has another registered *address*, which is the *primary* one or not."""

    heading: Heading
    address: str
    primary: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Nothing in the mail says who writes or of which game.

    That its writer *signs_on* says it neither: there is no such seat, or password.
    """

    heading: Heading
    signs_on: bool = False
    again: bool = False  # the second such mail of a day
    no_commands: tuple[str, ...] = ()  # words in the place of commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """The reader's mail, which was *received*, could not be read."""

    heading: Heading
    received: datetime
