"""`judge archive verify`, `show` and `convert`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.adapters.variant_files import load_map
from judge.archive.reading import READERS, WRITERS, writer_named
from judge.archive.records import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    Seat,
    SeatKind,
    Source,
    WrittenOrder,
)
from judge.cli.root import archive
from judge.notation.order_text import read_order
from judge.resources import folder
from judge.rules.types import Phase, Position, Unit, UnitKind

SPRING = Phase.parse("S1901M")
GAME = """\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
ORDERS
bud move ser
PHASE 1901 Fall Movement
POSITIONS
Austria: supply bud
Austria: army ser
ORDERS
"""
OTHERWISE = GAME.replace(
    "Austria: supply bud\nAustria: army ser", "Austria: army bud\nAustria: supply bud"
)
BY_CONVOY = GAME.replace("bud move ser", "bud move ser via convoy")


DOCUMENT = (folder("templates").parent / "docs/archive.md").read_text(encoding="utf-8")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(archive, [str(each) for each in arguments])


def report(*arguments: object) -> dict[str, Any]:
    told = json.loads(run("verify", "--json", *arguments).stdout)
    assert isinstance(told, dict)
    return told


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder with a game that verifies, one that differs, and two other files."""
    for name, text in {"1": GAME, "2": OTHERWISE, "3": "\0", "README": "Old games."}.items():
        (tmp_path / "games").mkdir(exist_ok=True)
        (tmp_path / "games" / name).write_text(text)
    return tmp_path / "games"


def test_a_game_that_verifies_is_one_line(games: Path) -> None:
    result = run("verify", games / "1")

    game, total = result.stdout.splitlines()
    counts = "2 phases, 1 order; 1 compared, 1 agree, 0 differ (droidippy)"
    assert game == f"{games}/1: {counts}"
    assert total.startswith("1 game, 1 order, phases: 2 movement")
    assert result.exit_code == 0


def test_a_difference_has_its_line_and_our_reason(games: Path) -> None:
    result = run("verify", games / "2")

    assert result.stdout.splitlines()[1:-1] == [
        "  S1901M, line 6, AUSTRIA A BUD - SER",
        "    recorded: AUSTRIA A BUD",
        "    adjudicated: AUSTRIA A SER. A Bud-Ser succeeded (rulebook IX.2).",
    ]
    assert result.exit_code == 1


def test_a_rulebook_that_explains_a_difference_is_named(games: Path) -> None:
    (games / "1").write_text(BY_CONVOY)

    assert run("verify", games / "1").exit_code == 0
    result = run("verify", games / "1", "--rulebook", "datc")
    assert "    as recorded under " in result.stdout
    assert "droidippy" in result.stdout
    assert result.exit_code == 1


def test_an_unknown_rulebook_is_a_usage_error(games: Path) -> None:
    assert run("verify", games, "--rulebook", "chess").exit_code == 64


def test_an_unreadable_file_is_reported_and_the_rest_verified(games: Path) -> None:
    (games / "2").unlink()

    result = run("verify", games)

    assert result.stderr == f"judge: {games}/3:1: binary data, not text\n"
    assert result.stdout.splitlines()[-1].endswith("; 1 unread; 1 skipped")
    assert result.exit_code == 65


def test_an_error_in_strict_mode_is_one_line_with_a_hint(games: Path) -> None:
    (games / "1").write_text(GAME.replace("bud move ser", f"bud move {'x' * 9_000}"))

    stopped = run("verify", games / "1")
    told, hint = stopped.stderr.splitlines()

    assert told.startswith(f"judge: {games}/1:6: ")
    assert len(told) < len(f"judge: {games}/1:6: ") + 250
    assert hint == "judge: --lenient leaves out what cannot be read, and reads on"
    assert stopped.exit_code == 65
    assert run("convert", games / "1", "--to", "record").stderr == stopped.stderr
    lenient = run("verify", games / "1", "--lenient")
    assert (lenient.exit_code, lenient.stderr) == (0, "")
    assert max(map(len, lenient.stdout.splitlines())) < 400


