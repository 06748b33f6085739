"""Four daemons on one database are killed while they write: the log that is left proves itself."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.crypto import FernetEncryption
from judge.adapters.store.database import open_database
from judge.adapters.store.export_import import export_lines, import_lines
from judge.app.ports.damaged_logs import find_damage
from judge.app.public_log import promise_checkpoint
from judge.checkpoints import Verifier
from judge.cli.root import root
from judge.event_log import Row
from judge.settings import DatabaseServer
from tests.faults.test_killed_under_load import BREATH_SECONDS, Senders, close_phase
from tests.security.test_s13_tampering import SOONER, rewrite
from tests.support.daemon import ADDRESS, BACKLOG_SECONDS
from tests.support.mail_server import MailServer, listening
from tests.support.nodes import Node, Nodes, moved, several
from tests.support.postgres import Postgres
from tests.support.servers import free_door
from tests.support.table import Table

NODES = 4
WITNESS = Verifier("witness.example/judge", FernetEncryption().public_key(b"w" * 32))


def drop(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], *rows[at + 1 :]]


def reorder(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]]


def back_date(rows: list[Row], at: int) -> list[Row]:
    return [*rows[:at], replace(rows[at], recorded_utc=SOONER), *rows[at + 1 :]]


def cut(rows: list[Row], at: int) -> list[Row]:
    return rows[:at]


CHANGES: tuple[Callable[[list[Row], int], list[Row]], ...] = (drop, reorder, back_date, cut)


@pytest.mark.gate
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    ("kills", "breath"), [(4, 0.5), pytest.param(80, BREATH_SECONDS, marks=pytest.mark.slow)]
)
def test_a_log_that_killed_nodes_wrote_is_proven_by_their_emails_and_any_change_is_found(
    begun: Path, tmp_path: Path, postgres: Postgres, kills: int, breath: float
) -> None:
    with listening() as peer:
        environment = {
            "JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}",
            "JUDGE_WITNESSES": f"{WITNESS} judge@witness.example",
        }
        folder, template = tmp_path / "nodes", moved(begun, postgres)
        folder.mkdir()
        three = several(begun, folder, postgres, template, **environment)
        with replace(three, size=NODES) as nodes:
            play(nodes, kills, breath)
            assert "baltic: sound" in nodes.judge("log", "verify")
            assert nodes.stop() == 0
            store = tmp_path / "moved" / "judge.db"
            store.parent.mkdir()
            copy_to(store, nodes.server)

    assert_same_bytes(peer)
    assert any(mail["X-Judge-Kind"] == "witness" for mail in peer.mails), "it was asked meanwhile"
    emails = keep_results(peer, tmp_path / "emails")
    honest = verify(store, tmp_path / "honest", emails)
    assert honest.exit_code == 0, honest.output
    for number, change in enumerate(CHANGES):
        changed = tmp_path / f"changed{number}" / "judge.db"
        changed.parent.mkdir()
        changed.write_bytes(store.read_bytes())
        write_anew(changed, change)
        found = verify(changed, tmp_path / f"published{number}", emails)
        assert found.exit_code == 1, change
        assert "the first event that differs is" in found.output


def play(nodes: Nodes, kills: int, breath: float) -> None:
    """Send emails to the *nodes*, kill one after the other, and close a phase now and then.

    A node starts again while the next one is killed.
    """
    chance = random.Random(kills)  # noqa: S311 - no secret
    for node in nodes.nodes:  # so that it listens there again
        node.environment = {**node.environment, "JUDGE_SMTP": free_door()}
    senders, starting = Senders(nodes, breath), list[Node]()
    nodes.start()
    with senders.running():
        for number in range(kills):
            time.sleep(chance.uniform(0.2, 1.0))
            node = chance.choice(nodes.nodes)
            if node in starting:
                node.listen()
                starting.remove(node)
            node.kill()
            node.launch("judge")
            starting.append(node)
            if number % 4 == 0 or number == 2:
                with senders.paused():
                    close_phase(nodes)
                nodes.change("DELETE FROM budgets WHERE name LIKE 'cosign%'")  # a day later
    for node in starting:
        node.listen()
    nodes.come_to_rest(BACKLOG_SECONDS)


def copy_to(store: Path, server: DatabaseServer) -> None:
    with (
        closing(open_database(server)) as source,
        closing(open_database(store)) as target,
        source.read() as from_,
        target.write() as to,
    ):
        import_lines(to.connection, export_lines(from_.connection))


def assert_same_bytes(peer: MailServer) -> None:
    """Check that an email that was sent again was the same."""
    sent = dict[str, bytes]()
    for mail in peer.mails:
        raw = mail.as_bytes()
        assert sent.setdefault(str(mail["Message-ID"]), raw) == raw


def keep_results(peer: MailServer, folder: Path) -> list[str]:
    """Write the results that one player got into *folder*."""
    folder.mkdir()
    results = [
        mail
        for mail in peer.mails
        if mail["X-Judge-Kind"] == "phase_results" and "france@" in str(mail["To"])
    ]
    assert len(results) > 1
    for number, mail in enumerate(results):
        (folder / f"{number}.eml").write_bytes(mail.as_bytes())
    return sorted(map(str, folder.iterdir()))


def write_anew(store: Path, change: Callable[[list[Row], int], list[Row]]) -> None:
    """Change the log from the first orders on, with all hashes and checkpoints anew."""
    with closing(Table(store.parent)) as table, table.database.write() as transaction:
        rows = [*transaction.events.rows("baltic")]
        first = next(at for at, row in enumerate(rows) if row.type == "orders_submitted")
        rewrite(transaction, change(rows, first))
        transaction.connection.exec_driver_sql("DELETE FROM checkpoints")
        judge = replace(table.judge, address=ADDRESS)
        for row in transaction.events.rows("baltic"):
            if row.type == "phase_closed":
                promise_checkpoint(judge, transaction, "baltic", row.version)
    with closing(Table(store.parent)) as table, table.database.read() as transaction:
        assert find_damage(transaction, "baltic") is None


def verify(store: Path, folder: Path, emails: list[str]) -> Result:
    environment = {"JUDGE_ADDRESS": ADDRESS, "JUDGE_DATABASE": str(store)}
    published = CliRunner().invoke(root, ["log", "publish", str(folder)], env=environment)
    assert published.exit_code == 0, published.output
    return CliRunner().invoke(root, ["log", "verify", "--log", str(folder), *emails])
