"""Convoy paths: over any chain of fleets, without shortcuts, by the shortest path."""

from __future__ import annotations

import pytest

from judge.rules.convoys import fleets_on_routes, is_convoy_path, shortest_route
from judge.rules.phase_context import map_index_of
from tests.unit.rules.play_phase import BOARD

MAP_INDEX = map_index_of(BOARD)


def fleets(seas: str) -> int:
    return sum(MAP_INDEX.bit_of_sea[sea] for sea in seas.split())


@pytest.mark.parametrize(
    ("start", "end", "seas", "linked"),
    [
        ("LON", "BEL", "NTH", True),
        ("LON", "TUN", "ENG MAO WES", True),
        ("LON", "TUN", "ENG WES", False),
        ("LON", "PAR", "ENG", False),
        ("MOS", "SEV", "BLA", False),
        ("MUN", "VEN", "ADR", False),
        ("LON", "BEL", "", False),
    ],
)
def test_a_chain_of_fleets_links_two_shores(start: str, end: str, seas: str, linked: bool) -> None:  # noqa: FBT001 a column of the table
    assert is_convoy_path(MAP_INDEX, start, end, fleets(seas)) is linked


@pytest.mark.parametrize(
    ("start", "end", "seas", "needed"),
    [
        ("LON", "BEL", "ENG NTH", "ENG NTH"),
        ("LON", "BEL", "ENG IRI", "ENG"),  # DATC 6.F.12
        ("MAR", "SPA", "LYO WES", "LYO"),  # DATC 6.G.19
        ("LVP", "EDI", "IRI ENG NTH NAO NWG", "IRI ENG NTH NAO NWG"),
        ("SWE", "NWY", "BOT", ""),  # DATC 6.G.7
        ("VEN", "MUN", "ADR", ""),
        ("MUN", "VEN", "ADR", ""),
    ],
)
def test_a_fleet_is_useful_on_a_route_without_a_shortcut(
    start: str, end: str, seas: str, needed: str
) -> None:
    assert fleets_on_routes(MAP_INDEX, start, end, fleets(seas)) == fleets(needed)


def test_the_shortest_route_is_taken() -> None:
    assert shortest_route(MAP_INDEX, "LON", "NWY", fleets("NTH ENG IRI NAO NWG")) == ("NTH",)
    assert shortest_route(MAP_INDEX, "LVP", "NWY", fleets("NAO NWG IRI ENG NTH")) == ("NAO", "NWG")
    assert shortest_route(MAP_INDEX, "TUN", "VEN", fleets("ADR ION")) == ("ION", "ADR")


@pytest.mark.parametrize(
    ("start", "end", "seas"),
    [
        pytest.param("LON", "NWY", "ENG IRI", id="too few fleets"),
        pytest.param("VEN", "MUN", "ADR", id="to no coast"),
        pytest.param("MUN", "VEN", "ADR", id="from no coast"),
    ],
)
def test_where_no_route_leads_there_is_no_shortest(start: str, end: str, seas: str) -> None:
    assert shortest_route(MAP_INDEX, start, end, fleets(seas)) == ()
