"""Messages as Diplomacy players write them to each other, made from `sentences.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.notation.order_text import write_short
from judge.reports.board_names import power_name
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from judge.rules.types import Move, Position, Power, Unit, UnitKind, UnitName, province_of

SENTENCES = Path(__file__).parent / "sentences.toml"
POSITIONS = Path(__file__).parent.parent / "labelled" / "emails.toml"
ASKS = "asks"
BOARDS = ("standard", "standard", "ancient-med", "modern", "youngstown")
KINDS = ("plan", "proposal", "quote", "report", "threat", "talk", ASKS)
WEIGHTS = (8, 10, 4, 4, 2, 8, 1)
SENTENCES_MAX = 4
UNIT_WORDS = {
    "en": {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"},
    "de": {UnitKind.ARMY: "Armee", UnitKind.FLEET: "Flotte"},
    "fr": {UnitKind.ARMY: "armée", UnitKind.FLEET: "flotte"},
}


@dataclass(frozen=True)
class Press:
    """A message *text* of *power* to another, and the situation of its writer.

    It may *ask* what would be a wish if it were written to the judge.
    """

    board: Map
    position: Position
    power: Power
    to: Power
    text: str
    asks: bool


def press_messages(count: int, seed: int = 1) -> Iterator[Press]:
    """Yield *count* messages, the same ones for the same *seed*."""
    random = Random(seed)
    for _ in range(count):
        yield _message(random)


def _message(random: Random) -> Press:
    board, position = random.choice(_positions())
    power, to, other = random.sample([p for p in board.players if position.units_of(p)], 3)
    language = random.choice(("en", "de", "fr"))
    source = _source()[language]
    own, theirs, third = (_move(board, position, random, each) for each in (power, to, other))
    slots = {
        "own": name_of(board, language, province_of(own.unit.location)),
        "to": name_of(board, language, province_of(own.target)),
        "move": _written(own, board, random),
        "kind": UNIT_WORDS[language][own.unit.kind or UnitKind.ARMY],
        "theirs": name_of(board, language, province_of(theirs.unit.location)),
        "their_to": name_of(board, language, province_of(theirs.target)),
        "their_move": _written(theirs, board, random),
        "third": name_of(board, language, province_of(third.unit.location)),
        "third_to": name_of(board, language, province_of(third.target)),
        "third_move": _written(third, board, random),
        "other": str(power_name(board, other, language)),
        "you": str(power_name(board, to, language)),
        "me": str(power_name(board, power, language)),
    }
    kinds = random.choices(KINDS, WEIGHTS, k=random.randint(1, SENTENCES_MAX))
    body = [random.choice(source[kind]) for kind in kinds]
    between = random.choice((" ", " ", "\n", "\n\n"))
    parts = (
        random.choice(source["openings"]),
        between.join(body),
        random.choice(source["closings"]),
    )
    text = "\n".join(each for each in parts if each).format(**slots)
    return Press(board, position, power, to, text, ASKS in kinds)


@cache
def _source() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(SENTENCES.read_text(encoding="utf-8"))


@cache
def _positions() -> tuple[tuple[Map, Position], ...]:
    starts = [(board, board.start) for board in map(load_map, BOARDS)]
    later = tomllib.loads(POSITIONS.read_text(encoding="utf-8"))["positions"]["mid"]
    standard = load_map()
    return (*starts, (standard, read_position(standard, later, DATC)))


def _move(board: Map, position: Position, random: Random, power: Power) -> Move:
    unit = random.choice([unit for unit in position.units_of(power) if _near(board, unit)])
    return Move(UnitName(unit.kind, unit.location), random.choice(_near(board, unit)))


def _written(move: Move, board: Map, random: Random) -> str:
    short = write_short(move, board)
    return random.choice((short, short.replace("-", " - "), short[2:], short.upper()))


def _near(board: Map, unit: Unit) -> list[str]:
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    return sorted(borders.get(unit.location, ()))


def name_of(board: Map, language: str, place: str) -> str:
    tongue = board.tongues.get(language)
    if tongue and place in tongue.places:
        return tongue.places[place]["name"]
    return board.places[place].name
