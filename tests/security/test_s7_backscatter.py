"""S7 and R32: the judge cannot be made to flood others, nor to reply to machines forever."""

from __future__ import annotations

from email.message import EmailMessage
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart

import pytest

from judge.app.admin import health
from judge.app.inbound.questions import QUESTIONS_A_DAY_MAX, SAME_MAX
from judge.app.inbound.unverified_senders import STRANGERS_MAX
from judge.game.deadlines import PowerProtected
from tests.support.table import FIRST_DEADLINE, JUDGE, MODERATOR, Table, address_of

AT_LENGTH = pytest.mark.slow


@pytest.mark.parametrize(
    ("mails", "senders"),
    [
        (300, 300),
        (300, 1),
        pytest.param(10_000, 1_000, marks=AT_LENGTH),
        pytest.param(10_000, 1, marks=AT_LENGTH),
    ],
)
def test_s7_forged_emails_of_many_senders_cause_few_answers(
    table: Table, mails: int, senders: int
) -> None:
    before = len(table.outbox())
    for number in range(mails):
        to = (JUDGE, "judge+aaaaaaaaaaaaaaaa@judge.example")[number % 2]
        sender = f"victim{number % senders}@elsewhere.example"
        table.deliver(
            table.compose(sender, ("HELP", "A Par-Bur", "LIST")[number % 3], to), None, to
        )
    while "received" in table.inbox():
        table.run_once()

    assert len(table.outbox()) - before <= STRANGERS_MAX
    assert table.send("FRANCE", "A Par-Bur").kind == "receipt"


def test_s7_forged_emails_of_one_player_cause_few_questions(table: Table) -> None:
    before = len(table.outbox())
    for _ in range(100):
        table.deliver(
            table.compose(address_of("FRANCE"), "A Par-Bur"), "x@elsewhere.example", JUDGE
        )
    table.run_once()

    assert len(table.outbox()) - before <= QUESTIONS_A_DAY_MAX


def test_s7_an_email_our_server_calls_forged_is_not_answered(table: Table) -> None:
    from dataclasses import replace  # noqa: PLC0415 - only here

    table.judge, table.way_in = replace(table.judge, authserv_id="mx.judge.example"), "lmtp"
    field = "mx.judge.example; dmarc=fail header.from=elsewhere.example"

    assert table.mail("x@elsewhere.example", "HELP", Authentication_Results=field) == ()


def test_r32_a_disguised_autoresponder_gets_few_answers(table: Table) -> None:
    mail = table.latest("FRANCE")
    answers = 0
    for _ in range(SAME_MAX + 10):
        answered = table.reply(mail, "I am away until Monday.")
        answers += sum(each.kind == "receipt" for each in answered)  # the absence is news
        mail = answered[-1] if answered else mail

    assert answers == SAME_MAX


def test_r32_mail_from_the_judge_itself_is_not_answered(table: Table) -> None:
    assert table.mail(JUDGE, "HELP") == ()
    assert table.mail("x@elsewhere.example", "HELP", envelope="judge+x@judge.example") == ()


def test_r32_two_judges_exchange_one_email_at_most(table: Table) -> None:
    ours = table.latest("FRANCE")
    (raw,) = table.query(f"SELECT raw FROM outbox WHERE message_id = '{ours.message_id}'")[0]  # noqa: S608 - our own
    before = len(table.outbox())
    table.store_email(raw, "judge@other.example")
    table.run_once()

    assert len(table.outbox()) == before
    assert table.inbox()[-1] == "ignored"


def bounce(
    mail_to: str,
    original: str,
    action: str = "failed",
    status: str = "5.1.1",
    diagnostic: str = "",
) -> bytes:
    """Write a report as RFC 3464 has it, of a mail server elsewhere."""
    report = MIMEMultipart("report", report_type="delivery-status")
    report["From"] = "MAILER-DAEMON@relay.example"
    report["To"] = mail_to
    report["Subject"] = "Undelivered Mail Returned to Sender"
    statuses = MIMENonMultipart("message", "delivery-status")
    per_mail, per_reader = EmailMessage(), EmailMessage()
    per_mail["Reporting-MTA"] = "dns; relay.example"
    per_reader["Final-Recipient"] = f"rfc822; {address_of('TURKEY')}"
    per_reader["Action"] = action
    per_reader["Status"] = status
    if diagnostic:
        per_reader["Diagnostic-Code"] = diagnostic
    statuses.set_payload([per_mail, per_reader])
    report.attach(statuses)
    returned = EmailMessage()
    returned["Message-ID"] = original
    returned.set_content("A Con-Bul\n")
    report.attach(MIMEMessage(returned))
    return report.as_bytes()


