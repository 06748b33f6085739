"""Mails to somebody who is not known, or may not be who he seems to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.reports.greetings import (
    AddressChanged,
    ConfirmAddress,
    ConfirmJoin,
    ConfirmMail,
    Doubt,
    Heading,
    Help,
    Unknown,
    Unreadable,
)

if TYPE_CHECKING:
    from datetime import datetime

OVERVIEW = "overview"
TOPICS = (
    "signon",
    "signoff",
    "join",
    "orders",
    "wait",
    "ready",
    "status",
    "list",
    "resign",
    "press",
    "draw",
    "concede",
    "clear",
    "phase",
    "password",
    "address",
    "tokens",
    "mails",
    "preference",
    "moderator",
    "rollback",
    "absent",
    "extension",
    "pause",
    "observe",
    "rules",
    "help",
    "set",
)  # fmt: skip - each is a file of templates/help


def help_on(topic: str | None, *, judge_code: str) -> Help:
    """Answer HELP; what is no topic gets the overview."""
    known = topic.lower() if topic and topic.lower() in TOPICS else None
    return Help(
        heading=Heading(judge_code),
        topic=known or OVERVIEW,
        asked=None if known else topic,
    )


def confirm_join(
    game: str, power: str | None, *, judge_code: str, observes: bool = False
) -> ConfirmJoin:
    """Ask whether somebody wants to play *game*, or looks on; nothing says whether it exists."""
    return ConfirmJoin(heading=Heading(judge_code), game=game, power=power, observes=observes)


def confirm_mail(
    received: datetime, lines: tuple[str, ...], doubt: Doubt, *, judge_code: str
) -> ConfirmMail:
    """Ask whether a mail is the reader's own, showing its *lines*."""
    return ConfirmMail(heading=Heading(judge_code), received=received, lines=lines, doubt=doubt)


def confirm_address(address: str, *, judge_code: str) -> ConfirmAddress:
    """Ask whoever reads *address* whether he is the player who wants mail there."""
    return ConfirmAddress(heading=Heading(judge_code), address=address)


def address_changed(address: str, *, primary: bool, judge_code: str) -> AddressChanged:
    """Tell a player, wherever he is registered, that *address* is one of his now."""
    return AddressChanged(heading=Heading(judge_code), address=address, primary=primary)


def unknown(*, judge_code: str) -> Unknown:
    """Say that nothing told who writes of which game."""
    return Unknown(heading=Heading(judge_code))


def unreadable(received: datetime, *, judge_code: str) -> Unreadable:
    """Tell a player that his mail could not be read."""
    return Unreadable(heading=Heading(judge_code), received=received)
