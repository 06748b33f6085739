"""Blind games by mail: no email shows a reader more than their power sees."""

from __future__ import annotations

import re

import pytest

from tests.support.table import MODERATOR, POWERS, Table, address_of

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
    judge.reply(confirm, confirm.yes)
    for power in POWERS:
        judge.join("baltic", power)
    judge.play(
        RUSSIA="A MOS - UKR\nA WAR H\nF SEV - BLA\nF STP/SC H",
        TURKEY="F ANK - BLA\nA CON H\nA SMY H",
        FRANCE="A PAR - BUR\nA MAR S A PAR - BUR\nF BRE H",
    )
    return judge


def test_results_show_a_player_their_own_orders_and_what_they_see(dark: Table) -> None:
    [result] = dark.emails_to(address_of("FRANCE"), "phase_results")

    assert "France: Army Paris -> Burgundy." in result.text
    assert "Germany: A Mun." in result.text
    assert not FAR.findall(result.text)


def test_no_email_mentions_units_out_of_sight(dark: Table) -> None:
    dark.send("FRANCE", "STATUS\nSUMMARY\nHISTORY\nWHY A PAR - BUR\nPREVIEW")
    mails = [mail for mail in dark.emails_to(address_of("FRANCE")) if mail.kind != "help"]

    assert len(mails) > 2
    assert not [(mail.kind, FAR.findall(mail.text)) for mail in mails if FAR.search(mail.text)]

    nobody = dark.send("FRANCE", "A Mun-Bur\nA Mos H")
    assert "you see no unit in Moscow" in nobody.words
    assert "there is no unit" not in nobody.words

    warning = "This game is blind."
    hanging = dark.send("FRANCE", "PHASE S1902M\nIF TURKEY Con THEN A Par H\nELSE A Par-Pic")
    assert warning in hanging.words
    assert warning not in dark.send("FRANCE", "PHASE S1902M\nA Mar H").words


def test_a_bounce_is_marked_but_not_explained(dark: Table) -> None:
    [result] = dark.emails_to(address_of("RUSSIA"), "phase_results")

    assert "Russia: Fleet Sevastopol -> Black Sea. (*bounce*)" in result.words
    assert "Turkey: Fleet" not in result.text


def test_an_observer_sees_no_unit_and_a_moderator_all(dark: Table) -> None:
    [result] = dark.emails_to(ANNA, "phase_results")
    assert not UNIT.search(result.text)

    [result] = dark.emails_to(MODERATOR, "phase_results")
    assert "Turkey: Fleet Ankara -> Black Sea." in result.text


def test_a_stranger_who_asks_sees_no_unit(dark: Table) -> None:
    [status] = dark.mail("bert@players.example", "STATUS baltic")

    assert not UNIT.search(status.text)


def test_why_explains_own_orders_only(dark: Table) -> None:
    own = dark.reply(dark.latest("RUSSIA"), "WHY F Sev-Bla")[-1].words
    assert "Russia: Fleet Sevastopol -> Black Sea. (*bounce*)" in own
    assert "This game is blind: the reasons become visible" in own
    assert not {"Turkey", "Turkish", "Ankara"} & {*own.split()}

    asked = ("A Par-Gas", "A Par-Mos", "F Ank-Bla", "A Mos-Ukr")
    text = "\n".join(f"WHY {order}" for order in asked)
    others = dark.reply(dark.latest("FRANCE"), text)[-1].words
    assert "A Par-Gas - It was not ordered. - France: Army Paris -> Burgundy." in others
    assert "A Par-Mos - It was not ordered. - It was impossible" in others
    assert "F Ank-Bla - You had no such unit." in others
    assert "A Mos-Ukr - You had no such unit." in others
    assert not {"Turkey", "Russia"} & {*others.split()}


def test_a_preview_uses_only_visible_units(dark: Table) -> None:
    far = "RUSSIA: A Ukr H\nRUSSIA: A Mos H"  # where one is, and where none is
    text = f"PREVIEW\nA Bur-Mun\nG: A Mun-Bur\nF: F Bre-Mao\n{far}"
    [answer] = dark.reply(dark.latest("FRANCE"), text)

    assert "Only the units you can see are included" in answer.words
    assert "France: Army Burgundy -> Munich. (*bounce*)" in answer.words
    assert "Germany: Army Munich -> Burgundy. (*bounce*)" in answer.words
    assert "France: Fleet Brest -> Mid-Atlantic Ocean." in answer.words
    lines = answer.text.split("\n")
    said = [[each for each in lines if name in each] for name in ("Ukr", "Mos")]
    assert "was impossible: you see no unit in Moscow" in answer.words
    assert "there is no unit" not in answer.words
    assert said[0] == [line.replace("Mos", "Ukr").replace("cow", "aine") for line in said[1]]
    assert not FAR.findall(re.sub("Ukr(aine)?|Mos(cow)?", "", answer.text))

    [receipt] = dark.reply(dark.emails_to(ANNA)[-1], "PREVIEW\nA Par H")
    assert "PREVIEW: refused." in receipt.words
