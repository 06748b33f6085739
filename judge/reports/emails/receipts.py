"""The receipt that answers an email: an item for each thing in it, and the resulting orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
from judge.notation.order_text import write_short
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
from judge.rules.types import Order, Phase, Power, Province, Waive


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(contexts.Context):
    """The answer to an email: an item for each thing in it, in its order, and the orders.

    *earlier* are current orders that this email did not give, *kept* those for later phases that
    it did not give. *unread* counts its lines that look meaningful and were not understood.
    *promised* are the commitments to the orders for later phases; *blind* says that the game is.
    *still_ready* says that an earlier READY applies to the changed orders. *recorded* is the leaf
    that the orders of the email will have in the Merkle tree. YES to the receipt gives the orders
    *offered*, and leaves all orders *by_yes*; *beside* that of another game, USE THESE does.
    """

    reported: tuple[Item, ...]
    conflict: bool
    state: OrderStatus | None
    commitment: order_status.Commitment | None
    earlier: tuple[order_status.OrderTaken, ...] = ()
    kept: tuple[KeptOrders, ...] = ()
    unread: int = 0
    promised: Mapping[Phase, order_status.Commitment] = field(default_factory=dict)
    blind: bool = False
    still_ready: bool = False
    recorded: tuple[OpenedLeaf, ...] = ()
    offered: tuple[Order, ...] = ()
    by_yes: tuple[Order, ...] = ()
    beside: bool = False

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        votes = order_status.vote_replies(self.state) if self.state else ()
        wished = tuple(_replies_to_wishes(self.reported))
        word = contexts.SuggestedReply("use_these", "USE THESE")
        yes = (word,) if self.beside else contexts.word_replies("yes")
        offered = yes if self.by_yes or self.beside else ()
        return (*offered, *wished, *votes)


def _replies_to_wishes(items: Sequence[Item]) -> Iterator[contexts.SuggestedReply]:
    """Yield a reply for each command that the receipt offers."""
    for each in items:
        match each:
            case WishOffered(choices=choices):
                yield from (contexts.command_reply(choice.command) for choice in choices)
            case WishUnderstood(undo=undo) if undo:
                yield contexts.command_reply(undo)
            case LanguageOffered(command=command):
                yield contexts.command_reply(command)
            case OffersToChoose(offers=offers):
                for number, _ in enumerate(offers, 1):
                    yield contexts.command_reply(f"USE THESE {number}")
            case PressOffered():
                yield contexts.command_reply("PRESS")
            case OrdersRestorable(orders=orders):
                yield contexts.SuggestedReply("restore", "\n".join(orders))
            case UnprovenGame(lines=lines, meant=meant) | LinesReturned(lines=lines, meant=meant):
                reply = contexts.SuggestedReply("these_lines", "\n".join(lines))
                yield from (reply.about(game) for game in meant)
            case _:
                pass


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
    """Report each of *items* and the orders of *reader* in *game* after them."""
    state = order_status.order_status_of(board, game, reader) if reader else None
    given, earlier = _with_contradictions(state, items) if state else (tuple(items), ())
    named = {item.phase for item in items if isinstance(item, OrdersKept)}
    return Receipt(
        heading=contexts.heading_of(board, game, judge_code),
        reported=given or (EmptyEmail(),),
        conflict=any(
            isinstance(item, order_status.OrderTaken) and item.instead_of for item in items
        ),
        state=state,
        earlier=earlier,
        kept=tuple(each for each in state.kept if each.phase not in named) if state else (),
        commitment=commitment,
        unread=_count_unread_lines(items),
        promised=_commitments_to_kept_orders(game, reader) if reader else {},
        blind=is_blind(game),
        still_ready=bool(state and state.ready and _changes_without_ready(items)),
        offered=orders_offered(items) if state else (),
        by_yes=_orders_after_yes(state, items) if state else (),
    )


def orders_offered(items: Sequence[Item]) -> tuple[Order, ...]:
    """Return the orders that the receipt with *items* offers for YES: one for a unit."""
    offers = [
        each.offered for each in items if isinstance(each, LineNotUnderstood) and each.offered
    ]
    seen = enumerate(offers)
    once = [each for at, each in seen if isinstance(each, Waive) or each not in offers[:at]]
    return tuple(each for each in once if sum(_is_for_same(each, other) for other in once) <= 1)


def with_exceptions(items: Sequence[Item], board: Map) -> list[Item]:
    """Return *items*, where the orders of last turn have those that the email gives instead.

    `Same as last turn, only Paris holds` is one offer.
    """
    last = next((each for each in items if isinstance(each, OrdersRestorable)), None)
    if last is None or not last.of_last_turn:
        return [*items]
    clear = [each for each in items if isinstance(each, LineNotUnderstood) and not each.doubtful]
    offered = orders_offered(clear)
    taken = (each.order for each in items if isinstance(each, order_status.OrderTaken))
    written = [write_short(each, board) for each in (*offered, *taken)]
    others = {*map(_unit_in, written)}
    kept = (each for each in last.orders if _unit_in(each) not in others)
    merged = replace(last, orders=(*kept, *written))
    said = [each for each in clear if each.offered in offered]
    return [merged if each is last else each for each in items if each not in said]


def _unit_in(written: str) -> str:
    """Return the unit of an order as we write it: `A Par` of `A Par-Bur`, `Build A Par`."""
    found = UNIT.search(written)
    return found[0] if found else written


UNIT = re.compile(r"\b[AF] \w+")
# A mere YES to a receipt ends no game, takes back no phase, and removes nobody.
BY_LINE = frozenset({"draw", "concede", "resign", "vote_yes", "vote_no", "terminate"})
BY_LINE |= {"rollback", "rollforward", "eject"}


def lines_offered(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the lines that YES to the receipt with *items* means: those of its only offer."""
    offers = [each for each in items if isinstance(each, WishOffered | OrdersRestorable)]
    match offers:
        case [OrdersRestorable(orders=orders, of_last_turn=True)]:
            return orders
        case [WishOffered(choices=(choice,))] if choice.wish not in BY_LINE:
            return (choice.command,)
        case _:
            return ()


