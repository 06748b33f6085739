"""S13: an operator cannot change what has happened without players noticing.

The operator has the store and all keys. They change events, make all chains and checkpoints anew,
and publish the log. Players have their emails only.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from judge.adapters.store.transactions import SqlTransaction
from judge.adapters.system_clock import SystemClock
from judge.app.admin.health import examine
from judge.app.ports.damaged_logs import find_damage
from judge.app.public_log import log_verifier, promise_checkpoint
from judge.checkpoints import Witness
from judge.cli.root import root
from judge.event_log import GENESIS, Row, canonical_row, chain_hash
from tests.support.table import MONDAY, Table

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
FULL, SHORT = "FRANCE", "TURKEY"  # France has proofs attached, Turkey only the line
KEPT = {(FULL, "receipt"), (FULL, "phase_results"), (SHORT, "phase_results")}
SOONER = "2026-11-20T00:00:00.000000Z"


@dataclass(frozen=True, slots=True)
class Scene:
    """A judge that has closed three phases, and the emails that two players have kept.

    *early* is a copy of its store from after the first phase.
    """

    store: Path
    early: Path
    emails: Path

    def publish(self, folder: Path) -> Path:
        published = run("log", "publish", str(folder), "--database", str(self.store))
        assert published.exit_code == 0, published.output
        return folder

    def verify(self, folder: Path, *players: str) -> Result:
        """Check the emails of *players* on a machine of theirs, against the published log."""
        files = sorted(self.emails.iterdir())
        own = [str(each) for each in files if each.name.startswith(players)]
        return run("log", "verify", "--log", str(folder), *own)


def run(*words: str) -> Result:
    return CliRunner().invoke(root, words)


def play(folder: Path, seed: str, days: int, orders: str = "STATUS") -> None:
    """Order for France, and close a phase of the game in *folder*, *days* after it began."""
    with closing(Table(folder, seed)) as table:
        table.clock.time = MONDAY + timedelta(days=days)
        if days == 0:
            table.start()
            table.want_proofs(FULL)
        for each in orders.split(";"):
            table.send(FULL, each)
        assert table.close_phase()


def keep_emails(store: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    with closing(Table(store.parent)) as table:
        rows = table.query("SELECT id, recipient, kind, raw FROM outbox ORDER BY id")
    for number, recipient, kind, raw in rows:
        player = recipient.partition("@")[0].upper()
        if (player, kind) in KEPT:
            (folder / f"{player}-{number:04}-{kind}.eml").write_bytes(raw)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("played")
    early = tmp_path_factory.mktemp("early") / "judge.db"
    play(folder, "spring", 0, "A Par-Bur\nA Mar-Spa\nF Bre-Mid")
    shutil.copy(folder / "judge.db", early)
    play(folder, "fall", 1, "A Bur-Bel;A Spa-Por\nF Mid H")
    play(folder, "winter", 2, "Build A Par\nBuild A Mar")
    keep_emails(folder / "judge.db", folder / "emails")
    return Scene(folder / "judge.db", early, folder / "emails")


@pytest.fixture
def scene(played: Scene, tmp_path: Path) -> Scene:
    store = tmp_path / "store" / "judge.db"
    store.parent.mkdir()
    shutil.copy(played.store, store)
    return replace(played, store=store)


def test_s13_the_emails_of_players_fit_an_honest_log(scene: Scene, tmp_path: Path) -> None:
    found = scene.verify(scene.publish(tmp_path / "log"), FULL, SHORT)

    assert found.exit_code == 0, found.output
    assert "WRONG" not in found.output
    assert found.output.count("as in the log") == 6
    assert found.output.count("are event") == 4, "the orders in four receipts"
    assert run("log", "verify", "--database", str(scene.store)).exit_code == 0


Change: TypeAlias = Callable[[list[Row]], list[Row]]


def change(scene: Scene, changed: Change) -> None:
    """Change the events of the game, and make every hash and every checkpoint anew."""
    with closing(Table(scene.store.parent)) as table, table.database.write() as transaction:
        rewrite(transaction, changed([*transaction.events.rows("baltic")]))
        transaction.connection.exec_driver_sql("DELETE FROM checkpoints")
        for row in transaction.events.rows("baltic"):
            if row.type == "phase_closed":
                promise_checkpoint(table.judge, transaction, "baltic", row.version)


def rewrite(transaction: SqlTransaction, rows: Sequence[Row]) -> None:
    """Replace the events of the game by *rows*, in a chain of its own."""
    connection, previous = transaction.connection, GENESIS
    triggers = connection.exec_driver_sql("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    for name in triggers.scalars().all():
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    connection.exec_driver_sql("DELETE FROM events")
    inserted = sa.text(
        "INSERT INTO events (position, game, version, type, schema, recorded_utc, payload, hash) "
        "VALUES (:version, 'baltic', :version, :type, :schema, :at, :payload, :hash)"
    )
    for number, row in enumerate(rows, 1):
        previous = chain_hash(previous, canonical_row(replace(row, version=number)))
        values = {"version": number, "type": row.type, "schema": row.schema, "hash": previous}
        connection.execute(inserted, {**values, "at": row.recorded_utc, "payload": row.payload})
    moved = sa.text("UPDATE games SET version = :version, hash = :hash")
    connection.execute(moved, {"version": len(rows), "hash": previous})
    transaction.events._heads.clear()


def fall_orders(rows: Sequence[Row]) -> int:
    """Return the index of the orders of France in the second phase."""
    return next(
        index
        for index, row in enumerate(rows)
        if row.type == "orders_submitted"
        and {"power": FULL, "phase": "F1901M"}.items() <= json.loads(row.payload).items()
    )


def fall_closed(rows: Sequence[Row]) -> int:
    """Return the index of the event that closed the second phase."""
    closed = [index for index, row in enumerate(rows) if row.type == "phase_closed"]
    return closed[1]


def drop(rows: list[Row]) -> list[Row]:
    index = fall_orders(rows)
    return [*rows[:index], *rows[index + 1 :]]


def alter(rows: list[Row]) -> list[Row]:
    index = fall_orders(rows)
    row = replace(rows[index], payload=rows[index].payload.replace("A BUR - BEL", "A BUR - PIC"))
    return [*rows[:index], row, *rows[index + 1 :]]


def reorder(rows: list[Row]) -> list[Row]:
    index = fall_orders(rows)
    before, after = rows[index : index + 2]
    return [*rows[:index], after, before, *rows[index + 2 :]]


def back_date(rows: list[Row]) -> list[Row]:
    index = fall_orders(rows)
    return [*rows[:index], replace(rows[index], recorded_utc=SOONER), *rows[index + 1 :]]


def add(rows: list[Row]) -> list[Row]:
    index = fall_orders(rows)
    return [*rows[: index + 1], *rows[index:]]


def rebuild(rows: list[Row]) -> list[Row]:
    index = fall_closed(rows)
    payload = rows[index].payload.replace("A BUR - BEL", "A BUR - PIC")
    return [*rows[:index], replace(rows[index], payload=payload), *rows[index + 1 :]]


def cut(rows: list[Row]) -> list[Row]:
    return rows[: fall_closed(rows) + 2]


Where: TypeAlias = Callable[[Sequence[Row]], int]


@dataclass(frozen=True, slots=True)
class Manipulation:
    """A manipulation by the operator and the first event that differs, in words of the page."""

    words: str
    change: Change
    first: Where


MANIPULATIONS = (
    Manipulation("an order is altered", alter, fall_orders),
    Manipulation("an event is dropped", drop, fall_orders),
    Manipulation("an event is added after its phase", add, lambda rows: fall_orders(rows) + 1),
    Manipulation("two events change places", reorder, fall_orders),
    Manipulation("an event is back-dated", back_date, fall_orders),
    Manipulation("a result is changed and the chain rebuilt", rebuild, fall_closed),
    Manipulation("the tail is cut and the head set back", cut, lambda rows: fall_closed(rows) + 1),
)


ALONE = "one player | results, and the published log"
FORK = "two readers of a phase are shown two logs (a fork)"
LOST = "confirmed orders are never recorded"
COSIGNED = "a log that a witness has cosigned is changed, cut or forked"
ROWS = (
    *(f"| {each.words} | {ALONE} |" for each in MANIPULATIONS),
    f"| an old copy is restored silently | {ALONE} |",
    f"| {FORK} | both together, or one alone | their results; results, and the published log |",
    f"| {LOST} | the player | the full receipt, and the published log |",
    f"| {COSIGNED} | the witness alone | the next checkpoint that it is asked to cosign |",
)


def test_s13_the_documentation_lists_the_manipulations_found() -> None:
    _, _, after = PAGE.read_text(encoding="utf-8").partition("| manipulation |")
    table, _, _ = after.partition("\n\n")

    assert tuple(table.splitlines()[2:]) == ROWS


EACH = [
    pytest.param(each, id=each.words, marks=() if each.change is drop else pytest.mark.slow)
    for each in MANIPULATIONS
]


@pytest.mark.parametrize("each", EACH)
def test_s13_a_changed_log_is_found_from_emails_and_the_first_event_that_differs_is_named(
    each: Manipulation, scene: Scene, tmp_path: Path
) -> None:
    with closing(Table(scene.store.parent)) as table, table.database.read() as transaction:
        first = 1 + each.first(transaction.events.rows("baltic"))
    change(scene, each.change)
    with closing(Table(scene.store.parent)) as table, table.database.read() as transaction:
        assert find_damage(transaction, "baltic") is None

    folder = scene.publish(tmp_path / "log")

    exact, line = scene.verify(folder, FULL), scene.verify(folder, SHORT)
    assert (exact.exit_code, line.exit_code) == (1, 1)
    assert f"the first event that differs is event {first} of baltic" in exact.output
    assert "the first event that differs is" in line.output


def test_s13_a_silently_restored_old_copy_is_found(scene: Scene, tmp_path: Path) -> None:
    shutil.copy(scene.early, scene.store)
    behind = scene.verify(scene.publish(tmp_path / "behind"), FULL)
    play(scene.store.parent, "again", 1, "A Bur H\nA Spa-Gas\nF Mid H")
    play(scene.store.parent, "and again", 2)

    ahead = scene.verify(scene.publish(tmp_path / "ahead"), FULL)

    with closing(Table(scene.early.parent)) as table, table.database.read() as transaction:
        [closed] = transaction.checkpoints.all()
        first = transaction.events.head("baltic").version + 1
    for found in (behind, ahead):
        assert found.exit_code == 1
        assert "the first event that differs is event" in found.output
    assert "but the log has only" in behind.output
    assert f"event {closed.version + 1} of baltic" in behind.output
    assert f"event {first} of baltic" in ahead.output


def test_s13_a_restored_copy_begins_another_log(scene: Scene, tmp_path: Path) -> None:
    backup, restored = tmp_path / "backup", tmp_path / "restored" / "judge.db"
    restored.parent.mkdir()
    assert run("backup", str(backup), "--database", str(scene.early)).exit_code == 0
    assert run("restore", str(backup), "--database", str(restored)).exit_code == 0
    with closing(Table(restored.parent)) as table:  # the news of it are of today
        table.clock.time = SystemClock().now() + timedelta(minutes=1)
        table.render()
    play(restored.parent, "restored", 1, "A Bur H\nA Spa-Gas\nF Mid H")
    keep_emails(restored, tmp_path / "emails")

    folder = replace(scene, store=restored).publish(tmp_path / "log")

    after = replace(scene, emails=tmp_path / "emails").verify(folder, FULL)
    assert after.exit_code == 0, after.output
    assert after.output.count("as in the log") == 2, "before the restore, and after"
    before = scene.verify(folder, FULL)
    assert before.exit_code == 1
    assert before.output.count("as in the log") == 1
    assert before.output.count("of the log before a backup was restored") == 2


def test_s13_two_readers_of_different_logs_find_the_fork(scene: Scene, tmp_path: Path) -> None:
    """A fork: Turkey gets results of another course of the game."""
    fork = replace(scene, store=tmp_path / "fork" / "judge.db", emails=tmp_path / "emails")
    shutil.copytree(scene.emails, fork.emails, ignore=shutil.ignore_patterns("TURKEY*"))
    fork.store.parent.mkdir()
    shutil.copy(scene.early, fork.store)
    play(fork.store.parent, "fork", 1, "A Bur-Mun\nA Spa-Por\nF Mid H")
    keep_emails(fork.store, tmp_path / "of the fork")
    for each in (tmp_path / "of the fork").glob("TURKEY*"):
        shutil.copy(each, fork.emails)

    found = fork.verify(scene.publish(tmp_path / "log"), FULL, SHORT)

    assert found.exit_code == 1
    assert "it shows another log than" in found.output
    in_store = run(
        "log", "verify", *map(str, sorted(fork.emails.iterdir())), "--database", str(scene.store)
    )
    assert in_store.exit_code == 1


@pytest.mark.slow
def test_s13_confirmed_orders_missing_from_the_log_are_found(scene: Scene, tmp_path: Path) -> None:
    """The receipt is sent, and the event removed before the phase closes."""
    shutil.copy(scene.early, scene.store)
    with closing(Table(scene.store.parent, "lost")) as table:
        table.clock.time = MONDAY + timedelta(days=1)
        table.send(FULL, "A Bur-Mun")
    emails = tmp_path / "emails"
    keep_emails(scene.store, emails)
    change(scene, lambda rows: [row for row in rows if row.version <= len(rows) - 1])
    play(scene.store.parent, "found", 1)

    found = replace(scene, emails=emails).verify(scene.publish(tmp_path / "log"), FULL)

    assert found.exit_code == 1
    assert "your orders for F1901M of baltic are not in the log\n" in found.output


def log_of(table: Table) -> Witness:
    """Return the entry of a judge in the settings of another."""
    with table.database.write() as transaction:
        return Witness(log_verifier(table.judge, transaction), table.judge.address)


def ask(scene: Scene, witness: Table, days: int) -> tuple[str, str]:
    """Make the judge ask *witness*, store the answer, and return the state of the request."""
    with closing(Table(scene.store.parent)) as table:
        table.clock.time = MONDAY + timedelta(days=days)
        table.judge = replace(table.judge, witnesses=(log_of(witness),))
        table.run_once()
        requests = table.query("SELECT raw FROM outbox WHERE kind = 'witness' ORDER BY id")
        witness.store_email(requests[-1][0], to=witness.judge.address)
        witness.run_once()
        for (answer,) in witness.query("SELECT raw FROM outbox WHERE kind = 'witness'"):
            table.store_email(answer)
        table.run_once()
    found = witness.query("SELECT state, reason FROM inbox ORDER BY id DESC")[0]
    return str(found[0]), str(found[1])


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(alter, id="changed"),
        pytest.param(cut, id="cut", marks=pytest.mark.slow),
        pytest.param(None, id="forked", marks=pytest.mark.slow),
    ],
)
def test_s13_a_witness_alone_finds_that_a_log_it_has_cosigned_was_changed(
    how: Change | None, scene: Scene, tmp_path: Path
) -> None:
    with closing(Table(tmp_path, "witness")) as witness:
        witness.judge = replace(witness.judge, address="judge@witness.example")
        with closing(Table(scene.store.parent)) as table:
            witness.judge = replace(witness.judge, witnesses=(log_of(table),))
        assert ask(scene, witness, 3)[0] == "processed"
        if how:
            change(scene, how)
        else:
            shutil.copy(scene.early, scene.store)
        for seed in ("on", "and on"):
            play(scene.store.parent, seed, 4)

        state, reason = ask(scene, witness, 5)

        assert state == "ignored"
        assert "not proven to extend" in reason
        assert "log_not_extended" in examine(witness.judge).troubles
        [found] = examine(witness.judge).witnesses
        [refused] = found.refused
        assert found.seen
        assert refused.checkpoint.root != found.seen.checkpoint.root


@pytest.mark.slow
def test_s13_a_published_log_is_only_ever_extended(scene: Scene, tmp_path: Path) -> None:
    folder = scene.publish(tmp_path / "log")
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    play(scene.store.parent, "spring again", 3)

    scene.publish(folder)

    for name, content in before.items():
        assert (folder / name).read_bytes().startswith(content)
        assert len((folder / name).read_bytes()) > len(content)
    change(scene, alter)
    refused = run("log", "publish", str(folder), "--database", str(scene.store))
    assert refused.exit_code == 1
    assert "another log" in refused.output
