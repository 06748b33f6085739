"""Files that commands read and write, and standard input and output in their place."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import root
from judge.cli.terminal import INTERRUPTED, UNAVAILABLE, USAGE
from tests.support.recorded_game import game_10713, write_10713

PATIENCE_SECONDS = 100
OUTPUTS = (
    ("archive", "convert", "10713.jsonl", "--to", "record", "-o"),
    ("game", "export", "baltic", "-o"),
    ("replay", "10713.jsonl", "-o"),
    ("report", "10713.jsonl", "--years", "1901", "--format", "html", "-o"),
    ("report", "10713.jsonl", "--format", "svg", "--style", "table", "-o"),
)
INPUTS = (
    ("archive", "convert", "--to", "record"),
    ("archive", "show"),
    ("archive", "stats"),
    ("archive", "verify"),
    ("game", "import", "--as", "new", "--database", "new.db"),
    ("replay", "-o", "-"),
    ("report",),
)
LATIN_1 = b"caf\xe9.txt"  # a name in an archive of the nineties
PHASES = 8  # of the recorded game: its pages are drawn many times


def run(*arguments: object, given: bytes | None = None, **env: str) -> Result:
    return CliRunner(env=env).invoke(root, [*map(str, arguments)], input=given)


def named(arguments: Sequence[str]) -> str:
    return " ".join(arguments)


@pytest.fixture(autouse=True)
def here(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a recorded game, and with the judge of `begun` for its database."""
    write_10713(tmp_path, phases=PHASES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_DATABASE", str(begun / "judge.db"))
    return tmp_path


def full_disk(_: int) -> None:
    raise OSError(ENOSPC, os.strerror(ENOSPC))


@pytest.mark.parametrize("command", OUTPUTS, ids=named)
def test_a_full_disk_leaves_the_file_that_was_there(
    here: Path, command: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = here / "page.svg"
    page.write_text("of last year")
    names = {each.name for each in here.iterdir()}
    monkeypatch.setattr(os, "fsync", full_disk)

    said = run(*command, page)

    assert said.exit_code == UNAVAILABLE, said.output
    assert "page.svg cannot be written: No space left on device" in said.stderr
    assert page.read_text() == "of last year"
    assert {each.name for each in here.iterdir()} == names


@pytest.mark.parametrize("command", OUTPUTS, ids=named)
def test_what_goes_into_a_file_also_goes_to_standard_output(
    here: Path, command: Sequence[str]
) -> None:
    assert run(*command, "page.svg").exit_code == 0
    said = run(*command, "-")

    assert said.exit_code == 0, said.output
    assert said.stdout_bytes == (here / "page.svg").read_bytes()


def test_several_files_cannot_go_to_standard_output(here: Path) -> None:
    folder = run("replay", here, "-o", "-")
    pictures = run("report", "10713.jsonl", "--format", "svg", "-o", "-")

    assert (folder.exit_code, pictures.exit_code) == (USAGE, USAGE)
    assert "need a folder" in folder.stderr
    assert "name a folder" in pictures.stderr


@pytest.mark.parametrize("command", INPUTS, ids=named)
def test_a_recorded_game_is_read_from_standard_input(here: Path, command: Sequence[str]) -> None:
    group, *rest = command[:2] if len(command) > 1 and command[1][0] != "-" else command[:1]
    options = command[1 + len(rest) :]

    of_file = run(group, *rest, "10713.jsonl", *options)
    Path("new.db").unlink(missing_ok=True)
    said = run(group, *rest, "-", *options, given=(here / "10713.jsonl").read_bytes())

    assert (of_file.exit_code, said.exit_code) == (0, 0), said.output
    assert said.stdout
    assert said.stdout.replace("-: 10713", "10713.jsonl: 10713") == of_file.stdout


def test_progress_is_not_saved_for_standard_input(here: Path) -> None:
    said = run("archive", "verify", "-", "--resume", "progress")

    assert said.exit_code == USAGE
    assert "standard input" in said.stderr
    assert not (here / "progress").exists()


@pytest.mark.parametrize("command", ["replay", "report"])
@pytest.mark.parametrize(
    ("subject", "told"),
    [
        ("10713.json", "there is no file 10713.json\n"),
        ("games/10713", "there is no file games/10713\n"),
        ("10713", "there is no file '10713', and no database none.db with a game of that name"),
    ],
)
def test_a_mistyped_file_is_what_is_missing(command: str, subject: str, told: str) -> None:
    options = ["-o", "page"] if command == "replay" else []

    said = run(command, subject, *options, "--database", "none.db")

    assert said.exit_code == UNAVAILABLE
    assert told in said.stderr


def write_latin_1(folder: Path) -> Path:
    """Write a game that has its name from its file into *folder*."""
    folder.mkdir(exist_ok=True)
    file = folder / os.fsdecode(LATIN_1)
    assert run("archive", "convert", "10713.jsonl", "--to", "droidippy", "-o", file).exit_code == 0
    return file


def test_a_file_name_in_latin_1_costs_no_page(here: Path) -> None:
    write_latin_1(here / "games")
    write_10713(here / "games", phases=PHASES)

    said = run("replay", "games", "-o", "pages")

    assert said.exit_code == 0, said.output
    pages = {each.name: each.read_text() for each in (here / "pages").iterdir()}
    assert pages.keys() == {"caf-txt.html", "10713.html", "index.html"}
    assert "café" in pages["index.html"]


@pytest.mark.parametrize(
    "command",
    [
        ("archive", "show"),
        ("archive", "verify"),
        ("replay", "-o", "-"),
        ("report",),
    ],
    ids=named,
)
def test_a_game_named_after_a_file_in_latin_1_is_shown(
    here: Path, command: tuple[str, ...]
) -> None:
    said = run(*command, write_latin_1(here))

    assert said.exit_code == 0, said.output
    assert "café" in said.stdout_bytes.decode()


def test_pages_of_games_with_the_same_name_but_for_capitals_do_not_replace_each_other(
    here: Path,
) -> None:
    phases = game_10713().phases[:PHASES]
    names = ("Baltic", "baltic", "Index")
    games = [replace(game_10713(), name=name, phases=phases) for name in names]
    (here / "games").mkdir()
    write_10713(here / "games", *games, phases=PHASES)

    assert run("replay", "games", "-o", "pages").exit_code == 0

    pages = [each.name.casefold() for each in (here / "pages").iterdir()]
    assert len({*pages}) == len(pages) == 5


def judge(*arguments: str, redirected: str) -> subprocess.CompletedProcess[str]:
    """Run `judge` with the redirections *redirected*."""
    command = " ".join((sys.executable, "-m", "judge", *arguments, redirected))
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("variant", "list"), ("archive", "convert", "10713.jsonl", "--to", "record")],
    ids=named,
)
def test_a_full_standard_output_is_reported_in_one_line(arguments: Sequence[str]) -> None:
    done = judge(*arguments, redirected="> /dev/full")

    expected = "judge: standard output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (UNAVAILABLE, expected)


