"""Everything that can happen has words: no mail can fail for want of a sentence."""

from __future__ import annotations

import dataclasses
from typing import get_args

import pytest

from judge.game.clock import OUTAGE
from judge.game.decision import Why
from judge.game.state import FIRST_SPRING
from judge.reports import contexts, items, notices, strangers
from judge.reports.duties import Duty
from judge.reports.render import kind, render, sentences
from judge.reports.words import refusal
from judge.resources import folder
from judge.rules.order import Hold, UnitName
from judge.rules.outcome import (
    Available,
    Cut,
    Destroyed,
    Disrupted,
    FailCause,
    Fails,
    Given,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    Stands,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.vocabulary import UnitKind
from tests.unit.reports.samples import BOARD, CODE, board_of, game, results_of, samples

TEMPLATES = folder("templates")
HOLD = Hold(UnitName(UnitKind.ARMY, "PAR"))
SIDE = Strength("BUR", ("MUN", "RUH"), ("BEL",))


@pytest.mark.parametrize("why", Why)
def test_a_refusal_is_a_sentence(why: Why) -> None:
    assert refusal(why).endswith(".")


@pytest.mark.parametrize("why", Impossible)
def test_an_impossible_order_has_a_reason(why: Impossible) -> None:
    assert sentences("impossible")[why.value]


@pytest.mark.parametrize("reason", [FIRST_SPRING, OUTAGE, "takeover"])
def test_a_deadline_that_the_judge_moved_itself_has_a_reason_in_words(reason: str) -> None:
    moved = notices.deadline_moved(BOARD, game(), None, reason, judge_code=CODE)

    assert reason not in render(moved).text
    assert render(moved).text.endswith(".\n")


def causes() -> list[FailCause]:
    """Return one of each cause, its fields filled by what they are."""
    values = {
        "attack": SIDE,
        "defender": SIDE,
        "opponent": SIDE,
        "rivals": (SIDE, SIDE),
        "fleets": ("NTH", "ENG"),
    }
    made = []
    for cause in get_args(FailCause):
        given = {field.name: values[field.name] for field in dataclasses.fields(cause)}
        if kind_of(cause) == "own_unit":
            given["defender"] = "BUR"
        if kind_of(cause) == "retreats_clash":
            given["rivals"] = ("BUR", "PAR")
        made.append(cause(**given))
    return made


def kind_of(each: type) -> str:
    return kind(object.__new__(each))


def verdicts() -> list[Verdict]:
    return [
        *(Illegal(why) for why in Impossible),
        *(Invalid(why, instead) for why in Unmatched for instead in (None, HOLD)),
        *(Fails(cause) for cause in causes()),
        Stands(),
        Succeeds(SIDE, ("NTH",)),
        Given(),
        Cut("BUR"),
        Available(),
        Disrupted("NTH"),
        Disrupted(None),
    ]


def test_the_table_of_verdicts_is_complete() -> None:
    assert {type(verdict) for verdict in verdicts()} == set(get_args(Verdict))


@pytest.mark.parametrize("verdict", verdicts(), ids=repr)
@pytest.mark.parametrize("fate", [None, Destroyed("BUR", SIDE)], ids=["stays", "destroyed"])
def test_every_verdict_can_be_printed_with_its_reason(
    verdict: Verdict, fate: Destroyed | None
) -> None:
    results = results_of(board_of("S1902M", FRANCE="A PAR"), None, FRANCE=("A PAR H",))
    assert isinstance(results, contexts.PhaseResults)
    outcome = Outcome("FRANCE", HOLD, verdict, fate)
    told = dataclasses.replace(results, orders={"FRANCE": (outcome,)}, failures=())

    assert "France: Army Paris HOLD." in render(told).text
    if not isinstance(verdict, Stands | Succeeds | Given | Available):
        told = dataclasses.replace(told, failures=(outcome,))
        assert "- France, A Par H: " in render(told).text


@pytest.mark.parametrize("item", get_args(items.Item), ids=lambda item: item.__name__)
def test_a_receipt_has_words_for_every_item(item: type) -> None:
    source = (TEMPLATES / "mail/words/items.txt.j2").read_text(encoding="utf-8")

    assert f"{{% macro {kind_of(item)}(item) %}}" in source


@pytest.mark.parametrize("duty", get_args(Duty), ids=lambda duty: duty.__name__)
def test_a_mail_has_words_for_every_duty(duty: type) -> None:
    source = (TEMPLATES / "mail/words/duties.txt.j2").read_text(encoding="utf-8")

    assert f"{{% macro {kind_of(duty)}(duty) %}}" in source


def test_every_context_has_a_template_and_a_sample() -> None:
    assert {type(sample) for sample in samples().values()} == set(get_args(contexts.Context))


@pytest.mark.parametrize("topic", strangers.TOPICS)
def test_every_command_has_a_help_text(topic: str) -> None:
    text = render(strangers.help_on(topic, judge_code=CODE)).text

    assert topic.upper() in text.upper()


def test_every_help_text_is_a_topic() -> None:
    names = {path.stem for path in (TEMPLATES / "help").iterdir()}

    assert names == {*strangers.TOPICS, strangers.OVERVIEW}


@pytest.mark.parametrize("topic", strangers.TOPICS)
def test_every_command_is_documented(topic: str) -> None:
    document = (TEMPLATES.parent / "docs/COMMANDS.md").read_text(encoding="utf-8")

    assert topic in document.lower()


def test_help_on_help_names_every_topic() -> None:
    text = render(strangers.help_on("help", judge_code=CODE)).text

    assert [topic for topic in strangers.TOPICS if topic.upper() not in text] == []


def test_the_board_has_the_powers_that_the_help_speaks_of() -> None:
    assert {nation.letter for nation in BOARD.nations.values()} >= set("FGRET")
