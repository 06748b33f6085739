"""Tests of the oracle, and a sample of the comparison that `.ci/long` runs at length."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.oracle import solver
from tests.oracle.compare import described, differences
from tests.oracle.solver import Convoy, Move, Support, Unit, solve
from tests.oracle.standard_board import read_board
from tests.oracle.styles import STYLES, Case, make

BOARD = read_board()
POSITIONS = 50  # of each style


@pytest.mark.parametrize("style", STYLES)
def test_the_judge_and_the_oracle_agree(style: str) -> None:
    for seed in range(POSITIONS):
        case = make(BOARD, style, seed)
        assert not differences(case), described(case)


@pytest.mark.parametrize("name", ["solver.py", "standard_board.py", "styles.py"])
def test_the_oracle_imports_nothing_of_the_judge(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    imported = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    imported += [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    assert imported
    assert not [each for each in imported if each.split(".")[0] == "judge"]


# DATC 6.F.14: the convoyed army cuts the support for the attack on its own fleet.
PARADOX: Case = (
    {
        "BRE": Unit("FRANCE", is_fleet=False, location="BRE"),
        "ENG": Unit("FRANCE", is_fleet=True, location="ENG"),
        "LON": Unit("ENGLAND", is_fleet=True, location="LON"),
        "WAL": Unit("ENGLAND", is_fleet=True, location="WAL"),
    },
    {
        "BRE": Move("LON"),
        "ENG": Convoy("BRE", "LON"),
        "LON": Support("WAL", "ENG"),
        "WAL": Move("ENG"),
    },
)


def test_the_oracle_ends_a_paradox_by_disrupting_its_convoy() -> None:
    result = solve(BOARD, *PARADOX)

    assert result.moved == {"WAL"}
    assert result.dislodged == {"ENG"}
    assert result.given == {"LON"}
    assert result.groups == [(2, "paradox")]


def test_a_wrong_adjudication_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = solver.Result(moved={"BRE"}, dislodged=set(), given=set())
    monkeypatch.setattr("tests.oracle.compare.as_judged", lambda _case: wrong)

    assert [line.split(":")[0] for line in differences(PARADOX)] == ["moved", "dislodged", "given"]
