"""Imported games that continue by mail, and branches of games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from judge.app.admin import game_admin
from judge.app.admin.game_admin import NewGame
from judge.app.game.apply import CommandResult
from judge.archive.records import Ending, EndKind, Record
from judge.game.decision import Refused, Why
from judge.game.game_state import SeatState, Stage
from judge.game.house_rules import HouseRules
from judge.game.phases import PhaseClosed, PhaseRecorded
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Phase
from tests.support.recorded_game import RULEBOOK, game_10713
from tests.support.table import FIRST_DEADLINE, MODERATOR, POWERS, Mail, Table, address_of

PLAYED = tuple(power for power in POWERS if power != "GERMANY")  # alive in Fall 1905
UNHURRIED = HouseRules(early_closing=False)
NEW = NewGame("somme", UNHURRIED, rulebook_named(RULEBOOK), moderator=MODERATOR)


def take_in(
    table: Table, at: str | None = "F1905M", record: Record | None = None, new: NewGame = NEW
) -> CommandResult:
    phase = Phase.parse(at) if at else None
    return game_admin.import_game(table.judge, new, record or game_10713(), phase)


def join(table: Table, power: str, game: str = "somme") -> tuple[Mail, ...]:
    [confirm] = table.mail(address_of(power), f"JOIN {game} {power}")
    return table.reply(confirm, confirm.yes)


def all_joined(table: Table) -> None:
    take_in(table)
    for power in PLAYED:
        join(table, power)


def test_a_recorded_game_is_listed_with_its_vacant_powers(judge: Table) -> None:
    take_in(judge)

    [games] = judge.mail("anne@players.example", "LIST")

    vacant = "vacant: Austria, England, France, Italy, Russia, Turkey."
    assert f"F1905M, {vacant}" in games.words


def test_a_new_player_gets_a_list_of_units_to_order(judge: Table) -> None:
    take_in(judge)

    mails = {
        mail.kind: mail for mail in join(judge, "FRANCE") if mail.recipient == address_of("FRANCE")
    }

    assert "You now play France. Reply to this email with your orders." in mails["takeover"].words
    assert "A Bre, A Bur, A Mar, A Por" in mails["takeover"].words
    assert "You have joined the game. (somme)" in mails["receipt"].words


def test_an_eliminated_power_cannot_be_joined(judge: Table) -> None:
    take_in(judge)

    [receipt] = join(judge, "GERMANY")

    assert "You have joined the game." not in receipt.words
    assert judge.game("somme").power_of("GERMANY") is None


def test_six_people_play_a_recorded_game_on_by_mail(judge: Table) -> None:
    all_joined(judge)

    mails = play_spring(judge)

    [results] = [mail for mail in mails if mail.recipient == address_of("FRANCE")]
    assert results.kind == "phase_results"
    assert "France: Army Portugal -> Spain." in results.text
    assert judge.phase("somme") == "S1906M"
    assert judge.count_events(PhaseClosed, "somme") == 1
    assert judge.count_events(PhaseRecorded, "somme") == 17


def play_spring(table: Table) -> tuple[Mail, ...]:
    """Have France move to Spain and all others hold until the deadline."""
    table.all_hold("somme", but=("GERMANY", "FRANCE"))
    table.send("FRANCE", "A Por-Spa\nA Bre H\nA Bur H\nA Mar H", "somme")
    table.wait_until(FIRST_DEADLINE - timedelta(minutes=1))
    return table.wait_until(FIRST_DEADLINE)


def test_the_end_of_a_game_that_was_played_on_shows_all_its_years(judge: Table) -> None:
    all_joined(judge)

    for power in PLAYED:
        judge.send(power, "SET DRAW", "somme")

    [over] = judge.emails_to(address_of("FRANCE"), "game_over")
    assert "declared a draw between Austria, England," in over.words
    for year in range(1900, 1905):
        assert f"\n  {year} " in over.text


def test_years_without_known_owners_are_not_in_the_table(judge: Table) -> None:
    bare = [
        replace(each, position=replace(each.position, owners={}))
        for each in game_10713().phases[:8]
        if each.position
    ]
    record = replace(game_10713(), phases=(*bare, *game_10713().phases[8:]))
    take_in(judge, "S1904M", record)
    for power in POWERS:
        join(judge, power)
    for power in POWERS:
        judge.send(power, "SET DRAW", "somme")

    [over] = judge.emails_to(address_of("FRANCE"), "game_over")
    rows = [line.split()[0] for line in over.text.splitlines() if line.startswith("  19")]
    assert rows == ["1900", "1902", "1903"]


def test_a_game_that_has_ended_is_taken_in_as_it_ended(judge: Table) -> None:
    ended = replace(game_10713(), ending=Ending(EndKind.DRAW, ("FRANCE", "RUSSIA")))

    taken = take_in(judge, None, ended)

    assert taken.game
    assert taken.game.stage is Stage.ENDED
    assert taken.game.ending
    assert taken.game.ending.winners == ("FRANCE", "RUSSIA")
    assert judge.mail("anne@players.example", "STATUS somme")[0].words.count("draw") == 1


def test_an_imported_game_without_players_is_abandoned(judge: Table) -> None:
    take_in(judge)

    judge.pass_time(hours=8 * 24)

    ending = judge.game("somme").ending
    assert ending
    assert ending.result == "abandoned"


def test_a_name_is_used_once(table: Table) -> None:
    taken = take_in(table, new=replace(NEW, name="baltic"))

    assert taken.decision == Refused(Why.GAME_EXISTS)


# The operator assigns a power to a player


def test_the_operator_assigns_a_power_and_the_player_is_told(judge: Table) -> None:
    take_in(judge)

    game_admin.seat_player(judge.judge, "somme", "FRANCE", address_of("FRANCE"))

    [takeover] = judge.emails_to(address_of("FRANCE"))
    assert "You now play France." in takeover.words
    assert "A Bre H" in judge.send("FRANCE", "A Bre H", "somme").text


def test_only_vacant_powers_are_assigned(table: Table) -> None:
    bob = "bob@stranger.example"
    table.open("opal")

    assert game_admin.seat_player(table.judge, "baltic", "FRANCE", bob).decision == Refused(
        Why.NO_VACANCY
    )
    assert game_admin.seat_player(table.judge, "opal", "FRANCE", bob).decision == Refused(
        Why.NOT_STARTED
    )
    assert game_admin.seat_player(table.judge, "none", "FRANCE", bob).decision == Refused(
        Why.NO_SUCH_GAME
    )


# Branches


def test_a_branch_of_a_running_game_gives_no_secret_away(table: Table) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar S A Par-Bur\nF Bre H")
    table.send("FRANCE", "A Bur-Mun")
    table.send("GERMANY", "SET DRAW")
    people = {seat.person for seat in table.game().seats.values()}

    game_admin.branch_game(
        table.judge, replace(NEW, name="other"), "baltic", Phase.parse("F1901M")
    )

    game = table.game("other")
    assert game.position == table.game().position
    assert game.phase
    assert not game.phase.standing
    assert {seat.state for seat in game.seats.values()} == {SeatState.VACANT}
    log = str([each.event for each in table.log("other")])
    assert "A PAR - BUR" in log
    assert "BUR - MUN" not in log
    assert not any(person in log for person in people if person)


def test_game_and_branch_are_played_independently(table: Table) -> None:
    table.play()
    game_admin.branch_game(
        table.judge, replace(NEW, name="other"), "baltic", Phase.parse("S1901M")
    )

    confirm = table.reply(table.latest("FRANCE"), "JOIN other FRANCE")

    assert confirm
    assert table.phase() == "F1901M"
    assert table.phase("other") == "S1901M"
    receipt = table.send("FRANCE", "A Par-Bur", "other")
    assert "A Par-Bur" in receipt.text
    assert table.current_orders("FRANCE") == ()


def test_a_game_played_here_can_be_read_as_a_record(table: Table) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar S A Par-Bur\nF Bre H")

    record = game_admin.record_of_game(table.judge, "baltic")

    assert [each.phase.code for each in record.phases] == ["S1901M", "F1901M"]
    assert len(record.phases[0].orders) == 22
    assert not record.seats
