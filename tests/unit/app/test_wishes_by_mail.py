"""Wishes in people's own words: acted on, offered with one tap, or asked about."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line
from judge.mail.intents import installed
from judge.mail.intents.command_lines import filled_line
from judge.mail.intents.features import features_of
from judge.mail.intents.known import Known
from judge.mail.intents.reading import read_wishes
from judge.mail.intents.wish_files import Role, read_wish_files
from judge.rules.board import DEFAULT_VARIANT
from tests.support.cost import is_under, takes_less_than
from tests.support.table import MODERATOR, MONDAY, Mail, Table, address_of

NOTHING = "nothing has changed yet"


@pytest.fixture
def table(judge: Table) -> Table:
    """Return a judge whose game has a moderator."""
    judge.start("baltic", moderator=MODERATOR)
    return judge


def proposal_to(table: Table, power: str) -> Mail:
    """Have England propose a draw, and return what *power* gets."""
    table.send("ENGLAND", "PROPOSE DRAW")
    return table.latest(power)


@pytest.mark.parametrize(
    "text",
    [
        "I'm on vacation from 24 Dec to 2 Jan",
        "Vom 24. Dezember bis zum 2. Januar bin ich im Urlaub.",
        "Je suis en vacances du 24 décembre au 2 janvier",
    ],
)
def test_an_absence_in_plain_words_is_announced_and_can_be_taken_back(
    table: Table, text: str
) -> None:
    receipt = table.send("FRANCE", text)

    [[(begins, _)]] = table.game().absences.values()
    assert (begins.month, begins.day) == (12, 24)
    assert ": ABSENT 24 Dec TO 2 Jan" in receipt.words
    assert "subject=NOT%20ABSENT" in receipt.text

    table.reply(receipt, "NOT ABSENT")
    assert not table.game().absences


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("How do I send my moves? Do I have to use those codes?", "Write one order per line"),
        ("Wie gebe ich meine Züge ab?", "Befehle"),
        ("what happens if turkey also moves to the black sea?", "Turkey: Fleet Ankara -> Black"),
        ("If I take Norway do I get a build this turn or next year?", "After Fall, a power"),
        ("how do i win this thing", "18"),
    ],
)
def test_a_newcomer_is_told_how_to_play(table: Table, text: str, answer: str) -> None:
    receipt = table.send("ENGLAND", text)

    assert "Answered below" in receipt.words or "Weiter unten" in receipt.words
    assert answer in receipt.words
    assert "no orders and no commands" not in receipt.words


@pytest.mark.parametrize("text", ["Sorry, wrong. A Par-Bur", "Oops, my mistake. A Par-Bur"])
def test_somebody_who_corrects_themselves_wants_nothing_else(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert NOTHING not in receipt.words


@pytest.mark.parametrize("text", ["Pardon, A Par-Bur", "Moment, A Par-Bur", "Oops! A Par-Bur"])
def test_an_interjection_is_not_forwarded(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "the moderator gets a copy" not in receipt.words


def test_each_of_several_likely_wishes_is_offered_with_one_line(table: Table) -> None:
    text = "Please send fewer emails to everybody"
    [receipt] = table.reply(table.emails_to(MODERATOR)[-1], text)

    assert receipt.text.count("SET MAILS") <= 2  # a line and its tap


def test_what_somebody_would_like_to_play_is_called_so(judge: Table) -> None:
    judge.open("lepanto")
    judge.join("lepanto", "ITALY")
    joined = judge.emails_to(address_of("ITALY"))[-1]

    text = "Kann ich noch sagen, dass ich am liebsten Italien oder Russland hätte?"
    [receipt] = judge.reply(joined, text)

    assert "SET PREFERENCE ITALY, RUSSIA (" in receipt.words
    assert "bei einer Partie mitspielen" not in receipt.words


def test_an_abbreviation_that_is_written_twice_shows_no_language() -> None:
    weights = installed.weights()
    assert weights
    assert "tun" in weights.spoken

    assert weights.language_of(("nwy", "nth", "tun", "hel", "tun", "bal", "swe", "con"), 2) is None


def test_an_absence_and_a_question_in_one_email_are_both_answered(table: Table) -> None:
    receipt = table.send("FRANCE", "I'm away until 28 Nov. By the way, when is the deadline?")

    assert "Your absence is set." in receipt.words
    assert "Answered below: | By the way, when is the deadline?" in receipt.words
    assert "Deadline: Mon 30 Nov 2026 20:00 UTC." in receipt.words


def test_somebody_who_is_away_says_that_they_are_back(table: Table) -> None:
    table.send("FRANCE", "ABSENT 24 Nov TO 2 Dec")

    table.send("FRANCE", "im back!!")

    assert not table.game().absences


def test_no_at_the_start_of_a_reply_to_a_proposal_is_a_vote_whatever_follows(
    table: Table,
) -> None:
    [receipt] = [
        each
        for each in table.reply(
            proposal_to(table, "FRANCE"), "No. I'm two centers from winning, are you all mad?"
        )
        if each.kind == "receipt"
    ]

    assert '"No." was read as: VOTE NO' in receipt.words


def test_a_no_of_somebody_who_has_only_just_come_is_a_vote(table: Table) -> None:
    text = "Certainly not, I've only just got here."
    receipt = table.reply(proposal_to(table, "FRANCE"), text)[-1]

    assert "was read as: VOTE NO" in receipt.words


@pytest.mark.parametrize(
    ("text", "phases"),
    [
        ("Could I have the results of spring 1901 again please?", {"S1901M"}),
        ("Kann ich die Ergebnisse vom Herbst 1901 noch mal haben?", {"F1901M"}),
        ("please resend all results since fall 1901", {"F1901M", "S1902M"}),
        (
            "Please send the results of spring 1901 and spring 1902 again",
            {"S1901M", "F1901M", "S1902M"},
        ),
    ],
)
def test_the_results_of_one_phase_come_without_the_others(
    table: Table, text: str, phases: set[str]
) -> None:
    for _ in range(3):
        table.play()

    receipt = table.send("FRANCE", text)

    assert set(re.findall(r"\(baltic\.(\w+)\)", receipt.text)) == phases


@pytest.mark.parametrize(
    "text",
    [
        "voici mes ordres, c'est la bonne forme ?\nA Con-Bul\nA Smy-Con\nF Ank-Bla",
        "A Con-Bul\nA Smy-Con\nF Ank-Bla\nAre my orders OK like that?",
    ],
)
def test_orders_in_the_receipt_are_the_answer_to_whether_they_are_right(
    table: Table, text: str
) -> None:
    receipt = table.send("TURKEY", text)

    assert "A Con-Bul" in receipt.text
    assert "Réponse plus bas" not in receipt.words
    assert "Answered below" not in receipt.words
    assert "gnor" not in receipt.words


def test_a_yes_with_a_condition_is_no_vote(table: Table) -> None:
    text = "Yes. But only if Turkey leaves Greece."
    answers = table.reply(proposal_to(table, "FRANCE"), text)

    assert "was read as" not in answers[-1].words


def test_the_subject_counts_if_the_text_says_nothing(table: Table) -> None:
    latest = table.latest("FRANCE")
    *_, receipt = table.mail(
        latest.recipient, "It was lovely.", latest.reply_to, subject="away 12-20 December"
    )

    assert "ABSENT 12 Dec TO 20 Dec" in receipt.words
    assert not table.game().absences


def test_a_plain_subject_counts_more_than_a_text_that_says_little(table: Table) -> None:
    latest = table.latest("FRANCE")
    text = "What do I have to do for that, and how does it work?"
    *_, receipt = table.mail(
        latest.recipient, text, latest.reply_to, subject="writing to England in private"
    )

    assert "PRESS TO" in receipt.words


def test_a_plain_clause_of_a_long_sentence_is_offered(table: Table) -> None:
    text = (
        "My brother sold me his old tractor with a view to fixing the gate before the frost sets "
        "in, I won't be able to play from 3 to 9 December, and the dog has eaten the spanners"
    )

    assert "ABSENT 3 Dec TO 9 Dec" in table.send("FRANCE", text).words
    assert not table.game().absences


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Bitte den Termin auf Sonntag legen, 20 Uhr, statt Freitag", "SET DEADLINE 29 Nov 20:00"),
        ("Please move the deadline from Tuesday to Thursday, 8 in the evening", "26 Nov 20:00"),
        ("How do I hand this game over to another gamemaster?", "PROMOTE handle"),
        ("Give everyone two more days please", "SET DEADLINE +48h"),
        ("Bitte allen 48 Stunden mehr Zeit", "SET DEADLINE +48h"),
        ("Vienna should have bounced. Roll back?", "ROLLBACK"),
        ("Annulez la dernière phase, s'il vous plaît", "ROLLBACK"),
        ("Can I change a house rule in the middle of the game?", "SET RULE"),
        ("I'm away from 3 December to 9 December", "PRESS TO"),
    ],
)
def test_a_wish_of_a_moderator_is_met(table: Table, text: str, command: str) -> None:
    receipt = table.reply(table.emails_to(MODERATOR)[-1], text)[-1]

    assert command in receipt.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Could somebody else take over as moderator?", "PROMOTE handle"),
        ("Kann man die Fristen auf 48 Stunden \xe4ndern?", "PRESS TO M"),
    ],
)
def test_a_player_learns_who_changes_rules_and_moderators(
    table: Table, text: str, answer: str
) -> None:
    assert answer in table.send("FRANCE", text).words


def test_what_a_moderator_says_before_the_start_is_not_called_orders(judge: Table) -> None:
    judge.open("baltic", "start=by_hand", moderator=MODERATOR)
    judge.join("baltic", "FRANCE")

    text = "Everyone is in now, they keep asking when it begins, so please start baltic."
    receipt = judge.reply(judge.emails_to(MODERATOR)[-1], text)[-1]

    assert "ORDERS: refused" not in receipt.words
    assert "BEGIN" in receipt.words


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("I have surgery on Friday and will be out for two weeks", "ABSENT 27 Nov TO 11 Dec"),
        ("Could you give me until Wednesday, please?", "EXTENSION 48"),
        ("Set my nickname to Fox", "SET HANDLE Fox"),
        ("My time zone is Berlin", "SET ZONE Europe/Berlin"),
        ("Von Montag bis Sonntag bin ich im Urlaub", "ABSENT 30 Nov TO 6 Dec"),
        (
            "I'm away from the 5th to the 12th of December, back on the 13th",
            "ABSENT 5 Dec TO 12 Dec",
        ),
    ],
)
def test_what_an_email_says_goes_into_the_command(table: Table, text: str, command: str) -> None:
    if "Wednesday" in text:  # The deadline is on Monday.
        table.pass_time(hours=6 * 24)

    assert command in table.send("FRANCE", text).words


def test_a_question_about_the_rules_gets_the_page_that_answers_it(table: Table) -> None:
    answer = table.send("FRANCE", "Is my support cut if the attack on it bounces?").words

    assert "An attack on the supporter cuts the support" in answer
    assert "not understood" not in answer


def test_a_wish_for_the_same_orders_is_quoted_once(table: Table) -> None:
    table.all_hold()
    table.close_phase()

    receipt = table.send("FRANCE", "same as last turn please").words

    assert '"same as last turn please" was read as: SAME' in receipt
    assert "A Par H" in receipt
    assert "not understood" not in receipt


def test_an_email_without_a_wish_never_loads_the_weights(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "weights", lambda: pytest.fail("the weights were loaded"))

    receipt = table.send("FRANCE", "A Par-Bur\nA Mar-Spa\nF Bre-Mao\nWAIT").words

    assert "All 3 orders received." in receipt


def test_a_wish_costs_little() -> None:
    weights = installed.weights()
    assert weights
    known = Known(
        role=Role.PLAYER,
        board=load_map(DEFAULT_VARIANT),
        games=frozenset({"baltic"}),
        today=MONDAY.date(),
    )
    sentences = ("I'm on vacation from 24 Dec to 2 Jan", "When is the deadline?") * 6

    assert takes_less_than(0.05, read_wishes, sentences, known, weights)


FIRST_WISH = """
from datetime import date
from time import process_time
from judge.adapters.variant_files import load_map
from judge.mail.intents import installed
from judge.mail.intents.known import Known
from judge.mail.intents.reading import read_wishes
from judge.mail.intents.wish_files import Role
from judge.notation.terms import names_of

