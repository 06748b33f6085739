"""Order sets, standing orders and proxies as JSON become orders."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.json_adjudication import adjudicate_question, read_order_texts, read_question
from judge.archive.json_input import MalformedError
from judge.archive.position_json import read_position
from judge.rules.rule_options import ImpliedOrders, ProxyOrders, StandingOrders
from judge.rules.rulebook import DATC, Rulebook

BOARD = load_map()
UNITS = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A MAR", "A PAR"], "GERMANY": ["A MUN"]},
}


def written(source: Mapping[str, object], rulebook: Rulebook = DATC) -> dict[str, list[str]]:
    whole = {**UNITS, **source}
    read = read_order_texts(BOARD, whole, read_position(BOARD, whole, rulebook), rulebook)
    return {power: list(texts) for power, texts in read.items()}


def leave(by: str = "FRANCE", granted: str = "announced") -> dict[str, str]:
    return {"by": by, "granted": granted}


def test_plain_orders_stay_as_they_are_written() -> None:
    assert written({"orders": {"FRANCE": ["a par - bur"]}}) == {"FRANCE": ["a par - bur"]}


def test_the_last_of_several_sets_is_answered() -> None:
    sets = [{"orders": ["A PAR H", "A MAR H"]}, {"orders": ["A PAR - BUR"]}]

    judged = adjudicate_question(BOARD, read_question(BOARD, UNITS | {"sets": {"FRANCE": sets}}))

    assert [each["order"] for each in judged["results"]["FRANCE"]] == ["A PAR - BUR"]  # type: ignore[index] # the answer is JSON


def test_orders_that_do_not_stand_are_listed() -> None:
    contradicting = [["A PAR H", "A MAR - SPA"], ["A PAR - BUR", "A MAR - SPA"]]
    replaced = [{"orders": ["A MUN H"]}, {"orders": ["A MUN - RUH"]}]
    handed_in = {"unsequenced": {"FRANCE": contradicting}, "sets": {"GERMANY": replaced}}

    judged = adjudicate_question(BOARD, read_question(BOARD, UNITS | handed_in))

    assert judged["dropped"] == {"FRANCE": ["A PAR H", "A PAR - BUR"], "GERMANY": ["A MUN H"]}
    assert "dropped" not in adjudicate_question(BOARD, read_question(BOARD, UNITS))


def test_a_set_may_say_that_the_earlier_ones_stand() -> None:
    sets = [
        {"orders": ["A PAR H", "A MAR H"]},
        {"orders": ["A PAR - BUR"], "earlier": "stand"},
    ]

    assert written({"sets": {"FRANCE": sets}}) == {"FRANCE": ["A MAR H", "A PAR - BUR"]}


def test_sets_without_sequence_are_merged() -> None:
    sets = [["A PAR H"], ["A MAR H"]]

    assert written({"unsequenced": {"FRANCE": sets}}) == {"FRANCE": ["A PAR H", "A MAR H"]}


def test_standing_orders_and_proxies_count_if_the_rulebook_allows_them() -> None:
    source = {
        "orders": {"FRANCE": ["A MUN - BUR"]},
        "standing": {"FRANCE": ["A PAR H"]},
        "proxies": {"GERMANY": {"MUN": {"by": "FRANCE", "granted": "announced"}}},
    }
    lenient = Rulebook(standing_orders=StandingOrders.ALLOWED, proxy_orders=ProxyOrders.ANNOUNCED)

    assert written(source) == {"FRANCE": ["A MUN - BUR"]}
    assert written(source, lenient) == {"FRANCE": ["A PAR H"], "GERMANY": ["A MUN - BUR"]}


def test_implied_orders_need_no_key() -> None:
    source = {"orders": {"FRANCE": ["A MAR S A PAR - BUR"]}}
    lenient = Rulebook(implied_orders=ImpliedOrders.ALLOWED)

    assert written(source, lenient) == {"FRANCE": ["A MAR S A PAR - BUR", "A PAR - BUR"]}


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ({"sets": {"FRANCE": [{}]}, "orders": {"FRANCE": []}}, "FRANCE: is in more than one of"),
        ({"sets": {"FRANCE": []}, "unsequenced": {"FRANCE": []}}, "FRANCE: is in more than one"),
        ({"sets": {"FRANCE": {}}}, "sets of FRANCE: must be a list"),
        ({"sets": {"FRANCE": ["A PAR H"]}}, "a set of FRANCE: must be an object"),
        ({"sets": {"FRANCE": [{"earlier": "burn"}]}}, "burn: must be one of unsaid, stand, repl"),
        ({"unsequenced": {"FRANCE": ["A PAR H"]}}, "unsequenced of FRANCE: must be a list of te"),
        ({"unsequenced": {"FRANCE": [["A PAR"]]}}, "A PAR: cannot be read as an order"),
        ({"standing": {"CHINA": []}}, "CHINA: not a power"),
        ({"proxies": {"GERMANY": {"XXX": {}}}}, "by: must be a text"),
        ({"proxies": {"GERMANY": {"XXX": leave()}}}, "XXX: not a province"),
        ({"proxies": {"GERMANY": {"MUN": leave(by="CHINA")}}}, "CHINA: not a power"),
        ({"proxies": {"GERMANY": {"MUN": leave(granted="not_allowed")}}}, "not_allowed: must be"),
    ],
)
def test_malformed_input_is_an_error(source: dict[str, object], complaint: str) -> None:
    with pytest.raises(MalformedError, match=complaint):
        written(source)
