"""The process that reads texts: within its limit of CPU time, and nothing but values come back."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from time import perf_counter
from timeit import timeit

import pytest

from judge.adapters.reading_process import ReadingProcess, _Reply
from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.app.ports.judge import Call, TooMuchToReadError, UnreadError
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.types import Unit, UnitKind
from tests.support.daemon import PATIENCE_SECONDS


@pytest.fixture(scope="module")
def process() -> Iterator[ReadingProcess]:
    reader = ReadingProcess(idle_seconds_max=PATIENCE_SECONDS)
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def board() -> Map:
    return load_map(DEFAULT_VARIANT)


def test_boards_go_to_the_process_once_and_come_back_as_themselves(
    process: ReadingProcess, board: Map
) -> None:
    for _ in range(2):
        back, _ = process.read(Call({}.get, (0, board)), 9.0)
        assert back is board
    assert process.read(Call(read_for_phase, ("A Par-Bur", board)), 9.0)[0] == read_for_phase(
        "A Par-Bur", board
    )


def test_what_takes_longer_than_its_limit_is_reported_and_the_process_stays(
    process: ReadingProcess,
) -> None:
    process.start()
    child = process._child.process

    with pytest.raises(TooMuchToReadError):
        process.read(Call(timeit, ("pass", "", perf_counter, 10**10)), 0.2)

    assert process.read(Call(sum, ((1, 2),)), 1.0)[0] == 3
    assert process._child.process is child


def test_code_that_cannot_be_interrupted_ends_with_the_process(process: ReadingProcess) -> None:
    with pytest.raises(TooMuchToReadError):
        process.read(Call(sum, (range(10**11),)), 0.2)

    assert process.read(Call(sum, ((1, 2),)), 1.0)[0] == 3


def test_the_time_spent_is_counted(process: ReadingProcess) -> None:
    assert process.read(Call(timeit, ("pass", "", perf_counter, 10**6)), 9.0)[1] > 0


def test_our_own_failure_is_reported_without_any_text(process: ReadingProcess) -> None:
    with pytest.raises(UnreadError, match=r"^ZeroDivisionError in _answer, line \d+$"):
        process.read(Call(divmod, (1, 0)), 1.0)


def test_a_process_that_dies_is_replaced(process: ReadingProcess) -> None:
    with pytest.raises(UnreadError, match=r"crashed \(3\)"):
        process.read(Call(os._exit, (3,)), 1.0)

    assert process.read(Call(sum, ((1, 2),)), 1.0)[0] == 3


@pytest.mark.parametrize("evil", [os.system, eval, ReadingProcess, pickle.loads, read_for_phase])
def test_a_process_that_was_taken_over_can_name_nothing_but_values(evil: object) -> None:
    with pytest.raises(pickle.UnpicklingError):
        _Reply(pickle.dumps(evil), {}, ()).load()


class _ByName:
    """Is written as Python 3.11.2, Debian 12's, writes a member of an enumeration."""

    def __init__(self, kind: type, name: str) -> None:
        self.kind, self.name = kind, name

    def __reduce__(self) -> tuple[object, tuple[type, str]]:
        return getattr, (self.kind, self.name)


def test_the_python_of_debian_12_names_members_of_enumerations() -> None:
    written = pickle.dumps(_ByName(UnitKind, "ARMY"))

    assert _Reply(written, {}, ()).load() is UnitKind.ARMY


@pytest.mark.parametrize(
    ("kind", "name"), [(UnitKind, "mro"), (Unit, "__init__")], ids=["no member", "no enumeration"]
)
def test_a_process_that_was_taken_over_can_name_no_attribute(kind: type, name: str) -> None:
    with pytest.raises(pickle.UnpicklingError):
        _Reply(pickle.dumps(_ByName(kind, name)), {}, ()).load()
