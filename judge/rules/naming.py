"""The units that orders name in part or wrongly: kind, power and coast (DATC 4.B, 4.C)."""

from __future__ import annotations

from collections.abc import Iterator

from judge.rules.coasts import misplaced
from judge.rules.order import UnitName
from judge.rules.outcome import Impossible
from judge.rules.questions import Slip
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power, Unit


def misnamed(scene: Scene, power: Power, unit: Unit, name: UnitName) -> Impossible | None:
    """Return why *power* may not call *unit* by *name*; None if the rulebook lets it pass."""
    for why, slip in _slips(scene, power, unit, name):
        if slip is Slip.ILLEGAL:
            return why
    return misplaced(scene, unit, name.location)


def loose(scene: Scene, power: Power, unit: Unit, name: UnitName) -> bool:
    """Tell whether *name* passes only if no other order names *unit* properly."""
    return any(slip is Slip.LEGAL_UNLESS_BETTER for _, slip in _slips(scene, power, unit, name))


def _slips(
    scene: Scene, power: Power, unit: Unit, name: UnitName
) -> Iterator[tuple[Impossible, Slip]]:
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
