"""Strangers open games, and first-time moderators get a welcome email."""

from __future__ import annotations

from judge.app.admin.game_admin import appoint_moderator
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

STRANGER = "Ann Archer <ann@example.org>"
ANN = "ann@example.org"


def created(judge: Table, text: str = "CREATE opal press=none", who: str = STRANGER) -> Mail:
    """Open a game as a stranger; return the answer to the YES."""
    [question] = judge.mail(who, text)
    assert question.kind == "confirm_join"
    judge.reply(question, "YES")
    return judge.emails_to(ANN, "receipt")[-1]


def test_a_stranger_creates_a_game_after_confirming(judge: Table) -> None:
    [question] = judge.mail(STRANGER, "CREATE opal press=none")

    assert "CREATE opal" in question.subject
    assert judge.query("SELECT name FROM games") == []

    judge.reply(question, "YES")
    assert judge.game("opal").house_rules.press.value == "none"
    assert "you moderate it" in judge.emails_to(ANN, "receipt")[-1].words


def test_a_moderator_has_the_name_in_their_emails(judge: Table) -> None:
    [question] = judge.mail("Grace Holloway <grace@example.org>", "CREATE opal")
    answers = judge.reply(question, question.yes, sender="Grace Holloway <grace@example.org>")

    assert any("Other players see you as Grace." in mail.words for mail in answers)


def test_a_stranger_who_says_no_creates_nothing(judge: Table) -> None:
    [question] = judge.mail(STRANGER, "CREATE opal")
    judge.reply(question, "NO")

    assert judge.query("SELECT name FROM games") == []


def test_a_wrong_name_or_rule_is_named_before_a_confirmation_is_asked_for(judge: Table) -> None:
    judge.open("opal")

    [taken] = judge.mail("one@example.org", "CREATE Opal")
    [wrong] = judge.mail("two@example.org", "CREATE jade pres=none")
    assert (taken.kind, wrong.kind) == ("receipt", "confirm_join")
    assert "create" in taken.text.casefold()
    assert "left out: pres=none" in wrong.words


def test_nobody_learns_of_an_unlisted_game_by_asking_to_create_one(judge: Table) -> None:
    judge.open("opal", "listed=no")

    [question] = judge.mail(STRANGER, "CREATE opal")
    assert question.kind == "confirm_join"


def test_a_new_moderator_gets_a_welcome_email_with_their_tasks_in_ten_lines(judge: Table) -> None:
    created(judge)

    [welcome] = judge.emails_to(ANN, "moderator_welcome")
    tasks = [line for line in welcome.text.splitlines() if line[:2].strip(" .").isdigit()]
    assert len([line for line in tasks if ". " in line[:4]]) == 10
    assert "JOIN opal" in welcome.text
    assert all(len(line) <= 72 for line in welcome.text.splitlines() if "<mailto:" not in line)


def test_the_welcome_email_has_help_moderator_sorted_by_task(judge: Table) -> None:
    created(judge)

    [welcome] = judge.emails_to(ANN, "moderator_welcome")
    tasks = ("Time:", "Players:", "Corrections:", "Rules and the end:")
    places = [welcome.text.index(each) for each in tasks]
    assert places == sorted(places)
    assert welcome.text.index("Time:") < welcome.text.index("GRANT F")
    assert welcome.text.index("Players:") < welcome.text.index("EJECT F")


def test_an_answer_to_the_welcome_email_is_the_moderators(judge: Table) -> None:
    created(judge)
    [welcome] = judge.emails_to(ANN, "moderator_welcome")

    judge.reply(welcome, "SET RULE press=broadcast")
    assert judge.game("opal").house_rules.press.value == "broadcast"


def test_an_experienced_moderator_is_not_welcomed_again(judge: Table) -> None:
    receipt = created(judge)
    judge.reply(receipt, "CREATE jade")

    assert judge.game("jade").moderator == judge.game("opal").moderator
    assert len(judge.emails_to(ANN, "moderator_welcome")) == 1


def test_a_moderator_named_by_the_operator_is_welcomed(judge: Table) -> None:
    judge.open("opal", moderator=MODERATOR)

    assert len(judge.emails_to(MODERATOR, "moderator_welcome")) == 1


def test_a_moderator_who_takes_over_a_game_is_welcomed(judge: Table) -> None:
    judge.start("opal", moderator=MODERATOR)
    appoint_moderator(judge.judge, "opal", "next@example.org")

    assert len(judge.emails_to("next@example.org", "moderator_welcome")) == 1


def test_seven_join_the_game_of_a_stranger_and_it_starts(judge: Table) -> None:
    created(judge)
    for power in POWERS:
        judge.join("opal", power)

    assert judge.phase("opal") == "S1901M"
    assert judge.emails_to(ANN, "game_start")
    assert judge.emails_to(address_of("FRANCE"), "game_start")
