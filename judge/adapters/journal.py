"""The log for the operator: one line a record, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from traceback import format_tb
from typing import Any, TextIO, cast

import structlog
from structlog.types import Processor


def _in_one_line(_logger: object, _method: str, record: MutableMapping[str, Any]) -> str:
    """Write a record for eyes; what is not a plain word stands in JSON's quotes."""
    stamp, level, event = (record.pop(key) for key in ("timestamp", "level", "event"))
    facts = (f"{key}={json.dumps(value)}" for key, value in record.items())
    return " ".join([stamp, f"{level:7}", event, *facts])


class _Unfailing:
    """A stream that may have no room, or no reader any more: what it loses ends nobody's work."""

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


def set_up(level: str, form: str = "json") -> None:
    """Write records of *level* and above, one a line, which no value in it can break."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            RENDERERS[form],
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Unfailing(sys.stderr))),
    )


class SystemJournal:
    """What the operator may read about the judge's own doings."""

    def __init__(self) -> None:
        self._log = structlog.get_logger()

    def note(self, event: str, **facts: str | int) -> None:
        """Write down that *event* happened."""
        self._log.info(event, **facts)

    def warn(self, event: str, **facts: str | int) -> None:
        """Write down that *event* happened, about which somebody should do something."""
        self._log.warning(event, **facts)

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Write down a failure of ours and where it happened; what it says may quote a mail."""
        where = "".join(format_tb(error.__traceback__))
        self._log.error(event, error=type(error).__name__, where=where, **facts)
