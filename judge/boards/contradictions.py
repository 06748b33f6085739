"""Find what is wrong with a board, one line each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping

from judge.rules import types
from judge.rules.board import Borders, Map, Terrain, TranslatedNames
from judge.rules.phase_sequence import open_build_sites

UNITS_ON = {Terrain.INLAND: "A", Terrain.COAST: "AF", Terrain.SEA: "F", Terrain.IMPASSABLE: ""}
CODE = re.compile(r"[A-Z][A-Z0-9]{1,5}")  # of a province; three letters on most boards
COAST = re.compile(r"[A-Z]{1,6}")
LETTER = re.compile(r"[A-Z0-9]{1,2}")
POWER = re.compile(r"[A-Z][A-Z0-9-]{1,31}")
POWERS_MIN, POWERS_MAX = 2, 40

Stands = Mapping[types.Location, str]
OneWay = Collection[tuple[str, types.Location, types.Location]]


def find_contradictions(board: Map, stands: Stands, one_way: OneWay = ()) -> Iterator[str]:
    """Yield what is wrong; *stands* has the units that can be in each location, `A`, `F`, `AF`.

    A border in *one_way* needs no way back.
    """
    yield from _wrong_powers(board)
    yield from _wrong_locations(board, stands)
    yield from _wrong_provinces(board, stands)
    for kind, borders in (("A", board.army), ("F", board.fleet)):
        yield from _wrong_borders(kind, borders, stands, one_way)
    yield from _wrong_names(board)
    yield from _wrong_start(board, stands)
    yield from _unreachable(board)
    yield from _wrong_rules(board)
    for language, tongue in board.tongues.items():
        yield from _wrong_translations(board, language, tongue)


def _wrong_powers(board: Map) -> Iterator[str]:
    if not POWERS_MIN <= len(board.powers) <= POWERS_MAX:
        yield f"there are {len(board.powers)} powers; {POWERS_MIN} to {POWERS_MAX} can play"
    for power, nation in board.nations.items():
        if not POWER.fullmatch(power):
            yield f"{power!r} is not the code of a power, such as AUSTRIA"
        if power != types.NEUTRAL and not LETTER.fullmatch(nation.letter):
            yield f"{power} has the letter {nation.letter!r}, not one or two capitals or digits"
        if not (nation.name and nation.adjective):
            yield f"{power} has no {'adjective' if nation.name else 'name'}"
    for what, values in (
        ("letter", [nation.letter for nation in board.nations.values()]),
        ("name", [nation.name.casefold() for nation in board.nations.values()]),
    ):
        for value in sorted({each for each in values if values.count(each) > 1}):
            yield f"two powers have the {what} {value}"


def _wrong_locations(board: Map, stands: Stands) -> Iterator[str]:
    for location, units in stands.items():
        province, _, coast = location.partition("/")
        place = board.places.get(province)
        if place is None:
            yield f"{location} is in no province"
        elif "/" not in location and units != ("A" if place.coasts else UNITS_ON[place.terrain]):
            yield f"{units} stand in {location}, which is {place.terrain.value}"
        elif "/" in location and (units != "F" or place.terrain is not Terrain.COAST):
            yield f"{location} is not a coast that only fleets can occupy"
        elif "/" in location and not COAST.fullmatch(coast):
            yield f"{location} is not a coast such as {province}/NC"


def _wrong_provinces(board: Map, stands: Stands) -> Iterator[str]:
    for code, place in board.places.items():
        if not CODE.fullmatch(code):
            yield f"{code!r} is not a code of two to six capitals, such as PAR"
        if (code in stands) is (place.terrain is Terrain.IMPASSABLE):
            yield f"{code} has {'a' if code in stands else 'no'} location"
        for power in place.home_of:
            if power not in board.nations or not place.center:
                yield f"{code} is not a home center of {power}"
        if place.coasts and board.default_coasts.get(code) not in board.coasts_of(code):
            yield f"{code} has no default coast"
    for code in sorted({*board.default_coasts, *board.record_codes} - {*board.places}):
        yield f"{code} is not a province"


def _wrong_borders(kind: str, borders: Borders, stands: Stands, one_way: OneWay) -> Iterator[str]:
    reached = {other for touched in borders.values() for other in touched}
    for location, touched in borders.items():
        for other in sorted(touched):
            if location == other:
                yield f"{location} touches itself"
            if kind not in stands.get(location, "") or kind not in stands.get(other, ""):
                yield f"no {kind} can go from {location} to {other}"
            if (location in borders.get(other, ())) is ((kind, location, other) in one_way):
                yield (
                    f"{location} touches {other} for {kind} one way, and also the other way round"
                    if (kind, location, other) in one_way
                    else f"{location} touches {other} for {kind}, but not the other way round"
                )
    for location, units in stands.items():
        alone = not borders.get(location) and location not in reached
        is_island = kind == "A" and "F" in units
        if kind in units and alone and not is_island:
            yield f"{kind} {location} touches nothing"


def _wrong_names(board: Map) -> Iterator[str]:
    """Yield names and codes that mean two provinces; aliases may."""
    meant: dict[str, set[types.Province]] = defaultdict(set)
    for code, place in board.places.items():
        meant[place.name.casefold()].add(code)
        meant[code.casefold()].add(code)
    for name, codes in meant.items():
        if len(codes) > 1:
            yield f"{name!r} is {' and '.join(sorted(codes))}"


def _wrong_start(board: Map, stands: Stands) -> Iterator[str]:
    taken: set[types.Province] = set()
    for unit in board.start.units:
        if unit.kind.value not in stands.get(unit.location, ""):
            yield f"{unit} cannot stand there"
        if unit.province in taken:
            yield f"two units stand in {unit.province}"
        taken.add(unit.province)
    for center in board.start.owners:
        if center not in board.places or not board.places[center].center:
            yield f"{center} is not a center"
    if board.start.phase not in board.calendar:
        yield f"the calendar has no phase {board.start.phase}, where the game starts"
    yield from _powers_without_a_game(board)


def _powers_without_a_game(board: Map) -> Iterator[str]:
    having = Counter(board.start.owners.values())
    for power in board.powers:
        idle = not board.start.units_of(power)
        if idle and not having[power]:
            yield f"{power} starts with neither units nor centers"
        elif idle and power in board.players and not open_build_sites(board, board.start, power):
            yield f"{power} starts without units, and has nowhere to build one"
        if having[power] >= board.victory_centers and not board.victory_held:
            yield f"{power} has won at the start, with {having[power]} centers"


def _unreachable(board: Map) -> Iterator[str]:
    """Yield provinces to which no way leads from where powers start or can build."""
    touched: dict[types.Province, set[types.Province]] = defaultdict(set)
    for borders in (board.army, board.fleet):
        for location, others in borders.items():
            touched[types.province_of(location)] |= set(map(types.province_of, others))
    reached = {unit.province for unit in board.start.units} | {*board.start.owners}
    reached |= {home for power in board.powers for home in board.homes_of(power)}
    waiting = list(reached)
    while waiting:
        for other in touched[waiting.pop()] - reached:
            reached.add(other)
            waiting.append(other)
    for code, place in board.places.items():
        if place.terrain is not Terrain.IMPASSABLE and code not in reached:
            yield f"no unit can reach {code}"


def _wrong_rules(board: Map) -> Iterator[str]:
    if not 1 <= board.victory_centers <= len(board.centers) and not board.victory_held:
        yield f"{board.victory_centers} of {len(board.centers)} centers cannot win"
    for center in sorted(board.victory_held - {*board.centers}):
        yield f"{center}, to be held for victory, is not a center"
    for power, sites in board.extra_sites.items():
        for site in sites:
            if site not in board.places:
                yield f"{site}, where {power} can build, is not a province"
    for closure in board.closures:
        for end in (closure.start, closure.end):
            if end not in board.locations:
                yield f"{end}, whose border is closed at times, is not a location"
        ends = closure.start, closure.end
        if board.locations >= {*ends} and not any(
            ends[1] in borders.get(ends[0], ()) or ends[0] in borders.get(ends[1], ())
            for borders in (board.army, board.fleet)
        ):
            yield f"{' and '.join(ends)} have no border that could be closed"


def _wrong_translations(board: Map, language: str, tongue: TranslatedNames) -> Iterator[str]:
    """Yield what has no name or form in *language*, and what has one and is not on the board."""
    for known, translated, forms in (
        (board.nations.keys(), tongue.powers, {"name", "adjective"}),
        (
            board.places.keys() if tongue.places or not tongue.powers else (),
            tongue.places,
            {"name", "in"},
        ),
    ):
        for code in sorted({*known} ^ translated.keys()):
            yield f"{language}: {code} stands on the board or among its names, not in both"
        for code, has in translated.items():
            for form in sorted(forms - has.keys()):
                yield f"{language}: {code} has no {form}"
