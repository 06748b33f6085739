"""A PostgreSQL server that falls silent, or is changed, under a running judge."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from time import monotonic

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError

from judge.adapters.migrations import NEWEST
from judge.adapters.store import postgresql
from judge.adapters.store.database import open_database, recreate_tables
from judge.adapters.store.export_import import export_lines, import_lines
from judge.adapters.store.postgresql import TransactionPoolError
from judge.adapters.store.transactions import SqlTransaction, blame
from judge.app import store_trouble
from judge.app.admin.health import examine
from judge.app.inbound.process import RETRY_AFTER
from judge.app.loop import run_once
from judge.app.ports.database import Blame, OlderStoreError
from judge.app.store_trouble import DESPITE_STORE
from judge.cli.root import root
from judge.settings import DatabaseServer
from tests.support.daemon import FORGET_THE_REST, seated, wait_until
from tests.support.final_count import everything_counts_once, status_names
from tests.support.nodes import Node, moved
from tests.support.postgres import OWNER, Postgres
from tests.support.servers import free_port, need, open_folder
from tests.support.table import Mail, Table, address_of
from tests.support.tcp_proxy import TcpProxy, proxy_before

STOP_SECONDS = 10
RECOVERY_SECONDS = 60


def behind(server: DatabaseServer, port: int) -> DatabaseServer:
    """Return *server* as it is reached through another *port*."""
    host, _, name = server.url.rpartition("/")
    return DatabaseServer(f"{host.rpartition(':')[0]}:{port}/{name}")


@pytest.fixture
def proxy(postgres: Postgres) -> Iterator[TcpProxy]:
    with proxy_before(postgres.port) as running:
        yield running


def test_a_silent_connection_is_given_up_and_a_new_one_works(
    postgres: Postgres, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "STATEMENT_SECONDS", 1)
    with closing(open_database(behind(postgres.new(), proxy.port))) as database:
        assert database.claims.take("a game")
        proxy.fall_silent()
        began = monotonic()
        with pytest.raises(OperationalError):
            database.claims.take("another game")
        assert monotonic() - began < 15
        proxy.silent = False

        with suppress(OperationalError):
            database.probe(writes=True)  # one that was opened before may be tried first
        database.probe(writes=True)
        assert database.claims.take("a third game")


@pytest.mark.slow
@pytest.mark.parametrize("what", ["the network", "the server"])
def test_a_daemon_whose_server_falls_silent_refuses_mail_recovers_and_ends(
    begun: Path, tmp_path: Path, postgres: Postgres, proxy: TcpProxy, what: str
) -> None:
    server = moved(begun, postgres)
    node = Node(tmp_path, postgres=postgres, server=behind(server, proxy.port))

    def backends() -> list[int]:
        asked = "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = '{}'"
        name = server.url.rpartition("/")[2]
        return [int(str(pid)) for (pid,) in postgres.ask(server, asked.format(name))]

    shutil.copytree(begun / "outgoing", tmp_path / "outgoing")
    with node:
        node.change(FORGET_THE_REST)
        node.start()
        player, start = seated(node, "FRANCE")
        numbers = count(1)

        def refused() -> bool:
            text = f"A Par-Bur\n\nFor the {next(numbers)}th time.\n"
            return not node.offer(player.answering(start, text))

        assert postgres.process
        stopped = [postgres.process.pid, *backends()] if what == "the server" else []
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        proxy.silent = not stopped
        began = monotonic()
        assert refused()
        assert monotonic() - began < RECOVERY_SECONDS
        wait_until(lambda: "store.fails" in node.log(), "it says nothing", RECOVERY_SECONDS)
        status_names(node, "cannot be used", code=os.EX_UNAVAILABLE)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        proxy.silent = False
        wait_until(lambda: not refused(), "it does not recover", RECOVERY_SECONDS)
        everything_counts_once(node, "Army Paris -> Burgundy")
        proxy.fall_silent()
        began = monotonic()
        assert node.stop() == 0
        assert monotonic() - began < STOP_SECONDS


@contextmanager
def pgbouncer(postgres: Postgres, folder: Path, mode: str) -> Iterator[int]:
    """Run PgBouncer before *postgres*; yield its port."""
    need("PgBouncer", "pgbouncer")
    port, file = free_port(), folder / "pgbouncer.ini"
    file.write_text(
        f"""[databases]
