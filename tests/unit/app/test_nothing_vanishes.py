"""Each part of an email has its effect or stands in an answer, whatever else the email holds."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import unquote

import pytest

from judge.game.players.diaries import NoteWritten
from tests.support.table import MODERATOR, Mail, Table, address_of

MINUTE = timedelta(minutes=1)
NEWCOMER = "jo@new.example"


@pytest.fixture
def two(judge: Table) -> Table:
    """A judge with the games fogwar and baltic, both of the same players and one moderator."""
    for game in ("fogwar", "baltic"):
        judge.start(game, "forwarding=at_once", moderator=MODERATOR)
    return judge


def answers(judge: Table, text: str, power: str = "ENGLAND", game: str = "baltic") -> str:
    """Return all that the judge answers the player of *power*, who replies with *text*."""
    mails = judge.reply(judge.latest(power, game), text)
    return "\n".join(mail.words for mail in mails if mail.recipient == address_of(power))


def forwarded(judge: Table) -> str:
    return "\n".join(mail.words for mail in judge.emails_to(MODERATOR, "forwarded"))


@pytest.mark.parametrize("hold", ["All hold", "Hold all units", "Alle halten"])
def test_an_order_to_all_units_counts_in_each_section(two: Table, hold: str) -> None:
    answers(two, f"GAME fogwar\n{hold}\n\nGAME baltic\nF Lon-Nth")

    assert len(two.current_orders("ENGLAND", "fogwar")) == 3
    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


@pytest.mark.parametrize("asked", ["When is the deadline?", "I resign from this game."])
def test_a_question_is_answered_in_each_section(two: Table, asked: str) -> None:
    told = answers(two, f"GAME fogwar\n{asked}\n\nGAME baltic\nF Lon-Nth")

    assert "Game: fogwar" in told
    assert asked in told
    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


def test_what_stands_above_the_first_heading_is_shown_with_the_game_it_answers(
    two: Table,
) -> None:
    text = "The weather is fine over here.\nGAME fogwar\nF Lon-Nth\nGAME baltic\nF Edi-Nwg"
    told = answers(two, text)

    assert told.count("Game: baltic") == 1
    assert "| The weather is fine over here." in told


def test_a_greeting_above_the_headings_is_no_email_about_another_game(two: Table) -> None:
    text = "Hello judge, here are my orders for both games.\nGAME fogwar\nF Lon-Nth"
    told = answers(two, text)

    assert "Game: baltic" not in told
    assert two.current_orders("ENGLAND", "fogwar") == ("F LON - NTH",)


def test_a_heading_with_nothing_below_it_is_shown(two: Table) -> None:
    told = answers(two, "F Lon-Nth\nGAME fogwar")

    assert "Line 2 was not understood: GAME fogwar" in told
    assert "GAME baltic" not in answers(two, "F Lon-Nth\nGAME baltic")


def vacate(judge: Table, power: str) -> None:
    judge.confirm(judge.reply(judge.latest(power), "RESIGN")[-1])


@pytest.mark.parametrize(
    "line", ["JOIN baltic as Russia", "JOIN baltic AS russia", "Join baltic als Russland"]
)
def test_a_join_may_name_its_power_in_words(judge: Table, line: str) -> None:
    judge.start("baltic")
    vacate(judge, "ENGLAND")
    vacate(judge, "RUSSIA")

    [question] = judge.mail(NEWCOMER, line)
    judge.confirm(question)

    assert "Russia" in question.words
    assert judge.game().seats["RUSSIA"].person != judge.game().seats["ENGLAND"].person
    assert [judge.game().seats[each].state.value for each in ("RUSSIA", "ENGLAND")] == [
        "played",
        "vacant",
    ]


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("JOIN sea as Greece", "Greece"),
        ("I'd like to play Greece in sea please", "Greece"),
        ("Hallo, ich möchte bei sea als Greece mitspielen", "Griechenland"),
    ],
)
def test_a_power_of_another_board_is_a_wish_for_the_start(
    judge: Table, text: str, power: str
) -> None:
    judge.open("sea", variant="ancient-med")

    [question] = judge.mail(NEWCOMER, text)
    judge.confirm(question)

    assert power in question.words
    assert [*judge.game("sea").joined.values()] == [(("GREECE",),)]


def test_a_power_that_the_judge_does_not_know_is_quoted(judge: Table) -> None:
    judge.open("sea", variant="ancient-med")

    [question] = judge.mail(NEWCOMER, "Hallo, ich möchte bei sea als Rom mitspielen")

    assert "Rom" in question.words


@pytest.mark.parametrize(
    "text",
    [
        "JOIN yt PREFER CHINA INDIA JAPAN",
        "JOIN yt\nPREFER china, india, japan",
        "JOIN yt\nPREFER: China, India, Japan",
        "JOIN yt PREFER: china india japan",
    ],
)
def test_preferences_are_those_of_the_board_of_the_game(judge: Table, text: str) -> None:
    judge.open("yt", variant="youngstown")

    [question] = judge.mail(NEWCOMER, text)
    judge.confirm(question)

    [wished] = judge.game("yt").joined.values()
    assert wished == (("CHINA",), ("INDIA",), ("JAPAN",))


def test_letters_are_those_of_the_board_of_the_game(judge: Table) -> None:
    judge.open("yt", variant="youngstown")

    [question] = judge.mail(NEWCOMER, "JOIN yt PREFER CIJ")
    judge.confirm(question)

    [wished] = judge.game("yt").joined.values()
    assert wished == (("CHINA",), ("ITALY",), ("JAPAN",))


def test_preferences_count_beside_a_word_that_names_no_power(judge: Table) -> None:
    judge.open("yt", variant="youngstown")

    [question] = judge.mail(NEWCOMER, "JOIN yt PREFER china, klingon, india")
    judge.confirm(question)

    assert "klingon" in question.words
    assert [*judge.game("yt").joined.values()] == [(("CHINA",), ("INDIA",))]


def test_what_stands_beside_a_wish_to_join_is_answered(judge: Table) -> None:
    judge.open("sea", variant="ancient-med")
    text = "Hi! I'd love to join sea, please. How long is a phase? My favorite color is blue."

    [question] = judge.mail(NEWCOMER, text)
    told = " ".join(mail.words for mail in judge.confirm(question))

    assert "| How long is a phase? My favorite color is blue." in told


def test_preferences_that_name_no_power_are_said_and_the_join_counts(judge: Table) -> None:
    judge.open("lepanto")

    [question] = judge.mail(NEWCOMER, "JOIN lepanto PREFER china")
    told = " ".join(mail.words for mail in judge.confirm(question))

    assert "china" in question.words
    assert "china" in told
    assert len(judge.game("lepanto").joined) == 1


@pytest.mark.parametrize(
    "line",
    [
        "is my order ok?",
        "FOOBAR",
        "ENDIF",
        "My preference would be England",
        "Geht das auf Deutsch?",
        "Hi, is my order ok?",
        "hope you can extend the deadline",
        "These are final?",
    ],
)
def test_only_greetings_and_signatures_are_called_so(two: Table, line: str) -> None:
    told = answers(two, f"F Lon-Nth\n{line}")

    assert "Greeting and signature" not in told
    assert line.rpartition(", ")[2] in told


@pytest.mark.parametrize(
    "line",
    ["Cheers, Bob", "Hope you are well", "Vielen Dank für die Hilfe", "Bob", "Hi all", "Salut"],
)
def test_greetings_and_signatures_are_counted(two: Table, line: str) -> None:
    told = answers(two, f"F Lon-Nth\n{line}")

    assert "Greeting and signature: 1 line." in told or "Anrede und Unterschrift: 1 Zeile." in told


def test_an_introduction_needs_the_orders_that_it_introduces(two: Table) -> None:
    assert "Ignored" not in answers(two, "Here are my new orders:\nF Lon-Nth")
    assert "Here are my new orders:" in answers(two, "Here are my new orders:")


def test_the_number_of_a_date_ends_no_sentence(two: Table) -> None:
    line = "Am 23. Dezember singt der Chor. Der Baum ist gross."

    answers(two, line)

    assert "| Am 23. Dezember singt der Chor." in forwarded(two)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("F Lon-Nth, F Edi-Nwg, A Lvp-Yor", "with 3 orders is on hold"),
        ("My orders:\nF Lon-Nth\nF Edi S\nF Lon-Nth\nA Lvp-Yor", "with 3 orders is on hold"),
        ("GAME baltic\nF Lon-Nth", "with 1 order is on hold"),
        ("PRESS TO F\nA Par-Bur\nENDPRESS\nF Lon-Nth", "with 1 order is on hold"),
        ("All hold", "is on hold"),
        ("F Lon-Nth\nF Edi H\nMove F Edi H\nREADY\nF Edi-Nwg", "with 2 orders is on hold"),
    ],
)
def test_the_orders_of_held_emails_are_counted(judge: Table, text: str, count: str) -> None:
    judge.start("baltic")
    judge.mail(address_of("ENGLAND"), text)

    told = answers(judge, "F Lon-Eng")

    assert f"Your email of Mon 23 Nov 2026 12:00 UTC {count}" in told


def test_the_orders_of_held_emails_are_counted_by_the_board_of_their_game(judge: Table) -> None:
    judge.start("sea", variant="ancient-med")
    text = "F Nea-Aus\nA Rav-Dal\nA Rom-Nea\nThe rest is for later."
    judge.mail(address_of("ROME"), text)

    told = answers(judge, "F Nea H", power="ROME", game="sea")

    assert "with 3 orders is on hold" in told


def test_a_held_email_for_two_boards_has_the_orders_of_both(judge: Table) -> None:
    judge.start("baltic")
    judge.start("yt", variant="youngstown")
    judge.mail(address_of("ENGLAND"), "GAME yt\nF Joh H\nF Lon H\nGAME baltic\nF Lon H")

    assert "with 3 orders is on hold" in answers(judge, "F Lon-Eng")


def test_a_preview_of_press_says_only_that_nothing_was_sent(two: Table) -> None:
    told = answers(two, "PREVIEW PRESS TO G\nLet us ally.\nENDPRESS")

    assert "Nothing was sent." in told
    assert "Sent:" not in told
    assert "| Let us ally." in told


@pytest.mark.parametrize(
    "text",
    [
        "PREVIEW\nPRESS TO G\nLet us ally.\nENDPRESS\nF Lon-Nth",
        "PREVIEW\nF Lon-Nth\nPRESS TO G\nLet us ally.\nENDPRESS\nENDPREVIEW",
    ],
)
def test_press_below_preview_is_shown_and_not_sent(two: Table, text: str) -> None:
    told = answers(two, text)

    assert "Your press would go to Germany. Nothing was sent." in told
    assert "| Let us ally." in told
    assert "London -> North Sea" in told
    assert two.emails_to(address_of("GERMANY"), "letter") == ()
    assert two.current_orders("ENGLAND") == ()


def test_press_alone_below_preview_previews_no_orders(two: Table) -> None:
    told = answers(two, "PREVIEW\nPRESS TO G\nLet us ally.\nENDPRESS")

    assert "Nothing was sent." in told
    assert "WHAT IF" not in told


SECRET = "I trust France more than anybody."
OPENINGS = [
    "DIARY",
    "diary",
    "DIARY RECORD",
    "diary:",
    "PRESS TO G",
    "press to klingon",
    "BROADCAST",
]
OPENINGS += ["STATEMENT", "statement", "PREVIEW", "PREVIEW PRESS TO G", "Press to G and to whom?"]
OPENINGS += ["DIARRY", "Dairy record", "Diray:", "STATMENT", "BROADCST", "PRES TO G", "Pres to G"]
ENDS = ["", "SIGNOFF", "ENDPRESS", "end press", "ENDBROADCAST", "That was all.\nF Lon-Nth"]


@pytest.mark.parametrize("opening", OPENINGS)
def test_nothing_below_the_opening_of_a_block_is_forwarded(two: Table, opening: str) -> None:
    for end in ENDS:
        told = answers(two, f"{opening}\n{SECRET}\n{end}")

        assert told, end
    assert forwarded(two) == ""


@pytest.mark.parametrize("opening", ["DIARY", "diary", "Diary record", "DIARY:"])
def test_a_diary_ends_as_other_judges_end_it(two: Table, opening: str) -> None:
    ends = ("", "SIGNOFF", "ENDPRESS", "end press", "ENDDIARY", "end diary")
    for end in ends:
        answers(two, f"{opening}\n{SECRET}\n{end}")

    assert two.count_events(NoteWritten) == len(ends)
    assert SECRET in answers(two, f"DIARY READ {len(ends)}")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("DIARRY\nItaly is honest.", "in your diary"),
        ("DIARRY: Italy is honest.\nENDDIARY", "in your diary"),
        ("Dairy record\nItaly is honest.\nSIGNOFF", "in your diary"),
        ("DAIRY READ 1", "Did you mean: DIARY"),
        ("STATMENT\nItaly is honest.\nENDSTATEMENT", "only when the game is over. | Italy is"),
        ("BROADCST\nItaly is honest.", "Did you mean: BROADCAST"),
    ],
)
def test_a_misspelled_word_that_opens_a_block_is_understood_or_gets_a_hint(
    two: Table, text: str, hint: str
) -> None:
    told = answers(two, text)

    assert hint in told
    assert forwarded(two) == ""


def test_a_diary_that_swallows_orders_is_shown_back(two: Table) -> None:
    told = answers(two, f"DIARY\n{SECRET}\nF Lon-Nth")

    assert two.count_events(NoteWritten) == 0
    assert "is missing" in told
    assert f"| {SECRET} | F Lon-Nth" in told


def test_press_that_signoff_ends_is_sent(two: Table) -> None:
    told = answers(two, "F Lon-Nth\nPRESS TO G\nLet us ally.\nSIGNOFF\nBye")

    assert "Your press went to Germany." in told
    assert "Let us ally." in two.emails_to(address_of("GERMANY"), "letter")[-1].text
    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


def test_orders_below_a_forgotten_endpress_go_to_nobody(two: Table) -> None:
    told = answers(two, "PRESS TO G\nLet us ally.\nF Lon-Nth\nSIGNOFF")

    assert "| F Lon-Nth" in told
    assert two.emails_to(address_of("GERMANY"), "letter") == ()


def test_questions_are_answered_at_their_place(two: Table) -> None:
    answers(two, f"DIARY\n{SECRET}\nENDDIARY")

    told = answers(two, "diary read 1\ndiary delete 1\ndiary list")

    assert SECRET in told
    assert "Your diary is empty." in told


def test_an_offer_can_be_taken_from_any_email_of_the_game(judge: Table) -> None:
    judge.start("baltic")
    offered = judge.send("ENGLAND", "F1902M\nF Lon-Nth")
    judge.clock.time += MINUTE
    judge.send("ENGLAND", "A Lvp-Yor")

    judge.send("ENGLAND", "USE THESE")

    assert "USE THESE" in offered.text
    assert set(judge.current_orders("ENGLAND")) == {"A LVP - YOR", "F LON - NTH"}


def test_of_two_open_offers_the_judge_asks_which(judge: Table) -> None:
    judge.start("baltic")
    for text in ("F1902M\nF Lon-Nth", "A Lvp-Yor\n\nF1902M:\nF Lon-Eng", "F Edi H"):
        judge.send("ENGLAND", text)
        judge.clock.time += MINUTE

    asked = judge.send("ENGLAND", "USE THESE")
    judge.reply(asked, "USE THESE 2")

    assert "USE THESE 1" in asked.words
    assert "F Lon-Nth" in asked.words
    assert "F LON - ENG" in judge.current_orders("ENGLAND")


def test_an_offer_of_another_game_is_left_alone(two: Table) -> None:
    answers(two, "F1902M\nF Lon-Nth", game="fogwar")
    answers(two, "A Lvp-Yor")

    answers(two, "USE THESE")

    assert two.current_orders("ENGLAND") == ("A LVP - YOR",)
    assert two.current_orders("ENGLAND", "fogwar") == ()


def test_each_section_is_read_by_the_names_of_its_own_board(judge: Table) -> None:
    judge.start("baltic")
    judge.start("yt", variant="youngstown")
    text = (
        "GAME yt\nPRESS TO China\nLet us ally.\nENDPRESS\n\n"
        "GAME baltic\nPRESS TO France\nKeep out.\nENDPRESS"
    )

    told = answers(judge, text)

    assert "Your press went to China." in told
    assert "Your press went to France." in told


def test_the_last_word_of_a_wrapped_sentence_is_no_name(two: Table) -> None:
    told = answers(two, "F Lon-Nth\nOur club plays against\nKiel.\n\nOr it plays with\nAnna")

    assert "Greeting and signature" not in told
    assert "| Kiel." in told


def test_an_offer_quotes_the_sentence_and_not_the_command(two: Table) -> None:
    sentence = "morgen schreibe ich mehr dazu"

    assert sentence in answers(two, f"F Lon-Nth\n{sentence}")


def test_an_offer_quotes_all_that_it_was_read_from(two: Table) -> None:
    text = "How do I resign?\nMy brother won his game on 3. December after nine years."

    assert "after nine years." in " ".join(answers(two, text).split())


def test_a_tap_below_receipts_for_two_games_is_for_the_game_that_it_names(two: Table) -> None:
    [answer] = two.reply(
        two.latest("ENGLAND", "baltic"), "GAME fogwar\nF Lon-Nth\n\nGAME baltic\nF Lon-Nthh"
    )

    tap = next(line for line in answer.text.splitlines() if line.startswith("baltic: WAIT"))
    assert "body=GAME%20baltic%0D%0AWAIT" in tap
    assert "YES" not in answer.text  # which would be for the other game
    assert "Did you mean: F Lon-Nth" in answer.words


def test_orders_under_the_name_of_a_game_of_others_are_for_no_other(two: Table) -> None:
    two.open("amber")

    answers(two, "GAME baltic\nAll hold\n\nGAME amber\nF Lon-Eng")

    assert "F LON H" in two.current_orders("ENGLAND")


def test_use_these_takes_orders_offered_for_yes_by_an_earlier_receipt(judge: Table) -> None:
    judge.start()
    judge.send("ENGLAND", "F Lon-Nthh")
    judge.send("ENGLAND", "When is the deadline?")

    judge.send("ENGLAND", "USE THESE")

    assert judge.current_orders("ENGLAND") == ("F LON - NTH",)
    again = judge.send("ENGLAND", "USE THESE")
    assert "offers you no orders" in again.words


def test_an_email_that_says_use_these_is_no_offer_itself(judge: Table) -> None:
    judge.start()
    for text in ("F1900M: F Lon-Eng", "F1900M: F Edi-Nwg", "STATUS", "USE THESE", "STATUS"):
        judge.send("ENGLAND", text)

    asked = judge.send("ENGLAND", "USE THESE")

    assert "F Lon-Eng" in asked.words
    assert "USE THESE 3" not in asked.words


def test_the_name_of_a_game_in_capitals_is_no_unknown_word(judge: Table) -> None:
    judge.start("yt", variant="youngstown")
    told = answers(judge, "PARTIE yt\nToutes mes unités tiennent", "CHINA", "yt")

    assert len(judge.current_orders("CHINA", "yt")) == 3
    assert "PARTIE" not in told


def test_the_question_to_a_newcomer_shows_a_preference_on_its_own_line(judge: Table) -> None:
    judge.open("yt", variant="youngstown")

    [asked] = judge.mail(NEWCOMER, "JOIN yt\nPREFER: india, japan")

    assert "India, Japan" in asked.words


@pytest.mark.parametrize(
    "text",
    [
        f"PRESSE AN Frankreich\n{SECRET}\nENDE PRESSE",
        f"PRESSE À France\n{SECRET}\nFIN DE PRESSE",
        f"TAGEBUCH\n{SECRET}\nENDE TAGEBUCH",
        f"JOURNAL\n{SECRET}\nFIN DU JOURNAL",
    ],
)
def test_blocks_in_other_languages_are_forwarded_to_nobody(two: Table, text: str) -> None:
    answers(two, f"{text}\nF Lon-Nth")

    assert SECRET not in forwarded(two)
    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


@pytest.mark.parametrize("block", ["PRESS TO Italy\nHi\nENDPRESS", "DIARY\nHi\nENDDIARY"])
def test_a_question_below_a_block_is_answered(two: Table, block: str) -> None:
    told = answers(two, f"F Lon-Nth\n\n{block}\n\nWhat are the rules?")

    assert "Rules of this game" in told


def test_a_sentence_behind_the_name_of_a_game_is_about_that_game(two: Table) -> None:
    told = answers(two, "F Lon-Nth\nIn game fogwar: what are the rules?")

    assert two.current_orders("ENGLAND") == ("F LON - NTH",)
    assert "Game: fogwar" in told.partition("Rules of this game")[0]
    assert "JOIN" not in told


def test_orders_offered_for_the_second_game_of_an_email_have_a_tap(two: Table) -> None:
    [answer] = two.reply(
        two.latest("ENGLAND", "baltic"), "GAME fogwar\nF Lon-Nthh\n\nGAME baltic\nF Edi-Nwgg"
    )

    assert tap_for(answer, "baltic") == "GAME baltic\r\nUSE THESE"
    two.reply(answer, tap_for(answer, "baltic"))
    assert two.current_orders("ENGLAND") == ("F EDI - NWG",)
    assert two.current_orders("ENGLAND", "fogwar") == ()


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ("Please remove me from game fogwar.", "GAME fogwar: RESIGN"),
        ("When is the deadline in fogwar?", "GAME fogwar: STATUS"),
    ],
)
def test_a_wish_that_names_another_game_is_offered_for_that_one(
    two: Table, wish: str, line: str
) -> None:
    [answer] = [
        mail
        for mail in two.reply(two.latest("ENGLAND", "baltic"), wish)
        if mail.recipient == address_of("ENGLAND")
    ]

    assert line in answer.words
    told = two.reply(answer, line)
    assert ":fogwar - " in told[0].subject
    assert not any("change of address" in mail.words for mail in told)


def test_press_to_a_power_with_a_french_article_is_not_forwarded(two: Table) -> None:
    told = answers(two, "F Lon-Nth\n\nA la France : faisons la paix.")

    assert "PRESS TO FRANCE" in told
    assert "faisons" not in forwarded(two)


@pytest.mark.parametrize(
    "text",
    [
        "F Lon-Nth\n(GAME fogwar)\nF Edi-Nwg",
        "F Lon-Nth\n[game fogwar]\nF Edi-Nwg",
        "orders for baltic: F Lon-Nth; for fogwar: F Edi-Nwg",
        "baltic: F Lon-Nth. In game fogwar: F Edi-Nwg",
    ],
)
def test_the_name_of_a_game_counts_in_brackets_and_within_a_line(two: Table, text: str) -> None:
    answers(two, text)

    assert two.current_orders("ENGLAND") == ("F LON - NTH",)
    assert two.current_orders("ENGLAND", "fogwar") == ("F EDI - NWG",)


def test_a_sentence_above_the_name_of_another_game_is_shown(two: Table) -> None:
    told = answers(two, "The weather is fine over here.\n\nGAME fogwar\nF Lon-Nth")

    assert "| The weather is fine over here." in told
    assert two.current_orders("ENGLAND", "fogwar") == ("F LON - NTH",)


def tap_for(mail: Mail, game: str) -> str:
    """Return the body of the tap in *mail* that gives its lines to *game*."""
    tap = next(line for line in mail.text.splitlines() if line.startswith(f"{game}: "))
    return unquote(tap.partition("body=")[2].removesuffix(">"))


@pytest.mark.parametrize("heading", ["GAME nosuch", "Spiel nosuch:", "== Partie nosuch =="])
def test_what_stands_under_the_name_of_no_game_is_for_none(two: Table, heading: str) -> None:
    text = f"F Lon-Nth\n\n{heading}\nF Edi-Nwg\nWhen is the deadline?\nVOTE DRAW"
    [answer] = two.reply(two.latest("ENGLAND", "baltic"), text)

    assert two.current_orders("ENGLAND") == ("F LON - NTH",)
    assert "no game called nosuch" in answer.words
    for line in ("| F Edi-Nwg", "| When is the deadline?", "| VOTE DRAW"):
        assert line in answer.text

    two.reply(answer, tap_for(answer, "baltic"))

    assert two.current_orders("ENGLAND") == ("F LON - NTH", "F EDI - NWG")


def test_the_name_of_no_game_is_told_the_game_that_has_such_a_name(two: Table) -> None:
    [answer] = two.reply(two.latest("ENGLAND", "baltic"), "GAME forwag\nF Lon-Nth")

    two.reply(answer, tap_for(answer, "fogwar"))

    assert two.current_orders("ENGLAND") == ()
    assert two.current_orders("ENGLAND", "fogwar") == ("F LON - NTH",)


def test_nobody_learns_of_an_unlisted_game_by_naming_it(two: Table) -> None:
    two.open("hidden", "listed=no")

    told = [answers(two, f"GAME {name}\nF Edi-Nwg") for name in ("hiding", "hidden")]

    assert len({each.partition("To answer")[0].replace("hiding", "hidden") for each in told}) == 1


@pytest.mark.parametrize("words", ["Game on!", "Game plan:", "Spiel läuft:", "Partie lancée"])
def test_words_behind_game_that_name_none_head_nothing(two: Table, words: str) -> None:
    answers(two, f"{words}\nF Lon-Nth")

    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


def test_orders_for_a_game_of_others_are_shown_with_a_tap_for_their_own(judge: Table) -> None:
    judge.start("yt", variant="youngstown")
    judge.open("amber", variant="youngstown")

    [answer] = judge.reply(judge.latest("CHINA", "yt"), "GAME amber\nA Pek-Man")

    assert "| A Pek-Man" in answer.text
    judge.reply(answer, tap_for(answer, "yt"))
    assert judge.current_orders("CHINA", "yt") == ("A PEK - MAN",)


def test_what_stands_below_a_sign_on_that_fails_is_shown(two: Table) -> None:
    told = answers(two, "F Lon-Nth\nSIGNON Enosuch secret\nF Edi-Nwg")

    assert "| F Edi-Nwg" in told
    assert two.current_orders("ENGLAND") == ("F LON - NTH",)


def test_a_line_not_understood_is_quoted_whole(two: Table) -> None:
    line = "A Lvp - Yorkshire Wales Clyde Edinburgh London Belgium Picardy Brest Gascony"

    assert line in answers(two, line)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("for fogwar:", "and in baltic:"),
        ("Für fogwar:", "und bei baltic:"),
        ("pour fogwar :", "et dans baltic :"),
        ("orders for fogwar", "orders for baltic"),
        ("In fogwar", "in baltic:"),
    ],
)
@pytest.mark.parametrize("between", ["\n", " "])
def test_headings_in_words_part_two_games(
    two: Table, first: str, second: str, between: str
) -> None:
    answers(two, f"{first}{between}F Lon-Eng\n\n{second}{between}F Lon-Nth")

    assert two.current_orders("ENGLAND", "fogwar") == ("F LON - ENG",)
    assert two.current_orders("ENGLAND", "baltic") == ("F LON - NTH",)
