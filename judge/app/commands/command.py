"""One entry of the command table: the syntax, HELP topic and handler of a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from judge.app.commands.context import MailContext, Session
from judge.mail.language.command_table import Syntax
from judge.reports.emails.contexts import Context
from judge.reports.emails.receipts import Item


class Scope(Enum):
    """What the writer needs before a command is handled."""

    EMAIL = "email"  # nothing: it is about the email itself
    ENTRY = "entry"  # the name of a game that they want to enter
    SETTINGS = "settings"  # a game that they know, or none
    GAME = "game"  # a game that they know
    POWER = "power"  # a power of it
    MODERATOR = "moderator"  # to moderate it


Outcome: TypeAlias = Item | Sequence[Item]
Handler: TypeAlias = Callable[..., Outcome]  # of (context, session, parsed)
Answerer: TypeAlias = Callable[..., Sequence[Context]]  # of (context, person, session, parsed)


def do_nothing(_context: MailContext, _session: Session, _said: object) -> Outcome:
    """Handle a question, which is answered below the receipt."""
    return ()


@dataclass(frozen=True, slots=True)
class Command(Syntax):
    """A kind of line: how it is written, and what is done with it.

    *answer* makes the pages that answer a question, also for a stranger. Only the player may give
    a command that is *in_person*, not a moderator who acts for them; one that is *confirmed* takes
    effect after they confirm it by email.
    """

    scope: Scope = Scope.GAME
    handle: Handler = do_nothing
    answer: Answerer | None = None
    in_person: bool = False
    confirmed: bool = False
