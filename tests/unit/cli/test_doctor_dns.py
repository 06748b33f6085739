"""`judge doctor --dns`: MX, SPF, DKIM, DMARC and PTR records of the judge's domain."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.dns_zone import Resolver, txt_record
from judge.cli.operator import dns_checks
from judge.cli.operator.check import DOCTOR_LEVELS, doctor
from judge.settings import load, to_endpoint
from tests.support.dns_server import DnsServer, dns_server

SENDS_FROM = "203.0.113.25"
ZONE = f"""
judge.example. IN MX 10 mx.judge.example.
judge.example. IN TXT "v=spf1 mx -all"
mx.judge.example. IN A {SENDS_FROM}
_dmarc.judge.example. IN TXT "v=DMARC1; p=reject"
25.113.0.203.in-addr.arpa. IN PTR mx.judge.example.
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: DkimKeys) -> Iterator[DnsServer]:
    """Run a DNS server with all the records that a judge needs."""
    monkeypatch.chdir(tmp_path)
    ours = {
        "SMTP": "127.0.0.1:0",
        "ADDRESS": "judge@judge.example",
        "DKIM_KEYS": str(keys.folder),
        "RECEIVED_BY": "mx.judge.example",
        "LMTP": "127.0.0.1:0",
    }
    for name, value in ours.items():
        monkeypatch.setenv(f"JUDGE_{name}", value)
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    with dns_server(ZONE) as running:
        running.publish(record_of(keys, keys.selectors()[0]))
        yield running


def record_of(keys: DkimKeys, selector: str) -> str:
    return txt_record(f"{selector}._domainkey.judge.example", keys.record(selector))


def findings(server: DnsServer, *arguments: str) -> dict[str, Any]:
    """Return the DNS findings by name, the last one of each."""
    asked = ("--dns", "--resolver", server.endpoint, "--json", *arguments)
    lines = CliRunner().invoke(doctor, asked).stdout.splitlines()
    found = {each["setting"]: each for each in map(json.loads, lines)}
    return {name: found[name] for name in ("MX", "SPF", "DKIM", "DMARC", "PTR")}


def found(server: DnsServer, name: str) -> tuple[str, str, str]:
    """Return level, text and advice of the last finding called *name*."""
    resolver = Resolver(to_endpoint(server.endpoint))
    *_, last = dns_checks.check_records(name, dns_checks.mail_domain(load(), SENDS_FROM), resolver)
    return DOCTOR_LEVELS[last.level], last.text, last.advice


def with_spf(server: DnsServer, *records: str, others: str = "") -> tuple[str, str, str]:
    server.withdraw("judge.example")
    server.publish("judge.example. IN MX 10 mx.judge.example.\n" + others)
    for record in records:
        server.publish(f'judge.example. IN TXT "{record}"')
    return found(server, "SPF")


def test_a_domain_with_all_its_records_is_ok(server: DnsServer) -> None:
    told = findings(server, "--sends-from", SENDS_FROM)

    assert {name: each["level"] for name, each in told.items()} == dict.fromkeys(told, "ok")
    assert "1 of 10 lookups" in told["SPF"]["text"]


def test_the_dns_is_asked_only_on_request(server: DnsServer) -> None:
    CliRunner().invoke(doctor, ["--json"])

    assert not server.asked


def test_the_address_that_sends_is_that_of_the_mail_server(server: DnsServer) -> None:
    told = findings(server)

    assert SENDS_FROM in told["PTR"]["text"]
    assert SENDS_FROM in told["SPF"]["text"]


def test_each_missing_record_is_printed_ready_to_paste(server: DnsServer) -> None:
    server.rrsets.clear()

    told = findings(server, "--sends-from", SENDS_FROM)

    records = "\n".join(each["advice"].partition(": ")[2] for each in told.values())
    server.publish(f"mx.judge.example. IN A {SENDS_FROM}\n{records}")
    assert all(
        each["level"] == "ok" for each in findings(server, "--sends-from", SENDS_FROM).values()
    )


