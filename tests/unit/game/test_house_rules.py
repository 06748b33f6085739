"""House rules as an operator writes them, the log holds them and the handbook tells them."""

from __future__ import annotations

import re
from dataclasses import Field, fields
from enum import Enum
from pathlib import Path

import pytest

from judge.game.house_rules import (
    STANDARD,
    TEMPLATES,
    AfterDeadline,
    HouseRules,
    Nmr,
    Press,
    SeveralRulebooksError,
    UnknownHouseRuleError,
    as_text,
    choose_rules,
    from_pairs,
    from_payload,
    to_payload,
)
from judge.rules.rulebook import DATC, rulebook_named

PAGE = Path(__file__).parents[3] / "docs" / "gamemasters.md"
HANDBOOK = PAGE.read_text(encoding="utf-8")
UNLIKE_STANDARD = HouseRules(
    zone="Europe/Berlin",
    closed_weekdays=(),
    movement_hours=24,
    early_closing=False,
    after_deadline=AfterDeadline.OPEN,
    nmr=Nmr.HOLD,
    press=Press.NONE,
)


def test_an_operator_writes_them_as_pairs() -> None:
    pairs = ["zone=Europe/Berlin", "closed_weekdays=", "movement_hours = 24", "early_closing=no"]

    assert from_pairs([*pairs, "after_deadline=open", "nmr=hold", "press=none"]) == UNLIKE_STANDARD


def test_several_days_or_hours_stand_between_commas() -> None:
    assert from_pairs(["reminder_hours=48,24,4"]).reminder_hours == (48, 24, 4)


def test_an_empty_closing_time_is_none() -> None:
    assert from_pairs(["closing_time="]).closing_time == ""


def test_a_template_sets_them_all() -> None:
    assert from_pairs(["template=rulebook", "grace_hours=12"]) == HouseRules(
        press=Press.RULEBOOK, grace_hours=12
    )
    assert from_pairs(["template=standard"]) == STANDARD


@pytest.mark.parametrize(
    "pair",
    [
        "grace=12",
        "grace_hours=soon",
        "early_closing=maybe",
        "press=grey",
        "template=quick",
        "closed_weekdays=Sunday",
        "__class__=int",
        "press",
    ],
)
def test_what_is_no_house_rule_or_no_value_is_said(pair: str) -> None:
    with pytest.raises(UnknownHouseRuleError, match=re.escape(repr(pair))):
        from_pairs([pair])


@pytest.mark.parametrize("rules", [STANDARD, UNLIKE_STANDARD])
def test_the_log_gives_back_what_it_was_given(rules: HouseRules) -> None:
    assert from_payload(to_payload(rules)) == rules


def test_a_rule_that_is_younger_than_the_log_has_its_default() -> None:
    assert from_payload({"grace_hours": 12}) == HouseRules(grace_hours=12)


@pytest.mark.parametrize("rule", fields(HouseRules), ids=lambda rule: rule.name)
def test_the_handbook_has_each_rule_with_its_default_and_its_choices(rule: Field[object]) -> None:
    default = getattr(STANDARD, rule.name)
    found = re.search(rf"^\| `{rule.name}` \| `(.*?)` \| (.*) \|$", HANDBOOK, re.MULTILINE)
    choices = [each.value for each in type(default)] if isinstance(default, Enum) else []

    assert found, f"docs/gamemasters.md has no row for {rule.name}"
    assert from_pairs([f"{rule.name}={found[1].strip()}"]) == STANDARD
    assert all(f"`{choice}`" in found[0] for choice in choices)


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_handbook_has_each_template(template: str) -> None:
    assert f"`{template}`" in HANDBOOK


def test_the_law_is_written_among_them_and_no_template_sets_it() -> None:
    template = TEMPLATES["rulebook"]

    assert choose_rules(["rulebook=datc,via_without_convoy=land", "template=rulebook"]) == (
        template,
        rulebook_named("datc,via_without_convoy=land"),
    )
    assert choose_rules([]) == (STANDARD, DATC)


def test_the_law_may_be_said_twice_and_not_in_two_ways() -> None:
    assert choose_rules([" rulebook = 1982"], "1982") == (STANDARD, rulebook_named("1982"))
    with pytest.raises(SeveralRulebooksError, match="not several: 1982 and datc"):
        choose_rules(["rulebook=1982"], "datc")


def test_the_handbook_has_the_law_with_its_default() -> None:
    found = re.search(r"^\| `rulebook` \| `(.*?)` \|.*`(datc,.*?)`", HANDBOOK, re.MULTILINE)

    assert found
    assert choose_rules([f"rulebook={found[1]}"]) == choose_rules([])
    assert choose_rules([f"rulebook={found[2]}"]) != choose_rules([])


def test_rules_are_shown_as_they_are_written() -> None:
    shown = as_text(UNLIKE_STANDARD)

    assert from_pairs(f"{name}={text}" for name, text in shown.items()) == UNLIKE_STANDARD
