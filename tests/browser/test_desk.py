"""The moderator's desk in a browser: layout, keyboard, phone, dark mode, and no scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest

from tests.support.daemon import PATIENCE_SECONDS
from tests.support.desk_client import Visitor, desk, set_the_scene
from tests.support.table import Table

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESK, PHONE = (1280, 900), (360, 780)
SERIOUS = {"serious", "critical"}
PATHS = {
    "games": "/",
    "game": "/games/baltic",
    "mails": "/mails",
    "inbox": "/inbox",
    "mail": "/inbox/{last}",
    "status": "/status",
    "problem": "/inbox/99999",
}
NOT_FOUND = "Failed to load resource: the server responded with a status of 404 (Not Found)"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A judge on a morning with everything that can wait for a gamemaster."""
    table = Table(tmp_path_factory.mktemp("desk"))
    set_the_scene(table)
    yield table
    table.close()


@pytest.fixture(scope="module")
def open_desk(table: Table) -> Iterator[Visitor]:
    with desk(table) as visitor:
        yield visitor


@contextmanager
def looking(
    browser: Browser,
    visitor: Visitor,
    size: tuple[int, int] = DESK,
    scheme: Literal["light", "dark"] = "light",
    *,
    script: bool = True,
) -> Iterator[Page]:
    """Enter by the link; nothing may be asked of anybody else, and no error may be said."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        java_script_enabled=script,
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
            if urlsplit(request.url).netloc == str(visitor.where)
            else troubles.append(request.url)
        ),
    )
    page.goto(visitor.link)
    assert page.url == f"http://{visitor.where}/"
    yield page
    context.close()
    assert [each for each in troubles if each != NOT_FOUND] == []


def go(page: Page, table: Table, visitor: Visitor, name: str) -> None:
    [[last]] = table.query("SELECT max(id) FROM inbox")
    page.goto(f"http://{visitor.where}{PATHS[name].format(last=last)}")


def open_all(page: Page) -> None:
    for summary in page.locator("summary").all():
        summary.click()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        pytest.param(DESK, "light", id="desk-light"),
        pytest.param(PHONE, "dark", id="phone-dark"),
        pytest.param(DESK, "dark", id="desk-dark", marks=pytest.mark.slow),
        pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.slow),
    ],
)
def test_it_fits_the_screen_and_axe_finds_nothing_serious(
    browser: Browser,
    table: Table,
    open_desk: Visitor,
    screenshots: Path,
    size: tuple[int, int],
    scheme: Literal["light", "dark"],
) -> None:
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - it may be missing

    found = {}
    with looking(browser, open_desk, size, scheme) as page:
        for name in PATHS:
            go(page, table, open_desk, name)
            open_all(page)
            page.screenshot(
                path=screenshots / f"desk-{name}-{size[0]}-{scheme}.png", full_page=True
            )
            assert page.evaluate("document.documentElement.scrollWidth") == size[0], name
            violations = Axe().run(page).response["violations"]
            found[name] = [
                (each["id"], each["nodes"][0]["html"])
                for each in violations
                if each["impact"] in SERIOUS
            ]

    assert found == {name: [] for name in PATHS}


def test_without_script_a_deadline_is_moved(
    browser: Browser, table: Table, open_desk: Visitor, screenshots: Path
) -> None:
    with looking(browser, open_desk, PHONE, script=False) as page:
        page.get_by_role("link", name="adria").first.click()
        page.locator("summary", has_text="Move the deadline").click()
        form = page.locator("form[action='/ask/extend']")
        form.get_by_label("More minutes").fill("1440")
        form.get_by_label("Reason").fill("Advent")
        form.get_by_role("button").click()
        page.screenshot(path=screenshots / "desk-asked.png", full_page=True)
        page.get_by_role("button", name="Move the deadline").click()

        assert "Deadline moved" in page.get_by_role("status").inner_text()
        page.go_back()
        page.reload()
        assert "Deadline moved" in page.get_by_role("status").inner_text()
    assert sum("Advent" in mail.text for mail in table.outbox()) == 8


def test_the_keyboard_is_enough(browser: Browser, table: Table, open_desk: Visitor) -> None:
    with looking(browser, open_desk) as page:
        go(page, table, open_desk, "game")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        page.wait_for_url("**#main")
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            seen = page.evaluate(
                "(e => [e.tagName, e.textContent.trim(), getComputedStyle(e).outlineStyle])"
                "(document.activeElement)"
            )
            reached.add((seen[0], seen[1]))
            assert seen[0] == "BODY" or seen[2] != "none", seen
            if seen[1] == "Close the phase now":
                page.keyboard.press("Enter")
            if seen[1] == "Close F1901M ...":
                break
        assert ("SUMMARY", "Move the deadline") in reached
        page.keyboard.press("Enter")
        page.wait_for_url("**/actions/*")

        assert "adjudicates F1901M now" in page.locator("main").inner_text()
        page.get_by_role("link", name="No, go back").press("Enter")
        page.wait_for_url("**/games/baltic")


def test_viewed_orders_are_shown_with_the_email_about_them(
    browser: Browser, table: Table, open_desk: Visitor, screenshots: Path
) -> None:
    with looking(browser, open_desk) as page:
        go(page, table, open_desk, "game")
        page.locator("summary", has_text="View the orders").click()
        page.locator("form[action='/ask/look']").get_by_label("Reason").fill("A player asked")
        page.locator("form[action='/ask/look'] button").click()
        page.get_by_role("button", name="View the orders").click()
        page.screenshot(path=screenshots / "desk-orders.png", full_page=True)

        assert "A BUR H" in page.locator("main").inner_text()
        assert "Movement results for Fall of 1901" in page.locator("pre.mail").inner_text()


def test_all_phases_are_replayed_in_a_page_that_can_do_nothing_here(
    browser: Browser, table: Table, open_desk: Visitor
) -> None:
    with looking(browser, open_desk) as page:
        go(page, table, open_desk, "game")
        page.get_by_role("link", name="All phases").click()
        page.wait_for_selector("#S1901M", state="visible")
        page.keyboard.press("o")
        page.wait_for_selector("#S1901M .orders-drawn", state="hidden")

        assert page.evaluate("self.origin") == "null"
