"""Run as a system service: the structured log on standard error, and notices to systemd."""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import sys
import time
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from traceback import format_tb
from typing import Any, TextIO, cast

import structlog
from structlog.types import Processor


def _in_one_line(_logger: object, _method: str, record: MutableMapping[str, Any]) -> str:
    stamp, level, event = (record.pop(key) for key in ("timestamp", "level", "event"))
    facts = (f"{key}={json.dumps(value)}" for key, value in record.items())
    return " ".join([stamp, f"{level:7}", event, *facts])


class _Unfailing:
    """A stream that ignores write errors, so a full disk or a closed pipe stops no work."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


RENDERERS: dict[str, Processor] = {
    "json": structlog.processors.JSONRenderer(),
    "console": _in_one_line,
}


def set_up_logging(level: str, form: str = "json") -> None:
    """Write records of *level* and above, each on one line whatever its values."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            RENDERERS[form],
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Unfailing(sys.stderr))),
    )


class OperatorLog:
    """The operator's log."""

    def __init__(self) -> None:
        self._log = structlog.get_logger()

    def note(self, event: str, **facts: str | int) -> None:
        self._log.info(event, **facts)

    def warn(self, event: str, **facts: str | int) -> None:
        """Record an *event* that needs attention."""
        self._log.warning(event, **facts)

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Record a failure of ours and its place, not its message, which may quote an email."""
        where = "".join(format_tb(error.__traceback__))
        self._log.error(event, error=type(error).__name__, where=where, **facts)


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
