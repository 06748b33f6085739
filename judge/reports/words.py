"""Single sentences for those who write no mail: the command line."""

from __future__ import annotations

from judge.game.decision import Why
from judge.reports.render import sentences


def refusal(why: Why) -> str:
    """Say why a command was refused."""
    return sentences("refusals")[why.value]
