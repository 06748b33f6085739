"""Several judges on one PostgreSQL process email: each decision is made once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from time import monotonic

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError

from judge.adapters.store import postgresql
from judge.app.inbound import process
from judge.app.loop import run_once
from judge.app.ports.database import claim_on
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres
from tests.support.table import POWERS, Table, address_of

EMAILS = "SELECT game, state, attempts, deaths FROM inbox ORDER BY id"
UNIT = {"AUSTRIA": "A Vie H", "ENGLAND": "F Lon H", "FRANCE": "A Par H", "GERMANY": "A Mun H"}
UNIT |= {"ITALY": "A Ven H", "RUSSIA": "A Mos H", "TURKEY": "A Con H"}


@pytest.fixture
def server(postgres: Postgres) -> DatabaseServer:
    return postgres.new()


@pytest.fixture
def judges(tmp_path: Path, server: DatabaseServer) -> Iterator[tuple[Table, Table]]:
    with (
        closing(Table(tmp_path, "here", server=server)) as here,
        closing(Table(tmp_path, "there", server=server)) as there,
    ):
        here.start("baltic")
        yield here, there


def put_in(table: Table, power: str, text: str, game: str = "baltic") -> None:
    """Store a reply of *power* without processing it."""
    answered = table.latest(power, game)
    mail = table.compose(answered.recipient, text, answered.reply_to)
    table.deliver(mail, None, answered.reply_to)


def test_an_email_about_a_game_that_another_judge_has_waits_for_it(
    judges: tuple[Table, Table],
) -> None:
    here, there = judges
    assert there.database.claims.take(claim_on("baltic"))
    put_in(here, "FRANCE", "A Par-Bur")

    here.run_once()

    assert here.query(EMAILS) == [("baltic", "received", 0, 0)]
    there.run_once()
    assert here.query(EMAILS) == [("baltic", "processed", 1, 0)]
    assert here.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_that_proves_to_be_about_such_a_game_is_put_back(
    judges: tuple[Table, Table],
) -> None:
    here, there = judges
    assert there.database.claims.take(claim_on("baltic"))
    here.mail(address_of("FRANCE"), "A Par-Bur", subject="my orders")

    assert here.query(EMAILS) == [("baltic", "received", 0, 0)]
    here.mail("stranger@example.org", "HELP")
    assert here.emails_to("stranger@example.org"), "other emails are answered meanwhile"
    there.database.claims.leave(claim_on("baltic"))
    here.run_once()
    states = [state for _, state, _, _ in here.query(EMAILS)]
    assert states == ["held", "processed"], "its sender has to confirm it"
    assert there.database.claims.take(claim_on("baltic")), "it was left again"


def test_a_later_email_of_a_sender_does_not_overtake_one_that_waits(
    judges: tuple[Table, Table],
) -> None:
    here, there = judges
    here.start("topaz")
    assert there.database.claims.take(claim_on("baltic"))
    put_in(here, "FRANCE", "A Par-Bur")
    put_in(here, "FRANCE", "A Par-Pic", "topaz")
    put_in(here, "ITALY", "A Ven-Tyr", "topaz")

    here.run_once()

    states = [(game, state) for game, state, _, _ in here.query(EMAILS)]
    assert states == [("baltic", "received"), ("topaz", "received"), ("topaz", "processed")]


def test_emails_about_a_busy_game_are_decided_once(
    judges: tuple[Table, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = judges
    here.start("topaz")
    for game in ("baltic", "topaz"):
        for power in POWERS:
            put_in(here, power, UNIT[power], game)
    done = Counter[str]()
    begin, commit = process._begin, process._commit_answer
    monkeypatch.setattr(process, "_begin", lambda *of: (done.update(["begun"]), begin(*of))[1])
    monkeypatch.setattr(
        process, "_commit_answer", lambda *of: (done.update(["decided"]), commit(*of))[1]
    )

    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(table.run_once) for table in (here, there)]:
            each.result()
    here.run_once()

    emails = here.query(EMAILS)
    assert Counter(emails) == {
        ("baltic", "processed", 1, 0): len(POWERS),
        ("topaz", "processed", 1, 0): len(POWERS),
    }
    assert done["decided"] == len(emails)
    assert done["begun"] <= len(emails) + 2, "few were read from a list that was old already"


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("seconds", "patience"), [(1.5, "100ms"), pytest.param(60, "10s", marks=pytest.mark.slow)]
)
def test_locks_that_are_held_for_long_fail_no_email(
    tmp_path: Path,
    server: DatabaseServer,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    patience: str,
) -> None:
    monkeypatch.setitem(postgresql.SESSION, "lock_timeout", patience)
    with ExitStack() as stack:
        judges = [
            stack.enter_context(closing(Table(tmp_path, f"judge{number}", server=server)))
            for number in range(4)
        ]
        table = judges[0]
        table.start("baltic")
        for power in POWERS:
            put_in(table, power, UNIT[power])
            mail = table.compose(f"{power.lower()}@example.org", "HELP")
            table.deliver(mail, None, table.judge.address)
        released = threading.Event()

        def work(judge: Table) -> None:
            while not released.is_set():
                judge.clock.time += process.RETRY_AFTER[0]
                with suppress(DBAPIError):
                    run_once(judge.judge)

        intruder = create_engine(server.url)
        with ThreadPoolExecutor(4) as threads:
            with intruder.begin() as connection:
                connection.exec_driver_sql("SELECT FROM games FOR UPDATE")
                connection.exec_driver_sql("SELECT FROM inbox WHERE id = 2 FOR UPDATE")
                connection.exec_driver_sql("LOCK TABLE outbox IN SHARE MODE")
                working = [threads.submit(work, judge) for judge in judges]
                ends = monotonic() + seconds
                while monotonic() < ends:
                    released.wait(0.1)
            released.set()
            for each in working:
                each.result()
        intruder.dispose()
        for judge in judges:
            judge.clock.time += process.RETRY_AFTER[1]
            run_once(judge.judge)

        counted = Counter((state, attempts) for _, state, attempts, _ in table.query(EMAILS))
        assert counted == {("processed", 1): 2 * len(POWERS)}
        receipts = Counter(mail.recipient for mail in table.outbox() if mail.kind == "receipt")
        assert receipts == {address_of(power): 1 for power in POWERS}
