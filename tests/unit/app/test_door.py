"""The door: what strangers get who write in any words, and how they stop it."""

from __future__ import annotations

import pytest
from sqlalchemy import text as sql

from tests.support.table import Table, address_of

STRANGER = "bea@newcomers.example"


@pytest.fixture
def hall(judge: Table) -> Table:
    """Return a judge with a game that is open and one that is unlisted."""
    judge.open("lepanto")
    judge.open("secret", "listed=no")
    return judge


@pytest.mark.parametrize(
    ("text", "welcome", "games"),
    [
        ("Hi, a friend told me about this. How does it work?", "Welcome!", "Open games:"),
        ("I'd like to play a game of Diplomacy please.", "Welcome!", "7 places free"),
        ("Welche Spiele sind noch offen?", "Willkommen!", "Offene Partien:"),
        ("Bonjour, comment est-ce que cela fonctionne ?", "Bienvenue !", "Parties ouvertes :"),
        ("Paris nach Burgund, Marseille nach Spanien", "Willkommen!", "Offene Partien:"),
        ("xyzzy", "Welcome!", "Open games:"),
    ],
)
def test_a_stranger_gets_the_door_in_their_language(
    hall: Table, text: str, welcome: str, games: str
) -> None:
    [answer] = hall.mail(STRANGER, text)

    assert answer.kind == "door"
    assert welcome in answer.text
    assert games in answer.text
    assert "lepanto: Standard" in answer.text
    assert "secret" not in answer.text
    for tap in ("JOIN%20lepanto", "OBSERVE%20lepanto", "STOP"):
        assert f"body={tap}" in answer.text
    assert "ignored" not in answer.text


@pytest.mark.parametrize("text", ["i don't want to play but can i watch", "Darf ich zuschauen?"])
def test_a_yes_to_the_door_watches_if_that_was_wanted(hall: Table, text: str) -> None:
    [shown] = hall.mail(STRANGER, text)
    hall.reply(shown, "yes", sender=STRANGER)

    assert len(hall.game("lepanto").observers) == 1


@pytest.mark.parametrize(
    ("answer", "game", "wanted"),
    [
        ("the second one", "lepanto", "You have joined"),
        ("The second one please. I want to play, not to watch.", "lepanto", "You have joined"),
        ("lepanto, please", "lepanto", "You have joined"),
        ("die erste bitte", "globe", "Du spielst mit"),
        ("globe, avec le Québec", "globe", "Québec"),
    ],
)
def test_a_game_of_the_door_is_chosen_in_words(
    hall: Table, answer: str, game: str, wanted: str
) -> None:
    hall.open("globe", variant="world")
    [shown] = hall.mail(STRANGER, "Which games are open?")

    [joined] = hall.reply(shown, answer, sender=STRANGER)

    assert len(hall.game(game).joined) == 1
    assert wanted in joined.words


def test_a_yes_may_name_the_power_that_was_asked_for_and_no_other(hall: Table) -> None:
    hall.open("globe", variant="world")
    [confirm] = hall.mail(STRANGER, "I would like to play Kenya in globe")

    hall.reply(confirm, "yes, as Egypt", sender=STRANGER)
    assert not hall.game("globe").joined

    hall.reply(confirm, "yes, with Kenya please", sender=STRANGER)
    assert len(hall.game("globe").joined) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("please open a game called autumn, one move every 2 days", "autumn movement_hours=48"),
        ("I'd like to run a game on the world map. How?", "my-game variant=world"),
        ("Bitte eine private Partie namens herbst anlegen", "herbst listed=no"),
        ("Je voudrais créer une partie appelée alesia, sans presse", "alesia press=none"),
    ],
)
def test_a_game_described_in_words_is_created_by_a_yes(hall: Table, text: str, line: str) -> None:
    [shown] = hall.mail(STRANGER, text)
    assert f"CREATE {line}" in shown.words
    assert shown.kind == "door"  # and HELP CREATE is below

    hall.reply(shown, "yes", sender=STRANGER)

    assert hall.game(line.split(maxsplit=1)[0]).moderator


@pytest.mark.parametrize(
    ("text", "power", "others"),
    [
        ("I'd play any power in {} but no Turkey please", "Turkey", "Austria = England = France"),
        ("In {} ist mir alles recht außer Österreich", "Österreich", "England = Frankreich"),
    ],
)
def test_somebody_who_does_not_want_a_power_prefers_all_others(
    hall: Table, text: str, power: str, others: str
) -> None:
    [confirm] = hall.mail(STRANGER, text.format("lepanto"))
    if confirm.kind == "door":
        [confirm] = hall.reply(confirm, "yes", sender=STRANGER)

    assert others in confirm.words
    assert f" {power} " not in confirm.words


