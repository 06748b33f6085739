"""Only moderators who do not play see the names and addresses of players."""

from __future__ import annotations

import pytest

from judge.app.gamemaster import game_pages
from judge.app.gamemaster.standing_orders import DeskAccess
from tests.support.table import MODERATOR, POWERS, Mail, Table, address_of

NAME = "Maria M\xfcller"
MARIA = f"{NAME} <maria@example.org>"


def join(judge: Table, who: str = MARIA, text: str = "JOIN baltic") -> Mail:
    """Join and confirm; return the answer to the YES."""
    [question] = judge.mail(who, text)
    [answer] = [
        mail for mail in judge.reply(question, "YES") if mail.recipient == question.recipient
    ][:1]
    return answer


def start_full_game(judge: Table, *rules: str, moderator: str = MODERATOR) -> None:
    """Start a game that Maria and six others join."""
    judge.open("baltic", *rules, moderator=moderator)
    join(judge)
    for power in POWERS[:6]:
        join(judge, f"The {power} Player <{address_of(power)}>")
    assert judge.phase() == "S1901M"


def reply_to_latest(judge: Table, address: str, text: str) -> Mail:
    """Reply as *address* to their latest email about the game."""
    latest = [each for each in judge.emails_to(address) if ":baltic" in each.subject][-1]
    return judge.reply(latest, text)[-1]


def test_the_first_name_of_a_join_is_the_handle(judge: Table) -> None:
    judge.open("baltic")
    answer = join(judge)

    assert "Other players see you as Maria." in answer.words
    assert "Maria" in join(judge, "b@example.org").text or "Maria" in (
        reply_to_latest(judge, "b@example.org", "WHOGAME").text
    )


@pytest.mark.parametrize(
    ("who", "handle"),
    [
        ("Ann <ann@example.org>", "Ann"),
        ("Jean-Pierre Lef\xe8vre <jp@example.org>", "Jean"),
        ("A name that goes on and on for ever <long@example.org>", "name"),
        ("ann@example.org", None),
        ("The Judge <boss@example.org>", None),
        ("\u041c\u0430\u0440\u0438\u044f <m@example.org>", None),
    ],
)
def test_the_handle_of_a_join_is_allowed(judge: Table, who: str, handle: str | None) -> None:
    judge.open("baltic")
    answer = join(judge, who)

    if handle:
        assert f"Other players see you as {handle}." in answer.words
    else:
        assert "What should the other players call you?" in answer.words
        assert "Until then they see you as player-" in answer.words


@pytest.mark.parametrize(
    "words", ["my name is priya", "I'm priya.", "Je m'appelle priya", "priya"]
)
def test_a_player_without_a_name_says_it_in_small_letters(judge: Table, words: str) -> None:
    judge.open("baltic")

    judge.reply(join(judge, "ann@example.org"), words)

    assert judge.query("SELECT handle FROM people") == [("priya",)]


@pytest.mark.parametrize(
    "words", ["I'm late", "ENDIF", "FOOBAR\nis my order for Paris in, by the way?"]
)
def test_what_may_be_no_name_is_none(judge: Table, words: str) -> None:
    judge.open("baltic")

    judge.reply(join(judge, "ann@example.org"), words)

    assert judge.query("SELECT 1 FROM people WHERE handle LIKE 'player-%'")


@pytest.mark.parametrize("words", ["ENDIF", "foobar", "I'm late"])
def test_a_word_in_a_game_that_has_begun_is_no_name(judge: Table, words: str) -> None:
    judge.start("baltic")

    judge.send("FRANCE", words)

    assert not judge.query("SELECT 1 FROM people WHERE handle NOT LIKE 'player-%'")


@pytest.mark.parametrize("words", ["My name is Anna", "Ich hei\xdfe Anna.", "Je m'appelle Anna"])
def test_a_player_without_a_name_says_it_in_words(judge: Table, words: str) -> None:
    judge.open("baltic")

    answer = judge.reply(join(judge, "ann@example.org"), words)[-1]

    assert "SET HANDLE Anna" in answer.words


def test_one_word_in_answer_to_the_question_for_a_name_is_one(judge: Table) -> None:
    judge.open("baltic")
    joined = join(judge, "ann@example.org")

    assert "SET HANDLE" not in judge.reply(joined, "Thanks!")[-1].words
    assert "SET HANDLE Ann " in judge.reply(joined, "Ann")[-1].words
    assert judge.query("SELECT handle FROM people") == [("Ann",)]


