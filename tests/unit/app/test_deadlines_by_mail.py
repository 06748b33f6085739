"""Reminders, deadlines, grace, early closing and outages, seen by mail."""

from __future__ import annotations

from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from zoneinfo import ZoneInfo, reset_tzpath

import pytest

from judge.app import deadlines
from judge.app.deadlines import note_wake_up
from judge.app.loop import answer_all_mail, run_once
from judge.game.deadlines import DeadlineMoved
from judge.game.phases import PhaseClosed
from tests.support.table import FIRST_DEADLINE, MODERATOR, MONDAY, POWERS, Mail, Table, address_of

HOUR, MINUTE, YEAR = timedelta(hours=1), timedelta(minutes=1), timedelta(days=365)
EVERYBODY = {MODERATOR, *(address_of(power) for power in POWERS)}
RESULTS = "phase_results"
PLAIN = ("first_spring_extension_hours=0",)


def kinds(mails: tuple[Mail, ...]) -> set[str]:
    return {mail.kind for mail in mails}


def readers(mails: tuple[Mail, ...], kind: str) -> list[str]:
    return sorted(mail.recipient for mail in mails if mail.kind == kind)


# Reminders


def test_reminders_go_to_those_whose_orders_are_not_complete(table: Table) -> None:
    table.all_hold(but=("FRANCE", "GERMANY"))
    table.send("FRANCE", "A Par H")

    day_before = table.wait_until(FIRST_DEADLINE - 24 * HOUR)
    nothing = table.wait_until(FIRST_DEADLINE - 23 * HOUR)
    table.send("GERMANY", "A Mun H, A Ber H, F Kie H")
    last = table.wait_until(FIRST_DEADLINE - 4 * HOUR)

    assert readers(day_before, "reminder") == [address_of("FRANCE"), address_of("GERMANY")]
    assert nothing == ()
    assert readers(last, "reminder") == [address_of("FRANCE")]
    assert "You have less than 4 hours until the deadline" in last[0].words
    assert "Missing: " in last[0].text


def test_only_one_of_two_missed_reminders_is_sent(table: Table) -> None:
    mails = table.wait_until(FIRST_DEADLINE - HOUR)

    assert readers(mails, "reminder") == sorted(address_of(power) for power in POWERS)
    assert table.pass_time(minutes=5) == ()


def test_a_reminder_is_not_lost_because_an_email_came_first(table: Table) -> None:
    table.clock.time = FIRST_DEADLINE - 24 * HOUR
    mails = table.reply(table.latest("FRANCE"), "A Par H")

    assert len(readers(mails, "reminder")) == 7


def test_a_reminder_is_not_lost_because_the_judge_was_restarted(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE - 24 * HOUR - MINUTE)
    table.clock.time = FIRST_DEADLINE - 24 * HOUR + 5 * MINUTE
    note_wake_up(table.judge)

    assert len(readers(table.pass_time(), "reminder")) == 7


