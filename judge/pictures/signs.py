"""What is marked of an order: nothing, if all went as it says."""

from __future__ import annotations

from enum import Enum, auto
from typing import assert_never

from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    FailCause,
    Fails,
    Fate,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Invalid,
    OwnUnit,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Succeeds,
    Verdict,
)


class Sign(Enum):
    """What a mark says."""

    HOLDS = auto()
    CARRIES = auto()
    BOUNCED = auto()
    CUT = auto()
    BROKEN = auto()
    VOID = auto()
    DISLODGED = auto()
    DESTROYED = auto()
    BUILT = auto()
    REMOVED = auto()


def sign_of(verdict: Verdict | None) -> Sign | None:
    """Return what is marked of *verdict*: nothing, if all went as ordered."""
    match verdict:
        case None | Stands() | Succeeds() | Given() | Available():
            return None
        case Illegal() | Invalid():
            return Sign.VOID
        case Cut():
            return Sign.CUT
        case Disrupted():
            return Sign.BROKEN
        case Fails(cause=cause):
            return _sign_of_cause(cause)
        case _:
            assert_never(verdict)


def _sign_of_cause(cause: FailCause) -> Sign:
    match cause:
        case StoodOff() | HeldOff() | HeadOn() | OwnUnit() | RetreatsClash():
            return Sign.BOUNCED
        case ConvoyBroken() | ConvoyParadox() | ParadoxHold():
            return Sign.BROKEN
        case Futile():
            return Sign.VOID
        case _:
            assert_never(cause)


def sign_of_fate(fate: Fate) -> Sign:
    """Return what is marked of a unit that was driven out."""
    match fate:
        case Dislodged():
            return Sign.DISLODGED
        case Destroyed():
            return Sign.DESTROYED
        case _:
            assert_never(fate)
