"""What pictures of the board say in words, in the language of the page that shows them."""

from __future__ import annotations

from judge.pictures.scene import Captions
from judge.reports.board_names import place_name, power_name
from judge.reports.replay_pages import result_words_of_pages
from judge.rules.board import Map


def captions(board: Map, language: str) -> Captions:
    """Return what *language* calls powers, places and results."""
    return Captions(
        {power: power_name(board, power, language) for power in board.powers},
        {code: place_name(board, code, language) for code in board.places},
        result_words_of_pages(language),
    )
