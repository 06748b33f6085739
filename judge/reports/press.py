"""Press on its way, and the answer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.house_rules import Fakes
from judge.reports.contexts import Letter, PressEcho
from judge.reports.headings import heading_of
from judge.reports.items import PressGone
from judge.reports.languages import said
from judge.reports.names import nation

if TYPE_CHECKING:
    from judge.game.game_state import Game, PressSent
    from judge.reports.items import PressBack
    from judge.rules.board import Map


def letter(  # noqa: PLR0913 - who told it of what, and how it is to be read
    board: Map,
    game: Game,
    sent: PressSent,
    text: str,
    *,
    judge_code: str,
    honest: bool = False,
    handle: str = "",
    answerable: bool = True,
) -> Letter:
    """Relay *text* as *sent* tells of itself, or as it is, to be *honest*.

    *handle* is the name of an observer who wrote it.
    """
    signed = sent.sender if honest else sent.signed
    named = sent.recipients if honest else sent.named
    return Letter(
        heading=heading_of(board, game, judge_code),
        sender=signed,
        handle=handle,
        recipients=named,
        broadcast=set(board.powers) - {signed} <= set(named),
        text=text,
        doubtful=game.house_rules.fakes if not honest else Fakes.NONE,
        answerable=answerable,
    )


def signature(letter: Letter, language: str) -> str:
    """Return whom *letter* seems to come from, as mail clients list it: `England (blitz)`."""
    board, game = letter.heading.board, letter.heading.game
    assert board, "press is about a game"
    name = nation(board, letter.sender, language) if letter.sender else said(language, "Press")
    return f"{name} ({game})"


def echo(
    board: Map,
    game: Game,
    recipients: tuple[str, ...],
    told: PressGone | PressBack,
    *,
    judge_code: str,
) -> PressEcho:
    """Answer a reply to press, of which *told* accounts; *recipients* are none if secret."""
    gone = told if isinstance(told, PressGone) else None
    return PressEcho(
        heading=heading_of(board, game, judge_code),
        recipients=recipients,
        refused=None if isinstance(told, PressGone) else told.why,
        unsigned=bool(gone and gone.signed is None),
        lines=gone.lines if gone else (),
        struck=gone.struck if gone else (),
    )
