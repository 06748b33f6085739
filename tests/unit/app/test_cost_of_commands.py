"""The cost of an email does not grow with the number of games that are over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from tests.bench.measuring import busy
from tests.support.commands_page import all_spellings, first_spellings
from tests.support.cost import is_under
from tests.support.many_games import add_ended_games, counting
from tests.support.table import JUDGE, MODERATOR, Table, address_of

FEW, MANY = 20, 220
STRANGER = "stranger@elsewhere.example"
LAST = ("TERMINATE", "UNSTART", "RESIGN")  # nothing can be asked of the game afterwards
MEANWHILE = ("JOIN nosuch", "WHOGAME nosuch", "I would like to join a game", "LIST OVER 2")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    yield from table_with(FEW, tmp_path_factory)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    yield from table_with(MANY, tmp_path_factory)


def table_with(ended: int, factory: pytest.TempPathFactory) -> Iterator[Table]:
    table = Table(factory.mktemp("many"))
    add_ended_games(table, ended)
    table.start("game", moderator=MODERATOR)
    table.start("hidden", "listed=no")
    yield table
    table.close()


@dataclass(frozen=True, slots=True)
class Cost:
    """The work of an email just after a start, and how many emails it was answered with."""

    statements: int
    read: list[str]
    answers: int


def cost(table: Table, sender: str, text: str, reply_to: str) -> Cost:
    table.judge.game_cache.kept.clear()
    with table.database.write() as transaction:  # a stranger may ask only so much
        transaction.connection.exec_driver_sql("DELETE FROM budgets")
        transaction.connection.exec_driver_sql("DELETE FROM answers")
    table.deliver(table.compose(sender, text, reply_to), None, reply_to)
    before = count_queued(table)
    with counting(table) as work:
        table.run_once()
    return Cost(work.statements, sorted(work.read), count_queued(table) - before)


def reply_address(table: Table, sender: str) -> str:
    """Return where replies to the first email to *sender* go."""
    first, *_ = table.emails_to(sender) or table.mail(sender, "HELP")
    return first.reply_to


def count_queued(table: Table) -> int:
    """Count all emails to players; they need not be rendered for that."""
    with table.database.read() as transaction:
        counted = transaction.connection.exec_driver_sql("SELECT count(*) FROM outbox")
        return int(counted.scalar_one())


@pytest.mark.parametrize(
    ("sender", "ours"),
    [
        *((sender, first_spellings()) for sender in (STRANGER, address_of("FRANCE"), MODERATOR)),
        pytest.param(STRANGER, all_spellings(), marks=pytest.mark.slow),
    ],
    ids=["stranger", "player", "moderator", "stranger, with all spellings"],
)
def test_no_command_costs_more_with_the_games_that_are_over(
    few: Table, many: Table, sender: str, ours: Sequence[str]
) -> None:
    spellings = [*ours, *MEANWHILE]
    spellings.sort(key=lambda each: each.startswith(LAST))

    to_few, to_many = reply_address(few, sender), reply_address(many, sender)
    costs = {
        each: (cost(few, sender, each, to_few), cost(many, sender, each, to_many))
        for each in spellings
    }

    assert {
        text: (little, much)
        for text, (little, much) in costs.items()
        if much.statements > little.statements or much.read != little.read
    } == {}
    assert all(much.answers == little.answers for little, much in costs.values())
    unanswered = [text for text, (little, _) in costs.items() if not little.answers]
    assert len(unanswered) < len(costs) / 10


STATEMENTS_OF_ORDERS_MAX, STATEMENTS_OF_CLOSING_MAX = 15, 22


def test_orders_are_answered_with_few_statements(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur")
    quoted = "\n".join(f"> {line}" for line in receipt.text.splitlines())
    text, named = f"A Par-Gas\n\n{quoted}", receipt.message_id
    again = table.compose(receipt.recipient, text, receipt.reply_to, In_Reply_To=named)
    table.deliver(again, None, receipt.reply_to)

    with counting(table) as work:
        table.run_once()

    assert table.current_orders("FRANCE") == ("A PAR - GAS",)
    [answered] = (each for each in work.writing if any("INTO outbox" in text for text in each))
    assert len(answered) <= STATEMENTS_OF_ORDERS_MAX, answered


def test_a_phase_closes_with_few_statements_for_seven_readers(table: Table) -> None:
    table.all_hold()
    table.close_phase()  # which makes the secrets of the log
    table.all_hold()
    table.clock.time = table.deadline()
    before = len(table.outbox())

    with counting(table) as work:
        table.run_once()

    results = [each for each in table.outbox()[before:] if each.kind == "phase_results"]
    assert len(results) >= len(table.game().seats)
    [closed] = (each for each in work.writing if any("INTO checkpoints" in text for text in each))
    assert len(closed) <= STATEMENTS_OF_CLOSING_MAX, closed


def test_the_list_takes_little_time_and_names_no_game_that_is_over(many: Table) -> None:
    [answer] = many.mail("another@elsewhere.example", "LIST")

    assert "game " in answer.text
    assert "over1" not in answer.text
    assert "hidden" not in answer.text
    assert f"{MANY} more public games are over: LIST OVER shows them." in answer.words
    for number in range(9):
        many.deliver(many.compose(f"{number}@elsewhere.example", "LIST"), None, JUDGE)
        many.judge.game_cache.kept.clear()
        if is_under(0.05, busy(many.run_once)):
            return
    pytest.fail("it takes more than 50 ms")