@pytest.mark.parametrize(
    ("text", "liked"),
    [
        (
            "Sign me up for lepanto. I'd like Italy or Russia, anything but Austria.",
            "Italy, Russia",
        ),
        ("I want to join lepanto. Italy first, Russia second, Austria last.", "Italy, Russia"),
        ("Bitte für lepanto anmelden. Italien am liebsten. Keinesfalls Österreich.", "Italien"),
        (
            "Je voudrais jouer dans lepanto, l'Italie de préférence mais surtout pas l'Autriche.",
            "Italie",
        ),
    ],
)
def test_a_power_that_somebody_does_not_want_comes_last(
    hall: Table, text: str, liked: str
) -> None:
    [asked] = hall.mail(STRANGER, text)
    offered = asked.kind == "door"
    answers = hall.reply(asked, "ok", sender=STRANGER) if offered else hall.confirm(asked)

    [preferences] = hall.game("lepanto").joined.values()
    others = {"ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"}
    assert {power for group in preferences for power in group} == others
    assert f"{liked}, " in answers[0].words
    assert "SET PREFERENCE" not in answers[0].words


def test_a_yes_that_names_the_game_keeps_the_powers_that_were_offered(hall: Table) -> None:
    hall.open("actium")
    [shown] = hall.mail(STRANGER, "my wife told me to ask for lepanto as Turkey or Russia")
    assert "JOIN lepanto AS TURKEY PREFER RUSSIA" in shown.words

    hall.reply(shown, "yes lepanto", sender=STRANGER)

    assert list(hall.game("lepanto").joined.values()) == [(("TURKEY",), ("RUSSIA",))]


def test_somebody_who_said_no_may_ask_again(hall: Table) -> None:
    [confirm] = hall.mail(STRANGER, "JOIN lepanto")
    hall.reply(confirm, "NO", sender=STRANGER)

    [again] = hall.mail(STRANGER, "JOIN lepanto")

    assert again.kind == "confirm_join"


def test_a_yes_is_no_name(hall: Table) -> None:
    joined = hall.confirm(hall.mail(STRANGER, "JOIN lepanto")[0])[0]

    hall.reply(joined, "yes", sender=STRANGER)

    assert "SET HANDLE yes" not in hall.outbox()[-1].text


def test_a_tap_joins(hall: Table) -> None:
    hall.mail(STRANGER, "can I play too?")
    [confirm] = hall.mail(STRANGER, "JOIN lepanto", subject="JOIN LEPANTO")

    hall.reply(confirm, confirm.yes)

    assert len(hall.game("lepanto").joined) == 1


@pytest.mark.parametrize("answer", ["Yes, please!", "D'accord, inscrivez-moi."])
def test_a_yes_to_the_door_joins_the_only_game_that_it_shows(hall: Table, answer: str) -> None:
    [shown] = hall.mail(STRANGER, "can I play too?")

    [joined] = hall.reply(shown, answer, sender=STRANGER)

    assert joined.kind == "joined"
    assert len(hall.game("lepanto").joined) == 1


@pytest.mark.parametrize(
    ("answer", "headers"),
    [
        pytest.param("yes", {"Auto_Submitted": "auto-replied"}, id="marked as automatic"),
        pytest.param("Yes! I am out of the office until 3 January.", {}, id="a vacation note"),
        pytest.param("Could I join lepanto, or is it too late?", {}, id="a question"),
    ],
)
def test_what_may_be_no_persons_yes_enters_no_game(
    hall: Table, answer: str, headers: dict[str, str]
) -> None:
    [shown] = hall.mail(STRANGER, "can I play too?")

    hall.reply(shown, answer, sender=STRANGER, **headers)

    assert not hall.game("lepanto").joined


def test_a_yes_to_the_door_of_somebody_else_is_asked_about(hall: Table) -> None:
    [shown] = hall.mail(STRANGER, "can I play too?")

    [asked] = hall.reply(shown, "JOIN lepanto", sender="zoe@newcomers.example")

    assert asked.kind == "confirm_join"
    assert not hall.game("lepanto").joined


def test_a_yes_to_the_door_joins_a_game_on_any_board(judge: Table) -> None:
    judge.open("globe", variant="world")
    [shown] = judge.mail(STRANGER, "can I play too?")

    judge.reply(shown, "Ja", sender=STRANGER)

    assert len(judge.game("globe").joined) == 1


def test_a_yes_to_nothing_and_one_to_a_door_with_two_games_join_none(hall: Table) -> None:
    assert hall.mail(STRANGER, "yes")[-1].kind == "door"
    hall.open("pavia")
    [shown] = hall.mail("zoe@newcomers.example", "can I play too?")

    assert hall.reply(shown, "yes", sender="zoe@newcomers.example")[-1].kind == "door"


@pytest.mark.parametrize(
    ("text", "done"),
    [
        ("hey, i don't want to play but can i watch the lepanto game?", "the public emails"),
        ("My wife told me to ask for lepanto as Turkey", "best first: Turkey"),
    ],
)
def test_a_yes_to_the_door_means_what_it_puts_first(hall: Table, text: str, done: str) -> None:
    [shown] = hall.mail(STRANGER, text)
    assert shown.kind == "door"

    [answer] = hall.reply(shown, "yes", sender=STRANGER)

    assert done in answer.words


