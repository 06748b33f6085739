"""Sample pictures with everything they can show: movement, retreats and adjustments."""

from __future__ import annotations

from collections.abc import Mapping

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_written_orders
from judge.pictures.scene import Scene, scene_with_orders, scene_with_outcomes
from judge.rules.adjudication import adjudicate
from judge.rules.types import Phase, Position, Power, Unit, UnitKind

BOARD = load_map()
OWNERS = {
    "AUSTRIA": "BUD GRE SER TRI VIE",
    "ENGLAND": "EDI LON LVP NWY",
    "FRANCE": "BRE MAR PAR POR SPA",
    "GERMANY": "BER DEN HOL KIE MUN",
    "ITALY": "NAP ROM TUN VEN",
    "RUSSIA": "MOS RUM SEV STP SWE WAR",
    "TURKEY": "ANK BUL CON SMY",
}
ORDERS = {
    "AUSTRIA": "A GAL H, A SER S A RUM - BUL, F GRE S F ION - AEG, A VIE - TYR, "
    "A TRI H, A BUD - RUM",
    "ENGLAND": "A LON - BEL VIA, F NTH C A LON - BEL, F NWG - BAR, A NWY - STP, F EDI - NTH",
    "FRANCE": "A BUR - BEL, A GAS S A BUR, F MAO - ENG, F SPA/NC H, A MAR - PIE, A PIC - SIL, "
    "F WES - TYS, F LYO S F WES - TYS",
    "GERMANY": "A BEL H, F HOL S A BEL, A RUH S A MUN - BUR, A MUN - BUR, "
    "F DEN - SWE, A SIL - GAL",
    "ITALY": "A VEN - TRI, A TYR S A VEN - TRI, F ION - AEG, F TUN - ION, A APU - ALB VIA, "
    "F ADR C A APU - ALB, F NAP - TYS, A ROM - TUN VIA, F TYS C A ROM - TUN",
    "RUSSIA": "F STP/SC - BOT, A SWE H, A WAR - GAL, A RUM - BUL, F SEV - ARM, "
    "A UKR S A WAR - GAL, A MOS - STP",
    "TURKEY": "A BUL - RUM, F BLA S A BUL - RUM, A CON S A BUL, F AEG - GRE, "
    "A ARM - SEV, F ANK - BLA",
}
WINTER_OWNERS = OWNERS | {
    "AUSTRIA": "BUD GRE SER VIE",
    "GERMANY": "BER DEN HOL KIE MUN SWE",
    "ITALY": "NAP ROM TRI TUN VEN",
    "RUSSIA": "MOS SEV STP WAR",
}
WINTER_UNITS = {
    "AUSTRIA": "A VIE, A SER, F GRE, A BUD, A GAL",
    "ENGLAND": "F NTH, A NWY",
    "FRANCE": "F MAO, A PIC, A BUR, F SPA/SC",
    "GERMANY": "A BEL, F DEN, A MUN",
    "ITALY": "A TRI, F ION, F AEG, A VEN",
    "RUSSIA": "F BOT, A WAR, F SEV, A UKR, A MOS, A RUM",
    "TURKEY": "A BUL, F BLA, A CON, F ANK",
}
WINTER_ORDERS = {
    "AUSTRIA": "A GAL D",
    "ENGLAND": "F LON B, A EDI B",
    "FRANCE": "A PAR B",
    "GERMANY": "A BER B, F KIE B, A HOL B",
    "ITALY": "A ROM B",
}


def position(code: str, units: Mapping[Power, str], owners: Mapping[Power, str]) -> Position:
    """Return the position of the phase *code*."""
    standing = []
    for power, texts in units.items():
        for text in texts.split(", "):
            kind, location = text.split()[:2]
            standing.append(Unit(power, UnitKind(kind), location))
    return Position(
        Phase.parse(code),
        tuple(sorted(standing, key=lambda unit: unit.key)),
        {center: power for power, centers in owners.items() for center in centers.split()},
    )


def judged(before: Position, orders: Mapping[Power, str], title: str) -> tuple[Scene, Position]:
    """Return *before* with the results of *orders*, and the position after."""
    read = {
        power: read_written_orders(BOARD, texts.split(", ")) for power, texts in orders.items()
    }
    found = adjudicate(BOARD, before, read)
    outcomes = (*found.outcomes, *found.unordered)
    return scene_with_outcomes(before, outcomes, found.removed, title), found.after


def scenes() -> Mapping[str, Scene]:
    """Return the scenes by name."""
    movement, after = judged(position("S1903M", ORDERS, OWNERS), ORDERS, "Spring 1903, movement")
    retreats = {"FRANCE": "A BUR - PAR", "TURKEY": "F AEG - SMY"}
    withdrawn, _ = judged(after, retreats, "Spring 1903, retreats")
    winter, _ = judged(
        position("W1903A", WINTER_UNITS, WINTER_OWNERS), WINTER_ORDERS, "Winter 1903, adjustments"
    )
    return {
        "movement": movement,
        "options": scene_with_orders(after, {}, "Spring 1903, before the retreats"),
        "retreats": withdrawn,
        "winter": winter,
    }
