"""Mails that the clock or a change of the table causes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.house_rules import Forwarding
from judge.game.visibility import Player, position_seen
from judge.reports.contexts import (
    CivilDisorder,
    DeadlineChange,
    Forwarded,
    Held,
    LateNotice,
    Protection,
    Reminder,
    Takeover,
    Undelivered,
    Unread,
    Vacancy,
)
from judge.reports.duties import Duty, duty_of
from judge.reports.headings import heading_of
from judge.reports.states import state_of

if TYPE_CHECKING:
    from datetime import datetime

    from judge.game.game_state import Game
    from judge.reports.items import MailWaits
    from judge.rules.board import Map
    from judge.rules.types import Power


def reminder(
    board: Map,
    game: Game,
    reader: Power,
    hours: int,
    *,
    judge_code: str,
    waiting: tuple[MailWaits, ...] = (),
) -> Reminder:
    """Tell *reader* that its orders are not complete, with at most *hours* to go.

    Emails in the reader's name that are *waiting* may hold them.
    """
    state = state_of(board, game, reader)
    assert state is not None, "who is reminded has an open phase"
    return Reminder(
        heading=heading_of(board, game, judge_code),
        hours=hours,
        state=state,
        duty=_duty(board, game, reader),
        waiting=waiting,
    )


def late_notice(board: Map, game: Game, reader: Power | None, *, judge_code: str) -> LateNotice:
    """Tell everybody, after the deadline, from whom no orders came."""
    assert game.phase is not None, "only an open phase has a deadline"
    reader_late = reader in game.phase.late
    return LateNotice(
        heading=heading_of(board, game, judge_code),
        late=tuple(power for power in board.powers if power in game.phase.late),
        grace_end=game.phase.grace_end,
        house_rules=game.house_rules,
        reader_late=reader_late,
        duty=_duty(board, game, reader) if reader_late else None,
    )


def deadline_moved(
    board: Map, game: Game, before: datetime | None, reason: str, *, judge_code: str
) -> DeadlineChange:
    """Tell everybody that the deadline is another, and why; *before* is what it was."""
    assert game.phase is not None, "only an open phase has a deadline"
    heading, end = heading_of(board, game, judge_code), game.phase.grace_end
    return DeadlineChange(heading=heading, before=before, reason=reason, grace_end=end)


def vacancy(board: Map, game: Game, power: Power, reason: str, *, judge_code: str) -> Vacancy:
    """Tell everybody that *power* lost its player, for *reason* (`nmr`, `resigned`)."""
    takeover_until = game.seats[power].takeover_until
    assert takeover_until is not None, "a vacant power waits for somebody"
    return Vacancy(
        heading=heading_of(board, game, judge_code),
        power=power,
        reason=reason,
        takeover_until=takeover_until,
    )


def forwarded(
    board: Map, game: Game, power: Power | None, lines: tuple[str, ...], *, judge_code: str
) -> Forwarded:
    """Tell the moderator what the player of *power*, or an observer, wrote to the judge."""
    return Forwarded(
        heading=heading_of(board, game, judge_code),
        power=power,
        lines=lines,
        daily=game.house_rules.forwarding is Forwarding.DAILY,
    )


def takeover(
    board: Map, game: Game, power: Power, reader: Power | None, *, judge_code: str
) -> Takeover:
    """Tell *reader* that *power* has a player again; it may be himself."""
    position = game.position if reader == power else None
    return Takeover(
        heading=heading_of(board, game, judge_code),
        power=power,
        reader=reader,
        duty=_duty(board, game, power) if reader == power else None,
        position=position and position_seen(board, game, position, Player(power)),
    )


def civil_disorder(
    board: Map, game: Game, power: Power, reason: str | None = None, *, judge_code: str
) -> CivilDisorder:
    """Tell everybody that nobody plays *power*: if it lost its player just now, for *reason*."""
    return CivilDisorder(heading=heading_of(board, game, judge_code), power=power, reason=reason)


def protection(board: Map, game: Game, power: Power, *, judge_code: str) -> Protection:
    """Tell everybody that grace is longer since mails came back; in gunboat not to whom."""
    assert game.phase is not None, "grace is of an open phase"
    return Protection(
        heading=heading_of(board, game, judge_code),
        power=None if game.house_rules.anonymous else power,
        grace_end=game.phase.grace_end,
    )


def undelivered(
    board: Map, game: Game, power: Power, kind: str, *, judge_code: str
) -> Undelivered:
    """Tell the moderator that a mail of *kind* to the player of *power* was taken by nobody."""
    return Undelivered(heading=heading_of(board, game, judge_code), power=power, kind=kind)


def unread(board: Map, game: Game, power: Power, *, judge_code: str) -> Unread:
    """Tell the moderator that a mail from the player of *power* could not be read."""
    return Unread(heading=heading_of(board, game, judge_code), power=power)


def held(board: Map, game: Game, due: datetime, *, judge_code: str) -> Held:
    """Tell the moderator that the phase does not close, since mail of before *due* may come."""
    return Held(heading=heading_of(board, game, judge_code), due=due)


def _duty(board: Map, game: Game, power: Power | None) -> Duty | None:
    return duty_of(board, game.position, power) if game.position and power else None
