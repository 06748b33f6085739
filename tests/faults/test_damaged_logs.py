"""A log changed behind the judge's back is reported, and no phase closes on it (R44)."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.store.sqlite import GUARDS
from judge.app.admin.health import examine
from judge.cli.root import root
from judge.event_log import Head
from judge.game.phases import PhaseClosed
from judge.settings import DatabaseServer
from tests.support.daemon import header_of
from tests.support.desk_client import desk
from tests.support.final_count import CountedTable, emails_are_answered_once, results_came_once
from tests.support.nodes import moved
from tests.support.postgres import Postgres
from tests.support.table import FIRST_DEADLINE, Table

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold")
LATER = "UPDATE events SET recorded_utc = '2026-11-23T12:00:00.000001Z' WHERE version = 3"
ALTERED = (LATER,)
OTHER_ORDERS = """UPDATE events SET payload = replace(payload, 'A PAR - BUR', 'A PAR - PIC')
    WHERE type = 'orders_submitted'"""
SWAPPED = (
    "UPDATE events SET version = -4 WHERE version = 4",
    "UPDATE events SET version = 4 WHERE version = 5",
    "UPDATE events SET version = 5 WHERE version = -4",
)
REMOVED = ("DELETE FROM events WHERE version = 4",)
CUT_OFF = ("DELETE FROM events WHERE version = (SELECT max(version) FROM events)",)


FLIPPED = "UPDATE events SET payload = {} WHERE type = 'orders_submitted'"
MENDED = "UPDATE events SET payload = '{}' WHERE version = {}"
FLIP = {  # the first bit of a byte, so that the payload is no UTF-8 any more
    "sqlite": """replace(payload, '"mail"', CAST(x'22ED61696C22' AS TEXT))""",
    "postgresql": r"overlay(convert_to(payload, 'UTF8') placing '\xED'::bytea from 3)::text",
}


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with two games in Spring 1901, an hour before the deadline."""
    folder = tmp_path_factory.mktemp("laid")
    with closing(Table(folder, "laid")) as table:
        table.start("baltic", *RULES)
        table.start("adriatic", *RULES)
        table.wait_until(FIRST_DEADLINE - HOUR)
    return folder


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, laid: Path, tmp_path: Path) -> DatabaseServer | None:
    """Return where a copy of that judge is kept; None for a file."""
    if request.param == "sqlite":
        shutil.copy(laid / "judge.db", tmp_path)
        return None
    postgres: Postgres = request.getfixturevalue("postgres")
    return moved(laid, postgres)


@pytest.fixture
def table(tmp_path: Path, server: DatabaseServer | None) -> Iterator[Table]:
    with closing(Table(tmp_path, server=server)) as copied:
        copied.clock.time = FIRST_DEADLINE - HOUR
        yield copied


@pytest.fixture
def judge(table: Table, server: DatabaseServer | None) -> Callable[..., Result]:
    """Return what an operator does at the shell."""
    where = server.url if server else str(table.file)

    def run(*words: str) -> Result:
        return CliRunner().invoke(root, [*words, "--database", where])

    return run


def tamper(table: Table, statements: Sequence[str]) -> None:
    """Change `baltic` by hand, with the guards of the tables removed."""
    with table.database.write() as transaction:
        connection = transaction.connection
        if connection.dialect.name == "sqlite":
            guards = [f"DROP TRIGGER IF EXISTS {name}" for name in GUARDS]
        else:
            guards = ["ALTER TABLE events DISABLE TRIGGER USER"]
        for statement in guards:
            connection.exec_driver_sql(statement)
        for statement in statements:
            connection.exec_driver_sql(f"{statement} AND game = 'baltic'")


def flip_a_bit(table: Table) -> tuple[int, str]:
    """Damage the event with France's orders; return its number, and its payload before."""
    table.send("FRANCE", "A Par - Bur\nA Mar H\nF Bre H")
    event = table.game().version
    with table.database.read() as transaction:
        [row] = transaction.events.rows("baltic", event - 1, event)
    with table.database.write() as transaction:
        dialect = transaction.connection.dialect.name
        if dialect == "postgresql":  # so that nothing checks the bytes
            transaction.connection.exec_driver_sql("CREATE CAST (bytea AS text) WITHOUT FUNCTION")
    tamper(table, (FLIPPED.format(FLIP[dialect]),))
    table.judge.game_cache.kept.clear()
    return event, row.payload


