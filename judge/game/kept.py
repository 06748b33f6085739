"""What is kept of orders for a later phase, as the log holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.events.value import Value


@dataclass(frozen=True, slots=True)
class Plan:
    """What a power wants to order in one later phase; `judge.game.plans` reads its *wishes*.

    *person* said so in the *mail* that had arrived at the instant *received*.
    """

    wishes: tuple[Mapping[str, Value], ...]
    person: str
    mail: str
    evidence: str | None
    nonce: str
    received: datetime
