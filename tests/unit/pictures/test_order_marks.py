"""The mark of an order's result: none if all went as ordered."""

from __future__ import annotations

import pytest

from judge.pictures.order_marks import Sign, sign_of, sign_of_fate
from judge.rules.outcomes import (
    Available,
    ConvoyBroken,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    Fails,
    Futile,
    Given,
    Illegal,
    Impossible,
    Invalid,
    RetreatsClash,
    Stands,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)

ATTACK = Strength("BUR")


@pytest.mark.parametrize(
    ("verdict", "sign"),
    [
        (None, None),
        (Stands(), None),
        (Succeeds(), None),
        (Given(), None),
        (Available(), None),
        (Illegal(Impossible.UNREACHABLE), Sign.VOID),
        (Invalid(Unmatched.NO_SUCH_MOVE), Sign.VOID),
        (Fails(Futile(Impossible.UNREACHABLE)), Sign.VOID),
        (Cut("BUR"), Sign.CUT),
        (Disrupted("BUR"), Sign.BROKEN),
        (Fails(ConvoyBroken(("NTH",))), Sign.BROKEN),
        (Fails(RetreatsClash(("BUR",))), Sign.BOUNCED),
    ],
    ids=repr,
)
def test_a_verdict_has_its_mark(verdict: Verdict | None, sign: Sign | None) -> None:
    assert sign_of(verdict) is sign


def test_a_unit_with_nowhere_to_go_is_marked_otherwise_than_one_that_may_retreat() -> None:
    assert sign_of_fate(Dislodged("BUR", ATTACK, ("PAR",))) is Sign.DISLODGED
    assert sign_of_fate(Destroyed("BUR", ATTACK)) is Sign.DESTROYED
