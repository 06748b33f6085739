"""Confirmation questions, and replies to unknown or doubtful senders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from judge.reports.emails.contexts import (
    Context,
    SuggestedReply,
    command_reply,
    replies_to,
    word_replies,
)
from judge.reports.emails.receipts import WishChoice
from judge.reports.languages import SOURCE
from judge.rules.board import Map
from judge.rules.types import Power


def _yes_or_no(code: str) -> tuple[SuggestedReply, ...]:
    """Return the replies to a question; YES has the *code* that it needs, if any."""
    return (SuggestedReply("yes", f"YES {code}".strip()), *word_replies("no"))


GAMES_NAMED_MAX, TAPPED_LETTERS_MAX = 10, 600  # an email that is sent again by one tap


class JoinRequest(Enum):
    """A stranger's request to a game, by its command."""

    PLAY = "JOIN"
    WAIT = "STANDBY"
    OBSERVE = "OBSERVE"
    CREATE = "CREATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmJoin(Context):
    """A stranger wants to play, be a standby or observe, and must confirm.

    Without a *game*, any game will do. If no listed game has that name, *near* are listed ones
    like it: it is not shown whether an unlisted one has it. They would like the *power*, or have
    *preferences*, best first; *unread* are their words that should name powers, or set house
    rules, and do not. A new game has these *rules*. For one that is *full* they can only be a
    standby.
    """

    game: str
    power: Power | None = None
    wish: JoinRequest = JoinRequest.PLAY
    near: tuple[str, ...] | None = None
    unread: str = ""
    preferences: tuple[tuple[Power, ...], ...] = ()
    rules: tuple[str, ...] = ()
    full: bool = False

    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("yes", "no")


class JoinRefusal(Enum):
    """A reason not to ask a stranger whether they want to join a game."""

    NO_GAME = "no_game"  # no game can have such a name
    OVER = "over"
    ASKED = "asked"  # today, and nothing was answered yet