def test_a_yes_to_the_door_means_the_same_once_the_text_of_that_is_removed(hall: Table) -> None:
    [shown] = hall.mail(STRANGER, "hey, i don't want to play but can i watch the lepanto game?")
    with hall.database.write() as transaction:
        transaction.connection.execute(sql("UPDATE outbox SET raw = x''"))

    hall.reply(shown, "yes", sender=STRANGER)

    assert len(hall.game("lepanto").observers) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Dann bin ich dabei. Ist mir egal welches Land, nur nicht Österreich.",
        "I'd like to play in lepanto, anything but Austria",
        "Je voudrais jouer dans lepanto, mais pas l'Autriche",
    ],
)
def test_a_power_that_a_newcomer_does_not_want_is_not_theirs(hall: Table, text: str) -> None:
    [shown] = hall.mail(STRANGER, "can I play too?")

    answers = hall.reply(shown, text, sender=STRANGER)

    assert answers
    for power in ("AUSTRIA", "Austria", "Österreich", "Autriche"):
        assert power not in answers[-1].text


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("Ich hätte gern Kenia in globe", "Kenia"),
        ("Hallo, bitte den Nahen Osten in der Partie globe für mich.", "Nahost"),
        ("Guten Abend, kann ich in globe Pazifik-Russland übernehmen?", "das Pazifische Russland"),
        ("Ich möchte die Vereinigten Staaten in globe.", "die Vereinigten Staaten"),
        ("Je voudrais les États-Unis dans globe", "les États-Unis"),
        ("je prends le Proche-Orient dans globe", "le Proche-Orient"),
        ("hey count me in for globe, South Africa", "South Africa"),
    ],
)
def test_a_power_of_a_large_board_has_its_name_in_each_language(
    judge: Table, text: str, power: str
) -> None:
    judge.open("globe", variant="world")

    [confirm] = judge.mail(STRANGER, text)

    assert f" {power}" in confirm.words.split("YES")[0]
    assert confirm.kind == "confirm_join"


@pytest.mark.parametrize(
    "text",
    [
        *("D'accord, inscrivez-moi svp", "Yes, sign me up!", "Ja, meld mich an. Danke!"),
        *("ja genau das", "Ja, passt", "Yes. Send it", "JOIN lepanto, \xd6sterreich oder Italien"),
    ],
)
def test_a_newcomer_agrees_in_their_own_words(hall: Table, text: str) -> None:
    [confirm] = hall.mail(STRANGER, "JOIN lepanto")

    hall.reply(confirm, text)

    assert len(hall.game("lepanto").joined) == 1


def test_somebody_who_was_asked_for_the_wrong_power_may_ask_for_another(hall: Table) -> None:
    [question] = hall.mail(STRANGER, "JOIN lepanto AS RUSSIA")
    hall.reply(question, "No, I meant Turkey.")

    [question] = hall.mail(STRANGER, "JOIN lepanto AS TURKEY")
    hall.confirm(question)

    assert list(hall.game("lepanto").joined.values()) == [(("TURKEY",),)]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ja, aber wer spielt sonst noch mit?", "Die Frage war"),
        ("Nein, ich habe es mir anders überlegt", "Der Judge hat"),
    ],
)
def test_a_newcomer_is_answered_in_their_language(hall: Table, text: str, answer: str) -> None:
    [confirm] = hall.mail(STRANGER, "Hallo, ich möchte bei lepanto mitspielen.")

    [told] = hall.reply(confirm, text)

    assert answer in told.words


def test_a_newcomer_who_says_neither_yes_nor_no_is_asked_the_same_again(hall: Table) -> None:
    [confirm] = hall.mail(STRANGER, "JOIN lepanto")

    [again] = hall.reply(confirm, "Well, who else plays?")

    assert "do you want what you asked for" in again.words
    assert "JOIN lepanto" in again.text


def test_what_was_asked_stands_on_top(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "C'est gratuit ? Que faites-vous de mon adresse ?")

    assert answer.text.index("libre") < answer.text.index("Bienvenue !")


def test_a_subject_may_say_it_all(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "", subject="Wie funktioniert das hier?")

    assert "Willkommen!" in answer.text


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("STOP", ""),
        ("Please stop sending me emails.", ""),
        ("", "unsubscribe"),
        ("Bitte schickt mir keine Mails mehr", ""),
    ],
)
def test_stop_ends_the_emails_to_a_stranger_and_nothing_else(
    hall: Table, text: str, subject: str
) -> None:
    [last] = hall.mail(STRANGER, text, subject=subject)
    hall.pass_time(hours=25)

    assert last.kind == "stopped"
    assert hall.mail(STRANGER, "What is this?") == ()
    [confirm] = hall.mail(STRANGER, "JOIN lepanto")
    assert confirm.kind == "confirm_join"


def test_a_player_who_wants_no_more_emails_chooses_what_that_means(table: Table) -> None:
    receipt = table.send("FRANCE", "Please stop sending me emails.")

    for line in ("SET MAILS CRITICAL", "SET MAILS DAILY", "RESIGN baltic"):
        assert line in receipt.text
    assert table.game().power_of(person(table)) == "FRANCE"


def person(table: Table) -> str:
    with table.database.read() as transaction:
        found = transaction.people.by_address(address_of("FRANCE"))
    assert found
    return found.id


def test_orders_of_a_stranger_are_shown_back_with_how_to_sign_them_on(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "A Par-Bur\nA Mar S A Par-Bur")

    assert "| A Par-Bur" in answer.text
    assert "SIGNON Fname password" in answer.text


