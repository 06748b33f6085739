"""Answers in a blind game do not depend on units that the player cannot see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from judge.app.admin import game_admin
from judge.app.game.apply import OPERATOR
from judge.game.rollback import CorrectPosition
from tests.support.table import MODERATOR, Table, address_of

HERS = re.compile(r"\b[0-9a-f]{32,64}\b|mailto:\S+|[\w%+]+@\S+")  # nonces, digests, addresses
MAILS = [
    "> A Par S A Ruh-Bur\n> A Par S A Boh-Bur",
    "A Par S Italian A Ruh-Bur",
    "A Par S A Ruhh-Bur",
    "Ruh-Bur\nPREVIEW\nG: A Mun-Bur\nA Par S A Ruh-Bur",
    "CLEAR",
]
MORE = [
    *("A Par S A Mum-Bur", "A Par S Kie", "A Par S Kie-Den", "A Par S German fleet Kie"),
    *("F Bre C A Mun-Bre", "A Par S A Ruh-Bur", "PHASE S1902M\nIF GERMANY Ruh THEN A Par H"),
    *(
        "A Mun-Bur",
        "F Mun-Bur",
        "A Par-Bur supported by A Mun",
        "CLEAR A Mun",
        "STATUS",
        "SUMMARY",
    ),
    *("HISTORY BROAD", "WHOGAME", "LIST FULL", "WHY A Mun-Ruh", "WHY A Par S A Mun", "RULES"),
    *("PREVIEW MINE", "PREVIEW\nGermany: all hold", "SET CONCEDE G", "DRAW", "PROPOSE DRAW"),
    *("PHASE F1901R\nA Mun R Ber", "PHASE W1901A\nRemove A Mun", "PHASE S1902M\nRuh-Bur"),
    *("CLEAR", "SET NODRAW", "SET NOCONCEDE"),
]


@pytest.fixture
def dark(judge: Table) -> Table:
    """Return a blind game in which Germany has an army in Munich."""
    judge.start("baltic", "blind=yes", "typos=repair", moderator=MODERATOR)
    judge.run_once()
    return judge


def _answers(table: Table, mails: Sequence[str]) -> list[str]:
    """Return the answers to *mails* of France, without anything random."""
    before = len(table.emails_to(address_of("FRANCE")))
    for mail in mails:
        table.send("FRANCE", mail)
    return [HERS.sub("", mail.text) for mail in table.emails_to(address_of("FRANCE"))[before:]]


def _put_into_ruhr(table: Table) -> None:
    """Put the German army into Ruhr, which France does not see either."""
    position = table.game().position
    assert position is not None
    units = tuple(
        replace(unit, location="RUH") if unit.location == "MUN" else unit
        for unit in position.units
    )
    assert units != position.units
    corrected = CorrectPosition(replace(position, units=units), "a test", OPERATOR)
    game_admin.apply_operator_command(table.judge, "baltic", corrected)


def test_a_unit_out_of_sight_does_not_change_answers(dark: Table) -> None:
    before = _answers(dark, MAILS)
    _put_into_ruhr(dark)

    assert _answers(dark, MAILS) == before


@pytest.mark.slow
def test_a_unit_out_of_sight_does_not_change_the_answer_to_any_command(dark: Table) -> None:
    _answers(dark, MORE)  # the longer wording of a first answer
    before = _answers(dark, MORE)
    _put_into_ruhr(dark)

    assert _answers(dark, MORE) == before
