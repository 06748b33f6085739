"""A mailbox read by IMAP, on a real Dovecot and on servers that misbehave: R16, R20 to R24."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.support.certificates import certificates
from tests.support.daemon import CONFIGURED, Daemon, copied, new_email, seated, text_of, wait_until
from tests.support.dovecot import PASSWORD, USER, Dovecot, dovecot
from tests.support.servers import free_port

SUBMITTED = "SELECT count(*) FROM events WHERE type = 'orders_submitted'"
IGNORED = "SELECT count(*) FROM inbox WHERE state = 'ignored'"
KEPT = "SELECT count(*) FROM inbox WHERE way_in = 'imap'"
STEPS = [
    pytest.param(
        "judge.adapters.inputs.imap ImapPoller _store before 1", id="fetched, not stored"
    ),
    pytest.param(
        "judge.adapters.inputs.imap ImapPoller _store after 1", id="stored, not remembered"
    ),
    pytest.param(
        "judge.adapters.inputs.imap ImapSession mark before 1", id="remembered, not marked"
    ),
]


@pytest.fixture
def box() -> Iterator[Dovecot]:
    """A mailbox."""
    with dovecot() as box:
        yield box


@pytest.fixture
def judge(begun: Path, tmp_path: Path, box: Dovecot) -> Iterator[Daemon]:
    """A judge that reads *box*; the test starts it."""
    with copied(begun, tmp_path, **reading(box.port, tmp_path)) as daemon:
        yield daemon


def reading(port: int, folder: Path) -> Mapping[str, str]:
    """Return the settings of a judge in *folder* that reads the mailbox at *port*."""
    secret = folder / "imap.password"
    secret.write_text(f"{PASSWORD}\n")
    return {
        "JUDGE_IMAP": f"127.0.0.1:{port}",
        "JUDGE_IMAP_SECURITY": "none",
        "JUDGE_IMAP_USER": USER,
        "JUDGE_IMAP_PASSWORD_FILE": str(secret),
        "JUDGE_IMAP_SECONDS": "2",
    }


def kept(judge: Daemon) -> int:
    [(count,)] = judge.ask(KEPT)
    assert isinstance(count, int)
    return count


def wait_for_mails(judge: Daemon, count: int) -> None:
    wait_until(lambda: kept(judge) >= count, lambda: f"only {kept(judge)}: {judge.log()[-2000:]}")


def order(judge: Daemon, box: Dovecot, power: str = "FRANCE", text: str = "A Par-Bur\n") -> bytes:
    player, start = seated(judge, power)
    raw = player.answering(start, text).as_bytes()
    recipient = str(player.answering(start, text)["To"])
    box.deliver(raw, recipient)
    return raw


def test_an_order_in_a_mailbox_takes_effect_at_once(judge: Daemon, box: Dovecot) -> None:
    judge.start()
    wait_until(lambda: judge.ask("SELECT count(*) FROM mailboxes") == [(1,)], "it was never read")
    player, _ = seated(judge, "FRANCE")
    order(judge, box)

    assert "A Par-Bur" in text_of(player.wait_for("receipt"))
    with box.session() as other:
        wait_until(lambda: not other.search("UNSEEN"), "it was never marked")
    assert judge.stop() == 0


def test_a_reload_takes_a_new_password_and_reads_at_once(judge: Daemon, box: Dovecot) -> None:
    secret = judge.folder / "imap.password"
    right = secret.read_text()
    secret.write_text("of last year\n")
    judge.start()
    player, _ = seated(judge, "FRANCE")
    order(judge, box)
    why = "SELECT reason FROM mailboxes"
    wait_until(lambda: "login is refused" in str(judge.ask(why)), "it is not said")

    secret.write_text(right)
    assert judge.process
    judge.process.send_signal(signal.SIGHUP)

    assert "A Par-Bur" in text_of(player.wait_for("receipt"))
    wait_until(lambda: judge.ask(why) == [("",)], "it stays failing")
    assert judge.stop() == 0


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("trusted", [True, False], ids=["vouched for", "vouched for by nobody"])
def test_a_mailbox_is_read_over_tls_if_the_certificate_of_its_server_is_valid(
    begun: Path, tmp_path: Path, security: str, *, trusted: bool
) -> None:
    (tmp_path / "others").mkdir()
    ours, others = certificates(tmp_path), certificates(tmp_path / "others")
    with dovecot(ours if trusted else others) as box:
        port = box.tls_port if security == "tls" else box.port
        settings = {
            **reading(port, tmp_path),
            "JUDGE_IMAP_SECURITY": security,
            "SSL_CERT_FILE": str(ours.authority),
        }
        with copied(begun, tmp_path, **settings) as judge:
            judge.start()
            if trusted:
                player, _ = seated(judge, "FRANCE")
                order(judge, box)
                assert "A Par-Bur" in text_of(player.wait_for("receipt"))
            else:
                why = "SELECT reason FROM mailboxes"
                said = f"127.0.0.1:{port}: TLS fails: "
                wait_until(lambda: said in str(judge.ask(why)), "it is not said")
                assert "certificate verify failed" in str(judge.ask(why))
            assert judge.stop() == 0


def test_a_refused_login_is_logged_with_its_reason_and_without_the_password(
    begun: Path, tmp_path: Path, box: Dovecot
) -> None:
    settings = reading(box.port, tmp_path)
    Path(settings["JUDGE_IMAP_PASSWORD_FILE"]).write_text("swordfish\n")
    with copied(begun, tmp_path, **settings) as judge:
        judge.start()
        why = "SELECT reason FROM mailboxes"
        wait_until(lambda: "Authentication failed" in str(judge.ask(why)), "it is not said")
        status = judge.judge("status", code=1)
        assert judge.stop() == 0
        log = judge.log()
    assert "never read" in status
    assert "do: correct imap_user and the password" in status
    for shown in (log, status):
        assert f"127.0.0.1:{box.port}: the login is refused: " in shown
        assert "[AUTHENTICATIONFAILED] Authentication failed" in shown
        assert "b'" not in shown
        assert "swordfish" not in shown


def test_a_mailbox_that_is_no_longer_configured_does_not_stay_failing(
    begun: Path, tmp_path: Path
) -> None:
    port = free_port()
    said = f"127.0.0.1:{port}: the server cannot be reached: Connection refused"
    with copied(begun, tmp_path, **reading(port, tmp_path)) as judge:
        judge.start()
        wait_until(lambda: said in judge.judge("status"), "it is not said")
        assert judge.stop() == 0
        assert "ConnectionRefusedError" not in judge.log()
        assert said in judge.log()

        judge.environment = CONFIGURED
        judge.start()

        status = judge.judge("status")
        assert "never read" in status
        assert "failing" not in status
        assert judge.stop() == 0


def test_r16_the_same_email_by_smtp_and_in_a_mailbox_has_one_effect(
    judge: Daemon, box: Dovecot
) -> None:
    judge.start()
    player, start = seated(judge, "FRANCE")
    mail = player.answering(start, "A Par-Bur\n")
    judge.send(mail)
    player.wait_for("receipt")
    box.deliver(mail.as_bytes(), str(mail["To"]))
    again = player.wait_for("receipt")
    judge.come_to_rest()

    assert "The judge already received" in text_of(again)
    assert judge.ask(SUBMITTED) == [(1,)]


@pytest.mark.parametrize("step", STEPS)
def test_r20_an_email_has_one_effect_wherever_the_judge_dies(
    judge: Daemon, box: Dovecot, step: str
) -> None:
    player, _ = seated(judge, "FRANCE")
    order(judge, box)
    judge.start("tests.faults.dying", *step.split())
    judge.reap()

    judge.start()
    receipt = player.wait_for("receipt")
    judge.come_to_rest()

    assert "A Par-Bur" in text_of(receipt)
    assert judge.ask(SUBMITTED) == [(1,)]
    assert player.unread("receipt") == []


def test_r21_restarted_uids_cause_no_effect_twice(judge: Daemon, box: Dovecot) -> None:
    player, _ = seated(judge, "FRANCE")
    order(judge, box)
    judge.start()
    player.wait_for("receipt")
    judge.come_to_rest()
    judge.stop()
    [before] = judge.ask("SELECT uid_validity FROM mailboxes")
    time.sleep(1.1)  # UIDVALIDITY is a time in seconds
    box.renew_uids()
    order(judge, box, "GERMANY", "A Mun-Bur\n")

    judge.start()
    seated(judge, "GERMANY")[0].wait_for("receipt")
    judge.come_to_rest()

    assert judge.ask("SELECT uid_validity FROM mailboxes") != [before]
    assert judge.ask(SUBMITTED) == [(2,)]
    assert player.unread("receipt") == []


def test_r22_an_email_marked_as_seen_counts_and_a_deleted_one_is_skipped(
    judge: Daemon, box: Dovecot
) -> None:
    player, _ = seated(judge, "FRANCE")
    box.deliver(b"From: a@players.example\r\n\r\nto be deleted\r\n")
    order(judge, box)
    with box.session() as other:
        other.add_flags([2], [rb"\Seen"])
        other.delete_messages([1])
        other.expunge()

    judge.start()
    assert "A Par-Bur" in text_of(player.wait_for("receipt"))
    assert kept(judge) == 1


def test_r24_ten_thousand_emails_are_read_in_their_order_with_steady_memory(
    begun: Path, tmp_path: Path, box: Dovecot, request: pytest.FixtureRequest
) -> None:
    count = 1_500 if "slow" in request.config.option.markexpr else 10_000  # in `.ci/long`
    box.deliver(b"Subject: first\r\n\r\n.\r\n")
    for number in range(count - 1):
        raw = b"From: x@players.example\nAuto-Submitted: auto-replied\nSubject: %d\n\n" % number
        box.put(raw + b"A Par - Bur\n" * 200, f"{1_700_000_000 + number}.M{number}.test")
    with copied(begun, tmp_path, **reading(box.port, tmp_path)) as judge:
        judge.start()
        wait_for_mails(judge, count // 3)
        wait_until(lambda: judge.ask(IGNORED) != [(0,)], "no mail was read")
        early = memory(judge)
        wait_for_mails(judge, count)
        assert memory(judge) < 1.3 * early

        got = judge.ask("SELECT raw FROM inbox WHERE way_in = 'imap' ORDER BY id")
        subjects = [
            int(raw.split(b"Subject: ")[1].split()[0])
            for (raw,) in got[1:]
            if isinstance(raw, bytes)
        ]
        with box.session() as other:
            uids = other.search()
            headers = other.fetch(uids, ["BODY.PEEK[HEADER.FIELDS (SUBJECT)]"])
        wanted = [
            int(headers[uid][b"BODY[HEADER.FIELDS (SUBJECT)]"].split()[1]) for uid in uids[1:]
        ]
        assert subjects == wanted


def failures(judge: Daemon) -> list[float]:
    """Return when the judge noted that it could not read its mailbox."""
    lines = [json.loads(line) for line in judge.log().splitlines() if "imap.failed" in line]
    return [datetime.fromisoformat(line["timestamp"]).timestamp() for line in lines]


def memory(judge: Daemon) -> int:
    """Return how many pages the daemon has in memory."""
    assert judge.process
    return int(Path(f"/proc/{judge.process.pid}/statm").read_text().split()[1])


Answering = Callable[[socket.socket], None]


@contextmanager
def pretending(answering: Answering) -> Iterator[tuple[int, list[float]]]:
    """Run a server that calls *answering* for each connection; yield its port, and when."""
    came: list[float] = []
    stopping = Event()

    def serve(listener: socket.socket) -> None:
        while not stopping.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            came.append(time.time())
            with closing(connection):
                try:
                    answering(connection)
                except OSError:
                    continue

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        thread = Thread(target=serve, args=(listener,))
        thread.start()
        try:
            yield listener.getsockname()[1], came
        finally:
            stopping.set()
            thread.join()


def scripted(*answers: bytes) -> Answering:
    """Greet; answer each command with the next of *answers*, `TAG` in it being the command's."""

    def answer(connection: socket.socket) -> None:
        connection.sendall(b"* OK IMAP4rev1 here\r\n")
        with connection.makefile("rb") as commands:
            for each in answers:
                tag = commands.readline().partition(b" ")[0]
                connection.sendall(each.replace(b"TAG", tag))

    return answer


