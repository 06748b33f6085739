"""`judge game import`, `branch`, `export` and `seat`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.archive.formats import record_json as our_record
from judge.archive.formats.record_json import write_record
from judge.archive.records import Ending, EndKind
from judge.cli.root import root
from tests.support.recorded_game import BOARD, game_10713, write_10713
from tests.unit.archive.reading import game_in

USAGE, BAD_INPUT, UNAVAILABLE = 64, 65, 69
TAKE = "import 10713.jsonl --as somme"
WRONG = [
    pytest.param("import 10713.jsonl --as So!", USAGE, "1 to 16 characters", id="no name"),
    pytest.param(f"{TAKE} --at soon", USAGE, "'soon'", id="no phase"),
    pytest.param(f"{TAKE} --at F1999M", UNAVAILABLE, "no position of F1999M", id="not reached"),
    pytest.param(f"{TAKE} --game x", UNAVAILABLE, "has no game 'x'", id="no such game"),
    pytest.param(f"{TAKE} --from x", USAGE, "'x' is not one of daide", id="no such format"),
    pytest.param(f"{TAKE} --from njudge", BAD_INPUT, "looks like record", id="another format"),
    pytest.param(f"{TAKE} --rulebook zz", USAGE, "no such rulebook: 'zz'", id="no rulebook"),
    pytest.param(f"{TAKE} --rule x=1", USAGE, "'x=1'", id="no house rule"),
    pytest.param("import two.jsonl --as x", USAGE, "has several games, such as 10713", id="two"),
    pytest.param(
        "import lawless.jsonl --as x", BAD_INPUT, "rulebook: 'hoyle'", id="an unknown rulebook"
    ),
    pytest.param("import empty.jsonl --as x", BAD_INPUT, "is empty", id="no game"),
    pytest.param("import old.jsonl --as x", UNAVAILABLE, "no position of the", id="no position"),
    pytest.param("branch none --as x --at S1901M", UNAVAILABLE, "no game 'none'", id="no parent"),
    pytest.param("branch lepanto --as x --at S1950M", UNAVAILABLE, "no position", id="no branch"),
    pytest.param("branch lepanto --as lepanto --at S1901M", UNAVAILABLE, "taken", id="taken"),
    pytest.param("export none", UNAVAILABLE, "no game 'none'", id="export nothing"),
    pytest.param("export lepanto --to x", USAGE, "'x' is not one of", id="export as what"),
    pytest.param("seat lepanto SPAIN a@b.example", UNAVAILABLE, "judge: ", id="no such power"),
]


@pytest.fixture(autouse=True)
def lepanto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return a working directory with recorded games, one of them imported at Fall 1905."""
    monkeypatch.chdir(tmp_path)
    game = game_10713()
    write_10713(tmp_path)
    others = {
        "two": (game, replace(game, name="other")),
        "lawless": (replace(game, rulebook="Hoyle"),),
        "old": (replace(game, phases=()),),
        "empty": (),
    }
    for name, records in others.items():
        text = "".join(piece for each in records for piece in write_record(each, BOARD))
        (tmp_path / f"{name}.jsonl").write_text(text)
    done = judge("import 10713.jsonl --as lepanto --at F1905M --rule grace_hours=7")
    assert done.stdout == "lepanto continues in F1905M; players can join with JOIN lepanto\n"


def judge(arguments: str) -> Result:
    """Run `judge game` with *arguments*."""
    return run(f"game {arguments}")


def run(arguments: str) -> Result:
    return CliRunner().invoke(root, arguments.split())


@pytest.mark.parametrize(("arguments", "code", "line"), WRONG)
def test_a_mistake_is_one_line(arguments: str, code: int, line: str) -> None:
    done = judge(arguments)

    assert (done.exit_code, done.stdout) == (code, ""), done.output
    assert done.stderr.startswith("judge: ")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_imported_game_is_shown_with_where_it_comes_from() -> None:
    shown = judge("show lepanto").stdout

    assert "imported from 10713.txt: droidippy 10713, 0000000000000000\n" in shown
    assert "rulebook droidippy\n" in shown
    assert "FRANCE: vacant\n  units    A BRE, A BUR, A MAR, A POR\n" in shown
    (row,) = map(json.loads, judge("list --json").stdout.splitlines())
    assert (row["phase"], row["players"], row["origin"]["record"]) == ("F1905M", 0, "10713")


