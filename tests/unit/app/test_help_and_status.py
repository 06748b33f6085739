"""HELP, LIST, STATUS and PREVIEW, for players and for strangers."""

from __future__ import annotations

import pytest

from tests.support.table import Table, address_of

BOB = "bob@stranger.example"


@pytest.mark.parametrize(
    ("asked", "topic"),
    [("BUILDS", "BUILD"), ("draws", "DRAW"), ("predict", "PREVIEW"), ("Convyo", "CONVOY")],
)
def test_help_is_found_by_other_words_and_nearly_by_the_right_ones(
    judge: Table, asked: str, topic: str
) -> None:
    [answer] = judge.mail("curious@example.org", f"HELP {asked}")

    assert answer.subject.endswith(f"Help on {topic}")


def test_before_the_first_results_there_is_no_why(table: Table) -> None:
    told = table.send("FRANCE", "WHY A Par-Bur").words

    assert "WHY: refused. This game has no results yet" in told


def test_a_refusal_quotes_the_command_as_written(table: Table) -> None:
    told = table.send("FRANCE", "SET DRAW EFT\nVOTE YES").words

    assert "SET DRAW EFT: refused. In this game a draw is shared by all survivors" in told
    assert "VOTE YES: refused. There is no such draw proposal" in told


def test_help_needs_no_proof(judge: Table) -> None:
    [answer] = judge.mail(BOB, "HELP\n")

    assert (answer.recipient, answer.kind) == (BOB, "help")
    assert "JOIN" in answer.text


def test_help_on_an_unknown_topic_gets_the_overview(judge: Table) -> None:
    [answer] = judge.mail(BOB, "HELP cooking")

    assert "There is no help on: cooking" in answer.text
    assert "JOIN" in answer.text


def test_a_stranger_has_three_answers_a_day(judge: Table) -> None:
    judge.mail(BOB, "HELP")

    assert len(judge.mail(BOB, "LIST")) == 1
    assert len(judge.mail(BOB, "HELP")) == 1
    assert judge.mail(BOB, "STATUS") == ()
    judge.pass_time(hours=25)
    assert len(judge.mail(BOB, "HELP")) == 1


def test_a_mailing_list_is_not_answered(judge: Table) -> None:
    assert judge.mail(BOB, "HELP", List_Id="<games.example>") == ()


def test_a_player_is_answered_each_time(table: Table) -> None:
    for _ in range(3):
        assert "JOIN" in table.send("FRANCE", "HELP").text


def test_the_list_shows_public_facts(table: Table) -> None:
    table.open("adriatic")
    table.open("secret", "listed=no")

    [answer] = table.mail(BOB, "LIST")

    assert "adriatic         Standard, forming, 7 places free." in answer.text
    assert "baltic           Standard, S1901M." in answer.text
    assert "due Mon 30 Nov 2026 20:00 UTC" in answer.text
    assert "secret" not in answer.text


def test_without_games_the_list_says_so(judge: Table) -> None:
    [answer] = judge.mail(BOB, "LIST")

    assert "There are no public games now." in answer.text


def test_the_status_of_a_hidden_game_is_the_list(table: Table) -> None:
    table.open("secret", "listed=no")

    [hidden] = table.mail(BOB, "STATUS secret")
    [unknown] = table.mail("carol@stranger.example", "STATUS nowhere")

    assert hidden.text == unknown.text


def test_a_player_of_a_hidden_game_sees_it(judge: Table) -> None:
    judge.open("secret", "listed=no")
    *_, receipt = judge.join("secret", "FRANCE")

    [status] = judge.reply(receipt, "STATUS secret")

    assert "The game waits for 6 more players." in status.text


def test_status_shows_a_player_their_own_orders(table: Table) -> None:
    table.send("FRANCE", "A Par-Gas")

    status = table.send("FRANCE", "STATUS")

    assert "Status of the Movement phase for Spring of 1901." in status.text
    assert "A Par-Gas" in status.text
    assert "Mon 30 Nov 2026 20:00 UTC." in status.words


def test_status_below_orders_in_one_email_shows_them(table: Table) -> None:
    both = table.send("FRANCE", "STATUS\nA Par-Gas")

    receipt, status = both.text.split("-" * 72)
    assert "A Par-Gas" in receipt
    assert "A Par-Gas" in status


def test_status_without_a_game_is_the_list(judge: Table) -> None:
    judge.open("adriatic")
    judge.open("baltic")
    judge.join("adriatic", "FRANCE")
    *_, receipt = judge.join("baltic", "FRANCE")
    [confirm] = judge.mail(address_of("FRANCE"), "RESIGN adriatic\nSTATUS")

    assert confirm.kind == "confirm_mail"
    [answer] = judge.mail(BOB, "STATUS")
    assert "adriatic" in answer.text
    assert receipt.token


def test_the_moderator_sees_who_plays_and_no_orders(table: Table) -> None:
    table.send("FRANCE", "A Par-Gas")

    [status] = table.reply(table.emails_to("moderator@players.example")[-1], "STATUS")

    assert "France:                   player-" in status.text
    assert "Gascony" not in status.text


def test_the_words_that_end_an_email_are_no_orders_to_try_instead_of_those_above(
    table: Table,
) -> None:
    answer = table.send("FRANCE", "A Par-Bur\nPREVIEW\n\nBest, Jean")

    _, tried = answer.text.split("WHAT IF", 1)
    assert "France: Army Paris -> Burgundy." in tried


def test_an_email_with_orders_and_a_preview_says_which_is_which(table: Table) -> None:
    answer = table.send("FRANCE", "A Par-Bur\nPREVIEW\nA Mar-Spa")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "Previewed, not ordered: | A Mar-Spa" in answer.words


@pytest.mark.parametrize("heading", ["PHASE F1901M", "Fall 1901:", "Next turn:"])
def test_only_the_open_phase_is_previewed(table: Table, heading: str) -> None:
    answer = table.send("FRANCE", f"PREVIEW\nA Par-Bur\n{heading}\nA Bur-Mun\nS1901M\nA Mar H")

    assert answer.kind == "what_if"
    assert "For another phase, so not included: A Bur-Mun" in answer.words
    assert "France: Army Paris -> Burgundy." in answer.words
    assert "France: Army Marseilles HOLD." in answer.words
    assert table.current_orders("FRANCE") == ()


def test_a_subject_that_asks_for_a_preview_orders_nothing(table: Table) -> None:
    mails = table.mail(
        address_of("FRANCE"), "A Par-Bur", table.latest("FRANCE").reply_to, subject="PREVIEW"
    )

    assert [each.kind for each in mails] == ["what_if"]
    assert table.current_orders("FRANCE") == ()
