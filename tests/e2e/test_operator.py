"""Operator commands beside a running daemon: both write to one store."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from tests.support.daemon import POWERS, Daemon, Player, seated, text_of


def everybody(daemon: Daemon) -> list[Player]:
    """Return the players, who have read all that came."""
    return [seated(daemon, power)[0] for power in POWERS]


def test_a_new_game_can_be_joined_at_once(daemon: Daemon) -> None:
    opened = daemon.judge(
        "game", "new", "garnet", "--rule", "grace_hours=12", "--moderator", "gm@players.example"
    )
    player = Player(daemon, "anne@players.example")
    player.write("JOIN garnet\n")
    player.answer(player.wait_for("confirm_join"), "YES\n")
    player.wait_for("joined")

    assert opened.startswith("garnet is open; players can join with JOIN garnet\n")
    assert re.search(r"phases close at 20:\d\d UTC", opened)
    assert "garnet           forming, 1 joined\n" in daemon.judge("game", "list")
    rows = [json.loads(line) for line in daemon.judge("game", "list", "--json").splitlines()]
    assert [(row["game"], row["phase"], row["players"]) for row in rows] == [
        ("baltic", "S1901M", 7),
        ("garnet", None, 1),
    ]


def test_press_of_the_operator_reaches_every_player(daemon: Daemon) -> None:
    players = everybody(daemon)
    (daemon.folder / "letter.txt").write_text("I am away until Monday.\n")

    daemon.judge("game", "press", "baltic", "letter.txt")

    for player in players:
        assert "I am away until Monday." in text_of(player.wait_for("letter"))


def test_a_deadline_that_is_moved_is_announced_with_the_reason(daemon: Daemon) -> None:
    players = everybody(daemon)
    later = (datetime.now(UTC) + timedelta(days=30)).replace(microsecond=0)

    daemon.judge("game", "extend", "baltic", later.isoformat(), "--reason", "a holiday")

    for player in players:
        assert "Reason: a holiday" in text_of(player.wait_for("deadline_change"))
    (row,) = daemon.judge("game", "list", "--json").splitlines()
    assert json.loads(row)["deadline"] == later.isoformat()


def test_results_report_that_the_operator_viewed_orders(daemon: Daemon) -> None:
    player, start = seated(daemon, "FRANCE")
    player.answer(start, "A Par-Bur\nA Mar S A Par-Bur\n")
    player.wait_for("receipt")

    shown = daemon.judge("game", "show", "baltic", "--orders", "--reason", "a complaint")
    closed = daemon.judge("game", "process", "baltic", "--phase", "S1901M")

    assert "A PAR - BUR" in shown
    assert closed == "phase closed; baltic is now in F1901M\n"
    results = player.wait_for("phase_results")
    assert "before it closed: a complaint" in " ".join(text_of(results).split())
    player.answer(results, "A Bur-Mun\n")
    assert "A Bur-Mun" in text_of(player.wait_for("receipt"))
    assert "1 phase" in daemon.judge("log", "verify", "baltic")
    assert "phase_closed" in daemon.judge("log", "show", "baltic")


def test_a_shown_position_can_be_adjudicated(daemon: Daemon) -> None:
    player, start = seated(daemon, "FRANCE")
    player.answer(start, "A Par-Bur\n")
    player.wait_for("receipt")

    hidden = daemon.position("baltic")
    held = daemon.judge("game", "show", "baltic", "--json", "--orders", "--reason", "a test")

    assert "orders" not in hidden
    (daemon.folder / "lines.jsonl").write_text(
        json.dumps(hidden | {"orders": {"AUSTRIA": ["A VIE - TRI"]}}) + "\n" + held
    )
    asked, kept = map(json.loads, daemon.judge("adjudicate", "lines.jsonl").splitlines())
    assert asked["results"]["AUSTRIA"][0]["result"] != []
    assert "A BUR" in kept["next"]["units"]["FRANCE"]
    assert asked["next"]["phase"] == kept["next"]["phase"] == "F1901M"


def test_a_picture_shows_the_current_orders_only_if_the_viewing_is_recorded(
    daemon: Daemon,
) -> None:
    player, start = seated(daemon, "FRANCE")
    player.answer(start, "A Par-Bur\n")
    player.wait_for("receipt")

    daemon.judge("game", "show", "baltic", "--picture", "open.svg")
    daemon.judge(
        "game", "show", "baltic", "--picture", "held.svg", "--orders", "--reason", "a test"
    )

    drawn, held = (
        (daemon.folder / name).read_text(encoding="utf-8") for name in ("open.svg", "held.svg")
    )
    assert "<title>France: A PAR</title>" in drawn
    assert "A PAR - BUR" not in drawn
    assert "<title>France: A PAR - BUR</title>" in held
