"""The presets of rulebooks: what printed rulebooks and other judges answer to each question.

Each answer names its source: where it is stated, or the test that holds it to an outcome of that
judge. What a source does not say has the answer of DATC 3.2 and is assumed. The programs were
read in these versions: nJudge 2025-05, webDiplomacy 2025-09, jDip 2016-04, godip 2025-04,
`diplomacy` 1.1.2, DPjudge 2022-11.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from judge.rules import rule_options as options

_TESTS = "tests/rulebook/test_presets.py"


class Basis(Enum):
    """The basis for the answer of a preset."""

    STATED = "stated"
    TESTED = "tested"  # a test holds it to an outcome of the judge or edition
    ASSUMED = "assumed"  # no source says: the answer of DATC 3.2, or what DATC recommends
    NOT_ASKED = "not asked"  # the question does not come up there


@dataclass(frozen=True, slots=True)
class PresetAnswer:
    """A preset's *choice* for a question (None for that of DATC 3.2), and its *source*.

    *test* names the test of a tested one, as pytest does.
    """

    choice: Enum | None
    basis: Basis
    source: str
    test: str = ""


Answers: TypeAlias = Mapping[str, PresetAnswer]  # by question


def _stated(choice: Enum, source: str) -> PresetAnswer:
    return PresetAnswer(choice, Basis.STATED, source)


def _tested(choice: Enum, source: str, test: str) -> PresetAnswer:
    return PresetAnswer(choice, Basis.TESTED, source, test)


def _assumed(why: str, choice: Enum | None = None) -> PresetAnswer:
    return PresetAnswer(choice, Basis.ASSUMED, why)


def _not_asked(
    questions: Iterable[str], why: str, choice: Enum | None = None
) -> dict[str, PresetAnswer]:
    return {each: PresetAnswer(choice, Basis.NOT_ASKED, why) for each in questions}


# All printed rulebooks.
_PRINTED: Answers = {
    "written_route": _stated(options.WrittenRoute.IGNORED, "no rulebook knows of it: DATC 4.A.6"),
    "dislodged_bounce": _stated(options.DislodgedBounce.ALWAYS_NONE, "by the letter: DATC 4.A.7"),
    "moved_coast_open": _stated(options.MovedCoastOpen.FAILS, "DATC 4.B.1"),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "DATC 4.B.7"),
}
_HOME_CENTERS = _stated(
    options.AutomaticRemoval.HOME_DPTG,
    "from home centers, convoys included; DATC 4.D.8 gives the Players' Technical Guide's reading",
)
_1971: Answers = {
    **_PRINTED,
    "convoy_routes": _stated(options.ConvoyRoutes.ONE_ROUTE, "DATC 4.A.1"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.RULE_1971, "DATC 4.A.2"),
    "convoy_to_neighbor": _assumed(
        "the rulebook is silent; DATC 4.A.3 recommends this reading",
        options.ConvoyToNeighbor.OPPOSITE_UNDISRUPTED,
    ),
    "automatic_removal": _HOME_CENTERS,
}
_1982: Answers = {
    **_PRINTED,
    "convoy_routes": _stated(options.ConvoyRoutes.ALL_ROUTES, "DATC 4.A.1"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.RULE_1982, "DATC 4.A.2"),
    "convoy_to_neighbor": _stated(
        options.ConvoyToNeighbor.INTENT_FALLBACK,
        "DATC 4.A.3: own orders show intent; that the army may still go by land is our reading",
    ),
    "automatic_removal": _HOME_CENTERS,
}
_2000: Answers = {
    **_1982,
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.RULE_2000, "DATC 4.A.2"),
    "convoyed_attack_from": _stated(
        options.ConvoyedAttackFrom.FROM_START, "its example of a paradox: DATC 4.A.4"
    ),
    "build_kind_omitted": _stated(
        options.BuildKindOmitted.ARMY_INLAND, "on a coast the kind must be written: DATC 4.C.3"
    ),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "DATC 4.D.7"),
    "automatic_removal": _stated(options.AutomaticRemoval.COUNTRY_2000, "DATC 4.D.8"),
}
_2023: Answers = {
    **{each: _2000[each] for each in _2000 if each != "convoyed_attack_from"},
    "retreat_to_convoyed_origin": _stated(options.RetreatToConvoyedOrigin.ALLOWED, "DATC 4.A.5"),
    "supported_coast": _stated(options.SupportedCoast.OMIT_ANY, "DATC 4.B.4"),
    "automatic_removal": _stated(options.AutomaticRemoval.OWNED_ANY, "DATC 4.D.8"),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "DATC 4.E.1"),
}
_2025: Answers = {
    **_2023,
    "convoy_to_neighbor": _stated(options.ConvoyToNeighbor.INTENT_NO_FALLBACK, "DATC 4.A.3"),
    "kind_omitted": _stated(options.MisnamedUnit.LEGAL, "DATC 4.C.1"),
    "orders_for_one_unit": _stated(options.RepeatedOrders.FIRST, "DATC 4.D.3"),
    "excess_builds": _stated(options.RepeatedOrders.FIRST, "DATC 4.D.4"),
    "excess_removals": _stated(options.ExcessRemovals.FIRST, "DATC 4.D.6"),
}
_DPTG: Answers = {
    "convoy_routes": _stated(options.ConvoyRoutes.ONE_ROUTE_OWN_FIRST, "DATC 4.A.1"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.DPTG, "DATC 2.5, 4.A.2"),
    "convoy_to_neighbor": _stated(options.ConvoyToNeighbor.EXPLICIT, "DATC 4.A.3"),
    "convoyed_attack_from": _stated(options.ConvoyedAttackFrom.FROM_FLEET, "DATC 4.A.4"),
    "retreat_to_convoyed_origin": _stated(options.RetreatToConvoyedOrigin.ALLOWED, "DATC 4.A.5"),
    "dislodged_bounce": _stated(options.DislodgedBounce.ONLY_HEAD_ON, "DATC 4.A.7"),
    "moved_coast_single": _stated(options.MovedCoastSingle.ONLY_COAST, "DATC 4.B.2"),
    "supported_coast": _stated(options.SupportedCoast.IGNORED, "DATC 4.B.4"),
    "automatic_removal": _stated(options.AutomaticRemoval.HOME_DPTG, "DATC 4.D.8"),
    "counted_orders": _stated(options.CountedOrders.ANY_TEXT, "DATC 4.E.1"),
}
_NO_SUCH_ORDER: Answers = {
    "implied_orders": _stated(options.ImpliedOrders.NOT_ALLOWED, "it has no such order"),
    "standing_orders": _stated(options.StandingOrders.NOT_ALLOWED, "it has no such order"),
    "proxy_orders": _stated(options.ProxyOrders.NOT_ALLOWED, "it has no such order"),
}
_NJUDGE: Answers = {
    **_not_asked(["convoy_routes"], "a route is always written, and binds"),
    "convoy_paradoxes": _assumed(
        "it settles paradoxes in five passes of its own (DoMoves), which is none of the choices: "
        "its records may differ in a paradox, as in DATC 6.F.16 to 6.F.18"
    ),
    "convoy_to_neighbor": _stated(options.ConvoyToNeighbor.EXPLICIT, "st_movement.c, movein"),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.INVALID, "st_movement.c, DoMoves"),
    "convoyed_attack_from": _stated(options.ConvoyedAttackFrom.FROM_START, "DoMoves"),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.BARRED, "st_movement.c, moveout"
    ),
    "written_route": _stated(options.WrittenRoute.REQUIRED, "st_movement.c, movein; data/syntax"),
    "dislodged_bounce": _stated(options.DislodgedBounce.ONLY_HEAD_ON, "DoMoves; data/house.rules"),
    "moved_coast_open": _stated(options.MovedCoastOpen.DEFAULT_COAST, "common.c, valid_move"),
    "moved_coast_single": _stated(options.MovedCoastSingle.ONLY_COAST, "common.c, valid_move"),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "common.c, valid_move"),
    "supported_coast": _stated(
        options.SupportedCoast.REQUIRED_DEFAULT, "st_movement.c, movein; data/house.rules, 10"
    ),
    "standing_coast_wrong": _stated(options.StandingCoastWrong.IGNORED, "st_movement.c, movein"),
    "coast_superfluous": _stated(options.CoastSuperfluous.ILLEGAL, "common.c, valid_move"),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "st_build.c, buildin"),
    "kind_omitted": _stated(options.MisnamedUnit.LEGAL, "st_movement.c, movein; data/syntax"),
    "kind_wrong": _stated(options.MisnamedUnit.ILLEGAL, "st_movement.c, movein"),
    "build_kind_omitted": _stated(options.BuildKindOmitted.FAILS, "st_build.c, buildin"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "st_build.c, buildin"),
    "power_omitted": _stated(options.MisnamedUnit.LEGAL, "data/syntax"),
    "power_wrong": _stated(
        options.MisnamedUnit.ILLEGAL, "st_movement.c, movein: it refuses any nationality"
    ),
    "sets_in_sequence": _stated(options.SetsInSequence.MERGE, "data/syntax, REVISING ORDERS"),
    **_not_asked(["sets_without_sequence"], "emails are taken as they arrive"),
    "orders_for_one_unit": _stated(options.RepeatedOrders.LAST, "st_movement.c, movein"),
    "excess_builds": _stated(options.RepeatedOrders.LAST, "st_build.c, buildin"),
    "builds_in_one_center": _stated(options.RepeatedOrders.LAST, "st_build.c, buildin"),
    "excess_removals": _stated(options.ExcessRemovals.LAST, "st_build.c, buildin"),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "st_build.c, buildin"),
    "automatic_removal": _stated(
        options.AutomaticRemoval.OLDEST, "st_build.c, buildout; data/house.rules, 9"
    ),
    **_not_asked(["removal_ties"], "its list of units has no ties"),
    "support_of_the_absent": _stated(options.SupportOfTheAbsent.SUCCEEDS, "DoMoves"),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "st_movement.c, movein"),
    "implied_orders": _stated(options.ImpliedOrders.NOT_ALLOWED, "st_movement.c, movein"),
    "standing_orders": _stated(options.StandingOrders.NOT_ALLOWED, "data/syntax"),
    "proxy_orders": _stated(
        options.ProxyOrders.NOT_ALLOWED, "st_movement.c, movein, unless the game sets PROXY"
    ),
}
_DPJUDGE: Answers = {
    **_not_asked(["convoy_routes"], "a route is always written, and binds"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.RULE_1982, "Game.py, cutSupport"),
    "convoy_to_neighbor": _stated(options.ConvoyToNeighbor.EXPLICIT, "Game.py, validOrder"),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.INVALID, "Game.py, resolveMoves"),
    "convoyed_attack_from": _stated(options.ConvoyedAttackFrom.FROM_START, "Game.py, cutSupport"),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.BARRED, "Game.py, moveResults"
    ),
    "written_route": _stated(options.WrittenRoute.REQUIRED, "Game.py, validOrder"),
    "dislodged_bounce": _stated(options.DislodgedBounce.ONLY_HEAD_ON, "Game.py, resolveMoves"),
    "moved_coast_open": _stated(options.MovedCoastOpen.FAILS, "Map.py, defaultCoast"),
    "moved_coast_single": _stated(options.MovedCoastSingle.ONLY_COAST, "Map.py, defaultCoast"),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "Map.py, abuts"),
    "supported_coast": _stated(options.SupportedCoast.IGNORED, "Game.py, validOrder"),
    "standing_coast_wrong": _stated(options.StandingCoastWrong.ILLEGAL, "Game.py, unitOwner"),
    "coast_superfluous": _stated(options.CoastSuperfluous.ILLEGAL, "Game.py, expandOrder"),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "Game.py, addAdjustOrders"),
    "kind_omitted": _stated(options.MisnamedUnit.LEGAL, "Game.py, addUnitTypes"),
    "kind_wrong": _stated(options.MisnamedUnit.ILLEGAL, "Game.py, unitOwner"),
    "build_kind_omitted": _stated(options.BuildKindOmitted.FAILS, "Game.py, addAdjustOrders"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "Game.py, addAdjustOrders"),
    "power_omitted": _stated(options.MisnamedUnit.LEGAL, "Game.py, expandOrder"),
    "power_wrong": _stated(options.MisnamedUnit.LEGAL, "Game.py, expandOrder"),
    "sets_in_sequence": _stated(options.SetsInSequence.LAST, "StandardGame.py, updateOrders"),
    **_not_asked(["sets_without_sequence"], "sets are taken as they arrive"),
    "orders_for_one_unit": _stated(options.RepeatedOrders.NONE, "StandardGame.py, addOrder"),
    "excess_builds": _stated(options.RepeatedOrders.NONE, "Game.py, addAdjustOrders"),
    "builds_in_one_center": _stated(options.RepeatedOrders.NONE, "Game.py, addAdjustOrders"),
    "excess_removals": _stated(
        options.ExcessRemovals.CIVIL_DISORDER, "Game.py, addAdjustOrders, otherResults"
    ),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "Game.py, addAdjustOrders"),
    "automatic_removal": _stated(
        options.AutomaticRemoval.BY_PLACE,
        "Game.py, otherResults: it draws lots among equals, so its records may differ there",
    ),
    "removal_ties": _assumed("it draws lots: Game.py, otherResults"),
    "support_of_the_absent": _stated(
        options.SupportOfTheAbsent.SUCCEEDS, "StandardGame.py, defaultOrders"
    ),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "Game.py, validOrder"),
    "implied_orders": _stated(
        options.ImpliedOrders.NOT_ALLOWED, "StandardGame.py, determineOrders"
    ),
    "standing_orders": _stated(
        options.StandingOrders.NOT_ALLOWED, "StandardGame.py, updateOrders"
    ),
    "proxy_orders": _stated(
        options.ProxyOrders.NOT_ALLOWED, "Game.py, validOrder, unless the game has PROXY_OK"
    ),
}
_JDIP: Answers = {
    "convoy_routes": _stated(
        options.ConvoyRoutes.ALL_ROUTES, "Path.java, getConvoyRouteEvaluation"
    ),
    "convoy_paradoxes": _tested(
        options.ConvoyParadoxes.RULE_2000,
        "Support.java, evaluate; StdAdjudicator.java, breakParadoxSzykman; its own 6.F.17",
        f"{_TESTS}::test_jdip_dislodges_london_in_its_own_6_f_17",
    ),
    "convoy_to_neighbor": _tested(
        options.ConvoyToNeighbor.INTENT_NO_FALLBACK,
        "Move.java, verify, evaluate; its own 6.G.11 and 6.G.11.mod",
        f"{_TESTS}::test_jdip_falls_back_to_no_land_in_its_own_6_g_11",
    ),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.LAND, "Move.java, verify, evaluate"),
    "convoyed_attack_from": _stated(options.ConvoyedAttackFrom.FROM_START, "its own 6.G.13"),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.ALLOWED, "RetreatChecker.java, isDislodger"
    ),
    "written_route": _stated(options.WrittenRoute.OPTIONAL, "Move.java, validate, verify"),
    "dislodged_bounce": _stated(
        options.DislodgedBounce.ONLY_HEAD_ON, "Move.java, determineDependencies"
    ),
    "moved_coast_open": _stated(
        options.MovedCoastOpen.FAILS, "Location.java, getValidatedWithMove"
    ),
    "moved_coast_single": _stated(
        options.MovedCoastSingle.ONLY_COAST, "Location.java, getValidatedWithMove"
    ),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "Move.java, validate"),
    "supported_coast": _stated(options.SupportedCoast.OMIT_ANY, "Support.java, verify"),
    "standing_coast_wrong": _stated(
        options.StandingCoastWrong.IGNORED, "Location.java, getValidatedAndDerived"
    ),
    "coast_superfluous": _stated(
        options.CoastSuperfluous.ILLEGAL_FOR_FLEETS, "Location.java, getValidated"
    ),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "Build.java, validate"),
    "kind_omitted": _stated(options.MisnamedUnit.LEGAL, "Order.java, getValidatedUnitType"),
    "kind_wrong": _stated(options.MisnamedUnit.ILLEGAL, "Order.java, getValidatedUnitType"),
    "build_kind_omitted": _stated(options.BuildKindOmitted.ARMY, "Build.java, validate"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "Build.java, validate"),
    "power_omitted": _stated(options.MisnamedUnit.LEGAL, "OrderParser.java, parse"),
    "power_wrong": _stated(options.MisnamedUnit.LEGAL, "OrderParser.java, parse"),
    "sets_in_sequence": _stated(
        options.SetsInSequence.MERGE, "OrderDisplayPanel.java, addOrderToTS"
    ),
    **_not_asked(["sets_without_sequence", "proxy_orders"], "one person enters all orders"),
    "orders_for_one_unit": _stated(
        options.RepeatedOrders.LAST, "StdAdjudicator.java, adjudicateMoves"
    ),
    "excess_builds": _stated(
        options.RepeatedOrders.FIRST, "StdAdjudicator.java, adjudicateAdjustment"
    ),
    "builds_in_one_center": _stated(
        options.RepeatedOrders.FIRST, "StdAdjudicator.java, adjudicateAdjustment"
    ),
    "excess_removals": _stated(
        options.ExcessRemovals.FIRST, "StdAdjudicator.java, adjudicateAdjustment"
    ),
    "waived_builds": _stated(
        options.WaivedBuilds.ALLOWED, "StdAdjudicator.java, adjudicateAdjustment"
    ),
    "automatic_removal": _stated(
        options.AutomaticRemoval.HOME_ANY, "StdAdjudicator.java, createRemoveOrders; Path.java"
    ),
    "removal_ties": _stated(
        options.RemovalTies.FULL_NAMES, "StdAdjudicator.java, createRemoveOrders"
    ),
    "support_of_the_absent": _stated(
        options.SupportOfTheAbsent.SUCCEEDS, "StdAdjudicator.java, adjudicateMoves"
    ),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "its strict validation"),
    "implied_orders": _NO_SUCH_ORDER["implied_orders"],
    "standing_orders": _NO_SUCH_ORDER["standing_orders"],
}
_MENUS = "orders are chosen from menus"
_COAST_MENU = "its menus offer a fleet coasts only"
_WEBDIPLOMACY: Answers = {
    "convoy_routes": _stated(options.ConvoyRoutes.ALL_ROUTES, "convoyMove.php, checkChain"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.SZYKMAN, "paradox.php, resolve"),
    "convoy_to_neighbor": _tested(
        options.ConvoyToNeighbor.EXPLICIT,
        "diplomacy.php, adjudicate: only if chosen",
        f"{_TESTS}::test_webdiplomacy_bounces_an_army_that_its_own_fleet_would_convoy",
    ),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.LAND, "loadConvoyChains.php"),
    "convoyed_attack_from": _stated(options.ConvoyedAttackFrom.FROM_START, "support.php"),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.ALLOWED, "orders/diplomacy.php, apply"
    ),
    **_not_asked(["written_route"], "a route cannot be written"),
    "dislodged_bounce": _stated(
        options.DislodgedBounce.ONLY_HEAD_ON, "move.php, _preventStrength"
    ),
    **_not_asked(["moved_coast_open"], _COAST_MENU, options.MovedCoastOpen.FAILS),
    **_not_asked(["moved_coast_single"], _COAST_MENU, options.MovedCoastSingle.FAILS),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "moveToTerrCheck"),
    "supported_coast": _stated(options.SupportedCoast.IGNORED, "orders/diplomacy.php, toMoves"),
    **_not_asked(
        [
            *("standing_coast_wrong", "coast_superfluous", "kind_omitted", "kind_wrong"),
            *("power_omitted", "power_wrong", "sets_in_sequence", "sets_without_sequence"),
            *("orders_for_one_unit", "excess_builds", "excess_removals"),
        ],
        _MENUS,
    ),
    "build_kind_omitted": _stated(options.BuildKindOmitted.FAILS, "builds.php, completeAll"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "builds.php, toTerrIDCheck"),
    "builds_in_one_center": _stated(options.RepeatedOrders.FIRST, "builds.php, adjudicate"),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "builds.php: Wait"),
    "automatic_removal": _stated(
        options.AutomaticRemoval.OWNED_ANY, "builds.php, apply, since 2025-06"
    ),
    "removal_ties": _stated(options.RemovalTies.FULL_NAMES_ALONE, "builds.php, ORDER BY name"),
    "support_of_the_absent": _stated(
        options.SupportOfTheAbsent.SUCCEEDS, "every unit begins with Hold"
    ),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "board/orders/diplomacy.php"),
    **_NO_SUCH_ORDER,
}
_WEBDIPLOMACY_2023: Answers = {
    **_WEBDIPLOMACY,
    "automatic_removal": _stated(
        options.AutomaticRemoval.HOME_DPTG,
        "builds.php, apply_pre2024Rules: to 2024-03, and 2024-04 to 2025-06",
    ),
    "removal_ties": _assumed("an index table, which is not read"),
}
_ONE_ORDER = "a library with one order a province"
_GODIP: Answers = {
    "convoy_routes": _stated(options.ConvoyRoutes.ALL_ROUTES, "convoy.go, ConvoyPathFinder.Any"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.SZYKMAN, "classical.go, BackupRule"),
    "convoy_to_neighbor": _stated(
        options.ConvoyToNeighbor.INTENT_NO_FALLBACK, "convoy.go, MustConvoy"
    ),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.LAND, "convoy.go, MustConvoy"),
    "convoyed_attack_from": _stated(
        options.ConvoyedAttackFrom.FROM_START, "support.go, Adjudicate"
    ),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.ALLOWED, "move.go, Execute"
    ),
    **_not_asked(["written_route"], "a route cannot be written"),
    "dislodged_bounce": _stated(
        options.DislodgedBounce.ONLY_HEAD_ON, "move.go, adjudicateAgainstCompetition"
    ),
    "moved_coast_open": _stated(options.MovedCoastOpen.FAILS, "move.go, AnyMovePossible"),
    "moved_coast_single": _stated(options.MovedCoastSingle.ONLY_COAST, "move.go, AnyMovePossible"),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "move.go, AnyMovePossible"),
    "supported_coast": _stated(options.SupportedCoast.OMIT_ANY, "support.go, MoveSupport"),
    "standing_coast_wrong": _stated(options.StandingCoastWrong.IGNORED, "state.go, Unit"),
    "coast_superfluous": _stated(
        options.CoastSuperfluous.ILLEGAL_FOR_FLEETS, "move.go, validateMovementPhase"
    ),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "build.go, Validate"),
    **_not_asked(
        ["kind_omitted", "kind_wrong", "power_omitted", "power_wrong"],
        "an order names provinces only",
    ),
    "build_kind_omitted": _stated(options.BuildKindOmitted.FAILS, "build.go, Parse"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "build.go, Validate"),
    **_not_asked(
        [
            *("sets_in_sequence", "sets_without_sequence"),
            *("orders_for_one_unit", "builds_in_one_center"),
        ],
        _ONE_ORDER,
    ),
    "excess_builds": _stated(options.RepeatedOrders.FIRST, "build.go, Adjudicate"),
    "excess_removals": _stated(options.ExcessRemovals.FIRST, "disband.go"),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "phase.go, PostProcess"),
    "automatic_removal": _stated(options.AutomaticRemoval.HOME_ANY, "phase.go, shortestDistance"),
    "removal_ties": _stated(options.RemovalTies.RECORD_CODES, "phase.go, remoteUnitSlice.Less"),
    "support_of_the_absent": _stated(
        options.SupportOfTheAbsent.SUCCEEDS, "phase.go, DefaultOrder"
    ),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "orders/*.go, Validate"),
    **_NO_SUCH_ORDER,
}
_DIPLOMACY: Answers = {
    "convoy_routes": _stated(options.ConvoyRoutes.ALL_ROUTES, "game.py, _resolve_moves"),
    "convoy_paradoxes": _stated(options.ConvoyParadoxes.SZYKMAN, "game.py, _detect_paradox"),
    "convoy_to_neighbor": _tested(
        options.ConvoyToNeighbor.VIA_OR_FALLBACK,
        "game.py, _is_moving_via_convoy, _resolve_moves",
        f"{_TESTS}::test_diplomacy_falls_back_to_land_unless_the_order_says_via",
    ),
    "via_without_convoy": _stated(options.ViaWithoutConvoy.LAND, "game.py, _resolve_moves"),
    "convoyed_attack_from": _stated(
        options.ConvoyedAttackFrom.FROM_START, "game.py, _cut_support"
    ),
    "retreat_to_convoyed_origin": _stated(
        options.RetreatToConvoyedOrigin.ALLOWED, "game.py, _move_results"
    ),
    "written_route": _stated(options.WrittenRoute.IGNORED, "game.py, _expand_order"),
    "dislodged_bounce": _stated(options.DislodgedBounce.ONLY_HEAD_ON, "game.py, _resolve_moves"),
    "moved_coast_open": _stated(options.MovedCoastOpen.FAILS, "game.py, _valid_order"),
    "moved_coast_single": _stated(options.MovedCoastSingle.ONLY_COAST, "map.py, default_coast"),
    "moved_coast_wrong": _stated(options.MovedCoastWrong.ILLEGAL, "game.py, _valid_order"),
    "supported_coast": _stated(options.SupportedCoast.IGNORED, "game.py, _expand_order"),
    "standing_coast_wrong": _tested(
        options.StandingCoastWrong.ILLEGAL_IN_SUPPORT,
        "game.py, _expand_coast, _valid_order",
        f"{_TESTS}::test_diplomacy_minds_a_wrong_coast_in_a_support_to_hold_only",
    ),
    "coast_superfluous": _tested(
        options.CoastSuperfluous.ILLEGAL_FOR_FLEETS,
        "game.py, _expand_coast, _expand_order",
        f"{_TESTS}::test_a_superfluous_coast_is_illegal_for_a_fleet_and_ignored_for_an_army",
    ),
    "build_coast_omitted": _stated(options.BuildCoastOmitted.FAILS, "game.py, _add_adjust_orders"),
    "kind_omitted": _stated(options.MisnamedUnit.LEGAL, "game.py, _add_unit_types"),
    "kind_wrong": _stated(options.MisnamedUnit.ILLEGAL, "game.py, _add_order"),
    "build_kind_omitted": _stated(options.BuildKindOmitted.FAILS, "game.py, _add_adjust_orders"),
    "fleet_inland": _stated(options.FleetInland.FAILS, "game.py, _add_adjust_orders"),
    "power_omitted": _stated(options.MisnamedUnit.LEGAL, "game.py, _expand_order"),
    "power_wrong": _stated(options.MisnamedUnit.LEGAL, "game.py, _expand_order"),
    "sets_in_sequence": _stated(options.SetsInSequence.MERGE, "game.py, _update_orders"),
    **_not_asked(["sets_without_sequence"], "calls have a sequence"),
    "orders_for_one_unit": _stated(options.RepeatedOrders.LAST, "game.py, _add_order"),
    "excess_builds": _stated(options.RepeatedOrders.FIRST, "game.py, _other_results"),
    "builds_in_one_center": _stated(options.RepeatedOrders.FIRST, "game.py, _add_adjust_orders"),
    "excess_removals": _stated(options.ExcessRemovals.FIRST, "game.py, _other_results"),
    "waived_builds": _stated(options.WaivedBuilds.ALLOWED, "game.py, _add_adjust_orders"),
    "automatic_removal": _stated(
        options.AutomaticRemoval.HOME_DPTG, "game.py, _get_distance_to_home"
    ),
    "removal_ties": _tested(
        options.RemovalTies.MAP_CODES,
        "game.py, _other_results",
        f"{_TESTS}::test_diplomacy_removes_lon_before_lvp_by_their_codes",
    ),
    "support_of_the_absent": _stated(
        options.SupportOfTheAbsent.SUCCEEDS, "game.py, _default_orders"
    ),
    "counted_orders": _stated(options.CountedOrders.POSSIBLE_NOW, "game.py, _valid_order"),
    **_NO_SUCH_ORDER,
}
_BACKSTABBR: Answers = {
    "convoy_to_neighbor": _stated(
        options.ConvoyToNeighbor.ALWAYS_CONVOY,
        "DATC 4.A.3: foreign fleets can swap units, as of 2024",
    ),
    "counted_orders": _stated(
        options.CountedOrders.MAP_NAMES, "DATC 4.E.1: it takes A Mos - Lon, as of 2024"
    ),
}
_GAMES = (
    "its recorded games",
    "tests/games/test_games.py::test_more_games_come_out_as_they_were_recorded",
)
_DROIDIPPY: Answers = {
    "convoy_paradoxes": _tested(options.ConvoyParadoxes.SZYKMAN, *_GAMES),
    "convoy_to_neighbor": _tested(options.ConvoyToNeighbor.INTENT_NO_FALLBACK, *_GAMES),
    "via_without_convoy": _tested(options.ViaWithoutConvoy.LAND, *_GAMES),
    "retreat_to_convoyed_origin": _tested(options.RetreatToConvoyedOrigin.ALLOWED, *_GAMES),
    "supported_coast": _tested(options.SupportedCoast.OMIT_ANY, *_GAMES),
    "excess_builds": _tested(options.RepeatedOrders.FIRST, *_GAMES),
    "excess_removals": _tested(options.ExcessRemovals.FIRST, *_GAMES),
    "automatic_removal": _tested(options.AutomaticRemoval.HOME_ANY, *_GAMES),
    "removal_ties": _tested(options.RemovalTies.RECORD_CODES, *_GAMES),
    "counted_orders": _tested(options.CountedOrders.POSSIBLE_NOW, *_GAMES),
}

PRESETS: Mapping[str, Answers] = MappingProxyType(
    {
        "datc": {},  # DATC 3.2 states each
        "1971": _1971,
        "1976": _1971,
        "1982": _1982,
        "2000": _2000,
        "2023": _2023,
        "2025": _2025,
        "dptg": _DPTG,
        "njudge": _NJUDGE,
        "dpjudge": _DPJUDGE,
        "jdip": _JDIP,
        "webdiplomacy": _WEBDIPLOMACY,
        "webdiplomacy_2023": _WEBDIPLOMACY_2023,
        "backstabbr": _BACKSTABBR,
        "godip": _GODIP,
        "diplomacy": _DIPLOMACY,
        "droidippy": _DROIDIPPY,
    }
)
REPRINTS = {"1992": "1982", "2008": "2000"}  # printed rulebooks, by those that they repeat