def test_orders_of_a_stranger_for_another_board_are_shown_back(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "A Pek-Man\nF Ecs S A Han\nF Can(sc) H")

    for line in ("| A Pek-Man", "| F Ecs S A Han", "| F Can(sc) H"):
        assert line in answer.text
    assert "HELP HUMAN" not in answer.text


@pytest.mark.parametrize("text", ["JOIN", "join", "EXTENSION"])
def test_half_a_command_of_a_stranger_is_not_called_unknown(hall: Table, text: str) -> None:
    [answer] = hall.mail(STRANGER, text)

    assert answer.kind == "door"
    assert "is not a command" not in answer.text


def test_a_sign_on_that_fails_is_said_beside_an_answer(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "SIGNON Flepanto wrong\nLIST")

    assert "lepanto" in answer.text
    assert "SIGNON" in answer.text


def test_a_language_that_a_stranger_chooses_stays(hall: Table) -> None:
    hall.mail(STRANGER, "en francais svp")

    [confirm] = hall.mail(STRANGER, "JOIN lepanto")
    [joined] = hall.reply(confirm, confirm.yes)

    assert "Voulez-vous" in confirm.text
    assert "Vous êtes inscrit" in joined.text


@pytest.mark.parametrize(
    "text",
    [
        "Invoice 2026-1183 attached, payment is due within 14 days. Regards, Accounts Department",
        "Are you interested in casino bonuses? Join now and get 200 free spins!",
        "Herzlichen Glückwunsch! Sie haben ein neues Smartphone gewonnen. Klicken Sie hier.",
        "Votre compte bancaire a été suspendu. Cliquez sur ce lien.",
        "We have received your request and opened ticket #48213.",
        "Our May newsletter is here! You receive this because you subscribed. Unsubscribe here.",
        "Save 14 % on running shoes until Sunday. Shop now at Contoso. Terms apply.",
        "I am out of the office until 19 May and will reply when I am back.",
        "Thank you for contacting Contoso. Your request 32656 will be answered within a day.",
        "Nur bis Sonntag: 23 % Rabatt auf Druckerpatronen. Jetzt bestellen.",
        "Ihr Paket 49802 kommt morgen zwischen 9 und 12 Uhr an.",
        "Dieses Postfach wird nicht gelesen. Bitte antworten Sie nicht auf diese Nachricht.",
        "Votre colis 32232 sera livr\xe9 demain entre 9 h et 12 h.",
        "Je suis absent du bureau jusqu'au 24 mars. En cas d'urgence, contactez Contoso.",
        "Notre lettre d'information de mai. Vous recevez ce message car vous \xeates inscrit.",
    ],
)
def test_spam_gets_nothing(hall: Table, text: str) -> None:
    assert hall.mail(STRANGER, text) == ()


def test_an_unlisted_game_is_answered_like_one_that_does_not_exist(hall: Table) -> None:
    texts = ("Is there a seat in cave?", "I want to watch cave please", "Who plays in cave?")
    before = [hall.mail(f"a{number}@new.example", text) for number, text in enumerate(texts)]
    hall.open("cave", "listed=no")
    after = [hall.mail(f"b{number}@new.example", text) for number, text in enumerate(texts)]

    assert [each.text for [each] in after] == [each.text for [each] in before]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Perhaps I could look on for a while in pearl?", "OBSERVE pearl"),
        ("I would love to try lepanto as Austria if it isn't gone yet", "JOIN lepanto AS AUSTRIA"),
        ("Ich würde gern einspringen, falls mal jemand fehlt", "STANDBY"),
    ],
)
def test_what_a_stranger_may_mean_is_offered_on_top(hall: Table, text: str, line: str) -> None:
    hall.start("pearl")

    [answer] = hall.mail(STRANGER, text)

    assert answer.text.index(f"\n  {line} (") < answer.text.index("lepanto: Standard")
    assert f"body={line.replace(' ', '%20')}" in answer.text


def test_a_game_in_play_that_a_stranger_names_can_be_watched(hall: Table) -> None:
    hall.start("pearl")

    [answer] = hall.mail(STRANGER, "My cousin told me about pearl?")

    assert "pearl: Standard, in English, a move every 3 days, no place free" in answer.words
    assert "body=OBSERVE%20pearl" in answer.text
    assert "body=JOIN%20pearl" not in answer.text


def test_a_stranger_learns_who_plays_in_the_game_that_they_name(hall: Table) -> None:
    hall.start("pearl")

    [answer] = hall.mail(STRANGER, "Who plays in pearl?")

    assert "Players of 'pearl'" in answer.text


@pytest.mark.parametrize("first", ["SET LANGUAGE fr", "Bonjour, comment fait-on pour jouer ?"])
def test_a_stranger_is_answered_in_the_language_that_they_used_before(
    hall: Table, first: str
) -> None:
    hall.mail(STRANGER, first)

    [confirm] = hall.mail(STRANGER, "JOIN lepanto")

    assert "Voulez-vous" in confirm.text


