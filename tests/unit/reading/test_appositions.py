"""Words beside a name that only say which unit it is, and words that keep a unit from moving."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.position_json import read_position
from judge.notation.order_text import write_order
from judge.reading.reader import read_text
from judge.reading.world import world_of
from judge.rules.rulebook import DATC

BOARD = load_map()
MOVEMENT = {
    "phase": "F1904M",
    "units": {
        "GERMANY": ["A MUN", "A RUH", "A KIE", "F HOL", "F DEN", "F NTH", "A YOR"],
        "RUSSIA": ["F SWE"],
    },
}
RETREAT = {
    "phase": "S1904R",
    "units": {"GERMANY": ["*F NTH"]},
    "retreats": {"GERMANY": {"F NTH": ["YOR", "NWG"]}},
}
REMOVALS = {
    "phase": "W1904A",
    "units": {"GERMANY": ["A MUN", "A RUH", "A KIE"]},
    "centers": {"GERMANY": ["MUN"]},
}
BUILDS = {
    "phase": "W1904A",
    "units": {"GERMANY": ["A RUH"]},
    "centers": {"GERMANY": ["KIE", "MUN", "BEL"]},
}
FLEETS_HOLD = {"F HOL H", "F DEN H"}
CROSSES = {"A YOR - HOL", "F NTH C A YOR - HOL"}


def plain(at: Mapping[str, object], text: str) -> set[str]:
    position = read_position(BOARD, at, DATC)
    orders = read_text(text, world_of(BOARD, position, "GERMANY")).plain()
    return {write_order(each).removesuffix(" VIA") for each in orders}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Munich. That's an army, it goes to Burgundy.", {"A MUN - BUR"}),
        (
            "Am wichtigsten ist München. Das ist eine Armee, sie geht nach Burgund.",
            {"A MUN - BUR"},
        ),
        ("Munich, c'est une armée, elle va en Bourgogne.", {"A MUN - BUR"}),
        ("Dann Holland, da steht eine Flotte, die fährt nach Belgien.", {"F HOL - BEL"}),
        ("La Hollande, là il y a une flotte, elle va en Belgique.", {"F HOL - BEL"}),
        ("In Holland habe ich eine Flotte, die geht nach Belgien.", {"F HOL - BEL"}),
        ("Le Danemark tient. Il a une flotte en Suède.", {"F DEN H"}),
        ("Both fleets (Holland and Denmark) hold.", FLEETS_HOLD),
        ("Beide Flotten, die in Holland und die in Dänemark, bleiben stehen.", FLEETS_HOLD),
        (
            "The two armies, Munich and Ruhr, support each other.",
            {"A MUN S A RUH", "A RUH S A MUN"},
        ),
        ("Munich uh Munich goes to Burgundy", {"A MUN - BUR"}),
        ("The fleet in Denmrk, sorry, Denmark, goes to Sweden.", {"F DEN - SWE"}),
        (
            "Munich attacks Burgundy with the help of the army that is in the Ruhr.",
            {"A MUN - BUR", "A RUH S A MUN - BUR"},
        ),
        ("Yorkshire geht nach Holland. Die Nordsee geleitet diese Armee nach Holland.", CROSSES),
        (
            "The North Sea fleet sails to Norway, the other one stays in Holland.",
            {"F NTH - NWY", "F HOL H"},
        ),
        ("Yorkshire takes ship to Holland, courtesy of the fleet in the North Sea.", CROSSES),
        (
            "Munich, Ruhr, Holland hold, Kiel goes to Berlin once the others have moved out.",
            {"A MUN H", "A RUH H", "F HOL H", "A KIE - BER"},
        ),
        (
            "Denmark attacks Sweden at the same time. That should keep Igor's fleet there busy.",
            {"F DEN - SWE"},
        ),
        ("Denmark holds, I told Jo I'd leave Sweden alone.", set()),
        ("The fleet in Denmark I leave in Denmark.", {"F DEN H"}),
        ("Die Flotte in Dänemark lasse ich in Dänemark.", {"F DEN H"}),
        ("Munich et Kiel : rien. Le Danemark aussi : rien.", {"A MUN H", "A KIE H", "F DEN H"}),
        ("Munich isn't going to Burgundy. It holds. Ruhr goes there.", {"A MUN H", "A RUH - BUR"}),
        ("Munich will be hit from Burgundy and Bohemia. Kiel holds.", {"A KIE H"}),
        (
            "Mit München will ich nach Burgund, die Ruhr soll helfen.",
            {"A MUN - BUR", "A RUH S A MUN - BUR"},
        ),
        (
            "Munich stays with Ruhr minding its back, Kiel ditto.",
            {"A MUN H", "A RUH S A MUN", "A KIE H"},
        ),
        ("Holland und Dänemark stützen sich.", set()),
        ("Les flottes de l'est se soutiennent. Munich tient.", {"A MUN H"}),
    ],
)
def test_what_tells_of_a_unit_orders_nothing_else(text: str, meant: set[str]) -> None:
    assert plain(MOVEMENT, text) == meant


@pytest.mark.parametrize(
    ("at", "text", "meant"),
    [
        (MOVEMENT, "Munich to Burgundy I don't like.", set()),
        (MOVEMENT, "Nach Burgund gehe ich mit München nicht.", set()),
        (MOVEMENT, "In Dänemark ist seit zwei Jahren nichts passiert.", set()),
        (RETREAT, "To Yorkshire or to the Norwegian Sea it shall not go.", set()),
        (
            RETREAT,
            "Nach Yorkshire oder ins Nordmeer gehe ich nicht. Lös sie bitte auf.",
            {"F NTH D"},
        ),
        (
            REMOVALS,
            "Kiel and Ruhr disband. I keep the other one, above all Munich.",
            {"A KIE D", "A RUH D"},
        ),
        (REMOVALS, "Je garde les autres, surtout l'armée de Munich. Kiel disparaît.", {"A KIE D"}),
        (
            BUILDS,
            "Je n'en fais qu'une : une flotte à Kiel. L'autre, je la passe.",
            {"F KIE B", "WAIVE"},
        ),
    ],
)
def test_what_is_refused_or_kept_is_not_ordered(
    at: Mapping[str, object], text: str, meant: set[str]
) -> None:
    assert plain(at, text) == meant
