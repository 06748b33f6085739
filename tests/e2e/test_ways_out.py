"""Outgoing email as the receiving mail server sees it: R31, R33, R34, R35."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from pathlib import Path

import pytest

from judge.adapters.smarthost import MAILS_A_CONNECTION, Smarthost
from judge.app.outbound.delivery import AT_ONCE, JITTER, RETRY_FIRST
from judge.app.ports.outbox import OutgoingMail
from judge.mail.compose import Message as Written
from judge.mail.compose import compose
from tests.support.carriers import deliver_due
from tests.support.scripted_mail_server import ScriptedMailServer, listening, scripted
from tests.support.table import JUDGE, MODERATOR, MONDAY, POWERS, Table, address_of

FIELDS = {
    "Content-Type", "MIME-Version", "Content-Transfer-Encoding", "From", "To", "Reply-To",
    "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Auto-Submitted",
    "X-Auto-Response-Suppress", "X-Judge-Loop", "X-Judge-Kind", "List-Id", "List-Unsubscribe",
    "Content-Language",
}  # fmt: skip
NOBODY_LISTENS = 9  # the port "discard", on which no mail server is


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A judge with the game `baltic` in Spring 1901, all of whose emails have been sent."""
    table = Table(tmp_path)
    table.start("baltic", moderator=MODERATOR)
    deliver(table)
    yield table
    table.close()


def deliver(
    table: Table, answer: Callable[[bytes], bytes | None] = lambda _: None
) -> ScriptedMailServer:
    """Send all that is due to a mail server that answers so."""

    async def run() -> ScriptedMailServer:
        async with listening(answer) as wire:
            await deliver_due(table.judge, Smarthost("127.0.0.1", wire.port))
        return wire

    return asyncio.run(run())


def heard(raw: bytes) -> ScriptedMailServer:
    """Send the email *raw* alone."""
    mail = OutgoingMail("<1@judge.example>", JUDGE, address_of("FRANCE"), raw, MONDAY, "letter")

    async def run() -> ScriptedMailServer:
        async with listening() as wire:
            smarthost = Smarthost("127.0.0.1", wire.port)
            await smarthost.deliver(mail)
            await smarthost.rest()
        return wire

    return asyncio.run(run())


def states(table: Table) -> Counter[tuple[str, str]]:
    """Count the emails to each reader by their state."""
    return Counter(table.query("SELECT recipient, state FROM outbox"))


def waiting(table: Table) -> int:
    return sum(count for (_, state), count in states(table).items() if state == "queued")


# R31: refusals, for now and for good, and nobody at the other end


def test_r31_a_refusal_for_one_recipient_delays_no_other(table: Table) -> None:
    table.play()
    before = states(table)
    wire = deliver(
        table,
        scripted(
            {
                b"RCPT TO:<france": [b"450 4.2.0 greylisted"] * 99,
                b"RCPT TO:<italy": [b"550 5.1.1 nobody of that name"] * 99,
                b"END russia": [b"451 4.3.0 not now"] * 99,
                b"END turkey": [b"554 5.6.0 not with that text"] * 99,
            }
        ),
    )

    refused = {address_of(power) for power in ("FRANCE", "ITALY", "RUSSIA", "TURKEY")}
    assert set(wire.recipients) == {MODERATOR, *map(address_of, POWERS)} - refused
    after = states(table) - before
    assert {state for (reader, state) in after if reader == address_of("FRANCE")} == set()
    assert {state for (reader, state) in after if reader == address_of("RUSSIA")} == set()
    assert {state for (reader, state) in after if reader == address_of("ITALY")} == {"given_up"}
    assert {state for (reader, state) in after if reader == address_of("TURKEY")} == {"given_up"}
    assert {"Italy", "Turkey"} == {
        power
        for mail in table.emails_to(MODERATOR, "undelivered")
        for power in ("Italy", "Turkey")
        if power in mail.text
    }


@pytest.mark.parametrize(
    "answers",
    [
        {b"DATA": [b"421 4.3.2 going down"]},
        {b"END": [b"421 4.3.2 going down"]},
        {b"MAIL": [b"550 5.7.1 not from you"]},
        {b"EHLO": [b"554 5.7.1 not you"], b"HELO": [b"554 5.7.1 not you"]},
    ],
    ids=["421 to DATA", "421 to the text", "the sender refused", "the client refused"],
)
def test_r31_a_refusal_of_the_judge_is_retried(
    table: Table, answers: dict[bytes, list[bytes]]
) -> None:
    table.send("FRANCE", "A Par-Bur")

    first = deliver(table, scripted(answers))
    assert (first.mails, waiting(table)) == ([], 1)
    table.clock.time += RETRY_FIRST * (1 + JITTER)
    second = deliver(table)

    assert (len(second.mails), waiting(table)) == (1, 0)


