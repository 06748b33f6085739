"""Read webDiplomacy's `game/status` JSON: units, centers, orders and press by number.

    {"gameID": 1, "variantID": 1, "turn": 1, "phase": "Diplomacy", "gameOver": "No", "phases": [
     {"turn": 0, "phase": "Diplomacy",
      "units": [{"unitType": "Army", "terrID": 47, "countryID": 2, "retreating": "No"}],
      "centers": [{"terrID": 47, "countryID": 2}],
      "orders": [{"countryID": 2, "terrID": 47, "unitType": "Army", "type": "Hold", ...}]}]}

Without `phases`, each order names its phase, only the current phase has units, and earlier
positions are computed from the orders. Only the current phase has attackers and standoffs. Failed
orders have no reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import assert_never

from judge.archive import json_games, json_input, records
from judge.archive.position_json import UNKNOWN_PROVINCE
from judge.archive.positions import PrintedPosition
from judge.archive.reading import Format, Reading
from judge.notation.order_text import write_order
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.phase_sequence import next_position, winner
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import rulebook_named

NAME = "webdiplomacy"
RULES = rulebook_named(NAME)
FINISHED = "Finished"  # in place of a phase kind
KEYS = frozenset({"gameID", "variantID", "terrID", "countryID"})
SETTINGS = ("potType", "pressType", "drawType")

JsonObject = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Game:
    reading: Reading
    line: int

    def doubt(self, text: str, why: str) -> None:
        self.reading.doubts.note(self.line, text, why)


def recognizes(head: str) -> bool:
    """Return whether *head* starts a webDiplomacy game status."""
    return json_games.keys_of(head) >= KEYS


def read(reading: Reading, lines: Iterable[str]) -> Iterator[records.Record]:
    """Yield the games in *lines*."""
    for found in json_games.find_games(reading.doubts, lines):
        try:
            yield _record(_Game(reading, found.first_line), found)
        except json_input.MalformedError as error:
            reading.doubts.note(found.first_line, "", str(error))


def _record(game: _Game, found: json_games.JsonGame) -> records.Record:
    source, reading = found.value, game.reading
    if read_number(source, "variantID") != CLASSIC:
        raise json_input.MalformedError("variantID", f"must be {CLASSIC}, the classic board")
    steps = _steps(source)
    phases = json_games.read_phases(
        reading.doubts, game.line, steps, partial(_recorded_phase, game), _readable_phase
    )
    if not phases:
        raise json_input.MalformedError("phases", "missing")
    return records.Record(
        name=str(read_number(source, "gameID")),
        source=records.Source(
            NAME, reading.name, reading.sha256, found.first_line, found.last_line
        ),
        rulebook=NAME,
        phases=tuple(phases),
        press=tuple(_press(steps)),
        ending=_ending(game, source, phases),
        settings={key: value for key in SETTINGS if isinstance(value := source.get(key), str)},
        doubts=reading.doubts.taken(),
    )


def _steps(source: JsonObject) -> Sequence[JsonObject]:
    """Return the phases of a status, the last with the facts given only for the current phase."""
    steps = (
        json_input.require_objects(source["phases"], "phases")
        if "phases" in source
        else _phases_of_orders(source)
    )
    present = {key: source.get(key) for key in ("standoffs", "occupiedFrom")}
    return [*steps[:-1], *({**each, **present} for each in steps[-1:])]


def _phases_of_orders(source: JsonObject) -> Sequence[JsonObject]:
    heaps: dict[tuple[int, object], list[JsonObject]] = {}
    for order in json_input.require_objects(source.get("orders"), "orders"):
        heaps.setdefault((read_number(order, "turn"), order.get("phase")), []).append(order)
    present = read_number(source, "turn"), source.get("phase")
    heaps.setdefault(present, [])
    board = {key: source.get(key) for key in ("units", "centers")}
    return [
        {"turn": when[0], "phase": when[1], "orders": heaps[when]}
        | (board if when == present else {})
        for when in sorted(heaps, key=_sort_key)
    ]


def _sort_key(step: tuple[int, object]) -> tuple[int, int]:
    turn, kind = step
    kinds = ["Diplomacy", "Retreats", "Builds", FINISHED]
    return turn, kinds.index(str(kind)) if kind in kinds else -1


def _recorded_phase(
    game: _Game, step: JsonObject, before: records.RecordedPhase | None
) -> records.RecordedPhase | None:
    when = _phase_of(game, step, before)
    if when is None:
        return None
    position = _position(game, step, when, before)
    orders = tuple(_orders(game, step, when, position))
    has_results = any(each.results is not None for each in orders)
    return records.RecordedPhase(when, position, orders, results_told=has_results)


def _readable_phase(step: JsonObject) -> types.Phase | None:
    try:
        return read_phase(read_number(step, "turn"), step.get("phase"))
    except json_input.MalformedError:
        return None


def _phase_of(
    game: _Game, step: JsonObject, before: records.RecordedPhase | None
) -> types.Phase | None:
    """Return the phase of *step*; for a finished game, the one that would follow."""
    if step.get("phase") != FINISHED:
        return read_phase(read_number(step, "turn"), step.get("phase"))
    if before is None or not before.orders or not step.get("units"):
        return None
    end = _read_position(game, step, before.phase, None)
    return next_position(game.reading.board, before.phase, end.units, end.owners).phase


def _position(
    game: _Game, step: JsonObject, when: types.Phase, before: records.RecordedPhase | None
) -> types.Position | None:
    board = game.reading.board
    if step.get("units") is not None:
        return _read_position(game, step, when, before)
    if when == board.start.phase:
        return board.start
    if before is None or before.position is None:
        return None
    after = adjudicate(board, before.position, before.orders_by_power(), RULES).after
    return after if after.phase == when else None


def _read_position(
    game: _Game, step: JsonObject, when: types.Phase, before: records.RecordedPhase | None
) -> types.Position:
    placing, line = PrintedPosition(game.reading.board, game.reading.doubts), game.line
    for each in json_input.require_objects(step.get("units"), "units"):
        kind, at, owner = each.get("unitType"), read_place(each, "terrID"), read_power(each)
        if kind not in UNIT_KINDS or at is None or owner is None:
            raise json_input.MalformedError(json.dumps(each), "not a unit")
        dislodged = each.get("retreating") == "Yes" and when.kind is types.PhaseKind.RETREATS
        unit = types.Unit(owner, UNIT_KINDS[str(kind)], at)
        placing.place(unit, line, f"{when}: {owner} {unit}", dislodged=dislodged)
    for each in json_input.require_objects(step.get("centers"), "centers"):
        center, owner = read_place(each, "terrID"), read_power(each)
        if center and owner:
            placing.set_owner(types.province_of(center), owner, line, f"{when}: {owner} {center}")
    position = placing.position(when, before, RULES)
    return _with_retreats(game.reading.board, position, step) if before is None else position


def _with_retreats(board: Map, position: types.Position, step: JsonObject) -> types.Position:
    """Return *position* with the retreats left open by the attacks and standoffs of *step*."""
    standoffs = [
        read_place(each, "terrID")
        for each in json_input.require_objects(step.get("standoffs"), "standoffs")
    ]
    contested = frozenset(types.province_of(each) for each in standoffs if each)
    # An empty value is [], not {}.
    attacks = json_input.require_object(step.get("occupiedFrom") or None, "occupiedFrom")
    origins = {read_place({"at": at}, "at"): read_place(attacks, at) for at in attacks}
    waiting = []
    for each in position.dislodged:
        origin = types.province_of(
            origins.get(each.unit.location) or origins.get(each.unit.province) or UNKNOWN_PROVINCE
        )
        places = open_retreats(
            board.open_in(position.phase),
            each.unit,
            attacked_from=origin,
            attacker_convoyed=False,
            closed={unit.province for unit in position.units} | contested,
            rulebook=RULES,
        )
        waiting.append(replace(each, attacked_from=origin, retreats=places))
    return replace(position, dislodged=tuple(waiting), contested=contested)


def _orders(
    game: _Game, step: JsonObject, when: types.Phase, position: types.Position | None
) -> Iterator[records.WrittenOrder]:
    units = _units(when, position)
    several = json_input.require_objects(step.get("orders"), "orders")
    read = [(source, _order(game, source, units)) for source in several]
    given = {
        types.province_of(read_place(source, "terrID") or ""): order
        for source, order in read
        if order
    }
    for source, order in read:
        owner = read_power(source)
        if owner is None:
            game.doubt(json.dumps(source), "an order without a power")
        elif order is None:
            yield records.WrittenOrder(owner, json.dumps(source), None)
        else:
            yield records.WrittenOrder(
                owner, write_order(order), order, read_results(source, order, given)
            )


def _order(
    game: _Game, source: JsonObject, units: Mapping[types.Province, types.Unit]
) -> types.Order | None:
    try:
        return read_order(source, units)
    except json_input.MalformedError as error:
        game.doubt(json.dumps(source), str(error))
        return None


def _units(
    when: types.Phase, position: types.Position | None
) -> Mapping[types.Province, types.Unit]:
    if position is None:
        return {}
    if when.kind is types.PhaseKind.RETREATS:
        return {each.unit.province: each.unit for each in position.dislodged}
    return {unit.province: unit for unit in position.units}


def _press(steps: Iterable[JsonObject]) -> Iterator[records.RecordedPress]:
    for step in steps:
        for message in json_input.require_objects(step.get("messages"), "messages"):
            reader = read_power(message, "toCountryID")
            sent = read_number(message, "timeSent")
            yield records.RecordedPress(
                phase=read_phase(read_number(step, "turn"), step.get("phase")),
                sender=read_power(message, "fromCountryID"),
                readers=(reader,) if reader else (),
                text=json_input.require_text(message.get("message"), "message"),
                sent=datetime.fromtimestamp(sent, UTC) if sent else None,
            )


def _ending(
    game: _Game, source: JsonObject, phases: Sequence[records.RecordedPhase]
) -> records.Ending | None:
    """Return how the game ended; all survivors share a draw."""
    over, position = source.get("gameOver"), phases[-1].position
    if over not in {"Won", "Drawn"} or position is None:
        return None
    played = [each.phase for each in phases if each.orders]
    last = played[-1] if played else phases[-1].phase
    if over == "Won":
        won = winner(game.reading.board, position)
        if won is None:
            game.doubt("gameOver Won", "no power has the centers for it")
        return records.Ending(records.EndKind.SOLO, (won,) if won else (), last, "Won")
    alive = {unit.power for unit in position.units} | {*position.owners.values()}
    sharing = tuple(each for each in game.reading.board.powers if each in alive)
    return records.Ending(records.EndKind.DRAW, sharing, last, "Drawn")


FORMAT = Format(
    name=NAME,
    title="game states of webDiplomacy",
    rulebook=NAME,
    recognizes=recognizes,
    reads=read,
    keys=KEYS,
)


UNIT_KINDS = {"Army": types.UnitKind.ARMY, "Fleet": types.UnitKind.FLEET}
BUILDS = {"Build Army": types.UnitKind.ARMY, "Build Fleet": types.UnitKind.FLEET}


def read_order(
    source: Mapping[str, object], units: Mapping[types.Province, types.Unit]
) -> types.Order:
    """Read an order for one of *units*, or an adjustment. Raises `MalformedError`."""
    kind = source.get("type")
    if kind == "Wait":
        return types.Waive()
    if isinstance(kind, str) and kind in BUILDS:
        return types.Build(types.UnitName(BUILDS[kind], _unit_place(source)))
    unit = _ordered_unit(source, units)
    order: types.Order
    match kind:
        case "Hold":
            order = types.Hold(unit)
        case "Move":
            order = types.Move(
                unit, _order_place(source, "toTerrID"), source.get("viaConvoy") == "Yes"
            )
        case "Support hold":
            order = types.SupportHold(unit, _unit_name(_order_place(source, "toTerrID"), units))
        case "Support move":
            supported = _unit_name(_order_place(source, "fromTerrID"), units)
            order = types.SupportMove(unit, supported, _order_place(source, "toTerrID"))
        case "Convoy":
            army = types.UnitName(types.UnitKind.ARMY, _order_place(source, "fromTerrID"))
            order = types.Convoy(unit, army, _order_place(source, "toTerrID"))
        case "Retreat":
            order = types.Retreat(unit, _order_place(source, "toTerrID"))
        case "Disband" | "Destroy":
            order = types.Disband(unit)
        case _:
            raise json_input.MalformedError(kind, "not a type of order")
    return order


def read_results(
    source: Mapping[str, object], order: types.Order, given: Mapping[types.Province, types.Order]
) -> tuple[str, ...] | None:
    """Return the results of *order* given all orders by province, None if unknown."""
    if source.get("success") not in {"Yes", "No"}:
        return None
    words = [*_failures(order, given)] if source["success"] == "No" else []
    if source.get("dislodged") == "Yes":
        words.append("dislodged")
    return tuple(words)


def _failures(order: types.Order, given: Mapping[types.Province, types.Order]) -> Iterator[str]:
    """Yield why *order* failed; support for a move that was not ordered is void, not cut."""
    match order:
        case types.Move():
            yield "bounce"
        case types.SupportHold():
            yield "void" if isinstance(given.get(order.supported.province), types.Move) else "cut"
        case types.SupportMove():
            yield (
                "cut"
                if records.moves_to(given.get(order.supported.province), order.target)
                else "void"
            )
        case types.Convoy():
            yield (
                "disrupted"
                if records.moves_to(given.get(order.army.province), order.target)
                else "void"
            )
        case types.Retreat():
            yield "bounce"
            yield "destroyed"
        case types.Disband() | types.Build() | types.Waive():
            yield "void"
        case types.Hold():
            pass
        case _:
            assert_never(order)


def _ordered_unit(
    source: Mapping[str, object], units: Mapping[types.Province, types.Unit]
) -> types.UnitName:
    at, kind = _unit_place(source), source.get("unitType")
    there = units.get(types.province_of(at))
    if not isinstance(kind, str) or kind not in UNIT_KINDS:
        return _unit_name(at, units)
    if there and there.kind is UNIT_KINDS[kind]:
        return there.named()
    return types.UnitName(UNIT_KINDS[kind], at)


def _unit_name(at: types.Location, units: Mapping[types.Province, types.Unit]) -> types.UnitName:
    there = units.get(types.province_of(at))
    return there.named() if there else types.UnitName(None, at)


def _unit_place(source: Mapping[str, object]) -> types.Location:
    return read_place(source, "terrID") or _order_place(source, "toTerrID")


def _order_place(source: Mapping[str, object], key: str) -> types.Location:
    found = read_place(source, key)
    if found is None:
        raise json_input.MalformedError(
            key, f"is missing in an order of type {source.get('type')}"
        )
    return found


CLASSIC = 1  # the number of the variant
NUMBERED = """
    CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL
    RUM CON SMY ANK ARM SYR SEV UKR WAR LVN MOS STP FIN SWE NWY DEN KIE BER PRU SIL
    MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG
    MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL
    SPA/NC SPA/SC STP/NC STP/SC BUL/EC BUL/SC
    """
PLACES: Sequence[types.Location] = tuple(NUMBERED.split())  # numbered from 1; coasts last
POWERS: Sequence[types.Power] = (  # numbered from 1; 0 is no power, or all readers
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
    "Diplomacy": types.PhaseKind.MOVEMENT,
    "Retreats": types.PhaseKind.RETREATS,
    "Builds": types.PhaseKind.ADJUSTMENTS,
}


def read_number(source: Mapping[str, object], key: str) -> int:
    """Return the number under *key*, by default 0. Raises `MalformedError`."""
    match source.get(key):
        case None | "":
            return 0
        case str(digits) if digits.isdecimal() and digits.isascii():
            return int(digits)
        case int(value) if not isinstance(value, bool) and value >= 0:
            return value
        case other:
            raise json_input.MalformedError(key, f"must be a number, not {other!r}")


def read_place(source: Mapping[str, object], key: str) -> types.Location | None:
    """Return the location under *key*, None if there is none. Raises `MalformedError`."""
    found = read_number(source, key)
    if found > len(PLACES):
        raise json_input.MalformedError(key, f"no place has the number {found}")
    return PLACES[found - 1] if found else None


def read_power(source: Mapping[str, object], key: str = "countryID") -> types.Power | None:
    """Return the power under *key*, None if there is none. Raises `MalformedError`."""
    found = read_number(source, key)
    if found > len(POWERS):
        raise json_input.MalformedError(key, f"no power has the number {found}")
    return POWERS[found - 1] if found else None


def read_phase(turn: int, kind: object) -> types.Phase | None:
    """Return the phase of *turn*, None before the start and after the end."""
    if not isinstance(kind, str) or kind not in PHASE_KINDS:
        return None
    season = types.Season.FALL if turn % 2 else types.Season.SPRING
    if PHASE_KINDS[kind] is types.PhaseKind.ADJUSTMENTS:
        season = types.Season.WINTER
    return types.Phase(season, FIRST_YEAR + turn // 2, PHASE_KINDS[kind])