def test_a_reminder_is_answered_with_orders(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE - HOUR)

    table.reply(table.emails_to(address_of("FRANCE"), "reminder")[0], "A Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


# The deadline


def test_the_first_spring_is_extended_once_and_nobody_is_removed(table: Table) -> None:
    table.all_hold(but=("FRANCE",))

    moved = table.wait_until(FIRST_DEADLINE)
    late = table.wait_until(FIRST_DEADLINE + 48 * HOUR)
    closed = table.wait_until(FIRST_DEADLINE + 72 * HOUR)

    assert set(readers(moved, "deadline_change")) == EVERYBODY
    assert "Wed 02 Dec 2026 20:00 UTC" in moved[0].words
    assert set(readers(late, "late_notice")) == EVERYBODY
    assert set(readers(closed, "phase_results")) == EVERYBODY
    assert "No orders received (NMR): France." in closed[0].text
    assert table.game().seats["FRANCE"].state.value == "played"


def test_late_players_are_named_only_after_the_deadline(judge: Table) -> None:
    judge.start("baltic", *PLAIN, moderator=MODERATOR)
    judge.all_hold(but=("FRANCE",))
    status = judge.send("GERMANY", "STATUS")

    mails = judge.wait_until(FIRST_DEADLINE)

    assert "Late" not in status.text
    assert set(readers(mails, "late_notice")) == EVERYBODY
    assert "Orders are missing from France." in mails[0].words
    assert "The judge takes late orders until Tue 01 Dec 2026 20:00 UTC." in mails[0].words
    [his] = [mail for mail in mails if mail.recipient == address_of("FRANCE")]
    assert "YOU ARE LATE: please send your orders now." in his.text
    assert "Late: France." in judge.send("GERMANY", "STATUS").text


def test_in_grace_the_late_may_order_and_the_others_are_frozen(judge: Table) -> None:
    judge.start("baltic", *PLAIN)
    judge.all_hold(but=("FRANCE",))
    judge.wait_until(FIRST_DEADLINE + HOUR)

    frozen = judge.send("GERMANY", "A Mun-Ruh\nSET WAIT")
    late = judge.send("FRANCE", "A Par H, A Mar H, F Bre H")

    assert "you can no longer change them" in frozen.words
    assert "A MUN H" in judge.current_orders("GERMANY")
    assert "All 3 orders received" in late.text
    assert judge.phase() == "S1901M"
    judge.pass_time(minutes=30)
    assert judge.phase() == "F1901M"


def test_a_partial_set_is_played_at_the_deadline_and_is_not_late(judge: Table) -> None:
    judge.start("baltic", *PLAIN)
    judge.all_hold(but=("FRANCE",))
    judge.send("FRANCE", "A Par-Bur")

    mails = judge.wait_until(FIRST_DEADLINE)

    assert kinds(mails) == {"phase_results"}
    assert "France: Army Paris -> Burgundy." in mails[0].text
    assert "France: Fleet Brest, No Order Processed." in mails[0].text


def test_no_orders_by_the_end_of_grace_lose_the_power(table: Table) -> None:
    table.play()
    table.all_hold(but=("FRANCE",))
    deadline = table.deadline()
    table.wait_until(deadline)

    vacated = table.wait_until(deadline + 24 * HOUR)

    assert set(readers(vacated, "vacancy")) == EVERYBODY  # the removed player as well
    assert "The player of France sent no orders and has been removed." in vacated[0].words
    assert table.phase() == "F1901M"  # the game waits for a takeover
    disorder = table.wait_until(deadline + 24 * HOUR + timedelta(days=7))
    assert set(readers(disorder, "civil_disorder")) == EVERYBODY - {address_of("FRANCE")}
    assert "phase_results" in kinds(disorder)
    assert table.phase() != "F1901M"


def test_r60_two_deadlines_that_passed_while_the_judge_slept_close_in_order(judge: Table) -> None:
    judge.start("baltic")
    judge.start("adriatic", "closing_time=18:00")
    for game in ("baltic", "adriatic"):
        judge.all_hold(game)
        judge.send("GERMANY", "SET WAIT", game)
    answered = judge.latest("FRANCE")
    judge.clock.time = FIRST_DEADLINE - HOUR  # between the two
    mail = judge.compose(address_of("FRANCE"), "A Par-Bur", answered.reply_to)
    judge.deliver(mail, None, answered.reply_to)

    mails = judge.wait_until(FIRST_DEADLINE + HOUR)

    results = [
        mail for mail in mails if (mail.recipient, mail.kind) == (address_of("FRANCE"), RESULTS)
    ]
    assert [mail.subject for mail in results] == [
        "JUDGE:adriatic - S1901M Results",
        "JUDGE:baltic - S1901M Results",
    ]
    assert "Army Paris -> Burgundy" in results[1].text


def test_r64_a_phase_closes_once(table: Table) -> None:
    table.all_hold()
    table.pass_time(hours=13)
    table.run_once()
    table.pass_time(minutes=1)
    note_wake_up(table.judge)
    table.run_once()

    assert table.count_events(PhaseClosed) == 1
    assert len(table.emails_to(address_of("FRANCE"), "phase_results")) == 1


def test_a_stopping_judge_leaves_the_rest_for_later(judge: Table) -> None:
    judge.start("baltic")
    judge.all_hold()
    judge.clock.time = FIRST_DEADLINE + MINUTE
    run_once(judge.judge, lambda: True)
    assert judge.count_events(PhaseClosed) == 0

    run_once(judge.judge)
    assert judge.count_events(PhaseClosed) == 1


def test_r63_what_arrived_before_the_deadline_counts_whenever_it_is_answered(judge: Table) -> None:
    judge.start("baltic", *PLAIN)
    judge.all_hold(but=("FRANCE",))
    start = judge.latest("FRANCE")
    judge.clock.time = FIRST_DEADLINE
    judge.deliver(
        judge.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )

    mails = judge.wait_until(FIRST_DEADLINE + 5 * MINUTE)

    assert kinds(mails) == {"receipt", "phase_results"}
    assert "France: Army Paris -> Burgundy." in mails[-1].text


def test_r63_what_arrived_after_the_deadline_is_late(judge: Table) -> None:
    judge.start("baltic", *PLAIN)
    judge.all_hold()
    start = judge.latest("FRANCE")
    judge.send("GERMANY", "SET WAIT")
    judge.clock.time = FIRST_DEADLINE + timedelta(seconds=1)
    judge.deliver(
        judge.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )

    judge.pass_time(minutes=5)

    assert "Burgundy" not in judge.emails_to(address_of("FRANCE"), RESULTS)[0].text
    assert "The deadline has passed" in judge.emails_to(address_of("FRANCE"), "receipt")[-1].words


# Early closing


def test_a_phase_closes_early_half_an_hour_after_the_last_change(table: Table) -> None:
    table.pass_time(hours=20)
    table.all_hold()

    table.pass_time(minutes=29)
    assert table.phase() == "S1901M"
    table.send("FRANCE", "A Par-Bur")
    table.pass_time(minutes=29)
    assert table.phase() == "S1901M"
    table.pass_time(minutes=1)
    assert table.phase() == "F1901M"


def test_no_phase_closes_early_within_twelve_hours(table: Table) -> None:
    table.all_hold()

    table.wait_until(MONDAY + 12 * HOUR - MINUTE)
    assert table.phase() == "S1901M"
    table.pass_time(minutes=1)
    assert table.phase() == "F1901M"


def test_wait_holds_a_phase_until_its_deadline_only(table: Table) -> None:
    table.all_hold()
    receipt = table.send("FRANCE", "SET WAIT")

    table.pass_time(hours=24)
    assert table.phase() == "S1901M"
    table.wait_until(FIRST_DEADLINE)

    assert "this phase stays open until its deadline." in receipt.words
    assert table.phase() == "F1901M"


def test_nobody_learns_who_said_wait(table: Table) -> None:
    table.send("FRANCE", "SET WAIT")

    told = table.send("GERMANY", "STATUS").text.partition("To answer with one tap")[0]
    assert "WAIT" not in told


def test_an_impossible_order_closes_no_phase_early(table: Table) -> None:
    table.all_hold()
    table.send("FRANCE", "A Par-Mun")

    table.pass_time(hours=48)

    assert table.phase() == "S1901M"


def test_where_the_rules_want_it_a_phase_waits_for_ready(judge: Table) -> None:
    judge.start("baltic", "need_ready=yes")
    judge.all_hold()
    receipt = judge.send("FRANCE", "A Par H")
    judge.pass_time(hours=24)
    assert "this game also needs your READY" in receipt.words
    assert judge.phase() == "S1901M"

    judge.all_send("READY")
    judge.pass_time(hours=1)

    assert judge.phase() == "F1901M"


# Outages


def test_r60_the_time_of_an_outage_is_given_back(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE - HOUR)
    before = len(table.outbox())

    table.clock.time = FIRST_DEADLINE + HOUR
    note_wake_up(table.judge)
    table.run_once()

    moved = [mail for mail in table.outbox()[before:] if mail.kind == "deadline_change"]
    assert {mail.recipient for mail in moved} == EVERYBODY
    assert table.phase() == "S1901M"
    assert table.game().phase
    assert "22:00 UTC" in moved[0].words


def test_r60_the_time_is_given_back_once_though_the_judge_crashes_meanwhile(
    judge: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadlines, "GAMES_AT_A_TIME", 1)
    games = ("adriatic", "baltic")
    for game in games:
        judge.start(game)
    deadline = FIRST_DEADLINE + 2 * HOUR
    judge.wait_until(FIRST_DEADLINE - HOUR)

    judge.clock.time = FIRST_DEADLINE + HOUR
    note_wake_up(judge.judge)
    parts = iter([False, True])
    run_once(judge.judge, lambda: next(parts))  # then the judge is killed
    note_wake_up(judge.judge)
    given = [judge.count_events(DeadlineMoved, game) for game in games]
    assert given == [1, 0]
    judge.run_once()

    assert {judge.count_events(DeadlineMoved, game) for game in games} == {1}
    phases = [judge.game(game).phase for game in games]
    assert {phase.deadline for phase in phases if phase} == {deadline}


def test_r60_an_email_is_answered_once_its_own_game_has_its_time_back(
    judge: Table,
) -> None:
    for game in ("adriatic", "baltic"):
        judge.start(game, *PLAIN)
    judge.wait_until(FIRST_DEADLINE - HOUR)
    start = judge.latest("FRANCE", "baltic")
    judge.clock.time = FIRST_DEADLINE + HOUR
    note_wake_up(judge.judge)
    judge.deliver(
        judge.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )

    answer_all_mail(judge.judge)

    assert "A Par-Bur" in judge.emails_to(address_of("FRANCE"), "receipt")[-1].text
    assert judge.count_events(DeadlineMoved, "baltic") == 1
    assert judge.count_events(DeadlineMoved, "adriatic") == 0
    judge.run_once()
    assert judge.count_events(DeadlineMoved, "adriatic") == 1
    assert judge.count_events(PhaseClosed, "baltic") == 0


def test_r61_a_start_on_a_clock_that_has_lost_a_year_gives_nobody_a_year_once_it_is_right(
    judge: Table,
) -> None:
    judge.start("baltic")
    judge.wait_until(FIRST_DEADLINE - HOUR)
    judge.clock.time -= YEAR
    note_wake_up(judge.judge)
    judge.pass_time(minutes=5)
    assert [line[:12] for line in judge.operator_log.lines].count("clock.behind") == 1

    judge.clock.time += YEAR
    note_wake_up(judge.judge)
    judge.run_once()

    assert judge.count_events(DeadlineMoved) == 0


def test_r61_a_clock_that_keeps_to_showing_less_is_believed_after_an_hour(judge: Table) -> None:
    judge.start("baltic")
    judge.wait_until(MONDAY + 72 * HOUR)
    judge.clock.time = MONDAY
    note_wake_up(judge.judge)
    judge.pass_time(minutes=59)
    with judge.database.read() as transaction:
        assert transaction.agenda.last_heartbeat() == MONDAY + 72 * HOUR
    judge.pass_time(minutes=1)

    judge.clock.time += HOUR
    note_wake_up(judge.judge)
    judge.run_once()

    assert judge.count_events(DeadlineMoved) == 1
    assert judge.deadline() == FIRST_DEADLINE + HOUR


def test_a_restart_is_no_outage(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE - HOUR)
    before = len(table.outbox())

    table.clock.time += 10 * MINUTE
    note_wake_up(table.judge)
    table.run_once()

    assert table.outbox()[before:] == ()


def test_r62_a_set_deadline_is_an_instant_whatever_becomes_of_its_zone(
    judge: Table, tmp_path: Path
) -> None:
    judge.start("baltic", "zone=Europe/Berlin")
    before = judge.deadline()
    zones = tmp_path / "zones" / "Europe"
    zones.mkdir(parents=True)
    (zones / "Berlin").write_bytes((files("tzdata") / "zoneinfo" / "Asia" / "Tokyo").read_bytes())

    try:
        reset_tzpath([str(zones.parent)])
        ZoneInfo.clear_cache()
        judge.judge.game_cache.kept.clear()
        assert ZoneInfo("Europe/Berlin").utcoffset(MONDAY) == 9 * HOUR
        assert judge.deadline() == before
    finally:
        reset_tzpath()
        ZoneInfo.clear_cache()


# Retreats and adjustments


def test_a_year_goes_through_its_phases(table: Table) -> None:
    table.play(
        AUSTRIA="A Vie-Tri, F Tri-Alb, A Bud H",
        ITALY="A Ven-Tyr, A Rom-Ven, F Nap-Ion",
        FRANCE="A Mar-Spa, A Par-Bur, F Bre H",
    )
    assert table.phase() == "F1901M"
    table.play(
        ITALY="A Ven-Tri, A Tyr S A Ven-Tri, F Ion H",
        AUSTRIA="A Tri H, F Alb H, A Bud H",
        FRANCE="A Spa H, A Bur H, F Bre H",
    )

    assert table.phase() == "F1901R"
    results = table.emails_to(address_of("AUSTRIA"), "phase_results")[-1]
    assert "The Austrian Army in Trieste can retreat to" in results.words
    assert "A Tri-Vie" in results.text
    table.send("AUSTRIA", "A Tri-Vie")
    retreats = table.pass_time(minutes=30)
    assert "Austria: Army Trieste -> Vienna." in retreats[0].words

    assert table.phase() == "W1901A"
    assert "Ownership of supply centers:" in retreats[0].text
    says = {mail.recipient: mail.words for mail in retreats if mail.kind == RESULTS}
    assert "Build A Mar" in says[address_of("FRANCE")]
    assert "Remove F Alb" in says[address_of("AUSTRIA")]
    assert "You have no orders to send for W1901A." in says[address_of("TURKEY")]
    table.send("FRANCE", "Build A Mar")
    table.send("ITALY", "Build A Rom")
    table.send("AUSTRIA", "Remove F Alb")
    winter = table.pass_time(minutes=30)
    assert "Austria: Removes the fleet in Albania." in winter[0].words
    assert table.phase() == "S1902M"
