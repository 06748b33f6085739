"""An adjustment phase: who builds, and who leaves the board (rulebook XIII.2, DATC 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from judge.rules.adjustments import built, removals
from judge.rules.intake import Intake, tell
from judge.rules.order import (
    Build,
    Disband,
)
from judge.rules.outcome import (
    Impossible,
    Succeeds,
)
from judge.rules.questions import ExcessRemovals, Repeated
from judge.rules.result import Adjudication
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.vocabulary import Power, Unit


def adjudicate_adjustments(scene: Scene, intake: Intake) -> Adjudication:
    """Adjudicate the orders of an adjustment phase."""
    position = scene.position
    faults = {**intake.faults, **_surplus(scene, intake)}
    done = [given for index, given in enumerate(intake.given) if index not in faults]
    leaving = {order.unit.province for _, order in done if isinstance(order, Disband)}
    standing = [unit for unit in position.units if unit.province not in leaving]
    removed: list[Unit] = []
    for power in scene.board.powers:
        own = [unit for unit in standing if unit.power == power]
        excess = len(own) - len(position.units_of(power)) - scene.dues[power]
        if excess > 0:
            removed += removals(scene.board, position, own, scene.rulebook)[:excess]
    standing = [unit for unit in standing if unit not in removed]
    for power, order in done:
        if isinstance(order, Build):
            unit = built(scene, power, order.unit)
            assert isinstance(unit, Unit)
            standing.append(unit)
    return Adjudication(
        following(scene.board, position.phase, standing, position.owners),
        removed=tuple(removed),
        _account=lambda: tell(intake, faults, lambda _: Succeeds()),
        _silence=tuple,
    )


def _surplus(scene: Scene, intake: Intake) -> dict[int, Impossible]:
    """Return as too many the orders of each power beyond what is due to it."""
    surplus: dict[int, Impossible] = {}
    for power in scene.board.powers:
        wanted = [
            index
            for index, (giver, _) in enumerate(intake.given)
            if giver == power and index not in intake.faults
        ]
        kept = _within(scene, intake, power, wanted)
        surplus.update((index, Impossible.TOO_MANY) for index in wanted if index not in kept)
    return surplus


def _within(scene: Scene, intake: Intake, power: Power, wanted: Sequence[int]) -> Sequence[int]:
    """Return those of *wanted* that count of the orders of *power* (DATC 4.D.4, 4.D.6)."""
    owed = scene.dues[power]
    limit = abs(owed)
    if len(wanted) <= limit:
        return wanted
    match scene.rulebook.excess_builds if owed > 0 else scene.rulebook.excess_removals:
        case Repeated.FIRST | ExcessRemovals.FIRST:
            return wanted[:limit]
        case Repeated.LAST | ExcessRemovals.LAST:
            return wanted[len(wanted) - limit :]
        case Repeated.NONE:
            return ()
        case ExcessRemovals.CIVIL_DISORDER:
            own = scene.position.units_of(power)
            leaving = removals(scene.board, scene.position, own, scene.rulebook)[:limit]
            counting = {intake.counting.get(unit.province) for unit in leaving}
            return [index for index in wanted if index in counting]
        case rule:
            assert_never(rule)
