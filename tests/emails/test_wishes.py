"""Read the wishes in 655 labelled emails, which are never used for training."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from judge.mail.intents import installed
from judge.mail.intents.weights import read_digest
from judge.mail.intents.wish_files import Effect, Role, digest_of, read_wish_files
from tests.emails.wishes.scoring import Scored, labelled, score, slots_right
from tests.emails.wishes.whole_path import GRADED, answers, is_met

WRONG_ANSWERS_MAX = 0.02
MET_IN_EACH_LANGUAGE, MET_BY_EACH_ROLE = 0.9, 0.8
SLOTS_RIGHT = 0.95
END_WELL_MIN, GRADED_MIN = 0.96, 0.95
ACTED = ("was read as", "wurde gelesen als", "a été lu comme")


@cache
def scores() -> tuple[Scored, ...]:
    return tuple(map(score, labelled()))


def share_met(some: list[Scored]) -> float:
    outcomes = Counter(each.outcome(wish) for each in some for wish in each.email.want)
    return 1 - outcomes["missed"] / outcomes.total()


def test_weights_are_made_from_todays_examples() -> None:
    made = read_digest(installed.OURS)
    assert made == digest_of(installed.examples_folder()), (
        "install the judge again: pip install -e ."
    )


def test_nothing_is_changed_that_nobody_asked_for() -> None:
    wrong = [
        (each.email.text, each.wrong(effect))
        for each in scores()
        for effect in (Effect.CHANGE, Effect.CONFIRM)
        if each.wrong(effect)
    ]
    assert wrong == []


def test_wrong_answers_are_rare() -> None:
    wrong = [each for each in scores() if each.wrong(Effect.ANSWER)]
    assert len(wrong) <= WRONG_ANSWERS_MAX * len(scores())


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_each_language_is_understood(language: str) -> None:
    some = [each for each in scores() if each.email.language == language]
    assert share_met(some) >= MET_IN_EACH_LANGUAGE


@pytest.mark.parametrize("role", [Role.PLAYER, Role.STRANGER, Role.MODERATOR])
def test_each_role_is_understood(role: Role) -> None:
    some = [each for each in scores() if each.email.who is role]
    assert share_met(some) >= MET_BY_EACH_ROLE


def test_slots_are_filled_from_the_email() -> None:
    slots = [right for each in scores() for _, right in slots_right(each)]
    assert sum(slots) >= SLOTS_RIGHT * len(slots)


def test_no_labelled_email_is_an_example() -> None:
    examples = {
        example.casefold()
        for file in read_wish_files(installed.examples_folder()).values()
        for example in file.examples
    }
    wanted = (each.text for each in labelled() if each.want)
    assert [text for text in wanted if text.casefold() in examples] == []


@pytest.mark.gate
def test_emails_of_an_author_who_never_saw_the_judge_end_well() -> None:
    answered = list(answers())

    missed = [email.text for email, answer in answered if not is_met(email, answer)]
    wanted = sum(bool(email.says) for email, _ in answered)
    assert wanted - len(missed) >= END_WELL_MIN * wanted, missed
    talk = [(email.text, answer) for email, answer in answered if not email.says]
    assert [text for text, answer in talk if any(each in answer for each in ACTED)] == []


@pytest.mark.gate
def test_emails_that_a_stranger_graded_are_answered() -> None:
    wanted = [(email, answer) for email, answer in answers(GRADED) if email.says]

    missed = [email.text for email, answer in wanted if not is_met(email, answer)]
    assert len(missed) <= (1 - GRADED_MIN) * len(wanted), missed
