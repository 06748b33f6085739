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


def landing_location(scene: PhaseContext, unit: Unit, target: Location) -> Location | Impossible:
    """Return where *unit* ends when it goes to *target* by itself, or why it cannot."""
    province = province_of(target)
    options = scene.landings(unit).get(province)
    if options is None:
        return Impossible.UNREACHABLE
    if target in options:
        return target
    if has_superfluous_coast(scene, unit, target):
        return Impossible.COAST_SUPERFLUOUS
    if _names_coast(scene, unit, target):
        corrected = scene.rulebook.moved_coast_wrong is MovedCoastWrong.CORRECTED
        return options[0] if corrected else Impossible.COAST_UNREACHABLE
    if unit.kind is UnitKind.ARMY or options == (province,):
        return province
    return _default_coast(scene, province, options)


def destination(scene: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return where *unit* ends that is ordered to *target*, by convoy or not.

    What cannot be is left as it is written.
    """
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    found = landing_location(scene, unit, target)
    return target if isinstance(found, Impossible) else found


def supported_coast(scene: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return where a support of *unit* to *target* wants it to go (DATC 4.B.4).

    A coast must be the one that the unit goes to; a province alone means any coast.
    """
    province, rule = province_of(target), scene.rulebook.supported_coast
    if unit.kind is UnitKind.ARMY or rule is SupportedCoast.IGNORED:
        return province
    if _names_coast(scene, unit, target):
        return target
    if rule is SupportedCoast.REQUIRED_DEFAULT:
        return scene.board.default_coasts.get(province, province)
    return province


def has_superfluous_coast(scene: PhaseContext, unit: Unit, named: Location) -> bool:
    """Tell whether *named* has a coast that is none for *unit*, which is illegal (DATC 4.B.6)."""
    return (
        scene.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
        and named != province_of(named)
        and not _names_coast(scene, unit, named)
    )


def coast_fault(scene: PhaseContext, unit: Unit, named: Location) -> Impossible | None:
    """Return why *named* may not have the coast that it has for where *unit* is (4.B.5, 4.B.6)."""
    if not _names_coast(scene, unit, named):
        return Impossible.COAST_SUPERFLUOUS if has_superfluous_coast(scene, unit, named) else None
    strict = scene.rulebook.standing_coast_wrong is StandingCoastWrong.ILLEGAL
    return Impossible.STANDING_COAST_WRONG if strict and named != unit.location else None


def _names_coast(scene: PhaseContext, unit: Unit, named: Location) -> bool:
    is_coast = "/" in named and named in scene.board.locations
    return is_coast and unit.kind is UnitKind.FLEET


def _default_coast(
    scene: PhaseContext, province: Location, options: tuple[Location, ...]
) -> Location | Impossible:
    """Return the coast of *province* that is taken if none is named (DATC 4.B.1, 4.B.2)."""
    default, law = scene.board.default_coasts[province], scene.rulebook
    if len(options) > 1:
        taken = law.moved_coast_open is MovedCoastOpen.DEFAULT_COAST and default in options
        return default if taken else Impossible.COAST_NEEDED
    match law.moved_coast_single:
        case MovedCoastSingle.ONLY_COAST:
            return options[0]
        case MovedCoastSingle.DEFAULT_COAST:
            return default if default in options else Impossible.COAST_OMITTED
        case MovedCoastSingle.FAILS:
            return Impossible.COAST_OMITTED
        case rule:
            assert_never(rule)


def naming_fault(
    scene: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Impossible | None:
    """Return why *power* may not call *unit* by *name*; None if the rulebook lets it pass."""
    for why, slip in _naming_faults(scene, power, unit, name):
        if slip is MisnamedUnit.ILLEGAL:
            return why
    return coast_fault(scene, unit, name.location)


def has_loose_name(scene: PhaseContext, power: Power, unit: Unit, name: UnitName) -> bool:
    """Tell whether *name* passes only if no other order names *unit* properly."""
    return any(
        slip is MisnamedUnit.LEGAL_UNLESS_BETTER
        for _, slip in _naming_faults(scene, power, unit, name)
    )


def _naming_faults(
    scene: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Iterator[tuple[Impossible, MisnamedUnit]]:
    """Yield what *name* lacks or has wrong, and how the rulebook takes it."""
    law = scene.rulebook
    if name.kind is None:
        yield Impossible.KIND_NEEDED, law.kind_omitted
    elif name.kind is not unit.kind:
        yield Impossible.KIND_WRONG, law.kind_wrong
    if name.power is None:
        if unit.power != power:
            yield Impossible.POWER_NEEDED, law.power_omitted
    elif name.power != unit.power:
        yield Impossible.POWER_WRONG, law.power_wrong
