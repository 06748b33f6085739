"""Read the JSON of webDiplomacy's `game/status`: units, centers, orders and press by number.

    {"gameID": 1, "variantID": 1, "turn": 1, "phase": "Diplomacy", "gameOver": "No", "phases": [
     {"turn": 0, "phase": "Diplomacy",
      "units": [{"unitType": "Army", "terrID": 47, "countryID": 2, "retreating": "No"}],
      "centers": [{"terrID": 47, "countryID": 2}],
      "orders": [{"countryID": 2, "terrID": 47, "unitType": "Army", "type": "Hold", ...}]}]}

Without `phases`, each order names its phase, only the present phase has units, and earlier
positions are computed from the orders. Attackers and standoffs are given for the present phase
alone. An order that failed says so, but not why.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import assert_never

from judge.archive.json_input import (
    JsonGame,
    MalformedError,
    json_games,
    keys_of,
    require_object,
    require_objects,
    require_text,
)
from judge.archive.position_json import UNKNOWN_PROVINCE
from judge.archive.positions import PrintedPosition
from judge.archive.reading import Format, Reading
from judge.archive.record import (
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Source,
    WrittenOrder,
)
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.phase_sequence import next_position, winner
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import rulebook_named
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

NAME = "webdiplomacy"
LAW = rulebook_named(NAME)
FINISHED = "Finished"  # in place of a phase
SETTINGS = ("potType", "pressType", "drawType")

Told = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Game:
    reading: Reading
    line: int

    def doubt(self, text: str, why: str) -> None:
        self.reading.doubts.note(self.line, text, why)


def recognizes(head: str) -> bool:
    """Return whether *head* begins a game status of webDiplomacy."""
    return keys_of(head) >= {"gameID", "variantID", "terrID", "countryID"}


def read(reading: Reading, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the games in *lines*."""
    for found in json_games(reading.doubts, lines):
        try:
            yield _record(_Game(reading, found.first_line), found)
        except MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))


def _record(game: _Game, found: JsonGame) -> Record:
    told, reading = found.value, game.reading
    if read_number(told, "variantID") != CLASSIC:
        raise MalformedError("variantID", f"is not {CLASSIC}, the classic board")
    steps = _steps(told)
    phases = _phases(game, steps)
    if not phases:
        raise MalformedError("phases", "are missing")
    return Record(
        name=str(read_number(told, "gameID")),
        source=Source(NAME, reading.name, reading.sha256, found.first_line, found.last_line),
        rulebook=NAME,
        phases=tuple(phases),
        press=tuple(_press(steps)),
        ending=_ending(game, told, phases),
        settings={key: value for key in SETTINGS if isinstance(value := told.get(key), str)},
        doubts=reading.doubts.taken(),
    )


def _steps(told: Told) -> Sequence[Told]:
    """Return the phases of a state, the last with what the state has of the present."""
    steps = require_objects(told["phases"], "phases") if "phases" in told else _sorted_out(told)
    present = {key: told.get(key) for key in ("standoffs", "occupiedFrom")}
    return [*steps[:-1], *({**each, **present} for each in steps[-1:])]


def _sorted_out(told: Told) -> Sequence[Told]:
    """Return the phases of a state that has its orders in one heap."""
    heaps: dict[tuple[int, object], list[Told]] = {}
    for order in require_objects(told.get("orders"), "orders"):
        heaps.setdefault((read_number(order, "turn"), order.get("phase")), []).append(order)
    present = read_number(told, "turn"), told.get("phase")
    heaps.setdefault(present, [])
    board = {key: told.get(key) for key in ("units", "centers")}
    return [
        {"turn": when[0], "phase": when[1], "orders": heaps[when]}
        | (board if when == present else {})
        for when in sorted(heaps, key=_when)
    ]


def _when(step: tuple[int, object]) -> tuple[int, int]:
    turn, kind = step
    kinds = ["Diplomacy", "Retreats", "Builds", FINISHED]
    return turn, kinds.index(str(kind)) if kind in kinds else -1


