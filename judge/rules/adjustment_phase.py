"""An adjustment phase: who builds, and who leaves the board (rulebook XIII.2, DATC 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from judge.rules.adjustments import built, removals
from judge.rules.intake import Intake, tell
from judge.rules.order import (
    Build,
    Disband,
    Order,
)
from judge.rules.outcome import (
    Impossible,
    Succeeds,
)
from judge.rules.questions import ExcessRemovals, Repeated
from judge.rules.result import Adjudication, Later
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.vocabulary import Power, Unit


def adjudicate_adjustments(scene: Scene, intake: Intake) -> Adjudication:
    """Adjudicate the orders of an adjustment phase."""
    position = scene.position
    faults = {**intake.faults, **_surpluses(scene, intake)}
    done = [given for index, given in enumerate(intake.given) if index not in faults]
    leaving = {order.unit.province: power for power, order in done if isinstance(order, Disband)}
    standing = [unit for unit in position.units if unit.province not in leaving]
    removed: list[Unit] = []
    for power, due in scene.dues.items():
        excess = -due - list(leaving.values()).count(power)
        if excess > 0:
            own = [unit for unit in standing if unit.power == power]
            removed += removals(scene.board, position, own, scene.rulebook)[:excess]
    if removed:
        standing = [unit for unit in standing if unit not in removed]
    for power, order in done:
        if isinstance(order, Build):
            unit = built(scene, power, order.unit)
            assert isinstance(unit, Unit)
            standing.append(unit)
    return Adjudication(
        Later(lambda: tell(intake, faults, lambda _: Succeeds())),
        following(scene.board, position.phase, standing, position.owners),
        removed=tuple(removed),
    )


def surplus(
    scene: Scene, power: Power, wanted: Sequence[tuple[int, Order]]
) -> Mapping[int, Impossible]:
    """Return why some of *wanted*, possible orders of *power*, do not count (DATC 4.D.4, 4.D.6).

    They are known by their numbers. Those that count are no more than are due.
    """
    owed = scene.dues[power]
    limit = abs(owed)
    if len(wanted) <= limit:
        return {}
    rule = scene.rulebook.excess_builds if owed > 0 else scene.rulebook.excess_removals
    numbers = [number for number, _ in wanted]
    match rule:
        case Repeated.FIRST | ExcessRemovals.FIRST:
            return dict.fromkeys(numbers[limit:], Impossible.TOO_MANY)
        case Repeated.LAST | ExcessRemovals.LAST:
            return dict.fromkeys(numbers[: len(numbers) - limit], Impossible.TOO_MANY_LAST)
        case Repeated.NONE:
            return dict.fromkeys(numbers, Impossible.TOO_MANY_NONE)
        case ExcessRemovals.CIVIL_DISORDER:
            own = scene.position.units_of(power)
            leaving = removals(scene.board, scene.position, own, scene.rulebook)[:limit]
            unasked = {unit.province for unit in leaving}
            return {
                number: Impossible.TOO_MANY_UNASKED
                for number, order in wanted
                if isinstance(order, Disband) and order.unit.province not in unasked
            }
        case _:
            assert_never(rule)


def _surpluses(scene: Scene, intake: Intake) -> dict[int, Impossible]:
    """Return why orders that are possible are too many, by their index."""
    wanted: dict[Power, list[tuple[int, Order]]] = {}
    for index, (power, order) in enumerate(intake.given):
        if index not in intake.faults:
            wanted.setdefault(power, []).append((index, order))
    faults: dict[int, Impossible] = {}
    for power, several in wanted.items():
        faults.update(surplus(scene, power, several))
    return faults