def test_its_log_is_sound_and_says_how_far_the_rulebook_agrees() -> None:
    verified = run("log verify lepanto")

    assert verified.exit_code == 0
    agrees = "0 phases, 17 as recorded elsewhere (17 of 17 agree)"
    assert agrees in verified.stdout
    told = json.loads(run("log verify lepanto --json").stdout)
    assert told["recorded_elsewhere"] == {"phases": 17, "compared": 17, "agreeing": 17}
    assert " phase_recorded  " in run("log show lepanto").stdout


def test_where_rulebook_and_record_differ_the_record_counts_and_the_log_is_sound() -> None:
    first, second, third, *_ = game_10713().phases
    assert second.position
    elsewhere = replace(second.position, units=second.position.units[1:])
    odd = replace(
        game_10713(), phases=(first, replace(second, position=elsewhere, orders=()), third)
    )
    Path("odd.jsonl").write_text("".join(write_record(odd, BOARD)))

    assert judge("import odd.jsonl --as odd --at W1901A").exit_code == 0

    verified = run("log verify odd")
    assert verified.exit_code == 0
    assert "2 as recorded elsewhere (0 of 2 agree)" in verified.stdout


def test_an_adjudicated_last_position_is_not_verified() -> None:
    short = replace(game_10713(), phases=game_10713().phases[:2])
    Path("short.jsonl").write_text("".join(write_record(short, BOARD)))

    assert "continues in W1901A" in judge("import short.jsonl --as short").stdout
    ended = replace(short, ending=Ending(EndKind.DRAW, ("FRANCE", "ITALY")))
    Path("ended.jsonl").write_text("".join(write_record(ended, BOARD)))

    assert judge("import ended.jsonl --as ended").stdout == "ended is over\n"

    assert "ended            over: draw, FRANCE, ITALY\n" in judge("list").stdout
    agrees = "2 as recorded elsewhere (1 of 1 agree)"
    assert agrees in run("log verify ended").stdout
    assert "F ARM, A BUL, A CON" in judge("show ended").stdout  # after the last orders


def test_one_of_several_games_is_imported_by_name_under_another_rulebook() -> None:
    done = judge("import two.jsonl --game other --as other --rulebook 1982 --at S1901M")

    assert done.stdout == "other continues in S1901M; players can join with JOIN other\n"
    assert "rulebook 1982\n" in judge("show other").stdout
    assert judge("import lawless.jsonl --as hoyle --rulebook 1982").exit_code == 0


def test_a_branch_keeps_the_rules_of_its_parent_but_those_that_are_named() -> None:
    done = judge("branch lepanto --at F1903M --as other --rule press=none")

    assert done.stdout == "other continues in F1903M; players can join with JOIN other\n"
    shown = judge("show other").stdout
    assert "branch of lepanto, event " in shown
    assert "rulebook droidippy\n" in shown
    created = json.loads(run("log show other --json").stdout.splitlines()[0])
    rules = created["payload"]["house_rules"]
    assert (rules["grace_hours"], rules["press"]) == (7, "none")


def test_an_imported_game_is_exported_as_the_same_record() -> None:
    assert judge("import 10713.jsonl --as whole").exit_code == 0

    exported = judge("export whole").stdout

    assert game_in(our_record.FORMAT, exported).phases == game_10713().phases
    assert (
        "Army Marseilles SUPPORT Army Paris -> Burgundy."
        in judge("export whole --to njudge").stdout
    )


def test_a_blind_game_is_neither_exported_nor_branched_into_an_open_one() -> None:
    assert judge("branch lepanto --at F1903M --as dark --rule blind=yes").exit_code == 0

    for arguments in ("export dark", "branch dark --at S1903M --as lit --rule blind=no"):
        done = judge(arguments)
        assert (done.exit_code, done.stdout) == (UNAVAILABLE, "")
        assert "dark is blind: nothing of its board is public" in done.stderr
    assert judge("branch dark --at S1903M --as darker").exit_code == 0


def test_a_vacant_power_is_assigned_to_a_player() -> None:
    done = judge("seat lepanto france marie@players.example")

    assert done.stdout == "FRANCE of lepanto is now played by marie@players.example\n"
    assert "FRANCE: played\n" in judge("show lepanto").stdout
    assert judge("seat lepanto france bob@players.example").exit_code == UNAVAILABLE
