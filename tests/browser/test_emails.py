"""HTML emails in a browser: on a phone or desktop, light or dark, with or without pictures."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from judge.adapters.variant_files import load_art, load_map
from judge.app.outbound.maps import power_chips
from judge.pictures.drawing import draw_picture
from judge.pictures.png import paint
from judge.pictures.scene import scene_with_outcomes
from judge.pictures.themes import Look, load_theme, scale_for_width
from judge.reports.emails.contexts import Answer, addressed_to_reader
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.render import html_document, render
from tests.unit.reports.samples import samples

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

ANSWER = Answer("judge+abcdefghijklmnop@judge.example.org", "")
SAMPLES = samples()
SHOWN = ("results_movement", "results_retreats", "receipt_troubled", "status")
HEIGHT = 780
Scheme = Literal["light", "dark"]
SCREENS: tuple[tuple[int, Scheme], ...] = (
    (360, "light"),
    (360, "dark"),
    (800, "light"),
    (800, "dark"),
)
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="module")
def board() -> str:
    """Return the address of a picture of the board after some movement."""
    told, art = SAMPLES["results_movement"], load_art()
    assert isinstance(told, PhaseResults)
    assert art
    outcomes = [each for given in told.shared.orders.values() for each in given]
    scene = scene_with_outcomes(told.shared.stood, outcomes)
    picture = draw_picture(
        load_map(), art, scene, Look(load_theme("light"), scale=scale_for_width(360))
    )
    return f"data:image/png;base64,{b64encode(paint(picture, 900)).decode('ascii')}"


def mail(name: str, picture: str) -> str:
    """Return the email as a mail program shows it, with the picture at that address."""
    page = render(addressed_to_reader(SAMPLES[name], ANSWER, None), {"orders": "board@judge"})
    shown = html_document([page], power_chips(load_map()))
    assert shown
    return shown.replace("cid:board@judge", picture)


@pytest.mark.parametrize("screen", SCREENS, ids=str)
@pytest.mark.parametrize(
    "name",
    [name if name in SHOWN else pytest.param(name, marks=pytest.mark.slow) for name in SAMPLES],
)
def test_an_email_fits_the_screen_and_axe_finds_nothing_serious(
    browser: Browser, screenshots: Path, board: str, name: str, screen: tuple[int, Scheme]
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - it may be missing

    width, scheme = screen
    size: ViewportSize = {"width": width, "height": HEIGHT}
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.set_content(mail(name, board))
    page.screenshot(path=screenshots / f"mail-{name}-{width}-{scheme}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    found = Axe().run(page).response["violations"]
    context.close()

    assert wide == width
    assert [
        (each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in SERIOUS
    ] == []


@pytest.mark.parametrize("width", [360, 800])
def test_where_pictures_are_blocked_their_words_are_read(
    browser: Browser, screenshots: Path, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": HEIGHT})
    page = context.new_page()
    page.set_content(mail("results_movement", "data:,"))
    page.screenshot(path=screenshots / f"mail-blocked-{width}.png", full_page=True)
    picture = page.locator("img")
    box = picture.bounding_box()
    wide = page.evaluate("document.documentElement.scrollWidth")
    told = picture.get_attribute("alt")
    context.close()

    assert wide == width
    assert box
    assert box["height"] < HEIGHT / 3
    described = "The board. The text below describes it in full."
    assert told == f"Movement results for Fall of 1901. {described}"
