"""Only the text that a player just wrote is read, in any mail program and quoting style."""

from __future__ import annotations

import pytest

from judge.mail.body import Text
from judge.mail.envelope import OpenedEmail, open_mail
from tests.unit.mail.clients import CLIENTS, NEW, OLD, WITHOUT_HEAD, Client, thunderbird_below

NAMES = [client.__name__ for client in CLIENTS]


def opened(raw: bytes) -> Text:
    letter = open_mail(raw, "france@player.test")
    assert isinstance(letter, OpenedEmail)
    return letter.text


def orders(text: Text) -> tuple[str, ...]:
    """Return the fresh lines that are not blank."""
    return tuple(line.text.strip() for line in text.fresh if line.text.strip())


@pytest.mark.parametrize("client", CLIENTS, ids=NAMES)
@pytest.mark.parametrize("old", [OLD, WITHOUT_HEAD], ids=["ours", "anybody's"])
def test_the_new_orders_are_read_and_the_old_are_not(client: Client, old: tuple[str, ...]) -> None:
    assert orders(opened(client(old))) == NEW


@pytest.mark.parametrize("client", CLIENTS, ids=NAMES)
def test_the_old_orders_are_kept_to_be_spoken_of(client: Client) -> None:
    quoted = " ".join(" ".join(opened(client(OLD)).quoted).split())

    assert all(" ".join(line.split()) in quoted for line in OLD)


def test_lines_keep_their_number_in_the_body() -> None:
    assert [line.number for line in opened(thunderbird_below(OLD)).fresh] == [7, 8]