def test_an_unknown_address_is_not_guessed(
    server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_SMARTHOST", "smtp.provider.example:465")

    told = findings(server)

    assert "--sends-from" in told["PTR"]["text"]
    assert told["SPF"]["level"] == "ok"


def test_a_null_mx_is_a_fail(server: DnsServer) -> None:
    server.withdraw("judge.example")
    server.publish("judge.example. IN MX 0 .")

    level, text, advice = found(server, "MX")

    assert level == "fail"
    assert "null MX" in text
    assert "judge.example. IN MX 10 mx.judge.example." in advice


@pytest.mark.parametrize(
    ("record", "level"),
    [("IN CNAME elsewhere.example.", "warn"), ("IN TXT nothing", "fail")],
)
def test_an_mx_names_a_host_with_an_address_of_its_own(
    server: DnsServer, record: str, level: str
) -> None:
    server.withdraw("mx.judge.example")
    server.publish(f"mx.judge.example. {record}\nelsewhere.example. IN A {SENDS_FROM}")

    assert found(server, "MX")[0] == level


def test_several_spf_records_are_a_fail(server: DnsServer) -> None:
    level, text, _ = with_spf(server, "v=spf1 mx -all", "v=spf1 -all")

    assert (level, "2 records" in text) == ("fail", True)


@pytest.mark.parametrize(
    "record",
    [
        f"v=spf1 ip4:{SENDS_FROM} -all",
        "v=spf1 ip4:203.0.113.0/24 ~all",
        "v=spf1 a:mx.judge.example -all",
        "v=spf1 a:mx2.judge.example/24 -all",
        "v=spf1 ip6:2001:db8::/32 include:_spf.provider.example -all",
        "v=spf1 redirect=_spf.provider.example",
        "v=spf1 exists:%{i}.lists.example mx -all",
    ],
)
def test_an_spf_record_passes_for_the_address_that_sends(server: DnsServer, record: str) -> None:
    others = (
        "mx2.judge.example. IN A 203.0.113.9\n"
        '_spf.provider.example. IN TXT "v=spf1 ip4:203.0.113.0/26 -all"\n'
    )

    assert with_spf(server, record, others=others)[0] == "ok"


@pytest.mark.parametrize(
    "record",
    [
        "v=spf1 -all",
        "v=spf1 ip4:198.51.100.0/24 -all",
        f"v=spf1 -ip4:{SENDS_FROM} mx -all",
        "v=spf1 include:_spf.provider.example -all",  # has no address
        "v=spf1 ip4:nonsense -all",
        "v=spf1 mix -all",
        "v=spf1 include:judge.example -all",  # endless recursion
        "v=spf1 " + " ".join(f"a:h{number}.example" for number in range(11)) + " -all",
    ],
)
def test_an_spf_record_that_fails_for_the_judge_is_found(server: DnsServer, record: str) -> None:
    level, _, advice = with_spf(server, record)

    assert level == "fail"
    assert advice


def test_ten_lookups_are_allowed_over_all_includes(server: DnsServer) -> None:
    hosts = " ".join(f"a:h{number}.example" for number in range(8))
    others = f'_spf.provider.example. IN TXT "v=spf1 {hosts} -all"\n' + "".join(
        f"h{number}.example. IN A 198.51.100.{number}\n" for number in range(8)
    )
    others += "judge.example. IN A 198.51.100.9"

    level, text, _ = with_spf(
        server, "v=spf1 mx include:_spf.provider.example -all", others=others
    )
    assert (level, "10 of 10" in text) == ("ok", True)

    over = "v=spf1 mx a include:_spf.provider.example -all"
    level, text, _ = with_spf(server, over, others=others)
    assert (level, "at most 10" in text) == ("fail", True)


@pytest.mark.parametrize("missing", ["a:{}", "mx:{}", "exists:{}"])
def test_two_lookups_of_an_spf_record_may_find_nothing(server: DnsServer, missing: str) -> None:
    terms = [missing.format(f"h{number}.example") for number in range(3)]

    assert with_spf(server, f"v=spf1 mx {' '.join(terms[:2])} -all")[0] == "ok"
    level, text, advice = with_spf(server, f"v=spf1 mx {' '.join(terms)} -all")
    assert (level, advice) == ("fail", "correct the record")
    assert f"{terms[2]} is lookup 3 of at most 2 that find nothing" in text


def test_an_answer_too_long_for_a_datagram_comes_by_tcp(server: DnsServer) -> None:
    texts = "\n".join(f'judge.example. IN TXT "{number:0>200}"' for number in range(10))

    assert with_spf(server, "v=spf1 mx -all", others=texts)[0] == "ok"
    assert "judge.example TXT by TCP" in server.asked


def test_an_spf_record_that_lets_everybody_pass_is_a_warning(server: DnsServer) -> None:
    assert with_spf(server, "v=spf1 mx +all")[0] == "warn"
    assert with_spf(server, "v=spf1 mx")[0] == "warn"


def test_a_record_of_another_key_or_of_a_test_fails(server: DnsServer, keys: DkimKeys) -> None:
    (selector,) = keys.selectors()
    name = f"{selector}._domainkey.judge.example"
    other = keys.create(date(2026, 11, 23))
    texts = {
        keys.record(other): "another key",
        keys.record(selector).replace("k=rsa", "k=rsa; t=y"): "test",
        "v=DKIM1; p=": "revoked",
    }
    (keys.folder / f"{other}.pem").unlink()
    for text, said in texts.items():
        server.withdraw(name)
        server.publish(txt_record(name, text))
        level, told, advice = found(server, "DKIM")
        assert (level, said in told) == ("fail", True)
        assert advice == f"publish: {record_of(keys, selector)}"


def test_a_key_record_may_be_an_alias(server: DnsServer, keys: DkimKeys) -> None:
    (selector,) = keys.selectors()
    server.withdraw(f"{selector}._domainkey.judge.example")
    server.publish(f"{selector}._domainkey.judge.example. IN CNAME key.elsewhere.example.")
    server.publish(txt_record("key.elsewhere.example", keys.record(selector)))

    assert found(server, "DKIM")[0] == "ok"


def test_the_next_key_is_looked_for_too(server: DnsServer, keys: DkimKeys) -> None:
    second = keys.create(date(2026, 11, 24))

    level, _, advice = found(server, "DKIM")
    assert (level, advice) == ("warn", f"publish: {record_of(keys, second)}")

    server.publish(record_of(keys, second))
    assert found(server, "DKIM")[0] == "ok"


@pytest.mark.parametrize(
    ("records", "level"),
    [
        (["v=DMARC1; p=none"], "warn"),
        (["v=DMARC1; p=quarantine", "v=DMARC1; p=reject"], "fail"),
        (["v=DMARC1; rua=mailto:x@judge.example"], "fail"),
        ([], "warn"),
        (["v=DMARC1;p=quarantine", "another text"], "ok"),
    ],
)
def test_dmarc_is_one_record_with_a_policy(
    server: DnsServer, records: list[str], level: str
) -> None:
    server.withdraw("_dmarc.judge.example")
    for each in records:
        server.publish(f'_dmarc.judge.example. IN TXT "{each}"')

    assert found(server, "DMARC")[0] == level


def test_dmarc_of_the_parent_domain_counts_with_its_policy_for_subdomains(
    server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_ADDRESS", "judge@play.judge.example")
    assert found(server, "DMARC")[:2][0] == "ok"

    server.withdraw("_dmarc.judge.example")
    server.publish('_dmarc.judge.example. IN TXT "v=DMARC1; p=reject; sp=none"')
    assert found(server, "DMARC")[0] == "warn"


def test_the_ptr_name_of_the_sending_address_resolves_back(server: DnsServer) -> None:
    reverse = "25.113.0.203.in-addr.arpa"
    server.withdraw(reverse)
    level, _, advice = found(server, "PTR")
    assert (level, f"{reverse}. IN PTR mx.judge.example." in advice) == ("fail", True)

    server.publish(f"{reverse}. IN PTR host25.provider.example.")
    assert found(server, "PTR")[0] == "fail"


def test_a_dns_error_is_reported(server: DnsServer) -> None:
    server.broken.add("judge.example")

    level, text, advice = found(server, "SPF")

    assert (level, "SERVFAIL" in text) == ("fail", True)
    assert "--resolver" in advice


def test_a_silent_dns_is_reported(server: DnsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.adapters.dns_zone.SECONDS_MAX", 0.2)
    server.silent.add("_dmarc.judge.example")

    level, text, _ = found(server, "DMARC")

    assert (level, "in time" in text) == ("fail", True)


def test_of_many_names_only_some_are_looked_up(server: DnsServer) -> None:
    names = [f"mx{number}.judge.example." for number in range(40)]
    reverse = "25.113.0.203.in-addr.arpa"
    server.withdraw(reverse)
    server.withdraw("judge.example")
    server.publish("\n".join(f"judge.example. IN MX 10 {name}" for name in names))
    server.publish('judge.example. IN TXT "v=spf1 mx -all"')
    server.publish("\n".join(f"{reverse}. IN PTR {name}" for name in names))

    told = findings(server, "--sends-from", SENDS_FROM)

    assert [told[name]["level"] for name in ("MX", "SPF", "PTR")] == ["fail"] * 3
    assert "40 MX records of at most 10" in told["SPF"]["text"]
    assert len(server.asked) < 100


@pytest.mark.parametrize("length", [0, 100, pytest.param(1_000, marks=pytest.mark.gate)])
def test_aliases_without_end_are_a_failure(server: DnsServer, length: int) -> None:
    server.withdraw("_dmarc.judge.example")
    chain = [f"{number}.judge.example." for number in range(length)]
    names = ["_dmarc.judge.example.", *chain, "_dmarc.judge.example."]
    server.publish("\n".join(f"{a} IN CNAME {b}" for a, b in pairwise(names)))

    level, text, _ = found(server, "DMARC")

    assert level in ("warn", "fail")
    assert text


def test_what_a_record_says_writes_nothing_to_the_terminal(server: DnsServer) -> None:
    server.withdraw("judge.example")
    server.publish('judge.example. IN TXT "v=spf1 \\007bell -all"')

    shown = CliRunner().invoke(doctor, ["--dns", "--resolver", server.endpoint])

    assert "SPF" in shown.stdout
    assert "\x07" not in shown.stdout
