"""What a moderator may choose for a game, with the defaults of the template `standard`.

Durations are whole hours, minutes or days, as the name says; the whole of it is copied into `GameCreated`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ImpossibleOrders(Enum):
    """What becomes of an order that can be read but never carried out (DATC 4.E.1)."""

    ACCEPT = "accept"  # it replaces the earlier order, is printed as written, and the unit holds
    REFUSE = "refuse"  # it changes nothing, and the earlier order stands


class AfterDeadline(Enum):
    """Whether a power that was in may change its orders during grace."""

    FROZEN = "frozen"
    OPEN = "open"


class Nmr(Enum):
    """What becomes of a power that gave no orders by the end of grace."""

    STANDBY = "standby"  # vacant; some days for a takeover; then civil disorder
    CIVIL_DISORDER = "civil_disorder"  # the phase is closed at once; the seat becomes vacant
    HOLD = "hold"  # its units hold, and it keeps the seat


class Press(Enum):
    """What players may write to each other through the judge."""

    ALL = "all"  # signed, partial or broadcast, in all phases
    RULEBOOK = "rulebook"  # as `all`, but not in retreats and adjustments
    BROADCAST = "broadcast"  # to everybody only
    NONE = "none"


class DrawEffect(Enum):
    """When the last vote that a draw needs ends the game."""

    AT_ONCE = "at_once"
    AT_CLOSE = "at_close"


class ModeratorSees(Enum):
    """Whether a moderator who plays no power may see orders before the phase closes; set before the start only."""

    NOTHING = "nothing"
    ORDERS = "orders"


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The rules of one game that are not the law of the board."""

    # Time
    zone: str = "UTC"  # IANA name
    closing_time: str = "20:00"  # local, 24 hours; empty: exactly the duration after opening
    closed_weekdays: tuple[int, ...] = (6, 7)  # ISO weekdays on which no deadline falls; 6 is Saturday
    movement_hours: int = 72
    retreat_hours: int = 24
    adjustment_hours: int = 24
    first_phase_hours: int = 168
    grace_hours: int = 24
    reminder_hours: tuple[int, ...] = (24, 4)  # before the deadline; only to those without complete orders
    early_closing: bool = True
    early_wait_minutes: int = 30  # after the last change of any orders
    early_not_before_hours: int = 12  # after a movement phase opened
    need_ready: bool = False
    manual_processing: bool = False  # the deadline is announced, and nothing closes by itself
    after_deadline: AfterDeadline = AfterDeadline.FROZEN
    # Who fails to order
    nmr: Nmr = Nmr.STANDBY
    takeover_hours: int = 168
    first_spring_extension_hours: int = 48  # once, in the first phase, when somebody gave no orders; 0: never
    # Orders
    impossible_orders: ImpossibleOrders = ImpossibleOrders.ACCEPT
    # The table
    press: Press = Press.ALL
    listed: bool = True
    anonymous: bool = False  # gunboat: handles are shown to nobody
    moderator_sees: ModeratorSees = ModeratorSees.NOTHING
    # The end
    draws: bool = True
    draw_effect: DrawEffect = DrawEffect.AT_ONCE
    concessions: bool = True