def nonce_in(payload: str) -> str:
    return str(json.loads(payload)["nonce"])


def test_one_bad_byte_damages_one_game_and_everything_else_goes_on(
    table: Table, judge: Callable[..., Result]
) -> None:
    event, payload = flip_a_bit(table)
    start = table.latest("TURKEY")

    table.wait_until(FIRST_DEADLINE + MINUTE)
    for _ in range(5):
        table.pass_time(minutes=1)

    assert closed(table) == (1, 0), "the other game goes on"
    facts = {"game": "baltic", "number": event, "damage": "unreadable"}
    found = examine(table.judge)
    assert f": event {event} of baltic is unreadable" in found.explain("game_damaged")
    assert "deadline_overdue" not in found.troubles
    log = table.operator_log.lines
    assert [line for line in log if "game." in line and "baltic" in line] == [
        f"game.damaged {facts}"
    ]
    told = [
        judge("log", "verify"),
        judge("game", "list"),
        judge("status"),
        judge("log", "show", "baltic"),
        judge("log", "show", "baltic", "--json"),
        judge("log", "verify", "adriatic"),
        judge("doctor"),
        judge("game", "show", "baltic"),
        judge("log", "accept", "baltic", "--reason", "a bit was flipped"),
    ]
    verified, listed, status, shown, as_json, sound, doctor, one, accepted = told
    assert f"baltic: event {event} is unreadable" in verified.stdout
    assert "adriatic: sound" in verified.stdout
    assert "baltic" in listed.stdout
    assert "adriatic" in listed.stdout
    assert "last active" in status.stdout
    assert f"{event}" in shown.stdout
    assert "(damaged)" in shown.stdout
    assert json.loads(as_json.stdout.splitlines()[event - 1])["payload"] is None
    assert sound.exit_code == 0
    assert f"baltic: event {event} of its log is unreadable" in doctor.stdout
    assert "judge log accept" not in doctor.stdout
    assert f"baltic: event {event} of its log is unreadable" in one.stderr
    assert accepted.exit_code == 69, "it would not help"
    assert "restore a backup" in accepted.stderr
    assert "log accept" not in accepted.stderr
    for each in (*told, *log):
        assert nonce_in(payload) not in str(getattr(each, "output", each))
    table.reply(start, "A Con - Bul")
    assert table.inbox()[-1] == "received", "it is tried again, as another email that fails"

    tamper(table, (MENDED.format(payload, event),))
    table.pass_time(minutes=1)

    everything_is_there_once(CountedTable(table))
    assert "game_damaged" not in examine(table.judge).troubles


def everything_is_there_once(counted: CountedTable) -> None:
    mails = counted.ask("SELECT raw FROM inbox")
    counted.promised = [header_of(raw, "Message-ID") for (raw,) in mails]
    assert len(counted.promised) == 2
    counted.come_to_rest()
    emails_are_answered_once(counted)
    results_came_once(counted, "Army Paris -> Burgundy")
    results_came_once(counted, game="adriatic")


def test_a_backup_saves_a_bad_byte_as_it_is_and_says_so(
    table: Table, judge: Callable[..., Result], tmp_path: Path
) -> None:
    event, payload = flip_a_bit(table)
    file, again = tmp_path / "saved.gz", tmp_path / "again.gz"

    saved = judge("backup", str(file))

    assert saved.exit_code == 2
    assert f"baltic: event {event} is altered, and so it is in the backup" in saved.stderr
    assert nonce_in(payload) not in saved.output
    other = tmp_path / "restored.db"

    def elsewhere(*words: str) -> Result:
        return CliRunner().invoke(root, [*words, "--database", str(other)])

    assert f"baltic: event {event} is unreadable" in elsewhere("restore", str(file)).stderr
    restored = elsewhere("restore", "--damaged-too", "--moved", str(file))
    assert restored.exit_code == 0, restored.output
    assert elsewhere("backup", str(again)).exit_code == 2
    rows = [events_of(file), events_of(again)]
    assert rows[0] == rows[1], "the bytes are as they were"


