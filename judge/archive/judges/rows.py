"""Rows of judges' tables to orders, units and owners; what cannot be read is a doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from judge.archive.judges import phrases
from judge.archive.judges.drafts import Row
from judge.archive.judges.lines import Sentence
from judge.archive.names import center_of
from judge.archive.reading import Doubts
from judge.archive.record import RESULTS, WrittenOrder
from judge.archive.report import Driven
from judge.notation.names import names_of
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of
from judge.rules.types import (
    Build,
    Disband,
    Hold,
    Location,
    MovementOrder,
    Order,
    PhaseKind,
    Power,
    Province,
    Retreat,
    Unit,
    UnitKind,
    UnitName,
    Waive,
)

ORDERS_KEPT = 65_536  # Of one board, so that an order that many games have is read once.

RESULT = re.compile(r"\s*\(\*\s*(?P<words>[^()]*?)\s*\*\)$")
NOTHING = re.compile(
    r"(?P<unit>.*?),?\s*No Orders? Processed\.?\s*(?:\(DISBAND\))?\.?", re.IGNORECASE
)
WAIVED = re.compile(r"(?P<count>\d+ )?builds? waived\.?", re.IGNORECASE)
NOT_BUILT = re.compile(
    r"(?:\d+ )?(?:unusable |unused )?builds? (?:pending|waived)\.?", re.IGNORECASE
)
DEFAULTED = re.compile(  # the second in our own results
    r"Defaults,? removing (?P<unit>.*)|Removes (?P<ours>.*)\(no order\)", re.IGNORECASE
)
MAINTAINS = re.compile(r"Maintains? ", re.IGNORECASE)
# It is on the map of nJudge, and is ordered to as a signal.
TO_NOWHERE = re.compile(
    r"(?P<unit>.+?) (?:->|CONVOY|SUPPORT) (?:.*-> )?Switzerland\.?", re.IGNORECASE
)
RETREATS = re.compile(r"(?P<unit>.*?) can retreat to (?P<retreats>.*?)\.?", re.IGNORECASE)
# What else judges and programs like them say of a failed order, in the words of a record.
OTHER_WORDS = {
    "fails": "bounce",
    "blocked": "bounce",
    "no support": "void",
    "ordered to move": "void",
    "invalid": "void",
}
GIVEN = {
    PhaseKind.MOVEMENT: MovementOrder,
    PhaseKind.RETREATS: Retreat | Disband,
    PhaseKind.ADJUSTMENTS: Build | Disband | Waive,
}
NO_RESULT = frozenset({"warn: check convoy"})

NONE = "none"  # of a power that owns no center, in our own results


class Rows:
    """Reads the rows of one file, on *board*."""

    def __init__(self, board: Map, doubts: Doubts) -> None:
        self._board = board
        self._doubts = doubts

    def power(self, row: Row) -> Power | None:
        """Return the power whose row it is."""
        return names_of(self._board).powers.get(row.word.casefold())

    def orders(self, rows: list[Row], kind: PhaseKind) -> Iterator[WrittenOrder]:
        """Yield the orders of *rows* in a phase of *kind*.

        A unit without an order of movement is one that the judge let hold. A dislodged one, which
        it disbanded, and a build that could not be made, are not orders.
        """
        for row in rows:
            power = self.power(row)
            if power is None:
                self._doubts.note(row.number, row.text, f"no power is called {row.word}")
                continue
            text, results = self._results(row)
            for order in self._ordered(row, text, kind):
                yield WrittenOrder(power, text, order, results, row.number)

    def defaulted(self, rows: list[Row]) -> Iterator[WrittenOrder]:
        """Yield the removals that the judge chose itself, for want of an order."""
        for row in rows:
            found, power = DEFAULTED.fullmatch(row.text), self.power(row)
            if found and power:
                text = f"Removes {found['unit'] or found['ours']}"
                order = _read(self._board, text, PhaseKind.ADJUSTMENTS)
                if order is None:
                    self._doubts.note(row.number, row.text, "not understood as a unit")
                yield WrittenOrder(power, row.text, order, (), row.number)

    def units(self, rows: list[Row]) -> Iterator[tuple[Unit, tuple[Location, ...]]]:
        """Yield the units of a table of who stands where, with the retreats of those dislodged."""
        for row in rows:
            power = self.power(row)
            retreats = RETREATS.fullmatch(row.text)
            text = retreats["unit"] if retreats else row.text.rstrip(".")
            unit = self._unit(text)
            if power is None or unit is None or unit.kind is None:
                self._doubts.note(row.number, row.text, "not understood as a unit")
                continue
            at = self._standing(unit)
            if at is None:
                self._doubts.note(row.number, row.text, "no such unit can stand there")
                continue
            found = self._places(unit.kind, retreats["retreats"], row.number) if retreats else ()
            yield Unit(power, unit.kind, at), found

    def driven(self, sentence: Sentence) -> Driven | None:
        """Return the dislodged unit that *sentence* tells of."""
        found = phrases.DRIVEN.fullmatch(sentence.text)
        assert found, sentence
        power = names_of(self._board).powers.get(found["power"].casefold())
        unit = self._unit(f"{found['kind']} {found['place']}")
        if power is None or unit is None or unit.kind is None:
            self._doubts.note(sentence.number, sentence.text, "not understood as a dislodged unit")
            return None
        places = self._places(unit.kind, found["retreats"] or "", sentence.number)
        return Driven(power, unit.province, places, sentence.number)

    def owners(self, rows: list[Row]) -> Mapping[Province, Power]:
        """Return who owns what by the *rows* of a chart."""
        owners: dict[Province, Power] = {}
        seen: set[Province] = set()
        for row in rows:
            power = self.power(row)
            named = row.text.rstrip(".")
            for name in named.split(",") if named.strip() != NONE else ():
                center = center_of(self._board, name)
                if center is None:
                    self._doubts.note(row.number, name.strip(), "no supply center")
                    continue
                if center in seen:
                    self._doubts.note(row.number, name.strip(), "owned twice")
                seen.add(center)
                if power:
                    owners[center] = power
        return owners

    def counts(self, rows: list[Row]) -> Iterator[tuple[Power, tuple[int, int], str]]:
        """Yield of each row of a count the power, its centers and units, and the mark behind."""
        for row in rows:
            power, found = self.power(row), phrases.COUNTED.match(row.text)
            if power and found:
                told = int(found["centers"]), int(found["units"])
                yield power, told, (found["mark"] or "").strip()

    def _results(self, row: Row) -> tuple[str, tuple[str, ...]]:
        found = RESULT.search(row.text)
        if not found:
            return row.text, ()
        words = [word.strip().casefold() for word in found["words"].split(",")]
        results = [OTHER_WORDS.get(word, word) for word in words if word not in NO_RESULT]
        for word in results:
            if word not in RESULTS:
                self._doubts.note(row.number, row.text, f"unknown result {word!r}")
        return row.text[: found.start()], tuple(word for word in results if word in RESULTS)

    def _ordered(self, row: Row, text: str, kind: PhaseKind) -> Iterator[Order | None]:
        if nothing := NOTHING.fullmatch(text):
            unit = self._unit(nothing["unit"])
            if unit is None:
                self._doubts.note(row.number, row.text, "not understood as a unit")
            elif kind is PhaseKind.MOVEMENT:
                yield Hold(unit)
        elif waived := WAIVED.fullmatch(text):
            yield from [Waive()] * int(waived["count"] or 1)
        elif not is_note(row) and not DEFAULTED.fullmatch(text):
            order = _read(self._board, text, kind) or self._impassable(text)
            if order is None:
                self._doubts.note(row.number, row.text, "not understood as an order")
            if order is None or isinstance(order, GIVEN[kind]):
                yield order
            else:  # as where a report repeats the one before it
                self._doubts.note(row.number, row.text, f"no order of {kind.name.lower()}")

    def _impassable(self, text: str) -> Hold | None:
        """Return what an order comes to that names a place where nobody can go."""
        found = TO_NOWHERE.match(text)
        unit = self._unit(found["unit"]) if found else None
        return Hold(unit) if unit else None

    def _unit(self, text: str) -> UnitName | None:
        """Return the unit called *text*, such as `Fleet Spain (south coast)`."""
        order = _read(self._board, f"{text} HOLD", PhaseKind.MOVEMENT)
        return order.unit if isinstance(order, Hold) else None

    def _standing(self, unit: UnitName) -> Location | None:
        """Return where *unit* stands, None where it cannot; a coast not told is the default."""
        if unit.kind is None:
            return None
        default = self._board.default_coasts.get(unit.province, unit.province)
        at = unit.province if unit.kind is UnitKind.ARMY else unit.location
        there = map_index_of(self._board).of(unit.kind)
        return next((place for place in (at, default) if place in there), None)

    def _places(self, kind: UnitKind, text: str, line: int) -> tuple[Location, ...]:
        """Return the places of a list such as `Apulia or Eastern Mediterranean`."""
        places: list[Location] = []
        for name in re.split(r",?\s+or\s+|,\s*", text.strip()) if text else ():
            unit = self._unit(f"{kind.name} {name}")
            at = self._standing(unit) if unit else None
            if at is None:
                self._doubts.note(line, name, "no place for the unit")
            else:
                places.append(at)
        return tuple(places)


def is_note(row: Row) -> bool:
    """Tell whether *row* is about builds that are not made, or a unit that stays, and no order."""
    return bool(
        NOT_BUILT.fullmatch(row.text) or MAINTAINS.match(row.text)
    ) and not WAIVED.fullmatch(row.text)


@lru_cache(maxsize=ORDERS_KEPT)
def _read(board: Map, text: str, kind: PhaseKind) -> Order | None:
    """Return the order that *text* is in a phase of *kind*, None if it is not a single one."""
    match parse(text, board, kind, s_stands=True):
        case (Understood(order=order, remark=""),):
            return order
        case _:
            return None
