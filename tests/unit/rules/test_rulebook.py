"""A rulebook is found by name, and stored by the names of its choices."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from judge.rules.questions import Repeated
from judge.rules.rulebook import (
    DATC,
    Rulebook,
    UnknownRulebookError,
    from_payload,
    name_of,
    named,
    to_payload,
)


def test_the_default_is_the_preferences_of_datc() -> None:
    assert named("datc") is named("DATC") is DATC == Rulebook()


def test_a_rulebook_knows_its_name() -> None:
    assert name_of(DATC) == "datc"
    assert name_of(replace(DATC, orders_for_one_unit=Repeated.NONE)) == "custom"


def test_an_unknown_rulebook_is_refused() -> None:
    with pytest.raises(UnknownRulebookError, match="1959"):
        named("1959")


def test_every_question_has_its_number() -> None:
    assert all("4." in (type(getattr(DATC, each.name)).__doc__ or "") for each in fields(DATC))


def test_a_stored_rulebook_comes_back() -> None:
    last = replace(DATC, orders_for_one_unit=Repeated.LAST)

    assert to_payload(last)["orders_for_one_unit"] == "last"
    assert from_payload(to_payload(last)) == last


def test_a_question_not_yet_asked_then_has_the_answer_of_datc() -> None:
    assert from_payload({}) == DATC


@pytest.mark.parametrize("payload", [{"excess_builds": "all"}, {"weather": "sunny"}])
def test_what_this_version_does_not_know_is_refused(payload: dict[str, str]) -> None:
    with pytest.raises(UnknownRulebookError):
        from_payload(payload)
