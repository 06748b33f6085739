"""Whether what a record says of an order is what the law makes of it.

Sources say less than an outcome does, and not all the same: whether a convoy was disrupted or an
army found none, whether a dislodged unit's support was cut besides. What one of them could have
said of the outcome agrees with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from judge.rules.outcome import (
    Available,
    Cut,
    Disrupted,
    Fails,
    Given,
    Illegal,
    Invalid,
    Outcome,
    Stands,
    Succeeds,
    Verdict,
)
from judge.rules.types import PhaseKind

FATES = frozenset({"dislodged", "destroyed"})
NOTHING = frozenset[str]()
SAID: Mapping[type[Verdict], Collection[str]] = {  # what may be said of it; empty if nothing is
    Stands: (),
    Succeeds: (),
    Given: (),
    Available: (),
    Cut: ("cut",),
    Disrupted: ("disrupted", "void", "no convoy"),
    Fails: ("bounce", "no convoy", "disrupted", "void"),
    Illegal: ("void", "no convoy", "bounce"),
    Invalid: ("void", "no convoy", "bounce"),
}


def agrees(words: Collection[str], outcome: Outcome, kind: PhaseKind) -> bool:
    """Tell whether *words*, of `judge.archive.record.RESULTS`, say *outcome* of a *kind* phase."""
    said = frozenset(words) - FATES
    if kind is PhaseKind.MOVEMENT and bool(FATES.intersection(words)) != bool(outcome.fate):
        return False
    possible = SAID[type(outcome.verdict)]
    if said or not possible:
        return said <= frozenset(possible)
    return isinstance(outcome.verdict, Cut | Disrupted) and outcome.fate is not None
