"""Admission, game passwords, the waiting list and offers of vacant powers, by mail."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.app.ports.people import Person
from judge.game.game_state import SeatState
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

ANNA, BERT, CARL = "anna@stranger.example", "bert@stranger.example", "carl@stranger.example"


def says(judge: Table, who: str, text: str) -> str:
    """Send *text* as *who*, perhaps a stranger, and confirm it; return the answer."""
    mails = judge.mail(who, text)
    [asked] = [mail for mail in mails if mail.recipient == who]
    return next(mail for mail in judge.reply(asked, "YES") if mail.recipient == who).words


def told(judge: Table, who: str) -> str:
    return judge.emails_to(who)[-1].words


def without_italy(judge: Table, *rules: str) -> None:
    judge.start("baltic", *rules, moderator=MODERATOR)
    moderate(judge, "EJECT ITALY")


def moderate(judge: Table, text: str, game: str = "baltic") -> str:
    """Reply as the moderator to their latest email about *game*; return the receipt."""
    about = [mail for mail in judge.emails_to(MODERATOR) if f":{game} - " in mail.subject]
    if not about:
        return says(judge, MODERATOR, text)
    mails = [mail for mail in judge.reply(about[-1], text) if mail.recipient == MODERATOR]
    if mails[-1].kind == "confirm_mail":
        confirmed = judge.reply(mails[-1], mails[-1].yes)
        mails = [mail for mail in confirmed if mail.recipient == MODERATOR]
    return mails[-1].words


def _person(judge: Table, address: str) -> Person:
    with judge.database.read() as transaction:
        found = transaction.people.by_address(address)
    assert found
    return found


def player_of(judge: Table, power: str) -> str:
    person = judge.game().seats[power].person
    assert person
    with judge.database.read() as transaction:
        found = transaction.people.get(person)
    assert found
    return found.address


# Admission


def test_the_moderator_admits_by_name(judge: Table) -> None:
    judge.open("baltic", "entry=approval", moderator=MODERATOR)

    assert "must approve you" in says(judge, ANNA, "JOIN baltic PREFER EF")
    assert judge.game().joined == {}
    asked = judge.emails_to(MODERATOR)[-1]
    handle = asked.text.partition("ADMIT ")[2].split()[0]
    assert f"{handle} would like to play." in asked.words
    [receipt, *_] = [m for m in judge.reply(asked, f"ADMIT {handle}") if m.recipient == MODERATOR]

    assert "They are" in receipt.words
    assert list(judge.game().joined.values()) == [(("ENGLAND",), ("FRANCE",))]
    assert "You are admitted" in told(judge, ANNA)


def test_the_moderator_admits_by_the_number_in_the_desk_mail(judge: Table) -> None:
    judge.open("baltic", "entry=approval", moderator=MODERATOR)
    says(judge, ANNA, "JOIN baltic")
    says(judge, BERT, "JOIN baltic")

    judge.pass_time(hours=6)
    [desk] = judge.emails_to(MODERATOR, "desk_mail")
    judge.reply(desk, "1 YES")
    judge.pass_time(hours=24)

    assert "1. player-" in desk.text
    assert "2. player-" in desk.text
    assert len(judge.game().joined) == 1
    judge.reply(judge.emails_to(MODERATOR, "desk_mail")[-1], "1 NO")
    assert "has not admitted you" in told(judge, BERT)
    assert judge.game().applicants == {}


@pytest.mark.parametrize("text", ["YES", "1 YES", "USE THESE", "PRESS", "Ja, bitte."])
def test_no_answer_to_a_desk_mail_is_lost(judge: Table, text: str) -> None:
    judge.open("baltic", "entry=approval", moderator=MODERATOR)
    says(judge, ANNA, "JOIN baltic")
    judge.pass_time(hours=6)
    [desk] = judge.emails_to(MODERATOR, "desk_mail")

    judge.reply(desk, text)

    assert judge.inbox()[-1] == "processed"


def test_only_the_moderator_admits(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    assert "Only the moderator" in judge.send("FRANCE", "ADMIT player-123456").words
    assert "No player of that name" in moderate(judge, "ADMIT player-123456")


def test_the_password_of_a_game_admits_and_is_shown_to_nobody(judge: Table) -> None:
    judge.open("baltic", "entry=password", moderator=MODERATOR)

    assert "needs" not in moderate(judge, "SET GAME PASSWORD tulip")
    assert "needs a password" in says(judge, ANNA, "JOIN baltic")
    assert "needs a password" in says(judge, ANNA, "JOIN baltic PASSWORD rose")
    assert "You have joined the game." in says(judge, ANNA, "JOIN baltic PASSWORD tulip")
    assert "You have joined the game." in says(judge, BERT, "JOIN baltic tulip")
    assert "You have joined the game." in says(judge, CARL, "JOIN baltic mine tulip")
    assert len(judge.game().joined) == 3
    assert not any("tulip" in mail.text for mail in judge.outbox())
    assert not any(b"tulip" in raw for (raw,) in judge.query("SELECT raw FROM inbox"))
    with judge.database.read() as transaction:
        own = transaction.people.passwords("baltic")
    assert [person for person, _ in own] == [list(judge.game().joined)[2]]


def test_wrong_passwords_are_limited(judge: Table) -> None:
    judge.open("baltic", "entry=password", moderator=MODERATOR)
    moderate(judge, "SET GAME PASSWORD tulip")
    judge.start("opal")

    for guess in range(10):
        judge.send("FRANCE", f"JOIN baltic PASSWORD guess{guess}", "opal")
    judge.send("FRANCE", "JOIN baltic PASSWORD tulip", "opal")
    judge.send("ITALY", "JOIN baltic PASSWORD tulip", "opal")

    assert len(judge.game().joined) == 1


# The waiting list


def test_a_full_game_has_a_waiting_list_and_asks_in_order(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    first = says(judge, ANNA, "JOIN baltic")
    second = says(judge, BERT, "STANDBY baltic")
    moderate(judge, "EJECT ITALY")
    judge.run_once()
    offer = judge.emails_to(ANNA)[-1]

    assert "standby list" in first
    assert "(baltic, 1)" in first
    assert "(baltic, 2)" in second
    moderate(judge, "STATUS")
    assert told(judge, MODERATOR).count("Standbys, in order: player-") == 1
    judge.send("ITALY", "STATUS")
    assert "Standbys, in order" not in told(judge, address_of("ITALY"))
    assert "Italy is vacant. Would you like to take it over?" in offer.words
    assert "until Tue" in offer.words
    judge.reply(offer, "YES")
    assert player_of(judge, "ITALY") == ANNA
    assert judge.game().offers == {}


def test_declining_or_ignoring_an_offer_passes_the_power_on(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    for who in (ANNA, BERT, CARL):
        says(judge, who, "STANDBY baltic")
    moderate(judge, "EJECT ITALY")
    judge.run_once()

    judge.reply(judge.emails_to(ANNA)[-1], "NO")
    judge.run_once()
    assert "Would you like to take it over?" in told(judge, BERT)
    judge.pass_time(hours=25)

    assert "no longer reserved for you" in told(judge, BERT)
    assert "Would you like to take it over?" in told(judge, CARL)
    assert "No power is reserved" in judge.reply(judge.emails_to(BERT)[-1], "YES")[0].words
    judge.reply(judge.emails_to(CARL)[-1], "JOIN baltic ITALY")
    assert player_of(judge, "ITALY") == CARL


def test_a_standby_for_any_game_is_asked_by_the_first_with_a_vacant_power(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    assert "You are a standby for every" in says(judge, ANNA, "STANDBY")
    moderate(judge, "EJECT ITALY")
    judge.run_once()
    judge.reply(judge.emails_to(ANNA)[-1], "YES")

    assert player_of(judge, "ITALY") == ANNA


@pytest.mark.parametrize("command", ["STANDBY baltic", "STANDBY"])
def test_a_standby_is_listed_by_the_name_that_they_sign_up_with(
    judge: Table, command: str
) -> None:
    judge.start("baltic", moderator=MODERATOR)
    mildred = "Mildred Finch <finch@players.example>"
    [asked] = judge.mail(mildred, command)

    answer = judge.reply(asked, "YES", mildred)[-1]

    assert "Other players see you as Mildred." in answer.words
    if command != "STANDBY":
        assert "Standbys, in order: Mildred." in moderate(judge, "STATUS")


def test_a_new_standby_is_asked_at_once_if_a_power_is_vacant(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    moderate(judge, "EJECT ITALY")

    says(judge, ANNA, "STANDBY")
    judge.run_once()

    assert "Would you like to take it over?" in told(judge, ANNA)
    assert judge.reply(judge.emails_to(ANNA)[-1], "NO STANDBY")
    assert judge.game().offers == {}
    assert judge.game().standbys == {}


def test_hidden_games_do_not_ask_standbys_for_any_game(judge: Table) -> None:
    judge.start("baltic", "listed=no", moderator=MODERATOR)
    says(judge, ANNA, "STANDBY")

    moderate(judge, "EJECT ITALY")
    judge.run_once()

    assert judge.game().standbys == {}


def test_the_moderator_assigns_powers_and_makes_dummies(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    says(judge, ANNA, "OBSERVE baltic")
    with judge.database.read() as transaction:
        anna = transaction.people.by_address(ANNA)
    assert anna

    assert "is now a dummy" in moderate(judge, "DUMMY ITALY")
    assert judge.game().seats["ITALY"].state is SeatState.CIVIL_DISORDER
    assert "has a player" in moderate(judge, f"SEAT ITALY {anna.handle}")
    assert player_of(judge, "ITALY") == ANNA
    moderate(judge, "EJECT FRANCE")
    assert "No player of that name" in moderate(judge, "SEAT FRANCE nobody")
    assert "has a player" in moderate(judge, "REVIVE FRANCE")
    assert "REVIVE FRANCE: refused. That power has a player." in moderate(judge, "REVIVE FRANCE")
    assert player_of(judge, "FRANCE") == address_of("FRANCE")


def test_a_moderator_bans_a_person_until_further_notice(judge: Table) -> None:
    without_italy(judge)
    [last] = [mail for mail in judge.emails_to(address_of("ITALY")) if mail.kind == "game_start"]
    handle = _person(judge, address_of("ITALY")).handle

    assert "They cannot enter." in moderate(judge, f"DENY PLAYER {handle}")
    assert "has barred you" in judge.reply(last, "JOIN baltic ITALY")[-1].words
    assert "apply to them again." in moderate(judge, f"DENY PLAYER -{address_of('ITALY')}")
    judge.reply(last, "JOIN baltic ITALY")
    assert player_of(judge, "ITALY") == address_of("ITALY")


def test_a_moderator_admits_a_person_whatever_the_rules_ask_for(judge: Table) -> None:
    without_italy(judge)
    moderate(judge, "SET RULE entry=password")
    says(judge, ANNA, "OBSERVE baltic")

    assert "No player of that name" in moderate(judge, f"ALLOW PLAYER {BERT}")
    assert "They may now" in moderate(judge, f"SET ALLOW PLAYER {ANNA}")
    judge.reply(judge.emails_to(ANNA)[-1], "JOIN baltic ITALY")
    assert player_of(judge, "ITALY") == ANNA


def test_a_banned_person_is_not_asked_as_a_standby(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    says(judge, ANNA, "STANDBY baltic")
    moderate(judge, f"DENY PLAYER {ANNA}")
    says(judge, ANNA, "STANDBY")
    moderate(judge, "EJECT ITALY")

    assert judge.game().standbys == {}
    assert judge.game().offers == {}


def test_two_takeovers_of_one_power_have_one_winner(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    says(judge, ANNA, "STANDBY baltic")
    moderate(judge, "EJECT ITALY")
    judge.run_once()
    offer = judge.emails_to(ANNA)[-1]

    assert "standby list" in says(judge, BERT, "JOIN baltic ITALY")
    judge.reply(offer, "YES")

    assert player_of(judge, "ITALY") == ANNA
    assert "No power is reserved" not in told(judge, ANNA)
    assert len({seat.person for seat in judge.game().seats.values()}) == len(POWERS)


def test_a_game_is_handed_to_another_moderator(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)
    says(judge, ANNA, "OBSERVE baltic")

    assert "No player of that name" in moderate(judge, f"PROMOTE {BERT}")
    assert "They become" in moderate(judge, f"PROMOTE {ANNA}")
    asked = judge.emails_to(ANNA, "confirm_moderator")[-1]
    assert "is now the moderator" not in told(judge, address_of("ITALY"))
    judge.reply(asked, asked.yes)
    assert "is now the moderator of the game" in told(judge, address_of("ITALY"))
    assert "Only the moderator" in judge.reply(judge.emails_to(MODERATOR)[-1], "PAUSE")[0].words
    judge.reply(judge.emails_to(ANNA)[-1], "PAUSE BECAUSE of me")
    assert judge.game().paused


def asked_to_moderate(judge: Table) -> Mail:
    """Have the moderator ask ANNA, an observer, to take over; return the question."""
    judge.start("baltic", moderator=MODERATOR)
    says(judge, ANNA, "OBSERVE baltic")
    moderate(judge, f"PROMOTE {ANNA}")
    return judge.emails_to(ANNA, "confirm_moderator")[-1]


def moderates(judge: Table, address: str) -> bool:
    return judge.game().moderator == _person(judge, address).id


@pytest.mark.parametrize("said", ["NO", "Sorry, I have no time.", ""])
def test_declining_to_moderate_changes_nothing(judge: Table, said: str) -> None:
    judge.reply(asked_to_moderate(judge), said)

    assert moderates(judge, MODERATOR)


def test_nobody_else_agrees_to_moderate(judge: Table) -> None:
    asked = asked_to_moderate(judge)

    judge.reply(asked, asked.yes, sender=BERT)

    assert moderates(judge, MODERATOR)


def test_an_offer_to_moderate_expires(judge: Table) -> None:
    asked = asked_to_moderate(judge)
    judge.clock.time += timedelta(days=15)

    judge.reply(asked, asked.yes)

    assert moderates(judge, MODERATOR)


def test_only_the_moderator_hands_over_and_once_a_day(judge: Table) -> None:
    asked = asked_to_moderate(judge)
    assert "They become" in moderate(judge, f"PROMOTE {ANNA}")
    assert len(judge.emails_to(ANNA, "confirm_moderator")) == 1
    moderate(judge, f"PROMOTE {address_of('ITALY')}")
    again = judge.emails_to(address_of("ITALY"), "confirm_moderator")[-1]
    judge.reply(again, again.yes)

    judge.reply(asked, asked.yes)

    assert moderates(judge, address_of("ITALY"))


def test_ineligible_people_are_not_asked_to_moderate(judge: Table) -> None:
    judge.start("baltic", "anonymous=yes", moderator=MODERATOR)

    assert "refused" in moderate(judge, f"PROMOTE {address_of('ITALY')}")
    assert judge.emails_to(address_of("ITALY"), "confirm_moderator") == ()


def test_a_moderator_branches_a_game(judge: Table) -> None:
    judge.start("baltic", "press=none", moderator=MODERATOR)
    judge.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H")

    assert "The new game is open" in moderate(judge, "BRANCH F1901M AS other")
    assert "not played that phase" in moderate(judge, "BRANCH F1905M AS third")
    assert "name is taken" in moderate(judge, "BRANCH F1901M AS other")

    assert judge.phase("other") == "F1901M"
    other = judge.game("other")
    assert other.house_rules == judge.game().house_rules
    assert other.moderator == judge.game().moderator
    assert other.position == judge.game().position


def test_a_full_game_is_called_full_before_a_stranger_confirms(judge: Table) -> None:
    judge.start("baltic", moderator=MODERATOR)

    [asked] = judge.mail(ANNA, "Is there still a seat in baltic? I can start right away.")
    judge.confirm(asked)

    assert "is full. To watch it, send: OBSERVE baltic Do you want to be a standby" in asked.words
    assert len(judge.game().standbys) == 1


@pytest.mark.parametrize(
    "text",
    ["Sure, I'll take it! What do I have to do now?", "Happy to take over. Anna"],
)
def test_a_standby_takes_what_is_offered_beside_a_question(judge: Table, text: str) -> None:
    offer = offered_italy(judge)

    judge.reply(offer, text)

    assert player_of(judge, "ITALY") == ANNA


@pytest.mark.parametrize("text", ["Can I take it?", "Oui, je la prends volontiers."])
def test_a_standby_who_says_it_less_plainly_is_asked(judge: Table, text: str) -> None:
    receipt = judge.reply(offered_italy(judge), text)[-1]

    assert "JOIN baltic ITALY" in receipt.text
    assert judge.game().offers


def test_a_standby_who_denies_takes_nothing(judge: Table) -> None:
    judge.reply(offered_italy(judge), "Thanks, but I can't take it over now.")

    assert judge.game().offers


def offered_italy(judge: Table) -> Mail:
    """Offer Italy to Anna, and return the offer."""
    without_italy(judge)
    says(judge, ANNA, "STANDBY baltic")
    return judge.emails_to(ANNA)[-1]


def test_a_standby_takes_a_power_over_in_everyday_words(judge: Table) -> None:
    judge.start("baltic")
    [asked] = judge.mail("Mildred Finch <mildred@finch.example>", "STANDBY baltic")
    judge.confirm(asked)
    judge.send("RUSSIA", "RESIGN")
    judge.confirm(judge.emails_to(address_of("RUSSIA"))[-1])
    offer = judge.emails_to("mildred@finch.example")[-1]

    judge.reply(offer, "Yes, I should be delighted.\n\nMildred Finch")

    assert judge.emails_to("mildred@finch.example", "takeover")
    assert "Mildred" in judge.send("GERMANY", "WHOGAME").text
