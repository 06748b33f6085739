"""The forgeries again, through a real Postfix and OpenDKIM with the configuration of `deploy/`."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import ADDRESS, PATIENCE_SECONDS, Daemon, copied, seated
from tests.support.forged_emails import (
    FORGERIES,
    NAMES,
    ORDER,
    OURS,
    PASSED,
    WHERE_A_BOUNDARY_CHECKS,
    Victim,
    email,
    signed,
)
from tests.support.opendkim import opendkim
from tests.support.postfix import HOST, Postfix, postfix
from tests.support.servers import free_door

DEPLOY = Path(__file__).parents[2] / "deploy"
FRANCE = "france@players.example"
OUTSIDE = ("127.0.0.2", 0)  # mail of 127.0.0.1 is our own machine's
EVENTS = "SELECT type FROM events ORDER BY position"
LOCAL = {"JUDGE_AUTHSERV_ID": HOST, "JUDGE_RECEIVED_BY": HOST, "JUDGE_HANDOVER_SECONDS": "0"}
ALL = FORGERIES | WHERE_A_BOUNDARY_CHECKS


def configured(port: int) -> dict[str, str]:
    """Return what `deploy/postfix/configure` sets about the checks of a sender."""
    text = (DEPLOY / "postfix" / "configure").read_text()
    pairs = re.findall(r"'(smtpd_forbid_bare_newline\w*|smtpd_data_restrictions) =([^']*)'", text)
    milter = f"inet:127.0.0.1:{port}"
    headers = {"header_checks": f"regexp:{DEPLOY / 'postfix' / 'judge_headers'}"}
    assert "header_checks = regexp:$etc/judge_headers" in text
    return {**dict(pairs), **headers, "smtpd_milters": milter, "non_smtpd_milters": milter}


@pytest.fixture(scope="module")
def judge(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A judge behind a boundary server that it trusts, with its own SMTP port open too."""
    lmtp = {"JUDGE_LMTP": free_door()}
    with copied(begun, tmp_path_factory.mktemp("forged"), **LOCAL, **lmtp) as daemon:
        daemon.start()
        yield daemon


@pytest.fixture(scope="module")
def mx(judge: Daemon) -> Iterator[Postfix]:
    """Postfix and OpenDKIM before that judge."""
    with opendkim(NAMES) as milter:
        settings = configured(milter.port) | {"milter_default_action": "tempfail"}
        with postfix(f"lmtp:inet:{judge.environment['JUDGE_LMTP']}", settings) as mx:
            yield mx


@pytest.fixture(scope="module")
def victim(judge: Daemon, mx: Postfix) -> Victim:
    """A player who has sent signed orders, and others since."""
    _, start = seated(judge, "FRANCE")
    sent = signed(email(FRANCE, ADDRESS, "A Par-Bur", Message_ID=""))
    live = str(start["Reply-To"])
    for raw, to in ((sent, ADDRESS), (email(FRANCE, live, "A Par-Pic"), live)):
        assert through(mx, judge, raw, to) == ["orders_submitted"]
    return Victim(FRANCE, ADDRESS, live, str(start["Message-ID"]), sent=sent)


def events(judge: Daemon) -> list[object]:
    """Return the types of all events, oldest first."""
    return [kind for (kind,) in judge.ask(EVENTS)]


def through(mx: Postfix, judge: Daemon, raw: bytes, to: str = ADDRESS) -> list[object]:
    """Send *raw* from outside, and return the types of the events that it appended."""
    before, came = events(judge), judge.ask("SELECT count(*) FROM inbox")
    port = mx.port
    with smtplib.SMTP("127.0.0.1", port, "x", PATIENCE_SECONDS, source_address=OUTSIDE) as client:
        client.sendmail("somebody@players.example", [to], raw)
    mx.come_to_rest()
    judge.come_to_rest()
    assert judge.ask("SELECT count(*) FROM inbox") != came, mx.log()[-2000:]
    return events(judge)[len(before) :]


def past(judge: Daemon, raw: bytes, to: str = ADDRESS) -> list[object]:
    """Send *raw* to the judge's own SMTP door, and return the types of the events appended."""
    before = events(judge)
    with judge.smtp() as client:
        client.sendmail("somebody@players.example", [to], raw)
    judge.come_to_rest()
    return events(judge)[len(before) :]


def recipient(raw: bytes, victim: Victim) -> str:
    return victim.live if f"To: {victim.live}".encode() in raw else ADDRESS


@pytest.mark.parametrize("name", [name for name in ALL if name != "another player's token"])
def test_no_forgery_through_postfix_and_opendkim_appends_an_event(
    judge: Daemon, mx: Postfix, victim: Victim, name: str
) -> None:
    raw = ALL[name](victim)

    assert through(mx, judge, raw, recipient(raw, victim)) == []


@pytest.mark.parametrize(
    "field", [f"{OURS}; {PASSED}", f"(x) {OURS}; {PASSED}", f'"{OURS}"; {PASSED}']
)
def test_postfix_removes_forged_authentication_results(
    judge: Daemon, mx: Postfix, victim: Victim, field: str
) -> None:
    head = f"Authentication-Results: {field}\r\nauthentication-results : other.example; x=y\r\n"
    raw = head.encode() + email(FRANCE, ADDRESS, X=field)

    assert through(mx, judge, raw) == []

    [(kept,)] = judge.ask("SELECT raw FROM inbox ORDER BY id DESC LIMIT 1")
    assert isinstance(kept, bytes)
    results = re.findall(rb"(?im)^authentication-results *:.*(?:\n[ \t].*)*", kept)
    assert len(results) == 1
    assert b"dkim=none" in results[0]
    assert victim.address == FRANCE


@pytest.mark.parametrize("way", ["results as ours are", "an older Received"])
def test_emails_by_the_smtp_door_get_no_trust_from_their_headers(
    judge: Daemon, victim: Victim, way: str
) -> None:
    assert past(judge, ALL[way](victim)) == []

    [(late,)] = judge.ask(
        "SELECT count(*) FROM inbox WHERE way_in = 'smtp' AND received_utc < '2002'"
    )
    assert late == 0


@pytest.mark.parametrize("what", ["token", "signature", "thread and signature"])
def test_honest_emails_among_forgeries_count(
    judge: Daemon, mx: Postfix, victim: Victim, what: str
) -> None:
    text = {"token": "A Mar H", "signature": ORDER, "thread and signature": "F Bre-Eng"}[what]
    raw = {
        "token": email(FRANCE, victim.live, text),
        "signature": signed(email(FRANCE, ADDRESS, text)),
        "thread and signature": signed(email(FRANCE, ADDRESS, text, In_Reply_To=victim.live_id)),
    }[what]

    assert through(mx, judge, raw, recipient(raw, victim)) == ["orders_submitted"]