def choices_offered(items: Sequence[Item]) -> tuple[WishChoice, ...]:
    """Return the commands that the receipt with *items* offers for wishes."""
    return tuple(x for each in items if isinstance(each, WishOffered) for x in each.choices)


def _orders_after_yes(state: OrderStatus, items: Sequence[Item]) -> tuple[Order, ...]:
    """Return the orders as YES to the receipt would leave them; none if it gives none."""
    given = orders_offered(items)
    standing = [each.order for each in state.standing]
    kept = [each for each in standing if not any(_is_for_same(new, each) for new in given)]
    return (*kept, *given) if given else ()


def _is_for_same(first: Order, second: Order) -> bool:
    """Return whether two orders are for one unit."""
    if isinstance(first, Waive) or isinstance(second, Waive):
        return False
    return first.unit.province == second.unit.province


def _with_contradictions(
    state: OrderStatus, items: Sequence[Item]
) -> tuple[tuple[Item, ...], tuple[order_status.OrderTaken, ...]]:
    """Return *items* whose orders name what they contradict, and other such orders."""
    reported, earlier = list(items), []
    taken = {
        at: item for at, item in enumerate(items) if isinstance(item, order_status.OrderTaken)
    }
    for each in state.standing:
        found = next((at for at, item in taken.items() if _is_same(item.order, each.order)), None)
        if found is None:
            earlier.append(each)
        else:
            reported[found] = replace(taken.pop(found), contradicts=each.contradicts)
    return tuple(reported), tuple(earlier)


