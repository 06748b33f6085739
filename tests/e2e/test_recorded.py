"""A recorded game, continued by seven players with real emails."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

import pytest

from tests.support.daemon import POWERS, QUICK, Daemon, Player, text_of
from tests.support.recorded_game import write_10713

RULES = [word for rule in QUICK for word in ("--rule", rule)]


@pytest.mark.slow
def test_seven_people_play_a_recorded_game_on(daemon: Daemon) -> None:
    write_10713(daemon.folder)
    said = daemon.judge("game", "import", "10713.jsonl", "--as", "somme", "--at", "F1903M", *RULES)
    assert said == "somme continues in F1903M; players can join with JOIN somme\n"
    units = cast("Mapping[str, list[str]]", daemon.position("somme")["units"])

    players = {power: Player(daemon, f"{power.lower()}@players.example") for power in POWERS}
    for power, player in players.items():
        player.write(f"JOIN somme {power}\n")
        # A person known from another game must confirm all the same.
        player.answer(player.wait_for("confirm_mail"), "YES\n")
        takeover = player.wait_for("takeover", f"{power.capitalize()}")
        assert f"You now play {power.capitalize()}." in text_of(takeover)
        player.answer(takeover, "".join(f"{unit} H\n" for unit in units[power]))
        player.wait_for("receipt", "F1903M")

    for player in players.values():
        results = text_of(player.wait_for("phase_results", "F1903M"))
        assert "France: Army Burgundy HOLD." in results
    after = daemon.position("somme")
    assert after["phase"] == "W1903A"
    assert "(9 of 9 agree)" in daemon.judge("log", "verify", "somme")
    exported = json.loads(daemon.judge("game", "export", "somme"))
    assert [each["name"] for each in exported["phases"]][-2:] == ["F1903M", "W1903A"]
