"""The tables of formats are those of the modules."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import pytest

from judge.archive import readers, writers
from judge.archive.formats import READERS, WRITERS, reader, recognized, writer


def modules(package: ModuleType, attribute: str) -> tuple[str, ...]:
    names = sorted(each.name for each in iter_modules(package.__path__))
    return tuple(
        name for name in names if hasattr(import_module(f"{package.__name__}.{name}"), attribute)
    )


def test_every_module_is_in_its_table() -> None:
    assert modules(readers, "FORMAT") == READERS
    assert modules(writers, "write") == WRITERS


@pytest.mark.parametrize("name", READERS)
def test_a_format_has_the_name_of_its_module(name: str) -> None:
    assert reader(name).name == name


@pytest.mark.parametrize("name", WRITERS)
def test_what_is_written_can_be_read(name: str) -> None:
    assert callable(writer(name))
    assert name in READERS


def test_nothing_is_recognized_in_a_letter() -> None:
    assert recognized("Dear Anna,\n\nthe weather in Paris is fine.\n") == []