@pytest.mark.parametrize("command", ["verify", "convert --to njudge"])
def test_finding_no_game_is_an_error_and_writes_no_file(command: str, tmp_path: Path) -> None:
    there = tmp_path / "games"
    there.mkdir()
    (there / "README").write_text("Old games.")
    output = ["-o", tmp_path / "out"] if command != "verify" else []

    result = run(*command.split(), there, *output)

    assert result.stderr == f"judge: no recorded game in {there}\n"
    assert result.exit_code == 65
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "lacks"),
    [
        (("--game", "x"), "game 'x'"),
        (("--number", "7"), "game number 7"),
        (("--phase", "S1950M"), "phase S1950M"),
    ],
)
def test_missing_parts_of_a_file_are_named(
    options: tuple[str, ...], lacks: str, games: Path
) -> None:
    shown = run("show", games / "1", *options)

    assert (shown.exit_code, shown.stderr) == (69, f"judge: {games}/1 has no {lacks}\n")


def test_a_wrong_format_is_named_with_the_one_that_the_file_looks_like(games: Path) -> None:
    result = run("verify", games / "1", "--from", "jdip")

    assert result.stderr == (
        f"judge: {games}/1:1: outside a test case: PHASE 1901 Spring Movement;"
        " the file looks like droidippy\n"
    )


def test_a_name_does_not_write_over_the_terminal_and_one_doubt_is_one(games: Path) -> None:
    record = run("convert", games / "1", "--to", "record").stdout
    doubt = '"doubts": [{"line": 3, "text": "\\u001b[2J", "why": "odd"}]'
    (games / "1").write_text(record.replace('"id": "1"', rf'"id": "dogger\u001b[2J", {doubt}'))

    told = run("verify", games / "1").stdout

    assert told.startswith("1: dogger [2J: 2 phases, 1 order;")
    assert "\x1b" not in told
    assert told.endswith("; 1 doubt\n")


def test_a_pipe_is_read(games: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    writes = f"cat {games}/1 > {tmp_path}/pipe"
    with subprocess.Popen(["/bin/sh", "-c", writes]):
        result = run("verify", tmp_path / "pipe")

    assert result.stdout.startswith(f"{tmp_path}/pipe: 2 phases, 1 order; 1 compared, 1 agree")
    assert result.exit_code == 0


def test_a_named_file_must_hold_games(games: Path) -> None:
    result = run("verify", games / "README")

    assert result.stderr.startswith(f"judge: {games}/README: unknown format; known are daide, ")
    assert result.exit_code == 65


def test_a_doubt_stops_a_strict_reading_and_is_listed_by_a_lenient_one(games: Path) -> None:
    (games / "1").write_text(f"{GAME}ser flies\n")

    assert f"{games}/1:12: " in run("verify", games / "1").stderr
    assert "  doubt: line 12: " in run("verify", "--lenient", games / "1").stdout
    assert report("--lenient", games / "1")["doubts"][0]["line"] == 12


def test_the_json_report_is_one_object(games: Path) -> None:
    told = report(games)

    assert told["games"] == 2
    assert told["phases"] == {"movement": 4, "retreats": 0, "adjustments": 0}
    assert [told[key] for key in ("orders", "compared", "agreeing", "differing")] == [2, 2, 1, 1]
    assert told["differences"] == [
        {
            "file": f"{games}/2",
            "line": 6,
            "game": "2",
            "rulebook": "droidippy",
            "phase": "S1901M",
            "power": "AUSTRIA",
            "order": "A BUD - SER",
            "recorded": ["AUSTRIA A BUD"],
            "adjudicated": ["AUSTRIA A SER"],
            "reason": "A Bud-Ser succeeded (rulebook IX.2).",
            "explained_by": [],
        }
    ]
    assert told["unread"] == [{"file": f"{games}/3", "line": 1, "why": "binary data, not text"}]
    assert told["passed_over"] == [f"{games}/README"]


def test_two_processes_find_what_one_does(games: Path) -> None:
    assert report("--jobs", 2, games) == report("--jobs", 1, games)


def test_an_interrupted_run_resumes(games: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    whole = report("--resume", state, games)
    lines = state.read_bytes().splitlines(keepends=True)
    assert len(lines) == 5
    state.write_bytes(b"".join(lines[:2]) + lines[2][:20])
    (games / "1").write_text("x" * len(GAME))  # not verified again
    os.utime(games / "1", ns=(0, file_time(lines[1])))

    assert report("--resume", state, games) == whole
    assert len(state.read_bytes().splitlines()) == 5


def file_time(line: bytes) -> int:
    """Return the file time in *line* of the state file."""
    return int(json.loads(line)["shard"].rpartition(":")[2])


def test_a_changed_file_is_verified_again(games: Path, tmp_path: Path) -> None:
    assert report("--resume", tmp_path / "state", games)["differing"] == 1
    (games / "2").write_text(f"{GAME}\n\n")

    assert report("--resume", tmp_path / "state", games)["differing"] == 0


def test_a_run_does_not_resume_a_different_one(games: Path) -> None:
    result = run("verify", "--resume", games / "1", games / "2")

    assert result.exit_code == 69
    assert (games / "1").read_text() == GAME


def test_a_terminal_shows_a_progress_bar(games: Path) -> None:
    terminal, stderr = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "judge", "archive", "verify", games / "1"],
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=os.environ | {"TERM": "xterm"},
    ) as judge:
        stdout, _ = judge.communicate()
    os.close(stderr)

    assert b"1/1" in os.read(terminal, 10_000)
    assert len(stdout.splitlines()) == 2
    os.close(terminal)


