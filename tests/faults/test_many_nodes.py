"""Three daemons on one database: one of them or the database dies, and no player notices.

The steps are those of `test_one_message` and `test_one_deadline`. What is tried at every change is
one step of each part of the way; all are, where there is time.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from judge.app.outbound.delivery import IN_HAND_MAX
from judge.settings import DatabaseServer
from tests.e2e.test_imap import kept, order, reading, wait_for_mails
from tests.faults.test_killed_under_load import (
    BREATH_SECONDS,
    Senders,
    close_phase,
)
from tests.faults.test_one_deadline import STEPS as STEPS_OF_A_DEADLINE
from tests.faults.test_one_message import STEPS as STEPS_OF_A_MESSAGE
from tests.support.daemon import (
    BACKLOG_SECONDS,
    POWERS,
    Player,
    processes_a_core,
    seated,
    text_of,
    wait_until,
)
from tests.support.dovecot import dovecot
from tests.support.final_count import emails_are_answered_once
from tests.support.mail_server import MailServer, listening
from tests.support.nodes import Node, Nodes, moved, several
from tests.support.postgres import Postgres
from tests.support.servers import free_door
from tests.support.set_clock import ProcessClock

AT_LENGTH = pytest.mark.slow
DIES_WITHIN_SECONDS = 5
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"
OPENED = "SELECT count(*) FROM events WHERE type = 'phase_opened'"
SUBMITTED = "SELECT count(*) FROM events WHERE type = 'orders_submitted'"
CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


def at_length(steps: Sequence[ParameterSet], quick: int) -> list[ParameterSet]:
    """Leave so many of the steps that are tried at every change; a daemon takes long to start."""
    tried = [step for step in steps if not step.marks]
    return [
        step if step in tried[:quick] else pytest.param(*step.values, id=step.id, marks=AT_LENGTH)
        for step in steps
    ]


@pytest.fixture(scope="session")
def template(begun: Path, postgres: Postgres) -> DatabaseServer:
    """Return the database of a judge with the game `baltic` in Spring 1901, at rest."""
    return moved(begun, postgres)


@pytest.fixture(scope="session")
def due_template(due: Path, postgres: Postgres) -> DatabaseServer:
    """Return the database of a judge just after a deadline; all orders are in."""
    return moved(due, postgres)


@pytest.mark.parametrize("step", at_length(STEPS_OF_A_MESSAGE, 1))
def test_an_email_has_one_effect_and_one_receipt_whichever_node_dies(
    begun: Path, tmp_path: Path, postgres: Postgres, template: DatabaseServer, step: str
) -> None:
    with several(begun, tmp_path, postgres, template, JUDGE_TICK_SECONDS="1") as nodes:
        first, *others = nodes.nodes
        for node in others:
            node.launch("judge")
        first.start("tests.faults.dying", *step.split(), "1")
        for node in others:
            node.listen()
        player, start = seated(first, "FRANCE")

        mail = player.answering(start, "A Par-Bur\n")
        promised = first.offer(mail)
        let_die(first)
        if not promised:
            others[0].send(mail)  # as a mail server does with what was not taken
        receipt = player.wait_for("receipt")
        nodes.come_to_rest()

        assert "A Par-Bur" in text_of(receipt)
        assert nodes.ask(SUBMITTED) == [(1,)]
        assert len(player.unread("receipt")) == 0, "one mail has one receipt"


@pytest.mark.parametrize("step", at_length(STEPS_OF_A_DEADLINE, 1))
def test_a_phase_closes_once_and_everybody_has_its_results_once(
    due: Path, tmp_path: Path, postgres: Postgres, due_template: DatabaseServer, step: str
) -> None:
    with several(due, tmp_path, postgres, due_template) as nodes:
        first, *others = nodes.nodes
        players = [seated(nodes, power)[0] for power in POWERS]
        first.launch("tests.faults.dying", *step.split())
        for node in others:
            node.launch("judge")
        let_die(first)
        results = [player.wait_for("phase_results") for player in players]
        nodes.come_to_rest()

        assert all("Burgundy.  (*bounce*)" in text_of(mail) for mail in results)
        assert nodes.ask(CLOSED) == [(1,)]
        assert nodes.ask(OPENED) == [(2,)]
        assert all(player.unread("phase_results") == [] for player in players)


def test_r64_a_tick_on_three_nodes_closes_once(
    due: Path, tmp_path: Path, postgres: Postgres, due_template: DatabaseServer
) -> None:
    with several(due, tmp_path, postgres, due_template) as nodes:
        players = [seated(nodes, power)[0] for power in POWERS]
        for node in nodes.nodes:
            node.launch("judge")  # all at once
        for player in players:
            player.wait_for("phase_results")
        nodes.come_to_rest()

        assert nodes.ask(CLOSED) == [(1,)]
        assert all(player.unread("phase_results") == [] for player in players)
        assert "failed" not in nodes.log()


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    ("blows", "breath"), [(3, 0.5), pytest.param(120, BREATH_SECONDS, marks=AT_LENGTH)]
)
def test_nodes_and_database_fail_under_load_and_nothing_is_lost_or_doubled(
    begun: Path,
    tmp_path: Path,
    postgres: Postgres,
    template: DatabaseServer,
    blows: int,
    breath: float,
) -> None:
    """Kill a node, cut all connections, or kill the database; close a phase now and then."""
    with listening() as peer:
        environment = {"JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}"}
        with several(begun, tmp_path, postgres, template, **environment) as nodes:
            for node in nodes.nodes:  # so that it listens there again
                node.environment = {**node.environment, "JUDGE_SMTP": free_door()}
            senders = Senders(nodes, breath)
            nodes.start()
            with running(postgres), senders.running():
                for number in range(blows):
                    time.sleep(random.Random(number).uniform(0.2, 1.0))  # noqa: S311 - no secret
                    strike(nodes, number)
                    if number % 6 == 1:
                        with senders.paused():
                            close_phase(nodes)
            nodes.come_to_rest(BACKLOG_SECONDS)

            all_is_there_once(nodes, senders.promised)
            all_was_sent(nodes, peer, blows)
            assert "baltic: sound" in nodes.judge("log", "verify")
            assert nodes.stop() == 0


@contextmanager
def running(postgres: Postgres) -> Iterator[None]:
    """Leave the server running, whatever happens."""
    try:
        yield
    finally:
        if postgres.process is None:
            postgres.start()


def strike(nodes: Nodes, number: int) -> None:
    """Do some harm, another one each time."""
    match number % 3:
        case 0:
            node = nodes.nodes[number // 3 % len(nodes.nodes)]
            node.kill()
            node.start()
        case 1:
            nodes.ask(CUT)
        case _:
            nodes.postgres.kill()
            time.sleep(0.3)
            nodes.postgres.start()


def let_die(node: Node) -> None:
    """Wait until *node* has killed itself; or kill it, if another was faster at that step."""
    assert node.process
    try:
        node.process.wait(DIES_WITHIN_SECONDS * processes_a_core())
    except subprocess.TimeoutExpired:
        node.kill()
    else:
        node.reap()


def all_is_there_once(nodes: Nodes, promised: list[str]) -> None:
    """Every email that was promised to be kept is, once, and has one answer; phases close once."""
    assert len(promised) > len(nodes.nodes)
    emails_are_answered_once(nodes, promised)
    names = "SELECT count(*), count(DISTINCT payload::json ->> 'phase') FROM events "
    ((phases, distinct),) = nodes.ask(f"{names} WHERE type = 'phase_closed'")
    assert phases == distinct


def all_was_sent(nodes: Nodes, peer: MailServer, blows: int) -> None:
    """Every email went out, and few twice: those in hand when something was struck."""
    after = "SELECT message_id FROM outbox WHERE kind NOT IN ('confirm_join', 'game_start')"
    queued = {str(name) for (name,) in nodes.ask(after)}
    came = Counter(str(mail["Message-ID"]) for mail in peer.mails)
    assert queued - came.keys() <= sent_before(nodes)
    assert came.total() - len(came) <= blows * IN_HAND_MAX * len(nodes.nodes)
    wait_until(lambda: nodes.ask(f"{after} AND state <> 'sent'") == [], "a mail was not sent")


def sent_before(nodes: Nodes) -> set[str]:
    """Name what had been sent before there was a peer."""
    return {str(mail["Message-ID"]) for mail in nodes.mails()}


@AT_LENGTH
def test_a_player_may_write_to_any_node(
    begun: Path, tmp_path: Path, postgres: Postgres, template: DatabaseServer
) -> None:
    with several(begun, tmp_path, postgres, template) as nodes:
        nodes.start()
        player, start = seated(nodes, "FRANCE")
        for node in nodes.nodes:
            sender = Player(node, player.address, player.read)
            sender.answer(start, "A Par-Bur\n")
            sender.wait_for("receipt")


@AT_LENGTH
def test_another_node_reads_the_mailbox_when_its_reader_dies(
    begun: Path, tmp_path: Path, postgres: Postgres, template: DatabaseServer
) -> None:
    with dovecot() as box:
        environment = reading(box.port, tmp_path)
        with several(begun, tmp_path, postgres, template, **environment) as nodes:
            first, *others = nodes.nodes
            first.start()
            order(nodes, box)
            wait_for_mails(nodes, 1)
            for node in others:
                node.start()
            first.kill()
            order(nodes, box, text="A Par-Pic\n")
            wait_for_mails(nodes, 2)
            nodes.come_to_rest()

            assert kept(nodes) == 2
            assert nodes.ask(SUBMITTED) == [(2,)]
            held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
            # One node reads. What is at rest is let go a moment later.
            wait_until(lambda: nodes.ask(held) == [(1,)], "something else is in somebody's hand")


def test_a_node_whose_clock_is_ahead_closes_no_phase_early(
    template: DatabaseServer, begun: Path, tmp_path: Path, postgres: Postgres
) -> None:
    clock = ProcessClock(tmp_path)
    with several(begun, tmp_path, postgres, template, JUDGE_TICK_SECONDS="1") as nodes:
        slow, fast, _ = nodes.nodes
        fast.environment = {**fast.environment, **clock.environment}
        fast.forked = False
        clock.put_ahead(120)
        for node in (slow, fast):
            node.start()
        seen = "SELECT max(recorded_utc) FROM events WHERE type = 'orders_submitted'"

        player, start = seated(fast, "FRANCE")
        player.answer(start, "A Par-Bur\n")
        wait_until(lambda: nodes.ask(seen) != [(None,)], "the order was not answered")
        [(submitted,)] = nodes.ask(seen)
        assert datetime.fromisoformat(str(submitted)) <= datetime.now(UTC)

        deadline = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=20)
        slow.judge("game", "extend", "baltic", deadline.isoformat(), "--reason", "a test")
        wait_until(lambda: "game.moved" in slow.log(), "the deadline did not pass", 120)

        assert datetime.now(UTC) >= deadline
