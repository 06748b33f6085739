"""S2: an ambiguous or look-alike From belongs to no player."""

from __future__ import annotations

import pytest

from judge.mail.envelope import OpenedEmail, open_mail
from tests.support.table import JUDGE, Table, address_of

PLAYER = address_of("FRANCE")
FORGED = (
    f"{PLAYER})evil@elsewhere.example",
    f"<{PLAYER}>evil@elsewhere.example",
    f"evil@elsewhere.example <{PLAYER}> <x@y.example>",
    f"{PLAYER}, evil@elsewhere.example",
    f"evil@elsewhere.example, {PLAYER}",
    f"<{PLAYER}>, <evil@elsewhere.example>",
    f"Group: {PLAYER};",
    f"undisclosed: {PLAYER}, evil@elsewhere.example;",
    f"<@elsewhere.example:{PLAYER}>",
    f"<{PLAYER}",
    f"{PLAYER}>",
    f"<<{PLAYER}>>",
    f"{PLAYER} evil@elsewhere.example",
    f"({PLAYER}) <evil@elsewhere.example> ({PLAYER})",
    f'"{PLAYER}" <evil@elsewhere.example>',
    f"{PLAYER} <evil@elsewhere.example>",
    f"evil@elsewhere.example (({PLAYER})",
    "france@players.example@elsewhere.example",
    "france@players.example.elsewhere.example",
    "france@players.example\x00@elsewhere.example",
    "fr\u0430nce@players.example",
    "france@pl\u0430yers.example",
    "\uff46rance@players.example",
    "france@players\u3002example",
    "france@xn--plyers-6ve.example",
    "franc\u0435@players.example",
    '"france"@players.example',
    "france @players.example",
    "france@[players.example]",
    "fran.ce@players.example",
    "france+x@players.example",
    "=?utf-8?q?france=40players=2Eexample?=",
    "",
)
HIS = (
    PLAYER,
    f"<{PLAYER}>",
    f"Anna <{PLAYER}>",
    f'"Anna, of \\"France\\"" <{PLAYER}>',
    f"{PLAYER} (Anna)",
    PLAYER.upper(),
    "France@Players.Example",
)


def sender_of(value: str) -> str | None:
    raw = f"From: {value}\r\nTo: {JUDGE}\r\n\r\nA Par H\r\n".encode()
    opened = open_mail(raw, "someone@elsewhere.example")
    assert isinstance(opened, OpenedEmail)
    return opened.sender


def test_s2_the_table_has_thirty_tricks() -> None:
    assert len(set(FORGED)) >= 30


@pytest.mark.parametrize("value", FORGED)
def test_s2_a_tricky_from_does_not_count_as_the_players(table: Table, value: str) -> None:
    answered = table.latest("FRANCE")
    raw = (
        f"From: {value}\r\nTo: {answered.reply_to}\r\nMessage-ID: <s2@elsewhere.example>\r\n\r\n"
        "A Par-Bur\r\n"
    )
    table.store_email(raw.encode(), "evil@elsewhere.example", answered.reply_to)
    table.run_once()

    assert table.current_orders("FRANCE") == ()
    assert table.inbox()[-1] in ("held", "ignored", "processed")


@pytest.mark.parametrize("value", HIS)
def test_s2_each_plain_from_counts_as_the_players(value: str) -> None:
    assert (sender_of(value) or "").lower() == PLAYER


@pytest.mark.parametrize("second", [PLAYER, "evil@elsewhere.example"])
def test_s2_two_froms_identify_no_sender(table: Table, second: str) -> None:
    answered = table.latest("FRANCE")
    raw = (
        f"From: {PLAYER}\r\nFrom: {second}\r\nTo: {answered.reply_to}\r\n"
        "Message-ID: <two@elsewhere.example>\r\n\r\nA Par-Bur\r\n"
    )
    table.store_email(raw.encode(), "evil@elsewhere.example", answered.reply_to)
    table.run_once()

    assert table.current_orders("FRANCE") == ()
