"""The receipt that answers an email: an item for each thing in it, and the resulting orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

from judge.checkpoints import OpenedLeaf
from judge.game.decision import Why
from judge.game.future_orders import plan_lines
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.submission import commit_orders
from judge.game.visibility import Player, is_blind, view
from judge.reports.emails import contexts, order_status
from judge.reports.emails.order_status import KeptOrders, OrderStatus
from judge.reports.emails.press import (
    OrdersInPressOffered,
    PressAccepted,
    PressOffered,
    PressReturned,
    PressWithoutOpening,
)
from judge.rules.board import Map
from judge.rules.types import Order, Phase, Power, Waive


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(contexts.Context):
    """The answer to one email: each thing in it, in its order, and the resulting orders.

    *earlier* are the resulting orders that this email did not give, *kept* those for later phases
    that it did not give. *unread* counts its lines that look meaningful and were not understood.
    *promised* are the commitments to the orders for later phases; a blind game is *dark*. An
    earlier READY is *still_ready* for the orders that the email changes. *recorded* is what
    the Merkle tree will have of the orders in the email.
    """

    said: tuple[Item, ...]
    conflict: bool
    state: OrderStatus | None
    commitment: order_status.Commitment | None
    earlier: tuple[order_status.OrderTaken, ...] = ()
    kept: tuple[KeptOrders, ...] = ()
    unread: int = 0
    promised: Mapping[Phase, order_status.Commitment] = field(default_factory=dict)
    dark: bool = False
    still_ready: bool = False
    recorded: tuple[OpenedLeaf, ...] = ()

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        votes = order_status.vote_replies(self.state) if self.state else ()
        offers = [each.offered for each in self.said if isinstance(each, HandleOffered)]
        if not offers:
            return votes
        return (
            *votes,
            contexts.SuggestedReply("handle", f"SET HANDLE {offers[0]}"),
            *contexts.word_replies("help"),
        )


ORDER_CHANGES = ("clear", "undone")  # orders, as an order does


def receipt(
    board: Map,
    game: Game,
    reader: Power | None,
    items: Sequence[Item],
    *,
    judge_code: str,
    commitment: order_status.Commitment | None = None,
) -> Receipt:
    """Account for each of *items* and for the orders of *reader* in *game* after them."""
    state = order_status.order_status_of(board, game, reader) if reader else None
    given, earlier = _with_contradictions(state, items) if state else (tuple(items), ())
    named = {item.phase for item in items if isinstance(item, OrdersKept)}
    return Receipt(
        heading=contexts.heading_of(board, game, judge_code),
        said=given or (EmptyEmail(),),
        conflict=any(
            isinstance(item, order_status.OrderTaken) and item.instead_of for item in items
        ),
        state=state,
        earlier=earlier,
        kept=tuple(each for each in state.kept if each.phase not in named) if state else (),
        commitment=commitment,
        unread=_count_unread_lines(items),
        promised=_commitments_to_kept_orders(game, reader) if reader else {},
        dark=is_blind(game),
        still_ready=bool(state and state.ready and _changes_without_ready(items)),
    )


def _with_contradictions(
    state: OrderStatus, items: Sequence[Item]
) -> tuple[tuple[Item, ...], tuple[order_status.OrderTaken, ...]]:
    """Return *items*, their orders with what they contradict, and the orders of no item."""
    said, earlier = list(items), []
    taken = {
        at: item for at, item in enumerate(items) if isinstance(item, order_status.OrderTaken)
    }
    for each in state.standing:
        found = next((at for at, item in taken.items() if _is_same(item.order, each.order)), None)
        if found is None:
            earlier.append(each)
        else:
            said[found] = replace(taken.pop(found), contradicts=each.contradicts)
    return tuple(said), tuple(earlier)


def _is_same(given: Order, standing: Order) -> bool:
    """Return whether the two are one order, of which *standing* may name the owners of units."""
    if isinstance(given, Waive) or isinstance(standing, Waive):
        return given == standing
    return type(given) is type(standing) and given.unit.province == standing.unit.province


def _changes_without_ready(items: Sequence[Item]) -> bool:
    """Return whether the email changed orders without READY."""
    done = {each.command for each in items if isinstance(each, CommandDone)}
    ordered = any(isinstance(each, order_status.OrderTaken) for each in items)
    return "ready" not in done and (ordered or not done.isdisjoint(ORDER_CHANGES))


def _count_unread_lines(items: Sequence[Item]) -> int:
    return sum(isinstance(item, LineNotUnderstood | LineUnclear) for item in items)


def _commitments_to_kept_orders(
    game: Game, reader: Power
) -> Mapping[Phase, order_status.Commitment]:
    """Return what the owner of orders for later phases can hold the judge to."""
    plans = view(game, Player(reader)).plans.get(reader, {})
    lines = {code: plan_lines(plan) for code, plan in plans.items()}
    return {
        Phase.parse(code): order_status.Commitment(
            commit_orders(plan.nonce, lines[code]), plan.nonce, lines[code]
        )
        for code, plan in sorted(plans.items(), key=lambda each: Phase.parse(each[0]))
    }


def receipt_without_game(items: Sequence[Item], *, judge_code: str) -> Receipt:
    """Account for each of *items*, none of which is about a game that there is."""
    return Receipt(
        heading=contexts.Heading(judge_code),
        said=tuple(items),
        conflict=False,
        state=None,
        commitment=None,
        unread=_count_unread_lines(items),
    )


@dataclass(frozen=True, slots=True)
class TypoCorrected:
    """A line was taken for the order that follows here, which its *text* is likest to."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class OtherUnitsHold:
    """A line lets all units hold that no order is for; other units keep their *orders*."""

    line: int
    text: str
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DoubtfulIntroduction:
    """Orders from *line* on count, although *text* above or before them may say otherwise."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class LineNotUnderstood:
    """A line that looks like an order or a command and is none; one of *nearest* may be meant.

    It is *doubtful* if an order in it hangs on an if, a perhaps or a question, and *incomplete* if
    a support in it names no unit: `A Par S`. The answer YES gives the nearest order *by_yes*.
    """

    line: int
    text: str
    nearest: tuple[str, ...] = ()
    doubtful: bool = False
    incomplete: bool = False
    by_yes: bool = False


@dataclass(frozen=True, slots=True)
class LineUnclear:
    """A line that can be read in several ways: *word* is the trouble, *choices* may be meant."""

    line: int
    text: str
    word: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A command had its effect, or all was so *already*; its words stand in the templates.

    Its *argument* is text, or powers.
    """

    command: str
    argument: str | tuple[Power, ...] = ""
    already: bool = False


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The writer moderates the new game *name*, played on *board*."""

    name: str
    house_rules: HouseRules
    board: Map


@dataclass(frozen=True, slots=True)
class HandleOffered:
    """Others know the writer as *handle*, which was given; their name would make *offered*."""

    handle: str
    offered: str


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command had no effect."""

    command: str
    why: Why


