"""`judge player`: what the operator can do about one player."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli.operator.player import player
from judge.cli.root import root
from judge.cli.terminal import UNAVAILABLE, USAGE
from tests.support.table import POWERS, Table, address_of


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    table.start()
    return table


def run(table: Table, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(player, [*words, "--database", str(table.file)])
    return result.exit_code, result.output


def test_a_player_is_shown_with_their_addresses(table: Table) -> None:
    code, told = run(table, "show", address_of("FRANCE"))

    assert code == 0
    assert address_of("FRANCE") in told
    assert "no recent email" in told


def test_a_player_is_one_object_of_json(table: Table) -> None:
    told = json.loads(run(table, "show", address_of("FRANCE"), "--json")[1])

    assert (told["addresses"], told["bounced_utc"]) == ([address_of("FRANCE")], None)
    assert set(told) == {"id", "handle", "name", "addresses", "bounced_utc"}


def test_new_tokens_invalidate_replies_to_old_emails(table: Table) -> None:
    old = table.latest("FRANCE")
    assert run(table, "new-tokens", address_of("FRANCE"))[0] == 0

    table.reply(old, "A Par-Bur")

    assert table.current_orders("FRANCE") == ()


def test_an_unknown_player_is_reported(table: Table) -> None:
    code, told = run(table, "show", "nobody@elsewhere.example")

    assert code == UNAVAILABLE
    assert "nobody@elsewhere.example" in told


def players(table: Table, game: str) -> tuple[int, str]:
    arguments = ["game", "players", game, "--database", str(table.file)]
    result = CliRunner().invoke(root, arguments)
    return result.exit_code, result.output


def test_the_command_line_shows_names_and_addresses_in_anonymous_games_too(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.open("dogger", "anonymous=yes", moderator="mod@players.example")
    for power in POWERS:
        [question] = table.mail(f"Maria {power} <{address_of(power)}>", "JOIN dogger")
        table.reply(question, "YES")

    code, told = players(table, "dogger")
    assert code == 0
    assert all(f"Maria {power} <{address_of(power)}>" in told for power in POWERS)
    assert "name       Maria FRANCE" in run(table, "show", address_of("FRANCE"))[1]


def test_the_command_line_shows_no_players_of_a_game_whose_moderator_plays(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("dogger", moderator=address_of("ITALY"))

    code, told = players(table, "dogger")
    assert code == USAGE
    assert address_of("FRANCE") not in told