def _is_same(given: Order, standing: Order) -> bool:
    """Return whether the two are one order; *standing* may name the owners of units."""
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
    """Return the commitments to orders for later phases."""
    plans = view(game, Player(reader)).plans.get(reader, {})
    lines = {code: plan_lines(plan) for code, plan in plans.items()}
    return {
        Phase.parse(code): order_status.Commitment(
            commit_orders(plan.nonce, lines[code]), plan.nonce, lines[code]
        )
        for code, plan in sorted(plans.items(), key=lambda each: Phase.parse(each[0]))
    }


def receipt_without_game(items: Sequence[Item], *, judge_code: str) -> Receipt:
    """Report each of *items*, none of which is about an existing game."""
    return Receipt(
        heading=contexts.Heading(judge_code),
        reported=tuple(items),
        conflict=False,
        state=None,
        commitment=None,
        unread=_count_unread_lines(items),
    )


@dataclass(frozen=True, slots=True)
class TypoCorrected:
    """The nearest order was accepted for the misspelled *text*; it follows."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class OtherUnitsHold:
    """All units without an order hold; other units keep their *orders*."""

    line: int
    text: str
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineNotUnderstood:
    """A line that looks like an order or a command and is none; one of *nearest* may be meant.

    It is *doubtful* if an order in it depends on an if, a perhaps or a question, and *incomplete*
    if a support in it names no unit: `A Par S`. The reply YES gives the order *offered*.
    """

    line: int
    text: str
    nearest: tuple[str, ...] = ()
    doubtful: bool = False
    incomplete: bool = False
    offered: Order | None = None


@dataclass(frozen=True, slots=True)
class LineUnclear:
    """A line that can be read in several ways: *word* is unclear, *choices* may be meant."""

    line: int
    text: str
    word: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommandDone:
    """A command that took effect, or changed nothing because it was so *already*.

    Its *argument* is text, or powers. Templates have its words.
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
class HandleGiven:
    """Others see the writer as *handle*, which is from their name unless they have *no_name*."""

    handle: str
    no_name: bool = False


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """A command that had no effect."""

    command: str
    why: Why


