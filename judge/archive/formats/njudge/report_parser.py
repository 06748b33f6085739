"""Parse the rows of a judge's tables and summaries: orders, units, owners and players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from judge.archive.formats.njudge import sentence_patterns
from judge.archive.formats.njudge.mail_text import Line, Sentence
from judge.archive.formats.njudge.sections import TableRow
from judge.archive.positions import ReportedDislodgement
from judge.archive.reading import Doubts
from judge.archive.records import RESULTS, WrittenOrder, YearChart
from judge.archive.text_parsing import center_named, orders_meant, unit_named
from judge.errors import abridged
from judge.notation.strict_orders import StrictOrder
from judge.notation.terms import names_of
from judge.rules import types
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of

# After the full stop for moves, before it for retreats.
RESULT = re.compile(r"\s*\(\*\s*(?P<words>[^()]*?)\s*\*\)\.?$")
NOTHING = re.compile(
    r"(?P<unit>.*?),?\s*No Orders? Processed\.?\s*(?:\(DISBAND\))?\.?", re.IGNORECASE
)
WAIVED = re.compile(r"(?P<count>\d+ )?builds? waived\.?", re.IGNORECASE)
NOT_BUILT = re.compile(
    r"(?:\d+ )?(?:unusable |unused )?builds? (?:pending|waived)\.?", re.IGNORECASE
)
DEFAULTED = re.compile(  # the second form is ours
    r"Defaults,? removing (?P<unit>.*)|Removes (?P<ours>.*)\(no order\)", re.IGNORECASE
)
MAINTAINS = re.compile(r"Maintains? ", re.IGNORECASE)
# nJudge's map has Switzerland; players order there as a signal.
TO_NOWHERE = re.compile(
    r"(?P<unit>.+?) (?:->|CONVOY|SUPPORT) (?:.*-> )?Switzerland\.?", re.IGNORECASE
)
RETREATS = re.compile(r"(?P<unit>.*?) can retreat to (?P<retreats>.*?)\.?", re.IGNORECASE)
# Other judges' words for failures, and a record's.
OTHER_WORDS = {
    "fails": "bounce",
    "blocked": "bounce",
    "no support": "void",
    "ordered to move": "void",
    "invalid": "void",
}
GIVEN = {
    types.PhaseKind.MOVEMENT: types.MovementOrder,
    types.PhaseKind.RETREATS: types.Retreat | types.Disband,
    types.PhaseKind.ADJUSTMENTS: types.Build | types.Disband | types.Waive,
}
NO_RESULT = frozenset({"warn: check convoy"})

NONE = "none"  # a power without centers, in our own results


class RowParser:
    """Reads the table rows of one file.

    Unless the judge *marks_convoys* that match no move, an unmarked convoy has no known result.
    """

    def __init__(self, board: Map, doubts: Doubts, *, marks_convoys: bool) -> None:
        self._board = board
        self._doubts = doubts
        self._marks_convoys = marks_convoys

    def power(self, row: TableRow) -> types.Power | None:
        """Return the power named in *row*."""
        return names_of(self._board).powers.get(row.word.casefold())

    def orders(self, rows: list[TableRow], kind: types.PhaseKind) -> Iterator[WrittenOrder]:
        """Yield the orders of *rows* in a phase of *kind*.

        A unit without an order in a movement phase holds. Units disbanded by the judge and
        impossible builds yield no order.
        """
        for row in rows:
            power = self.power(row)
            if power is None:
                self._doubts.note(row.number, row.text, f"unknown power {abridged(row.word)}")
                continue
            text, results = self._results(row)
            for order in self._ordered(row, text, kind):
                unmarked = isinstance(order, types.Convoy) and not results
                known = results if self._marks_convoys or not unmarked else None
                yield WrittenOrder(power, text, order, known, row.number)

    def defaulted(self, rows: list[TableRow]) -> Iterator[WrittenOrder]:
        """Yield the removals that the judge chose for lack of orders."""
        for row in rows:
            found, power = DEFAULTED.fullmatch(row.text), self.power(row)
            if found and power:
                text = f"Removes {found['unit'] or found['ours']}"
                order = _single_order(self._board, text, types.PhaseKind.ADJUSTMENTS)
                if order is None:
                    self._doubts.note(row.number, row.text, "not understood as a unit")
                yield WrittenOrder(power, row.text, order, (), row.number)

    def units(
        self, rows: list[TableRow]
    ) -> Iterator[tuple[types.Unit, tuple[types.Location, ...]]]:
        """Yield the units of a position table, with the retreats of dislodged ones."""
        for row in rows:
            power = self.power(row)
            retreats = RETREATS.fullmatch(row.text)
            text = retreats["unit"] if retreats else row.text.rstrip(".")
            unit = unit_named(self._board, text)
            if power is None or unit is None or unit.kind is None:
                self._doubts.note(row.number, row.text, "not understood as a unit")
                continue
            at = self._location_of(unit)
            if at is None:
                self._doubts.note(row.number, row.text, "this unit cannot be there")
                continue
            found = self._places(unit.kind, retreats["retreats"], row.number) if retreats else ()
            yield types.Unit(power, unit.kind, at), found

    def dislodged(self, sentence: Sentence) -> ReportedDislodgement | None:
        """Return the dislodgement reported in *sentence*."""
        found = sentence_patterns.DRIVEN.fullmatch(sentence.text)
        assert found, sentence
        power = names_of(self._board).powers.get(found["power"].casefold())
        unit = unit_named(self._board, f"{found['kind']} {found['place']}")
        if power is None or unit is None or unit.kind is None:
            self._doubts.note(sentence.number, sentence.text, "not understood as a dislodged unit")
            return None
        places = self._places(unit.kind, found["retreats"] or "", sentence.number)
        return ReportedDislodgement(power, unit.province, places, sentence.number)

    def owners(self, rows: list[TableRow]) -> Mapping[types.Province, types.Power]:
        """Return the owner of each center in an ownership table."""
        owners: dict[types.Province, types.Power] = {}
        seen: set[types.Province] = set()
        for row in rows:
            power = self.power(row)
            named = row.text.rstrip(".")
            for name in named.split(",") if named.strip() != NONE else ():
                center = center_named(self._board, name)
                if center is None:
                    self._doubts.note(row.number, name.strip(), "not a supply center")
                    continue
                if center in seen:
                    self._doubts.note(row.number, name.strip(), "owned twice")
                seen.add(center)
                if power:
                    owners[center] = power
        return owners

    def counts(self, rows: list[TableRow]) -> Iterator[tuple[types.Power, tuple[int, int], str]]:
        """Yield power, (centers, units), and the mark at the end, for each row."""
        for row in rows:
            power, found = self.power(row), sentence_patterns.COUNTED.match(row.text)
            if power and found:
                numbers = int(found["centers"]), int(found["units"])
                yield power, numbers, (found["mark"] or "").strip()

    def _results(self, row: TableRow) -> tuple[str, tuple[str, ...]]:
        found = RESULT.search(row.text)
        if not found:
            return row.text, ()
        words = [word.strip().casefold() for word in found["words"].split(",")]
        results = [OTHER_WORDS.get(word, word) for word in words if word not in NO_RESULT]
        for word in results:
            if word not in RESULTS:
                self._doubts.note(row.number, row.text, f"unknown result {abridged(word)!r}")
        return row.text[: found.start()], tuple(word for word in results if word in RESULTS)

    def _ordered(
        self, row: TableRow, text: str, kind: types.PhaseKind
    ) -> Iterator[types.Order | None]:
        if nothing := NOTHING.fullmatch(text):
            unit = unit_named(self._board, nothing["unit"])
            if unit is None:
                self._doubts.note(row.number, row.text, "not understood as a unit")
            elif kind is types.PhaseKind.MOVEMENT:
                yield types.Hold(unit)
        elif waived := WAIVED.fullmatch(text):
            yield from [types.Waive()] * int(waived["count"] or 1)
        elif not is_note(row) and not DEFAULTED.fullmatch(text):
            order = _single_order(self._board, text, kind) or self._impassable(text)
            if order is None:
                self._doubts.note(row.number, row.text, "not understood as an order")
            if order is None or isinstance(order, GIVEN[kind]):
                yield order
            else:  # such as in a repeated report
                self._doubts.note(row.number, row.text, f"not an order for {kind.name.lower()}")

    def _impassable(self, text: str) -> types.Hold | None:
        """Read an order to an impassable place as a hold."""
        found = TO_NOWHERE.match(text)
        unit = unit_named(self._board, found["unit"]) if found else None
        return types.Hold(unit) if unit else None

    def _location_of(self, unit: types.UnitName) -> types.Location | None:
        """Return the location of *unit* with its default coast, None if it cannot be there."""
        if unit.kind is None:
            return None
        default = self._board.default_coasts.get(unit.province, unit.province)
        at = unit.province if unit.kind is types.UnitKind.ARMY else unit.location
        there = map_index_of(self._board).nodes_of(unit.kind)
        return next((place for place in (at, default) if place in there), None)

    def _places(self, kind: types.UnitKind, text: str, line: int) -> tuple[types.Location, ...]:
        """Return the locations in a list such as `Apulia or Eastern Mediterranean`."""
        places: list[types.Location] = []
        for name in re.split(r",?\s+or\s+|,\s*", text.strip()) if text else ():
            unit = unit_named(self._board, f"{kind.name} {name}")
            at = self._location_of(unit) if unit else None
            if at is None:
                self._doubts.note(line, name, "not a place for this unit")
            else:
                places.append(at)
        return tuple(places)


def is_note(row: TableRow) -> bool:
    """Return whether *row* only notes unused builds or a maintained unit."""
    return bool(
        NOT_BUILT.fullmatch(row.text) or MAINTAINS.match(row.text)
    ) and not WAIVED.fullmatch(row.text)


def _single_order(board: Map, text: str, kind: types.PhaseKind) -> types.Order | None:
    match orders_meant(board, text, kind):
        case (StrictOrder(order=order, remark=False),):
            return order
        case _:
            return None


THROUGH = re.compile(
    rf"Summary of game '?\S+? through (?P<code>{sentence_patterns.CODE})", re.IGNORECASE
)
PLAYER = re.compile(r"\s*(?P<word>[A-Z]\w+):\s+(?P<who>\S.*)")
SINCE = re.compile(rf"\s*from (?P<code>{sentence_patterns.CODE}):?\s+(?P<who>\S.*)", re.IGNORECASE)
ADDRESS = re.compile(r"\S+@\S+$")
CHART = "historical supply center summary"
COUNTS = "history of supply center counts"
YEAR = re.compile(r"(?P<year>\d{4}) (?P<letters>[A-Z.](?: [A-Z.])*)$")


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of the power called *word*; *since* is the phase of their takeover."""

    word: str
    name: str | None
    address: str | None
    since: types.Phase | None


