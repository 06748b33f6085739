"""`judge demo`: seven players play 1901 by email, from a script."""

from __future__ import annotations

import tempfile
import tomllib
from dataclasses import dataclass
from email.message import Message
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from judge.cli.demo.stage import (
    ADDRESS,
    Daemon,
    NoMailError,
    Player,
    StageError,
    running_daemon,
    text_of,
)
from judge.cli.terminal import SOFTWARE, fail

QUICK = (
    "early_wait_minutes=0",
    "early_not_before_hours=0",
)  # a phase closes once all orders are in
READER = "AUSTRIA"  # whose results are shown


@click.command()
def demo() -> None:
    """Play the year 1901 by email: a daemon and seven players over real SMTP on a local port."""
    console = Console(highlight=False, soft_wrap=True)
    script = read_script()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
            running_daemon(Path(folder)) as stage,
        ):
            _play(console, stage, script)
    except (NoMailError, StageError) as error:
        fail(str(error), SOFTWARE)


def _play(console: Console, stage: Daemon, script: Script) -> None:
    console.rule(f"A daemon listens on {stage.door[0]}:{stage.door[1]}")
    rules = [word for rule in QUICK for word in ("--rule", rule)]
    stage.judge("game", "new", script.game, *rules)
    players = {
        power: Player(address, stage.maildir, stage.door)
        for power, address in script.players.items()
    }
    latest = _join(console, players, script.game)
    for scene in script.scenes:
        latest = _act(console, players, latest, scene)
    console.rule("The log, adjudicated again")
    console.print(stage.judge("log", "verify"), end="")


def _join(console: Console, players: dict[str, Player], game: str) -> dict[str, Message]:
    """Everybody joins with a wish, and confirms that he wrote it; return each one's game start."""
    console.rule("Seven players join")
    for power, player in players.items():
        player.write(ADDRESS, "hello", f"JOIN {game}\nSET PREFERENCE {power[0]}\n")
        confirm = player.wait_for(lambda mail: mail["X-Judge-Kind"] == "confirm_join")
        player.answer(confirm, "YES\n")
        player.wait_for(lambda mail: mail["X-Judge-Kind"] in ("joined", "receipt"))
        console.print(f"{player.address} joins, confirms and gets a receipt.")
    starts = {
        power: player.wait_for(lambda mail: mail["X-Judge-Kind"] == "game_start")
        for power, player in players.items()
    }
    console.print(_shown(f"The game starts; {READER} reads", starts[READER]))
    return starts


def _act(
    console: Console, players: dict[str, Player], latest: dict[str, Message], scene: Scene
) -> dict[str, Message]:
    """Everybody orders by answering his latest mail; return each one's results."""
    console.rule(scene.title)
    for writing in scene.letters:
        player = players[writing.power]
        player.answer(latest[writing.power], writing.text, writing.quoted)
        receipt = player.wait_for(lambda mail: mail["X-Judge-Kind"] == "receipt")
        if writing.note:
            console.print(_written(writing))
            console.print(_shown(f"The receipt for {writing.power}", receipt))
        else:
            console.print(f"{writing.power} orders and gets a receipt.")
    results = {
        power: player.wait_for(lambda mail: f"{scene.code} Results" in mail["Subject"])
        for power, player in players.items()
    }
    console.print(_shown(f"The results as {READER} reads them", results[READER]))
    return results


def _written(writing: Writing) -> Panel:
    body = writing.text + (f"\n(quoted below)\n{writing.quoted}" if writing.quoted else "")
    return Panel(
        Text(body.strip()), title=f"{writing.power} writes, {writing.note}", title_align="left"
    )


def _shown(title: str, mail: Message) -> Panel:
    return Panel(
        Text(f"Subject: {mail['Subject']}\n\n{text_of(mail).strip()}"),
        title=title,
        title_align="left",
    )


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
