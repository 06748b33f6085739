"""A report of a game for zines, forums and paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime

from judge.reports.emails.contexts import Heading
from judge.reports.emails.phase_results import Dislodgement
from judge.reports.languages import translate
from judge.reports.operator_templates import blame_operator_template
from judge.reports.replay_pages import GameFacts, PressItem, ReplayedOrder
from judge.reports.report_formats import template_in_format
from judge.reports.text_formatting import BLANK_LINES
from judge.rules.types import Phase, Power, Province, Unit

MARKUP_OF_FORMAT = {"docx": "html", "pdf": "typst"}  # what they are made of


@dataclass(frozen=True, slots=True)
class ResultsText:
    """A results email, as judges write it; the first and the last of a game have no subject."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """The board, with the orders of *phase*; *source* is where a page finds it."""

    phase: Phase
    source: str


@dataclass(frozen=True, slots=True)
class CenterHolding:
    """The centers of *power* after a year: those *kept*, *gained* and *lost* since the last."""

    power: Power
    kept: tuple[Province, ...]
    gained: tuple[Province, ...]
    lost: tuple[Province, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZinePhase:
    """One phase: *orders* by power, with those that the judge supplied.

    *driven_out* are the units that were dislodged, *silent* the powers without orders, *units*
    those on the board after it, empty if they are not wanted.
    """

    phase: Phase
    orders: Mapping[Power, Sequence[ReplayedOrder]]
    driven_out: tuple[Dislodgement, ...] = ()
    silent: tuple[Power, ...] = ()
    units: Mapping[Power, Sequence[Unit]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZineSeason:
    """A block of a zine: a movement, its retreats, and after Fall the adjustments.

    *chart* is empty where the year does not end, or the owners are unknown.
    """

    phases: tuple[ZinePhase, ...]
    press: tuple[PressItem, ...] = ()
    chart: tuple[CenterHolding, ...] = ()
    picture: BoardPicture | None = None


@dataclass(frozen=True, slots=True)
class NextDeadline:
    """The next phase, its deadline, and the address for orders, which may be empty."""

    phase: Phase
    deadline: datetime
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Zine:
    """A report of a game, written by `templates/zine/STYLE.j2`; *mails* are for style `judge`."""

    heading: Heading
    facts: GameFacts
    gamemaster: str | None
    numbers: Mapping[str, str]
    seasons: tuple[ZineSeason, ...]
    early_press: tuple[PressItem, ...]
    years: Mapping[int, Mapping[Power, int]]
    due: NextDeadline | None
    mails: tuple[ResultsText, ...]


def render_zine(zine: Zine, style: str, form: str) -> str:
    """Return *zine* in that *style*, in a *form* of `judge.reports.report_formats.FORMATS`.

    Raises `BrokenTemplateError`.
    """
    values = {each.name: getattr(zine, each.name) for each in fields(zine)}
    values |= {"form": form, "marks": MARKUP_OF_FORMAT.get(form, form)}
    with blame_operator_template():
        written = template_in_format(form, f"zine/{style}.j2", zine.heading.language).render(
            values
        )
    return BLANK_LINES.sub("\n\n", written).strip("\n") + "\n"


def chart_title(language: str) -> str:
    """Return the description of the chart of centers."""
    return translate(language, "Centers by year")
