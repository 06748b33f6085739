"""Each reader gets emails in their own language, also within one game."""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.policy import default

import pytest
from lxml.html import document_fromstring

from judge.app.admin import game_admin
from judge.app.ports.people import MailForm
from tests.support.replays import page_of
from tests.support.table import Mail, Table, address_of


@pytest.fixture
def form() -> MailForm:
    return MailForm.PICTURES


@pytest.fixture(name="babel")
def game_in_three_languages(table: Table) -> Table:
    """Start a game with a German, a French and otherwise English readers."""
    table.send("GERMANY", "SET LANGUAGE DEUTSCH")
    table.send("FRANCE", "SET LANGUAGE francais")
    return table


def told(mails: Sequence[Mail], power: str) -> Mail:
    [mail] = [each for each in mails if each.recipient == address_of(power)]
    return mail


def html(table: Table, mail: Mail) -> str:
    with table.database.read() as transaction:
        found = transaction.outbox.find(mail.message_id)
    assert found
    body = message_from_bytes(found.raw, policy=default).get_body(("html",))
    assert body
    return str(body.get_content())


def test_everybody_reads_english_until_they_choose_another_language(table: Table) -> None:
    before = table.send("ITALY", "STATUS")
    chosen = table.send("ITALY", "SET LANGUAGE DE")
    after = table.send("ITALY", "STATUS")
    back = table.send("ITALY", "SET LANGUAGE Englisch")

    assert "Status of the Movement phase for Spring of 1901." in before.words
    assert "Deine Mails kommen in dieser Sprache." in chosen.words
    assert "(Deutsch)" in chosen.words
    assert "Stand der Zugphase, Fr\xfchjahr 1901." in after.words
    assert "Your emails will be in this language. Commands" in back.words


def test_an_unknown_language_is_answered_with_the_list(table: Table) -> None:
    answer = table.send("ITALY", "SET LANGUAGE KLINGON")

    assert "SET LANGUAGE EN, SET LANGUAGE DE or SET LANGUAGE FR" in answer.words


def test_a_receipt_names_powers_and_choices_in_the_language_of_its_reader(table: Table) -> None:
    table.send("ITALY", "SET LANGUAGE DE")
    receipt = table.send("ITALY", "SET CONCEDE RUSSIA\nSET LANGUAGE KLINGON")

    assert "(Russland)" in receipt.words
    assert "SET LANGUAGE EN, SET LANGUAGE DE oder SET LANGUAGE FR" in receipt.words


def test_each_reader_of_one_game_gets_their_own_language(babel: Table) -> None:
    results = babel.play(
        FRANCE="A Par-Bur\nA Mar H\nF Bre H", GERMANY="A Mun-Bur\nA Ber H\nF Kie H"
    )

    english, german, french = (told(results, power) for power in ("ITALY", "GERMANY", "FRANCE"))
    assert "Germany: Army Munich -> Burgundy.  (*bounce*)" in english.text
    assert "Deutschland: Armee M\xfcnchen -> Burgund.  (*abgeprallt*)" in german.text
    assert "Allemagne: Arm\xe9e Munich -> Bourgogne.  (*rebond*)" in french.text
    assert "Deine Befehle f\xfcr F1901M" in german.words
    assert "Vos ordres pour F1901M" in french.words
    assert 'lang="en"' in html(babel, english)
    assert 'lang="de"' in html(babel, german)
    assert 'lang="fr"' in html(babel, french)


def test_press_is_framed_in_the_readers_language(babel: Table) -> None:
    answers = babel.reply(babel.latest("ITALY"), "PRESS TO G,F\nShall we?\nENDPRESS")

    german, french = (told(answers, power) for power in ("GERMANY", "FRANCE"))
    assert "Presse von Italien an Deutschland und Frankreich in 'baltic':" in german.words
    assert "Message de l'Italie \xe0 la France et l'Allemagne" in french.words or (
        "Message de l'Italie \xe0 l'Allemagne et \xe0 la France" in french.words
    )
    assert "Shall we?" in german.text
    assert "Shall we?" in french.text


