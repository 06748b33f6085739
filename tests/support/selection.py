"""Many cases alike: some that `.ci/run` alone tries, and all in one test if each is short."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")


def one_in(count: int, cases: Iterable[Any]) -> list[Any]:
    """Return *cases*, all but one in *count* with the mark `gate`; tuples are several values."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=[] if number % count == 0 else [pytest.mark.gate],
        )
        for number, case in enumerate(cases)
    ]


def in_one(cases: Iterable[Case]) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Make one test of many short ones: it tries all *cases*, and names each that fails."""

    def decorate(test: Callable[[Case], None]) -> Callable[[], None]:
        def tried() -> None:
            failed = []
            for case in cases:
                try:
                    test(case)
                except Exception as error:  # noqa: BLE001 - they are raised below
                    error.add_note(f"the case: {case}")
                    failed.append(error)
            if failed:
                raise ExceptionGroup("some cases fail", failed)

        tried.__name__ = test.__name__
        return tried

    return decorate