def test_a_newcomer_who_confirms_by_another_join_keeps_their_language(judge: Table) -> None:
    judge.open("baltic")
    [question] = judge.mail("Maria <m@example.org>", "Hallo, ich w\xfcrde gern baltic mitspielen")

    [joined] = judge.reply(question, "JOIN baltic PREFER italien")

    assert "Du spielst mit." in joined.words


def test_a_name_that_is_taken_is_not_offered_and_nobody_gets_it_unasked(judge: Table) -> None:
    judge.open("baltic")
    judge.reply(join(judge, "Ann <a@example.org>"), "SET HANDLE Ann")
    second = join(judge, "Ann <b@example.org>")

    assert "SET HANDLE Ann" not in second.words
    assert len(judge.query("SELECT 1 FROM people WHERE handle = 'Ann'")) == 1


@pytest.mark.parametrize("rules", [(), ("anonymous=yes",)])
def test_a_moderator_who_does_not_play_sees_names_and_addresses_by_mail(
    judge: Table, rules: tuple[str, ...]
) -> None:
    start_full_game(judge, *rules)
    told = reply_to_latest(judge, MODERATOR, "WHOGAME")

    assert NAME in told.words
    assert "maria@example.org" in told.words


def test_a_moderator_sees_who_has_joined_before_the_start(judge: Table) -> None:
    judge.open("baltic", "anonymous=yes", moderator=MODERATOR)
    join(judge)

    told = reply_to_latest(judge, MODERATOR, "WHOGAME")
    assert NAME in told.words
    assert "maria@example.org" in told.words


def test_in_anonymous_games_no_player_sees_a_name(judge: Table) -> None:
    start_full_game(judge, "anonymous=yes")
    for power in POWERS[:6]:
        for text in ("WHOGAME", "STATUS", "SUMMARY", "LIST FULL", "HISTORY"):
            reply_to_latest(judge, address_of(power), text)

    to_players = [
        mail
        for mail in judge.outbox()
        if mail.recipient.startswith(tuple(power.lower() for power in POWERS))
    ]
    assert to_players
    assert not any("Maria" in mail.text + mail.html for mail in to_players)


def test_no_player_sees_an_address_or_a_name_that_is_not_a_handle(judge: Table) -> None:
    start_full_game(judge)
    for power in POWERS[:6]:
        told = reply_to_latest(judge, address_of(power), "WHOGAME")
        assert "maria@example.org" not in told.text
        assert NAME not in told.words


def test_a_moderator_who_also_plays_sees_nothing_more_than_a_player(judge: Table) -> None:
    start_full_game(judge, "anonymous=yes", moderator=address_of("ITALY"))
    told = reply_to_latest(judge, address_of("ITALY"), "WHOGAME")

    assert "Maria" not in told.text
    assert "maria@example.org" not in told.text


def test_a_moderator_who_has_joined_sees_no_names_before_the_start(judge: Table) -> None:
    judge.open("baltic", "anonymous=yes", moderator=address_of("ITALY"))
    join(judge)
    welcome = judge.emails_to(address_of("ITALY"))[-1]
    judge.reply(welcome, "JOIN baltic")

    assert "maria@example.org" not in reply_to_latest(judge, address_of("ITALY"), "WHOGAME").text


def test_the_desk_shows_names_and_addresses_unless_the_moderator_plays(judge: Table) -> None:
    start_full_game(judge, "anonymous=yes")

    def contacts_for(person: str | None) -> str:
        with judge.database.read() as transaction:
            game = game_pages.describe_game(
                judge.judge, transaction, judge.game(), DeskAccess(person)
            )
        return " ".join(each.contact for each in game.seats)

    with judge.database.read() as transaction:
        player = transaction.people.by_address(address_of("ITALY"))
        moderator = transaction.people.by_address(MODERATOR)
    assert player
    assert moderator
    assert f"{NAME} <maria@example.org>" in contacts_for(moderator.id)
    assert f"{NAME} <maria@example.org>" in contacts_for(None)
    assert contacts_for(player.id).strip() == ""


def test_no_event_holds_a_name(judge: Table) -> None:
    start_full_game(judge)

    assert not any("Maria" in str(each.event) for each in judge.log())
    assert not any("maria@" in str(each.event) for each in judge.log())
