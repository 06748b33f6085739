"""A mailbox at a provider: Dovecot over TLS, and a submission server that wants a login."""

from __future__ import annotations

import asyncio
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from judge.adapters import access_tokens
from judge.adapters.access_tokens import AccessTokens
from judge.adapters.inputs.imap import ImapAccount, imap_session
from judge.adapters.smarthost import Login, Smarthost
from tests.support.daemon import ADDRESS, Daemon, copied, new_email, seated, text_of, wait_until
from tests.support.dovecot import PASSWORD, USER, Dovecot, dovecot
from tests.support.mail_server import LOGIN, WORD, MailServer, listening
from tests.support.mailbox_provider import bounce, provider
from tests.support.oauth2 import token_provider

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

FRANCE = "france@players.example"
HANDLED = "SELECT count(*) FROM inbox WHERE way_in = 'imap' AND state <> 'received'"
SUBMITTED = "SELECT count(*) FROM events WHERE type = 'orders_submitted'"


def order(judge: Daemon, box: Dovecot, power: str = "FRANCE", text: str = "A Par-Bur\n") -> None:
    player, start = seated(judge, power)
    box.deliver(player.answering(start, text).as_bytes(), str(start["Reply-To"]))


def receipts(peer: MailServer) -> list[Message]:
    return [mail for mail in peer.mails if mail["X-Judge-Kind"] == "receipt"]


def wait_for_receipts(judge: Daemon, peer: MailServer, count: int) -> None:
    wait_until(lambda: len(receipts(peer)) >= count, lambda: f"no receipt: {judge.log()[-2000:]}")


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_judge_works_in_a_mailbox_at_a_provider(
    begun: Path, tmp_path: Path, security: str
) -> None:
    with provider(tmp_path, security) as there, copied(begun, tmp_path, **there.settings) as judge:
        judge.start()
        order(judge, there.box)
        wait_for_receipts(judge, there.smarthost, 1)
        judge.judge("doctor")
        assert judge.stop() == 0
        log = judge.log()

    (receipt,) = receipts(there.smarthost)
    assert "A Par-Bur" in text_of(receipt)
    for secret in (PASSWORD, WORD):
        assert secret not in log


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_tokens_take_the_place_of_passwords_and_are_renewed_when_they_expire(
    begun: Path, tmp_path: Path, security: str
) -> None:
    (tmp_path / "out").mkdir()
    with (
        token_provider(tmp_path, USER) as mailbox,
        token_provider(tmp_path / "out", LOGIN) as way_out,
        provider(tmp_path, security, (mailbox, way_out)) as there,
    ):
        first = (mailbox.token, way_out.token)
        with copied(begun, tmp_path, **there.settings) as judge:
            judge.start()
            order(judge, there.box)
            wait_for_receipts(judge, there.smarthost, 1)
            assert judge.stop() == 0
            runs = (mailbox.runs, way_out.runs)
            mailbox.expire()
            way_out.expire()
            judge.start()
            order(judge, there.box, "GERMANY", "A Mun-Bur\n")
            wait_for_receipts(judge, there.smarthost, 2)
            assert judge.stop() == 0
            log = judge.log()

    assert runs == (1, 1)
    for token in (*first, mailbox.token, way_out.token):
        assert token not in log
    assert "the token is about to expire" not in log


def test_an_expired_token_is_renewed_at_the_next_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_tokens, "PAUSE_SECONDS", 0.0)
    (tmp_path / "out").mkdir()
    with (
        token_provider(tmp_path, USER) as mailbox,
        token_provider(tmp_path / "out", LOGIN) as way_out,
        dovecot(tokens=mailbox) as box,
        listening({"auth_required": True, "auth_require_tls": False}, tokens=way_out) as peer,
    ):
        reading = AccessTokens(mailbox.command, "imap_token_command")
        account = ImapAccount("127.0.0.1", box.port, "none", USER, "INBOX", tokens=reading)
        sending = Login(LOGIN, tokens=AccessTokens(way_out.command, "smarthost_token_command"))
        for runs in (1, 2):
            with imap_session(account) as opened:
                assert opened.exists == 0
            assert asyncio.run(Smarthost("127.0.0.1", peer.port, login=sending).fault()) is None
            assert (mailbox.runs, way_out.runs) == (runs, runs)
            mailbox.expire()
            way_out.expire()


