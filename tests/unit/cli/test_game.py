"""`judge game`: one clear line and the right exit code for each mistake."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import root

USAGE, UNAVAILABLE = 64, 69
LATER = "2099-01-01T20:00"
WRONG = [
    pytest.param("new garnet", UNAVAILABLE, "That name is taken", id="name taken"),
    pytest.param("new Garnet!", USAGE, "1 to 16 characters", id="no name of a game"),
    pytest.param("new opal --rule x=1", USAGE, "'x=1'", id="no such rule"),
    pytest.param("new opal --rule grace_hours=x", USAGE, "'grace_hours=x'", id="no such value"),
    pytest.param("new opal --rule grace_hours=9s", USAGE, "such as 15m, 1h30", id="no unit"),
    pytest.param(
        "new opal --rule ends_at=23:30", USAGE, "ends_at must be a date", id="no instant"
    ),
    pytest.param("new opal --rule pres=none", USAGE, "rules are press", id="nearly a rule"),
    pytest.param(
        "new opal --rule press=loud", USAGE, "all or rulebook or broadcast", id="what it may be"
    ),
    pytest.param(
        "new opal --rule grace_hours=-1", USAGE, "grace_hours must be at most", id="no such length"
    ),
    pytest.param("new opal --moderator nonsense", USAGE, "'nonsense' is no", id="no address"),
    pytest.param("new opal --rulebook zz", USAGE, "no such rulebook: 'zz'", id="no rulebook"),
    pytest.param("new opal --rule rulebook=zz", USAGE, "no such rulebook: 'zz'", id="nor there"),
    pytest.param(
        "new opal --rulebook 1982 --rule rulebook=1971",
        USAGE,
        "a game has one rulebook, not several: 1971 and 1982",
        id="two rulebooks",
    ),
    pytest.param("show opal", UNAVAILABLE, "no game 'opal'", id="show nothing"),
    pytest.param("show garnet --orders", USAGE, "--orders needs --reason", id="no reason"),
    pytest.param("show garnet --picture g.svg", UNAVAILABLE, "not begun", id="no board yet"),
    pytest.param("show garnet --picture g.txt", USAGE, "neither in .svg", id="no picture"),
    pytest.param("press opal -", UNAVAILABLE, "no game of that name", id="write to nobody"),
    pytest.param("extend garnet soon --reason x", USAGE, "'soon' is not a date", id="no date"),
    pytest.param(f"extend opal {LATER} --reason x", UNAVAILABLE, "no game", id="extend nothing"),
    pytest.param(f"extend garnet {LATER} --reason x", UNAVAILABLE, "judge: ", id="nothing open"),
    pytest.param("process garnet", UNAVAILABLE, "judge: ", id="nothing to process"),
    pytest.param("list --database none.db", UNAVAILABLE, "no database none.db", id="no database"),
    pytest.param("new opal --database no/such.db", UNAVAILABLE, "no/such.db", id="no folder"),
    pytest.param("list --config none.toml", 78, "none.toml: No such file", id="no configuration"),
]


@pytest.fixture(scope="module")
def forming(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with one forming game."""
    with chdir(tmp_path_factory.mktemp("forming")):
        assert judge("new garnet").exit_code == 0
        return Path("judge.db").resolve()


@pytest.fixture(autouse=True)
def garnet(forming: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return an empty working directory with a store of one forming game."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(forming, tmp_path)


def judge(arguments: str, text: str = "Good evening.\n") -> Result:
    """Run `judge game` with *arguments* and *text* on standard input."""
    return CliRunner().invoke(root, ["game", *arguments.split()], input=text)


@pytest.mark.parametrize(("arguments", "code", "line"), WRONG)
def test_a_mistake_is_one_line(arguments: str, code: int, line: str) -> None:
    done = judge(arguments)

    assert (done.exit_code, done.stdout) == (code, "")
    assert done.stderr.startswith("judge: ")
    assert line in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_empty_message_is_not_sent() -> None:
    assert judge("press garnet -", text=" \n").stderr == "judge: the press is empty\n"


@pytest.mark.parametrize(
    "options",
    [
        "--rulebook 1982,4.A.2=szykman",
        "--rule rulebook=1982,4.A.2=szykman --rule press=none",
        "--rule rulebook=1982,convoy_paradoxes=szykman --rulebook 1982,4.A.2=szykman",
    ],
)
def test_a_game_keeps_the_rulebook_that_it_was_created_with(options: str) -> None:
    assert judge(f"new opal {options}").exit_code == 0
    assert "\nrulebook 1982,convoy_paradoxes=szykman\n" in judge("show opal").stdout


def test_a_game_may_be_made_from_a_text_of_settings() -> None:
    text = "# quiet\npress = none\n\nrulebook: 1982\n"

    assert judge("new opal --settings -", text=text).exit_code == 0
    assert "\nrulebook 1982\n" in judge("show opal").stdout

    wrong = judge("new onyx --settings -", text="press=none\nNo press, please\n")
    assert wrong.stderr == "judge: line 2 of the settings is not KEY = VALUE: No press, please\n"


def test_a_new_game_says_when_its_phases_close() -> None:
    assert "its phases close at 20:28 UTC" in judge("new opal").stdout
    assert (
        "close at 20:00 Europe/Berlin"
        in judge("new onyx --rule closing_time=20:00 --rule zone=Europe/Berlin").stdout
    )
    assert "close" not in judge("new tonight --rule template=evening").stdout

    assert "\n  closing_time=20:28\n" in judge("show opal").stdout
    assert "\n* closing_time=20:00\n" in judge("show onyx").stdout


def test_only_new_makes_a_database() -> None:
    judge("list --database none.db")

    assert not Path("none.db").exists()


def test_a_game_that_has_not_begun_is_shown_as_forming() -> None:
    shown = "garnet           forming, 0 joined\nrulebook datc\n"
    assert judge("show garnet").stdout.startswith(shown)
    assert '"stage": "forming"' in judge("show garnet --json").stdout


def test_a_game_is_shown_with_its_house_rules_and_those_that_are_not_usual() -> None:
    judge("new opal --rule press=none")

    shown = judge("show opal").stdout

    assert "\n* press=none\n" in shown
    assert "\n  nmr=standby\n" in shown