def events_of(backup: Path) -> Sequence[str]:
    with gzip.open(backup, "rt") as lines:
        return [line for line in lines if line.startswith('{"table":"events"')]


def closed(table: Table) -> tuple[int, int]:
    return table.count_events(PhaseClosed, "adriatic"), len(
        table.query("SELECT 1 FROM events WHERE game = 'baltic' AND type = 'phase_closed'")
    )


@pytest.mark.parametrize(
    ("server", "statements", "told"),
    [
        pytest.param("sqlite", ALTERED, "event 3 is altered", id="altered"),
        pytest.param("postgresql", ALTERED, "event 3 is altered", id="altered, on a server"),
        pytest.param("sqlite", SWAPPED, "event 4 is altered", id="swapped"),
        pytest.param("sqlite", REMOVED, "event 4 is missing", id="removed"),
        pytest.param("sqlite", CUT_OFF, "event 10 is truncated", id="cut off"),
    ],
    indirect=["server"],
)
def test_r44_a_game_with_an_altered_log_is_named_and_its_phase_stays_open(
    table: Table, judge: Callable[..., Result], statements: Sequence[str], told: str
) -> None:
    tamper(table, statements)

    table.wait_until(FIRST_DEADLINE + MINUTE)
    table.pass_time(minutes=1)

    assert closed(table) == (1, 0), "the other game goes on"
    verified = judge("log", "verify")
    assert f"baltic: {told}" in verified.stdout
    assert verified.exit_code == 1
    number, _, damage = told.removeprefix("event ").partition(" is ")
    told_lines = [line for line in table.operator_log.lines if line.startswith("game.damaged")]
    facts = {"game": "baltic", "number": int(number), "damage": damage}
    assert told_lines == [f"game.damaged {facts}"], "once in a while, not at each tick"
    assert judge("game", "process", "baltic").exit_code != 0
    table.clock.time += HOUR
    assert f": {told.replace(' is', ' of baltic is')}" in examine(table.judge).explain(
        "game_damaged"
    )


def test_r44_an_event_altered_after_a_close_keeps_the_next_phase_open(
    table: Table,
) -> None:
    table.wait_until(FIRST_DEADLINE + MINUTE)
    assert closed(table) == (1, 1)

    tamper(table, ALTERED)
    table.wait_until(table.deadline("adriatic") + MINUTE)

    assert closed(table) == (2, 1)


def test_phases_close_after_a_check_of_only_the_new_events(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE + MINUTE)
    table.wait_until(table.deadline("adriatic") + MINUTE)

    assert closed(table) == (2, 2)


def test_a_transaction_rolled_back_after_the_check_does_not_look_like_damage(
    table: Table,
) -> None:
    with table.database.read() as transaction:
        guards = transaction.events.guards()
    table.judge.game_cache.sound["baltic"] = guards, Head(9, "f" * 64)

    table.wait_until(FIRST_DEADLINE + MINUTE)

    assert closed(table) == (1, 1)


def test_r44_a_game_goes_on_once_its_altered_log_is_accepted(
    table: Table, judge: Callable[..., Result]
) -> None:
    tamper(table, ALTERED)
    table.wait_until(FIRST_DEADLINE + MINUTE)

    accepted = judge("log", "accept", "baltic", "--reason", "I mended a name")
    table.pass_time(minutes=1)

    assert accepted.stdout == "baltic: event 3 is altered, accepted\n"
    assert closed(table) == (1, 1)
    verified = judge("log", "verify", "baltic")
    assert verified.exit_code == 0
    assert "accepted to event 10 on" in verified.stdout
    assert "'I mended a name'" in verified.stdout
    assert judge("log", "accept", "baltic", "--reason", "again").exit_code == 64


def test_r44_an_accepted_event_that_is_altered_again_is_reported(
    table: Table, judge: Callable[..., Result]
) -> None:
    tamper(table, ALTERED)
    judge("log", "accept", "baltic", "--reason", "I mended a name")
    tamper(table, (LATER.replace("= 3", "= 2"),))

    table.wait_until(FIRST_DEADLINE + MINUTE)

    assert closed(table) == (1, 0)
    assert "baltic: event 2 is altered" in judge("log", "verify", "baltic").stdout


