"""Confirmation questions, and replies to unknown or doubtful senders."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from judge.overriding import override
from judge.reports.emails.contexts import Context, Heading, SuggestedReply, word_replies

if TYPE_CHECKING:
    from datetime import datetime


class JoinRequest(Enum):
    """What a stranger wants of a game, in the word that he wrote."""

    PLAY = "JOIN"
    WAIT = "STANDBY"
    OBSERVE = "OBSERVE"
    CREATE = "CREATE"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmJoin(Context):
    """A stranger wants to play, to wait for a place, or to look on: he has to say it again.

    No *game* is any game. If none of that name is listed, *near* are the listed ones like it.
    """

    game: str
    power: str | None
    wish: JoinRequest = JoinRequest.PLAY
    near: tuple[str, ...] | None = None

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("yes", "no")


class JoinRefusal(Enum):
    """Why a stranger is not asked whether they want to join a game."""

    NO_GAME = "no_game"  # no game can have such a name
    OVER = "over"
    ASKED = "asked"  # today, and nothing was answered yet


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTheDoor(Context):
    """A stranger cannot join *game* now; listed games with names like it are *near*."""

    game: str
    door: JoinRefusal
    near: tuple[str, ...] = ()

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("list", "help")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedAgain(Context):
    """The answer to a question was neither yes nor no; *purpose* says which question it was.

    A held email has *lines*, and was *received*; a question about moderating names its *game*.
    """

    purpose: str
    received: datetime | None = None
    lines: tuple[str, ...] = ()
    game: str | None = None

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Context):
    """The question was answered before (the email *counted* or not), or was asked *elsewhere*."""

    counted: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class HeldEmail:
    """An email that waits: its *number*, when it was *received*, what it says."""

    number: int
    received: datetime
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastAnswer(Context):
    """The reader gets no further answer today."""


class ConfirmationReason(Enum):
    """Why somebody is asked whether a mail is his."""

    ELSEWHERE = "elsewhere"  # it came from an address that is not registered
    OLD_TOKEN = "old_token"  # noqa: S105 - it answers a mail whose address is worthless by now
    CLOSED_PHASE = "closed_phase"  # it answers a mail of a phase that is over
    UNPROVEN = "unproven"  # nothing shows that it is from the address that it names
    RESIGN = "resign"  # this is asked back whoever writes, as is the next
    ADDRESS = "address"
    MANY = "many"  # so many came that nobody is asked about each


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMail(Context):
    """A mail that names the reader came: its *lines* wait for his word, because of *doubt*.

    The password of a SIGNON in it may have been *refused*. If many came, *waiting* are the oldest
    of the *count* that the reader is not asked about one by one.
    """

    received: datetime
    lines: tuple[str, ...]
    doubt: ConfirmationReason
    refused: bool = False
    waiting: tuple[HeldEmail, ...] = ()
    count: int = 0

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return () if self.doubt is ConfirmationReason.MANY else word_replies("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmAddress(Context):
    """A player wants mail at *address*: whoever reads it has to say that he is that player."""

    address: str

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmModerator(Context):
    """The moderator of *game* wants the reader to moderate it in his place."""

    game: str

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressChanged(Context):
    """The reader has another registered *address*, which is the *primary* one or not."""

    address: str
    primary: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown(Context):
    """Nothing in the mail says who writes or of which game.

    That its writer *signs_on* says it neither: there is no such seat, or password.
    """

    signs_on: bool = False
    again: bool = False  # the second such mail of a day
    no_commands: tuple[str, ...] = ()  # words in the place of commands

    @override
    def replies(self) -> tuple[SuggestedReply, ...]:
        return word_replies("list", "help")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable(Context):
    """The reader's mail, which was *received*, could not be read."""

    received: datetime


def confirm_join(
    game: str,
    power: str | None,
    wish: JoinRequest = JoinRequest.PLAY,
    near: tuple[str, ...] | None = None,
    *,
    judge_code: str,
) -> ConfirmJoin:
    """Ask whether somebody wants to play *game*, or looks on.

    Unless it is listed, *near* are the listed games like it, and nothing says whether it exists.
    """
    return ConfirmJoin(heading=Heading(judge_code), game=game, power=power, wish=wish, near=near)


def cannot_join(
    game: str, door: JoinRefusal, near: tuple[str, ...] = (), *, judge_code: str
) -> AtTheDoor:
    """Tell a stranger why they cannot join *game* now."""
    return AtTheDoor(heading=Heading(judge_code), game=game, door=door, near=near)


def asked_again(
    purpose: str,
    received: datetime | None,
    lines: tuple[str, ...],
    game: str | None,
    *,
    judge_code: str,
) -> AskedAgain:
    """Say that an answer was neither yes nor no, and what was asked."""
    return AskedAgain(
        heading=Heading(judge_code), purpose=purpose, received=received, lines=lines, game=game
    )


def already_answered(*, counted: bool, judge_code: str) -> Settled:
    """Say that a question was answered before."""
    return Settled(heading=Heading(judge_code), counted=counted)


def asked_at_another_address(*, judge_code: str) -> Settled:
    """Say that a question can only be answered from the address that was asked."""
    return Settled(heading=Heading(judge_code), elsewhere=True)


def held_emails(
    received: datetime, lines: tuple[HeldEmail, ...], count: int, *, judge_code: str
) -> ConfirmMail:
    """Tell a player which emails in their name wait, about which nobody asks one by one."""
    return ConfirmMail(
        heading=Heading(judge_code),
        received=received,
        lines=(),
        doubt=ConfirmationReason.MANY,
        waiting=lines,
        count=count,
    )


def last_answer(*, judge_code: str) -> LastAnswer:
    """Say that an address gets no further answer today."""
    return LastAnswer(heading=Heading(judge_code))


def confirm_mail(
    received: datetime,
    lines: tuple[str, ...],
    doubt: ConfirmationReason,
    *,
    refused: bool = False,
    judge_code: str,
) -> ConfirmMail:
    """Ask whether a mail is the reader's own, showing its *lines*; its password was *refused*."""
    return ConfirmMail(
        heading=Heading(judge_code), received=received, lines=lines, doubt=doubt, refused=refused
    )


def confirm_address(address: str, *, judge_code: str) -> ConfirmAddress:
    """Ask whoever reads *address* whether he is the player who wants mail there."""
    return ConfirmAddress(heading=Heading(judge_code), address=address)


def confirm_moderator(game: str, *, judge_code: str) -> ConfirmModerator:
    """Ask whether somebody whom its moderator has named moderates *game* from now on."""
    return ConfirmModerator(heading=Heading(judge_code), game=game)


def address_changed(address: str, *, primary: bool, judge_code: str) -> AddressChanged:
    """Tell a player, wherever he is registered, that *address* is one of his now."""
    return AddressChanged(heading=Heading(judge_code), address=address, primary=primary)


def unknown(
    *,
    judge_code: str,
    signs_on: bool = False,
    again: bool = False,
    no_commands: tuple[str, ...] = (),
) -> Unknown:
    """Say that nothing told who writes of which game.

    Nor did a SIGNON if it *signs_on* nobody. Told *again*, it says more. The words in
    *no_commands* were written as commands.
    """
    return Unknown(
        heading=Heading(judge_code), signs_on=signs_on, again=again, no_commands=no_commands
    )


def unreadable(received: datetime, *, judge_code: str) -> Unreadable:
    """Tell a player that his mail could not be read."""
    return Unreadable(heading=Heading(judge_code), received=received)
