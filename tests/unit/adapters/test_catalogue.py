"""The catalogue of recorded games: storing and searching."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.adapters.archive.catalogue import (
    Catalogue,
    Identity,
    UnusableCatalogueError,
    folded,
    identify,
    open_catalogue,
)
from judge.adapters.archive.catalogue_search import Query, players_like, search
from judge.adapters.archive.record_files import ReadOptions
from judge.adapters.store import sqlite
from judge.adapters.variant_files import load_openings
from judge.archive.records import Ending, EndKind, Record, Seat, SeatKind, YearChart
from judge.archive.summary import make_entry
from judge.rules.types import Phase
from tests.unit.archive.recorded_games import BOARD, order, phase, record

FILE = Identity("/games/dogger.txt", 7, "0")
HOW = ReadOptions()

DOGGER = replace(
    record(
        replace(
            phase(BOARD.start, order("AUSTRIA A VIE - GAL"), order("AUSTRIA F TRI - VEN")),
            reported=datetime(1991, 5, 1, tzinfo=UTC),
        )
    ),
    numbers={"judge": "TEST:dogger", "boardman": "1989H"},
    zine="EP",
    issue="74",
    gamemaster="Günter",
    seats=(
        Seat("AUSTRIA", "Zoë Ångström", until=Phase.parse("F1903M"), address="zoe@example.org"),
        Seat("AUSTRIA", None, SeatKind.CIVIL_DISORDER),
        Seat("ITALY", "Mikołaj Brown"),
    ),
    ending=Ending(EndKind.SOLO, ("AUSTRIA",), Phase.parse("F1907M"), "18 centers"),
)
FISHER = replace(
    record(),
    name="fisher",
    seats=(Seat("AUSTRIA", "Mikołaj Brown"),),
    charts=(YearChart(1905, {"ITALY": 4}),),
    ending=Ending(EndKind.DRAW, ("ITALY", "AUSTRIA")),
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    """Return a catalogue of two games in one file."""
    with open_catalogue(tmp_path / "games.db", make=True) as opened:
        put(opened, FILE, DOGGER, FISHER)
        yield opened


def put(catalogue: Catalogue, identity: Identity, *games: Record) -> None:
    with catalogue.replacing(identity, HOW, load_openings()) as file:
        for game in games:
            file.add(make_entry(BOARD, game))


def found(catalogue: Catalogue, **wanted: Any) -> list[str]:  # noqa: ANN401 - as in `Query`
    return [each["game"] for each in search(catalogue, Query(**wanted))]


def test_every_attribute_of_a_game_is_searchable(catalogue: Catalogue) -> None:
    (game,) = search(catalogue, Query(name="dogger"))

    assert game == {
        "file": "/games/dogger.txt",
        "number": 1,
        "game": "dogger",
        "format": "record",
        "source": "a file",
        "sha256": "0",
        "first_line": 1,
        "last_line": None,
        "variant": "standard",
        "rulebook": "datc",
        "numbers": {"judge": "TEST:dogger", "boardman": "1989H"},
        "gamemaster": "Günter",
        "zine": "EP",
        "issue": "74",
        "first_phase": "S1901M",
        "last_phase": "S1901M",
        "phases": 1,
        "played_from": 1989,
        "played_until": 1991,
        "end": "solo",
        "end_phase": "F1907M",
        "end_reason": "18 centers",
        "end_powers": ["AUSTRIA"],
        "seats": [
            {
                "power": "AUSTRIA",
                "player": "Zoë Ångström",
                "hold": "player",
                "until": "F1903M",
            },
            {"power": "AUSTRIA", "hold": "civil_disorder"},
            {"power": "ITALY", "player": "Mikołaj Brown", "hold": "player"},
        ],
        "openings": [
            {
                "power": "AUSTRIA",
                "orders": "A BUD H, F TRI - VEN, A VIE - GAL",
                "name": "Hedgehog",
            }
        ],
    }


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        pytest.param({}, ["dogger", "fisher"], id="all"),
        pytest.param({"player": "zoe angstrom"}, ["dogger"], id="a player without accents"),
        pytest.param({"player": "MIKOLAJ"}, ["dogger", "fisher"], id="part of a name in capitals"),
        pytest.param({"player": "mikolaj", "powers": {"ITALY"}}, ["dogger"], id="of a power"),
        pytest.param({"player": "zoe", "powers": {"ITALY"}}, [], id="not of that power"),
        pytest.param({"player": "%"}, [], id="no wildcard"),
        pytest.param({"years": (1990, 1990)}, ["dogger"], id="played then"),
        pytest.param({"years": (1992, 1999)}, [], id="not played then"),
        pytest.param({"years": (1905, 1905)}, ["fisher"], id="a year of the game"),
        pytest.param({"years": (1900, 1999)}, ["dogger", "fisher"], id="either"),
        pytest.param({"opening": "hedge"}, ["dogger"], id="an opening by name"),
        pytest.param({"opening": "a vie - gal"}, ["dogger"], id="an opening by an order"),
        pytest.param(
            {"opening": "hedge", "powers": {"ITALY"}},
            [],
            id="of the other unit belongs to a different power than the order says",
        ),
        pytest.param({"winners": {"AUSTRIA"}}, ["dogger"], id="a draw has no winner"),
        pytest.param({"winners": {"ITALY"}}, [], id="no winner"),
        pytest.param({"judge": "test:"}, ["dogger"], id="a judge"),
        pytest.param({"judge": "1989H"}, [], id="no judge"),
        pytest.param({"name": "1989h"}, ["dogger"], id="a number"),
        pytest.param({"name": "FISH"}, ["fisher"], id="a name"),
        pytest.param({"name": "fish", "player": "zoe"}, [], id="both must hold"),
    ],
)
def test_games_are_found_by(
    catalogue: Catalogue, wanted: dict[str, Any], games: list[str]
) -> None:
    assert found(catalogue, **wanted) == games


def test_similar_player_names_are_suggested(catalogue: Catalogue) -> None:
    assert players_like(catalogue, "zoe angstrøn") == ["Zoë Ångström"]
    assert players_like(catalogue, "Browne") == ["Mikołaj Brown"]
    assert players_like(catalogue, "brown") == []
    assert players_like(catalogue, "xxxxxx") == []


def test_no_email_address_is_stored_unless_asked_for(catalogue: Catalogue, tmp_path: Path) -> None:
    named_so = replace(DOGGER, gamemaster="gm@example.org")
    put(catalogue, FILE, named_so)
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection:
        assert "@" not in "".join(connection.iterdump())

    with catalogue.replacing(FILE, HOW, load_openings()) as file:
        file.add(make_entry(BOARD, named_so, keep_addresses=True))

    (game,) = search(catalogue, Query())
    assert game["gamemaster"] == "gm@example.org"
    assert game["seats"][0]["address"] == "zoe@example.org"


def test_a_file_is_known_as_long_as_it_and_its_reading_are_the_same(catalogue: Catalogue) -> None:
    assert catalogue.files(HOW) == {FILE: True}
    assert catalogue.files(ReadOptions(strict=False)) == {FILE: False}
    assert replace(FILE, sha256="1") not in catalogue.files(HOW)


def test_a_partly_read_file_is_read_again(catalogue: Catalogue) -> None:
    with catalogue.replacing(FILE, HOW, load_openings()) as file:
        file.leave_unread("binary")

    assert file.unread
    assert catalogue.files(HOW) == {FILE: False}


def test_a_file_that_is_put_again_takes_the_place_of_what_it_was(catalogue: Catalogue) -> None:
    put(catalogue, replace(FILE, sha256="1"), FISHER)

    assert found(catalogue) == ["fisher"]
    assert catalogue.games() == 1


def test_a_file_is_listed_whole_or_not_at_all(catalogue: Catalogue) -> None:
    other = replace(FILE, path="/games/other.txt")

    def interrupted() -> None:
        with catalogue.replacing(other, HOW, load_openings()) as file:
            file.add(make_entry(BOARD, DOGGER))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert [*catalogue.files(HOW)] == [FILE]
    assert catalogue.games() == 2


def test_a_file_that_is_removed_takes_its_games_along(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    catalogue.remove([FILE.path])

    with sqlite3.connect(tmp_path / "games.db") as connection:
        for table in ("files", "games", "numbers", "seats", "ends", "openings"):
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608 - ours
    connection.close()


def test_values_that_sqlite_cannot_hold_are_approximated(catalogue: Catalogue) -> None:
    source = replace(DOGGER.source, last_line=10**30)
    put(catalogue, FILE, replace(DOGGER, name="half \ud800", source=source))

    (game,) = search(catalogue, Query())
    assert (game["game"], game["last_line"]) == ("half \\ud800", 2**63 - 1)


def test_a_game_with_an_unknown_rulebook_is_listed() -> None:
    assert make_entry(BOARD, record(rulebook="chess")).ending is None


@pytest.mark.parametrize(
    ("text", "key"),
    [("Zoë  ÅNGSTRÖM", "zoe angstrom"), ("Mikołaj", "mikolaj"), ("Weiß", "weiss"), ("Øre", "ore")],
)
def test_names_are_compared_without_capitals_and_accents(text: str, key: str) -> None:
    assert folded(text) == key


def test_a_maildir_is_one_file_that_changes_with_its_emails(tmp_path: Path) -> None:
    (tmp_path / "cur").mkdir()
    (tmp_path / "cur" / "1").write_text("one")
    before = identify(tmp_path)
    (tmp_path / "cur" / "1").write_text("two")

    assert (before.path, before.size) == (str(tmp_path), 3)
    assert identify(tmp_path).sha256 != before.sha256


def test_a_file_that_is_no_catalogue_is_left_alone(tmp_path: Path) -> None:
    text, database = tmp_path / "text", tmp_path / "database"
    text.write_text("dear gamemaster")
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE events (id)")
    connection.close()

    for file in (text, database):
        before = file.read_bytes()
        with pytest.raises(UnusableCatalogueError, match="is not a catalogue"):  # noqa: SIM117 - the outer is the subject
            with open_catalogue(file, make=True):
                pass
        assert file.read_bytes() == before


def test_a_catalogue_of_another_version_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with open_catalogue(file, make=True):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()

    with pytest.raises(UnusableCatalogueError, match="index the games again"):  # noqa: SIM117 - the outer is the subject
        with open_catalogue(file, make=True):
            pass


def test_a_catalogue_is_made_only_where_that_is_asked_for(tmp_path: Path) -> None:
    for file, make in ((tmp_path / "games.db", False), (tmp_path / "no" / "games.db", True)):
        with pytest.raises(UnusableCatalogueError):  # noqa: SIM117 - the outer is the subject
            with open_catalogue(file, make=make):
                pass
        assert not file.exists()


def test_a_locked_catalogue_is_reported(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    with catalogue.replacing(FILE, HOW, load_openings()) as file:
        file.add(make_entry(BOARD, DOGGER))
        with pytest.raises(UnusableCatalogueError, match="locked"):  # noqa: SIM117 - the outer is the subject
            with open_catalogue(tmp_path / "games.db") as other:
                other.remove([FILE.path])
