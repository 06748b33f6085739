"""Pictures are painted in child processes, which end with the daemon."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import closing

from judge.adapters.picture_painting import PaintingProcesses
from judge.pictures.png import to_png

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20">'
    '<rect width="60" height="20" fill="#336699"/><text x="5" y="15">Köln</text></svg>'
)


def children() -> set[int]:
    found = subprocess.run(
        ["ps", "-ww", "--ppid", str(os.getpid()), "-o", "pid=,args="],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return {int(each.split()[0]) for each in found if "picture_painting" in each}


def test_a_child_paints_the_same_picture_as_the_judge_itself() -> None:
    with closing(PaintingProcesses()) as painter:
        pictures = [painter.paint(SVG, 120), painter.paint(SVG, 60)]

    assert pictures == [to_png(SVG, 120), to_png(SVG, 60)]


def test_a_picture_is_painted_even_if_the_child_dies() -> None:
    with closing(PaintingProcesses()) as painter:
        painter.paint(SVG, 60)
        [child] = children()
        os.kill(child, signal.SIGKILL)

        assert [painter.paint(SVG, 60) for _ in range(3)] == [to_png(SVG, 60)] * 3


def test_a_child_outlives_the_signal_that_stops_the_daemon_but_not_the_daemon() -> None:
    with closing(PaintingProcesses()) as painter:
        painter.paint(SVG, 60)
        [child] = children()
        os.kill(child, signal.SIGTERM)

        assert painter.paint(SVG, 60) == to_png(SVG, 60)
        assert children() == {child}

    assert not children()
