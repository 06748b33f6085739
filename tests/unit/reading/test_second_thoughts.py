"""Bargains, plans for later, second thoughts and what others think are never carried out.

`*` stands for the order in doubt; the two orders beside it are plain, so that most of the writer's
units have orders and unknown words alone put nothing in doubt.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import write_order
from judge.rules.types import Season

BOARD = load_map()
BESIDE = {
    "en": "Edinburgh to the North Sea, Liverpool to Wales.",
    "de": "Edinburgh in die Nordsee, Liverpool nach Wales.",
    "fr": "Edimbourg en mer du Nord, Liverpool au Pays de Galles.",
}
ORDER = {"en": "London to the Channel", "de": "London in den Kanal", "fr": "Londres en Manche"}
PLAIN = {"F EDI - NTH", "A LVP - WAL"}
NOT_ORDERED = {
    "en": (
        *(
            "*, but not this time.",
            "I'd like * but I can't.",
            "* is off.",
            "*, France permitting.",
        ),
        *("*. PS please ignore the London part.", "Two moves from now *.", "*, failing which no."),
        *(
            "*.\n\nP.S. I've had a change of heart about London.",
            "* in the fall.",
            "*, next fall.",
        ),
        *("The plan for fall: *.", "In my last game I sent *.", "In our other game *."),
        *("And then in autumn *.", "Before *, I wait for France.", "Tom is sure that *."),
        *("*, once Brest is empty.", "In return *.", "I'd move *.", "* the turn after."),
        *("*, I wish!", "Anything but the Channel for London."),
    ),
    "de": (
        *("*, aber nicht diesmal.", "Bevor ich * schicke, will ich es wissen.", "* im Herbst."),
        *("* hat sich erledigt.", "Pierre rechnet damit, dass *.", "*. Ach, lassen wir das."),
        *("*, außer Pierre meldet sich noch.", "Ab nächstem Jahr *.", "Normalerweise *."),
        *("*.\n\nPS: London überlege ich mir noch.", "Im Gegenzug *.", "Im Frühjahr drauf *."),
    ),
    "fr": (
        *(
            "*, mais pas cette fois.",
            "Pierre craint que *.",
            "À l'automne, *.",
            "Dans deux ans *.",
        ),
        *("*.\n\nPS : pour Londres, j'ai changé d'avis.", "D'habitude *.", "En échange, *."),
        *("*, c'est fini.", "Dans mon autre partie *."),
    ),
}
BARGAINS = (
    "Can you move Brest to the Mid-Atlantic? I'll move Liverpool to Wales, Edinburgh to Clyde.",
    "If you agree to leave the Channel, good. Then London goes to the North Sea.",
    "Kannst du bitte Brest in den Mittelatlantik ziehen? London und Edinburgh halten.",
    "Tu laisses la Manche ? Alors Londres va en mer du Nord et Edimbourg au Yorkshire.",
)


def orders(text: str, power: str = "ENGLAND", season: Season = Season.SPRING) -> set[str]:
    phase = replace(BOARD.start.phase, season=season)
    situation = Situation(BOARD, replace(BOARD.start, phase=phase), power)
    return set(map(write_order, read_email(situation, split(text)).orders))


@pytest.mark.parametrize(
    ("language", "text"), [(each, text) for each, texts in NOT_ORDERED.items() for text in texts]
)
def test_an_order_in_other_words_of_doubt_is_not_carried_out(language: str, text: str) -> None:
    assert orders(f"{BESIDE[language]} {text.replace('*', ORDER[language])}") == PLAIN


@pytest.mark.parametrize("text", BARGAINS)
def test_what_is_offered_to_another_power_is_no_order(text: str) -> None:
    assert orders(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        *("Before I forget: *.", "*.\n\nPS: Thanks for running this!", "*, this spring."),
        *("* once it is free.", "From now on *.", "Can you tell me the deadline? *."),
    ],
)
def test_other_words_beside_an_order_put_it_in_no_doubt(text: str) -> None:
    assert "F LON - ENG" in orders(f"{BESIDE['en']} {text.replace('*', ORDER['en'])}")


def test_support_for_a_unit_whose_move_is_in_doubt_is_no_support_to_hold() -> None:
    text = "Berlin supports Munich. Munich goes to Burgundy, hopefully. Kiel holds."
    assert orders(text, "GERMANY") == {"F KIE H"}


def test_a_season_is_another_one_only_out_of_season() -> None:
    text = f"{BESIDE['en']} In the fall, {ORDER['en']}."
    assert orders(text, season=Season.FALL) == {*PLAIN, "F LON - ENG"}
