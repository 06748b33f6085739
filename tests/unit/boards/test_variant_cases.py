"""Rules that only other boards need (DATC chapters 8 to 12), shown by cases of our own.

We do not have the text of these chapters: these are not their cases, and the section of a case is
as near as we know. The task that asks for them names one-way borders, borders of one kind of unit
and borders closed at times (chapters 8 and 10, without saying which has what), and canals and
coasts that convoy (chapter 9). It does not name the topics of chapters 11 and 12, so `8-12` marks
what else other boards need. The expected results follow from the rulebook: a border that is
closed, or that leads the other way, is no border.

The board, where > leads one way only. Armies:

    Moor - Home - Valley - Far Shore - Canal Town, Far Shore - Peninsula
    Valley - Peak - Far Shore, Peak > Moor

Fleets (Canal Town is one coast on both bays; the Peninsula has a north, a south and a west coast):

    Moor - West Bay - Home - Canal Town - Far Shore - Peninsula (SC)
    West Bay - Canal Town - East Bay - Far Shore, West Bay > Current > East Bay
    East Bay - Peninsula (SC, WC), East Bay - Ice Sea - Peninsula (NC), Ice Sea - Island

Snow closes Valley - Peak in Fall and Winter, ice closes East Bay - Ice Sea in Spring, a flood
closes Moor - Home in Winter. In 1905 and 1906 no army passes between Far Shore and Canal Town.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from click.testing import CliRunner

from judge.adapters.variant_files import use_own_variants
from judge.archive.position_json import read_position
from judge.boards.variant_text import check_variant, read_map
from judge.cli.adjudicate import adjudicate
from judge.rules.rulebook import DATC

NARROWS = {
    "variant.toml": """
name = "narrows"
start = "S1901M"
victory_centers = 5
closed = [
  { between = ["VAL", "PEA"], seasons = "FW" },
  { between = ["EBY", "ICE"], seasons = "S" },
  { between = ["MOO", "HOM"], seasons = "W" },
  { between = ["FAR", "CAN"], years = "1905-1906", units = "A" },
]

[[powers]]
code = "RED"
name = "Red"
adjective = "red"
letter = "R"
centers = ["HOM"]
units = ["A HOM"]

[[powers]]
code = "BLUE"
name = "Blue"
adjective = "blue"
letter = "B"
centers = ["FAR", "PEN"]
units = ["A FAR", "F PEN/SC"]
extra_sites = ["CAN"]
""",
    "provinces.csv": """code,name,terrain,center,home,country,aliases
HOM,Home,coast,yes,RED,RED,
MOO,Moor,coast,no,,,
VAL,Valley,inland,yes,,,
PEA,Peak,inland,no,,,
CAN,Canal Town,archipelago,yes,,,
FAR,Far Shore,coast,yes,BLUE,BLUE,
PEN,Peninsula,coast,yes,BLUE,BLUE,
ISL,Island,coast,yes,,,
WBY,West Bay,sea,no,,,
EBY,East Bay,sea,no,,,
CUR,Current,sea,no,,,
ICE,Ice Sea,sea,no,,,
MAR,Marsh,impassable,no,,,
""",
    "locations.csv": """location,units
HOM,AF
MOO,AF
VAL,A
PEA,A
CAN,AF
FAR,AF
PEN,A
PEN/NC,F
PEN/SC,F
PEN/WC,F
ISL,AF
WBY,F
EBY,F
CUR,F
ICE,F
""",
    "borders.csv": """location,units,touches
HOM,A,MOO VAL
MOO,A,HOM
VAL,A,HOM FAR PEA
PEA,A,VAL FAR >MOO
FAR,A,VAL PEA CAN PEN
CAN,A,FAR
PEN,A,FAR
HOM,F,WBY CAN
MOO,F,WBY
CAN,F,HOM FAR WBY EBY
FAR,F,CAN EBY PEN/SC
PEN/NC,F,ICE
PEN/SC,F,FAR EBY
PEN/WC,F,EBY
ISL,F,ICE
WBY,F,HOM MOO CAN >CUR
CUR,F,>EBY
EBY,F,CAN FAR PEN/SC PEN/WC ICE
ICE,F,PEN/NC EBY ISL
""",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A position, orders with their results, and the units *after* it (`*A VAL` is dislodged).

    *asked* are more keys of the question to `judge adjudicate`.
    """

    section: str
    title: str
    phase: str
    units: Mapping[str, Sequence[str]]
    orders: Mapping[str, Mapping[str, str]]
    after: Mapping[str, Sequence[str]]
    retreats: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    asked: Mapping[str, object] = field(default_factory=dict)
    removed: Sequence[str] = ()

    def __str__(self) -> str:
        return f"DATC {self.section}: {self.title}"

    @property
    def question(self) -> Mapping[str, object]:
        orders = {power: [*several] for power, several in self.orders.items()}
        known = {"map": "narrows", "phase": self.phase, "units": self.units, "orders": orders}
        return {**known, **self.asked}


