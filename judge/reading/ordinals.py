"""Find which unit of a list `the first`, `the latter` or `la seconde` is."""

from __future__ import annotations

from collections.abc import Sequence

from judge.reading.chunks import Chunk
from judge.reading.tokens import VERBS

FIRST, SECOND = "first", "second"
ORDINALS = frozenset({FIRST, SECOND})
ENDS = VERBS | {"break", "and", "supported_by", "convoyed_by", "fill"}


def name_ordinals(chunks: Sequence[Chunk]) -> None:
    """Turn `the first` and `the second` into the units of the list before them, or into fill."""
    if ORDINALS.isdisjoint([chunk.role for chunk in chunks]):
        return
    listed: list[Chunk] = []
    meant: list[Chunk] = []  # the list of which the first was named
    for at, chunk in enumerate(chunks):
        if chunk.role in ORDINALS:
            ends = at + 1 == len(chunks) or chunks[at + 1].role in ENDS
            meant = listed if chunk.role == FIRST or not meant else meant
            if len(meant) >= len(ORDINALS) and (ends or chunks[at + 1].prep == "by"):
                named = meant[int(chunk.role == SECOND)]
                chunk.role, chunk.places, chunk.units = "np", named.places, named.units
                chunk.kind, chunk.has_kind = named.kind, named.has_kind
            else:
                chunk.role = "fill"
        elif chunk.role == "np" and chunk.units and chunk.places and not chunk.prep:
            before = [each for each in chunks[max(at - 3, 0) : at] if each.role == "np"]
            joined = at and (chunks[at - 1].role == "and" or chunks[at - 1].key == ",")
            goes_on = bool(listed) and bool(before) and before[-1] is listed[-1] and joined
            listed = [*listed, chunk] if goes_on else [chunk]
