"""The settings that `judge setup` writes work: the judge answers email."""

from __future__ import annotations

import os
import smtplib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from pathlib import Path
from typing import cast

import pytest
from click.testing import CliRunner

from judge.adapters.dkim_verifying import DkimVerifier
from judge.adapters.dns_zone import Resolver
from judge.cli.root import root
from judge.cli.terminal import USAGE
from judge.settings import to_endpoint
from tests.support.daemon import (
    ADDRESS,
    PATIENCE_SECONDS,
    POWERS,
    QUICK,
    Daemon,
    new_email,
    text_of,
    wait_until,
)
from tests.support.dns_server import dns_server
from tests.support.mail_server import LOGIN, WORD, listening
from tests.support.mailbox_provider import Provider, bounce, provider
from tests.support.postfix import HOST
from tests.support.servers import free_port

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

ANNE = "anne@players.example"


def set_up(folder: Path, *answers: str, **environment: str) -> Daemon:
    """Answer the questions of `judge setup` in *folder*, and return the judge it made there.

    What it printed is in the file `printed`.
    """
    done = subprocess.run(
        [sys.executable, "-m", "judge", "setup"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
        input="".join(f"{each}\n" for each in answers),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "printed").write_text(done.stdout)
    config = {"JUDGE_CONFIG": str(folder / "judge" / "judge.toml"), "JUDGE_TICK_SECONDS": "0.1"}
    return Daemon(folder / "judge", environment | config)


def printed(folder: Path) -> str:
    """Return what the `judge setup` in *folder* printed."""
    return (folder / "printed").read_text()


def test_a_judge_set_up_for_a_trial_answers_help_and_its_game_can_be_joined(
    tmp_path: Path,
) -> None:
    port = {"JUDGE_SMTP": "127.0.0.1:0"}
    with set_up(tmp_path, "", "try", "", "", "baltic", **port) as judge:
        assert "arrived by smtp" in printed(tmp_path)
        assert "and the judge has answered it" in printed(tmp_path)
        judge.start()
        judge.send(new_email(ANNE, "HELP\n", "judge@localhost"))
        judge.send(new_email(ANNE, "LIST\n", "judge@localhost"))
        wait_until(lambda: len(judge.mails(ANNE)) == 2, lambda: judge.log()[-2000:])
        assert judge.stop() == 0
        answers = "".join(text_of(mail) for mail in judge.mails(ANNE))

    assert "JOIN" in answers
    assert "baltic" in answers


def test_a_judge_set_up_behind_its_own_server_signs_with_the_key_in_the_record_it_prints(
    tmp_path: Path,
) -> None:
    port, sent = free_port(), list[bytes]()  # .ci/walk tries the socket that `setup` names
    with listening(kept=sent.append) as smarthost:
        doors = {"JUDGE_LMTP": f"127.0.0.1:{port}", "JUDGE_SMTP": ""}
        way_out = {"JUDGE_SMARTHOST": f"127.0.0.1:{smarthost.port}"}
        with set_up(tmp_path, "", "server", ADDRESS, "-", "-", HOST, **way_out) as judge:
            judge.environment = {**judge.environment, **doors}
            judge.start()
            with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE_SECONDS) as mx:
                mx.send_message(new_email(ANNE, "HELP\n"))
            wait_until(lambda: bool(sent), lambda: judge.log()[-2000:])
            assert judge.stop() == 0

    records = printed(tmp_path).split("DNS records:\n")[1].split("\nNext:")[0]
    with dns_server(records) as server:
        resolver = Resolver(to_endpoint(server.endpoint))

        def look_up(name: bytes, **_: int) -> bytes | None:
            return next((each.encode() for each in resolver.texts(name.decode())), None)

        assert DkimVerifier(look_up).is_valid(sent[0], 0)
        assert not DkimVerifier(look_up).is_valid(sent[0].replace(b"JOIN", b"QUIT"), 0)


