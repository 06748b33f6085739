"""A line on which our code crashes counts as not understood; the rest of the email is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

from judge.app.commands import order_lines
from judge.mail.language import previews
from judge.mail.reader import email_text, press_blocks
from judge.mail.reader.phase_hints import holds_order
from judge.mail.reader.press_blocks import press_opening
from judge.reading import reader
from judge.reading.anywhere import read_anywhere
from judge.reading.reader import read_text
from tests.support.table import Table, address_of

SECRET = "A Mar-Spa"  # the line on which our code is made to fail


@pytest.fixture(autouse=True)
def forgetful() -> None:
    """Forget what was read of these lines before the code was made to fail."""
    holds_order.cache_clear()


P = ParamSpec("P")
R = TypeVar("R")


def fail_on_secret(function: Callable[P, R]) -> Callable[P, R]:
    """Return *function*, failing if an argument contains the secret line."""

    def failing(*arguments: P.args, **named: P.kwargs) -> R:
        if SECRET in str(arguments):
            raise RuntimeError(f"failed on {SECRET}")
        return function(*arguments, **named)

    return failing


@pytest.mark.parametrize(
    ("module", "function"),
    [
        (previews, "preview_asked"),
        (press_blocks, "press_opening"),
        (email_text, "line_parts"),
        (email_text, "_orders_together"),
        (reader, "Chunker"),
        (order_lines, "read_text"),
        (order_lines, "text_without_orders"),
        (order_lines, "read_on_board"),
    ],
)
def test_a_line_on_which_our_code_fails_costs_no_other_line(
    table: Table, monkeypatch: pytest.MonkeyPatch, module: object, function: str
) -> None:
    if function != "_orders_together":
        monkeypatch.setattr(module, function, fail_on_secret(getattr(module, function)))
    else:
        whole = getattr(module, function)
        monkeypatch.setattr(module, function, lambda items: fail_on_secret(whole)(list(items)))

    receipt = table.send("FRANCE", f"Hello judge,\nA Par-Bur\n{SECRET}\nF Bre-Mao\nREADY")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO")
    assert SECRET in receipt.text
    assert "READY" in receipt.text
    [line] = [each for each in table.operator_log.lines if each.startswith("line.failed")]
    assert "RuntimeError in failing" in line
    assert "Mar" not in line


def test_a_failing_line_in_orders_for_later_phases_costs_no_other_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_lines, "read_anywhere", fail_on_secret(read_anywhere))

    receipt = table.send("FRANCE", f"A Par-Bur\nFall 1901:\nA Bur-Mun\n{SECRET}\nF Mao-Por")

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    assert "A BUR - MUN" in receipt.text
    assert "F MAO - POR" in receipt.text
    assert SECRET in receipt.text


def test_a_failing_line_in_a_preview_costs_no_other_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_lines, "read_text", fail_on_secret(read_text))

    answer = table.send("FRANCE", f"PREVIEW\nA Par-Bur\n{SECRET}\nENDPREVIEW")

    assert "Paris -> Burgundy" in answer.text
    assert SECRET in answer.text


def test_a_failing_quoted_line_costs_no_other_line(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_lines, "read_text", fail_on_secret(read_text))

    table.send("FRANCE", f"I'll wait.\nREADY\n\n> {SECRET}\n> A Par H")

    assert any(each.startswith("line.failed") for each in table.operator_log.lines)


def test_lines_below_a_failing_press_opening_are_not_orders(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press_blocks, "press_opening", fail_on_secret(press_opening))

    receipt = table.send(
        "FRANCE", f"F Bre-Mao\nPRESS TO E: {SECRET}\nA Par-Pic?\nA Par-Bur\nENDPRESS"
    )

    assert table.current_orders("FRANCE") == ("F BRE - MAO",)
    assert "A Par-Bur" in receipt.text
    assert not table.emails_to("england@players.example", "press")


def test_a_line_of_press_on_which_our_code_fails_is_sent_as_it_was_written(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press_blocks, "press_opening", fail_on_secret(press_opening))

    table.send("FRANCE", f"PRESS TO E\nI will do this:\n{SECRET}\nok?\nENDPRESS")

    press = table.emails_to(address_of("ENGLAND"))[-1]
    assert f"I will do this: {SECRET} ok?" in press.words


@pytest.mark.parametrize("line", ["- retreat to Gas", "S moves build"])
def test_a_line_that_cost_the_whole_email_costs_no_other_line(table: Table, line: str) -> None:
    table.send("FRANCE", f"A Par-Bur\n{line}\nF Bre-Mao")

    assert table.current_orders("FRANCE") == ("A PAR - BUR", "F BRE - MAO")
    assert not any(each.startswith("line.failed") for each in table.operator_log.lines)


def test_with_too_many_failing_lines_nothing_is_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_lines, "read_text", fail_on_secret(read_text))

    receipt = table.send("FRANCE", "A Par-Bur\n" + f"{SECRET}\n" * 10)

    assert table.current_orders("FRANCE") == ()
    assert "A Par-Bur" in receipt.text