CLOSED = "8, 10"
CANALS = "9"
OTHERS = "8-12"

CLOSED_BORDERS = (
    Case(
        section=CLOSED,
        title="a border closed in Fall is open in Spring",
        phase="S1901M",
        units={"RED": ["A VAL"]},
        orders={"RED": {"A VAL - PEA": "succeeds"}},
        after={"RED": ["A PEA"]},
    ),
    Case(
        section=CLOSED,
        title="a move over a closed border is impossible, and the unit holds",
        phase="F1901M",
        units={"RED": ["A VAL"]},
        orders={"RED": {"A VAL - PEA": "illegal"}},
        after={"RED": ["A VAL"]},
    ),
    Case(
        section=CLOSED,
        title="a unit supports an attack over a border that is open",
        phase="S1901M",
        units={"RED": ["A PEA"], "BLUE": ["A FAR", "A VAL"]},
        orders={
            "RED": {"A PEA H": "dislodged"},
            "BLUE": {"A FAR - PEA": "succeeds", "A VAL S A FAR - PEA": "given"},
        },
        after={"RED": ["*A PEA"], "BLUE": ["A PEA", "A VAL"]},
        retreats={"RED": {"A PEA": ["MOO"]}},
    ),
    Case(
        section=CLOSED,
        title="it cannot support an attack over a border that is closed",
        phase="F1901M",
        units={"RED": ["A PEA"], "BLUE": ["A FAR", "A VAL"]},
        orders={
            "RED": {"A PEA H": "stands"},
            "BLUE": {"A FAR - PEA": "fails", "A VAL S A FAR - PEA": "illegal"},
        },
        after={"RED": ["A PEA"], "BLUE": ["A FAR", "A VAL"]},
    ),
    Case(
        section=CLOSED,
        title="nor support a unit to hold",
        phase="F1901M",
        units={"RED": ["A PEA", "A VAL"]},
        orders={"RED": {"A PEA H": "stands", "A VAL S A PEA": "illegal"}},
        after={"RED": ["A PEA", "A VAL"]},
    ),
    Case(
        section=CLOSED,
        title="an attack over an open border cuts a support",
        phase="S1901M",
        units={"RED": ["A HOM", "A VAL"], "BLUE": ["F WBY", "A MOO", "A PEA"]},
        orders={
            "RED": {"A HOM H": "destroyed", "A VAL S A HOM": "cut"},
            "BLUE": {
                "F WBY - HOM": "succeeds",
                "A MOO S F WBY - HOM": "given",
                "A PEA - VAL": "fails",
            },
        },
        after={"RED": ["A VAL"], "BLUE": ["F HOM", "A MOO", "A PEA"]},
    ),
    Case(
        section=CLOSED,
        title="no attack over a closed border cuts a support",
        phase="F1901M",
        units={"RED": ["A HOM", "A VAL"], "BLUE": ["F WBY", "A MOO", "A PEA"]},
        orders={
            "RED": {"A HOM H": "stands", "A VAL S A HOM": "given"},
            "BLUE": {
                "F WBY - HOM": "fails",
                "A MOO S F WBY - HOM": "given",
                "A PEA - VAL": "illegal",
            },
        },
        after={"RED": ["A HOM", "A VAL"], "BLUE": ["F WBY", "A MOO", "A PEA"]},
    ),
    Case(
        section=CLOSED,
        title="a dislodged unit can retreat over a border that is open",
        phase="S1901M",
        units={"RED": ["A VAL"], "BLUE": ["A FAR", "A HOM"]},
        orders={"BLUE": {"A FAR - VAL": "succeeds", "A HOM S A FAR - VAL": "given"}},
        after={"RED": ["*A VAL"], "BLUE": ["A HOM", "A VAL"]},
        retreats={"RED": {"A VAL": ["PEA"]}},
    ),
    Case(
        section=CLOSED,
        title="a unit whose only retreat is over a closed border is destroyed",
        phase="F1901M",
        units={"RED": ["A VAL"], "BLUE": ["A FAR", "A HOM"]},
        orders={"BLUE": {"A FAR - VAL": "succeeds", "A HOM S A FAR - VAL": "given"}},
        after={"BLUE": ["A HOM", "A VAL"]},
    ),
    Case(
        section=CLOSED,
        title="a border is closed in the retreats of the season, too",
        phase="F1901R",
        units={"RED": ["*A VAL"], "BLUE": ["A VAL"]},
        asked={"dislodged": {"RED": {"A VAL": {"from": "FAR"}}}},
        orders={"RED": {"A VAL R PEA": "illegal"}},
        after={"BLUE": ["A VAL"]},
    ),
    Case(
        section=CLOSED,
        title="an army is convoyed over an open border of seas",
        phase="F1901M",
        units={"BLUE": ["A FAR", "F EBY", "F ICE"]},
        orders={
            "BLUE": {
                "A FAR - ISL": "succeeds",
                "F EBY C A FAR - ISL": "available",
                "F ICE C A FAR - ISL": "available",
            }
        },
        after={"BLUE": ["A ISL", "F EBY", "F ICE"]},
    ),
    Case(
        section=CLOSED,
        title="no army is convoyed over a border of seas that is closed",
        phase="S1901M",
        units={"BLUE": ["A FAR", "F EBY", "F ICE"]},
        orders={
            "BLUE": {
                "A FAR - ISL": "illegal",
                "F EBY C A FAR - ISL": "illegal",
                "F ICE C A FAR - ISL": "illegal",
            }
        },
        after={"BLUE": ["A FAR", "F EBY", "F ICE"]},
    ),
    *(
        Case(
            section=CLOSED,
            title=f"a border closed in 1905 and 1906: {'open' if is_open else 'closed'} in {year}",
            phase=f"S{year}M",
            units={"BLUE": ["A FAR"]},
            orders={"BLUE": {"A FAR - CAN": "succeeds" if is_open else "illegal"}},
            after={"BLUE": ["A CAN" if is_open else "A FAR"]},
        )
        for year, is_open in ((1904, True), (1905, False), (1906, False), (1907, True))
    ),
    Case(
        section=CLOSED,
        title="a border closed to armies is open to fleets",
        phase="S1905M",
        units={"BLUE": ["F FAR"]},
        orders={"BLUE": {"F FAR - CAN": "succeeds"}},
        after={"BLUE": ["F CAN"]},
    ),
    Case(
        section=CLOSED,
        title="an army comes by convoy where its way by land is closed",
        phase="S1905M",
        units={"BLUE": ["A FAR", "F EBY"], "RED": ["F CAN"]},
        orders={
            "BLUE": {"A FAR - CAN": "succeeds", "F EBY C A FAR - CAN": "available"},
            "RED": {"F CAN - FAR": "succeeds"},
        },
        after={"BLUE": ["A CAN", "F EBY"], "RED": ["F FAR"]},
    ),
    Case(
        section=CLOSED,
        title="distances count by the borders that are open in the phase of adjustments",
        phase="W1901A",
        units={"RED": ["A MOO", "F CAN"]},
        asked={"centers": {"RED": ["HOM"]}},
        orders={},
        after={"RED": ["F CAN"]},
        removed=["A MOO"],
    ),
)
ONE_WAY_AND_KINDS = (
    Case(
        section=CLOSED,
        title="units cross a one-way border its way",
        phase="S1901M",
        units={"RED": ["F WBY", "A PEA"]},
        orders={"RED": {"F WBY - CUR": "succeeds", "A PEA - MOO": "succeeds"}},
        after={"RED": ["F CUR", "A MOO"]},
    ),
    Case(
        section=CLOSED,
        title="units do not cross a one-way border against its way",
        phase="S1901M",
        units={"RED": ["F CUR", "A MOO"]},
        orders={"RED": {"F CUR - WBY": "illegal", "A MOO - PEA": "illegal"}},
        after={"RED": ["F CUR", "A MOO"]},
    ),
    Case(
        section=CLOSED,
        title="over a one-way border there is no head-to-head battle",
        phase="S1901M",
        units={"RED": ["A PEA"], "BLUE": ["A MOO", "A HOM"]},
        orders={
            "RED": {"A PEA - MOO": "fails"},
            "BLUE": {"A MOO - PEA": "illegal", "A HOM S A MOO": "given"},
        },
        after={"RED": ["A PEA"], "BLUE": ["A MOO", "A HOM"]},
    ),
    Case(
        section=CLOSED,
        title="a unit supports along a one-way border its way alone",
        phase="S1901M",
        units={"RED": ["F WBY", "F CUR", "F EBY"]},
        orders={
            "RED": {"F WBY S F CUR": "given", "F CUR S F EBY": "given", "F EBY S F CUR": "illegal"}
        },
        after={"RED": ["F WBY", "F CUR", "F EBY"]},
    ),
    Case(
        section=CLOSED,
        title="no support reaches an attack up a one-way border",
        phase="S1901M",
        units={"RED": ["A VAL", "A MOO"], "BLUE": ["A PEA"]},
        orders={"RED": {"A VAL - PEA": "fails", "A MOO S A VAL - PEA": "illegal"}},
        after={"RED": ["A VAL", "A MOO"], "BLUE": ["A PEA"]},
    ),
    Case(
        section=CLOSED,
        title="an attack down a one-way border cuts a support",
        phase="S1901M",
        units={"RED": ["A HOM", "A MOO"], "BLUE": ["A PEA", "F WBY", "F CAN"]},
        orders={
            "RED": {"A HOM H": "dislodged", "A MOO S A HOM": "cut"},
            "BLUE": {
                "A PEA - MOO": "fails",
                "F WBY - HOM": "succeeds",
                "F CAN S F WBY - HOM": "given",
            },
        },
        after={"RED": ["*A HOM", "A MOO"], "BLUE": ["A PEA", "F HOM", "F CAN"]},
        retreats={"RED": {"A HOM": ["VAL"]}},
    ),
    Case(
        section=CLOSED,
        title="no unit retreats up a one-way border",
        phase="S1901M",
        units={"RED": ["A MOO"], "BLUE": ["F WBY", "A HOM"]},
        orders={
            "RED": {"A MOO H": "destroyed"},
            "BLUE": {"F WBY - MOO": "succeeds", "A HOM S F WBY - MOO": "given"},
        },
        after={"BLUE": ["F MOO", "A HOM"]},
    ),
    Case(
        section=CLOSED,
        title="fleets convoy down a one-way border",
        phase="S1901M",
        units={"RED": ["A HOM", "F WBY", "F CUR", "F EBY"]},
        orders={
            "RED": {
                "A HOM - FAR": "succeeds",
                "F WBY C A HOM - FAR": "available",
                "F CUR C A HOM - FAR": "available",
                "F EBY C A HOM - FAR": "available",
            }
        },
        after={"RED": ["A FAR", "F WBY", "F CUR", "F EBY"]},
    ),
    Case(
        section=CLOSED,
        title="fleets do not convoy up a one-way border",
        phase="S1901M",
        units={"RED": ["A FAR", "F WBY", "F CUR", "F EBY"]},
        orders={
            "RED": {
                "A FAR - HOM": "illegal",
                "F WBY C A FAR - HOM": "illegal",
                "F CUR C A FAR - HOM": "illegal",
                "F EBY C A FAR - HOM": "illegal",
            }
        },
        after={"RED": ["A FAR", "F WBY", "F CUR", "F EBY"]},
    ),
    Case(
        section=CLOSED,
        title="distances count along one-way borders",
        phase="W1901A",
        units={"BLUE": ["A HOM", "A MOO"]},
        asked={"centers": {"BLUE": ["FAR"]}},
        orders={},
        after={"BLUE": ["A HOM"]},
        removed=["A MOO"],
    ),
    Case(
        section=CLOSED,
        title="a border of armies is none of fleets",
        phase="S1901M",
        units={"RED": ["F HOM", "F WBY"]},
        orders={"RED": {"F HOM - MOO": "illegal", "F WBY - MOO": "succeeds"}},
        after={"RED": ["F HOM", "F MOO"]},
    ),
    Case(
        section=CLOSED,
        title="only an army supports over a border of armies",
        phase="S1901M",
        units={"RED": ["A HOM", "F WBY"], "BLUE": ["F MOO"]},
        orders={"RED": {"A HOM S F WBY - MOO": "given", "F WBY - MOO": "succeeds"}},
        after={"RED": ["A HOM", "F MOO"]},
    ),
    Case(
        section=CLOSED,
        title="a fleet does not support over a border of armies",
        phase="S1901M",
        units={"RED": ["F HOM", "F WBY"], "BLUE": ["F MOO"]},
        orders={"RED": {"F HOM S F WBY - MOO": "illegal", "F WBY - MOO": "fails"}},
        after={"RED": ["F HOM", "F WBY"], "BLUE": ["F MOO"]},
    ),
    Case(
        section=CLOSED,
        title="a border of fleets is none of armies, which come by convoy",
        phase="S1901M",
        units={"RED": ["A HOM"]},
        orders={"RED": {"A HOM - CAN": "illegal"}},
        after={"RED": ["A HOM"]},
    ),
)
CANALS_AND_COASTS = (
    Case(
        section=CANALS,
        title="fleets pass through a canal one after the other",
        phase="S1901M",
        units={"RED": ["F WBY", "F CAN"]},
        orders={"RED": {"F WBY - CAN": "succeeds", "F CAN - EBY": "succeeds"}},
        after={"RED": ["F CAN", "F EBY"]},
    ),
    Case(
        section=CANALS,
        title="no fleet passes through a canal in one move",
        phase="S1901M",
        units={"RED": ["F WBY"]},
        orders={"RED": {"F WBY - EBY": "illegal"}},
        after={"RED": ["F WBY"]},
    ),
    Case(
        section=CANALS,
        title="a fleet in a canal supports on both sides",
        phase="S1901M",
        units={"RED": ["F CAN", "F EBY"], "BLUE": ["F FAR", "F WBY"]},
        orders={
            "RED": {"F CAN S F EBY - FAR": "given", "F EBY - FAR": "succeeds"},
            "BLUE": {"F FAR H": "dislodged", "F WBY H": "stands"},
        },
        after={"RED": ["F CAN", "F FAR"], "BLUE": ["*F FAR", "F WBY"]},
        retreats={"BLUE": {"F FAR": ["PEN/SC"]}},
    ),
    Case(
        section=CANALS,
        title="a fleet convoys from a coast that convoys",
        phase="S1901M",
        units={"RED": ["A HOM", "F CAN"]},
        orders={"RED": {"A HOM - FAR": "succeeds", "F CAN C A HOM - FAR": "available"}},
        after={"RED": ["A FAR", "F CAN"]},
    ),
    Case(
        section=CANALS,
        title="a canal links the seas of a convoy",
        phase="S1901M",
        units={"RED": ["A MOO", "F WBY"], "BLUE": ["F CAN", "F EBY"]},
        orders={
            "RED": {"A MOO - PEN": "succeeds", "F WBY C A MOO - PEN": "available"},
            "BLUE": {"F CAN C A MOO - PEN": "available", "F EBY C A MOO - PEN": "available"},
        },
        after={"RED": ["A PEN", "F WBY"], "BLUE": ["F CAN", "F EBY"]},
    ),
    Case(
        section=CANALS,
        title="an army on a coast that convoys does not convoy",
        phase="S1901M",
        units={"RED": ["A HOM", "A CAN"]},
        orders={"RED": {"A HOM - FAR": "illegal", "A CAN C A HOM - FAR": "illegal"}},
        after={"RED": ["A HOM", "A CAN"]},
    ),
    Case(
        section=CANALS,
        title="a fleet on another coast does not convoy",
        phase="S1901M",
        units={"BLUE": ["A CAN", "F FAR"]},
        orders={"BLUE": {"A CAN - PEN": "illegal", "F FAR C A CAN - PEN": "illegal"}},
        after={"BLUE": ["A CAN", "F FAR"]},
    ),
    Case(
        section=CANALS,
        title="a convoy is disrupted where its fleet in the canal is dislodged by land",
        phase="S1901M",
        units={"RED": ["A HOM", "F CAN"], "BLUE": ["A FAR", "F EBY"]},
        orders={
            "RED": {"A HOM - FAR": "fails", "F CAN C A HOM - FAR": "disrupted dislodged"},
            "BLUE": {"A FAR - CAN": "succeeds", "F EBY S A FAR - CAN": "given"},
        },
        after={"RED": ["A HOM", "*F CAN"], "BLUE": ["A CAN", "F EBY"]},
        retreats={"RED": {"F CAN": ["WBY"]}},
    ),
    Case(
        section=CANALS,
        title="a convoy goes on by the other route if the canal is lost",
        phase="S1901M",
        units={"RED": ["A MOO", "F WBY", "F CAN", "F CUR", "F EBY"], "BLUE": ["A FAR", "F HOM"]},
        orders={
            "RED": {
                "A MOO - PEN": "succeeds",
                "F WBY C A MOO - PEN": "available",
                "F CAN C A MOO - PEN": "disrupted destroyed",
                "F CUR C A MOO - PEN": "available",
                "F EBY C A MOO - PEN": "available",
            },
            "BLUE": {"A FAR - CAN": "succeeds", "F HOM S A FAR - CAN": "given"},
        },
        after={"RED": ["A PEN", "F WBY", "F CUR", "F EBY"], "BLUE": ["A CAN", "F HOM"]},
    ),
    Case(
        section=CANALS,
        title="an army embarks on a coast that convoys, and lands on one",
        phase="S1901M",
        units={"RED": ["A CAN", "F WBY"], "BLUE": ["A PEN", "F EBY"]},
        orders={
            "RED": {"A CAN - MOO": "succeeds", "F WBY C A CAN - MOO": "available"},
            "BLUE": {"A PEN - CAN": "succeeds", "F EBY C A PEN - CAN": "available"},
        },
        after={"RED": ["A MOO", "F WBY"], "BLUE": ["A CAN", "F EBY"]},
    ),
    Case(
        section=CANALS,
        title="a convoyed army does not cut the support against its fleet in the canal",
        phase="S1901M",
        units={"RED": ["A HOM", "F CAN"], "BLUE": ["A FAR", "F EBY"]},
        orders={
            "RED": {"A HOM - FAR": "fails", "F CAN C A HOM - FAR": "disrupted dislodged"},
            "BLUE": {"A FAR S F EBY - CAN": "given", "F EBY - CAN": "succeeds"},
        },
        after={"RED": ["A HOM", "*F CAN"], "BLUE": ["A FAR", "F CAN"]},
        retreats={"RED": {"F CAN": ["WBY"]}},
    ),
    Case(
        section=CANALS,
        title="a fleet retreats from a canal to either side",
        phase="S1901M",
        units={"RED": ["F CAN"], "BLUE": ["A FAR", "F HOM"]},
        orders={"BLUE": {"A FAR - CAN": "succeeds", "F HOM S A FAR - CAN": "given"}},
        after={"RED": ["*F CAN"], "BLUE": ["A CAN", "F HOM"]},
        retreats={"RED": {"F CAN": ["EBY", "WBY"]}},
    ),
    Case(
        section=CANALS,
        title="a fleet is built in a canal by the power that can build there",
        phase="W1901A",
        units={},
        asked={"centers": {"BLUE": ["CAN"]}},
        orders={"BLUE": {"F CAN B": "succeeds"}},
        after={"BLUE": ["F CAN"]},
    ),
    Case(
        section=CANALS,
        title="no other power builds in a canal that it holds",
        phase="W1901A",
        units={},
        asked={"centers": {"RED": ["CAN", "HOM"]}},
        orders={"RED": {"F CAN B": "illegal", "A HOM B": "succeeds"}},
        after={"RED": ["A HOM"]},
    ),
)
OTHER_RULES = (
    Case(
        section=OTHERS,
        title="a province has three coasts, and a fleet goes to one that it reaches",
        phase="F1901M",
        units={"BLUE": ["F EBY"]},
        orders={"BLUE": {"F EBY - PEN/WC": "succeeds"}},
        after={"BLUE": ["F PEN/WC"]},
    ),
    Case(
        section=OTHERS,
        title="a fleet that reaches two of three coasts names the one that it goes to",
        phase="F1901M",
        units={"BLUE": ["F EBY"]},
        orders={"BLUE": {"F EBY - PEN": "illegal"}},
        after={"BLUE": ["F EBY"]},
    ),
    Case(
        section=OTHERS,
        title="a fleet that reaches one of three coasts goes there",
        phase="F1901M",
        units={"BLUE": ["F ICE"]},
        orders={"BLUE": {"F ICE - PEN": "succeeds"}},
        after={"BLUE": ["F PEN/NC"]},
    ),
    Case(
        section=OTHERS,
        title="a fleet that reaches one of three coasts supports to each",
        phase="F1901M",
        units={"BLUE": ["F FAR", "F ICE"], "RED": ["A PEN"]},
        orders={"BLUE": {"F FAR S F ICE - PEN/NC": "given", "F ICE - PEN/NC": "succeeds"}},
        after={"BLUE": ["F FAR", "F PEN/NC"]},
    ),
    Case(
        section=OTHERS,
        title="two fleets ordered to two of three coasts bounce",
        phase="F1901M",
        units={"BLUE": ["F ICE"], "RED": ["F EBY"]},
        orders={"BLUE": {"F ICE - PEN/NC": "fails"}, "RED": {"F EBY - PEN/WC": "fails"}},
        after={"BLUE": ["F ICE"], "RED": ["F EBY"]},
    ),
    Case(
        section=OTHERS,
        title="a fleet is built on one of three coasts that is named",
        phase="W1901A",
        units={},
        asked={"centers": {"BLUE": ["PEN"]}},
        orders={"BLUE": {"F PEN B": "fails", "F PEN/WC B": "succeeds"}},
        after={"BLUE": ["F PEN/WC"]},
    ),
    Case(
        section=OTHERS,
        title="no unit enters an impassable province",
        phase="S1901M",
        units={"RED": ["A VAL"]},
        orders={"RED": {"A VAL - MAR": "illegal"}},
        after={"RED": ["A VAL"]},
    ),
    Case(
        section=OTHERS,
        title="an army leaves an island by convoy alone",
        phase="F1901M",
        units={"RED": ["A ISL"]},
        orders={"RED": {"A ISL - PEN": "illegal"}},
        after={"RED": ["A ISL"]},
    ),
    Case(
        section=OTHERS,
        title="of units equally far, fleets are removed first, then by the names of the board",
        phase="W1901A",
        units={"BLUE": ["A PEA", "A CAN", "F EBY"]},
        asked={"centers": {"BLUE": ["FAR"]}},
        orders={},
        after={"BLUE": ["A PEA"]},
        removed=["F EBY", "A CAN"],
    ),
)
CASES = (*CLOSED_BORDERS, *ONE_WAY_AND_KINDS, *CANALS_AND_COASTS, *OTHER_RULES)


