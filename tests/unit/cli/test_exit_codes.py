"""The same mistake has the same exit code in every command, and one line that says what it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from shlex import split

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store.database import DaemonLock
from judge.cli import terminal
from judge.cli.root import root
from tests.support.table import MODERATOR, Table

NOBODY = "nobody@x.example"

NO_DATABASE = (
    "backup new",
    "desk",
    f"forget {NOBODY}",
    "game admit baltic ann@x.example",
    "game begin baltic",
    "game branch baltic --at S1901M --as new",
    "game correct baltic file --reason x",
    "game dummy baltic FRANCE",
    "game eject baltic FRANCE",
    "game export baltic",
    "game extend baltic 2027-01-01T20:00 --reason x",
    "game list",
    "game moderator baltic ann@x.example",
    "game password baltic file",
    "game pause baltic --reason x",
    "game players baltic",
    "game press baltic file",
    "game process baltic",
    "game refuse baltic ann@x.example",
    "game resume baltic",
    "game rollback baltic --reason x",
    "game rollforward baltic --reason x",
    "game rules baltic",
    "game seat baltic FRANCE ann@x.example",
    "game show baltic",
    "game terminate baltic",
    "game unstart baltic --reason x",
    "inbox discard 1",
    "inbox export 1 new",
    "inbox list",
    "inbox retry 1",
    "inbox show 1",
    "log accept baltic --reason x",
    "log show baltic",
    "log verify",
    "outbox discard 1",
    "outbox list",
    "outbox retry 1",
    "outbox show 1",
    f"player new-tokens {NOBODY}",
    f"player show {NOBODY}",
    "replay baltic -o new",
    "report baltic",
    "status",
)
NO_GAME = (
    "game admit adria ann@x.example",
    "game begin adria",
    "game branch adria --at S1901M --as new",
    "game correct adria file --reason x",
    "game dummy adria FRANCE",
    "game eject adria FRANCE",
    "game export adria",
    "game extend adria 2027-01-01T20:00 --reason x",
    "game moderator adria ann@x.example",
    "game password adria file",
    "game pause adria --reason x",
    "game players adria",
    "game press adria file",
    "game process adria",
    "game refuse adria ann@x.example",
    "game resume adria",
    "game rollback adria --reason x",
    "game rollforward adria --reason x",
    "game rules adria",
    "game seat adria FRANCE ann@x.example",
    "game show adria",
    "game terminate adria",
    "game unstart adria --reason x",
    "log accept adria --reason x",
    "log show adria",
    "log verify adria",
    "replay adria -o new",
    "report adria",
    "archive show game.json --game adria",
)
NO_SUCH_EMAIL = (
    *(f"inbox {each} 777" for each in ("discard", "export 777", "retry", "show")),
    *(f"outbox {each} 777" for each in ("discard", "retry", "show")),
)
NO_SUCH_POWER = (
    "game dummy baltic NARNIA",
    "game eject baltic NARNIA",
    f"game seat baltic NARNIA {MODERATOR}",
    "orders read file --mail --power NARNIA",
)
NO_SUCH_PERSON = (
    f"game admit baltic {NOBODY}",
    f"game refuse baltic {NOBODY}",
    f"player new-tokens {NOBODY}",
    f"player show {NOBODY}",
    f"desk --moderator {NOBODY} --desk 127.0.0.1:0",
)
UNREADABLE = (
    "adjudicate {}",
    "archive convert {} --to record -o new",
    "archive index catalogue {}",
    "archive search {}",
    "archive show {}",
    "archive stats {}",
    "archive verify {}",
    "game correct baltic {} --reason x",
    "game import {} --as new",
    "game password baltic {}",
    "game press baltic {}",
    "log verify {}.eml",
    "orders read {}",
    "orders read file --mail --power FRANCE --position {}",
    "receipt verify {}",
    "replay {}.json -o new",
    "report {}.json",
    "restore {}",
    "variant check {}",
    "variant import {}",
)
FILE_EXISTS = (
    "backup file",
    "inbox export 1 file",
    "variant new folder",
)
NOT_WRITABLE = (
    "archive convert game.json --to record -o missing/new",
    "backup missing/new",
    "game export baltic -o missing/new",
    "game show baltic --picture missing/new.png",
    "inbox export 1 missing/new",
    "replay baltic -o missing/new",
    "report baltic -o missing/new",
)
BAD_VALUES = (
    "adjudicate --jobs x file",
    "archive show file --language xx",
    "backup",
    "conquer",
    "desk --moderator",
    "doctor --seconds x",
    "game extend baltic x",
    "game new new --rule what",
    "game new new --rulebook what",
    "game new new --variant what",
    "game new new --moderator x",
    "game rules baltic what",
    "inbox list --state x",
    "inbox list --last x",
    "log verify --head x",
    "outbox list --state x",
    "report baltic --language xx",
    "report baltic --format xx",
    "rulebook show what",
    "rulebook diff what datc",
    "variant show what",
    "variant new new --extends what",
    "archive show game.json --variant what",
    "game import game.json --as new --variant what",
)
IN_USE = ("restore file", "serve")
MISTAKES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "no such database": (terminal.UNAVAILABLE, NO_DATABASE),
    "no such game": (terminal.UNAVAILABLE, NO_GAME),
    "no such email": (terminal.UNAVAILABLE, NO_SUCH_EMAIL),
    "no such power": (terminal.UNAVAILABLE, NO_SUCH_POWER),
    "no such person": (terminal.UNAVAILABLE, NO_SUCH_PERSON),
    "unreadable file": (terminal.UNAVAILABLE, UNREADABLE),
    "file exists": (terminal.UNAVAILABLE, FILE_EXISTS),
    "file cannot be written": (terminal.UNAVAILABLE, NOT_WRITABLE),
    "store in use": (terminal.UNAVAILABLE, IN_USE),
    "wrong command line": (terminal.USAGE, BAD_VALUES),
}
LINES = [(mistake, line) for mistake, (_, lines) in MISTAKES.items() for line in lines]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, in which a game has begun, and some files."""
    folder = tmp_path_factory.mktemp("mistakes")
    table = Table(folder)
    table.start("baltic", moderator=MODERATOR)
    table.send("FRANCE", "A Par-Bur")
    table.close()
    (folder / "file").write_text("word\n")
    (folder / "folder").mkdir()
    (folder / "folder" / "file").write_text("x")
    with chdir(folder):
        assert run("game export baltic -o game.json").exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def run(line: str, database: str = "judge.db") -> Result:
    return CliRunner(env={"JUDGE_DATABASE": database, "JUDGE_SMTP": "127.0.0.1:0"}).invoke(
        root, split(line)
    )


@pytest.mark.parametrize(("mistake", "line"), LINES)
def test_the_same_mistake_has_the_same_exit_code(folder: Path, mistake: str, line: str) -> None:
    line = line.format("missing")
    if mistake == "no such database":
        result = run(line, "missing.db")
    elif mistake == "store in use":
        with DaemonLock(folder / "judge.db"):
            result = run(line)
    else:
        result = run(line)

    assert (result.exit_code, result.exception and type(result.exception)) == (
        MISTAKES[mistake][0],
        SystemExit,
    ), result.output
    assert not (folder / "new").exists()
    assert result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("line", [*NO_DATABASE, "check", "doctor", "serve", "restore file"])
def test_a_wrong_setting_has_the_same_exit_code(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("JUDGE_TICK_SECONDS", "often")

    result = run(line)

    assert result.exit_code == terminal.CONFIGURATION
    assert result.stderr == (
        "judge: JUDGE_TICK_SECONDS = 'often': expected a valid number, "
        "unable to parse string as a number\n"
    )
