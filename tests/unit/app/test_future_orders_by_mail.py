"""Orders for later phases by mail, also in one email with orders for the open phase."""

from __future__ import annotations

import json

import pytest

from judge.adapters.variant_files import load_map
from judge.game.future_orders import plan_lines
from judge.game.phases import has_ordered_all
from judge.game.submission import ReadySet, commit_orders
from judge.game.voting import ConcessionVoted, DrawVoted
from tests.support.table import POWERS, Table, address_of

FRANCE = address_of("FRANCE")


def kept(table: Table, power: str) -> dict[str, int]:
    """Return the number of future orders of *power*, by phase."""
    plans = table.game().plans.get(power, {})
    return {phase: len(plan.wishes) for phase, plan in plans.items()}


def test_one_email_orders_for_this_phase_and_later_ones(table: Table) -> None:
    receipt = table.send(
        "FRANCE",
        "A Par-Bur; F Bre-Mao; A Mar-Spa\n"
        "\n"
        "PHASE FALL 1901 MOVEMENT\n"
        "IF A Mun THEN A Bur H\n"
        "ELSE A Bur-Mun\n"
        "PHASE W1901A\n"
        "Build F Bre or A Par",
    )

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO", "A MAR - SPA")
    assert kept(table, "FRANCE") == {"F1901M": 2, "W1901A": 2}
    assert "Saved for F1901M, not for the open phase" in receipt.words
    assert "IF NOT A MUN THEN A BUR - MUN" in receipt.text
    assert "All 3 orders received" in receipt.text


@pytest.mark.parametrize(
    ("phase", "block"),
    [
        ("W1901A", ("Build F Bre\nBuild A Mar", "Build A Par")),
        ("W1901A", ("Build F Bre", "Build A Par\nBuild A Mar")),
        ("F1901M", ("F Bre-Eng", "F Bre-Mao")),
        ("F1901M", ("F Bre-Eng\nA Par-Pic", "F Bre-Mao\nA Par H")),
        ("S1901R", ("A Par R Gas", "A Par D")),
    ],
)
@pytest.mark.parametrize("condition", ["FRANCE OWNS Bel", "NOT F Eng", "OWNS TYR"])
@pytest.mark.parametrize(
    "written", ["IF {}\n{}\nELSE\n{}\nENDIF", "IF {} THEN\n{}\nELSE:\n{}\nENDIF"]
)
def test_the_receipt_says_what_the_log_holds_of_a_block(
    table: Table, phase: str, block: tuple[str, str], condition: str, written: str
) -> None:
    receipt = table.send("FRANCE", f"PHASE {phase}\n{written.format(condition, *block)}")

    plan = table.game().plans["FRANCE"][phase]
    orders = "\n".join(block).count("\n") + 1
    assert len(plan.wishes) == orders
    assert all(line in receipt.text for line in plan_lines(plan))
    assert receipt.text.count("IF ") >= orders