Answer = Mapping[str, Any]


def answer_to(case: Case, *options: str) -> Answer:
    """Return what `judge adjudicate` answers to *case*."""
    done = CliRunner().invoke(adjudicate, [*options], input=json.dumps(case.question))
    assert done.exit_code == 0, done.output
    answer: Answer = json.loads(done.stdout)
    return answer


def results_in(answer: Answer) -> Mapping[str, Mapping[str, str]]:
    return {
        power: {each["order"]: " ".join(each["result"]) for each in several}
        for power, several in answer["results"].items()
    }


@pytest.fixture(scope="module")
def _variants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have the board in the operator's own folder of variants."""
    folder = tmp_path_factory.mktemp("variants")
    (folder / "narrows").mkdir()
    for name, text in NARROWS.items():
        (folder / "narrows" / name).write_text(text)
    use_own_variants(folder)
    yield
    use_own_variants(None)


def test_the_board_of_the_cases_is_sound() -> None:
    assert check_variant(NARROWS)[1] == []


@pytest.mark.usefixtures("_variants")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_comes_out_as_expected(case: Case) -> None:
    answer = answer_to(case)

    assert results_in(answer) == case.orders
    after = answer["next"]
    assert {power: sorted(units) for power, units in after["units"].items() if units} == {
        power: sorted(units) for power, units in case.after.items()
    }
    assert after.get("retreats", {}) == case.retreats
    assert [each["unit"] for each in answer["removed"]] == [*case.removed]


@pytest.mark.usefixtures("_variants")
def test_a_removal_is_explained_by_the_borders_that_are_open() -> None:
    (flooded,) = [case for case in CASES if case.removed == ["A MOO"] and "RED" in case.units]

    (removal,) = answer_to(flooded, "--explain")["removed"]

    assert "2 steps" in removal["reason"]["says"]


def test_a_position_has_no_retreats_over_a_border_that_is_closed() -> None:
    board = read_map(NARROWS)
    told = {"units": {"RED": ["*A VAL"]}, "dislodged": {"RED": {"A VAL": {"from": "FAR"}}}}

    spring, fall = (
        read_position(board, {"phase": phase, **told}, DATC) for phase in ("S1901R", "F1901R")
    )

    assert [each.retreats for each in spring.dislodged] == [("HOM", "PEA")]
    assert [each.retreats for each in fall.dislodged] == [("HOM",)]
