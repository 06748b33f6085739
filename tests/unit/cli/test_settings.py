"""Settings: their sources, and the one-line error for a wrong one."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from judge.checkpoints import Verifier
from judge.errors import ConfigurationError
from judge.settings import DatabaseServer, Endpoint, Settings, load, unknown_variables
from tests.support import settings_page

FIELDS = sorted(Settings.model_fields)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "judge.toml"


def test_every_setting_has_a_default() -> None:
    settings = load()

    assert settings.database == Path("judge.db")
    assert settings.smtp == Endpoint("127.0.0.1", 8025)
    assert settings.maildir == Path("outgoing")
    assert settings.smarthost is None


def test_the_command_line_beats_the_environment_which_beats_the_file(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('smtp = "127.0.0.1:1"\nmaildir = "file"\njudge_code = "FILE"\n')
    monkeypatch.setenv("JUDGE_SMTP", "127.0.0.1:2")
    monkeypatch.setenv("JUDGE_MAILDIR", "environment")

    settings = load(config, {"smtp": "127.0.0.1:3", "maildir": None})

    assert settings.smtp == ("127.0.0.1", 3)
    assert settings.maildir == Path("environment")
    assert settings.judge_code == "FILE"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param("games.db", Path("games.db"), id="a path"),
        pytest.param("sqlite:///games.db", Path("games.db"), id="a URL"),
        pytest.param("sqlite:////var/lib/judge.db", Path("/var/lib/judge.db"), id="absolute"),
    ],
)
def test_a_database_is_a_path_or_its_url(written: str, read: Path) -> None:
    assert load(options={"database": written}).database == read


SERVER = "postgresql+psycopg://judge:tuna@fish@db.example.org:5432/judge"


def test_a_database_may_be_of_a_server_whose_password_is_never_shown() -> None:
    settings = load(options={"database": SERVER})

    assert settings.database == DatabaseServer(SERVER)
    assert str(settings.database) == "postgresql+psycopg://judge:***@db.example.org:5432/judge"
    assert "tuna" not in repr(settings)
    assert "fish" not in repr(settings)
    assert load(options={"database": settings.database}).database == settings.database


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("mysql://judge:swordfish@h/judge", "mysql://judge:***@h/judge"),
        ("postgres://:swordfish@h", "postgres://:***@h"),
        ("pg://h/judge?user=a&password=swordfish&x=1", "pg://h/judge?user=a&password=***&x=1"),
    ],
)
def test_an_invalid_database_url_is_reported_without_its_password(
    written: str, shown: str
) -> None:
    with pytest.raises(ConfigurationError) as told:
        load(options={"database": written})

    assert str(told.value).startswith(f"--database = '{shown}': expected the path of a file, ")


@pytest.mark.parametrize(
    "written", ["127.0.0.1:25", "mail.example.org:587", "[::1]:25"], ids=["IPv4", "name", "IPv6"]
)
def test_an_endpoint_reads_as_it_is_written(written: str) -> None:
    assert str(load(options={"smtp": written}).smtp) == written


WITNESS = str(Verifier("other.example/judge", b"k" * 32))


def test_the_hosts_of_the_metrics_are_names_without_ports(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.write_text('metrics_hosts = ["Judge.example.org", "proxy"]\n')
    assert load(config).metrics_hosts == ("judge.example.org", "proxy")

    monkeypatch.setenv("JUDGE_METRICS_HOSTS", "judge.example.org:9108")
    with pytest.raises(ConfigurationError, match="names without ports"):
        load()


def test_witnesses_are_a_list_or_have_commas_between_them(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = f"{WITNESS} judge@other.example", f"{WITNESS} judge@third.example"
    config.write_text(f"witnesses = {json.dumps(entries)}\n")
    assert load(config).witnesses == entries

    monkeypatch.setenv("JUDGE_WITNESSES", " , ".join(entries))
    assert load().witnesses == entries
    monkeypatch.setenv("JUDGE_WITNESSES", f"{WITNESS} ju..dge@other.example")
    with pytest.raises(ConfigurationError, match="judge log key"):
        load()


def test_an_empty_smarthost_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_SMARTHOST", "")

    assert load().smarthost is None


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        pytest.param("smtp = 25", "smtp = 25: expected HOST:PORT", id="no endpoint"),
        pytest.param('smtp = "h:70000"', "smtp = 'h:70000': expected HOST:PORT", id="no port"),
        pytest.param('smarthost = "h"', "smarthost = 'h': expected HOST:PORT", id="no smarthost"),
        pytest.param(
            'database = "mysql://h/d"',
            "database = 'mysql://h/d': expected the path of a file",
            id="another database",
        ),
        pytest.param(
            "tick_seconds = 0",
            "tick_seconds = 0: expected greater than or equal to 0.05",
            id="too small",
        ),
        pytest.param(
            'log_level = "loud"', "log_level = 'loud': expected 'debug', 'info'", id="no choice"
        ),
        pytest.param('judge_code = "x"', "judge_code = 'x': expected 2 to 8", id="no code"),
        pytest.param(
            'recipient_delimiter = "++"',
            "recipient_delimiter = '++': expected one of",
            id="two delimiters",
        ),
        pytest.param(
            'imap_token_command = "get \\"token"',
            "imap_token_command = 'get \"token': expected a command and its arguments",
            id="an open quotation mark",
        ),
        pytest.param(
            'address = "judge"', "address = 'judge': expected an address", id="no domain"
        ),
        pytest.param(
            'smpt = "x"',
            "smpt = 'x': there is no such setting; did you mean smtp?",
            id="a misspelling",
        ),
        pytest.param(
            'witnesses = ["judge@other.example"]',
            "witnesses = ['judge@other.example']: expected a list of entries that `judge log key`",
            id="no witness",
        ),
        pytest.param("volcano = 1", "volcano = 1: there is no such setting", id="no setting"),
        pytest.param("smtp =", "Invalid value", id="no TOML"),
    ],
)
def test_a_mistake_in_the_file_is_one_line_that_names_the_file(
    config: Path, line: str, complaint: str
) -> None:
    config.write_text(line)

    with pytest.raises(ConfigurationError) as wrong:
        load(config)

    assert str(wrong.value).startswith(f"{config}: {complaint}")
    assert "\n" not in str(wrong.value)


def test_a_mistake_elsewhere_is_named_by_its_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUDGE_TICK_SECONDS", "often")

    with pytest.raises(
        ConfigurationError, match=r"^--smtp = .x.: .*; JUDGE_TICK_SECONDS = .often.: "
    ):
        load(options={"smtp": "x"})


def test_a_missing_file_is_named(config: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"judge\.toml: No such file"):
        load(config)


def test_unknown_variables_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_SMPT", "127.0.0.1:25")
    monkeypatch.setenv("JUDGE_CONFIG", "judge.toml")

    assert unknown_variables() == ("JUDGE_SMPT",)


def test_the_page_of_settings_is_as_it_would_be_written_now() -> None:
    text = settings_page.FILE.read_text(encoding="utf-8")

    assert [each for each in FIELDS if f"\n| `{each}` |" not in text] == []
    assert settings_page.page(text) == text, "python -m tests.support.settings_page writes it"


def test_the_example_sets_everything_to_its_default() -> None:
    assert sorted(tomllib.loads(settings_page.EXAMPLE.read_text(encoding="utf-8"))) == FIELDS
    assert load(settings_page.EXAMPLE).model_dump() == load().model_dump()
