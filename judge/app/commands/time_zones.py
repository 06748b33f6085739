"""The time zones that people name: by a city, a country, `CET` or `GMT+1`."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from judge.notation.terms import closest_matches
from judge.reports.languages import cities_of_zones, countries_of_zones

SHOWN_MAX = 3


def is_zone(word: str) -> bool:
    """Return whether *word* names a time zone, a city or a country."""
    return word.casefold() in zones() or word.casefold() in _zones_of_country()


def commands_for_zone(word: str) -> tuple[str, ...]:
    """Return the commands for the time zone that *word* means, or for some that are like it."""
    key, known = word.casefold(), zones()
    near = [known[key]] if key in known else _zones_of_country().get(key, ())
    near = near or [known[name] for _, name in closest_matches(key, known)]
    return tuple(f"SET ZONE {each}" for each in [*dict.fromkeys(near)][:SHOWN_MAX])


@cache
def _zones_of_country() -> dict[str, tuple[str, ...]]:
    return {
        country.casefold().replace(" ", "_"): some
        for country, some in countries_of_zones()
        if len(some) <= SHOWN_MAX
    }


@cache
def zones() -> dict[str, str]:
    """Return the time zone that a name means, in small letters.

    The few cities that are in two places of the list, such as Istanbul, have one time.
    """
    found: dict[str, str] = {}
    for zone in sorted(available_timezones()):
        city = zone.rpartition("/")[2].casefold()
        if "/" in zone and not zone.startswith(("Etc/", "posix/", "right/", "Brazil/")):
            found.setdefault(city, zone)
    for city, zone in cities_of_zones():
        found.setdefault(city.casefold().replace(" ", "_"), zone)
    for country, some in _zones_of_country().items():
        if len(some) == 1:
            found.setdefault(country, some[0])
    whole = {zone.casefold(): zone for zone in available_timezones()}
    # `GMT+1` is east of Greenwich for everybody but POSIX, which has turned the sign around.
    ahead = {
        f"{name}{-behind:+}": f"Etc/GMT{behind:+}"
        for name in ("utc", "gmt")
        for behind in range(-14, 13)
        if behind
    }
    return found | whole | ahead
