"""Orders below a line that may say that they are none: they count, and the receipt shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.mail.body import Line
from judge.mail.reader.prose import may_disclaim_orders
from judge.notation.readings import Prose, Reading, Understood
from judge.reports.emails.receipts import Introduced
from judge.rules.board import Map


def introduced(
    board: Map, game: str, lines: Sequence[Line], readings: Sequence[Reading]
) -> Iterator[Introduced]:
    """Yield what stands right above orders among *lines*, or before them, and may deny them."""
    ordering = {
        each.line: each.column for each in reversed(readings) if isinstance(each, Understood)
    }
    spoken = {each.line for each in readings if not isinstance(each, Prose)}
    written = [line for line in lines if line.text.strip()]
    for above, line in zip([None, *written], written, strict=False):
        if line.number not in ordering:
            continue
        before, colon, _ = line.text[: ordering[line.number] - 1].partition(":")
        if colon:
            said = before + colon
        elif above and above.number not in spoken:
            said = above.text
        else:
            continue
        if may_disclaim_orders(said, board, {game}):
            yield Introduced(line.number, said.strip())
