"""What a power says in advance: orders for phases that are still to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from judge.events.value import Event, Value


@dataclass(frozen=True, slots=True)
class OrdersPlanned(Event):
    """A power said in *phase* what it will order in the phase *later*, or took that back.

    *wishes* are all that is now kept for that phase, none if nothing is. Each has the *orders* for
    one unit, of which the first that can be carried out by then counts, and under *if* on what
    that hangs: `{"stands": {"power", "kind", "place"}}`, `{"owns": {"power", "province"}}`,
    `{"not": ...}`, `{"both": [..., ...]}`, `{"either": [..., ...]}`, or null. When *later* opens,
    an `OrdersSubmitted` of the same mail says what came of them.
    """

    power: str
    person: str
    phase: str
    later: str
    wishes: tuple[Mapping[str, Value], ...]
    received: str
    mail: str
    evidence: str | None
    nonce: str