def test_a_token_command_that_fails_is_a_failure_of_doctor(begun: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with (
        token_provider(tmp_path, USER) as mailbox,
        token_provider(tmp_path / "out", LOGIN) as way_out,
        provider(tmp_path, "tls", (mailbox, way_out)) as there,
    ):
        mailbox.fail(1)
        way_out.fail(1)
        with copied(begun, tmp_path, **there.settings) as judge:
            told = judge.judge("doctor", code=1)

    for place in ("imap", "smarthost"):
        assert f"{place}_token_command: get-token ended with exit code 1" in told


def test_without_plus_addresses_a_reply_is_recognized_by_subject_or_thread(
    begun: Path, tmp_path: Path
) -> None:
    with provider(tmp_path, "tls") as there:
        plain = {**there.settings, "JUDGE_RECIPIENT_DELIMITER": ""}
        with copied(begun, tmp_path, **plain) as judge:
            judge.start()
            there.box.deliver(new_email(FRANCE, "A Par-Bur\n", subject="JUDG:lepanto").as_bytes())
            wait_until(lambda: "confirm" in kinds(there.smarthost), lambda: judge.log()[-2000:])
            order(judge, there.box, text="A Par-Pic\n")  # by the thread
            wait_for_receipts(judge, there.smarthost, 1)
            receipt = receipts(there.smarthost)[0]
            fresh = new_email(FRANCE, "A Par-Gas\n", subject=f"Re: {receipt['Subject']}")
            there.box.deliver(fresh.as_bytes())  # by the subject alone
            wait_for_receipts(judge, there.smarthost, 2)
            assert judge.stop() == 0
            submitted = judge.ask(SUBMITTED)

    assert receipt["Reply-To"] == ADDRESS
    assert "[#" in receipt["Subject"]
    assert "A Par-Gas" in text_of(receipts(there.smarthost)[1])
    assert submitted == [(2,)]


def kinds(peer: MailServer) -> str:
    return " ".join(str(mail["X-Judge-Kind"]) for mail in peer.mails)


def test_a_throttling_provider_gets_every_email_later(begun: Path, tmp_path: Path) -> None:
    refusals = ("421 4.7.0 Too many", "451 4.7.500 Server busy", "550 5.4.5 Daily sending quota")
    orders = {"FRANCE": "A Par-Bur\n", "GERMANY": "A Mun-Bur\n", "ITALY": "A Ven-Tyr\n"}
    with provider(tmp_path, "tls") as there, copied(begun, tmp_path, **there.settings) as judge:
        there.smarthost.refused += refusals * 100
        judge.start()
        for power, text in orders.items():
            order(judge, there.box, power, text)
        waits = "SELECT count(*) FROM outbox WHERE state = 'queued' AND attempts > 0"
        wait_until(lambda: judge.ask(waits) == [(3,)], lambda: judge.log()[-2000:])
        assert judge.stop() == 0
        there.smarthost.refused.clear()
        judge.change("UPDATE outbox SET due_utc = datetime(due_utc, '-1 day') || '.000000'")
        judge.start()
        wait_for_receipts(judge, there.smarthost, 3)
        assert judge.stop() == 0


def test_its_own_emails_bounces_and_vacation_notes_in_the_mailbox_get_no_answer(
    begun: Path, tmp_path: Path
) -> None:
    with provider(tmp_path, "tls") as there, copied(begun, tmp_path, **there.settings) as judge:
        judge.start()
        order(judge, there.box)
        wait_for_receipts(judge, there.smarthost, 1)
        (receipt,) = receipts(there.smarthost)
        there.box.deliver(receipt.as_bytes())  # a copy of what was sent
        there.box.deliver(vacation_note(receipt).as_bytes())
        there.box.deliver(bounce(receipt), there.smarthost.senders[str(receipt["Message-ID"])])
        wait_until(lambda: judge.ask(HANDLED) == [(4,)], lambda: judge.log()[-2000:])
        judge.come_to_rest()
        assert judge.stop() == 0
        bounced = judge.ask("SELECT bounced_utc IS NOT NULL FROM outbox WHERE kind='receipt'")

    assert len(there.smarthost.mails) == 1
    assert (1,) in bounced


def vacation_note(receipt: Message) -> EmailMessage:
    note = new_email(
        FRANCE, "I am away until Monday.\n", str(receipt["Reply-To"]), "Out of office"
    )
    note["Auto-Submitted"] = "auto-replied"
    note["In-Reply-To"] = receipt["Message-ID"]
    return note
