"""What a report of a game tells that is printed: in a zine, on a forum, on paper."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from judge.reports.languages import said
from judge.reports.markup import template_in
from judge.reports.templates import blamed
from judge.reports.text import BLANK_LINES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from judge.reports.contexts import DrivenOut
    from judge.reports.greetings import Heading
    from judge.reports.replays import Facts, OrderTold, Said
    from judge.rules.types import Phase, Power, Province

MARKS = {"docx": "html", "pdf": "typst"}  # what they are made of


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of results, as judges write it; the first and the last of a game have no subject."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """The board, with the orders of *phase*; *source* is where a page finds it."""

    phase: Phase
    source: str


@dataclass(frozen=True, slots=True)
class Holding:
    """The centers of *power* after a year: those *kept*, *gained* and *lost* since the last."""

    power: Power
    kept: tuple[Province, ...]
    gained: tuple[Province, ...]
    lost: tuple[Province, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePrinted:
    """One phase: *orders* by power, those among them that nobody gave and the judge supplied.

    *driven_out* are the units that were dislodged, *silent* the powers that ordered nothing.
    """

    phase: Phase
    orders: Mapping[Power, Sequence[OrderTold]]
    driven_out: tuple[DrivenOut, ...] = ()
    silent: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPrinted:
    """What zines print in one block: a movement, its retreats, and after Fall the adjustments.

    *chart* is empty where the year does not end, or nobody knows who owned what.
    """

    phases: tuple[PhasePrinted, ...]
    press: tuple[Said, ...] = ()
    chart: tuple[Holding, ...] = ()
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """What is ordered next, until when, and where orders go; *address* is empty if nobody says."""

    phase: Phase
    deadline: datetime
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Zine:
    """A report of a game, written by `templates/zine/STYLE.j2`; *mails* are for style `judge`."""

    heading: Heading
    facts: Facts
    gamemaster: str | None
    numbers: Mapping[str, str]
    seasons: tuple[SeasonPrinted, ...]
    early_press: tuple[Said, ...]
    years: Mapping[int, Mapping[Power, int]]
    due: Due | None
    mails: tuple[Mail, ...]


def printed(zine: Zine, style: str, form: str) -> str:
    """Return *zine* in that *style*, in a *form* of `judge.reports.markup.FORMATS`.

    Raises `BrokenTemplateError`.
    """
    values = {each.name: getattr(zine, each.name) for each in fields(zine)}
    values |= {"form": form, "marks": MARKS.get(form, form)}
    with blamed():
        written = template_in(form, f"zine/{style}.j2", zine.heading.language).render(values)
    return BLANK_LINES.sub("\n\n", written).strip("\n") + "\n"


def chart_title(language: str) -> str:
    """Say what the picture of the centers shows."""
    return said(language, "Centers by year")
