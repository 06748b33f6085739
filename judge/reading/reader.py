"""Read a text as orders: the cheapest explanation on the board."""

from __future__ import annotations

from dataclasses import replace

from judge.reading.chunks import Chunker
from judge.reading.policy import TextRead
from judge.reading.references import Resolver
from judge.reading.roles import Roles
from judge.reading.second_thoughts import SecondThoughts
from judge.reading.segments import segmented
from judge.reading.wishes import without_wishes
from judge.reading.world import World


def read_text(text: str, world: World) -> TextRead:
    """Read *text* as orders in *world*."""
    chunks = Chunker(text, world).run()
    Roles(text, world, chunks).settle()
    chunks, wishes = without_wishes(chunks, world)
    frames = segmented(chunks, world)
    found = Resolver(world, chunks, SecondThoughts(chunks, world, frames)).run(frames)
    return replace(found, wishes=wishes) if wishes else found
