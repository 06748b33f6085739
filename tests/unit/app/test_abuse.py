"""Hostile or careless emails: forgeries, floods, probing for hidden games, games that fail."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from judge.adapters.variant_files import InstalledVariants, load_map
from judge.app.admin import game_admin
from judge.app.deadlines import note_wake_up
from judge.app.inbound.questions import QUESTIONS_A_DAY_MAX
from judge.app.loop import run_once
from judge.app.ports.judge import GameCache
from judge.boards.variant_text import VariantError
from judge.game.house_rules import HouseRules
from judge.game.players.creation import BoardRecorded
from judge.rules.rulebook import DATC
from tests.support.table import FIRST_DEADLINE, JUDGE, POWERS, Table, address_of

FORGER = "forger@elsewhere.example"


def test_a_late_notice_is_sent_although_only_a_vacant_power_has_no_orders(
    judge: Table,
) -> None:
    judge.start("baltic", "takeover_hours=240")
    [*_, confirm] = judge.reply(judge.latest("TURKEY"), "RESIGN")
    judge.reply(confirm, confirm.yes)
    judge.all_hold(but=["TURKEY"])

    told = judge.wait_until(FIRST_DEADLINE)

    assert {mail.recipient for mail in told} == {address_of(power) for power in POWERS} - {
        address_of("TURKEY")
    }
    assert {mail.kind for mail in told} == {"late_notice"}


class Drowned(InstalledVariants):
    def recorded(self, _: str) -> BoardRecorded:
        """Return an empty board."""
        return BoardRecorded(load_map().digest, {}, {})


def test_a_failing_game_does_not_hold_up_others(table: Table) -> None:
    table.all_hold()
    before_the_flood = replace(
        table.judge, boards=lambda _: load_map(), variants=Drowned(), game_cache=GameCache()
    )
    game_admin.create_game(
        before_the_flood, game_admin.NewGame("atlantis", HouseRules(), DATC, variant="atlantis")
    )
    note_wake_up(before_the_flood)

    table.clock.time = FIRST_DEADLINE
    run_once(table.judge)

    assert table.phase() == "F1901M"
    assert {type(failure) for failure in table.operator_log.failures} == {VariantError}


def test_the_message_id_of_an_email_that_a_player_caused_proves_nothing(table: Table) -> None:
    asked = table.compose(address_of("FRANCE"), "A Par H").as_bytes()
    table.store_email(asked, FORGER)
    table.run_once()
    cause = f"mail:{sha256(asked).hexdigest()}:{JUDGE}:confirm\0{address_of('FRANCE')}"
    guess = f"<{sha256(cause.encode()).hexdigest()[:32]}@judge.example>"

    table.mail(address_of("FRANCE"), "A Par-Bur", In_Reply_To=guess)

    assert table.current_orders("FRANCE") == ()


def test_a_reply_to_press_stays_press_when_its_token_is_worthless(table: Table) -> None:
    table.send("ENGLAND", "PRESS TO F\nWhat will you do?\nENDPRESS")
    [letter] = table.emails_to(address_of("FRANCE"), "letter")
    # Another player has copied the token.
    table.reply(letter, "Let me see.", sender=address_of("ITALY"))
    [confirm] = table.reply(letter, "A Par-Bur")

    [question] = table.reply(confirm, confirm.yes)

    assert question.kind == "press_or_orders"
    assert not table.emails_to(address_of("ENGLAND"), "letter")[1:]
    table.reply(question, "PRESS")
    assert table.current_orders("FRANCE") == ()
    assert "A Par-Bur" in table.emails_to(address_of("ENGLAND"), "letter")[-1].text


def test_a_confirm_mail_can_be_answered_without_its_token(table: Table) -> None:
    [confirm] = table.mail(address_of("FRANCE"), "A Par-Bur")

    table.mail(address_of("FRANCE"), "YES", In_Reply_To=confirm.message_id)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_lines_below_a_join_do_not_reveal_a_hidden_game(judge: Table) -> None:
    judge.start("hidden", "listed=no")
    judge.open("adriatic")
    [confirm] = judge.mail(FORGER, "JOIN adriatic")
    [receipt] = judge.reply(confirm, confirm.yes)
    more = "A Par H\nSET WAIT\nPRESS TO F\nHello\nENDPRESS\nCLEAR\nSTATUS"

    [of_hidden] = judge.reply(receipt, f"JOIN hidden\n{more}")
    [of_none] = judge.reply(receipt, f"JOIN nosuch\n{more}")

    assert of_hidden.text.replace(of_hidden.token, of_none.token) == of_none.text


def test_forged_emails_do_not_fill_a_players_mailbox(table: Table) -> None:
    for number in range(QUESTIONS_A_DAY_MAX + 1):
        table.mail(address_of("FRANCE"), f"A Par-Bur {number}", envelope=FORGER)

    assert len(table.emails_to(address_of("FRANCE"), "confirm_mail")) == QUESTIONS_A_DAY_MAX

    table.pass_time(hours=24)

    [confirm] = table.mail(address_of("FRANCE"), "A Par-Bur")
    assert confirm.kind == "confirm_mail"


def forge(table: Table, to: str = JUDGE) -> None:
    """Write as France, from elsewhere, more often than the judge asks in a day."""
    for number in range(QUESTIONS_A_DAY_MAX + 3):
        table.mail(address_of("FRANCE"), f"A Par-Bur {number}", to, envelope=FORGER)


@pytest.mark.parametrize("knows", ["the address", "an old reply address", "the latest one"])
def test_forged_emails_do_not_silence_a_player(table: Table, knows: str) -> None:
    old, latest = table.latest("FRANCE"), table.send("FRANCE", "WAIT")
    table.mail(address_of("ITALY"), "Is this the address?", latest.reply_to)
    forge(
        table,
        {"the address": JUDGE, "an old reply address": old.reply_to}.get(knows, latest.reply_to),
    )

    [asked] = table.reply(latest, "A Mar-Spa")
    assert asked.recipient == address_of("FRANCE")
    table.confirm(asked)

    assert table.current_orders("FRANCE") == ("A MAR - SPA",)


def test_what_the_mail_server_calls_forged_uses_up_no_question_of_the_player(table: Table) -> None:
    table.judge = replace(table.judge, authserv_id="mx.judge.example")
    table.way_in = "lmtp"
    for number in range(QUESTIONS_A_DAY_MAX + 3):
        forged = table.compose(address_of("FRANCE"), f"A Par-Bur {number}").as_bytes()
        results = (
            b"Authentication-Results: mx.judge.example; dmarc=fail header.from=players.example\r\n"
        )
        table.store_email(results + forged, FORGER)
    table.run_once()

    [asked] = table.mail(address_of("FRANCE"), "A Mar-Spa")
    table.confirm(asked)

    assert table.current_orders("FRANCE") == ("A MAR - SPA",)


def test_questions_in_the_name_of_a_player_do_not_use_up_answers_about_theirs(
    table: Table,
) -> None:
    [asked] = table.mail(address_of("FRANCE"), "A Mar-Spa")
    for number in range(5):
        table.mail(address_of("FRANCE"), "HELP", envelope=f"{number}.{FORGER}")

    [told] = table.reply(asked, "Perhaps, what is it?")
    assert "YES or NO" in told.words
    [told] = table.reply(asked, "NO")
    assert "dropped" in told.words


def test_a_new_address_is_told_that_its_question_counts_no_longer(table: Table) -> None:
    [*_, confirm] = table.reply(table.latest("FRANCE"), "ADD ADDRESS me@example.org")
    table.confirm(confirm)
    [asked] = table.emails_to("me@example.org")
    table.mail(address_of("ITALY"), "Is this the address?", table.latest("FRANCE").reply_to)

    [told] = table.confirm(asked)

    assert "please send it again" in told.words


def test_several_rejected_orders_are_each_answered(table: Table) -> None:
    receipt = table.send("FRANCE", "A Mun-Bur\nA Gas-Bur").words

    assert "A Mun-Bur Rejected: the unit belongs to another power (DATC 6.A.6)." in receipt
    assert (
        "A Gas-Bur Rejected: there is no unit in Gascony (rulebook VII.7, DATC 4.E.1)." in receipt
    )
    assert "That was already the case" not in receipt


def test_only_surplus_waives_are_refused(table: Table) -> None:
    _play_to_the_builds_of_france(table)

    receipt = table.send("FRANCE", "WAIVE\nWAIVE\nWAIVE").words

    assert table.current_orders("FRANCE") == ("WAIVE", "WAIVE")
    assert receipt.count("Waive Rejected") == 1


def test_an_impossible_build_is_not_reported_as_a_hold(table: Table) -> None:
    _play_to_the_builds_of_france(table)

    receipt = table.send("FRANCE", "Build F Par").words

    assert "It has no effect unless you send another order." in receipt


def _play_to_the_builds_of_france(table: Table) -> None:
    table.send("FRANCE", "F Bre-Mao\nA Mar-Spa")
    game_admin.close_phase_now(table.judge, "baltic", "S1901M")
    table.pass_time(minutes=1)
    table.send("FRANCE", "F Mao-Por")
    game_admin.close_phase_now(table.judge, "baltic", "F1901M")
    table.pass_time(minutes=1)
    assert table.phase() == "W1901A"
