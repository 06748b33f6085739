"""The replies that an email suggests, each a mailto link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never
from urllib.parse import quote

from judge.reports.board_names import short_unit
from judge.reports.emails.confirmation_emails import (
    AskedAgain,
    AtTheDoor,
    ConfirmAddress,
    ConfirmationReason,
    ConfirmJoin,
    ConfirmMail,
    ConfirmModerator,
    Unknown,
)
from judge.reports.emails.game_news import Offered, Proposed, TableNews
from judge.reports.emails.game_start import GameStart, Joined
from judge.reports.emails.heading import Answer
from judge.reports.emails.help_pages import Help
from judge.reports.emails.listings import GameList, Status
from judge.reports.emails.notices import LateNotice, Reminder, Takeover
from judge.reports.emails.order_status import (
    Nothing,
    OrdersDue,
    OrderStatus,
    ToBuild,
    ToMove,
    ToRemove,
    ToRetreat,
)
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.emails.press import Letter, PressOrOrders
from judge.reports.emails.receipts import HandleOffered, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from judge.reports.emails.contexts import Context
    from judge.rules.board import Map

ORDER_LINES_MAX = 34  # the longest set of orders


@dataclass(frozen=True, slots=True)
class SuggestedReply:
    """A mail to be sent: its *text*, and the *word* by which the templates know it."""

    word: str
    text: str

    def link(self, answer: Answer) -> str:
        """Return the link that writes it (RFC 6068)."""
        subject = f"{self.word.upper().replace('_', ' ')} {answer.tag}".strip()
        lines = "\r\n".join(self.text.split("\n"))
        to = quote(answer.address, safe="@")
        return f"mailto:{to}?subject={quote(subject)}&body={quote(lines)}"


def suggested_replies(context: Context) -> tuple[SuggestedReply, ...]:
    """Return what the reader of *context* is likely to answer."""
    return (*_order_forms(context), *_vote_replies(context), *_word_replies(context))


def _order_forms(context: Context) -> Iterator[SuggestedReply]:
    """Yield the orders to be filled in, one line a unit; what is left as it is orders nothing."""
    match context:
        case PhaseResults() | GameStart() | LateNotice() | Takeover() | Reminder():
            board, duty = context.heading.board, context.duty
        case _:
            return
    lines = _order_lines(board, duty)[:ORDER_LINES_MAX] if board and duty else ()
    if lines:
        yield SuggestedReply("orders", "\n".join(lines))


def _order_lines(board: Map, duty: OrdersDue) -> Sequence[str]:
    match duty:
        case ToMove(units=units):
            return [f"{short_unit(board, unit)} " for unit in units]
        case ToRetreat(units=dislodged):
            return [f"{short_unit(board, each.unit)} " for each in dislodged]
        case ToBuild(number=number):
            return ["Build "] * number
        case ToRemove(number=number):
            return ["Remove "] * number
        case Nothing():
            return ()
        case _:
            assert_never(duty)


def _vote_replies(context: Context) -> Iterator[SuggestedReply]:
    """Yield what the reader may say of the open phase beside his orders."""
    match context:
        case TableNews(news=Proposed(number=number)):
            yield SuggestedReply("yes", f"VOTE {number} YES")
            yield SuggestedReply("no", f"VOTE {number} NO")
            return
        case (
            Receipt(state=OrderStatus() as state) | Reminder(state=state) | Status(states=(state,))
        ):
            pass
        case _:
            return
    if state.to_order:
        yield (
            SuggestedReply("nowait", "NOWAIT") if state.waiting else SuggestedReply("wait", "WAIT")
        )
    if state.waits_for_ready:
        yield SuggestedReply("ready", "READY")
    yield SuggestedReply("nodraw", "NO DRAW") if state.draw else SuggestedReply("draw", "DRAW")


def _word_replies(context: Context) -> Iterator[SuggestedReply]:
    match context:
        case ConfirmMail(doubt=ConfirmationReason.MANY):
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
            return iter(
                [
                    SuggestedReply("as_press", "PRESS"),
                    SuggestedReply("as_orders", "ORDERS"),
                    SuggestedReply("no", "NO"),
                ]
            )
        case Help() | GameList() | Unknown() | AtTheDoor():
            words = ("list", "help")
        case GameStart() | LateNotice() | Takeover() | Joined():
            words = ("help",)
        case Receipt(said=said) if offers := [e for e in said if isinstance(e, HandleOffered)]:
            return iter(
                [
                    SuggestedReply("handle", f"SET HANDLE {offers[0].offered}"),
                    SuggestedReply("help", "HELP"),
                ]
            )
        case Letter(answerable=True) if context.heading.gathered:
            return iter([SuggestedReply("answer", "")])
        case _:
            words = ()
    return (SuggestedReply(word, word.upper()) for word in words)
