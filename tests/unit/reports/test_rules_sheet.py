"""The rules sheet: a sentence for each house rule and for each change of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import timedelta
from enum import Enum
from types import MappingProxyType

import pytest

from judge.game.house_rules import HOUR, MINUTE, HouseRules, Nmr
from judge.reports.emails import game_news, game_start
from judge.reports.render import render
from tests.unit.reports.samples import BOARD, CODE, game

# Rules that count only with another rule set.
UNDER: Mapping[str, Mapping[str, object]] = MappingProxyType(
    {"nmr_extension_hours": {"nmr": Nmr.EXTEND}, "reveal": {"anonymous": True}}
)
OTHER: Mapping[str, object] = MappingProxyType(
    {
        "zone": "Europe/Berlin",
        "closed_weekdays": (5,),
        "reminder_hours": (12 * HOUR,),
        "ends_at": "2026-12-04T23:00",
    }
)


def sheet(rules: HouseRules) -> str:
    moderated = replace(game(house_rules=rules), moderator="carla")
    told = game_start.rules_sheet(BOARD, moderated, judge_code=CODE)
    return " ".join(render(told).text.split())


def others(name: str, value: object) -> tuple[object, ...]:
    """Return values of the rule *name* other than *value*."""
    match value:
        case bool():
            return (not value,)
        case Enum():
            return tuple(each for each in type(value) if each is not value)
        case int():
            return (value + 1,)
        case timedelta():
            return (value + HOUR, value + 15 * MINUTE)
        case _:
            return (OTHER.get(name, "24 Dec"),)


@pytest.mark.parametrize("name", [rule.name for rule in fields(HouseRules)])
def test_every_rule_has_a_sentence(name: str) -> None:
    rules = replace(HouseRules(), **UNDER.get(name, {}))  # type: ignore[arg-type]  # by name

    for other in others(name, getattr(rules, name)):
        changed = replace(rules, **{name: other})  # type: ignore[arg-type]  # by name
        assert sheet(changed) != sheet(rules)


def changed(before: HouseRules, after: HouseRules) -> str:
    told = game_news.rules_changed(before, after, "datc")
    return " ".join(
        render(game_news.game_news(BOARD, game(), "FRANCE", told, judge_code=CODE)).text.split()
    )


def test_a_change_is_described_in_the_sentences_of_the_sheet() -> None:
    told = changed(HouseRules(), HouseRules(grace_hours=12 * HOUR, listed=False))

    new, _, gone = told.partition("Rules no longer in force:")
    assert "New rules:" in new
    assert "without orders 12 hours after the deadline" in new
    assert "without orders 24 hours after the deadline" in gone
    assert "grace_hours" not in told


def test_a_change_that_counts_only_under_another_rule_is_described_by_its_name() -> None:
    told = changed(HouseRules(), HouseRules(nmr_extension_hours=12 * HOUR))

    assert "- nmr_extension_hours: 24, now 12" in told
