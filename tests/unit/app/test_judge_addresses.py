"""The addresses at which the judge accepts mail."""

from __future__ import annotations

import pytest

from judge.app.ports.inbox import MailReception


@pytest.mark.parametrize(
    ("recipient", "known"),
    [
        ("judge@judge.example", True),
        ("JUDGE+abcdefgh23456722@Judge.Example", True),
        ("judge+whatever@judge.example", True),
        ("judge-token@judge.example", False),
        ("judge@elsewhere.example", False),
        ("postmaster@judge.example", False),
    ],
)
def test_the_judge_has_one_address_with_or_without_a_token(recipient: str, *, known: bool) -> None:
    assert MailReception("judge@judge.example", "+").knows(recipient) is known