@dataclass(frozen=True, slots=True, kw_only=True)
class CannotJoin(Context):
    """A stranger cannot join *game* now; listed games with names like it are *near*."""

    game: str
    door: JoinRefusal
    near: tuple[str, ...] = ()

    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("list", "help")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain(Context):
    """The answer to a question was unclear, or lacked a *code*; *purpose* names the question.

    A held email has *lines* and the time it was *received*; a question about moderating has a
    *game*. An answer that is *marked* as automatic counts by its code alone.
    """

    purpose: str
    received: datetime | None = None
    lines: tuple[str, ...] = ()
    game: str | None = None
    code: str = ""
    marked: bool = False

    def replies(self) -> tuple[SuggestedReply, ...]:
        return _yes_or_no(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyAnswered(Context):
    """The question was answered before (the email *counted* or not), or was asked *elsewhere*."""

    counted: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class HeldEmail:
    """A held email: its *number*, when it was *received*, and its text."""

    number: int
    received: datetime
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAnswer(Context):
    """The reader gets no further answer today."""


class ConfirmationReason(Enum):
    """A reason to ask for confirmation of an email."""

    ELSEWHERE = "elsewhere"  # it came from an address that is not registered
    OLD_TOKEN = "old_token"  # noqa: S105 - it answers an email whose reply address no longer counts
    CLOSED_PHASE = "closed_phase"  # it answers an email about a phase that is over
    UNPROVEN = "unproven"  # nothing shows that it is from the address that it names
    RESIGN = "resign"  # always confirmed, as are the next two
    ADDRESS = "address"
    MODERATOR = "moderator"
    MANY = "many"  # too many came to ask about each


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMail(Context):
    """An email in the reader's name awaits confirmation of its *lines*, because of *doubt*.

    The password of a SIGNON in it may have been *refused*. If it has a *code*, only that confirms
    it. *readdressed* is set if it showed the reply address to others. If many came, *waiting* are
    the oldest of the *count* that the reader is not asked about.
    """

    received: datetime
    lines: tuple[str, ...]
    doubt: ConfirmationReason
    code: str = ""
    refused: bool = False
    readdressed: bool = False
    waiting: tuple[HeldEmail, ...] = ()
    count: int = 0

    def replies(self) -> tuple[SuggestedReply, ...]:
        return () if self.doubt is ConfirmationReason.MANY else _yes_or_no(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmAddress(Context):
    """A player wants email at *address*, which its reader must confirm with the *code*."""

    address: str
    code: str

    def replies(self) -> tuple[SuggestedReply, ...]:
        return _yes_or_no(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmModerator(Context):
    """The moderator of *game* asks the reader to take over, who must agree with the *code*."""

    game: str
    code: str

    def replies(self) -> tuple[SuggestedReply, ...]:
        return _yes_or_no(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanged(Context):
    """The reader has another registered *address*, which is the *primary* one or not."""

    address: str
    primary: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownSender(Context):
    """The email names neither its sender nor its game.

    *signs_on* says that it has a SIGNON with an unknown seat or a wrong password. A player of
    several *games* is asked which of them the *lines* are about; they may also have *meant* to
    enter another one.
    """

    signs_on: bool = False
    games: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()

    def replies(self) -> tuple[SuggestedReply, ...]:
        text = "\n".join(self.lines)
        if not self.games:
            return word_replies("list", "help")
        tapped = self.games if len(text) <= TAPPED_LETTERS_MAX else ()
        about = (SuggestedReply(f"game_{each}", f"GAME {each}\n{text}") for each in tapped)
        return (*map(command_reply, self.meant), *about)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenGame:
    """A game that a stranger can enter: its *board*, *language* and pace, and its free seats."""

    name: str
    board: Map
    movement: timedelta
    places: int
    vacant: tuple[Power, ...] = ()
    language: str = SOURCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Door(Context):
    """The first answer to a stranger: what this is, the open *games*, and a way to stop.

    They may have *meant* one of some commands. Their email may have *orders*, or words in the
    place of commands (*no_commands*); it may take back an earlier one (*takes_back*), ask in which
    languages they can play (*asks_language*), or have *denied* what the judge asked, which leaves
    only what is meant. The second unclear email of a day is answered *again*, with the commands.
    *languages* are the other ones.
    """

    games: tuple[OpenGame, ...]
    meant: tuple[WishChoice, ...] = ()
    orders: tuple[str, ...] = ()
    no_commands: tuple[str, ...] = ()
    again: bool = False
    takes_back: bool = False
    denied: bool = False
    asks_language: bool = False
    languages: tuple[str, ...] = ()

    def replies(self) -> tuple[SuggestedReply, ...]:
        meant = (each.command for each in self.meant)
        entering = (line for game in self.games for line in _ways_into(game))
        switching = (f"SET LANGUAGE {each.upper()}" for each in self.languages)
        lines = dict.fromkeys((*meant, *entering, *switching, "STOP"))
        return tuple(map(command_reply, lines))


ENTERING = ("JOIN", "OBSERVE", "STANDBY", "CREATE")  # the commands of strangers


def _ways_into(game: OpenGame) -> Iterator[str]:
    if game.places:
        yield f"JOIN {game.name}"
    elif game.vacant:
        yield f"JOIN {game.name} {game.vacant[0]}"
    yield f"OBSERVE {game.name}"


def offer_of_door(pages: Sequence[Context]) -> str | None:
    """Return what the door among *pages* offers, as JSON: what may be meant, and all ways in."""
    door = next((each for each in pages if isinstance(each, Door)), None)
    if door is None:
        return None
    meant = [each.command for each in door.meant if each.command.split()[0] in ENTERING]
    taps = (each.text for each in replies_to(pages))
    ways = [each for each in taps if each.startswith(("JOIN ", "OBSERVE "))]
    return json.dumps({"meant": meant, "ways": ways})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Context):
    """The reader, a stranger, wants no more emails: this is the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostReply(Context):
    """The reader replied to an email that the judge lost when it was restored from a backup."""

    paused: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable(Context):
    """The reader's email, which was *received* then, could not be read, or not in time."""

    received: datetime
    too_long: bool = False
