"""Letters that begin with a bare name, or with where somebody lives: `Germany, A Par-Bur`.

What follows is told to him, and is no order of its writer's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.language.phase_headings import begins_with_order
from judge.mail.language.phase_slips import spelled
from judge.mail.language.powers import people_named, power_named
from judge.notation.names import names_of

if TYPE_CHECKING:
    from judge.rules.board import Map

PARTS_MAX = 7  # powers
PART = re.compile(r"[\s*_]*([^\W\d_][\w'\u2019 -]{1,40}?)[\s*_]*([,!])\s*")
ASKED = re.compile(  # `Germany, please order:`, `Germany - would you do this:`
    r"[\s*_]*([^\W\d_]{4,20})[\s*_]*(?:,|\s[-\u2013\u2014])\s*"
    r"(?:please|(?:would|could|will|can) you|(?:what|how) about|bitte"
    r"|(?:würdest|könntest|kannst) du|s['\u2019]il (?:te|vous) plaît|peux-tu|pourrais-tu)"
    r"\b[^:]{0,80}:\W*",
    re.IGNORECASE,
)
JOINED = re.compile(r"\s+(?:and|und|et)\s+|\s*[&+]\s*", re.IGNORECASE)
LIVING = re.compile(  # `To my dear friend in Berlin:`
    r"(?:to|an|à|dear|lieber?|chère?|cher)\s+(?:(?:my|our|the|mein\w*|unser\w*|de[mnr]|mon|notre|le)"
    r"\s+)?(?:(?:dear|good|old|lieb\w*|gut\w*|alt\w*|cher)\s+)*([^\W\d_]+)"
    r"\s+(?:in|of|at|aus|von|à|de)\s+([\w. -]{2,20}?)\s*[:,]\W*",
    re.IGNORECASE,
)
PERSONS = spelled(
    "friend friends ally allies neighbor neighbors neighbour neighbours colleague colleagues"
    " partner comrade cousin brother king queen emperor kaiser tsar czar sultan president"
    " chancellor minister ambassador government court freund freunde freunden freundin nachbar"
    " nachbarn kollege kollegen verbündeter verbündeten könig zar präsident kanzler botschafter"
    " regierung ami amie amis allié alliés voisin voisins collègue roi empereur président"
    " ministre ambassadeur"
)


def addressed(text: str, board: Map, own: str | None) -> tuple[str, ...]:
    """Return the powers that *text* speaks to in no words of a letter, none if it does not.

    Who writes for his *own* power names it so himself; of whom nothing is known may be any.
    """
    if own is None:
        return ()
    whom = _by_name(text, board) or _by_place(text, board)
    return () if own in whom else whom


def _by_name(text: str, board: Map) -> tuple[str, ...]:
    """Read `Germany,` alone in a line, `Germany, Italy, A Par-Bur`, `Germany, please order:`."""
    asked = ASKED.fullmatch(text)
    whom = [power] if asked and (power := _named(asked[1], board)) else []
    if whom:
        return tuple(whom)
    at = 0
    for _ in range(PARTS_MAX):
        found = PART.match(text, at)
        named = [_named(word, board) for word in JOINED.split(found[1])] if found else []
        if not named or None in named:
            break
        whom += [each for each in named if each]
        at = found.end() if found else at
    rest = text[at:]
    return tuple(dict.fromkeys(whom)) if not rest or begins_with_order(rest, board) else ()


def _named(word: str, board: Map) -> str | None:
    """Return the power of a whole name; `a, b` are no letters of any."""
    return (power_named(word, board) or people_named(word, board)) if len(word) > 1 else None


def _by_place(text: str, board: Map) -> tuple[str, ...]:
    """Read `To my friend in Berlin:`: who lives in a home center of a power is that power."""
    found = LIVING.fullmatch(text.strip(" *_"))
    if found is None or found[1].casefold() not in PERSONS:
        return ()
    words = found[2].casefold().replace(".", " ").split()
    length, places = names_of(board).longest(words)
    if length != len(words) or len(places) != 1:
        return ()
    return tuple(power for power in board.powers if places[0] in board.homes_of(power))
