"""The pictures of mails: what is to be drawn is decided when a mail is written, of what it tells.

A recipe is a scene as compressed JSON. It holds nothing that the mail does not say, so the picture
shows its reader what he may see. It is painted when the mail goes out (`painting`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

from judge.app.judge import Judge
from judge.game.verdicts import (
    outcome_to_payload,
    position_to_payload,
)
from judge.pictures.painters import Painters
from judge.pictures.theme import theme
from judge.reports.contexts import Context, GameStart, PhaseResults
from judge.reports.documents import Chip
from judge.reports.languages import SOURCE
from judge.rules.geography import Map
from judge.rules.vocabulary import Power

THEME = "light"
GAMMA = 2.2
AS_FAR_FROM_BOTH = 0.18  # the luminance from which black and white are equally far


def recipe(judge: Judge, context: Context) -> bytes | None:
    """Return what is to be painted beside *context*, if it is about a board that can be drawn."""
    match context:
        case PhaseResults() | GameStart() if board := context.heading.board:
            return _recipe(context, board.name) if judge.arts(board.name) else None
        case _:
            return None


def chips(board: Map | None) -> Mapping[Power, Chip]:
    """Return the colors in which the names of powers stand in mails."""
    if board is None:
        return {}
    painters = Painters(board, theme(THEME))
    colors = {power: painters.colors(power) for power in board.powers}
    return {power: Chip(each.unit, _ink_on(each.unit)) for power, each in colors.items()}


def _ink_on(background: str) -> str:
    """Return black or white, whichever is easier to read on *background* (WCAG 2.2, 1.4.3)."""
    red, green, blue = (int(background[at : at + 2], 16) / 255 for at in (1, 3, 5))
    luminance = 0.2126 * red**GAMMA + 0.7152 * green**GAMMA + 0.0722 * blue**GAMMA
    return "#ffffff" if luminance < AS_FAR_FROM_BOTH else "#111111"


def _recipe(context: PhaseResults | GameStart, variant: str) -> bytes:
    told: dict[str, Any] = {"variant": variant, "outcomes": [], "removed": []}
    if context.heading.language != SOURCE:
        told["language"] = context.heading.language
    if isinstance(context, GameStart):
        told["position"] = position_to_payload(context.position)
    else:
        told["position"] = position_to_payload(context.stood)
        told["outcomes"] = [
            outcome_to_payload(each) for given in context.orders.values() for each in given
        ]
        told["removed"] = [[each.unit.power, str(each.unit)] for each in context.removed]
    return zlib.compress(json.dumps(told, separators=(",", ":")).encode(), level=9)