def test_a_reader_of_standard_output_may_leave_early() -> None:
    done = judge("variant", "list", redirected="| head -1")

    assert (done.stdout.count("\n"), done.stderr) == (1, "")


def test_a_closed_standard_input_is_empty() -> None:
    assert judge("adjudicate", redirected="<&-").returncode == 0
    shown = judge("archive", "show", "-", redirected="<&-")
    assert (shown.returncode, shown.stderr) == (65, "judge: -: the file is empty\n")


def test_a_closed_standard_output_is_no_file_of_the_judge() -> None:
    done = judge("game", "new", "adria", "--database", "new.db", redirected=">&- <&- 2>&-")

    assert done.returncode == 0
    assert "adria" in run("game", "list", "--database", "new.db").stdout


def test_the_bytes_of_a_file_name_are_printed_as_they_are() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "judge", "templates", "export", LATIN_1, "--only", "zine/"],
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b" templates are in " + LATIN_1 + b"\n")


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("command", "begin"), [("adjudicate", b"{}\n"), ("setup", b"")], ids=["work", "question"]
)
def test_ctrl_c_has_the_exit_code_of_an_interruption(command: str, begin: bytes) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "judge", command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(begin)
        process.stdin.flush()
        process.stdout.read(1)  # it has begun
        interrupt(process)
        _, complaint = process.communicate()

    assert (process.returncode, complaint) == (INTERRUPTED, b"\nAborted!\n")


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C, again if the command was just about to wait for its input."""
    for _ in range(PATIENCE_SECONDS):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
            return
    pytest.fail("it goes on")


def test_the_end_of_the_input_at_a_question_is_no_interruption() -> None:
    assert run("setup", given=b"").exit_code == 1


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("backup saved.gz --database begun.db", rb"\d+/\?"),
        ("restore saved.gz --database new.db", rb"\d+/\?"),
        ("log verify --database begun.db", rb"1/1"),
        ("replay games -o pages", rb"1/1"),
    ],
)
def test_long_commands_show_their_progress_on_a_terminal(
    here: Path, begun: Path, line: str, shown: bytes
) -> None:
    for each in begun.glob("judge.db*"):
        shutil.copy(each, here / each.name.replace("judge", "begun"))
    (here / "games").mkdir()
    write_10713(here / "games", phases=PHASES)
    if line.startswith("restore"):
        assert run("backup", "saved.gz", "--database", "begun.db").exit_code == 0
    terminal, stderr = pty.openpty()

    done = subprocess.run(
        [sys.executable, "-m", "judge", *line.split()],
        stdout=subprocess.PIPE,
        stderr=stderr,
        check=False,
    )

    os.close(stderr)
    drawn = os.read(terminal, 100_000)
    os.close(terminal)
    assert done.returncode == 0, drawn
    assert re.search(shown, drawn)
