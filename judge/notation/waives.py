"""Builds that are given up: one (`waive`), some (`waive 2`, `two waives`), all (`no builds`)."""

from __future__ import annotations

from collections.abc import Sequence

from judge.notation.reading import EVERY
from judge.notation.words import BUILDING, EVERYTHING, NOTHING, NUMBERS, WAIVE

SMALL = frozenset(
    {
        *("a", "of", "them", "it", "this", "that", "year", "winter", "time", "season", "phase"),
        *("for", "me", "us", "now", "more", "jahr", "dieses", "cette", "année"),
        *("my", "our", "next", "later", "other", "second", "third", "last"),
        *("auf", "den", "meinen", "andere", "anderen", "zweiten", "dritten", "autre", "deuxième"),
    }
)
SAVE = frozenset({"save", "saving", "postpone", "defer", "bank"})  # builds, and nothing else


def waived(keys: Sequence[str]) -> int | None:
    """Return how many builds *keys* waive, `EVERY` for all that are left; None if they do not."""
    if keys and keys[0].isdigit() and not {"waives", "builds"} & {*keys}:
        keys = keys[1:]  # `2. waive` in a list
    builds = [key for key in keys if key in BUILDING]
    if builds and keys[0] in SAVE:
        keys = ["waive", *keys[1:]]
    said = [key for key in keys if key not in BUILDING and key not in SMALL]
    if builds and len(said) == 1 and said[0] in NOTHING:
        return EVERY
    verbs = [key for key in said if key in WAIVE]
    counts = [key for key in said if key not in WAIVE]
    if len(verbs) != 1 or len(counts) > 1:
        return None
    if not counts:
        return EVERY if "builds" in builds else 1
    return EVERY if counts[0] in EVERYTHING else NUMBERS.get(counts[0])
