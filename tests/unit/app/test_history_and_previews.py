"""HISTORY, WHY, PREVIEW, SUMMARY, WHOGAME and LIST: what each reader may learn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.table import MODERATOR, Mail, Table, address_of

SPRING = {
    "FRANCE": "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao",
    "GERMANY": "A Mun-Bur\nF Kie-Den\nA Ber-Kie",
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Return a game in its first Fall, shared by the tests, which only ask questions."""
    table = Table(tmp_path_factory.mktemp("telling"))
    table.start("baltic", "press=all", moderator=MODERATOR)
    table.send("ITALY", "PRESS TO ALL\nThe Pope greets all.\nENDPRESS")
    table.send("ITALY", "PRESS TO AUSTRIA\nTrieste is safe.\nENDPRESS")
    table.all_hold(but=tuple(SPRING))
    for power, text in SPRING.items():
        table.send(power, text)
    table.wait_until(table.clock.time.replace(day=30, hour=20, minute=30))
    table.pass_time(hours=1)
    assert table.phase() == "F1901M"
    yield table
    table.close()


def asked(table: Table, power: str, text: str) -> Mail:
    answers = table.reply(table.latest(power), text)
    return next(mail for mail in answers if mail.recipient == address_of(power))


def test_history_repeats_the_results(table: Table) -> None:
    answer = asked(table, "TURKEY", "HISTORY")

    assert "France: Army Paris -> Burgundy." in answer.text
    assert "Germany: Army Munich -> Burgundy.  (*bounce*)" in answer.text
    assert "The Pope" not in answer.text


def test_summary_has_no_row_for_a_year_that_is_not_over(table: Table) -> None:
    answer = asked(table, "TURKEY", "SUMMARY")

    rows = [line.split()[0] for line in answer.text.splitlines() if line.strip()[:2] == "19"]
    assert set(rows) == {"1900"}


def test_history_with_notices_has_press_to_all_but_no_other(table: Table) -> None:
    answer = asked(table, "TURKEY", "HISTORY BROAD")

    assert "The Pope greets all." in answer.text
    assert "Trieste is safe." not in answer.text


@pytest.mark.parametrize(
    "span",
    ["FROM F1901M", "TO 2026-11-01", "EXCLSTART S1901M EXCLEND S1901M", "FROM 2027-01-01"],
)
def test_history_shows_only_the_requested_parts(table: Table, span: str) -> None:
    answer = asked(table, "TURKEY", f"HISTORY baltic {span}")

    assert "There are no such results" in answer.words


def test_history_is_no_longer_than_asked_for_but_has_a_page(table: Table) -> None:
    answer = asked(table, "TURKEY", "HISTORY BROAD LINES 5")

    assert "does not fit" in answer.words or "did not fit" in answer.words
    assert "France: Army Paris -> Burgundy." in answer.text


def test_a_stranger_gets_no_more_than_one_page(table: Table) -> None:
    [answer] = table.mail("curious@example.org", "HISTORY baltic BROAD")

    assert "1 page." in answer.words
    assert "did not fit" in answer.words


def test_why_cites_the_rule_by_which_an_order_failed(table: Table) -> None:
    answer = asked(table, "GERMANY", "WHY A Mun-Bur")

    assert "Germany, A Mun-Bur bounced: 1 against 2" in answer.words
    assert "(rulebook" in answer.text


def test_why_names_the_order_given_instead(table: Table) -> None:
    answer = asked(table, "GERMANY", "WHY S1901M A Mun-Tyr, A Mu-Bur")

    assert "It was not ordered. - Instead, Germany: A Mun-Bur bounced" in answer.words
    assert "This cannot be read as an order." in answer.words


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("A Mun", "Germany, A Mun-Bur bounced: 1 against 2"),
        ("S1901M A Bur?", "France, A Par-Bur succeeded"),  # moved there
        ("the army in Paris", "France, A Par-Bur succeeded"),
        ("A Gas", "There was no such unit."),
    ],
)
def test_why_of_a_unit_is_why_of_its_order(table: Table, unit: str, said: str) -> None:
    assert said in asked(table, "GERMANY", f"WHY {unit}").words


@pytest.mark.parametrize(
    ("power", "question", "order"),
    [
        ("GERMANY", "WHY", "Germany, A Mun-Bur bounced"),
        ("GERMANY", "WHY Bur", "Germany, A Mun-Bur bounced"),  # their own on its way there
        ("FRANCE", "WHY Bur", "France, A Par-Bur succeeded"),
        ("TURKEY", "WHY Burgundy?", "Germany, A Mun-Bur bounced"),
        ("GERMANY", "Why did Munich bounce?", "Germany, A Mun-Bur bounced"),
        ("GERMANY", "Why did my move fail?", "Germany, A Mun-Bur bounced"),
        (
            "GERMANY",
            "Warum ist meine Armee in M\xfcnchen stehen geblieben?",
            "A Mun-Bur prallte ab",
        ),
    ],
)
def test_why_of_a_province_is_why_of_the_orders_for_it_and_why_alone_of_what_failed(
    table: Table, power: str, question: str, order: str
) -> None:
    assert order in asked(table, power, question).words


