"""Write records as a DAIDE session, as an observer receives it.

An order is reported with its result, or submitted if it has none. DAIDE cannot express standoffs
or which unit dislodged another. Players, unreadable orders, phases without a
position, and corrected editions are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import assert_never

from judge.archive.formats import daide_language
from judge.archive.records import Ending, EndKind, Record, RecordedPhase, RecordedPress
from judge.rules import types
from judge.rules.board import Map

OBSERVER = "1"
SENTENCE = re.compile(r"[A-Z]{3}(?: (?:[A-Z]{3}|#\d+|[()]))*")  # valid DAIDE
SEASONS = {pattern.format(""): token for token, pattern in daide_language.TURNS.items()}
KIND_TOKENS = {kind: token for token, kind in daide_language.KINDS.items()}
PROVINCE_TOKENS = {code: token for token, code in daide_language.CODES.items()}
NOTES = {
    "bounce": "BNC",
    "cut": "CUT",
    "void": "FLD",
    "no convoy": "DSR",
    "disrupted": "DSR",
    "dislodged": "RET",
    "destroyed": "RET",
}


def write_record(record: Record, board: Map) -> Iterator[str]:
    """Yield *record* as lines."""
    yield _line(("MAP", tuple(board.name)))
    last_editions = {phase.phase: phase for phase in record.phases if phase.position}
    for recorded in last_editions.values():
        if recorded.position:
            yield _line(("SCO", *_owners(board, recorded.position)))
            yield _line(("NOW", _turn(recorded.phase), *_units(recorded.position)))
            for press in record.press:
                if press.phase == recorded.phase:
                    yield from _press(board, press)
            yield from _orders(recorded, recorded.position)
    if record.ending:
        yield from _ending(record.ending)


def _line(message: daide_language.Message) -> str:
    return f"{OBSERVER},,{_text(message)}\n"


def _text(message: daide_language.Message) -> str:
    return " ".join(map(daide_language.format_node, message))


def _owners(board: Map, position: types.Position) -> Iterator[daide_language.Node]:
    for power in board.powers:
        yield (_power(power), *map(_place, position.centers_of(power)))
    unowned = [center for center in board.centers if center not in position.owners]
    yield (daide_language.NOBODY, *map(_place, unowned))


def _units(position: types.Position) -> Iterator[daide_language.Node]:
    for unit in position.units:
        yield _group(unit)
    for each in position.dislodged:
        yield (*_group(each.unit), "MRT", tuple(map(_place, each.retreats)))


def _press(board: Map, press: RecordedPress) -> Iterator[str]:
    """Yield *press* if it is between powers; text that is not DAIDE is quoted."""
    if press.sender and {press.sender, *press.readers} <= {*board.powers}:
        text = press.text if SENTENCE.fullmatch(press.text) else _quoted(press.text)
        readers = tuple(map(_power, press.readers))
        yield _line(("FRM", (_power(press.sender),), readers, (text,)))


def _quoted(text: str) -> str:
    plain = " ".join(text.split()).replace("'", "\u2019")
    return f"'{plain}'"


def _orders(recorded: RecordedPhase, position: types.Position) -> Iterator[str]:
    turn, kind = _turn(recorded.phase), recorded.phase.kind
    units = {unit.province: unit for unit in position.units}
    units |= {each.unit.province: each.unit for each in position.dislodged}
    reported: set[tuple[types.Power, types.Province]] = set()
    for written in recorded.orders:
        if written.order is None or not _is_clear(written.order, units):
            continue
        order = _order(written.power, written.order, units, kind)
        if not isinstance(written.order, types.Waive):
            key = written.power, written.order.unit.province
            if key in reported:
                continue
            reported.add(key)
        if written.results is None:
            yield f"{OBSERVER},{_text(('SUB', turn, order))}\n"
        else:
            notes = dict.fromkeys(_note(written.order, word) for word in written.results)
            yield _line(("ORD", turn, order, tuple(notes) or ("SUC",)))


def _is_clear(order: types.Order, units: Mapping[types.Province, types.Unit]) -> bool:
    match order:
        case types.Waive():
            names: tuple[types.UnitName, ...] = ()
        case (
            types.SupportHold(unit, other)
            | types.SupportMove(unit, other)
            | types.Convoy(unit, other)
        ):
            names = unit, other
        case _:
            names = (order.unit,)
    return all(name.kind or name.province in units for name in names)


def _note(order: types.Order, word: str) -> str:
    if word == "void" and isinstance(order, types.SupportHold | types.SupportMove | types.Convoy):
        return "NSO"
    return NOTES[word]


def _order(
    power: types.Power,
    order: types.Order,
    units: Mapping[types.Province, types.Unit],
    phase: types.PhaseKind,
) -> daide_language.Message:
    """Write an order of *power*, with kinds and coasts completed from *units*."""
    if isinstance(order, types.Waive):
        return _power(power), "WVE"
    unit = (_power(power), *_named(order.unit, units, power)[1:])
    match order:
        case types.Hold():
            return unit, "HLD"
        case types.Build():
            return unit, "BLD"
        case types.Disband():
            return unit, "DSB" if phase is types.PhaseKind.RETREATS else "REM"
        case types.Move(target=target) if phase is types.PhaseKind.RETREATS:
            return unit, "RTO", _place(target)
        case (
            types.Move()
            | types.Retreat()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
        ):
            return unit, *_order_words(order, units, power)
        case _:
            assert_never(order)


def _order_words(
    order: types.Move | types.Retreat | types.SupportHold | types.SupportMove | types.Convoy,
    units: Mapping[types.Province, types.Unit],
    power: types.Power,
) -> daide_language.Message:
    match order:
        case types.Retreat(target=target):
            return "RTO", _place(target)
        case types.Move(target=target, via_convoy=by_sea, route=seas):
            way = ("VIA", tuple(map(_place, seas))) if seas else ()
            return "CTO" if by_sea else "MTO", _place(target), *way
        case types.SupportHold(supported=other):
            return "SUP", _named(other, units, power)
        case types.SupportMove(supported=other, target=target):
            return "SUP", _named(other, units, power), "MTO", _place(target)
        case types.Convoy(army=army, target=target):
            return "CVY", _named(army, units, power), "CTO", _place(target)
        case _:
            assert_never(order)


def _named(
    name: types.UnitName, units: Mapping[types.Province, types.Unit], orderer: types.Power
) -> daide_language.Message:
    there = units.get(name.province)
    kind = name.kind or units[name.province].kind
    owner = there.power if there else name.power or orderer
    return _group(types.Unit(owner, kind, name.location))


def _ending(ending: Ending) -> Iterator[str]:
    powers = tuple(map(_power, ending.powers))
    match ending.kind:
        case EndKind.SOLO:
            yield _line(("SLO", powers))
        case EndKind.DRAW:
            yield _line(("DRW", powers))
        case EndKind.CONCESSION | EndKind.ABANDONED:  # DAIDE has no words for these
            pass
        case _:
            assert_never(ending.kind)


def _turn(phase: types.Phase) -> daide_language.Node:
    return SEASONS[f"{phase.season.value}{phase.kind.value}"], f"#{phase.year}"


def _group(unit: types.Unit) -> daide_language.Message:
    return _power(unit.power), KIND_TOKENS[unit.kind], _place(unit.location)


def _power(power: types.Power) -> str:
    return power[:3]


def _place(location: types.Location) -> daide_language.Node:
    province, _, coast = location.partition("/")
    token = PROVINCE_TOKENS.get(province, province)
    return (token, f"{coast}S") if coast else token