def test_r31_an_hour_without_the_smarthost_delays_and_loses_nothing(table: Table) -> None:
    table.play()
    due = waiting(table)

    async def nobody() -> int:
        return await deliver_due(table.judge, Smarthost("127.0.0.1", NOBODY_LISTENS))

    tried = [asyncio.run(nobody()) for _ in range(3)]
    assert max(tried) <= AT_ONCE
    [(reason, _)] = set(table.query("SELECT reason, state FROM outbox WHERE reason <> ''"))
    assert reason.startswith(f"127.0.0.1:{NOBODY_LISTENS}: Error connecting to ")
    table.clock.time += timedelta(hours=1)
    wire = deliver(table)

    assert len(wire.mails) == len({message_from_bytes(raw)["Message-ID"] for raw in wire.mails})
    assert (len(wire.mails), waiting(table)) == (due, 0)


def test_connections_are_reused_and_closed_after_some_emails(table: Table) -> None:
    for _ in range(3):
        table.all_send("STATUS")
    few = deliver(table)
    assert (len(few.mails), few.connections) == (21, min(AT_ONCE, few.connections))

    async def one_after_another() -> ScriptedMailServer:
        mail = OutgoingMail(
            "<1@j.example>", JUDGE, address_of("FRANCE"), b"X: y\r\n\r\n", MONDAY, "x"
        )
        async with listening() as wire:
            smarthost = Smarthost("127.0.0.1", wire.port)
            for _ in range(MAILS_A_CONNECTION + 1):
                await smarthost.deliver(mail)
            await smarthost.rest()
        return wire

    assert asyncio.run(one_after_another()).connections == 2


# R33: nothing that a player writes becomes a header

