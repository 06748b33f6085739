"""Recorded games, read into the shape that `judge adjudicate` reads: an object a phase.

Three forms are read: our own, a line of JSON a phase (`*.jsonl`); the text of droidippy (`*.txt`);
a game a line, as the `diplomacy` package writes it (`*.json`).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypeAlias, TypedDict

# What the tests of the `diplomacy` package show of its law.
DIPLOMACY = "datc,convoy_to_neighbor=intent_fallback,automatic_removal=home_dptg"
GAME_10713 = Path(__file__).with_name("10713.jsonl")
ByPower: TypeAlias = dict[str, list[str]]


class RecordedPhase(TypedDict):
    """A phase as it was recorded; a unit with an asterisk is dislodged."""

    phase: str
    units: ByPower
    centers: ByPower
    orders: ByPower
    rulebook: str
    results: NotRequired[dict[str, list[str]]]  # of some units, in the words of `diplomacy`


Game: TypeAlias = Sequence[RecordedPhase]


def game_10713() -> Game:
    """Return game 10713 of droidippy, from Spring 1901 to the retreats of Fall 1911."""
    return read_lines(GAME_10713.read_text())


def sample_games() -> Iterator[tuple[str, Game]]:
    """Yield the games in the folder JUDGE_SAMPLES, each with its name."""
    for path in sorted(Path(os.environ["JUDGE_SAMPLES"]).rglob("*")):
        match path.suffix:
            case ".jsonl":
                yield path.name, read_lines(path.read_text())
            case ".txt" if path.read_text(errors="replace").startswith("PHASE "):
                yield path.name, read_droidippy(path.read_text())
            case ".json":
                for line in path.read_text().splitlines():
                    game = json.loads(line)
                    yield f"{path.name}, {game['id']}", read_diplomacy(game)
            case _:
                pass


def read_lines(text: str) -> Game:
    """Read our own form."""
    return [json.loads(line) for line in text.splitlines()]


def read_diplomacy(game: Mapping[str, Any]) -> Game:
    """Read a game of the `diplomacy` package."""
    return [
        RecordedPhase(
            phase=each["name"],
            units=each["state"]["units"],
            centers=each["state"]["centers"],
            orders={power: orders or [] for power, orders in each["orders"].items()},
            rulebook=DIPLOMACY,
            results=each.get("results", {}),
        )
        for each in game["phases"]
    ]


PHASE = re.compile(r"PHASE (\d{4}) ([SF])\w+ ([MRA])\w+\nPOSITIONS\n(.*?)ORDERS\n?(.*)", re.DOTALL)
PIECE = re.compile(r"(\w+): (supply|army|fleet)(/dislodged)? (\S+)")
CODES = {"gol": "LYO", "mid": "MAO", "nrg": "NWG", "nat": "NAO"}  # where they are not ours


def read_droidippy(text: str) -> Game:
    """Read a game of droidippy."""
    return [_phase(part) for part in re.split(r"\n(?=PHASE )", text)]


def _phase(text: str) -> RecordedPhase:
    found = PHASE.fullmatch(text)
    assert found, text
    year, season, kind, pieces, orders = found.groups()
    code = f"W{year}A" if kind == "A" else f"{season}{year}{kind}"
    told = RecordedPhase(phase=code, units={}, centers={}, orders={}, rulebook="droidippy")
    at: dict[str, tuple[str, str]] = {}  # by province, who is ordered there, and of what kind
    for nation, what, dislodged, place in PIECE.findall(pieces):
        power, location, letter = nation.upper(), _location(place), what[0].upper()
        if what == "supply":
            told["centers"].setdefault(power, []).append(location)
            if kind == "A":
                at.setdefault(location, (power, ""))
            continue
        told["units"].setdefault(power, []).append(f"{dislodged and '*'}{letter} {location}")
        if dislodged or not at.get(location[:3], ("", ""))[1]:
            at[location[:3]] = (power, letter)
    for line in orders.splitlines():
        power, order = _order(line.split(), at, "R" if kind == "R" else "-")
        told["orders"].setdefault(power, []).append(order)
    return told


def _order(words: list[str], at: Mapping[str, tuple[str, str]], goes: str) -> tuple[str, str]:
    """Return whose order *words* are, and how we write it."""

    def unit(place: str) -> str:
        location = _location(place)
        return f"{at[location[:3]][1]} {location}"

    match words:
        case ["build", kind, place]:
            order = f"{kind[0]} {_location(place)} B"
        case ["remove", place] | [place, "disband"]:
            order = f"{unit(place)} D"
        case [place, "hold"]:
            order = f"{unit(place)} H"
        case [place, "move", target, *via]:
            order = f"{unit(place)} {goes} {_location(target)}{' VIA' if via else ''}"
        case [place, "support", other]:
            order = f"{unit(place)} S {unit(other)}"
        case [place, "support" | "convoy" as helps, other, "move", target]:
            letter = helps[0].upper()
            order = f"{unit(place)} {letter} {unit(other)} - {_location(target)}"
        case _:
            raise ValueError(words)
    return at[_location(place)[:3]][0], order


def _location(code: str) -> str:
    """Return the location for a *code* of droidippy."""
    return CODES.get(code) or code.upper()
