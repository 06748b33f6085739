"""S4: a signature proves one whole email once, and many signatures cost little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from judge.adapters.dkim_verifying import DkimVerifier
from judge.game.submission import OrdersSubmitted
from judge.mail.sender_evidence import SIGNATURES_MAX, SIGNED
from tests.support.dkim_signer import dkim_signature
from tests.support.table import JUDGE, Table, address_of

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = KEY.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)
RECORD = b"v=DKIM1; k=rsa; p=" + b"".join(PUBLIC.splitlines()[1:-1])


class Names:
    """A DNS that knows two domains, and counts what it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, name: bytes, **_: int) -> bytes | None:
        self.asked += 1
        known = (b"k._domainkey.players.example.", b"k._domainkey.elsewhere.example.")
        return RECORD if name in known else None


@pytest.fixture
def names(table: Table) -> Names:
    names = Names()
    table.judge = replace(table.judge, signatures=DkimVerifier(names))
    return names


def letter(text: str = "A Par-Bur", number: int = 1) -> bytes:
    fields = (
        f"From: {address_of('FRANCE')}",
        f"To: {JUDGE}",
        "Subject: orders",
        "Date: Mon, 23 Nov 2026 12:00:00 +0000",
        f"Message-ID: <{number}@players.example>",
        "Content-Type: text/plain; charset=utf-8",
    )
    return "\r\n".join([*fields, "", text, ""]).encode()


def signature(
    raw: bytes,
    domain: str = "players.example",
    fields: Sequence[str] = SIGNED,
    *,
    length: bool = False,
) -> bytes:
    return dkim_signature(raw, KEY, domain=domain, fields=fields, length=length)


def arrives(table: Table, raw: bytes) -> tuple[str, ...]:
    table.store_email(raw, address_of("FRANCE"))
    table.run_once()
    return table.current_orders("FRANCE")


@pytest.mark.usefixtures("names")
def test_s4_a_full_signature_of_the_domain_in_from_counts(table: Table) -> None:
    raw = letter()

    assert arrives(table, signature(raw) + raw) == ("A PAR - BUR",)
    assert table.query("SELECT proof FROM evidence") == [("dkim: pass, players.example",)]


def test_s4_nothing_is_looked_up_unless_it_is_configured(table: Table) -> None:
    raw = letter()

    assert arrives(table, signature(raw) + raw) == ()


def test_s4_a_signature_of_a_part_lets_anybody_add_orders(table: Table, names: Names) -> None:
    raw = letter()

    assert arrives(table, signature(raw, length=True) + raw + b"A Mar-Spa\r\n") == ()
    assert names.asked == 0


@pytest.mark.parametrize("left_out", SIGNED[1:])
@pytest.mark.usefixtures("names")
def test_s4_each_identifying_field_must_be_signed(table: Table, left_out: str) -> None:
    raw = letter()
    fields = [each for each in SIGNED if each != left_out]

    assert arrives(table, signature(raw, fields=fields) + raw) == ()


@pytest.mark.usefixtures("names")
def test_s4_an_added_field_is_noticed(table: Table) -> None:
    raw = letter()

    assert arrives(table, b"Subject: JUDG:other\r\n" + signature(raw) + raw) == ()


@pytest.mark.usefixtures("names")
def test_s4_another_domain_may_not_speak_for_the_from(table: Table) -> None:
    raw = letter()

    assert arrives(table, signature(raw, domain="elsewhere.example") + raw) == ()


@pytest.mark.parametrize("change", [(b"Par-Bur", b"Par-Pic"), (b"2026 12", b"2026 13")])
@pytest.mark.usefixtures("names")
def test_s4_a_changed_email_has_no_valid_signature(
    table: Table, change: tuple[bytes, bytes]
) -> None:
    raw = letter()

    assert arrives(table, signature(raw) + raw.replace(*change)) == ()


def test_s4_an_expired_signature_proves_nothing(table: Table, names: Names) -> None:
    raw = letter()
    head = signature(raw).replace(b"; s=k;", b"; s=k; x=1000000000;")

    assert arrives(table, head + raw) == ()
    assert names.asked == 0


@pytest.mark.usefixtures("names")
def test_s4_a_signature_counts_once_in_the_life_of_the_game(table: Table) -> None:
    raw = letter()
    head = signature(raw)
    assert arrives(table, head + raw) == ("A PAR - BUR",)
    table.send("FRANCE", "A Par-Pic")

    assert arrives(table, b"Received: from evil\r\n" + head + raw) == ("A PAR - PIC",)


@pytest.mark.parametrize(
    "before",
    [
        b"Received: from another by mx.judge.example; Tue, 24 Nov 2026 12:00:00 +0000\r\n",
        b"Reply-To: rival@elsewhere.example\r\nReferences: <other@players.example>\r\n",
        b"X-Phase: S1901M\r\nSender: rival@elsewhere.example\r\n",
    ],
    ids=["Received", "Reply-To and References", "others"],
)
@pytest.mark.usefixtures("names")
def test_r16_s4_a_signed_email_repeated_with_other_fields_has_one_effect(
    table: Table, before: bytes
) -> None:
    raw = letter()
    signed = signature(raw) + raw
    arrives(table, signed)
    assert table.count_events(OrdersSubmitted) == 1

    arrives(table, before + signed)
    table.store_email(signed, address_of("FRANCE"), "judge+aaaaaaaaaaaaaaaa@judge.example")
    table.run_once()

    assert table.count_events(OrdersSubmitted) == 1


def test_s4_thousands_of_signatures_cost_little(table: Table, names: Names) -> None:
    raw = letter()
    heads = b"".join(signature(raw, domain="elsewhere.example") for _ in range(3)) * 60

    assert arrives(table, heads + raw) == ()
    assert names.asked <= SIGNATURES_MAX
