"""Cite the rule that each verdict applies: rulebook section (1976, 1982) and DATC number.

Sections are those of the Avalon Hill rulebook of 1976, and of 1982. A DATC number is an open
question of chapter 4, or the test case that shows the rule. The rules themselves are applied in
`judge.rules.resolution`, whose table says where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from judge.rules import outcomes
from judge.rules.types import Build, Disband, Move, Order, Retreat, SupportMove, Waive


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule by its *section* in the rulebook and its number in the *datc*."""

    section: str | None = None
    datc: str | None = None


class Spared(Enum):
    """A reason why an attack on a unit does not cut its support."""

    OWN_ATTACK = "own_attack"
    AIMED_AT = "aimed_at"  # it comes from where the support is aimed, and does not dislodge
    LANDING = "landing"  # likewise, from the last sea of its convoy
    NOT_CARRIED = "not_carried"  # it was to come by a convoy that broke
    SELF_DECIDED = "self_decided"  # it was to come by a convoy that would decide its own fate
    CONVOYED = "convoyed"  # the printed rules on such convoys


class Protection(Enum):
    """A reason why a unit was not dislodged by a stronger attack."""

    OWN_ATTACK = "own_attack"  # the attack is by its own power
    OWN_SUPPORT = "own_support"  # the attack is stronger only by a support of its own power
    BOUNCE = "bounce"  # the attacks bounced off each other


CONFLICT = Rule("VIII")
STRONGER = Rule("IX.2")
CUT = Rule("X")
CUT_FROM_AIM = Rule("X", "6.D.17")  # by the unit that dislodges the supporter
CUT_FROM_SEA = Rule("X", "4.A.4")  # by an army from where it is aimed, but carried
OWN_UNIT = Rule("IX.3", "6.D.10")
OWN_UNIT_BACK = Rule("IX.3", "6.D.11")  # it did not get away
OWN_UNIT_HEAD_ON = Rule("IX.3", "6.E.2")
OWN_HELP = Rule("IX.3", "6.D.12")
OWN_HELP_BACK = Rule("IX.3", "6.D.13")
OWN_HELP_UNNEEDED = Rule("IX.3", "6.D.14")  # other supports sufficed
OWN_HELP_HEAD_ON = Rule("IX.3", "6.E.3")
OWN_HELP_BELEAGUERED = Rule("IX.3", "6.E.7")
OWN_HELP_BELEAGUERED_HEAD_ON = Rule("IX.3", "6.E.8")
SELF_STANDOFF = Rule("IX.4")
NO_EFFECT = Rule("IX.7", "6.E.1")
NO_EFFECT_BY_SEA = Rule("IX.7", "4.A.7")
RETREAT = Rule("XI")
CONVOY = Rule("XII")
ROUTES = Rule("XII", "4.A.1")
ROUTE_NAMED = Rule("XII", "4.A.6")
# The printed rules on a support of an attack on the convoy itself.
CONVOYED_CUT = Rule("XII.5", "4.A.2")
PARADOX = Rule(datc="4.A.2")  # Szykman's rule and others; no printed rulebook has it
OVERLAND = Rule("XII.6", "4.A.3")
ADJUSTMENT = Rule("XIII.2")
AUTOMATIC = Rule(datc="4.D.8")
LEAVING = Rule("XI, XIII.2")  # dislodged, or one too many

DUPLICATES = (
    outcomes.Impossible.DUPLICATE,
    outcomes.Impossible.DUPLICATE_LAST,
    outcomes.Impossible.DUPLICATE_NONE,
    outcomes.Impossible.DUPLICATE_SAME,
    outcomes.Impossible.DUPLICATE_NAMED,
)
EXCESS = (
    outcomes.Impossible.TOO_MANY,
    outcomes.Impossible.TOO_MANY_LAST,
    outcomes.Impossible.TOO_MANY_NONE,
    outcomes.Impossible.TOO_MANY_UNASKED,
)

