"""What is written in the form of another program is read again as it was."""

from __future__ import annotations

from random import Random  # noqa: TID251 seeded by Hypothesis

from hypothesis import given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.archive.readers import droidippy
from judge.archive.reading import Doubts, Format, Reading
from judge.archive.record import Record, RecordedPhase
from judge.archive.writers.droidippy import write as write_droidippy
from tests.properties.fights import seeds
from tests.properties.recorded import played

BOARD = load_map()
LENGTHS = st.integers(1, 12)


@given(seeds, LENGTHS)
def test_droidippy_text_tells_positions_and_orders_as_they_were(
    chance: Random, phases: int
) -> None:
    record = played(BOARD, chance, phases=phases, rulebook="droidippy")

    (again,) = read(droidippy.FORMAT, "".join(write_droidippy(record, BOARD)))

    assert [facts(each) for each in again.phases] == [facts(each) for each in record.phases]


def read(form: Format, text: str) -> list[Record]:
    assert form.recognizes(text)
    return list(form.read(Reading(BOARD, "game", "0", Doubts("game")), text.splitlines()))


def facts(phase: RecordedPhase) -> object:
    """Return what droidippy tells of a phase."""
    return phase.phase, phase.position, [(each.power, each.order) for each in phase.orders]
