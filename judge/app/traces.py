"""What is kept of a person outside the logs, which have no more than his id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Whom:
    """Who is to be forgotten: a *person*, or a stranger, by all his *addresses*.

    *handle* is by which name others know him, *games* are those he took part in, *letters* the
    digests of the mails that their logs name, *press* what he wrote to others there.
    """

    addresses: tuple[str, ...]
    person: str | None = None
    handle: str | None = None
    games: tuple[str, ...] = ()
    letters: frozenset[str] = frozenset()
    press: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Erased:
    """How many of each kind go, and what has to stay, by a word for each."""

    goes: Mapping[str, int] = field(default_factory=dict)
    stays: Mapping[str, int] = field(default_factory=dict)


class Traces(Protocol):
    """What of a person is kept anywhere but in logs."""

    def erase(self, whom: Whom) -> Erased:
        """Erase all that is his, and the text of all that was written to or about him."""
        ...
