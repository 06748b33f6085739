"""Email addresses in a file are removed, unless the caller asks to keep them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from judge.adapters.archive.record_files import ReadOptions, games_in
from judge.adapters.variant_files import load_map
from judge.archive.formats.record_json import record_to_json
from judge.archive.reading import UnreadableError
from judge.archive.records import (
    Doubt,
    Ending,
    EndKind,
    Record,
    RecordedPhase,
    RecordedPress,
    Seat,
    Source,
    WrittenOrder,
    redact_record,
    redact_source,
)
from judge.rules.types import Phase

BOARD = load_map()
SPRING = Phase.parse("S1901M")
ANNA = "anna@seed.example"
EVERYWHERE = Record(
    name=f"game of {ANNA}",
    source=Source("diplomacy", f"{ANNA}.json", "0"),
    numbers={"judge": ANNA},
    gamemaster=ANNA,
    zine=ANNA,
    issue=ANNA,
    seats=(Seat("AUSTRIA", f"Anna <{ANNA}>", address=ANNA),),
    phases=(
        RecordedPhase(SPRING, None, (WrittenOrder("AUSTRIA", f"> {ANNA}", None),), notes=(ANNA,)),
    ),
    press=(RecordedPress(SPRING, ANNA, (ANNA,), f"Write to {ANNA}!"),),
    ending=Ending(EndKind.DRAW, ("AUSTRIA",), reason=f"by {ANNA}"),
    settings={"desc": f"ask {ANNA}", ANNA: "yes"},
    doubts=(Doubt(1, ANNA, f"no order of {ANNA}"),),
)
DIPLOMACY = json.dumps(
    {
        "id": ANNA,
        "map": "standard",
        "phases": [
            {"name": "S1901M", "state": {"units": {"AUSTRIA": ["A BUD"]}},
             "orders": {"AUSTRIA": [f"A BUD {ANNA}"]}}
        ],
    }
)  # fmt: skip


def test_no_text_of_a_record_has_an_address() -> None:
    told = json.dumps(record_to_json(redact_source(redact_record(EVERYWHERE)), BOARD))

    assert "@" not in told
    assert "Write to [address]!" in told


def test_the_name_of_the_file_by_which_it_is_found_stays_as_it_is() -> None:
    assert redact_record(EVERYWHERE).source == EVERYWHERE.source


def test_a_record_without_addresses_stays_as_it_is() -> None:
    plain = redact_record(redact_source(EVERYWHERE))

    assert redact_record(plain) == plain


@pytest.mark.parametrize("keep", [False, True], ids=["left out", "kept"])
def test_names_orders_and_doubts_of_a_file_have_addresses_only_if_asked(
    tmp_path: Path, *, keep: bool
) -> None:
    file = tmp_path / "game"
    file.write_text(DIPLOMACY)

    (game,) = games_in(BOARD, file, ReadOptions(strict=False, keep_addresses=keep))

    assert isinstance(game, Record)
    assert game.doubts
    assert (ANNA in repr(game)) is keep
    assert replace(game, name="", doubts=(), phases=()).source.name == str(file)


def test_what_stops_a_strict_reading_is_told_without_addresses(tmp_path: Path) -> None:
    (tmp_path / "game").write_text(DIPLOMACY)

    (error,) = games_in(BOARD, tmp_path / "game", ReadOptions())

    assert isinstance(error, UnreadableError)
    assert "A BUD [address]" in str(error)


def test_what_is_left_out_at_the_end_of_a_file_is_told_without_addresses(tmp_path: Path) -> None:
    (tmp_path / "game").write_text(DIPLOMACY.replace("S1901M", ANNA))

    (error,) = games_in(BOARD, tmp_path / "game", ReadOptions(strict=False))

    assert isinstance(error, UnreadableError)
    assert ANNA not in str(error)