SPARED: Mapping[Spared, Rule] = {
    Spared.OWN_ATTACK: Rule("IX.6", "6.D.20"),
    Spared.AIMED_AT: Rule("X", "6.D.15"),
    Spared.LANDING: Rule("X", "4.A.4"),
    Spared.NOT_CARRIED: Rule("XII.5"),
    Spared.SELF_DECIDED: PARADOX,
    Spared.CONVOYED: CONVOYED_CUT,
}
PROTECTED: Mapping[tuple[Protection, ...], Rule] = {
    (Protection.OWN_ATTACK,): OWN_UNIT,
    (Protection.OWN_SUPPORT,): OWN_HELP,
    (Protection.BOUNCE,): Rule("IX.5"),
    (Protection.OWN_ATTACK, Protection.BOUNCE): Rule("IX.3, IX.5", "6.D.10"),
    (Protection.OWN_SUPPORT, Protection.BOUNCE): Rule("IX.3, IX.5", "6.E.7"),
}
IMPOSSIBLE: Mapping[outcomes.Impossible, Rule] = {
    outcomes.Impossible.NO_SUCH_UNIT: Rule("VII.7", "4.E.1"),
    outcomes.Impossible.NO_OTHER_UNIT: Rule("VII.7", "4.E.1"),
    outcomes.Impossible.NOT_YOURS: Rule(datc="6.A.6"),
    outcomes.Impossible.WRONG_PHASE: LEAVING,  # which say what is ordered instead of moves
    outcomes.Impossible.SAME_PROVINCE: Rule(datc="6.A.4"),
    outcomes.Impossible.UNREACHABLE: Rule("XII", "4.E.1"),
    outcomes.Impossible.FLEET_UNREACHABLE: Rule(datc="6.A.1"),
    outcomes.Impossible.NO_WAY_BY_SEA: Rule("XII", "4.E.1"),
    outcomes.Impossible.ROUTE_IMPOSSIBLE: Rule("XII", "4.A.6"),
    outcomes.Impossible.COAST_NEEDED: Rule(datc="4.B.1"),
    outcomes.Impossible.COAST_OMITTED: Rule(datc="4.B.2"),
    outcomes.Impossible.COAST_UNREACHABLE: Rule(datc="4.B.3"),
    outcomes.Impossible.STANDING_COAST_WRONG: Rule(datc="4.B.5"),
    outcomes.Impossible.COAST_SUPERFLUOUS: Rule(datc="4.B.6"),
    outcomes.Impossible.OTHER_COAST: Rule(datc="6.B.11"),
    outcomes.Impossible.SUPPORTER_CANNOT_REACH: Rule("IX.1", "6.A.10"),
    outcomes.Impossible.SUPPORTED_CANNOT_REACH: Rule("IX.1", "4.E.1"),
    outcomes.Impossible.SELF_SUPPORT: Rule("IX.1", "6.A.8"),
    outcomes.Impossible.NOT_AT_SEA: Rule("XII", "6.F.1"),
    outcomes.Impossible.FLEET_CONVOYED: Rule("XII", "6.A.7"),
    outcomes.Impossible.NO_ROUTE: Rule("XII", "4.E.1"),
    **dict.fromkeys(DUPLICATES, Rule(datc="4.D.3")),
    outcomes.Impossible.DUPLICATE_NAMED: Rule(datc="4.C"),
    outcomes.Impossible.NOT_A_RETREAT: RETREAT,
    outcomes.Impossible.RETREAT_UNREACHABLE: RETREAT,
    outcomes.Impossible.RETREAT_OCCUPIED: RETREAT,
    outcomes.Impossible.RETREAT_CONTESTED: Rule("XI", "6.H.6"),
    outcomes.Impossible.RETREAT_TO_ATTACKER: Rule("XI", "6.H.5"),
    outcomes.Impossible.RETREAT_TO_CONVOYED: Rule("XI", "4.A.5"),
    outcomes.Impossible.NOT_DISLODGED: Rule("XI", "6.H.4"),
    outcomes.Impossible.NOT_A_CENTER: Rule("XIII.2"),
    outcomes.Impossible.NOT_A_HOME_CENTER: Rule("XIII.2", "6.I.6"),
    outcomes.Impossible.HOME_CENTERS_LOST: Rule("XIII.2"),
    outcomes.Impossible.CENTER_NOT_OWNED: Rule("XIII.2", "6.I.5"),
    outcomes.Impossible.OCCUPIED: Rule("XIII.2", "6.I.3"),
    outcomes.Impossible.NO_FLEET_INLAND: Rule("XIII.2", "4.C.4"),
    outcomes.Impossible.NO_ARMY_AT_SEA: ADJUSTMENT,
    outcomes.Impossible.KIND_NEEDED: Rule(datc="4.C.1"),
    outcomes.Impossible.KIND_WRONG: Rule(datc="4.C.2"),
    outcomes.Impossible.POWER_NEEDED: Rule(datc="4.C.5"),
    outcomes.Impossible.POWER_WRONG: Rule(datc="4.C.6"),
    outcomes.Impossible.ROUTE_NEEDED: Rule(datc="4.A.6"),
    outcomes.Impossible.WAIVE_NOT_ALLOWED: Rule("XIII.2", "4.D.7"),
    **dict.fromkeys(EXCESS, Rule("XIII.2", "4.D.4")),
    outcomes.Impossible.NOTHING_DUE: ADJUSTMENT,
}
# Where one and the same fault is another question in orders of one kind.
BY_ORDER: Mapping[tuple[outcomes.Impossible, type[Order]], Rule] = {
    (outcomes.Impossible.COAST_NEEDED, Build): Rule("XIII.2", "4.B.7"),
    (outcomes.Impossible.COAST_NEEDED, SupportMove): Rule("IX.1", "4.B.4"),
    (outcomes.Impossible.COAST_UNREACHABLE, SupportMove): Rule("IX.1", "4.B.4"),
    (outcomes.Impossible.COAST_SUPERFLUOUS, Build): Rule("XIII.2", "4.B.6"),
    (outcomes.Impossible.KIND_NEEDED, Build): Rule("XIII.2", "4.C.3"),
    (outcomes.Impossible.NO_FLEET_INLAND, Move): Rule(datc="6.A.3"),
    (outcomes.Impossible.NO_ARMY_AT_SEA, Move): Rule(datc="6.A.2"),
    (outcomes.Impossible.WRONG_PHASE, Build): ADJUSTMENT,
    (outcomes.Impossible.WRONG_PHASE, Waive): ADJUSTMENT,
    (outcomes.Impossible.WRONG_PHASE, Retreat): RETREAT,
    **{(why, Build): Rule("XIII.2", "4.D.5") for why in DUPLICATES},
    **{(why, Disband): Rule("XIII.2", "4.D.6") for why in EXCESS},
}
UNMATCHED: Mapping[outcomes.Unmatched, Rule] = {
    outcomes.Unmatched.NO_SUCH_MOVE: Rule("IX.1"),
    outcomes.Unmatched.SUPPORTED_MOVES: Rule("IX.6"),
    outcomes.Unmatched.NO_CONVOY: CONVOY,
    outcomes.Unmatched.ARMY_NOT_CONVOYED: CONVOY,
    outcomes.Unmatched.COAST_MISMATCH: Rule("IX.1", "4.B.4"),
    outcomes.Unmatched.POWER_ABSENT: Rule(datc="4.D.9"),
}
FAILURES: Mapping[type[outcomes.FailCause], Rule] = {
    outcomes.StoodOff: CONFLICT,
    outcomes.HeldOff: CONFLICT,
    outcomes.HeadOn: CONFLICT,
    outcomes.OwnUnit: CONFLICT,  # IX.3 only if the attack is stronger than the unit
    outcomes.ConvoyBroken: CONVOY,
    outcomes.ConvoyParadox: PARADOX,
    outcomes.ParadoxHold: PARADOX,
    outcomes.Futile: Rule(datc="4.E.1"),
    outcomes.RetreatsClash: Rule("XI", "6.H.7"),
}
# Orders of retreats and adjustments that succeed; a retreat may be written as a move.
UNOPPOSED: Mapping[type[Order], Rule] = {
    Move: RETREAT,
    Retreat: RETREAT,
    Disband: ADJUSTMENT,
    Build: ADJUSTMENT,
    Waive: Rule("XIII.2", "4.D.7"),
}
PLAIN: Mapping[type[outcomes.Verdict], Rule] = {
    outcomes.Stands: CONFLICT,
    outcomes.Given: STRONGER,
    outcomes.Cut: CUT,
    outcomes.Available: CONVOY,
}


def rule_of(order: Order, verdict: outcomes.Verdict) -> Rule:
    """Return the rule that led to *verdict* on *order*."""
    match verdict:
        case outcomes.Illegal(why):
            return rule_against(why, order)
        case outcomes.Invalid(why):
            return UNMATCHED[why]
        case outcomes.Fails(cause):
            return FAILURES[type(cause)]
        case outcomes.Stands() | outcomes.Given() | outcomes.Cut() | outcomes.Available():
            return PLAIN[type(verdict)]
        case outcomes.Disrupted(by):
            return CONVOY if by else PARADOX
        case outcomes.Succeeds(attack=attack):
            return STRONGER if attack else UNOPPOSED.get(type(order), STRONGER)
        case _:
            assert_never(verdict)


def rule_against(why: outcomes.Impossible, order: Order) -> Rule:
    """Return the rule that forbids *order*."""
    return BY_ORDER.get((why, type(order)), IMPOSSIBLE[why])
