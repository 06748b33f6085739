"""Measure time beside a loop of plain arithmetic, because machines vary."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import TypeAlias

ANCHOR_SECONDS = 0.0105  # what the loop took where the figures that are quoted come from

Times: TypeAlias = Mapping[str, Sequence[float]]  # by what was done, the seconds of each phase


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """Return how long *work* takes."""
    start = perf_counter()
    work(*arguments)
    return perf_counter() - start


def busy(work: Callable[..., object], *arguments: object) -> float:
    """Return the seconds of CPU that *work* takes."""
    start = process_time()
    work(*arguments)
    return process_time() - start


def calibrate() -> None:
    """Do what every figure is compared with."""
    s = 0
    for i in range(200_000):
        s += i * i & 7


@dataclass(frozen=True, slots=True)
class Round:
    """The seconds of each phase, and of the calibration loop just then."""

    phases: Sequence[float]
    loop: float


class Table:
    """The rounds of everything that is measured, by name."""

    def __init__(self) -> None:
        self.rounds: dict[str, list[Round]] = {}

    def add(self, work: Callable[[], Times]) -> None:
        """Do a round of *work*."""
        before = busy(calibrate)
        times = work()
        loop = min(before, busy(calibrate))
        for name, phases in times.items():
            self.rounds.setdefault(name, []).append(Round(phases, loop))

    def phases(self, name: str) -> list[tuple[float, ...]]:
        """Return the times of each phase, round by round."""
        return list(zip(*(each.phases for each in self.rounds[name]), strict=True))

    def loops(self, name: str) -> float:
        """Return how many calibration loops a phase takes, whatever the machine does."""
        return median(median(each.phases) / each.loop for each in self.rounds[name])


def print_load() -> None:
    """Print how busy the machine is: wall times count on one that is not."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)


def print_milliseconds(what: str, times: Sequence[float], loops: Sequence[float]) -> None:
    """Print the median and range of *times*, and their median scaled to the anchor's machine."""
    scaled = median(times) * ANCHOR_SECONDS / median(loops)
    print(
        f"{what}: {1000 * median(times):.1f} ms ({1000 * min(times):.1f}-{1000 * max(times):.1f},"
        f" {len(times)} runs), scaled {1000 * scaled:.1f} ms"
        f" (calibration loop {1000 * median(loops):.1f} ms)"
    )
