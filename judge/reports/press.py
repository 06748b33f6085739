"""Press on its way, and the answer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.reports.contexts import Letter, PressEcho
from judge.reports.headings import heading_of

if TYPE_CHECKING:
    from judge.game.decision import Why
    from judge.game.game import Game
    from judge.rules.geography import Map


def letter(
    board: Map, game: Game, sender: str, recipients: tuple[str, ...], text: str, *, judge_code: str
) -> Letter:
    """Relay *text* from *sender*, a power or `MODERATOR`; all *recipients* are named to each."""
    others = set(board.powers) - {sender}
    return Letter(
        heading=heading_of(board, game, judge_code),
        sender=sender,
        recipients=recipients,
        broadcast=others <= set(recipients),
        text=text,
    )


def echo(
    board: Map,
    game: Game,
    recipients: tuple[str, ...],
    *,
    judge_code: str,
    refused: Why | None = None,
) -> PressEcho:
    """Answer a reply to press: to whom it went, or why it did not."""
    heading = heading_of(board, game, judge_code)
    return PressEcho(heading=heading, recipients=recipients, refused=refused)