@dataclass(frozen=True, slots=True)
class ListedGame:
    """The contents of a summary."""

    through: types.Phase | None
    players: tuple[ListedPlayer, ...]
    charts: tuple[YearChart, ...]


def read_summary(lines: Sequence[Line], board: Map, doubts: Doubts) -> ListedGame:
    """Read a summary from its *lines*."""
    through = THROUGH.match(lines[0].text) if lines else None
    titles = [line.text.strip().casefold() for line in lines]
    start = titles.index(CHART) if CHART in titles else len(lines)
    end = titles.index(COUNTS) if COUNTS in titles else len(lines)
    return ListedGame(
        sentence_patterns.phase_of_code(through["code"]) if through else None,
        tuple(_players(lines[:start])),
        tuple(_charts(lines[start:end], board, doubts)),
    )


def _players(lines: Sequence[Line]) -> Iterator[ListedPlayer]:
    word = ""
    for line in lines:
        if found := PLAYER.fullmatch(line.text):
            word = found["word"]
            yield _player(word, found["who"], None)
        elif (found := SINCE.fullmatch(line.text)) and word:
            yield _player(word, found["who"], sentence_patterns.phase_of_code(found["code"]))


def _player(word: str, who: str, since: types.Phase | None) -> ListedPlayer:
    address = ADDRESS.search(who.strip())
    name = " ".join((who[: address.start()] if address else who).split())
    return ListedPlayer(word, name or None, address[0] if address else None, since)


def _charts(lines: Sequence[Line], board: Map, doubts: Doubts) -> Iterator[YearChart]:
    """Read the yearly rows of letters under two staggered rows of center names."""
    above: Sequence[str] = ()
    centers: Sequence[types.Province | None] = ()
    for line in lines:
        words = line.text.split()
        if words[:1] == ["Year"]:
            staggered = chain.from_iterable(zip_longest(above, words[1:], fillvalue=""))
            centers = [center_named(board, name) for name in staggered if name]
        elif found := YEAR.match(line.text.strip()):
            yield from _chart(line, found, centers, board, doubts)
        above = words


def _chart(
    line: Line,
    found: re.Match[str],
    centers: Sequence[types.Province | None],
    board: Map,
    doubts: Doubts,
) -> Iterator[YearChart]:
    letters = found["letters"].split()
    powers: Mapping[str, types.Power] = names_of(board).letters
    if len(letters) != len(centers) or None in centers:
        doubts.note(line.number, line.text.strip(), "its centers are not those of the heading")
        return
    owners = {
        center: powers[letter.casefold()]
        for center, letter in zip(centers, letters, strict=True)
        if center and letter.casefold() in powers
    }
    yield YearChart(int(found["year"]), dict(Counter(owners.values())), owners)