def _phases(game: _Game, steps: Sequence[Told]) -> list[RecordedPhase]:
    phases: list[RecordedPhase] = []
    for step in steps:
        before = phases[-1] if phases else None
        when = _time_of(game, step, before)
        if when is None:
            continue
        position = _position(game, step, when, before)
        orders = tuple(_orders(game, step, when, position))
        told = any(each.results is not None for each in orders)
        phases.append(RecordedPhase(when, position, orders, results_told=told))
    return phases


def _time_of(game: _Game, step: Told, before: RecordedPhase | None) -> Phase | None:
    """Return the phase of *step*; of a finished game, that which would come after the last."""
    if step.get("phase") != FINISHED:
        return read_phase(read_number(step, "turn"), step.get("phase"))
    if before is None or not before.orders or not step.get("units"):
        return None
    end = _placed(game, step, before.phase, None)
    return next_position(game.reading.board, before.phase, end.units, end.owners).phase


def _position(
    game: _Game, step: Told, when: Phase, before: RecordedPhase | None
) -> Position | None:
    """Return the position in *step*, or that after the orders of *before*."""
    board = game.reading.board
    if step.get("units") is not None:
        return _placed(game, step, when, before)
    if when == board.start.phase:
        return board.start
    if before is None or before.position is None:
        return None
    after = adjudicate(board, before.position, before.orders_by_power(), LAW).after
    return after if after.phase == when else None


def _placed(game: _Game, step: Told, when: Phase, before: RecordedPhase | None) -> Position:
    placing, line = PrintedPosition(game.reading.board, game.reading.doubts), game.line
    for each in require_objects(step.get("units"), "units"):
        kind, at, owner = each.get("unitType"), read_place(each, "terrID"), read_power(each)
        if kind not in UNIT_KINDS or at is None or owner is None:
            raise MalformedError(json.dumps(each), "no unit")
        dislodged = each.get("retreating") == "Yes" and when.kind is PhaseKind.RETREATS
        unit = Unit(owner, UNIT_KINDS[str(kind)], at)
        placing.place(unit, line, f"{when}: {owner} {unit}", dislodged=dislodged)
    for each in require_objects(step.get("centers"), "centers"):
        center, owner = read_place(each, "terrID"), read_power(each)
        if center and owner:
            placing.own(province_of(center), owner, line, f"{when}: {owner} {center}")
    position = placing.position(when, before, LAW)
    return _attacked(game.reading.board, position, step) if before is None else position


def _attacked(board: Map, position: Position, step: Told) -> Position:
    """Return *position* with the retreats that the attacks and standoffs of *step* leave open."""
    standoffs = [
        read_place(each, "terrID") for each in require_objects(step.get("standoffs"), "standoffs")
    ]
    contested = frozenset(province_of(each) for each in standoffs if each)
    attacks = require_object(
        step.get("occupiedFrom") or None, "occupiedFrom"
    )  # [] if there are none
    origins = {read_place({"at": at}, "at"): read_place(attacks, at) for at in attacks}
    waiting = []
    for each in position.dislodged:
        origin = province_of(
            origins.get(each.unit.location) or origins.get(each.unit.province) or UNKNOWN_PROVINCE
        )
        places = open_retreats(
            board,
            each.unit,
            attacked_from=origin,
            attacker_convoyed=False,
            closed={unit.province for unit in position.units} | contested,
            rulebook=LAW,
        )
        waiting.append(replace(each, attacked_from=origin, retreats=places))
    return replace(position, dislodged=tuple(waiting), contested=contested)


def _orders(
    game: _Game, step: Told, when: Phase, position: Position | None
) -> Iterator[WrittenOrder]:
    units = _units(when, position)
    several = require_objects(step.get("orders"), "orders")
    read = [(told, _order(game, told, units)) for told in several]
    given = {province_of(read_place(told, "terrID") or ""): order for told, order in read if order}
    for told, order in read:
        owner = read_power(told)
        if owner is None:
            game.doubt(json.dumps(told), "an order of nobody")
        elif order is None:
            yield WrittenOrder(owner, json.dumps(told), None)
        else:
            yield WrittenOrder(owner, write_order(order), order, read_results(told, order, given))


