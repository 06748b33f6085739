"""The DATC's outcomes for other choices than its own hold under the choice they name.

An alternative has what *changes* in the words of the case, by order, and the board that comes of
it; `also` are further choices of which the same is said. Where the default coast is not the DATC's
affair, it is that of our board.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.rulebook import Rulebook, with_choices
from tests.datc.cases_file import (
    Case,
    cases_of_other_editions,
    cases_of_the_edition,
    expected,
    law_of,
    orders_of,
    phases_of,
    played,
    position_of,
    told,
)

BOARD = load_map()
CASES = {**cases_of_the_edition(), **cases_of_other_editions()}
ALTERNATIVES = [(case, each) for case in CASES.values() for each in case.get("otherwise", ())]
CHOICES = [
    pytest.param(case, alternative, choice, id=f"{case['id']} {','.join(choice.values())}")
    for case, alternative in ALTERNATIVES
    for choice in [alternative["choice"], *alternative.get("also", ())]
]
BOARD_FACTS = ("after", "removed", "disbanded")
SZYKMAN = {"convoy_paradoxes": ConvoyParadoxes.SZYKMAN}


def test_no_alternative_is_missing() -> None:
    assert len(ALTERNATIVES) == 97
    assert len(CHOICES) == 97 + 51


@pytest.mark.parametrize(("case", "alternative", "choice"), CHOICES)
def test_comes_out_as_the_datc_says_of_the_choice(
    case: Case, alternative: Case, choice: Mapping[str, str]
) -> None:
    rulebook = law_of({**case.get("rules", {}), **choice})

    if "undecided" in alternative:
        is_undecided(case, rulebook)
    else:
        comes_out(case, alternative, rulebook)


def is_undecided(case: Case, rulebook: Rulebook) -> None:
    """The rule gives no answer, which is reported, and Szykman's rule applies."""
    position, orders = position_of(case), orders_of(case)
    result = adjudicate(BOARD, position, orders, rulebook)
    szykman = adjudicate(BOARD, position, orders, with_choices(rulebook, SZYKMAN))

    assert any(each.stood_in for each in result.paradoxes)
    assert told(position, result) == told(position, szykman)


def comes_out(case: Case, alternative: Case, rulebook: Rulebook) -> None:
    otherwise = changed(case, alternative["changes"])
    facts, phases = list(played(otherwise, rulebook)), phases_of(otherwise)
    board = expected({**phases[-1], **alternative})

    assert [each["results"] for each in facts] == [expected(each)["results"] for each in phases]
    assert [facts[-1][name] for name in BOARD_FACTS] == [board[name] for name in BOARD_FACTS]


def changed(case: Case, changes: Mapping[str, str | None]) -> Case:
    """Return *case* with the words that *changes* has for its orders, in both its phases.

    An order that has none any more is not given: its unit was not dislodged.
    """
    orders = {
        power: [(text, changes.get(text, words)) for text, words in several]
        for power, several in case["orders"].items()
    }
    given = {power: [each for each in several if each[1]] for power, several in orders.items()}
    later = {"then": changed(case["then"], changes)} if "then" in case else {}
    return {**case, "orders": given, **later}