def all_to_turkey_come_back(table: Table, *, by: str = "envelope") -> None:
    """Make the relay accept every email to Turkey, then bounce it."""
    rows = table.query(
        f"SELECT message_id, sender FROM outbox WHERE recipient = '{address_of('TURKEY')}'"  # noqa: S608 - ours
    )
    with table.database.write() as transaction:
        for message_id, _ in rows:
            transaction.outbox.sent([message_id], table.clock.time)
    for message_id, sender in rows:
        to, original = (sender, "<x@y>") if by == "envelope" else (JUDGE, message_id)
        table.store_email(bounce(to, original), "", to)
    table.run_once()


def returned(table: Table) -> int:
    [(count,)] = table.query("SELECT count(*) FROM outbox WHERE bounced_utc IS NOT NULL")
    return int(count)


@pytest.mark.parametrize("by", ["envelope", "message id"])
def test_r32_a_returned_email_is_recognized_by_its_own_address_and_not_answered(
    table: Table, by: str
) -> None:
    before = len(table.outbox())
    all_to_turkey_come_back(table, by=by)

    assert returned(table) == int(by == "envelope")
    assert len(table.outbox()) == before
    assert table.current_orders("TURKEY") == ()


BLOCKED = "smtp; 550-5.7.26 Your email has been blocked, turkey@players.example"


@pytest.mark.parametrize(
    ("status", "diagnostic"), [("5.7.8", ""), ("5.0.0", BLOCKED), ("5.0.0", "smtp; 554 no relay")]
)
def test_an_email_returned_because_of_the_judge_is_sent_again_and_counts_as_no_bounce(
    table: Table, status: str, diagnostic: str
) -> None:
    [(message_id, sender)] = table.query(
        f"SELECT message_id, sender FROM outbox WHERE recipient = '{address_of('TURKEY')}'"  # noqa: S608 - ours
    )
    with table.database.write() as transaction:
        transaction.outbox.sent([message_id], table.clock.time)
    for _ in range(2):
        table.store_email(bounce(sender, message_id, "failed", status, diagnostic), "", sender)
        table.run_once()

    assert returned(table) == 0
    assert table.query(
        f"SELECT state, attempts, sent_utc FROM outbox WHERE message_id = '{message_id}'"  # noqa: S608 - ours
    ) == [("queued", 1, None)]
    [failure] = health.examine(table.judge).tally.failures
    assert failure.ours
    assert failure.reason.startswith("returned by a mail server: 55")
    assert "turkey" not in failure.reason
    assert not table.emails_to(MODERATOR, "undelivered")
    table.pass_time(minutes=20)
    assert health.examine(table.judge).troubles == ("mail_refused",)


def test_r32_a_bounce_of_an_unknown_email_changes_nothing(table: Table) -> None:
    table.store_email(bounce("judge+aaaaaaaaaaaaaaaa@judge.example", "<guess@judge.example>"), "")
    table.run_once()

    assert returned(table) == 0
    assert table.inbox() == ["ignored"]


def test_r32_a_delay_is_no_failure(table: Table) -> None:
    [(sender,)] = table.query(
        f"SELECT sender FROM outbox WHERE recipient = '{address_of('TURKEY')}'"  # noqa: S608 - ours
    )
    table.store_email(bounce(sender, "<x@y>", action="delayed"), "", sender)
    table.run_once()

    assert returned(table) == 0


def test_the_moderator_learns_of_bounced_emails(judge: Table) -> None:
    judge.start("baltic", moderator="moderator@players.example")
    all_to_turkey_come_back(judge)

    [told] = judge.emails_to("moderator@players.example", "undelivered")
    assert "Turkey" in told.text
    [status] = judge.reply(told, "STATUS")
    assert "Email bounces for: Turkey." in status.text
    assert "bounces for" not in judge.send("FRANCE", "STATUS").text


@pytest.mark.parametrize(("rule", "named"), [("anonymous=no", True), ("anonymous=yes", False)])
def test_a_late_player_with_bounced_emails_gets_extra_grace_once(
    judge: Table, rule: str, *, named: bool
) -> None:
    judge.start("baltic", rule, "first_spring_extension_hours=0")
    all_to_turkey_come_back(judge)
    judge.all_hold(but=["TURKEY"])
    judge.wait_until(FIRST_DEADLINE)
    judge.pass_time(minutes=1)
    all_to_turkey_come_back(judge)

    told = judge.pass_time(hours=24)

    assert judge.count_events(PowerProtected) == 1
    notices = [mail for mail in told if mail.kind == "protection"]
    assert len(notices) == 7
    assert all(("Turkey" in mail.text) is named for mail in notices)


def test_a_player_that_an_email_reached_or_that_wrote_gets_no_extra_grace(judge: Table) -> None:
    judge.start("baltic", "first_spring_extension_hours=0")
    all_to_turkey_come_back(judge)
    judge.send("TURKEY", "STATUS")
    judge.all_hold(but=["TURKEY"])
    judge.wait_until(FIRST_DEADLINE)

    judge.pass_time(hours=24)

    assert judge.count_events(PowerProtected) == 0
