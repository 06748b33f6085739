"""Moderator commands by mail: receipts, votes, corrections, time, handover and civil disorder."""

from __future__ import annotations

import pytest

from judge.game.house_rules import HOUR
from tests.support.table import FIRST_DEADLINE, MODERATOR, POWERS, Mail, Table, address_of


def order(table: Table, text: str) -> Mail:
    """Reply as the moderator to their latest email; return the receipt."""
    last = [mail for mail in table.emails_to(MODERATOR) if mail.kind != "letter"][-1]
    return [mail for mail in table.reply(last, text) if mail.recipient == MODERATOR][-1]


def kinds_to(power: str, mails: tuple[Mail, ...]) -> list[str]:
    return [mail.kind for mail in mails if mail.recipient == address_of(power)]


class TestReceipts:
    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("ROLLBACK S1901M", "nothing to roll back"),
            ("GRANT ITALY", "has no open request"),
            ("DENY ITALY", "has no open request"),
            ("RESUME", "The game is not paused"),
            ("SET DIAS", "That was already the case"),
            ("SET AUTO START", "That was already the case"),
            ("SET RULE press=all", "That was already the case"),
        ],
    )
    def test_a_command_that_changes_nothing_claims_no_success(
        self, table: Table, line: str, why: str
    ) -> None:
        receipt = order(table, line)

        assert f"{line.upper()}: refused." in receipt.words
        assert why in receipt.words

    def test_pausing_twice_is_pausing_once(self, table: Table) -> None:
        order(table, "PAUSE")

        assert "That was already the case" in order(table, "PAUSE").words
        assert table.game().paused

    def test_a_flag_of_another_judge_does_not_resume_the_game(self, table: Table) -> None:
        order(table, "PAUSE")

        receipt = order(table, "SET RESUME\nSET NORESUME")

        assert receipt.words.count("is not a command") == 2
        assert table.game().paused

    def test_a_deadline_on_a_closed_day_is_warned_of(self, table: Table) -> None:
        assert (
            "no deadline falls on that day"
            not in order(table, "SET DEADLINE Fri 4 Dec 18:30").words
        )
        assert "no deadline falls on that day" in order(table, "SET DEADLINE +24h").words

    def test_a_deadline_moved_without_a_reason_names_none(self, table: Table) -> None:
        order(table, "SET DEADLINE Fri 4 Dec 18:30")

        told = table.emails_to(address_of("ITALY"), "deadline_change")[-1]
        assert "No reason was given." in told.words
        assert "Reason:" not in told.text


class TestVotes:
    def test_a_vote_that_names_powers_is_quoted_as_given(self, table: Table) -> None:
        order(table, "SET RULE draw_among=named")
        table.send("FRANCE", "SET DRAW EFG")

        status = table.send("FRANCE", "STATUS")

        named = "You would accept a draw among some or all of England, France and Germany."
        assert named in status.words
        assert "all powers that survive" not in status.words

    def test_open_votes_are_shown_to_all(self, table: Table) -> None:
        order(table, "SET RULE draw_among=named open_votes=yes")
        table.send("FRANCE", "SET DRAW EF")
        table.send("ITALY", "SET CONCEDE Russia")

        status = table.send("TURKEY", "STATUS").words

        among = "For a draw among some or all of England and France: France."
        assert among in status
        assert "For conceding the game to Russia: Italy." in status

    def test_secret_votes_are_shown_to_nobody(self, table: Table) -> None:
        order(table, "SET RULE draw_among=named")
        table.send("FRANCE", "SET DRAW EF")
        table.send("ITALY", "SET CONCEDE Russia")

        status = table.send("TURKEY", "STATUS").words

        assert "For a draw" not in status
        assert "For conceding" not in status


def test_a_moderator_who_may_see_orders_gets_a_preview_of_them(judge: Table) -> None:
    judge.start("baltic", "moderator_sees=orders", moderator=MODERATOR)
    judge.send("FRANCE", "A Par-Bur")

    preview = order(judge, "PREDICT")

    assert "Army Paris -> Burgundy" in preview.text
    assert "THESE ARE REAL ORDERS" in preview.words
    assert "is in none of this" not in preview.words


class TestWhoHasOrdered:
    def test_a_moderator_is_told_from_whom_orders_are_in(self, table: Table) -> None:
        table.send("FRANCE", "A Par H, A Mar H, F Bre H")
        table.send("ITALY", "A Ven H")

        status = order(table, "STATUS").words

        assert "All orders are in from: France." in status
        assert "Some orders are in from: Italy." in status
        assert "No orders are in from: Austria, England, Germany, Russia, Turkey." in status

    def test_neither_players_nor_a_playing_moderator_see_who_has_ordered(
        self, judge: Table
    ) -> None:
        judge.start("baltic", moderator=address_of("TURKEY"))
        judge.send("FRANCE", "A Par H, A Mar H, F Bre H")

        assert "orders are in from" not in judge.send("TURKEY", "STATUS").words
        assert "orders are in from" not in judge.send("ITALY", "STATUS").words


