"""MAP: the board of any phase as a picture, for those who may see it."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from judge.adapters.variant_files import load_map
from judge.app.commands.queries import ShowMap
from judge.app.commands.table import COMMANDS
from judge.app.outbound import maps
from judge.app.ports.people import MailForm
from judge.game.payloads import position_from_payload
from judge.mail.body import Line
from judge.mail.compose import recipes_of
from judge.pictures.scene import Scene
from judge.rules.types import Move, UnitKind, UnitName
from tests.support.table import MODERATOR, Mail, Table, address_of


@pytest.fixture
def form() -> MailForm:
    return MailForm.PICTURES


def scenes(table: Table, mail: Mail) -> list[Scene]:
    """Return the scenes in the pictures of *mail*."""
    return [maps.scene_of(each) for each in recipes(table, mail)]


def recipes(table: Table, mail: Mail) -> tuple[bytes, ...]:
    with table.database.read() as transaction:
        found = transaction.outbox.find(mail.message_id)
    assert found
    return recipes_of(found.raw)


@pytest.mark.parametrize(
    ("line", "game", "phase"),
    [
        ("MAP", None, None),
        ("map baltic", "baltic", None),
        ("Map Baltic F1902M", "Baltic", "F1902M"),
        ("MAP F1902M", None, "F1902M"),
        ("MAP baltic Fall 1902 Movement", "baltic", "F1902M"),
    ],
)
def test_map_names_a_game_a_phase_both_or_neither(
    line: str, game: str | None, phase: str | None
) -> None:
    said = COMMANDS.read(Line(1, line), load_map(), first=True)

    assert isinstance(said, ShowMap)
    assert (said.game, said.phase) == (game, phase)


def test_map_sends_the_open_phase_as_a_picture_and_in_words(table: Table) -> None:
    answer = table.send("FRANCE", "MAP")

    [recipe] = recipes(table, answer)
    with Image.open(BytesIO(maps.draw_recipe(table.judge, recipe))) as picture:
        assert picture.width == maps.WIDTH
    assert "S1901M Board" in answer.subject
    assert "France: Army Paris." in answer.text
    assert "cid:" in answer.html


def test_the_map_of_a_closed_phase_shows_all_orders_and_outcomes(table: Table) -> None:
    table.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H")
    answer = table.send("TURKEY", "MAP baltic S1901M")

    judged, after = scenes(table, answer)
    assert Move(UnitName(UnitKind.ARMY, "PAR"), "BUR") in [each.order for each in judged.orders]
    assert {str(unit) for unit in after.position.units_of("FRANCE")} >= {"A BUR"}
    assert "S1901M Board" in answer.subject
    assert "Paris -> Burgundy" in answer.text


def test_the_map_of_the_open_phase_shows_ones_own_orders_and_never_those_of_others(
    table: Table,
) -> None:
    table.send("GERMANY", "A Mun-Bur")
    table.send("FRANCE", "A Mar-Spa")

    mine, theirs = table.send("FRANCE", "MAP"), table.send("ITALY", "MAP baltic")
    [own], [foreign] = scenes(table, mine), scenes(table, theirs)
    assert {each.power for each in own.orders} == {"FRANCE"}
    assert foreign.orders == ()
    assert "A Mar-Spa" in mine.text
    assert "BUR" not in mine.text
    assert "Mar-Spa" not in theirs.text


def test_a_moderator_sees_no_orders_on_the_map_before_the_phase_closes(table: Table) -> None:
    table.send("GERMANY", "A Mun-Bur")
    start = table.emails_to(MODERATOR)[-1]

    [answer] = table.reply(start, "MAP")
    [scene] = scenes(table, answer)
    assert scene.orders == ()


def test_in_a_blind_game_the_map_shows_what_its_reader_sees(judge: Table) -> None:
    judge.start("dark", "blind=yes", moderator=MODERATOR)
    judge.play("dark")

    [seen] = scenes(judge, judge.send("FRANCE", "MAP dark", "dark"))
    assert not seen.position.units_of("TURKEY")
    before, after = scenes(judge, judge.send("FRANCE", "MAP dark S1901M", "dark"))
    assert not before.position.units_of("TURKEY")
    assert not after.position.units_of("TURKEY")
    assert {each.power for each in before.orders} <= {"FRANCE"}

    start = judge.emails_to(MODERATOR)[-1]
    [whole] = scenes(judge, judge.reply(start, "MAP")[0])
    assert whole.position.units_of("TURKEY")


def test_a_stranger_sees_the_map_of_a_listed_game_and_of_no_other(judge: Table) -> None:
    judge.start("baltic")
    judge.start("hidden", "listed=no")

    [public] = judge.mail("somebody@example.org", "MAP baltic")
    [none] = judge.mail("somebody-else@example.org", "MAP hidden")
    assert len(recipes(judge, public)) == 1
    assert recipes(judge, none) == ()
    assert "hidden" not in none.text


def test_a_plain_text_reader_gets_the_picture_they_ask_for(table: Table) -> None:
    table.send("FRANCE", "SET MAILS TEXT")

    assert len(recipes(table, table.send("FRANCE", "MAP"))) == 1


def test_an_operator_who_allows_no_pictures_sends_none_and_the_answer_says_so(
    table: Table,
) -> None:
    table.judge = replace(table.judge, form=MailForm.HTML)
    answer = table.send("FRANCE", "MAP")

    assert recipes(table, answer) == ()
    assert "This judge sends no pictures" in answer.words
    assert "France: Army Paris." in answer.text


def test_a_phase_that_was_never_played_has_no_map(table: Table) -> None:
    answer = table.send("FRANCE", "MAP F1999M")

    assert recipes(table, answer) == ()
    assert "map" in answer.text.casefold()


def test_the_map_comes_with_the_receipt_for_orders_in_the_same_email(table: Table) -> None:
    answer = table.send("FRANCE", "A Mar-Spa\nMAP")

    assert table.current_orders("FRANCE") == ("A MAR - SPA",)
    assert len(recipes(table, answer)) == 1


def test_one_email_gets_few_maps(table: Table) -> None:
    table.play()
    asked = "A Mar-Spa\nMAP\nMAP S1901M\nMAP baltic\nMAP baltic S1901M"

    assert 1 <= len(recipes(table, table.send("FRANCE", asked))) <= 4


def test_the_start_email_shows_the_board(table: Table) -> None:
    [start] = table.emails_to(address_of("FRANCE"), "game_start")

    [scene] = scenes(table, start)
    assert len(scene.position.units) == 22


def test_a_takeover_email_shows_the_board(table: Table) -> None:
    table.send("TURKEY", "RESIGN")
    confirm = [mail for mail in table.outbox() if mail.kind == "confirm_mail"][-1]
    table.reply(confirm, confirm.yes)
    [asked] = table.mail("newcomer@example.org", "JOIN baltic Turkey")
    table.reply(asked, "YES")

    [told] = table.emails_to("newcomer@example.org", "takeover")
    [scene] = scenes(table, told)
    assert len(scene.position.units) == 22
    assert "Turkey: Army Smyrna." in told.text
    others = table.emails_to(address_of("FRANCE"), "takeover")
    assert all(recipes(table, each) == () for each in others)


def results_to_france(table: Table) -> Mail:
    table.play(FRANCE="A Par-Bur\nA Mar H\nF Bre H")
    return table.emails_to(address_of("FRANCE"), "phase_results")[-1]


def test_results_have_two_pictures_the_orders_and_the_position_afterwards(table: Table) -> None:
    told = results_to_france(table)

    judged, after = scenes(table, told)
    assert judged.orders
    assert not after.orders
    assert {str(unit) for unit in judged.position.units_of("FRANCE")} >= {"A PAR"}
    assert {str(unit) for unit in after.position.units_of("FRANCE")} >= {"A BUR"}
    assert told.html.count("cid:") == 2


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("SET MAILS ORDERS PICTURE", [True]),
        ("SET MAILS POSITION PICTURE", [False]),
        ("SET MAILS PICTURE OF THE POSITION", [False]),
        ("SET MAILS BOTH PICTURES", [True, False]),
        ("SET MAILS POSITION PICTURE\nSET MAILS PICTURES BOTH", [True, False]),
    ],
)
def test_each_player_chooses_the_pictures_of_results(
    table: Table, said: str, orders: list[bool]
) -> None:
    receipt = table.send("FRANCE", said)
    told = results_to_france(table)

    assert [bool(each.orders) for each in scenes(table, told)] == orders
    assert told.html.count("cid:") == len(orders)
    assert "not understood" not in receipt.text
    assert len(scenes(table, table.emails_to(address_of("ITALY"), "phase_results")[-1])) == 2


def test_no_picture_holds_more_than_its_reader_may_see(judge: Table) -> None:
    judge.start("dark", "blind=yes")
    judge.play("dark", TURKEY="A Con-Bul\nA Smy H\nF Ank H")

    [told] = judge.emails_to(address_of("FRANCE"), "phase_results")
    drawn = [json.loads(zlib.decompress(each)) for each in recipes(judge, told)]
    assert len(drawn) == 2
    assert all("BUL" not in json.dumps(each["outcomes"]) for each in drawn)
    assert not any(position_from_payload(each["position"]).units_of("TURKEY") for each in drawn)


def test_the_map_of_a_game_that_has_not_started_is_its_starting_position(table: Table) -> None:
    table.open("kiel", variant="pure")
    [confirm] = table.mail("anna@players.example", "JOIN kiel")
    joined = table.confirm(confirm)[-1]

    [answer] = table.reply(joined, "MAP")

    assert "Starting position" in answer.words
    assert scenes(table, answer)