def huge(connection: socket.socket) -> None:
    """Announce a literal of three gigabytes, and send it."""
    connection.sendall(b"* OK [CAPABILITY IMAP4rev1] here\r\n")
    with connection.makefile("rb") as commands:
        commands.readline()
        connection.sendall(b"* 1 FETCH (BODY[] {3000000000}\r\n")
        for _ in range(3_000):
            connection.sendall(b"x" * 1_000_000)


def silent(_connection: socket.socket) -> None:
    """Send nothing."""
    time.sleep(3)


FAULTS = {
    "it says BYE": scripted(b"* BYE not today\r\n"),
    "the password is wrong": scripted(
        b"* CAPABILITY IMAP4rev1\r\nTAG OK\r\n", b"TAG NO [AUTHENTICATIONFAILED] no\r\n"
    ),
    "it hangs up": lambda connection: connection.sendall(b""),
    "it sends three gigabytes": huge,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_r23_a_misbehaving_server_is_retried_at_intervals(
    begun: Path, tmp_path: Path, fault: str
) -> None:
    with (
        pretending(FAULTS[fault]) as (port, came),
        copied(begun, tmp_path, **reading(port, tmp_path)) as judge,
    ):
        judge.start()
        wait_until(
            lambda: len(came) >= 3, lambda: f"it was not tried again: {judge.log()[-1000:]}"
        )
        failed = failures(judge)
        assert came[1] - failed[0] >= 1
        assert came[2] - failed[1] >= 2, "each pause is longer than the one before"
        assert memory(judge) * os.sysconf("SC_PAGE_SIZE") < 200_000_000
        [(reason, since)] = judge.ask("SELECT reason, failing_utc FROM mailboxes")
        assert reason
        assert since
        seated(judge, "FRANCE")[0].write("HELP\n")
        seated(judge, "FRANCE")[0].wait_for("help")
        assert judge.stop() == 0


def test_r23_a_silent_server_delays_no_other_mail(begun: Path, tmp_path: Path) -> None:
    with (
        pretending(silent) as (port, came),
        copied(begun, tmp_path, **reading(port, tmp_path)) as judge,
    ):
        judge.start()
        wait_until(lambda: bool(came), "it was never tried")
        player, _ = seated(judge, "FRANCE")
        player.write("HELP\n")
        player.wait_for("help")


def test_r23_a_connection_cut_while_idle_is_opened_again(
    begun: Path, tmp_path: Path, box: Dovecot
) -> None:
    with (
        forwarding(box.port) as (port, cut),
        copied(begun, tmp_path, **reading(port, tmp_path)) as judge,
    ):
        judge.start()
        box.deliver(b"Auto-Submitted: auto-replied\r\n\r\none\r\n")
        wait_for_mails(judge, 1)
        cut()
        box.deliver(b"Auto-Submitted: auto-replied\r\n\r\ntwo\r\n")
        wait_for_mails(judge, 2)
        assert judge.log().count("imap.failed") <= 3
        assert judge.stop() == 0


@contextmanager
def forwarding(to: int) -> Iterator[tuple[int, Callable[[], None]]]:
    """Run a proxy to port *to*; yield its port, and what cuts every connection."""
    pairs: list[tuple[socket.socket, socket.socket]] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while some := source.recv(65_536):
                sink.sendall(some)
        except OSError:
            return

    def accept(connection: socket.socket) -> None:
        server = socket.create_connection(("127.0.0.1", to))
        pair = (connection, server)
        pairs.append(pair)
        back = Thread(target=pump, args=(server, connection))
        back.start()
        pump(connection, server)
        shut(pair)
        back.join()
        server.close()

    def shut(pair: tuple[socket.socket, socket.socket]) -> None:
        for each in pair:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def cut() -> None:
        for pair in pairs:
            shut(pair)

    with pretending(accept) as (port, _):
        try:
            yield port, cut
        finally:
            cut()


def test_a_strangers_email_in_a_mailbox_gets_only_the_help(judge: Daemon, box: Dovecot) -> None:
    judge.start()
    box.deliver(new_email("stranger@players.example", "HELP\n").as_bytes())
    wait_for_mails(judge, 1)
    judge.come_to_rest()
    assert [mail["X-Judge-Kind"] for mail in judge.mails("stranger@players.example")] == ["help"]
