"""The same mistake has the same exit code and a one-line message in every command."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from shlex import split
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store.database import DaemonLock
from judge.cli import terminal
from judge.cli.root import root
from tests.support.table import MODERATOR, Table

NOBODY = "nobody@x.example"
NOT_ROOT = 65_534

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
FOLDER_FOR_A_FILE = (
    "adjudicate folder",
    "archive convert game.json --to record -o folder",
    "archive index folder game.json",
    "archive search folder",
    "archive verify --resume folder game.json",
    "backup new --encrypt folder",
    "game correct baltic folder --reason x",
    "game list --database folder",
    "game new new --settings folder",
    "game press baltic folder",
    "game show baltic --picture folder.svg",
    "log verify folder.eml",
    "orders read folder",
    "receipt verify folder",
    "replay baltic -o folder",
    "restore folder",
    "restore backup --decrypt folder",
    "variant import folder",
    "variant show standard --picture folder.svg",
)
FILE_FOR_A_FOLDER = (
    "archive convert game.json --to parquet -o file",
    "log publish file",
    "report game.json --format svg -o file",
    "setup --kind try --address judge@x.example --folder file --backups - --game -",
    "templates export file",
    "variant check file",
)
CLOSED_TO_US = (
    "archive convert game.json --to record -o closed/new",
    "archive search closed/file",
    "archive show closed",
    "archive verify closed/file",
    "archive verify --resume closed game.json",
    "backup closed",
    "backup new --encrypt closed",
    "game new new --settings closed",
    "log verify closed.eml",
    "game import closed/file --as new",
    "replay closed -o new",
    "replay closed/game.json -o new",
    "report closed",
    "report closed/game.json",
    "restore backup --decrypt closed",
    "setup --kind try --address judge@x.example --folder closed --backups - --game -",
    "templates export closed --only zine/",
    "variant check closed",
    "variant new closed",
    "variant new closed/new",
    "variant show closed/new",
)
WRONG_CONTENT = (
    *("adjudicate word", "orders read word", "receipt verify word", "variant check folder"),
    *(
        f"archive {each} word"
        for each in ("convert --to record", "index catalogue", "show", "stats")
    ),
    *(f"archive {each} folder/empty" for each in ("convert --to record", "show", "stats")),
    "archive verify folder/empty",
    "archive verify word",
    "backup new --encrypt bytes",
    "backup new --encrypt empty",
    "game correct baltic word --reason x",
    "game import folder/empty --as new",
    "game import word --as new",
    "game new new --settings bytes",
    "game password baltic bytes",
    "game password baltic empty",
    "game press baltic bytes",
    "game press baltic empty",
    "orders read file --mail --power FRANCE --position word",
    "replay folder/empty -o new",
    "replay word -o new",
    "report folder/empty",
    "report word",
    "restore file --decrypt bytes",
    "variant import word",
    "variant show ./folder",
)
DAMAGED_STORES = (
    "archive index word game.json",
    "archive search word",
    "archive verify --resume word game.json",
    "game list --database word",
    "restore word",
)
WITHOUT_EFFECT = (
    "archive show game.json --theme dark",
    "archive show game.json --phase S1901M --picture out.svg --json",
    "backup - --json",
    "dkim rotate --unchecked --resolver 127.0.0.1:53",
    "doctor --resolver 127.0.0.1:53",
    "doctor --seconds 5",
    "doctor --sends-from 203.0.113.25",
    "game show baltic --names full",
    "game show baltic --picture new.svg --json",
    "game show baltic --reason x",
    "replay baltic -o new --game baltic",
    "replay baltic -o new --lenient",
    "replay folder -o new --game baltic",
    "report baltic --game baltic",
    "report baltic --lenient",
    "report game.json --format svg -o new --gm Ann",
    "report game.json --format svg -o new --no-pictures",
    "variant show standard --picture new.svg --json",
    "variant show standard --size 500",
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
    "game new NEW",
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
    "orders read file --mail --power FRANCE --rule what",
    "variant new new --extends what",
    "archive show game.json --variant what",
    "game import game.json --as new --variant what",
)
ALWAYS_READ = ("serve", "check", "doctor", "restore file")
IN_USE = ("restore file", "serve")
MISTAKES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "no such database": (terminal.UNAVAILABLE, NO_DATABASE),
    "store of another user": (terminal.UNAVAILABLE, NO_DATABASE),
    "no such game": (terminal.UNAVAILABLE, NO_GAME),
    "no such email": (terminal.UNAVAILABLE, NO_SUCH_EMAIL),
    "no such power": (terminal.UNAVAILABLE, NO_SUCH_POWER),
    "no such person": (terminal.UNAVAILABLE, NO_SUCH_PERSON),
    "unreadable file": (terminal.UNAVAILABLE, UNREADABLE),
    "file exists": (terminal.UNAVAILABLE, FILE_EXISTS),
    "file cannot be written": (terminal.UNAVAILABLE, NOT_WRITABLE),
    "store in use": (terminal.UNAVAILABLE, IN_USE),
    "folder for a file": (terminal.UNAVAILABLE, FOLDER_FOR_A_FILE),
    "file for a folder": (terminal.UNAVAILABLE, FILE_FOR_A_FOLDER),
    "no permission": (terminal.UNAVAILABLE, CLOSED_TO_US),
    "damaged store": (terminal.UNAVAILABLE, DAMAGED_STORES),
    "wrong content": (terminal.BAD_INPUT, WRONG_CONTENT),
    "wrong command line": (terminal.USAGE, BAD_VALUES),
    "option without effect": (terminal.USAGE, WITHOUT_EFFECT),
}
QUICK = 2  # commands for each mistake; `.ci/run` tries the others too


def quick_first(lines: Iterable[str], *before: str) -> list[pytest.ParameterSet]:
    """Return parameters: *before*, and then each of *lines*."""
    return [
        pytest.param(*before, line, marks=[pytest.mark.gate] if number >= QUICK else [])
        for number, line in enumerate(lines)
    ]


LINES = [each for mistake, (_, lines) in MISTAKES.items() for each in quick_first(lines, mistake)]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder with a store with a running game, and some files."""
    with TemporaryDirectory(dir="/tmp") as made:
        _fill(Path(made))
        if os.getuid() == 0:
            for each in (Path(made), *Path(made).rglob("*")):
                os.chown(each, NOT_ROOT, -1)
        (Path(made) / "other").mkdir(mode=0o700)
        (Path(made) / "other" / "judge.db").touch()
        yield Path(made)