def test_why_of_a_phase_that_is_not_closed_has_no_answer(table: Table) -> None:
    answer = asked(table, "GERMANY", "WHY F1901M A Mun-Bur")

    assert "WHY: refused. This game has not played that phase." in answer.words


def test_a_preview_adjudicates_orders_of_any_power(table: Table) -> None:
    answer = asked(
        table, "FRANCE", "PREVIEW\nA Bur-Mun\nA Mar-Bur\nGermany: A Mun-Tyr\nENDPREVIEW"
    )

    assert "France: Army Burgundy -> Munich.\n" in answer.text
    assert "Germany: Army Munich -> Tyrolia.\n" in answer.text
    assert "- France: A Bur, F Mao, A Mun." in answer.text
    assert table.current_orders("FRANCE") == ()


def test_a_preview_knows_nothing_of_what_others_ordered(table: Table) -> None:
    before = asked(table, "FRANCE", "PREVIEW\nA Bur-Mun").text
    table.send("GERMANY", "A Mun H\nA Kie S A Mun")

    after = asked(table, "FRANCE", "PREVIEW\nA Bur-Mun").text

    assert before.partition("To answer")[0] == after.partition("To answer")[0]
    table.send("GERMANY", "CLEAR")


def test_a_preview_of_ones_own_orders_replaces_them_unit_by_unit(table: Table) -> None:
    table.send("FRANCE", "A Bur-Bel\nA Mar-Spa")

    alone = asked(table, "FRANCE", "PREVIEW")
    other = asked(table, "FRANCE", "PREVIEW MINE\nA Bur-Ruh")
    none = asked(table, "FRANCE", "PREVIEW\nF Mao-Por")

    assert "France: Army Burgundy -> Belgium.\n" in alone.text
    assert "France: Army Burgundy -> Ruhr.\n" in other.text
    assert "France: Army Marseilles -> Spain.\n" in other.text
    assert "France: Army Marseilles, No Order Processed.\n" in none.text
    assert table.current_orders("FRANCE") == ("A BUR - BEL", "A MAR - SPA")
    table.send("FRANCE", "CLEAR")


def test_a_preview_without_an_order_says_only_what_was_not_understood(table: Table) -> None:
    answer = asked(table, "TURKEY", "PREVIEW\nA Foo-Bar\nENDPREVIEW")

    assert "Not understood: A Foo-Bar" in answer.words
    assert "Your actual orders have not changed" in answer.words
    assert "Budapest" not in answer.words
    assert "A Bud" not in answer.words


def test_nothing_below_a_preview_is_ordered(table: Table) -> None:
    answer = asked(table, "FRANCE", "PREVIEW\nA Bur-Mun\nWAIT\nA Mar-Bur\nA Mosk-Bur")

    assert table.current_orders("FRANCE") == ()
    assert "Not understood: A Mosk-Bur" in answer.text


def test_a_moderators_preview_uses_no_stored_orders(table: Table) -> None:
    table.send("FRANCE", "A Bur-Mun")
    [mail, *_] = table.emails_to(MODERATOR, "phase_results")

    [answer] = [each for each in table.reply(mail, "PREDICT") if each.recipient == MODERATOR]

    assert "France: Army Burgundy, No Order Processed." in answer.text
    table.send("FRANCE", "CLEAR")


def test_summary_shows_the_owners_of_centers(table: Table) -> None:
    answer = asked(table, "RUSSIA", "SUMMARY")

    assert "1900   T   .   G   F" in answer.text
    assert answer.text.count("player-") == 7


def test_whogame_names_handles_only(table: Table) -> None:
    answer = asked(table, "RUSSIA", "WHOGAME baltic FULL")

    assert answer.text.count("player-") == 8  # and the moderator
    assert "@players" not in answer.text


