"""The ways in which a reply to press may be meant, if its writer says so."""

from __future__ import annotations

from enum import Enum


class ReplyKind(Enum):
    """The declared kind of a reply."""

    PRESS = "press"
    ORDERS = "orders"
    NEITHER = "neither"
