"""Parts of an email: text, HTML, board pictures, calendar entries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from judge.adapters.variant_files import load_art
from judge.app.outbound import maps
from judge.app.outbound.maps import MapPainter
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import MailForm
from judge.mail.compose import recipes_of
from judge.notation.order_text import write_order
from judge.pictures.board_art import BoardArt
from judge.reports.emails.contexts import addressed_to_reader
from judge.rules.outcomes import Fails
from tests.support.table import MODERATOR, Table, address_of
from tests.unit.reports.samples import samples

PICTURE_BYTES_MAX = 150_000
PARTS = {
    "TEXT": ["text/plain"],
    "HTML": ["text/plain", "text/html", "text/calendar"],
    "PICTURES": ["text/plain", "text/html", "image/png", "image/png", "text/calendar"],
}


@pytest.fixture
def form() -> MailForm:
    return MailForm.PICTURES


@pytest.fixture(name="results")
def results_of_a_spring(table: Table) -> list[OutgoingMail]:
    """Play a first Spring and return its results."""
    table.play(FRANCE="A Par-Bur\nA Mar-Bur\nF Bre H", GERMANY="A Mun-Bur\nA Ber H\nF Kie H")
    return results(table)


def results(table: Table) -> list[OutgoingMail]:
    with table.database.read() as transaction:
        told = [mail for mail in table.outbox() if mail.kind == "phase_results"]
        found = [transaction.outbox.find(mail.message_id) for mail in told]
    return [mail for mail in found if mail]


def carried(judge: Judge, mails: Sequence[OutgoingMail]) -> list[OutgoingMail]:
    """Return *mails* as the carrier sends them, one by one."""

    async def carry() -> list[OutgoingMail]:
        painter = MapPainter(judge)
        return [await painter.finished(mail) for mail in mails]

    return asyncio.run(carry())


def no_art(variant: str) -> BoardArt | None:
    raise LookupError(variant)


def parts(raw: bytes) -> list[EmailMessage]:
    walked = message_from_bytes(raw, policy=default).walk()
    return [part for part in walked if not part.is_multipart()]


def types(raw: bytes) -> list[str]:
    return [part.get_content_type() for part in parts(raw)]


@pytest.mark.parametrize("wish", PARTS)
def test_a_player_chooses_the_parts_of_their_emails(table: Table, wish: str) -> None:
    table.send("FRANCE", f"SET MAILS {wish}")
    table.play()

    [mail] = [each for each in results(table) if each.recipient == address_of("FRANCE")]
    assert types(mail.raw) == PARTS[wish]


def test_an_operator_can_turn_off_pictures(table: Table) -> None:
    table.judge = replace(table.judge, form=MailForm.HTML)
    table.play()

    assert {tuple(types(mail.raw)) for mail in results(table)} == {tuple(PARTS["HTML"])}


def test_a_board_that_nobody_has_drawn_is_not_shown(table: Table) -> None:
    table.judge = replace(table.judge, arts=lambda _: None)
    table.play()

    assert {tuple(types(mail.raw)) for mail in results(table)} == {tuple(PARTS["HTML"])}


def test_each_picture_of_a_phase_is_drawn_once_for_all_readers(
    table: Table, results: list[OutgoingMail]
) -> None:
    painted = []

    def arts(variant: str) -> BoardArt | None:
        painted.append(variant)
        return load_art(variant)

    sent = carried(replace(table.judge, arts=arts), results)

    assert len(results) == 8
    assert painted == ["standard", "standard"]
    for at in (2, 3):
        pictures = {mail.recipient: parts(mail.raw)[at].get_content() for mail in sent}
        assert len(set(pictures.values())) == 8, "the units of each reader stand out"
        assert len({without_palette(each) for each in pictures.values()}) == 1


def without_palette(png: bytes) -> bytes:
    with Image.open(BytesIO(png)) as picture:
        assert picture.mode == "P"
        return picture.tobytes()


def test_the_units_of_the_reader_stand_out_in_the_results(
    table: Table, results: list[OutgoingMail]
) -> None:
    sent = {mail.recipient: mail.raw for mail in carried(table.judge, results)}
    everybody, mine, theirs = (
        Image.open(BytesIO(parts(sent[reader])[3].get_content())).convert("RGB")
        for reader in (MODERATOR, address_of("FRANCE"), address_of("TURKEY"))
    )

    art = load_art()
    assert art
    scale = mine.width / art.width
    for power, picture, other in (("A PAR", mine, theirs), ("A CON", theirs, mine)):
        x, y = (round(each * scale) for each in art.areas[power[2:]].unit)
        spot = x - 30, y - 30, x + 30, y + 30
        assert ImageChops.difference(picture.crop(spot), everybody.crop(spot)).getbbox()
        assert not ImageChops.difference(other.crop(spot), everybody.crop(spot)).getbbox()


def test_the_picture_is_of_the_board_and_bounded(
    table: Table, results: list[OutgoingMail]
) -> None:
    recipe, _ = recipes_of(results[0].raw)
    png = maps.draw_recipe(table.judge, recipe)

    with Image.open(BytesIO(png)) as picture:
        assert picture.width == maps.WIDTH
    assert len(png) < PICTURE_BYTES_MAX
    assert len(recipe) < 4_000
    assert png == maps.draw_recipe(table.judge, recipe)


def test_results_go_out_if_their_picture_fails(table: Table, results: list[OutgoingMail]) -> None:
    [sent] = carried(replace(table.judge, arts=no_art), results[:1])

    assert parts(sent.raw)[2].get_content() == b""
    assert [type(each) for each in table.operator_log.failures] == [LookupError, LookupError]


def test_the_picture_cache_is_bounded(
    table: Table, results: list[OutgoingMail], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maps, "KEPT", 2)
    mail, judge = results[0], replace(table.judge, arts=no_art)
    others = [mail.raw.replace(b".picture ", b".picture " + 4 * each) for each in (b"A", b"B")]
    mails = [mail, *(replace(mail, raw=raw) for raw in others), mail]

    carried(judge, mails)

    assert len(table.operator_log.failures) == 8  # those of the first email were painted twice


def test_an_email_without_a_picture_is_sent_unchanged(
    table: Table, results: list[OutgoingMail]
) -> None:
    receipt = replace(results[0], raw=b"Subject: x\r\n\r\ny\r\n")

    assert carried(table.judge, [receipt]) == [receipt]


def calendars(raw: bytes) -> list[str]:
    found = [part for part in parts(raw) if part.get_content_type() == "text/calendar"]
    return [str(part.get_content()) for part in found]


def told(raw: bytes) -> list[tuple[str, str, str]]:
    """Return method, identity and time of each deadline in the calendar entries of an email."""
    return [
        (method, uid.partition("@")[0], due)
        for each in calendars(raw)
        for method, uid, due in [
            (
                line_of(each, "METHOD"),
                line_of(each, "UID"),
                line_of(each, "DTSTART"),
            )
        ]
    ]


def line_of(calendar: str, name: str) -> str:
    return next(
        line.partition(":")[2] for line in calendar.splitlines() if line.startswith(f"{name}:")
    )


def test_an_early_close_moves_the_event_of_the_game_to_the_next_deadline(
    results: list[OutgoingMail],
) -> None:
    assert told(results[0].raw) == [("PUBLISH", "deadline.baltic", "20261127T200000Z")]


def test_the_history_of_a_game_moves_no_deadline(
    table: Table, results: list[OutgoingMail]
) -> None:
    table.send("FRANCE", "HISTORY")
    latest = table.emails_to(address_of("FRANCE"))[-1]
    with table.database.read() as transaction:
        mail = transaction.outbox.find(latest.message_id)

    assert results
    assert mail
    assert "Movement results for Spring of 1901" in latest.words
    assert calendars(mail.raw) == []


def test_the_start_of_a_game_adds_its_first_deadline(table: Table) -> None:
    start = table.emails_to(address_of("FRANCE"), "game_start")[0]
    with table.database.read() as transaction:
        mail = transaction.outbox.find(start.message_id)

    assert mail
    assert told(mail.raw) == [("PUBLISH", "deadline.baltic", "20261130T200000Z")]


def test_a_calendar_holds_no_token(results: list[OutgoingMail]) -> None:
    for mail in results:
        assert mail.token
        for calendar in calendars(mail.raw):
            assert mail.token not in calendar


def test_the_legend_of_the_picture_is_in_the_language_of_its_reader(table: Table) -> None:
    told = samples()["results_movement"]
    [english, german, again] = [
        maps.map_recipes(table.judge, addressed_to_reader(told, None, None, language))["orders"]
        for language in ("en", "de", "de")
    ]

    assert english
    assert german
    assert german == again
    assert maps.draw_recipe(table.judge, german) != maps.draw_recipe(table.judge, english)
    assert maps.scene_of(german) == maps.scene_of(english)


def test_a_stored_picture_is_drawn_for_its_email(results: list[OutgoingMail]) -> None:
    recipe, _ = recipes_of(results[0].raw)
    scene = maps.scene_of(recipe)

    fate = {write_order(each.order): type(each.verdict) for each in scene.orders}
    assert fate["A PAR - BUR"] is Fails
    assert len(scene.orders) == 22
    assert maps.power_chips(None) == {}


def test_in_a_blind_game_each_player_sees_their_own_board(table: Table) -> None:
    table.start("fog", "blind=true")
    with table.database.read() as transaction:
        starts = [
            mail for mail in table.emails_to(address_of("ENGLAND")) if ":fog - " in mail.subject
        ]
        mail = transaction.outbox.find(starts[0].message_id)
    assert mail
    [recipe] = recipes_of(mail.raw)

    scene = maps.scene_of(recipe)

    assert {unit.power for unit in scene.position.units} == {"ENGLAND"}
