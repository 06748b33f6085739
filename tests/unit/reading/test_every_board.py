"""On every board, plain sentences in four languages give the order meant, and never another.

Everyday words are codes of provinces on many boards: `the` on three, `aus` on five, `mon` on nine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from judge.adapters.variant_files import load_map, variants
from judge.notation.order_text import write_order
from judge.reading.policy import Status
from judge.reading.reader import read_text
from judge.reading.world import World, world_of
from judge.rules.board import Map
from judge.rules.types import PhaseKind, Province, Unit, UnitKind, province_of
from tests.support.selection import one_in

UNITS_EACH, TARGETS_EACH = 1, 2
UNDERSTOOD_MIN = 0.9  # with offers; `Washington D+C` and the like are asked about
SENTENCES = {
    "en": (
        *(
            "The {kind} in {start} moves to {end}.",
            "{start} goes to {end}.",
            "I send my {kind} from {start} to {end}.",
        ),
        *("The {kind} in {start} holds.", "{helper} supports {start} to {end}."),
        "{start} attacks {end}, supported by {helper}.",
    ),
    "de": (
        *("Die {kind} in {start} geht nach {end}.", "Die {kind} aus {start} zieht nach {end}."),
        *("{start} bleibt stehen.", "{helper} unterstützt den Angriff von {start} auf {end}."),
        "{start} greift {end} an, unterstützt von {helper}.",
    ),
    "fr": (
        *("Mon {kind} en {start} attaque {end}.", "{start} va en {end}.", "{start} tient."),
        "{start} attaque {end}, soutenue par {helper}.",
    ),
    "nl": (
        *("Mijn {kind} in {start} gaat naar {end}.", "{start} trekt naar {end}."),
        *("{start} houdt.", "{start} valt {end} aan, gesteund door {helper}."),
    ),
}
KINDS = {
    "en": {UnitKind.ARMY: "army", UnitKind.FLEET: "fleet"},
    "de": {UnitKind.ARMY: "Armee", UnitKind.FLEET: "Flotte"},
    "fr": {UnitKind.ARMY: "armée", UnitKind.FLEET: "flotte"},
    "nl": {UnitKind.ARMY: "leger", UnitKind.FLEET: "vloot"},
}
HOLDS = ("holds", "bleibt", "tient", "houdt")


@dataclass(frozen=True)
class Sentence:
    """A sentence and the orders it means."""

    text: str
    meant: frozenset[str]


@pytest.mark.parametrize("name", one_in(5, variants()))
def test_plain_sentences_are_orders_on_every_board(name: str) -> None:
    board = load_map(name)
    understood = meant = 0
    for power in board.players:
        here = world_of(board, board.start, power)
        for sentence in sentences(board, here):
            found = read_text(sentence.text, here).orders
            plain = {write_order(each.order) for each in found if each.status is Status.PLAIN}
            shown = {write_order(order) for each in found for order in each.orders}
            assert plain <= sentence.meant, sentence.text
            understood += len(sentence.meant & shown)
            meant += len(sentence.meant)

    assert understood >= UNDERSTOOD_MIN * meant


def sentences(board: Map, here: World) -> Iterator[Sentence]:
    if here.kind is not PhaseKind.MOVEMENT:
        return
    for unit in list(here.own.values())[:UNITS_EACH]:
        for end in targets(board, unit)[:TARGETS_EACH]:
            helpers = (u for u in here.own.values() if u is not unit and end in targets(board, u))
            helper = next(helpers, None)
            for language, forms in SENTENCES.items():
                for form in forms:
                    if helper or "{helper}" not in form:
                        yield sentence(board, language, form, unit, end, helper)


def targets(board: Map, unit: Unit) -> list[Province]:
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    near = {province_of(each) for each in borders.get(unit.location, ())}
    return sorted(each for each in near if not board.coasts_of(each))


def sentence(
    board: Map, language: str, form: str, unit: Unit, end: Province, helper: Unit | None
) -> Sentence:
    text = form.format(
        kind=KINDS[language][unit.kind],
        start=name_of(board, language, unit.province),
        end=name_of(board, language, end),
        helper=name_of(board, language, helper.province) if helper else "",
    )
    move = f"{unit} - {end}"
    if any(word in form for word in HOLDS):
        return Sentence(text, frozenset({f"{unit} H"}))
    if helper is None or "{helper}" not in form:
        return Sentence(text, frozenset({move}))
    help_ = f"{helper} S {move}"
    alone = form.startswith("{helper}")
    return Sentence(text, frozenset({help_} if alone else {move, help_}))


def name_of(board: Map, language: str, place: Province) -> str:
    tongue = board.tongues.get(language)
    return (
        tongue.places[place]["name"]
        if tongue and place in tongue.places
        else board.places[place].name
    )


@pytest.mark.parametrize(
    ("power", "text", "orders"),
    [
        (
            "EUROPE",
            "F Fra - Spa, Deutschland nach Polen, Italien ins Mittelmeer",
            ["F FRA/NC - SPA", "A GER - POL", "F ITA - MED"],
        ),
        (
            "KENYA",
            "Uganda nach Zaire, Tansania nach Mosambik, Kenia nach Äthiopien",
            ["A UGA - ZAI", "F TAN - MOZ", "A KEN - ETH"],
        ),
        (
            "LIBYA",
            "Libye va au Tchad, l'Égypte en Méditerranée et le Soudan du Nord en Éthiopie",
            ["A LIB - CHA", "F EGY - MED", "A NSU - ETH"],
        ),
        (
            "CHINA",
            "Peking nach Korea, Kanton ins Südchinesische Meer, Schanghai hält",
            ["A BEI - KOR", "F GUA - SCS", "A SHA H"],
        ),
        (
            "QUEBEC",
            "Terre-Neuve vers la mer du Labrador, l'Ontario à Manitoba",
            ["F NEW - LSE", "F ONT - MAN"],
        ),
    ],
)
def test_places_all_over_the_world_have_their_names(
    power: str, text: str, orders: list[str]
) -> None:
    board = load_map("world")

    found = read_text(text, world_of(board, board.start, power))

    assert [write_order(each.order) for each in found.orders] == orders