@pytest.mark.parametrize("order", ["SET LANGUAGE de\n{}", "{}\nSET LANGUAGE de"])
def test_a_language_set_with_a_join_holds_from_the_confirmation_on(
    hall: Table, order: str
) -> None:
    [confirm] = hall.mail(STRANGER, order.format("JOIN lepanto AS Turkey"))
    [joined] = hall.reply(confirm, confirm.yes)

    assert "Willst du in der Diplomacy-Partie 'lepanto' die T\xfcrkei spielen?" in confirm.words
    assert "Du spielst mit." in joined.words
    assert "nicht verstanden" not in joined.words
    assert "not understood" not in joined.subject


def test_the_language_and_the_speed_of_a_game_are_told(hall: Table) -> None:
    hall.open("donau", "language=de", "movement_hours=24")

    [door] = hall.mail(STRANGER, "xyzzy")
    [answer] = hall.mail("yves@newcomers.example", "Quelles parties sont ouvertes ?")

    assert "lepanto: Standard, in English, a move every 3 days, 7 places free" in door.words
    assert "donau: Standard, in German, a move every 24 hours" in door.words
    assert "donau: Standard, en allemand, 24 heures par tour" in answer.words


def test_a_game_has_the_language_of_the_person_who_creates_it(hall: Table) -> None:
    [confirm] = hall.mail("karl@newcomers.example", "SET LANGUAGE de\nCREATE elbe")
    hall.confirm(confirm)

    assert hall.game("elbe").house_rules.language == "de"


def test_a_language_of_no_code_is_refused(judge: Table) -> None:
    judge.start("baltic", moderator="gm@players.example")
    [welcome] = judge.emails_to("gm@players.example", "game_start")

    *_, receipt = judge.reply(welcome, "SET RULE language=German")

    assert "language" in receipt.words
    assert judge.game().house_rules.language == "en"


def test_a_confirmed_join_says_the_name_that_others_see(hall: Table) -> None:
    names = {}
    for number, name in enumerate(("Anna Berg", "Anna Thal", "")):
        [confirm] = hall.mail(f"{name} <{number}@newcomers.example>", "JOIN lepanto")
        [joined] = hall.confirm(confirm)
        names[name] = joined.words.partition("see you as ")[2].partition(". SET HANDLE")[0]
        assert joined.words.count("You have joined the game.") == 1

    assert names["Anna Berg"] == "Anna"
    assert names["Anna Thal"] == "Anna-Thal"
    assert names[""].startswith("player-")


def test_the_question_names_the_power_of_another_board(hall: Table) -> None:
    hall.open("orient", variant="youngstown")

    [confirm] = hall.mail(STRANGER, "Bonjour ! Je peux jouer la Chine dans orient ?")

    assert "Voulez-vous jouer la Chine" in confirm.words


@pytest.mark.parametrize(
    "text",
    [
        "Hallo, ich w\xfcrde gern mitspielen. Geht das noch?",
        "Hi! I'd like to play, or am I too late?",
        "Je voudrais jouer, c'est encore possible ?",
    ],
)
def test_no_help_page_stands_above_the_games_for_somebody_who_wants_to_play(
    hall: Table, text: str
) -> None:
    [answer] = hall.mail(STRANGER, text)

    assert "lepanto: Standard" in answer.text
    assert "HELP%20" not in answer.text


def test_praise_beside_a_request_to_join_does_not_hide_it(hall: Table) -> None:
    text = "Sounds good! Count me in for lepanto please. Any country is fine, but I like Turkey."

    [question] = hall.mail(STRANGER, text)

    assert question.kind == "confirm_join"


def test_a_second_choice_is_shown_and_kept(hall: Table) -> None:
    text = "I'd like a seat in lepanto. Could I be Turkey? If that's gone then Russia."

    [question] = hall.mail(STRANGER, text)
    hall.confirm(question)

    assert "Your preferences, best first: Turkey, Russia." in question.words
    assert list(hall.game("lepanto").joined.values()) == [(("TURKEY",), ("RUSSIA",))]


def test_an_answer_that_offers_a_line_does_not_say_that_nothing_was_understood(
    hall: Table,
) -> None:
    hall.mail(STRANGER, "Bananas are yellow.")

    [door] = hall.mail(STRANGER, "My wife told me to ask for lepanto as Turkey")

    assert "JOIN lepanto" in door.words
    assert "did not understand" not in door.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Could you send me the map of lepanto?", "Starting position for"),
        ("Gibt es auch andere Karten als Europa?", "ancient-med"),
        ("please delete my data", "operator"),
        ("On m'a dit que vous cherchiez des rempla\xe7ants ?", "STANDBY"),
        ("I was Germany in lepanto and have a new mail address, what now", "SIGNON"),
    ],
)
def test_a_stranger_is_answered_in_one_email(hall: Table, text: str, answer: str) -> None:
    assert answer in " ".join(mail.words for mail in hall.mail(STRANGER, text))


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("Yes please, Turkey", ("JOIN actium AS TURKEY", "JOIN lepanto AS TURKEY")),
        ("Yes please", ("JOIN actium (", "JOIN lepanto (")),
    ],
)
def test_a_yes_to_the_door_of_several_games_offers_each(
    hall: Table, text: str, offered: tuple[str, ...]
) -> None:
    hall.open("actium")
    [shown] = hall.mail(STRANGER, "can I play too?")

    [answer] = hall.reply(shown, text, sender=STRANGER)

    assert all(each in answer.words for each in offered)
    assert "secret" not in answer.text