def test_a_game_is_converted_and_comes_back(games: Path, tmp_path: Path) -> None:
    assert run("convert", games / "1", "--to", "record", "-o", tmp_path / "out").exit_code == 0

    assert json.loads((tmp_path / "out").read_text())["format"] == "judge-record"
    assert run("convert", tmp_path / "out", "--to", "droidippy").stdout == f"{GAME}END\n"


def test_a_converted_game_does_not_contain_its_file_name(games: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(games / "1", "old/1")

    converted = run("convert", games / "1", tmp_path / "all.zip", "--to", "record").stdout
    names = [json.loads(line)["source"]["name"] for line in converted.splitlines()]

    assert names == ["1", "all.zip/old/1"]
    assert str(tmp_path) not in converted
    assert str(tmp_path) not in run("show", "--json", games / "1").stdout
    assert run("verify", tmp_path / "all.zip").stdout.startswith(f"{tmp_path}/all.zip/old/1: ")


@pytest.mark.parametrize("what", ["1", "."], ids=["the file", "its folder"])
def test_a_game_is_never_converted_into_its_own_file(games: Path, what: str) -> None:
    result = run("convert", games / what, "--to", "record", "-o", games / "1")

    assert result.exit_code == 64
    assert result.stderr.startswith(f"judge: {games}/1 is an input")
    assert (games / "1").read_text() == GAME


def test_a_pipe_is_written_as_it_is(games: Path) -> None:
    result = run("convert", games / "1", "--to", "droidippy", "-o", "/dev/null")

    assert result.exit_code == 0
    assert Path("/dev/null").is_char_device()


def test_the_readable_games_of_a_folder_are_converted(games: Path) -> None:
    result = run("convert", games, "--to", "droidippy")

    assert result.stdout == f"{GAME}END\n{OTHERWISE}END\n"
    assert result.stderr == f"judge: {games}/3:1: binary data, not text\n"
    assert result.exit_code == 65


PRESS_ONLY = """\
:: Judge: SEED  Game: Lagoon  Variant: Standard
:: Deadline: S1901M Mon Mar 09 1998 23:30:00 +0000

Message from seed@seed.example as France to Germany in 'lagoon':

Pax?
End of message.
"""


@pytest.mark.parametrize("form", WRITERS)
def test_a_press_only_file_converts_to_something_or_is_refused_never_to_0_bytes_with_exit_0(
    form: str, tmp_path: Path
) -> None:
    (tmp_path / "press").write_text(PRESS_ONLY)

    command = ("convert", "--from", "njudge", tmp_path / "press", "--to", form)
    result = run(*command, "-o", tmp_path / "out")

    if form in {"njudge", "record"}:
        assert "Pax?" in (tmp_path / "out").read_text()
        assert result.exit_code == 0
    else:
        assert "needs positions, and none is known of lagoon" in result.stderr
        assert (result.exit_code, (tmp_path / "out").exists()) == (65, False)


def test_other_games_are_converted_where_one_is_refused(games: Path, tmp_path: Path) -> None:
    known = json.loads(run("show", "--json", games / "1").stdout)
    press = {**known, "phases": []}
    (tmp_path / "press").write_text(json.dumps(press))

    result = run("convert", tmp_path / "press", games / "1", "--to", "droidippy")

    assert (result.stdout, result.exit_code) == (f"{GAME}END\n", 65)


def test_a_game_is_shown_phase_by_phase(games: Path) -> None:
    assert (
        run("show", games / "1").stdout
        == """\
1 (droidippy)

S1901M
AUSTRIA
  units    A BUD
  centers  BUD
  bud move ser

F1901M
AUSTRIA
  units    A SER
  centers  BUD
"""
    )


def test_players_the_ending_and_outcomes_are_shown(tmp_path: Path) -> None:
    start = RecordedPhase(
        SPRING,
        Position(SPRING, (Unit("AUSTRIA", UnitKind.ARMY, "BUD"),)),
        (WrittenOrder("AUSTRIA", "Bud-Ser", read_order("A BUD - SER"), ("bounce",)),),
        edition=2,
    )
    record = Record(
        name="dogger",
        source=Source("zine", "a file", "0"),
        seats=(
            Seat("AUSTRIA", "Anna", until=SPRING),
            Seat("ITALY", None, SeatKind.CIVIL_DISORDER),
        ),
        phases=(start,),
        ending=Ending(EndKind.DRAW, ("AUSTRIA", "ITALY"), reason="all agreed"),
    )
    (tmp_path / "game").write_text("".join(writer_named("record")(record, load_map())))

    assert (
        run("show", tmp_path / "game").stdout
        == """\
dogger (zine)
  AUSTRIA: Anna to S1901M
  ITALY: civil_disorder

S1901M, edition 2
AUSTRIA
  units    A BUD
  Bud-Ser (bounce)

draw: AUSTRIA, ITALY all agreed
"""
    )


def test_a_doubt_about_a_converted_game_is_reported(games: Path) -> None:
    (games / "1").write_text(f"{GAME}ser flies\n")

    result = run("convert", "--lenient", games / "1", "--to", "droidippy")

    assert result.stderr.startswith(f"{games}/1:12: ")
    assert (result.stdout, result.exit_code) == (f"{GAME}END\n", 0)


def test_a_record_with_an_unknown_rulebook_cannot_be_verified(games: Path) -> None:
    record = run("convert", games / "1", "--to", "record").stdout
    (games / "1").write_text(record.replace('"rulebook": "droidippy"', '"rulebook": "chess"'))

    result = run("verify", games / "1")

    assert "chess" in result.stderr
    assert result.exit_code == 65


def test_one_phase_of_one_game_is_shown(games: Path) -> None:
    (games / "1").write_text(GAME + GAME.replace("bud move ser", "bud move rum"))

    told = run("show", games / "1", "--game", "1, game 2", "--phase", "s1901m").stdout

    assert "bud move rum" in told
    assert "bud move ser" not in told
    assert "F1901M" not in told


def test_a_game_is_shown_as_json(games: Path) -> None:
    (told,) = run("show", games / "1", "--json", "--phase", "F1901M").stdout.splitlines()

    assert [each["name"] for each in json.loads(told)["phases"]] == ["F1901M"]


def test_an_unknown_phase_is_reported(games: Path) -> None:
    assert run("show", games / "1", "--phase", "S1905M").exit_code == 69
    assert run("show", games / "1", "--phase", "tea").exit_code == 64


def test_every_command_option_and_format_is_documented() -> None:
    for name, command in archive.commands.items():
        assert f"## `judge archive {name}`" in DOCUMENT
        for option in command.params:
            assert option.opts[0] in DOCUMENT or option.param_type_name == "argument"
    assert all(f"| `{name}` |" in DOCUMENT for name in READERS)
    assert f"`--to`: {', '.join(f'`{name}`' for name in WRITERS)}." in DOCUMENT


def test_an_unwritable_state_file_is_reported_in_one_line(games: Path, tmp_path: Path) -> None:
    result = run("verify", "--resume", tmp_path / "nowhere" / "state", games / "1")

    assert result.exit_code == 69
    assert "cannot be written" in result.output
