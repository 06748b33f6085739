"""`judge rulebook`: every choice explained, and differences between rulebooks."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from judge.cli.root import root
from judge.reports.render import rulebook_texts
from judge.rules.presets import Basis
from judge.rules.rulebook import QUESTIONS, RULEBOOKS, answers_to

USAGE = 64
ANSWERS = [f"{question}={key.value}" for question in QUESTIONS for key in answers_to(question)]

NOTES = ["no_difference", "no_effect", "chosen", *(basis.value for basis in Basis)]


def judge(arguments: str) -> Result:
    return CliRunner().invoke(root, ["rulebook", *arguments.split()])


def rows(arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in judge(f"{arguments} --json").stdout.splitlines()]


def test_every_preset_question_and_answer_has_words_and_nothing_else_has() -> None:
    assert sorted(rulebook_texts()) == sorted([*RULEBOOKS, *QUESTIONS, *ANSWERS, *NOTES])
    assert all(rulebook_texts().values())


def test_every_preset_is_listed() -> None:
    listed = judge("list").stdout.splitlines()

    assert [line.split()[0] for line in listed] == list(RULEBOOKS)
    assert listed[0].endswith(f"what DATC 3.2 prefers ({len(QUESTIONS)} stated)")
    assert rows("list")[1]["rulebook"] == "1971"


def test_a_rulebook_is_shown_with_where_each_choice_comes_from() -> None:
    shown = judge("show 1971,4.A.3=explicit,4.A.3=land").stdout

    assert "4.A.1  convoy_routes=one_route  (stated)\n" in shown
    assert "4.A.3  via_without_convoy=land  (chosen)\n" in shown
    assert "4.D.7  waived_builds=allowed  (assumed)\n" in shown
    assert "\n       A power builds less than it may: it may.\n" in shown
    assert [each["question"] for each in rows("show 1971")] == list(QUESTIONS)


def test_a_preset_is_shown_with_what_it_stands_for_and_how_sure_that_is() -> None:
    head = judge("show njudge,fleet_inland=army").stdout.partition("4.A.1")[0]

    assert head == (
        "njudge,fleet_inland=army: nJudge, the email judge of Ken Lowe, by its source of May "
        "2025.\n"
        "30 stated: a source says so.\n"
        "1 assumed: no source says, so it follows what DATC prefers.\n"
        "3 not asked: the question does not come up there.\n"
        "1 chosen: your own choice, not that of the preset.\n"
        "\n"
    )


def test_assumed_and_skipped_choices_have_a_reason() -> None:
    shown = " ".join(judge("show njudge").stdout.split())

    assert "Why: it settles paradoxes in five passes of its own" in shown
    assert "Why: a route is always written, and binds." in shown
    assert "Source: st_movement.c, movein." in shown


def test_two_rulebooks_are_compared_where_they_differ() -> None:
    compared = judge("diff datc datc,fleet_inland=army").stdout

    assert compared == (
        "4.C.4  fleet_inland\n"
        "       A fleet is to be built in an inland center:\n"
        "       datc: fails, nothing is built.\n"
        "       datc,fleet_inland=army: army, an army is built.\n"
    )
    assert [each["number"] for each in rows("diff 1982 2000")] == ["4.A.2", "4.C.3", "4.D.8"]


def test_rulebooks_that_repeat_each_other_do_not_differ() -> None:
    assert judge("diff 1971 1976").stdout == "They have the same answer to every question.\n"
    assert judge("diff 1971 1976 --json").stdout == ""


def test_a_choice_that_another_one_makes_idle_is_marked() -> None:
    idle = "via_without_convoy=invalid  (assumed; no effect with this convoy_to_neighbor)\n"

    assert idle in judge("show 1982").stdout
    assert "via_without_convoy=invalid  (stated)\n" in judge("show datc").stdout
    assert [each["question"] for each in rows("show 1982") if not each["effect"]] == [
        "via_without_convoy"
    ]


@pytest.mark.parametrize("arguments", ["show 1983", "diff datc 1983"])
def test_an_unknown_rulebook_is_one_line(arguments: str) -> None:
    done = judge(arguments)

    assert (done.exit_code, done.stdout) == (USAGE, "")
    assert done.stderr == "judge: no such rulebook: '1983'; the nearest: 1982, 1976, 1971\n"
