"""Single sentences for those who write no mail: the command line, and the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.reports.languages import SOURCE
from judge.reports.render import sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.game.decision import Why


def refusal(why: Why, language: str = SOURCE) -> str:
    """Say why a command was refused."""
    return sentences("refusals", language)[why.value]


def errand_words(name: str, language: str = SOURCE) -> str:
    """Say why something that was asked for at the desk came to nothing."""
    return sentences("errands", language)[name]


def troubles() -> Mapping[str, str]:
    """Return what each thing is that somebody should look after (`judge.app.health`)."""
    return sentences("troubles")


def rulebook_words() -> Mapping[str, str]:
    """Return what presets, questions (`waived_builds`) and answers (`waived_builds=allowed`) say.

    A question is a case that rules leave open, an answer the end of that sentence.
    """
    return sentences("rulebooks")
