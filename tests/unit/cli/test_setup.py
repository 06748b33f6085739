"""`judge setup`: five questions, then the settings of a judge."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.operator.setting_checks import Finding
from judge.cli.operator.setup import PROVIDERS, Provider
from judge.cli.operator.setup import setup as judge_setup
from judge.settings import Settings, load
from tests.support.dns_server import dns_server


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_SMTP", "127.0.0.1:0")
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    arrived = Finding("ok", "round trip", "tests/e2e/test_setup.py sends one")
    monkeypatch.setattr("judge.cli.operator.setup._check_round_trip", lambda *_: arrived)


def run(*answers: str, options: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(judge_setup, options, input="".join(f"{each}\n" for each in answers))


def written(folder: str = "judge") -> Settings:
    return load(Path(folder, "judge.toml"))


def last_lines(result: Result) -> list[str]:
    return result.stdout.split("\nNext:\n")[1].splitlines()


def test_a_judge_to_try_takes_five_empty_answers(tmp_path: Path) -> None:
    result = run("", "", "", "", "")

    assert result.exit_code == 0, result.stdout
    settings = written()
    assert settings.database == tmp_path / "judge" / "judge.db"
    assert settings.maildir == tmp_path / "judge" / "outgoing"
    assert settings.address == "judge@localhost"
    assert (tmp_path / "judge" / "backups").is_dir()
    assert "ok    database" in result.stdout
    assert len(last_lines(result)) == 3


def test_the_first_game_can_be_joined() -> None:
    result = run("", "try", "", "-", "baltic")

    assert "join with JOIN baltic" in result.stdout
    assert "ok    games: 1" in result.stdout
    assert not Path("judge", "backups").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    run("", "", "", "", "")
    before = (tmp_path / "judge" / "judge.toml").read_bytes()

    result = run("judge")

    assert result.exit_code == 69
    assert "Address" not in result.stdout, "nothing else is asked"
    assert "nothing is overwritten" in result.stderr
    assert (tmp_path / "judge" / "judge.toml").read_bytes() == before


def test_a_wrong_answer_is_asked_for_again() -> None:
    result = run("", "post", "try", "judge", "judge@judge.example", "", "")

    assert result.exit_code == 0
    assert "'post' is not one of" in result.output
    assert "expected an address, such as judge@example.org" in result.output
    assert written().address == "judge@judge.example"


def test_options_answer_in_advance() -> None:
    options = (
        "--kind=try",
        "--address=judge@localhost",
        "--folder=own",
        "--backups=-",
        "--game=-",
    )

    assert run(options=options).exit_code == 0
    assert written("own").address == "judge@localhost"


def test_a_wrong_option_is_refused() -> None:
    assert run(options=("--kind=try", "--address=judge")).exit_code != 0


def test_a_mailbox_has_its_password_in_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.cli.operator.check.examine", lambda _: iter(()))
    answers = ("", "", "imap.provider.example:143", "127.0.0.1:1", "club", "sesame")
    result = run("", "mailbox", "judge@provider.example", *answers)

    secret = tmp_path / "judge" / "password"
    assert secret.read_text() == "sesame\n"
    assert secret.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "judge" / "judge.toml").stat().st_mode & 0o777 == 0o600
    assert "sesame" not in (tmp_path / "judge" / "judge.toml").read_text() + result.stdout
    settings = written()
    assert settings.imap_password_file == settings.smarthost_password_file == secret
    assert (settings.imap_user, settings.smarthost_user) == ("club", "club")
    assert settings.imap_security == "starttls"
    assert settings.verify_dkim
    assert len(last_lines(result)) == 3


def test_a_setup_that_fails_keeps_nothing_and_can_be_run_again(tmp_path: Path) -> None:
    answers = ("", "baltic", "127.0.0.1:1", "127.0.0.1:1", "club", "sesame")
    (tmp_path / "kept").touch()

    for folder in ("there", "new/judge"):
        (tmp_path / "there").mkdir(exist_ok=True)
        result = run(folder, "mailbox", "judge@provider.example", *answers)

        assert result.exit_code == 1, "nobody answers there"
        assert "fail  imap" in result.stdout
        assert "Nothing was kept" in result.stdout
        assert {*tmp_path.rglob("*")} == {tmp_path / "kept", tmp_path / "there"}
        assert run(folder, "try", "", "-", "-").exit_code == 0
        shutil.rmtree(tmp_path / folder.partition("/")[0])


def test_a_judge_behind_postfix_waits_where_configure_delivers(tmp_path: Path) -> None:
    """The command that `setup` prints is run with a `postconf` that prints what it is told."""
    programs, copy = tmp_path / "bin", tmp_path / "configure"
    programs.mkdir()
    for name, does in {"postconf": "echo", "install": ":"}.items():
        (programs / name).write_text(f'#!/bin/sh\n{does} "$@"\n')
        (programs / name).chmod(0o755)
    result = run("", "server", "judge@judge.example", "-", "-", "")
    [told] = re.findall(r"as root: sh (.*?);", last_lines(result)[0])
    script, *words = shlex.split(told)
    copy.write_text(Path(script).read_text().replace("/etc/tmpfiles.d", str(tmp_path)))

    said = subprocess.run(
        ["sh", str(copy), *words],
        env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout

    assert f"lmtp:unix:{written().lmtp} }}" in said
    assert f"{written().smarthost}/inet=" in said
    assert result.exit_code == 0, "Postfix is not set up yet"


def test_a_mailbox_without_a_password_has_a_token_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.cli.operator.check.examine", lambda _: iter(()))
    run("", "mailbox", "judge@gmail.com", "", "", "", "", "", "", "/bin/token judge")

    settings = written()
    assert settings.imap_token_command == settings.smarthost_token_command == "/bin/token judge"
    assert str(settings.imap) == "imap.gmail.com:993"
    assert str(settings.smarthost) == "smtp.gmail.com:465"
    assert not Path("judge", "password").exists()


def test_a_provider_without_plus_addresses_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.cli.operator.check.examine", lambda _: iter(()))
    run("", "mailbox", "club@gmx.net", "", "", "", "", "", "sesame")

    assert written().recipient_delimiter == ""


@pytest.mark.parametrize("provider", PROVIDERS.values())
def test_the_servers_of_providers_are_settings(provider: Provider) -> None:
    settings = Settings.model_validate({"imap": provider.imap, "smarthost": provider.smarthost})

    assert settings.imap
    assert settings.imap.port == 993
    assert settings.smarthost
    assert settings.smarthost.port in (465, 587)


def test_a_judge_behind_its_own_server_gets_a_key_and_the_records_to_publish() -> None:
    result = run("", "server", "judge@judge.example", "", "", "")

    settings = written()
    assert settings.dkim_keys
    assert settings.received_by == "mx.judge.example"
    assert settings.smtp is None or settings.smtp.port == 0, "of the tests"
    records = result.stdout.split("DNS records:\n")[1].split("\nNext:")[0]
    with dns_server(records) as server:
        kinds = {each.to_text().split()[3] for each in server.rrsets}
        names = {each.name.to_text().split(".")[0] for each in server.rrsets}
    assert kinds == {"MX", "TXT"}
    assert names == {
        "judge",
        "_dmarc",
        settings.dkim_keys.joinpath("selector").read_text().strip(),
    }
    assert "PTR" in records
    page = (Path(__file__).parents[3] / "docs/operators/quick-start.md").read_text("utf-8")
    [policy] = re.findall(r"v=DMARC1; p=\w+", page)
    assert policy in records
    assert "postfix/configure mx.judge.example judge.example" in last_lines(result)[0]
    assert len(last_lines(result)) == 3


def test_an_uncreatable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    result = run("file/judge", "try", "", "-", "-")

    assert result.exit_code == 69
    assert "file/judge" in result.stderr


@pytest.mark.parametrize("answered", range(5))
def test_a_setup_that_is_interrupted_leaves_nothing(tmp_path: Path, answered: int) -> None:
    result = run(*("try", "", "", "", "")[:answered])

    assert result.exit_code == 1
    assert [*tmp_path.iterdir()] == []


def test_the_nightly_backup_goes_where_it_was_said_from_any_folder(tmp_path: Path) -> None:
    options = ("--kind=try", "--address=judge@localhost", "--game=-")
    own = tmp_path / "100 %" / "judge"
    result = run(options=(*options, f"--folder={own}", "--backups=saved"))
    nightly = last_lines(result)[2].partition("0 3 * * * ")[2]

    command = nightly.replace(r"\%", "%")  # as cron does
    assert "%" not in nightly.replace(r"\%", "")
    words = subprocess.run(  # with another program of that name, in another folder
        ["sh", "-c", f'judge() {{ printf "%s\n" "$@"; }}; {command}'],
        cwd="/",
        capture_output=True,
        check=True,
        text=True,
    ).stdout.splitlines()

    assert words[:3] == ["backup", "--config", str(own / "judge.toml")]
    assert Path(words[3]).parent == tmp_path / "saved"
    assert Path(words[3]).parent.is_dir()


@pytest.mark.parametrize("name", ['a "b" \\c', "spiele \N{GAME DIE}", "a\x7fb"])
def test_a_folder_may_have_any_name(name: str) -> None:
    result = run(name, "try", "", "-", "-")

    assert result.exit_code == 0, result.exception or result.output
    assert written(name).database == Path(name, "judge.db").absolute()
