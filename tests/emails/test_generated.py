"""From an email of any program, form and language, exactly the new orders are read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.order_lines import read_for_phase
from judge.app.commands.table import COMMANDS
from judge.mail.body import Text
from judge.mail.envelope import OpenedEmail, open_mail
from judge.mail.language.command_syntax import NamedPhase, OrderText
from judge.mail.reader.email_text import read_lines
from judge.notation.order_text import write_order
from judge.notation.readings import Understood
from judge.rules.types import PhaseKind
from tests.emails.generated import (
    CLIENTS,
    LANGUAGES,
    NEW,
    OLD,
    GeneratedEmail,
    forms,
    generate_emails,
)

BOARD = load_map("standard")
FORMS = list(forms())


def quick_forms() -> Iterator[pytest.ParameterSet]:
    """Yield each program and form, most for `.ci/run` only: all programs and all forms remain."""
    seen: set[str] = set()
    for client, form in FORMS:
        marks = [pytest.mark.gate] if {client, form} <= seen else []
        yield pytest.param(client, form, marks=marks, id=f"{client} {form}")
        seen |= {client, form}


each_form = pytest.mark.parametrize(("client", "form"), list(quick_forms()))


@each_form
def test_s11_exactly_the_new_orders_are_read_and_the_old_are_kept_as_quoted(
    client: str, form: str
) -> None:
    for made in generate_emails(client, form):
        text = opened(made).text
        left = [" ".join(line.text.split()) for line in text.fresh]
        quoted = " ".join(" ".join(text.quoted).split())

        assert (made.name, read(text)) == (made.name, NEW)
        assert (made.name, [line for line in left if line]) == (made.name, shown(made.new))
        assert (made.name, [line for line in OLD if line not in quoted]) == (made.name, [])


def test_the_set_is_as_large_as_was_promised() -> None:
    made = [each for client, form in FORMS for each in generate_emails(client, form)]

    assert len(CLIENTS) >= 25
    assert len(LANGUAGES) >= 8
    assert len({each.raw for each in made}) >= 200


def shown(lines: tuple[str, ...]) -> list[str]:
    return [" ".join(line.split()) for line in lines if line]


def opened(made: GeneratedEmail) -> OpenedEmail:
    letter = open_mail(made.raw, "france@player.test")
    assert isinstance(letter, OpenedEmail)
    return letter


def read(text: Text) -> tuple[str, ...]:
    """Return the orders and other commands that are read."""
    understood: list[str] = []
    for said in read_lines(text, BOARD, COMMANDS):
        if isinstance(said, NamedPhase) and said.code in ("S", "SM"):
            continue  # `my orders for spring:` names the open phase
        if not isinstance(said, OrderText):
            understood.append(said.text)
            continue
        lines = "\n".join(line.text for line in said.lines)
        readings = read_for_phase(lines, BOARD, PhaseKind.MOVEMENT)
        understood += [
            write_order(each.order) for each in readings if isinstance(each, Understood)
        ]
    return tuple(understood)
