"""A rulebook is described in a line, and stored by the names of its choices."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.rules.presets import PRESETS, Basis
from judge.rules.rule_options import (
    AutomaticRemoval,
    ConvoyParadoxes,
    ConvoyToNeighbor,
    RemovalTies,
    RepeatedOrders,
    ViaWithoutConvoy,
)
from judge.rules.rulebook import (
    CONVOY_OR_HOLD,
    DATC,
    QUESTIONS,
    RULEBOOKS,
    Rulebook,
    UnknownRulebookError,
    answer_in,
    answer_of,
    answers_to,
    from_payload,
    has_effect,
    number_of,
    preset_of,
    rulebook_name,
    rulebook_named,
    to_payload,
    with_choices,
)

RULEBOOKS_OF_ALL_KINDS = st.builds(
    Rulebook, **{each: st.sampled_from(answers_to(each)) for each in QUESTIONS}
)
SAYINGS = [
    pytest.param("1982", {}, id="a preset"),
    pytest.param("1982,convoy_paradoxes=szykman", {"convoy_paradoxes": "szykman"}, id="a choice"),
    pytest.param("1982,4.A.2=szykman", {"convoy_paradoxes": "szykman"}, id="by number"),
    pytest.param("1982,4.A.3=land", {"via_without_convoy": "land"}, id="the second of a number"),
    pytest.param(
        " 1982 , 4.a.2 = All Hold, Waived-Builds=NOT_ALLOWED ",
        {"convoy_paradoxes": "all_hold", "waived_builds": "not_allowed"},
        id="as it is typed",
    ),
    pytest.param(
        "1982,4.D.3=none,orders_for_one_unit=last", {"orders_for_one_unit": "last"}, id="twice"
    ),
]
UNKNOWN = [
    ("1983", "no such rulebook: '1983'; the nearest: 1982,"),
    ("webdip", "no such rulebook: 'webdip'; the nearest: webdiplomacy,"),
    ("4.A.2=1982", "no such rulebook: '4.a.2=1982'; the nearest: datc,4.a.2=1982"),
    ("datc,via_without=land", "no such question: 'via_without'; the nearest: via_without_convoy,"),
    ("datc,4.A.8=land", "no such question: '4.a.8'; the nearest: 4."),
    ("datc,4.A.2=1981", "no such answer to 4.A.2: '1981'; the nearest: 1982, 1971"),
    ("datc,via=land", "no such question: 'via'; the nearest: via_without_convoy"),
    ("datc,4.A.2", "no such answer to 4.A.2: ''; there are: szykman, 1971, 1982, 2000, all_hold,"),
    ("", "no such rulebook: ''; there are: datc, 1971, 1976,"),
    ("datc,\n", "no such question: ''; `judge rulebook show datc` has all"),
    ("x" * 40, f"no such rulebook: '{'x' * 40}'; there are: datc,"),
    ("x" * 41, f"no such rulebook: '{'x' * 40}...'"),
    ("x" * 100_000, f"no such rulebook: '{'x' * 40}...'"),
]


@pytest.mark.parametrize(("text", "choices"), SAYINGS)
def test_single_choices_may_follow_a_preset(text: str, choices: dict[str, str]) -> None:
    assert to_payload(rulebook_named(text)) == to_payload(rulebook_named("1982")) | choices


@pytest.mark.parametrize(("text", "line"), UNKNOWN)
def test_an_unknown_choice_is_one_line_with_the_nearest(text: str, line: str) -> None:
    with pytest.raises(UnknownRulebookError) as raised:
        rulebook_named(text)

    assert str(raised.value).startswith(line)
    assert "\n" not in str(raised.value)


def test_a_text_that_is_too_long_is_not_looked_at() -> None:
    assert rulebook_named("datc".ljust(2_000)) is DATC
    with pytest.raises(UnknownRulebookError, match="no such rulebook"):
        rulebook_named("datc".ljust(2_001))


@example(with_choices(DATC, {each: next(iter(answers_to(each))) for each in QUESTIONS}))
@example(with_choices(DATC, {each: [*answers_to(each)][-1] for each in QUESTIONS}))
@given(RULEBOOKS_OF_ALL_KINDS)
def test_every_rulebook_has_a_name_that_says_it(rulebook: Rulebook) -> None:
    assert rulebook_named(rulebook_name(rulebook)) == rulebook


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_preset_with_one_other_answer_has_a_name_that_says_it(name: str) -> None:
    for question in QUESTIONS:
        for answer in answers_to(question):
            rulebook = with_choices(RULEBOOKS[name], {question: answer})
            assert rulebook_named(rulebook_name(rulebook)) == rulebook


@pytest.mark.parametrize("text", ["1982", "1982,4.A.2=szykman,4.D.3=last", " 1982 , 4.A.2=1971"])
def test_the_text_of_a_rulebook_begins_with_its_preset(text: str) -> None:
    assert preset_of(text) == "1982"


def test_a_rulebook_is_called_by_the_nearest_preset() -> None:
    assert rulebook_name(DATC) == "datc"
    assert rulebook_name(replace(DATC, convoy_paradoxes=ConvoyParadoxes.DPTG)) == (
        "datc,convoy_paradoxes=dptg"
    )
    assert rulebook_name(
        replace(rulebook_named("2000"), automatic_removal=AutomaticRemoval.HOME_ANY)
    ) == ("2000,automatic_removal=home_any")


@pytest.mark.parametrize("number", sorted({number_of(each) for each in QUESTIONS}))
def test_two_questions_of_one_number_have_no_answer_in_common(number: str) -> None:
    asked = [each for each in QUESTIONS if number_of(each) == number]
    keys = [answer.value for each in asked for answer in answers_to(each)]

    assert len(keys) == len(set(keys))


def test_the_default_is_the_preferences_of_datc() -> None:
    assert rulebook_named("datc") is rulebook_named("DATC") is DATC == Rulebook()
    assert {answer_of("datc", each).basis for each in QUESTIONS} == {Basis.STATED}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_choice_is_what_the_source_states_or_that_of_datc(preset: str) -> None:
    rulebook = RULEBOOKS[preset]

    for question in QUESTIONS:
        stated = answer_of(preset, question).choice
        assert answer_in(rulebook, question).value == (stated or answer_in(DATC, question).value)


def test_the_printed_rulebooks_differ_where_datc_says_so() -> None:
    printed = [RULEBOOKS[name] for name in ("1971", "1976", "1982", "2000", "2023")]
    opposite, fallback = ConvoyToNeighbor.OPPOSITE_UNDISRUPTED, ConvoyToNeighbor.INTENT_FALLBACK

    paradoxes = [each.convoy_paradoxes.value for each in printed]
    assert paradoxes == ["1971", "1971", "1982", "2000", "2000"]
    assert [each.convoy_to_neighbor for each in printed] == [opposite] * 2 + [fallback] * 3
    assert {each.dislodged_bounce.value for each in printed} == {"always_none"}
    assert rulebook_named("1976") == rulebook_named("1971")


def test_droidippy_is_what_its_records_follow() -> None:
    droidippy = rulebook_named("droidippy")

    assert droidippy.via_without_convoy is ViaWithoutConvoy.LAND
    assert droidippy.removal_ties is RemovalTies.RECORD_CODES
    assert answer_of("droidippy", "waived_builds").basis is Basis.ASSUMED


def test_every_question_has_its_number() -> None:
    assert all("4." in (answers_to(each).__doc__ or "") for each in QUESTIONS)
    assert [number_of(each) for each in QUESTIONS] == sorted(map(number_of, QUESTIONS))


def test_a_stored_rulebook_comes_back() -> None:
    last = replace(DATC, orders_for_one_unit=RepeatedOrders.LAST)

    assert to_payload(last)["orders_for_one_unit"] == "last"
    assert from_payload(to_payload(last)) == last


def test_a_question_not_yet_asked_then_has_the_answer_of_datc() -> None:
    assert from_payload({}) == DATC
    assert rulebook_name(from_payload({"build_kind_omitted": "army_inland"})) == (
        "datc,build_kind_omitted=army_inland"
    )


@pytest.mark.parametrize("payload", [{"excess_builds": "all"}, {"weather": "sunny"}])
def test_a_choice_this_version_does_not_know_is_refused(payload: dict[str, str]) -> None:
    with pytest.raises(UnknownRulebookError):
        from_payload(payload)


@pytest.mark.parametrize(("repeating", "repeated"), [("1992", "1982"), ("2008", "2000")])
def test_an_edition_that_repeats_another_is_said_as_that(repeating: str, repeated: str) -> None:
    with pytest.raises(UnknownRulebookError, match="no such rulebook") as raised:
        rulebook_named(repeating)

    assert str(raised.value) == f"no such rulebook: '{repeating}'; the nearest: {repeated}"


@pytest.mark.parametrize(
    ("known", "offered"),
    [
        pytest.param(20, f"there are: {', '.join(map(str, range(1, 21)))}", id="a score"),
        pytest.param(21, "`judge rulebook show datc` has all", id="more"),
    ],
)
def test_where_no_name_is_near_all_are_listed_if_they_are_few(known: int, offered: str) -> None:
    error = UnknownRulebookError("month", "may", map(str, range(1, known + 1)))

    assert str(error) == f"no such month: 'may'; {offered}"


@pytest.mark.parametrize("name", RULEBOOKS)
def test_via_matters_only_where_an_army_may_choose_its_route(name: str) -> None:
    rulebook = RULEBOOKS[name]

    chooses = rulebook.convoy_to_neighbor in CONVOY_OR_HOLD
    assert has_effect(rulebook, "via_without_convoy") is chooses
    assert has_effect(rulebook, "excess_builds")
