"""Press for its recipients, and the reply to its sender."""

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

    *handle* names an observer who wrote it. If the game allows fakes it is *doubtful*. It is not
    *answerable* as part of another email.
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
    """The answer to a reply to press: its recipients, if they may be known, or the refusal.

    *unsigned* says that its reader does not learn who wrote it, *lines* what they read if it must
    not betray the writer; *struck* are the names that ended the message.
    """

    recipients: tuple[str, ...]
    refused: Why | None
    unsigned: bool = False
    lines: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PressOrOrders(Context):
    """A question about a reply to press, whether it is press or orders.

    *writer* may be unknown; the reply was *received* then. It holds lines that look like *orders*,
    *commands* or press to *others*; or its blocks were *obeyed*, and the *rest* is unclear.
    *settled* is the answer, if any: `press`, `orders` or `neither`; *again* says that the answer
    was not understood.
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


def press_email(  # noqa: PLR0913 - its sender, its readers and its form
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
    """Relay *text* as *sent* describes it, or plainly if *honest*.

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
    """Return the sender that *letter* shows, as mail clients list it: `England (blitz)`."""
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
    result: PressAccepted | PressReturned,
    *,
    judge_code: str,
) -> PressEcho:
    """Answer a reply to press with *result*; *recipients* are empty if secret."""
    gone = result if isinstance(result, PressAccepted) else None
    return PressEcho(
        heading=heading_of(board, game, judge_code),
        recipients=recipients,
        refused=None if isinstance(result, PressAccepted) else result.why,
        unsigned=bool(gone and gone.signed is None),
        lines=gone.lines if gone else (),
        struck=gone.struck if gone else (),
    )


@dataclass(frozen=True, slots=True)
class PressAccepted:
    """Press of *sender* for *recipients*; *lines* are what they read, if that differs.

    They see it *signed* by its writer, by another, or unsigned (None), and the readers *named* if
    these are not the true ones. *postal* press comes with the next results; a *preview* was not
    sent. In a *gunboat* game players are anonymous. *struck* are the names that ended the message.
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
    """These *lines* end like press, but do not open like it; they were not sent.

    They may address a power, but without the *opening* of press.
    """

    lines: tuple[str, ...]
    opening: str = ""


@dataclass(frozen=True, slots=True)
class OrdersInPressOffered:
    """Orders in held press of an email without other orders."""


@dataclass(frozen=True, slots=True)
class PressOffered:
    """Press without an opening, alone in its email: it can go *to* the powers it addresses."""

    to: tuple[str, ...]
