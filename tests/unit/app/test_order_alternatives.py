"""Missing coasts, retreats in order of preference and orders for dummies, by mail."""

from __future__ import annotations

from tests.support.table import MODERATOR, Table
from tests.unit.app.test_waiting_list_by_mail import moderate


def test_a_coast_that_is_not_named_is_asked_for_with_both_orders(judge: Table) -> None:
    judge.start("baltic")
    judge.play(FRANCE="F Bre-Mao\nA Par H\nA Mar H")

    told = judge.send("FRANCE", "F Mao-Spa").words

    assert "Do you mean F Mao-Spa(nc) or F Mao-Spa(sc)? Please send one of them." in told


def test_the_first_possible_retreat_is_taken(judge: Table) -> None:
    judge.start("baltic")
    judge.play(GERMANY="A Mun-Tyr\nA Ber-Mun\nF Kie H")
    judge.play(AUSTRIA="A Vie-Tyr\nA Bud H\nF Tri H", ITALY="A Ven S A Vie-Tyr\nA Rom H\nF Nap H")
    assert judge.phase() == "F1901R"

    told = judge.send("GERMANY", "A Tyr R Ven, Mun, Pie, Boh").words

    assert "A Tyr-Pie" in told
    assert "possible order counts: A Tyr-Ven, A Tyr-Mun, A Tyr-Pie, A Tyr-Boh." in told
    assert judge.current_orders("GERMANY") == ("A TYR R PIE",)

    judge.send("GERMANY", "retreat: Ven, Boh, OTB")
    assert judge.current_orders("GERMANY") == ("A TYR R BOH",)

    told = judge.send("GERMANY", "R Ven, Pie, OTB").words
    assert "possible order counts: A Tyr-Ven, A Tyr-Pie, Disband A Tyr." in told
    assert judge.current_orders("GERMANY") == ("A TYR R PIE",)

    judge.send("GERMANY", "disband")
    assert judge.current_orders("GERMANY") == ("A TYR D",)

    judge.send("GERMANY", "Retreat A Tyr to Pie")
    assert judge.current_orders("GERMANY") == ("A TYR R PIE",)


def test_the_possible_one_of_two_builds_is_taken(judge: Table) -> None:
    judge.start("baltic")
    judge.play(FRANCE="A Mar-Spa, A Par-Gas, F Bre H")
    judge.play(FRANCE="A Spa-Por, A Gas-Spa, F Bre H")
    assert judge.phase() == "W1901A"

    judge.send("FRANCE", "Build A Bre if vacant, otherwise A Par; Build F Bre, else waive")

    assert judge.current_orders("FRANCE") == ("A PAR B", "WAIVE")


def test_builds_below_their_heading_are_builds(judge: Table) -> None:
    judge.start("baltic")
    judge.play(FRANCE="A Mar-Spa, A Par-Gas, F Bre-Mao")
    judge.play(FRANCE="A Spa H, A Gas H, F Mao-Por")

    judge.send("FRANCE", "builds: F Bre, A Par")
    assert judge.current_orders("FRANCE") == ("F BRE B", "A PAR B")

    judge.send("FRANCE", "BUILDS:\nA Bre\nF Mar")
    assert judge.current_orders("FRANCE") == ("A BRE B", "F MAR B")


def test_an_unreadable_retreat_is_reported_and_the_order_kept(judge: Table) -> None:
    judge.start("baltic")

    told = judge.send("FRANCE", "A Par H (retreat wherever); A Mar H (OTB)").words

    assert judge.current_orders("FRANCE") == ("A PAR H", "A MAR H")
    assert "(retreat wherever)" in told
    assert "A MAR D" in told


def test_the_moderator_orders_for_dummies(judge: Table) -> None:
    judge.start("baltic", "dummies=moderator", moderator=MODERATOR)
    moderate(judge, "DUMMY ITALY")

    told = moderate(judge, "BECOME ITALY\nA Ven-Tri\nA Rom H")

    assert "for that power, which has no player." in told
    assert judge.current_orders("ITALY") == ("A VEN - TRI", "A ROM H")


def test_dummies_without_orders_hold(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    moderate(judge, "DUMMY ITALY")

    assert "Only the moderator" in moderate(judge, "BECOME ITALY\nA Ven-Tri")
    assert judge.current_orders("ITALY") == ()
