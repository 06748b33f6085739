"""Child processes that draw pictures."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from pathlib import Path

from judge.adapters.picture_painting import PaintingProcess
from judge.pictures.parts import Part, Picture
from judge.pictures.png import paint

PICTURE = Picture(
    width=60,
    height=20,
    background="#336699",
    patterns="",
    ground=(),
    parts=(Part('<text font-size="12">Köln</text>', (0, -12, 40, 6), (5, 15)),),
    heading="",
    description="",
)


def children() -> set[int]:
    """Return the processes that paint; those that have ended have no command line."""
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        for child in (thread / "children").read_text().split():
            if b"picture_painting" in Path("/proc", child, "cmdline").read_bytes():
                found.add(int(child))
    return found


def test_a_child_process_draws_the_same_picture_as_the_judge() -> None:
    with closing(PaintingProcess()) as painter:
        pictures = [painter.paint(PICTURE, 120), painter.paint(PICTURE, 60)]

    assert pictures == [paint(PICTURE, 120), paint(PICTURE, 60)]


def test_a_picture_is_painted_even_if_the_child_dies() -> None:
    with closing(PaintingProcess()) as painter:
        painter.paint(PICTURE, 60)
        [child] = children()
        os.kill(child, signal.SIGKILL)

        assert [painter.paint(PICTURE, 60) for _ in range(3)] == [paint(PICTURE, 60)] * 3


def test_a_child_outlives_the_signal_that_stops_the_daemon_but_not_the_daemon() -> None:
    with closing(PaintingProcess()) as painter:
        painter.paint(PICTURE, 60)
        [child] = children()
        os.kill(child, signal.SIGTERM)

        assert painter.paint(PICTURE, 60) == paint(PICTURE, 60)
        assert children() == {child}

    assert not children()
