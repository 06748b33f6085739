"""Damage to the log of a game: changed from outside, or by the disk.

It is that game's alone. Whatever fails because of it is reported with the number of the event, so
all other games go on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from judge.app.ports.database import Transaction
from judge.errors import JudgeError
from judge.event_log import Damage, Flaw, verify_chain
from judge.game.events import unreadable_event


class DamagedLogError(JudgeError):
    """The log of a game was changed or cannot be read."""

    def __init__(self, flaw: Flaw) -> None:
        remedy = "restore a backup"
        if flaw.damage is Damage.ALTERED:
            remedy += " or let the log stand (judge log accept)"
        super().__init__(
            f"{flaw.game}: event {flaw.version} of its log is {flaw.damage.value}, so no phase "
            f"closes: look at it (judge log show), then {remedy}"
        )
        self.flaw = flaw


def find_damage(transaction: Transaction, name: str) -> Flaw | None:
    """Return the first event of *name* that is missing or unreadable, else the first altered.

    An event that an operator has accepted is not altered.
    """
    broken = find_break(transaction, name)
    if broken and broken.damage is not Damage.ALTERED:
        return broken
    unreadable = unreadable_event(transaction.events.rows(name))
    return Flaw(name, unreadable, Damage.UNREADABLE) if unreadable else broken


def find_break(transaction: Transaction, name: str) -> Flaw | None:
    """Return the first event of the game *name* that breaks the chain."""
    log = transaction.events
    return verify_chain(name, log.rows(name), log.head(name), log.vouched(name))


@contextmanager
def reporting_damage(transaction: Transaction, name: str) -> Iterator[None]:
    """Turn what fails because of a damaged log of the game *name* into a `DamagedLogError`."""
    try:
        yield
    except (ValueError, LookupError, AssertionError) as error:
        flaw = find_damage(transaction, name)
        if flaw is None:
            raise
        raise DamagedLogError(flaw) from error
