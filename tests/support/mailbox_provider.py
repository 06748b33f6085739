"""A mailbox provider: a Dovecot over TLS, and a submission server that requires a login."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path

from tests.support.certificates import Certificates, certificates
from tests.support.daemon import ADDRESS
from tests.support.dovecot import PASSWORD, USER, Dovecot, dovecot
from tests.support.mail_server import LOGIN, WORD, MailServer, knows, listening
from tests.support.oauth2 import TokenProvider

BOUNCE = """\
From: MAILER-DAEMON@provider.example
To: judge@judge.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

It could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; provider.example

Final-Recipient: rfc822; {recipient}
Action: failed
Status: 5.1.1

--b
Content-Type: text/rfc822-headers

Message-ID: {message_id}

--b--
"""


@dataclass
class Provider:
    """A mailbox with its submission server, and a judge's settings for them."""

    box: Dovecot
    smarthost: MailServer
    settings: Mapping[str, str]


@contextmanager
def provider(
    folder: Path, security: str, tokens: tuple[TokenProvider, TokenProvider] | None = None
) -> Iterator[Provider]:
    """Run one; with *tokens*, for the mailbox and for sending, it takes no password.

    It delivers what is sent to the judge's own address.
    """
    certs = certificates(folder)
    box_tokens, way_out_tokens = tokens or (None, None)
    with (
        dovecot(certs, box_tokens) as box,
        submission(certs, security, way_out_tokens) as smarthost,
    ):
        smarthost.kept = partial(_deliver_to_itself, box)
        imap_port = box.tls_port if security == "tls" else box.port
        yield Provider(
            box,
            smarthost,
            {
                "JUDGE_IMAP": f"127.0.0.1:{imap_port}",
                "JUDGE_IMAP_SECURITY": security,
                "JUDGE_IMAP_USER": USER,
                "JUDGE_IMAP_SECONDS": "2",
                "JUDGE_SMARTHOST": f"127.0.0.1:{smarthost.port}",
                "JUDGE_SMARTHOST_SECURITY": security,
                "JUDGE_SMARTHOST_USER": LOGIN,
                "SSL_CERT_FILE": str(certs.authority),
                **(_commands(*tokens) if tokens else _passwords(folder)),
            },
        )


def _deliver_to_itself(box: Dovecot, raw: bytes) -> None:
    recipient = str(message_from_bytes(raw)["To"])
    if recipient.endswith(ADDRESS.partition("@")[2]):
        box.deliver(raw, recipient)


def _passwords(folder: Path) -> Mapping[str, str]:
    for name, word in (("imap", PASSWORD), ("smarthost", WORD)):
        (folder / name).write_text(f"{word}\n")
        (folder / name).chmod(0o600)
    names = {"JUDGE_IMAP_PASSWORD_FILE": "imap", "JUDGE_SMARTHOST_PASSWORD_FILE": "smarthost"}
    return {setting: str(folder / name) for setting, name in names.items()}


def _commands(mailbox: TokenProvider, way_out: TokenProvider) -> Mapping[str, str]:
    return {
        "JUDGE_IMAP_TOKEN_COMMAND": mailbox.command,
        "JUDGE_SMARTHOST_TOKEN_COMMAND": way_out.command,
    }


@contextmanager
def submission(
    certs: Certificates, security: str, tokens: TokenProvider | None
) -> Iterator[MailServer]:
    wants = {"auth_required": True, "authenticator": knows}
    context: ssl.SSLContext = certs.context()
    if security == "tls":  # of which aiosmtpd does not know that it is TLS
        running = listening({**wants, "auth_require_tls": False}, tls=context, tokens=tokens)
    else:
        running = listening({**wants, "tls_context": context}, tokens=tokens)
    with running as peer:
        yield peer


def bounce(mail: Message) -> bytes:
    """Write what a provider sends when the mailbox of the recipient is gone (RFC 3464)."""
    return (
        BOUNCE.format(message_id=mail["Message-ID"], recipient=mail["To"])
        .replace("\n", "\r\n")
        .encode()
    )
