"""Changes to a game at the desk: players, rules, board, end."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.game.game_state import SeatState, Stage
from tests.support.desk_client import desk
from tests.support.table import MODERATOR, POWERS, Table, address_of


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


def at_the_desk(table: Table, what: str, **fields: str) -> str:
    with desk(table) as visitor:
        visitor.enter()
        return visitor.do(what, game="baltic", **fields).words


def board_on(page: str) -> dict[str, dict[str, list[str]]]:
    """Return the board in the correction form of the page."""
    found = re.search(r'<textarea name="board"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found
    board: dict[str, dict[str, list[str]]] = json.loads(html.unescape(found[1]))
    return board


def test_a_player_is_removed_and_another_made_a_dummy(table: Table) -> None:
    table.start("baltic", moderator=MODERATOR)

    assert "The power is vacant." in at_the_desk(table, "eject", power="ITALY")
    assert "The power is a dummy." in at_the_desk(table, "dummy", power="TURKEY")

    seats = table.game().seats
    assert seats["ITALY"].state is SeatState.VACANT
    assert seats["TURKEY"].state is SeatState.CIVIL_DISORDER


def test_a_change_of_rules_is_previewed(table: Table) -> None:
    table.start("baltic", moderator=MODERATOR)
    with desk(table) as visitor:
        visitor.enter()
        asked = visitor.ask("rules", game="baltic", rules="press=none grace_hours=48")
        wrong = [
            visitor.ask("rules", game="baltic", rules=rules).words
            for rules in ("press=never", "press=all", "rulebook=wdc", "")
        ]

    assert "press: all, now none" in asked.words
    assert "grace_hours: 24, now 48" in asked.words
    assert all("not house rules" in words for words in wrong)
    assert "Rules changed." in at_the_desk(table, "rules", rules="press=none")
    assert table.game().house_rules.press.value == "none"


def test_the_board_is_corrected_from_what_the_page_shows(table: Table) -> None:
    table.start("baltic", moderator=MODERATOR)
    with desk(table) as visitor:
        visitor.enter()
        board = board_on(visitor.get("/games/baltic").html)
        board["units"]["FRANCE"] = ["A GAS", *board["units"]["FRANCE"][:2]]
        done = visitor.do("correct", game="baltic", board=json.dumps(board), reason="a slip")
        wrong = [
            visitor.ask("correct", game="baltic", board=text, reason="x").words
            for text in ("", "[", "{}", '{"phase": 1}')
        ]

    assert "Board corrected." in done.words
    assert all("not a valid board" in words for words in wrong)
    position = table.game().position
    assert position
    assert "A GAS" in {str(unit) for unit in position.units_of("FRANCE")}


def test_a_game_begins_and_ends(table: Table) -> None:
    table.open("baltic", "start=by_hand", moderator=MODERATOR)
    for power in POWERS[:2]:
        table.join("baltic", power)

    assert "Game started." in at_the_desk(table, "begin")
    assert "Game ended." in at_the_desk(table, "terminate")
    assert table.game().stage is Stage.ENDED


def test_an_applicant_is_admitted_or_refused(table: Table) -> None:
    table.open("baltic", "entry=approval", moderator=MODERATOR)
    for power in POWERS[:2]:
        table.join("baltic", power)
    first, second = table.game().applicants

    with desk(table) as visitor:
        visitor.enter()
        page = visitor.get("/games/baltic").words
        visitor.do("admit", game="baltic", person=first)
        visitor.do("refuse", game="baltic", person=second)
        again = visitor.ask("admit", game="baltic", person=second)

    assert page.count("asks to join.") == 2
    assert list(table.game().joined) == [first]
    assert "no longer asking to join" in again.words


def test_a_playing_moderator_cannot_correct_the_board(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("baltic", moderator=MODERATOR)
    with desk(table, address_of("FRANCE")) as visitor:
        visitor.enter()
        page = visitor.get("/games/baltic").html
    assert "Correct the board" not in page
    table.close()
