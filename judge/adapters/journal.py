"""The log for the operator: one JSON line a record, on standard error."""

from __future__ import annotations

import logging
import sys
from traceback import format_tb

import structlog


def set_up(level: str) -> None:
    """Write records of *level* and above as JSON lines, in which no value can break a line."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


class SystemJournal:
    """What the operator may read about the judge's own doings."""

    def __init__(self) -> None:
        self._log = structlog.get_logger()

    def note(self, event: str, **facts: str | int) -> None:
        """Write down that *event* happened."""
        self._log.info(event, **facts)

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Write down a failure of ours and where it happened; what it says may quote a mail."""
        where = "".join(format_tb(error.__traceback__))
        self._log.error(event, error=type(error).__name__, where=where, **facts)
