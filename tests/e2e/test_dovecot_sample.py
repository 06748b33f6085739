"""`deploy/dovecot/judge.conf` beside the accounts of Debian's Dovecot, on a real server."""

from __future__ import annotations

import smtplib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from imapclient import IMAPClient

from tests.support.daemon import PATIENCE_SECONDS
from tests.support.dovecot import PASSWORD, USER, Dovecot, dovecot
from tests.support.servers import need

SAMPLE = Path(__file__).parents[2] / "deploy" / "dovecot" / "judge.conf"
PLAYER = "anne@players.example"
# As Debian's conf.d has it: the users of the system and their mailboxes. `judge` is one of them.
SYSTEM = """
mail_location = mbox:~/mail:INBOX={base}/spool/%u
passdb {{
  driver = passwd-file
  args = {base}/users
}}
userdb {{
  driver = passwd-file
  args = {base}/users
  default_fields = uid={owner} gid={owner_group} home={base}/mail/%u
}}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the mailboxes: `spool` those of the system, `vmail` those of the sample."""
    return tmp_path_factory.mktemp("sample")


@pytest.fixture(scope="module")
def box(folder: Path) -> Iterator[Dovecot]:
    """A Dovecot with the sample, in which one player has a mailbox."""
    need("Dovecot", "dovecot", "doveadm", root=True)
    for parent in (folder, *folder.parents[:-1]):
        parent.chmod(parent.stat().st_mode | 0o011)
    people, mail, spool = folder / "judge.users", folder / "vmail", folder / "spool"
    hashed = subprocess.check_output(
        ["doveadm", "pw", "-s", "SHA512-CRYPT", "-p", "swordfish"], text=True
    )
    people.write_text(f"{PLAYER}:{hashed.strip()}::::::\n")
    mail.mkdir()
    spool.mkdir()
    subprocess.run(["chown", "mail:mail", str(mail)], check=True)
    subprocess.run(["chown", "nobody", str(spool)], check=True)
    sample = SAMPLE.read_text(encoding="utf-8").replace("{", "{{").replace("}", "}}")
    for standard, ours in (
        ("/etc/dovecot/judge.users", str(people)),
        ("/var/vmail", str(mail)),
        ("10024", "{lmtp}"),
    ):
        assert standard in sample
        sample = sample.replace(standard, ours)
    with dovecot(accounts=sample + SYSTEM.replace("{base}/spool", str(spool))) as box:
        yield box


def deliver(box: Dovecot, recipient: str, text: str) -> int:
    """Hand in an email; return the answer to its recipient."""
    with smtplib.LMTP("127.0.0.1", box.lmtp, timeout=PATIENCE_SECONDS) as client:
        client.ehlo_or_helo_if_needed()
        client.mail("judge@judge.example")
        code, _ = client.rcpt(recipient)
        if code == 250:
            taken, _ = client.data(f"Subject: x\r\n\r\n{text}\r\n".encode())
            assert taken == 250
    return code


def mails(box: Dovecot, user: str, password: str) -> list[str]:
    """Return the texts in the mailbox of *user*."""
    with IMAPClient("127.0.0.1", port=box.port, ssl=False, timeout=PATIENCE_SECONDS) as client:
        client.login(user, password)
        client.select_folder("INBOX")
        found = client.fetch(client.search(), ["BODY[TEXT]"])
        return [each[b"BODY[TEXT]"].decode().strip() for each in found.values()]


def test_a_player_has_a_mailbox_with_any_extension(box: Dovecot) -> None:
    assert deliver(box, PLAYER, "one") == 250
    assert deliver(box, "Anne+abc@players.example", "two") == 250

    assert mails(box, PLAYER, "swordfish") == ["one", "two"]


@pytest.mark.parametrize("stranger", ["bob", USER, "root", "mail"])
def test_no_other_address_of_the_domain_is_accepted(box: Dovecot, stranger: str) -> None:
    assert deliver(box, f"{stranger}@players.example", "x") == 550


def test_the_mailbox_of_the_system_user_judge_stays_as_it_was(box: Dovecot, folder: Path) -> None:
    assert deliver(box, USER, "to the system user") == 250

    assert mails(box, USER, PASSWORD) == ["to the system user"]
    assert "to the system user" in (folder / "spool" / USER).read_text(), "where it always was"