board = load_map("standard")
names_of(board)  # which every email needs
known = Known(role=Role.PLAYER, board=board, games=frozenset(), today=date(2026, 11, 23))
start = process_time()
read_wishes(("I'm on vacation from 24 Dec to 2 Jan",), known, installed.weights())
print(process_time() - start)
"""


def test_the_first_wish_of_a_daemon_costs_little_more() -> None:
    taken = (subprocess.check_output([sys.executable, "-c", FIRST_WISH]) for _ in range(3))

    assert any(is_under(0.03, float(each)) for each in taken)


def test_go_ahead_ends_the_wait_for_the_deadline(table: Table) -> None:
    table.send("FRANCE", "WAIT")

    assert "was read as: NOWAIT" in table.send("FRANCE", "ok go ahead").words


def test_beside_orders_only_plain_wishes_are_offered(table: Table) -> None:
    receipt = table.send("FRANCE", "Sorry.\nA Par-Bur\nA Mar-Spa").words

    assert NOTHING not in receipt
    assert "Did you mean" not in receipt


def test_a_polite_request_for_time_reaches_the_moderator(table: Table) -> None:
    table.send("FRANCE", "Respected GM, kindly one more day")

    assert "asks for 24 hours more" in table.emails_to(MODERATOR)[-1].words


def test_orders_count_beside_a_wish(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\n\nCould we have one more day, please?")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "was read as: EXTENSION 24" in receipt.words


@pytest.mark.parametrize("text", ["fine with me", "Ja, ich bin damit einverstanden.", "d'accord"])
def test_words_are_a_vote_in_reply_to_the_proposal(table: Table, text: str) -> None:
    table.reply(proposal_to(table, "FRANCE"), text)

    [proposal] = table.game().proposals.values()
    assert "FRANCE" in proposal.accepted


@pytest.mark.parametrize("text", ["No thanks", "Nein danke.", "I am against it", "YES", "NO"])
def test_an_answer_to_the_proposal_is_the_vote_that_it_says(table: Table, text: str) -> None:
    table.reply(proposal_to(table, "FRANCE"), text)

    accepted = [each.accepted for each in table.game().proposals.values()]
    assert accepted == ([frozenset({"ENGLAND", "FRANCE"})] if text == "YES" else [])


@pytest.mark.parametrize(
    "text",
    [
        "My army in Paris moves to Burgundy",
        "Meine Armee in Paris zieht nach Burgund",
        "Mon armée de Paris va à la Bourgogne",
    ],
)
def test_an_order_that_stands_in_doubt_is_no_question_about_its_unit(
    table: Table, text: str
) -> None:
    receipt = table.send("FRANCE", f"I will say more about that soon\n{text}")

    assert "OPTIONS" not in receipt.text
    assert text in receipt.words


def test_a_moderator_is_not_told_how_to_write_orders(table: Table) -> None:
    welcome = table.emails_to(MODERATOR)[-1]

    receipt = table.reply(welcome, "A Par-Bur would be a blunder, wouldn't it?")[-1]

    assert "A Par-Bur would be a blunder" in receipt.words
    assert "HELP ORDERS" not in receipt.text


@pytest.mark.parametrize("text", ["YES", "fine with me", "Nein danke."])
def test_a_vote_on_a_proposal_that_is_over_is_none_on_another(table: Table, text: str) -> None:
    over = proposal_to(table, "FRANCE")
    table.send("ITALY", "VOTE 1 NO")
    table.send("TURKEY", "PROPOSE DRAW")

    receipt = table.reply(over, text)[-1]

    assert "There is no such draw proposal." in receipt.words
    [proposal] = table.game().proposals.values()
    assert proposal.accepted == {"TURKEY"}


def test_words_are_a_vote_on_the_proposal_that_they_answer(table: Table) -> None:
    first = proposal_to(table, "FRANCE")
    table.send("TURKEY", "PROPOSE DRAW")

    table.reply(first, "fine with me")

    assert ["FRANCE" in each.accepted for each in table.game().proposals.values()] == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I've changed my mind: I'm against it after all.",
        "Ich habe es mir doch anders überlegt und bin jetzt dagegen.",
        "Finalement j'ai changé d'avis, je suis contre.",
    ],
)
def test_somebody_who_has_voted_may_think_again(table: Table, text: str) -> None:
    proposal = proposal_to(table, "FRANCE")
    table.reply(proposal, "YES")

    table.reply(proposal, text)

    assert not table.game().proposals


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Cancel my absence", "NOT ABSENT"),
        ("Ich bin wieder da!", "NOT ABSENT"),
        ("The draw is fine with me", "VOTE YES"),
    ],
)
def test_a_wish_that_nobody_can_have_now_is_answered_with_the_reason(
    table: Table, text: str, command: str
) -> None:
    receipt = table.send("FRANCE", text)

    assert f": {command}" in receipt.words
    assert "refused" in receipt.words or "schon so" in receipt.words or "already" in receipt.words


@pytest.mark.parametrize("text", ["ok", "thanks, ok!", "Fine with me.", "Yes, sounds good"])
def test_courtesy_is_no_vote_where_nothing_is_proposed(table: Table, text: str) -> None:
    assert "VOTE" not in table.send("FRANCE", text).text


@pytest.mark.parametrize("text", ["ok", "fine with me", "YES", "sounds good"])
def test_the_same_words_to_a_receipt_are_only_offered_as_a_vote(table: Table, text: str) -> None:
    proposal_to(table, "FRANCE")
    receipt = table.send("FRANCE", "A Par-Bur")

    *_, answer = table.reply(receipt, text)

    [proposal] = table.game().proposals.values()
    assert "FRANCE" not in proposal.accepted
    assert "VOTE YES" in answer.text
    assert "VOTE NO" in answer.text


def test_an_email_that_names_the_draw_is_a_vote(table: Table) -> None:
    proposal_to(table, "FRANCE")
    receipt = table.send("FRANCE", "A Par-Bur")

    table.reply(receipt, "I accept the draw.")

    [proposal] = table.game().proposals.values()
    assert "FRANCE" in proposal.accepted


def test_words_that_may_deny_are_never_a_vote(table: Table) -> None:
    table.reply(proposal_to(table, "FRANCE"), "I have no objection")

    [proposal] = table.game().proposals.values()
    assert "FRANCE" not in proposal.accepted


def test_the_proposer_is_not_asked_again(table: Table) -> None:
    receipt = table.send("ENGLAND", "PROPOSE DRAW")

    [answer] = table.reply(receipt, "ok")

    assert "VOTE" not in answer.text


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Let's call it a draw among all of us.", "PROPOSE DRAW"),
        ("My new address is pierre@new.example, please use that.", "SET ADDRESS"),
    ],
)
def test_what_cannot_be_taken_back_is_only_offered(table: Table, text: str, command: str) -> None:
    receipt = table.send("FRANCE", text)

    assert command in receipt.text
    assert NOTHING in receipt.words
    assert not table.game().proposals


@pytest.mark.parametrize(
    "text",
    [
        "hey i gotta drop out, finals coming up and ive no time. sorry guys",
        "I must leave the game, sorry.",
        "Ich habe leider keine Zeit mehr und steige aus.",
    ],
)
def test_somebody_who_drops_out_is_asked_for_the_code_at_once(table: Table, text: str) -> None:
    table.send("FRANCE", "A Par-Bur")
    *_, question = table.reply(table.latest("FRANCE"), text)
    assert question.kind == "confirm_mail"
    assert table.game().power_of(person_of(table, "FRANCE")) == "FRANCE"

    answers = table.confirm(question)

    assert table.game().power_of(person_of(table, "FRANCE")) is None
    assert "do you resign" in question.subject or "aus" in question.subject
    assert not [each for each in answers if each.kind == "forwarded"]


def test_words_of_leaving_beside_orders_are_only_offered(table: Table) -> None:
    receipt = table.send("FRANCE", "A Par-Bur\nI must leave the game after this turn, sorry.")

    assert table.emails_to(address_of("FRANCE"), "confirm_mail") == ()
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "read as: RESIGN" not in receipt.words


def person_of(table: Table, power: str) -> str:
    with table.database.read() as transaction:
        person = transaction.people.by_address(address_of(power))
    assert person
    return person.id


def test_who_has_not_ordered_stays_secret(table: Table) -> None:
    table.send("ENGLAND", "F Lon H")

    receipt = table.send("FRANCE", "who hasn't ordered yet?")

    assert "until the deadline" in receipt.words
    assert "England" not in receipt.text
    assert "Ignored" not in receipt.text


def test_the_moderator_sees_who_has_not_ordered(table: Table) -> None:
    table.send("ENGLAND", "F Lon H\nF Edi H\nA Lvp H")
    [start] = table.emails_to(MODERATOR, "game_start")

    *_, answer = table.reply(start, "Whose orders are still missing?")

    assert "England" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "I heard Germany is on vacation until Sunday, so this is our chance.",
        "If you resign now you'll regret it.",
        "They want a draw, but I would rather fight on.",
        "Wenn du jetzt aufgibst, wäre das schade.",
        "Il m'a dit qu'il voulait arrêter à la fin de l'année.",
        "I am out of the office until Monday 7 December with no access to email.",
        "Je suis absente du bureau jusqu'au 4 janvier inclus.",
    ],
)
def test_talk_and_automatic_replies_change_nothing(table: Table, text: str) -> None:
    before = table.log()

    table.send("FRANCE", text)

    assert table.log() == before


def test_three_wishes_of_an_email_are_acted_on_and_the_others_offered(table: Table) -> None:
    receipt = table.send(
        "FRANCE",
        "I am away until 3 Dec.\nPlease give me one more day.\nMy orders are final, READY to go.\n"
        "Bitte schreib mir auf Deutsch.",
    )

    assert receipt.words.count("was read as") + receipt.words.count("gelesen als") <= 3


def test_a_player_gets_no_more_than_ten_acts_a_day(table: Table) -> None:
    read = [
        "was read as" in table.send("FRANCE", f"I'm away until {day} Dec").words
        for day in range(1, 13)
    ]

    assert read == [True] * 10 + [False] * 2


# Commands that plain words may need


@pytest.mark.parametrize("text", ["Then I would play Russia!", "Dann nehme ich lieber Russland."])
def test_a_power_that_somebody_who_has_joined_wants_is_offered_as_preference(
    judge: Table, text: str
) -> None:
    judge.open("baltic")
    judge.join("baltic", "FRANCE")

    receipt = judge.reply(judge.emails_to(address_of("FRANCE"))[-1], text)[-1]

    assert "SET PREFERENCE RUSSIA" in receipt.words


def test_a_yes_to_something_unknown_changes_nothing(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    receipt = table.send("FRANCE", "yes to cancel my orders please")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "body=CLEAR" in receipt.text


def test_yes_to_a_receipt_means_its_only_offer(table: Table) -> None:
    offer = table.send("FRANCE", "can we stop the game over thanksgiving?")
    assert "VOTE PAUSE" in offer.words

    assert "pause" in table.reply(offer, "Yes, please!")[-1].words
    assert "pause" in table.emails_to(address_of("GERMANY"))[-1].words


def test_yes_takes_the_orders_of_the_last_turn(table: Table) -> None:
    table.play(FRANCE="A Mar-Bur\nA Par-Bur\nF Bre-MAO")

    table.reply(table.send("FRANCE", "same orders as last turn"), "yes")

    assert table.current_orders("FRANCE") == ("A MAR - BUR", "A PAR - BUR")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I'd like to end this with a draw between everyone", id="ends the game"),
        pytest.param("My new address is pierre@new.example, please use that.", id="by code"),
        pytest.param("Too many mails.", id="several offers"),
    ],
)
def test_yes_to_other_offers_does_nothing_but_repeat_them(table: Table, text: str) -> None:
    offer = table.send("FRANCE", text)
    assert "nothing has changed yet" in offer.words
    before = len(table.log())

    again = table.reply(offer, "yes")[-1]

    assert len(table.log()) == before
    assert NOTHING in again.words
    assert again.words.count("?subject=") == offer.words.count("?subject=")


def test_yes_to_the_offer_of_an_earlier_phase_does_nothing(table: Table) -> None:
    offer = table.send("FRANCE", "can we stop the game over thanksgiving?")
    table.play()
    before = len(table.log())

    table.reply(offer, "yes")

    assert len(table.log()) == before


def test_an_observer_takes_over_the_vacant_power_that_they_name(table: Table) -> None:
    [asked] = table.mail("leo@players.example", "OBSERVE baltic")
    table.confirm(asked)
    table.send("RUSSIA", "RESIGN")
    table.confirm(table.emails_to(address_of("RUSSIA"))[-1])

    offer = table.reply(table.emails_to("leo@players.example")[-1], "I'd like to take over Russia")
    table.reply(offer[-1], "yes")

    assert "You now play Russia." in "".join(
        each.words for each in table.emails_to("leo@players.example", "takeover")
    )


def test_a_player_is_known_by_name(table: Table) -> None:
    table.send("GERMANY", "SET HANDLE Anna")

    receipt = table.send("FRANCE", "Could you tell Anna that I agree?")

    assert "PRESS TO" in receipt.words


def test_a_lone_yes_that_answers_nothing_is_no_wish(judge: Table) -> None:
    judge.open("baltic")
    joined = judge.join("baltic", "FRANCE")[-1]

    assert "Did you mean" not in judge.reply(joined, "YES")[-1].words


def test_a_wish_for_a_draw_while_one_is_proposed_is_offered_as_a_vote_too(table: Table) -> None:
    table.send("TURKEY", "PROPOSE DRAW")
    [*_, latest] = table.emails_to(address_of("FRANCE"))

    receipt = table.reply(latest, "I'd be happy to propose that we all draw now.")[-1]

    assert "VOTE" in receipt.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("whats the holdup", "which powers have ordered"),
        ("Warum dauert das denn so lange?", "welche M\xe4chte schon Befehle"),
        ("cancel everything, I'll think about it tomorrow", "CLEAR"),
        ("Is that ok?", "All 3 orders received"),
        ("So what do I have to do now?", "Answered below"),
        ("same orders as last turn", "You have no orders from an earlier turn"),
    ],
)
def test_a_wish_in_everyday_words_is_met(table: Table, text: str, answer: str) -> None:
    table.all_hold()

    receipt = table.send("FRANCE", text)

    assert answer in receipt.words
    assert "Ignored" not in receipt.words


def test_several_addresses_are_all_registered_once_confirmed(table: Table) -> None:
    *_, question = table.reply(table.latest("FRANCE"), "SET ADDRESS a@b.example, c@d.example")

    asked = {each.recipient for each in table.confirm(question)}

    assert {"a@b.example", "c@d.example"} <= asked


def test_canceled_orders_can_be_restored_with_one_tap(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur\nF Bre-Mao")

    receipt = table.send("FRANCE", "scrap my orders, please")
    assert not table.current_orders("FRANCE")
    assert "To restore them, send: A Par-Bur F Bre-Mao" in receipt.words

    table.send("FRANCE", "A Par-Bur\nF Bre-Mao")
    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO")


def test_the_orders_of_the_last_turn_are_offered_as_far_as_they_are_possible(table: Table) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H")

    receipt = table.send("FRANCE", "same moves as last time")

    assert "still possible" in receipt.words
    assert "A Mar H F Bre H" in receipt.words
    assert "A Par-Bur" not in receipt.words
    assert not table.current_orders("FRANCE")


def test_the_orders_of_the_last_turn_are_those_of_the_reader_alone(table: Table) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H")

    assert "Mar" not in table.send("ITALY", "SAME").text


@pytest.mark.parametrize("command", ["OPTIONS", "SAME"])
def test_a_command_about_units_is_refused_by_its_name_before_the_game_starts(
    judge: Table, command: str
) -> None:
    judge.open("baltic")
    joined = judge.join("baltic", "FRANCE")

    [answer] = judge.reply(joined[-1], command)

    assert f"{command}: refused. The game has not started yet." in answer.words


@pytest.mark.parametrize("text", ["where can my army in paris go", "OPTIONS Par", "OPTIONS A Par"])
def test_the_moves_of_a_unit_are_listed(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert "A Par can move to: Bre, Bur, Gas, Pic." in receipt.words


@pytest.mark.parametrize("text", ["Where on earth is Cly?", "LEGEND Cly"])
def test_a_province_is_explained(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert "Clyde: Cly, a coastal province." in receipt.words
    assert "Edinburgh, Liverpool" in receipt.words


def test_a_term_is_explained(table: Table) -> None:
    assert "Dislodged" in table.send("FRANCE", "What does dislodged mean?").text


def test_every_command_of_a_wish_is_one() -> None:
    slots = {
        "from": "24 Dec",
        "to": "2 Jan",
        "date": "24 Dec",
        "clock": "20:00",
        "hour": "20:00",
        "time": "24",
        "more": "24",
        "game": "baltic",
        "power": "FRANCE",
        "asked": "FRANCE",
        "place": "MUN",
        "topic": "MOVE",
        "language": "DE",
        "address": "me@players.example",
        "text": "Anna",
        "zone": "Berlin",
        "start": "S1901M",
    }
    board = load_map(DEFAULT_VARIANT)
    for file in read_wish_files(installed.examples_folder()).values():
        wish = file.wish
        for lines in (wish.command, wish.without, wish.moderator, wish.undo):
            for line in filter(None, lines.split(" | ")):
                filled = filled_line(line, slots)
                assert filled, line
                assert COMMANDS.read(Line(1, filled), board, first=False), line


def test_a_sentence_that_is_answered_is_not_called_not_understood(table: Table) -> None:
    receipt = table.send("FRANCE", "Hallo, was hei\xdft denn F Bre? Und bis wann muss ich ziehen?")

    assert "nicht verstanden" not in receipt.words
    assert "Bre, eine K\xfcstenprovinz" in receipt.words


# What the operator learns


def missed(table: Table) -> list[str]:
    with table.database.read() as transaction:
        return [text for text, _ in transaction.missed.latest(100)]


def test_what_was_not_understood_is_noted_without_names_and_orders(table: Table) -> None:
    text = "Did the old gadget of Olga have the looks of 3 Dec with Germany in Munich, in baltic"
    table.send("FRANCE", text)

    [sentence] = missed(table)
    assert sentence.startswith("Did the old ... of ... have the looks of {date}")
    assert not any(word in sentence for word in ("Olga", "Germany", "Munich", "Dec", "baltic"))


@pytest.mark.parametrize(
    "text", ["A Par-Bur", "Paris to Burgundy", "Could we have one more day, please?", "Thanks!"]
)
def test_what_was_understood_is_not_noted(table: Table, text: str) -> None:
    table.send("FRANCE", text)

    assert missed(table) == []


def test_what_is_private_is_not_noted(table: Table) -> None:
    table.send("FRANCE", "DIARY\nCould we ever get what we want from the others this year?")

    assert missed(table) == []


def test_a_sentence_of_a_stranger_is_noted_once(judge: Table) -> None:
    for sender in ("ann", "bob"):
        judge.mail(
            f"{sender}@strangers.example",
            "Would the uncles at home all sing along in the old barn?",
        )

    assert missed(judge) == ["Would the ... at home all ... along in the old ...?"]


# Pauses and extensions are voted on in words, too


def test_a_no_to_a_pause_is_called_so(table: Table) -> None:
    table.send("ENGLAND", "VOTE PAUSE")

    answer = table.reply(table.latest("FRANCE"), "no")[-1]

    assert "You vote against a pause" in answer.words
    assert "already" not in answer.words


@pytest.mark.parametrize("text", ["fine with me", "Ja, ich bin damit einverstanden.", "YES"])
def test_words_agree_to_a_pause_in_reply_to_its_proposal(table: Table, text: str) -> None:
    table.send("ENGLAND", "VOTE PAUSE")
    proposal = table.latest("FRANCE")

    table.reply(proposal, text)

    assert "A player proposes to pause the game." in proposal.words
    assert "England" not in proposal.text
    assert table.game().pause_votes == {"ENGLAND", "FRANCE"}


def test_words_that_name_the_pause_agree_to_it_and_not_to_an_open_draw(table: Table) -> None:
    table.send("ENGLAND", "VOTE PAUSE\nPROPOSE DRAW")

    table.send("FRANCE", "I agree to the pause.")

    [proposal] = table.game().proposals.values()
    assert "FRANCE" not in proposal.accepted
    assert "FRANCE" in table.game().pause_votes


def test_a_pause_is_proposed_once(table: Table) -> None:
    for power in ("ENGLAND", "ITALY"):
        table.send(power, "VOTE PAUSE")

    proposed = [
        mail
        for mail in table.emails_to(address_of("FRANCE"))
        if "pause" in mail.subject.casefold()
    ]
    assert len(proposed) == 1


@pytest.mark.parametrize(
    ("text", "granted"),
    [("ok", True), ("fine with me", True), ("YES", True), ("NO", False), ("Nein danke.", False)],
)
def test_a_moderator_answers_a_request_for_time_in_words(
    table: Table, text: str, *, granted: bool
) -> None:
    before = table.deadline()
    table.send("FRANCE", "EXTENSION 24")
    request = table.emails_to(MODERATOR)[-1]

    table.reply(request, text)

    assert (table.deadline() > before) is granted
    phase = table.game().phase
    assert phase
    assert not phase.asked


def test_the_words_of_a_moderator_to_another_email_grant_nothing(table: Table) -> None:
    [start] = table.emails_to(MODERATOR, "game_start")
    table.send("FRANCE", "EXTENSION 24")

    table.reply(start, "ok, fine with me")

    phase = table.game().phase
    assert phase
    assert phase.asked


@pytest.mark.parametrize("text", ["jo'burg hold", "Wladiwostok h\xe4lt", "Bagdad reste"])
def test_an_order_for_a_place_that_is_unknown_is_taken_for_no_wish(
    table: Table, text: str
) -> None:
    receipt = table.send("FRANCE", text)

    assert text in receipt.text
    for line in ("VOTE PAUSE", "STOP", "STATUS (", "WAIT ("):
        assert f"\n  {line}" not in receipt.text


@pytest.mark.parametrize(
    "text",
    [
        "Pourquoi mon armée n'est-elle pas arrivée en Bourgogne ?",
        "Warum ist meine Armee in Paris stehen geblieben?",
    ],
)
def test_a_question_about_a_bounce_is_answered_and_not_called_unclear(
    table: Table, text: str
) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H", GERMANY="A Mun-Bur\nA Ber H\nF Kie H")

    *_, answer = table.reply(table.latest("FRANCE"), text)

    for unclear in ("n'a pas été comprise", "nicht verstanden", "Ignor"):
        assert unclear not in answer.words
    assert "Bur" in answer.text


def test_a_request_for_time_in_a_game_without_a_moderator_says_what_is_left(judge: Table) -> None:
    judge.start("baltic")

    receipt = judge.send("FRANCE", "could we please have two more days?")

    assert "VOTE PAUSE" in receipt.words


def test_a_greeting_does_not_repeat_what_is_answered(table: Table) -> None:
    receipt = table.send("FRANCE", "Hi, a friend told me about this. How does it work?")

    assert receipt.words.count("a friend told me about this") == 1
    assert "Ignored" not in receipt.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Can a fleet sit in Paris?", "OPTIONS PAR"),
        ("Quand la partie est-elle finie ?", "Vous gagnez seul"),
    ],
)
def test_a_question_that_reads_like_an_order_is_answered_whole(
    table: Table, text: str, answer: str
) -> None:
    receipt = table.send("FRANCE", text)

    assert answer in receipt.words
    assert text in receipt.words


def test_what_is_said_beside_a_wish_is_shown(table: Table) -> None:
    text = "What do I do with it now, it bounced? I'd rather not decide, can I get one more day?"

    receipt = table.send("FRANCE", f"{text}\n\nA Par-Bur")

    assert "EXTENSION 24" in receipt.words
    assert "What do I do with it now, it bounced?" in receipt.words


def test_a_refused_absence_cannot_be_taken_back(table: Table) -> None:
    receipt = table.send("FRANCE", "I'm on vacation from 24 Dec to 24 Jan")

    assert "refused" in receipt.words
    assert "NOT ABSENT" not in receipt.words


def test_a_yes_with_more_words_repeats_the_orders_offered(table: Table) -> None:
    table.send("FRANCE", "F Bre-Maoo")

    receipt = table.send("FRANCE", "Yes, as I said.")

    assert "Did you mean: F Bre-Mao" in receipt.words
    assert table.current_orders("FRANCE") == ()
    beside = table.send("FRANCE", "Yes. And A Par-Bur. When is the deadline?")
    assert "With YES also: F Bre-Mao" in beside.words
    assert "When is the deadline?" in beside.words
    table.send("FRANCE", "CLEAR")
    table.send("FRANCE", "F Bre-Maoo")
    assert "F Bre-Mao" in table.send("FRANCE", "Yes, that's what I want.").words
    assert table.current_orders("FRANCE") == ("F BRE - MAO",)


def test_a_tap_accepts_the_orders_that_a_receipt_offers(table: Table) -> None:
    receipt = table.send("FRANCE", "F Bre-Maoo")

    table.mail(receipt.recipient, receipt.yes, receipt.reply_to)

    assert table.current_orders("FRANCE") == ("F BRE - MAO",)


def test_a_moderator_speaks_of_players_as_he_or_she(table: Table) -> None:
    table.send("FRANCE", "EXTENSION 24")
    asked = table.emails_to(MODERATOR)[-1]
    before = table.deadline()

    table.reply(asked, "Yes, give him one more day.")

    assert table.deadline() > before


def test_the_question_for_a_name_can_be_answered_once_the_game_has_begun(table: Table) -> None:
    receipt = table.send("FRANCE", "Priya")

    assert "SET HANDLE Priya" in receipt.words
    assert "Bulgaria" not in table.send("ENGLAND", "Bulgaria").words.partition("Missing")[2]


def test_options_are_shown_where_a_unit_is_not(table: Table) -> None:
    assert "A Par can move to" in table.send("FRANCE", "OPTIONS Vie").words


def test_a_draw_names_its_powers_where_the_game_wants_that(judge: Table) -> None:
    judge.start("baltic", "draw_among=named", moderator=MODERATOR)

    receipt = judge.send("FRANCE", "I'd like to propose a draw with England")

    assert "PROPOSE DRAW FRANCE, ENGLAND (propose a draw of these powers)" in receipt.words


def test_a_single_day_away_is_that_day(table: Table) -> None:
    table.send("FRANCE", "Won't be around next Friday")

    [[(begins, ends)]] = table.game().absences.values()
    assert (begins.day, (ends - begins).days) == (27, 1)


def test_words_that_mean_nothing_in_a_command_are_answered_with_help(table: Table) -> None:
    receipt = table.send("FRANCE", "Zeiten bitte in Berliner Zeit")

    assert "SET ZONE Europe/Berlin, SET ZONE Berlin" in receipt.words


def test_a_vote_that_ends_the_proposal_cannot_be_taken_back(table: Table) -> None:
    proposal = proposal_to(table, "GERMANY")

    receipt = table.reply(proposal, "Nein danke, dafür ist es noch viel zu früh.")[-1]

    assert "VOTE NO" in receipt.words
    assert "VOTE YES" not in receipt.words


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("same orders as last turn", "The game has not started yet."),
        ("sorry, I can't play after all", "RESIGN"),
        ("how many are missing?", "The game waits for 6 more players."),
        ("I'd rather have Italy", "SET PREFERENCE ITALY"),
        ("doch lieber italien, oder nee türkei. ja, türkei!", "SET PREFERENCE TURKEY"),
        ("I'd rather have Italy, or no, Turkey please", "SET PREFERENCE TURKEY"),
    ],
)
def test_wishes_of_a_player_before_the_start(judge: Table, text: str, answer: str) -> None:
    judge.open("baltic")
    [*_, joined] = judge.join("baltic", "FRANCE")

    told = " ".join(mail.words for mail in judge.reply(joined, text))

    assert answer in told


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("SET NOT WAIT", "WAIT is canceled"),
        ("SET ZONE GMT+1", "(Etc/GMT-1)"),
        ("PROPOSE CONCESSION G", "You would concede the game. (Germany)"),
        (
            "PRESS BROADCAST\nHello\nENDPRESS",
            "Austria, England, Germany, Italy, Russia and Turkey",
        ),
        ("PRESS TO GER, ITA\nHello\nENDPRESS", "not sent: unknown recipient GER and ITA"),
    ],
)
def test_lines_of_other_judges_by_old_hands(table: Table, line: str, answer: str) -> None:
    assert answer in table.send("FRANCE", line).words


def test_the_other_kind_of_unit_is_offered_for_a_build(table: Table) -> None:
    table.play(GERMANY="F Kie-Den\nA Ber-Kie\nA Mun H")
    table.play(GERMANY="A Kie H\nF Den H\nA Mun H")
    table.send("GERMANY", "Build A Ber")
    assert table.phase() == "W1901A"

    receipt = table.send("GERMANY", "Doch lieber eine Flotte!")

    assert "Meintest du: Build F Ber" in receipt.words
    assert table.current_orders("GERMANY") == ("A BER B",)
    table.send("GERMANY", "ja")
    assert table.current_orders("GERMANY") == ("F BER B",)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please throw Russia out of baltic, the seat should be free.", "EJECT RUSSIA"),
        ("Undo the last phase please.", "ROLLBACK"),
        ("Can you take baltic back to spring 1902?", "ROLLBACK S1902M"),
        ("Everybody agrees, please end baltic as a draw.", "TERMINATE"),
        ("Extend it by two days please, two players asked me.", "SET DEADLINE +48h"),
        (
            "Please set the deadline to 8 December, 9 pm Paris time.",
            "SET DEADLINE 8 Dec 21:00 Paris",
        ),
        ("From now on only signed press please.", "SET RULE signing=white"),
    ],
)
def test_a_moderator_is_offered_the_command_for_a_task(table: Table, text: str, line: str) -> None:
    [start] = table.emails_to(MODERATOR, "game_start")

    [*_, receipt] = table.reply(start, text)

    assert NOTHING in receipt.words
    assert f"  {line} (" in receipt.text


def test_a_deadline_may_name_the_zone_of_its_time(table: Table) -> None:
    [start] = table.emails_to(MODERATOR, "game_start")

    table.reply(start, "SET DEADLINE 8 Dec 21:00 Paris")

    phase = table.game().phase
    assert phase
    assert (phase.deadline.day, phase.deadline.hour) == (8, 20)  # UTC


@pytest.mark.parametrize(
    "text", ["No pause now, please.", "Bitte keine Pause.", "Pas de pause pour le moment."]
)
def test_a_denied_wish_is_not_offered(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert "VOTE PAUSE (" not in receipt.text


def test_an_observer_who_wants_to_stop_is_offered_that(table: Table) -> None:
    watcher = "watcher@new.example"
    table.confirm(*table.mail(watcher, "OBSERVE baltic"))

    latest = table.emails_to(watcher)[-1]

    [*_, receipt] = table.reply(latest, "Streicht mich bitte bei baltic von der Zuschauerliste.")

    assert "  UNOBSERVE baltic (" in receipt.text
    assert "  OBSERVE baltic" not in receipt.text


def test_a_vote_is_taken_back_by_its_own_command(table: Table) -> None:
    table.reply(proposal_to(table, "FRANCE"), "VOTE YES")

    receipt = table.send("FRANCE", "I'd like to withdraw my vote for the draw.")

    assert "  SET NODRAW (" in receipt.text
    assert "VOTE YES (" not in receipt.text


@pytest.mark.parametrize("text", ["yes", "The draw is fine with me", "Nein danke"])
def test_a_vote_where_several_proposals_are_open_is_asked_about(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", "A Par-Bur")
    for power in ("TURKEY", "ITALY"):
        table.send(power, "PROPOSE DRAW")
    table.send("RUSSIA", "VOTE PAUSE")

    [asked] = [each for each in table.reply(receipt, text) if each.recipient == receipt.recipient]

    offered = ("VOTE 1 YES", "VOTE 1 NO", "VOTE 2 YES", "VOTE 2 NO", "VOTE PAUSE")
    assert [each for each in offered if each not in asked.words] == []
    assert not any("FRANCE" in each.accepted for each in table.game().proposals.values())


def test_who_asks_for_their_own_power_reads_that_they_have_it(table: Table) -> None:
    receipt = table.send("FRANCE", "Sorry for the silence. Can I still take over France?")

    assert "JOIN baltic FRANCE" in receipt.words
    assert "You are already in this game" in receipt.words


def test_an_observer_who_wants_the_results_reads_that_they_get_them(table: Table) -> None:
    table.confirm(*table.mail("watcher@new.example", "OBSERVE baltic"))
    mail = table.emails_to("watcher@new.example")[-1]

    [answer] = table.reply(mail, "I'd like to watch baltic until it is over.")

    assert "That was already the case" in answer.words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please use New Zealand time in your emails", "SET ZONE Pacific/Auckland"),
        ("Ich lebe in Lissabon. Bitte nennt die Zeiten in Ortszeit.", "SET ZONE Europe/Lisbon"),
        ('Please don\'t show my full name, only "Kate"', "SET HANDLE Kate"),
        ("In {game}, which provinces do I see in the fog?", "next to them"),
        ("No press please, one mail a day with the results", "SET MAILS CRITICAL"),
    ],
)
def test_what_stands_elsewhere_in_the_email_goes_into_the_command(
    table: Table, text: str, line: str
) -> None:
    assert line in table.send("FRANCE", text.format(game="baltic")).words


def test_a_denied_denial_is_no_vote_against(table: Table) -> None:
    proposal = proposal_to(table, "FRANCE")

    receipt = table.reply(proposal, "I'm not against it")[-1]

    assert NOTHING in receipt.words
    assert table.game().proposals


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Please let everybody have fifteen minutes more, two are at dinner.", "+15m"),
        ("Noch eine halbe Stunde für alle bitte", "+30m"),
        ("Encore deux heures pour tout le monde svp", "+2h"),
    ],
)
def test_a_moderator_who_gives_more_time_is_offered_the_deadline(
    table: Table, text: str, line: str
) -> None:
    [receipt] = table.reply(table.emails_to(MODERATOR)[-1], text)

    assert f"\n  SET DEADLINE {line} (" in receipt.text


@pytest.mark.parametrize(
    "text", ["You may close the phase now", "They're all in I guess. Process!"]
)
def test_a_moderator_who_wants_the_phase_closed_is_offered_that_alone(
    table: Table, text: str
) -> None:
    [receipt] = table.reply(table.emails_to(MODERATOR)[-1], text)

    assert "\n  PROCESS (" in receipt.text
    assert "ROLLBACK" not in receipt.text


def test_a_refused_absence_names_the_rule(judge: Table) -> None:
    judge.start("baltic", "absences=nothing")

    receipt = judge.send("FRANCE", "I'm on vacation from 5 Dec to 12 Dec")

    assert "This game has no absences" in receipt.words


@pytest.mark.parametrize(
    ("power", "text", "shown"),
    [
        ("FRANCE", "What if Paris goes to Burgundy and Marseilles supports it?", "SUPPORT"),
        ("FRANCE", "Et si Paris va en Bourgogne et Marseille soutient ?", "Paris ->"),
        ("GERMANY", "Kiel nach Holland, Berlin nach Kiel? Geht das überhaupt?", "Flotte Kiel ->"),
    ],
)
def test_orders_that_are_only_asked_about_are_tried(
    table: Table, power: str, text: str, shown: str
) -> None:
    receipt = table.send(power, text)

    assert shown in receipt.words
    assert not table.current_orders(power)


@pytest.mark.parametrize(
    ("variant", "power", "text", "shown"),
    [
        ("standard", "ENGLAND", "What happens if Turkey also moves to Black Sea?", "Ankara -> Bl"),
        (
            "standard",
            "ENGLAND",
            "F Lon-Eng. Was passiert, wenn Frankreich auch in den Kanal zieht?",
            "Brest -> Ärmelkanal. (*abgeprallt*)",
        ),
        ("standard", "ENGLAND", "Et si la France va aussi en Manche ?", "Brest -> Manche"),
        ("ancient-med", "ROME", "What happens if Greece moves to the Aegean too?", "Sparta -> A"),
    ],
)
def test_what_another_power_may_do_is_tried(
    judge: Table, variant: str, power: str, text: str, shown: str
) -> None:
    judge.start("baltic", variant=variant)
    before = judge.latest(power)

    told = " ".join(mail.words for mail in judge.reply(before, text))

    assert shown in told
    assert "HELP PREVIEW" not in told
    assert len(judge.current_orders(power)) == text.count("F Lon-Eng")


@pytest.mark.parametrize("line", ["Wait, please", "WAIT please", "wait bitte"])
def test_a_command_may_be_polite(table: Table, line: str) -> None:
    receipt = table.send("FRANCE", f"A Par-Bur\n{line}")

    assert "WAIT is set" in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@pytest.mark.parametrize(
    ("text", "nothing", "offered"),
    [
        ("please ignore my last mail", "nothing to cancel", "CLEAR (cancel your orders)"),
        ("That was meant for somebody else.", "nothing to cancel", "CLEAR (cancel your orders)"),
        ("Das war für jemand anderen bestimmt.", "nichts zurückzunehmen", "CLEAR ("),
        ("Merci d'ignorer mon dernier mail.", "rien à annuler", "CLEAR ("),
    ],
)
def test_somebody_who_takes_back_an_email_is_offered_to_cancel_the_orders(
    table: Table, text: str, nothing: str, offered: str
) -> None:
    assert nothing in table.send("FRANCE", text).words
    table.send("FRANCE", "A Par-Bur")

    receipt = table.send("FRANCE", text)

    assert offered in receipt.words
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_game_that_a_player_describes_is_offered_above_the_page_that_explains(
    table: Table,
) -> None:
    receipt = table.send("FRANCE", "Please open a new game called autumn, a private one")

    assert "CREATE autumn listed=no" in receipt.words
    assert "variant=fva" in receipt.words


def test_how_to_win_says_how_many_centers_the_game_needs(judge: Table) -> None:
    judge.start("baltic", "victory_centers=15")

    receipt = judge.send("FRANCE", "how do I win this?")

    assert "A power with 15 centers, more than any other, wins." in receipt.words


def test_two_questions_in_one_sentence_are_both_answered(table: Table) -> None:
    receipt = table.send("FRANCE", "How do my units stand, and what can Marseilles do?")

    assert "Status of the Movement phase" in receipt.words
    assert "A Mar can move to" in receipt.words


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Gebt mir die Zeiten doch bitte in deutscher Zeit", "Europe/Berlin"),
        ("Could I get the deadlines in French time?", "Europe/Paris"),
    ],
)
def test_the_time_of_a_country_is_a_zone(table: Table, text: str, zone: str) -> None:
    assert f"SET ZONE {zone}" in table.send("FRANCE", text).words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Turkey has been quiet for weeks, find me another player for it", "EJECT TURKEY"),
        ("most of us are on the road, please wait till 14 December", "SET DEADLINE 14 Dec"),
        ("Wie kann ich jemanden aus der Partie werfen?", "HELP MODERATOR"),
        ("Gebt Russland doch noch sechs Stunden", "SET DEADLINE +6h"),
        ("Push the deadline back to Thursday.", "SET DEADLINE 3 Dec"),
        ("Everybody has sent in their orders, hasn't he? If so let's go.", "PROCESS (close"),
        ("What do I tell my players, how do they sign up?", "JOIN game PREFER"),
        (
            (
                "Walter says he didn't want Austria. "
                "Can he swap with Svenja, who has England but wanted Turkey?"
            ),
            "Write these commands in a reply",
        ),
    ],
)
def test_a_moderator_is_offered_what_they_want(table: Table, text: str, line: str) -> None:
    [receipt] = table.reply(table.emails_to(MODERATOR)[-1], text)

    assert line in receipt.words


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Bah, purple!", ("VOTE YES", "VOTE NO")),
        ("Purple or green?", ("HELP DRAW",)),
    ],
)
def test_an_answer_to_a_proposal_that_nobody_understands_is_asked_about(
    table: Table, text: str, lines: tuple[str, ...]
) -> None:
    *_, receipt = table.reply(proposal_to(table, "FRANCE"), text)

    assert "Nothing has changed" in receipt.words
    assert all(f"  {line} (" in receipt.text for line in lines)


def test_an_automatic_reply_announces_no_absence(table: Table) -> None:
    text = "Ich bin vom 5.12. bis 9.12. verreist. Diese E-Mail wurde automatisch erstellt."

    assert "Abwesenheit ist eingetragen" not in table.send("FRANCE", text).words
    assert not table.game().absences


def test_days_that_belong_together_are_those_of_the_absence(table: Table) -> None:
    text = "On me soigne mardi prochain, et je serai absent de lundi \xe0 dimanche."

    assert "ABSENT 30 Nov TO 6 Dec" in table.send("FRANCE", text).words


def test_the_day_of_a_return_ends_the_absence(table: Table) -> None:
    text = "My trip got longer, I only return on the 9th of December."

    assert "ABSENT 23 Nov TO 9 Dec" in table.send("FRANCE", text).words


def test_a_word_is_understood_by_what_it_means_in_other_languages() -> None:
    meanings = {"befehl*": "orders", "order*": "orders", "wo": "where", "where": "where"}

    english = features_of(["where", "orders"], meanings).kinds[1]
    german = features_of(["wo", "befehle"], meanings).kinds[1]

    assert english == german == ("#orders", "#where", "#orders&#where")


@pytest.mark.parametrize(
    "text",
    [
        "Oui, merci de le noter.\n\nOdile",
        "Hi,\n\nyes please\n\nMildred Finch",
        "ja genau das",
        "lol yes",
    ],
)
def test_a_yes_in_everyday_words_means_the_only_offer(table: Table, text: str) -> None:
    offer = table.send("FRANCE", "Can we stop the game over Thanksgiving?")
    assert "VOTE PAUSE" in offer.words

    table.reply(offer, text)

    assert table.game().pause_votes == {"FRANCE"}


def test_a_yes_with_an_order_below_is_no_mere_yes(table: Table) -> None:
    offer = table.send("FRANCE", "Can we stop the game over Thanksgiving?")

    table.reply(offer, "yes\n\nA Par-Bur")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_yes_to_an_offer_is_about_no_vote_that_is_open(table: Table) -> None:
    table.send("ENGLAND", "VOTE PAUSE")
    offer = table.send("FRANCE", "My new address is pierre@new.example, please use that.")

    answer = table.reply(offer, "yes")[-1]

    assert "VOTE PAUSE" not in answer.words
    assert "SET ADDRESS" in answer.words


def test_a_refusal_in_everyday_words_is_a_vote(table: Table) -> None:
    table.send("ENGLAND", "PROPOSE DRAW")

    table.reply(table.latest("FRANCE"), "Certainly not!\n\nPeg")

    assert not table.game().proposals


def test_a_new_zone_counts_in_its_own_receipt(table: Table) -> None:
    receipt = table.send("FRANCE", "Please show me the deadlines in Warsaw time")

    assert "Europe/Warsaw (20:00 UTC)" in receipt.words


def test_a_moderator_who_names_an_hour_is_offered_it_for_all_phases(table: Table) -> None:
    receipt = table.reply(
        table.emails_to(MODERATOR)[-1], "Could we close the phases at 21:00 please?"
    )[-1]

    assert "SET RULE closing_time=21:00" in receipt.words


def test_a_name_in_quotes_is_a_name(table: Table) -> None:
    receipt = table.send("GERMANY", 'Bitte nennen Sie mich im Spiel "Baumann".')

    assert "SET HANDLE Baumann" in receipt.words


SHORT_HELP = [
    ("How does support work? How do I write to Germany in private?", "SUPPORT", "PRESS"),
    ("Wie funktionieren Rückzüge? Und wie schreibe ich an Italien?", "RETREAT", "PRESS"),
    ("Comment marche le convoi ? Comment écrire à l'Italie en privé ?", "CONVOY", "PRESS"),
]


@pytest.mark.parametrize(("text", "first", "second"), SHORT_HELP)
def test_each_of_several_questions_gets_what_answers_it(
    table: Table, text: str, first: str, second: str
) -> None:
    receipt = table.send("FRANCE", text)

    assert f"HELP {first}" in receipt.words
    assert f"HELP {second}" in receipt.words
    assert "PRESS TO F QUIET" not in receipt.words  # as in the whole page


def test_a_question_about_terms_gets_the_line_that_answers_it(table: Table) -> None:
    text = "What does NMR mean? And what happens if two units go to one place?"
    receipt = table.send("FRANCE", text)

    assert "NMR: no moves received" in receipt.words
    assert "Bounce, standoff: two units move" in receipt.words
    assert "Dislodged" not in receipt.words
    assert "not understood" not in receipt.words


def test_the_only_question_of_an_email_gets_the_whole_page(table: Table) -> None:
    receipt = table.send("FRANCE", "How do I write to Germany in private?")

    assert "PRESS TO F QUIET" in receipt.words
    assert "More: HELP" not in receipt.words


def test_several_questions_of_a_stranger_get_what_answers_them(judge: Table) -> None:
    text = "How does support work? And how do retreats work?"
    answer = judge.mail("kay@players.example", text)[-1]

    assert "More: HELP SUPPORT" in answer.words
    assert "More: HELP RETREAT" in answer.words


@pytest.mark.parametrize(
    "text",
    [
        "Call it mistral, two days for moves and one day for retreats and builds.",
        "Nennen wir es mistral, zwei Tage für Züge, einen Tag für Rückzüge und Aufbauten.",
        "Appelez-la mistral, deux jours pour les coups et un jour pour les retraites.",
    ],
)
@pytest.mark.parametrize("writer", ["kay@players.example", address_of("FRANCE"), MODERATOR])
def test_a_game_that_somebody_names_below_its_page_of_help_is_offered(
    table: Table, text: str, writer: str
) -> None:
    page = table.mail(writer, "HELP CREATE")[-1]

    answer = table.reply(page, text)[-1]

    line = "CREATE mistral movement_hours=48 retreat_hours=24 adjustment_hours=24"
    assert line in answer.words


@pytest.mark.parametrize(
    "text",
    [
        "wie letzte runde, nur paris bleibt",
        "same as last turn except Paris holds",
        "comme au dernier tour, sauf que Paris tient",
    ],
)
def test_the_orders_of_the_last_turn_are_offered_with_their_exception(
    table: Table, text: str
) -> None:
    table.play(FRANCE="A Par-Bur\nF Bre H\nA Mar-Spa", GERMANY="A Mun-Bur\nA Ber H\nF Kie H")

    receipt = table.send("FRANCE", text)
    table.reply(receipt, "YES")

    assert set(table.current_orders("FRANCE")) == {"A PAR H", "F BRE H"}


@pytest.mark.parametrize(
    "text",
    [
        "Can I get the map as it was at the start?",
        "Bitte die Karte vom Anfang",
        "la carte du début s'il vous plaît",
        "the map of spring 1901 please",
    ],
)
def test_the_map_of_the_start_is_sent(table: Table, text: str) -> None:
    table.play(FRANCE="A Par-Bur\nF Bre-Eng\nA Mar-Spa")

    assert "S1901M" in table.send("FRANCE", text).words.partition("----")[2]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Please set the deadline to half past five today.", "23 Nov 17:30"),
        ("Die Frist bitte auf halb sechs heute.", "23 Nov 17:30"),
        ("La date limite : 17 h 30 aujourd'hui", "23 Nov 17:30"),
        ("Échéance : cinq heures et demie aujourd'hui", "23 Nov 17:30"),
        ("Deadline tomorrow at quarter to eight", "24 Nov 19:45"),
        ("Set the deadline to half past nine in the morning tomorrow", "24 Nov 09:30"),
        ("Frist: morgen 20 Uhr 30", "24 Nov 20:30"),
        ("Deadline today at 5.30 pm", "23 Nov 17:30"),
        ("Deadline tomorrow noon", "24 Nov 12:00"),
        ("Move the deadline to 27.11. 18:00", "27 Nov 18:00"),
    ],
)
def test_a_deadline_may_have_its_time_in_words(table: Table, text: str, time: str) -> None:
    receipt = table.reply(table.emails_to(MODERATOR)[-1], text)[-1]

    assert f"SET DEADLINE {time} (" in receipt.words


@pytest.mark.parametrize(
    "text",
    [
        "Dites-moi si quelque chose ne va pas.",
        "Let me know if anything's wrong",
        "Bitte melden Sie sich, falls etwas nicht stimmt.",
    ],
)
def test_whether_something_is_wrong_is_answered_by_the_receipt(table: Table, text: str) -> None:
    receipt = table.send("FRANCE", text)

    assert text in receipt.words
    assert "no orders and no commands" not in receipt.words
    assert "keine Befehle und keine Kommandos" not in receipt.words


@pytest.mark.parametrize(
    "text", ["Margaret, can this be changed?", "Dear Margaret, can this be changed?"]
)
def test_a_question_for_the_moderator_by_name_gets_no_page_of_help(
    table: Table, text: str
) -> None:
    table.reply(table.emails_to(MODERATOR)[-1], "SET HANDLE Margaret")

    receipt = table.send("FRANCE", text)

    assert "SET RULE" not in receipt.words
    assert "moderator gets a copy" in receipt.words
    assert text in table.emails_to(MODERATOR, "forwarded")[-1].words


@pytest.mark.parametrize("line", ["SHOW DEADLINE", "SHOW GAME", "show game baltic", "SHOW STATUS"])
def test_old_hands_are_shown_the_game(table: Table, line: str) -> None:
    answer = table.send("FRANCE", line)

    assert "The deadline for orders is" in answer.words


def test_what_cannot_be_taken_back_is_quoted(table: Table) -> None:
    answer = table.send("FRANCE", "Please ignore my last mail\n\nFOOBAR")

    assert "nothing to cancel" in answer.words
    assert "FOOBAR" in answer.words


def test_a_wish_below_a_name_with_and_in_it_is_answered(judge: Table) -> None:
    judge.start("lyra", variant="spice-islands")
    judge.run_once()
    text = "Armee Roi Et nach Pegu\nSchick mir bitte die Karte."

    [answer] = judge.reply(judge.latest("AYUTTHAYA", "lyra"), text)

    assert "A Roi-Peg" in answer.words
    assert "Schick mir bitte die Karte." in answer.words
