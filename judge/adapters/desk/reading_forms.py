"""What all forms of the desk are read by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from judge.game.game_state import Game

REASON_MAX = 200

Fields: TypeAlias = Mapping[str, str]
Told: TypeAlias = Mapping[str, object]  # what the words of an errand name


class BadFormError(ValueError):
    """A form lacks something; the message names the words that say what."""


def phase_of(game: Game) -> str:
    """Return the code of the phase that is open. Raises `BadFormError`."""
    if game.position is None:
        raise BadFormError("not_open")
    return game.position.phase.code


def reason_in(form: Fields) -> str:
    """Return the reason that is given. Raises `BadFormError`."""
    reason = " ".join(form.get("reason", "").split())
    if not 0 < len(reason) <= REASON_MAX:
        raise BadFormError("bad_reason")
    return reason
