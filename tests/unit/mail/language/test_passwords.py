"""Passwords are found in lines however their command is written, without reading every line."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language.command_table import PASSWORD_LINES_MAX
from judge.mail.language.passwords import has_secrets
from judge.rules.board import DEFAULT_VARIANT

BOARD = load_map(DEFAULT_VARIANT)
NAMES = sorted(
    {
        name
        for each in COMMANDS.syntax.values()
        if has_secrets(each.parsed)
        for name in each.names + each.secret_names
    }
)
BEHIND = ("Fbaltic sesame", "baltic PASSWORD sesame")


def spellings(name: str) -> set[str]:
    """Return *name* as people write and misspell it."""
    words = name.split()
    typos = (name[:at] + name[at + 1 :] for at in range(len(name)))
    turned = (name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1))
    apart = (f"{name[:at]} {name[at:]}" for at in range(1, len(name)))
    ours = {name, "".join(words), name.lower(), name.title(), f"{name}:", f". {name}", *typos}
    return {*ours, *turned, *apart, *(f"SET {each}" for each in ours), f"SET{name}"}


@pytest.mark.parametrize("name", NAMES)
def test_no_line_that_a_password_is_taken_from_is_passed_over(name: str) -> None:
    for spelling in spellings(name):
        for rest in BEHIND:
            line = Line(1, f"{spelling} {rest}")
            parsed = COMMANDS.read(line, BOARD, first=False)

            shown = parsed.text if parsed else line.text
            assert COMMANDS.without_secrets(line, BOARD) == shown, line.text


def test_names_of_commands_with_passwords_are_known() -> None:
    assert {each.__name__ for each in COMMANDS.syntax if has_secrets(each)} >= {
        "SignOn",
        "Join",
        "SetPassword",
        "Create",
    }


def test_passwords_are_found_in_fresh_and_quoted_lines_up_to_a_limit() -> None:
    fresh = (Line(1, "SIGNON Fbaltic sesame"), Line(2, "A Par-Bur"))
    quoted = tuple("> A Par-Bur" for _ in range(PASSWORD_LINES_MAX - 3))
    quoted = (*quoted, "> SET PASSWORD open", "> SET PASSWORD beyond")
    text = Text(fresh=fresh, quoted=quoted, returned=(), signature=())

    assert COMMANDS.passwords_in(text, BOARD) == ("sesame", "open")
