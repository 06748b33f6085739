"""The replay page in a browser: layout, keyboard, touch, print, and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote

import pytest

from tests.support.daemon import PATIENCE_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESK, PHONE = (1280, 900), (360, 780)
SERIOUS = {"serious", "critical"}
Scheme = Literal["light", "dark"]


@contextmanager
def looking(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESK,
    scheme: Scheme = "light",
    *,
    script: bool = True,
) -> Iterator[Page]:
    """Open *address*; nothing may be asked of a network, and no error may be said."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        java_script_enabled=script,
        reduced_motion="reduce",
    )
    troubles: list[str] = []
    page = context.new_page()
    page.set_default_timeout(1_000 * PATIENCE_SECONDS)
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url == page.url or request.url.startswith(address.partition("#")[0])
            else troubles.append(request.url)
        ),
    )
    page.goto(address)
    yield page
    context.close()
    assert troubles == []


def shown(page: Page) -> list[str]:
    """Return the phases that can be seen."""
    return [
        str(each.get_attribute("id")) for each in page.locator(".phase").all() if each.is_visible()
    ]


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(DESK, "light", id="desk-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESK, "dark", id="desk-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("kind", ["replayed", "waiting", "listed"])
def test_it_fits_the_screen_and_axe_finds_nothing_serious(
    browser: Browser,
    request: pytest.FixtureRequest,
    screenshots: Path,
    kind: str,
    size: tuple[int, int],
    scheme: Scheme,
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - it may be missing

    address = request.getfixturevalue(kind)
    with looking(browser, f"{address}#S1902M", size, scheme) as page:
        page.screenshot(path=screenshots / f"{kind}-{size[0]}-{scheme}.png", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        found = Axe().run(page).response["violations"]

    assert wide == size[0]
    assert [
        (each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in SERIOUS
    ] == []


def test_a_link_leads_to_its_phase(browser: Browser, replayed: str) -> None:
    with looking(browser, f"{replayed}#F1902M") as page:
        assert shown(page) == ["F1902M"]
        page.evaluate("location.hash = '#S1903M'")
        page.wait_for_selector("#S1903M", state="visible")
        assert shown(page) == ["S1903M"]


def test_the_keys_do_what_the_help_says(browser: Browser, replayed: str) -> None:
    with looking(browser, replayed) as page:
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**#F1901M")
        assert shown(page) == ["F1901M"]
        page.keyboard.press("End")
        assert shown(page)[0].startswith("F1911")
        page.keyboard.press("Home")
        page.keyboard.press("o")
        assert not page.locator("#S1901M .orders-drawn").first.is_visible()
        page.keyboard.press("a")
        assert page.locator("#S1901M .after").is_visible()
        assert not page.locator("#S1901M .before").is_visible()
        page.keyboard.press("r")
        assert page.locator("#S1901M .why.well").first.is_visible()
        page.keyboard.press("t")
        assert page.locator("html").get_attribute("data-theme") == "dark"
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        assert not page.locator("#help").is_visible()


def test_it_plays_at_the_speed_asked_for(browser: Browser, replayed: str) -> None:
    with looking(browser, replayed) as page:
        page.clock.install(time=0)
        page.clock.pause_at(3_600)  # after an hour; else the clock would run on between the keys
        page.keyboard.press("+")
        page.keyboard.press("p")
        page.clock.run_for(3 * 900 + 10)
        page.keyboard.press("p")
        page.clock.run_for(10_000)
        number = page.locator("#slider").input_value()

    assert number == "3"


def test_the_slider_moves_through_the_game(browser: Browser, replayed: str) -> None:
    with looking(browser, replayed, PHONE) as page:
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")

        assert shown(page) == ["F1901M"]
        assert page.locator("#slider").get_attribute("aria-valuetext") == "Fall 1901, movement"


@pytest.mark.parametrize("kind", ["replayed", "waiting"])
def test_every_control_is_reached_by_keyboard(
    browser: Browser, request: pytest.FixtureRequest, kind: str
) -> None:
    with looking(browser, request.getfixturevalue(kind)) as page:
        visible = page.locator("button, input, select, textarea, summary, a[href]").filter(
            visible=True
        )
        wanted, reached = visible.count(), set()
        for _ in range(3 * wanted):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "[...document.querySelectorAll('button, input, select, textarea, summary,"
                    " a[href]')].indexOf(document.activeElement)"
                )
            )

    assert len(reached - {-1}) == wanted


def test_without_script_all_phases_can_be_read_in_order(browser: Browser, replayed: str) -> None:
    with looking(browser, replayed, PHONE, script=False) as page:
        phases = shown(page)

        assert (phases[0], len(phases)) == ("S1901M", 43)
        assert page.locator("#S1902M .before").is_visible()
        assert not page.locator(".bar").is_visible()


def test_all_phases_are_printed_on_light_paper(browser: Browser, replayed: str) -> None:
    with looking(browser, replayed, scheme="dark") as page:
        page.emulate_media(media="print")

        assert len(shown(page)) == 43
        assert not page.locator(".bar").is_visible()
        paper = "getComputedStyle(document.documentElement).getPropertyValue('--c-sea')"
        assert page.evaluate(paper) == "#d3e3ec"


def test_orders_are_written_by_tapping_and_mailed(browser: Browser, waiting: str) -> None:
    with looking(browser, f"{waiting}#writer") as page:
        page.select_option("#power", label="Austria")
        piece = page.locator(".tap.own").first
        at = piece.get_attribute("data-at")
        piece.dispatch_event("click")
        page.locator(".tap.aim").first.dispatch_event("click")
        choices = page.locator("#choices button")
        if choices.count():
            choices.first.click()
        order = page.locator(f"#row-{at}").input_value()
        page.fill("#password", "secret")
        mail = unquote(page.locator("#send").get_attribute("href") or "")

    assert order
    assert mail.startswith("mailto:judge@example.org?subject=10713 S1902M orders of Austria&body=")
    assert mail.endswith(f"SIGNON A10713 secret\r\nPHASE S1902M\r\n{order}\r\n")


def test_orders_are_written_by_keyboard(browser: Browser, waiting: str) -> None:
    with looking(browser, f"{waiting}#writer") as page:
        page.locator("#rows select").first.focus()
        page.keyboard.press("ArrowDown")

        order = page.locator("#rows select").first.input_value()
        assert order
        assert page.locator("#text").input_value() == f"PHASE S1902M\n{order}\n"