class TestCorrections:
    def test_the_board_is_corrected_by_position_facts(self, table: Table) -> None:
        table.send("FRANCE", "A Par-Bur")
        receipt = order(
            table, "CORRECT France A Bur, no A Par, France owns Bel, nobody owns Mun BECAUSE of me"
        )

        position = table.game().position
        assert position
        assert "The board is" in receipt.words
        assert [str(unit) for unit in position.units_of("FRANCE")] == ["F BRE", "A BUR", "A MAR"]
        assert position.centers_of("FRANCE") == ("BEL", "BRE", "MAR", "PAR")
        assert position.centers_of("GERMANY") == ("BER", "KIE")
        assert table.current_orders("FRANCE") == ()
        assert "Reason: of me" in table.emails_to(address_of("ITALY"), "table_news")[-1].text

    def test_a_correction_can_replace_a_unit(self, table: Table) -> None:
        order(table, "CORRECT Turkey F StP/nc")

        position = table.game().position
        assert position
        assert "F STP/NC" in map(str, position.units_of("TURKEY"))
        assert len(position.units_of("RUSSIA")) == 3

    @pytest.mark.parametrize(
        "fact",
        [
            "France F Bur",
            "France F StP",
            "no A Bel",
            "Spain A Mad",
            "France A Atlantis",
            "France owns Bur",
            "France owns Atlantis",
        ],
    )
    def test_an_impossible_correction_leaves_the_rest_unchanged(
        self, table: Table, fact: str
    ) -> None:
        before = table.game().position

        receipt = order(table, f"CORRECT France A Bur, {fact}, France owns Bel")

        assert "was not understood:" in receipt.words
        assert table.game().position == before

    def test_the_board_cannot_be_corrected_before_the_start(self, judge: Table) -> None:
        judge.open("baltic", moderator=MODERATOR)
        [asked] = judge.mail(MODERATOR, "SIGNON Mbaltic\nCORRECT France A Bur")
        [receipt] = judge.reply(asked, "YES")

        assert "has not started" in receipt.words


class TestTime:
    def test_grace_is_moved_and_all_are_told(self, table: Table) -> None:
        receipt = order(table, "SET GRACE +24h BECAUSE of a holiday")
        told = table.emails_to(address_of("ITALY"), "deadline_change")[-1]

        assert "The end of the" in receipt.words
        assert "S1901M Orders Taken until Wed 02 Dec 20:00 UTC" in told.subject
        assert "stays Mon 30 Nov 2026 20:00 UTC" in told.words
        assert "takes late orders until Wed 02 Dec 2026 20:00 UTC" in told.words
        assert "It was" not in told.words

    def test_a_finished_game_has_no_deadline(self, table: Table) -> None:
        receipt = order(table, "TERMINATE\nSET GRACE +24h\nSET GRACE nonsense 1")

        assert receipt.words.count("The game is over.") == 2

    def test_an_invalid_date_is_quoted(self, table: Table) -> None:
        assert "was not understood" in order(table, "SET GRACE 31 Feb").words

    def test_the_timing_flags_of_njudge_are_house_rules(self, table: Table) -> None:
        order(table, "SET MOVE CLOCK 1410 NEXT 71 DAYS -MTWTFS\nSET RETREAT NEXT 12")

        rules = table.game().house_rules
        assert (rules.closing_time, rules.closed_weekdays) == ("23:30", (7,))
        assert (rules.movement_hours, rules.retreat_hours) == (71 * HOUR, 12 * HOUR)


def test_a_comment_is_shown_where_games_are_listed(table: Table) -> None:
    order(table, "SET COMMENT Slow, for beginners")

    [listed] = table.mail("anna@stranger.example", "LIST")
    assert "Slow, for beginners" in listed.text
    assert "Comment by the moderator: Slow, for beginners" in table.send("ITALY", "RULES").words
    order(table, "SET COMMENT")
    assert "Slow" not in table.mail("bert@stranger.example", "LIST")[0].text


@pytest.mark.parametrize("reveal", ["yes", "no"])
def test_gunboat_players_are_revealed_at_the_end_if_the_rules_say_so(
    judge: Table, reveal: str
) -> None:
    judge.start("baltic", "anonymous=yes", f"reveal={reveal}", moderator=MODERATOR)
    assert judge.send("ITALY", "SUMMARY").text.count("player-") == 1
    assert "refused" in order(judge, "SET RULE reveal=" + {"yes": "no", "no": "yes"}[reveal]).words

    order(judge, "TERMINATE")

    shown = 7 if reveal == "yes" else 1
    assert judge.send("ITALY", "SUMMARY").text.count("player-") == shown


