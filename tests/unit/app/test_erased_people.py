"""Erasing a person removes them from every game, and the games go on."""

from __future__ import annotations

from judge.app.admin.erase_person import Erasure, StillPlaying, erase_person
from judge.game.game_state import SeatState
from tests.support.carriers import deliver
from tests.support.table import MODERATOR, POWERS, Table, address_of

ANNA = "anna@stranger.example"


def send_and_confirm(judge: Table, who: str, text: str) -> None:
    [asked] = [mail for mail in judge.mail(who, text) if mail.recipient == who]
    judge.reply(asked, "YES")


def erase(judge: Table, address: str) -> Erasure:
    """Erase the person with *address*, who must leave their games first."""
    assert isinstance(
        erase_person(judge.judge, address, from_games=False, really=True), StillPlaying
    )
    told = erase_person(judge.judge, address, from_games=True, really=True)
    assert isinstance(told, Erasure)
    judge.reread_outbox()
    with judge.database.read() as transaction:
        assert transaction.people.by_address(address) is None
    return told


def check_judge_still_answers(judge: Table) -> None:
    """Check that the judge still runs and answers."""
    judge.run_once()
    judge.pass_time(hours=24)
    assert judge.mail("stranger@players.example", "LIST")


def test_erasing_a_person_who_waits_for_the_start_removes_them(judge: Table) -> None:
    judge.open("baltic")
    send_and_confirm(judge, ANNA, "JOIN baltic")

    erase(judge, ANNA)

    assert judge.game().joined == {}
    check_judge_still_answers(judge)


def test_erasing_an_applicant_removes_the_application(judge: Table) -> None:
    judge.open("baltic", "entry=approval", moderator=MODERATOR)
    send_and_confirm(judge, ANNA, "JOIN baltic")
    assert judge.game().applicants

    erase(judge, ANNA)

    assert judge.game().applicants == {}
    check_judge_still_answers(judge)


def test_erasing_a_standby_removes_them_from_the_waiting_list(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    send_and_confirm(judge, ANNA, "STANDBY baltic")
    erase_person(judge.judge, address_of("ITALY"), from_games=True, really=True)
    judge.run_once()
    assert judge.game().offers

    erase(judge, ANNA)

    assert judge.game().offers == {}
    assert judge.game().standbys == {}
    check_judge_still_answers(judge)


def test_erasing_an_observer_removes_them(table: Table) -> None:
    send_and_confirm(table, ANNA, "OBSERVE baltic")
    assert table.game().observers

    erase(table, ANNA)

    assert table.game().observers == ()
    check_judge_still_answers(table)


def test_a_game_continues_when_its_moderator_is_erased(table: Table) -> None:
    erase(table, MODERATOR)

    check_judge_still_answers(table)
    table.play()
    assert table.phase() == "F1901M"


def test_a_power_whose_player_is_erased_is_vacant_and_others_play_on(table: Table) -> None:
    erase(table, address_of("ITALY"))

    assert table.game().seats["ITALY"].state is SeatState.VACANT
    assert not [mail for mail in table.outbox() if mail.recipient == address_of("ITALY")]
    for power in POWERS:
        if power != "ITALY":
            assert "Italy" in table.send(power, "STATUS").text


def test_an_email_that_quotes_their_address_from_the_log_is_emptied(table: Table) -> None:
    stranger = "karl@stranger.example"
    quoting = table.reply(table.latest("FRANCE"), f"PRESS TO G\nAsk {stranger}.\nENDPRESS")
    [sent] = [mail for mail in quoting if stranger in mail.text and mail.kind == "letter"]
    deliver(table)

    erase_person(table.judge, stranger, from_games=False, really=True)

    with table.database.read() as transaction:
        found = transaction.outbox.find(sent.message_id)
        assert found
        assert (found.raw, found.facts) == (b"", None)