def test_a_yes_that_names_a_power_asks_for_it_in_the_only_game(hall: Table) -> None:
    [shown] = hall.mail(STRANGER, "can I play too?")

    [joined] = hall.reply(shown, "Yes please, Turkey", sender=STRANGER)

    assert "best first: Turkey" in joined.words


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Bitte aus der Liste austragen und meine Daten löschen.", "bitte den Betreiber"),
        ("Merci de me retirer de la liste et d'effacer mes données.", "à l'exploitant"),
        ("Take me off your list and delete my data.", "ask the operator"),
    ],
)
def test_a_stranger_who_wants_data_deleted_learns_who_does_that(
    hall: Table, text: str, says: str
) -> None:
    [answer] = hall.mail(STRANGER, text)

    assert answer.kind == "stopped"
    assert says in answer.words


def test_one_word_shows_the_language_of_the_answer(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "désinscription")

    assert answer.kind == "stopped"
    assert "courriel" in answer.words


def test_emails_stop_only_by_words_of_stopping(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "Please take my vote back.")

    assert answer.kind == "door"


def test_a_preference_beside_a_denial_is_kept(hall: Table) -> None:
    text = "Bitte für lepanto anmelden. Am liebsten hätte ich Österreich, das mag ja keiner."

    [answer] = hall.mail(STRANGER, text)

    assert "JOIN lepanto AS AUSTRIA" in answer.words


def test_nobody_is_offered_the_power_that_they_have_left(hall: Table) -> None:
    hall.start("baltic")
    *_, question = hall.reply(hall.latest("FRANCE"), "RESIGN")
    hall.confirm(question)

    [to_them] = hall.mail(address_of("FRANCE"), "What games are open?")
    [to_others] = hall.mail(STRANGER, "What games are open?")

    assert "JOIN baltic FRANCE" in to_others.text
    assert "JOIN baltic" not in to_them.text


@pytest.mark.parametrize(
    "text",
    [
        "i am also a@b",
        "ADD ADDRESS bea@home.example",
        "READY",
        "PRESS TO F\nShall we be friends?\nENDPRESS",
        "LIST\n\nVOTE YES",
        "HELP\n\nA Par-Bur\nCLEAR",
        "DIARY\nTrust nobody.\nENDDIARY",
    ],
)
def test_lines_of_players_from_a_stranger_are_shown_back(hall: Table, text: str) -> None:
    [answer] = hall.mail(STRANGER, text)

    for line in text.splitlines():
        assert line in ("", "LIST", "HELP", "ENDPRESS", "ENDDIARY") or f"| {line}" in answer.text
    assert "SIGNON Fname password" in answer.text


def test_a_password_from_a_stranger_is_not_shown(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "SET PASSWORD ratatouille")

    assert "| SET PASSWORD ***" in answer.text


def test_courtesy_beside_a_question_of_a_stranger_adds_no_door(hall: Table) -> None:
    [answer] = hall.mail(STRANGER, "HELP\n\nThanks,\nBea")

    assert "Welcome!" not in answer.text


def test_the_subject_of_our_receipt_asks_for_nothing(hall: Table) -> None:
    [refused] = hall.mail(STRANGER, "CREATE autumn variant=moon")

    [answer] = hall.reply(refused, "YES")

    assert "Help on" not in answer.subject


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "CREATE autumn variant=youngstown press=none\nmovement_hours = 48",
            "Board: Youngstown. House rules: press=none, movement_hours=48.",
        ),
        ("create ?autumn secret7 ancient-med gunboat", "House rules: anonymous=yes."),
        ("create ?autumn secret7 standard hugo gunboat", "left out: hugo."),
        ("CREATE autumn oarsman", "left out: oarsman."),  # DPjudge's password
    ],
)
def test_the_question_about_a_new_game_shows_what_it_is(
    hall: Table, text: str, shown: str
) -> None:
    [question] = hall.mail(STRANGER, text)

    assert shown in question.words
    assert "secret7" not in question.words.replace(text, "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("CREATE lepanto youngstown press=none", "CREATE lepanto2 variant=youngstown press=none"),
        ("CREATE lepanto hundred", "CREATE lepanto2 variant=hundred"),
        ("CREATE secret press=none", "CREATE secret2 press=none"),
        ("I want to start a game called lepanto please", "CREATE lepanto2"),
        ("Ich möchte eine Partie namens lepanto eröffnen, ein Zug pro Tag", "movement_hours=24"),
    ],
)
def test_another_name_is_offered_if_that_of_a_new_game_is_taken(
    hall: Table, text: str, line: str
) -> None:
    *_, answer = hall.mail(STRANGER, text)
    if answer.kind == "confirm_join":  # about an unlisted game
        *_, answer = hall.confirm(answer)

    assert line in answer.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Please ignore my last mail", "there is nothing to take back"),
        ("Das war für jemand anderen bestimmt.", "gibt es nichts zurückzunehmen"),
        ("Merci d'ignorer mon dernier mail.", "il n'y a rien à annuler"),
    ],
)
def test_a_stranger_who_takes_back_an_email_is_told_what_came_of_it(
    hall: Table, text: str, answer: str
) -> None:
    [told] = hall.mail(STRANGER, text)

    assert answer in told.words
    assert "HISTORY" not in told.words


