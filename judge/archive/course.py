"""The order of play in records, which may leave out phases in which nobody had to order."""

from __future__ import annotations

from judge.rules.types import Phase, PhaseKind


def leads_to(phase: Phase, other: Phase) -> bool:
    """Tell whether *other* comes after *phase*, but for phases in which nobody has to order."""
    following = phase.following()
    while following < other and following.kind is not PhaseKind.MOVEMENT:
        following = following.following()
    return following == other