def _order(game: _Game, told: Told, units: Mapping[Province, Unit]) -> Order | None:
    try:
        return read_order(told, units)
    except MalformedError as error:
        game.doubt(json.dumps(told), str(error))
        return None


def _units(when: Phase, position: Position | None) -> Mapping[Province, Unit]:
    if position is None:
        return {}
    if when.kind is PhaseKind.RETREATS:
        return {each.unit.province: each.unit for each in position.dislodged}
    return {unit.province: unit for unit in position.units}


def _press(steps: Iterable[Told]) -> Iterator[RecordedPress]:
    for step in steps:
        for message in require_objects(step.get("messages"), "messages"):
            reader = read_power(message, "toCountryID")
            sent = read_number(message, "timeSent")
            yield RecordedPress(
                phase=read_phase(read_number(step, "turn"), step.get("phase")),
                sender=read_power(message, "fromCountryID"),
                readers=(reader,) if reader else (),
                text=require_text(message.get("message"), "message"),
                sent=datetime.fromtimestamp(sent, UTC) if sent else None,
            )


def _ending(game: _Game, told: Told, phases: Sequence[RecordedPhase]) -> Ending | None:
    """Return how the game ended; a draw is shared by all that still have units or centers."""
    over, position = told.get("gameOver"), phases[-1].position
    if over not in {"Won", "Drawn"} or position is None:
        return None
    played = [each.phase for each in phases if each.orders]
    last = played[-1] if played else phases[-1].phase
    if over == "Won":
        won = winner(game.reading.board, position)
        if won is None:
            game.doubt("gameOver Won", "nobody has the centers for it")
        return Ending(EndKind.SOLO, (won,) if won else (), last, "Won")
    alive = {unit.power for unit in position.units} | {*position.owners.values()}
    sharing = tuple(each for each in game.reading.board.powers if each in alive)
    return Ending(EndKind.DRAW, sharing, last, "Drawn")


FORMAT = Format(
    name=NAME,
    title="game states of webDiplomacy",
    rulebook=NAME,
    recognizes=recognizes,
    reads=read,
)


UNIT_KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
BUILDS = {"Build Army": UnitKind.ARMY, "Build Fleet": UnitKind.FLEET}


def read_order(told: Mapping[str, object], units: Mapping[Province, Unit]) -> Order:
    """Read an order for one of *units*, or about them. Raises `MalformedError`."""
    kind = told.get("type")
    if kind == "Wait":
        return Waive()
    if isinstance(kind, str) and kind in BUILDS:
        return Build(UnitName(BUILDS[kind], _unit_place(told)))
    unit = _ordered_unit(told, units)
    order: Order
    match kind:
        case "Hold":
            order = Hold(unit)
        case "Move":
            order = Move(unit, _order_place(told, "toTerrID"), told.get("viaConvoy") == "Yes")
        case "Support hold":
            order = SupportHold(unit, _unit_name(_order_place(told, "toTerrID"), units))
        case "Support move":
            supported = _unit_name(_order_place(told, "fromTerrID"), units)
            order = SupportMove(unit, supported, _order_place(told, "toTerrID"))
        case "Convoy":
            army = UnitName(UnitKind.ARMY, _order_place(told, "fromTerrID"))
            order = Convoy(unit, army, _order_place(told, "toTerrID"))
        case "Retreat":
            order = Retreat(unit, _order_place(told, "toTerrID"))
        case "Disband" | "Destroy":
            order = Disband(unit)
        case _:
            raise MalformedError(kind, "no type of order")
    return order


def read_results(
    told: Mapping[str, object], order: Order, given: Mapping[Province, Order]
) -> tuple[str, ...] | None:
    """Return the results of *order*, *given* all orders by province; None if unknown."""
    if told.get("success") not in {"Yes", "No"}:
        return None
    words = [*_troubles(order, given)] if told["success"] == "No" else []
    if told.get("dislodged") == "Yes":
        words.append("dislodged")
    return tuple(words)


