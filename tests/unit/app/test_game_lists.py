"""The table of games: what LIST shows, page by page, and that it always follows the log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from click.testing import CliRunner

from judge.app.commands import queries
from judge.app.game.summaries import fill_summaries
from judge.cli.root import root
from tests.support.many_games import add_ended_games, check_table_of_games
from tests.support.table import MODERATOR, Table

STRANGER = "stranger@elsewhere.example"


def asked(table: Table, text: str, sender: str = STRANGER) -> str:
    return table.mail(sender, text)[-1].words


def test_games_that_are_over_come_by_page_the_last_first(
    judge: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "OVER_A_PAGE", 3)
    add_ended_games(judge, 4)
    judge.start("opal", moderator=MODERATOR)
    judge.clock.time += timedelta(hours=1)
    judge.mail(MODERATOR, "TERMINATE", judge.emails_to(MODERATOR)[-1].reply_to)

    assert "5 more public games are over" in asked(judge, "LIST")
    first, second = asked(judge, "LIST OVER"), asked(judge, "LIST OVER 2", "x@elsewhere.example")

    assert first.index("opal ") < first.index("over ")
    assert "Page 1 of 2" in first
    assert "LIST OVER 2 shows the next page." in first
    assert "opal " not in second
    assert "Page 2 of 2" in second
    assert "next page" not in second
    assert asked(judge, "LIST OVER 99", "y@elsewhere.example") == second


def test_no_list_shows_or_counts_an_unlisted_game(judge: Table) -> None:
    judge.start("hidden", "listed=no", moderator=MODERATOR)
    judge.mail(MODERATOR, "TERMINATE", judge.emails_to(MODERATOR)[-1].reply_to)
    judge.start("secret", "listed=no")

    for number, text in enumerate(("LIST", "LIST OVER", "LIST FULL", "LIST VACANT", "JOIN hiden")):
        answer = asked(judge, text, f"{number}@elsewhere.example")
        assert "hidden" not in answer
        assert "secret" not in answer
        assert "over:" not in answer
    [mine] = judge.reply(judge.latest("FRANCE", "secret"), "LIST MINE")
    assert "secret Standard" in mine.words


def test_vacancies_are_listed(judge: Table) -> None:
    judge.start("baltic")
    judge.confirm(judge.reply(judge.latest("FRANCE"), "RESIGN")[-1])

    assert "baltic" in asked(judge, "LIST VACANCIES")


def test_a_list_of_anonymous_games_names_nobody(judge: Table) -> None:
    judge.start("dark", "anonymous=yes", moderator=MODERATOR)
    with judge.database.read() as transaction:
        handles = [
            person.handle
            for each in judge.game("dark").people
            if (person := transaction.people.get(each))
        ]

    assert len(handles) == 8
    answer = asked(judge, "LIST") + asked(judge, "LIST FULL", "x@elsewhere.example")
    assert [each for each in handles if each in answer] == []


def test_a_store_of_an_older_judge_is_listed_from_its_logs(table: Table) -> None:
    before = asked(table, "LIST")
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("DELETE FROM summaries")
        transaction.connection.exec_driver_sql("UPDATE taking_part SET present = 0")

    assert fill_summaries(table.judge) == 1

    assert asked(table, "LIST", "x@elsewhere.example") == before
    check_table_of_games(table)
    assert fill_summaries(table.judge) == 0


def test_a_change_fills_a_summary_that_is_missing(table: Table) -> None:
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("DELETE FROM summaries")
        transaction.connection.exec_driver_sql("UPDATE taking_part SET present = 0")

    table.close_phase()

    check_table_of_games(table)


def test_one_command_writes_the_table_again(table: Table) -> None:
    with table.database.write() as transaction:
        transaction.connection.exec_driver_sql("UPDATE summaries SET places = 9")
        transaction.connection.exec_driver_sql("UPDATE taking_part SET present = 0")

    for differed in (1, 0):
        command = CliRunner().invoke(root, ["log", "rebuild", "--database", str(table.file)])
        assert command.output == f"1 game; {differed} differed\n"

    check_table_of_games(table)
