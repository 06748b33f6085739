"""Compare imported `.map` files with the `diplomacy` package that they come from.

Run it as `python -m tests.bench.map_files [--positions 1000] [MAP...]`. Each file is imported and
checked. Then each step of a unit is compared, and random positions are adjudicated under the
rulebook `diplomacy`, by the judge and by the package in an environment of its own. Differences are
counted by their cause; a position with an unknown one is printed, and the exit code is then 1.

Known causes, both in version 1.1.2:
- The package looks for convoy paths through water only (`convoy_paths.py` takes a `PORT` for a
  coast where the convoy ends), although its game accepts the order of the fleet there.
- A power's support against its own unit does not help to dislodge it, but the package counts it if
  the attacker is ordered `VIA` (`_resolve_moves` looks for the unit attacked at a place `VIA`), or
  if the unit is a fleet that convoys (`_check_disruptions`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random

from judge.boards.map_import import read_map_file, used_files
from judge.boards.variant_text import check_variant
from judge.boards.variant_writer import write_variant
from judge.notation.order_text import write_order
from judge.rules import adjudicate, types
from judge.rules.board import Map
from judge.rules.rulebook import RULEBOOKS
from tests.bench import peer

# Without `world`, whose convoy paths the package computes for many minutes first.
MAPS = ("ancmed", "colonial", "empire", "known_world_901", "modern", "standard")
POSITIONS, SHOWN_MAX = 1_000, 10
UNITS_MIN, UNITS_MAX = 3, 40
NEAR = 0.85  # of the units, beside another one
MOVING = 0.55
CONVOYED = 0.5  # of the armies beside a fleet at sea
FLEETS_MAX = 4  # in a convoy
PROCESS = Path(__file__).with_name("map_files_peer.py")
PORT, OWN_SUPPORT = "a convoy through a port", "a support against one's own unit"
UNKNOWN = "an unknown cause"
RULEBOOK = RULEBOOKS["diplomacy"]

Orders = Mapping[types.Power, list[types.Order]]
Answer = Mapping[str, list[str]]


def imported(name: str, folder: Path) -> Map:
    """Return the board of a map of the package; ends the program if it is not sound."""
    text = (folder / f"{name}.map").read_text(encoding="utf-8")
    used = {each: (folder / f"{each}.map").read_text("utf-8") for each in used_files(text)}
    facts, notes = read_map_file(text, name, used)
    board, complaints = check_variant(write_variant(facts))
    for each in (*notes, *complaints):
        print(f"  {each}")
    if complaints:
        sys.exit(1)
    return board


class Maker:
    """Makes a position with orders on *board*, by random numbers."""

    def __init__(self, board: Map, random: Random) -> None:
        self.board, self.random = board, random
        self.units: dict[types.Province, types.Unit] = {}
        self.orders: dict[types.Province, types.Order] = {}
        self.place_units()
        self.convoy()
        self.move()
        self.support()

    def place_units(self) -> None:
        """Put units on the board, most of them near others."""
        borders = {types.UnitKind.ARMY: self.board.army, types.UnitKind.FLEET: self.board.fleet}
        everywhere = [(kind, at) for kind, touched in borders.items() for at in sorted(touched)]
        count = self.random.randint(UNITS_MIN, min(UNITS_MAX, len(self.board.places) // 2))
        powers = self.random.sample(self.board.powers, min(5, len(self.board.powers)))
        while len(self.units) < count:
            near = [each for each in everywhere if self.is_near(*each)]
            found = near if near and self.random.random() < NEAR else everywhere
            kind, at = self.random.choice(found)
            if types.province_of(at) not in self.units:
                unit = types.Unit(self.random.choice(powers), kind, at)
                self.units[unit.province] = unit

    def is_near(self, kind: types.UnitKind, location: types.Location) -> bool:
        if types.province_of(location) in self.units:
            return False
        touched = self.touched(types.Unit("", kind, location))
        return any(types.province_of(each) in self.units for each in touched)

    def touched(self, unit: types.Unit) -> list[types.Location]:
        """Return where *unit* can move to without a convoy."""
        borders = self.board.army if unit.kind is types.UnitKind.ARMY else self.board.fleet
        return sorted(borders.get(unit.location, ()))

    def convoy(self) -> None:
        """Order armies on coasts to others, with the fleets that can take them there."""
        for province, unit in sorted(self.units.items()):
            if unit.kind is not types.UnitKind.ARMY or self.random.random() > CONVOYED:
                continue
            fleets: list[types.Unit] = []
            at = province
            for _ in range(self.random.randint(1, FLEETS_MAX)):
                beside = [each for each in self.fleets_beside(at) if each not in fleets]
                if not beside:
                    break
                fleets.append(self.random.choice(beside))
                at = fleets[-1].province
            landings = [
                each for each in map(types.province_of, self.sea_touches(at)) if each != province
            ]
            landings = [each for each in landings if each in self.board.army]
            if fleets and landings:
                target = self.random.choice(landings)
                name = types.UnitName(unit.kind, unit.location)
                self.orders[province] = types.Move(name, target, via_convoy=True)
                for fleet in fleets:
                    at_sea = types.UnitName(fleet.kind, fleet.location)
                    self.orders[fleet.province] = types.Convoy(at_sea, name, target)

    def fleets_beside(self, province: types.Province) -> list[types.Unit]:
        """Return the fleets without orders that can convoy from *province*."""
        provinces = {types.province_of(each) for each in self.sea_touches(province)}
        found = (self.units[each] for each in sorted(provinces) if each in self.units)
        return [
            unit
            for unit in found
            if unit.kind is types.UnitKind.FLEET
            and unit.province not in self.orders
            and (unit.province not in self.board.army or self.board.places[unit.province].convoys)
        ]

    def sea_touches(self, province: types.Province) -> list[types.Location]:
        locations = (province, *self.board.coasts_of(province))
        return sorted({each for at in locations for each in self.board.fleet.get(at, ())})

    def move(self) -> None:
        """Order some units to provinces nearby, rather to those where others are."""
        for province, unit in sorted(self.units.items()):
            touched = self.touched(unit)
            if province in self.orders or not touched or self.random.random() > MOVING:
                continue
            wanted = [each for each in touched if types.province_of(each) in self.wanted()]
            target = self.random.choice(wanted or touched)
            self.orders[province] = types.Move(types.UnitName(unit.kind, unit.location), target)

    def wanted(self) -> set[types.Province]:
        targets = (each.target for each in self.orders.values() if isinstance(each, types.Move))
        return {*map(types.province_of, targets), *self.units}

    def support(self) -> None:
        """Order the other units to support what those nearby do, or to hold."""
        for province, unit in sorted(self.units.items()):
            if province in self.orders:
                continue
            near = {types.province_of(each) for each in self.touched(unit)}
            name = types.UnitName(unit.kind, unit.location)
            choices: list[types.Order] = [types.Hold(name)]
            for other in self.units.values():
                order = self.orders.get(other.province)
                supported = types.UnitName(other.kind, other.location)
                if isinstance(order, types.Move):
                    if types.province_of(order.target) in near and other is not unit:
                        choices += [types.SupportMove(name, supported, order.target)] * 3
                elif other.province in near:
                    choices.append(types.SupportHold(name, supported))
            self.orders[province] = self.random.choice(choices)

    def position(self) -> types.Position:
        units = sorted(self.units.values(), key=lambda unit: unit.key)
        return types.Position(self.board.start.phase, tuple(units))

    def by_power(self) -> Orders:
        found: dict[types.Power, list[types.Order]] = defaultdict(list)
        for province, order in self.orders.items():
            found[self.units[province].power].append(order)
        return found


def ours(board: Map, position: types.Position, orders: Orders) -> Answer:
    result = adjudicate(board, position, orders, RULEBOOK)
    every = (*result.outcomes, *result.unordered)
    return {
        "after": sorted(f"{_plain(each.power)} {each.name}" for each in result.after.units),
        "dislodged": sorted(
            f"{_plain(each.power)} {write_order(types.Hold(each.order.unit)).removesuffix(' H')}"
            for each in every
            if each.fate is not None and not isinstance(each.order, types.Waive)
        ),
    }


def _plain(power: types.Power) -> str:
    return re.sub(r"[^A-Z0-9]", "", power)


@contextmanager
def package(
    name: str, board: Map
) -> Iterator[tuple[list[str], Callable[[types.Position, Orders], Answer]]]:
    """Start the package; yield the steps that it knows, and what adjudicates a position."""
    with subprocess.Popen(
        [peer.environment(), PROCESS, name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        asking, answers = process.stdin, process.stdout

        def adjudicated(position: types.Position, orders: Orders) -> Answer:
            units: dict[str, list[str]] = {_plain(power): [] for power in board.powers}
            for unit in position.units:
                units[_plain(unit.power)].append(unit.name)
            texts = {_plain(power): [*map(write_order, each)] for power, each in orders.items()}
            asking.write(json.dumps({"units": units, "orders": texts}) + "\n")
            asking.flush()
            answer: Answer = json.loads(answers.readline())
            return answer

        yield json.loads(answers.readline()), adjudicated
        asking.close()


def causes(board: Map, made: Maker) -> str:
    """Return the causes known to make the package differ in such a position."""
    found = set()
    for order in made.orders.values():
        match order:
            case types.Convoy() if board.places[types.province_of(order.unit.location)].convoys:
                found.add(PORT)
            case types.SupportMove():
                attacker = made.orders.get(types.province_of(order.supported.location))
                attacked = made.units.get(types.province_of(order.target))
                supporter = made.units[types.province_of(order.unit.location)]
                via = isinstance(attacker, types.Move) and attacker.via_convoy
                convoys = attacked and isinstance(made.orders[attacked.province], types.Convoy)
                if attacked and attacked.power == supporter.power and (via or convoys):
                    found.add(OWN_SUPPORT)
            case _:
                pass
    return " or ".join(sorted(found)) or UNKNOWN


def compare(name: str, positions: int) -> int:
    """Print what differs on a map; return how many positions do for unknown causes."""
    (folder,) = peer.FOLDER.glob("lib/python3*/site-packages/diplomacy/maps")
    board = imported(name, folder)
    different = Counter[str]()
    with package(name, board) as (steps, adjudicated):
        known = sorted(
            f"{kind} {start} - {end}"
            for kind, borders in (("A", board.army), ("F", board.fleet))
            for start, touched in borders.items()
            for end in touched
        )
        for step in sorted({*known} ^ {*steps}):
            print(f"  only {'in the judge' if step in known else 'in the package'}: {step}")
        for seed in range(positions):
            made = Maker(board, Random(seed))
            position, orders = made.position(), made.by_power()
            said, expected = ours(board, position, orders), adjudicated(position, orders)
            if said != expected:
                cause = causes(board, made)
                different[cause] += 1
                if cause == UNKNOWN and different[cause] <= SHOWN_MAX:
                    _show(seed, orders, said, expected)
    same_steps = len({*known} & {*steps})
    counts = ", ".join(f"{count} by {cause}" for cause, count in different.items())
    print(
        f"{name:16} {same_steps} of {len(steps)} steps; "
        f"{positions} positions: {different.total()} differ{f' ({counts})' if counts else ''}",
        flush=True,
    )
    return different[UNKNOWN]


def _show(seed: int, orders: Orders, said: Answer, expected: Answer) -> None:
    print(f"  seed {seed}")
    for what in said:
        print(f"    {what}: judge {sorted({*said[what]} - {*expected[what]})}")
        print(f"    {what}: package {sorted({*expected[what]} - {*said[what]})}")
    for power, each in orders.items():
        print(f"    {power}: {'; '.join(map(write_order, each))}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("maps", nargs="*", default=MAPS)
    options = parser.parse_args()
    peer.environment()
    sys.exit(bool(sum(compare(name, options.positions) for name in options.maps)))


if __name__ == "__main__":
    main()
