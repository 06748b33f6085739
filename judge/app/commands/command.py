"""One entry of the command table: the syntax, HELP topic and handler of a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import TypeAlias

from judge.app.commands.context import MailContext, Session
from judge.mail.language.command_table import Syntax
from judge.reports.emails.contexts import Context
from judge.reports.emails.receipts import Item


class Scope(Enum):
    """The rights that a command requires of its sender."""

    EMAIL = "email"  # nothing: the command is about the email itself
    ENTRY = "entry"  # the name of a game to enter
    SETTINGS = "settings"  # to be known, in a game or not
    GAME = "game"  # a game they know
    POWER = "power"  # a power in it
    MODERATOR = "moderator"  # to be its moderator


Outcome: TypeAlias = Item | Sequence[Item]
Handler: TypeAlias = Callable[..., Outcome]  # of (context, session, parsed)
Answerer: TypeAlias = Callable[..., Sequence[Context]]  # of (context, person, session, parsed)


def do_nothing(_context: MailContext, _session: Session, _parsed: object) -> Outcome:
    """Handle a question, whose reply follows the receipt."""
    return ()


@dataclass(frozen=True, slots=True)
class CommandRow(Syntax):
    """An entry of the command table: the syntax of a line, and its handler.

    *answer* builds the pages that answer a question, also for strangers. A command that is
    *in_person* may be given only by the player, not by a moderator on their behalf; one that is
    *confirmed* takes effect after they confirm it by email, with a code. *by_code* demands the
    code only if the email must be confirmed anyway.
    """

    scope: Scope = Scope.GAME
    handle: Handler = do_nothing
    answer: Answerer | None = None
    in_person: bool = False
    confirmed: bool = False
    by_code: bool = False

    @property
    def is_confirmed(self) -> bool:
        return self.confirmed

    @property
    def is_question(self) -> bool:
        return self.answer is not None


moderator_row = partial(CommandRow, scope=Scope.MODERATOR, topic="moderator")
