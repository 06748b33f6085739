"""Pages that replay recorded games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.reports.emails.contexts import Heading
from judge.reports.languages import translate
from judge.reports.render import render_page, sentences
from judge.resources import read_text
from judge.rules.types import Order, Phase, Position, Power


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedOrder:
    """An order as it was understood, or else only its *text*, and its result.

    *words* are the marks of the adjudication (`judge.rules.outcomes.RESULT_MARKS`); *why* is the
    reason as a sentence, empty if unknown; *failed* is whether the order did not succeed.
    *otherwise* is the source's result, if it differs. *marks* are those of the source, or else of
    the adjudication.
    """

    text: str
    order: Order | None = None
    written: bool = True
    words: tuple[str, ...] = ()
    why: str = ""
    failed: bool = False
    otherwise: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureLayers:
    """The parts of a picture, from the bottom up, as SVG."""

    ground: str
    lines: str
    units: str
    signs: str


@dataclass(frozen=True, slots=True)
class PressItem:
    """Press: its signature, None if unsigned, and its text."""

    sender: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedPhase:
    """One phase: the units, the orders, and their results.

    *position* and *drawn* are None if unknown; *after* is the phase whose picture shows the
    results; *removed* are sentences.
    """

    phase: Phase
    position: Position | None = None
    drawn: PictureLayers | None = None
    after: Phase | None = None
    orders: Mapping[Power, Sequence[ReplayedOrder]]
    removed: tuple[str, ...] = ()
    press: tuple[PressItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderWriter:
    """The facts for writing orders in a page: *choices* is JSON, mail goes to *address*."""

    phase: Phase
    choices: str
    address: str
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts of a game: its name, its players, its end, and its numbers."""

    name: str
    players: Mapping[Power, str]
    ending: tuple[str, tuple[Power, ...]] | None = None
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A page. *board* and *chart* are SVG, *colors* is a style sheet, *size* that of the board."""

    heading: Heading
    facts: GameFacts
    phases: Sequence[ReplayedPhase]
    early_press: tuple[PressItem, ...]
    years: Mapping[int, Mapping[Power, int]]
    board: str
    size: tuple[int, int]
    chart: str
    colors: str
    writer: OrderWriter | None = None


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A game in an index: the *file* of its page, and when it was played."""

    file: str
    facts: GameFacts
    first: Phase
    last: Phase
    phases: int


def replay_page(replay: Replay) -> str:
    """Return *replay* as one file that needs no other."""
    style = _read_asset("look.css") + _read_asset("page.css") + replay.colors
    script = (
        _read_asset("words.js")
        + _read_asset("page.js")
        + (_read_asset("writer.js") if replay.writer else "")
    )
    return _render_page("page", replay.heading, replay, style, script)


def index_page(heading: Heading, entries: Sequence[IndexEntry]) -> str:
    """Return a page that links to those of *entries*."""
    return _render_page("index", heading, entries, _read_asset("look.css"), script="")


def result_words_of_pages(language: str) -> Mapping[str, str]:
    """Return the words of pages for results, by those of the rules."""
    return sentences("results", language, of="replay")


def unused_build_name(language: str) -> str:
    """Return the name of a build that a power gives up."""
    return translate(language, "unused build")


def _render_page(
    name: str, heading: Heading, page: Replay | Sequence[IndexEntry], style: str, script: str
) -> str:
    """Return *page* with its *style* and its *script*."""
    words = sentences("script", heading.language, of="replay")
    values = {"heading": heading, "page": page, "style": style, "script": script}
    return render_page(
        f"replay/{name}.html.j2", {**values, "script_words": words}, heading.language
    )


def _read_asset(name: str) -> str:
    return read_text("templates", f"replay/{name}")
