"""The readings of one email: made by pure functions, and never while a lock is held.

Anybody can write an email that takes long to read. So everything that looks for orders, commands
or prose in a text is a pure function of values, and `Readings` has it called by the `Reader`,
within a limit of CPU time for each email. Most of it is called *ahead*: before the transaction
that answers the email, from what the judge knows by then.

The transaction finds those readings by function and arguments, so they count only if its own view
of the game is the same: another phase or other orders are other arguments. For one that lacks it
raises `NotReadError`; it is rolled back, the email is read again, and the transaction repeated.

The answers to questions are made in the same way, but in this process: see `Readings.answer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar, cast

from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Call, Opener, Reader
from judge.app.sent_emails import SentEmails
from judge.mail.envelope import OpenedEmail, Unreadable

CPU_SECONDS_MAX = 1.0  # for one email
AGAIN_MAX = 2  # then the rest is read within the transaction, in the same process and limit
ANSWERS_MAX = 50  # then the rest is answered within the transaction

P = ParamSpec("P")
R = TypeVar("R")


class NotReadError(Exception):
    """The transaction needs something that was not made before it; *make* makes it."""

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
        self,
        reader: Reader,
        opener: Opener,
        *,
        seconds: float = CPU_SECONDS_MAX,
        holds_no_lock: bool = False,
    ) -> None:
        self._reader = reader
        self._opener = opener
        self._seconds_left = seconds
        self._made: list[Reading] = []
        self._opened: dict[bytes, OpenedEmail | Unreadable] = {}
        # What an email of a writer may quote: emails of ours, if True the latest, too.
        self.sent: dict[tuple[int, str, bool], SentEmails] = {}
        self._answers: list[tuple[object, object]] = []
        self.are_too_much = False  # so nothing in the email is carried out
        self._again = 0
        self._holds_no_lock = holds_no_lock
        self.noted: set[tuple[int, str]] = set()  # failing lines that the operator knows of

    def read_ahead(
        self, function: Callable[P, Sequence[Reading]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Add the readings that *function* returns.

        Raises `TooMuchToReadError` if the email takes too long.
        """
        self._made += cast("Sequence[Reading]", self._call(Call(function, args, kwargs)))

    def make_missing(self, missing: NotReadError) -> None:
        """Make what the transaction lacks, for its next attempt."""
        self._holds_no_lock = True
        try:
            missing.make()
        finally:
            self._holds_no_lock = False

    def read(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return what *function* returns; call it from within the transaction."""
        call = Call(function, args, kwargs)
        name, values = call.name, call.values
        for each in self._made:
            if each.name == name and each.arguments == values:
                return cast("R", each.result)
        if self._must_wait():
            raise NotReadError(name, partial(self._make, call))
        return cast("R", self._make(call))

    def answer(self, about: object, make: Callable[[], R]) -> R:
        """Return what *make* returns; call it from within the transaction.

        It is called before the next attempt of the transaction, and its result is that of every
        *about* that is equal. So it must not use the transaction.
        """
        for known, answer in self._answers:
            if known == about:
                return cast("R", answer)
        if len(self._answers) < ANSWERS_MAX:
            raise NotReadError("answer", lambda: self._answers.append((about, make())))
        return make()

    def open(self, mail: IncomingMail) -> OpenedEmail | Unreadable:
        """Return another stored email; call it from within the transaction."""
        if mail.raw not in self._opened:
            if self._must_wait():
                raise NotReadError("open", partial(self.open_ahead, mail))
            self.open_ahead(mail)
        return self._opened[mail.raw]

    def _must_wait(self) -> bool:
        """Return whether a reading is to be made before the next attempt, and count that."""
        if self._holds_no_lock or self._again == AGAIN_MAX:
            return False
        self._again += 1
        return True

    def open_ahead(self, mail: IncomingMail) -> None:
        """Open another stored email."""
        self._opened[mail.raw] = self._opener.open(mail.raw, mail.sender)

    def _make(self, call: Call) -> object:
        result = self._call(call)
        self._made.append(Reading(call.name, call.values, result))
        return result

    def _call(self, call: Call) -> object:
        result, seconds = self._reader.read(call, self._seconds_left)
        self._seconds_left -= seconds
        return result
