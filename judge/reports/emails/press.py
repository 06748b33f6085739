"""Press as its recipients get it, and what its sender is told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.game.decision import Why
from judge.game.game_state import Game
from judge.game.house_rules import Fakes
from judge.game.press import PressSent
from judge.reports.board_names import power_name
from judge.reports.emails.contexts import Context, SuggestedReply, heading_of
from judge.reports.languages import translate
from judge.rules.board import Map


@dataclass(frozen=True, slots=True, kw_only=True)
class PressEmail(Context):
    """Press, signed by *sender*, None if unsigned; *broadcast* if all others get it.

    *handle* names an observer who wrote it. In a game where fakes are allowed it is *doubtful*.
    It is not *answerable* where it stands among other things.
    """

    sender: str | None
    recipients: tuple[str, ...]
    broadcast: bool
    text: str
    handle: str = ""
    doubtful: Fakes = Fakes.NONE
    answerable: bool = True

    def replies(self) -> tuple[SuggestedReply, ...]:
        linked = self.answerable and self.heading.gathered
        return (SuggestedReply("answer", ""),) if linked else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressEcho(Context):
    """The answer to a reply to press: to whom it went, if that may be told, or why it did not.

    *unsigned* says that its reader is not told who wrote, *lines* what they read, where it must
    not betray that; *struck* are the names that closed it.
    """

    recipients: tuple[str, ...]
    refused: Why | None
    unsigned: bool = False
    lines: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressOrOrders(Context):
    """A reply to press of *writer*, who may be unknown, was *received*; what is it meant as.

    It holds lines that look like *orders*, are *commands* or letters to *others*; or its blocks
    were *obeyed*, and the *rest* is not clear. If the question was answered, *settled* is how:
    `press`, `orders` or `neither`; it is asked *again* if the answer was not understood.
    """

    received: datetime
    writer: str | None = None
    orders: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    obeyed: bool = False
    settled: str = ""
    again: bool = False

    def replies(self) -> tuple[SuggestedReply, ...]:
        if self.settled:
            return ()
        return (
            SuggestedReply("as_press", "PRESS"),
            SuggestedReply("as_orders", "ORDERS"),
            SuggestedReply("no", "NO"),
        )


def press_email(  # noqa: PLR0913 - who told it of what, and how it is to be read
    board: Map,
    game: Game,
    sent: PressSent,
    text: str,
    *,
    judge_code: str,
    honest: bool = False,
    handle: str = "",
    answerable: bool = True,
) -> PressEmail:
    """Relay *text* as *sent* tells of itself, or as it is, to be *honest*.

    *handle* is the name of an observer who wrote it.
    """
    signed = sent.sender if honest else sent.signed
    named = sent.recipients if honest else sent.named
    return PressEmail(
        heading=heading_of(board, game, judge_code),
        sender=signed,
        handle=handle,
        recipients=named,
        broadcast=set(board.powers) - {signed} <= set(named),
        text=text,
        doubtful=game.house_rules.fakes if not honest else Fakes.NONE,
        answerable=answerable,
    )


def press_sender_name(letter: PressEmail, language: str) -> str:
    """Return whom *letter* seems to come from, as mail clients list it: `England (blitz)`."""
    board, game = letter.heading.board, letter.heading.game
    assert board, "press is about a game"
    name = (
        power_name(board, letter.sender, language)
        if letter.sender
        else translate(language, "Press")
    )
    return f"{name} ({game})"


def press_echo(
    board: Map,
    game: Game,
    recipients: tuple[str, ...],
    told: PressAccepted | PressReturned,
    *,
    judge_code: str,
) -> PressEcho:
    """Answer a reply to press, of which *told* accounts; *recipients* are none if secret."""
    gone = told if isinstance(told, PressAccepted) else None
    return PressEcho(
        heading=heading_of(board, game, judge_code),
        recipients=recipients,
        refused=None if isinstance(told, PressAccepted) else told.why,
        unsigned=bool(gone and gone.signed is None),
        lines=gone.lines if gone else (),
        struck=gone.struck if gone else (),
    )


@dataclass(frozen=True, slots=True)
class PressAccepted:
    """Press of *sender* went to *recipients*; *lines* show what they read, where that matters.

    They see it *signed* by its writer, by another, or unsigned (None); and that *named* read
    it, empty if that is so. *postal*, it comes with the next results; a *preview* was not sent.
    In a *gunboat* players are anonymous. *struck* are the names that closed it.
    """

    sender: str
    recipients: tuple[str, ...]
    lines: tuple[str, ...] = ()
    signed: str | None = None
    named: tuple[str, ...] = ()
    postal: bool = False
    preview: bool = False
    gunboat: bool = False
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressReturned:
    """Press that was not sent, with its *lines*; *why* is None if its ENDPRESS was missing."""

    lines: tuple[str, ...]
    why: Why | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PressWithoutOpening:
    """Nothing was done with *lines*, which end as press does, and begin as nothing does.

    Or they begin as a letter to a power, but not with the *opening* of press.
    """

    lines: tuple[str, ...]
    opening: str = ""


@dataclass(frozen=True, slots=True)
class OrdersInPressOffered:
    """Letters that were held have orders in them, and nothing else in the mail has."""


@dataclass(frozen=True, slots=True)
class PressOffered:
    """The letter that was not opened as press is all that the mail says: it can go *to* them."""

    to: tuple[str, ...]