HOSTILE = {
    "a line break": "x\r\nBcc: evil@x.test\r\n\r\nbody",
    "an encoded line break": "=?utf-8?q?x=0D=0ABcc:_evil@x.test?=",
    "an encoded line break in base64": "=?utf-8?b?eA0KQmNjOiBldmlsQHgudGVzdA==?=",
    "NUL": "x\0Bcc: evil@x.test",
    "bidi": "\u202emoc.live@x\u202c\u2066",
    "other line breaks": "x\x0bBcc: a@x.test\x0cBcc: b@x.test\x85Bcc: c@x.test\u2028Bcc: d@x.test",
    "100 kB": "long " * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_r33_a_players_text_adds_no_header(table: Table, text: str) -> None:
    start = table.latest("FRANCE")
    # As an attacker would, past any library that sees to it:
    raw = (
        f"From: {address_of('FRANCE')}\r\nTo: {start.reply_to}\r\n"
        f"Subject: {in_one_line(text)}\r\nMessage-ID: <{in_one_line(text)[:90]}@x.test>\r\n"
        f"In-Reply-To: {start.message_id}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        f"A Par-Bur\r\nPRESS TO G\r\n{text}\r\nENDPRESS\r\nJOIN {in_one_line(text)[:60]}\r\n"
    ).encode()
    table.store_email(raw, address_of("FRANCE"), start.reply_to)
    named = f"From: {hostile_name(text)} <{address_of('ITALY')}>\r\nTo: {JUDGE}\r\n\r\nHELP\r\n"
    table.store_email(named.encode(), address_of("ITALY"))
    table.run_once()
    wire = deliver(table)

    assert {address_of("FRANCE"), address_of("GERMANY")} <= set(wire.recipients)
    for recipient, mail in zip(wire.recipients, wire.mails, strict=True):
        read = message_from_bytes(mail)
        assert set(read.keys()) <= FIELDS
        assert len(read.keys()) == len(set(read.keys()))
        assert [address for _, address in getaddresses([read["To"]])] == [recipient]
        assert not re.search(rb"(?im)^bcc:", mail.partition(b"\r\n\r\n")[0])
        assert all(len(line) <= 998 for line in mail.split(b"\r\n"))
        assert read.defects == []


def in_one_line(text: str) -> str:
    return re.sub(r"[\r\n]+", "\r\n ", text)[:800]


def hostile_name(text: str) -> str:
    return '"' + in_one_line(text).replace('"', "") + '"'


# R34: what is on the wire is valid, whatever the text

SAID = [b"EHLO", b"MAIL", b"RCPT", b"DATA", b"QUIT"]
BODIES = {
    "dots": ".\n..\n.hidden\n",
    "an end of data": "x\r\n.\r\nMAIL FROM:<evil@x.test>\r\n",
    "an end of data by bare CR": "x\r.\rMAIL FROM:<evil@x.test>\r",
    "an end of data by bare LF": "x\n.\nMAIL FROM:<evil@x.test>\n",
    "mixed": "x\r\r\n.\n\r.\r\r\ny",
    "a long line": "x" * 5_000,
    "a long line of others": "ü" * 5_000,
    "From": "From here\nFrom there\n",
}


@pytest.mark.parametrize("text", BODIES.values(), ids=BODIES.keys())
def test_r34_lines_are_sent_whole_with_leading_dots_doubled(text: str) -> None:
    written = Written(
        message_id="<1@judge.example>",
        sender=JUDGE,
        recipient=address_of("FRANCE"),
        subject="a test",
        text=text,
        date=MONDAY,
        automatic="auto-generated",
    )
    wire = heard(compose(written))

    (mail,) = wire.mails
    lines = mail.split(b"\r\n")
    assert all(len(line) <= 998 and b"\r" not in line and b"\n" not in line for line in lines)
    assert all(not line.startswith(b".") or line.startswith(b"..") for line in lines)
    assert [line.split()[0].upper() for line in wire.said] == SAID
    payload = message_from_bytes(mail.replace(b"\r\n..", b"\r\n.")).get_payload(decode=True)
    assert isinstance(payload, bytes)
    assert payload.decode().split() == text.split()


def test_r34_any_body_is_dot_stuffed_and_ended_once() -> None:
    (mail,) = heard(b"Subject: x\r\n\r\n.\n.\r.x\r\n").mails

    assert mail == b"Subject: x\r\n\r\n..\r\n..\r\n..x\r\n"


# R35: what a player writes is no template


@pytest.mark.parametrize(
    "text",
    ["{{7*7}}", "{% raw %}{{ heading }}", "{#x#}", "{{ ''.__class__.__mro__ }}", "<b>&amp;</b>"],
)
def test_r35_press_that_looks_like_a_template_arrives_unchanged(table: Table, text: str) -> None:
    table.reply(table.latest("FRANCE"), f"PRESS TO G\n{text}\nENDPRESS")

    (letter,) = table.emails_to(address_of("GERMANY"), "letter")
    assert text in letter.text
    assert "49" not in letter.text


# How it is addressed, and put into threads


def by_reader(wire: ScriptedMailServer, power: str) -> list[Message]:
    return [
        message_from_bytes(raw)
        for recipient, raw in zip(wire.recipients, wire.mails, strict=True)
        if recipient == address_of(power)
    ]


def test_emails_of_a_game_form_one_thread_with_a_thread_for_each_phase(table: Table) -> None:
    table.play()
    table.send("FRANCE", "A Par-Bur")
    mails = by_reader(deliver(table), "FRANCE")

    threads = {mail["X-Judge-Kind"]: mail["References"].split() for mail in mails}
    results, receipts = threads["phase_results"], threads["receipt"]
    assert {mail["References"].split()[0] for mail in mails} == {results[0]}
    assert receipts[:2] == results  # of the phase that the results opened
    (receipt,) = (mail for mail in mails if mail["References"].split() == receipts)
    assert receipts[2] == receipt["In-Reply-To"]
    phases = {mail["References"].split()[1] for mail in mails}
    assert len(phases) == 2
    readers = {raw["References"] for raw in by_reader(deliver_status(table), "ITALY")}
    assert not readers & {mail["References"] for mail in mails}


def deliver_status(table: Table) -> ScriptedMailServer:
    table.send("ITALY", "STATUS")
    return deliver(table)


def test_an_email_is_marked_as_automatic_and_names_where_to_unsubscribe(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.pass_time(hours=24 * 7 - 4)
    wire = deliver(table)
    mails = by_reader(wire, "FRANCE")

    assert {mail["X-Judge-Kind"]: mail["Auto-Submitted"] for mail in mails} == {
        "receipt": "auto-replied",
        "reminder": "auto-generated",
    }
    for mail in mails:
        assert mail["List-Id"] == "<baltic.judge.example>"
        assert (
            mail["List-Unsubscribe"].strip() == f"<mailto:{mail['Reply-To']}?subject=unsubscribe>"
        )
    senders = [line for line in wire.said if line.startswith(b"MAIL")]
    assert all(re.match(rb"MAIL FROM:<[^<>@]+@judge\.example>", line) for line in senders)


def test_without_a_delimiter_the_unsubscribe_address_has_the_token_in_its_subject(
    table: Table,
) -> None:
    table.judge = replace(table.judge, delimiter="")
    table.send("FRANCE", "STATUS")
    (mail,) = by_reader(deliver(table), "FRANCE")

    tag = re.search(r"\[#(.*)\]", str(mail["Subject"]))
    assert tag
    less = f"<mailto:{JUDGE}?subject=unsubscribe%20[%23{tag[1]}]>"
    assert "".join(mail["List-Unsubscribe"].split()) == less
