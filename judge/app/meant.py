"""What the writer of a reply to press has said that it is, kept as the reason in its inbox row."""

from __future__ import annotations

from judge.mail.reader.press_replies import Meant

ASKED = "press or orders"  # It waits for its writer's word.
AS_PRESS = "meant as press"
AS_ORDERS = "meant as orders"  # and behind it, for which phase
DROPPED = "meant as neither"
OF_PHASE = " of "


def reason_of(meant: Meant, phase: str | None) -> str:
    """Return the reason that says so; orders are for the *phase* in which they arrived."""
    match meant:
        case Meant.PRESS:
            return AS_PRESS
        case Meant.ORDERS:
            return f"{AS_ORDERS}{OF_PHASE}{phase}" if phase else AS_ORDERS
        case Meant.NEITHER:
            return DROPPED


def meant_in(reason: str) -> Meant | None:
    """Return what *reason* says that a reply is, None if nobody has said it."""
    if reason == AS_PRESS:
        return Meant.PRESS
    if reason == DROPPED:
        return Meant.NEITHER
    return Meant.ORDERS if reason.startswith(AS_ORDERS) else None


def phase_in(reason: str) -> str | None:
    """Return for which phase the orders are of which *reason* speaks."""
    return reason.partition(f"{AS_ORDERS}{OF_PHASE}")[2] or None
