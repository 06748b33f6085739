"""DKIM signatures on the judge's emails, verified as receivers do."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from email import message_from_bytes
from email.message import Message as Mail
from pathlib import Path

import pytest

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.dkim_verifying import DkimVerifier
from judge.adapters.outputs import carrier_of
from judge.app.outbound.delivery import Taken, Unreachable
from judge.app.ports.outbox import OutgoingMail
from judge.errors import ConfigurationError
from judge.mail.compose import Message, compose
from judge.mail.headers import Headers
from judge.mail.sender_evidence import Signature, collect_evidence
from judge.settings import Settings
from tests.support.daemon import PATIENCE_SECONDS, wait_until
from tests.support.mail_server import listening
from tests.support.opendkim import opendkim
from tests.support.postfix import postfix

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)
SEEN = (
    *("From", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "In-Reply-To"),
    *("References", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"),
)
JUDGE, ANNA = "judge@judge.example", "anna@players.example"


def results(**fields: str) -> OutgoingMail:
    """Return an email with every header and part that the judge uses."""
    message = Message(
        message_id="<one@judge.example>",
        sender=JUDGE,
        sender_name="Zürich judge",
        recipient=ANNA,
        reply_to="judge+token@judge.example",
        subject="JUDG:baltic - F1901M Results",
        text="A Par-Bur  bounces.  \n\n\n.\nFrom here on: ü\n\n\n",
        html="<p>A Par-Bur</p>",
        date=NOW,
        automatic="auto-generated",
        in_reply_to="<none@judge.example>",
        headers=(("List-Id", "<baltic.judge.example>"), ("List-Unsubscribe", f"<mailto:{JUDGE}>")),
    )
    message = replace(message, **fields)  # type: ignore[arg-type]  # all are strings
    raw = compose(message)
    return OutgoingMail(message.message_id, JUDGE, ANNA, raw, NOW, "results")


def settings(tmp_path: Path, keys: DkimKeys) -> Settings:
    return Settings(maildir=tmp_path / "out", dkim_keys=keys.folder, address=JUDGE)


def delivered(tmp_path: Path, keys: DkimKeys, mail: OutgoingMail) -> bytes:
    """Return the message that the judge writes for *mail*, without the envelope lines."""
    assert asyncio.run(carrier_of(settings(tmp_path, keys)).deliver(mail)) == Taken()
    (file,) = (tmp_path / "out" / "new").iterdir()
    return file.read_bytes().split(b"\r\n", 2)[2]


def is_valid(raw: bytes, keys: DkimKeys, *selectors: str) -> bool:
    """Verify the signature as the judge does for players' emails."""
    names = {f"{each}._domainkey.judge.example.": keys.record(each) for each in selectors}

    def look_up(name: bytes, **_: int) -> bytes | None:
        record = names.get(name.decode())
        return record.encode() if record else None

    return DkimVerifier(look_up).is_valid(raw, 0)


def evidence(raw: bytes) -> tuple[Signature, ...]:
    mail = message_from_bytes(raw)
    fields = tuple((name.lower(), str(value)) for name, value in mail.items())
    return collect_evidence(Headers(fields), JUDGE).signatures


def test_our_own_verifier_accepts_an_email_of_the_judge(tmp_path: Path, keys: DkimKeys) -> None:
    raw = delivered(tmp_path, keys, results())

    assert is_valid(raw, keys, *keys.selectors())
    (found,) = evidence(raw)
    assert found.domain == "judge.example"


def test_an_email_is_the_same_below_its_signature(tmp_path: Path, keys: DkimKeys) -> None:
    raw = delivered(tmp_path, keys, results())

    assert raw.startswith(b"DKIM-Signature: ")
    assert raw.endswith(b"\r\n" + results().raw)
    assert max(map(len, raw[: -len(results().raw)].splitlines())) <= 78


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"A Par-Bur", b"A Par-Pic"),
        (b"F1901M", b"S1902M"),
        (b"To: anna", b"To: otto"),
        (b"Reply-To: judge+token", b"Reply-To: judge+other"),
        (b"text/html", b"text/plain"),
    ],
)
def test_a_changed_email_fails(
    tmp_path: Path, keys: DkimKeys, before: bytes, after: bytes
) -> None:
    raw = delivered(tmp_path, keys, results())
    assert before in raw

    assert not is_valid(raw.replace(before, after, 1), keys, *keys.selectors())


