"""A blind game by mail: no mail tells a reader what he does not see."""

from __future__ import annotations

import re

import pytest

from tests.support.table import MODERATOR, POWERS, Table, of

ANNA = "anna@players.example"
UNIT = re.compile(r"\b(?:Army|Fleet|[AF] [A-Z][a-z][a-z])\b")
FAR = re.compile(
    r"\b(?:Mos|Ank|Sev|War|Con|Smy|Ukr)(?:cow|ara|astopol|saw|stantinople|rna|aine)?\b"
)


@pytest.fixture
def dark(judge: Table) -> Table:
    """Return a blind game with an observer, after Spring 1901."""
    judge.open("baltic", "blind=yes", moderator=MODERATOR)
    [confirm] = judge.mail(ANNA, "OBSERVE baltic")
    judge.reply(confirm, "YES")
    for power in POWERS:
        judge.join("baltic", power)
    judge.play(
        RUSSIA="A MOS - UKR\nA WAR H\nF SEV - BLA\nF STP/SC H",
        TURKEY="F ANK - BLA\nA CON H\nA SMY H",
        FRANCE="A PAR - BUR\nA MAR S A PAR - BUR\nF BRE H",
    )
    return judge


def test_results_tell_a_player_his_own_orders_and_what_he_sees(dark: Table) -> None:
    [result] = dark.mails_to(of("FRANCE"), "phase_results")

    assert "France: Army Paris -> Burgundy." in result.text
    assert "Germany: A Mun." in result.text
    assert not FAR.findall(result.text)


def test_nothing_far_away_is_in_any_mail_to_him(dark: Table) -> None:
    dark.says("FRANCE", "STATUS\nSUMMARY\nHISTORY\nWHY A PAR - BUR\nPREVIEW")
    mails = [mail for mail in dark.mails_to(of("FRANCE")) if mail.kind != "help"]

    assert len(mails) > 2
    assert not [(mail.kind, FAR.findall(mail.text)) for mail in mails if FAR.search(mail.text)]


def test_what_bounced_is_marked_but_not_explained(dark: Table) -> None:
    [result] = dark.mails_to(of("RUSSIA"), "phase_results")

    assert "Russia: Fleet Sevastopol -> Black Sea. (*bounce*)" in result.words
    assert "Turkey: Fleet" not in result.text


def test_an_observer_sees_no_unit_and_a_moderator_all(dark: Table) -> None:
    [result] = dark.mails_to(ANNA, "phase_results")
    assert not UNIT.search(result.text)

    [result] = dark.mails_to(MODERATOR, "phase_results")
    assert "Turkey: Fleet Ankara -> Black Sea." in result.text


def test_a_stranger_who_asks_sees_no_unit(dark: Table) -> None:
    [status] = dark.mail("bert@players.example", "STATUS baltic")

    assert not UNIT.search(status.text)
