"""The command `judge demo`."""

from __future__ import annotations

import tempfile
from email.message import Message
from pathlib import Path

import click
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from judge.cli.demo.player import NoMailError, Player, text_of
from judge.cli.demo.script import Scene, Script, Writing, read_script
from judge.cli.demo.stage import ADDRESS, Stage, StageError, raised
from judge.cli.exits import SOFTWARE, fail

QUICK = (
    "early_wait_minutes=0",
    "early_not_before_hours=0",
)  # a phase closes once all orders are in
READER = "AUSTRIA"  # whose results are shown


@click.command()
def demo() -> None:
    """Play the year 1901 by mail: a daemon, seven players, real SMTP on a free loopback port."""
    console = Console(highlight=False, soft_wrap=True)
    script = read_script()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
            raised(Path(folder)) as stage,
        ):
            _play(console, stage, script)
    except (NoMailError, StageError) as error:
        fail(str(error), SOFTWARE)


def _play(console: Console, stage: Stage, script: Script) -> None:
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
        console.print(f"{player.address} joins, confirms, and has a receipt.")
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
            console.print(f"{writing.power} orders, and has a receipt.")
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