def test_no_server_on_the_way_can_add_a_visible_header(tmp_path: Path, keys: DkimKeys) -> None:
    raw = delivered(tmp_path, keys, results())

    for name in SEEN:
        assert not is_valid(f"{name}: x\r\n".encode() + raw, keys, *keys.selectors()), name


def test_a_server_on_the_way_can_add_a_header_of_its_own(tmp_path: Path, keys: DkimKeys) -> None:
    raw = delivered(tmp_path, keys, results())

    assert is_valid(b"Received: by mx\r\nList-Help: x\r\n" + raw, keys, *keys.selectors())


def test_a_rotated_key_signs_at_once_and_the_old_record_stays_good_for_what_it_signed(
    tmp_path: Path, keys: DkimKeys
) -> None:
    carrier, (old,) = carrier_of(settings(tmp_path, keys)), keys.selectors()
    asyncio.run(carrier.deliver(results()))
    new = keys.create(date(2026, 11, 23))
    assert keys.selector_in_use() == old
    keys.use(new)
    asyncio.run(carrier.deliver(results(message_id="<two@judge.example>")))

    first, second = sorted(
        (file.read_bytes().split(b"\r\n", 2)[2] for file in (tmp_path / "out/new").iterdir()),
        key=lambda raw: b"<two@" in raw,
    )
    assert is_valid(first, keys, old)
    assert is_valid(second, keys, new)
    assert not is_valid(second, keys, old)


def test_a_key_is_readable_by_the_judge_only(keys: DkimKeys) -> None:
    (file,) = keys.folder.glob("*.pem")

    assert file.stat().st_mode & 0o777 == 0o600
    assert keys.folder.stat().st_mode & 0o777 == 0o700


def test_a_key_that_a_loss_of_power_left_alone_is_used_when_setup_begins_again(
    keys: DkimKeys,
) -> None:
    today = date(2026, 11, 28)
    keys.begin(today)
    [selector] = keys.selectors()
    (keys.folder / "selector").unlink(missing_ok=True)

    keys.begin(today)

    assert keys.selectors() == [selector]
    assert keys.selector_in_use() == selector


def test_a_judge_without_its_key_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="judge dkim new"):
        carrier_of(settings(tmp_path, DkimKeys(tmp_path / "none")))


@pytest.mark.parametrize("content", [None, b"no key"])
def test_an_email_waits_unsigned_while_the_key_cannot_be_read(
    tmp_path: Path, keys: DkimKeys, content: bytes | None
) -> None:
    carrier, new = carrier_of(settings(tmp_path, keys)), keys.create(date(2026, 11, 24))
    file = keys.folder / f"{new}.pem"
    file.unlink()
    if content:
        file.write_bytes(content)
    keys.use(new)

    found = asyncio.run(carrier.deliver(results()))

    assert isinstance(found, Unreachable)
    assert "dkim_keys" in found.reason
    assert not [*(tmp_path / "out" / "new").iterdir()]


@contextmanager
def verifying_mail_server(keys: DkimKeys) -> Iterator[tuple[int, list[Mail]]]:
    """Run Postfix with OpenDKIM; yield its port and the emails that pass it."""
    records = {f"{each}._domainkey.judge.example": keys.record(each) for each in keys.selectors()}
    known = {name: record.encode() for name, record in records.items()}
    with opendkim(known) as milter, listening() as behind:
        transport = f"smtp:[127.0.0.1]:{behind.port}"
        with postfix(transport, {"smtpd_milters": f"inet:127.0.0.1:{milter.port}"}) as mx:
            yield mx.port, behind.mails


@pytest.mark.gate  # Postfix and OpenDKIM take seconds
def test_opendkim_accepts_an_email_of_the_judge(tmp_path: Path, keys: DkimKeys) -> None:
    raw = delivered(tmp_path, keys, results())
    forged = raw.replace(b"A Par-Bur", b"A Par-Pic")

    with verifying_mail_server(keys) as (port, arrived):
        for each in (raw, forged):
            outside = ("127.0.0.2", 0)  # OpenDKIM would sign mail from 127.0.0.1
            with smtplib.SMTP(
                "127.0.0.1", port, "x", PATIENCE_SECONDS, source_address=outside
            ) as client:
                client.sendmail(JUDGE, ["somebody@judge.example"], each)
        wait_until(lambda: len(arrived) == 2, "nothing came through Postfix")

    verdicts = {
        "forged" if "Par-Pic" in mail.as_string() else "ours": str(mail["Authentication-Results"])
        for mail in arrived
    }
    assert "dkim=pass" in verdicts["ours"]
    assert "dkim=fail" in verdicts["forged"]
