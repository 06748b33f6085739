"""Trace an email with orders, and a deadline, through the code.

    python -m tests.bench.walk

It counts the modules of the judge that each enters, their functions, the calls and the deepest
stack, and prints the modules in the order in which they are entered: the way.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

from tests.support.table import FIRST_DEADLINE, Table, address_of

ORDERS = "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Mao"
MAIL_MODULES_TARGET, DEADLINE_MODULES_TARGET = 70, 60  # reported; nothing fails above them


@dataclass(slots=True)
class Way:
    """The modules of the package `judge` that a piece of work enters."""

    modules: dict[str, list[str]] = field(default_factory=dict)  # their functions, as entered
    functions: set[CodeType] = field(default_factory=set)
    calls: int = 0
    deepest: int = 0
    _depth: int = 0

    def follow(self, work: Callable[[], object]) -> None:
        """Do *work*, and note where it goes."""
        sys.setprofile(self._step)
        try:
            work()
        finally:
            sys.setprofile(None)

    def _step(self, frame: FrameType, event: str, _: object) -> None:
        if event not in {"call", "return"} or not is_of_judge(frame):
            return
        if event == "return":
            self._depth -= 1
            return
        self._depth += 1
        self.calls += 1
        self.deepest = max(self.deepest, self._depth)
        if frame.f_code not in self.functions:
            self.functions.add(frame.f_code)
            name = str(frame.f_globals["__name__"])
            self.modules.setdefault(name, []).append(frame.f_code.co_name)


def is_of_judge(frame: FrameType) -> bool:
    """Return whether *frame* runs a function written in the judge.

    Comprehensions are part of their function, and no one reads what `dataclass` generates.
    """
    code = frame.f_code
    name = str(frame.f_globals.get("__name__", ""))
    written = not code.co_filename.startswith("<") and not code.co_name.startswith("<")
    return written and name.startswith("judge.")


def main() -> None:
    """Print the way of an email and of a deadline."""
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        walk(Path(first))  # what is read once, such as the board, is read by now
        mail, deadline = walk(Path(second))
    show(
        "An email with orders, from its row in the inbox to the receipt", mail, MAIL_MODULES_TARGET
    )
    show("A deadline, from the tick to seven results", deadline, DEADLINE_MODULES_TARGET)


def walk(folder: Path) -> tuple[Way, Way]:
    """Follow an order email and the deadline after it in a new game in *folder*."""
    table, mail, deadline = Table(folder), Way(), Way()
    table.start()
    table.run_once()
    table.all_hold(but=["FRANCE"])
    asked = table.latest("FRANCE")
    reply = table.compose(
        address_of("FRANCE"), ORDERS, asked.reply_to, In_Reply_To=asked.message_id
    )
    table.deliver(reply, None, asked.reply_to)
    before = len(table.outbox())
    mail.follow(table.run_once)
    assert len(table.outbox()) == before + 1, "the receipt"
    table.clock.time = FIRST_DEADLINE
    deadline.follow(table.run_once)
    assert len(table.outbox()) == before + 8, "the results"
    table.close()
    return mail, deadline


def show(title: str, way: Way, modules_target: int) -> None:
    """Print the figures of *way* and its modules, each with the function first entered."""
    print(f"{title}:")
    print(
        f"{len(way.modules)} modules (target: {modules_target}), {len(way.functions)} functions,"
        f" {way.calls:,} calls, {way.deepest} deep"
    )
    for module, functions in way.modules.items():
        print(
            f"  {module}: {functions[0]}"
            + f" and {len(functions) - 1} more" * (functions[1:] != [])
        )
    print()


if __name__ == "__main__":
    main()
