"""XII.5: a convoyed army does not cut the support of an attack on its own convoy."""

from __future__ import annotations

from judge.rules.rulebook import Rulebook
from tests.rulebook.examples import comes_out

ORDERS = {
    "FRANCE": {
        "A Spa-Nap": "fails",
        "F Lyo C A Spa-Nap": "available",
        "F Tys C A Spa-Nap": "disrupted, dislodged",
    },
    "ITALY": {"F Ion-Tys": "succeeds", "F Nap S F Ion-Tys": "given"},
}


def test_the_support_is_not_cut_and_the_convoy_is_broken(rulebook: Rulebook) -> None:
    comes_out(rulebook, ORDERS)


def test_an_army_that_arrives_all_the_same_cuts_the_support_there(rulebook: Rulebook) -> None:
    comes_out(
        rulebook,
        {
            "FRANCE": {
                "A Spa-Nap": "fails",
                "F Lyo C A Spa-Nap": "available",
                "F Tys C A Spa-Nap": "available",
            },
            "ITALY": {"F Nap S A Apu-Rom": "cut", "A Apu-Rom": "fails"},
            "AUSTRIA": {"A Ven-Rom": "fails"},
        },
    )
