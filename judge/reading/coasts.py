"""Coasts as people write them behind a place: `StP(sc)`, `Spain/nc`, `Bulgarie, côte sud`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

COAST = re.compile(
    r"\s*[-/(\[,]{0,2}\s*(?:(?:landing\s+)?(?:on|an|sur|in|with|par)\s+)?(?:the\s+|der\s+|die\s+|la\s+|its\s+)?(?:c[oô]te\s+)?"
    r"(?:(?P<short>nk|sk|cn|cs|n|s|e|w|o|nth|sth|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|nord|s[uü]d|sued|ost|sud|est|ouest)"
    r"[\s.-]{0,2}(?P<full>coast|side|seite|c\b(?![\u2019'])\.?|k[uü]ste|kueste)?)\s?[)\]]?(?!\w)",
    re.IGNORECASE,
)
COASTS = {"n": "NC", "s": "SC", "e": "EC", "w": "WC", "o": "EC"}
COASTS_IN_SHORT = {"ouest": "WC", "cn": "NC", "cs": "SC"}
IN_CAPITALS = frozenset({"NK", "SK"})
IN_FRENCH = re.compile(r"c[oô]te", re.IGNORECASE)


UNKNOWN = re.compile(r"\s?(?:\([a-z]{1,6}\)|/[a-z]c\b)", re.IGNORECASE)
NO_COAST = "?"
BEFORE = r"\s*[-/(\[,]{0,2}\s*(?:(?:on|an|sur|in|with)\s+)?(?:the\s+)?"
NONE_NAMED: Mapping[str, str] = MappingProxyType({})


def coast_at(
    text: str, begin: int, named: Mapping[str, str] = NONE_NAMED
) -> tuple[str, int] | None:
    """Return the coast that stands in *text* from *begin*, and where it ends.

    Some are *named* otherwise. Short letters in brackets are a coast, even if there is none of
    that name.
    """
    for name, coast in named.items():
        form = rf"{BEFORE}{name}(?:\s+coast)?\s?[)\]]?(?!\w)"
        if own := re.compile(form, re.IGNORECASE).match(text, begin):
            return coast, own.end()
    found = COAST.match(text, begin)
    if not found:
        unknown = UNKNOWN.match(text, begin)  # `Bul(aec)`
        return (NO_COAST, unknown.end()) if unknown else None
    signs = found[0].strip()[:1]
    short = found["short"].casefold()
    clear = (
        found["full"]
        or IN_FRENCH.search(found[0])
        or found["short"] == short.upper() in IN_CAPITALS
    )
    if signs not in {"/", "("} and not clear:
        return None
    end = found.end() if found["full"] else begin + len(found[0].rstrip(" ."))
    return COASTS_IN_SHORT.get(short) or COASTS[short[0]], end


def coast_in(text: str) -> str:
    """Return the coast that *text* names in full: `it must be on the north coast`."""
    found = next((each for each in COAST.finditer(text) if each["full"]), None)
    return COASTS[found["short"][0].casefold()] if found else ""
