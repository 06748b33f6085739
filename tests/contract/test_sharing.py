"""The contract of several judges that share one PostgreSQL, each with its own connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import String, cast, func, select
from sqlalchemy.exc import DBAPIError

from judge.adapters.store.database import open_database
from judge.adapters.store.postgresql import AdvisoryLocks
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.database import OvertakenError, Transaction, retry_overtaken
from judge.app.ports.inbox import Envelope, InboxState
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import TracedPerson, TraceSearch
from judge.checkpoints import (
    EMPTY_TREE,
    Checkpoint,
    StoredCheckpoint,
    Witnessed,
    WitnessedCheckpoint,
)
from judge.event_log import StaleStreamError, verify_chain
from judge.game.players.joining import PlayerLeft
from judge.settings import DatabaseServer
from tests.support.daemon import PATIENCE_SECONDS, wait_until
from tests.support.postgres import Postgres

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def server(postgres: Postgres) -> Iterator[DatabaseServer]:
    with postgres.lent() as lent:
        yield lent


@pytest.fixture
def here(server: DatabaseServer) -> Iterator[SqlDatabase]:
    with closing(open_database(server)) as opened:
        yield opened


@pytest.fixture
def there(server: DatabaseServer) -> Iterator[SqlDatabase]:
    with closing(open_database(server)) as opened:
        yield opened


def keep(database: SqlDatabase, raw: bytes = b"A PAR H", received: datetime = NOON) -> None:
    with database.write() as transaction:
        transaction.inbox.keep(
            [(Envelope(raw, "anna@example.org", ("judge@localhost",), "smtp"), received)]
        )


def grow_tree(transaction: Transaction, game: str, version: int) -> None:
    newest = transaction.checkpoints.newest()
    tree = (newest.tree if newest else EMPTY_TREE).extended([game.encode()[:1] * 32])
    transaction.checkpoints.add(StoredCheckpoint(game, version, tree, ""))


def outgoing(number: int) -> OutgoingMail:
    return OutgoingMail(f"<{number:03}>", "judge@x", "anna@y", b"raw", NOON, "letter")


def queue(database: SqlDatabase, count: int) -> None:
    with database.write() as transaction:
        for number in range(count):
            transaction.outbox.put(outgoing(number))


def due(database: SqlDatabase, limit: int = 50) -> list[str]:
    with database.read() as transaction:
        return [mail.message_id for mail in transaction.outbox.due(NOON, limit)]


def cut(postgres: Postgres, server: DatabaseServer) -> None:
    """Cut every connection to the database."""
    postgres.ask(
        server,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def append(database: SqlDatabase, game: str, event: str) -> int:
    with database.write() as transaction:
        version = transaction.events.head(game).version
        recorded = transaction.events.append(game, version, [PlayerLeft(event)], NOON)
        return recorded[-1].version


class TestTheLog:
    def test_appending_a_decision_on_an_older_log_is_refused(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        append(here, "garnet", "1")
        with here.write() as ours:
            assert ours.events.head("garnet").version == 1
            append(there, "garnet", "2")
            assert [each.version for each in ours.events.read("garnet")] == [1]
            with pytest.raises(StaleStreamError):
                ours.events.append("garnet", 1, [PlayerLeft("3")], NOON)

        with here.read() as transaction:
            assert [each.event for each in transaction.events.read("garnet")] == [
                PlayerLeft("1"),
                PlayerLeft("2"),
            ]

    def test_two_that_begin_a_game_are_not_both_its_first(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        with here.write() as ours:
            assert ours.events.head("garnet").version == 0
            append(there, "garnet", "1")
            with pytest.raises(StaleStreamError):
                ours.events.append("garnet", 0, [PlayerLeft("2")], NOON)

    def test_r41_a_search_for_a_person_skips_no_event_that_is_committed_late(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        searched = TraceSearch(TracedPerson(("anna@example.org",)))

        def read() -> int:
            with there.read() as reader:
                reader.personal_data.read(searched)
            return len(searched.naming)

        with here.write() as slow:
            slow.events.append("garnet", 0, [PlayerLeft("anna@example.org")], NOON)
            append(there, "topaz", "anna@example.org")
            assert read() == 1
        assert read() == 2, "its position is lower than what was read"
        append(there, "jade", "anna@example.org")
        assert (read(), read()) == (3, 3)

    def test_a_writer_that_is_slow_to_commit_keeps_no_other_game_waiting(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        def commit_elsewhere() -> None:
            with there.write() as quick:
                quick.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
                quick.events.append("topaz", 0, [PlayerLeft("2")], NOON)
                quick.outbox.put(outgoing(2))

        with here.write() as slow:
            slow.events.append("garnet", 0, [PlayerLeft("1")], NOON)
            slow.outbox.put(outgoing(1))
            slow.checkpoints.promise("garnet", 1, commit_elsewhere)  # the last before the commit

        with here.read() as transaction:
            assert [*transaction.events.games()] == ["garnet", "topaz"]

    def test_two_that_close_phases_at_once_grow_one_tree(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        def close(database: SqlDatabase, game: str) -> None:
            for version in range(1, 11):
                with database.write() as transaction:
                    grow = partial(grow_tree, transaction, game, version)
                    transaction.checkpoints.promise(game, version, grow)

        with ThreadPoolExecutor() as pool:
            for each in [pool.submit(close, here, "garnet"), pool.submit(close, there, "topaz")]:
                each.result()

        with here.read() as transaction:
            trees = [each.tree for each in transaction.checkpoints.all()]
        assert [tree.size for tree in trees] == list(range(1, 21))

    def test_a_slow_closing_keeps_no_other_game_from_closing(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        with here.write() as slow:
            slow.checkpoints.promise("garnet", 1, partial(grow_tree, slow, "garnet", 1))
            with there.write() as quick:
                quick.checkpoints.promise("topaz", 1, partial(grow_tree, quick, "topaz", 1))

        with here.read() as transaction:
            made = [(each.game, each.tree.size) for each in transaction.checkpoints.all()]
        assert made == [("topaz", 1), ("garnet", 2)]

    def test_two_that_are_asked_at_once_cosign_one_log(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        def cosign(database: SqlDatabase, root: bytes) -> None:
            for _ in range(10):
                with database.write() as transaction:
                    last = transaction.witnessed.newest("log", "us", Witnessed.COSIGNED)
                    size = last.checkpoint.size + 1 if last else 1
                    shown = Checkpoint("log", size, root * 32)
                    cosigned = WitnessedCheckpoint(shown, "us", "", Witnessed.COSIGNED, NOON)
                    transaction.witnessed.put(cosigned)

        with ThreadPoolExecutor() as pool:
            for each in [pool.submit(cosign, here, b"a"), pool.submit(cosign, there, b"b")]:
                each.result()

        with here.read() as transaction:
            found = transaction.witnessed.all(Witnessed.COSIGNED)
        assert [each.checkpoint.size for each in found] == list(range(1, 21))

    @pytest.mark.parametrize("count", [15, pytest.param(1_250, marks=pytest.mark.slow)])
    def test_r40_r41_eight_writers_lose_nothing(
        self, here: SqlDatabase, there: SqlDatabase, count: int
    ) -> None:
        games = ("garnet", "topaz")

        def write(writer: int) -> None:
            database = (here, there)[writer % 2]
            for number in range(count):
                while True:
                    try:
                        append(database, games[number % 2], f"{writer}.{number}")
                        break
                    except (StaleStreamError, OvertakenError):
                        continue

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(write, range(8)))

        with here.read() as transaction:
            log = transaction.events
            assert sum(log.head(game).version for game in games) == 8 * count
            for game in games:
                assert verify_chain(game, log.rows(game), log.head(game)) is None
                assert [each.version for each in log.rows(game)] == list(
                    range(1, log.head(game).version + 1)
                )


class TestMailThatComes:
    def test_an_email_is_processed_by_one_judge_at_a_time(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        keep(here)
        with here.write() as ours:
            assert ours.inbox.claim(1)
            with there.write() as theirs:
                assert not theirs.inbox.claim(1)

        with there.write() as theirs:
            assert theirs.inbox.claim(1)
            theirs.inbox.finish(1, InboxState.PROCESSED)
        with here.write() as ours:
            assert not ours.inbox.claim(1), "it has been answered"

    def test_r63_asking_which_email_came_in_time_waits_for_email_being_stored(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        keeping, asked = threading.Event(), threading.Event()

        def keep_slowly() -> None:
            with here.write() as transaction:
                transaction.inbox.arrive()
                keeping.set()
                transaction.inbox.keep(
                    [(Envelope(b"in time", "anna@x", ("judge@y",), "smtp"), NOON)]
                )
                assert not asked.wait(0.3), "it was asked before the mail was there"

        with ThreadPoolExecutor(1) as thread:
            kept = thread.submit(keep_slowly)
            assert keeping.wait(PATIENCE_SECONDS)
            with there.write() as transaction:
                assert transaction.inbox.waiting(until=NOON) == [1]
                asked.set()
            kept.result()

    def test_r42_the_same_email_at_two_judges_at_once_is_kept_once(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(keep, (here, there) * 10))
        with here.read() as transaction:
            assert len(transaction.inbox.waiting()) == 1, "whatever number the database gave it"


class TestMailThatGoes:
    def test_each_judge_processes_other_emails(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        queue(here, 5)

        assert due(here, 2) == ["<000>", "<001>"]
        assert due(there) == ["<002>", "<003>", "<004>"]
        assert due(here) == ["<000>", "<001>"]

    def test_an_email_that_one_judge_leaves_another_can_take(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        queue(here, 2)
        due(here)
        here.claims.leave("<001>")

        assert due(there) == ["<001>"]

    def test_an_email_that_was_sent_meanwhile_is_not_taken(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        queue(here, 2)
        due(here)
        with here.write() as transaction:
            transaction.outbox.sent(["<000>"], NOON)
        here.claims.leave("<000>")

        assert due(there) == []
        assert there.claims.take("<000>"), "it was left at once"

    def test_the_emails_of_a_judge_are_free_when_it_ends(
        self, here: SqlDatabase, server: DatabaseServer
    ) -> None:
        queue(here, 1)
        with closing(open_database(server)) as other:
            assert due(other) == ["<000>"]
            assert due(here) == []

        # The server notices a moment after the connection has been closed.
        wait_until(lambda: due(here) == ["<000>"], "it was not left")

    def test_the_emails_of_a_judge_are_free_when_it_is_cut_off(
        self, here: SqlDatabase, there: SqlDatabase, postgres: Postgres, server: DatabaseServer
    ) -> None:
        queue(here, 1)
        assert due(here) == ["<000>"]
        assert here.claims.take("a game")

        cut(postgres, server)

        assert due(there) == ["<000>"]
        assert there.claims.take("a game")
        assert not here.claims.take("a game")
        here.claims.leave("a game")
        assert due(here) == []


class TestClaims:
    def test_what_one_has_another_cannot_take(self, here: SqlDatabase, there: SqlDatabase) -> None:
        assert here.claims.take("a mailbox")
        assert here.claims.take("a mailbox"), "it is ours already"
        assert not there.claims.take("a mailbox")

        here.claims.leave("a mailbox")
        assert there.claims.take("a mailbox")

    def test_leaving_what_one_does_not_have_is_nothing(self, here: SqlDatabase) -> None:
        here.claims.leave("a mailbox")
        assert here.claims.take("a mailbox")

    def test_a_judge_that_is_cut_off_while_it_leaves_can_go_on(
        self, here: SqlDatabase, there: SqlDatabase, postgres: Postgres, server: DatabaseServer
    ) -> None:
        assert here.claims.take("a mailbox")
        cut(postgres, server)
        here.claims.leave("a mailbox")

        assert there.claims.take("a mailbox")
        assert here.claims.take("another")

    def test_a_judge_that_is_cut_off_while_it_takes_can_go_on(self, here: SqlDatabase) -> None:
        assert isinstance(here.claims, AdvisoryLocks)
        assert here.claims.take("a mailbox")
        cut_off = func.pg_terminate_backend(func.pg_backend_pid())
        with pytest.raises(DBAPIError):
            here.claims.take_listed(select(cast(cut_off, String)), 1)

        assert here.claims.take("another")


class TestOvertaken:
    def test_the_second_of_two_that_insert_the_same_is_told_so(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        def add(database: SqlDatabase) -> None:
            with database.write() as transaction:
                transaction.people.add("anna", "anna@example.org", "Anna", b"key", NOON)

        add(here)
        with pytest.raises(OvertakenError):
            add(there)

    def test_an_error_that_is_no_race_is_raised_unchanged(self, here: SqlDatabase) -> None:
        with pytest.raises(DBAPIError), here.write() as transaction:
            transaction.people.set_password("garnet", "nobody", "hash")  # a foreign key

    def test_a_budget_is_spent_one_after_the_other(
        self, here: SqlDatabase, there: SqlDatabase
    ) -> None:
        def spend(database: SqlDatabase) -> bool:
            with database.write() as transaction:
                return transaction.budgets.spend("answers", 5, HOUR, NOON)

        assert spend(here)  # the row is there, and can be locked
        with ThreadPoolExecutor(4) as threads:
            spent = list(threads.map(spend, (here, there) * 6))
        assert sum(spent) == 4

    @pytest.mark.parametrize(
        "error", [OvertakenError(), StaleStreamError("garnet", 1)], ids=["other", "log"]
    )
    def test_a_lost_race_is_retried_some_times(self, error: Exception) -> None:
        def failing(times: int) -> Callable[[], int]:
            tries = iter(range(100))

            def work() -> int:
                number = next(tries)
                if number < times:
                    raise error
                return number

            return work

        assert retry_overtaken(failing(0)) == 0
        assert retry_overtaken(failing(4)) == 4
        with pytest.raises(type(error)):
            retry_overtaken(failing(5))
