"""In which zone somebody is told of deadlines: each game's own, or his, named as people do."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from judge.app.desk import Desk, Session
from judge.mail.language.profile_commands import SetZone
from judge.notation.names import closest_matches
from judge.reports.emails.receipts import CommandDone, Item, LineNotUnderstood

SHOWN_MAX = 3


def set_zone(desk: Desk, session: Session, said: SetZone) -> Item:
    """Let deadlines be told in the zone that *said* names, or again in that of each game."""
    if said.zone is None:
        desk.transaction.people.set_zone(session.person.id, None)
        return CommandDone("nozone")
    named = _zones().get(said.zone.casefold(), ())
    if len(named) == 1:
        desk.transaction.people.set_zone(session.person.id, named[0])
        return CommandDone("zone", named[0])
    nearest = " or ".join(f"SET ZONE {each}" for each in named or _near(said.zone))
    return LineNotUnderstood(said.line, said.text, nearest or None)


def _near(word: str) -> tuple[str, ...]:
    found = closest_matches(word.casefold(), _zones())
    return tuple(dict.fromkeys(zone for _, name in found for zone in _zones()[name]))[:SHOWN_MAX]


@cache
def _zones() -> dict[str, tuple[str, ...]]:
    """Return the zones by their whole names, and by the last parts, as Berlin is one."""
    found: dict[str, tuple[str, ...]] = {}
    for zone in sorted(available_timezones()):
        city = zone.rpartition("/")[2].casefold()
        if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/")):
            found[city] = (*found.get(city, ()), zone)
    whole = {zone.casefold(): (zone,) for zone in available_timezones()}
    return found | whole