def test_r44_missing_events_cannot_be_accepted(table: Table, judge: Callable[..., Result]) -> None:
    tamper(table, REMOVED)

    refused = judge("log", "accept", "baltic", "--reason", "never mind")

    assert refused.exit_code == 69
    assert "restore a backup" in refused.stderr


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
@pytest.mark.parametrize("written", ["A PAR TO BUR", "Paris - Burgundy", ""])
def test_r44_an_unreadable_order_is_named_and_its_phase_stays_open(
    table: Table, judge: Callable[..., Result], written: str
) -> None:
    table.all_hold(but=("FRANCE",))
    table.send("FRANCE", "A Par - Bur\nA Mar H\nF Bre H")
    event = table.game().version
    tamper(table, (OTHER_ORDERS.replace("A PAR - PIC", written),))
    table.judge.game_cache.kept.clear()

    table.wait_until(FIRST_DEADLINE + MINUTE)

    assert closed(table) == (1, 0), "the other game goes on"
    verified = judge("log", "verify", "baltic")
    assert verified.stdout.startswith(f"baltic: event {event} is unreadable")
    assert verified.exit_code == 1
    assert "game.damaged" in "".join(table.operator_log.lines)
    assert "'damage': 'unreadable'" in "".join(table.operator_log.lines)
    refused = judge("log", "accept", "baltic", "--reason", "it looks harmless")
    assert refused.exit_code == 69
    assert "restore a backup" in refused.stderr
    shown = judge("game", "show", "baltic", "--orders", "--reason", "a look")
    assert f"event {event} of its log is unreadable" in shown.stderr
    with desk(table) as visitor:
        visitor.enter()
        asked = visitor.ask("look", game="baltic", reason="a look")
        [action] = re.findall(r'action="(/actions/[^"]+)"', asked.html)
        looked = visitor.post(action, {"form": visitor.secret()})
        assert f"event {event} of its log is unreadable" in looked.words


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
def test_r44_an_email_that_needs_an_unreadable_order_is_quarantined_with_the_reason(
    table: Table,
) -> None:
    table.send("FRANCE", "A Par - Bur")
    event = table.game().version
    tamper(table, (OTHER_ORDERS.replace("A PAR - PIC", "A PAR TO BUR"),))
    table.judge.game_cache.kept.clear()

    table.reply(table.latest("FRANCE"), "A Mar - Spa")
    for _ in range(3):
        table.pass_time(minutes=1)

    [reason] = table.query("SELECT reason FROM inbox WHERE state = 'quarantined'")[0]
    assert f"baltic: event {event} of its log is unreadable" in reason
    assert "game.damaged" in "".join(table.operator_log.lines)
    assert table.send("TURKEY", "A Con - Bul").kind == "receipt", "the others play on"


@pytest.mark.parametrize("server", ["sqlite"], indirect=True)
def test_r44_a_phase_changed_by_accepted_orders_is_reported_but_not_as_wrong(
    table: Table, judge: Callable[..., Result]
) -> None:
    table.all_hold(but=("FRANCE",))
    table.send("FRANCE", "A Par - Bur")
    table.wait_until(FIRST_DEADLINE + MINUTE)
    tamper(table, (OTHER_ORDERS,))
    assert "is altered" in judge("log", "verify", "baltic").stdout

    judge("log", "accept", "baltic", "--reason", "a slip of mine")

    verified = judge("log", "verify", "baltic")
    assert verified.exit_code == 0, verified.stdout
    assert "'a slip of mine'; S1901M would now be adjudicated" in verified.stdout
    assert "0 of 1 games wrong" in verified.stdout
    told = json.loads(judge("log", "verify", "baltic", "--json").stdout)
    assert [each["phase"] for each in told["let_stand"]["otherwise"]] == ["S1901M"]
    table.pass_time(hours=24 * 14)
    assert closed(table)[1] == 2, "the game goes on"
    assert judge("log", "verify", "baltic").exit_code == 0
