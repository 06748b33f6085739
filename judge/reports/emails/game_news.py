"""News of a game: rollbacks, rule changes, pauses, proposals, admissions, pending decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from judge.game.game_state import Game, SeatState
from judge.game.house_rules import HouseRules, as_text
from judge.game.moderator_tasks import ModeratorTask, moderator_tasks
from judge.reports.emails import contexts
from judge.reports.emails.order_status import OrdersDue, orders_due_of
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class RolledBack:
    """Play goes on from an earlier phase; *undone* phases and *letters* of press do not count.

    *restored* says whether the orders of that time count again.
    """

    undone: tuple[str, ...]
    letters: int
    reason: str
    restored: bool


@dataclass(frozen=True, slots=True)
class RolledForward:
    """A rollback was undone, so the phases in *redone* count again.

    *restored* says whether any orders of that time count again.
    """

    redone: tuple[str, ...]
    reason: str
    restored: bool


@dataclass(frozen=True, slots=True)
class Unstarted:
    """The start of the game was undone, with its first *phase*."""

    phase: str
    reason: str


@dataclass(frozen=True, slots=True)
class Restored:
    """The judge was restored from a backup of the instant *saved*; nothing later counts.

    After the deadline, late powers may order until *grace_end*. Deadlines of *lost* phases, which
    may have been opened since, leave the calendars.
    """

    saved: datetime
    paused: bool = False
    grace_end: datetime | None = None
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """The moderator has corrected the board."""

    reason: str


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """The house rules have changed: *changes* are name, value before, value after.

    *before* and *after* are all rules, *rulebook* is the name of the rulebook.
    """

    changes: tuple[tuple[str, str, str], ...]
    before: HouseRules
    after: HouseRules
    rulebook: str


@dataclass(frozen=True, slots=True)
class Paused:
    """The game is paused; *reason* is `vote` if all players wanted it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Resumed:
    """The game continues with the time that was left."""


@dataclass(frozen=True, slots=True)
class PauseProposed:
    """A player votes to pause the game, or to *resume* it, and the others have not voted yet."""

    resume: bool


@dataclass(frozen=True, slots=True)
class AbsenceAnnounced:
    """The player of *power* is away from *begins* to *last*, or has cancelled the absence."""

    power: Power
    begins: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class ExtensionRequested:
    """The player of *power* asks for an extension of this length: for the moderator only."""

    power: Power
    length: timedelta
    reason: str


@dataclass(frozen=True, slots=True)
class ExtensionDenied:
    """The reader's request for an extension is denied."""


@dataclass(frozen=True, slots=True)
class JoinRequested:
    """The person called *handle* asks to join, perhaps as *power*: for the moderator."""

    handle: str
    power: Power | None


@dataclass(frozen=True, slots=True)
class NotAdmitted:
    """The reader's request to join is denied."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """The reader has a seat now, or *waits* for one."""

    waits: bool


@dataclass(frozen=True, slots=True)
class PowerOffered:
    """The vacant *power* is reserved for the reader *until* then."""

    power: Power
    until: datetime


@dataclass(frozen=True, slots=True)
class OfferExpired:
    """The reader did not answer, and *power* is no longer reserved for them."""

    power: Power


@dataclass(frozen=True, slots=True)
class DrawProposal:
    """A draw *among* powers is proposed *by* one, if the reader may know which.

    It is open for so many movement *phases*; with *silence*, a power that does not vote accepts
    it.
    """

    number: int
    by: Power | None
    among: tuple[Power, ...]
    phases: int
    silence: bool


@dataclass(frozen=True, slots=True)
class DrawProposalOver:
    """A proposal has failed, for a *reason*."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class NewModerator:
    """The person called *handle* is the new moderator."""

    handle: str


@dataclass(frozen=True, slots=True)
class NewStatement:
    """The player of *by*, or the moderator (None), makes a statement after the end of the game."""

    by: Power | None
    lines: tuple[str, ...]


News: TypeAlias = (
    DrawProposal
    | PauseProposed
    | DrawProposalOver
    | RolledBack
    | RolledForward
    | Unstarted
    | Restored
    | Corrected
    | RulesChanged
    | Paused
    | Resumed
    | AbsenceAnnounced
    | ExtensionRequested
    | ExtensionDenied
    | JoinRequested
    | NotAdmitted
    | Admitted
    | PowerOffered
    | OfferExpired
    | NewStatement
    | NewModerator
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNews(contexts.Context):
    """*news* of a game, and the orders due from the reader, if the news changes them."""

    news: News
    duty: OrdersDue | None = None

    def replies(self) -> tuple[contexts.SuggestedReply, ...]:
        match self.news:
            case DrawProposal(number=number):
                answers = ("yes", "no")
                return tuple(
                    contexts.SuggestedReply(each, f"VOTE {number} {each.upper()}")
                    for each in answers
                )
            case PauseProposed(resume=resume):
                return (contexts.command_reply("VOTE RESUME" if resume else "VOTE PAUSE"),)
            case ExtensionRequested() | PowerOffered():
                return contexts.word_replies("yes", "no")
            case _:
                return ()

    def deadline(self, now: datetime) -> contexts.CalendarDeadline | None:
        still_due = contexts.open_deadline(self.heading)
        match self.news:
            case Resumed() | RolledForward():
                return still_due
            case Restored(paused=paused, lost=lost):
                return (None if paused else still_due) or _cancelled(*lost)
            case RolledBack(undone=undone):
                return still_due or _cancelled(*undone)
            case Unstarted(phase=code):
                return _cancelled(code)
            case Paused() if self.heading.phase:
                return _cancelled(self.heading.phase.code)
            case _:
                return None


def _cancelled(*phases: str) -> contexts.CalendarDeadline | None:
    """Return that the deadline of the last of *phases* is gone; None if there is none."""
    return contexts.CalendarDeadline(phases[-1], None, cancelled=True) if phases else None


def game_news(
    board: Map, game: Game, reader: Power | None, news: News, *, judge_code: str
) -> GameNews:
    """Announce *news* of *game* to *reader*."""
    asks = isinstance(news, RolledBack | RolledForward | Restored | Corrected)
    position = game.position if reader and asks else None
    duty = orders_due_of(board, position, reader) if position and reader else None
    return GameNews(heading=contexts.heading_of(board, game, judge_code), news=news, duty=duty)


def rules_changed(before: HouseRules, after: HouseRules, rulebook: str) -> RulesChanged:
    """Return the differences between two sets of house rules."""
    old, new = as_text(before), as_text(after)
    changes = tuple((name, old[name], new[name]) for name in new if old[name] != new[name])
    return RulesChanged(changes, before, after, rulebook)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskMail(contexts.Context):
    """The decisions that await the moderator, each with its number."""

    decisions: tuple[ModeratorTask, ...]
    vacant: tuple[Power, ...]
    handles: Mapping[str, str] = field(default_factory=dict)


def desk_mail(
    board: Map, game: Game, handles: Mapping[str, str] | None = None, *, judge_code: str
) -> DeskMail:
    """List the decisions that await the moderator of *game*; *handles* name the applicants."""
    return DeskMail(
        heading=contexts.heading_of(board, game, judge_code),
        decisions=moderator_tasks(board, game),
        vacant=tuple(p for p, s in game.seats.items() if s.state is SeatState.VACANT),
        handles=handles or {},
    )
