"""The board as the writer of a text sees it, and the reach of units."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.notation.terms import Names, names_of
from judge.reading.words import LANGUAGES, STRICT, names_in, words_of
from judge.rules.board import Map, Terrain
from judge.rules.phase_sequence import open_build_sites
from judge.rules.types import (
    Location,
    PhaseKind,
    Position,
    Power,
    Province,
    Season,
    Unit,
    UnitKind,
    province_of,
)

ADJACENT, BY_CONVOY, FAR, IMPOSSIBLE = 0.0, 0.6, 2.5, 3.0
PART_LETTERS_MIN, PART_PLACES_MAX = 5, 2
STEM_LETTERS_MIN = 5
BOARDS_CACHED_MAX = 16
ENDINGS = ("es", "en", "er", "em", "e", "s", "n")


@dataclass(frozen=True, slots=True)
class World:
    """The board for the units of *power* in one phase.

    *own* are the units that may be ordered: all, those dislodged, or those on the board in
    adjustments. *standing* are all units seen. *sites* are where units can be built. *s_stands*
    says that `A Par S` holds.
    """

    board: Map
    names: Names
    kind: PhaseKind
    power: Power | None
    own: Mapping[Province, Unit]
    standing: Mapping[Province, Unit]
    retreats: Mapping[Province, tuple[Location, ...]]
    sites: frozenset[Province]
    due: int
    s_stands: bool = False
    season: Season = Season.SPRING
    plans: bool = False  # for a later phase: `or` lists what is wished for, the best first

    def reach(self, unit: Unit, place: Province) -> float:
        """Return the cost of *unit* moving to *place*."""
        if place == unit.province:
            return IMPOSSIBLE
        if self.kind is PhaseKind.RETREATS:
            open_ = self.retreats.get(unit.province, ())
            return ADJACENT if any(province_of(each) == place for each in open_) else FAR
        if place in _touched(self.board, unit.location, by_sea=unit.kind is UnitKind.FLEET):
            return ADJACENT
        terrain = self.board.places[place].terrain
        if unit.kind is UnitKind.FLEET:
            return IMPOSSIBLE if terrain is Terrain.INLAND else FAR
        if terrain is Terrain.SEA:
            return IMPOSSIBLE
        coastal = Terrain.COAST is terrain is self.board.places[unit.province].terrain
        return BY_CONVOY if coastal and self._has_fleet_near(unit.province) else FAR

    def _has_fleet_near(self, place: Province) -> bool:
        coasts = (place, *self.board.coasts_of(place))
        return any(
            (unit := self.standing.get(province_of(sea))) is not None
            and unit.kind is UnitKind.FLEET
            and self.board.places[unit.province].terrain is Terrain.SEA
            for coast in coasts
            for sea in self.board.fleet.get(coast, ())
        )

    def is_home(self, place: Province) -> bool:
        """Return whether *place* is a home center of the writer."""
        return self.power in self.board.places[place].home_of

    def can_stand(self, kind: UnitKind, place: Province) -> bool:
        borders = self.board.army if kind is UnitKind.ARMY else self.board.fleet
        return any(each in borders for each in (place, *self.board.coasts_of(place)))

    def is_sea(self, place: Province) -> bool:
        """Return whether a fleet in *place* can convoy."""
        there = self.board.places[place]
        return there.terrain is Terrain.SEA or there.convoys

    def at_sea(self, unit: Unit) -> bool:
        """Return whether *unit* can convoy."""
        return unit.kind is UnitKind.FLEET and self.is_sea(unit.province)


@lru_cache(maxsize=4096)
def _touched(board: Map, location: Location, *, by_sea: bool) -> frozenset[Province]:
    borders = board.fleet if by_sea else board.army
    return frozenset(map(province_of, borders.get(location, ())))


def world_of(
    board: Map, position: Position, power: Power | None, *, s_stands: bool = False
) -> World:
    """Return what *power* sees in *position*, which has only what it sees."""
    kind = position.phase.kind
    board = board.open_in(position.phase)
    adjusts = kind is PhaseKind.ADJUSTMENTS
    standing = {unit.province: unit for unit in position.units}
    dislodged = {each.unit.province: each for each in position.dislodged}
    mine = [each.unit for each in position.dislodged if each.unit.power == power]
    if kind is not PhaseKind.RETREATS:
        mine = [unit for unit in position.units if unit.power == power]
    return World(
        board=board,
        names=names_of(board),
        kind=kind,
        power=power,
        own={unit.province: unit for unit in mine},
        standing=standing,
        retreats={place: each.retreats for place, each in dislodged.items()},
        sites=frozenset(open_build_sites(board, position, power) if power and adjusts else ()),
        due=position.due(power) if power and adjusts else 0,
        s_stands=s_stands,
        season=position.phase.season,
    )


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def parts_of(board: Map) -> Mapping[str, frozenset[Province]]:
    """Return the provinces behind single words of longer names: `channel`, `ionienne`."""
    found: dict[str, set[Province]] = {}
    for name, code in _all_names(board):
        words = [word for word in name.casefold().replace("-", " ").split() if len(word) > 1]
        for word in words if len(words) > 1 else ():
            for form in {word, stem(word)}:
                found.setdefault(form, set()).add(code)
    return {word: frozenset(codes) for word, codes in found.items()}


@dataclass(frozen=True, slots=True)
class Exonyms:
    """Names in other languages that a board itself does not have.

    *words_behind* gives the length in words of the longest name, also of the board's own, that
    starts with a word. *naming* are all words of names of places and powers, and of notation,
    *own* the names of places that the board has.
    """

    places: Mapping[str, tuple[Province, ...]]
    words_behind: Mapping[str, int]
    naming: frozenset[str]
    own: frozenset[str]


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def exonyms_of(board: Map) -> Exonyms:
    """Return what other languages call places of *board*: `München`, `Rome` for Roma."""
    names = names_of(board)
    found: dict[str, tuple[Province, ...]] = {}
    lengths = dict(names.words_behind)
    for language in LANGUAGES:
        for spelled, english in names_in(language):
            key = " ".join(spelled.replace("-", " - ").split())
            if key in found or names.meaning(key) or not (places := names.find(english)):
                continue
            found[key] = places
            first, *others = key.split()
            lengths[first] = max(lengths.get(first, 0), 1 + len(others))
    powers = {*names.powers, *(f"{each}s" for each in names.powers), *names.shortened_powers}
    short = {phrase[0] for phrase, _ in words_of(STRICT).phrases.all()}
    naming = frozenset({*lengths, *names.power_words_behind, *powers, *short})
    own = frozenset({*names.written, *names.shortened, *names.foreign})
    return Exonyms(found, lengths, naming, own)


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def lone_parts_of(board: Map) -> frozenset[str]:
    """Return the words that mean at most two places by themselves."""
    spoken = frozenset(word for each in LANGUAGES for word in words_of(each).known)
    return frozenset(
        word
        for word, codes in parts_of(board).items()
        if len(word) >= PART_LETTERS_MIN and len(codes) <= PART_PLACES_MAX and word not in spoken
    )


def stem(word: str) -> str:
    """Return *word* without a German ending: `schwarz` for `schwarzen`."""
    if len(word) >= STEM_LETTERS_MIN:
        for ending in ENDINGS:
            if word.endswith(ending):
                return word.removesuffix(ending)
    return word


def _all_names(board: Map) -> Iterator[tuple[str, Province]]:
    for code, place in board.places.items():
        for name in (place.name, *place.aliases):
            yield name, code
    for tongue in board.tongues.values():
        for code, forms in tongue.places.items():
            yield forms["name"], code
            for alias in tongue.aliases.get(code, ()):
                yield alias, code
