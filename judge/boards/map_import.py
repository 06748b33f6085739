"""Read a board from a `.map` file, the form of DPjudge and of the `diplomacy` package.

    # a comment
    USE standard                            (start from another board)
    VICTORY 18
    BEGIN SPRING 1901 MOVEMENT
    FRANCE (FRENCH:F) BRE MAR PAR           (a power, its adjective, letter and home centers)
    A PAR                                   (a unit of the power named last)
    UNOWNED BEL BUL
    Bulgaria = bul bulg bul?                (a province, its code and other names)
    COAST bul ABUTS AEG BLA CON gre RUM     (a province of several coasts has a small code)
    COAST BUL/EC ABUTS BLA CON RUM

A neighbor in small letters is one for armies, `Bla` one for fleets, `BLA` for both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from judge.boards.facts_import import starts_as_on
from judge.boards.map_flow import SEASON_NAMES, SEASONS, capitalized, read_flow
from judge.boards.variant_text import ABSENT, CIVIL_DISORDER
from judge.boards.variant_writer import BoardFacts, Border, PowerFacts, ProvinceFacts
from judge.rules import types
from judge.rules.board import BuildSites, Map, Terrain
from judge.rules.calendar import STANDARD_CALENDAR, Calendar

TERRAINS = {
    "LAND": Terrain.INLAND,
    "COAST": Terrain.COAST,
    "PORT": Terrain.COAST,  # where fleets convoy as at sea
    "WATER": Terrain.SEA,
    "SHUT": Terrain.IMPASSABLE,
}
PORT, ABUTS, ALL, EXCEPT = "PORT", "ABUTS", "ALL", "EXCEPT"
WITHOUT_OWNER = frozenset({"UNOWNED", "NEUTRAL", "CENTERS"})
LEFT_OUT = frozenset(  # statements of DPjudge that look like powers, and wings
    {"FACTORY", "FACTORIES", "MILITIA", "MOBILIZES", "PARTISAN", "PARTISANS", "RESERVES", "W"}
)
OWN_WORD = re.compile(r"\((?P<adjective>[^:)]*)(?::(?P<letter>[^)]*))?\)")
PHASE = re.compile(r"(?P<season>[A-Z]+) (?P<year>\d{1,4}) (?P<kind>MOVEMENT|ADJUSTMENTS?)")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
FILES_MAX = 16  # that use each other


class MapFileError(ValueError):
    """The text is no board; the message says what is wrong."""


@dataclass(slots=True)
class _Power:
    adjective: str
    letter: str = ""
    homes: list[types.Province] = field(default_factory=list)
    owned: list[types.Province] | None = None  # the homes, if no line says otherwise
    units: list[str] = field(default_factory=list)
    dummy: bool = False


@dataclass(slots=True)
class _Board:
    """The board as read so far; *kinds* and *abuts* are by location, in the case of its line."""

    base: Map | None = None
    powers: dict[types.Power, _Power] = field(default_factory=dict)
    centers: dict[types.Province, None] = field(default_factory=dict)
    neutral_units: list[str] = field(default_factory=list)
    names: dict[types.Location, str] = field(default_factory=dict)
    aliases: dict[types.Province, list[str]] = field(default_factory=dict)
    kinds: dict[types.Location, str] = field(default_factory=dict)
    abuts: dict[types.Location, list[str]] = field(default_factory=dict)
    victory: list[int] = field(default_factory=list)
    begin: str = "SPRING 1901 MOVEMENT"
    flow: str = ""
    build_sites: BuildSites = BuildSites.HOME
    redrawn: bool = False  # unlike its base

    def locations(self, province: types.Province) -> list[types.Location]:
        """Return the locations of *province*, as written."""
        return [each for each in self.kinds if types.province_of(each.upper()) == province]

    def kind(self, location: types.Location) -> str | None:
        """Return the word for the terrain at *location*, None if it is nowhere."""
        return self.kinds.get(location.upper()) or self.kinds.get(location.lower())


def used_files(text: str) -> tuple[str, ...]:
    """Return the names of the boards that the one in *text* starts from, without `.map`."""
    lines = [line.split() for line in text.splitlines()]
    return tuple(
        word.removesuffix(".map")
        for words in lines
        if words and words[0].upper() in {"USE", "USES", "MAP"}
        for word in words[1:]
    )


def read_map_file(
    text: str, name: str, used: Mapping[str, str | Map] | None = None
) -> tuple[BoardFacts, list[str]]:
    """Read the board in *text* as the variant *name*, and what does not carry over.

    *used* has the boards that it starts from, as texts or as boards of ours: see `used_files`.
    Raises `MapFileError` if the text is no board.
    """
    reader = _Reader(used or {})
    reader.read(text)
    return reader.facts(name), reader.notes


class _Reader:
    """Reads lines into a board; *notes* name what does not carry over."""

    def __init__(self, used: Mapping[str, str | Map]) -> None:
        self.used = used
        self.board = _Board()
        self.power: _Power | None = None
        self.notes: list[str] = []
        self.files = 0
        self.unread: Counter[str] = Counter()
        self.statements: Mapping[str, Callable[[Sequence[str]], None]] = {
            **dict.fromkeys(("USE", "USES", "MAP"), self._use),
            **dict.fromkeys(("RULE", "RULES"), self._rules),
            **dict.fromkeys(("OWNS",), self._owns),
            **dict.fromkeys(("HOME", "HOMES", "INHABITS"), self._homes),
            **dict.fromkeys(("DUMMY", "DUMMIES"), self._dummies),
            **dict.fromkeys(TERRAINS, self._terrain),
            **dict.fromkeys(("A", "F"), self._unit),
            **dict.fromkeys(("FLOW", "SEQ"), self._flow),
            "AMEND": self._terrain,
            "VICTORY": self._victory,
            "BEGIN": self._begin,
            "UNITS": self._no_units,
            "DROP": self._drop,
            "UNPLAYED": self._unplayed,
        }

    def read(self, text: str) -> None:
        """Read the lines of a file."""
        self.files += 1
        if self.files > FILES_MAX:
            raise MapFileError(f"more than {FILES_MAX} files use each other")
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if line and not line.startswith("#")]
        known = {each.upper() for each in _provinces_named(lines)} | self.board.names.keys()
        for line in lines:
            words = line.split()
            first = words[0].upper()
            if "=" in line and first not in {"VICTORY", "BEGIN", "RULE", "RULES", "FLOW", "SEQ"}:
                self._names(line)
            elif first == "CENTERS" and self.power is not None:
                self.power.owned = []
                self._owns(words)
            elif first in self.statements:
                self.statements[first](words)
            elif first in LEFT_OUT or not self._is_power(words, known):
                self.unread[line] += 1
            else:
                self._power(words)

    def _is_power(self, words: Sequence[str], known: Collection[str]) -> bool:
        """Return whether the line is of a power, not a statement that is unknown here."""
        more = [word for word in words[1:] if not word.startswith("(")]
        return (
            words[0].upper() in {*self.board.powers, *WITHOUT_OWNER}
            or len(more) < len(words) - 1
            or all(word.lstrip("-").upper() in known for word in more)
        )

    def _use(self, words: Sequence[str]) -> None:
        for word in words[1:]:
            name = word.removesuffix(".map")
            match self.used.get(name):
                case None:
                    raise MapFileError(f"it starts from {name!r}, which is not there")
                case str() as text:
                    self.read(text)
                case base:
                    self.board = _board_of(base)

    def _victory(self, words: Sequence[str]) -> None:
        if not all(word.isdecimal() for word in words[1:]) or not words[1:]:
            raise MapFileError(f"VICTORY is {' '.join(words[1:])!r}, no number")
        self.board.victory = [int(word) for word in words[1:]]

    def _begin(self, words: Sequence[str]) -> None:
        self.board.begin = " ".join(words[1:]).upper()

    def _rules(self, words: Sequence[str]) -> None:
        for rule in words[1:]:
            if rule.upper() == "BUILD_ANY":
                self.board.build_sites = BuildSites.ANY
            else:
                self.notes.append(f"the rule {rule} is left out")

    def _flow(self, words: Sequence[str]) -> None:
        self.board.flow = " ".join(words[1:]).upper()

    def _names(self, line: str) -> None:
        name, _, rest = line.partition("=")
        codes = rest.split()
        if not codes or "->" in name:
            self.unread[line] += 1
            return
        location, title = codes[0].upper(), name.strip()
        self.board.redrawn |= location not in self.board.names
        self.board.names.setdefault(location, title)
        aliases = self.board.aliases.setdefault(types.province_of(location), [])
        if "/" not in location:
            aliases += [title, *(each.rstrip("?").replace("+", " ") for each in codes[1:])]

    def _power(self, words: Sequence[str]) -> None:
        first = words[0].upper()
        if first in WITHOUT_OWNER:
            self.power = None
        else:
            self.power = self.board.powers.setdefault(first, _Power(capitalized(first)))
            own_word = OWN_WORD.fullmatch(words[1]) if len(words) > 1 else None
            if own_word:
                words = [words[0], *words[2:]]
                self.power.adjective = capitalized(own_word["adjective"] or first)
                self.power.letter = (own_word["letter"] or "")[:1].upper()
        self._add_homes(words[1:])

    def _add_homes(self, homes: Iterable[str]) -> None:
        for home in (word.upper() for word in homes):
            code = home.lstrip("-")
            self.board.centers[code] = None
            if self.power is not None:
                self.power.homes = [each for each in self.power.homes if each != code]
                self.power.homes += [code] if code == home else []

    def _homes(self, words: Sequence[str]) -> None:
        self._required_power(words).homes = []
        self._add_homes(words[1:])

    def _owns(self, words: Sequence[str]) -> None:
        power = self._required_power(words)
        power.owned = list(dict.fromkeys((*(power.owned or ()), *map(str.upper, words[1:]))))
        self.board.centers |= dict.fromkeys(power.owned)

    def _no_units(self, words: Sequence[str]) -> None:
        self._required_power(words).units = []

    def _required_power(self, words: Sequence[str]) -> _Power:
        if self.power is None:
            raise MapFileError(f"{' '.join(words)!r} follows no power")
        return self.power

    def _unit(self, words: Sequence[str]) -> None:
        if len(words) != 2:  # noqa: PLR2004 - A PAR
            self.unread[" ".join(words)] += 1
            return
        location = words[1].upper()
        all_units = [power.units for power in self.board.powers.values()]
        for units in (*all_units, self.board.neutral_units):
            units[:] = [each for each in units if not _is_at(each, types.province_of(location))]
        units = self.board.neutral_units if self.power is None else self.power.units
        units.append(f"{words[0].upper()} {location}")

    def _dummies(self, words: Sequence[str]) -> None:
        if len(words) == 1:
            self._required_power(words).dummy = True
            return
        for code in self._powers_in(words):
            self.board.powers[code].dummy = True
        self.power = None

    def _unplayed(self, words: Sequence[str]) -> None:
        for code in self._powers_in(words):
            del self.board.powers[code]
        self.power = None

    def _powers_in(self, words: Sequence[str]) -> list[types.Power]:
        """Return the powers that a statement names: some, all, or all except some."""
        names = [word.strip(",").upper() for word in words[1:]]
        named = [name for name in names if name not in {ALL, EXCEPT}]
        for name in named:
            if name not in self.board.powers:
                raise MapFileError(f"{' '.join(words)!r} names {name}, which is not a power")
        if not names:
            return [code for code, each in self.board.powers.items() if each is self.power]
        if names[0] != ALL:
            return named
        return [code for code in self.board.powers if code not in named]

    def _terrain(self, words: Sequence[str]) -> None:
        if len(words) < 2:  # noqa: PLR2004 - COAST BUL
            self.unread[" ".join(words)] += 1
            return
        board, kind, location = self.board, words[0].upper(), words[1]
        board.redrawn = True
        other = location.swapcase()
        if other in board.kinds:
            was, touched = board.kinds.pop(other), board.abuts.pop(other, [])
            if kind == "AMEND":
                board.kinds[location], board.abuts[location] = was, touched
            if location.isupper():  # it has one coast now
                self._forget(f"{location}/")
        if kind != "AMEND":
            board.kinds[location] = kind
            board.abuts[location] = [] if words[2:] else board.abuts.get(location, [])
        elif location not in board.kinds:
            raise MapFileError(f"{' '.join(words[:2])!r} amends what is not there")
        if words[2:] and words[2].upper() != ABUTS:
            raise MapFileError(f"{' '.join(words[:3])!r} has no ABUTS")
        for neighbor in words[3:]:
            if neighbor.startswith("-"):
                gone = neighbor[1:].upper()
                remaining = [
                    each for each in board.abuts[location] if not each.upper().startswith(gone)
                ]
                board.abuts[location] = remaining
            else:
                board.abuts[location].append(neighbor)

    def _drop(self, words: Sequence[str]) -> None:
        self.board.redrawn = True
        for place in map(str.upper, words[1:]):
            self._forget(place)

    def _forget(self, start: str) -> None:
        """Remove the locations whose codes begin with *start*, and all that names them."""
        board = self.board

        def remains(location: str) -> bool:
            return not location.upper().startswith(start)

        board.kinds = {each: kind for each, kind in board.kinds.items() if remains(each)}
        board.abuts = {
            each: [other for other in touched if remains(other)]
            for each, touched in board.abuts.items()
            if remains(each)
        }
        board.names = {each: name for each, name in board.names.items() if remains(each)}
        board.centers = {each: None for each in board.centers if remains(each)}
        for power in board.powers.values():
            power.homes = [each for each in power.homes if remains(each)]
            power.owned = power.owned and [each for each in power.owned if remains(each)]
            power.units = [each for each in power.units if remains(each[2:])]

    def facts(self, name: str) -> BoardFacts:
        """Return what the lines say; raises `MapFileError` if they are no board."""
        board = self.board
        self.notes += [f"this line is left out: {line}" for line in self.unread]
        self._leave_out_nothings()
        if not board.kinds:
            raise MapFileError("it has no provinces, such as COAST BRE ABUTS ENG GAS MAO PAR PIC")
        extended = None if board.redrawn else board.base
        calendar, start = self._calendar_and_start()
        powers = tuple(self._powers())
        dummies = {code for code, each in board.powers.items() if each.dummy}
        centers = tuple(board.centers)
        if len(set(board.victory)) > 1:
            years = " ".join(map(str, board.victory))
            self.notes.append(f"VICTORY {years} by year: the last counts from the start")
        facts = BoardFacts(
            name=name,
            title=capitalized(name),
            source="",
            start=start,
            powers=powers,
            played=tuple(each.code for each in powers if each.code not in dummies)
            if dummies
            else (),
            others=CIVIL_DISORDER if dummies else ABSENT,
            victory_centers=board.victory[-1] if board.victory else len(centers) // 2 + 1,
            build_sites=board.build_sites,
            neutral_units=tuple(board.neutral_units),
            calendar=calendar,
        )
        return (
            self._with_own_board(facts)
            if extended is None
            else _extending(facts, extended, centers)
        )

    def _with_own_board(self, facts: BoardFacts) -> BoardFacts:
        self._dry_coasts()
        borders = {kind: set(self._borders(kind)) for kind in ("A", "F")}
        return replace(
            facts,
            provinces=tuple(self._provinces()),
            borders={kind: _both_ways(pairs) for kind, pairs in borders.items()},
            one_way={kind: self._one_way(kind, pairs) for kind, pairs in borders.items()},
        )

    def _leave_out_nothings(self) -> None:
        """Leave out powers that have nothing: they were statements unknown here."""
        for code, each in list(self.board.powers.items()):
            if not (each.homes or each.units or each.owned):
                self.notes.append(f"{code} is left out: it has neither units nor centers")
                del self.board.powers[code]

    def _dry_coasts(self) -> None:
        """Make coasts that no fleet can reach inland provinces."""
        touched = {location for border in self._borders("F") for location in border}
        for location, kind in self.board.kinds.items():
            dry = kind == "COAST" and location.isupper() and location not in touched
            if dry and "/" not in location:
                self.board.kinds[location] = "LAND"
                self.notes.append(f"{location}, a coast that no fleet can reach, is inland")

    def _powers(self) -> Iterator[PowerFacts]:
        letters = _letters({code: each.letter for code, each in self.board.powers.items()})
        for code, each in self.board.powers.items():
            yield PowerFacts(
                code=re.sub(r"[^A-Z0-9]+", "-", code).strip("-"),
                name=capitalized(code),
                adjective=each.adjective,
                letter=letters[code],
                homes=tuple(each.homes),
                centers=tuple(each.homes if each.owned is None else each.owned),
                units=tuple(each.units),
            )

    def _provinces(self) -> Iterator[ProvinceFacts]:
        board = self.board
        codes = dict.fromkeys(types.province_of(each.upper()) for each in board.kinds)
        for code in codes:
            kind = board.kind(code)
            if kind is None:
                raise MapFileError(f"{code} has coasts, but no line of its own")
            name = board.names.get(code, capitalized(code))
            known = {code.casefold(), name.casefold()}
            aliases = dict.fromkeys(map(str.casefold, board.aliases.get(code, ())))
            yield ProvinceFacts(
                code=code,
                name=name,
                aliases=tuple(each for each in aliases if each not in known),
                terrain=TERRAINS[kind],
                center=code in board.centers,
                coasts=tuple(
                    each.upper().partition("/")[2] for each in board.locations(code) if "/" in each
                ),
                convoys=kind == PORT,
            )

    def _borders(self, unit: str) -> Iterator[Border]:
        """Yield where units of a kind can go, as from and to."""
        for location, neighbors in self.board.abuts.items():
            at = location.upper()
            if not self._can_stand(unit, location):
                continue
            for neighbor in neighbors:
                to = neighbor.upper() if unit == "F" else types.province_of(neighbor.upper())
                if self.board.kind(to) is None:
                    raise MapFileError(f"{at} abuts {neighbor}, which is nowhere")
                others = {each for each in (to, to.lower()) if each in self.board.kinds}
                if not _is_only_for(neighbor, "A" if unit == "F" else "F") and any(
                    self._can_stand(unit, other) for other in others
                ):
                    yield at, to

    def _can_stand(self, unit: str, location: str) -> bool:
        terrain = TERRAINS[self.board.kinds[location]]
        if unit == "A":
            return "/" not in location and terrain in {Terrain.INLAND, Terrain.COAST}
        return location.isupper() and terrain in {Terrain.SEA, Terrain.COAST}

    def _one_way(self, unit: str, pairs: Collection[Border]) -> tuple[Border, ...]:
        found = sorted((start, end) for start, end in pairs if (end, start) not in pairs)
        word = {"A": "armies", "F": "fleets"}[unit]
        self.notes += [f"{start} abuts {end} for {word} one way" for start, end in found]
        return tuple(found)

    def _calendar_and_start(self) -> tuple[Calendar | None, str]:
        begin = PHASE.fullmatch(self.board.begin)
        if begin is None:
            raise MapFileError(f"BEGIN is {self.board.begin!r}, not such as SPRING 1901 MOVEMENT")
        base = self.board.base
        calendar = base.calendar if base and base.calendar != STANDARD_CALENDAR else None
        season = SEASONS.get(begin["season"], types.WINTER)
        if self.board.flow:
            try:
                calendar, season = read_flow(self.board.flow, begin["season"], int(begin["year"]))
            except ValueError as wrong:
                self.notes.append(f"FLOW is left out: {wrong}")
        if begin["kind"] != "MOVEMENT":
            return calendar, f"W{begin['year']:0>4}A"
        return calendar, f"{season.value}{begin['year']:0>4}M"


def _provinces_named(lines: Iterable[str]) -> Iterator[str]:
    """Yield the codes of the provinces that *lines* define."""
    for line in lines:
        words = line.split()
        if words[0].upper() in TERRAINS and len(words) > 1:
            yield words[1]
        elif "=" in line:
            yield from line.partition("=")[2].split()[:1]


def _board_of(base: Map) -> _Board:
    """Return what a `.map` file of a board of ours would say."""
    board = _Board(base=base, begin=_begin_of(base.start.phase), build_sites=base.build_sites)
    board.victory = [base.victory_centers]
    board.centers = dict.fromkeys(base.centers)
    words = {terrain: word for word, terrain in TERRAINS.items() if word != PORT}
    for code, place in base.places.items():
        board.names[code], board.aliases[code] = place.name, list(place.aliases)
        kind = PORT if place.convoys else words[place.terrain]
        board.kinds[code.lower() if place.coasts else code] = kind
        board.kinds |= dict.fromkeys(base.coasts_of(code), kind)
    for location in board.kinds:
        armies = base.army.get(location.upper(), frozenset())
        fleets = base.fleet.get(location, frozenset())
        board.abuts[location] = [
            *sorted(armies & fleets),
            *(each.lower() for each in sorted(armies - fleets)),
            *(each.capitalize() for each in sorted(fleets - armies)),
        ]
    board.powers = {
        power: _Power(
            adjective=base.nations[power].adjective,
            letter=base.nations[power].letter,
            homes=list(base.homes_of(power)),
            owned=[center for center, owner in base.start.owners.items() if owner == power],
            units=[unit.name for unit in base.start.units_of(power)],
            dummy=power in base.without_players,
        )
        for power in base.powers
    }
    board.neutral_units = [unit.name for unit in base.garrisons]
    return board


def _extending(facts: BoardFacts, base: Map, centers: Collection[types.Province]) -> BoardFacts:
    """Return the facts of a variant that extends *base* and has these *centers*."""
    as_there = not facts.played and all(starts_as_on(base, each) for each in facts.powers)
    return replace(
        facts,
        extends=base.name,
        powers=() if as_there else facts.powers,
        played=tuple(each.code for each in facts.powers) if as_there else facts.played,
        centers_added=_without(centers, base.centers),
        centers_removed=_without(base.centers, centers),
        calendar=None if facts.calendar == base.calendar else facts.calendar,
    )


def _begin_of(phase: types.Phase) -> str:
    if phase.kind is types.ADJUSTMENTS:
        return f"WINTER {phase.year} ADJUSTMENTS"
    return f"{SEASON_NAMES[phase.season]} {phase.year} MOVEMENT"


def _is_at(unit: str, province: types.Province) -> bool:
    return types.province_of(unit[2:]) == province


def _is_only_for(neighbor: str, unit: str) -> bool:
    """Return whether a neighbor is for armies alone (`bla`), or for fleets alone (`Bla`)."""
    if unit == "A":
        return neighbor[0].islower()
    return neighbor[0].isupper() and neighbor[1:2].islower()


def _both_ways(pairs: Collection[Border]) -> tuple[Border, ...]:
    return tuple(
        sorted((start, end) for start, end in pairs if start < end and (end, start) in pairs)
    )


def _without(codes: Iterable[str], others: Collection[str]) -> tuple[str, ...]:
    return tuple(code for code in codes if code not in others)


def _letters(wished: Mapping[types.Power, str]) -> Mapping[types.Power, str]:
    """Return a letter for each power: that of the file, else the first free one of its name."""
    taken = {power: letter for power, letter in wished.items() if letter}
    for power in wished:
        if power not in taken:
            pairs = (first + second for first in LETTERS for second in LETTERS)
            letters = chain(filter(str.isalnum, power), LETTERS, pairs)
            taken[power] = next(each for each in letters if each not in taken.values())
    return taken
