"""The script of the demonstration: who plays, and what everybody writes in each phase."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Writing:
    """A letter: what a player types, and the old mail that his program puts below it, as HTML."""

    power: str
    text: str
    quoted: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase and its letters, in the order in which they are sent."""

    code: str
    title: str
    letters: tuple[Writing, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """The whole play; *players* are addresses by the power they wish for."""

    game: str
    players: dict[str, str]
    scenes: tuple[Scene, ...]


def read_script() -> Script:
    """Read the script that comes with the judge."""
    text = files("judge.cli.demo").joinpath("script.toml").read_text(encoding="utf-8")
    read: dict[str, Any] = tomllib.loads(text)
    scenes = tuple(
        Scene(
            scene["code"], scene["title"], tuple(Writing(**letter) for letter in scene["letters"])
        )
        for scene in read["phases"]
    )
    return Script(read["game"], read["players"], scenes)
