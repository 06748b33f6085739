"""What a rulebook says of itself: the choices that its source states (DATC chapter 4).

To every other question a preset has the answer of DATC 3.2, which is then assumed. So it is where
a source has words and no clear choice: the printed rulebooks up to 1982 count the distance of
4.D.8 from home centers, and do not say how.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from judge.rules.questions import (
    AutomaticRemoval,
    BuildCoastOmitted,
    ConvoyedAttackFrom,
    ConvoyParadoxes,
    ConvoyRoutes,
    ConvoyToNeighbor,
    CountedOrders,
    DislodgedBounce,
    ExcessRemovals,
    ImpliedOrders,
    MovedCoastOpen,
    MovedCoastSingle,
    ProxyOrders,
    RemovalTies,
    Repeated,
    RetreatToConvoyedOrigin,
    StandingOrders,
    SupportedCoast,
    SupportOfTheAbsent,
    ViaWithoutConvoy,
    WaivedBuilds,
    WrittenRoute,
)

Choices: TypeAlias = Mapping[str, Enum]  # by question

_PRINTED: Choices = {  # DATC 4.A.6, 4.A.7, 4.B.1, 4.B.7: what all printed rulebooks say
    "written_route": WrittenRoute.IGNORED,
    "dislodged_bounce": DislodgedBounce.ALWAYS_NONE,
    "moved_coast_open": MovedCoastOpen.FAILS,
    "build_coast_omitted": BuildCoastOmitted.FAILS,
}
_1971: Choices = {
    **_PRINTED,
    "convoy_routes": ConvoyRoutes.ONE_ROUTE,
    "convoy_paradoxes": ConvoyParadoxes.RULE_1971,
    "convoy_to_neighbor": ConvoyToNeighbor.OPPOSITE_UNDISRUPTED,  # as DATC 3 reads it
}
_1982: Choices = {
    **_PRINTED,
    "convoy_routes": ConvoyRoutes.ALL_ROUTES,
    "convoy_paradoxes": ConvoyParadoxes.RULE_1982,
    "convoy_to_neighbor": ConvoyToNeighbor.INTENT_FALLBACK,  # as DATC reads all later ones, too
}
_2000: Choices = {
    **_1982,
    "convoy_paradoxes": ConvoyParadoxes.RULE_2000,
    "waived_builds": WaivedBuilds.ALLOWED,
}

PRESETS: Mapping[str, Choices] = MappingProxyType(
    {
        "datc": {},  # the defaults of `Rulebook`, each of which DATC 3.2 states
        "1971": _1971,
        "1976": _1971,
        "1982": _1982,
        "2000": {
            **_2000,
            "convoyed_attack_from": ConvoyedAttackFrom.FROM_START,
            "automatic_removal": AutomaticRemoval.COUNTRY_2000,
        },
        "2023": {
            **_2000,
            "retreat_to_convoyed_origin": RetreatToConvoyedOrigin.ALLOWED,
            "automatic_removal": AutomaticRemoval.OWNED_ANY,
        },
        "njudge": {
            "written_route": WrittenRoute.REQUIRED,
            "moved_coast_open": MovedCoastOpen.DEFAULT_COAST,
            "orders_for_one_unit": Repeated.LAST,
            "excess_builds": Repeated.LAST,
        },
        "dpjudge": {
            "convoy_paradoxes": ConvoyParadoxes.RULE_1982,
            "moved_coast_open": MovedCoastOpen.FAILS,
            "moved_coast_single": MovedCoastSingle.ONLY_COAST,
            "supported_coast": SupportedCoast.IGNORED,
            "excess_builds": Repeated.NONE,
            "waived_builds": WaivedBuilds.ALLOWED,
        },
        "jdip": {
            "convoy_routes": ConvoyRoutes.ALL_ROUTES,
            "convoy_paradoxes": ConvoyParadoxes.SZYKMAN,
            "convoy_to_neighbor": ConvoyToNeighbor.INTENT_FALLBACK,
            "written_route": WrittenRoute.OPTIONAL,
            "dislodged_bounce": DislodgedBounce.ONLY_HEAD_ON,
        },
        "webdiplomacy": {
            "convoy_routes": ConvoyRoutes.ALL_ROUTES,
            "convoy_paradoxes": ConvoyParadoxes.SZYKMAN,
            "convoy_to_neighbor": ConvoyToNeighbor.INTENT_FALLBACK,
            "convoyed_attack_from": ConvoyedAttackFrom.FROM_START,
            "retreat_to_convoyed_origin": RetreatToConvoyedOrigin.ALLOWED,
            "written_route": WrittenRoute.IGNORED,
            "dislodged_bounce": DislodgedBounce.ONLY_HEAD_ON,
            "builds_in_one_center": Repeated.FIRST,
            "excess_removals": ExcessRemovals.FIRST,
            "waived_builds": WaivedBuilds.ALLOWED,
            "automatic_removal": AutomaticRemoval.HOME_DPTG,
            "support_of_the_absent": SupportOfTheAbsent.SUCCEEDS,
            "counted_orders": CountedOrders.POSSIBLE_NOW,
            "implied_orders": ImpliedOrders.NOT_ALLOWED,
            "standing_orders": StandingOrders.NOT_ALLOWED,
            "proxy_orders": ProxyOrders.NOT_ALLOWED,
        },
        "droidippy": {  # what its recorded games show
            "convoy_paradoxes": ConvoyParadoxes.SZYKMAN,
            "convoy_to_neighbor": ConvoyToNeighbor.INTENT_NO_FALLBACK,
            "via_without_convoy": ViaWithoutConvoy.LAND,
            "retreat_to_convoyed_origin": RetreatToConvoyedOrigin.ALLOWED,
            "supported_coast": SupportedCoast.OMIT_ANY,
            "excess_builds": Repeated.FIRST,
            "excess_removals": ExcessRemovals.FIRST,
            "automatic_removal": AutomaticRemoval.HOME_ANY,
            "removal_ties": RemovalTies.RECORD_CODES,
            "counted_orders": CountedOrders.POSSIBLE_NOW,
        },
    }
)
