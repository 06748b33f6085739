"""House rules: parsing, templates, storage in the log, and their table in the handbook."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import Field, fields, replace
from datetime import timedelta
from enum import Enum
from pathlib import Path

import pytest

from judge.event_log import Value
from judge.game.calendar import is_sound
from judge.game.house_rules import (
    HOUR,
    MINUTE,
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
    default_closing_time,
    from_pairs,
    from_payload,
    read_duration,
    standard_rules,
    to_payload,
    with_suggested,
    write_duration,
)
from judge.rules.rulebook import DATC, Rulebook, rulebook_named

PAGE = Path(__file__).parents[3] / "docs" / "gamemasters.md"
HANDBOOK = PAGE.read_text(encoding="utf-8")
UNLIKE_STANDARD = HouseRules(
    zone="Europe/Berlin",
    closed_weekdays=(),
    movement_hours=24 * HOUR,
    early_closing=False,
    after_deadline=AfterDeadline.OPEN,
    nmr=Nmr.HOLD,
    press=Press.NONE,
)


def test_house_rules_are_written_as_pairs() -> None:
    pairs = ["zone=Europe/Berlin", "closed_weekdays=", "movement_hours = 24", "early_closing=no"]

    assert from_pairs([*pairs, "after_deadline=open", "nmr=hold", "press=none"]) == UNLIKE_STANDARD


def test_several_days_or_hours_are_separated_by_commas() -> None:
    reminders = from_pairs(["reminder_hours=48,24,4"]).reminder_hours

    assert reminders == (48 * HOUR, 24 * HOUR, 4 * HOUR)


def test_an_empty_closing_time_is_none() -> None:
    assert from_pairs(["closing_time="]).closing_time == ""


def test_a_template_sets_them_all() -> None:
    assert from_pairs(["template=rulebook", "grace_hours=12"]) == HouseRules(
        press=Press.RULEBOOK, grace_hours=12 * HOUR
    )
    assert from_pairs(["template=standard"]) == STANDARD


@pytest.mark.parametrize(
    "pair",
    [
        "grace=12",
        "grace_hours=soon",
        "absence_days=many",
        "early_closing=maybe",
        "press=grey",
        "template=quick",
        "closed_weekdays=Sunday",
        "__class__=int",
        "press",
    ],
)
def test_an_unknown_house_rule_or_value_is_named(pair: str) -> None:
    with pytest.raises(UnknownHouseRuleError, match=re.escape(repr(pair))):
        from_pairs([pair])


@pytest.mark.parametrize("rules", [STANDARD, UNLIKE_STANDARD])
def test_the_log_gives_back_what_it_was_given(rules: HouseRules) -> None:
    assert from_payload(to_payload(rules)) == rules


def test_a_rule_newer_than_the_log_has_its_default() -> None:
    assert from_payload({"grace_hours": 12}) == HouseRules(grace_hours=12 * HOUR)


@pytest.mark.parametrize("rule", fields(HouseRules), ids=lambda rule: rule.name)
def test_the_handbook_has_each_rule_with_its_default_and_its_choices(rule: Field[object]) -> None:
    default = getattr(STANDARD, rule.name)
    found = re.search(rf"^\| `{rule.name}` \| `(.*?)` \| (.*) \|$", HANDBOOK, re.MULTILINE)
    choices = [each.value for each in type(default)] if isinstance(default, Enum) else []

    assert found, f"docs/gamemasters.md has no row for {rule.name}"
    if rule.name != "closing_time":  # differs from game to game
        assert from_pairs([f"{rule.name}={found[1].strip()}"]) == STANDARD
    assert all(f"`{choice}`" in found[0] for choice in choices)


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_handbook_has_each_template(template: str) -> None:
    assert f"`{template}`" in HANDBOOK


def chosen(*pairs: str, rulebook: str | None = None) -> tuple[HouseRules, Rulebook]:
    """Return the house rules of a new game."""
    return choose_rules(pairs, rulebook, game="lepanto")


def test_the_rulebook_is_written_among_house_rules_and_no_template_sets_it() -> None:
    rules, rulebook = chosen("rulebook=datc,via_without_convoy=land", "template=rulebook")

    assert (rules.press, rulebook) == (
        Press.RULEBOOK,
        rulebook_named("datc,via_without_convoy=land"),
    )
    assert chosen() == (standard_rules("lepanto"), DATC)


def test_the_rulebook_may_be_repeated_but_not_contradicted() -> None:
    assert chosen(" rulebook = 1982", rulebook="1982") == chosen(rulebook="1982")
    with pytest.raises(SeveralRulebooksError, match="not several: 1982 and datc"):
        chosen("rulebook=1982", rulebook="datc")


def test_the_handbook_has_the_rulebook_with_its_default() -> None:
    found = re.search(r"^\| `rulebook` \| `(.*?)` \|.*`(datc,.*?)`", HANDBOOK, re.MULTILINE)

    assert found
    assert chosen(f"rulebook={found[1]}") == chosen()
    assert chosen(f"rulebook={found[2]}") != chosen()


class TestClosingTimeOfANewGame:
    def test_a_game_without_one_closes_at_a_minute_of_its_own_between_20_00_and_20_59(
        self,
    ) -> None:
        assert chosen()[0] == replace(STANDARD, closing_time="20:11")
        assert chosen("template=rulebook")[0].closing_time == "20:11"
        assert standard_rules("dogger").closing_time == "20:38"

    def test_many_names_are_spread_evenly_over_the_minutes(self) -> None:
        drawn = Counter(default_closing_time(f"game{number}") for number in range(12_000))

        assert sorted(drawn) == [f"20:{minute:02}" for minute in range(60)]
        assert 140 < min(drawn.values()) <= max(drawn.values()) < 260  # 200 each, five sigmas

    @pytest.mark.parametrize("time", ["20:00", "18:30"])
    def test_a_game_whose_moderator_names_one_closes_then(self, time: str) -> None:
        assert chosen(f"closing_time={time}")[0].closing_time == time
        assert chosen(f"closing_time={time}", "template=rulebook")[0].closing_time == time

    def test_phases_last_exactly_their_length_where_the_moderator_or_template_says_so(
        self,
    ) -> None:
        assert not chosen("closing_time=")[0].closing_time
        assert chosen("template=evening")[0] == TEMPLATES["evening"]

    def test_a_running_game_keeps_its_time_until_its_moderator_changes_it(self) -> None:
        def changed(*pairs: str) -> str:
            rules, _ = choose_rules(pairs, game="lepanto", rules=STANDARD)
            return rules.closing_time

        assert changed("press=none") == STANDARD.closing_time
        assert changed("template=standard") == default_closing_time("lepanto")

    def test_an_old_log_keeps_closing_at_20_00(self) -> None:
        assert from_payload({"closing_time": "20:00"}).closing_time == "20:00"
        assert from_payload({}).closing_time == "20:00"


def test_rules_are_shown_as_they_are_written() -> None:
    shown = as_text(UNLIKE_STANDARD)

    assert from_pairs(f"{name}={text}" for name, text in shown.items()) == UNLIKE_STANDARD


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("15m", 15 * MINUTE),
        ("15 min", 15 * MINUTE),
        ("90 minutes", 90 * MINUTE),
        ("1h30", 90 * MINUTE),
        ("1h30m", 90 * MINUTE),
        ("1 hour 30 minutes", 90 * MINUTE),
        ("2H", 2 * HOUR),
        ("24 hours", 24 * HOUR),
        ("72", 72 * HOUR),
        ("0", 0 * HOUR),
    ],
)
def test_phase_lengths_grace_and_reminders_are_values_with_a_unit(
    text: str, length: timedelta
) -> None:
    pairs = [f"{name}={text}" for name in ("movement_hours", "grace_hours", "reminder_hours")]
    rules = from_pairs(pairs)

    assert (rules.movement_hours, rules.grace_hours) == (length, length)
    assert rules.reminder_hours == (length,)


@pytest.mark.parametrize("text", ["", "m", "h", "15s", "1h30m20", "soon", "1.5h", "-15m", "1:30"])
def test_other_words_are_not_read_as_a_length_of_time(text: str) -> None:
    with pytest.raises(UnknownHouseRuleError, match="such as 15m, 1h30 or a whole number"):
        from_pairs([f"movement_hours={text}"])
    with pytest.raises(UnknownHouseRuleError, match="such as 1h,15m"):
        from_pairs([f"reminder_hours=24,{text or 'x'}"])


@pytest.mark.parametrize("unit", [HOUR, MINUTE])
def test_a_length_is_read_as_it_was_written(unit: timedelta) -> None:
    for minutes in range(3 * 60):
        length = minutes * MINUTE
        assert read_duration(str(write_duration(length, unit)), unit) == length


def test_a_bare_number_stays_hours_and_minutes_where_the_rule_is_in_minutes() -> None:
    rules = from_pairs(["grace_hours=2", "early_wait_minutes=2", "press_closes_before_deadline=2"])

    assert rules.grace_hours == 2 * HOUR
    assert (rules.early_wait_minutes, rules.press_closes_before_deadline) == (
        2 * MINUTE,
        2 * MINUTE,
    )


def test_an_old_log_counts_hours_and_a_new_one_writes_minutes_with_their_unit() -> None:
    old: dict[str, Value] = {
        "movement_hours": 15,
        "early_wait_minutes": 15,
        "reminder_hours": (24, 4),
    }
    short = replace(
        from_payload(old), movement_hours=15 * MINUTE, reminder_hours=(1 * HOUR, 90 * MINUTE)
    )
    told = to_payload(short)

    assert from_payload(old).movement_hours == 15 * HOUR
    assert to_payload(from_payload(old)).items() >= old.items()
    assert (told["movement_hours"], told["early_wait_minutes"]) == ("15m", 15)
    assert told["reminder_hours"] == (1, "1h30")
    assert from_payload(told) == short


def test_the_template_of_an_evening_has_phases_of_15_minutes_and_less() -> None:
    evening = TEMPLATES["evening"]

    assert is_sound(evening)
    assert evening.movement_hours == 15 * MINUTE
    assert evening.retreat_hours == evening.adjustment_hours == 5 * MINUTE
    assert evening.ends_after_hours == 4 * HOUR


def test_written_rules_override_those_that_a_board_suggests() -> None:
    suggested = {"press": "none", "blind": "yes"}

    pairs = with_suggested(("press=all", "zone=UTC"), suggested)

    assert pairs == ("blind=yes", "press=all", "zone=UTC")
