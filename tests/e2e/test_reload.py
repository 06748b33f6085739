"""SIGHUP reloads settings and templates without disturbing connected clients."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import CONFIGURED, Daemon, Player, new_email, text_of, wait_until
from tests.support.mail_server import listening

CONFIGURATION = 78
HELP = "mail/help.txt.j2"
WORDS = """{{% extends "mail/base.txt.j2" %}}
{{% block subject %}}Help{{% endblock %}}
{{% block body %}}
{0}
{{% endblock %}}
"""


def configure(daemon: Daemon, **settings: object) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (daemon.folder / "judge.toml").write_text("\n".join(lines) + "\n")


def word(daemon: Daemon, name: str, text: str) -> None:
    file = daemon.folder / "words" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def records(daemon: Daemon, event: str) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in daemon.log().splitlines() if line.startswith("{")]
    return [line for line in lines if line["event"] == event]


def reload(daemon: Daemon, event: str = "reload.done") -> dict[str, object]:
    """Make the daemon reload, and return its latest record of *event*."""
    before = len(records(daemon, event))
    assert daemon.process
    daemon.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(records(daemon, event)) > before, f"there is no {event}")
    return records(daemon, event)[-1]


def asked(daemon: Daemon, who: str) -> str:
    """Return what *who* is told who asks for help."""
    player = Player(daemon, f"{who}@players.example")
    player.write("HELP\n")
    return text_of(player.wait_for("help"))


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A judge with a file of settings, whose test starts it."""
    config = {"JUDGE_CONFIG": str(tmp_path / "judge.toml")}
    environment = {**CONFIGURED, **config}
    del environment["JUDGE_MAIL_FORM"], environment["JUDGE_TICK_SECONDS"]
    with Daemon(tmp_path, environment) as daemon:
        yield daemon


def test_a_reload_reads_templates_and_keeps_the_old_ones_if_they_are_broken(
    daemon: Daemon,
) -> None:
    word(daemon, HELP, WORDS.format("Ask your aunt."))
    configure(daemon, templates="words", tick_seconds=0.1)
    daemon.start()
    assert "Ask your aunt." in asked(daemon, "anne")

    word(daemon, HELP, WORDS.format("Ask your uncle."))
    assert "Ask your aunt." in asked(daemon, "bob")  # being edited, and not yet to be used
    reload(daemon)
    assert "Ask your uncle." in asked(daemon, "carl")

    word(daemon, HELP, WORDS.format("Ask {{ nobody"))
    refused = reload(daemon, "reload.refused")
    assert str(refused["reason"]).startswith(f"words/{HELP}:5: ")
    assert "Ask your uncle." in asked(daemon, "dora")

    configure(daemon, tick_seconds=0.1)
    assert reload(daemon)["changed"] == "templates"
    assert "Ask your uncle." not in asked(daemon, "emil")
    assert daemon.stop() == 0


def test_a_reload_reads_settings_without_losing_a_connection(daemon: Daemon) -> None:
    configure(daemon, tick_seconds=0.1)
    with listening() as peer:
        daemon.start()
        with daemon.smtp() as connection:
            configure(
                daemon,
                tick_seconds=0.2,
                smarthost=f"127.0.0.1:{peer.port}",
                message_bytes_max=20_000,
                keep_mail_days=30,
            )
            assert reload(daemon)["changed"] == "keep_mail_days smarthost tick_seconds"
            [told] = records(daemon, "reload.needs_restart")
            assert told["settings"] == "message_bytes_max"
            connection.send_message(new_email("anne@players.example", "HELP\n"))
        wait_until(lambda: bool(peer.mails), "the new smarthost got nothing")

        configure(daemon, tick_seconds="often")
        refused = reload(daemon, "reload.refused")
        assert "tick_seconds = 'often': expected" in str(refused["reason"])
        daemon.send(new_email("bob@players.example", "HELP\n"))
        wait_until(lambda: len(peer.mails) > 1, "the smarthost is not the one of before")

        word(daemon, HELP, WORDS.format("Ask your aunt."))
        configure(daemon, tick_seconds=0.1, templates="words", maildir="judge.toml/out")
        refused = reload(daemon, "reload.refused")
        assert "Not a directory" in str(refused["reason"])
        daemon.send(new_email("carl@players.example", "HELP\n"))
        wait_until(lambda: len(peer.mails) > 2, "a half of what was refused was taken")
        assert "Ask your aunt." not in text_of(peer.mails[-1])
        assert daemon.stop() == 0


def test_a_judge_does_not_start_with_broken_templates(daemon: Daemon) -> None:
    word(daemon, HELP, "{% if %}")
    configure(daemon, templates="words")

    said = daemon.judge("serve", code=CONFIGURATION)

    assert said.startswith(f"judge: words/{HELP}:1: ")
    assert said.count("\n") == 1
