"""The readings of one email: made by pure functions, and never while a lock is held.

Anybody can write an email that takes long to read. So everything that looks for orders, commands
or prose in a text is a pure function of values, and `Readings` has it called by the `Reader`,
within a limit of CPU time for each email. Most of it is called *ahead*: before the transaction
that answers the email, from what the judge knows by then.

The transaction finds those readings by function and arguments, so they count only if its own view
of the game is the same: another phase or other orders are other arguments. For one that lacks it
raises `NotReadError`; it is rolled back, the email is read again, and the transaction repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar, cast

from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Call, Opener, Reader
from judge.mail.envelope import OpenedEmail, Unreadable

CPU_SECONDS_MAX = 1.0  # for one email
AGAIN_MAX = 2  # then the rest is read within the transaction, in the same process and limit

P = ParamSpec("P")
R = TypeVar("R")


class NotReadError(Exception):
    """The transaction needs a reading that was not made before it; *make* makes it."""

    def __init__(self, what: str, make: Callable[[], object]) -> None:
        super().__init__(what)
        self.make = make


@dataclass(frozen=True, slots=True)
class Reading:
    """The *result* of the function *name* for *arguments*."""

    name: str
    arguments: tuple[object, ...]
    result: object


class Recorder:
    """Calls functions, and records what they return; a function that reads ahead uses it."""

    def __init__(self) -> None:
        self.readings: list[Reading] = []

    def read(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what *function* returns."""
        call = Call(function, args, kwargs)
        result = function(*args, **kwargs)
        self.readings.append(Reading(call.name, call.values, result))
        return result


def read_now(reader: Reader, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Return what *function* reads in another email than the one that is answered.

    Raises `TooMuchToReadError` if that takes too long.
    """
    result, _ = reader.read(Call(function, args, kwargs), CPU_SECONDS_MAX)
    return cast("R", result)


class Readings:
    """The readings of one email, made by *reader* within *seconds* of CPU time."""

    def __init__(
        self, reader: Reader, opener: Opener, *, seconds: float = CPU_SECONDS_MAX
    ) -> None:
        self._reader = reader
        self._opener = opener
        self._seconds_left = seconds
        self._made: list[Reading] = []
        self._opened: dict[bytes, OpenedEmail | Unreadable] = {}
        self._again = 0
        self.noted: set[tuple[int, str]] = set()  # failing lines that the operator knows of

    def read_ahead(
        self, function: Callable[P, Sequence[Reading]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Add the readings that *function* returns.

        Raises `TooMuchToReadError` if the email takes too long.
        """
        self._made += cast("Sequence[Reading]", self._call(Call(function, args, kwargs)))

    def read_again(self, missing: NotReadError) -> None:
        """Make the reading that the transaction lacks, for its next attempt."""
        self._again += 1
        missing.make()

    def read(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what *function* returns; call it from within the transaction."""
        call = Call(function, args, kwargs)
        name, values = call.name, call.values
        for each in self._made:
            if each.name == name and each.arguments == values:
                return cast("R", each.result)
        if self._again < AGAIN_MAX:
            raise NotReadError(name, partial(self._make, call))
        return cast("R", self._make(call))

    def open(self, mail: IncomingMail) -> OpenedEmail | Unreadable:
        """Return another stored email; call it from within the transaction."""
        if mail.raw not in self._opened:
            if self._again < AGAIN_MAX:
                raise NotReadError("open", partial(self._open, mail))
            self._open(mail)
        return self._opened[mail.raw]

    def _open(self, mail: IncomingMail) -> None:
        self._opened[mail.raw] = self._opener.open(mail.raw, mail.sender)

    def _make(self, call: Call) -> object:
        result = self._call(call)
        self._made.append(Reading(call.name, call.values, result))
        return result

    def _call(self, call: Call) -> object:
        result, seconds = self._reader.read(call, self._seconds_left)
        self._seconds_left -= seconds
        return result
