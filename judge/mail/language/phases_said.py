"""What a mail can say of the phase that its orders are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge.mail.language.spoken import Spoken

if TYPE_CHECKING:
    from judge.mail.body import Line


@dataclass(frozen=True, slots=True)
class NamedPhase(Spoken):
    """`PHASE FALL 1902 MOVEMENT`, or just `Fall 1902:`, `RETREATS:`: the orders are for that.

    *said* is as much of the code as is said, such as `F1902`, or what names no phase. A line may
    say it *in_passing*, with other things: then it says nothing of a phase that is over.
    """

    said: str
    in_passing: bool = False


@dataclass(frozen=True, slots=True)
class OrdersOfPhase(Spoken):
    """`A Par-Gas (F1901M)`: the orders in *lines* alone are for the phase that is *said*."""

    said: str
    lines: tuple[Line, ...]


PhaseSaid: TypeAlias = NamedPhase | OrdersOfPhase
