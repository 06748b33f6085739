"""Outgoing SMTP to a peer that accepts, defers, or drops the connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import pytest
from aiosmtpd.smtp import AuthResult

from judge.adapters import smarthost
from judge.adapters.smarthost import Smarthost
from tests.support.certificates import Certificates, certificates
from tests.support.daemon import PATIENCE_SECONDS, Daemon, copied, seated, wait_until
from tests.support.mail_server import LOGIN, WORD, MailServer, knows, listening

STATES = "SELECT state, attempts FROM outbox WHERE kind = 'receipt' ORDER BY id DESC LIMIT 1"
CLOSED_SECONDS_MAX = 2  # a socket that nobody closes is open until garbage is collected
A_MINUTE_LATER = "UPDATE outbox SET due_utc = datetime(due_utc, '-61 seconds') || '.000000'"


@pytest.fixture
def peer() -> Iterator[MailServer]:
    """A mail server that takes everything."""
    with listening() as peer:
        yield peer


@pytest.fixture
def sending(begun: Path, tmp_path: Path, peer: MailServer) -> Iterator[Daemon]:
    """A judge that sends through *peer*; the test starts it."""
    with copied(begun, tmp_path, JUDGE_SMARTHOST=f"127.0.0.1:{peer.port}") as daemon:
        yield daemon
        assert daemon.stop() == 0


def order(daemon: Daemon) -> str:
    """Order for France, and return the Message-ID of that email."""
    player, start = seated(daemon, "FRANCE")
    mail = player.answering(start, "A Par-Bur\n")
    daemon.send(mail)
    return str(mail["Message-ID"])


def test_emails_go_to_the_smarthost(sending: Daemon, peer: MailServer) -> None:
    sending.start()
    asked = order(sending)
    wait_until(lambda: bool(peer.mails), "the peer got nothing")
    sending.come_to_rest()

    (receipt,) = peer.mails
    assert receipt["To"] == "france@players.example"
    assert receipt["In-Reply-To"] == asked


def test_an_email_refused_for_now_is_offered_again_unchanged(
    sending: Daemon, peer: MailServer
) -> None:
    peer.refused.append("451 4.3.0 Not now")
    sending.start()
    order(sending)
    wait_until(lambda: sending.ask(STATES) == [("queued", 1)], "nobody counted the attempt")
    assert peer.mails == []
    (waiting,) = sending.ask("SELECT message_id FROM outbox WHERE state = 'queued'")
    sending.stop()

    sending.change(A_MINUTE_LATER)
    sending.start()
    sending.come_to_rest()

    assert peer.ids("receipt") == list(waiting)
    assert sending.ask(STATES) == [("sent", 2)]


def test_an_email_refused_for_good_is_given_up(sending: Daemon, peer: MailServer) -> None:
    peer.refused.append("550 5.1.1 Nobody of that name")
    sending.start()
    order(sending)
    sending.come_to_rest()

    assert peer.ids("receipt") == []
    assert sending.ask(STATES) == [("given_up", 1)]


def test_an_email_accepted_when_the_judge_died_is_repeated_unchanged(
    sending: Daemon, peer: MailServer
) -> None:
    sending.start(
        "tests.faults.dying", "judge.adapters.smarthost", "Smarthost", "deliver", "after", "1"
    )
    order(sending)
    sending.reap()
    assert len(peer.mails) == 1

    sending.start()
    sending.come_to_rest()

    first, again = peer.ids("receipt")
    assert first == again


# A smarthost that wants TLS and a password


IN_TLS_ALREADY = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


@pytest.fixture
def certs(tmp_path: Path) -> Certificates:
    folder = tmp_path / "certificates"
    folder.mkdir()
    return certificates(folder)


def logging_in(
    peer: MailServer, folder: Path, certs: Certificates, security: str
) -> dict[str, str]:
    """Return the settings of a judge that logs in at *peer*."""
    secret = folder / "smarthost.password"
    secret.write_text(f"{WORD}\n")
    return {
        "JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}",
        "JUDGE_SMARTHOST_SECURITY": security,
        "JUDGE_SMARTHOST_USER": LOGIN,
        "JUDGE_SMARTHOST_PASSWORD_FILE": str(secret),
        "SSL_CERT_FILE": str(certs.authority),
    }


def asking(
    security: str, certs: Certificates, authenticator: Callable[..., AuthResult]
) -> AbstractContextManager[MailServer]:
    """Run a peer that takes mail of those only who log in, over TLS."""
    wants = {"auth_required": True, "authenticator": authenticator}
    if security == "tls":  # of which aiosmtpd does not know that it is TLS
        return listening({**wants, "auth_require_tls": False}, tls=certs.context())
    return listening({**wants, "tls_context": certs.context()})


@IN_TLS_ALREADY
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_the_judge_logs_in_to_a_smarthost_and_reveals_the_password_nowhere_else(
    begun: Path, tmp_path: Path, certs: Certificates, security: str
) -> None:
    with asking(security, certs, knows) as peer:
        settings = logging_in(peer, tmp_path, certs, security)
        with copied(begun, tmp_path, **settings) as daemon:
            daemon.start()
            order(daemon)
            daemon.come_to_rest()
            assert daemon.stop() == 0
            assert WORD not in daemon.log()
        assert len(peer.ids("receipt")) == 1


@IN_TLS_ALREADY
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_no_password_goes_to_a_smarthost_without_a_valid_certificate(
    begun: Path, tmp_path: Path, certs: Certificates, security: str
) -> None:
    (tmp_path / "others").mkdir()
    told: list[object] = []

    def overhears(*said: object) -> AuthResult:
        told.append(said)
        return AuthResult(success=True)

    with asking(security, certificates(tmp_path / "others"), overhears) as peer:
        settings = logging_in(peer, tmp_path, certs, security)
        with copied(begun, tmp_path, **settings) as daemon:
            daemon.start()
            order(daemon)
            wait_until(lambda: daemon.ask(STATES) == [("queued", 1)], "it was never tried")
            assert daemon.stop() == 0
            assert "CERTIFICATE_VERIFY_FAILED" in str(daemon.ask("SELECT reason FROM outbox"))
    assert (peer.mails, told) == ([], [])


def test_a_smarthost_without_starttls_gets_no_password(
    begun: Path, tmp_path: Path, certs: Certificates, peer: MailServer
) -> None:
    settings = logging_in(peer, tmp_path, certs, "starttls")
    with copied(begun, tmp_path, **settings) as daemon:
        daemon.start()
        order(daemon)
        wait_until(lambda: daemon.ask(STATES) == [("queued", 1)], "it was never tried")
        assert daemon.stop() == 0
    assert peer.mails == []


def test_a_check_ends_its_connection_though_the_server_does_not_end_tls(
    certs: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certs.authority))
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:
        ended = pool.submit(converse_and_stay, server, certs.context())
        ours = Smarthost("127.0.0.1", server.getsockname()[1], security="tls")

        assert asyncio.run(ours.fault()) is None

        assert ended.result(PATIENCE_SECONDS)


def test_a_check_of_a_silent_server_ends_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smarthost, "CHECK_SECONDS_MAX", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        found = asyncio.run(Smarthost("127.0.0.1", server.getsockname()[1]).fault())
        with server.accept()[0] as client:
            client.settimeout(CLOSED_SECONDS_MAX)

            assert found
            assert client.recv(1_000) == b""


def converse_and_stay(server: socket.socket, tls: ssl.SSLContext) -> bool:
    """Answer one client, and return whether it has closed the connection soon after QUIT."""
    client, _ = server.accept()
    with client, tls.wrap_socket(client, server_side=True, suppress_ragged_eofs=False) as talk:
        talk.sendall(b"220 here\r\n")
        with talk.makefile("rb") as lines:
            while not lines.readline().startswith(b"QUIT"):
                talk.sendall(b"250 yes\r\n")
        talk.sendall(b"221 bye\r\n")
        raw = socket.socket(fileno=talk.detach())  # which leaves TLS as it is
    with raw:
        raw.settimeout(CLOSED_SECONDS_MAX)
        with suppress(ConnectionError):
            try:
                while raw.recv(1_000):
                    pass
            except TimeoutError:
                return False
        return True