def _troubles(order: Order, given: Mapping[Province, Order]) -> Iterator[str]:
    """Yield why *order* failed: a support without the move that it is for is void, not cut."""
    match order:
        case Move():
            yield "bounce"
        case SupportHold():
            yield "void" if isinstance(given.get(order.supported.province), Move) else "cut"
        case SupportMove():
            yield "cut" if _moves(given.get(order.supported.province), order.target) else "void"
        case Convoy():
            yield "disrupted" if _moves(given.get(order.army.province), order.target) else "void"
        case Retreat():
            yield "bounce"
            yield "destroyed"
        case Disband() | Build() | Waive():
            yield "void"
        case Hold():
            pass
        case _:
            assert_never(order)


def _moves(order: Order | None, target: Location) -> bool:
    return isinstance(order, Move) and province_of(order.target) == province_of(target)


def _ordered_unit(told: Mapping[str, object], units: Mapping[Province, Unit]) -> UnitName:
    """Return the unit of the order *told*, on its coast."""
    at, kind = _unit_place(told), told.get("unitType")
    there = units.get(province_of(at))
    if not isinstance(kind, str) or kind not in UNIT_KINDS:
        return _unit_name(at, units)
    if there and there.kind is UNIT_KINDS[kind]:
        return UnitName(there.kind, there.location)
    return UnitName(UNIT_KINDS[kind], at)


def _unit_name(at: Location, units: Mapping[Province, Unit]) -> UnitName:
    there = units.get(province_of(at))
    return UnitName(there.kind, there.location) if there else UnitName(None, at)


def _unit_place(told: Mapping[str, object]) -> Location:
    return read_place(told, "terrID") or _order_place(told, "toTerrID")


def _order_place(told: Mapping[str, object], key: str) -> Location:
    found = read_place(told, key)
    if found is None:
        raise MalformedError(key, f"is missing in an order of type {told.get('type')}")
    return found


CLASSIC = 1  # the number of the variant
NUMBERED = """
    CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL
    RUM CON SMY ANK ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL
    MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG
    MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL
    SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC
    """
PLACES: Sequence[Location] = tuple(NUMBERED.split())  # from 1; coasts come last
POWERS: Sequence[Power] = (  # from 1; 0 is nobody, and in press everybody
    "ENGLAND",
    "FRANCE",
    "ITALY",
    "GERMANY",
    "AUSTRIA",
    "TURKEY",
    "RUSSIA",
)
FIRST_YEAR = 1901
PHASE_KINDS = {
    "Diplomacy": PhaseKind.MOVEMENT,
    "Retreats": PhaseKind.RETREATS,
    "Builds": PhaseKind.ADJUSTMENTS,
}


def read_number(told: Mapping[str, object], key: str) -> int:
    """Return the number under *key*, 0 if there is none. Raises `MalformedError`."""
    match told.get(key):
        case None | "":
            return 0
        case str(digits) if digits.isdecimal() and digits.isascii():
            return int(digits)
        case int(value) if not isinstance(value, bool) and value >= 0:
            return value
        case other:
            raise MalformedError(key, f"must be a number, not {other!r}")


def read_place(told: Mapping[str, object], key: str) -> Location | None:
    """Return the place under *key*, None if there is none. Raises `MalformedError`."""
    found = read_number(told, key)
    if found > len(PLACES):
        raise MalformedError(key, f"no place has the number {found}")
    return PLACES[found - 1] if found else None


def read_power(told: Mapping[str, object], key: str = "countryID") -> Power | None:
    """Return the power under *key*, None if there is none. Raises `MalformedError`."""
    found = read_number(told, key)
    if found > len(POWERS):
        raise MalformedError(key, f"no power has the number {found}")
    return POWERS[found - 1] if found else None


def read_phase(turn: int, kind: object) -> Phase | None:
    """Return the phase of *turn*, None where nothing is played: before the start, at the end."""
    if not isinstance(kind, str) or kind not in PHASE_KINDS:
        return None
    season = Season.FALL if turn % 2 else Season.SPRING
    if PHASE_KINDS[kind] is PhaseKind.ADJUSTMENTS:
        season = Season.WINTER
    return Phase(season, FIRST_YEAR + turn // 2, PHASE_KINDS[kind])
