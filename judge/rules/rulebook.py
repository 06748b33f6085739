"""The law of a game: an answer to each question that printed rules leave open (DATC chapter 4).

Each question is an enum, named by what it asks, with the number that DATC gives it; its members
are the choices that the resolver knows, valued by the keys under which the log stores them. The
defaults are the preferences of DATC 3.2. A question that is not here has one answer only: that of
DATC 3.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import get_type_hints


class ConvoyRoutes(Enum):
    """Several convoy routes, one disrupted (DATC 4.A.1)."""

    ALL_ROUTES = "all_routes"  # the convoy fails when no intact route is left
    ONE_ROUTE = "one_route"  # any disrupted route stops it


class ConvoyToNeighbor(Enum):
    """An army that could go by land or by sea (DATC 4.A.3)."""

    INTENT_NO_FALLBACK = "intent_no_fallback"  # by sea if it says so or an own fleet convoys it
    EXPLICIT = "explicit"  # by sea only if it says so


class RetreatToConvoyedOrigin(Enum):
    """A retreat to where an attacker came from who came by sea (DATC 4.A.5)."""

    ALLOWED = "allowed"
    BARRED = "barred"


class DislodgedBounce(Enum):
    """The effect of a dislodged unit on where its attacker came from (DATC 4.A.7)."""

    ONLY_HEAD_ON = "only_head_on"  # none only if the two met head-on, by land
    ALWAYS_NONE = "always_none"


class MovedCoastOpen(Enum):
    """A fleet's move names no coast, and two can be reached (DATC 4.B.1)."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class MovedCoastWrong(Enum):
    """A fleet's move names a coast out of reach, and the other can be reached (DATC 4.B.3)."""

    ILLEGAL = "illegal"
    CORRECTED = "corrected"


class SupportedCoast(Enum):
    """The coast in a support of a fleet's move (DATC 4.B.4)."""

    OMIT_ANY = "omit_any"  # it may be left out, and must match if written
    OMIT_OWN_OR_SINGLE = "omit_own_or_single"  # likewise, for own units or if only one is possible
    REQUIRED_FAIL = "required_fail"  # it must be written and match
    IGNORED = "ignored"


class StandingCoastWrong(Enum):
    """An order names the wrong coast for where a fleet stands (DATC 4.B.5)."""

    IGNORED = "ignored"
    ILLEGAL = "illegal"


class CoastSuperfluous(Enum):
    """An order names a coast that is none, or one for an army (DATC 4.B.6)."""

    IGNORED = "ignored"
    ILLEGAL = "illegal"


class BuildCoastOmitted(Enum):
    """A fleet is built in a province of two coasts without a coast (DATC 4.B.7)."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class BuildKindOmitted(Enum):
    """A build says neither army nor fleet (DATC 4.C.3)."""

    ARMY_INLAND = "army_inland"  # an army inland, nothing on a coast
    ARMY_INLAND_FLEET_WITH_COAST = "army_inland_fleet_with_coast"
    FAILS = "fails"


class FleetInland(Enum):
    """A fleet is built inland (DATC 4.C.4)."""

    FAILS = "fails"
    ARMY = "army"


class Repeated(Enum):
    """Which orders count of several: for a unit (4.D.3), builds (4.D.4), in a center (4.D.5)."""

    FIRST = "first"
    LAST = "last"
    NONE = "none"


class ExcessRemovals(Enum):
    """More removals are ordered than are due (DATC 4.D.6)."""

    FIRST = "first"
    LAST = "last"


class AutomaticRemoval(Enum):
    """From where distance is counted when a power does not remove what it must (DATC 4.D.8)."""

    OWNED_ANY = "owned_any"  # from its centers, over land and sea, whatever the unit
    HOME_ANY = "home_any"  # from its home centers, likewise
    HOME_DPTG = "home_dptg"  # from its home centers, fleets by fleet moves


class UnknownRulebookError(ValueError):
    """There is no rulebook of that name, or a stored one names a choice that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """One choice for each question; immutable for the whole of a game."""

    convoy_routes: ConvoyRoutes = ConvoyRoutes.ALL_ROUTES
    convoy_to_neighbor: ConvoyToNeighbor = ConvoyToNeighbor.INTENT_NO_FALLBACK
    retreat_to_convoyed_origin: RetreatToConvoyedOrigin = RetreatToConvoyedOrigin.ALLOWED
    dislodged_bounce: DislodgedBounce = DislodgedBounce.ONLY_HEAD_ON
    moved_coast_open: MovedCoastOpen = MovedCoastOpen.FAILS
    moved_coast_wrong: MovedCoastWrong = MovedCoastWrong.ILLEGAL
    supported_coast: SupportedCoast = SupportedCoast.OMIT_ANY
    standing_coast_wrong: StandingCoastWrong = StandingCoastWrong.IGNORED
    coast_superfluous: CoastSuperfluous = CoastSuperfluous.IGNORED
    build_coast_omitted: BuildCoastOmitted = BuildCoastOmitted.FAILS
    build_kind_omitted: BuildKindOmitted = BuildKindOmitted.ARMY_INLAND
    fleet_inland: FleetInland = FleetInland.FAILS
    orders_for_one_unit: Repeated = Repeated.FIRST
    excess_builds: Repeated = Repeated.FIRST
    builds_in_one_center: Repeated = Repeated.FIRST
    excess_removals: ExcessRemovals = ExcessRemovals.FIRST
    automatic_removal: AutomaticRemoval = AutomaticRemoval.OWNED_ANY


DATC = Rulebook()
RULEBOOKS: Mapping[str, Rulebook] = {"datc": DATC}


def named(name: str) -> Rulebook:
    """Return the rulebook called *name* (`datc`), in any case.

    Raises `UnknownRulebookError` if there is none.
    """
    try:
        return RULEBOOKS[name.lower()]
    except KeyError:
        raise UnknownRulebookError(name) from None


def name_of(rulebook: Rulebook) -> str:
    """Return the name under which `named` knows *rulebook*, `custom` if under none."""
    return next((name for name, each in RULEBOOKS.items() if each == rulebook), "custom")


def to_payload(rulebook: Rulebook) -> dict[str, str]:
    """Return *rulebook* as the log stores it: each question's name with the key of its choice."""
    return {each.name: getattr(rulebook, each.name).value for each in fields(rulebook)}


def from_payload(payload: Mapping[str, str]) -> Rulebook:
    """Return the rulebook that was stored as *payload*.

    A question that it does not have was not yet asked then, and has the answer of DATC 3.2. Raises
    `UnknownRulebookError` for a question or a choice that this version does not know.
    """
    enums = get_type_hints(Rulebook)
    try:
        return Rulebook(**{question: enums[question](key) for question, key in payload.items()})
    except (KeyError, ValueError) as unknown:
        raise UnknownRulebookError(*unknown.args) from unknown