@pytest.mark.parametrize("game", ["lepanto", "mistral"])
def test_an_old_hand_who_signs_on_to_an_open_game_joins_it(hall: Table, game: str) -> None:
    hall.open("mistral")  # which begins like MASTER

    [confirm] = hall.mail(STRANGER, f"SIGNON {game}\nPREFERENCE EGF\n\nHi Simon! Peg")

    assert confirm.kind == "confirm_join"
    assert f"'{game}'" in confirm.words
    assert "England, Germany, France" in confirm.words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please call it kessel.", "CREATE kessel variant=pure"),
        ("The name is wrong, the name should be kessel.", "CREATE kessel variant=pure"),
        (
            "Nein, die Partie soll kessel hei\xdfen, sonst passt alles.",
            "CREATE kessel variant=pure",
        ),
        (
            "Call it kessel, with no press please",
            "CREATE kessel variant=pure press=none",
        ),
    ],
)
def test_an_offered_game_takes_the_name_that_its_moderator_tells(
    hall: Table, text: str, line: str
) -> None:
    [door, *_] = hall.mail(STRANGER, "I want to open a game on the map pure")
    assert "CREATE my-game variant=pure" in door.words

    [again, *_] = hall.reply(door, text)

    assert line in again.words


def test_yes_creates_the_offered_game_under_another_name(hall: Table) -> None:
    [door, *_] = hall.mail(STRANGER, "I want to open a game on the map pure")

    answers = hall.reply(door, "Yes please, but the name should be kessel.")

    assert hall.game("kessel").moderator
    assert any("JOIN kessel" in mail.words for mail in answers)


def test_a_power_of_the_game_to_join_is_read_beside_a_full_game(hall: Table) -> None:
    hall.start("dogger")
    hall.open("agincourt", variant="hundred")

    text = "I'd love to play Burgundy in agincourt. Happy to be on standby for dogger as well."
    [asked] = hall.mail(STRANGER, text)
    answers = " ".join(mail.text for mail in hall.confirm(asked))

    assert "play Burgundy in the Diplomacy game 'agincourt'" in asked.words
    assert "STANDBY dogger" in answers


def test_somebody_who_asks_for_something_else_is_not_stopped(hall: Table) -> None:
    text = (
        "New laptop, new mail account, and now your machine treats me like I never existed.\n"
        "I've been Austria in lepanto since September. How do I get back to my seat?"
    )

    [*_, answer] = hall.mail(STRANGER, text)

    assert "You get no more emails" not in answer.words


@pytest.mark.parametrize(
    ("asked", "answer", "line"),
    [
        ("JOIN lepanto as Austria", "No, I meant Turkey.", "JOIN lepanto AS TURKEY"),
        ("JOIN lepanto as Austria", "No, I said Austria LAST.", "JOIN lepanto PREFER [EFGIRT]"),
        ("JOIN lepanto", "Nein, ich will nur zuschauen.", "OBSERVE lepanto"),
        ("JOIN lepanto", "Non, plutôt amber.", "JOIN amber"),
        ("CREATE my-game variant=pure", "No, call it kessel.", "CREATE kessel variant=pure"),
        (
            "CREATE my-game variant=pure",
            "Nein, der Name ist falsch. Die Partie soll kessel heißen, sonst passt alles.",
            "CREATE kessel variant=pure",
        ),
    ],
)
def test_a_no_that_says_what_is_meant_instead_is_offered_that(
    judge: Table, asked: str, answer: str, line: str
) -> None:
    judge.open("lepanto")
    judge.open("amber")
    [question] = judge.mail(STRANGER, asked)

    [door] = judge.reply(question, answer)
    done = judge.reply(door, "YES")

    assert f" {line} (" in door.words
    assert "send it again" not in door.words
    assert {each.kind for each in done} <= {"joined", "receipt", "moderator_welcome"}


@pytest.mark.parametrize(
    "answer",
    [
        *("NO", "No, that was not me.", "Nein danke.\n\nKay"),
        *("No, I never asked to play in lepanto!", "Non, je ne veux pas jouer \xe0 lepanto"),
    ],
)
def test_a_mere_no_drops_what_was_asked(judge: Table, answer: str) -> None:
    judge.open("lepanto")
    [question] = judge.mail(STRANGER, "JOIN lepanto as Austria")

    [settled] = judge.reply(question, answer)

    assert settled.kind == "settled"


@pytest.mark.parametrize(
    ("subject", "text", "line"),
    [
        (
            "Re: Fwd: we need 2 more for lepanto",
            "Yes please, go on then! Put me down.",
            "JOIN lepanto",
        ),
        (
            "",
            "my mate says to write to you and say lepanto. so.. lepanto! is that it?",
            "JOIN lepanto",
        ),
        ("L\xe9pante", "ok pour moi si c'est pas trop tard !", "JOIN lepanto"),
        ("lepanta", "Ben said to write to you with this as the subject.", "JOIN lepanto"),
        (
            "",
            "ok ok I'm in\n\n> Just write to the address and say you want lepanto.",
            "JOIN lepanto",
        ),
    ],
)
def test_a_game_is_understood_from_subject_quotation_or_misspelled_name(
    hall: Table, subject: str, text: str, line: str
) -> None:
    hall.open("mistral")

    [door] = hall.mail(STRANGER, text, subject=subject)

    assert f": {line} (" in door.words
    assert "JOIN mistral (" not in door.words


