"""Which language the desk speaks: the gamemaster's own, or the one that his browser asks for."""

from __future__ import annotations

import re

from starlette.requests import Request

from judge.app.ports.people import Person
from judge.reports.languages import SOURCE, languages

# RFC 9110, 12.5.4: `de-AT;q=0.8`; the region makes no difference here.
RANGE = re.compile(r"([A-Za-z]{1,8})(?:-[A-Za-z0-9-]+)?(?:\s*;\s*[qQ]=([01](?:\.\d{0,3})?))?")


def language_for(person: Person | None, request: Request) -> str:
    """Return the language of *person*, if he chose one, else the best that *request* accepts."""
    if person and person.language != SOURCE:
        return person.language
    return preferred(request.headers.get("accept-language", ""))


def preferred(accepted: str) -> str:
    """Return the language that an Accept-Language field likes best, English if it knows none."""
    liked = [
        (float(found[2] or 1), found[1].lower())
        for found in map(RANGE.fullmatch, map(str.strip, accepted.split(",")))
        if found and found[1].lower() in languages()
    ]
    best, language = max(liked, key=lambda each: each[0], default=(0.0, SOURCE))
    return language if best else SOURCE
