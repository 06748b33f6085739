"""The pictures of mails: what is to be drawn is decided when a mail is written, of what it tells.

A recipe is a scene as compressed JSON. It holds nothing that the mail does not say, so the picture
shows its reader what he may see. It is painted when the mail goes out (`painting`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge.app.judge import Judge
from judge.game.payloads import outcome_to_payload, position_to_payload
from judge.mail.language.profile_commands import ResultPictures
from judge.pictures.themes import PowerPalette, load_theme
from judge.reports.emails.contexts import Context
from judge.reports.emails.explanations import WhatIf
from judge.reports.emails.game_history import BoardMap
from judge.reports.emails.game_start import GameStart
from judge.reports.emails.notices import Takeover
from judge.reports.emails.phase_results import PhaseResults
from judge.reports.languages import SOURCE
from judge.reports.render import NameColors
from judge.rules.board import Map
from judge.rules.outcome import Outcome
from judge.rules.types import Position, Power, Unit

THEME = "light"
GAMMA = 2.2
AS_FAR_FROM_BOTH = 0.18  # the luminance from which black and white are equally far


ORDERS, POSITION = "orders", "position"  # what the pictures of an email show


def recipes(
    judge: Judge, context: Context, wanted: ResultPictures = ResultPictures.BOTH
) -> Mapping[str, bytes]:
    """Return what is to be painted beside *context*, if it is about a board that can be drawn.

    Of the two pictures of results there are those that its reader *wanted*.
    """
    board = context.heading.board
    if board is None or not judge.arts(board.name):
        return {}
    return {name: _packed(scene, context) for name, scene in _scenes(context, wanted).items()}


def _scenes(context: Context, wanted: ResultPictures) -> Mapping[str, dict[str, Any]]:
    match context:
        case WhatIf():
            return {ORDERS: _as_judged(context)}
        case PhaseResults() | BoardMap(results=PhaseResults()):
            told = context if isinstance(context, PhaseResults) else context.results
            assert told is not None, "it is one of the two"
            shown = {ORDERS: _as_judged(told), POSITION: _scene(told.stand)}
            return {name: shown[name] for name in shown if wanted.value in (name, "both")}
        case BoardMap(position=position, standing=standing):
            orders = {power: list(texts) for power, texts in standing.items()}
            return {POSITION: _scene(position) | ({"orders": orders} if orders else {})}
        case GameStart(position=position) | Takeover(position=Position() as position):
            return {POSITION: _scene(position)}
        case _:
            return {}


def chips(board: Map | None) -> Mapping[Power, NameColors]:
    """Return the colors in which the names of powers stand in mails."""
    if board is None:
        return {}
    painters = PowerPalette(board, load_theme(THEME))
    colors = {power: painters.colors(power) for power in board.powers}
    return {power: NameColors(each.unit, _ink_on(each.unit)) for power, each in colors.items()}


def _ink_on(background: str) -> str:
    """Return black or white, whichever is easier to read on *background* (WCAG 2.2, 1.4.3)."""
    red, green, blue = (int(background[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = 0.2126 * red**GAMMA + 0.7152 * green**GAMMA + 0.0722 * blue**GAMMA
    return "#ffffff" if luminance < AS_FAR_FROM_BOTH else "#111111"


def _as_judged(told: PhaseResults) -> dict[str, Any]:
    outcomes = [each for given in told.orders.values() for each in given]
    return _scene(told.stood, outcomes, [each.unit for each in told.removed])


def _scene(
    position: Position, outcomes: Iterable[Outcome] = (), removed: Sequence[Unit] = ()
) -> dict[str, Any]:
    return {
        "outcomes": [outcome_to_payload(each) for each in outcomes],
        "removed": [[each.power, str(each)] for each in removed],
        "position": position_to_payload(position),
    }


def _packed(scene: dict[str, Any], context: Context) -> bytes:
    board, language = context.heading.board, context.heading.language
    assert board is not None, "only a board is drawn"
    told = {"variant": board.name} | ({"language": language} if language != SOURCE else {}) | scene
    return zlib.compress(json.dumps(told, separators=(",", ":")).encode(), level=9)
