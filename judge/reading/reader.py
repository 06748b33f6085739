"""Read a text as orders: the cheapest explanation on the board."""

from __future__ import annotations

from judge.reading.chunks import Chunker
from judge.reading.marks import Marks
from judge.reading.policy import TextRead
from judge.reading.references import Resolver
from judge.reading.segments import segmented
from judge.reading.world import World


def read_text(text: str, world: World, hints: frozenset[str] = frozenset()) -> TextRead:
    """Read *text*; *hints* are the languages that its writer may use."""
    chunks = Chunker(text, world, hints).run()
    return Resolver(world, chunks, Marks(chunks, world)).run(segmented(chunks, world))
