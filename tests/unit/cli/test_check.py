"""`judge check`: its findings about settings and environment."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner, Result

from judge.adapters import smarthost
from judge.cli.operator import setting_checks
from judge.cli.operator.check import check
from tests.support.certificates import certificates
from tests.support.dovecot import PASSWORD, USER, dovecot
from tests.support.mail_server import LOGIN, WORD, knows, listening
from tests.support.postgres import Postgres


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_SMTP", "127.0.0.1:0")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(check, arguments)


def found(level: str, *arguments: str) -> list[str]:
    """Return the settings with findings of *level*."""
    findings = [json.loads(line) for line in run("--json", *arguments).stdout.splitlines()]
    return [each["setting"] for each in findings if each["level"] == level]


def test_no_configuration_is_sound_and_the_warning_is_that_a_from_can_be_forged() -> None:
    result = run()

    assert result.exit_code == 0
    assert found("warning") == ["authserv_id"]
    assert "warning  authserv_id: none; From can be forged" in result.stdout


def test_the_sqlite_version_and_journal_are_reported() -> None:
    assert "SQLite 3." in run().stdout
    assert "journal" in run().stdout


def test_the_server_and_whether_it_answers_are_reported(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = postgres.empty()
    assert "ok       database: PostgreSQL " in run("--database", here.url).stdout

    monkeypatch.setattr(setting_checks, "CLOCK_SECONDS_MAX", -1.0)
    assert "from ours: synchronize them" in run("--database", here.url).stdout

    nowhere = "postgresql+psycopg://judge:swordfish@127.0.0.1:1/judge"
    silent = run("--database", nowhere)
    assert silent.exit_code == 1
    assert "error    database: the database postgresql+psycopg://judge:***@127" in silent.stdout
    assert "swordfish" not in silent.output


def test_compiled_rules_are_reported() -> None:
    assert "ok       rules: pure Python\n" in run().stdout


def test_an_invalid_setting_exits_with_78() -> None:
    result = run("--smtp", "here")

    assert result.exit_code == 78
    assert result.stderr == (
        "judge: --smtp = 'here': expected HOST:PORT, such as 127.0.0.1:8025, "
        "with a port up to 65535\n"
    )


@pytest.mark.parametrize(
    ("arguments", "setting"),
    [
        pytest.param(("--database", "missing/judge.db"), "database", id="no folder"),
        pytest.param(("--maildir", "/dev/null/mail"), "maildir", id="no folder for mail"),
        pytest.param(("--smtp", "203.0.113.1:25"), "smtp", id="not our interface"),
    ],
)
def test_a_fatal_finding_exits_with_1(arguments: tuple[str, ...], setting: str) -> None:
    assert found("error", *arguments) == [setting]
    assert run(*arguments).exit_code == 1


def test_a_port_in_use_is_a_warning() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = f"127.0.0.1:{other.getsockname()[1]}"

        assert found("warning", "--smtp", taken) == ["smtp", "authserv_id"]


@pytest.mark.parametrize(
    ("variable", "value", "settings"),
    [
        pytest.param("RECIPIENT_DELIMITER", "", ["recipient_delimiter"], id="no delimiter"),
        pytest.param("SMTP", "0.0.0.0:0", ["smtp"], id="open to the outside"),
        pytest.param("SMARTHOST", "127.0.0.1:9", ["smarthost", "address"], id="nobody listens"),
        pytest.param("SMPT", "127.0.0.1:25", ["JUDGE_SMPT"], id="no such variable"),
    ],
)
def test_a_doubtful_setting_is_a_warning(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, settings: list[str]
) -> None:
    monkeypatch.setenv("JUDGE_AUTHSERV_ID", "mx.example.org")
    monkeypatch.setenv("JUDGE_RECEIVED_BY", "mx.example.org")
    monkeypatch.setenv("JUDGE_SOCKET", "mail")
    monkeypatch.setenv(f"JUDGE_{variable}", value)

    assert found("warning") == settings


def test_an_address_that_leaves_no_room_for_a_token_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_ADDRESS", f"{'j' * 60}@example.org")

    assert found("error") == ["address"]


def test_a_delimiter_is_found_behind_an_address_that_holds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_ADDRESS", "the-judge@example.org")
    monkeypatch.setenv("JUDGE_RECIPIENT_DELIMITER", "-")

    assert "recipient_delimiter" in found("ok")


def test_a_socket_is_looked_at_before_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for path, level in (("run/mail", "error"), ("file", "error"), ("mail", "ok")):
        monkeypatch.setenv("JUDGE_SOCKET", path)
        monkeypatch.setenv("JUDGE_LMTP", f"./{path}")
        assert {"socket", "lmtp"} <= set(found(level))
    assert found("warning") == ["received_by", "authserv_id"]
    monkeypatch.setenv("JUDGE_RECEIVED_BY", "mx.example.org")
    assert found("warning") == ["authserv_id"]


def test_a_mailbox_that_cannot_be_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"127.0.0.1:{taken.getsockname()[1]}"
    monkeypatch.setenv("JUDGE_IMAP", nobody)
    assert (
        "imap needs imap_user, and either imap_password_file or imap_token_command" in run().stdout
    )
    monkeypatch.setenv("JUDGE_IMAP_USER", "judge")
    monkeypatch.setenv("JUDGE_IMAP_PASSWORD_FILE", "secret")
    assert "imap_password_file: secret: No such file or directory" in run().stdout
    (tmp_path / "secret").write_text("secret\n")
    (tmp_path / "secret").chmod(0o644)
    result = run()
    assert result.exit_code == 1
    assert (
        f"error    imap: {nobody}: the server cannot be reached: Connection refused"
        in result.stdout
    )
    assert "others can read" in result.stdout


def test_a_smarthost_login_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certs = certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certs.authority))
    monkeypatch.setenv("JUDGE_SMARTHOST_SECURITY", "starttls")
    monkeypatch.setenv("JUDGE_SMARTHOST_USER", LOGIN)
    wants = {"tls_context": certs.context(), "auth_required": True, "authenticator": knows}
    with listening(wants) as peer:
        monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
        assert "smarthost_user needs either smarthost_password_file or" in run().stdout
        monkeypatch.setenv("JUDGE_SMARTHOST_PASSWORD_FILE", "secret")
        assert found("error") == ["smarthost"]
        (tmp_path / "secret").write_text("another\n")
        refused = run()
        assert f"warning  smarthost: the login is refused: 127.0.0.1:{peer.port}: 535" in (
            refused.stdout
        )
        assert refused.exit_code == 0, "mail waits until the password is right"
        (tmp_path / "secret").write_text(f"{WORD}\n")
        assert f"ok       smarthost: mail is sent through 127.0.0.1:{peer.port}" in run().stdout


def test_a_smarthost_that_does_not_answer_refuses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_SMARTHOST", "127.0.0.1:9")
    assert "warning  smarthost: there is no connection: 127.0.0.1:9: " in run().stdout
    with socket.create_server(("127.0.0.1", 0)) as server:
        refusing = Thread(target=_refuse, args=[server])
        refusing.start()
        where = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setenv("JUDGE_SMARTHOST", where)
        assert f"warning  smarthost: mail is refused: {where}: 554" in run().stdout
        refusing.join()


def _refuse(server: socket.socket) -> None:
    with server.accept()[0] as connection:
        connection.sendall(b"554 no service here\r\n")
        connection.recv(1_000)  # QUIT, or the end


def test_a_database_that_is_a_folder_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("JUDGE_DATABASE", "folder")

    assert found("error") == ["database"]


def test_port_465_implies_tls_unless_the_setting_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certs = certificates(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certs.authority))
    with listening(tls=certs.context()) as peer:
        monkeypatch.setattr(smarthost, "TLS_PORT", peer.port)
        monkeypatch.setenv("JUDGE_SMARTHOST", f"127.0.0.1:{peer.port}")
        assert "smarthost" in found("ok")
        monkeypatch.setattr(smarthost, "CHECK_SECONDS_MAX", 1.0)  # peers with TLS wait too
        monkeypatch.setenv("JUDGE_SMARTHOST_SECURITY", "none")
        assert "smarthost" in found("warning")


def test_the_port_of_the_metrics_is_free_or_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_METRICS", "127.0.0.1:0")
    assert "metrics" in found("ok")
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setenv("JUDGE_METRICS", f"127.0.0.1:{other.getsockname()[1]}")
        assert "metrics" in found("warning")


def test_a_mailbox_login_is_tried_without_changing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with dovecot() as box:
        box.deliver(b"Subject: x\r\n\r\nx\r\n")
        secret = tmp_path / "secret"
        secret.write_text(f"{PASSWORD}\n")
        secret.chmod(0o600)
        monkeypatch.setenv("JUDGE_IMAP", f"127.0.0.1:{box.port}")
        monkeypatch.setenv("JUDGE_IMAP_SECURITY", "none")
        monkeypatch.setenv("JUDGE_IMAP_USER", USER)
        monkeypatch.setenv("JUDGE_IMAP_PASSWORD_FILE", str(secret))
        said = run().stdout
        assert (
            f"ok       imap: {USER}@127.0.0.1:{box.port}/INBOX can be read, with IDLE; emails: 1"
            in said
        )
        with box.session() as other:
            assert other.search("UNSEEN") == [1]
