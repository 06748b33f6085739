"""A retreat phase: who gets away (DATC 6.H)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.coasts import destination
from judge.rules.intake import Intake, tell
from judge.rules.order import (
    Disband,
    Move,
    Order,
    Retreat,
    UnitName,
    Waive,
)
from judge.rules.outcome import (
    Fails,
    Outcome,
    RetreatsClash,
    Succeeds,
    Verdict,
)
from judge.rules.position import Position
from judge.rules.result import Adjudication, Later
from judge.rules.scene import Scene
from judge.rules.succession import following
from judge.rules.vocabulary import Province, Unit, province_of


def adjudicate_retreats(scene: Scene, intake: Intake) -> Adjudication:
    """Adjudicate the orders of a retreat phase."""
    position = scene.position
    orders = {origin: intake.given[index][1] for origin, index in intake.counting.items()}
    going: dict[Province, list[Province]] = {}
    for origin, order in orders.items():
        if isinstance(order, Retreat | Move):
            going.setdefault(province_of(order.target), []).append(origin)
    standing, disbanded = list(position.units), []
    for unit in [each.unit for each in position.dislodged]:
        retreat = orders.get(unit.province)
        if isinstance(retreat, Retreat | Move) and len(going[province_of(retreat.target)]) == 1:
            location = destination(scene, unit, retreat.target)
            standing.append(Unit(unit.power, unit.kind, location))
        else:
            disbanded.append(unit)
    return Adjudication(
        Later(
            lambda: tell(intake, intake.faults, lambda order: _retreated(order, going)),
            lambda: _unasked(position, intake),
        ),
        following(scene.board, position.phase, standing, position.owners),
        disbanded=tuple(disbanded),
    )


def _retreated(order: Order, going: Mapping[Province, Sequence[Province]]) -> Verdict:
    if not isinstance(order, Retreat | Move):
        return Succeeds()
    rivals = {*going[province_of(order.target)]} - {order.unit.province}
    return Fails(RetreatsClash(tuple(sorted(rivals)))) if rivals else Succeeds()


def _unasked(position: Position, intake: Intake) -> tuple[Outcome, ...]:
    """Return that the dislodged units disband to which their power gave no order whatever."""
    addressed = {
        (power, order.unit.province)
        for power, order in intake.given
        if not isinstance(order, Waive)
    }
    return tuple(
        Outcome(unit.power, Disband(UnitName(unit.kind, unit.location)), Succeeds(), written=False)
        for unit in [each.unit for each in position.dislodged]
        if (unit.power, unit.province) not in addressed
    )
