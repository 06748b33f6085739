"""Lines that open press without the PRESS command, and lines that are prose."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.mail.body import Line
from judge.mail.reader.press_blocks import LINE_MAX, misdirected_press, press_in_subject

BOARD = load_map()


def opening(line: str, *below: str) -> tuple[str, int] | None:
    """Return the PRESS command for the press that *line* opens, and how much *below* it takes."""
    lines = [Line(number, text) for number, text in enumerate(below, start=2)]
    found = misdirected_press(Line(1, line), lines, BOARD)
    return (found[0].opening, found[1]) if found else None


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("Message to Germany:", "GERMANY"),
        ("Message for Germany: let us ally", "GERMANY"),
        ("Private letter to Germany", "GERMANY"),
        ("Send a message to Italy:", "ITALY"),
        ("Please write to Germany and England:", "GERMANY, ENGLAND"),
        ("Tell Germany:", "GERMANY"),
        ("TELL G", "GERMANY"),
        ("[PRESS TO G]", "GERMANY"),
        ("**Press to Germany, the master**", "GERMANY, MASTER"),
        ("Press to Germany - A Par-Bur, you A Mun-Ruh?", "GERMANY"),
        ("PRESS GERMANY hello", "GERMANY"),
        ("TO GERMANY:", "GERMANY"),
        ("To: Germany", "GERMANY"),
        ("To EFG:", "ENGLAND, FRANCE, GERMANY"),
        ("To Germnay:", "GERMANY"),
        ("To all:", "ALL"),
        ("@Germany", "GERMANY"),
        ("Dear Germany,", "GERMANY"),
        ("BROADCAST hi all", "ALL"),
        ("Broadcast: hello", "ALL"),
        ("For Germany:", "GERMANY"),
        ("For Germany's eyes only:", "GERMANY"),
        ("Hi Germany, here's my plan:", "GERMANY"),
        ("Hallo Deutschland!", "GERMANY"),
        ("Hello Germany", "GERMANY"),
        ("Hello Germany and Italy,", "GERMANY, ITALY"),
        ("Cher Allemagne,", "GERMANY"),
        ("Dear Austria-Hungary,", "AUSTRIA"),
        ("Press: Germany", "GERMANY"),
        ("Please forward to Germany:", "GERMANY"),
        ("Forward this to Germany", "GERMANY"),
        ("To all players:", "ALL"),
        ("An alle:", "ALL"),
        ("F>G: hi", "GERMANY"),
        ("Nachricht an Deutschland:", "GERMANY"),
        ("Message \xe0 l'Allemagne :", "GERMANY"),
        ("Guten Tag, Deutschland!", "GERMANY"),
        ("Moin Deutschland,", "GERMANY"),
        ("Good morning Germany - how about this:", "GERMANY"),
        ("Bonsoir l'Italie,", "ITALY"),
        ("[to Germany]", "GERMANY"),
        ("*To Germany*", "GERMANY"),
        ("PRIVATE: Germany", "GERMANY"),
        ("Private to Germany:", "GERMANY"),
        ("My proposal for Germany:", "GERMANY"),
        ("Vorschlag an Italien:", "ITALY"),
        ("Please tell Germany that", "GERMANY"),
        ("Could you please send this to Germany:", "GERMANY"),
        ("Can you forward to Italy?", "ITALY"),
        ("Bitte an Deutschland weiterleiten:", "GERMANY"),
        ("Weiterleiten an Deutschland:", "GERMANY"),
        ("Transmettre \xe0 l'Allemagne :", "GERMANY"),
        ("An alle Spieler:", "ALL"),
        ("\xc0 tous les joueurs :", "ALL"),
    ],
)
def test_press_is_recognized_by_many_opening_lines(line: str, whom: str) -> None:
    assert opening(line, "A Par-Bur", "See you") == (f"PRESS TO {whom}", 2)


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("Germany, A Par-Bur", "GERMANY"),
        ("Germany, Italy, A Par-Bur", "GERMANY, ITALY"),
        ("Italy and Germany, build A Par", "ITALY, GERMANY"),
        ("Germany,", "GERMANY"),
        ("Germany!", "GERMANY"),
        ("Germany, please order:", "GERMANY"),
        ("Germany - would you do this:", "GERMANY"),
        ("**Germany**, what about these two:", "GERMANY"),
        ("Deutschland, bitte:", "GERMANY"),
        ("Lieber Deutscher,", "GERMANY"),
        ("Liebe Italiener!", "ITALY"),
        ("Dear Turks", "TURKEY"),
        ("To my friend in Berlin:", "GERMANY"),
        ("To my dear ally in St. Petersburg:", "RUSSIA"),
        ("Dear friend in Vienna,", "AUSTRIA"),
        ("An meinen Freund in Berlin:", "GERMANY"),
        ("\xc0 mon ami \xe0 Londres :", "ENGLAND"),
    ],
)
def test_a_player_is_addressed_by_name_or_city(line: str, whom: str) -> None:
    found = misdirected_press(Line(1, line), [Line(2, "A Par-Bur")], BOARD, "FRANCE")

    assert found
    assert (found[0].opening, found[1]) == (f"PRESS TO {whom}", 1)


@pytest.mark.parametrize(
    "line",
    [
        "France, A Par-Bur",  # its own name
        "France, Germany, A Par-Bur",
        "Frankreich,",
        "Liebe Franzosen,",
        "To my friends in Paris:",
        "Germany",
        "Germany:",
        "Germany, I think, is weak",
        "Germany, Austria and Italy: hello",
        "Germany is weak, A Par-Bur",
        "Italy and Austria, like us, are far",
        "Italy, Austria",
        "a, b, A Par-Bur",
        "A, F Bre-Mao",
        "Paris, A Mar-Spa",
        "To be clear, A Par-Bur",
        "To my army in Berlin: hold",
        "To my friend in need:",
        "To my friend in Gascony:",
        "To the east of Berlin:",
        "To hold in Munich:",
        "To win in Berlin:",
        "France, please order:",
        "Judge, please order:",
        "Germany, please stop that.",
        "Germany - my friend - is weak:",
        "Germany, pleased with himself, may come:",
        "Greetings from Germany:",
        "Greetings from Paris,",
        "Good morning, judge!",
        "Good day to you all,",
        "Moin zusammen,",
        "Hello, Germany is near.",
        "Hi - Germany is near:",
        "My proposal for Spring 1901:",
        "Proposals:",
        "An offer to end the war:",
        "Private joke:",
        "In private: A Par-Bur",
        "I was told to tell Germany that",
        "Please tell Germany that I hold, and order:",
        "Could you tell me whether these are right:",
        "Would you please process these:",
        "(to Germany)",
        "to Germany",
        "Weiterleiten verboten!",
        "All players like this:",
        "To the GM:",
        "For the moderator:",
    ],
)
def test_no_other_name_or_place_addresses_anybody(line: str) -> None:
    assert misdirected_press(Line(1, line), [Line(2, "A Par-Bur")], BOARD, "FRANCE") is None


def test_a_name_may_be_that_of_a_sender_whose_power_is_unknown() -> None:
    assert opening("Germany, A Mun-Bur") is None


@pytest.mark.parametrize(
    "end",
    [
        *("END", "end message", "/message", "[/PRESS]", "END OF PRESS", "End of message."),
        *("ENDPRESS", "END BROADCAST", "EOM", "Ende der Nachricht", "Fin"),
    ],
)
def test_it_ends_in_any_words(end: str) -> None:
    assert opening("TELL G", "A Par-Bur", end, "F Bre-Mao") == ("PRESS TO GERMANY", 2)


def test_with_other_words_it_wants_an_end() -> None:
    assert opening("TELL G I am coming", "END") == ("PRESS TO GERMANY", 1)
    assert opening("TELL G I am coming", "A Par-Bur") is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "Germany:",
        "Germany: A Mun-Bur",
        "Orders for Germany:",
        "Support to Germany:",
        "Thanks to Germany:",
        "To Germany's surprise:",
        "To Germany with love",
        "to Italy",
        "To win, England must fall",
        "TO BURGUNDY:",
        "A Par to Bur",
        "A letter from Germany:",
        "Note: Germany attacks",
        "Message to self",
        "Write to me",
        "Tell Germany I am coming",
        "Tell me about Germany",
        "Say hello to Germany",
        "Send A Par to Germany",
        "Dear all,",
        "Dear moderator,",
        "Dear Germany, I hope that you are well",
        "Hello",
        "Hi all,",
        "Hello judge,",
        "Hi Germany, A Mun-Bur:",
        "Hi Germany is fun",
        "For Germany",
        "for Germany I did much",
        "For all I know",
        "For Germany's sake:",
        "For now: A Par-Bur",
        "Press: none",
        "F>Eng",
        "A>Bur: yes",
        "Pass to Burgundy:",
        "Press on!",
        "Press reports of Germany",
        "Broadcast was fun",
        "To Germany: " + "x" * LINE_MAX,
    ],
)
def test_other_lines_open_none(line: str) -> None:
    assert opening(line, "A Par-Bur", "See you") is None


@pytest.mark.parametrize("line", ["Dear Germany,", "For Germany:", "Hallo Deutschland!"])
def test_a_greeting_to_oneself_opens_no_press(line: str) -> None:
    assert misdirected_press(Line(1, line), [Line(2, "A Mun H")], BOARD, "GERMANY") is None
    assert misdirected_press(Line(1, line), [Line(2, "A Mun H")], BOARD, "FRANCE")


def test_press_addressed_to_oneself_may_be_pasted_from_another() -> None:
    assert misdirected_press(Line(1, "Message to Germany:"), [], BOARD, "GERMANY")


@pytest.mark.parametrize("subject", ["To Germany", "Message to Germany", "Dear Germany!"])
def test_a_subject_may_open_press(subject: str) -> None:
    assert press_in_subject(subject, BOARD)


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "Re: To Germany",
        "JUDGE:baltic - S1901M Press from Germany to France",
        "Orders for Germany",
        "Germany",
        "To win",
        "x" * LINE_MAX,
    ],
)
def test_another_subject_opens_none(subject: str) -> None:
    assert press_in_subject(subject, BOARD) is None


@pytest.mark.parametrize("line", ["stop", "/", "--", "ending", "END PREVIEW", "A Par H"])
def test_other_lines_end_none(line: str) -> None:
    assert opening("TELL G", line, "A Par-Bur") == ("PRESS TO GERMANY", 2)
