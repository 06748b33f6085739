"""`judge log`: showing a log and detecting changes to it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from judge.adapters.store import sqlite
from judge.adapters.store.database import open_database
from judge.adapters.variant_files import load_map
from judge.cli.operator.log import log
from judge.event_log import Event
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.phases import PhaseClosed
from judge.game.players.creation import CreateGame
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.game.voting import VoteDraw
from judge.notation.order_text import read_order
from judge.rules.rulebook import DATC

BOARD = load_map()
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
PEOPLE = [f"person-{number}" for number in range(7)]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return kept(tmp_path, a_game())


def kept(folder: Path, events: list[Event]) -> Path:
    """Store *events* as the log of a game."""
    path = folder / "judge.db"
    with closing(open_database(path)) as opened, opened.write() as transaction:
        transaction.events.append("baltic", 0, events, NOON)
    return path


def a_game() -> list[Event]:
    """Return the events of a game in Fall 1901 in which Austria has ordered and voted twice."""
    create = CreateGame("baltic", "standard", DATC, HouseRules())
    joins = [JoinGame(person, (), "seed") for person in PEOPLE]
    events, game = played(None, create, *joins)
    vienna = game.seats["AUSTRIA"].person
    assert vienna
    vote = VoteDraw("AUSTRIA", vienna, in_favor=True, nonce="a" * 32)
    order = SubmitOrders(
        "AUSTRIA",
        vienna,
        (read_order("A VIE H"),),
        NOON + timedelta(days=1),
        mail="d" * 64,
        nonce="b" * 32,
    )
    more, _ = played(game, order, vote, ProcessNow("operator"), order, vote)
    return [*events, *more]


def played(game: Game | None, *commands: Command) -> tuple[list[Event], Game]:
    events: list[Event] = []
    for hours, command in enumerate(commands):
        answer = decide(BOARD, game, command, NOON + timedelta(hours=hours))
        assert isinstance(answer, Accepted), answer
        for event in answer.events:
            game = evolve(BOARD, game, event)
            events.append(event)
    assert game
    return events, game


def run(database: Path, *arguments: str) -> Result:
    return CliRunner().invoke(log, [*arguments, "--database", str(database)])


def tamper(database: Path, *statements: str) -> None:
    """Change the database with its triggers removed."""
    engine = sqlite.open_engine(database, sqlite.newest_library())
    with engine.begin() as connection:
        for trigger in ("events_never_change", "events_never_go", "events_never_give_way"):
            connection.execute(text(f"DROP TRIGGER {trigger}"))
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_a_sound_log_is_reported(database: Path) -> None:
    result = run(database, "verify", "baltic")

    assert result.exit_code == 0
    assert "baltic: sound, " in result.stdout
    assert "1 phase adjudicated again as recorded; 0 of 1 games wrong" in result.stdout


def heads_of(database: Path) -> list[str]:
    shown = run(database, "show", "baltic", "--json").stdout.splitlines()
    return [json.loads(line)["hash"] for line in shown]


def test_a_head_from_an_email_is_found_in_the_log(database: Path, tmp_path: Path) -> None:
    head = heads_of(database)[-4]
    email = tmp_path / "results.eml"
    email.write_text(f"Subject: results\n\n> > Log:\n> > {head}\n", encoding="ascii")

    by_hand = run(database, "verify", "--head", head[:16].upper())
    saved = run(database, "verify", "baltic", str(email))

    for result in (by_hand, saved):
        assert result.exit_code == 0
        assert f"{head[:16]} is event {len(heads_of(database)) - 3} of baltic" in result.stdout


def test_results_with_the_head_of_an_event_that_did_not_close_their_phase_are_found_wrong(
    database: Path, tmp_path: Path
) -> None:
    """Compare two readers of one phase with different heads, both in the log."""
    events = run(database, "show", "baltic", "--json").stdout.splitlines()
    [closed] = [each for each in map(json.loads, events) if each["type"] == "phase_closed"]
    heads = {"right": closed["hash"], "wrong": json.loads(events[-1])["hash"]}
    header = "Subject: JUDGE:baltic - S1901M Results\nX-Judge-Kind: phase_results\n\n"
    found = {}
    for name, head in heads.items():
        email = tmp_path / f"{name}.eml"
        email.write_text(f"{header}Log: {head}\n", encoding="ascii")
        found[name] = run(database, "verify", str(email))

    assert found["right"].exit_code == 0
    assert found["wrong"].exit_code == 1
    assert "which did not close that phase" in found["wrong"].stdout


@pytest.mark.parametrize("told", ["Log: " + "ab" * 32, "Nothing of a log."])
def test_an_email_with_another_head_is_found_wrong(
    database: Path, tmp_path: Path, told: str
) -> None:
    email = tmp_path / "forged.eml"
    email.write_text(f"Subject: results\n\n{told}\n", encoding="ascii")

    result = run(database, "verify", str(email), "--json")

    assert result.exit_code == 1
    assert json.loads(result.stdout.splitlines()[-1])["found"] is False


@pytest.mark.parametrize("arguments", [("--head", "xyz"), ("gone.eml",)])
def test_an_email_that_cannot_be_compared_gives_no_traceback(
    database: Path, arguments: tuple[str, ...]
) -> None:
    result = run(database, "verify", *arguments)

    assert result.exit_code > 1
    assert arguments[-1] in result.stderr


def test_every_game_is_verified_if_none_is_named(database: Path) -> None:
    (verified,) = map(json.loads, run(database, "verify", "--json").stdout.splitlines())

    assert (verified["game"], verified["phases"], verified["sound"]) == ("baltic", 1, True)
    assert len(verified["head"]) == 64


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        pytest.param(
            "UPDATE events SET payload = replace(payload, 'person-3', 'person-9')"
            " WHERE version = 5",
            "event 5 is altered",
            id="altered",
        ),
        pytest.param("DELETE FROM events WHERE version = 4", "event 4 is missing", id="missing"),
        pytest.param(
            "DELETE FROM events WHERE version = (SELECT max(version) FROM events)",
            "is truncated",
            id="truncated",
        ),
    ],
)
def test_the_first_event_that_was_tampered_with_is_named(
    database: Path, statement: str, told: str
) -> None:
    tamper(database, statement)

    result = run(database, "verify")

    assert result.exit_code == 1
    assert told in result.stdout
    assert "1 of 1 games wrong" in result.stdout
    assert json.loads(run(database, "verify", "--json").stdout)["sound"] is False


def test_a_phase_that_the_rules_adjudicate_differently_is_named(tmp_path: Path) -> None:
    events = [
        replace(event, removed=("AUSTRIA A VIE",)) if isinstance(event, PhaseClosed) else event
        for event in a_game()
    ]
    database = kept(tmp_path, events)

    result = run(database, "verify")

    assert result.exit_code == 1
    assert "closes S1901M with different removed" in result.stdout
    wrong = json.loads(run(database, "verify", "--json").stdout)["wrong"]
    assert (wrong["phase"], wrong["fields"]) == ("S1901M", ["removed"])


def test_events_are_shown_one_a_line(database: Path) -> None:
    lines = run(database, "show", "baltic").stdout.splitlines()

    assert lines[0].split() == ["1", "2026-11-02T12:00:00Z", "game_created"]
    assert lines[1].split()[2:] == ["player_joined", "person=person-0"]


def test_orders_are_secret_until_their_phase_closes_and_votes_for_the_whole_game(
    database: Path,
) -> None:
    shown = [
        json.loads(line) for line in run(database, "show", "baltic", "--json").stdout.splitlines()
    ]

    secret = [each["payload"] is None for each in shown if each["type"] == "orders_submitted"]
    votes = [each["payload"] is None for each in shown if each["type"] == "draw_voted"]
    assert secret == [False, True]
    assert votes == [True, True]
    assert "(secret)" in run(database, "show", "baltic").stdout


@pytest.mark.parametrize("command", ["show", "verify"])
def test_an_unknown_game_is_named(database: Path, command: str) -> None:
    result = run(database, command, "atlantic")

    assert (result.exit_code, result.stderr) == (
        69,
        "judge: there is no game 'atlantic': `judge game list` shows them\n",
    )


def test_a_missing_database_is_not_created(tmp_path: Path) -> None:
    result = run(tmp_path / "none.db", "verify")

    assert result.exit_code == 69
    assert not (tmp_path / "none.db").exists()
