"""The coasts that orders name, leave out or get wrong (DATC 4.B)."""

from __future__ import annotations

from judge.rules.outcome import Impossible
from judge.rules.questions import (
    CoastSuperfluous,
    MovedCoastOpen,
    MovedCoastWrong,
    StandingCoastWrong,
)
from judge.rules.scene import Scene
from judge.rules.vocabulary import Location, Unit, UnitKind, province_of


def landing(scene: Scene, unit: Unit, target: Location) -> Location | Impossible:
    """Return where *unit* ends when it goes to *target* by itself, or why it cannot."""
    province = province_of(target)
    options = scene.landings(unit).get(province)
    if options is None:
        return Impossible.UNREACHABLE
    if target == province:
        return options[0] if len(options) == 1 else _open_coast(scene, options)
    if target in options:
        return target
    if unit.kind is UnitKind.ARMY or target not in scene.board.locations:
        superfluous = scene.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
        return Impossible.COAST_UNREACHABLE if superfluous else landing(scene, unit, province)
    if scene.rulebook.moved_coast_wrong is MovedCoastWrong.CORRECTED:
        return options[0]
    return Impossible.COAST_UNREACHABLE


def destination(scene: Scene, unit: Unit, target: Location) -> Location:
    """Return where *unit* ends that is ordered to *target*, by convoy or not.

    What cannot be is left as it is written.
    """
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    found = landing(scene, unit, target)
    return target if isinstance(found, Impossible) else found


def misnamed(scene: Scene, unit: Unit, named: Location) -> bool:
    """Tell whether *named* has a coast for where *unit* stands that makes the order illegal."""
    if "/" not in named or named == unit.location:
        return False
    if unit.kind is UnitKind.ARMY or named not in scene.board.locations:
        return scene.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
    return scene.rulebook.standing_coast_wrong is StandingCoastWrong.ILLEGAL


def _open_coast(scene: Scene, options: tuple[Location, ...]) -> Location | Impossible:
    default = scene.board.default_coasts.get(province_of(options[0]))
    if scene.rulebook.moved_coast_open is MovedCoastOpen.DEFAULT_COAST and default in options:
        return default
    return Impossible.COAST_NEEDED
