"""The questions that printed rules leave open (DATC chapter 4), with their answers.

An enum is a question, named by what it asks, with the number that DATC gives it; a member is an
answer, valued by the key under which it is stored. What the orders of a power are, before they
are judged, is asked by the last ones; `orderbook` applies those.
"""

from __future__ import annotations

from enum import Enum


class ConvoyRoutes(Enum):
    """Several convoy routes, one disrupted (DATC 4.A.1)."""

    ALL_ROUTES = "all_routes"  # the convoy fails when no intact route is left
    ONE_ROUTE = "one_route"  # any disrupted route stops it
    ONE_ROUTE_OWN_FIRST = "one_route_own_first"  # likewise, of own fleets alone if they suffice


class ConvoyParadoxes(Enum):
    """A convoy whose success depends on itself (DATC 4.A.2)."""

    SZYKMAN = "szykman"  # the convoys in the paradox are disrupted
    RULE_1971 = "1971"  # no convoyed army cuts a fleet's support of an attack on its convoy
    RULE_1982 = "1982"  # nor any into a sea where some fleet convoys
    RULE_2000 = "2000"  # as 1971, but only for the fleets that the convoy cannot do without
    ALL_HOLD = "all_hold"  # every move in the paradox fails
    DPTG = "dptg"  # disrupted if that agrees with itself, else every move fails


class ConvoyToNeighbor(Enum):
    """An army that could go by land or by sea (DATC 4.A.3)."""

    INTENT_NO_FALLBACK = "intent_no_fallback"  # by sea if it says so or an own fleet convoys it
    INTENT_FALLBACK = "intent_fallback"  # likewise, and by land if the convoy is disrupted
    VIA_OR_FALLBACK = "via_or_fallback"  # the first if it says so, the second for an own fleet
    EXPLICIT = "explicit"  # by sea only if it says so
    ALWAYS_CONVOY = "always_convoy"  # by sea whenever a convoy is ordered
    OPPOSITE_MOVE = "opposite_move"  # by land, unless the two would meet head-on
    OPPOSITE_UNDISRUPTED = "opposite_undisrupted"  # likewise, and the convoy is not disrupted


class ViaWithoutConvoy(Enum):
    """A neighbor is to be reached by sea, and no complete chain was ordered (DATC 4.A.3)."""

    INVALID = "invalid"  # the army does not move
    LAND = "land"  # it goes by land


class ConvoyedAttackFrom(Enum):
    """The province that a convoyed attack comes from (DATC 4.A.4)."""

    FROM_START = "from_start"  # from where the army was
    FROM_FLEET = "from_fleet"  # from the last fleet (Brannan's rule)


class RetreatToConvoyedOrigin(Enum):
    """A retreat to the starting province of a convoyed attacker (DATC 4.A.5)."""

    ALLOWED = "allowed"
    BARRED = "barred"


class WrittenRoute(Enum):
    """The fleets of the route, written in the order of the army (DATC 4.A.6)."""

    IGNORED = "ignored"
    OPTIONAL = "optional"  # a route that is written binds the army
    REQUIRED = "required"  # and without one it cannot go by sea


class DislodgedBounce(Enum):
    """The effect of a dislodged unit on where its attacker came from (DATC 4.A.7)."""

    ONLY_HEAD_ON = "only_head_on"  # none only if the two met head-on, by land
    ALWAYS_NONE = "always_none"


class MovedCoastOpen(Enum):
    """A fleet's move names no coast, and two can be reached (DATC 4.B.1)."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class MovedCoastSingle(Enum):
    """A fleet's move names no coast, and one can be reached (DATC 4.B.2)."""

    ONLY_COAST = "only_coast"
    DEFAULT_COAST = "default_coast"
    FAILS = "fails"


class MovedCoastWrong(Enum):
    """A fleet's move names a coast out of reach, and the other can be reached (DATC 4.B.3)."""

    ILLEGAL = "illegal"
    CORRECTED = "corrected"


class SupportedCoast(Enum):
    """The coast in a support of a fleet's move (DATC 4.B.4)."""

    OMIT_ANY = "omit_any"  # it may be left out, and must match if written
    OMIT_OWN_OR_SINGLE = "omit_own_or_single"  # likewise, for own units or if only one is possible
    REQUIRED_DEFAULT = "required_default"  # it must match, and means the default one if left out
    REQUIRED_FAIL = "required_fail"  # it must be written and match
    IGNORED = "ignored"


class StandingCoastWrong(Enum):
    """An order names the wrong coast for where a fleet stands (DATC 4.B.5)."""

    IGNORED = "ignored"
    ILLEGAL = "illegal"
    ILLEGAL_IN_SUPPORT = "illegal_in_support"  # of a unit that is supported or convoyed only


class CoastSuperfluous(Enum):
    """An order names a coast that is none, or one for an army (DATC 4.B.6)."""

    IGNORED = "ignored"
    ILLEGAL = "illegal"
    ILLEGAL_FOR_FLEETS = "illegal_for_fleets"  # for an army it means nothing


