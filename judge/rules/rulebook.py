"""The law of a game: one answer to each question that rules leave open (DATC chapter 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, cast, get_args, get_type_hints

from judge.rules.questions import (
    AutomaticRemoval,
    BuildCoastOmitted,
    BuildKindOmitted,
    CoastSuperfluous,
    ConvoyedAttackFrom,
    ConvoyParadoxes,
    ConvoyRoutes,
    ConvoyToNeighbor,
    CountedOrders,
    DislodgedBounce,
    ExcessRemovals,
    FleetInland,
    ImpliedOrders,
    MovedCoastOpen,
    MovedCoastSingle,
    MovedCoastWrong,
    ProxyOrders,
    RemovalTies,
    Repeated,
    RetreatToConvoyedOrigin,
    SetsInSequence,
    SetsWithoutSequence,
    Slip,
    StandingCoastWrong,
    StandingOrders,
    SupportedCoast,
    SupportOfTheAbsent,
    ViaWithoutConvoy,
    WaivedBuilds,
    WrittenRoute,
)


class UnknownRulebookError(ValueError):
    """There is no rulebook of that name, or a stored one names a choice that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """One choice for each question; immutable for the whole of a game.

    Beside each question stands the number that DATC gives it. The defaults are what DATC 3.2
    prefers.
    """

    convoy_routes: Annotated[ConvoyRoutes, "4.A.1"] = ConvoyRoutes.ALL_ROUTES
    convoy_paradoxes: Annotated[ConvoyParadoxes, "4.A.2"] = ConvoyParadoxes.SZYKMAN
    convoy_to_neighbor: Annotated[ConvoyToNeighbor, "4.A.3"] = ConvoyToNeighbor.INTENT_NO_FALLBACK
    via_without_convoy: Annotated[ViaWithoutConvoy, "4.A.3"] = ViaWithoutConvoy.INVALID
    convoyed_attack_from: Annotated[ConvoyedAttackFrom, "4.A.4"] = ConvoyedAttackFrom.FROM_START
    retreat_to_convoyed_origin: Annotated[RetreatToConvoyedOrigin, "4.A.5"] = (
        RetreatToConvoyedOrigin.ALLOWED
    )
    written_route: Annotated[WrittenRoute, "4.A.6"] = WrittenRoute.IGNORED
    dislodged_bounce: Annotated[DislodgedBounce, "4.A.7"] = DislodgedBounce.ONLY_HEAD_ON
    moved_coast_open: Annotated[MovedCoastOpen, "4.B.1"] = MovedCoastOpen.FAILS
    moved_coast_single: Annotated[MovedCoastSingle, "4.B.2"] = MovedCoastSingle.ONLY_COAST
    moved_coast_wrong: Annotated[MovedCoastWrong, "4.B.3"] = MovedCoastWrong.ILLEGAL
    supported_coast: Annotated[SupportedCoast, "4.B.4"] = SupportedCoast.OMIT_ANY
    standing_coast_wrong: Annotated[StandingCoastWrong, "4.B.5"] = StandingCoastWrong.IGNORED
    coast_superfluous: Annotated[CoastSuperfluous, "4.B.6"] = CoastSuperfluous.IGNORED
    build_coast_omitted: Annotated[BuildCoastOmitted, "4.B.7"] = BuildCoastOmitted.FAILS
    kind_omitted: Annotated[Slip, "4.C.1"] = Slip.LEGAL
    kind_wrong: Annotated[Slip, "4.C.2"] = Slip.LEGAL
    build_kind_omitted: Annotated[BuildKindOmitted, "4.C.3"] = (
        BuildKindOmitted.ARMY_INLAND_FLEET_WITH_COAST
    )
    fleet_inland: Annotated[FleetInland, "4.C.4"] = FleetInland.FAILS
    power_omitted: Annotated[Slip, "4.C.5"] = Slip.LEGAL
    power_wrong: Annotated[Slip, "4.C.6"] = Slip.LEGAL
    sets_in_sequence: Annotated[SetsInSequence, "4.D.1"] = SetsInSequence.LAST_UNLESS_KEPT
    sets_without_sequence: Annotated[SetsWithoutSequence, "4.D.2"] = SetsWithoutSequence.MERGE
    orders_for_one_unit: Annotated[Repeated, "4.D.3"] = Repeated.FIRST
    excess_builds: Annotated[Repeated, "4.D.4"] = Repeated.FIRST
    builds_in_one_center: Annotated[Repeated, "4.D.5"] = Repeated.FIRST
    excess_removals: Annotated[ExcessRemovals, "4.D.6"] = ExcessRemovals.FIRST
    waived_builds: Annotated[WaivedBuilds, "4.D.7"] = WaivedBuilds.ALLOWED
    automatic_removal: Annotated[AutomaticRemoval, "4.D.8"] = AutomaticRemoval.OWNED_ANY
    removal_ties: Annotated[RemovalTies, "4.D.8"] = RemovalTies.FULL_NAMES
    support_of_the_absent: Annotated[SupportOfTheAbsent, "4.D.9"] = SupportOfTheAbsent.SUCCEEDS
    counted_orders: Annotated[CountedOrders, "4.E.1"] = CountedOrders.POSSIBLE_NOW
    implied_orders: Annotated[ImpliedOrders, "4.E.3"] = ImpliedOrders.NOT_ALLOWED
    standing_orders: Annotated[StandingOrders, "4.E.4"] = StandingOrders.NOT_ALLOWED
    proxy_orders: Annotated[ProxyOrders, "4.E.5"] = ProxyOrders.NOT_ALLOWED


DATC = Rulebook()
RULEBOOKS: Mapping[str, Rulebook] = {"datc": DATC}
_HINTS: Mapping[str, object] = get_type_hints(Rulebook, include_extras=True)
QUESTIONS = tuple(_HINTS)  # in the order of DATC


def number_of(question: str) -> str:
    """Return the number that DATC gives *question*: `4.A.1` for `convoy_routes`."""
    return str(get_args(_HINTS[question])[1])


def answers_to(question: str) -> type[Enum]:
    """Return the enum of the answers to *question*."""
    return cast("type[Enum]", get_args(_HINTS[question])[0])


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
    return {question: getattr(rulebook, question).value for question in QUESTIONS}


def from_payload(payload: Mapping[str, str]) -> Rulebook:
    """Return the rulebook that was stored as *payload*.

    A question that it does not have was not yet asked then, and has the answer of DATC 3.2. Raises
    `UnknownRulebookError` for a question or a choice that this version does not know.
    """
    try:
        return Rulebook(**{asked: answers_to(asked)(key) for asked, key in payload.items()})  # type: ignore[arg-type]  # the enum is the field's own
    except (KeyError, ValueError) as unknown:
        raise UnknownRulebookError(*unknown.args) from unknown
