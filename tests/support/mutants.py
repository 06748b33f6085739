"""Print how many mutants of the rules the types and tests detect, and show the survivors.

`.ci/mutants` runs it after mutmut, which makes the changes and tries each in a fork of a process.
A fork inherits what that process has cached, a board that is read once for example; so what passed
there is tried again in a process of its own, against the properties as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import click

MUTANTS = Path("mutants")
TRIED_AGAIN = ("datc", "unit/rules", "unit/reports", "rulebook", "games", "properties")
NOTICED_MIN = 0.95  # most of the others change how long it takes, or nothing at all

PASSED, UNTRIED, MISTYPED = 0, 33, 37  # as mutmut records what became of a mutant
Count: TypeAlias = Counter[str]


def main() -> None:
    """Print the table and the undetected changes; exit with 1 if they are too many."""
    counts: dict[str, Count] = {}
    missed: list[str] = []
    for module, codes in records():
        count = counts[module] = Counter(changes=len(codes))
        for mutant, code in codes.items():
            fate = fate_of(mutant, code)
            count[fate] += 1
            if fate == "missed":
                missed.append(mutant)
    for mutant in missed:
        click.echo(shown(mutant))
    total: Count = sum(counts.values(), Counter())
    click.echo(table({**counts, "all": total}))
    sys.exit(total["missed"] > total["changes"] * (1 - NOTICED_MIN))


def records() -> Iterator[tuple[str, dict[str, int]]]:
    """Yield for each module its mutants, with the exit codes of their tests."""
    rules = MUTANTS / "judge" / "rules"
    for file in sorted(rules.rglob("*.py.meta")):
        codes = json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
        if codes:
            yield str(file.relative_to(rules)).removesuffix(".py.meta"), codes


def fate_of(mutant: str, code: int) -> str:
    """Return what notices *mutant*: `types` or `tests`, or that it was `missed`."""
    if code == MISTYPED:
        return "types"
    if code not in {PASSED, UNTRIED}:
        return "tests"
    return "missed" if passes(mutant) else "tests"


def passes(mutant: str) -> bool:
    """Return whether the tests pass with *mutant* in a process of its own."""
    tests = [f"tests/{folder}" for folder in TRIED_AGAIN]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=MUTANTS,
        env={**os.environ, "MUTANT_UNDER_TEST": mutant},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def shown(mutant: str) -> str:
    """Return the change that makes *mutant*, as a patch."""
    return subprocess.check_output(["mutmut", "show", mutant], text=True)


def table(counts: dict[str, Count]) -> str:
    """Return *counts* as a table, a line for each module."""
    columns = ("changes", "types", "tests", "missed")
    rows = [(name, *(count[each] for each in columns)) for name, count in counts.items()]
    return "\n".join(
        f"{name:<32}" + "".join(f"{cell:>9}" for cell in cells)
        for name, *cells in [("module", *columns), *rows]
    )


if __name__ == "__main__":
    main()
