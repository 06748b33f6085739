"""Resolve units and coasts that orders name in part or wrongly (DATC 4.B, 4.C)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from judge.rules.outcome import Impossible
from judge.rules.phase_context import PhaseContext
from judge.rules.rule_options import (
    CoastSuperfluous,
    MisnamedUnit,
    MovedCoastOpen,
    MovedCoastSingle,
    MovedCoastWrong,
    StandingCoastWrong,
    SupportedCoast,
)
from judge.rules.types import Location, Power, Unit, UnitKind, UnitName, province_of


def landing_location(context: PhaseContext, unit: Unit, target: Location) -> Location | Impossible:
    """Return where *unit* moves if ordered to *target* without a convoy, or why it cannot."""
    province = province_of(target)
    options = context.reachable(unit).get(province)
    if options is None:
        return Impossible.UNREACHABLE
    if target in options:
        return target
    if has_superfluous_coast(context, unit, target):
        return Impossible.COAST_SUPERFLUOUS
    if _names_coast(context, unit, target):
        corrected = context.rulebook.moved_coast_wrong is MovedCoastWrong.CORRECTED
        return options[0] if corrected else Impossible.COAST_UNREACHABLE
    if unit.kind is UnitKind.ARMY or options == (province,):
        return province
    return _default_coast(context, province, options)


def target_location(context: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return the location that *unit* moves to when ordered to *target*, by convoy or not.

    An impossible target is returned as it is written.
    """
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    found = landing_location(context, unit, target)
    return target if isinstance(found, Impossible) else found


def supported_coast(context: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return the location that a support of *unit* to *target* is for (DATC 4.B.4).

    A coast must be the one that the unit goes to; a province alone means any coast.
    """
    province, rule = province_of(target), context.rulebook.supported_coast
    if unit.kind is UnitKind.ARMY or rule is SupportedCoast.IGNORED:
        return province
    if _names_coast(context, unit, target):
        return target
    if rule is SupportedCoast.REQUIRED_DEFAULT:
        return context.board.default_coasts.get(province, province)
    return province


def has_superfluous_coast(context: PhaseContext, unit: Unit, named: Location) -> bool:
    """Return whether *named* has an illegal coast: one that *unit* cannot have (DATC 4.B.6)."""
    return (
        context.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
        and named != province_of(named)
        and not _names_coast(context, unit, named)
    )


def coast_fault(context: PhaseContext, unit: Unit, named: Location) -> Impossible | None:
    """Return what is wrong with the coast *named* as where *unit* is (DATC 4.B.5, 4.B.6)."""
    if not _names_coast(context, unit, named):
        return (
            Impossible.COAST_SUPERFLUOUS if has_superfluous_coast(context, unit, named) else None
        )
    strict = context.rulebook.standing_coast_wrong is StandingCoastWrong.ILLEGAL
    return Impossible.STANDING_COAST_WRONG if strict and named != unit.location else None


def _names_coast(context: PhaseContext, unit: Unit, named: Location) -> bool:
    is_coast = "/" in named and named in context.board.locations
    return is_coast and unit.kind is UnitKind.FLEET


def _default_coast(
    context: PhaseContext, province: Location, options: tuple[Location, ...]
) -> Location | Impossible:
    """Return the coast of *province* to use if an order names none (DATC 4.B.1, 4.B.2)."""
    default, rulebook = context.board.default_coasts[province], context.rulebook
    if len(options) > 1:
        taken = rulebook.moved_coast_open is MovedCoastOpen.DEFAULT_COAST and default in options
        return default if taken else Impossible.COAST_NEEDED
    match rulebook.moved_coast_single:
        case MovedCoastSingle.ONLY_COAST:
            return options[0]
        case MovedCoastSingle.DEFAULT_COAST:
            return default if default in options else Impossible.COAST_OMITTED
        case MovedCoastSingle.FAILS:
            return Impossible.COAST_OMITTED
        case rule:
            assert_never(rule)


def naming_fault(
    context: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Impossible | None:
    """Return what is wrong with *name* for *unit* in an order of *power*."""
    for why, treatment in _naming_faults(context, power, unit, name):
        if treatment is MisnamedUnit.ILLEGAL:
            return why
    return coast_fault(context, unit, name.location)


def has_loose_name(context: PhaseContext, power: Power, unit: Unit, name: UnitName) -> bool:
    """Return whether *name* is accepted only if no other order names *unit* properly."""
    return any(
        treatment is MisnamedUnit.LEGAL_UNLESS_BETTER
        for _, treatment in _naming_faults(context, power, unit, name)
    )


def _naming_faults(
    context: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Iterator[tuple[Impossible, MisnamedUnit]]:
    """Yield what is missing or wrong in *name*, and how the rulebook treats it."""
    rulebook = context.rulebook
    if name.kind is None:
        yield Impossible.KIND_NEEDED, rulebook.kind_omitted
    elif name.kind is not unit.kind:
        yield Impossible.KIND_WRONG, rulebook.kind_wrong
    if name.power is None:
        if unit.power != power:
            yield Impossible.POWER_NEEDED, rulebook.power_omitted
    elif name.power != unit.power:
        yield Impossible.POWER_WRONG, rulebook.power_wrong
