"""A real Dovecot in a temporary folder with its own configuration, mail and log.

    with dovecot() as box:
        box.deliver(raw)                    # by LMTP, as a mail server would
        IMAPClient("127.0.0.1", port=box.port, ssl=False).login(USER, PASSWORD)

It runs as whoever runs the tests, or as its own users when that is root.
"""

from __future__ import annotations

import grp
import os
import pwd
import smtplib
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from imapclient import IMAPClient

from tests.support.certificates import Certificates
from tests.support.daemon import PATIENCE_SECONDS, wait_until
from tests.support.mail_server import WORD
from tests.support.oauth2 import TokenProvider
from tests.support.servers import answers, free_port, need, open_folder

USER, PASSWORD = "judge", WORD
CONFIGURATION = """\
protocols = imap lmtp
base_dir = {base}/run
listen = 127.0.0.1
{ssl}
disable_plaintext_auth = no
auth_mechanisms = plain login {mechanisms}
default_internal_user = {internal}
default_login_user = {login}
default_internal_group = {group}
first_valid_uid = 1
log_path = {base}/dovecot.log
{accounts}
{tokens}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""
# One mailbox, which takes mail to any address.
ACCOUNTS = """\
mail_location = maildir:{base}/mail/%n
auth_username_format = %n
recipient_delimiter = +
passdb {{
  driver = passwd-file
  args = {base}/users
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner_group} home={base}/mail/%n
}}
"""
TOKENS = """\
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {base}/oauth2
}}
"""


@dataclass(frozen=True, slots=True)
class Dovecot:
    """One that runs; *port* speaks IMAP, *tls_port* by TLS from the start, *lmtp* takes mail."""

    port: int
    lmtp: int
    base: Path
    tls_port: int = 0

    def deliver(self, raw: bytes, recipient: str = "judge@judge.example") -> None:
        """Put an email into the mailbox, as a mail server does."""
        with smtplib.LMTP("127.0.0.1", self.lmtp, timeout=PATIENCE_SECONDS) as client:
            client.sendmail("player@players.example", [recipient], raw)

    def put(self, raw: bytes, name: str) -> None:
        """Put an email into the mailbox's folder of new email, many times as fast."""
        written = self.folder / "tmp" / name
        written.write_bytes(raw)
        written.rename(self.folder / "new" / name)  # it is whole when Dovecot sees it

    @property
    def folder(self) -> Path:
        """Return the Maildir of the mailbox, which is there after its first login."""
        return self.base / "mail" / USER

    @contextmanager
    def session(self) -> Iterator[IMAPClient]:
        """Log in, and select the mailbox."""
        with IMAPClient(
            "127.0.0.1", port=self.port, ssl=False, timeout=PATIENCE_SECONDS
        ) as client:
            client.login(USER, PASSWORD)
            client.select_folder("INBOX")
            yield client

    def renew_uids(self) -> None:
        """Make the mailbox forget its UIDs: they restart, with another UIDVALIDITY."""
        for index in self.folder.glob("dovecot*"):
            index.unlink()

    def log(self) -> str:
        """Return what it has logged."""
        return (self.base / "dovecot.log").read_text()


@contextmanager
def dovecot(
    certs: Certificates | None = None,
    tokens: TokenProvider | None = None,
    accounts: str = ACCOUNTS,
) -> Iterator[Dovecot]:
    """Run a Dovecot with one mailbox until the block ends.

    With *certs* it speaks TLS, too; with *tokens* XOAUTH2. *accounts* is the part of its
    configuration that says whose email it takes, and where to.
    """
    need("Dovecot", "dovecot")
    with open_folder() as base:
        server = Dovecot(free_port(), free_port(), base, free_port() if certs else 0)
        _write_configuration(server, certs, tokens, accounts)
        foreground = ["/usr/sbin/dovecot", "-F", "-c", str(base / "dovecot.conf")]
        with subprocess.Popen(foreground) as master:
            try:
                wait_until(lambda: answers(server.port), "Dovecot does not listen")
                with server.session():
                    yield server
            finally:
                master.terminate()


def _write_configuration(
    server: Dovecot, certs: Certificates | None, tokens: TokenProvider | None, accounts: str
) -> None:
    runner = pwd.getpwuid(os.geteuid())
    is_root = os.geteuid() == 0
    mail_owner = pwd.getpwnam("nobody") if is_root else runner
    internal = pwd.getpwnam("dovecot") if is_root else runner
    for name in ("run", "mail"):
        (server.base / name).mkdir(mode=0o755)
    os.chown(server.base / "mail", mail_owner.pw_uid, mail_owner.pw_gid)
    (server.base / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}::::::\n")
    if tokens:
        where = f"tokeninfo_url = {tokens.url}\nusername_attribute = user\n"
        (server.base / "oauth2").write_text(where)
    settings = CONFIGURATION.format(
        mechanisms="xoauth2" if tokens else "",
        tokens=TOKENS.format(base=server.base) if tokens else "",
        accounts=accounts.format(
            base=server.base,
            lmtp=server.lmtp,
            owner=mail_owner.pw_uid,
            owner_group=mail_owner.pw_gid,
        ),
        base=server.base,
        internal=internal.pw_name,
        login="dovenull" if is_root else runner.pw_name,
        group=grp.getgrgid(internal.pw_gid).gr_name,
        imap=server.port,
        imaps=server.tls_port,
        ssl=f"ssl = yes\nssl_cert = <{certs.certificate}\nssl_key = <{certs.key}"
        if certs
        else "ssl = no",
        lmtp=server.lmtp,
    )
    (server.base / "dovecot.conf").write_text(settings)
