"""S3: only the topmost Authentication-Results with our id counts, and only if one is set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.mail.sender_evidence import Verdict, boundary_verdict
from tests.support.table import Table, address_of

OURS = "mx.judge.example"
PASSED = f"{OURS}; dmarc=pass header.from=players.example"
FAILED = f"{OURS}; dmarc=fail header.from=players.example"


def trusting(table: Table) -> Table:
    table.judge, table.way_in = replace(table.judge, authserv_id=OURS), "lmtp"
    return table


def results(table: Table, *fields: str, text: str = "A Par-Bur") -> None:
    """Receive an email with these Authentication-Results, the first at its top."""
    message = table.compose(address_of("FRANCE"), text)
    head = "".join(f"Authentication-Results: {field}\r\n" for field in fields)
    table.store_email(head.encode() + message.as_bytes(), address_of("FRANCE"))
    table.run_once()


def test_s3_a_registered_from_vouched_for_by_our_server_counts(table: Table) -> None:
    results(trusting(table), PASSED)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert table.query("SELECT how, proof FROM evidence") == [("boundary", "boundary: pass")]
    [(evidence,)] = table.query("SELECT id FROM evidence")
    assert evidence in {getattr(each.event, "evidence", None) for each in table.log()}


@pytest.mark.parametrize("vouched", [True, False])
def test_s3_a_reply_address_that_others_know_counts_only_with_a_vouched_from(
    table: Table, *, vouched: bool
) -> None:
    start = trusting(table).latest("FRANCE")

    def reply(text: str, result: str, **headers: str) -> None:
        message = table.compose(address_of("FRANCE"), text, start.reply_to, **headers)
        head = f"Authentication-Results: {result}\r\n".encode()
        table.store_email(head + message.as_bytes(), address_of("FRANCE"), start.reply_to)
        table.run_once()

    reply("A Par-Pic", PASSED, Cc="friend@elsewhere.example")
    receipt = table.latest("FRANCE")
    reply("A Par-Bur", PASSED if vouched else f"{OURS}; none")

    assert receipt.token != start.token
    assert "so it has changed" not in receipt.words
    assert table.current_orders("FRANCE") == (("A PAR - BUR",) if vouched else ("A PAR - PIC",))


def test_s3_without_a_configured_id_nothing_is_believed(table: Table) -> None:
    results(table, PASSED)

    assert table.current_orders("FRANCE") == ()
    assert table.inbox() == ["held"]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(("mx.elsewhere.example; spf=none", PASSED), id="ours is not the topmost"),
        pytest.param((f"x{PASSED}",), id="similar at the front"),
        pytest.param((PASSED.replace(OURS, f"{OURS}.evil.example"),), id="similar at the end"),
        pytest.param((f"evil.example ({PASSED})",), id="in a comment"),
        pytest.param((f"evil.example (a (b) {PASSED}",), id="in a comment that is open"),
        pytest.param((f'"{OURS}; dmarc=pass"',), id="in a quoted string"),
        pytest.param((f"{OURS}; dmarc=none\r\n (x; dmarc=pass)",), id="folded, nested comment"),
        pytest.param((f"{OURS}; dmarc=pass header.from=elsewhere.example",), id="other domain"),
        pytest.param((f"{OURS}; dkim=pass header.d=elsewhere.example",), id="other signer"),
        pytest.param((f"{OURS}; spf=pass smtp.mailfrom=players.example",), id="the envelope only"),
        pytest.param((f"{OURS}; dmarc=pass",), id="whose From it was is not said"),
        pytest.param((f"(x) {PASSED}",), id="a comment first"),
        pytest.param((f'"{OURS}"; dmarc=pass header.from=players.example',), id="quoted"),
        pytest.param(
            (f"{OURS} (x); dmarc=pass header.from=players.example",), id="comment second"
        ),
        pytest.param((f"{OURS}; dmarc=pass (header.from=players.example)",), id="in a remark"),
        pytest.param((f"{PASSED}; dmarc=fail",), id="both"),
        pytest.param(
            (f"{OURS}; dkim=pass header.d=players.example",), id="signed, by nothing seen"
        ),
        pytest.param((f"{OURS} dmarc=pass",), id="no semicolon"),
        pytest.param((f"{OURS}; dmarc==pass",), id="no word"),
        pytest.param((f"{OURS}; none",), id="nothing checked"),
        pytest.param((FAILED, PASSED), id="failed"),
        pytest.param((PASSED + " x" * 9_000,), id="endless"),
    ],
)
def test_s3_a_field_not_exactly_of_our_server_proves_nothing(
    table: Table, fields: tuple[str, ...]
) -> None:
    results(trusting(table), *fields)

    assert table.current_orders("FRANCE") == ()


def test_s3_an_email_our_server_calls_forged_needs_confirmation_despite_its_token(
    table: Table,
) -> None:
    trusting(table)
    answered = table.latest("FRANCE")
    message = table.compose(address_of("FRANCE"), "A Par-Bur", answered.reply_to)
    raw = f"Authentication-Results: {FAILED}\r\n".encode() + message.as_bytes()
    table.store_email(raw, address_of("FRANCE"), answered.reply_to)
    table.run_once()

    assert table.current_orders("FRANCE") == ()
    assert table.emails_to(address_of("FRANCE"))[-1].kind == "confirm_mail"


@pytest.mark.parametrize(
    ("field", "verdict"),
    [
        (PASSED.upper(), Verdict.DMARC),
        (f'{OURS} 1 ; dmarc=pass (p=none (sic)) header.from="players.example"', Verdict.DMARC),
        (
            f'{OURS}; dkim=pass (2048-bit key) header.i=@players.example header.b="a b"',
            Verdict.DKIM,
        ),
        (f"{OURS}; spf=fail smtp.mailfrom=x; dkim=pass header.d=players.example", Verdict.DKIM),
        (f"{PASSED}; spf=pass smtp.mailfrom={address_of('FRANCE')}", Verdict.SENT),
        (f"{PASSED}; spf=pass smtp.mailfrom={address_of('ITALY')}", Verdict.DMARC),
        (FAILED, Verdict.FORGED),
    ],
)
def test_s3_each_spelling_of_the_field_is_read(field: str, verdict: Verdict) -> None:
    assert boundary_verdict(field, OURS, address_of("FRANCE")) is verdict


def test_s3_a_game_may_require_more_or_less_proof(judge: Table) -> None:
    trusting(judge)
    judge.start("severe", "proof=strict")
    asked = judge.latest("FRANCE", "severe")
    judge.reply(asked, "A Par-Bur")
    assert judge.current_orders("FRANCE", "severe") == ()
    results(judge, PASSED)
    assert judge.current_orders("FRANCE", "severe") == ()
    message = judge.compose(address_of("FRANCE"), "A Par-Pic", asked.reply_to)
    raw = f"Authentication-Results: {PASSED}\r\n".encode() + message.as_bytes()
    judge.store_email(raw, address_of("FRANCE"), asked.reply_to)
    judge.run_once()
    assert judge.current_orders("FRANCE", "severe") == ("A PAR - PIC",)


def test_s3_a_loose_game_takes_the_address_alone(judge: Table) -> None:
    judge.start("lax", "proof=loose")

    judge.mail(address_of("FRANCE"), "A Par-Bur")

    assert judge.current_orders("FRANCE", "lax") == ("A PAR - BUR",)
