"""Who is forgotten is out of every game first, whatever he did there; all games go on."""

from __future__ import annotations

from judge.app.admin.erase_person import Erasure, StillPlaying, erase_person
from judge.game.game_state import SeatState
from tests.support.table import MODERATOR, POWERS, Table, address_of

ANNA = "anna@stranger.example"


def confirmed(judge: Table, who: str, text: str) -> None:
    [asked] = [mail for mail in judge.mail(who, text) if mail.recipient == who]
    judge.reply(asked, "YES")


def forgotten(judge: Table, address: str) -> Erasure:
    """Forget whoever has *address*, who must be told to leave his games first."""
    assert isinstance(
        erase_person(judge.judge, address, from_games=False, really=True), StillPlaying
    )
    told = erase_person(judge.judge, address, from_games=True, really=True)
    assert isinstance(told, Erasure)
    judge.reread_outbox()
    with judge.database.read() as transaction:
        assert transaction.people.by_address(address) is None
    return told


def goes_on(judge: Table) -> None:
    """Let the judge think, and tell everybody who asks."""
    judge.run_once()
    judge.pass_time(hours=24)
    assert judge.mail("stranger@players.example", "LIST")


def test_who_waits_for_the_start_leaves(judge: Table) -> None:
    judge.open("baltic")
    confirmed(judge, ANNA, "JOIN baltic")

    forgotten(judge, ANNA)

    assert judge.game().joined == {}
    goes_on(judge)


def test_who_asked_to_be_let_in_asks_no_more(judge: Table) -> None:
    judge.open("baltic", "entry=approval", moderator=MODERATOR)
    confirmed(judge, ANNA, "JOIN baltic")
    assert judge.game().applicants

    forgotten(judge, ANNA)

    assert judge.game().applicants == {}
    goes_on(judge)


def test_who_waits_for_a_place_or_is_asked_to_take_one_waits_no_more(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    confirmed(judge, ANNA, "STANDBY baltic")
    erase_person(judge.judge, address_of("ITALY"), from_games=True, really=True)
    judge.run_once()
    assert judge.game().offers

    forgotten(judge, ANNA)

    assert judge.game().offers == {}
    assert judge.game().standbys == {}
    goes_on(judge)


def test_who_looks_on_looks_on_no_more(table: Table) -> None:
    confirmed(table, ANNA, "OBSERVE baltic")
    assert table.game().observers

    forgotten(table, ANNA)

    assert table.game().observers == ()
    goes_on(table)


def test_a_game_goes_on_without_its_moderator(table: Table) -> None:
    forgotten(table, MODERATOR)

    goes_on(table)
    table.play()
    assert table.phase() == "F1901M"


def test_a_power_whose_player_is_forgotten_is_vacant_and_others_play_on(table: Table) -> None:
    forgotten(table, address_of("ITALY"))

    assert table.game().seats["ITALY"].state is SeatState.VACANT
    assert not [mail for mail in table.outbox() if mail.recipient == address_of("ITALY")]
    for power in POWERS:
        if power != "ITALY":
            assert "Italy" in table.send(power, "STATUS").text
