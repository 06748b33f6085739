"""How many processes can work at once, and do so here."""

from __future__ import annotations

import os
import sys

import click

PROCESSES = click.IntRange(
    min=1, max=64
)  # More cores than that are a matter for several machines.


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