def test_every_later_receipt_repeats_future_orders(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par-Bur")

    receipt = table.send("FRANCE", "A Par H")

    assert "Saved for F1901M:\n\n  A PAR - BUR" in receipt.text


def test_the_commitment_to_future_orders_can_be_checked(table: Table) -> None:
    table.want_proofs()
    receipt = table.send("FRANCE", "PHASE S1901R\nA Par R Gas, Pic\nF Bre R Gas or disband")

    lines = ("A PAR R GAS, A PAR R PIC", "F BRE R GAS, F BRE D")
    assert all(line in receipt.text for line in lines)
    proof = json.loads(receipt.proof)["proofs"][-1]
    [kept] = proof["commitments"]
    assert (proof["phase"], proof["kept"], kept["orders"]) == ("S1901R", True, list(lines))
    assert commit_orders(kept["nonce"], lines) == kept["digest"]


def test_results_mark_orders_given_in_advance(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Bur H\nA Mar H")

    table.play(FRANCE="A Par-Bur; A Mar H; F Bre H")

    results = table.emails_to(FRANCE, "phase_results")[-1]
    assert table.current_orders("FRANCE") == ("A BUR H", "A MAR H")
    assert "Sent in advance, and valid unless you send others:" in results.text
    assert (
        "Army Burgundy HOLD."
        in results.text.split("Sent in advance, and valid unless you send others:")[1]
    )


def test_orders_kept_that_no_longer_fit_are_named_when_the_phase_opens(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Bur-Bel\nA Mar S A Bur H\nA Par H\nF Bre H")

    table.play(FRANCE="A Par H; A Mar H; F Bre H")

    results = table.emails_to(FRANCE, "phase_results")[-1].words
    given, unfit = results.split("no longer fit")
    assert "Army Burgundy -> Belgium" in unfit
    assert "Army Marseilles SUPPORT Army Burgundy" in unfit
    assert "Army Paris HOLD" in given
    assert "Army Paris HOLD" not in unfit.split("Log:")[0]
    assert not has_ordered_all(load_map("standard"), table.game(), "FRANCE")


def test_a_power_whose_kept_orders_no_longer_fit_is_not_complete(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par H\nA Mar H\nF Bre H\nA Bur H")
    table.play(FRANCE="A Par H; A Mar H; F Bre H")
    assert not has_ordered_all(load_map("standard"), table.game(), "FRANCE")

    sent = table.send("FRANCE", "A Par H; A Mar H; F Bre H")

    assert "no longer fit" in table.emails_to(FRANCE, "phase_results")[-1].words
    assert "Army Burgundy HOLD" not in sent.text
    assert "All 3 orders received" in sent.text
    assert has_ordered_all(load_map("standard"), table.game(), "FRANCE")


def test_a_retreat_that_was_not_needed_is_not_missed(table: Table) -> None:
    table.send("FRANCE", "A Par H; A Mar H; F Bre H\nPHASE S1901R\nA Par R Gas")

    table.play()

    assert "no longer fit" not in table.emails_to(FRANCE, "phase_results")[-1].words


def test_a_zine_year_has_two_deadlines(judge: Table) -> None:
    judge.start("baltic", "deadlines=movement")
    judge.play(
        FRANCE="A Par-Bur; A Mar S A Par-Bur; F Bre-Mao",
        GERMANY="A Mun-Tyr; A Ber-Mun; F Kie-Hol",
        AUSTRIA="A Vie-Boh; A Bud H; F Tri H",
    )
    judge.play(
        FRANCE="A(Bur)-Mun; A(Mar)-Bur; F(Mao)-Por",
        GERMANY=(
            "A(Mun) stands (retreat: Boh, Ruh, Sil)\nA(Tyr) stands; F(Hol) stands\n"
            "BUILDS:\nA Ber, F Kie"
        ),
        AUSTRIA="A Boh S A Bur-Mun; A Bud H; F Tri H",
        ENGLAND="F Edi H; F Lon H; A Lvp H",
    )

    assert judge.phase() == "S1902M"
    position = judge.game().position
    assert position is not None
    assert [str(each) for each in position.units_of("GERMANY")] == ["F HOL", "A RUH", "A TYR"]
    assert "NMR" not in judge.emails_to(FRANCE)[-1].text


def test_a_remark_behind_an_order_lists_where_its_unit_retreats_to(table: Table) -> None:
    receipt = table.send("FRANCE", "A(Par) stands (retreat: Gas, Pic)")

    assert "Saved for S1901R" in receipt.words
    assert "A PAR R GAS, A PAR R PIC" in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR H",)


@pytest.mark.parametrize(
    "text",
    [
        "A Par H, if dislodged retreat to Gas or Pic",
        "Paris holds. If it is dislodged, it retreats to Gascony or Picardy.",
    ],
)
def test_a_retreat_in_words_is_saved_and_casts_no_doubt_on_the_order(
    table: Table, text: str
) -> None:
    receipt = table.send("FRANCE", f"{text}\nA Mar H\nF Bre H")

    assert "Saved for S1901R" in receipt.words
    assert "A PAR R GAS, A PAR R PIC" in receipt.text
    assert table.current_orders("FRANCE") == ("A PAR H", "A MAR H", "F BRE H")


def test_another_remark_is_no_retreat(table: Table) -> None:
    table.send("FRANCE", "A(Par) stands (as we said)")

    assert kept(table, "FRANCE") == {}


@pytest.mark.parametrize("heading", ["RETREATS:", "Retreats:", "PHASE S1901R", "S1901R"])
def test_a_retreats_heading_begins_orders_for_the_next_retreats(
    table: Table, heading: str
) -> None:
    table.send("FRANCE", f"A Par H\n{heading}\nA Par-Gas, Pic\nF Bre OTB")

    assert kept(table, "FRANCE") == {"S1901R": 2}


@pytest.mark.parametrize("heading", ["Fall 1901", "FRANCE - Autumn 1901:", "PHASE F1901"])
def test_orders_below_the_name_of_a_later_phase_are_for_that_phase(
    table: Table, heading: str
) -> None:
    table.send("FRANCE", f"{heading}\nA Par-Gas")

    assert kept(table, "FRANCE") == {"F1901M": 1}
    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    "heading",
    ["== Fall 1901 ==", "Autum 1901:", "1901F", "Fall moves are as follows:", "In the fall:"],
)
def test_orders_below_any_form_of_a_later_phase_do_not_count_now(
    table: Table, heading: str
) -> None:
    table.send("FRANCE", f"A Mar-Spa\n{heading}\nA Par-Gas")

    assert kept(table, "FRANCE") == {"F1901M": 1}
    assert table.current_orders("FRANCE") == ("A MAR - SPA",)


def test_orders_for_an_unclear_later_phase_are_held_and_asked_about(table: Table) -> None:
    asked = table.send("FRANCE", "A Par-Bur\nNext turn:\nA Bur-Mun\nA Mar-Gas")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert 'Unknown phase "Next turn:"' in asked.words
    assert "A Bur-Mun A Mar-Gas To use these" in asked.words
    assert "USE THESE FOR F1901M" in asked.text
    table.reply(asked, "USE THESE FOR F1901M")
    assert kept(table, "FRANCE") == {"F1901M": 2}
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize("line", ["Later, Jean", "See you in Fall 1901", "Spring 1901 was good"])
def test_prose_with_a_season_in_it_changes_nothing(table: Table, line: str) -> None:
    receipt = table.send("FRANCE", f"{line}\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "not understood" not in receipt.text


def test_an_order_may_have_its_phase_behind_it(table: Table) -> None:
    table.send("FRANCE", "A Par-Gas (F1901M)\nA Mar-Spa\nF Bre-Mao (S1901M)")

    assert kept(table, "FRANCE") == {"F1901M": 1}
    assert table.current_orders("FRANCE") == ("A MAR - SPA", "F BRE - MAO")


def test_an_order_followed_by_an_unclear_phase_is_offered(table: Table) -> None:
    asked = table.send("FRANCE", "A Mar-Spa\nA Par-Gas (Fall 1901 or Spring 1902)")
    offered = table.send("FRANCE", "A Mar-Spa\nA Par-Gas, Spring and Fall 1901")

    assert table.current_orders("FRANCE") == ("A MAR - SPA",)
    assert "A Par-Gas" in asked.text
    table.reply(offered, "USE THESE")
    assert table.current_orders("FRANCE") == ("A MAR - SPA", "A PAR - GAS")


@pytest.mark.parametrize("heading", ["Fall 1901:", "PHASE XYZ", "Next turn:"])
@pytest.mark.parametrize("command", ["READY", "NOT READY", "DRAW", "CONCEDE ENGLAND"])
def test_commands_for_the_open_phase_do_not_count_below_another_phase(
    table: Table, heading: str, command: str
) -> None:
    receipt = table.send("FRANCE", f"A Par-Bur\n{heading}\n{command}")

    assert f"{command}: refused. That is for a phase that is not open." in receipt.words
    assert not any(table.count_events(each) for each in (ReadySet, DrawVoted, ConcessionVoted))


@pytest.mark.parametrize("line", ["F1901M: WAIT", "F1901M WAIT", "Fall:\nWAIT"])
def test_wait_may_name_its_phase(table: Table, line: str) -> None:
    receipt = table.send("FRANCE", line)

    assert "WAIT is saved" in receipt.words
    assert table.game().waits == {"F1901M": {"FRANCE"}}


def test_the_name_of_a_phase_and_orders_may_share_a_line(table: Table) -> None:
    table.send("FRANCE", "Spring 1901: A Par-Bur, A Mar-Spa\nF1901M: A Par-Pic; A Mar-Por")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "A MAR - SPA")
    assert kept(table, "FRANCE") == {"F1901M": 2}


def test_movements_below_retreats_are_for_the_open_phase_again(table: Table) -> None:
    table.send("FRANCE", "Here are my moves:\nA Par-Bur\nRETREATS:\nA Mar-Gas\nMOVES:\nF Bre-Mao")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO")
    assert kept(table, "FRANCE") == {"S1901R": 1}


@pytest.mark.parametrize("heading", ["PHASE XYZ", "Fall 1899:", "W1901M"])
def test_orders_below_an_impossible_phase_are_only_offered(table: Table, heading: str) -> None:
    offer = table.send("FRANCE", f"{heading}\nA Par-Bur\nA Marr-Spa\nSee you")

    assert table.current_orders("FRANCE") == ()
    assert kept(table, "FRANCE") == {}
    assert "not used:" in offer.words
    assert "used: A Par-Bur A Marr-Spa To use these" in offer.words
    table.reply(offer, "USE THESE")
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_unknown_phase_name_is_quoted(table: Table) -> None:
    receipt = table.send("FRANCE", "PHASE XYZ")

    assert "Line 1 was not understood: PHASE XYZ" in receipt.words


def test_a_subject_names_the_phase_of_orders(table: Table) -> None:
    to = table.latest("FRANCE").reply_to
    table.mail(FRANCE, "A Par-Bur\nPHASE S1901M\nF Bre-Mao", to, subject="Orders for Fall 1901")
    assert kept(table, "FRANCE") == {"F1901M": 1}
    assert table.current_orders("FRANCE") == ("F BRE - MAO",)

    table.mail(FRANCE, "A Par-Pic", to, subject="Re: baltic, Spring 1901")
    assert table.current_orders("FRANCE") == ("F BRE - MAO", "A PAR - PIC")


def test_the_subject_of_a_reply_names_no_phase(table: Table) -> None:
    table.play(FRANCE="A Par-Bur; A Mar H; F Bre H")
    results = table.emails_to(FRANCE, "phase_results")[-1]
    assert "S1901M Results" in results.subject

    table.reply(results, "A Bur-Mun")
    assert table.current_orders("FRANCE") == ("A BUR - MUN",)

    [offer] = table.mail(FRANCE, "A Bur-Bel", results.reply_to, subject="Spring 1901 orders")
    assert table.current_orders("FRANCE") == ("A BUR - MUN",)
    assert "These orders were not used: A Bur-Bel" in offer.words


def test_wait_below_a_later_phase_is_for_that_phase(table: Table) -> None:
    receipt = table.send("FRANCE", "PHASE F1901M\nSET WAIT")

    assert "WAIT is saved for that phase: it will stay open until its deadline." in receipt.words
    assert "(F1901M)" in receipt.words
    assert "Saved for F1901M:\n\n  WAIT" in receipt.text
    assert "WAIT is set" not in receipt.words
    table.play(FRANCE="A Par H; F Bre H; A Mar H")
    assert "WAIT is set: this phase stays open" in table.send("FRANCE", "A Par H").words
    assert "WAIT" not in table.send("GERMANY", "A Mun H").text.partition("To answer")[0]


def test_wait_for_a_later_phase_can_be_withdrawn(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nSET WAIT")

    receipt = table.send("FRANCE", "PHASE F1901M\nSET NOWAIT")

    assert "WAIT is canceled for that phase." in receipt.words
    assert "Kept for F1901M" not in receipt.text


def test_builds_are_for_the_winter_of_the_year(table: Table) -> None:
    table.send("FRANCE", "BUILDS:\nF Bre, A Par")

    assert kept(table, "FRANCE") == {"W1901A": 2}


def test_future_orders_can_be_cleared_by_phase_by_unit_and_as_a_whole(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par H\nF Bre H\nPHASE S1902M\nA Par H\nS1901M\nA Par H")

    table.send("FRANCE", "PHASE F1901M\nCLEAR A Par")
    assert kept(table, "FRANCE") == {"F1901M": 1, "S1902M": 1}
    receipt = table.send("FRANCE", "PHASE F1901M\nCLEAR")
    assert "The orders saved for that phase are deleted." in receipt.words
    assert kept(table, "FRANCE") == {"S1902M": 1}
    assert table.current_orders("FRANCE") == ("A PAR H",)
    table.send("FRANCE", "CLEAR")
    assert kept(table, "FRANCE") == {}
    assert table.current_orders("FRANCE") == ()


def test_clear_removes_future_orders_without_open_ones(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par H")

    receipt = table.send("FRANCE", "CLEAR")

    assert kept(table, "FRANCE") == {}
    assert "refused" not in receipt.text


def test_nothing_is_left_to_take_back(table: Table) -> None:
    receipt = table.send("FRANCE", "PHASE S1908M\nCLEAR")

    assert "CLEAR: refused" in receipt.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PHASE S1908M\nA Par H", "up to five years ahead"),
        ("PHASE S1908M\nA Par H", "These orders were not used: A Par H"),
        ("PHASE XYZ\nA Par H", 'Unknown phase "PHASE XYZ"'),
        ("PHASE F1901M\nGERMANY: A Mun H", "belongs to another power"),
        ("PHASE F1901M\nBuild A Par", "only after Fall"),
        ("PHASE F1901M\nA Nor H", "is ambiguous:"),
        ("PHASE F1901M\nA Parris H", "Did you mean: A Par H"),
        ("PHASE F1901M\nIF it rains THEN\nA Par H\nENDIF", "Line 2 was not understood"),
    ],
)
def test_a_line_that_is_not_kept_is_answered(table: Table, text: str, said: str) -> None:
    receipt = table.send("FRANCE", text)

    assert said in receipt.words
    assert kept(table, "FRANCE") == {}


def test_future_orders_are_shown_to_nobody_else(table: Table) -> None:
    table.send("FRANCE", "PHASE F1901M\nA Par-Pic (secret)\nIF F Eng THEN F Bre-Gas")
    table.play(FRANCE="A Par H; F Bre H; A Mar H")

    for power in POWERS:
        if power != "FRANCE":
            table.send(power, "STATUS")
            assert all(
                "F BRE - GAS" not in mail.text for mail in table.emails_to(address_of(power))
            )
            assert all("Picardy" not in mail.text for mail in table.emails_to(address_of(power)))


def test_only_players_give_future_orders(judge: Table) -> None:
    judge.open("adriatic")
    judge.join("adriatic", "FRANCE")

    receipt = judge.mail(FRANCE, "PHASE F1901M\nA Par H", subject="JUDGE:adriatic")

    assert all("Kept" not in mail.text for mail in receipt)


def test_orders_for_another_phase_are_used_for_a_later_one_if_so_asked(table: Table) -> None:
    start = table.latest("FRANCE")
    table.play(FRANCE="A Par H; A Mar H; F Bre H")

    [asked] = table.reply(start, "A Par-Bur")
    [receipt] = table.reply(asked, "YES")
    assert "These orders were not used:" in receipt.words
    table.reply(receipt, "USE THESE FOR S1902M")

    assert kept(table, "FRANCE") == {"S1902M": 1}


def test_a_bare_unit_is_a_removal_where_removals_are_due(table: Table) -> None:
    table.play(GERMANY="A Mun-Ruh; A Ber-Mun; F Kie-Hol", FRANCE="A Par-Bur; A Mar H; F Bre H")
    table.play(
        GERMANY="A Ruh H; A Mun-Tyr; F Hol-Kie",
        FRANCE="A Bur-Mun; A Mar-Bur; F Bre-Mao",
        RUSSIA="A War-Sil; A Mos H; F Sev H; F Stp-Bot",
    )

    assert table.phase() == "W1901A"
    table.send("GERMANY", "* F Kie")

    assert table.current_orders("GERMANY") == ("F KIE D",)


@pytest.mark.parametrize("text", ["A Par-Bergundi", "The army in Paris goes to Bergundi."])
def test_a_misspelling_is_only_asked_about_by_default(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert "Did you mean: A Par-Bur" in receipt.text
    assert table.current_orders("FRANCE") == ()


def test_a_strict_game_suggests_nothing(judge: Table) -> None:
    judge.start("baltic", "typos=strict")

    receipt = judge.send("FRANCE", "A Pariss-Bur")

    assert "Line 1 was not understood" in receipt.words
    assert "Did you mean" not in receipt.text


def test_a_misspelling_is_corrected_if_the_rules_say_so_and_no_undoes_it(judge: Table) -> None:
    judge.start("baltic", "typos=repair")
    judge.send("FRANCE", "A Par-Gas; F Bre H")

    receipt = judge.send("FRANCE", "A Pariss-Bur; A Mar-Spa")

    assert '", was read as the next order; reply NO to undo it.' in receipt.words
    assert judge.current_orders("FRANCE") == ("A PAR - BUR", "F BRE H", "A MAR - SPA")
    [undone] = judge.reply(receipt, "NO")
    assert "The correction is undone. (A Par-Bur)" in undone.words
    assert set(judge.current_orders("FRANCE")) == {"A PAR - GAS", "F BRE H", "A MAR - SPA"}


def test_a_misspelling_without_a_possible_reading_is_not_corrected(judge: Table) -> None:
    judge.start("baltic", "typos=repair")

    receipt = judge.send("FRANCE", "A Pariss-Lon\nA Par-Munnich")

    assert receipt.text.count("was not understood") == 2
    assert judge.current_orders("FRANCE") == ()


@pytest.mark.parametrize("answer", ["NO", "No!"])
def test_no_undoes_nothing_where_nothing_was_corrected(judge: Table, answer: str) -> None:
    judge.start("baltic", "typos=repair")
    receipt = judge.send("FRANCE", "A Par-Bur")

    judge.reply(receipt, answer)

    assert judge.current_orders("FRANCE") == ("A PAR - BUR",)


def test_no_comes_too_late_for_a_unit_ordered_again(judge: Table) -> None:
    judge.start("baltic", "typos=repair")
    receipt = judge.send("FRANCE", "A Pariss-Bur")
    judge.send("FRANCE", "A Par-Pic")

    judge.reply(receipt, "NO")

    assert judge.current_orders("FRANCE") == ("A PAR - PIC",)


def test_no_restores_the_builds_that_a_correction_replaced(judge: Table) -> None:
    judge.start("baltic", "typos=repair")
    judge.play(FRANCE="A Mar-Spa; A Par-Gas; F Bre-Mao")
    judge.play(FRANCE="A Spa H; A Gas H; F Mao-Por")
    judge.send("FRANCE", "Build A Par; Build F Bre")

    receipt = judge.send("FRANCE", "Build A Marseiles")
    assert judge.current_orders("FRANCE") == ("A MAR B",)
    judge.reply(receipt, "NO")

    assert judge.current_orders("FRANCE") == ("A PAR B", "F BRE B")


def test_an_email_for_next_turn_counts_for_no_phase_yet(table: Table) -> None:
    to = table.latest("FRANCE").reply_to
    [asked] = table.mail(FRANCE, "A Par-Bur", to, subject="Next turn")

    assert 'Unknown phase "Next turn"' in asked.words
    assert table.current_orders("FRANCE") == ()


@pytest.mark.parametrize(
    ("text", "code", "kept", "asked"),
    [
        ("Winter: build A Par\nF Bre-Mao", "W1901A", "A PAR B", "F Bre-Mao"),
        ("Builds: A Par\nA Mar-Spa", "W1901A", "A PAR B", "A Mar-Spa"),
        ("BUILDS:\nA Par; A Mar-Spa", "W1901A", "A PAR B", "A Mar-Spa"),
        ("Retreats: A Par-Gas\nF Bre H", "S1901R", "A PAR R GAS", "F Bre H"),
    ],
)
def test_orders_that_cannot_fit_their_phase_heading_are_asked_about(
    table: Table, text: str, code: str, kept: str, asked: str
) -> None:
    receipt = table.send("FRANCE", text)
    assert f"Saved for {code}" in receipt.text
    assert f"  {kept}\n" in receipt.text
    assert f"{code} cannot have such orders. They were not used:" in receipt.words
    assert f"not used: {asked} To use these for S1901M, reply:" in receipt.words
    assert table.current_orders("FRANCE") == ()

    table.reply(receipt, "USE THESE")

    assert table.current_orders("FRANCE") == (asked.upper().replace("-", " - "),)


def test_orders_that_fit_no_open_phase_either_are_refused(table: Table) -> None:
    receipt = table.send("FRANCE", "Spring 1902: A Par-Bur\nBuild F Bre\nGermany: A Mun H")

    assert "Build F Bre Rejected: units are built only after Fall" in receipt.words
    assert "cannot have such orders" not in receipt.words


def test_a_heading_with_an_order_covers_orders_of_its_kind(table: Table) -> None:
    receipt = table.send("FRANCE", "Winter: build A Par\nF Bre")

    assert "  A PAR B\n  F BRE B\n" in receipt.text
    assert "cannot have such orders" not in receipt.words


@pytest.mark.parametrize(
    "text",
    [
        "Plan A:\nA Par-Pic\nPlan B:\nA Par-Bur",
        "A Par-Pic; Plan B: A Par-Bur",
        "A Par-Pic\n*Option 2*\nA Par-Bur\nF Bre-Mao",
        "A Par-Pic\nAlternative: A Par-Bur",
        "A Par-Pic\nBackup plan:\nA Par-Bur",
    ],
)
def test_an_alternative_plan_is_asked_about(table: Table, text: str) -> None:
    asked = table.send("FRANCE", text)
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)
    assert '". These orders were not used: A Par-Bur' in asked.words

    table.reply(asked, "USE THESE")

    assert table.current_orders("FRANCE")[0] == "A PAR - BUR"


@pytest.mark.parametrize(
    "line",
    [
        "Plan A:",
        "Plan:",
        "My plan:",
        "Option 1",
        "Plan B failed",
        "Let's go with plan B:",
        "I have no alternative",
        "Alternative",
        "Plan to attack",
        "Backup",
        "Plan I",
    ],
)
def test_prose_about_plans_does_not_hold_orders_up(table: Table, line: str) -> None:
    table.send("FRANCE", f"{line}\nA Par-Pic")

    assert table.current_orders("FRANCE") == ("A PAR - PIC",)