class BuildCoastOmitted(Enum):
    """A fleet is built in a province of two coasts without a coast (DATC 4.B.7)."""

    FAILS = "fails"
    DEFAULT_COAST = "default_coast"


class MisnamedUnit(Enum):
    """An order names a unit in part or wrongly: its kind or its power (DATC 4.C.1, 2, 5, 6)."""

    LEGAL = "legal"
    LEGAL_UNLESS_BETTER = "legal_unless_better"  # unless another order names the unit properly
    ILLEGAL = "illegal"


class BuildKindOmitted(Enum):
    """A build says neither army nor fleet (DATC 4.C.3)."""

    ARMY_INLAND_FLEET_WITH_COAST = "army_inland_fleet_with_coast"
    ARMY_INLAND = "army_inland"  # an army inland, nothing on a coast
    FAILS = "fails"
    ARMY = "army"  # an army, on a coast too


class FleetInland(Enum):
    """A fleet is built inland (DATC 4.C.4)."""

    FAILS = "fails"
    ARMY = "army"


class RepeatedOrders(Enum):
    """The choice among several orders: for a unit (4.D.3), builds (4.D.4), in a center (4.D.5)."""

    FIRST = "first"
    LAST = "last"
    NONE = "none"


class ExcessRemovals(Enum):
    """More removals are ordered than are due (DATC 4.D.6)."""

    FIRST = "first"
    LAST = "last"
    CIVIL_DISORDER = "civil_disorder"  # those that would go unasked


class WaivedBuilds(Enum):
    """A power builds less than it may (DATC 4.D.7)."""

    ALLOWED = "allowed"
    NOT_ALLOWED = "not_allowed"


class AutomaticRemoval(Enum):
    """The distances that decide about removals that a power did not order (DATC 4.D.8).

    `oldest` needs the order of the list, which a position has if the game's rulebook asks for it.
    """

    OWNED_ANY = "owned_any"  # from its centers, over land and sea, whatever the unit
    HOME_ANY = "home_any"  # from its home centers, likewise
    HOME_DPTG = "home_dptg"  # from its home centers, fleets by fleet moves
    COUNTRY_2000 = "country_2000"  # as `home_dptg`, from any province of its country
    CONVOY_ONE_ANY = "convoy_one_any"  # by moves from home centers; a convoy is one, fleets or not
    CONVOY_ONE_FLEETS = "convoy_one_fleets"  # likewise, over seas that hold a fleet
    CONVOY_ONE_OWN = "convoy_one_own"  # likewise, over seas that hold a fleet of its own
    OLDEST = "oldest"  # by the list of units, the first that is on no center of its power
    BY_PLACE = "by_place"  # by where it is, not by distance: off all centers first, homes late


class RemovalTies(Enum):
    """The alphabet for units equally far (DATC 4.D.8); fleets go before armies but for one."""

    FULL_NAMES = "full_names"
    FULL_NAMES_ALONE = "full_names_alone"  # likewise, fleets and armies alike
    MAP_CODES = "map_codes"  # the codes of the provinces: `LON` before `LVP`
    RECORD_CODES = "record_codes"  # those of the records of droidippy, such as `gol` for LYO


class SupportOfTheAbsent(Enum):
    """A support to hold for a unit whose power gave no order at all (DATC 4.D.9)."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"


class CountedOrders(Enum):
    """The impossible moves that count as moves, and so forbid a support to hold (DATC 4.E.1)."""

    POSSIBLE_NOW = "possible_now"  # none: whatever cannot be in this position is ignored
    POSSIBLE_SOMETIME = "possible_sometime"  # those that could be in some other position
    MAP_NAMES = "map_names"  # all between places of the board
    ANY_TEXT = "any_text"  # all


class SetsInSequence(Enum):
    """A power handed in several sets of orders, and the sequence is known (DATC 4.D.1)."""

    LAST_UNLESS_KEPT = "last_unless_kept"  # the last, and earlier ones if it keeps them
    MERGE = "merge"  # all: for each unit the latest
    MERGE_UNLESS_REPLACED = "merge_unless_replaced"  # likewise, unless a set says it replaces all
    LAST = "last"


class SetsWithoutSequence(Enum):
    """A power handed in several sets of orders, and the sequence is not known (DATC 4.D.2)."""

    MERGE = "merge"
    ALL_HOLD = "all_hold"


class ImpliedOrders(Enum):
    """A support or convoy implies an order of the same power, which it did not give (4.E.3)."""

    NOT_ALLOWED = "not_allowed"
    ALLOWED = "allowed"


class StandingOrders(Enum):
    """Orders that were left to be repeated every turn (DATC 4.E.4)."""

    NOT_ALLOWED = "not_allowed"
    ALLOWED = "allowed"


class ProxyOrders(Enum):
    """Orders that one power writes for a unit of another (DATC 4.E.5)."""

    NOT_ALLOWED = "not_allowed"
    ANNOUNCED = "announced"  # if its owner announced it before the orders
    IN_ORDERS = "in_orders"  # if its owner says so in the orders
