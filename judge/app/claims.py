"""How several judges share one store: who has what in hand, and what if two are at the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from judge.events.store import StaleStreamError

TRIES = 5  # of what somebody else was faster at; then it waits like any other failure

Result = TypeVar("Result")


class OvertakenError(Exception):
    """Another judge on the same store was faster: nothing was written; read again, decide anew."""


class Claims(Protocol):
    """What is in the hand of this judge; whatever happens to it, others can have it then.

    A claim keeps two judges from doing the same work, and nothing depends on it: what they write
    shows in the store who was second.
    """

    def take(self, name: str) -> bool:
        """Have *name* in hand, or have it already; False if another judge does."""
        ...

    def leave(self, name: str) -> None:
        """Let others have *name*."""
        ...


def persistently(work: Callable[[], Result]) -> Result:
    """Do *work*, one transaction, again while another judge is faster."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except (OvertakenError, StaleStreamError):
            continue
    return work()
