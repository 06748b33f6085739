"""Moderator commands for a running game, and requests of players and observers."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.admin import game_admin
from judge.game.phases import PhaseClosed
from judge.game.voting import GameEnded
from tests.support.table import FIRST_DEADLINE, MODERATOR, POWERS, Mail, Table, address_of

ANNA = "anna@players.example"


def order(table: Table, text: str) -> tuple[Mail, ...]:
    """Reply as the moderator to their latest email; return the emails sent."""
    last = [mail for mail in table.emails_to(MODERATOR) if mail.kind != "letter"][-1]
    return table.reply(last, text)


def news_to(mails: tuple[Mail, ...], power: str) -> str:
    [mail] = [
        each for each in mails if each.recipient == address_of(power) and each.kind == "table_news"
    ]
    return mail.words


def test_a_deadline_may_count_from_now(table: Table) -> None:
    [*_, receipt] = order(table, "Set this deadline to 30 minutes from now, please.")
    if "SET DEADLINE in 30m" in receipt.words:
        order(table, "yes")

    phase = table.game().phase
    assert phase
    assert phase.deadline - table.clock.now() == timedelta(minutes=30)


class TestRollback:
    def test_a_moderator_rolls_a_game_back_by_mail(self, table: Table) -> None:
        table.play(FRANCE="A PAR - BUR\nA MAR H\nF BRE H")
        assert table.phase() == "F1901M"
        mails = order(table, "ROLLBACK BECAUSE an order was misread")

        assert table.phase() == "S1901M"
        told = news_to(mails, "ITALY")
        assert "has been rolled back to S1901M" in told
        assert "Reason: an order was misread" in told
        assert "seen their results: S1901M." in told

    def test_a_mere_yes_rolls_nothing_back(self, table: Table) -> None:
        table.play(FRANCE="A PAR - BUR\nA MAR H\nF BRE H")
        order(table, "I made a mistake, please take the last turn back")

        order(table, "yes")

        assert table.phase() == "F1901M"

    @pytest.mark.parametrize(
        "text",
        [
            "Oh no, I never wanted that! Undo it, please.",
            "All is gone now. How do I get it back?",
            "Das Zurücksetzen war falsch, bitte rückgängig machen",
        ],
    )
    def test_somebody_who_regrets_a_rollback_is_shown_its_undoing(
        self, table: Table, text: str
    ) -> None:
        table.play(FRANCE="A PAR - BUR\nA MAR H\nF BRE H")
        [receipt] = [each for each in order(table, "ROLLBACK") if each.kind == "receipt"]
        assert "ROLLFORWARD undoes that" in receipt.words

        [answer] = order(table, text)
        order(table, "ROLLFORWARD")

        assert "ROLLFORWARD (" in answer.words
        assert table.phase() == "F1901M"

    def test_each_player_is_told_how_much_press_they_have_read_since(self, table: Table) -> None:
        table.send("FRANCE", "PRESS TO I\nPeace?\nENDPRESS")
        table.play()
        table.send("FRANCE", "PRESS TO I\nStill?\nENDPRESS")
        mails = order(table, "ROLLBACK S1901M")

        assert "and you received 2 press messages in that time" in news_to(mails, "ITALY")
        assert "press message" not in news_to(mails, "TURKEY")

    @pytest.mark.parametrize("line", ["ROLLBACK 001 RESTORE", "ROLLBACK S1901M RESTORE FULL"])
    def test_rollback_is_understood_in_the_words_of_other_judges(
        self, table: Table, line: str
    ) -> None:
        table.play(FRANCE="A PAR - BUR\nA MAR H\nF BRE H")
        assert table.phase() == "F1901M"
        order(table, line)

        assert table.phase() == "S1901M"
        assert "A PAR - BUR" in table.current_orders("FRANCE")

    def test_results_of_a_phase_that_is_played_again_say_so(self, table: Table) -> None:
        table.play()
        order(table, "ROLLBACK")
        mails = table.play()
        [result] = [
            m for m in mails if m.recipient == address_of("ITALY") and m.kind == "phase_results"
        ]

        assert "(played again)" in result.subject
        assert "earlier results do not count." in result.words

    def test_no_game_is_rolled_back_to_a_phase_not_played(self, table: Table) -> None:
        [receipt] = order(table, "ROLLBACK F1905M")

        assert "This game has not played that phase" in receipt.words
        [receipt] = order(table, "ROLLBACK")
        assert "This game has not played that phase" in receipt.words

    def test_only_the_moderator_rolls_back(self, table: Table) -> None:
        table.play()

        assert "Only the moderator" in table.send("ITALY", "ROLLBACK").words
        assert table.phase() == "F1901M"


class TestDeadlines:
    def test_a_moderator_moves_the_deadline_in_the_zone_of_the_game(self, table: Table) -> None:
        order(table, "SET DEADLINE Fri 4 Dec 18:30 BECAUSE of the con")

        assert table.deadline().isoformat() == "2026-12-04T18:30:00+00:00"
        notices = table.emails_to(address_of("ITALY"), "deadline_change")
        assert "Reason: of the con" in notices[-1].text

    def test_an_invalid_date_changes_nothing(self, table: Table) -> None:
        [receipt] = order(table, "SET DEADLINE 31 Feb 20:00")

        assert "was not understood" in receipt.words
        [receipt] = order(table, "SET DEADLINE yesterday")
        assert "That time lies in the past." in receipt.words
        assert table.deadline() == FIRST_DEADLINE

    def test_a_moderator_closes_only_the_phase_they_name(self, table: Table) -> None:
        order(table, "PROCESS F1901M")
        assert table.count_events(PhaseClosed) == 0

        order(table, "PROCESS S1901M")
        assert table.count_events(PhaseClosed) == 1

    def test_a_game_is_paused_and_resumed(self, table: Table) -> None:
        mails = order(table, "PAUSE BECAUSE I am ill")
        assert "Reason: I am ill" in news_to(mails, "ITALY")
        assert table.pass_time(hours=24 * 20) == ()

        mails = order(table, "RESUME")
        assert "Sun 20 Dec 2026 20:00" in news_to(mails, "ITALY")

    def test_players_vote_for_a_pause(self, table: Table) -> None:
        for power in POWERS:
            assert "You vote to pause the game." in table.send(power, "VOTE PAUSE").words
        assert table.game().paused

        for power in POWERS:
            table.send(power, "VOTE RESUME")
        assert table.game().paused is None

    def test_a_player_asks_for_more_time_and_the_moderator_grants_it(self, table: Table) -> None:
        receipt = table.send("ITALY", "EXTENSION 24 BECAUSE my exam")
        assert "Your request for more" in receipt.words
        asked = table.emails_to(MODERATOR, "table_news")[-1]
        assert "GRANT Italy" in asked.text
        assert not table.emails_to(address_of("FRANCE"), "table_news")

        table.reply(asked, "GRANT Italy")
        assert table.deadline() > FIRST_DEADLINE

    def test_the_moderator_refuses_more_time(self, table: Table) -> None:
        table.send("ITALY", "EXTENSION 2 DAYS")
        mails = order(table, "DENY I")

        assert "has refused the extension" in news_to(mails, "ITALY")


class TestRules:
    def test_rules_are_changed_by_mail_and_everybody_sees_the_difference(
        self, table: Table
    ) -> None:
        mails = order(table, "SET RULE press=none reminder_hours=12")

        told = news_to(mails, "ITALY")
        assert "New rules: - Players with incomplete orders get a reminder 12 hours" in told
        assert "- Players may not write to each other. Rules no longer in force:" in told
        assert "- Players may write to each other in all phases." in told
        assert "reminder_hours" not in told

    @pytest.mark.parametrize(
        ("line", "rule", "value"),
        [
            ("SET NO PRESS", "press", "none"),
            ("SET NOPARTIAL", "press", "broadcast"),
            ("SET UNLISTED", "listed", "False"),
            ("SET MAX ABSENCE 5", "absence_days", "5"),
            ("SET MANUAL PROCESS", "manual_processing", "True"),
        ],
    )
    def test_settings_of_the_old_judges_are_read(
        self, table: Table, line: str, rule: str, value: str
    ) -> None:
        order(table, line)

        setting = getattr(table.game().house_rules, rule)
        assert str(getattr(setting, "value", setting)) == value

    def test_anybody_may_read_the_rules_of_a_listed_game(self, table: Table) -> None:
        assert "Rules of this game" in table.send("ITALY", "RULES").text
        [sheet] = table.mail(ANNA, "RULES baltic")
        assert "Rules of this game" in sheet.text

    def test_rules_of_a_hidden_game_are_shown_to_nobody_outside(self, table: Table) -> None:
        order(table, "SET UNLISTED")
        [answer] = table.mail(ANNA, "RULES baltic")

        assert "Rules of this game" not in answer.text

    def test_an_unknown_rule_changes_nothing(self, table: Table) -> None:
        [receipt] = order(table, "SET RULE gravity=none")
        assert "refused, for gravity=none. There is no house rule of that name" in receipt.words
        [receipt] = order(table, "SET RULE rulebook=1982")
        assert "cannot be changed" in receipt.words
        [receipt] = order(table, "SET RULE rulebook=zz")
        assert "There is no such rulebook" in receipt.words
        [receipt] = order(table, "SET RULE takeover_hours=100000")
        assert "for takeover_hours. Hours and minutes are at most 10,000" in receipt.words
        [receipt] = order(table, "SET RULE press=grey")
        assert "press must be one of: all, rulebook, broadcast, none." in receipt.words
        for pair, form in (
            ("grace_hour=12", "Similar ones: grace_hours"),
            ("grace_hours=long", "a whole number"),
            ("postal=6", "postal must be one of"),
            ("listed=6", "yes or no"),
            ("closed_weekdays=Sunday", "must be whole numbers separated by commas."),
        ):
            [receipt] = order(table, f"SET RULE {pair}")
            assert form in receipt.words

    def test_rules_promised_at_the_start_cannot_change(self, table: Table) -> None:
        [receipt] = order(table, "SET RULE moderator_sees=orders")

        assert "refused" in receipt.words

    def test_a_moderator_removes_a_player_and_ends_a_game(self, table: Table) -> None:
        order(table, "EJECT I")
        vacancies = table.emails_to(address_of("FRANCE"), "vacancy")
        assert "The moderator has removed the player" in vacancies[-1].words

        order(table, "TERMINATE")
        assert table.count_events(GameEnded) == 1


class TestAbsences:
    def test_a_player_announces_an_absence_and_everybody_is_told(self, table: Table) -> None:
        receipt = table.send("ITALY", "ABSENT 24 Dec to 2 Jan")

        assert "Your absence is set." in receipt.words
        told = table.emails_to(address_of("FRANCE"), "table_news")[-1].words
        assert "away from Thu 24 Dec 2026 00:00" in told
        assert "to Sat 02 Jan 2027 23:59" in told

    @pytest.mark.parametrize(
        "line", ["SET ABSENCE 2026-12-24 TO 2027-01-02", "SET VACATION 24.12. - 2.1."]
    )
    def test_absences_are_understood_in_the_words_of_other_judges(
        self, table: Table, line: str
    ) -> None:
        assert "Your absence is set." in table.send("ITALY", line).words

    def test_a_player_withdraws_an_absence(self, table: Table) -> None:
        table.send("ITALY", "ABSENT 24 Dec")
        assert "absence is canceled" in table.send("ITALY", "NOT ABSENT").words
        assert table.game().absences == {}

    def test_an_invalid_date_of_an_absence_is_asked_about(self, table: Table) -> None:
        assert "was not understood" in table.send("ITALY", "ABSENT 45 Dec").words


class TestObservers:
    def test_a_stranger_observes_after_confirming(self, table: Table) -> None:
        [confirm] = table.mail(ANNA, "OBSERVE baltic")
        assert "to observe the Diplomacy game 'baltic'" in confirm.words
        [receipt] = table.reply(confirm, confirm.yes)
        assert "You will get the public emails of the game." in receipt.words

        mails = table.play()
        assert [mail.kind for mail in mails if mail.recipient == ANNA] == ["phase_results"]

    def test_an_observer_gets_only_emails_to_all(self, table: Table) -> None:
        [confirm] = table.mail(ANNA, "OBSERVE baltic")
        table.reply(confirm, confirm.yes)
        table.send("FRANCE", "PRESS TO I\nsecret\nENDPRESS\nBROADCAST\nhello all\nENDBROADCAST")

        letters = [mail.text for mail in table.emails_to(ANNA, "letter")]
        assert len(letters) == 1
        assert "hello all" in letters[0]

    def test_an_observer_can_stop_observing(self, table: Table) -> None:
        [confirm] = table.mail(ANNA, "WATCH baltic")
        [receipt] = table.reply(confirm, confirm.yes)
        [gone] = table.reply(receipt, "UNOBSERVE baltic")

        assert "You will get no more" in gone.words
        assert [mail for mail in table.play() if mail.recipient == ANNA] == []

    def test_players_cannot_observe_and_nobody_observes_an_unknown_game(
        self, table: Table
    ) -> None:
        assert "already in this game" in table.send("ITALY", "OBSERVE baltic").words
        [receipt] = table.reply(table.latest("ITALY"), "OBSERVE opal")
        assert "There is no game of that name" in receipt.words

    def test_in_gunboat_an_observer_does_not_learn_who_plays(self, judge: Table) -> None:
        judge.open("dark", "anonymous=yes", "zone=UTC")
        [confirm] = judge.mail(ANNA, "OBSERVE dark")
        judge.reply(confirm, confirm.yes)
        for power in POWERS:
            judge.join("dark", power)

        [start] = judge.emails_to(ANNA, "game_start")
        assert "italy" not in start.text.replace("Italy", "")
        assert "@players" not in start.text
        assert "This game is anonymous." in start.text


def test_only_players_ask_for_pauses_and_time(table: Table) -> None:
    [receipt] = order(table, "VOTE PAUSE")

    assert "nothing has changed yet" in receipt.words
    assert not table.game().paused


def test_players_name_the_powers_of_a_draw_if_the_rules_ask_for_it(table: Table) -> None:
    assert "SET DRAW without a list" in table.send("ITALY", "SET DRAW EFT").words
    order(table, "SET RULE draw_among=named")
    assert "SET DRAW EFT" in table.send("ITALY", "DRAW").words
    for power in POWERS:
        table.send(power, "SET DRAW EF" if power in "FRANCE TURKEY" else "SET DRAW EFT")

    ending = table.game().ending
    assert ending
    assert ending.winners == ("ENGLAND", "FRANCE")


class TestBecome:
    def test_a_moderator_acts_for_a_player_who_gets_the_receipt(self, table: Table) -> None:
        mails = order(table, "BECOME FRANCE\nA PAR - BUR\nSET PASSWORD abc\nSTATUS")

        assert table.current_orders("FRANCE") == ("A PAR - BUR",)
        [own] = [mail for mail in mails if mail.recipient == MODERATOR]
        assert "counts for that power" in own.words
        assert "Burgundy" not in own.text
        assert "Bur" not in own.text
        [copy] = [mail for mail in mails if mail.recipient == address_of("FRANCE")]
        assert "The moderator sent this on your behalf." in copy.words
        assert "SET PASSWORD ***: refused" in copy.words

    def test_a_moderator_may_act_for_several_players_in_one_email(self, table: Table) -> None:
        mails = order(table, "BECOME F\nA Par-Pic\nBECOME G\nA Mun-Ruh")

        assert table.current_orders("FRANCE") == ("A PAR - PIC",)
        assert table.current_orders("GERMANY") == ("A MUN - RUH",)
        [own] = [mail for mail in mails if mail.recipient == MODERATOR]
        assert own.words.count("counts for that power") == 2
        assert "does not name its sender" not in own.words
        for power in ("FRANCE", "GERMANY"):
            [copy] = [mail for mail in mails if mail.recipient == address_of(power)]
            assert copy.words.count("The moderator sent this on your behalf.") == 1

    def test_nobody_else_acts_for_a_player(self, table: Table) -> None:
        receipt = table.send("ITALY", "BECOME FRANCE\nA PAR - BUR")

        assert "Only the moderator" in receipt.words
        assert table.current_orders("FRANCE") == ()


class TestCreate:
    def test_a_player_opens_a_game_and_begins_it_with_dummies(self, table: Table) -> None:
        receipt = table.send(
            "ITALY",
            "CREATE opal press=none\n# when, how\nstart = by_hand\n\nmovement_hours: 96 # more\n"
            "template=rulebook\n\nSTATUS baltic",
        )
        assert "The game is open and you moderate it." in receipt.words
        for power in ("FRANCE", "TURKEY"):
            table.send(power, f"JOIN opal PREFER {power[0]}")
        [sheet] = table.reply(table.emails_to(address_of("ITALY"))[-1], "RULES opal")
        assert "may not write" in sheet.words

        table.reply(receipt, "BEGIN")
        game = table.game("opal")

        assert {p: s.state.value for p, s in game.seats.items() if s.person} == {
            "FRANCE": "played",
            "TURKEY": "played",
        }
        assert game.seats["ITALY"].state.value == "civil_disorder"

    def test_a_game_without_a_closing_time_gets_a_minute_of_its_own_and_all_are_told(
        self, table: Table
    ) -> None:
        receipt = table.send("ITALY", "CREATE Opal")
        assert "Phases close at 20:28 UTC." in receipt.words
        for power in POWERS:
            table.send(power, f"JOIN opal PREFER {power[0]}")

        [start] = [
            m for m in table.emails_to(address_of("FRANCE"), "game_start") if ":opal" in m.subject
        ]
        assert "Deadline: Mon 30 Nov 2026 20:28 UTC. Phases close at 20:28 UTC." in start.words
        assert "The default rules apply" in start.words
        [stored] = table.query("SELECT payload FROM events WHERE game = 'opal' AND version = 1")
        assert '"closing_time":"20:28"' in stored[0]

    @pytest.mark.parametrize("time", ["20:00", "09:15"])
    def test_a_moderator_who_names_a_closing_time_gets_it(self, table: Table, time: str) -> None:
        receipt = table.send("ITALY", f"CREATE opal template=rulebook closing_time={time}")

        assert f"Phases close at {time} UTC." in receipt.words
        assert table.game("opal").house_rules.closing_time == time

    @pytest.mark.parametrize("rules", ["closing_time=", "template=evening", "movement_hours=30m"])
    def test_a_game_without_closing_times_names_none(self, table: Table, rules: str) -> None:
        assert "Phases close" not in table.send("ITALY", f"CREATE opal {rules}").words

    def test_a_branch_closes_when_its_game_does(self, table: Table) -> None:
        table.play()
        order(table, "BRANCH F1901M AS opal")

        assert table.game("opal").house_rules.closing_time == "20:00"

    def test_an_impossible_game_is_not_opened(self, table: Table) -> None:
        assert "That name is taken" in table.send("ITALY", "CREATE baltic").words
        told = table.send("ITALY", "CREATE opal variant=moon").words
        assert "CREATE: refused, for variant=moon. variant must be one of" in told
        assert "must be one of" in table.send("ITALY", "CREATE opal hundret").words

    def test_a_sentence_of_a_player_opens_no_game(self, table: Table) -> None:
        told = table.send("ITALY", "Create trouble everywhere").words

        assert "nothing has changed yet" in told
        assert "CREATE trouble" in told
        assert "everywhere" in told
        with pytest.raises(AssertionError):
            table.game("trouble")

    def test_a_game_is_opened_without_the_settings_that_the_judge_does_not_have(
        self, table: Table
    ) -> None:
        told = table.send("ITALY", "CREATE opal gravity=no grace: 24 press=none\nvariant=hundred")

        assert "Left out: gravity=no. There is no house rule of that name" in told.words
        assert "Similar ones: grace_hours, grace_press." in told.words
        opal = table.game("opal")
        assert (opal.variant, opal.house_rules.press.value) == ("hundred", "none")

    def test_the_number_of_games_that_one_person_opens_is_limited(self, table: Table) -> None:
        for name in ("opal", "onyx", "ruby"):
            assert "is open" in table.send("ITALY", f"CREATE {name}").words
        assert "refused" in table.send("ITALY", "CREATE agate").words

    def test_a_stranger_opens_no_game_without_confirming(self, table: Table) -> None:
        table.mail(ANNA, "CREATE opal")

        assert "opal" not in {game.name for game in game_admin.list_games(table.judge)}


class TestDesk:
    def test_tasks_come_once_a_day_and_are_answered_by_number(self, table: Table) -> None:
        table.send("ITALY", "EXTENSION 24")
        table.send("FRANCE", "EXTENSION 48")
        mails = table.wait_until(table.clock.time.replace(hour=18))
        [desk] = [mail for mail in mails if mail.kind == "desk_mail"]
        assert desk.recipient == MODERATOR
        assert "1. France asks for 2 days more" in desk.words
        assert table.pass_time(minutes=30) == ()

        receipts = table.reply(desk, "2 YES\n1 NO")

        assert table.deadline() > FIRST_DEADLINE
        [receipt] = [m for m in receipts if (m.recipient, m.kind) == (MODERATOR, "receipt")]
        assert "Your decision is recorded." in receipt.words
        assert "list of decisions has changed" in receipt.words

    def test_an_answer_without_a_task_is_refused(self, table: Table) -> None:
        [receipt] = order(table, "1 YES")

        assert "list of decisions has changed" in receipt.words

    def test_nothing_is_sent_when_nothing_waits(self, table: Table) -> None:
        assert table.wait_until(table.clock.time.replace(hour=18)) == ()
