"""Every outcome, refusal and remark has a sentence."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Collection, Mapping
from enum import Enum
from itertools import product
from typing import get_args

import pytest
from jinja2 import Environment

from judge.app.admin.health import FIXES
from judge.app.commands.table import COMMANDS
from judge.game.clock import OUTAGE
from judge.game.deadlines import FIRST_SPRING_EXTENSION, NMR_EXTENSION
from judge.game.decision import Why
from judge.game.moderator_tasks import ModeratorTask
from judge.notation.order_text import read_order
from judge.reports import render as rendering
from judge.reports.emails import (
    contexts,
    game_news,
    help_pages,
    notices,
    phase_results,
    receipts,
)
from judge.reports.emails.confirmation_emails import ConfirmationReason
from judge.reports.emails.order_status import OrdersDue
from judge.reports.render import (
    explain_reason,
    kind_name,
    refusal_text,
    render,
    sentences,
    template_environment,
)
from judge.resources import folder
from judge.rules.citations import Spared
from judge.rules.outcomes import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    FailCause,
    Fails,
    Fate,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    OwnUnit,
    Paradox,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.reasons import Reasons
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.types import Hold, UnitKind, UnitName
from tests.support.selection import in_one, one_in
from tests.unit.reports.samples import BOARD, CODE, board_of, game, help_on, results_of, samples

TEMPLATES = folder("templates")
HOLD = Hold(UnitName(UnitKind.ARMY, "PAR"))
ORDERS = [
    read_order(text)
    for text in (
        "A PAR H",
        "A PAR - PIC",
        "A PAR S A MAR",
        "A PAR S A MAR - BUR",
        "F PAR C A MAR - BUR",
        "A PAR R PIC",
        "A PAR D",
        "A PAR B",
    )
]
SIDE = Strength("BUR", ("MUN", "RUH"), ("BEL",))


@in_one(Why)
def test_a_refusal_is_a_sentence(why: Why) -> None:
    assert refusal_text(why).endswith(".")


@in_one(Impossible)
def test_an_impossible_order_has_a_reason(why: Impossible) -> None:
    assert sentences("impossible")[why.value]


@pytest.mark.parametrize("reason", [FIRST_SPRING_EXTENSION, NMR_EXTENSION, OUTAGE, "takeover"])
def test_a_deadline_that_the_judge_moved_itself_has_a_reason_in_words(reason: str) -> None:
    moved = notices.deadline_change(BOARD, game(), None, reason, judge_code=CODE)

    assert f" {reason}\n" not in render(moved).text
    assert render(moved).text.endswith(".\n")


CAUSES: list[FailCause] = [
    StoodOff(SIDE, (SIDE, SIDE)),
    HeldOff(SIDE, Strength("PAR")),
    HeadOn(SIDE, SIDE),
    OwnUnit(SIDE, "BUR"),
    ConvoyBroken(("NTH", "ENG")),
    ConvoyParadox(("NTH",)),
    ParadoxHold(("NTH", "ENG")),
    *(Futile(why) for why in Impossible),
    RetreatsClash(("BUR", "PAR")),
]
VERDICTS: list[Verdict] = [
    *(Illegal(why) for why in Impossible),
    *(Invalid(why, instead) for why in Unmatched for instead in (None, HOLD)),
    *(Fails(cause) for cause in CAUSES),
    Stands(),
    Succeeds(SIDE, ("NTH",)),
    Succeeds(),
    Given(),
    Cut("BUR"),
    Available(),
    Disrupted("NTH"),
    Disrupted(None),
]
FATES: list[Fate | None] = [None, Destroyed("BUR", SIDE), Dislodged("BUR", SIDE, ("GAS",))]
PARADOXES = [
    Paradox(("ENG",), ("BRE",), rule, stood_in)
    for rule in ConvoyParadoxes
    for stood_in in (False, True)
]


OTHERS = tuple(
    Outcome("FRANCE", Hold(UnitName(UnitKind.ARMY, province)), Stands())
    for province in BOARD.places
    if province != "PAR"
)


def sentence_of(outcome: Outcome) -> str:
    """Return the reason for *outcome* in Paris while all other units hold."""
    reasons = Reasons((outcome, *OTHERS))
    return explain_reason(BOARD, reasons.of(outcome), reasons.units)


def test_the_tables_of_verdicts_and_causes_are_complete() -> None:
    assert {type(verdict) for verdict in VERDICTS} == set(get_args(Verdict))
    assert {type(cause) for cause in CAUSES} == set(get_args(FailCause))


@in_one(VERDICTS)
def test_every_order_of_an_email_has_its_mark(verdict: Verdict) -> None:
    results = results_of(board_of("S1902M", FRANCE="A PAR"), None, FRANCE=("A PAR H",))
    assert isinstance(results, phase_results.PhaseResults)
    for fate in FATES:
        outcome = Outcome("FRANCE", HOLD, verdict, fate)
        shared = dataclasses.replace(results.shared, orders={"FRANCE": (outcome,)}, failures=())
        told = dataclasses.replace(results, shared=shared)

        assert "France: Army Paris HOLD." in render(told).text, fate


@pytest.mark.parametrize("verdict", one_in(3, VERDICTS), ids=repr)
def test_every_outcome_has_one_sentence_that_cites_a_rule(verdict: Verdict) -> None:
    for order, fate in product(ORDERS, FATES):
        sentence = sentence_of(Outcome("FRANCE", order, verdict, fate))

        assert re.fullmatch(r"[A-Z].* \((rulebook|DATC) [^)]+\)[^()]*\.", sentence), sentence
        assert "  " not in sentence


@pytest.mark.parametrize("paradox", PARADOXES, ids=repr)
def test_results_say_which_rule_decided_a_paradox_and_whether_as_a_fallback(
    paradox: Paradox,
) -> None:
    results = results_of(board_of("S1902M", FRANCE="F ENG"), None)
    assert isinstance(results, phase_results.PhaseResults)

    shared = dataclasses.replace(results.shared, paradoxes=(paradox,))

    text = " ".join(render(dataclasses.replace(results, shared=shared)).text.split())

    assert "Convoy paradox: the convoy by F Eng " in text
    assert ("the rulebook has no answer" in text) is paradox.stood_in


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_shared_results_equal_those_rendered_for_each_reader(language: str, zone: str) -> None:
    results = samples()["results_movement"]
    assert isinstance(results, phase_results.PhaseResults)
    assert render(results).html  # rendered for another reader before
    alone = dataclasses.replace(results, shared=dataclasses.replace(results.shared))

    one, other = (
        render(contexts.addressed_to_reader(each, None, zone, language))
        for each in (results, alone)
    )

    assert (one.text, one.html) == (other.text, other.html)


def test_readers_with_pictures_of_their_own_share_the_rest_of_the_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = samples()["results_movement"]
    rendered: list[str] = []
    fill = rendering.fill_template

    def counted(environment: Environment, name: str, values: Mapping[str, object]) -> str:
        rendered.append(name)
        return fill(environment, name, values)

    monkeypatch.setattr(rendering, "fill_template", counted)
    pages = [
        render(results, {"orders": f"orders-{reader}", "position": f"position-{reader}"}).html
        for reader in ("france", "turkey")
    ]

    assert rendered.count(rendering.SHARED_RESULTS) == 2, "once as text, once as HTML"
    for page, own, other in zip(pages, ("france", "turkey"), ("turkey", "france"), strict=True):
        assert page.count(f'"cid:orders-{own}"') == page.count(f'"cid:position-{own}"') == 1
        assert other not in page.replace("Turkey", "")
    assert pages[0].replace("-france", "-turkey") == pages[1]


def kind_of(each: type) -> str:
    return kind_name(object.__new__(each))


def kinds_of(union: object) -> set[str]:
    return {kind_of(each) for each in get_args(union)}


def values_of(choices: type[Enum]) -> set[str]:
    return {str(each.value) for each in choices}


# What the templates say of each, by file and table: with nothing missing, and nothing left over.
TABLES: Mapping[tuple[str, str], Collection[str]] = {
    ("news", "says"): kinds_of(game_news.News),
    ("items", "items"): kinds_of(receipts.Item),
    ("duties", "duties"): kinds_of(OrdersDue),
    ("decisions", "says"): kinds_of(ModeratorTask),
    ("reasons", "verdicts"): kinds_of(Verdict),
    ("reasons", "causes"): kinds_of(FailCause),
    ("reasons", "unmatched"): values_of(Unmatched),
    ("reasons", "sparing"): values_of(Spared),
    ("refusals", "refusals"): values_of(Why),
    ("doubts", "subjects"): values_of(ConfirmationReason) - {"many"},  # has words of its own
    ("doubts", "doubts"): values_of(ConfirmationReason) - {"many"},  # has words of its own
    ("doubts", "effects"): values_of(ConfirmationReason) - {"many"},  # has words of its own
    ("troubles", "troubles"): FIXES,
}


@pytest.mark.parametrize(("file", "table"), TABLES)
def test_the_templates_have_words_for_each_notice_item_and_reason_and_no_others(
    file: str, table: str
) -> None:
    module = template_environment().get_template(f"mail/words/{file}.txt.j2").module

    assert {*getattr(module, table)} == {*TABLES[file, table]}


def test_the_receipt_has_words_for_all_that_a_command_can_have_done() -> None:
    named = {
        each.value
        for path in (TEMPLATES.parent / "judge/app").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("CommandDone")
        for each in ast.walk(call.args[0])
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
        if not each.value.endswith("_")  # a setting follows
    }

    assert len(named) > 20
    module = template_environment().get_template("mail/words/items.txt.j2").module
    assert named - {*module.done} == set()  # type: ignore[attr-defined]  # of the template


@pytest.mark.parametrize("item", get_args(receipts.Item), ids=lambda item: item.__name__)
def test_a_receipt_has_words_for_every_item(item: type) -> None:
    source = (TEMPLATES / "mail/words/items.txt.j2").read_text(encoding="utf-8")

    assert f"{{% macro {kind_of(item)}(item) %}}" in source


@pytest.mark.parametrize("news", get_args(game_news.News), ids=lambda news: news.__name__)
def test_an_email_has_words_and_a_subject_for_all_news(news: type) -> None:
    source = (TEMPLATES / "mail/words/news.txt.j2").read_text(encoding="utf-8")
    says, _, titles = source.partition("{% set says = {")[2].partition("{% macro subject(news) %}")

    assert f"{{% macro {kind_of(news)}(news) %}}" in source
    assert f'"{kind_of(news)}": {kind_of(news)},' in says
    assert f'"{kind_of(news)}": ' in titles


@pytest.mark.parametrize("duty", get_args(OrdersDue), ids=lambda duty: duty.__name__)
def test_an_email_has_words_for_every_duty(duty: type) -> None:
    source = (TEMPLATES / "mail/words/duties.txt.j2").read_text(encoding="utf-8")

    assert f"{{% macro {kind_of(duty)}(duty) %}}" in source


def test_every_context_has_a_template_and_a_sample() -> None:
    of_reports = (
        each
        for each in contexts.Context.__subclasses__()
        if each.__module__.startswith(contexts.__package__)
    )
    kinds = {each.__name__ for each in of_reports} | {"WhatIf"}

    assert {type(sample).__name__ for sample in samples().values()} == kinds


@in_one(help_pages.TOPICS)
def test_every_command_has_a_help_text(topic: str) -> None:
    text = render(help_on(topic)).text

    assert topic.upper() in text.upper()


def test_every_help_text_is_a_topic() -> None:
    names = {path.stem for path in (TEMPLATES / "help").iterdir()}

    assert names == {*help_pages.TOPICS, help_pages.OVERVIEW}


@in_one(help_pages.TOPICS)
def test_every_command_is_documented(topic: str) -> None:
    docs = TEMPLATES.parent / "docs"
    document = "".join(path.read_text(encoding="utf-8") for path in docs.glob("*.md"))

    assert topic in document.lower()


def test_help_on_help_names_every_topic() -> None:
    text = render(help_on("help")).text

    of_rows = {syntax.topic for syntax in COMMANDS.syntax.values() if syntax.topic}
    assert sorted(t for t in {*help_pages.TOPICS, *of_rows} if t.upper() not in text) == []


def test_the_board_has_the_powers_that_the_help_speaks_of() -> None:
    assert {nation.letter for nation in BOARD.nations.values()} >= set("FGRET")
