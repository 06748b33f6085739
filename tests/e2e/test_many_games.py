"""A stranger's question to a daemon with a thousand games that are over keeps nobody waiting."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

from tests.support.daemon import Player, copied, seated
from tests.support.many_games import add_ended_games
from tests.support.table import Table

TRIES = 5  # of which one must be quick, as the machine may be busy


def test_a_players_email_is_accepted_within_a_second_of_a_strangers_list(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        with closing(Table(tmp_path, "many")) as table:
            add_ended_games(table, 1_100)
        daemon.start()
        player, start = seated(daemon, "FRANCE")
        waits = []
        for number in range(TRIES):
            stranger = Player(daemon, f"stranger{number}@elsewhere.example")
            stranger.write("LIST\n")
            began = time.monotonic()
            player.answer(start, f"A Par-Bur\n\n{number}\n")
            waits.append(time.monotonic() - began)
            stranger.wait_for("game_list")

        assert min(waits) < 1
        assert daemon.stop() == 0