@dataclass(frozen=True, slots=True)
class RuleRefused:
    """A *command* had no effect since *pair* is no house rule; *form* says which might be.

    *names* are rules that it is like, or the words that it may have.
    """

    command: str
    pair: str
    form: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignOnFailed:
    """A SIGNON named no game, or no password of its seat; nothing up to the next was read."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class UnprovenGame:
    """A line, 0 for the subject, names a *game* in which the mail may do nothing."""

    line: int
    text: str
    game: str


@dataclass(frozen=True, slots=True)
class ForeignCommand:
    """A command of other judges that is none here; *advice* names what is said of it."""

    line: int
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class OnlyPreviewed:
    """Nothing was ordered by *lines*: a line that asks for a preview stands above them."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentencesIgnored:
    """Sentences with which nothing was done, of which *more* are not shown.

    They *may_be_orders* if they name a province. The moderator gets them if *forwarded*.
    """

    lines: tuple[str, ...]
    may_be_orders: bool
    forwarded: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class QuestionsAnswered:
    """Questions in plain words, which pages of help below the receipt answer."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CourtesiesIgnored:
    """So many *lines* are greetings, thanks and a signature."""

    lines: int


@dataclass(frozen=True, slots=True)
class EmptyEmail:
    """The mail held nothing that the judge reads; its subject may."""

    in_subject: bool = False


@dataclass(frozen=True, slots=True)
class EmailOnHold:
    """An email in the reader's name, *received* then, awaits their YES; it has *orders*.

    If it answered *press*, it awaits the word whether it is press or orders.
    """

    received: datetime
    orders: int
    press: bool = False


@dataclass(frozen=True, slots=True)
class OtherPhaseOffer:
    """The mail was for *phase*, which is not open: nothing was done with its *orders*.

    It is a code, or, if there is none such, what the mail calls a phase.
    """

    phase: str
    orders: tuple[str, ...]
    exists: bool = True


@dataclass(frozen=True, slots=True)
class OrdersKept:
    """Orders for *phase*, which is still to come, are kept: its *lines*, one for a unit.

    *blindly* some hang on what their writer may not see by then.
    """

    phase: Phase
    lines: tuple[str, ...]
    blindly: bool = False


@dataclass(frozen=True, slots=True)
class OrdersForWrongPhase:
    """These *orders* stand below the name of *phase*, and cannot be for it: nothing was done."""

    phase: Phase
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotedTextIgnored:
    """So many quoted *lines* were not read; *orders* are those of them that hold orders."""

    lines: int
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureIgnored:
    """The unread signature holds *orders*, which are *offered* if the player has none."""

    orders: tuple[str, ...]
    offered: bool = True


@dataclass(frozen=True, slots=True)
class StruckTextIgnored:
    """These *lines* are struck through, and were not read."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttachmentsIgnored:
    """Attachments with these *names* were not opened."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartsDiffer:
    """The plain text and the HTML of an email differ; *html* tells that the HTML was read.

    *read* are orders and commands that only this part has, *unread* those of the other part.
    """

    html: bool
    read: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EmailTooLong:
    """The email was read only up to *line*: *limit* is how much of an email is read."""

    line: int
    limit: int


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The same mail was received before, and has had its effect."""

    received: datetime


Item: TypeAlias = (
    order_status.OrderTaken
    | order_status.OrderRejected
    | TypoCorrected
    | OtherUnitsHold
    | LineNotUnderstood
    | LineUnclear
    | CommandDone
    | CommandRefused
    | GameOpened
    | HandleOffered
    | RuleRefused
    | SignOnFailed
    | UnprovenGame
    | ForeignCommand
    | PressAccepted
    | PressReturned
    | PressWithoutOpening
    | OrdersInPressOffered
    | PressOffered
    | OnlyPreviewed
    | DoubtfulIntroduction
    | SentencesIgnored
    | QuestionsAnswered
    | CourtesiesIgnored
    | EmptyEmail
    | EmailOnHold
    | OtherPhaseOffer
    | OrdersKept
    | OrdersForWrongPhase
    | QuotedTextIgnored
    | SignatureIgnored
    | StruckTextIgnored
    | AttachmentsIgnored
    | PartsDiffer
    | EmailTooLong
    | Duplicate
)