def test_in_gunboat_nobody_learns_who_plays(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("dark", "anonymous=yes")

    for question in ("WHOGAME", "SUMMARY"):
        [answer] = table.mail("curious@example.org", f"{question} dark")
        assert "player-" not in answer.text
        own = table.reply(table.latest("FRANCE", "dark"), question)[0]
        assert own.text.count("player-") == 1
    table.close()


def test_a_hidden_game_has_no_past_for_strangers(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start("hidden", "listed=no")

    for question in ("HISTORY hidden", "SUMMARY hidden", "WHOGAME hidden", "LIST hidden"):
        for answer in table.mail("curious@example.org", question):
            assert "There are no public games now." in answer.words
    table.close()


@pytest.mark.parametrize(
    ("which", "found"),
    [("PLAYING", True), ("MINE", True), ("FORMING", False), ("OVER", False), ("VACANT", False)],
)
def test_games_are_listed_by_how_far_they_are(table: Table, which: str, found: bool) -> None:  # noqa: FBT001 - a row of the table
    answer = asked(table, "ITALY", f"LIST {which}")

    assert ("baltic " in answer.text) == found


def test_several_games_are_shown_with_their_boards(table: Table) -> None:
    answer = asked(table, "ITALY", "LIST baltic, nowhere")

    assert "Status of the Movement phase" in answer.text
    assert "Status of the Movement phase" in asked(table, "ITALY", "LIST FULL").text


def test_deadlines_are_shown_in_the_readers_zone(table: Table) -> None:
    asked(table, "TURKEY", "SET ZONE Tokyo")

    assert "Asia/Tokyo (" in asked(table, "TURKEY", "STATUS").words
    assert "Asia/Tokyo" not in asked(table, "RUSSIA", "STATUS").words
    assert "Asia/Tokyo" in asked(table, "TURKEY", "LIST").words
    asked(table, "TURKEY", "SET NOZONE")
    assert "Asia/Tokyo" not in asked(table, "TURKEY", "STATUS").words


@pytest.mark.parametrize(
    ("city", "zone"),
    [
        ("Wien", "Europe/Vienna"),
        ("Zürich", "Europe/Zurich"),
        ("Londres", "Europe/London"),
        ("Istanbul", "Asia/Istanbul"),  # which is Europe/Istanbul, too
    ],
)
def test_a_city_may_have_its_name_in_any_language(table: Table, city: str, zone: str) -> None:
    assert f"({zone})" in asked(table, "TURKEY", f"SET ZONE {city}").words


def test_an_unknown_zone_is_answered_with_the_nearest(table: Table) -> None:
    answer = asked(table, "TURKEY", "SET ZONE Europe/Brlin")

    assert "Did you mean: SET ZONE Europe/Berlin" in answer.words


def test_a_one_tap_link_writes_what_it_says(table: Table) -> None:
    reminder = asked(table, "TURKEY", "STATUS")

    assert "?subject=WAIT&body=WAIT>" in reminder.text
    assert f"<mailto:judge%2B{reminder.token}@judge.example?" in reminder.text


def test_each_confirmation_question_says_why(table: Table) -> None:
    mail = table.latest("AUSTRIA")

    elsewhere = table.reply(mail, "A Vie H", sender="cafe@example.org")[0]
    [named] = table.mail(address_of("RUSSIA"), "A Mos H", subject="JUDGE:baltic hello")
    resigns = next(
        m for m in table.reply(table.latest("ENGLAND"), "RESIGN") if "resign" in m.subject
    )

    assert "an address that you have not registered" in elsewhere.words
    assert "does not answer an email of the judge" in named.words
    assert "With it you lose your place in the game" in resigns.words


def test_there_is_nothing_to_preview_before_the_start_and_none_for_strangers(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    table.open("early")
    [joined] = [mail for mail in table.join("early", "FRANCE") if mail.kind == "joined"]

    early = table.reply(joined, "PREVIEW\nA Par-Bur\nWHY A Par-Bur")
    [stranger] = table.mail("curious@example.org", "PREVIEW\nA Par-Bur")

    assert "PREVIEW: refused. The game has not started yet." in early[0].words
    assert "cannot tell which game your email is about" in stranger.words
    table.close()


def test_history_has_notices_if_they_are_asked_for(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start()
    table.pass_time(hours=24 * 8)  # past the deadline, of which everybody has a late notice

    plain, broad = (asked(table, "FRANCE", f"HISTORY{rest}") for rest in ("", " BROAD"))

    assert "There are no such results" in plain.words
    assert "deadline" in broad.words
    assert "There are no such results" not in broad.words
    table.close()


@pytest.mark.parametrize("line", ["HISTORY x LINES many", "HISTORY x FROM", "HISTORY x BROAD no"])
def test_a_history_that_cannot_be_read_is_asked_about(table: Table, line: str) -> None:
    assert "Did you mean: HISTORY" in asked(table, "ITALY", line).words


def test_why_of_a_destroyed_unit_says_why_each_place_was_closed(judge: Table) -> None:
    judge.start("baltic")
    judge.play(
        AUSTRIA="A Vie-Boh\nA Bud-Vie\nF Tri H",
        RUSSIA="A War-Sil\nA Mos-Ukr\nF Sev H\nF Stp(sc) H",
        GERMANY="A Mun-Tyr\nA Ber-Mun\nF Kie H",
    )
    judge.play(
        AUSTRIA="A Boh H\nA Vie-Gal\nF Tri H",
        RUSSIA="A Sil S A Tyr-Boh\nA Ukr-Gal\nF Sev H\nF Stp(sc) H",
        GERMANY="A Tyr-Boh\nA Mun S A Tyr-Boh\nF Kie H",
    )

    answer = asked(judge, "AUSTRIA", "WHY F1901M A Boh")

    assert (
        "It had no retreat: Gal (bounce), Mun (A Mun), Sil (A Sil), Tyr (the attack came from "
        "there), Vie (A Vie)."
    ) in answer.words
