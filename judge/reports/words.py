"""Single sentences for those who write no mail: the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.reports.render import sentences

if TYPE_CHECKING:
    from judge.game.decision import Why


def refusal(why: Why) -> str:
    """Say why a command was refused."""
    return sentences("refusals")[why.value]
