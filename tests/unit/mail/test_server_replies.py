"""Replies of mail servers: whose fault a refusal is, and which part may be logged."""

from __future__ import annotations

import pytest

from judge.mail.server_replies import MASK, REPLY_CHARACTERS_MAX, is_of_recipient, public_reply

RECIPIENTS = (  # what big providers and mail servers say of one bad recipient
    (550, "5.1.1 The email account that you tried to reach does not exist."),  # Gmail
    (550, "5.2.1 The email account that you tried to reach is inactive."),
    (552, "5.2.2 The recipient's inbox is out of storage space."),
    (550, "5.5.0 Requested action not taken: mailbox unavailable (S2017062302)."),  # Outlook
    (550, "5.4.1 Recipient address rejected: Access denied. [x.prod.outlook.com]"),  # Exchange
    (554, "delivery error: dd This user doesn't have a yahoo.com account"),  # Yahoo
    (552, "1 Requested mail action aborted, mailbox not found"),
    (550, "Requested action not taken: mailbox unavailable"),  # GMX
    (550, "5.1.1 <ann@example.org>: Recipient address rejected: User unknown in table"),  # Postfix
    (550, "Unknown user"),  # Exim
    (550, "5.7.17 Mailbox owner has changed"),  # RFC 7293
    (552, "5.3.4 Message size exceeds fixed limit"),
    (451, "4.7.500 Server busy. Please try again later."),  # Exchange, which throttles
    (552, "Mailbox quota exceeded"),
    (451, "4.7.1 Greylisting in action, please come back later"),
    (452, "4.2.2 The email account that you tried to reach is over quota."),
    (450, "4.1.1 mailbox busy"),
)
OURS = (
    (550, "5.7.1 Relaying denied"),  # sendmail
    (554, "5.7.1 <ann@example.org>: Relay access denied"),  # Postfix
    (550, "relay not permitted"),  # Exim
    (550, "5.0.0 We do not relay"),
    (553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"),  # qmail
    (550, "5.7.26 Your email has been blocked because the sender is unauthenticated."),  # Gmail
    (550, "5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. (S3140)"),  # Outlook
    (550, "5.7.509 Access denied, sending domain example.org does not pass DMARC"),  # Exchange
    (554, "Transaction failed Reject due to policy restrictions."),  # GMX
    (554, "5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"),
    (554, "Message rejected: Email address is not verified."),  # Amazon SES
    (554, "IP=192.0.2.1 - None/bad reputation."),  # T-Online
    (550, "5.1.8 <judge@example.org>: Sender address rejected: Domain not found"),
    (530, "5.5.1 Authentication Required."),
    (530, "5.7.0 Must issue a STARTTLS command first"),
    (535, "5.7.8 Username and Password not accepted."),
    (550, "spam message rejected. Please visit https://help.mail.ru/"),  # mail.ru
    (554, "Transaction failed"),
    (451, "4.3.0 Temporary local problem"),
    (452, "4.3.1 Insufficient system storage"),
    (550, "5.4.5 Daily user sending quota exceeded."),  # Gmail
    (550, "Hourly limit exceeded, too many messages"),
    (552, "Sending limit reached for today"),
    (421, "4.7.0 Try again later, closing connection."),
)


@pytest.mark.parametrize(("code", "text"), RECIPIENTS)
def test_a_bad_recipient_is_the_fault_of_nobody_else(code: int, text: str) -> None:
    assert is_of_recipient(code, text)


@pytest.mark.parametrize(("code", "text"), OURS)
def test_policy_relaying_and_logins_are_ours_to_mend(code: int, text: str) -> None:
    assert not is_of_recipient(code, text)


def test_no_address_and_no_secret_of_a_reply_is_logged() -> None:
    said = (
        '550-5.1.1 <Ann.Smith@example.org>: unknown;\r\n550 5.1.1 "ann smith"@example.org, '
        "ann.smith has no account; sent from judge+abcdefgh@judge.example with Sesame\x1b[31m"
    )

    shown = public_reply(said, ("ann.smith", "sesame", ""))

    for secret in ("ann.smith", "ann smith", "@", "abcdefgh", "sesame", "\x1b", "\n"):
        assert secret not in shown.lower()
    assert shown.startswith(f"550-5.1.1 <{MASK}>: unknown; 550 5.1.1 {MASK}, {MASK} has no")
    assert len(public_reply("x" * 5_000)) == REPLY_CHARACTERS_MAX
