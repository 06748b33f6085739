"""House rules as somebody asks for them by mail, or why there are none like that."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.calendar import unsound_rules
from judge.game.house_rules import STANDARD, HouseRules, UnknownHouseRuleError, choose_rules
from judge.reports.emails.receipts import RuleRefused
from judge.rules.rulebook import DATC, Rulebook

LAWS, UNSOUND = "law", "unsound"  # What is wrong, beside the forms of a house rule.


def chosen(
    command: str,
    pairs: Sequence[str],
    *,
    rules: HouseRules = STANDARD,
    rulebook: Rulebook = DATC,
) -> tuple[HouseRules, Rulebook] | RuleRefused:
    """Return *rules* and *rulebook* with *pairs*, or say under *command* what is wrong there."""
    try:
        asked, law = choose_rules(pairs, rules=rules, rulebook=rulebook)
    except UnknownHouseRuleError as error:
        return RuleRefused(command, error.pair, error.form.name.lower(), error.names)
    except ValueError:
        return refused_law(command)
    if wrong := unsound_rules(asked):
        return RuleRefused(command, ", ".join(wrong), UNSOUND)
    return asked, law


def refused_law(command: str) -> RuleRefused:
    """Say that no other rulebook can be had by *command*."""
    return RuleRefused(command, "rulebook", LAWS)
