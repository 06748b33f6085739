"""The parts that all emails have: heading, suggested replies and calendar entries.

Each kind of email is a context. The template named like its class puts it into words:
`templates/mail/phase_results.txt.j2` writes `PhaseResults`. Contexts hold values of the game,
never sentences; text by a player is data like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar
from urllib.parse import quote

from judge.game.calendar import clock_end
from judge.game.game_state import Game, Stage
from judge.reports.languages import SOURCE
from judge.rules.board import Map
from judge.rules.types import (
    Hold,
    Location,
    Move,
    Order,
    Phase,
    UnitKind,
    UnitName,
    province_of,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The address for a reply to an email, and the *tag* that its subject must have, if any."""

    address: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines that every email begins with, and the settings for its dates and names.

    Emails to strangers have neither game nor board; a game that forms or is over has no deadline.
    If the clock ends the game at *ends*, the game year that is open then is the last. *answer* is
    None for emails that are answered in words only. A *gathered* email may become part of a
    digest, so a reply to the digest is not a reply to it.
    """

    judge_code: str
    game: str | None = None
    board: Map | None = None
    anonymous: bool = False
    phase: Phase | None = None
    deadline: datetime | None = None
    zone: str = "UTC"
    over: bool = False
    ends: datetime | None = None
    answer: Answer | None = None
    language: str = "en"
    gathered: bool = False

    @property
    def example_powers(self) -> str:
        """Return the letters of some powers, as commands take them: `EFT`."""
        if self.board is None or self.board.is_default:
            return "EFT"
        letters = [self.board.nations[power].letter for power in self.board.players[:3]]
        return "".join(letters)

    @property
    def deadline_code(self) -> str | None:
        """Return the phase as the deadline line shows it: with an X if the game is over."""
        if self.phase is None:
            return None
        return f"{self.phase.code}X" if self.over else self.phase.code


def move_and_hold(board: Map, standing: Iterable[tuple[UnitKind, Location]]) -> Iterator[Order]:
    """Yield the first move to where none of those *standing* is, and a hold of another unit."""
    units = [UnitName(kind, location) for kind, location in standing]
    taken = {province_of(unit.location) for unit in units}
    for unit in units:
        borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
        near = sorted(borders.get(unit.location, ()))
        free = [each for each in near if province_of(each) not in taken]
        if free:
            yield Move(unit, free[0])
            yield Hold(next((each for each in units if each != unit), unit))
            return


def heading_of(board: Map, game: Game, judge_code: str) -> Heading:
    """Return the heading of an email that is sent in this state of *game*."""
    return Heading(
        judge_code,
        game=game.name,
        board=board,
        anonymous=game.house_rules.anonymous,
        phase=game.position.phase if game.position else None,
        deadline=game.phase.deadline if game.phase else None,
        zone=game.house_rules.zone,
        over=game.stage is Stage.ENDED,
        ends=clock_end(game.house_rules, game.started),
    )


@dataclass(frozen=True, slots=True)
class SuggestedReply:
    """A reply of this *text*, labelled by *word*, and by the *game* if that is another one."""

    word: str
    text: str
    game: str = ""

    def about(self, game: str) -> SuggestedReply:
        """Return this reply for *game*, in an email about another one."""
        return replace(self, text=f"GAME {game}\n{self.text}", game=game)

    def link(self, answer: Answer) -> str:
        """Return the mailto link that writes this reply (RFC 6068)."""
        subject = f"{self.word.upper().replace('_', ' ')} {answer.tag}".strip()
        lines = "\r\n".join(self.text.split("\n"))
        to = quote(answer.address, safe="@")
        return f"mailto:{to}?subject={quote(subject)}&body={quote(lines)}"


def word_replies(*words: str) -> tuple[SuggestedReply, ...]:
    """Return replies that each consist of one word."""
    return tuple(SuggestedReply(word, word.upper()) for word in words)


def command_reply(command: str) -> SuggestedReply:
    """Return a reply of the line *command*, which templates show unless they know its word."""
    return SuggestedReply("_".join(command.lower().split()), command)


@dataclass(frozen=True, slots=True)
class CalendarDeadline:
    """The deadline of a game as its reader's calendar is to show it, or no more."""

    phase: str
    due: datetime | None
    cancelled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """An email, or a page of one."""

    heading: Heading

    def replies(self) -> tuple[SuggestedReply, ...]:
        """Return the replies that the reader is likely to send."""
        return ()

    def deadline(self, now: datetime) -> CalendarDeadline | None:
        """Return the deadline that the email announces or cancels, if it does."""
        return None


def replies_to(pages: Sequence[Context]) -> tuple[SuggestedReply, ...]:
    """Return the replies to an email of *pages*, which is about the game of the first one."""
    about = pages[0].heading.game
    found = (
        each if page.heading.game in (None, about) else each.about(page.heading.game)
        for page in pages
        for each in page.replies()
    )
    return tuple(dict.fromkeys(found))


T = TypeVar("T", bound=Context)


def addressed_to_reader(
    context: T,
    answer: Answer | None,
    zone: str | None,
    language: str = SOURCE,
    *,
    gathered: bool = False,
) -> T:
    """Return *context* for a reader in *zone* who reads *language* and replies to *answer*.

    A *gathered* email may become part of a digest.
    """
    heading = replace(
        context.heading,
        answer=answer,
        zone=zone or context.heading.zone,
        language=language,
        gathered=gathered,
    )
    return replace(context, heading=heading)


def in_language(context: T, language: str) -> T:
    """Return *context* for a reader who is not known, in *language* unless it has another."""
    if context.heading.language != SOURCE:
        return context
    return replace(context, heading=replace(context.heading, language=language))


def open_deadline(heading: Heading) -> CalendarDeadline | None:
    """Return the deadline of the open phase, if it has one."""
    if heading.phase and heading.deadline and not heading.over:
        return CalendarDeadline(heading.phase.code, heading.deadline)
    return None


def cancelled_deadline(
    phase: str, was_due: datetime | None, now: datetime
) -> CalendarDeadline | None:
    """Return the deadline of *phase* to remove, if it *was_due* later than *now*."""
    if was_due and was_due > now:
        return CalendarDeadline(phase, was_due, cancelled=True)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest(Context):
    """A list of the emails below: their *subjects*, from so many *games*."""

    subjects: tuple[str, ...]  # empty until those are rendered
    games: int
