"""The `diplomacy` package loads the games we write for it, and replays them to the same end."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from judge.adapters.variant_files import load_map
from judge.archive.formats import diplomacy
from judge.archive.formats.diplomacy_writer import write_record as write_diplomacy
from judge.archive.formats.record_json import write_record
from judge.archive.position_json import read_written_orders
from judge.archive.reading import Doubts, Reading
from judge.archive.records import Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import rulebook_named
from tests.bench import peer
from tests.games.records import game_10713

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not peer.installed(), reason=f"{peer.NAME} is not installed for the bench"),
]
BOARD = load_map()
REPLAY = Path(__file__).with_name("peer_replay.py")


def test_game_10713_is_loaded_and_comes_to_the_same_positions() -> None:
    record = recorded_10713()

    (answer,) = answers(write_diplomacy(record, BOARD))

    assert answer == ["F1911R", 43, []]


def test_our_own_form_is_loaded_as_well() -> None:
    record = recorded_10713()

    (answer,) = answers(write_record(record, BOARD))

    assert answer == ["F1911R", 43, []]


@pytest.mark.skipif("JUDGE_SAMPLES" not in os.environ, reason="JUDGE_SAMPLES names no folder")
def test_a_game_that_the_package_saved_is_the_same_to_it_when_we_have_written_it() -> None:
    path = Path(os.environ["JUDGE_SAMPLES"]) / "python_diplomacy_network_3.json"
    lines = path.read_text(encoding="utf-8").split("\n")
    (record,) = diplomacy.DIPLOMACY.reads(Reading(BOARD, path.name, "0", Doubts(path.name)), lines)

    (theirs,) = answers(lines)
    (ours,) = answers(write_diplomacy(record, BOARD))

    assert ours == theirs == ["F1913M", 52, []]


def recorded_10713() -> Record:
    """Return game 10713 as a record, its positions played here."""
    position, phases = BOARD.start, []
    for told in game_10713():
        orders = {
            power: read_written_orders(BOARD, texts) for power, texts in told["orders"].items()
        }
        written = [
            WrittenOrder(power, write_order(order), order)
            for power, several in orders.items()
            for order in several
        ]
        phases.append(RecordedPhase(position.phase, position, tuple(written)))
        position = adjudicate(BOARD, position, orders, rulebook_named(told["rulebook"])).after
    return Record(name="10713", source=Source("ours", "10713", "0"), phases=tuple(phases))


def answers(saved: Iterable[str]) -> list[object]:
    """Return what the package says of *saved* games, a line each."""
    replayed = subprocess.run(
        [peer.environment(), REPLAY],
        input="".join(saved),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in replayed.stdout.splitlines()]
