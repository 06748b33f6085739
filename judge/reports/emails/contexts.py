"""The union of all email contexts, each worded by the template named like its class.

The class `PhaseResults` is written by `templates/mail/phase_results.txt.j2`, and so on. Contexts
hold values of the game, never sentences; text that a player wrote is data in them like any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, TypeVar

from judge.reports.emails.confirmation_emails import (
    AddressChanged,
    AskedAgain,
    AtTheDoor,
    ConfirmAddress,
    ConfirmJoin,
    ConfirmMail,
    ConfirmModerator,
    LastAnswer,
    Settled,
    Unknown,
    Unreadable,
)
from judge.reports.emails.explanations import Explanation, WhatIf
from judge.reports.emails.game_history import BoardMap, GameOver, History, Memoirs, Summary
from judge.reports.emails.game_news import DeskMail, TableNews
from judge.reports.emails.game_start import GameStart, Joined, ModeratorWelcome, RulesSheet
from judge.reports.emails.heading import Answer, Digest
from judge.reports.emails.help_pages import Help
from judge.reports.emails.listings import GameList, Status, WhoGame
from judge.reports.emails.notices import (
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
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.emails.press import Letter, PressEcho, PressOrOrders
from judge.reports.emails.receipts import Receipt
from judge.reports.languages import SOURCE

Context: TypeAlias = (
    PhaseResults
    | WhatIf
    | History
    | Summary
    | WhoGame
    | BoardMap
    | Explanation
    | GameStart
    | ModeratorWelcome
    | Joined
    | Receipt
    | Reminder
    | LateNotice
    | DeadlineChange
    | Vacancy
    | Forwarded
    | Takeover
    | CivilDisorder
    | Protection
    | Undelivered
    | Unread
    | Held
    | Unreadable
    | GameOver
    | Letter
    | PressEcho
    | PressOrOrders
    | Digest
    | Help
    | ConfirmJoin
    | ConfirmMail
    | ConfirmAddress
    | ConfirmModerator
    | AddressChanged
    | Unknown
    | AtTheDoor
    | AskedAgain
    | Settled
    | LastAnswer
    | GameList
    | Status
    | TableNews
    | RulesSheet
    | DeskMail
    | Memoirs
)


T = TypeVar("T", bound="Context")


def addressed_to_reader(
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
