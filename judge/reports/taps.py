"""What a reader is likely to answer, each a mail that one tap on its link has written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, assert_never
from urllib.parse import quote

from judge.reports.answers import GameList, Status
from judge.reports.contexts import (
    GameStart,
    Joined,
    LateNotice,
    Letter,
    PhaseResults,
    PressOrOrders,
    Receipt,
    Reminder,
    Takeover,
)
from judge.reports.duties import Duty, Nothing, ToBuild, ToMove, ToRemove, ToRetreat
from judge.reports.greetings import (
    Answer,
    AskedAgain,
    AtTheDoor,
    ConfirmAddress,
    ConfirmJoin,
    ConfirmMail,
    ConfirmModerator,
    Doubt,
    Help,
    Unknown,
)
from judge.reports.items import HandleOffered
from judge.reports.languages import SOURCE
from judge.reports.names import brief_unit
from judge.reports.news import Offered, Proposed, TableNews
from judge.reports.standing import State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judge.reports.contexts import Context
    from judge.rules.board import Map

T = TypeVar("T", bound="Context")
LINES_MAX = 34  # the longest set of orders


@dataclass(frozen=True, slots=True)
class Tap:
    """A mail to be sent: its *text*, and the *word* by which the templates know it."""

    word: str
    text: str

    def link(self, answer: Answer) -> str:
        """Return the link that writes it (RFC 6068)."""
        subject = f"{self.word.upper().replace('_', ' ')} {answer.tag}".strip()
        lines = "\r\n".join(self.text.split("\n"))
        to = quote(answer.address, safe="@")
        return f"mailto:{to}?subject={quote(subject)}&body={quote(lines)}"


def taps(context: Context) -> tuple[Tap, ...]:
    """Return what the reader of *context* is likely to answer."""
    return (*_orders(context), *_votes(context), *_words(context))


def addressed(
    context: T,
    answer: Answer | None,
    zone: str | None,
    language: str = SOURCE,
    *,
    gathered: bool = False,
) -> T:
    """Return *context* for a reader who answers to *answer*, and reads *language*.

    He lives by *zone*, if he says so. It may stand among others that are *gathered*.
    """
    zone = zone or context.heading.zone
    heading = replace(
        context.heading, answer=answer, zone=zone, language=language, gathered=gathered
    )
    return replace(context, heading=heading)


def _orders(context: Context) -> Iterator[Tap]:
    """Yield the orders to be filled in, one line a unit; what is left as it is orders nothing."""
    match context:
        case PhaseResults() | GameStart() | LateNotice() | Takeover() | Reminder():
            board, duty = context.heading.board, context.duty
        case _:
            return
    lines = _lines(board, duty)[:LINES_MAX] if board and duty else ()
    if lines:
        yield Tap("orders", "\n".join(lines))


def _lines(board: Map, duty: Duty) -> Sequence[str]:
    match duty:
        case ToMove(units=units):
            return [f"{brief_unit(board, unit)} " for unit in units]
        case ToRetreat(units=dislodged):
            return [f"{brief_unit(board, each.unit)} " for each in dislodged]
        case ToBuild(number=number):
            return ["Build "] * number
        case ToRemove(number=number):
            return ["Remove "] * number
        case Nothing():
            return ()
        case _:
            assert_never(duty)


def _votes(context: Context) -> Iterator[Tap]:
    """Yield what the reader may say of the open phase beside his orders."""
    match context:
        case TableNews(news=Proposed(number=number)):
            yield Tap("yes", f"VOTE {number} YES")
            yield Tap("no", f"VOTE {number} NO")
            return
        case Receipt(state=State() as state) | Reminder(state=state) | Status(states=(state,)):
            pass
        case _:
            return
    if state.to_order:
        yield Tap("nowait", "NOWAIT") if state.waiting else Tap("wait", "WAIT")
    if state.waits_for_ready:
        yield Tap("ready", "READY")
    yield Tap("nodraw", "NO DRAW") if state.draw else Tap("draw", "DRAW")


def _words(context: Context) -> Iterator[Tap]:
    match context:
        case ConfirmMail(doubt=Doubt.MANY):
            words: tuple[str, ...] = ()
        case (
            ConfirmMail()
            | AskedAgain()
            | ConfirmJoin()
            | ConfirmAddress()
            | ConfirmModerator()
            | TableNews(news=Offered())
        ):
            words = ("yes", "no")
        case PressOrOrders(settled=""):
            return iter([Tap("as_press", "PRESS"), Tap("as_orders", "ORDERS"), Tap("no", "NO")])
        case Help() | GameList() | Unknown() | AtTheDoor():
            words = ("list", "help")
        case PhaseResults() | GameStart() | LateNotice() | Takeover() | Joined():
            words = ("status", "help")
        case Receipt(said=said) if offers := [e for e in said if isinstance(e, HandleOffered)]:
            return iter([Tap("handle", f"SET HANDLE {offers[0].offered}"), Tap("help", "HELP")])
        case Reminder() | Receipt() | Status():
            words = ("help",)
        case Letter(answerable=True) if context.heading.gathered:
            return iter([Tap("answer", "")])
        case _:
            words = ()
    return (Tap(word, word.upper()) for word in words)
