"""Orders as the judge writes them."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.notation.order_text import write_long, write_order, write_short
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
)

BOARD = load_map()


def army(location: str, power: Power | None = None) -> UnitName:
    return UnitName(UnitKind.ARMY, location, power)


def fleet(location: str, power: Power | None = None) -> UnitName:
    return UnitName(UnitKind.FLEET, location, power)


ORDERS: list[tuple[Order, str, str, str]] = [
    (Hold(army("PAR")), "A PAR H", "A Par H", "Army Paris HOLD."),
    (Hold(UnitName(None, "PAR")), "PAR H", "Par H", "Paris HOLD."),
    (Move(army("BUD"), "SER"), "A BUD - SER", "A Bud-Ser", "Army Budapest -> Serbia."),
    (
        Move(fleet("STP/NC"), "BAR"),
        "F STP/NC - BAR",
        "F Stp(nc)-Bar",
        "Fleet St. Petersburg (north coast) -> Barents Sea.",
    ),
    (
        Move(fleet("GAS"), "SPA/XC"),
        "F GAS - SPA/XC",
        "F Gas-Spa(xc)",
        "Fleet Gascony -> Spain (xc).",
    ),
    (
        Move(army("LON"), "BEL", via_convoy=True),
        "A LON - BEL VIA",
        "A Lon-Bel via convoy",
        "Army London -> Belgium via convoy.",
    ),
    (
        Move(army("LON"), "BEL", via_convoy=True, route=("NTH",)),
        "A LON - NTH - BEL",
        "A Lon-Nth-Bel",
        "Army London -> North Sea -> Belgium.",
    ),
    (
        SupportHold(army("SER"), fleet("GRE")),
        "A SER S F GRE",
        "A Ser S F Gre",
        "Army Serbia SUPPORT Fleet Greece.",
    ),
    (
        SupportMove(army("SIL"), army("WAR", "RUSSIA"), "PRU"),
        "A SIL S A WAR - PRU",
        "A Sil S RUSSIAN A War-Pru",
        "Army Silesia SUPPORT Russian Army Warsaw -> Prussia.",
    ),
    (
        Convoy(fleet("ENG"), army("GAS", "FRANCE"), "SPA"),
        "F ENG C A GAS - SPA",
        "F Eng C FRENCH A Gas-Spa",
        "Fleet English Channel CONVOY French Army Gascony -> Spain.",
    ),
    (Retreat(army("VIE"), "BOH"), "A VIE R BOH", "A Vie-Boh", "Army Vienna -> Bohemia."),
    (Disband(army("VIE")), "A VIE D", "Disband A Vie", "Army Vienna DISBAND."),
    (Build(army("BUD")), "A BUD B", "Build A Bud", "Builds an army in Budapest."),
    (
        Build(fleet("STP/NC")),
        "F STP/NC B",
        "Build F Stp(nc)",
        "Builds a fleet in St. Petersburg (north coast).",
    ),
    (Build(UnitName(None, "PAR")), "PAR B", "Build Par", "Builds a unit in Paris."),
    (Waive(), "WAIVE", "Waive", "Build waived."),
]


@pytest.mark.parametrize(
    ("order", "program", "short", "long"), ORDERS, ids=[row[1] for row in ORDERS]
)
def test_an_order_is_written_in_three_hands(
    order: Order, program: str, short: str, long: str
) -> None:
    assert write_order(order) == program
    assert write_short(order, BOARD) == short
    assert write_long(order, BOARD) == long
