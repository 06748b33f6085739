"""Notices: reminders, late notices, new deadlines, vacancies, undelivered and unread mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.visibility import Player, position_seen
from judge.reports.emails import contexts, order_status
from judge.reports.emails.order_status import OrderStatus
from judge.reports.emails.receipts import EmailOnHold
from judge.rules.board import Map
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(contexts.Context):
    """The deadline comes in *length*, and the reader's orders are not complete."""

    length: timedelta
    state: OrderStatus
    duty: order_status.OrdersDue | None
    waiting: tuple[EmailOnHold, ...] = ()

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return (
            *order_status.order_form(self.heading, self.duty),
            *order_status.vote_replies(self.state),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LateNotice(contexts.Context):
    """The deadline has passed without any orders from *late*, the reader among them or not.

    *late* is empty when nothing but a power without a player is waited for, or the moderator.
    """

    late: tuple[Power, ...]
    grace_end: datetime
    house_rules: HouseRules
    reader_late: bool
    duty: order_status.OrdersDue | None

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return (*order_status.order_form(self.heading, self.duty), *contexts.word_replies("help"))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineChange(contexts.Context):
    """The deadline of the open phase is another; *reason* is what the one who moved it wrote.

    If it is what it was *before*, *grace_end* is another.
    """

    before: datetime | None
    reason: str
    grace_end: datetime

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        return contexts.open_deadline(self.heading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vacancy(contexts.Context):
    """*power* has no player, and may be taken over; *reason* as in `PowerVacated`.

    It was the reader who *left*.
    """

    power: Power
    reason: str
    takeover_until: datetime
    left: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarded(contexts.Context):
    """Text of *power*, or an observer, that is neither order nor command: for the moderator."""

    power: Power | None
    lines: tuple[str, ...]
    daily: bool
    partly: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover(contexts.Context):
    """*power* has a new player, who sees the *position*."""

    power: Power
    reader: Power | None
    duty: order_status.OrdersDue | None
    position: Position | None = None

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        return (*order_status.order_form(self.heading, self.duty), *contexts.word_replies("help"))

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        return contexts.open_deadline(self.heading)


@dataclass(frozen=True, slots=True, kw_only=True)
class CivilDisorder(contexts.Context):
    """*power* has no player: its units hold.

    *reason* is that for which it lost its player just now (`nmr`, `ejected`), None if it had none.
    """

    power: Power
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection(contexts.Context):
    """Emails to the player of *power* (None: hidden) bounced: grace is longer."""

    power: Power | None
    grace_end: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Undelivered(contexts.Context):
    """An undeliverable email of *kind* to the player of *power*: for the moderator only."""

    power: Power
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMail(contexts.Context):
    """An unreadable email from the player of *power*: for the moderator only."""

    power: Power


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseHeld(contexts.Context):
    """The phase waits for email sent before *due*: for the moderator only."""

    due: datetime


def reminder(
    board: Map,
    game: Game,
    reader: Power,
    length: timedelta,
    *,
    judge_code: str,
    waiting: tuple[EmailOnHold, ...] = (),
) -> Reminder:
    """Remind *reader* of incomplete orders, at most *length* before the deadline.

    Emails in the reader's name that are *waiting* may hold them.
    """
    state = order_status.order_status_of(board, game, reader)
    assert state is not None, "who is reminded has an open phase"
    return Reminder(
        heading=contexts.heading_of(board, game, judge_code),
        length=length,
        state=state,
        duty=_orders_due(board, game, reader),
        waiting=waiting,
    )


def late_notice(board: Map, game: Game, reader: Power | None, *, judge_code: str) -> LateNotice:
    """Name the late powers to all after the deadline."""
    assert game.phase is not None, "only an open phase has a deadline"
    reader_late = reader in game.phase.late
    return LateNotice(
        heading=contexts.heading_of(board, game, judge_code),
        late=tuple(power for power in board.powers if power in game.phase.late),
        grace_end=game.phase.grace_end,
        house_rules=game.house_rules,
        reader_late=reader_late,
        duty=_orders_due(board, game, reader) if reader_late else None,
    )


def deadline_change(
    board: Map, game: Game, before: datetime | None, reason: str, *, judge_code: str
) -> DeadlineChange:
    """Announce the new deadline, with its reason; *before* is the old one."""
    assert game.phase is not None, "only an open phase has a deadline"
    heading, end = contexts.heading_of(board, game, judge_code), game.phase.grace_end
    return DeadlineChange(heading=heading, before=before, reason=reason, grace_end=end)


def vacancy(
    board: Map, game: Game, power: Power, reason: str, *, left: bool = False, judge_code: str
) -> Vacancy:
    """Announce that *power* lost its player, for *reason* (as in `PowerVacated`)."""
    takeover_until = game.seats[power].takeover_until
    assert takeover_until is not None, "a vacant power waits for somebody"
    return Vacancy(
        heading=contexts.heading_of(board, game, judge_code),
        power=power,
        reason=reason,
        takeover_until=takeover_until,
        left=left,
    )


def takeover(
    board: Map, game: Game, power: Power, reader: Power | None, *, judge_code: str
) -> Takeover:
    """Announce the new player of *power*, who may be *reader*."""
    position = game.position if reader == power else None
    return Takeover(
        heading=contexts.heading_of(board, game, judge_code),
        power=power,
        reader=reader,
        duty=_orders_due(board, game, power) if reader == power else None,
        position=position and position_seen(board, game, position, Player(power)),
    )


def protection(board: Map, game: Game, power: Power, *, judge_code: str) -> Protection:
    """Announce a longer grace period because of bounces; gunboat games hide the power."""
    assert game.phase is not None, "grace is of an open phase"
    return Protection(
        heading=contexts.heading_of(board, game, judge_code),
        power=None if game.house_rules.anonymous else power,
        grace_end=game.phase.grace_end,
    )


def _orders_due(board: Map, game: Game, power: Power | None) -> order_status.OrdersDue | None:
    return (
        order_status.orders_due_of(board, game.position, power)
        if game.position and power
        else None
    )