* = host=127.0.0.1 port={postgres.port} user={OWNER}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {mode}
ignore_startup_parameters = options,extra_float_digits
"""
    )
    folder.chmod(0o755)
    user = OWNER if os.geteuid() == 0 else None
    program = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin")
    assert program
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, str(file)], user=user, stdout=log, stderr=log)
    try:
        wait_until(lambda: b"process up" in (folder / "log").read_bytes(), "it does not start")
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


def test_a_pooler_of_transactions_is_refused_with_the_reason(
    postgres: Postgres, open_to_all: Path
) -> None:
    server = postgres.new()
    with pgbouncer(postgres, open_to_all, "transaction") as port:
        behind_it = behind(server, port)
        with pytest.raises(TransactionPoolError, match="pools transactions"):
            open_database(behind_it)
        checked = CliRunner().invoke(root, ["check", "--database", behind_it.url])
        assert "pools transactions" in checked.stdout
        assert "pool_mode = session" in checked.stdout
        assert checked.exit_code == 1


def test_a_pooler_of_sessions_is_taken(postgres: Postgres, open_to_all: Path) -> None:
    server = postgres.new()
    with (
        pgbouncer(postgres, open_to_all, "session") as port,
        closing(open_database(behind(server, port))) as database,
    ):
        database.probe(writes=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """Return a game that has begun, on each kind of store."""
    server = None
    if request.param == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        server = postgres.new()
    with closing(Table(tmp_path, "laid", server=server)) as laid:
        laid.start("baltic")
        yield laid


def test_a_refused_connection_is_no_fault_of_an_email() -> None:
    nobody = DatabaseServer(f"postgresql://judge@127.0.0.1:{free_port()}/judge")

    with pytest.raises(OperationalError) as refused:
        postgresql.open_engine(nobody).connect()

    assert blame(refused.value) is Blame.OTHERS


def take_step(table: Table, step: str) -> None:
    with table.database.write() as transaction:
        statement = sa.text("UPDATE alembic_version SET version_num = :step")
        transaction.connection.execute(statement, {"step": step})


def test_tables_of_a_newer_version_are_noticed_and_said(table: Table) -> None:
    take_step(table, "v9999")

    store_trouble.look(table.judge)

    found = examine(table.judge)
    assert "store_fails" in found.troubles
    assert "another version of the judge (step v9999" in found.explain("store_fails")
    assert not run_once(table.judge), "nothing is decided"
    take_step(table, NEWEST)
    assert run_once(table.judge)


@pytest.mark.parametrize(
    ("column", "value"), [("attempts", 2**70), ("reason", "half a \ud800 pair")]
)
def test_a_value_that_the_store_cannot_hold_is_a_failure_of_the_email(
    table: Table, monkeypatch: pytest.MonkeyPatch, column: str, value: object
) -> None:
    start = table.latest("FRANCE")
    mail = table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to)
    table.deliver(mail, None, start.reply_to)

    def store_it(_judge: object, transaction: SqlTransaction, *_: object) -> None:
        statement = sa.text(f"UPDATE inbox SET {column} = :value")  # noqa: S608 - one of two
        transaction.connection.execute(statement, {"value": value})
        raise AssertionError("it was stored")

    with monkeypatch.context() as broken:
        broken.setattr("judge.app.inbound.process._finish", store_it)
        for pause in (*RETRY_AFTER, timedelta()):
            run_once(table.judge)
            table.clock.time += pause

    assert table.inbox()[-1] == "quarantined"
    [(reason,)] = table.query("SELECT reason FROM inbox WHERE state = 'quarantined'")
    assert not str(reason).startswith((DESPITE_STORE, "AssertionError"))
    assert table.judge.trouble.since is None


@pytest.mark.parametrize("table", ["postgresql"], indirect=True)
def test_a_database_that_becomes_read_only_is_noticed_and_said(
    table: Table, postgres: Postgres
) -> None:
    server = DatabaseServer(str(table.database._engine.url))
    change = f"ALTER DATABASE {server.url.rpartition('/')[2]} {{}}"
    other = postgres.server("postgres")
    postgres.ask(other, change.format("SET default_transaction_read_only = on"))

    store_trouble.look(table.judge)

    found = examine(table.judge)
    assert "the database is read-only" in found.explain("store_fails")
    assert not run_once(table.judge), "nothing is decided"
    postgres.ask(other, change.format("SET default_transaction_read_only = off"))
    assert run_once(table.judge)


def test_an_older_store_under_a_running_judge_is_noticed_and_gives_no_message_id_twice(
    table: Table,
) -> None:
    table.run_once()
    older = saved(table)
    table.clock.time += timedelta(minutes=2)
    table.run_once()
    start = table.latest("FRANCE")
    table.reply(start, "A Par-Bur")
    lost = table.latest("FRANCE")
    assert lost.kind == "receipt"

    restored(table, older)
    table.clock.time += timedelta(minutes=1)
    table.run_once()

    assert any(line.startswith("store.went_back") for line in table.operator_log.lines)
    told = table.latest("FRANCE")
    assert told.kind != "receipt"
    table.reply(start, "A Par-Pic")
    again = table.latest("FRANCE")
    assert again.kind == "receipt"
    assert again.message_id != lost.message_id
    table.clock.time += timedelta(minutes=2)
    table.run_once()
    assert sum(line.startswith("store.went_back") for line in table.operator_log.lines) == 1


def test_a_dump_of_a_moment_ago_is_noticed_and_nothing_is_sent_before_that(table: Table) -> None:
    table.run_once()  # The heartbeat will be the same.
    older, start = saved(table), table.latest("FRANCE")
    table.reply(start, "A Par-Bur")
    lost = results_for_france(table)

    restored(table, older)
    table.reread_outbox()
    with pytest.raises(OlderStoreError):
        table.close_phase()

    assert table.emails_to(start.recipient, "phase_results") == ()
    table.run_once()
    assert any(line.startswith("store.went_back") for line in table.operator_log.lines)
    table.reply(start, "A Par-Pic")
    again = results_for_france(table)
    assert "Army Paris -> Burgundy" in lost.text
    assert "Army Paris -> Picardy" in again.text
    assert again.message_id != lost.message_id


def test_two_judges_that_notice_an_older_dump_begin_one_epoch(
    postgres: Postgres, tmp_path: Path
) -> None:
    server = postgres.new()
    with (
        closing(Table(tmp_path, "laid", server=server)) as table,
        closing(Table(tmp_path, "other", server=server)) as other,
    ):
        table.start("baltic")
        table.run_once()
        older = saved(table)
        for each in (table, other):
            each.clock.time += timedelta(minutes=2)
            each.run_once()
        restored(table, older)

        for each in (table, other, table, other):
            each.run_once()

        lines = [*table.operator_log.lines, *other.operator_log.lines]
        assert sum(line.startswith("store.went_back") for line in lines) == 1
        with table.database.read() as transaction:
            assert transaction.secrets.epoch().startswith("1-")


def results_for_france(table: Table) -> Mail:
    [results] = [mail for mail in table.close_phase() if mail.recipient == address_of("FRANCE")]
    return results


def saved(table: Table) -> list[str]:
    with table.database.read() as transaction:
        return [*export_lines(transaction.connection)]


def restored(table: Table, lines: list[str]) -> None:
    """Fill the tables with an older content, as a dump does that is restored under a judge."""
    with table.database.write() as transaction:
        recreate_tables(transaction.connection, NEWEST)
        import_lines(transaction.connection, lines)