def test_setup_asks_again_for_a_wrong_game_name_before_it_writes_anything(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "judge"
    words = ["setup", "--kind", "try", "--address", "judge@localhost", "--folder", str(folder)]

    refused = CliRunner().invoke(root, [*words, "--game", "My Game"])
    assert (refused.exit_code, folder.exists()) == (USAGE, False)

    asked = CliRunner().invoke(root, [*words, "--backups", "-"], input="My Game\nbaltic\n")
    assert (asked.exit_code, "JOIN baltic" in asked.stdout) == (0, True)


@contextmanager
def set_up_at_a_provider(folder: Path, game: str = "-") -> Iterator[tuple[Provider, Daemon]]:
    """Run a provider, and set up a judge in its mailbox."""
    with provider(folder, "tls") as there:
        servers = (there.settings["JUDGE_IMAP"], there.settings["JUDGE_SMARTHOST"])
        questions = ("", "mailbox", ADDRESS, "-", game, *servers, LOGIN, WORD)
        kept = ("SSL_CERT_FILE", "JUDGE_SMARTHOST_SECURITY")  # for ports other than 465
        environment = {name: there.settings[name] for name in kept} | {"JUDGE_MAIL_FORM": "html"}
        with set_up(folder, *questions, **environment) as judge:
            judge.start()
            yield there, judge
            assert judge.stop() == 0


def test_a_judge_set_up_in_a_mailbox_at_a_provider_answers_help(tmp_path: Path) -> None:
    with set_up_at_a_provider(tmp_path) as (there, judge):
        assert "arrived by imap" in printed(tmp_path)
        before = len(there.smarthost.mails)
        there.box.deliver(new_email(ANNE, "HELP\n").as_bytes())
        wait_until(lambda: len(there.smarthost.mails) > before, lambda: judge.log()[-2000:])
        told = judge.judge("doctor", "--mail", "--seconds", str(PATIENCE_SECONDS))

    answer = there.smarthost.mails[before]
    assert answer["To"] == ANNE
    assert "JOIN" in text_of(answer)
    assert "and the judge has answered it" in told


YEAR: Mapping[str, Mapping[str, str]] = {
    "S1901M": {
        "AUSTRIA": "F Tri-Alb\nA Bud-Ser\nA Vie-Bud\n",
        "ENGLAND": "F Lon-Nth\nF Edi-Nwg\nA Lvp-Yor\n",
        "FRANCE": "A Par-Pic\nA Mar-Spa\nF Bre-Mao\n",
        "GERMANY": "A Ber-Kie\nA Mun-Ruh\nF Kie-Den\n",
        "ITALY": "A Ven H\nA Rom-Apu\nF Nap-Ion\n",
        "RUSSIA": "A War-Gal\nA Mos-Ukr\nF Sev-Bla\nF StP/sc-Bot\n",
        "TURKEY": "A Con-Bul\nA Smy-Con\nF Ank-Bla\n",
    },
    "F1901M": {
        "AUSTRIA": "F Alb-Gre\nA Ser S F Alb-Gre\nA Bud H\n",
        "ENGLAND": "F Nwg-Nwy\nF Nth H\nA Yor-Edi\n",
        "FRANCE": "A Pic-Bel\nA Spa H\nF Mao-Por\n",
        "GERMANY": "A Kie-Hol\nA Ruh H\nF Den H\n",
        "ITALY": "A Ven H\nF Ion C A Apu-Tun\nA Apu-Tun\n",
        "RUSSIA": "F Sev-Rum\nA Ukr S F Sev-Rum\nA Gal H\nF Bot-Swe\n",
        "TURKEY": "A Bul H\nA Con H\nF Ank-Bla\n",
    },
    "W1901A": {
        "AUSTRIA": "Build A Vie\nBuild F Tri\n",
        "ENGLAND": "Build F Lon\n",
        "FRANCE": "Build A Par\nBuild A Mar\nBuild F Bre\n",
        "GERMANY": "Build A Mun\nBuild A Ber\n",
        "ITALY": "Build A Rom\n",
        "RUSSIA": "Build A Mos\nBuild A War\n",
        "TURKEY": "Build A Smy\n",
    },
}
UNITS = dict(zip(POWERS, (5, 4, 6, 5, 4, 6, 4), strict=True))
BOUNCES, IS_AWAY = "italy@players.example", "turkey@players.example"


@pytest.mark.slow
def test_a_year_is_played_in_a_mailbox_at_a_provider(tmp_path: Path) -> None:
    """The results of spring to Italy bounce; Turkey's program answers everything by itself."""
    with set_up_at_a_provider(tmp_path, "lepanto") as (there, judge):
        post = Post(there, judge)
        judge.judge("game", "rules", "lepanto", *QUICK)
        for power in POWERS:
            address = f"{power.lower()}@players.example"
            post.write(new_email(address, f"JOIN lepanto\nSET PREFERENCE {power[0]}\n"))
            post.answer(address, post.wait_for(address, "confirm_join"), "YES\n")
        opened, kind = "Game Starting", "game_start"
        for phase, orders in YEAR.items():
            for power, text in orders.items():
                address = f"{power.lower()}@players.example"
                post.answer(address, post.wait_for(address, kind, opened), text)
                receipt = text_of(post.wait_for(address, "receipt"))
                assert "not understood" not in receipt, receipt
            opened, kind = f"{phase} Results", "phase_results"
        for power in POWERS:
            post.wait_for(f"{power.lower()}@players.example", kind, opened)
        verified = judge.judge("log", "verify", "lepanto")
        units = cast("Mapping[str, list[str]]", judge.position("lepanto")["units"])
        bounced = judge.ask("SELECT recipient FROM outbox WHERE bounced_utc IS NOT NULL")

    assert "lepanto" in verified
    assert {power: len(of_power) for power, of_power in units.items()} == UNITS
    assert bounced == [(BOUNCES,)]
    answers = [mail for mail in there.smarthost.mails if mail["In-Reply-To"] in post.notes]
    # Once, to the note that answers a question: a person's program may mark their email so.
    assert [mail["X-Judge-Kind"] for mail in answers] == ["asked_again"]


@dataclass
class Post:
    """The players' provider: it reads what the judge sends, bounces one email, and has a note."""

    there: Provider
    judge: Daemon
    notes: set[str] = field(default_factory=set)
    _read: int = 0
    _waiting: list[Message] = field(default_factory=list)

    def write(self, mail: EmailMessage, to: str = ADDRESS) -> None:
        self.there.box.deliver(mail.as_bytes(), to)

    def answer(self, address: str, mail: Message, text: str) -> None:
        to = str(mail["Reply-To"])
        reply = new_email(address, text, to, f"Re: {mail['Subject']}")
        reply["In-Reply-To"] = mail["Message-ID"]
        self.write(reply, to)

    def wait_for(self, address: str, kind: str, subject: str = "") -> Message:
        """Return the next unread email of *kind* to *address*."""

        def found() -> list[Message]:
            self._collect()
            return [
                mail
                for mail in self._waiting
                if (mail["To"], mail["X-Judge-Kind"]) == (address, kind)
                and subject in mail["Subject"]
            ]

        never = f"no {kind} {subject} came to {address}"
        wait_until(lambda: bool(found()), lambda: f"{never}: {self.judge.log()[-2000:]}")
        mail = found()[0]
        self._waiting.remove(mail)
        return mail

    def _collect(self) -> None:
        new = self.there.smarthost.mails[self._read :]
        self._read += len(new)
        self._waiting += new
        for mail in new:
            if mail["To"] == IS_AWAY:
                self._send_note(mail)
            if mail["To"] == BOUNCES and "S1901M Results" in mail["Subject"]:
                to = self.there.smarthost.senders[str(mail["Message-ID"])]
                self.there.box.deliver(bounce(mail), to)

    def _send_note(self, mail: Message) -> None:
        note = new_email(
            IS_AWAY, "I am away until Monday.\n", str(mail["Reply-To"]), "Out of office"
        )
        note["Auto-Submitted"] = "auto-replied"
        note["In-Reply-To"] = mail["Message-ID"]
        self.notes.add(str(note["Message-ID"]))
        self.write(note, str(mail["Reply-To"]))