@dataclass(frozen=True, slots=True)
class LinesReturned:
    """The *lines* of what was refused above, so its writer can send them again.

    They may be for one of the games *meant*.
    """

    lines: tuple[str, ...]
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleRefused:
    """A *command* that had no effect since *pair* is no house rule; *form* names the kind.

    Without a *command* only the *pair* had none. *names* are similar rules, or the words that the
    rule may have.
    """

    command: str
    pair: str
    form: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignOnFailed:
    """A SIGNON with no game, or a wrong password; the *lines* up to the next were not read."""

    line: int
    text: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UnprovenGame:
    """A line, 0 for the subject, names a *game* in which the email may do nothing.

    The *lines* below it are for one of the writer's games *meant*, if that is none of its names:
    those with such a name, and the one that the email answers.
    """

    line: int
    text: str
    game: str
    exists: bool = True
    lines: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForeignCommand:
    """A command of other judges that this one lacks; *advice* names the sentence on it."""

    line: int
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class OnlyPreviewed:
    """The orders in *lines* were only previewed, because a line above asks for it."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentencesIgnored:
    """Sentences that had no effect, of which *more* are not shown.

    They *may_be_orders* if they name a province. The moderator gets them if *forwarded*.
    """

    lines: tuple[str, ...]
    may_be_orders: bool
    forwarded: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class QuestionsAnswered:
    """Questions in plain words; pages below the receipt answer them, or the orders *above*."""

    lines: tuple[str, ...]
    above: bool = False


@dataclass(frozen=True, slots=True)
class WishUnderstood:
    """A sentence in plain words that was carried out as *command*; *undo* takes that back."""

    sentence: str
    command: str
    undo: str = ""


@dataclass(frozen=True, slots=True)
class WishChoice:
    """A *wish* that a sentence may express, and the *command* for it."""

    wish: str
    command: str


@dataclass(frozen=True, slots=True)
class WishOffered:
    """A sentence in plain words that may be one of these wishes; it is *unclear* which.

    Nothing was done. If it *agreed* to the only one, that takes more than a YES.
    """

    sentence: str
    choices: tuple[WishChoice, ...]
    unclear: bool = False
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class MissingOrdersSecret:
    """The writer asked who has not ordered yet, which nobody may know before the deadline."""

    sentence: str


@dataclass(frozen=True, slots=True)
class LanguageOffered:
    """The answer is in the language of the email; the *command* has all emails in it."""

    command: str


@dataclass(frozen=True, slots=True)
class OrdersRestorable:
    """The *orders* that were canceled, or those *of_last_turn*; the writer can send them again."""

    orders: tuple[str, ...]
    of_last_turn: bool = False


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """The moves, retreats or builds that are possible for a *unit*; None to waive a build.

    A unit of the open movement phase may also hold, support and convoy.
    """

    unit: str
    orders: tuple[str, ...]
    moves: bool


@dataclass(frozen=True, slots=True)
class ProvinceExplained:
    """A province by its name: its code, its terrain, its *neighbors*, and if it is a *center*."""

    place: Province
    terrain: str
    center: bool
    neighbors: tuple[Province, ...]


@dataclass(frozen=True, slots=True)
class CourtesiesIgnored:
    """The number of *lines* with greetings, thanks and a signature."""

    lines: int


@dataclass(frozen=True, slots=True)
class EmptyEmail:
    """The email held nothing for the judge to read, except perhaps its subject."""

    in_subject: bool = False


@dataclass(frozen=True, slots=True)
class EmailOnHold:
    """An email in the reader's name, *received* then, awaits their YES; it has *orders*.

    If it answered *press*, it awaits a decision whether it is press or orders; once the phase is
    *closed*, nothing of it was sent or carried out.
    """

    received: datetime
    orders: int
    press: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class OtherPhaseOffer:
    """The email was for *phase*, which is not open: its *orders* had no effect.

    *phase* is a code, or, if no phase fits, the email's own words.
    """

    phase: str
    orders: tuple[str, ...]
    exists: bool = True


@dataclass(frozen=True, slots=True)
class OfferToChoose:
    """The *orders* that the receipt for an email *received* then offers."""

    received: datetime
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OffersToChoose:
    """USE THESE may mean one of several *offers*, which are numbered from 1."""

    offers: tuple[OfferToChoose, ...]


@dataclass(frozen=True, slots=True)
class OrdersKept:
    """Orders for the later *phase*, which are kept: its *lines*, one for each unit.

    *blindly* says that some depend on what their writer may not see by then.
    """

    phase: Phase
    lines: tuple[str, ...]
    blindly: bool = False


@dataclass(frozen=True, slots=True)
class OrdersForWrongPhase:
    """These *orders* follow the name of *phase* and do not fit it: they had no effect."""

    phase: Phase
    orders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotedTextIgnored:
    """The number of quoted *lines* that were not read; *orders* are those among them."""

    lines: int
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignatureIgnored:
    """The unread signature holds *orders*, which are *offered* if the player has none."""

    orders: tuple[str, ...]
    offered: bool = True


@dataclass(frozen=True, slots=True)
class StruckTextIgnored:
    """Lines that are struck through or cannot be seen, and were not read."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReplyAddressChanged:
    """The reply address of the sender, which others could read in the email, is no longer used."""


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
    """The same email was received before and has taken effect."""

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
    | HandleGiven
    | LinesReturned
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
    | SentencesIgnored
    | QuestionsAnswered
    | WishUnderstood
    | WishOffered
    | MissingOrdersSecret
    | LanguageOffered
    | OrdersRestorable
    | UnitOptions
    | ProvinceExplained
    | CourtesiesIgnored
    | EmptyEmail
    | EmailOnHold
    | OtherPhaseOffer
    | OffersToChoose
    | OrdersKept
    | OrdersForWrongPhase
    | QuotedTextIgnored
    | SignatureIgnored
    | StruckTextIgnored
    | ReplyAddressChanged
    | AttachmentsIgnored
    | PartsDiffer
    | EmailTooLong
    | Duplicate
)