def test_somebody_who_may_want_to_watch_is_not_asked_to_join(hall: Table) -> None:
    text = "Selber spielen muss ich nicht mehr. Am liebsten lepanto, da spielt ein Kollege mit."

    [door] = hall.mail(STRANGER, text, subject="Zuschauen?")

    assert door.kind != "confirm_join"
    assert "OBSERVE lepanto (" in door.words


def test_a_power_that_is_named_again_stays_unwanted(hall: Table) -> None:
    text = (
        "Can I have a place in lepanto? I'd love France. Anything but Austria, a friend says that "
        "Austria is where beginners go to die."
    )

    answers = hall.mail(STRANGER, text)

    assert "AUSTRIA" not in answers[-1].words
    assert "Austria" not in answers[-1].words


@pytest.mark.parametrize(
    ("text", "answer", "heading"),
    [
        (
            "Kann man bei Ihnen auch auf Deutsch spielen?",
            "Sprachen dieses Judges: Deutsch",
            "Offene",
        ),
        (
            "Peut-on jouer en fran\xe7ais chez vous ? Je lis l'anglais mais \xe7a me fatigue.",
            "Langues de ce judge : fran\xe7ais",
            "Parties ouvertes",
        ),
        ("Muss man daf\xfcr Englisch k\xf6nnen? Ich bin 71.", "Sprachen dieses Judges", "Offene"),
    ],
)
def test_somebody_who_asks_about_languages_is_answered_in_their_own(
    hall: Table, text: str, answer: str, heading: str
) -> None:
    answers = hall.mail(STRANGER, text)

    assert answer in answers[-1].words
    assert heading in answers[-1].words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            (
                'Wir wollen eine eigene Partie er\xf6ffnen. Name der Partie: "Obertal".\n'
                "Ein Zug pro Woche, \xfcber Weihnachten zwei Wochen Pause."
            ),
            "CREATE obertal movement_hours=168",
        ),
        (
            (
                "Pouvez-vous ouvrir une partie pour nous ? Nom : \xab machine \xe0 caf\xe9 \xbb.\n"
                "Un tour par jour, cl\xf4ture \xe0 18 h. Anonyme : oui"
            ),
            "CREATE machine-a-cafe movement_hours=24 anonymous=yes",
        ),
        (
            'Could you run a private game for us? Called something like "Sarajevo", twice a week.',
            "CREATE sarajevo movement_hours=84 listed=no",
        ),
    ],
)
def test_the_name_and_the_pace_of_a_game_are_read_as_people_write_them(
    hall: Table, text: str, line: str
) -> None:
    [door, *_] = hall.mail(STRANGER, text)

    assert f": {line} (" in door.words


@pytest.mark.parametrize(
    "text",
    [
        "O\xf9 peut-on lire les r\xe8gles ? Je ne m'inscris pas encore, je me renseigne d'abord.",
        "Ist das gratis? Ich melde mich noch nicht an, ich will mich erst informieren.",
    ],
)
def test_somebody_who_does_not_sign_up_yet_is_not_stopped(hall: Table, text: str) -> None:
    [answer, *_] = hall.mail(STRANGER, text)

    assert answer.kind != "stopped"


def test_stop_in_the_subject_ends_emails_whatever_follows(hall: Table) -> None:
    text = (
        "Whoever you are stop sending me these. I don't know who Germany is and I don't care that "
        "he wants Denmark."
    )

    [answer] = hall.mail(STRANGER, text, subject="STOP")

    assert "You get no more emails" in answer.words


def test_a_reply_to_our_question_is_no_circular_letter(hall: Table) -> None:
    [_] = hall.mail(STRANGER, "JOIN lepanto")
    [waits] = hall.mail(STRANGER, "JOIN lepanto")

    answers = hall.reply(waits, "YES")  # to `Your request still awaits your YES`

    assert answers


def test_a_game_named_beside_another_question_is_offered(hall: Table) -> None:
    hall.open("mistral")
    text = (
        "Il reste de la place ? Je connais les r\xe8gles.\n\n> la partie lepanto cherche du monde"
    )

    [*_, door] = hall.mail(STRANGER, text, subject="RE: TR: Il manque encore du monde !")

    assert "  JOIN lepanto (" in door.text
    assert "  JOIN mistral (" not in door.text


@pytest.mark.parametrize(
    "text",
    [
        "Somebody wants me to join lepanto?",
        "Je voudrais jouer \xe0 lepanto mais plus tard",
        "JOIN lepanto? No thanks, not me",
    ],
)
def test_talk_about_a_game_is_no_yes_to_our_question(hall: Table, text: str) -> None:
    [question] = hall.mail(STRANGER, "JOIN lepanto")

    [again] = hall.reply(question, text)

    assert again.kind == "asked_again"
