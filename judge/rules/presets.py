"""The presets of rulebooks: what printed rulebooks and other judges answer to each question.

They are the rows of `presets.csv`. Each answer names its source: where it is stated, or the test
that holds it to an outcome of that judge. What a source does not say has the answer of DATC 3.2
and is assumed. The programs were read in these versions: nJudge 2025-05, webDiplomacy 2025-09,
jDip 2016-04, godip 2025-04, `diplomacy` 1.1.2, DPjudge 2022-11.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pkgutil import get_data
from types import MappingProxyType
from typing import TypeAlias


class Basis(Enum):
    """The basis for the answer of a preset."""

    STATED = "stated"
    TESTED = "tested"  # a test holds it to an outcome of the judge or edition
    ASSUMED = "assumed"  # no source says: the answer of DATC 3.2, or what DATC recommends
    NOT_ASKED = "not asked"  # the question does not come up there


@dataclass(frozen=True, slots=True)
class PresetAnswer:
    """A preset's *choice* for a question (empty for that of DATC 3.2), and its *source*.

    *test* names the test of a tested one, as pytest does.
    """

    choice: str
    basis: Basis
    source: str
    test: str = ""


Answers: TypeAlias = Mapping[str, PresetAnswer]  # by question
NAMES = (
    *("datc", "1971", "1976", "1982", "2000", "2023", "2025", "dptg", "njudge", "dpjudge", "jdip"),
    *("webdiplomacy", "webdiplomacy_2023", "backstabbr", "godip", "diplomacy", "droidippy"),
)


def _read(rows: bytes) -> Mapping[str, Answers]:
    """Read the answers of each preset; DATC 3.2 states all those of `datc`."""
    presets = {name: dict[str, PresetAnswer]() for name in NAMES}
    _, *answers = csv.reader(rows.decode().splitlines())
    for names, question, basis, choice, source, test in answers:
        for name in names.split():
            presets[name][question] = PresetAnswer(choice, Basis(basis), source, test)
    return MappingProxyType(presets)


PRESETS = _read(get_data("judge.rules", "presets.csv") or b"")
REPRINTS = {"1992": "1982", "2008": "2000"}  # printed rulebooks, by those that they repeat
