"""What was counted, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from judge.archive.stats.summary import PowerSum, Summary
from judge.cli.archive.tables import Table
from judge.rules.types import Power

KINDS = ("move", "support", "convoy", "hold")


def tables(found: Summary, openings_max: int) -> Iterator[Table]:
    """Yield the tables of *found*, with so many openings a power at most."""
    powers = found["powers"]
    yield Table("Ends", ("end", "games"), [*found["ends"].items()])
    drawn = [
        (len(each["powers"]), _listed(each["powers"]), each["games"]) for each in found["draws"]
    ]
    yield Table("Draws", ("size", "powers", "games"), drawn)
    yield Table("Length", ("years", "games"), [*found["lengths"].items()])
    yield Table(
        "Powers",
        ("power", "solos", "conceded to", "draws", "survived", "eliminated"),
        [(power, *_fate(each)) for power, each in powers.items()],
    )
    yield _years(found)
    for kind in KINDS:
        counts = {power: each["orders"][kind] for power, each in powers.items()}
        yield _by_power(f"Orders: {kind}", counts)
    yield _by_power("Units", {power: each["units"] for power, each in powers.items()})
    yield _openings(found, openings_max)


def _fate(power: PowerSum) -> tuple[int, int, int, int, str]:
    gone = ", ".join(f"{year}: {games}" for year, games in power["eliminated"].items())
    return power["solos"], power["conceded_to"], power["draws"], power["survived"], gone


def _years(found: Summary) -> Table:
    return Table(
        "Centers at the end of the year, and indices by players and survivors",
        ("year", "games", *found["powers"], "by players", "by survivors"),
        [
            (
                each["year"],
                each["games"],
                *map(_number, each["centers"].values()),
                _number(each["index_by_players"]),
                _number(each["index_by_survivors"]),
            )
            for each in found["years"]
        ],
    )


def _by_power(title: str, counts: Mapping[Power, Mapping[str, int]]) -> Table:
    """Return a table with a row a power, and a column for each word."""
    words = [*next(iter(counts.values()))]
    heads = [word.replace("_", " ") for word in words]
    rows = [(power, *told.values()) for power, told in counts.items() if any(told.values())]
    return Table(title, ("power", *heads), rows)


def _openings(found: Summary, openings_max: int) -> Table:
    return Table(
        "Openings",
        ("power", "games", "share", "name", "orders"),
        [
            (power, each["games"], f"{each['share']:.1%}", each["name"], each["orders"])
            for power, told in found["powers"].items()
            for each in told["openings"][:openings_max]
        ],
    )


def _listed(powers: list[Power]) -> str:
    return ", ".join(powers)


def _number(mean: float) -> str:
    """Return *mean* without decimals that say nothing."""
    return f"{mean:g}"
