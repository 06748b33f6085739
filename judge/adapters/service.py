"""Run as a system service: the structured log on standard error, and notices to systemd."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from traceback import format_tb
from typing import TextIO

LOGGER = logging.getLogger("judge")


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        event, facts = (vars(record)[name] for name in ("event", "facts"))  # from `_record`
        own = {"event": event, "level": _level(record), "timestamp": _stamp(record)}
        return json.dumps(facts | own)


class _ConsoleFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return f"{_stamp(record)} {_level(record):7} {record.getMessage()}"


def _stamp(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")


def _level(record: logging.LogRecord) -> str:
    return record.levelname.lower()


FORMATTERS: dict[str, logging.Formatter] = {
    "json": _JsonFormatter(),
    "console": _ConsoleFormatter(),
}


class _LogHandler(logging.StreamHandler[TextIO]):
    """Ignores errors of writing, so a full disk or a closed pipe stops no work."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - an override
        pass


def set_up_logging(level: str, form: str = "json") -> None:
    """Write records of *level* and above, each on one line whatever its values."""
    handler = _LogHandler(sys.stderr)
    handler.setFormatter(FORMATTERS[form])
    LOGGER.setLevel(level.upper())
    LOGGER.handlers = [handler]


REPEATED_SECONDS = 600.0
FAILURES_REMEMBERED_MAX = 1_000


class OperatorLog:
    """The operator's log."""

    def __init__(self) -> None:
        # When each failure was last recorded, and how often it has come since.
        self._failures: dict[tuple[object, ...], tuple[float, int]] = {}

    def note(self, event: str, **facts: str | int) -> None:
        _record(logging.INFO, event, facts)

    def warning(self, event: str, **facts: str | int) -> None:
        """Record an *event* that needs attention."""
        _record(logging.WARNING, event, facts)

    def error(self, event: str, **facts: str | int) -> None:
        """Record that something did not work."""
        _record(logging.ERROR, event, facts)

    def critical(self, event: str, **facts: str | int) -> None:
        """Record why this process ends at once."""
        _record(logging.CRITICAL, event, facts)

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Record a failure of ours and its place, not its message, which may quote an email.

        One that repeats is recorded once in ten minutes, with the number of times.
        """
        where = "".join(format_tb(error.__traceback__))
        key, now = (event, cause_of(error), where, *facts.items()), time.monotonic()
        recorded, repeated = self._failures.pop(key, (-REPEATED_SECONDS, 0))
        if now - recorded < REPEATED_SECONDS:
            self._failures[key] = recorded, repeated + 1
            return
        self._failures[key] = now, 0
        for oldest in [*self._failures][:-FAILURES_REMEMBERED_MAX]:
            del self._failures[oldest]
        times = {"repeated": repeated} if repeated else {}
        self.error(event, error=cause_of(error), where=where, **facts, **times)


# A full disk, a lock, a lost connection, a missing table or right: these quote no values of a row.
OF_DATABASE = ("OperationalError", "InternalError", "ProgrammingError")


def cause_of(error: Exception) -> str:
    """Return the kind of *error*, with the reason if it is the system's or the database's own."""
    kind = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        return f"{kind}: {error.strerror}"
    if kind in OF_DATABASE:
        return f"{kind}: {' '.join(str(getattr(error, 'orig', error)).split())}"
    return kind


def _record(level: int, event: str, facts: Mapping[str, str | int]) -> None:
    """Log *event*; its text is whole, for commands that set up no logging."""
    text = " ".join([event, *(f"{key}={json.dumps(value)}" for key, value in facts.items())])
    LOGGER.log(level, text, extra={"event": event, "facts": facts})


class SystemdNotifier:
    """Notifies systemd of the state of the daemon, if systemd started it.

    In a unit with `Type=notify`, the variable `NOTIFY_SOCKET` names the socket. A failure to
    notify does not end the daemon: systemd restarts it if it misses the watchdog.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        name = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + name[1:] if name.startswith("@") else name

    def ready(self) -> None:
        """Announce readiness: the store is open, and leftover work is done."""
        self._notify("READY=1")

    def reloading(self) -> None:
        """Announce a reload; `ready` announces its end, also if it failed."""
        self._notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1_000}")

    def alive(self) -> None:
        """Announce progress to the watchdog."""
        self._notify("WATCHDOG=1")

    def stopping(self) -> None:
        """Announce the shutdown."""
        self._notify("STOPPING=1")

    def _notify(self, state: str) -> None:
        if not self._address:
            return
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            line.settimeout(0)
            line.sendto(state.encode(), self._address)
