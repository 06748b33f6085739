"""An ambiguous From names no one, and a token is valid only for its purpose."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.headers import (
    address_with,
    is_ours,
    same_mailbox,
    scrub,
    strict_mailbox,
    token_of,
    token_text,
)
from tests.support.cost import takes_less_than

VICTIM = "kaiser@player.test"
OURS = "judge@judge.test"
EXTENSION = "abcdefghijklmnop"


def sender_of(*froms: bytes) -> str | None:
    head = b"".join(b"From: " + each + b"\r\n" for each in froms)
    letter = open_mail(head + b"\r\nA BER H", "x@player.test")
    assert isinstance(letter, OpenedEmail)
    return letter.sender


@pytest.mark.parametrize(
    "written",
    [
        b"kaiser@player.test",
        b"<kaiser@player.test>",
        b"Wilhelm <kaiser@player.test>",
        b"W. v. Hohenzollern <kaiser@player.test>",
        b'"Hohenzollern, Wilhelm (II.)" <kaiser@player.test>',
        b'"said \\"Willy\\"" <kaiser@player.test>',
        b"=?utf-8?q?K=C3=A4iser?= <kaiser@player.test>",
        "Käiser <kaiser@player.test>".encode(),
        b"kaiser@player.test (Wilhelm)",
        b"=?utf-8?q?K=C3=A4iser?= <kaiser@player.test> (home (in Berlin))",
        b"Wilhelm\r\n <kaiser@player.test>",
        b'"evil@x.test" <kaiser@player.test>',
    ],
)
def test_one_mailbox_in_one_reading_is_the_sender(written: bytes) -> None:
    assert sender_of(written) == VICTIM


HOSTILE = [
    pytest.param([b"kaiser@player.test", b"evil@x.test"], id="two Froms"),
    pytest.param([b"kaiser@player.test", b"kaiser@player.test"], id="the same From twice"),
    pytest.param([b"kaiser@player.test, evil@x.test"], id="two mailboxes"),
    pytest.param([b"evil@x.test, kaiser@player.test"], id="two mailboxes, the player's last"),
    pytest.param([b"kaiser@player.test,"], id="a comma"),
    pytest.param([b"kaiser@player.test;"], id="a semicolon"),
    pytest.param([b"Players: kaiser@player.test;"], id="a group"),
    pytest.param([b"undisclosed-recipients:;"], id="an empty group"),
    pytest.param([b"kaiser@player.test)evil@x.test"], id="CVE-2023-27043, parenthesis"),
    pytest.param([b"<kaiser@player.test>evil@x.test"], id="CVE-2023-27043, bracket"),
    pytest.param([b"kaiser@player.test<evil@x.test>"], id="an address for a name"),
    pytest.param([b"kaiser@player.test <evil@x.test>"], id="an address for a name, spaced"),
    pytest.param([b"<kaiser@player.test> <evil@x.test>"], id="two in brackets"),
    pytest.param([b"<<kaiser@player.test>>"], id="brackets in brackets"),
    pytest.param([b"kaiser@player.test@x.test"], id="two at signs"),
    pytest.param([b"@x.test:kaiser@player.test"], id="a route"),
    pytest.param([b"<@x.test:kaiser@player.test>"], id="a route in brackets"),
    pytest.param([b'"kaiser"@player.test'], id="a quoted local part"),
    pytest.param([b'"kaiser@player.test'], id="an open quote"),
    pytest.param([b"kaiser(comment)@player.test"], id="a comment inside"),
    pytest.param([b"kaiser@player.test (a (b) <evil@x.test>)"], id="a nested comment"),
    pytest.param([b"kaiser@player.test (a (b)"], id="an open comment"),
    pytest.param([b"(kaiser@player.test) evil@x.test"], id="a comment before"),
    pytest.param([b"kaiser @player.test"], id="a space inside"),
    pytest.param([b"kaiser@player.test\0.evil.test"], id="NUL"),
    pytest.param([b"kaiser@[127.0.0.1]"], id="a domain literal"),
    pytest.param([b"kaiser..@player.test"], id="two dots"),
    pytest.param([b".kaiser@player.test"], id="a dot before"),
    pytest.param([b"kaiser@player.test."], id="a dot after"),
    pytest.param([b"kaiser@-player.test"], id="a hyphen before"),
    pytest.param(["kai\u200bser@player.test".encode()], id="a zero width space"),
    pytest.param(["kaiser@player\u202e.test".encode()], id="a change of direction"),
    pytest.param([b"kaiser\xff@player.test"], id="no UTF-8"),
    pytest.param([b"k" * 65 + b"@player.test"], id="a long local part"),
    pytest.param([b"k" * 2_000 + b" <kaiser@player.test>"], id="a long name"),
    pytest.param([b""], id="empty"),
    pytest.param([], id="none"),
]


@pytest.mark.parametrize("froms", HOSTILE)
def test_an_ambiguous_sender_is_no_one(froms: list[bytes]) -> None:
    assert sender_of(*froms) is None


@pytest.mark.parametrize(
    "written",
    [
        '"kaiser@player.test" <evil@x.test>',
        "=?utf-8?q?kaiser=40player=2Etest?= <evil@x.test>",
        "=?utf-8?q?kaiser?=@player.test",
        "k\u0430iser@player.test",
        "\u212aaiser@player.test",
        "kai\u017fer@player.test",
        "kaiser@pl\u0430yer.test",
        "kaiser@player.test.evil.test",
        "kai.ser@player.test",
        "kaiser+x@player.test",
        "evil@x.test (kaiser@player.test)",
        "(kaiser@player.test) evil@x.test",
    ],
    ids=[
        "a name in quotes",
        "a name in code",
        "a local part in code",
        "a Cyrillic a",
        "a Kelvin sign",
        "a long s",
        "a domain like his",
        "a domain that begins like his",
        "dots",
        "an extension",
        "a comment",
        "a comment before it",
    ],
)
def test_a_sender_who_only_looks_like_a_player_is_not_that_player(written: str) -> None:
    sender = sender_of(written.encode())

    assert sender is None or not same_mailbox(sender, VICTIM)


@pytest.mark.parametrize("written", ["(Will) <{}>", "(Will) {}", "Will <{}> (home)", "{} (Will)"])
def test_a_comment_is_no_part_of_the_sender(written: str) -> None:
    assert sender_of(written.format(VICTIM).encode()) == VICTIM


def test_case_does_not_make_another_mailbox() -> None:
    assert same_mailbox("Kaiser@Player.TEST", VICTIM)


@example("a@b.test")
@example('"a@b.test" <c@d.test>')
@example("a@b.test, c@d.test")
@example("a@b.test@c.test")
@example("<a@b.test> (c@d.test)")
@example("\x00a@b.test\u2028")
@given(st.text(max_size=80))
def test_a_strict_mailbox_is_a_single_address(text: str) -> None:
    found = strict_mailbox(text)

    assert found is None or (text.count(found) >= 1 and found.count("@") == 1)


BOUND = {
    "purpose": "orders",
    "game": "garnet",
    "power": "FRANCE",
    "person": "p1",
    "phase": "S1901M",
    "subject": None,
}


def token(key: bytes = b"key", version: int = 1, **changed: str | None) -> str:
    bound = BOUND | changed
    return token_text(
        key,
        purpose=str(bound["purpose"]),
        game=bound["game"],
        power=bound["power"],
        person=str(bound["person"]),
        phase=bound["phase"],
        subject=bound["subject"],
        key_version=version,
    )


@pytest.mark.parametrize("field", BOUND)
def test_a_token_is_bound_to_all_that_it_says(field: str) -> None:
    other = dict[str, Any]([(field, "other")])

    assert token(**other) != token()
    assert token(**other) == token(**other)


def test_a_token_is_bound_to_key_and_version() -> None:
    assert (
        len({token(), token(b"another"), token(version=2), token(game=None), token(game="")}) == 5
    )


def test_a_token_survives_its_way_through_an_address() -> None:
    address = address_with(token(), OURS)

    assert len(address.partition("@")[0]) <= 64
    assert token_of(address, OURS) == token()
    assert token_of(address.upper(), OURS) == token()


@pytest.mark.parametrize(
    "recipient",
    [
        "judge@judge.test",
        f"judge+{EXTENSION}@evil.test",
        f"judge2+{EXTENSION}@judge.test",
        f"{EXTENSION}@judge.test",
        f"judge+{EXTENSION[1:]}@judge.test",
        f"judge+{EXTENSION}a@judge.test",
        "judge+abcdefghijklmno1@judge.test",
        f"judge-{EXTENSION}@judge.test",
        "",
    ],
)
def test_no_other_address_holds_a_token(recipient: str) -> None:
    assert token_of(recipient, OURS) is None


def test_without_a_delimiter_only_the_bare_address_is_ours() -> None:
    assert address_with(EXTENSION, OURS, "") == OURS
    assert token_of(f"judge+{EXTENSION}@judge.test", OURS, "") is None
    assert is_ours(OURS, OURS, "")
    assert not is_ours(f"judge+{EXTENSION}@judge.test", OURS, "")


def test_the_delimiter_may_stand_in_our_own_address() -> None:
    own = "games-judge@judge.test"

    assert token_of(address_with(EXTENSION, own, "-"), own, "-") == EXTENSION


def test_ours_is_the_address_with_and_without_extension() -> None:
    assert is_ours("JUDGE@judge.test", OURS)
    assert is_ours("judge+anything@judge.test", OURS)
    assert not is_ours("judges@judge.test", OURS)


@pytest.mark.parametrize(
    "text",
    [
        f"write to judge+{EXTENSION}@judge.test now",
        f"write to JUDGE+{EXTENSION.upper()}@Judge.Test now",
        f"write to judge%2B{EXTENSION}@judge.test now",
        f"write to judge+{EXTENSION[:5]}=@judge.test now",
    ],
)
def test_relayed_text_holds_no_token(text: str) -> None:
    assert scrub(text, OURS) == "write to judge@judge.test now"


def test_other_addresses_are_relayed_as_they_are() -> None:
    assert scrub("a+b@judge.test judge@judge.test", OURS) == "a+b@judge.test judge@judge.test"
    assert scrub(f"judge+{EXTENSION}@judge.test", OURS, "") == f"judge+{EXTENSION}@judge.test"


def test_scrubbing_is_linear() -> None:
    assert scrub("judge+" * 20_000, OURS) == "judge+" * 20_000
    assert takes_less_than(1, scrub, "judge+" * 20_000, OURS)
