"""LMTP from a real Postfix and from a strict client: R3, R8 and R15 to R17."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.daemon import ADDRESS, Daemon, copied, new_email, seated, text_of, wait_until
from tests.support.lmtp import talking
from tests.support.postfix import HOST, Postfix, postfix
from tests.support.servers import free_door, need, open_folder

CONFIGURE = (Path(__file__).parents[2] / "deploy/postfix/configure").read_text(encoding="utf-8")
LETTER = b"From: anne@players.example\r\nSubject: orders\r\n\r\nHELP\r\n."
SUBMITTED = "SELECT count(*) FROM events WHERE type = 'orders_submitted'"
LISTENING = "0A"  # in the tables of the kernel
KEPT = "SELECT count(*) FROM inbox WHERE way_in = 'lmtp'"


@pytest.fixture(scope="module")
def lmtp() -> str:
    """The door of every judge here, one after another."""
    return free_door()


@pytest.fixture
def judge(begun: Path, tmp_path: Path, lmtp: str) -> Iterator[Daemon]:
    """A judge that takes mail by LMTP; the test starts it."""
    with copied(begun, tmp_path, JUDGE_LMTP=lmtp, JUDGE_HANDOVER_SECONDS="0") as daemon:
        yield daemon


@pytest.fixture(scope="module")
def running_mx(lmtp: str) -> Iterator[Postfix]:
    """A Postfix that runs for as long as these tests do."""
    with postfix(f"lmtp:inet:{lmtp}") as mx:
        yield mx


@pytest.fixture
def mx(running_mx: Postfix) -> Postfix:
    """The Postfix before the judge, without mail and with an empty log."""
    assert not running_mx.queued()
    running_mx.forget()
    return running_mx


def port_of(judge: Daemon) -> int:
    return int(judge.environment["JUDGE_LMTP"].rpartition(":")[2])


def listening_ports(process: int) -> set[int]:
    """Return the TCP ports of IPv4 on which *process* listens."""
    open_files = set()
    for each in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # it was closed meanwhile
            open_files.add(str(each.readlink()))
    sockets = [line.split() for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()]
    return {
        int(local.rpartition(":")[2], 16)
        for _, local, _, state, *rest in sockets
        if state == LISTENING and f"socket:[{rest[5]}]" in open_files
    }


def test_r8_each_recipient_gets_its_own_reply_in_order(judge: Daemon) -> None:
    judge.start()
    with talking(port_of(judge)) as talk:
        told = talk.offer([ADDRESS, "nobody@judge.example", "judge+abc@judge.example"])
        assert [each[:3] for each in told] == ["250", "550", "250"]
        assert talk.say(b"DATA").startswith("354")
        assert talk.say(LETTER).startswith("250")
        assert talk.hear().startswith("250")
        assert talk.say(b"NOOP").startswith("250"), "no answer is left over"
        assert talk.say(b"QUIT").startswith("221")

    recipients = judge.ask("SELECT recipient FROM inbox WHERE way_in = 'lmtp' ORDER BY id")
    assert recipients == [(ADDRESS,), ("judge+abc@judge.example",)]


def test_r8_fifty_recipients_get_fifty_replies(judge: Daemon) -> None:
    judge.start()
    with talking(port_of(judge)) as talk:
        talk.offer([f"judge+{number}@judge.example" for number in range(50)])
        talk.say(b"DATA")
        answers = [talk.say(LETTER), *(talk.hear() for _ in range(49))]
        assert {each[:3] for each in answers} == {"250"}
        assert talk.say(b"QUIT").startswith("221")

    assert judge.ask(KEPT) == [(50,)]


def test_r8_a_refused_email_gets_one_reply_per_recipient(begun: Path, tmp_path: Path) -> None:
    lmtp = {"JUDGE_LMTP": free_door(), "JUDGE_MESSAGE_BYTES_MAX": "10000"}
    with copied(begun, tmp_path, **lmtp) as judge:
        judge.start()
        with talking(port_of(judge)) as talk:
            talk.offer([ADDRESS, "judge+abc@judge.example"])
            talk.say(b"DATA")
            assert talk.say(b"x" * 60_000 + b"\r\n.").startswith("552")
            assert talk.hear().startswith("552")
            assert talk.say(b"QUIT").startswith("221")


def test_an_email_to_two_addresses_comes_through_postfix_once_each(
    judge: Daemon, mx: Postfix
) -> None:
    judge.start()
    with mx.smtp() as client:
        mail = new_email("anne@players.example", "HELP\n").as_bytes()
        client.sendmail("anne@players.example", [ADDRESS, "judge+abc@judge.example"], mail)
    mx.come_to_rest()

    assert judge.ask(KEPT) == [(2,)]
    assert "timed out" not in mx.log()
    assert "sent multiple times" not in mx.log()


@pytest.mark.parametrize("deaths", [1, 2])
def test_r3_an_email_repeated_after_a_lost_250_has_one_effect(
    judge: Daemon, mx: Postfix, deaths: int
) -> None:
    player, start = seated(judge, "FRANCE")
    keep = ("judge.adapters.inputs.group_commit", "GroupCommit", "_store", "after", "1")
    judge.start("tests.faults.dying", *keep)
    with mx.smtp() as client:
        client.send_message(player.answering(start, "A Par-Bur\n"))
    for _ in range(deaths - 1):
        judge.reap()
        judge.start("tests.faults.dying", *keep)
        mx.flush()
    judge.reap()

    judge.start()
    mx.flush()
    mx.come_to_rest()
    judge.come_to_rest()  # An email that was begun twice is tried again half a minute later.
    receipt = player.wait_for("receipt")

    assert "A Par-Bur" in text_of(receipt)
    assert judge.ask(KEPT) == judge.ask(SUBMITTED) == [(1,)]
    assert player.unread("receipt") == []


def test_r15_emails_from_an_outage_are_processed_once(judge: Daemon, mx: Postfix) -> None:
    player, start = seated(judge, "FRANCE")
    with mx.smtp() as client:
        for number in range(100):
            client.send_message(player.answering(start, f"A Par-Bur\n\nNumber {number}.\n"))
    wait_until(lambda: len(mx.queued()) == 100, "Postfix has not kept all")

    judge.start()
    mx.come_to_rest()
    judge.come_to_rest()

    assert judge.ask(KEPT) == judge.ask(SUBMITTED) == [(100,)]
    assert len(player.unread("receipt")) == 100


def test_the_arrival_time_is_that_of_the_operators_mail_server(
    begun: Path, tmp_path: Path, lmtp: str, mx: Postfix
) -> None:
    with copied(begun, tmp_path, JUDGE_LMTP=lmtp, JUDGE_RECEIVED_BY=HOST) as judge:
        with mx.smtp() as client:
            mail = new_email("anne@players.example", "HELP\n")
            mail["Received"] = f"from x by {HOST}; Sat, 1 Jan 2000 00:00:00 +0000"
            earlier = datetime.now(UTC).replace(microsecond=0)  # as in a Received line
            client.send_message(mail)
            sent = datetime.now(UTC)
        wait_until(lambda: "deferred" in mx.log(), "Postfix has not tried")
        wait_until(lambda: datetime.now(UTC) - sent > timedelta(seconds=1), "no time passes")
        judge.start()
        mx.come_to_rest()

        [(received,)] = judge.ask("SELECT received_utc FROM inbox WHERE way_in = 'lmtp'")
        assert earlier <= datetime.fromisoformat(f"{received}+00:00") <= sent


def test_r16_the_same_email_by_smtp_and_by_lmtp_has_one_effect(judge: Daemon, mx: Postfix) -> None:
    judge.start()
    player, start = seated(judge, "FRANCE")
    mail = player.answering(start, "A Par-Bur\n")
    judge.send(mail)
    player.wait_for("receipt")
    with mx.smtp() as client:
        client.send_message(mail)
    mx.come_to_rest()
    again = player.wait_for("receipt")
    judge.come_to_rest()

    assert judge.ask(SUBMITTED) == [(1,)]
    assert judge.ask(KEPT) == [(1,)], "it differs in its Received, and was kept"
    assert "The judge already received" in text_of(again)


@pytest.mark.parametrize("first", ["the rival", "the player"])
def test_r17_an_email_counts_though_a_rival_has_used_its_message_id(
    judge: Daemon, mx: Postfix, first: str
) -> None:
    judge.start()
    player, start = seated(judge, "FRANCE")
    rival, its_start = seated(judge, "GERMANY")
    mail = player.answering(start, "A Par-Bur\n")
    stolen = rival.answering(its_start, "A Par-Bur\n")
    stolen.replace_header("Message-ID", mail["Message-ID"])
    for each in (stolen, mail) if first == "the rival" else (mail, stolen):
        with mx.smtp() as client:
            client.send_message(each)
        mx.come_to_rest()
        judge.come_to_rest()

    assert "A Par-Bur" in text_of(player.wait_for("receipt"))


def test_an_empty_smtp_setting_closes_that_door_only(
    begun: Path, tmp_path: Path, lmtp: str
) -> None:
    with copied(begun, tmp_path, JUDGE_LMTP=lmtp, JUDGE_SMTP="") as judge:
        judge.start()
        assert judge.port == port_of(judge), "it says where mail is taken"
        with talking(port_of(judge)) as talk:
            talk.offer([ADDRESS])
            talk.say(b"DATA")
            assert talk.say(LETTER).startswith("250")
        assert judge.process
        assert listening_ports(judge.process.pid) == {port_of(judge)}


@pytest.fixture
def socket_folder() -> Iterator[Path]:
    """The folder that `deploy/postfix/configure` makes, as it makes it."""
    need("Postfix", "postfix", root=True)
    made = next(line for line in CONFIGURE.splitlines() if "install -d" in line)
    with open_folder() as folder:
        inside = folder / "postfix"
        command = made.replace('"$user"', "root").replace('"$folder"', str(inside))
        subprocess.run(command.split(), check=True)
        yield inside


def test_postfix_delivers_through_a_socket_that_no_other_user_can_reach(
    begun: Path, tmp_path: Path, socket_folder: Path
) -> None:
    door = socket_folder / "lmtp"
    with (
        copied(begun, tmp_path, JUDGE_LMTP=str(door), JUDGE_SMTP="") as judge,
        postfix(f"lmtp:unix:{door}") as mx,
    ):
        judge.start()
        with mx.smtp() as client:
            client.send_message(new_email("anne@players.example", "HELP\n"))
        mx.come_to_rest()
        assert judge.ask(KEPT) == [(1,)]
        assert judge.port == 0, "no port is open"

        connect = f"import socket; socket.socket(socket.AF_UNIX).connect({str(door)!r})"
        tried = subprocess.run(
            ["/usr/bin/python3", "-c", connect],
            capture_output=True,
            check=False,
            text=True,
            user="nobody",
            group="nogroup",
            extra_groups=[],
        )
        assert "PermissionError" in tried.stderr
        assert judge.stop() == 0


def test_a_judge_without_a_way_in_for_mail_does_not_start(begun: Path, tmp_path: Path) -> None:
    with copied(begun, tmp_path, JUDGE_SMTP="") as judge:
        assert "no input is configured" in judge.judge("serve", code=78)
