"""A mailbox whose server does not hand over one email: the others are read, and it is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from email.policy import SMTP
from imaplib import IMAP4
from typing import cast

import pytest

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.imap import ImapAccount, ImapPoller, imap_session
from judge.app.admin.health import examine
from judge.app.ports.inbox import Envelope, MailReception, WithheldEmail
from tests.support.daemon import wait_until
from tests.support.final_count import CountedTable, everything_counts_once
from tests.support.order_emails import UNITS
from tests.support.scripted_imap import DATE, ScriptedImap, serving, whole
from tests.support.table import JUDGE, Table, address_of

OLD, NEW = "secret", "new"
HEAD = f"From: a@b.example\r\nTo: {JUDGE}\r\n\r\n".encode()
MAILS = {uid: HEAD + b"%d" % uid for uid in range(1, 6)}
FAULTS = {
    "a NO": None,
    "no text": lambda uid, _: b"(UID %d %s BODY[]<0> NIL)" % (uid, DATE),
    "an empty text": lambda uid, _: b"(UID %d %s BODY[]<0> {0}\r\n)" % (uid, DATE),
    "nothing": lambda _uid, _raw: b"",
    "a broken line": lambda uid, _: b"(UID %d BODY[]<0> (" % uid,
}
HARMLESS = {
    "no date": lambda uid, raw: b"(UID %d BODY[]<0> {%d}\r\n%s)" % (uid, len(raw), raw),
    "no start": lambda uid, raw: b"(UID %d %s BODY[] {%d}\r\n%s)" % (uid, DATE, len(raw), raw),
    "an odd date": lambda uid, raw: whole(uid, raw).replace(b"21-Nov-2026", b"the 21st"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_email_that_is_not_handed_over_does_not_stop_the_others(
    judge: Table, fault: str
) -> None:
    answers = {3: cast("Callable[[int, bytes], bytes] | None", FAULTS[fault])}
    with serving(ScriptedImap(dict(MAILS), answers)) as box, polling(judge, box) as poller:
        wait_for(lambda: texts(judge) == [1, 2, 4, 5])
        wait_for(lambda: poller.has_read(judge.clock.now() - timedelta(days=1), judge.clock.now()))

        [email] = withheld(judge)

    assert email.uid == 3
    assert "email_withheld" in examine(judge.judge).troubles
    if fault == "a NO":
        assert "cannot open message 3" in email.reason


def test_an_email_that_comes_again_under_a_new_uid_is_stored_once(judge: Table) -> None:
    mails = {**MAILS, 6: MAILS[1], 7: HEAD + b"7"}
    with serving(ScriptedImap(mails)) as box, polling(judge, box):
        wait_for(lambda: texts(judge) == [1, 2, 3, 4, 5, 7])


def test_a_reload_tries_it_again(judge: Table) -> None:
    with serving(ScriptedImap(dict(MAILS), {3: None})) as box, polling(judge, box) as poller:
        wait_for(lambda: len(withheld(judge)) == 1)
        box.answers.clear()

        poller.change(replace(account(box)))

        wait_for(lambda: texts(judge) == [1, 2, 3, 4, 5])
        wait_for(lambda: withheld(judge) == [])


@pytest.mark.parametrize("answer", HARMLESS)
def test_an_answer_that_lacks_something_harmless_is_read(judge: Table, answer: str) -> None:
    answers = {3: cast("Callable[[int, bytes], bytes] | None", HARMLESS[answer])}
    with serving(ScriptedImap(dict(MAILS), answers)) as box, polling(judge, box):
        wait_for(lambda: texts(judge) == [1, 2, 3, 4, 5])

    assert withheld(judge) == []


def test_orders_count_once_though_the_server_withholds_one_for_a_while(table: Table) -> None:
    counted = CountedTable(table)
    mails = {}
    for uid, (power, unit) in enumerate(UNITS.items(), start=1):
        order = "A Par-Bur" if power == "FRANCE" else f"{unit} H"
        mail = table.compose(address_of(power), order, table.latest(power).reply_to)
        mails[uid] = mail.as_bytes(policy=SMTP)
        counted.promised.append(str(mail["Message-ID"]))
    with serving(ScriptedImap(mails, {3: None})) as box, polling(table, box) as poller:
        wait_for(lambda: "cannot open message 3" in failure(table))
        wait_for(lambda: len(withheld(table)) == 1 and len(table.inbox()) == len(mails) - 1)
        table.run_once()
        told = examine(table.judge).report("email_withheld")
        assert "UID 3 in " in told
        assert ": the server refuses: fetch failed: [SERVERBUG] cannot open message 3" in told

        box.answers.clear()
        poller.change(replace(account(box)))
        wait_for(lambda: len(table.inbox()) == len(mails))

    everything_counts_once(counted, "Army Paris -> Burgundy")


def test_an_email_that_is_gone_is_not_withheld(judge: Table) -> None:
    box = ScriptedImap(dict(MAILS))

    def vanish(uid: int, _raw: bytes) -> bytes:
        del box.emails[uid]
        return b""

    box.answers = {3: vanish}
    with serving(box), polling(judge, box):
        wait_for(lambda: texts(judge) == [1, 2, 4, 5])

    assert withheld(judge) == []


def test_a_reload_uses_a_new_password(judge: Table) -> None:
    with serving(ScriptedImap(dict(MAILS), password=NEW)) as box, polling(judge, box) as poller:
        wait_for(lambda: "AUTHENTICATIONFAILED" in failure(judge))

        poller.change(replace(account(box), password=NEW))

        wait_for(lambda: texts(judge) == [1, 2, 3, 4, 5])
        wait_for(lambda: failure(judge) == "")


def test_a_check_fetches_an_email(judge: Table) -> None:
    with (
        serving(ScriptedImap(dict(MAILS), {5: None})) as box,
        pytest.raises(IMAP4.error, match="cannot open message 5"),
        imap_session(account(box), readonly=True) as opened,
    ):
        opened.fetch_newest()

    assert texts(judge) == []


def account(box: ScriptedImap) -> ImapAccount:
    return ImapAccount("127.0.0.1", box.port, "none", "u", "INBOX", password=OLD)


@contextmanager
def polling(judge: Table, box: ScriptedImap) -> Iterator[ImapPoller]:
    class Keeper:
        def submit(self, envelope: Envelope) -> Future[None]:
            with judge.database.write() as transaction:
                transaction.inbox.keep([(envelope, judge.clock.now())])
            kept: Future[None] = Future()
            kept.set_result(None)
            return kept

    keeper, reception = cast("GroupCommit", Keeper()), MailReception(JUDGE, "+", "")
    poller = ImapPoller(account(box), judge.database, judge.clock, keeper, reception, seconds=1)
    poller.start()
    try:
        yield poller
    finally:
        poller.stop()


def texts(judge: Table) -> list[int]:
    with judge.database.read() as transaction:
        mails = [transaction.inbox.get(each.id) for each in transaction.inbox.entries()]
    return sorted(int(mail.raw.rpartition(b"\n")[2]) for mail in mails if mail)


def withheld(judge: Table) -> list[WithheldEmail]:
    with judge.database.read() as transaction:
        return list(transaction.mailboxes.withheld())


def failure(judge: Table) -> str:
    with judge.database.read() as transaction:
        return "".join(each.reason for each in transaction.mailboxes.all())


def wait_for(is_so: Callable[[], bool]) -> None:
    wait_until(is_so, "it never came to that")