def _fill(folder: Path) -> None:
    table = Table(folder)
    table.start("baltic", moderator=MODERATOR)
    table.send("FRANCE", "A Par-Bur")
    table.close()
    (folder / "file").write_text("word\n")
    (folder / "word").write_text("word\n")
    (folder / "bytes").write_bytes(b"\xff\xfe\n")
    (folder / "empty").touch()
    for name in ("folder", "folder.svg", "folder.eml"):
        (folder / name).mkdir()
    (folder / "folder" / "file").write_text("x")
    (folder / "folder" / "empty").mkdir()
    for name in ("closed", "closed.eml"):
        (folder / name).mkdir(mode=0, parents=True)
    with chdir(folder):
        assert run("game export baltic -o game.json").exit_code == 0
        assert run("backup backup").exit_code == 0


@pytest.fixture(autouse=True)
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)


def run(line: str, database: str = "judge.db") -> Result:
    return CliRunner(env={"JUDGE_DATABASE": database, "JUDGE_SMTP": "127.0.0.1:0"}).invoke(
        root, split(line)
    )


def run_without_permission(
    line: str, database: str = "judge.db", *, imports: str | None = None
) -> Result:
    if os.getuid() != 0:
        return run(line)
    if not all(each.stat().st_mode & 0o001 for each in Path(__file__).parents):
        pytest.skip("only root can read this checkout")
    run(imports or line)  # imports what only root may read
    os.setresuid(NOT_ROOT, NOT_ROOT, 0)
    try:
        return run(line, database)
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.parametrize(("mistake", "line"), LINES)
def test_the_same_mistake_has_the_same_exit_code(folder: Path, mistake: str, line: str) -> None:
    line = line.format("missing")
    if mistake == "no such database":
        result = run(line, "missing.db")
    elif mistake == "store of another user":
        if os.getuid() != 0:
            pytest.skip("needs-server: only root can be somebody else")
        run(line, "missing.db")  # as below, but without an effect on the store
        result = run_without_permission(line, "other/judge.db", imports="game list")
        assert "it belongs to the user root; run this as root" in result.stderr
    elif mistake == "no permission":
        # Root could make a new file there.
        result = run_without_permission(line, imports=line.replace("closed/new", "file/new"))
        if "closed/" in line:
            assert "Permission denied" in result.stderr
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
    assert result.output
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("closed", "mode", "file"),
    [
        pytest.param("shut", 0, "shut/game.txt", id="all of it"),
        pytest.param("names", 0o444, "names/game.txt", id="its files"),
        pytest.param("files", 0o111, "files/game.txt", id="its list of files"),
        pytest.param("mailbox", 0, "mailbox/cur/1:2,S", id="a Maildir"),
        pytest.param("other/cur", 0, "other/cur/1:2,S", id="the emails of a Maildir"),
    ],
)
def test_a_folder_in_an_archive_that_cannot_be_read_is_named(
    folder: Path, closed: str, mode: int, file: str
) -> None:
    shelf = folder / f"shelf of {closed[:5]}"
    (shelf / file).parent.mkdir(parents=True)
    (shelf / file).write_text("From: anna@players.example\n\n")
    (shelf / closed).chmod(mode)

    result = run_without_permission(f"archive verify '{shelf}'")

    assert result.exit_code == terminal.BAD_INPUT
    named = shelf / closed.partition("/")[0]
    assert f"{named}: Permission denied" in result.stdout + result.stderr


@pytest.mark.parametrize("setting", ["templates", "variants"])
@pytest.mark.parametrize(
    ("named", "closed"),
    [("closed", "closed"), ("closed/new", "closed/new"), ("partly", "partly/mail")],
)
def test_a_folder_of_settings_that_cannot_be_read_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, setting: str, named: str, closed: str
) -> None:
    (folder / "partly" / "mail").mkdir(mode=0, parents=True, exist_ok=True)
    monkeypatch.setenv(f"JUDGE_{setting.upper()}", named)

    result = run_without_permission("status", imports="--help")

    assert (result.exit_code, result.stderr) == (
        terminal.CONFIGURATION,
        f"judge: {setting}: {folder / closed}: Permission denied\n",
    )


@pytest.mark.parametrize("line", quick_first([*ALWAYS_READ, *NO_DATABASE]))
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
