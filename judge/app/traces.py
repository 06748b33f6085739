"""What is kept of a person outside the logs, which have no more than his id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Whom:
    """Who is to be forgotten: a *person*, or a stranger, by all his *addresses*.

    *handle* is by which name others know him.
    """

    addresses: tuple[str, ...]
    person: str | None = None
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """What he had part in: *games*, the *letters* that their logs name, and his own *press*.

    Letters are named by the digests of mails, press by its messages.
    """

    games: tuple[str, ...] = ()
    letters: frozenset[str] = frozenset()
    press: frozenset[str] = frozenset()


class Trace(Enum):
    """What the text of a mail has of him."""

    NONE = "none"
    ABOUT = "about"  # an address of his, or the name by which others know him
    HIS = "his"  # it seems to be from him


@dataclass(slots=True)
class Reading:
    """What was found of *whom* so far, in events and in the texts of mails, by their numbers.

    That takes long, and is done before anybody has to wait for what is erased: *position* is how
    far the events were read, which name him in *games*, and an address of his *naming* times.
    """

    whom: Whom
    position: int = 0
    games: set[str] = field(default_factory=set)
    naming: int = 0
    mails_in: dict[int, Trace] = field(default_factory=dict)
    mails_out: dict[int, Trace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Erased:
    """How many of each kind go, and what has to stay, by a word for each."""

    goes: Mapping[str, int] = field(default_factory=dict)
    stays: Mapping[str, int] = field(default_factory=dict)


class Traces(Protocol):
    """What of a person is kept anywhere but in logs."""

    def read(self, reading: Reading) -> bool:
        """Go on with *reading* for a while; False once there is nothing more to be read."""
        ...

    def finish(self, reading: Reading) -> None:
        """Read all that is left, and what has come meanwhile."""
        ...

    def erase(self, reading: Reading, share: Share) -> Erased:
        """Erase all that is his, and the text of all that was written to or about him."""
        ...
