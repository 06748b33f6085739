"""Measure whether work is cheap, independent of the machine and its load."""

from __future__ import annotations

from collections.abc import Callable

from tests.bench.measuring import ANCHOR_SECONDS, busy, calibrate

TRIES = 5


def takes_less_than(seconds: float, work: Callable[..., object], *arguments: object) -> bool:
    """Return whether *work* takes less than *seconds* of CPU in the best of five tries.

    Where the calibration loop takes longer than 10.5 ms, it may take as much longer. Take a limit
    that honest work stays far under, and work that grows with the square of its length far above.
    """
    return any(is_under(seconds, busy(work, *arguments)) for _ in range(TRIES))


def is_under(seconds: float, taken: float) -> bool:
    """Return whether work that has *taken* so much CPU just now stays under a limit, likewise."""
    return taken < seconds or taken * ANCHOR_SECONDS < seconds * busy(calibrate)