def test_confirmation_questions_are_in_the_readers_language(babel: Table) -> None:
    asked = babel.mail(address_of("GERMANY"), "RESIGN baltic")

    assert any("Bitte best\xe4tige" in each.subject for each in asked)


def test_orders_may_be_in_any_language(babel: Table) -> None:
    german = babel.send(
        "GERMANY", "Armee M\xfcnchen nach Burgund\nA Berlin h\xe4lt\nF Kiel - D\xe4nemark"
    )
    babel.send("FRANCE", "Arm\xe9e Paris vers Bourgogne\nA Marseille tient\nF Brest - Manche")
    babel.send("ITALY", "Armee Venedig - Tirol\nA Rome soutient A Venise\nF Nap-Ion")

    assert babel.current_orders("GERMANY") == ("A MUN - BUR", "A BER H", "F KIE - DEN")
    assert babel.current_orders("FRANCE") == ("A PAR - BUR", "A MAR H", "F BRE - ENG")
    assert babel.current_orders("ITALY") == ("A VEN - TYR", "A ROM S A VEN", "F NAP - ION")
    assert "A Mun-Bur" in german.text


@pytest.mark.parametrize(
    ("power", "language", "mark", "reason"),
    [
        pytest.param("ITALY", "en", "bounce", "bounced: 1 against 1", id="English"),
        pytest.param("GERMANY", "de", "abgeprallt", "prallte ab: 1 gegen 1", id="German"),
        pytest.param("FRANCE", "fr", "rebond", "a rebondi : 1 contre 1", id="French"),
    ],
)
def test_a_move_that_failed_against_equal_strength_is_called_a_bounce_everywhere(
    babel: Table, power: str, language: str, mark: str, reason: str
) -> None:
    """Check the orders list, the HTML, the reasons, the map and the replay."""
    results = babel.play(
        FRANCE="A Par-Bur\nA Mar H\nF Bre H", GERMANY="A Mun-Bur\nA Ber H\nF Kie H"
    )
    mail = told(results, power)
    replay = page_of(game_admin.public_record_of_game(babel.judge, "baltic"), language=language)
    list_item = document_fromstring(replay).xpath("//li[b='A Mun-Bur']/em/text()")

    assert f".  (*{mark}*)" in mail.text
    assert f"A Mun-Bur {reason}" in mail.words
    assert mark in html(babel, mail)
    assert list_item == [mark]
    assert f"A MUN - BUR ({mark})" in replay
    assert f"A Mun-Bur {reason}" in replay


def test_a_plain_language_is_answered_in_it_and_asked_about_once(table: Table) -> None:
    first = table.send("ITALY", "Wann ist denn die n\xe4chste Frist?")
    second = table.send("ITALY", "Sind meine Befehle schon angekommen?")
    kept = table.reply(second, "SET LANGUAGE DE")[-1]

    assert "Es fehlen: F Nap, A Rom, A Ven." in first.words
    assert "Damit alle Mails so kommen, antworte: SET LANGUAGE DE" in first.words
    assert "subject=SET%20LANGUAGE%20DE" in first.text
    assert "Es fehlen:" in second.words
    assert "SET LANGUAGE" not in second.words
    assert "Deine Mails kommen in dieser Sprache." in kept.words


@pytest.mark.parametrize(
    "text",
    [
        "A Rom-Ven\nCiao",
        "A Ven H\nMerci!",
        "PRESS TO FRANCE\nBonjour, je suis d'accord.\nENDPRESS",
    ],
)
def test_no_other_language_than_that_of_whole_sentences_is_answered(
    table: Table, text: str
) -> None:
    assert "Missing:" in table.send("ITALY", text).words


def test_a_language_chosen_in_the_email_is_the_one_of_its_answer(table: Table) -> None:
    receipt = table.send("ITALY", "SET LANGUAGE FR\nWann ist denn die n\xe4chste Frist?")

    assert "Manquent :" in receipt.words
