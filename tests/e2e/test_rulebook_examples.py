"""The four examples of rulebook IX, mailed with line breaks, come out as the rulebook says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats.record_json import write_record
from judge.archive.records import Record, RecordedPhase, Source
from judge.rules.types import Phase, Position, Unit, UnitKind
from tests.support.daemon import QUICK, Daemon, Player, text_of

BOARD = load_map()
RULES = [word for rule in QUICK for word in ("--rule", rule)]


@dataclass(frozen=True)
class Example:
    """The email of each power, wrapped to a narrow column, and what the results say."""

    mails: Mapping[str, str]
    units: Mapping[str, str]
    results: tuple[str, ...]
    after: str


EXAMPLES = {
    "example 1: no support dislodges a unit of its own power": Example(
        mails={
            "ENGLAND": "ENGLAND: F Den-Kie, F Nth-Den, F Hel S\nF Nth-Den.",
            "RUSSIA": "RUSSIA: A Ber-Kie, F Bal S F Ska-\nDen, F Ska-Den.",
        },
        units={"ENGLAND": "F DEN, F NTH, F HEL", "RUSSIA": "A BER, F BAL, F SKA"},
        results=(
            "England: Fleet Denmark -> Kiel. (*bounce*)",
            "England: Fleet North Sea -> Denmark. (*bounce*)",
            "England: Fleet Helgoland Bight SUPPORT Fleet North Sea -> Denmark.",
            "Russia: Army Berlin -> Kiel. (*bounce*)",
            "Russia: Fleet Baltic Sea SUPPORT Fleet Skagerrak -> Denmark.",
            "Russia: Fleet Skagerrak -> Denmark. (*bounce*)",
        ),
        after="F1901M",
    ),
    "example 2: a support of another power's attack does not dislodge one's own unit": Example(
        mails={
            "FRANCE": "FRANCE: A Bur H.",
            "GERMANY": "GERMANY: A Mun-Bur, A Kie S\nAUSTRIAN A Boh-Mun.",
            "AUSTRIA": "AUSTRIA: A Boh-Mun.",
        },
        units={"FRANCE": "A BUR", "GERMANY": "A MUN, A KIE", "AUSTRIA": "A BOH"},
        results=(
            "Austria: Army Bohemia -> Munich. (*bounce*)",
            "Germany: Army Munich -> Burgundy. (*bounce*)",
            "Germany: Army Kiel SUPPORT Austrian Army Bohemia -> Munich.",
        ),
        after="F1901M",
    ),
    "example 3: of two own attacks the better supported one succeeded": Example(
        mails={
            "AUSTRIA": "AUSTRIA: A Ser-Bud, A Vie-\nBud.",
            "RUSSIA": "RUSSIA: A Gal S. AUSTRIAN A\nSer-Bud.",
        },
        units={"AUSTRIA": "A SER, A VIE", "RUSSIA": "A GAL"},
        results=(
            "Austria: Army Serbia -> Budapest.",
            "Austria: Army Vienna -> Budapest. (*bounce*)",
            "Russia: Army Galicia SUPPORT Austrian Army Serbia -> Budapest.",
        ),
        after="F1901M",
    ),
    "example 4: between equally supported attacks a unit stays": Example(
        mails={
            "AUSTRIA": "AUSTRIA: A Ser H.",
            "RUSSIA": "RUSSIA: A Rum-Ser, A Bud S A\nRum-Ser.",
            "TURKEY": "TURKEY: A Bul-Ser, A Gre S A Bul\n-Ser.",
        },
        units={"AUSTRIA": "A SER", "RUSSIA": "A RUM, A BUD", "TURKEY": "A BUL, A GRE"},
        results=(
            "Russia: Army Rumania -> Serbia. (*bounce*)",
            "Russia: Army Budapest SUPPORT Army Rumania -> Serbia.",
            "Turkey: Army Bulgaria -> Serbia. (*bounce*)",
            "Turkey: Army Greece SUPPORT Army Bulgaria -> Serbia.",
        ),
        after="F1901M",
    ),
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
def test_the_rulebook_examples_come_out_the_same_by_smtp(daemon: Daemon, example: Example) -> None:
    (daemon.folder / "example.jsonl").write_text("".join(record(example)))
    daemon.judge("game", "import", "example.jsonl", "--as", "somme", "--at", "S1901M", *RULES)
    players = {
        power: Player(daemon, f"{power.lower()}@players.example") for power in example.mails
    }
    for power, player in players.items():
        player.write(f"JOIN somme {power}\n")
        player.answer(player.wait_for("confirm_mail"), "YES\n")

    for power, player in players.items():
        player.answer(player.wait_for("takeover"), f"{example.mails[power]}\n")
        receipt = text_of(player.wait_for("receipt", "S1901M"))
        assert "not understood" not in receipt

    results = text_of(next(iter(players.values())).wait_for("phase_results", "S1901M"))
    told = " ".join(results.split())
    assert [each for each in example.results if each not in told] == []
    assert daemon.position("somme")["phase"] == example.after


def record(example: Example) -> Iterable[str]:
    units = tuple(
        Unit(power, UnitKind(name[0]), name[2:])
        for power, names in example.units.items()
        for name in names.split(", ")
    )
    owners = {home: power for home, power in BOARD.start.owners.items() if power in example.units}
    position = Position(Phase.parse("S1901M"), units, owners)
    source = Source("droidippy", "example.txt", "0" * 64)
    phases = (RecordedPhase(position.phase, position, ()),)
    return write_record(
        Record(name="example", source=source, rulebook="droidippy", phases=phases), BOARD
    )
