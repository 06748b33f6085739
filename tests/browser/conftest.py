"""Fixtures for browser tests: a browser that opens pages from disk, without a server.

Skips with "needs-server:" where Debian's chromium or playwright is missing; `.ci/run` installs
both, with `tests/browser/requirements.txt`, and fails if a test is skipped for that.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judge.adapters.variant_files import load_map
from judge.app.replay.page import game_index_page
from tests.support.replays import open_game, page_of, whole_game
from tests.support.servers import need

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES = "JUDGE_SCREENSHOTS"  # names the folder in which screenshots are kept, if any are


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser for one module: while it lives, no other test could run an event loop."""
    need("chromium", "chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may be missing
    except ModuleNotFoundError:
        pytest.skip("needs-server: chromium: there is no playwright")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the page of a whole game."""
    return _saved(tmp_path_factory.mktemp("replayed"), page_of(whole_game()))


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of the page of a game that waits for orders."""
    return _saved(tmp_path_factory.mktemp("waiting"), page_of(open_game(), writer=True))


@pytest.fixture(scope="session")
def listed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of an index of games."""
    games = [("a.html", whole_game()), ("b.html", open_game())]
    return _saved(tmp_path_factory.mktemp("listed"), game_index_page(load_map(), games))


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which screenshots are kept."""
    kept = os.environ.get(PICTURES)
    folder = Path(kept) if kept else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _saved(folder: Path, page: str) -> str:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    return file.as_uri()
