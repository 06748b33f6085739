"""The page that replays a game, and the index of several."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from judge.app.outbound.maps import map_captions
from judge.app.replay import recorded_phases
from judge.archive.records import Record, is_followed_by
from judge.notation.order_text import write_short
from judge.pictures.board_art import BoardArt
from judge.pictures.center_chart import draw_center_chart
from judge.pictures.drawing import Layers
from judge.pictures.themes import color_style_sheet, css_variable_theme, load_theme
from judge.reports import replay_pages
from judge.reports.board_names import place_name, power_name, short_unit, year_name
from judge.reports.emails.contexts import Heading
from judge.reports.languages import SOURCE
from judge.rules import types
from judge.rules.board import Map
from judge.rules.legality import possible_orders
from judge.rules.rulebook import Rulebook


class NothingToReplayError(ValueError):
    """No phase of the game is recorded."""


@dataclass(frozen=True, slots=True)
class PageOptions:
    """An order writer for the last phase that mails to *address*; *deadline* in *zone*."""

    address: str
    deadline: datetime | None = None
    zone: str = "UTC"


def game_replay_page(
    board: Map,
    art: BoardArt,
    record: Record,
    rulebook: Rulebook,
    writer: PageOptions | None = None,
    language: str = SOURCE,
) -> str:
    """Return the page of *record*, adjudicated under *rulebook*, in *language*.

    It includes all of the record except private press. Raises `NothingToReplayError`.
    """
    phases = recorded_phases.played_phases(board, record, rulebook)
    if not phases:
        raise NothingToReplayError(f"no phase of {record.name} is recorded")
    words = map_captions(board, language)
    layers, light = Layers(board, art, words), load_theme("light")
    describer = recorded_phases.PhaseDescriber(board, layers, rulebook, record.press, language)
    years = recorded_phases.centers_by_year(record, phases)
    named_years = {year_name(year, language): counts for year, counts in years.items()}
    zone = writer.zone if writer else "UTC"
    heading = Heading("", board=board, zone=zone, language=language)
    return replay_pages.replay_page(
        replay_pages.Replay(
            heading=heading,
            facts=recorded_phases.game_facts(record),
            phases=[
                describer.describe(
                    each,
                    following.recorded.phase if _is_shown_by(board, each, following) else None,
                )
                for each, following in zip(phases, [*phases[1:], phases[-1]], strict=True)
            ],
            early_press=recorded_phases.press_in(record.press, None),
            years=years,
            board=layers.shared(),
            size=layers.size,
            chart=draw_center_chart(
                board,
                named_years,
                css_variable_theme(board, light),
                _chart_words([*named_years]),
                words.powers,
            ),
            colors=color_style_sheet(board, light, load_theme("dark")),
            writer=_writer(heading, record, phases[-1], rulebook, writer) if writer else None,
        )
    )


def game_index_page(
    board: Map, pages: Iterable[tuple[str, Record]], language: str = SOURCE
) -> str:
    """Return the page in *language* that links to *pages*, each a file and its game."""
    entries = [
        replay_pages.IndexEntry(
            file,
            recorded_phases.game_facts(record),
            record.played[0].phase,
            record.played[-1].phase,
            len(record.played),
        )
        for file, record in pages
    ]
    return replay_pages.index_page(Heading("", board=board, language=language), entries)


def _is_shown_by(
    board: Map, phase: recorded_phases.PlayedPhase, following: recorded_phases.PlayedPhase
) -> bool:
    later = following.recorded.phase
    return following.before is not None and is_followed_by(
        board.calendar, phase.recorded.phase, later
    )


def _writer(
    heading: Heading,
    record: Record,
    last: recorded_phases.PlayedPhase,
    rulebook: Rulebook,
    desired: PageOptions,
) -> replay_pages.OrderWriter | None:
    """Return what the page needs to write orders: the powers, their pieces and possible orders.

    Powers and pieces are named in the language of *heading*. An order is its text, the same in
    every language, and the provinces to click for it.
    """
    if last.before is None or record.ending:
        return None
    assert heading.board
    board, position = heading.board, last.before
    powers = [
        _power(board, position, power, rulebook, heading.language)
        for power in board.powers
        if position.units_of(power) or position.dislodged_of(power) or position.due(power) > 0
    ]
    choices = {
        "game": record.name.rpartition("/")[2],
        "phase": position.phase.code,
        "address": desired.address,
        "powers": [each for each in powers if each["pieces"]],
    }
    return replay_pages.OrderWriter(
        phase=last.recorded.phase,
        # Without markup, this is safe inside a page.
        choices=json.dumps(choices, separators=(",", ":")).replace("<", "\\u003c"),
        address=desired.address,
        deadline=desired.deadline,
    )


def _chart_words(years: Sequence[str]) -> str:
    return f"{years[0]}\N{EN DASH}{years[-1]}" if years else "\N{EN DASH}"


def _power(
    board: Map, position: types.Position, power: types.Power, rulebook: Rulebook, language: str
) -> dict[str, object]:
    pieces: dict[types.Province, list[list[str]]] = {}
    names: dict[types.Province, str] = {}
    for unit, orders in possible_orders(board, position, power, rulebook):
        texts = [[write_short(each, board), *_provinces(each)] for each in orders]
        if unit:
            names.setdefault(unit.province, _name(board, position, unit, language))
            pieces.setdefault(unit.province, []).extend(texts)
        else:  # Each build may be waived.
            waived = [f"WAIVE{number}" for number in range(1, position.due(power) + 1)]
            names |= dict.fromkeys(waived, replay_pages.unused_build_name(language))
            pieces |= dict.fromkeys(waived, texts)
    winter = position.phase.kind is types.PhaseKind.ADJUSTMENTS
    return {
        "name": power_name(board, power, language),
        "letter": board.nations[power].letter,
        "due": f"{position.due(power):+}" if winter else "",
        "pieces": [
            {"at": at, "name": names[at], "orders": orders} for at, orders in pieces.items()
        ],
    }


def _name(board: Map, position: types.Position, unit: types.UnitName, language: str) -> str:
    stands = any(each.province == unit.province for each in position.units)
    dislodged = any(each.unit.province == unit.province for each in position.dislodged)
    if not (stands or dislodged):
        return place_name(board, unit.province, language)
    return short_unit(board, types.Unit("", unit.kind or types.UnitKind.ARMY, unit.location))


def _provinces(order: types.Order) -> Iterator[types.Province]:
    """Yield the provinces to click for *order*, after its unit."""
    match order:
        case types.Hold(unit=unit) | types.Disband(unit=unit) | types.Build(unit=unit):
            yield unit.province
        case types.Move(target=target) | types.Retreat(target=target):
            yield types.province_of(target)
        case types.SupportHold(supported=other):
            yield other.province
        case (
            types.SupportMove(supported=other, target=target)
            | types.Convoy(army=other, target=target)
        ):
            yield other.province
            yield types.province_of(target)
        case types.Waive():
            pass
        case _:
            assert_never(order)
