"""The page of a game, made of a record, and the index of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.app.captions import captions
from judge.app.replay.choices import choices
from judge.app.replay.facts import facts_of, years_of
from judge.app.replay.telling import Played, Teller, played, said_in
from judge.archive.record import Record, is_followed_by
from judge.pictures.board_art import BoardArt
from judge.pictures.center_chart import draw_center_chart
from judge.pictures.layers import Layers
from judge.pictures.themes import color_style_sheet, css_variable_theme, load_theme
from judge.reports.emails.heading import Heading
from judge.reports.languages import SOURCE
from judge.reports.replay_pages import IndexEntry, OrderWriter, Replay, index_page, replay_page
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Power


class NothingToReplayError(ValueError):
    """No phase of the game is recorded."""


@dataclass(frozen=True, slots=True)
class Desired:
    """An order writer for the last phase, whose mail goes to *address*; *deadline* in *zone*."""

    address: str
    deadline: datetime | None = None
    zone: str = "UTC"


def page(
    board: Map,
    art: BoardArt,
    record: Record,
    law: Rulebook,
    writer: Desired | None = None,
    language: str = SOURCE,
) -> str:
    """Return the page of *record*, whose orders are judged under *law*, in *language*.

    It tells all that is in the record, but for press that was not written to everybody. Raises
    `NothingToReplayError`.
    """
    phases = played(board, record, law)
    if not phases:
        raise NothingToReplayError(f"no phase of {record.name} is recorded")
    words = captions(board, language)
    layers, light = Layers(board, art, words), load_theme("light")
    teller = Teller(board, layers, law, record.press, language)
    years = years_of(record, phases)
    told = _chart_words(years)
    zone = writer.zone if writer else "UTC"
    heading = Heading("", board=board, zone=zone, language=language)
    return replay_page(
        Replay(
            heading=heading,
            facts=facts_of(record),
            phases=[
                teller.tell(each, following.told.phase if _is_shown_by(each, following) else None)
                for each, following in zip(phases, [*phases[1:], phases[-1]], strict=True)
            ],
            early_press=said_in(record.press, None),
            years=years,
            board=layers.shared(),
            size=layers.size,
            chart=draw_center_chart(
                board, years, css_variable_theme(board, light), told, words.powers
            ),
            colors=color_style_sheet(board, light, load_theme("dark")),
            writer=_writer(heading, record, phases[-1], law, writer) if writer else None,
        )
    )


def index(board: Map, pages: Iterable[tuple[str, Record]], language: str = SOURCE) -> str:
    """Return the page in *language* that leads to *pages*: a file and its game each."""
    entries = [
        IndexEntry(
            file,
            facts_of(record),
            record.played[0].phase,
            record.played[-1].phase,
            len(record.played),
        )
        for file, record in pages
    ]
    return index_page(Heading("", board=board, language=language), entries)


def _is_shown_by(phase: Played, following: Played) -> bool:
    """Tell whether the picture of *following* shows what came of *phase*."""
    later = following.told.phase
    return following.before is not None and is_followed_by(phase.told.phase, later)


def _writer(
    heading: Heading, record: Record, last: Played, law: Rulebook, desired: Desired
) -> OrderWriter | None:
    if last.before is None or record.ending:
        return None
    game = record.name.rpartition("/")[2]
    assert heading.board
    told = choices(heading.board, last.before, law, game, desired.address, heading.language)
    return OrderWriter(
        phase=last.told.phase, choices=told, address=desired.address, deadline=desired.deadline
    )


def _chart_words(years: Mapping[int, Mapping[Power, int]]) -> str:
    return f"{min(years)}\N{EN DASH}{max(years)}" if years else "\N{EN DASH}"
