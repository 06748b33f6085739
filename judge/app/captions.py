"""What pictures of the board say in words, in the language of the page that shows them."""

from __future__ import annotations

from judge.pictures.captions import Words
from judge.reports.names import nation, place
from judge.reports.replays import results_told
from judge.rules.board import Map


def captions(board: Map, language: str) -> Words:
    """Return what *language* calls powers, places and results."""
    return Words(
        {power: nation(board, power, language) for power in board.powers},
        {code: place(board, code, language) for code in board.places},
        results_told(language),
    )
