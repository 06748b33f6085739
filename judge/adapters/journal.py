"""The log for the operator: one line a record, on standard error."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import MutableMapping
from traceback import format_tb
from typing import Any

import structlog
from structlog.types import Processor


def _in_one_line(_logger: object, _method: str, record: MutableMapping[str, Any]) -> str:
    """Write a record for eyes; what is not a plain word stands in JSON's quotes."""
    stamp, level, event = (record.pop(key) for key in ("timestamp", "level", "event"))
    facts = (f"{key}={json.dumps(value)}" for key, value in record.items())
    return " ".join([stamp, f"{level:7}", event, *facts])


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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
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
