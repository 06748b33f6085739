"""Records written in the format of another program are read back unchanged."""

from __future__ import annotations

from random import Random  # noqa: TID251 seeded by Hypothesis

from hypothesis import example, given
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.archive.formats import daide_session, droidippy
from judge.archive.formats.daide_writer import write_record as write_daide
from judge.archive.formats.droidippy import write_record as write_droidippy
from judge.archive.reading import Doubts, Format, Reading, UnreadableError
from judge.archive.records import Record, RecordedPhase, WrittenOrder
from tests.properties.conflicts import seeds
from tests.properties.random_records import played

BOARD = load_map()
LENGTHS = st.integers(1, 12)


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_droidippy_text_tells_positions_and_orders_as_they_were(
    chance: Random, phases: int
) -> None:
    record = played(BOARD, chance, phases=phases, rulebook="droidippy")

    (again,) = read(droidippy.FORMAT, "".join(write_droidippy(record, BOARD)))

    assert [facts(each) for each in again.phases] == [facts(each) for each in record.phases]


@example(Random(1), 12)  # noqa: S311 no secret
@given(seeds, LENGTHS)
def test_a_session_of_daide_tells_positions_orders_and_results_as_they_were(
    chance: Random, phases: int
) -> None:
    record = played(BOARD, chance, phases=phases)

    (again,) = read(daide_session.FORMAT, "".join(write_daide(record, BOARD)))

    assert [heard(each) for each in again.phases] == [heard(each) for each in record.phases]


@example(Random(1), daide_session.FORMAT, "\0")  # noqa: S311 no secret
@example(Random(2), droidippy.FORMAT, "")  # noqa: S311 no secret
@given(seeds, st.sampled_from([daide_session.FORMAT, droidippy.FORMAT]), st.text(max_size=8))
def test_of_a_damaged_text_all_is_read_or_complained_about(
    chance: Random, form: Format, junk: str
) -> None:
    write = {"daide": write_daide, "droidippy": write_droidippy}[form.name]
    text = "".join(write(played(BOARD, chance, phases=4), BOARD))
    start, end = sorted(chance.choices(range(len(text)), k=2))
    damaged = text[:start] + junk + text[min(end, start + 40) :]

    try:
        strictly = read(form, damaged)
    except UnreadableError:
        strictly = []
    leniently = read(form, damaged, strict=False)

    assert all(not each.doubts for each in strictly)
    assert strictly in ([], leniently)


def read(form: Format, text: str, *, strict: bool = True) -> list[Record]:
    reading = Reading(BOARD, "game", "0", Doubts("game", strict))
    return list(form.read(reading, text.splitlines()))


def facts(phase: RecordedPhase) -> object:
    """Return the facts of a phase that droidippy keeps."""
    return phase.phase, phase.position, [(each.power, each.order) for each in phase.orders]


def heard(phase: RecordedPhase) -> object:
    """Return the facts of a phase that a DAIDE session keeps."""
    position = phase.position
    assert position
    return (
        (phase.phase, position.units, position.owners),
        [(each.unit, each.retreats) for each in position.dislodged],
        [(each.power, each.order, said(each)) for each in phase.orders],
    )


def said(written: WrittenOrder) -> list[str]:
    """Return the results of an order; a destroyed unit is told that it must retreat."""
    return ["dislodged" if word == "destroyed" else word for word in written.results or ()]