class TestTheCourse:
    def test_a_rollback_can_be_undone_and_all_are_told(self, table: Table) -> None:
        table.play(FRANCE="A PAR - BUR\nA MAR H\nF BRE H")
        table.send("FRANCE", "A Bur-Bel")
        order(table, "ROLLBACK")
        receipt = order(table, "ROLLFORWARD BECAUSE it was right")

        told = table.emails_to(address_of("FRANCE"), "table_news")[-1]
        assert "The rollback is undone" in receipt.words
        assert "F1901M" in told.subject
        assert "these phases count as played: S1901M." in told.words
        assert "Reason: it was right" in told.words
        assert table.current_orders("FRANCE") == ("A BUR - BEL",)
        assert "(played again)" not in table.play()[0].subject
        assert "no rollback to undo" in order(table, "ROLLFORWARD").words

    def test_an_unstarted_game_waits_for_its_moderator(self, table: Table) -> None:
        start = table.latest("FRANCE")
        receipt = order(table, "UNSTART BECAUSE somebody is missing")
        told = table.emails_to(address_of("FRANCE"), "table_news")[-1]

        assert "No power has a player" in receipt.words
        assert "Reason: somebody is missing" in told.words
        assert "has not started yet" in table.reply(start, "SET WAIT")[-1].words
        assert "preferences are set." in table.reply(told, "SET PREFERENCE T")[-1].words
        assert table.pass_time(hours=24 * 9) == ()
        order(table, "BEGIN")
        assert table.game().phase
        assert [m.kind for m in table.emails_to(address_of("FRANCE"))].count("game_start") == 2
        assert table.send("ITALY", "SUMMARY").text.count("player-") == 7
        order(table, "PROCESS")
        assert "The game is past its first phase" in order(table, "UNSTART").words


class TestHandingOver:
    def test_the_former_moderator_of_an_unlisted_game_observes_it(self, judge: Table) -> None:
        judge.start("baltic", "listed=no", moderator=MODERATOR)
        confirm = order(judge, f"PROMOTE {address_of('ITALY')}")
        judge.reply(confirm, confirm.yes)
        asked = judge.emails_to(address_of("ITALY"), "confirm_moderator")[-1]
        judge.reply(asked, asked.yes)

        assert "Status" in order(judge, "STATUS").subject
        receipt = order(judge, "PRESS TO M\nGood luck.\nENDPRESS")
        assert "Your press went to Moderator." in receipt.words

    def test_a_former_moderator_who_may_not_observe_has_no_access(self, judge: Table) -> None:
        judge.start("baltic", "listed=no", "observers=no", moderator=MODERATOR)
        confirm = order(judge, f"PROMOTE {address_of('ITALY')}")
        judge.reply(confirm, confirm.yes)
        asked = judge.emails_to(address_of("ITALY"), "confirm_moderator")[-1]
        judge.reply(asked, asked.yes)

        start = judge.emails_to(MODERATOR, "game_start")[0]
        [receipt] = judge.reply(start, "PRESS TO M\nGood luck.\nENDPRESS\nA Par-Bur")

        assert "Your press was not sent. There is no game of that name." in receipt.words
        assert "| Good luck." in receipt.text
        assert "A PAR-BUR: refused. There is no game of that name." in receipt.words


class TestCivilDisorder:
    def test_a_player_whose_power_becomes_a_dummy_gets_one_email_like_all(
        self, table: Table
    ) -> None:
        before = len(table.outbox())
        order(table, "DUMMY ITALY")
        mails = table.outbox()[before:]

        assert [kinds_to(power, mails) for power in POWERS] == [["civil_disorder"]] * 7
        words = mails[-1].words if mails[-1].kind == "civil_disorder" else mails[0].words
        assert "The moderator has removed the player" in words
        assert "Italy is now in civil disorder" in words
        assert "JOIN baltic Italy" in words

    def test_a_late_player_who_loses_the_power_gets_one_email_like_all(self, judge: Table) -> None:
        judge.start("baltic", "nmr=civil_disorder", "first_spring_extension_hours=0")
        judge.all_hold(but=("ITALY",))
        judge.wait_until(FIRST_DEADLINE)

        mails = judge.pass_time(hours=24)

        assert kinds_to("FRANCE", mails) == ["civil_disorder", "phase_results"]
        assert kinds_to("ITALY", mails) == ["civil_disorder"]
        assert "sent no orders" in mails[0].words


class TestTheLate:
    def test_the_deadline_is_moved_once_a_phase_and_all_are_told_why(self, judge: Table) -> None:
        judge.start("baltic", "nmr=extend", "first_spring_extension_hours=0")
        judge.all_hold(but=("ITALY",))

        moved = judge.wait_until(FIRST_DEADLINE)
        late = judge.pass_time(hours=24)
        closed = judge.pass_time(hours=24)

        assert kinds_to("FRANCE", moved) == ["deadline_change"]
        assert "the deadline moves once per phase" in moved[0].words
        assert "units without orders hold." in late[0].words
        assert kinds_to("ITALY", closed) == ["phase_results"]

    def test_late_players_can_be_waited_for(self, judge: Table) -> None:
        judge.start("baltic", "nmr=wait", "first_spring_extension_hours=0", moderator=MODERATOR)
        judge.all_hold(but=("ITALY",))

        late = judge.wait_until(FIRST_DEADLINE)
        judge.pass_time(hours=24 * 30)

        assert "stays open until they arrive" in late[0].words
        assert "The judge takes late orders until" not in late[0].words
        assert judge.phase() == "S1901M"
        judge.send("ITALY", "A Ven H, A Rom H, F Nap H")
        judge.pass_time(minutes=30)
        assert judge.phase() == "F1901M"
